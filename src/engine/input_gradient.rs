//! The gradient of single outputs with respect to what the network was given of the source.
//!
//! The backward pass adds the gradients of all steps. Here each output `t` has a row of the batch to itself:
//! the rows of the forward pass are copied for it, the gradient of its logits is that of `ln p(y_t)`, and one
//! backward pass over all the copies gives one gradient for each output.
//!
//! ```text
//! d ln p(y) / d logits = onehot(y) − p
//! ```

use ndarray::Array2;

use super::attention::AttentionTrace;
use super::cell::{CellState, CellTrace, slice, slice_mut};
use super::decoder_trace::{DecoderState, DecoderTrace};
use super::encoder::{EncoderStates, EncoderTrace};
use super::network::{Seq2Seq, Trace};
use crate::numeric::softmax;

/// One output of a forward pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForcedOutput {
    /// The sentence of the batch.
    pub sentence: usize,
    /// The decoder step, from 0.
    pub step: usize,
    /// The token whose `ln p` is meant.
    pub token: u32,
}

/// Gradients of `ln p` of `n` outputs; row `j · n + i` belongs to source position `j` and output `i`.
#[derive(Debug, Clone, PartialEq)]
pub struct InputGradients {
    /// With respect to the source embeddings `[S · n, E]`.
    pub d_embedded: Array2<f32>,
    /// With respect to the encoder states `[S · n, K]` as the decoder reads them: in attention, and in its
    /// initial state.
    pub d_states: Array2<f32>,
    /// The whole derivative with respect to the encoder states `[S · n, K]`: also through the later states of
    /// the same direction.
    pub d_states_whole: Array2<f32>,
}

impl Seq2Seq {
    /// The gradients of `ln p` of each of `outputs` with respect to embeddings and encoder states. Steps after
    /// the last of them are not walked back. A trace of a masked source or with dropout is not meant.
    ///
    /// # Panics
    /// If an output is outside the trace or the vocabulary.
    pub fn input_gradients(&self, trace: &Trace, outputs: &[ForcedOutput]) -> InputGradients {
        let members: Vec<usize> = outputs.iter().map(|output| output.sentence).collect();
        let d_states = self.state_gradients(&trace.states, &trace.decoder, outputs);
        let batch = trace.states.batch;
        let encoder = EncoderTrace {
            forward: trace.encoder.forward.of(batch, &members, trace.states.len),
            backward: trace.encoder.backward.of(batch, &members, trace.states.len),
        };
        let (d_embedded, d_states_whole) =
            self.encoder
                .backward_whole(&encoder, d_states.view(), members.len());
        InputGradients {
            d_embedded,
            d_states,
            d_states_whole,
        }
    }

    /// The part of [`input_gradients`](Self::input_gradients) that needs no encoder: `d_states` `[S · n, K]`.
    ///
    /// # Panics
    /// If an output is outside the trace or the vocabulary.
    pub fn state_gradients(
        &self,
        states: &EncoderStates,
        trace: &DecoderTrace,
        outputs: &[ForcedOutput],
    ) -> Array2<f32> {
        let members: Vec<usize> = outputs.iter().map(|output| output.sentence).collect();
        let steps = outputs.iter().map(|output| output.step + 1).max();
        let copies = trace.of(&members, steps.unwrap_or(0));
        let mut d_logits = Array2::zeros((outputs.len(), trace.logits.ncols()));
        for (i, output) in outputs.iter().enumerate() {
            let row = slice_mut(&mut d_logits, i);
            row.copy_from_slice(trace.logits(output.step * trace.batch + output.sentence));
            softmax(row);
            row.iter_mut().for_each(|p| *p = -*p);
            row[output.token as usize] += 1.0;
        }
        // Only these rows of the readouts have a gradient of their own.
        let d_outputs = self
            .decoder
            .output_backward(&self.target_embedding, d_logits.view());
        let mut d_readouts = Array2::zeros(copies.readouts.dim());
        for (i, output) in outputs.iter().enumerate() {
            slice_mut(&mut d_readouts, output.step * members.len() + i)
                .copy_from_slice(slice(&d_outputs, i));
        }
        let states = states.of(&members);
        self.decoder
            .backward_from(&copies, &states, d_readouts, None)
            .0
    }
}

