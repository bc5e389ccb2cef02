//! One decoder step: what the network computed, and what was chosen from it.

use std::sync::Arc;

use ndarray::Array2;

use crate::engine::cell::slice;
use crate::engine::decoder_trace::{DecoderState, DecoderTrace};
use crate::engine::intervention::InterventionKind;
use crate::engine::policy::{Candidate, best};
use crate::numeric::log_softmax;

/// All that the network computed at one position, for one input and one set of interventions. Every choice of a
/// token at this position shares it.
#[derive(Debug, Clone, PartialEq)]
pub struct StepTrace {
    /// Number of the computation within its session.
    pub(super) key: u64,
    /// Target position, from 0.
    pub position: usize,
    /// The previous token `y_{t−1}`, `<s>` at position 0.
    pub input: u32,
    /// `q_t` `[D]`; empty for the bottleneck.
    pub query: Vec<f32>,
    /// `W_a q_t` `[A]` for the additive score; empty otherwise.
    pub projected_query: Vec<f32>,
    /// `e_t` `[S]`; `None` for the bottleneck.
    pub scores: Option<Arc<[f32]>>,
    /// `α_t` as the model computed it, `[S]`; `None` for the bottleneck.
    pub weights: Option<Arc<[f32]>>,
    /// The weights that made the context, `[S]`: the same `Arc` as `weights` where nothing intervened.
    pub applied_weights: Option<Arc<[f32]>>,
    /// `c_t` `[K]`.
    pub context: Vec<f32>,
    /// The activated gates of the cell `[gD]`: r, z, n (GRU) or i, f, g, o (LSTM).
    pub gates: Vec<f32>,
    /// `r_t`, in the Luong wiring `s̃_t`, `[R]`.
    pub readout: Vec<f32>,
    /// `ln p(y_t = v)` in nats, `[V]`, special entries included.
    pub log_probabilities: Vec<f32>,
    /// The interventions that acted here, in order.
    pub interventions: Arc<[InterventionKind]>,
    /// The decoder's state after the step, `B = 1`.
    pub after: DecoderState,
}

impl StepTrace {
    /// Row 0 of a run of one step and one sentence.
    pub(super) fn new(
        trace: &DecoderTrace,
        position: usize,
        interventions: Arc<[InterventionKind]>,
        key: u64,
    ) -> Self {
        let attention = &trace.attention;
        let row = |matrix: &Array2<f32>| {
            if matrix.nrows() == 0 {
                Vec::new()
            } else {
                slice(matrix, 0).to_vec()
            }
        };
        let attended =
            |matrix: &Array2<f32>| (matrix.nrows() > 0).then(|| Arc::from(slice(matrix, 0)));
        let weights = attended(&attention.weights);
        let mut log_probabilities = trace.logits(0).to_vec();
        log_softmax(&mut log_probabilities);
        Self {
            key,
            position,
            input: trace.inputs[0],
            query: row(&attention.queries),
            projected_query: row(&attention.projected),
            scores: attended(&attention.scores),
            applied_weights: attended(&attention.applied).or_else(|| weights.clone()),
            weights,
            context: row(&attention.contexts),
            gates: row(&trace.cell.gates),
            readout: row(&trace.readouts),
            log_probabilities,
            interventions,
            after: trace.state_after(0),
        }
    }

    /// The decoder's state `s_t` `[D]`.
    pub fn state(&self) -> &[f32] {
        slice(&self.after.cell.hidden, 0)
    }

    /// The LSTM's memory `m_t` `[D]`; `None` for a GRU.
    pub fn memory(&self) -> Option<&[f32]> {
        let memory = &self.after.cell.memory;
        (memory.nrows() > 0).then(|| slice(memory, 0))
    }

    /// Whether interventions changed the weights of this step.
    pub fn is_intervened(&self) -> bool {
        !self.interventions.is_empty()
    }

    /// The `k` most probable tokens, special entries included, best first, the smaller id first on a tie.
    pub fn top(&self, k: usize) -> Vec<Candidate> {
        best(&self.log_probabilities, k, |_| true)
    }
}

/// A step that was taken: immutable, and shared by all branches that run through it. It reads like its
/// [`StepTrace`].
#[derive(Debug, Clone, PartialEq)]
pub struct DecodeStep {
    /// What the network computed.
    pub trace: Arc<StepTrace>,
    /// The token that was taken.
    pub chosen: u32,
    /// Whether a person chose it; such a choice stays when earlier steps change.
    pub forced: bool,
    /// Of the chosen token, in nats.
    pub log_probability: f32,
    /// Of the tokens from the start to this one, in nats.
    pub total_log_probability: f64,
}

impl std::ops::Deref for DecodeStep {
    type Target = StepTrace;

    fn deref(&self) -> &StepTrace {
        &self.trace
    }
}

impl DecodeStep {
    /// The step that takes `chosen` after `before`, the sum up to there.
    pub(super) fn new(trace: Arc<StepTrace>, chosen: u32, forced: bool, before: f64) -> Self {
        let log_probability = trace.log_probabilities[chosen as usize];
        let total_log_probability = before + f64::from(log_probability);
        Self {
            trace,
            chosen,
            forced,
            log_probability,
            total_log_probability,
        }
    }
}
