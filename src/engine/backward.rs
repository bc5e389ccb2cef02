//! The backward pass of the decoder; `decoder.rs` has the equations that it walks back.
//!
//! In two phases. [`Decoder::backward`] takes the gradient of the logits back through time and leaves the
//! gradient of every pre-activation. The `accumulate` functions then turn those into gradients of the
//! parameters, one product each for all steps; they touch disjoint parameters, so that a trainer can spread
//! them over threads.

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use super::attention::AttentionDeltas;
use super::cell::{Cell, CellDeltas};
use super::config::Wiring;
use super::decoder::Decoder;
use super::decoder_trace::DecoderTrace;
use super::encoder::EncoderStates;
use super::linear::Linear;
use super::step_weights::{StepWeights, step_product_nt_acc};
use crate::numeric::{column_sums_acc, product, product_nt_acc, product_tn_acc};

/// Gradients of all pre-activations of a decoder run.
#[derive(Debug, Clone)]
pub struct DecoderDeltas {
    /// Of the logits `[N, V]`.
    pub d_logits: Array2<f32>,
    /// Of the readouts before tanh `[N, R]`.
    d_readouts: Array2<f32>,
    cell: CellDeltas,
    /// What attention left.
    pub attention: AttentionDeltas,
    /// Of the embedded previous words, before dropout `[N, E]`.
    pub d_embedded: Array2<f32>,
    /// Of `W_init h←_1 + b` `[B, D]`.
    d_init: Array2<f32>,
}

impl Decoder {
    /// From `d_logits` `[N, V]` back to the encoder states, whose gradient `[S · B, K]` is returned beside the
    /// gradients of the pre-activations.
    pub fn backward(
        &self,
        embedding: &Array2<f32>,
        trace: &DecoderTrace,
        states: &EncoderStates,
        d_logits: Array2<f32>,
        packed: Option<&StepWeights>,
    ) -> (Array2<f32>, DecoderDeltas) {
        let mut d_readouts = self.output_backward(embedding, d_logits.view());
        if let Some((_, mask)) = &trace.masks {
            d_readouts *= mask;
        }
        let (d_states, mut deltas) = self.backward_from(trace, states, d_readouts, packed);
        deltas.d_logits = d_logits;
        (d_states, deltas)
    }

    /// The gradient of the readouts `[M, R]` from that of the logits `[M, V]`, for any rows.
    pub(super) fn output_backward(
        &self,
        embedding: &Array2<f32>,
        d_logits: ArrayView2<f32>,
    ) -> Array2<f32> {
        product(d_logits, self.output.w.as_ref().unwrap_or(embedding).view())
    }

    /// As [`backward`](Self::backward) from the gradient of the readouts `[N, R]`; that of the logits is left
    /// empty.
    pub(super) fn backward_from(
        &self,
        trace: &DecoderTrace,
        states: &EncoderStates,
        d_readouts: Array2<f32>,
        packed: Option<&StepWeights>,
    ) -> (Array2<f32>, DecoderDeltas) {
        let rows = trace.inputs.len();
        let mut walk = Walk {
            decoder: self,
            trace,
            states,
            d_hidden: Array2::zeros((rows, self.size())),
            d_contexts: Array2::zeros((rows, states.values.ncols())),
            d_readouts,
            cell: self.cell.deltas(rows),
            attention: AttentionDeltas::new(&trace.attention, states),
            packed,
        };
        let mut d_embedded = Array2::zeros(trace.embedded.dim());
        if self.wiring == Wiring::Bahdanau {
            walk.bahdanau_readouts(&mut d_embedded);
        }
        let mut d_init = walk.through_time();
        let Walk {
            d_readouts,
            cell,
            mut attention,
            ..
        } = walk;

        let e = trace.embedded.ncols();
        product_nt_acc(
            cell.d_input.view(),
            self.cell.w_x.slice(s![..e, ..]),
            &mut d_embedded.view_mut(),
        );
        if let Some((mask, _)) = &trace.masks {
            d_embedded *= mask;
        }
        d_init.zip_mut_with(&trace.start.cell.hidden, |d, s| *d *= 1.0 - s * s);
        let mut d_states = std::mem::take(&mut attention.d_values);
        self.attention
            .project_keys_backward(attention.d_keys.view(), &mut d_states);
        let half = states.values.ncols() / 2;
        let mut d_first = d_states.slice_mut(s![..states.batch, half..]);
        d_first += &self.init.backward(d_init.view());
        (
            d_states,
            DecoderDeltas {
                d_logits: Array2::zeros((0, 0)),
                d_readouts,
                cell,
                attention,
                d_embedded,
                d_init,
            },
        )
    }
}

/// The backward pass while it walks.
struct Walk<'a> {
    decoder: &'a Decoder,
    trace: &'a DecoderTrace,
    states: &'a EncoderStates,
    /// Gradients that reach the states from the readouts `[N, D]`.
    d_hidden: Array2<f32>,
    /// Gradients of the contexts `[N, K]`.
    d_contexts: Array2<f32>,
    /// Gradients of the readouts, then of their pre-activations `[N, R]`.
    d_readouts: Array2<f32>,
    cell: CellDeltas,
    attention: AttentionDeltas,
    packed: Option<&'a StepWeights>,
}

