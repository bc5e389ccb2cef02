//! The bidirectional encoder: `h_j = [h→_j ; h←_j]`, one state a source position, kept for the whole decode.
//!
//! | here       | shape        | meaning                                                      |
//! |------------|--------------|--------------------------------------------------------------|
//! | `embedded` | `[S · B, E]` | source embeddings, position-major                            |
//! | `values`   | `[S · B, K]` | encoder states, `K = 2H`; here both keys and values          |
//! | `keys`     | `[S · B, ·]` | projected keys, where the score projects them                |

use ndarray::{Array2, ArrayView2, s};

use super::cell::{Cell, CellDeltas, CellTrace};
use super::config::ModelConfig;
use super::fed::Fed;
use super::parameters::field_parameters;
use super::score::{Rows, Score};
use super::step_weights::{StepWeight, StepWeights};
use crate::numeric::{Stream, product_nt, product_nt_acc};

/// The two directions; also the type of their gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoder {
    /// First to last position.
    pub forward: Cell,
    /// Last to first position.
    pub backward: Cell,
}

field_parameters!(Encoder { forward, backward });

/// What the decoder attends to, and all it knows of the source. Keys and values are the same states here;
/// they stay separate arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct EncoderStates {
    /// Source length `S`.
    pub len: usize,
    /// Number of sentences `B`.
    pub batch: usize,
    /// Encoder states `[S · B, K]`.
    pub values: Array2<f32>,
    /// Keys projected by the score, `[S · B, A or D]`; `None` where the values are the keys.
    pub keys: Option<Array2<f32>>,
    /// What the contexts of single steps become in the decoder, where it was computed ahead.
    pub fed: Option<Fed>,
    /// `[B, S]`; `false` positions get no attention.
    pub mask: Option<Array2<bool>>,
}

impl EncoderStates {
    /// `values` `[S · B, K]`, position-major, with the keys that `score` projects; nothing is masked.
    pub fn new(values: Array2<f32>, batch: usize, score: &Score) -> Self {
        Self {
            len: values.nrows() / batch,
            batch,
            keys: score.project_keys(values.view()),
            values,
            fed: None,
            mask: None,
        }
    }

    /// The (projected) keys of sentence `b`. A single sentence serves every query, as in a beam.
    pub fn keys(&self, b: usize) -> Rows<'_> {
        Rows::of(
            self.keys.as_ref().unwrap_or(&self.values),
            self.own(b),
            self.batch,
        )
    }

    /// The values of sentence `b`.
    pub fn values(&self, b: usize) -> Rows<'_> {
        Rows::of(&self.values, self.own(b), self.batch)
    }

    /// The mask of sentence `b`, `[S]`.
    pub fn mask(&self, b: usize) -> Option<&[bool]> {
        let mask = self.mask.as_ref()?.as_slice()?;
        Some(&mask[self.own(b) * self.len..][..self.len])
    }

    /// The sentence whose states query `b` attends to.
    pub(super) const fn own(&self, b: usize) -> usize {
        if self.batch == 1 { 0 } else { b }
    }
}

/// What an encoding leaves behind for its backward pass.
#[derive(Debug, Clone)]
pub struct EncoderTrace {
    /// Trace of the first-to-last direction.
    pub forward: CellTrace,
    /// Trace of the last-to-first direction.
    pub backward: CellTrace,
}

/// Gradients of the pre-activations of both directions.
#[derive(Debug, Clone)]
pub struct EncoderDeltas {
    forward: CellDeltas,
    backward: CellDeltas,
}

impl Encoder {
    /// All zeros.
    pub fn zeros(config: &ModelConfig) -> Self {
        let cell = || Cell::zeros(config.cell, config.embedding, config.encoder);
        Self {
            forward: cell(),
            backward: cell(),
        }
    }

    /// As PyTorch initialises its recurrent layers.
    pub fn initialise(&mut self, rng: &mut Stream) {
        self.forward.initialise(rng);
        self.backward.initialise(rng);
    }

