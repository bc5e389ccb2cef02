//! Matrices and distributions for the tests of this module.

use std::ops::Range;

use ndarray::Array2;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::alignment::AttentionMatrix;

/// An attention matrix of made-up labels, `[T, S]`.
pub(super) fn attention(rows: &[&[f32]]) -> AttentionMatrix {
    let width = rows.first().map_or(0, |row| row.len());
    let values = Array2::from_shape_vec((rows.len(), width), rows.concat()).unwrap();
    let labels = |letter: char, count| (0..count).map(|n| format!("{letter}{n}")).collect();
    AttentionMatrix::new(labels('t', rows.len()), labels('s', width), values).unwrap()
}

/// Rows that put all weight on these sources, `[T, S]`.
pub(super) fn hard(peaks: &[usize], sources: usize) -> AttentionMatrix {
    peaked(peaks, sources, 1.0)
}

/// Rows with the weight `peak` on these sources and the rest spread over the others, `[T, S]`.
pub(super) fn peaked(peaks: &[usize], sources: usize, peak: f32) -> AttentionMatrix {
    let rest = (1.0 - peak) / (sources - 1).max(1) as f32;
    let row = |&source: &usize| {
        let mut row = vec![rest; sources];
        row[source] = peak;
        row
    };
    let rows: Vec<Vec<f32>> = peaks.iter().map(row).collect();
    attention(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// Weights `[S]` that sum to 1, some of them 0.
pub(super) fn weights(sources: Range<usize>) -> impl Strategy<Value = Vec<f32>> {
    sources.prop_flat_map(weights_of)
}

/// Weights of exactly this many sources.
pub(super) fn weights_of(sources: usize) -> impl Strategy<Value = Vec<f32>> {
    let weight = prop_oneof![1 => Just(0.0_f64), 4 => 0.0..1.0_f64];
    vec(weight, sources).prop_map(|raw| {
        let sum: f64 = raw.iter().sum();
        let share = |value: &f64| {
            if sum > 0.0 {
                value / sum
            } else {
                1.0 / raw.len() as f64
            }
        };
        raw.iter().map(|value| share(value) as f32).collect()
    })
}

/// Two sets of weights over the same sources.
pub(super) fn weight_pairs() -> impl Strategy<Value = (Vec<f32>, Vec<f32>)> {
    (1usize..20).prop_flat_map(|sources| (weights_of(sources), weights_of(sources)))
}

/// Attention matrices of up to 8 × 8.
pub(super) fn matrices() -> impl Strategy<Value = AttentionMatrix> {
    (1usize..9, 1usize..9).prop_flat_map(|(targets, sources)| {
        vec(weights_of(sources), targets)
            .prop_map(|rows| attention(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>()))
    })
}