/// Rows of `members` of a matrix `[steps · batch, ·]`, the first `steps` of them; an empty matrix stays empty.
fn rows_of(matrix: &Array2<f32>, batch: usize, members: &[usize], steps: usize) -> Array2<f32> {
    if matrix.nrows() == 0 {
        return Array2::zeros(matrix.dim());
    }
    let mut out = Array2::zeros((steps * members.len(), matrix.ncols()));
    for step in 0..steps {
        for (i, member) in members.iter().enumerate() {
            slice_mut(&mut out, step * members.len() + i)
                .copy_from_slice(slice(matrix, step * batch + member));
        }
    }
    out
}

impl CellTrace {
    fn of(&self, batch: usize, members: &[usize], steps: usize) -> Self {
        let rows = |matrix| rows_of(matrix, batch, members, steps);
        Self {
            gates: rows(&self.gates),
            inner: rows(&self.inner),
            hidden: rows(&self.hidden),
            memory: rows(&self.memory),
        }
    }
}

impl EncoderStates {
    /// Copies for `members`; one sentence that served all queries is copied for each.
    fn of(&self, members: &[usize]) -> Self {
        let own: Vec<usize> = members
            .iter()
            .map(|member| if self.batch == 1 { 0 } else { *member })
            .collect();
        Self {
            len: self.len,
            batch: members.len(),
            values: rows_of(&self.values, self.batch, &own, self.len),
            keys: self
                .keys
                .as_ref()
                .map(|keys| rows_of(keys, self.batch, &own, self.len)),
            fed: None,
            mask: None,
        }
    }
}

