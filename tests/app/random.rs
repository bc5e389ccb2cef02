//! Random commands neither panic nor break undo.

use proptest::prelude::*;
use regard::app::*;
use regard::engine::{DecodePolicy, Intervention, InterventionKind, Scope, ScoreKind};
use regard::project::{Chart, DifferencePair, PaneLayout, Scaling, TextSize, Theme};

use super::{Desk, SOURCE_WORDS, TARGET_WORDS};

fn name() -> impl Strategy<Value = String> {
    let known = ScoreKind::ALL.map(|kind| kind.name().to_owned());
    prop_oneof![9 => proptest::sample::select(known.to_vec()), 1 => Just("nobody".to_owned())]
}

fn sentence() -> impl Strategy<Value = String> {
    let words = SOURCE_WORDS
        .split(' ')
        .chain(["narval", "…", "l'eau", "</s>", ""]);
    let words: Vec<&str> = words.collect();
    prop_oneof![
        8 => proptest::collection::vec(proptest::sample::select(words), 0..7)
            .prop_map(|words| words.join(" ")),
        1 => any::<String>(),
    ]
}

fn target() -> impl Strategy<Value = Option<String>> {
    let words: Vec<&str> = TARGET_WORDS.split(' ').collect();
    let text = proptest::collection::vec(proptest::sample::select(words), 0..5);
    proptest::option::of(text.prop_map(|words| words.join(" ")))
}

fn target_word() -> impl Strategy<Value = String> {
    let words = TARGET_WORDS
        .split(' ')
        .chain(["</s>", "<unk>", "<s>", "narwhal"]);
    proptest::sample::select(words.map(str::to_owned).collect::<Vec<_>>())
}

fn policy() -> impl Strategy<Value = DecodePolicy> {
    let temperature = prop_oneof![Just(0.5_f32), Just(2.0), Just(f32::NAN), Just(-1.0)];
    prop_oneof![
        Just(DecodePolicy::Greedy),
        (temperature, 0_u64..3)
            .prop_map(|(temperature, seed)| DecodePolicy::Sample { temperature, seed }),
    ]
}

fn interventions() -> impl Strategy<Value = Vec<Intervention>> {
    let kind = prop_oneof![
        (0_usize..5).prop_map(InterventionKind::MaskSource),
        (0_usize..5).prop_map(InterventionKind::OneHot),
        prop_oneof![Just(0.5_f32), Just(f32::NAN)].prop_map(InterventionKind::Temperature),
        Just(InterventionKind::Uniform),
        Just(InterventionKind::SetWeights(vec![0.25, 0.75])),
    ];
    let scope = prop_oneof![Just(Scope::All), (0_usize..4).prop_map(Scope::Step)];
    let one = (scope, kind).prop_map(|(scope, kind)| Intervention::new(scope, kind));
    proptest::collection::vec(one, 0..3)
}

fn what_if() -> impl Strategy<Value = Command> {
    let model = || proptest::option::of(name());
    let edit = interventions().prop_filter_map("an edit", |mut list| list.pop());
    let weight = (0_usize..5, 0_usize..4, any::<f32>()).prop_map(|(position, step, weight)| {
        let kind = InterventionKind::SetWeight { position, weight };
        Intervention::new(Scope::Step(step), kind)
    });
    prop_oneof![
        3 => (model(), edit).prop_map(|(model, edit)| WhatIfCommand::Add { model, edit }),
        2 => (model(), weight).prop_map(|(model, edit)| WhatIfCommand::Adjust { model, edit }),
        1 => (model(), name()).prop_map(|(model, from)| {
            WhatIfCommand::Borrow { model, from, scope: Scope::All }
        }),
        1 => (name(), 0_usize..3, any::<bool>())
            .prop_map(|(model, place, on)| WhatIfCommand::Switch { model, place, on }),
        1 => (name(), 0_usize..3)
            .prop_map(|(model, place)| WhatIfCommand::Remove { model, place }),
        1 => model().prop_map(|model| WhatIfCommand::Clear { model }),
    ]
    .prop_map(Command::WhatIf)
}

