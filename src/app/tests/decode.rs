//! The clock, the sentence, the models.

use std::sync::Arc;

use super::*;
use crate::engine::{DecodePolicy, Intervention, InterventionKind, Scope};
use DecodeCommand::{First, MoveTo, Restart, RunToEnd, Step, StepBack};

fn decode(command: DecodeCommand) -> Command {
    Command::Decode(command)
}

fn all_five() -> AppState {
    let mut state = state();
    send(&mut state, [choose(&ScoreKind::ALL.map(ScoreKind::name))]);
    state
}

fn computed(state: &AppState) -> u64 {
    let sessions = state.panes().iter().filter_map(Pane::session);
    sessions
        .map(crate::engine::DecodeSession::computed_steps)
        .sum()
}

#[test]
fn the_first_view_has_the_demo_and_one_step() {
    let state = state();
    assert_eq!(state.document().source, DEMO_SENTENCE);
    assert_eq!(names(&state), ["additive", "dot"]);
    assert_eq!((state.position(), state.timeline_len()), (1, 1));
    assert!(!state.is_dirty() && state.undo().is_empty() && state.can_step());
    assert_eq!(state.chips().len(), 4);
}

#[test]
fn all_panes_step_on_one_clock_and_wait_at_their_ends() {
    let mut state = all_five();
    send(&mut state, [decode(Step), decode(Step)]);
    assert_eq!(state.position(), 3);
    send(&mut state, [decode(RunToEnd)]);
    let longest = state.panes().iter().map(Pane::taken).max().unwrap();
    assert_eq!(state.position(), longest);
    assert!(!state.can_step());
    for pane in state.panes() {
        assert_eq!(pane.taken(), pane.data().len());
        assert!(
            matches!(pane.status(), PaneStatus::Finished | PaneStatus::StepLimit),
            "{:?}",
            pane.status()
        );
    }
    let before = state.position();
    send(&mut state, [decode(Step), decode(MoveTo(usize::MAX))]);
    assert_eq!(state.position(), before);
}

#[test]
fn going_back_recomputes_nothing_and_keeps_the_data() {
    let mut state = all_five();
    send(&mut state, [decode(MoveTo(6))]);
    let data: Vec<_> = state
        .panes()
        .iter()
        .map(|pane| pane.data().clone())
        .collect();
    let before = computed(&state);
    send(
        &mut state,
        [
            decode(StepBack),
            decode(First),
            decode(MoveTo(3)),
            decode(Step),
        ],
    );
    assert_eq!(computed(&state), before);
    assert_eq!(state.position(), 4);
    for (pane, data) in state.panes().iter().zip(&data) {
        assert!(Arc::ptr_eq(pane.data(), data));
        assert!(pane.taken() <= 4);
    }
    send(&mut state, [decode(Restart)]);
    assert_eq!((state.position(), state.timeline_len()), (0, 0));
}

#[test]
fn typing_decodes_again_to_the_step_that_was_reached() {
    let mut state = state();
    send(&mut state, [decode(MoveTo(5)), text("le chien"), text("")]);
    assert_eq!((state.position(), state.timeline_len()), (0, 0));
    assert!(
        state
            .panes()
            .iter()
            .all(|pane| pane.status() == PaneStatus::Empty)
    );
    send(
        &mut state,
        [decode(Step), decode(StepBack), text("le chat noir dort")],
    );
    assert_eq!(
        state.position(),
        5,
        "the clock remembers over an empty field"
    );
}

#[test]
fn unknown_words_are_marked_and_near_ones_offered() {
    let mut state = state();
    send(&mut state, [text("le caht L'noir")]);
    let known: Vec<_> = state
        .chips()
        .iter()
        .map(|c| (c.surface.as_str(), c.known))
        .collect();
    assert_eq!(
        known,
        [("le", true), ("caht", false), ("L'", true), ("noir", true)]
    );
    assert_eq!(state.suggestions(1, 1), ["chat"]);
    assert_eq!(state.suggestions(0, 1), Vec::<String>::new());
    assert_eq!(
        state.panes()[0].data().source_known,
        [true, false, true, true]
    );
    let word = "chat".to_owned();
    send(
        &mut state,
        [Command::Source(SourceCommand::ReplaceWord {
            index: 1,
            word,
        })],
    );
    assert_eq!(state.document().source, "le chat L'noir");
}

