//! A model that is forced through an output, and what can be wrong with asking about it.

use ndarray::{Array2, Axis};

use crate::engine::{
    CellState, DecodeSession, DecoderState, InterventionError, ScoreKind, Seq2Seq, Trace,
    step_limit,
};
use crate::numeric::{EmptySupport, exp_in_place, sum};
use crate::text::{END, START};

/// Numbers that one part of a computation may hold, roughly, so that long sentences fit into memory.
const MOST_NUMBERS: usize = 1 << 24;
/// Most rows of a batch. It does not follow the cores, so that the numbers do not.
const MOST_ROWS: usize = 8;

/// Why an attribution cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AttributionError {
    /// No source word.
    #[error("the source sentence is empty: expected at least one word")]
    EmptySource,
    /// No output word.
    #[error("the output is empty: expected at least one word")]
    EmptyOutput,
    /// More words than the program handles.
    #[error("the {side} has {found} words; at most {most} can be asked about")]
    TooLong {
        /// `source` or `output`.
        side: &'static str,
        /// Its words.
        found: usize,
        /// The most.
        most: usize,
    },
    /// An id outside its vocabulary.
    #[error("{side} id {token} is outside the vocabulary of {vocabulary}")]
    Token {
        /// `source` or `output`.
        side: &'static str,
        /// The id.
        token: u32,
        /// Size of the vocabulary.
        vocabulary: usize,
    },
    /// A source of one word, which would be left out.
    #[error("the source has only one word: without it nothing is left")]
    OneWord,
    /// A question about attention to a model without.
    #[error(
        "this model has no attention ({}): there are no weights",
        ScoreKind::Bottleneck
    )]
    NoAttention,
    /// Weights of a sentence of another length.
    #[error("the weights are of a sentence of {found} words; expected {expected}")]
    OtherLength {
        /// Its source words.
        found: usize,
        /// Source length `S`.
        expected: usize,
    },
    /// No point to evaluate an integral at, or absurdly many.
    #[error("{found} points for an integral: expected 1 to {most}")]
    Points {
        /// The points asked for.
        found: usize,
        /// The most.
        most: usize,
    },
    /// A wrong edit.
    #[error(transparent)]
    Intervention(#[from] InterventionError),
    /// Nothing to attend to. Edits are checked before, so this is not expected.
    #[error(transparent)]
    EmptySupport(#[from] EmptySupport),
    /// It was told to stop.
    #[error("cancelled")]
    Cancelled,
}

/// A network forced through an output, `B = 1`: the previous word of every step is the output's.
#[derive(Debug, Clone)]
pub struct Forced<'a> {
    network: &'a Seq2Seq,
    source: Vec<u32>,
    output: Vec<u32>,
    trace: Trace,
    log_probabilities: Vec<f64>,
}

impl<'a> Forced<'a> {
    /// Forces `network` from `source` `[S]` through `output` `[T]`, which holds its `</s>` if that is to be asked
    /// about.
    ///
    /// # Errors
    /// An empty or too long side, or an id outside its vocabulary.
    pub fn new(
        network: &'a Seq2Seq,
        source: Vec<u32>,
        output: Vec<u32>,
    ) -> Result<Self, AttributionError> {
        if output.is_empty() {
            return Err(AttributionError::EmptyOutput);
        }
        check_source(network, &source)?;
        let most = DecodeSession::LARGEST_STEP_LIMIT;
        check("output", &output, network.config().target_vocabulary, most)?;
        let inputs = inputs_of(&output);
        let trace = network.forward(&source, &inputs, 1, None, None)?;
        let log_probabilities = output
            .iter()
            .enumerate()
            .map(|(t, token)| log_probability(trace.decoder.logits(t), *token))
            .collect();
        Ok(Self {
            network,
            source,
            output,
            trace,
            log_probabilities,
        })
    }

    /// Forces `network` through its own greedy translation, with `</s>` where it came to one.
    ///
    /// # Errors
    /// An empty or too long source, or an id outside the vocabulary.
    pub fn greedy(network: &'a Seq2Seq, source: Vec<u32>) -> Result<Self, AttributionError> {
        check_source(network, &source)?;
        let mut output = network.translate(&[&source]).pop().unwrap_or_default();
        if output.len() < step_limit(source.len()) {
            output.push(END);
        }
        Self::new(network, source, output)
    }

