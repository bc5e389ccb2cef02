//! Floor 2: the attention encoder–decoder, its backward pass, and decoding.
//!
//! Letters, used in every shape comment: `B` batch, `S` source length, `T` target length, `N = T · B`,
//! `E` embedding, `H` encoder hidden size per direction, `K = 2H` key size, `D` decoder size, `A` attention
//! size, `R` readout size, `V` target vocabulary. Rows are target tokens, columns are source tokens.
//!
//! Batches are position- or time-major: row `t · B + b` of a matrix is step `t` of sentence `b`, so that one
//! step is one block. All sentences of a batch have the same source length.

mod attention;
mod backward;
mod beam;
mod branch;
mod cell;
mod checkpoint;
mod config;
mod container;
mod corpus;
mod cost;
mod decoder;
mod decoder_step;
mod decoder_trace;
mod encoder;
mod explain;
mod fed;
mod gates;
mod header;
mod input_gradient;
mod intervention;
mod layout;
mod linear;
mod network;
mod parameters;
mod policy;
#[cfg(test)]
mod properties;
mod score;
mod session;
mod step_weights;
mod timing;

pub use attention::{AttentionDeltas, AttentionTrace, Intervene};
pub use backward::DecoderDeltas;
pub use beam::{BeamError, BeamNode, BeamOptions, BeamResult, Fate, Hypothesis, beam_search};
pub use branch::{Branch, BranchNode, BranchTree, NodeId};
pub use cell::{Cell, CellState, CellTrace};
pub(crate) use checkpoint::LONGEST_FIELDS;
pub use checkpoint::{CheckpointError, FORMAT, Model, Precision};
pub use config::{CellKind, CheckedConfig, ConfigError, ModelConfig, ScoreKind, Wiring};
pub(crate) use container::{Container, serialise};
pub use corpus::{best_word, step_limit};
pub use cost::{CostFormula, Memory, Operations};
pub use decoder::{Decoder, ForwardOptions, Output};
pub use decoder_trace::{DecoderState, DecoderTrace};
pub use encoder::{Encoder, EncoderStates, EncoderTrace};
pub use explain::{
    ContextPart, LogitParts, ScorePart, ScoreParts, context_parts, unnormalised_context_norm,
};
pub use fed::Fed;
pub use input_gradient::{ForcedOutput, InputGradients};
pub use intervention::{
    Intervention, InterventionError, InterventionKind, Scope, TEMPERATURES, active_at,
    check_interventions, intervene,
};
pub use linear::{Dropout, Linear};
pub use network::{Deltas, Seq2Seq, Task, Trace};
pub use parameters::{Parameter, Parameters};
pub use policy::{Candidate, DecodePolicy, PolicyError, is_generated};
pub use score::{Rows, Score, ScoreGradients};
pub use session::{
    DecodeCommand, DecodeSession, DecodeStep, Outcome, SessionError, Status, StepTrace,
};
pub use step_weights::StepWeights;
pub use timing::Timing;
