//! What a run of the decoder leaves.

use ndarray::{Array2, s};

use super::attention::AttentionTrace;
use super::cell::{CellState, CellTrace, slice};

/// Where a decode stands, for `B` sentences or hypotheses.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DecoderState {
    /// The cell's state.
    pub cell: CellState,
    /// The previous readout `[B, R]`; `[B, 0]` without input feeding.
    pub feed: Array2<f32>,
}

/// All that a run of the decoder leaves: the cache of the backward pass and what the eye sees.
#[derive(Debug, Clone)]
pub struct DecoderTrace {
    /// Number of sentences `B`.
    pub batch: usize,
    /// The previous words `[N]`, time-major.
    pub inputs: Vec<u32>,
    /// Where the run began.
    pub start: DecoderState,
    /// Embeddings of the previous words, after dropout, `[N, E]`.
    pub embedded: Array2<f32>,
    /// The trace of the cell.
    pub cell: CellTrace,
    /// The trace of attention.
    pub attention: AttentionTrace,
    /// `[N, R]`, before dropout.
    pub readouts: Array2<f32>,
    /// `[N, V]`.
    pub logits: Array2<f32>,
    /// Dropout factors of embeddings and readouts.
    pub masks: Option<(Array2<f32>, Array2<f32>)>,
}

impl DecoderTrace {
    /// Number of steps `T`.
    pub fn steps(&self) -> usize {
        self.inputs.len() / self.batch
    }

    /// The state after step `step`.
    pub fn state_after(&self, step: usize) -> DecoderState {
        let at = step * self.batch;
        let feed = if self.start.feed.ncols() == 0 {
            0
        } else {
            self.readouts.ncols()
        };
        DecoderState {
            cell: self.cell.state(at, self.batch),
            feed: self
                .readouts
                .slice(s![at..at + self.batch, ..feed])
                .to_owned(),
        }
    }

    /// The state before step `step`.
    pub fn state_before(&self, step: usize) -> DecoderState {
        if step == 0 {
            self.start.clone()
        } else {
            self.state_after(step - 1)
        }
    }

    /// The logits of row `i`, `[V]`.
    pub fn logits(&self, i: usize) -> &[f32] {
        slice(&self.logits, i)
    }

    /// The readouts as the output layer saw them in training; `None` without dropout.
    pub(crate) fn dropped_readouts(&self) -> Option<Array2<f32>> {
        self.masks.as_ref().map(|(_, mask)| &self.readouts * mask)
    }
}
