//! The facts of attention that hold for every model, on random ones.

#![allow(clippy::float_cmp, reason = "exact values are meant")]

use ndarray::{Array2, Axis};
use proptest::prelude::*;

use super::cell::slice;
use super::config::tests::tiny;
use super::{
    AttentionTrace, CellKind, DecoderTrace, EncoderStates, ModelConfig, Score, ScoreKind, Seq2Seq,
    Wiring,
};
use crate::numeric::{fill_normal, fill_uniform, stream};
use crate::text::START;

const SCORERS: [ScoreKind; 4] = [
    ScoreKind::Additive,
    ScoreKind::Dot,
    ScoreKind::General,
    ScoreKind::ScaledDot,
];

pub(super) fn matrix(rows: usize, columns: usize, seed: &[u64]) -> Array2<f32> {
    let mut values = vec![0.0; rows * columns];
    fill_normal(&mut values, 1.0, &mut stream(seed));
    Array2::from_shape_vec((rows, columns), values).unwrap()
}

/// A random score of the tiny sizes (`D = K = 6`).
fn score(kind: ScoreKind, seed: u64) -> Score {
    let mut score = Score::zeros(&tiny(kind));
    score.initialise(&mut stream(&[seed]));
    score
}

/// States whose keys and values differ, for one sentence.
fn states(score: &Score, keys: &Array2<f32>, values: &Array2<f32>) -> EncoderStates {
    let keys = score
        .project_keys(keys.view())
        .unwrap_or_else(|| keys.clone());
    EncoderStates {
        len: values.nrows(),
        batch: 1,
        values: values.clone(),
        keys: Some(keys),
        fed: None,
        mask: None,
    }
}

fn attend(score: &Score, query: &Array2<f32>, states: &EncoderStates) -> AttentionTrace {
    let mut trace = AttentionTrace::new(score, query.ncols(), states, 1, false);
    trace.step(score, query, states, 0, None).unwrap();
    trace
}

fn near(a: &[f32], b: &[f32], tolerance: f32) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance)
}

fn models() -> impl Strategy<Value = (Seq2Seq, u64)> {
    let choices = (
        prop::sample::select(ScoreKind::ALL.to_vec()),
        prop::sample::select(CellKind::ALL.to_vec()),
        prop::sample::select(vec![
            (Wiring::Bahdanau, false),
            (Wiring::Luong, false),
            (Wiring::Luong, true),
        ]),
        any::<u64>(),
    );
    choices.prop_map(|(score, cell, (wiring, input_feeding), seed)| {
        let config = ModelConfig {
            cell,
            wiring,
            input_feeding,
            ..tiny(score)
        };
        let mut network = Seq2Seq::initialised(&config.check().unwrap(), seed);
        for parameter in network.parameters_mut() {
            fill_uniform(
                parameter.values,
                0.8,
                &mut stream(&[seed, parameter.values.len() as u64]),
            );
        }
        (network, seed)
    })
}

fn ids(count: usize, below: u32, seed: &[u64]) -> Vec<u32> {
    let mut values = vec![0.0; count];
    fill_uniform(&mut values, 1.0, &mut stream(seed));
    values
        .iter()
        .map(|x| ((x + 1.0) / 2.0 * below as f32) as u32 % below)
        .collect()
}

