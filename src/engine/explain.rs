//! How a number came about: the parts of a score, of a context and of a logit. They add up to what the network
//! computed, up to rounding.
//!
//! ```text
//! score    additive    e_j = Σ_i v_a,i tanh(a_i + b_i)     a = W_a q, b = U_a k_j
//!          dot         e_j = Σ_i q_i k_j,i
//!          general     e_j = Σ_i q_i (W_a k_j)_i
//!          scaled dot  e_j = Σ_i q_i k_j,i / √K
//! context  ‖c‖ = Σ_j α_j h_j · c / ‖c‖                     what each position adds along the context
//! logit    r_i = tanh(z_i), z = z_state + z_context + z_previous + b_r,  logit_v = Σ_i w_v,i r_i + b_v
//! ```
//! A hyperbolic tangent has no parts of its own. Its value is shared in proportion to what went into it: the part
//! of an input `x` of `z = Σ x` is `x · tanh(z) / z`, the rescale rule of `DeepLIFT` (Shrikumar, Greenside and
//! Kundaje 2017) with zeros as reference. The factor `tanh(z) / z` lies between 0 and 1, so that no part is larger
//! than its input.

use ndarray::s;

use super::cell::slice;
use super::config::{ScoreKind, Wiring};
use super::encoder::EncoderStates;
use super::network::Seq2Seq;
use super::score::Score;
use super::session::StepTrace;

#[cfg(test)]
mod tests;

/// One dimension of a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScorePart {
    /// The dimension, from 0.
    pub dimension: usize,
    /// Of the query: `q_i`, or `(W_a q)_i` for the additive score.
    pub query: f32,
    /// Of the key: `k_i`, `(W_a k)_i` for the general score, `(U_a k)_i` for the additive one.
    pub key: f32,
    /// What multiplies: `v_a,i` for the additive score, `1 / √K` for the scaled one, otherwise 1.
    pub factor: f32,
    /// What it adds to the score.
    pub part: f64,
}

/// A score in parts.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreParts {
    /// Which score.
    pub kind: ScoreKind,
    /// The score that the network computed.
    pub score: f64,
    /// One a dimension: `[A]` for the additive score, `[K]` otherwise; the largest contributions, of either
    /// sign, first.
    pub parts: Vec<ScorePart>,
}

/// What one source position adds to the context.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContextPart {
    /// The weight that made the context.
    pub weight: f64,
    /// `‖h_j‖`.
    pub value_norm: f64,
    /// `α_j h_j · c / ‖c‖`: how much longer the context is for it. These sum to `‖c‖`.
    pub along: f64,
    /// The cosine of the angle between `h_j` and `c`; 0 where one of them is zero.
    pub cosine: f64,
}

/// A logit in parts. Without the bias of the readout (Luong wiring) that part is 0.
#[derive(Debug, Clone, PartialEq)]
pub struct LogitParts {
    /// Target id.
    pub token: u32,
    /// The sum of all parts.
    pub logit: f64,
    /// From the decoder's state.
    pub state: f64,
    /// From the context.
    pub context: f64,
    /// The context's part by source position `[S]`, which sums to it; empty for a model without attention.
    pub sources: Vec<f64>,
    /// From the embedding of the previous word; `None` where it does not enter the readout (Luong wiring).
    pub previous: Option<f64>,
    /// From the bias of the readout.
    pub readout_bias: f64,
    /// The bias of the output layer for this token.
    pub output_bias: f64,
}

impl ScoreParts {
    /// The parts of `step`'s score of source position `column`; `None` without attention, or for a position
    /// that is not there.
    pub fn new(
        network: &Seq2Seq,
        states: &EncoderStates,
        step: &StepTrace,
        column: usize,
    ) -> Option<Self> {
        let score = f64::from(*step.scores.as_ref()?.get(column)?);
        let attention = &network.decoder.attention;
        let key = states.keys(0).row(column);
        let query = match attention {
            Score::Additive { .. } => &step.projected_query,
            _ => &step.query,
        };
        let scale = (states.values.ncols() as f32).sqrt();
        let part = |dimension: usize, query: f32, key: f32| {
            let (factor, inner) = match attention {
                Score::Additive { v_a, .. } => {
                    (v_a[dimension], (f64::from(query) + f64::from(key)).tanh())
                }
                Score::ScaledDot => (1.0 / scale, f64::from(query) * f64::from(key)),
                _ => (1.0, f64::from(query) * f64::from(key)),
            };
            ScorePart {
                dimension,
                query,
                key,
                factor,
                part: f64::from(factor) * inner,
            }
        };
        let pairs = query.iter().zip(key).enumerate();
        let mut parts: Vec<ScorePart> = pairs.map(|(i, (q, k))| part(i, *q, *k)).collect();
        parts.sort_by(|a, b| b.part.abs().total_cmp(&a.part.abs()));
        Some(Self {
            kind: attention.kind(),
            score,
            parts,
        })
    }

    /// The sum of all parts: the score, up to rounding.
    pub fn sum(&self) -> f64 {
        self.parts.iter().map(|part| part.part).sum()
    }
}