impl DecoderTrace {
    /// Copies of the first `steps` steps of `members`, without logits.
    fn of(&self, members: &[usize], steps: usize) -> Self {
        let batch = self.batch;
        let rows = |matrix| rows_of(matrix, batch, members, steps);
        let start = |matrix| rows_of(matrix, batch, members, 1);
        let inputs =
            (0..steps).flat_map(|t| members.iter().map(move |m| self.inputs[t * batch + m]));
        Self {
            batch: members.len(),
            inputs: inputs.collect(),
            start: DecoderState {
                cell: CellState {
                    hidden: start(&self.start.cell.hidden),
                    memory: start(&self.start.cell.memory),
                },
                feed: start(&self.start.feed),
            },
            embedded: rows(&self.embedded),
            cell: self.cell.of(batch, members, steps),
            attention: AttentionTrace {
                queries: rows(&self.attention.queries),
                projected: rows(&self.attention.projected),
                scores: rows(&self.attention.scores),
                weights: rows(&self.attention.weights),
                applied: Array2::zeros((0, self.attention.applied.ncols())),
                contexts: rows(&self.attention.contexts),
            },
            readouts: rows(&self.readouts),
            logits: Array2::zeros((0, self.logits.ncols())),
            masks: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::config::tests::tiny;
    use crate::engine::{CellKind, ModelConfig, ScoreKind, Wiring};
    use crate::numeric::log_softmax;

    fn networks() -> impl Iterator<Item = (String, Seq2Seq)> {
        ScoreKind::ALL.into_iter().flat_map(|score| {
            let kinds = [
                (CellKind::Gru, Wiring::Bahdanau, false),
                (CellKind::Lstm, Wiring::Bahdanau, false),
                (CellKind::Gru, Wiring::Luong, true),
                (CellKind::Lstm, Wiring::Luong, false),
            ];
            kinds.map(|(cell, wiring, input_feeding)| {
                let config = ModelConfig {
                    cell,
                    wiring,
                    input_feeding,
                    ..tiny(score)
                };
                let mut network = Seq2Seq::initialised(&config.check().unwrap(), 3);
                for parameter in network.parameters_mut() {
                    parameter.values.iter_mut().for_each(|v| *v *= 2.0);
                }
                (format!("{score} {cell:?} {wiring:?}"), network)
            })
        })
    }

    const SOURCES: [u32; 6] = [5, 9, 6, 4, 9, 10];
    const INPUTS: [u32; 6] = [1, 1, 4, 7, 8, 3];

    /// `ln p` of an output from embeddings `[S · B, E]`.
    fn log_probability(network: &Seq2Seq, embedded: &Array2<f32>, output: ForcedOutput) -> f64 {
        let trace = network
            .forward_embedded(embedded.clone(), &INPUTS, 2)
            .unwrap();
        let mut row = trace
            .decoder
            .logits(output.step * 2 + output.sentence)
            .to_vec();
        log_softmax(&mut row);
        f64::from(row[output.token as usize])
    }

    #[test]
    fn every_output_has_the_slope_of_its_own_probability() {
        let output = |sentence, step, token| ForcedOutput {
            sentence,
            step,
            token,
        };
        let outputs = [output(0, 2, 7), output(1, 0, 4), output(1, 2, 2)];
        for (name, network) in networks() {
            let trace = network.forward(&SOURCES, &INPUTS, 2, None, None).unwrap();
            let gradients = network.input_gradients(&trace, &outputs);
            for (i, output) in outputs.into_iter().enumerate() {
                for j in 0..3 {
                    for k in 0..4 {
                        let at = [j * 2 + output.sentence, k];
                        let moved = |by: f32| {
                            let mut embedded = trace.embedded.clone();
                            embedded[at] += by;
                            log_probability(&network, &embedded, output)
                        };
                        let slope = (moved(1e-2) - moved(-1e-2)) / 2e-2;
                        let found = f64::from(gradients.d_embedded[[j * 3 + i, k]]);
                        assert!(
                            (slope - found).abs() < 2e-4 + 2e-3 * slope.abs(),
                            "{name}: {slope} {found}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_outputs_together_are_the_plain_backward_pass() {
        for (name, network) in networks() {
            let trace = network.forward(&SOURCES, &INPUTS, 2, None, None).unwrap();
            let outputs: Vec<ForcedOutput> = (0..6)
                .map(|row| ForcedOutput {
                    sentence: row % 2,
                    step: row / 2,
                    token: 3 + row as u32,
                })
                .collect();
            let mut d_logits = trace.decoder.logits.clone();
            for (row, output) in d_logits.rows_mut().into_iter().zip(&outputs) {
                let row = row.into_slice().unwrap();
                softmax(row);
                row[output.token as usize] -= 1.0;
            }
            let whole = network.backward(&trace, d_logits).d_source;
            let gradients = network.input_gradients(&trace, &outputs);
            for j in 0..3 {
                for sentence in 0..2 {
                    for k in 0..4 {
                        let rows = (0..6).filter(|row| row % 2 == sentence);
                        let sum: f32 = rows.map(|i| gradients.d_embedded[[j * 6 + i, k]]).sum();
                        let expected = -whole[[j * 2 + sentence, k]];
                        assert!((sum - expected).abs() < 1e-5, "{name}: {sum} {expected}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_whole_derivative_of_a_last_state_is_its_reading() {
        for (name, network) in networks() {
            let trace = network.forward(&SOURCES, &INPUTS, 2, None, None).unwrap();
            let output = ForcedOutput {
                sentence: 1,
                step: 2,
                token: 5,
            };
            let InputGradients {
                d_states: read,
                d_states_whole: whole,
                ..
            } = network.input_gradients(&trace, &[output]);
            // Nothing follows the last position of either direction; earlier ones have more than their reading.
            for k in 0..3 {
                assert_eq!(whole[[2, k]], read[[2, k]], "{name}");
                assert_eq!(whole[[0, 3 + k]], read[[0, 3 + k]], "{name}");
            }
            assert!((0..3).any(|k| whole[[0, k]] != read[[0, k]]), "{name}");
        }
    }
}