fn edit() -> impl Strategy<Value = Command> {
    let pair = (name(), name()).prop_map(|(left, right)| DifferencePair { left, right });
    prop_oneof![
        4 => sentence().prop_map(|text| Command::Source(SourceCommand::SetText(text))),
        1 => (0_usize..6, sentence())
            .prop_map(|(index, word)| Command::Source(SourceCommand::ReplaceWord { index, word })),
        1 => (0_usize..40).prop_map(|place| Command::Source(SourceCommand::UseExample(place))),
        1 => policy().prop_map(|policy| Command::Decode(DecodeCommand::SetPolicy(policy))),
        2 => target().prop_map(|target| Command::Decode(DecodeCommand::SetTarget(target))),
        1 => name().prop_map(|model| Command::Decode(DecodeCommand::ForceOutputOf { model })),
        2 => (name(), interventions()).prop_map(|(model, list)| {
            Command::Decode(DecodeCommand::SetInterventions { model, list })
        }),
        3 => what_if(),
        3 => name().prop_map(|name| Command::Models(ModelsCommand::Toggle(name))),
        1 => proptest::collection::vec(name(), 0..7)
            .prop_map(|names| Command::Models(ModelsCommand::Choose(names))),
        1 => (0_usize..6, 0_usize..6)
            .prop_map(|(from, to)| Command::Models(ModelsCommand::Reorder { from, to })),
        2 => (name(), 0_usize..6, target_word()).prop_map(|(model, position, token)| {
            Command::Decode(DecodeCommand::Choose { model, position, token })
        }),
        1 => (name(), proptest::option::of(0_usize..3)).prop_map(|(model, branch)| {
            Command::Decode(DecodeCommand::SelectBranch { model, branch })
        }),
        1 => (name(), 0_usize..3, any::<String>()).prop_map(|(model, branch, name)| {
            Command::Decode(DecodeCommand::NameBranch { model, branch, name })
        }),
        1 => (name(), 0_usize..3).prop_map(|(model, branch)| {
            Command::Decode(DecodeCommand::RemoveBranch { model, branch })
        }),
        1 => proptest::sample::select(PaneLayout::ALL.to_vec())
            .prop_map(|layout| Command::View(ViewCommand::Layout(layout))),
        1 => (0_usize..40).prop_map(|size| Command::View(ViewCommand::BeamSize(size))),
        1 => (proptest::sample::select(Chart::ALL.to_vec()), any::<bool>())
            .prop_map(|(chart, on)| Command::View(ViewCommand::Chart(chart, on))),
        1 => proptest::option::of(proptest::sample::select(METHODS.to_vec()))
            .prop_map(|method| Command::View(ViewCommand::Attribution(method))),
        1 => any::<u8>().prop_map(|percent| Command::View(ViewCommand::LinkPercent(percent))),
        1 => proptest::option::of(pair)
            .prop_map(|pair| Command::View(ViewCommand::Difference(pair))),
        1 => proptest::sample::select(Scaling::ALL.to_vec())
            .prop_map(|scaling| Command::View(ViewCommand::Scaling(scaling))),
    ]
}

fn item() -> impl Strategy<Value = Item> {
    prop_oneof![
        (name(), 0_usize..9, 0_usize..9).prop_map(|(pane, row, column)| Item::Cell {
            pane,
            row,
            column
        }),
        (0_usize..9).prop_map(Item::Step),
        (0_usize..9).prop_map(Item::Column),
    ]
}

fn other() -> impl Strategy<Value = Command> {
    let answer = proptest::sample::select(vec![Answer::Yes, Answer::No, Answer::Cancel]);
    prop_oneof![
        4 => (0_usize..30).prop_map(|n| Command::Decode(DecodeCommand::MoveTo(n))),
        3 => item().prop_map(|item| Command::Select(SelectionCommand::Hover(item))),
        2 => item().prop_map(|item| Command::Select(SelectionCommand::Lock(item))),
        2 => Just(Command::Select(SelectionCommand::EndFrame)),
        1 => name().prop_map(|name| Command::Select(SelectionCommand::Solo(name))),
        1 => (any::<f32>(), -2.0_f32..50.0, any::<f32>()).prop_map(|(factor, row, column)| {
            Command::Zoom(ZoomCommand::To(Zoom::new(factor, [row, column])))
        }),
        2 => answer.prop_map(|answer| Command::File(FileCommand::Answer(answer))),
        1 => (0_u64..9).prop_map(|id| Command::Notice(NoticeCommand::Follow(id))),
        1 => (75_u16..200)
            .prop_map(|size| Command::Prefer(PreferencesCommand::TextSize(TextSize::from(size)))),
        1 => any::<bool>().prop_map(|on| Command::Decode(DecodeCommand::Play(on))),
        1 => Just(Command::Prefer(PreferencesCommand::Theme(Theme::Light))),
        2 => Just(Command::Clock(ClockCommand::Tick { seconds: 9.0 })),
        1 => name().prop_map(|model| Command::Export(ExportCommand::CopyValues { model })),
        1 => Just(Command::File(FileCommand::OpenAny(vec!["a.regard.ron".into()]))),
    ]
}

