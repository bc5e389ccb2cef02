//! Data of panes, the inspector, formulas, the difference.

use std::sync::Arc;

use super::*;
use crate::metrics::{entropy, euclidean_norm};
use crate::project::DifferencePair;

fn run_to_end(state: &mut AppState) {
    send(state, [Command::Decode(DecodeCommand::RunToEnd)]);
}

#[test]
fn the_data_of_a_pane_are_those_of_its_steps() {
    let mut state = state();
    run_to_end(&mut state);
    let pane = &state.panes()[0];
    let (data, session) = (pane.data(), pane.session().unwrap());
    let matrix = data.matrix.as_ref().unwrap();
    assert_eq!(matrix.columns(), ["le", "chat", "noir", "dort"]);
    for (t, step) in session.steps().enumerate() {
        let row = matrix.row(t).to_vec();
        assert_eq!(row, step.weights.as_deref().unwrap());
        assert_eq!(data.entropies[t], entropy(&row));
        assert_eq!(data.effective_sources[t], data.entropies[t].exp());
        assert_eq!(data.context_norms[t], euclidean_norm(&step.context));
        assert_eq!(data.log_probabilities[t], step.log_probability);
        let largest = data.largest_weight(t).unwrap();
        assert!(row.iter().all(|weight| *weight <= row[largest]));
    }
    assert!(!pane.translation().contains("</s>"));
}

#[test]
fn a_new_step_makes_a_new_matrix_and_nothing_else_does() {
    let mut state = state();
    let first = state.panes()[0].data().matrix.clone().unwrap();
    let view = Command::View(ViewCommand::ShowValues(false));
    send(
        &mut state,
        [view, Command::Select(SelectionCommand::EndFrame)],
    );
    assert!(Arc::ptr_eq(
        &first,
        state.panes()[0].data().matrix.as_ref().unwrap()
    ));
    send(&mut state, [Command::Decode(DecodeCommand::Step)]);
    let second = state.panes()[0].data().matrix.clone().unwrap();
    assert!(!Arc::ptr_eq(&first, &second));
    assert_eq!(first.row(0), second.row(0));
}

#[test]
fn the_inspector_shows_how_the_weights_come_about() {
    let mut state = state();
    send(&mut state, [choose(&ScoreKind::ALL.map(ScoreKind::name))]);
    for kind in ScoreKind::ALL {
        let found = state.inspection(kind.name()).unwrap();
        assert_eq!(found.candidates.len(), CANDIDATES);
        assert_eq!(found.candidates.iter().filter(|c| c.chosen).count(), 1);
        assert!(found.context_norm.unwrap() > 0.0 && found.state_norm.unwrap() > 0.0);
        if !kind.attends() {
            assert!(found.sources.is_empty() && found.formula.is_none() && found.entropy.is_none());
            continue;
        }
        let sum = found.exp_sum.unwrap();
        for source in &found.sources {
            let weight = source.exp.unwrap() / sum;
            assert!((weight - source.weight.unwrap()).abs() < 1e-6);
            assert_eq!(source.weight, Some(source.applied));
        }
        assert!((found.weight_sum - 1.0).abs() < 1e-6);
        let formula = found.formula.as_ref().unwrap();
        let score = found.sources[formula.column].score.unwrap();
        assert!(
            (formula.recomputed - score).abs() < 1e-4,
            "{kind}: {formula:?}"
        );
        assert!(formula.text().starts_with(definition(kind).unwrap()));
    }
}

#[test]
fn the_inspector_follows_the_selection() {
    let mut state = state();
    send(&mut state, [Command::Decode(DecodeCommand::MoveTo(4))]);
    assert_eq!(state.inspected_step(), Some(3));
    let cell = Item::Cell {
        pane: "dot".to_owned(),
        row: 1,
        column: 2,
    };
    send(&mut state, [Command::Select(SelectionCommand::Lock(cell))]);
    let found = state.inspection("additive").unwrap().clone();
    assert_eq!((found.step, found.formula.as_ref().unwrap().column), (1, 2));
    send(&mut state, [Command::View(ViewCommand::ShowCurves(false))]);
    assert!(Arc::ptr_eq(&found, state.inspection("additive").unwrap()));
    send(&mut state, [Command::Decode(DecodeCommand::First)]);
    assert_eq!(state.inspected_step(), None);
    assert!(state.inspection("additive").is_none());
}

#[test]
fn the_difference_reaches_as_far_as_the_outputs_agree() {
    let mut state = state();
    let pair = DifferencePair {
        left: "additive".to_owned(),
        right: "dot".to_owned(),
    };
    assert!(state.difference().is_none());
    send(&mut state, [Command::View(ViewCommand::ToggleDifference)]);
    assert_eq!(state.view().difference, Some(pair));
    run_to_end(&mut state);
    let found = state.difference().unwrap().unwrap().clone();
    let parting = found.parting.clone().expect("random models part");
    assert_eq!(parting.step, found.agreed());
    assert_ne!(parting.left, parting.right);
    let model = "dot".to_owned();
    let force = Command::Decode(DecodeCommand::ForceOutputOf { model });
    send(
        &mut state,
        [force, Command::Decode(DecodeCommand::RunToEnd)],
    );
    let forced = state.difference().unwrap().unwrap().clone();
    assert_eq!(
        (forced.parting.as_ref(), forced.agreed()),
        (None, state.timeline_len())
    );
    let [a, b] = state.panes() else { panic!() };
    let value = |pane: &Pane| pane.data().matrix.as_ref().unwrap().values()[(1, 2)];
    assert_eq!(forced.matrix.values()[(1, 2)], value(a) - value(b));
    send(&mut state, [Command::Select(SelectionCommand::EndFrame)]);
    assert!(Arc::ptr_eq(&forced, state.difference().unwrap().unwrap()));
}

#[test]
fn a_difference_that_cannot_be_says_why() {
    let mut state = state();
    let pair = |left: &str, right: &str| {
        Command::View(ViewCommand::Difference(Some(DifferencePair {
            left: left.to_owned(),
            right: right.to_owned(),
        })))
    };
    send(
        &mut state,
        [choose(&["dot", "bottleneck"]), pair("dot", "bottleneck")],
    );
    assert!(matches!(
        state.difference(),
        Some(Err(NoDifference::NoAttention))
    ));
    send(&mut state, [pair("dot", "additive")]);
    assert!(matches!(
        state.difference(),
        Some(Err(NoDifference::Missing))
    ));
    send(&mut state, [pair("dot", "dot")]);
    assert!(state.difference().is_none());
    send(&mut state, [Command::View(ViewCommand::ToggleDifference)]);
    assert!(state.difference().is_none());
    assert_eq!(state.notices().open().count(), 1);
}
