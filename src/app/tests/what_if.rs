//! Changes of attention.

use super::*;
use crate::attribution::Method;
use crate::engine::{Intervention, InterventionKind, Scope};

fn what_if(command: WhatIfCommand) -> Command {
    Command::WhatIf(command)
}

fn add(model: Option<&str>, scope: Scope, kind: InterventionKind) -> Command {
    what_if(WhatIfCommand::Add {
        model: model.map(str::to_owned),
        edit: Intervention::new(scope, kind),
    })
}

fn set(step: usize, position: usize, weight: f32) -> Command {
    let kind = InterventionKind::SetWeight { position, weight };
    what_if(WhatIfCommand::Adjust {
        model: Some("additive".to_owned()),
        edit: Intervention::new(Scope::Step(step), kind),
    })
}

fn list<'a>(state: &'a AppState, model: &str) -> &'a [Intervention] {
    state.document().interventions_of(model)
}

fn weights(state: &AppState, model: &str, step: usize) -> Vec<f32> {
    let matrix = state.pane(model).unwrap().data().matrix.clone().unwrap();
    matrix.row(step).to_vec()
}

fn says(state: &AppState, text: &str) -> bool {
    let mut notices = state.notices().history().iter();
    notices.any(|notice| notice.draft.text.contains(text))
}

#[test]
fn a_change_is_for_one_scorer_or_for_all_with_attention() {
    let mut state = state();
    let mask = InterventionKind::MaskSource(1);
    send(
        &mut state,
        [
            choose(&["additive", "bottleneck", "dot"]),
            add(Some("dot"), Scope::Step(0), InterventionKind::Uniform),
            add(None, Scope::All, mask),
        ],
    );
    let counts = ["additive", "bottleneck", "dot"].map(|name| list(&state, name).len());
    assert_eq!(counts, [1, 0, 2]);
    assert_eq!(weights(&state, "additive", 0)[1], 0.0);
    send(&mut state, [what_if(WhatIfCommand::Clear { model: None })]);
    assert!(state.document().interventions.is_empty());
    send(&mut state, [Command::Edit(EditCommand::Undo)]);
    assert_eq!(list(&state, "dot").len(), 2);
}

#[test]
fn a_switched_off_change_does_nothing_and_a_removed_one_is_gone() {
    let mut state = state();
    let before = weights(&state, "additive", 0);
    send(
        &mut state,
        [add(Some("additive"), Scope::All, InterventionKind::Uniform)],
    );
    assert!(
        weights(&state, "additive", 0)
            .iter()
            .all(|w| (w - 0.25).abs() < 1e-6)
    );
    let switch = |on| {
        let (model, place) = ("additive".to_owned(), 0);
        what_if(WhatIfCommand::Switch { model, place, on })
    };
    send(&mut state, [switch(false)]);
    assert_eq!(weights(&state, "additive", 0), before);
    assert_eq!(list(&state, "additive").len(), 1);
    let (model, place) = ("additive".to_owned(), 0);
    let remove = WhatIfCommand::Remove { model, place };
    send(
        &mut state,
        [switch(true), what_if(remove.clone()), what_if(remove)],
    );
    assert_eq!(weights(&state, "additive", 0), before);
    assert_eq!(state.undo().len(), 4, "removing what is gone is no step");
}

#[test]
fn what_leaves_nothing_is_refused_with_the_reason() {
    let mut state = state();
    send(
        &mut state,
        [
            text("chat"),
            add(None, Scope::All, InterventionKind::MaskSource(0)),
        ],
    );
    assert!(state.document().interventions.is_empty());
    assert!(says(&state, "only one token"));
    let uniform = || add(Some("bottleneck"), Scope::All, InterventionKind::Uniform);
    send(&mut state, [choose(&["bottleneck"]), uniform()]);
    assert!(says(&state, "bottleneck has no weights"));
    send(
        &mut state,
        [add(None, Scope::All, InterventionKind::LastPosition)],
    );
    assert!(says(&state, "no scorer with attention"));
    send(
        &mut state,
        [
            choose(&["dot"]),
            text(""),
            add(None, Scope::All, InterventionKind::LastPosition),
        ],
    );
    assert!(state.document().interventions.is_empty());
}

#[test]
fn a_weight_that_is_moved_is_one_change_and_one_step_of_undo() {
    let mut state = state();
    let before = weights(&state, "additive", 0);
    send(&mut state, [set(0, 2, 0.3), set(0, 2, 0.6), set(0, 2, 0.9)]);
    assert_eq!(list(&state, "additive").len(), 1);
    assert_eq!(state.undo().len(), 1);
    let row = weights(&state, "additive", 0);
    assert!((row[2] - 0.9).abs() < 1e-6);
    // The others keep their proportions.
    assert!((row[0] / row[1] - before[0] / before[1]).abs() < 1e-3);
    // Another bar acts on what the first one left, and so does the first one again.
    send(&mut state, [set(0, 1, 0.5), set(0, 2, 0.1)]);
    assert_eq!(list(&state, "additive").len(), 3);
    assert!((weights(&state, "additive", 0)[2] - 0.1).abs() < 1e-6);
    for _ in 0..3 {
        send(&mut state, [Command::Edit(EditCommand::Undo)]);
    }
    assert_eq!(weights(&state, "additive", 0), before);
}