    /// The network.
    pub const fn network(&self) -> &'a Seq2Seq {
        self.network
    }

    /// The source ids `[S]`.
    pub fn source(&self) -> &[u32] {
        &self.source
    }

    /// The output ids `[T]`.
    pub fn output(&self) -> &[u32] {
        &self.output
    }

    /// The forward pass.
    pub const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// `ln p` of each output word after those before it, in nats `[T]`.
    pub fn log_probabilities(&self) -> &[f64] {
        &self.log_probabilities
    }

    /// The attention weights `[T, S]`; `None` without attention.
    pub fn weights(&self) -> Option<&Array2<f32>> {
        let weights = &self.trace.decoder.attention.weights;
        (weights.nrows() > 0).then_some(weights)
    }

    /// The previous words of the first `steps` steps for a batch of `rows`, time-major.
    pub(super) fn inputs(&self, steps: usize, rows: usize) -> Vec<u32> {
        let inputs = inputs_of(&self.output[..steps]);
        inputs
            .into_iter()
            .flat_map(|input| std::iter::repeat_n(input, rows))
            .collect()
    }

    /// The decoder's start, once for each of `rows`.
    pub(super) fn start(&self, rows: usize) -> DecoderState {
        let start = &self.trace.decoder.start;
        let repeated = |matrix: &Array2<f32>| {
            let rows = if matrix.nrows() == 0 { 0 } else { rows };
            matrix.select(Axis(0), &vec![0; rows])
        };
        DecoderState {
            cell: CellState {
                hidden: repeated(&start.cell.hidden),
                memory: repeated(&start.cell.memory),
            },
            feed: repeated(&start.feed),
        }
    }

    /// Cuts `count` variants of this run into batches.
    pub(super) fn batches(&self, count: usize, most: usize) -> Vec<std::ops::Range<usize>> {
        let config = self.network.config();
        let logits = self.output.len() * config.target_vocabulary;
        // Gates, their gradients and the states, of both directions.
        let encoder = self.source.len() * 8 * config.keys();
        let size = (MOST_NUMBERS / (logits + encoder)).clamp(1, most);
        (0..count)
            .step_by(size)
            .map(|from| from..(from + size).min(count))
            .collect()
    }

    /// As [`batches`](Self::batches) of the usual size.
    pub(super) fn usual_batches(&self, count: usize) -> Vec<std::ops::Range<usize>> {
        self.batches(count, MOST_ROWS)
    }
}

/// `<s>` and all words but the last.
pub(super) fn inputs_of(output: &[u32]) -> Vec<u32> {
    let before = output.split_last().map_or(&[][..], |(_, before)| before);
    std::iter::once(START)
        .chain(before.iter().copied())
        .collect()
}

/// Whether `network` can read a source.
pub(super) fn check_source(network: &Seq2Seq, source: &[u32]) -> Result<(), AttributionError> {
    if source.is_empty() {
        return Err(AttributionError::EmptySource);
    }
    let vocabulary = network.config().source_vocabulary;
    check("source", source, vocabulary, DecodeSession::LONGEST_SOURCE)
}

fn check(
    side: &'static str,
    ids: &[u32],
    vocabulary: usize,
    most: usize,
) -> Result<(), AttributionError> {
    if ids.len() > most {
        let found = ids.len();
        return Err(AttributionError::TooLong { side, found, most });
    }
    match ids.iter().find(|id| **id as usize >= vocabulary) {
        Some(&token) => Err(AttributionError::Token {
            side,
            token,
            vocabulary,
        }),
        None => Ok(()),
    }
}

/// `ln p` of `token` in nats from logits `[V]`; the sum of the exponentials and what follows in double precision.
pub(super) fn log_probability(logits: &[f32], token: u32) -> f64 {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shifted: Vec<f32> = logits.iter().map(|x| x - max).collect();
    let own = f64::from(shifted[token as usize]);
    exp_in_place(&mut shifted);
    own - f64::from(sum(&shifted)).ln()
}
