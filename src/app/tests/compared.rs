//! Changes of the sentence beside what it was, and attention on trial.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::attribution::{Forced, Replacement, changes};
use crate::engine::{Intervention, InterventionKind, Scope};
use crate::text::TokeniserKind;

fn change(index: usize, change: WordChange) -> Command {
    Command::Source(SourceCommand::ChangeWord { index, change })
}

fn tokens(state: &AppState) -> Vec<String> {
    state.chips().iter().map(|chip| chip.text.clone()).collect()
}

#[test]
fn a_word_is_deleted_repeated_and_swapped_as_tokens() {
    // Elisions, punctuation without blanks, blanks around.
    let sentences = [
        "le chat noir dort",
        "l'homme qu'elle voit, dort.",
        "  le   chat,noir!  ",
        "j'ai",
        "dort",
        "",
    ];
    for sentence in sentences {
        let before = TokeniserKind::French.tokenise(sentence);
        for index in 0..=before.len() {
            for what in WordChange::ALL {
                let mut state = state();
                send(&mut state, [text(sentence), change(index, what)]);
                let mut expected = before.clone();
                if what.fits(index, before.len()) {
                    match what {
                        WordChange::Delete => drop(expected.remove(index)),
                        WordChange::Repeat => expected.insert(index, before[index].clone()),
                        WordChange::SwapNext => expected.swap(index, index + 1),
                    }
                    assert_eq!(state.document().compared.as_deref(), Some(sentence));
                } else {
                    assert_eq!(state.document().source, sentence);
                    assert_eq!(state.document().compared, None);
                }
                assert_eq!(tokens(&state), expected, "{what:?} {index} in {sentence:?}");
            }
        }
    }
}

#[test]
fn what_stands_between_other_words_stays() {
    let mut state = state();
    send(
        &mut state,
        [text("Le  chat noir\tdort"), change(1, WordChange::SwapNext)],
    );
    assert_eq!(state.document().source, "Le  noir chat\tdort");
    send(&mut state, [change(3, WordChange::Delete)]);
    assert_eq!(state.document().source, "Le  noir chat");
    assert_eq!(
        state.compared(),
        Some("Le  chat noir\tdort"),
        "the first one"
    );
    send(
        &mut state,
        [
            Command::Edit(EditCommand::Undo),
            Command::Edit(EditCommand::Undo),
        ],
    );
    assert_eq!(state.document().source, "Le  chat noir\tdort");
    assert_eq!(state.document().compared, None);
}

#[test]
fn the_run_before_the_change_stands_beside() {
    let mut state = state();
    send(&mut state, [Command::Decode(DecodeCommand::MoveTo(3))]);
    let before = state.pane("dot").unwrap().data().clone();
    send(&mut state, [change(1, WordChange::Delete)]);
    let pane = state.pane("dot").unwrap();
    let original = pane.original().unwrap();
    assert_eq!(original.source(), "le chat noir dort");
    assert_eq!(original.data().tokens, before.tokens);
    assert_eq!(original.shown().unwrap().values().dim(), (before.len(), 4));
    assert_eq!(pane.data().source.len(), 3);
    // The measure is that of the output before, read from the sentence after.
    let loaded = pane.loaded().unwrap().clone();
    let ids = |text: &str| {
        let words = loaded.source_tokeniser.tokenise(text);
        loaded.source_vocabulary.encode(&words)
    };
    let output: Vec<u32> = original
        .data()
        .steps
        .iter()
        .map(|step| step.chosen)
        .collect();
    let forced = Forced::new(&loaded.network, ids("le chat noir dort"), output).unwrap();
    let expected = changes(&forced, &ids("le noir dort"), &[]).unwrap();
    assert_eq!(original.change(1), expected.get(1));
    assert!(expected[1].divergence > 0.0);
    // Also without attention, and with a changed attention beside.
    send(&mut state, [choose(&["bottleneck", "dot"])]);
    assert!(state.pane("bottleneck").unwrap().original().is_some());
    let edit = Intervention::new(Scope::All, InterventionKind::Uniform);
    let uniform = WhatIfCommand::Add {
        model: None,
        edit: edit.clone(),
    };
    send(&mut state, [Command::WhatIf(uniform)]);
    let expected = changes(&forced, &ids("le noir dort"), &[edit]).unwrap();
    let original = state.pane("dot").unwrap().original().unwrap();
    assert_eq!(original.change(1), expected.get(1));
    send(&mut state, [Command::Source(SourceCommand::BackToCompared)]);
    assert_eq!(state.document().source, "le chat noir dort");
    assert!(state.pane("bottleneck").unwrap().original().is_none());
}