#[test]
fn where_one_had_all_weight_the_others_share_evenly() {
    let mut state = state();
    send(
        &mut state,
        [
            add(
                Some("additive"),
                Scope::Step(0),
                InterventionKind::OneHot(0),
            ),
            set(0, 0, 0.4),
        ],
    );
    let row = weights(&state, "additive", 0);
    assert!(row[1..].iter().all(|w| (w - 0.2).abs() < 1e-6), "{row:?}");
}

#[test]
fn weights_are_taken_over_from_another_scorer() {
    let mut state = state();
    let other = weights(&state, "dot", 0);
    send(
        &mut state,
        [what_if(WhatIfCommand::Borrow {
            model: None,
            from: "dot".to_owned(),
            scope: Scope::All,
        })],
    );
    assert_eq!(weights(&state, "additive", 0), other);
    assert!(list(&state, "dot").is_empty());
}

#[test]
fn changes_are_plain_sentences() {
    let source: Vec<String> = ["le", "chat", "noir"].map(str::to_owned).to_vec();
    let sentence = |scope, kind| edit_sentence(&Intervention::new(scope, kind), &source);
    assert_eq!(
        sentence(Scope::All, InterventionKind::MaskSource(2)),
        "mask noir, all steps"
    );
    let (position, weight) = (2, 0.9);
    assert_eq!(
        sentence(
            Scope::Step(1),
            InterventionKind::SetWeight { position, weight }
        ),
        "set noir to 0.90 at step 2"
    );
    assert_eq!(
        sentence(Scope::From(2), InterventionKind::Temperature(0.5)),
        "temperature 0.50 from step 3"
    );
    assert_eq!(
        sentence(Scope::Step(usize::MAX), InterventionKind::OneHot(7)),
        format!(
            "all weight on word 8 (not in this sentence) at step {}",
            usize::MAX
        )
    );
}

#[test]
fn the_unchanged_run_is_kept_beside_the_changed_one() {
    let mut state = state();
    send(&mut state, [Command::Decode(DecodeCommand::MoveTo(2))]);
    let before = state.pane("additive").unwrap().data().clone();
    assert!(state.pane("additive").unwrap().original().is_none());
    send(&mut state, [set(0, 2, 1.0), set(1, 2, 0.0)]);
    let pane = state.pane("additive").unwrap();
    let original = pane.original().unwrap();
    assert_eq!(original.data().tokens, before.tokens);
    assert!(state.pane("dot").unwrap().original().is_none());
    let change = original.change(0).unwrap();
    assert!(change.divergence > 0.0);
    assert!((change.before - f64::from(before.log_probabilities[0])).abs() < 1e-5);
    assert!(original.change(2).is_none(), "not taken");
    let text = |pieces: &[Piece]| pieces.iter().map(|p| p.text.as_str()).collect::<String>();
    assert_eq!(text(original.changed_sentence()), pane.translation());
    assert_eq!(text(original.sentence()), before.translation(2));
    // Switched off, there is nothing to compare.
    for place in [0, 1] {
        let (model, on) = ("additive".to_owned(), false);
        send(
            &mut state,
            [what_if(WhatIfCommand::Switch { model, place, on })],
        );
    }
    assert!(state.pane("additive").unwrap().original().is_none());
}

#[test]
fn attributions_are_asked_for_once_kept_and_cancelled() {
    let mut state = state();
    let show = |method| Command::View(ViewCommand::Attribution(method));
    let effects = state.apply(show(Some(Method::GradientInput)));
    let [Effect::Attribute(jobs)] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(jobs.len(), 2);
    // A step asks for nothing new: it is about the whole output.
    send(&mut state, [Command::Decode(DecodeCommand::Step)]);
    state.models().attribute(&jobs[0]);
    send(&mut state, [Command::Models(ModelsCommand::Attributed)]);
    let shown = state.attribution("additive").unwrap();
    let view = shown.outcome().unwrap().unwrap();
    assert_eq!(shown.matrix().unwrap().values().dim(), (2, 4));
    assert_eq!(view.agreement.len(), view.matrix.rows().len());
    assert!(view.agreement[0].kendall.is_some() && view.largest > 0.0);
    let tokens = &state.pane("additive").unwrap().data().tokens;
    assert_eq!(shown.matrix().unwrap().rows()[1], tokens[1].text);
    assert!(state.attribution("dot").unwrap().outcome().is_none());
    // Another sentence asks anew; what was not done is not done any more.
    let effects = state.apply(text("le chien dort"));
    assert!(matches!(&effects[..], [Effect::Attribute(jobs)] if jobs.len() == 2));
    let old = jobs[1].clone();
    state.models().attribute(&old);
    let effects = state.apply(Command::Edit(EditCommand::Undo));
    assert!(
        matches!(&effects[..], [Effect::Attribute(missing)] if *missing == [old]),
        "the first one is kept, the second one was cancelled: {effects:?}"
    );
    let _ = state.apply(show(None));
    assert!(state.attribution("additive").is_none());
}

#[test]
fn an_attribution_that_cannot_be_says_why() {
    let mut state = state();
    send(&mut state, [text("chat")]);
    let effects = state.apply(Command::View(ViewCommand::Attribution(Some(Method::Drop))));
    let [Effect::Attribute(jobs)] = &effects[..] else {
        panic!("{effects:?}")
    };
    state.models().attribute(&jobs[0]);
    send(&mut state, [Command::Models(ModelsCommand::Attributed)]);
    let problem = state.attribution("additive").unwrap().outcome().unwrap();
    assert!(problem.unwrap_err().contains("only one word"));
}
