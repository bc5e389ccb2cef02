//! One attention step: scores, softmax, context; and its backward pass.
//!
//! ```text
//! α = softmax(e)      c = Σ_j α_j v_j
//! dα_j = dc · v_j     dv_j = α_j dc     de = α ⊙ (dα − Σ_i α_i dα_i)
//! ```
//! For the bottleneck `c = [h→_S ; h←_1]`, and there are neither scores nor weights.

use ndarray::{Array2, s};

use super::cell::{slice, slice_mut};
use super::encoder::EncoderStates;
use super::score::{Score, ScoreGradients};
use crate::numeric::{
    EmptySupport, row_dots_double, softmax, softmax_backward, softmax_masked, vec_mat_acc,
};

/// Attention of `N = T · B` decoder rows, time-major: the cache of the backward pass and what the eye sees.
#[derive(Debug, Clone, PartialEq)]
pub struct AttentionTrace {
    /// `[N, D]`; empty for the bottleneck, as the next three are.
    pub queries: Array2<f32>,
    /// `W_a q` `[N, A]` for the additive score; empty otherwise.
    pub projected: Array2<f32>,
    /// `e`, before mask and softmax, `[N, S]`.
    pub scores: Array2<f32>,
    /// `α` as the model computed it, `[N, S]`.
    pub weights: Array2<f32>,
    /// The weights that made the context, `[N, S]`; empty where nothing intervened, then `weights` did.
    pub applied: Array2<f32>,
    /// `c` `[N, K]`.
    pub contexts: Array2<f32>,
}

/// Changes the weights of one row before the context is made: `(step, sentence, scores, weights)`.
pub type Intervene<'a> = &'a dyn Fn(usize, usize, &[f32], &mut [f32]) -> Result<(), EmptySupport>;

impl AttentionTrace {
    /// Space for `rows = T · B` steps.
    pub fn new(
        score: &Score,
        query: usize,
        states: &EncoderStates,
        rows: usize,
        intervened: bool,
    ) -> Self {
        let attended = if score.kind().attends() { rows } else { 0 };
        let (projected, width) = match score {
            Score::Additive { v_a, .. } => (rows, v_a.len()),
            _ => (0, 0),
        };
        Self {
            queries: Array2::zeros((attended, query)),
            projected: Array2::zeros((projected, width)),
            scores: Array2::zeros((attended, states.len)),
            weights: Array2::zeros((attended, states.len)),
            applied: Array2::zeros((if intervened { attended } else { 0 }, states.len)),
            contexts: Array2::zeros((rows, states.values.ncols())),
        }
    }

    /// The weights that made the context of row `i`; `None` for the bottleneck.
    pub fn applied(&self, i: usize) -> Option<&[f32]> {
        let weights = if self.applied.nrows() > 0 {
            &self.applied
        } else {
            &self.weights
        };
        (i < weights.nrows()).then(|| slice(weights, i))
    }

    /// Attends with `queries` `[B, D]` in rows `step · B ..` of the trace.
    ///
    /// # Errors
    /// [`EmptySupport`] if a mask or an intervention leaves nothing to attend to.
    pub fn step(
        &mut self,
        score: &Score,
        queries: &Array2<f32>,
        states: &EncoderStates,
        step: usize,
        intervene: Option<Intervene>,
    ) -> Result<(), EmptySupport> {
        let projected = score.project_query(queries.view());
        self.step_from(score, queries, projected, states, step, intervene)
    }

    /// As [`step`](Self::step), with the queries as the keys are compared with them, as
    /// [`Score::project_query`] gives them.
    pub(super) fn step_from(
        &mut self,
        score: &Score,
        queries: &Array2<f32>,
        projected: Option<Array2<f32>>,
        states: &EncoderStates,
        step: usize,
        intervene: Option<Intervene>,
    ) -> Result<(), EmptySupport> {
        let batch = queries.nrows();
        if !score.kind().attends() {
            let rows = step * batch..(step + 1) * batch;
            // One sentence may serve every query.
            let mut contexts = self.contexts.slice_mut(s![rows, ..]);
            let own = bottleneck(states);
            for (i, mut row) in contexts.rows_mut().into_iter().enumerate() {
                row.assign(&own.row(i % own.nrows()));
            }
            return Ok(());
        }
        for b in 0..batch {
            let row = step * batch + b;
            slice_mut(&mut self.queries, row).copy_from_slice(slice(queries, b));
            if let Some(projected) = &projected {
                slice_mut(&mut self.projected, row).copy_from_slice(slice(projected, b));
            }
            let query = slice(projected.as_ref().unwrap_or(queries), b);
            let scores = slice_mut(&mut self.scores, row);
            score.scores(query, states.keys(b), states.values.ncols(), scores);
            let weights = slice_mut(&mut self.weights, row);
            weights.copy_from_slice(scores);
            match states.mask(b) {
                Some(mask) => softmax_masked(weights, mask)?,
                None => softmax(weights),
            }
            let mut applied: &[f32] = weights;
            if let Some(intervene) = intervene {
                let changed = slice_mut(&mut self.applied, row);
                changed.copy_from_slice(weights);
                intervene(step, b, scores, changed)?;
                applied = changed;
            }
            let values = states.values(b);
            vec_mat_acc(
                applied,
                values.values,
                values.stride,
                slice_mut(&mut self.contexts, row),
            );
        }
        Ok(())
    }
}