/// Whether row `i` of `a` and row `j` of `b` show the same step.
fn same_row(a: &DecoderTrace, i: usize, b: &DecoderTrace, j: usize) -> bool {
    let rows = [
        (&a.logits, &b.logits),
        (&a.readouts, &b.readouts),
        (&a.cell.hidden, &b.cell.hidden),
        (&a.attention.contexts, &b.attention.contexts),
    ];
    let attended = a.attention.weights.nrows() == 0
        || near(
            slice(&a.attention.weights, i),
            slice(&b.attention.weights, j),
            1e-5,
        );
    attended
        && rows
            .into_iter()
            .all(|(a, b)| near(slice(a, i), slice(b, j), 1e-5))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn rows_sum_to_one_and_contexts_lie_among_the_values(
        kind in prop::sample::select(SCORERS.to_vec()), len in 1..40_usize, seed: u64,
    ) {
        let score = score(kind, seed);
        let values = matrix(len, 6, &[seed, 1]);
        let trace = attend(&score, &matrix(1, 6, &[seed, 2]), &states(&score, &matrix(len, 6, &[seed, 3]), &values));
        prop_assert!((trace.weights.sum() - 1.0).abs() < 1e-5);
        prop_assert!(trace.weights.iter().all(|w| *w >= 0.0));
        for (context, column) in trace.contexts.iter().zip(values.axis_iter(Axis(1))) {
            let low = column.iter().copied().fold(f32::INFINITY, f32::min);
            let high = column.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            prop_assert!(low - 1e-5 <= *context && *context <= high + 1e-5);
        }
    }

    #[test]
    fn permuting_keys_and_values_permutes_the_weights(
        kind in prop::sample::select(SCORERS.to_vec()),
        order in (1..30_usize).prop_flat_map(|len| Just((0..len).collect::<Vec<_>>()).prop_shuffle()),
        seed: u64,
    ) {
        let score = score(kind, seed);
        let query = matrix(1, 6, &[seed, 2]);
        let (keys, values) = (matrix(order.len(), 6, &[seed, 3]), matrix(order.len(), 6, &[seed, 1]));
        let plain = attend(&score, &query, &states(&score, &keys, &values));
        let (keys, values) = (keys.select(Axis(0), &order), values.select(Axis(0), &order));
        let permuted = attend(&score, &query, &states(&score, &keys, &values));
        let expected = plain.weights.select(Axis(1), &order);
        prop_assert!(near(slice(&permuted.weights, 0), slice(&expected.as_standard_layout().into_owned(), 0), 1e-6));
        prop_assert!(near(slice(&permuted.contexts, 0), slice(&plain.contexts, 0), 1e-5));
    }

    #[test]
    fn equal_keys_get_exactly_uniform_weights(
        kind in prop::sample::select(SCORERS.to_vec()), len in 1..60_usize, seed: u64,
    ) {
        let score = score(kind, seed);
        let key = matrix(1, 6, &[seed, 3]);
        let keys = key.broadcast((len, 6)).unwrap().to_owned();
        let values = matrix(len, 6, &[seed, 1]);
        let trace = attend(&score, &matrix(1, 6, &[seed, 2]), &states(&score, &keys, &values));
        let weights = slice(&trace.weights, 0);
        prop_assert!(weights.iter().all(|w| *w == weights[0]), "{:?}", weights);
        let entropy: f64 = weights.iter().map(|w| -f64::from(*w) * f64::from(*w).ln()).sum();
        prop_assert!((entropy - (len as f64).ln()).abs() < 1e-6);
    }

    #[test]
    fn one_source_word_is_the_context_of_every_step((network, seed) in models()) {
        let inputs = [&[START], &ids(6, 9, &[seed, 7])[..]].concat();
        let trace = network.forward(&ids(1, 11, &[seed, 8]), &inputs, 1, None, None).unwrap();
        prop_assert!(trace.decoder.attention.weights.iter().all(|w| *w == 1.0));
        for context in trace.decoder.attention.contexts.rows() {
            prop_assert_eq!(context, trace.states.values.row(0));
        }
    }

    #[test]
    fn a_sentence_is_the_same_alone_and_in_a_batch((network, seed) in models(), len in 1..9_usize) {
        const B: usize = 64;
        let (source, inputs) = (ids(len * B, 11, &[seed, 7]), ids(4 * B, 9, &[seed, 8]));
        let batch = network.forward(&source, &inputs, B, None, None).unwrap().decoder;
        for b in [0, 1, 31, B - 1] {
            let column = |all: &[u32]| all.iter().skip(b).step_by(B).copied().collect::<Vec<_>>();
            let alone = network.forward(&column(&source), &column(&inputs), 1, None, None).unwrap().decoder;
            prop_assert!((0..4).all(|t| same_row(&alone, t, &batch, t * B + b)));
        }
    }

    #[test]
    fn stepping_equals_the_whole_pass((network, seed) in models(), len in 1..9_usize) {
        let (source, inputs) = (ids(len, 11, &[seed, 7]), ids(7, 9, &[seed, 8]));
        let pass = network.forward(&source, &inputs, 1, None, None).unwrap().decoder;
        let states = network.encode(&source, 1);
        let mut state = network.start(&states);
        for (t, input) in inputs.iter().enumerate() {
            let step = network.decode(&[*input], state, &states, None).unwrap();
            prop_assert!(same_row(&step, 0, &pass, t));
            state = step.state_after(0);
        }
    }
}