impl Walk<'_> {
    /// Bahdanau: the readouts of all steps at once.
    fn bahdanau_readouts(&mut self, d_embedded: &mut Array2<f32>) {
        let (d, k) = (self.decoder.size(), self.d_contexts.ncols());
        let w = &self.decoder.readout.w;
        through_tanh(self.d_readouts.view_mut(), &self.trace.readouts, 0);
        let d_pre = self.d_readouts.view();
        product_nt_acc(d_pre, w.slice(s![..d, ..]), &mut self.d_hidden.view_mut());
        product_nt_acc(
            d_pre,
            w.slice(s![d..d + k, ..]),
            &mut self.d_contexts.view_mut(),
        );
        product_nt_acc(d_pre, w.slice(s![d + k.., ..]), &mut d_embedded.view_mut());
    }

    /// From the last step to the first; returns the gradient of `s_0` `[B, D]`.
    fn through_time(&mut self) -> Array2<f32> {
        let batch = self.trace.batch;
        let mut carry = self.decoder.cell.zero_state(batch);
        let mut d_feed = Array2::zeros(self.trace.start.feed.dim());
        for step in (0..self.trace.steps()).rev() {
            let at = step * batch;
            let rows = s![at..at + batch, ..];
            let previous = self.trace.state_before(step).cell;
            if self.decoder.wiring == Wiring::Luong {
                self.luong_readout(at, &d_feed);
            }
            carry.hidden += &self.d_hidden.slice(rows);
            if self.decoder.wiring == Wiring::Luong {
                self.attend(step, &mut carry.hidden);
            }
            self.decoder.cell.step_backward(
                &self.trace.cell,
                at,
                &previous,
                &mut carry,
                &mut self.cell,
                self.packed.map(|weights| &weights.recurrent),
            );
            let e = self.trace.embedded.ncols();
            let w_feed = self.decoder.cell.w_x.slice(s![e.., ..]);
            let d_input = self.cell.d_input.slice(rows);
            let packed = self.packed.map(|weights| &weights.feed);
            match self.decoder.wiring {
                // Without attention all steps share one context, see below.
                Wiring::Bahdanau if !self.decoder.score().attends() => {}
                Wiring::Bahdanau => {
                    let mut d_context = self.d_contexts.slice_mut(rows);
                    step_product_nt_acc(d_input, w_feed, packed, &mut d_context);
                    self.attend(step, &mut carry.hidden);
                }
                Wiring::Luong if w_feed.nrows() > 0 => {
                    d_feed.fill(0.0);
                    step_product_nt_acc(d_input, w_feed, packed, &mut d_feed.view_mut());
                }
                Wiring::Luong => {}
            }
        }
        if self.decoder.wiring == Wiring::Bahdanau && !self.decoder.score().attends() {
            self.shared_context(&mut carry.hidden);
        }
        carry.hidden
    }

    /// Bahdanau without attention: what all steps' gates ask of the one context, at once.
    fn shared_context(&mut self, d_queries: &mut Array2<f32>) {
        let (batch, e) = (self.trace.batch, self.trace.embedded.ncols());
        let w_feed = self.decoder.cell.w_x.slice(s![e.., ..]);
        let d_input = over_steps(&self.cell.d_input, batch);
        let mut first = self.d_contexts.slice_mut(s![..batch, ..]);
        product_nt_acc(d_input.view(), w_feed, &mut first);
        for step in 0..self.trace.steps() {
            self.attend(step, d_queries);
        }
    }

    /// Luong: the readout of one step, whose gradient comes from the logits and from the next step's cell.
    fn luong_readout(&mut self, at: usize, d_feed: &Array2<f32>) {
        let batch = self.trace.batch;
        let rows = s![at..at + batch, ..];
        let k = self.d_contexts.ncols();
        let w = &self.decoder.readout.w;
        let mut d_pre = self.d_readouts.slice_mut(rows);
        if d_feed.ncols() > 0 {
            d_pre += d_feed;
        }
        through_tanh(d_pre.view_mut(), &self.trace.readouts, at);
        let [of_contexts, of_states] = [0, 1].map(|i| self.packed.map(|p| &p.readout[i]));
        let mut d_contexts = self.d_contexts.slice_mut(rows);
        let mut d_hidden = self.d_hidden.slice_mut(rows);
        let d_pre = d_pre.view();
        step_product_nt_acc(d_pre, w.slice(s![..k, ..]), of_contexts, &mut d_contexts);
        step_product_nt_acc(d_pre, w.slice(s![k.., ..]), of_states, &mut d_hidden);
    }

    fn attend(&mut self, step: usize, d_queries: &mut Array2<f32>) {
        let Self {
            decoder,
            trace,
            states,
            d_contexts,
            attention,
            packed,
            ..
        } = self;
        attention.step(
            &decoder.attention,
            &trace.attention,
            states,
            d_contexts,
            step,
            d_queries,
        );
        if let Some(w_a) = decoder.attention.query_projection() {
            let batch = d_queries.nrows();
            let d = s![step * batch..(step + 1) * batch, ..];
            let d = attention.d_projected.slice(d);
            let packed = packed.map(|weights| &weights.query);
            step_product_nt_acc(d, w_a.view(), packed, &mut d_queries.view_mut());
        }
    }
}