/// A command, or the place of one in the table.
fn step() -> impl Strategy<Value = Result<Command, usize>> {
    prop_oneof![
        4 => edit().prop_map(Ok),
        3 => other().prop_map(Ok),
        3 => (0..UiCommand::table().len()).prop_map(Err),
    ]
}

fn check(state: &AppState) {
    assert!(state.position() <= state.timeline_len());
    assert!(state.panes().len() <= MOST_PANES);
    for pane in state.panes() {
        let data = pane.data();
        assert!(pane.taken() <= data.len());
        assert_eq!(data.context_norms.len(), data.len());
        if let Some(matrix) = &data.matrix {
            assert_eq!(matrix.values().dim(), (data.len(), data.source.len()));
            for row in matrix.values().rows() {
                assert!((row.sum() - 1.0).abs() < 1e-4, "{row}");
            }
        }
    }
    if let Some(step) = state.inspected_step() {
        assert!(step < state.position());
    }
    assert!((1.0..=Zoom::LARGEST).contains(&state.zoom().factor()));
    assert!(state.zoom().centre().iter().all(|place| place.is_finite()));
}

/// Undo brings back what was before the edit, redo what was after it.
fn check_undo(state: &mut AppState, before: &Snapshot) {
    let after = state.snapshot();
    let data: Vec<_> = state
        .panes()
        .iter()
        .map(|pane| pane.data().clone())
        .collect();
    let _ = state.apply(Command::Edit(EditCommand::Undo));
    assert_eq!(state.snapshot(), *before);
    let _ = state.apply(Command::Edit(EditCommand::Redo));
    assert_eq!(state.snapshot(), after);
    for (pane, data) in state.panes().iter().zip(data) {
        assert_eq!(
            pane.data().tokens,
            data.tokens,
            "the same document, the same output"
        );
        assert_eq!(pane.data().matrix.as_deref(), data.matrix.as_deref());
    }
}

proptest! {
    // 100 × 120 commands.
    #![proptest_config(ProptestConfig { cases: 100, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_commands_neither_panic_nor_break_undo(
        steps in proptest::collection::vec(step(), 120)
    ) {
        let mut desk = Desk::new();
        let mut changes = 0;
        for step in steps {
            let command = match step {
                Ok(command) => command,
                Err(place) => UiCommand::table()[place].command(&desk.state),
            };
            let json = serde_json::to_string(&command).unwrap();
            let is_edit = command.undo_name().is_some();
            let before = desk.state.snapshot();
            let depth = desk.state.undo().len();
            if is_edit {
                desk.send([Command::Edit(EditCommand::Boundary)]);
            }
            desk.services.picks.push_back(Some("a.regard.ron".into()));
            desk.send([command]);
            desk.services.picks.clear();
            check(&desk.state);
            if is_edit && desk.state.snapshot() != before {
                assert!(desk.state.undo().len() > depth || depth == UndoStack::MOST, "{json}");
                check_undo(&mut desk.state, &before);
                changes += 1;
            } else if is_edit {
                assert_eq!(desk.state.undo().len(), depth, "{json}");
            }
        }
        // Otherwise this test would show nothing.
        assert!(changes >= 15, "{changes} changes");
    }

    #[test]
    fn commands_are_data(step in prop_oneof![edit(), other()]) {
        let json = serde_json::to_string(&step).unwrap();
        // JSON has no NaN; what is written as null is refused, which is not what is tested here.
        if let Ok(read) = serde_json::from_str::<Command>(&json) {
            prop_assert_eq!(serde_json::to_string(&read).unwrap(), json);
        }
    }
}
