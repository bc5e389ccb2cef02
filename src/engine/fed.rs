//! What a step makes of its context, computed for the encoder states once a sentence.
//!
//! The context is a weighted sum, and what follows it is linear: `W c = W Σ_j α_j h_j = Σ_j α_j (W h_j)`. With the
//! `W h_j` at hand a step reads `S` rows instead of the `K` of `W`, and no longer waits for a product. Without
//! attention there is one context for all steps, which counts as a single position here.

use ndarray::{Array2, s};

use super::attention::bottleneck;
use super::config::Wiring;
use super::decoder::Decoder;
use super::decoder_trace::DecoderTrace;
use super::encoder::EncoderStates;
use super::score::Rows;
use crate::numeric::{product, vec_mat_acc};

/// Most numbers of the weights `W` for which this pays. As long as they stay in a core's own cache, multiplying them with
/// all positions at once costs about as much as with four to six contexts; larger ones are read from memory at about the
/// speed of both cores at which steps read them.
const MOST_WEIGHTS: usize = 1 << 18;

/// `W h_j` of every position, for the weights that meet the context.
#[derive(Debug, Clone, PartialEq)]
pub struct Fed {
    /// Parts of the cell's gates `[S · B, gD]`; without attention `[B, gD]`.
    gates: Array2<f32>,
    /// Parts of the readout `[S · B, R]`; without attention `[B, R]`.
    readouts: Array2<f32>,
}

impl Decoder {
    /// What contexts of `states` become, where that is worth computing: in Bahdanau's wiring, for a single context, or
    /// for short sentences and weights that are not large. `embedding` is `E`.
    pub(super) fn fed(&self, states: &EncoderStates, embedding: usize) -> Option<Fed> {
        if self.wiring != Wiring::Bahdanau {
            return None;
        }
        let (d, k) = (self.size(), states.values.ncols());
        let w_feed = self.cell.w_x.slice(s![embedding.., ..]);
        let w_readout = self.readout.w.slice(s![d..d + k, ..]);
        let single;
        let rows = if self.score().attends() {
            if 2 * states.len > k || w_feed.len() + w_readout.len() > MOST_WEIGHTS {
                return None;
            }
            states.values.view()
        } else {
            single = bottleneck(states);
            single.view()
        };
        Some(Fed {
            gates: product(rows, w_feed),
            readouts: product(rows, w_readout),
        })
    }
}

impl Fed {
    /// Adds what the contexts of step `step` add to the gates of the trace, and to its readouts if `readouts`.
    pub(super) fn add(
        &self,
        trace: &mut DecoderTrace,
        step: usize,
        states: &EncoderStates,
        readouts: bool,
    ) {
        for b in 0..trace.batch {
            let row = step * trace.batch + b;
            let weights = trace.attention.applied(row).unwrap_or(&[1.0]);
            let add = |fed: &Array2<f32>, to: &mut Array2<f32>| {
                let fed = Rows::of(fed, states.own(b), states.batch);
                let to = super::cell::slice_mut(to, row);
                vec_mat_acc(weights, fed.values, fed.stride, to);
            };
            add(&self.gates, &mut trace.cell.gates);
            if readouts {
                add(&self.readouts, &mut trace.readouts);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::config::tests::tiny;
    use crate::engine::properties::matrix;
    use crate::engine::{CellKind, Intervene, ModelConfig, ScoreKind, Seq2Seq};
    use crate::numeric::{fill_normal, stream};

    fn network(score: ScoreKind, cell: CellKind) -> Seq2Seq {
        let config = ModelConfig {
            cell,
            encoder: 5,
            decoder: 10,
            ..tiny(score)
        };
        let mut network = Seq2Seq::initialised(&config.check().unwrap(), 1);
        for (i, parameter) in network.parameters_mut().into_iter().enumerate() {
            fill_normal(parameter.values, 0.5, &mut stream(&[i as u64]));
        }
        network
    }

    #[test]
    fn a_step_is_the_same_whether_its_context_was_fed_ahead() {
        let twice: Intervene = &|_, _, scores, weights| {
            // Any change: what is fed is what was applied.
            weights
                .iter_mut()
                .zip(scores)
                .for_each(|(w, s)| *w += s.abs());
            Ok(())
        };
        let kinds = ScoreKind::ALL.into_iter();
        let cells = kinds.flat_map(|score| CellKind::ALL.map(|cell| (score, cell)));
        for (score, cell) in cells {
            let network = network(score, cell);
            // One sentence for three hypotheses, and three sentences.
            for (source, sentences) in
                [(vec![5, 9, 6, 4], 1), (vec![5, 9, 6, 4, 8, 7, 4, 10, 6], 3)]
            {
                let states = network.encode(&source, sentences);
                assert!(states.fed.is_some());
                let mut plain = states.clone();
                plain.fed = None;
                let mut start = network.start(&states);
                if sentences == 1 {
                    start.cell.hidden = matrix(3, 10, &[2]);
                    start.cell.memory = matrix(start.cell.memory.nrows() * 3, 10, &[3]);
                    start.feed = Array2::zeros((3, 0));
                }
                for intervene in [None, Some(twice)] {
                    let step = |states| {
                        let trace = network.decode(&[5, 4, 7], start.clone(), states, intervene);
                        trace.unwrap()
                    };
                    let (found, expected) = (step(&states), step(&plain));
                    let pairs = [
                        (&found.logits, &expected.logits),
                        (&found.cell.hidden, &expected.cell.hidden),
                        (&found.readouts, &expected.readouts),
                    ];
                    for (found, expected) in pairs {
                        let mut pairs = found.iter().zip(expected);
                        assert!(pairs.all(|(a, b)| (a - b).abs() < 1e-5), "{score} {cell:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn long_sentences_and_other_wirings_feed_nothing_ahead() {
        let dot = network(ScoreKind::Dot, CellKind::Gru);
        assert!(dot.encode(&[5; 5], 1).fed.is_some());
        assert!(dot.encode(&[5; 6], 1).fed.is_none());
        let none = network(ScoreKind::Bottleneck, CellKind::Gru);
        assert!(none.encode(&[5; 6], 1).fed.is_some());
        let luong = ModelConfig {
            wiring: Wiring::Luong,
            ..tiny(ScoreKind::Dot)
        };
        let luong = Seq2Seq::initialised(&luong.check().unwrap(), 1);
        assert!(luong.encode(&[5; 2], 1).fed.is_none());
    }
}
