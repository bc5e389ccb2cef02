//! The weights that every step of a batch multiplies with its few rows, laid out for that once an update.

use ndarray::{ArrayView2, ArrayViewMut2, s};
use smallvec::SmallVec;

use super::config::Wiring;
use super::network::{Seq2Seq, Task};
use crate::numeric::{Packed, product_acc, product_nt_acc};

/// A matrix `[I, O]` as the forward and the backward pass read it.
#[derive(Debug, Clone, Default)]
pub(super) struct StepWeight {
    forward: Packed,
    backward: Packed,
}

/// The matrices of a network that stand between one step and the next. They are those of the network for which
/// [`packing`](Self::packing) was last done.
#[derive(Debug, Clone, Default)]
pub struct StepWeights {
    /// `W_h` of the encoder, first to last position and last to first.
    pub(super) encoder: [StepWeight; 2],
    /// `W_h` of the decoder.
    pub(super) recurrent: StepWeight,
    /// The rows of the decoder's `W_x` that meet the context (Bahdanau) or the previous readout (Luong).
    pub(super) feed: StepWeight,
    /// `W_a` of the additive score.
    pub(super) query: StepWeight,
    /// Luong: the rows of the readout's weights that meet the context, and those that meet the state.
    pub(super) readout: [StepWeight; 2],
}

impl StepWeights {
    /// The work of laying out the weights of `network`, in pieces for any threads and in any order.
    pub fn packing<'a>(&'a mut self, network: &'a Seq2Seq) -> Vec<Task<'a>> {
        let (config, decoder) = (network.config(), &network.decoder);
        let Self {
            encoder: [first_to_last, last_to_first],
            recurrent,
            feed,
            query,
            readout: [contexts, states],
        } = self;
        let mut tasks = Vec::new();
        let mut add = |weight: &'a mut StepWeight, w: ArrayView2<'a, f32>| {
            let StepWeight { forward, backward } = weight;
            tasks.push(Box::new(move || forward.pack(w)) as Task);
            tasks.push(Box::new(move || backward.pack_transposed(w)) as Task);
        };
        add(recurrent, decoder.cell.w_h.view());
        // Without attention all steps share one context, which meets its weights once.
        if config.wiring == Wiring::Luong || config.score.attends() {
            add(feed, decoder.cell.w_x.slice(s![config.embedding.., ..]));
        }
        if let Some(w_a) = decoder.attention.query_projection() {
            add(query, w_a.view());
        }
        if config.wiring == Wiring::Luong {
            let w = &decoder.readout.w;
            add(contexts, w.slice(s![..config.keys(), ..]));
            add(states, w.slice(s![config.keys().., ..]));
        }
        add(first_to_last, network.encoder.forward.w_h.view());
        add(last_to_first, network.encoder.backward.w_h.view());
        tasks
    }
}

/// Products `y += x · w` that do not need each other, as `(x, w, y)`. They are few, and made at every step.
pub(super) type StepProducts<'a> = SmallVec<
    [(
        ArrayView2<'a, f32>,
        ArrayView2<'a, f32>,
        ArrayViewMut2<'a, f32>,
    ); 3],
>;

/// `y += x · w`, with the layout of `w` where there is one; `x` is `[B, I]`, `w` is `[I, O]`, `y` is `[B, O]`.
pub(super) fn step_product_acc(
    x: ArrayView2<f32>,
    w: ArrayView2<f32>,
    packed: Option<&StepWeight>,
    y: &mut ArrayViewMut2<f32>,
) {
    match packed {
        Some(weight) => weight.forward.product_acc(x, y),
        None => product_acc(x, w, y),
    }
}

/// As [`step_product_acc`]; a product without a layout is put to those that are shared [`later`](crate::numeric::products_acc).
pub(super) fn step_product_or_later<'a>(
    x: ArrayView2<'a, f32>,
    w: ArrayView2<'a, f32>,
    packed: Option<&StepWeight>,
    mut y: ArrayViewMut2<'a, f32>,
    later: &mut StepProducts<'a>,
) {
    match packed {
        Some(weight) => weight.forward.product_acc(x, &mut y),
        None => later.push((x, w, y)),
    }
}