/// What each source position adds to the context of `step`, `[S]`; empty without attention.
pub fn context_parts(states: &EncoderStates, step: &StepTrace) -> Vec<ContextPart> {
    let Some(weights) = &step.applied_weights else {
        return Vec::new();
    };
    let norm = dot(&step.context, &step.context).sqrt();
    let values = states.values(0);
    let part = |(j, weight): (usize, &f32)| {
        let value = values.row(j);
        let (weight, value_norm) = (f64::from(*weight), dot(value, value).sqrt());
        let product = dot(value, &step.context);
        let along = if norm > 0.0 {
            weight * product / norm
        } else {
            0.0
        };
        let lengths = value_norm * norm;
        ContextPart {
            weight,
            value_norm,
            along,
            cosine: if lengths > 0.0 {
                product / lengths
            } else {
                0.0
            },
        }
    };
    weights.iter().enumerate().map(part).collect()
}

/// `‖Σ_j exp(e_j) h_j‖`: how long the context would be if the weights were not divided by their sum. `None`
/// without attention. It grows with the length of the sentence and with the scores, and may be infinite.
pub fn unnormalised_context_norm(states: &EncoderStates, step: &StepTrace) -> Option<f64> {
    let scores = step.scores.as_ref()?;
    let values = states.values(0);
    let mut sum = vec![0.0_f64; values.width];
    for (j, score) in scores.iter().enumerate() {
        let weight = f64::from(*score).exp();
        for (sum, value) in sum.iter_mut().zip(values.row(j)) {
            *sum += weight * f64::from(*value);
        }
    }
    Some(sum.iter().map(|x| x * x).sum::<f64>().sqrt())
}

impl LogitParts {
    /// The parts of the logit of `token` at `step`; `None` for a token that the model does not have.
    pub fn new(
        network: &Seq2Seq,
        states: &EncoderStates,
        step: &StepTrace,
        token: u32,
    ) -> Option<Self> {
        let decoder = &network.decoder;
        let embedding = &network.target_embedding;
        let output = decoder.output.w.as_ref().unwrap_or(embedding);
        let w = slice_of(output, token)?;
        let output_bias = f64::from(*decoder.output.b.get(token as usize)?);
        let previous_word = slice_of(embedding, step.input)?;
        let (d, k) = (decoder.size(), step.context.len());
        let (state_rows, context_rows, previous) = match decoder.wiring {
            Wiring::Bahdanau => (0..d, d..d + k, Some(d + k..decoder.readout.w.nrows())),
            Wiring::Luong => (k..k + d, 0..k, None),
        };
        let through = |x: &[f32], rows: std::ops::Range<usize>| -> Vec<f64> {
            let mut z = vec![0.0_f64; decoder.readout.w.ncols()];
            for (x, row) in x.iter().zip(decoder.readout.w.slice(s![rows, ..]).rows()) {
                for (z, w) in z.iter_mut().zip(row) {
                    *z += f64::from(*x) * f64::from(*w);
                }
            }
            z
        };
        let state = through(step.state(), state_rows);
        let context = through(&step.context, context_rows.clone());
        let previous = previous.map(|rows| through(previous_word, rows));
        let bias: Vec<f64> = match &decoder.readout.b {
            Some(b) => b.iter().map(|b| f64::from(*b)).collect(),
            None => vec![0.0; w.len()],
        };
        // What one unit of a pre-activation adds to the logit.
        let gain: Vec<f64> = (0..w.len())
            .map(|i| {
                let z = state[i] + context[i] + bias[i] + previous.as_ref().map_or(0.0, |p| p[i]);
                f64::from(w[i]) * slope(z)
            })
            .collect();
        let share = |z: &[f64]| z.iter().zip(&gain).map(|(z, g)| z * g).sum::<f64>();
        let mut parts = Self {
            token,
            logit: 0.0,
            state: share(&state),
            context: share(&context),
            sources: source_parts(network, states, step, context_rows, &gain),
            previous: previous.as_deref().map(share),
            readout_bias: share(&bias),
            output_bias,
        };
        parts.logit = parts.state
            + parts.context
            + parts.previous.unwrap_or(0.0)
            + parts.readout_bias
            + parts.output_bias;
        Some(parts)
    }
}

/// `tanh(z) / z`, which tends to 1 at 0.
fn slope(z: f64) -> f64 {
    if z.abs() < 1e-9 { 1.0 } else { z.tanh() / z }
}

/// The context's part of a logit by source position: `α_j h_j` through the same rows and gains, `[S]`.
fn source_parts(
    network: &Seq2Seq,
    states: &EncoderStates,
    step: &StepTrace,
    rows: std::ops::Range<usize>,
    gain: &[f64],
) -> Vec<f64> {
    let Some(weights) = &step.applied_weights else {
        return Vec::new();
    };
    // The gain of each dimension of the context.
    let of_context: Vec<f64> = network
        .decoder
        .readout
        .w
        .slice(s![rows, ..])
        .rows()
        .into_iter()
        .map(|row| row.iter().zip(gain).map(|(w, g)| f64::from(*w) * g).sum())
        .collect();
    let values = states.values(0);
    let part = |(j, weight): (usize, &f32)| {
        let value = values.row(j).iter().zip(&of_context);
        f64::from(*weight) * value.map(|(v, g)| f64::from(*v) * g).sum::<f64>()
    };
    weights.iter().enumerate().map(part).collect()
}

fn slice_of(matrix: &ndarray::Array2<f32>, row: u32) -> Option<&[f32]> {
    let row = row as usize;
    (row < matrix.nrows()).then(|| slice(matrix, row))
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    let products = a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b));
    products.sum()
}