#[test]
fn a_forced_target_gives_all_panes_the_same_rows() {
    let mut state = all_five();
    let target = Some("the black cat sleeps".to_owned());
    send(
        &mut state,
        [decode(DecodeCommand::SetTarget(target)), decode(RunToEnd)],
    );
    for pane in state.panes() {
        assert_eq!(pane.translation(), "the black cat sleeps");
        assert_eq!(pane.data().len(), 5);
        assert!(pane.data().forced.iter().all(|forced| *forced));
    }
    send(&mut state, [decode(Restart), decode(Step)]);
    assert_eq!(state.panes()[0].translation(), "the");
    send(
        &mut state,
        [decode(DecodeCommand::SetTarget(Some(String::new())))],
    );
    assert_eq!(state.document().target, None);
    assert!(!state.panes()[0].data().forced[0]);
}

#[test]
fn an_output_is_forced_on_the_others() {
    let mut state = state();
    let model = "additive".to_owned();
    send(
        &mut state,
        [
            decode(DecodeCommand::ForceOutputOf { model }),
            decode(RunToEnd),
        ],
    );
    let [a, b] = state.panes() else { panic!() };
    let texts = |pane: &Pane| pane.data().matrix.as_ref().unwrap().rows().to_vec();
    assert_eq!(texts(a), texts(b));
    assert!(a.data().len() > 1);
}

#[test]
fn sampling_follows_from_the_seed() {
    let mut state = state();
    let policy = |seed| {
        decode(DecodeCommand::SetPolicy(DecodePolicy::Sample {
            temperature: 3.0,
            seed,
        }))
    };
    send(&mut state, [policy(1), decode(RunToEnd)]);
    let first = state.panes()[0].translation().to_owned();
    send(&mut state, [policy(2), decode(RunToEnd)]);
    let second = state.panes()[0].translation().to_owned();
    send(&mut state, [policy(1), decode(RunToEnd)]);
    assert_eq!(state.panes()[0].translation(), first);
    assert_ne!(first, second);
    let wrong = DecodePolicy::Sample {
        temperature: f32::NAN,
        seed: 1,
    };
    send(&mut state, [decode(DecodeCommand::SetPolicy(wrong))]);
    assert_eq!(state.notices().open().count(), 1);
}

#[test]
fn interventions_change_their_model_alone() {
    let mut state = state();
    send(&mut state, [decode(MoveTo(3))]);
    let dot = state.panes()[1].data().clone();
    let list = vec![Intervention::new(Scope::All, InterventionKind::OneHot(2))];
    let model = "additive".to_owned();
    send(
        &mut state,
        [decode(DecodeCommand::SetInterventions { model, list })],
    );
    let additive = state.panes()[0].data().matrix.clone().unwrap();
    assert_eq!(additive.row(1).to_vec(), [0.0, 0.0, 1.0, 0.0]);
    assert!(Arc::ptr_eq(state.panes()[1].data(), &dot));
    send(&mut state, [text("le chat")]);
    assert!(state.panes()[0].problem().unwrap().contains("position 2"));
}

#[test]
fn models_are_toggled_in_their_order() {
    let mut state = state();
    let toggle = |name: &str| Command::Models(ModelsCommand::Toggle(name.to_owned()));
    send(
        &mut state,
        [toggle("bottleneck"), toggle("general"), toggle("nobody")],
    );
    assert_eq!(names(&state), ["additive", "dot", "general", "bottleneck"]);
    assert!(state.pane("bottleneck").unwrap().data().matrix.is_none());
    send(
        &mut state,
        [
            toggle("additive"),
            toggle("dot"),
            toggle("general"),
            toggle("bottleneck"),
        ],
    );
    assert_eq!(names(&state), ["bottleneck"], "the last one stays");
    let reorder = Command::Models(ModelsCommand::Reorder { from: 0, to: 1 });
    send(&mut state, [choose(&["dot", "dot", "additive"]), reorder]);
    assert_eq!(names(&state), ["additive", "dot"]);
}

#[test]
fn a_model_that_comes_later_can_be_chosen() {
    let mut state = state();
    let reference = insert(state.models(), "mine", model(ScoreKind::General, 77));
    send(
        &mut state,
        [Command::Models(ModelsCommand::Loaded(reference))],
    );
    let notice = state.notices().open().next().unwrap().clone();
    assert_eq!(notice.draft.text, "Opened the model mine");
    send(
        &mut state,
        [Command::Notice(NoticeCommand::Follow(notice.id))],
    );
    assert_eq!(names(&state), ["additive", "dot", "mine"]);
    assert_eq!(state.notices().open().count(), 0);
    assert_eq!(state.undo().undo_name(), Some("choosing scorers"));
}
