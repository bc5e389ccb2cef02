//! Leave-one-out: what each output word loses when a source word is taken away.
//!
//! ```text
//! a_tj = ln p(y_t | y_<t, x) − ln p(y_t | y_<t, x without j)
//! ```
//! Without `j` means closed to attention (softmax over the other positions), or dropped from the sentence. All
//! variants of a sentence have one length, so that several of them are one batch.

use ndarray::Array2;

use super::forced::{AttributionError, Forced, log_probability};
use super::watch::Watch;
use crate::engine::{DecoderTrace, InterventionKind, intervene};

/// Masks every source position in attention, one at a time, at all steps; `[T, S]` in nats.
pub(super) fn mask_each(forced: &Forced, watch: Watch) -> Result<Array2<f32>, AttributionError> {
    let (network, steps) = (forced.network(), forced.output().len());
    let parts = forced.usual_batches(forced.source().len());
    let lost = watch.spread(parts, |positions| {
        let rows = positions.len();
        let mask = |t: usize, b: usize, scores: &[f32], weights: &mut [f32]| {
            let kind = [InterventionKind::MaskSource(positions.start + b)];
            intervene(&kind, t, None, scores, weights)
        };
        let inputs = forced.inputs(steps, rows);
        let states = &forced.trace().states;
        let run = network.decode(&inputs, forced.start(rows), states, Some(&mask))?;
        Ok(losses(forced, &run))
    })?;
    Ok(side_by_side(&lost, steps))
}

/// Drops every source word, one at a time, and encodes what is left; `[T, S]` in nats.
pub(super) fn drop_each(forced: &Forced, watch: Watch) -> Result<Array2<f32>, AttributionError> {
    let (network, source, steps) = (forced.network(), forced.source(), forced.output().len());
    let parts = forced.usual_batches(source.len());
    let lost = watch.spread(parts, |positions| {
        let rows = positions.len();
        // Position-major: word `j` of every shortened sentence, then word `j + 1`.
        let shortened: Vec<u32> = (0..source.len() - 1)
            .flat_map(|j| {
                positions
                    .clone()
                    .map(move |dropped| source[if j < dropped { j } else { j + 1 }])
            })
            .collect();
        let states = network.encode(&shortened, rows);
        let inputs = forced.inputs(steps, rows);
        let run = network.decode(&inputs, network.start(&states), &states, None)?;
        Ok(losses(forced, &run))
    })?;
    Ok(side_by_side(&lost, steps))
}

/// What each row of a batch lost against the plain run, `[T, B]`.
fn losses(forced: &Forced, run: &DecoderTrace) -> Array2<f32> {
    Array2::from_shape_fn((run.steps(), run.batch), |(t, b)| {
        let without = log_probability(run.logits(t * run.batch + b), forced.output()[t]);
        (forced.log_probabilities()[t] - without) as f32
    })
}

/// Batches of columns as one matrix.
pub(super) fn side_by_side(parts: &[Array2<f32>], rows: usize) -> Array2<f32> {
    let columns: Vec<_> = parts.iter().flat_map(|part| part.columns()).collect();
    Array2::from_shape_fn((rows, columns.len()), |(t, j)| columns[j][t])
}