#[test]
fn a_sentence_is_kept_to_compare_and_an_example_ends_it() {
    let mut state = state();
    send(&mut state, [Command::Source(SourceCommand::Compare(true))]);
    assert_eq!(state.compared(), None, "nothing differs yet");
    send(&mut state, [text("le chien noir dort")]);
    assert_eq!(state.compared(), Some("le chat noir dort"));
    assert!(state.pane("additive").unwrap().original().is_some());
    send(&mut state, [Command::Source(SourceCommand::UseExample(0))]);
    assert_eq!(state.document().compared, None);
}

#[test]
fn the_verdict_is_that_of_the_tests_themselves() {
    let mut state = state();
    let edit = Intervention::new(Scope::All, InterventionKind::Uniform);
    let uniform = WhatIfCommand::Add { model: None, edit };
    send(&mut state, [Command::WhatIf(uniform)]);
    let subjects = state.subjects();
    let names: Vec<&str> = subjects.iter().map(|s| s.model().name.as_str()).collect();
    assert_eq!(names, ["additive", "dot"]);
    let go = AtomicBool::new(false);
    let verdict = subjects[0].verdict("le chien brun dort", &go).unwrap();
    assert_eq!(verdict.effects.len(), 4);
    assert_eq!(verdict.agreements.len(), 3);
    let steps = verdict.tokens.len();
    for (replacement, effects) in &verdict.effects {
        let effects = effects.as_ref().unwrap();
        let runs = if matches!(replacement, Replacement::Permuted { .. }) {
            PERMUTATIONS
        } else {
            1
        };
        assert_eq!(effects.runs.len(), runs);
        assert!(effects.runs.iter().all(|run| run.len() == steps));
    }
    let frozen = subjects[0].verdict("le chien", &go).unwrap();
    let problem = frozen.effects[3].1.as_ref().unwrap_err();
    assert_eq!(problem, "expected a sentence of 4 words, found 2");
    // Another subject once the conditions are others.
    send(
        &mut state,
        [Command::WhatIf(WhatIfCommand::Clear { model: None })],
    );
    assert_ne!(state.subjects(), subjects);
    let stop = AtomicBool::new(true);
    assert_eq!(subjects[0].verdict("", &stop).unwrap_err(), None);
    assert_eq!(subjects[0].paths(&stop).unwrap_err(), None);
}

#[test]
fn the_model_without_attention_is_measured_beside() {
    let mut state = state();
    let beside = state.bottleneck_subject().unwrap();
    let go = AtomicBool::new(false);
    let view = beside.paths(&go).unwrap();
    assert_eq!(view.paths.forward.dim(), (view.tokens.len(), 4));
    assert!(
        beside
            .verdict("", &go)
            .unwrap_err()
            .unwrap()
            .contains("no attention")
    );
    send(&mut state, [choose(&["bottleneck"])]);
    assert_eq!(state.bottleneck_subject(), None, "it is shown");
    assert_eq!(state.subjects().len(), 1);
    send(&mut state, [text("")]);
    assert!(state.subjects().is_empty());
}

#[test]
fn a_weight_can_be_set_where_nothing_closes_it_and_draws_differ() {
    let mut state = state();
    assert!(state.can_set_weight("dot", 0, 3));
    assert!(!state.can_set_weight("dot", 0, 4) && !state.can_set_weight("none", 0, 0));
    let add = |kind| {
        let edit = Intervention::new(Scope::Step(1), kind);
        Command::WhatIf(WhatIfCommand::Add {
            model: Some("dot".into()),
            edit,
        })
    };
    send(
        &mut state,
        [
            add(InterventionKind::MaskSource(2)),
            add(InterventionKind::Window(1)),
        ],
    );
    let open = |step: usize| [0, 1, 2, 3].map(|word| state.can_set_weight("dot", step, word));
    assert_eq!(open(0), [true; 4]);
    assert_eq!(open(1), [true, true, false, false]);
    assert_eq!(state.next_draw("dot"), 1);
    send(
        &mut state,
        [
            add(InterventionKind::Permute(1)),
            add(InterventionKind::Permute(2)),
        ],
    );
    let remove = WhatIfCommand::Remove {
        model: "dot".into(),
        place: 2,
    };
    send(&mut state, [Command::WhatIf(remove)]);
    assert_eq!(state.next_draw("dot"), 3, "not the one that is left");
}
