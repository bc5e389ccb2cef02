//! Gradient × input: `a_tj = Σ_k x_jk ∂ ln p(y_t) / ∂ x_jk`, a linear estimate of what the input adds.

use ndarray::{Array2, ArrayView1};

use super::forced::{AttributionError, Forced};
use super::watch::Watch;
use crate::engine::ForcedOutput;

/// What is looked at as the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// The source embeddings `[S, E]`.
    Embeddings,
    /// The encoder states `[S, K]`, as the decoder reads them.
    States,
}

/// Gradient × input of every output word, `[T, S]` in nats.
pub(super) fn gradient_times_input(
    forced: &Forced,
    input: Input,
    watch: Watch,
) -> Result<Array2<f32>, AttributionError> {
    let (trace, length) = (forced.trace(), forced.source().len());
    let parts = forced.usual_batches(forced.output().len());
    let rows = watch.spread(parts, |steps| {
        let outputs: Vec<ForcedOutput> = steps.clone().map(|t| output(forced, 0, t)).collect();
        let (gradient, values) = match input {
            Input::Embeddings => (
                forced.network().input_gradients(trace, &outputs).d_embedded,
                &trace.embedded,
            ),
            Input::States => (
                forced
                    .network()
                    .state_gradients(&trace.states, &trace.decoder, &outputs),
                &trace.states.values,
            ),
        };
        let shares = (0..outputs.len()).flat_map(|i| {
            let (gradient, count) = (&gradient, outputs.len());
            (0..length).map(move |j| inner(gradient.row(j * count + i), values.row(j)) as f32)
        });
        Ok(shares.collect::<Vec<f32>>())
    })?;
    let (steps, rows) = (forced.output().len(), rows.concat());
    Ok(Array2::from_shape_fn((steps, length), |(t, j)| {
        rows[t * length + j]
    }))
}

/// Step `t` of the output, in a sentence of a batch.
pub(super) fn output(forced: &Forced, sentence: usize, step: usize) -> ForcedOutput {
    ForcedOutput {
        sentence,
        step,
        token: forced.output()[step],
    }
}

/// `a · b`, in double precision.
pub(super) fn inner(a: ArrayView1<f32>, b: ArrayView1<f32>) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| f64::from(*a) * f64::from(*b))
        .sum()
}
