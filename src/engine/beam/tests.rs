//! Beam search against greedy decoding, exhaustive search and teacher forcing.

use proptest::prelude::*;

use super::*;
use crate::engine::cell::slice;
use crate::engine::config::tests::tiny;
use crate::engine::{
    CellKind, DecodeCommand, InterventionKind, ModelConfig, Scope, ScoreKind, Wiring,
};
use crate::numeric::{fill_uniform, stream};

const SOURCE: [u32; 4] = [4, 9, 3, 7];

fn network(config: ModelConfig, seed: u64, end_bias: f32) -> Seq2Seq {
    let mut network = Seq2Seq::initialised(&config.check().unwrap(), seed);
    for parameter in network.parameters_mut() {
        fill_uniform(
            parameter.values,
            0.9,
            &mut stream(&[seed, parameter.values.len() as u64]),
        );
    }
    network.decoder.output.b[END as usize] = end_bias;
    network
}

fn search(network: &Seq2Seq, size: usize, step_limit: usize) -> BeamResult {
    let options = BeamOptions {
        size,
        step_limit,
        ..BeamOptions::default()
    };
    beam_search(network, &network.encode(&SOURCE, 1), &options).unwrap()
}

/// The log-probability of every finished sentence of at most `limit` tokens, by teacher forcing.
fn exhaustive(network: &Seq2Seq, limit: usize) -> Vec<(Vec<u32>, f64)> {
    let mut found = Vec::new();
    let mut beginnings = vec![Vec::new()];
    for _ in 0..limit {
        for beginning in std::mem::take(&mut beginnings) {
            for token in 2..network.config().target_vocabulary as u32 {
                let sentence = [&beginning[..], &[token]].concat();
                if token != END {
                    beginnings.push(sentence);
                    continue;
                }
                let inputs = [&[START], &beginning[..]].concat();
                let pass = network
                    .forward(&SOURCE, &inputs, 1, None, None)
                    .unwrap()
                    .decoder;
                let of = |(t, token): (usize, &u32)| {
                    let mut row = pass.logits(t).to_vec();
                    log_softmax(&mut row);
                    f64::from(row[*token as usize])
                };
                let total = sentence.iter().enumerate().map(of).sum();
                found.push((sentence, total));
            }
        }
    }
    found
}

#[test]
fn a_beam_as_large_as_the_space_finds_the_optimum() {
    for seed in 0..12 {
        let network = network(
            ModelConfig {
                target_vocabulary: 5,
                ..tiny(ScoreKind::Additive)
            },
            seed,
            0.0,
        );
        // Two words and </s>: four live beginnings before the third step, twelve sentences after it.
        let result = search(&network, 16, 3);
        let options = BeamOptions::default();
        let (best, total) = exhaustive(&network, 3)
            .into_iter()
            .max_by(|(a, x), (b, y)| {
                options
                    .normalised(*x, a.len())
                    .total_cmp(&options.normalised(*y, b.len()))
            })
            .unwrap();
        assert_eq!(result.hypotheses[0].tokens, best);
        assert!((result.hypotheses[0].total_log_probability - total).abs() < 1e-5);
        assert_eq!(
            result.hypotheses.iter().filter(|h| h.finished).count(),
            1 + 2 + 4
        );
    }
}