/// The sum over all steps `[B, ·]` of `rows` `[T · B, ·]`.
fn over_steps(rows: &Array2<f32>, batch: usize) -> Array2<f32> {
    let mut sum = Array2::zeros((batch, rows.ncols()));
    for step in rows.axis_chunks_iter(Axis(0), batch) {
        sum += &step;
    }
    sum
}

/// `d ← d ⊙ (1 − y²)` for the rows of `y` from `at` on.
fn through_tanh(mut d: ArrayViewMut2<f32>, y: &Array2<f32>, at: usize) {
    let rows = d.nrows();
    d.zip_mut_with(&y.slice(s![at..at + rows, ..]), |d, y| *d *= 1.0 - y * y);
}

impl DecoderDeltas {
    /// Adds the gradient of rows `from ..` of the output weights `[·, R]` (a part of the vocabulary).
    pub fn accumulate_output(
        &self,
        trace: &DecoderTrace,
        from: usize,
        grad: &mut ArrayViewMut2<f32>,
    ) {
        let d = self.d_logits.slice(s![.., from..from + grad.nrows()]);
        match trace.dropped_readouts() {
            Some(dropped) => product_tn_acc(d, dropped.view(), grad),
            None => product_tn_acc(d, trace.readouts.view(), grad),
        }
    }

    /// Adds the gradient of the output bias `[V]`.
    pub fn accumulate_output_bias(&self, grad: &mut [f32]) {
        column_sums_acc(self.d_logits.view(), grad);
    }

    /// Adds the gradients of the readout layer.
    pub fn accumulate_readout(&self, trace: &DecoderTrace, wiring: Wiring, grad: &mut Linear) {
        let (contexts, states) = (trace.attention.contexts.view(), trace.cell.hidden.view());
        let parts = match wiring {
            Wiring::Bahdanau => vec![states, contexts, trace.embedded.view()],
            Wiring::Luong => vec![contexts, states],
        };
        let mut from = 0;
        for x in parts {
            let to = from + x.ncols();
            product_tn_acc(
                x,
                self.d_readouts.view(),
                &mut grad.w.slice_mut(s![from..to, ..]),
            );
            from = to;
        }
        if let Some(b) = &mut grad.b {
            column_sums_acc(
                self.d_readouts.view(),
                b.as_slice_mut().expect("contiguous"),
            );
        }
    }

    /// Adds the gradients of the cell.
    pub fn accumulate_cell(&self, trace: &DecoderTrace, wiring: Wiring, grad: &mut Cell) {
        let (rows, batch, e) = (trace.inputs.len(), trace.batch, trace.embedded.ncols());
        let d_input = self.cell.d_input.view();
        product_tn_acc(
            trace.embedded.view(),
            d_input,
            &mut grad.w_x.slice_mut(s![..e, ..]),
        );
        let mut feed = grad.w_x.slice_mut(s![e.., ..]);
        match wiring {
            Wiring::Bahdanau if trace.attention.weights.nrows() == 0 => {
                let context = trace.attention.contexts.slice(s![..batch, ..]);
                let d_input = over_steps(&self.cell.d_input, batch);
                product_tn_acc(context, d_input.view(), &mut feed);
            }
            Wiring::Bahdanau => product_tn_acc(trace.attention.contexts.view(), d_input, &mut feed),
            // The first step is fed zeros.
            Wiring::Luong if feed.nrows() > 0 => {
                let fed = trace.readouts.slice(s![..rows - batch, ..]);
                product_tn_acc(fed, d_input.slice(s![batch.., ..]), &mut feed);
            }
            Wiring::Luong => {}
        }
        let d = self.cell.recurrent();
        product_tn_acc(
            trace.start.cell.hidden.view(),
            d.slice(s![..batch, ..]),
            &mut grad.w_h.view_mut(),
        );
        let states = trace.cell.hidden.slice(s![..rows - batch, ..]);
        product_tn_acc(states, d.slice(s![batch.., ..]), &mut grad.w_h.view_mut());
        column_sums_acc(d_input, grad.b_x.as_slice_mut().expect("contiguous"));
        column_sums_acc(d, grad.b_h.as_slice_mut().expect("contiguous"));
    }

    /// Adds the gradients of the initial state's layer.
    pub fn accumulate_init(&self, states: &EncoderStates, grad: &mut Linear) {
        let half = states.values.ncols() / 2;
        Linear::accumulate(
            states.values.slice(s![..states.batch, half..]),
            self.d_init.view(),
            grad,
        );
    }
}