    /// Encodes `embedded` `[S · B, E]`, and projects the keys with `score`.
    pub fn forward(
        &self,
        embedded: ArrayView2<f32>,
        batch: usize,
        score: &Score,
        packed: Option<&StepWeights>,
    ) -> (EncoderStates, EncoderTrace) {
        let [first, second] = of_directions(packed);
        let forward = self.forward.run(embedded, batch, false, first);
        let backward = self.backward.run(embedded, batch, true, second);
        let h = self.forward.size();
        let mut values = Array2::zeros((embedded.nrows(), 2 * h));
        values.slice_mut(s![.., ..h]).assign(&forward.hidden);
        values.slice_mut(s![.., h..]).assign(&backward.hidden);
        (
            EncoderStates::new(values, batch, score),
            EncoderTrace { forward, backward },
        )
    }

    /// From the gradient of the states `[S · B, K]` to that of the embeddings `[S · B, E]`.
    pub fn backward(
        &self,
        trace: &EncoderTrace,
        d_values: ArrayView2<f32>,
        batch: usize,
        packed: Option<&StepWeights>,
    ) -> (Array2<f32>, EncoderDeltas) {
        let [first, second] = of_directions(packed);
        let h = self.forward.size();
        let forward = self.forward.run_backward(
            &trace.forward,
            d_values.slice(s![.., ..h]),
            batch,
            false,
            first,
            |_, _| {},
        );
        let backward = self.backward.run_backward(
            &trace.backward,
            d_values.slice(s![.., h..]),
            batch,
            true,
            second,
            |_, _| {},
        );
        let d_embedded = self.embedded_backward(&forward, &backward);
        (d_embedded, EncoderDeltas { forward, backward })
    }

    /// As [`backward`](Self::backward), but returns the gradient of the embeddings `[S · B, E]` and the whole
    /// gradient of the states `[S · B, K]`: beside what the decoder's reading of a state gives, what reaches it
    /// through the later states of its direction. An LSTM's memory counts as a variable of its own.
    pub fn backward_whole(
        &self,
        trace: &EncoderTrace,
        d_values: ArrayView2<f32>,
        batch: usize,
    ) -> (Array2<f32>, Array2<f32>) {
        let h = self.forward.size();
        let mut whole = Array2::zeros(d_values.dim());
        let d_forward = d_values.slice(s![.., ..h]);
        let forward =
            self.forward
                .run_backward(&trace.forward, d_forward, batch, false, None, |at, d| {
                    whole.slice_mut(s![at..at + batch, ..h]).assign(d)
                });
        let d_backward = d_values.slice(s![.., h..]);
        let backward =
            self.backward
                .run_backward(&trace.backward, d_backward, batch, true, None, |at, d| {
                    whole.slice_mut(s![at..at + batch, h..]).assign(d)
                });
        (self.embedded_backward(&forward, &backward), whole)
    }

    /// The gradient of the embeddings `[S · B, E]` from those of both directions' inputs.
    fn embedded_backward(&self, forward: &CellDeltas, backward: &CellDeltas) -> Array2<f32> {
        let mut d_embedded = product_nt(forward.d_input.view(), self.forward.w_x.view());
        product_nt_acc(
            backward.d_input.view(),
            self.backward.w_x.view(),
            &mut d_embedded.view_mut(),
        );
        d_embedded
    }
}

fn of_directions(packed: Option<&StepWeights>) -> [Option<&StepWeight>; 2] {
    [0, 1].map(|i| packed.map(|weights| &weights.encoder[i]))
}

impl EncoderDeltas {
    /// Adds the gradients of the first-to-last direction.
    pub fn accumulate_forward(
        &self,
        x: ArrayView2<f32>,
        trace: &EncoderTrace,
        batch: usize,
        grad: &mut Cell,
    ) {
        Cell::run_accumulate(x, &trace.forward, &self.forward, batch, false, grad);
    }

    /// Adds the gradients of the last-to-first direction.
    pub fn accumulate_backward(
        &self,
        x: ArrayView2<f32>,
        trace: &EncoderTrace,
        batch: usize,
        grad: &mut Cell,
    ) {
        Cell::run_accumulate(x, &trace.backward, &self.backward, batch, true, grad);
    }
}
