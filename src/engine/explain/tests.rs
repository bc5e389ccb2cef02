//! The parts add up to what the network computed.

use std::sync::Arc;

use approx::assert_relative_eq;
use proptest::prelude::*;

use super::*;
use crate::engine::config::{CellKind, tests::tiny};
use crate::engine::{DecodeCommand, DecodeSession, Intervention, InterventionKind, Scope};

/// A session of a random network that took four steps.
fn session(score: ScoreKind, wiring: Wiring, cell: CellKind, seed: u64) -> DecodeSession {
    let mut config = tiny(score);
    (config.wiring, config.cell) = (wiring, cell);
    config.input_feeding = wiring == Wiring::Luong;
    let mut network = Seq2Seq::initialised(&config.check().unwrap(), seed);
    for parameter in network.parameters_mut() {
        parameter.values.iter_mut().for_each(|value| *value *= 3.0);
    }
    network.decoder.output.b.fill(0.25);
    network.decoder.output.b[crate::text::END as usize] = -30.0;
    let mut session = DecodeSession::new(Arc::new(network), vec![4, 5, 6, 7, 5], 9).unwrap();
    for _ in 0..4 {
        session.apply(DecodeCommand::Step).unwrap();
    }
    session
}

fn everything() -> impl Strategy<Value = (ScoreKind, Wiring, CellKind, u64)> {
    (
        proptest::sample::select(&ScoreKind::ALL[..]),
        proptest::sample::select(&Wiring::ALL[..]),
        proptest::sample::select(&CellKind::ALL[..]),
        0_u64..1_000,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_parts_of_a_score_sum_to_it((score, wiring, cell, seed) in everything()) {
        let session = session(score, wiring, cell, seed);
        for step in session.steps() {
            for column in 0..5 {
                let parts = ScoreParts::new(session.network(), session.states(), step, column);
                prop_assert_eq!(parts.is_some(), score.attends());
                let Some(parts) = parts else { continue };
                assert_relative_eq!(parts.sum(), parts.score, epsilon = 1e-5, max_relative = 1e-5);
                let sizes = parts.parts.windows(2).map(|two| (two[0].part.abs(), two[1].part.abs()));
                prop_assert!(sizes.into_iter().all(|(a, b)| a >= b));
            }
        }
    }

    #[test]
    fn the_parts_of_a_context_sum_to_its_norm((score, wiring, cell, seed) in everything()) {
        let session = session(score, wiring, cell, seed);
        for step in session.steps() {
            let parts = context_parts(session.states(), step);
            prop_assert_eq!(parts.len(), if score.attends() { 5 } else { 0 });
            if !parts.is_empty() {
                let along: f64 = parts.iter().map(|part| part.along).sum();
                let norm = dot(&step.context, &step.context).sqrt();
                assert_relative_eq!(along, norm, epsilon = 1e-5, max_relative = 1e-5);
            }
            prop_assert!(parts.iter().all(|part| part.cosine.abs() <= 1.0 + 1e-6));
        }
    }

    #[test]
    fn the_parts_of_a_logit_sum_to_it((score, wiring, cell, seed) in everything()) {
        let session = session(score, wiring, cell, seed);
        for step in session.steps() {
            let parts: Vec<LogitParts> = (0..9)
                .map(|token| {
                    LogitParts::new(session.network(), session.states(), step, token).unwrap()
                })
                .collect();
            // The network keeps log-probabilities, which differ from logits by one number for all tokens.
            let shift = parts[0].logit - f64::from(step.log_probabilities[0]);
            for (token, parts) in parts.iter().enumerate() {
                let logit = f64::from(step.log_probabilities[token]) + shift;
                assert_relative_eq!(parts.logit, logit, epsilon = 2e-5, max_relative = 1e-5);
                prop_assert_eq!(parts.previous.is_some(), wiring == Wiring::Bahdanau);
                if score.attends() {
                    let sources: f64 = parts.sources.iter().sum();
                    assert_relative_eq!(sources, parts.context, epsilon = 1e-5, max_relative = 1e-5);
                }
            }
        }
    }
}

#[test]
fn what_is_not_there_has_no_parts() {
    let session = session(ScoreKind::Dot, Wiring::Bahdanau, CellKind::Gru, 1);
    let step = session.step_at(0).unwrap();
    let (network, states) = (session.network(), session.states());
    assert_eq!(ScoreParts::new(network, states, step, 5), None);
    assert_eq!(LogitParts::new(network, states, step, 9), None);
}

#[test]
fn interventions_change_the_context_and_not_the_score() {
    let mut session = session(ScoreKind::Additive, Wiring::Bahdanau, CellKind::Gru, 2);
    let before = ScoreParts::new(
        session.network(),
        session.states(),
        session.step_at(0).unwrap(),
        1,
    );
    session
        .apply(DecodeCommand::AddIntervention(Intervention::new(
            Scope::All,
            InterventionKind::MaskSource(1),
        )))
        .unwrap();
    let step = session.step_at(0).unwrap();
    let after = ScoreParts::new(session.network(), session.states(), step, 1);
    assert_eq!(before, after);
    assert_eq!(context_parts(session.states(), step)[1].along, 0.0);
}

#[test]
fn a_context_that_is_not_normalised_is_the_sum_of_the_exponentials_times_longer() {
    let session = session(ScoreKind::General, Wiring::Bahdanau, CellKind::Gru, 3);
    let step = session.step_at(2).unwrap();
    let exponentials: f64 = step
        .scores
        .as_ref()
        .unwrap()
        .iter()
        .map(|e| f64::from(*e).exp())
        .sum();
    let norm = dot(&step.context, &step.context).sqrt();
    let long = unnormalised_context_norm(session.states(), step).unwrap();
    assert_relative_eq!(long, exponentials * norm, max_relative = 1e-4);
}
