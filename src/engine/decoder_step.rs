//! The products of a decoder step.

use ndarray::{Array2, s};

use super::decoder::Decoder;
use super::decoder_trace::{DecoderState, DecoderTrace};
use super::encoder::EncoderStates;
use super::fed::Fed;
use super::step_weights::{StepProducts, StepWeights, step_product_acc, step_product_or_later};
use crate::numeric::{add_bias, product_acc, products_acc, tanh_in_place};

impl Decoder {
    /// Luong: the query as the keys are compared with it, `[B, A]`; `None` where it is used as it is.
    pub(super) fn project(
        &self,
        query: &Array2<f32>,
        packed: Option<&StepWeights>,
    ) -> Option<Array2<f32>> {
        let w_a = self.attention.query_projection()?;
        let mut projected = Array2::zeros((query.nrows(), w_a.ncols()));
        let packed = packed.map(|weights| &weights.query);
        let out = &mut projected.view_mut();
        step_product_acc(query.view(), w_a.view(), packed, out);
        Some(projected)
    }

    /// Bahdanau: the products of a step that do not wait for its context. `s_{t−1} · W_h` `[B, gD]` and the projected
    /// query `[B, A]`, where there is one; and if the run is a single step the embedding's parts of the gates and of the
    /// readout.
    pub(super) fn ahead(
        &self,
        trace: &mut DecoderTrace,
        previous: &DecoderState,
        packed: Option<&StepWeights>,
    ) -> (Array2<f32>, Option<Array2<f32>>) {
        let (batch, e) = (trace.batch, trace.embedded.ncols());
        let state = previous.cell.hidden.view();
        let w_a = self.attention.query_projection();
        let mut recurrent = Array2::zeros((batch, self.cell.w_h.ncols()));
        let mut query = w_a.map(|w_a| Array2::zeros((batch, w_a.ncols())));
        let mut products = StepProducts::new();
        let packed_h = packed.map(|weights| &weights.recurrent);
        let (w_h, out) = (self.cell.w_h.view(), recurrent.view_mut());
        step_product_or_later(state, w_h, packed_h, out, &mut products);
        if let (Some(w_a), Some(query)) = (w_a, &mut query) {
            let packed_a = packed.map(|weights| &weights.query);
            let (w_a, out) = (w_a.view(), query.view_mut());
            step_product_or_later(state, w_a, packed_a, out, &mut products);
        }
        if trace.inputs.len() == batch {
            let w_x = self.cell.w_x.slice(s![..e, ..]);
            products.push((trace.embedded.view(), w_x, trace.cell.gates.view_mut()));
            let w_r = self.readout.w.slice(s![self.readout.w.nrows() - e.., ..]);
            products.push((trace.embedded.view(), w_r, trace.readouts.view_mut()));
        }
        products_acc(&mut products);
        drop(products);
        (recurrent, query)
    }

    /// Bahdanau: the products that wait for the context of a step. Its part of the gates, and if the run is a single step
    /// that of the readout.
    pub(super) fn behind(
        &self,
        trace: &mut DecoderTrace,
        step: usize,
        states: &EncoderStates,
        fed: Option<&Fed>,
        packed: Option<&StepWeights>,
    ) {
        let batch = trace.batch;
        let is_single = trace.inputs.len() == batch;
        if let Some(fed) = fed {
            return fed.add(trace, step, states, is_single);
        }
        let rows = s![step * batch..(step + 1) * batch, ..];
        let (d, k) = (self.size(), trace.attention.contexts.ncols());
        let w_feed = self.cell.w_x.slice(s![trace.embedded.ncols().., ..]);
        let gates = trace.cell.gates.slice_mut(rows);
        let context = trace.attention.contexts.slice(rows);
        let mut products = StepProducts::new();
        let packed = packed.map(|weights| &weights.feed);
        step_product_or_later(context, w_feed, packed, gates, &mut products);
        if is_single {
            let w = self.readout.w.slice(s![d..d + k, ..]);
            products.push((context, w, trace.readouts.view_mut()));
        }
        products_acc(&mut products);
    }

    /// `r_t = tanh(W_r [s_t ; c_t ; emb] + b_r)` for all steps.
    pub(super) fn bahdanau_readouts(&self, trace: &mut DecoderTrace) {
        let (d, k) = (self.size(), trace.attention.contexts.ncols());
        let w = &self.readout.w;
        if let Some(b) = &self.readout.b {
            add_bias(&mut trace.readouts, b.view());
        }
        let mut out = trace.readouts.view_mut();
        // Of a single step context and word are in it already, see `behind`.
        if trace.inputs.len() > trace.batch {
            let contexts = trace.attention.contexts.view();
            product_acc(contexts, w.slice(s![d..d + k, ..]), &mut out);
            product_acc(trace.embedded.view(), w.slice(s![d + k.., ..]), &mut out);
        }
        product_acc(trace.cell.hidden.view(), w.slice(s![..d, ..]), &mut out);
        tanh_in_place(trace.readouts.as_slice_mut().expect("contiguous"));
    }
}