#[test]
fn the_tree_holds_the_whole_search() {
    let network = network(tiny(ScoreKind::General), 4, 0.0);
    let full = search(&network, 3, 6);
    let states = network.encode(&SOURCE, 1);
    let options = BeamOptions {
        size: 3,
        step_limit: 6,
        keep_pruned: false,
        ..BeamOptions::default()
    };
    let lean = beam_search(&network, &states, &options).unwrap();
    let tokens = |result: &BeamResult| {
        result
            .hypotheses
            .iter()
            .map(|h| h.tokens.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(tokens(&full), tokens(&lean));
    assert!(
        lean.nodes.iter().all(|n| n.fate != Fate::Pruned)
            && full.nodes.iter().any(|n| n.fate == Fate::Pruned)
    );
    for result in [&full, &lean] {
        for (i, node) in result.nodes.iter().enumerate() {
            let parent = node.parent.map(|p| &result.nodes[p]);
            assert!(node.parent.is_none_or(|p| p < i));
            assert_eq!(node.step, parent.map_or(0, |p| p.step + 1));
            assert!(parent.is_none_or(|p| p.fate == Fate::Continued));
            let sum =
                parent.map_or(0.0, |p| p.total_log_probability) + f64::from(node.log_probability);
            assert!((node.total_log_probability - sum).abs() < 1e-9);
            assert!(
                (node.score - sum / ((6.0 + node.step as f64) / 6.0).powf(f64::from(0.6_f32)))
                    .abs()
                    < 1e-9
            );
        }
    }
}

#[test]
fn options_are_checked() {
    let network = network(tiny(ScoreKind::Dot), 1, 0.0);
    let states = network.encode(&SOURCE, 1);
    let refuse = |options: BeamOptions| beam_search(&network, &states, &options).unwrap_err();
    let options = BeamOptions::default();
    assert_eq!(
        refuse(BeamOptions {
            size: 17,
            ..options.clone()
        }),
        BeamError::Size { found: 17 }
    );
    assert_eq!(
        refuse(BeamOptions {
            step_limit: 0,
            ..options.clone()
        }),
        BeamError::StepLimit { found: 0 }
    );
    let negative = BeamOptions {
        length_exponent: -1.0,
        ..options.clone()
    };
    assert_eq!(refuse(negative), BeamError::LengthExponent(-1.0));
    let interventions = vec![Intervention::new(Scope::All, InterventionKind::OneHot(4))];
    assert!(matches!(
        refuse(BeamOptions {
            interventions,
            ..options
        }),
        BeamError::Intervention(_)
    ));
}

#[test]
fn interventions_act_on_every_hypothesis() {
    let network = network(tiny(ScoreKind::Dot), 1, -2.0);
    let states = network.encode(&SOURCE, 1);
    let interventions = vec![Intervention::new(
        Scope::From(1),
        InterventionKind::OneHot(2),
    )];
    let options = BeamOptions {
        interventions,
        step_limit: 6,
        ..BeamOptions::default()
    };
    let result = beam_search(&network, &states, &options).unwrap();
    for node in &result.nodes {
        assert_eq!(
            node.weights.as_ref().unwrap()[..] == [0.0, 0.0, 1.0, 0.0],
            node.step >= 1
        );
    }
}

#[test]
fn a_broken_network_ends_the_search() {
    let mut network = network(tiny(ScoreKind::Dot), 1, 0.0);
    network.decoder.init.w.fill(f32::NAN);
    assert!(search(&network, 4, 5).hypotheses.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn one_hypothesis_is_greedy(
        score in prop::sample::select(ScoreKind::ALL.to_vec()),
        cell in prop::sample::select(CellKind::ALL.to_vec()),
        wiring in prop::sample::select(Wiring::ALL.to_vec()),
        end_bias in -3.0_f32..2.0,
        seed in 0..99_u64,
    ) {
        let config = ModelConfig { cell, wiring, input_feeding: wiring == Wiring::Luong, ..tiny(score) };
        let network = network(config, seed, end_bias);
        let result = search(&network, 1, 9);
        let mut session = DecodeSession::new(Arc::new(network), SOURCE.to_vec(), 9).unwrap();
        session.apply(DecodeCommand::RunToEnd).unwrap();
        prop_assert_eq!(&result.hypotheses[0].tokens, &session.tokens());
        prop_assert_eq!(result.hypotheses.len(), 1);
        for (row, step) in result.hypotheses[0].weights.iter().zip(session.steps()) {
            prop_assert_eq!(&row[..], &step.applied_weights.as_ref().unwrap()[..]);
        }
    }

    #[test]
    fn hypotheses_equal_their_teacher_forced_pass(
        score in prop::sample::select(ScoreKind::ALL.to_vec()),
        cell in prop::sample::select(CellKind::ALL.to_vec()),
        size in 2..=16_usize,
        seed in 0..99_u64,
    ) {
        let config = ModelConfig { cell, wiring: Wiring::Luong, input_feeding: true, ..tiny(score) };
        let network = network(config, seed, 0.5);
        let result = search(&network, size, 7);
        prop_assert!(result.hypotheses.len() == size);
        for pair in result.hypotheses.windows(2) {
            prop_assert!((pair[0].finished, pair[0].score) >= (pair[1].finished, pair[1].score));
        }
        for hypothesis in &result.hypotheses {
            let n = hypothesis.tokens.len();
            let inputs = [&[START], &hypothesis.tokens[..n - 1]].concat();
            let pass = network.forward(&SOURCE, &inputs, 1, None, None).unwrap().decoder;
            for (t, token) in hypothesis.tokens.iter().enumerate() {
                let mut row = pass.logits(t).to_vec();
                log_softmax(&mut row);
                prop_assert!((row[*token as usize] - hypothesis.log_probabilities[t]).abs() < 1e-5);
                if let Some(weights) = hypothesis.weights.get(t) {
                    let expected = slice(&pass.attention.weights, t);
                    prop_assert!(weights.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5));
                }
            }
            prop_assert_eq!(hypothesis.finished, hypothesis.tokens[n - 1] == END);
        }
    }
}
