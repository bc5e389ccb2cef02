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

/// Colours of cells, in order, and the texts.
fn seen(scene: &crate::figure::Scene) -> (Vec<[u8; 4]>, Vec<String>) {
    let place = crate::figure::Palette::light().placeholder;
    let fill = |item: &crate::figure::Item| match item {
        crate::figure::Item::Rect { fill, .. } => fill.filter(|fill| *fill != place),
        _ => None,
    };
    let texts = scene.texts().map(|item| item.text.clone());
    (
        scene.items.iter().filter_map(fill).collect(),
        texts.collect(),
    )
}

#[test]
fn the_exported_figure_is_what_the_window_paints_and_what_the_command_line_draws() {
    let mut state = state();
    send(
        &mut state,
        [
            choose(&["additive"]),
            Command::Decode(DecodeCommand::RunToEnd),
        ],
    );
    let request = state.figure_request();
    let exported = request.scene(&state.figure_runs(&request)).unwrap();
    let look = Look {
        palette: crate::figure::Palette::light(),
        font_size: 12.0,
    };
    let painted = state
        .heatmap_spec(&state.panes()[0], &look)
        .unwrap()
        .scene();
    let ((cells, texts), (painted_cells, painted_texts)) = (seen(&exported), seen(&painted));
    assert_eq!(cells, painted_cells);
    assert!(painted_texts.iter().all(|text| texts.contains(text)));
    let chosen = &state.document().models;
    let drawn = FigureRuns::decode(&request, state.models(), chosen, &[]).unwrap();
    assert_eq!(request.scene(&drawn).unwrap(), exported);
}

#[test]
fn a_figure_without_content_says_why() {
    let mut state = state();
    let decode = |request: &FigureRequest| {
        let runs = FigureRuns::decode(request, state.models(), &[], &[])?;
        request.scene(&runs)
    };
    let request = FigureRequest {
        source: "le chat".to_owned(),
        models: vec!["additive".to_owned(), "bottleneck".to_owned()],
        ..FigureRequest::default()
    };
    assert!(decode(&request).is_ok());
    let wrong = |change: &dyn Fn(&mut FigureRequest)| {
        let mut request = request.clone();
        change(&mut request);
        decode(&request).unwrap_err().to_string()
    };
    let messages = [
        wrong(&|r| r.models.clear()),
        wrong(&|r| r.models.push("other".to_owned())),
        wrong(&|r| r.source = " ".to_owned()),
        wrong(&|r| r.models = vec!["bottleneck".to_owned()]),
        wrong(&|r| r.kind = FigureKind::Step(4000)),
        wrong(&|r| {
            r.difference = Some(crate::project::DifferencePair {
                left: "additive".to_owned(),
                right: "bottleneck".to_owned(),
            });
        }),
    ];
    let words = [
        "no model to show",
        "\"other\"",
        "is empty",
        "no attention",
        "no step 4001",
        "has no attention",
    ];
    for (message, word) in messages.iter().zip(words) {
        assert!(message.contains(word), "{message}: {word}");
    }
    send(&mut state, [text("")]);
    let request = state.figure_request();
    assert!(request.scene(&state.figure_runs(&request)).is_err());
}

#[test]
fn every_kind_of_figure_can_be_drawn_and_grows_in_place() {
    let state = state();
    let request = FigureRequest {
        source: "le chat noir dort".to_owned(),
        models: vec!["additive".to_owned(), "dot".to_owned()],
        steps: Some(4),
        curves: true,
        ..FigureRequest::default()
    };
    let kinds = [
        FigureKind::Heatmaps,
        FigureKind::Links,
        FigureKind::Beam(3),
        FigureKind::Step(1),
    ];
    for kind in kinds {
        let request = FigureRequest {
            kind,
            ..request.clone()
        };
        let runs = FigureRuns::decode(&request, state.models(), &[], &[]).unwrap();
        let scene = request.scene(&runs).unwrap();
        assert!(
            scene.texts().any(|item| item.text.contains("additive")),
            "{kind:?}"
        );
        let Ok(frames) = request.frames(&runs) else {
            assert_eq!(kind, FigureKind::Beam(3));
            continue;
        };
        let taken = runs.runs.iter().map(|run| run.taken).max().unwrap();
        let expected = if kind == FigureKind::Step(1) {
            2
        } else {
            taken
        };
        assert_eq!(frames.len(), expected, "{kind:?}");
        let size = |scene: &crate::figure::Scene| (scene.width, scene.height);
        assert!(frames.iter().all(|frame| size(frame) == size(&frames[0])));
        assert_ne!(frames[0], frames[frames.len() - 1]);
    }
}
