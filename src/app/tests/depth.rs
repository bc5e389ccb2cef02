//! Explanations, costs, the beam, playing.

use super::*;
use crate::project::{PaneLayout, PlaySpeed};

fn decode(command: DecodeCommand) -> Command {
    Command::Decode(command)
}

#[test]
fn explanations_are_there_for_what_is_taken() {
    let mut state = state();
    send(
        &mut state,
        [
            choose(&["additive", "bottleneck"]),
            decode(DecodeCommand::MoveTo(2)),
        ],
    );
    let parts = state.score_parts("additive", 1, 2).unwrap();
    let shown = state.inspection("additive").unwrap();
    let score = shown.sources[2].score.unwrap();
    assert!((parts.sum() - score).abs() < 1e-5);
    assert_eq!(state.score_parts("additive", 2, 0), None, "not taken");
    assert_eq!(state.score_parts("bottleneck", 0, 0), None);
    let along: f64 = state
        .context_parts("additive", 1)
        .iter()
        .map(|p| p.along)
        .sum();
    assert!((along - shown.context_norm.unwrap()).abs() < 1e-5);
    let token = shown.candidates[0].id;
    let logit = state.logit_parts("additive", 1, token).unwrap();
    let other = state
        .logit_parts("additive", 1, shown.candidates[1].id)
        .unwrap();
    let ratio = (logit.logit - other.logit).exp();
    let expected = shown.candidates[0].probability / shown.candidates[1].probability;
    assert!((ratio / expected - 1.0).abs() < 1e-4);
    assert!(state.logit_parts("bottleneck", 1, token).is_some());
    assert_eq!(state.unnormalised_norms("additive").len(), 2);
    assert!(state.unnormalised_norms("bottleneck").is_empty());
    assert!(
        state
            .gate_openness("bottleneck")
            .iter()
            .all(|g| (0.0..=1.0).contains(g))
    );
    let costs = state.costs();
    assert_eq!((costs[0].source, costs[0].target), (4, 2));
    assert!(costs[0].operations.attention() > costs[1].operations.attention());
}

#[test]
fn the_beam_is_searched_once_and_found() {
    let mut state = state();
    let layout = Command::View(ViewCommand::Layout(PaneLayout::Beam));
    let effects = state.apply(layout.clone());
    let [Effect::SearchBeam(job)] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert!(state.beam().is_none());
    send(&mut state, [layout, decode(DecodeCommand::Step)]);
    state.models().search((**job).clone());
    send(&mut state, [Command::Models(ModelsCommand::BeamFound)]);
    let beam = state.beam().unwrap().unwrap();
    assert_eq!(beam.job.model.name, "additive");
    assert_eq!(beam.result.nodes.len(), beam.words.len());
    let best = &beam.hypotheses[0];
    assert!(
        beam.hypotheses
            .iter()
            .all(|h| h.score <= best.score || !h.finished)
    );
    assert!(best.score >= beam.greedy.score - 1e-9 || beam.greedy_rank.is_none());
    let matrix = best.matrix.as_ref().unwrap();
    assert_eq!(matrix.values().dim(), (best.words.len(), 4));
    assert_eq!(beam.hypothesis_through(best.nodes[0]), Some(0));
    assert!(beam.step(0).count() >= 4);
    // Greedy is what the pane says when it runs to its end.
    send(&mut state, [decode(DecodeCommand::RunToEnd)]);
    assert_eq!(
        state.pane("additive").unwrap().translation(),
        beam.greedy.sentence
    );
    // Another pane has another beam.
    let effects = state.apply(Command::Select(SelectionCommand::Focus("dot".to_owned())));
    assert!(matches!(&effects[..], [Effect::SearchBeam(job)] if job.model.name == "dot"));
    assert!(state.beam().is_none());
}

#[test]
fn a_search_that_cannot_be_done_says_why() {
    let mut state = state();
    send(&mut state, [text("")]);
    send(
        &mut state,
        [Command::View(ViewCommand::Layout(PaneLayout::Beam))],
    );
    assert!(state.beam().is_none(), "nothing to search");
    let job = BeamJob {
        model: ModelRef::new("additive", "another"),
        source: "le chat".to_owned(),
        interventions: Vec::new(),
        size: 2,
    };
    state.models().search(job.clone());
    assert!(
        state
            .models()
            .found(&job)
            .unwrap()
            .unwrap_err()
            .contains("additive")
    );
}

#[test]
fn playing_steps_to_the_end_and_begins_again() {
    let mut state = state();
    let tick = |seconds| Command::Clock(ClockCommand::Tick { seconds });
    send(&mut state, [decode(DecodeCommand::Play(true))]);
    assert!(state.is_playing() && state.next_step_in() == Some(0.0));
    send(&mut state, [tick(0.01), tick(0.2)]);
    assert_eq!(state.position(), 2, "half a second a step");
    send(&mut state, [tick(0.31)]);
    assert_eq!(state.position(), 3);
    let effects = state.apply(Command::Prefer(PreferencesCommand::Speed(
        PlaySpeed::from_steps(8.0),
    )));
    assert_eq!(effects.len(), 1);
    for _ in 0..200 {
        send(&mut state, [tick(0.125)]);
    }
    assert!(!state.is_playing() && !state.can_step());
    send(&mut state, [decode(DecodeCommand::Play(true))]);
    assert_eq!(state.position(), 0);
    send(&mut state, [decode(DecodeCommand::Play(false)), tick(9.0)]);
    assert_eq!(state.position(), 0);
}