/// `y += x · wᵀ`, with the layout of `w` where there is one; `x` is `[B, O]`, `w` is `[I, O]`, `y` is `[B, I]`.
pub(super) fn step_product_nt_acc(
    x: ArrayView2<f32>,
    w: ArrayView2<f32>,
    packed: Option<&StepWeight>,
    y: &mut ArrayViewMut2<f32>,
) {
    match packed {
        Some(weight) => weight.backward.product_acc(x, y),
        None => product_nt_acc(x, w, y),
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;
    use crate::engine::config::tests::tiny;
    use crate::engine::{CellKind, Deltas, ForwardOptions, ModelConfig, ScoreKind, Trace};
    use crate::numeric::{fill_normal, stream};

    const BATCH: usize = 5;

    /// A network, and another whose weights were laid out in the same memory before.
    fn networks(config: &ModelConfig) -> [Seq2Seq; 2] {
        [3, 4].map(|seed| {
            let mut network = Seq2Seq::initialised(&config.clone().check().unwrap(), seed);
            let all = network.parameters_mut().into_iter().enumerate();
            for (i, parameter) in all {
                fill_normal(parameter.values, 0.5, &mut stream(&[seed, i as u64]));
            }
            network
        })
    }

    /// A pass over a batch of five, and its gradient.
    fn pass(network: &Seq2Seq, packed: Option<&StepWeights>) -> (Vec<f32>, Vec<f32>) {
        let ids = |count: usize| (0..count as u32).map(|i| 4 + i * 3 % 5).collect::<Vec<_>>();
        let (source, inputs) = (ids(4 * BATCH), ids(3 * BATCH));
        let options = ForwardOptions {
            packed,
            ..ForwardOptions::default()
        };
        let trace: Trace = network
            .forward_with(&source, &inputs, BATCH, None, options)
            .unwrap();
        let logits = trace.decoder.logits.clone();
        let d_logits = Array2::from_shape_fn(logits.dim(), |(i, j)| (i as f32 - j as f32) / 10.0);
        let deltas: Deltas = network.backward_with(&trace, d_logits, packed);
        let mut gradient = Seq2Seq::zeros(network.checked_config());
        let passes = [(trace, deltas)];
        gradient
            .accumulation(&passes, 1)
            .into_iter()
            .for_each(|task| task());
        let gradient = gradient.parameters().into_iter();
        let gradient = gradient.flat_map(|parameter| parameter.values.to_vec());
        (logits.into_raw_vec_and_offset().0, gradient.collect())
    }

    #[test]
    fn laid_out_weights_give_the_same_numbers() {
        let wirings = [
            (Wiring::Bahdanau, false),
            (Wiring::Luong, false),
            (Wiring::Luong, true),
        ];
        for score in ScoreKind::ALL {
            for (cell, (wiring, input_feeding)) in CellKind::ALL
                .into_iter()
                .flat_map(|cell| wirings.map(|wiring| (cell, wiring)))
            {
                let config = ModelConfig {
                    cell,
                    wiring,
                    input_feeding,
                    ..tiny(score)
                };
                let [network, other] = networks(&config);
                let mut weights = StepWeights::default();
                for network in [&other, &network] {
                    weights.packing(network).into_iter().for_each(|task| task());
                }
                let (logits, gradient) = pass(&network, None);
                let (found, found_gradient) = pass(&network, Some(&weights));
                let near = |a: &[f32], b: &[f32]| {
                    a.iter()
                        .zip(b)
                        .all(|(a, b)| (a - b).abs() < 1e-4 * (1.0 + b.abs()))
                };
                assert!(near(&found, &logits), "{score} {cell:?} {wiring:?}");
                assert!(
                    near(&found_gradient, &gradient),
                    "{score} {cell:?} {wiring:?}"
                );
                // They are what was computed with: those of another network give other numbers.
                other_weights_matter(&network, &other, &logits);
            }
        }
    }

    fn other_weights_matter(network: &Seq2Seq, other: &Seq2Seq, logits: &[f32]) {
        let mut weights = StepWeights::default();
        weights.packing(other).into_iter().for_each(|task| task());
        assert_ne!(pass(network, Some(&weights)).0, logits);
    }
}