/// `[h→_S ; h←_1]` of every sentence, `[B, K]`.
pub(super) fn bottleneck(states: &EncoderStates) -> Array2<f32> {
    let mut contexts = Array2::zeros((states.batch, states.values.ncols()));
    for b in 0..states.batch {
        let values = states.values(b);
        let half = values.width / 2;
        let (last, first) = (values.row(values.len - 1), values.row(0));
        let context = slice_mut(&mut contexts, b);
        context[..half].copy_from_slice(&last[..half]);
        context[half..].copy_from_slice(&first[half..]);
    }
    contexts
}

/// Gradients that attention leaves, summed over all steps.
#[derive(Debug, Clone)]
pub struct AttentionDeltas {
    /// Of the projected queries `[N, A]` (additive only).
    pub d_projected: Array2<f32>,
    /// Of the projected keys, or of the keys themselves `[S · B, ·]`.
    pub d_keys: Array2<f32>,
    /// Of the values `[S · B, K]`.
    pub d_values: Array2<f32>,
    /// Of `v_a` `[A]` (additive only).
    pub d_v: Vec<f32>,
}

impl AttentionDeltas {
    /// Zeros in the shapes of `trace`.
    pub fn new(trace: &AttentionTrace, states: &EncoderStates) -> Self {
        let keys = states.keys.as_ref().unwrap_or(&states.values);
        Self {
            d_projected: Array2::zeros(trace.projected.dim()),
            d_keys: Array2::zeros(keys.dim()),
            d_values: Array2::zeros(states.values.dim()),
            d_v: vec![0.0; trace.projected.ncols()],
        }
    }

    /// Backward of [`AttentionTrace::step`]: from `d_contexts` (row `step · B + b` of it) to the gradient of
    /// the queries, added to `d_queries` `[B, D]`; with projected queries to that of the projected ones alone.
    pub fn step(
        &mut self,
        score: &Score,
        trace: &AttentionTrace,
        states: &EncoderStates,
        d_contexts: &Array2<f32>,
        step: usize,
        d_queries: &mut Array2<f32>,
    ) {
        let batch = d_queries.nrows();
        let width = states.values.ncols();
        let mut d_weights = vec![0.0_f64; states.len];
        let mut d_scores = vec![0.0; states.len];
        for b in 0..batch {
            let row = step * batch + b;
            let d_context = slice(d_contexts, row);
            let values = states.values(b);
            let d_values = &mut self.d_values.as_slice_mut().expect("contiguous")[b * width..];
            if !score.kind().attends() {
                let half = width / 2;
                let last = (values.len - 1) * values.stride;
                add(&mut d_values[last..last + half], &d_context[..half]);
                add(&mut d_values[half..width], &d_context[half..]);
                continue;
            }
            let weights = slice(&trace.weights, row);
            row_dots_double(values.values, values.stride, d_context, &mut d_weights);
            for (j, &weight) in weights.iter().enumerate() {
                vec_mat_acc(
                    &[weight],
                    d_context,
                    width,
                    &mut d_values[j * values.stride..][..width],
                );
            }
            softmax_backward(weights, &d_weights, &mut d_scores);
            let keys = states.keys(b);
            let d_keys = &mut self.d_keys.as_slice_mut().expect("contiguous")[b * keys.width..];
            let (query, d_query) = if trace.projected.nrows() > 0 {
                (
                    slice(&trace.projected, row),
                    slice_mut(&mut self.d_projected, row),
                )
            } else {
                (slice(&trace.queries, row), slice_mut(d_queries, b))
            };
            let into = ScoreGradients {
                d_query,
                d_keys,
                d_v: &mut self.d_v,
            };
            score.scores_backward(&d_scores, query, keys, width, into);
        }
    }
}

fn add(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(t, f)| *t += f);
}
