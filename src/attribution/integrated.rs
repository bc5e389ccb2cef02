//! Integrated gradients from an input of zeros (Sundararajan, Taly and Yan 2017).
//!
//! ```text
//! a_tj = Σ_k x_jk ∫₀¹ ∂F_t(α x) / ∂x_jk dα,  F_t = ln p(y_t)        completeness  Σ_j a_tj = F_t(x) − F_t(0)
//! ```
//! The whole source goes from zeros to itself at once. For the encoder states, `F` is all that the decoder makes
//! of them: keys, values and its initial state. The integral is a Gauss–Legendre sum; the points are doubled
//! until the sum is complete, since a sharp softmax needs more of them than a flat one.

use ndarray::Array2;

use super::forced::{AttributionError, Forced, log_probability};
use super::gradient::{Input, inner, output};
use super::quadrature::gauss_legendre;
use super::watch::Watch;
use crate::engine::{DecoderTrace, EncoderStates, ForcedOutput, Trace};

/// Points of the first attempt, and the most.
const FIRST_POINTS: usize = 32;
const MOST_POINTS: usize = 1024;
/// Most points in a batch.
const BATCH: usize = 16;
/// A sum is complete if it misses the difference by no more than this share of it, or this many nats.
const SHARE: f64 = 0.01;
const NATS: f64 = 1e-3;

/// How well the integrals came out, for each output word `[T]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Integration {
    /// `ln p` with an input of zeros.
    pub baseline: Vec<f64>,
    /// By how much the shares add up to more than the difference from it, in nats.
    pub gap: Vec<f64>,
    /// The points that were taken.
    pub points: Vec<usize>,
    /// Whether the gap is at most 1 % of the difference or 0.001 nats.
    pub complete: Vec<bool>,
}

/// The shares `[T, S]` in nats, and how well they add up.
pub(super) fn integrate(
    forced: &Forced,
    input: Input,
    points: Option<usize>,
    watch: Watch,
) -> Result<(Array2<f32>, Integration), AttributionError> {
    let most = MOST_POINTS;
    if let Some(found) = points.filter(|points| !(1..=most).contains(points)) {
        return Err(AttributionError::Points { found, most });
    }
    let steps = forced.output().len();
    let zero = Run::new(forced, input, &[0.0], steps)?;
    let baseline: Vec<f64> = (0..steps)
        .map(|t| log_probability(zero.decoder().logits(t), forced.output()[t]))
        .collect();
    let mut values = Array2::zeros((steps, forced.source().len()));
    let mut integration = Integration {
        gap: vec![f64::NAN; steps],
        points: vec![0; steps],
        complete: vec![false; steps],
        baseline,
    };
    let mut open: Vec<usize> = (0..steps).collect();
    let mut count = points.unwrap_or(FIRST_POINTS);
    while !open.is_empty() {
        let shares = attempt(forced, input, &open, count, watch)?;
        for (&t, row) in open.iter().zip(shares) {
            let difference = forced.log_probabilities()[t] - integration.baseline[t];
            let gap = row.iter().sum::<f64>() - difference;
            integration.gap[t] = gap;
            integration.points[t] = count;
            integration.complete[t] = gap.abs() <= (SHARE * difference.abs()).max(NATS);
            for (value, share) in values.row_mut(t).iter_mut().zip(row) {
                *value = share as f32;
            }
        }
        count *= 2;
        if points.is_some() || count > most {
            break;
        }
        // What is not a number will not become one with more points.
        open.retain(|t| !integration.complete[*t] && integration.gap[*t].is_finite());
    }
    Ok((values, integration))
}

/// The shares of the output words `open` by a rule of `count` points, `[S]` each.
fn attempt(
    forced: &Forced,
    input: Input,
    open: &[usize],
    count: usize,
    watch: Watch,
) -> Result<Vec<Vec<f64>>, AttributionError> {
    let (points, length) = (gauss_legendre(count), forced.source().len());
    let steps = open.last().map_or(0, |last| last + 1);
    let values = match input {
        Input::Embeddings => &forced.trace().embedded,
        Input::States => &forced.trace().states.values,
    };
    let parts = watch.spread(forced.batches(count, BATCH), |part| {
        let points = &points[part.clone()];
        let factors: Vec<f32> = points.iter().map(|(x, _)| *x as f32).collect();
        let run = Run::new(forced, input, &factors, steps)?;
        let mut shares = Vec::with_capacity(open.len());
        for &t in open {
            if watch.is_cancelled() {
                return Err(AttributionError::Cancelled);
            }
            let outputs: Vec<ForcedOutput> =
                (0..points.len()).map(|i| output(forced, i, t)).collect();
            let gradient = run.gradients(forced, &outputs);
            let share = |j: usize| {
                let weighted = points.iter().enumerate().map(|(i, (_, weight))| {
                    weight * inner(gradient.row(j * points.len() + i), values.row(j))
                });
                weighted.sum::<f64>()
            };
            shares.push((0..length).map(share).collect::<Vec<f64>>());
        }
        Ok(shares)
    })?;
    let mut sums = vec![vec![0.0; length]; open.len()];
    for part in parts {
        for (sum, share) in sums.iter_mut().flatten().zip(part.into_iter().flatten()) {
            *sum += share;
        }
    }
    Ok(sums)
}

/// A run over scaled inputs.
enum Run {
    Embeddings(Box<Trace>),
    States(Box<(EncoderStates, DecoderTrace)>),
}

impl Run {
    /// The first `steps` steps over the input scaled by each of `factors`, one a row of the batch.
    fn new(
        forced: &Forced,
        input: Input,
        factors: &[f32],
        steps: usize,
    ) -> Result<Self, AttributionError> {
        let (network, rows) = (forced.network(), factors.len());
        let inputs = forced.inputs(steps, rows);
        Ok(match input {
            Input::Embeddings => {
                let embedded = scaled(&forced.trace().embedded, factors);
                Self::Embeddings(Box::new(network.forward_embedded(embedded, &inputs, rows)?))
            }
            Input::States => {
                let values = scaled(&forced.trace().states.values, factors);
                let states = EncoderStates::new(values, rows, &network.decoder.attention);
                let run = network.decode(&inputs, network.start(&states), &states, None)?;
                Self::States(Box::new((states, run)))
            }
        })
    }

    fn decoder(&self) -> &DecoderTrace {
        match self {
            Self::Embeddings(trace) => &trace.decoder,
            Self::States(run) => &run.1,
        }
    }

    /// The gradients of outputs with respect to the scaled input, `[S · n, ·]`.
    fn gradients(&self, forced: &Forced, outputs: &[ForcedOutput]) -> Array2<f32> {
        let network = forced.network();
        match self {
            Self::Embeddings(trace) => network.input_gradients(trace, outputs).d_embedded,
            Self::States(run) => network.state_gradients(&run.0, &run.1, outputs),
        }
    }
}

/// Rows `j · n + i`: row `j` times factor `i` of `n`.
fn scaled(values: &Array2<f32>, factors: &[f32]) -> Array2<f32> {
    let n = factors.len();
    Array2::from_shape_fn((values.nrows() * n, values.ncols()), |(row, k)| {
        values[[row / n, k]] * factors[row % n]
    })
}
