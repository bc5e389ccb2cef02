//! Beam search: the most probable sentences, found by keeping the best few beginnings.
//!
//! Every step extends all live hypotheses in one batch, and keeps the `size − f` best continuations, `f` being
//! the number of hypotheses that are finished: one that takes `</s>` leaves the beam and keeps its place in it,
//! as in Bahdanau, Cho and Bengio (2015). Finished hypotheses are compared by
//!
//! ```text
//! score(y) = ln p(y | x) / ((5 + T) / 6)^a        T tokens, </s> included        Wu et al. 2016
//! ```

use std::sync::Arc;

use ndarray::{Array2, Axis};
use serde::{Deserialize, Serialize};

use super::cell::CellState;
use super::decoder_trace::{DecoderState, DecoderTrace};
use super::encoder::EncoderStates;
use super::intervention::{
    Intervention, InterventionError, active_at, check_interventions, intervene,
};
use super::network::Seq2Seq;
use super::policy::{best, is_generated};
use super::session::DecodeSession;
use crate::numeric::{EmptySupport, log_softmax};
use crate::text::{END, START};

/// How to search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BeamOptions {
    /// Hypotheses kept, 1 to 16; 1 is greedy.
    pub size: usize,
    /// The largest number of tokens, `</s>` included.
    pub step_limit: usize,
    /// The exponent `a` of the length normalisation: 0 compares plain log-probabilities, which prefers short
    /// sentences; finite, not negative.
    pub length_exponent: f32,
    /// Whether the tree also holds the continuations that were looked at and dropped.
    pub keep_pruned: bool,
    /// Changes to the attention weights, as in a session.
    pub interventions: Vec<Intervention>,
}

impl Default for BeamOptions {
    fn default() -> Self {
        Self {
            size: 4,
            step_limit: 100,
            length_exponent: 0.6,
            keep_pruned: true,
            interventions: Vec::new(),
        }
    }
}

/// Why a search was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BeamError {
    /// A beam of 0, or too many hypotheses.
    #[error("beam size {found} must be from 1 to {}", BeamOptions::LARGEST_SIZE)]
    Size {
        /// The size given.
        found: usize,
    },
    /// A step limit of 0, or an absurd one.
    #[error(
        "step limit {found} must be from 1 to {}",
        DecodeSession::LARGEST_STEP_LIMIT
    )]
    StepLimit {
        /// The limit given.
        found: usize,
    },
    /// An exponent that is negative or not a finite number.
    #[error("length exponent {0} must be a number of at least 0")]
    LengthExponent(f32),
    /// A wrong intervention.
    #[error(transparent)]
    Intervention(#[from] InterventionError),
    /// A mask and the interventions together leave nothing to attend to.
    #[error(transparent)]
    EmptySupport(#[from] EmptySupport),
}

/// What became of a node of the search tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It was kept and continued.
    Continued,
    /// It took `</s>`.
    Finished,
    /// It was not among the best.
    Pruned,
    /// It reached the step limit.
    StepLimit,
}

/// A token in the search tree.
#[derive(Debug, Clone, PartialEq)]
pub struct BeamNode {
    /// Index of the node before it in [`BeamResult::nodes`]; `None` at step 0.
    pub parent: Option<usize>,
    /// Its position in the sentence, from 0.
    pub step: usize,
    /// Target id.
    pub token: u32,
    /// Of the token, in nats.
    pub log_probability: f32,
    /// Of the tokens from the start to this one, in nats.
    pub total_log_probability: f64,
    /// `total_log_probability` normalised for the length up to here.
    pub score: f64,
    /// What became of it.
    pub fate: Fate,
    /// The weights that made the context of this step, `[S]`, shared by all continuations of one hypothesis;
    /// `None` for the bottleneck.
    pub weights: Option<Arc<[f32]>>,
}

/// A sentence that the search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypothesis {
    /// Its nodes in [`BeamResult::nodes`], from position 0.
    pub nodes: Vec<usize>,
    /// Target ids `[T]`, `</s>` included if it is finished.
    pub tokens: Vec<u32>,
    /// Of each token, in nats, `[T]`.
    pub log_probabilities: Vec<f32>,
    /// One row `[S]` a token; empty for the bottleneck.
    pub weights: Vec<Arc<[f32]>>,
    /// Sum of `log_probabilities`.
    pub total_log_probability: f64,
    /// Normalised for the length.
    pub score: f64,
    /// Whether it took `</s>`; if not, it was cut at the step limit.
    pub finished: bool,
}

/// What a search found, and the way it took.
#[derive(Debug, Clone, PartialEq)]
pub struct BeamResult {
    /// The finished hypotheses, best score first; behind them those that were cut at the step limit.
    pub hypotheses: Vec<Hypothesis>,
    /// The search tree, by step, within a step best first.
    pub nodes: Vec<BeamNode>,
    /// How many steps the search took.
    pub steps: usize,
}

impl BeamOptions {
    /// The largest beam.
    pub const LARGEST_SIZE: usize = 16;

    fn check(&self, states: &EncoderStates, attends: bool) -> Result<(), BeamError> {
        if !(1..=Self::LARGEST_SIZE).contains(&self.size) {
            return Err(BeamError::Size { found: self.size });
        }
        if !(1..=DecodeSession::LARGEST_STEP_LIMIT).contains(&self.step_limit) {
            return Err(BeamError::StepLimit {
                found: self.step_limit,
            });
        }
        if !(self.length_exponent.is_finite() && self.length_exponent >= 0.0) {
            return Err(BeamError::LengthExponent(self.length_exponent));
        }
        Ok(check_interventions(
            &self.interventions,
            states.len,
            attends,
        )?)
    }

    /// `total / ((5 + T) / 6)^a`.
    fn normalised(&self, total: f64, tokens: usize) -> f64 {
        total / ((5.0 + tokens as f64) / 6.0).powf(f64::from(self.length_exponent))
    }
}

/// Searches for the most probable translations of the one source sentence of `states`.
///
/// # Errors
/// [`BeamError`] for options out of range, or if a mask leaves nothing to attend to.
///
/// # Panics
/// If `states` holds several sentences.
pub fn beam_search(
    network: &Seq2Seq,
    states: &EncoderStates,
    options: &BeamOptions,
) -> Result<BeamResult, BeamError> {
    assert_eq!(states.batch, 1, "a beam decodes one sentence");
    options.check(states, network.config().score.attends())?;
    let mut nodes: Vec<BeamNode> = Vec::new();
    // The live hypotheses, as indices of nodes; row `i` of the state belongs to the `i`th.
    let mut live: Vec<Option<usize>> = vec![None];
    let mut state = network.start(states);
    let mut finished = 0;
    let mut steps = 0;
    while !live.is_empty() && steps < options.step_limit {
        let inputs: Vec<u32> = live
            .iter()
            .map(|node| node.map_or(START, |i| nodes[i].token))
            .collect();
        let active = active_at(&options.interventions, steps);
        let change = |_: usize, b: usize, scores: &[f32], weights: &mut [f32]| {
            intervene(&active, steps, states.mask(b), scores, weights)
        };
        let run = network.decode(
            &inputs,
            state,
            states,
            if active.is_empty() {
                None
            } else {
                Some(&change)
            },
        )?;
        let mut found = continuations(&run, &live, &nodes, steps, options);
        // A stable order: equal sums stay ordered by hypothesis and then by token.
        found.sort_by(|(_, a), (_, b)| b.total_log_probability.total_cmp(&a.total_log_probability));
        steps += 1;
        let places = options.size - finished;
        let (mut rows, mut next) = (Vec::new(), Vec::new());
        for (rank, (row, mut node)) in found.into_iter().enumerate() {
            node.fate = match (rank < places, node.token) {
                (false, _) => Fate::Pruned,
                (true, END) => Fate::Finished,
                (true, _) if steps == options.step_limit => Fate::StepLimit,
                (true, _) => Fate::Continued,
            };
            match node.fate {
                Fate::Continued => {
                    rows.push(row);
                    next.push(Some(nodes.len()));
                }
                Fate::Finished => finished += 1,
                Fate::Pruned | Fate::StepLimit => {}
            }
            if node.fate != Fate::Pruned || options.keep_pruned {
                nodes.push(node);
            }
        }
        live = next;
        state = select(&run.state_after(0), &rows);
    }
    Ok(BeamResult {
        hypotheses: hypotheses(&nodes),
        nodes,
        steps,
    })
}

/// The best `size` continuations of every live hypothesis, with its row; no others can be kept.
fn continuations(
    run: &DecoderTrace,
    live: &[Option<usize>],
    nodes: &[BeamNode],
    step: usize,
    options: &BeamOptions,
) -> Vec<(usize, BeamNode)> {
    let mut found = Vec::with_capacity(live.len() * options.size);
    for (row, parent) in live.iter().copied().enumerate() {
        let before = parent.map_or(0.0, |i| nodes[i].total_log_probability);
        let weights: Option<Arc<[f32]>> = run.attention.applied(row).map(Arc::from);
        let mut log_probabilities = run.logits(row).to_vec();
        log_softmax(&mut log_probabilities);
        for candidate in best(&log_probabilities, options.size, is_generated) {
            let total_log_probability = before + f64::from(candidate.log_probability);
            let node = BeamNode {
                parent,
                step,
                token: candidate.token,
                log_probability: candidate.log_probability,
                total_log_probability,
                score: options.normalised(total_log_probability, step + 1),
                fate: Fate::Continued,
                weights: weights.clone(),
            };
            found.push((row, node));
        }
    }
    found
}

/// Rows `rows` of a state.
fn select(state: &DecoderState, rows: &[usize]) -> DecoderState {
    let pick = |matrix: &Array2<f32>| {
        if matrix.nrows() == 0 {
            matrix.clone()
        } else {
            matrix.select(Axis(0), rows)
        }
    };
    let CellState { hidden, memory } = &state.cell;
    DecoderState {
        cell: CellState {
            hidden: pick(hidden),
            memory: pick(memory),
        },
        feed: pick(&state.feed),
    }
}

/// The ways to all nodes where a sentence ends, best first.
fn hypotheses(nodes: &[BeamNode]) -> Vec<Hypothesis> {
    let ends = nodes
        .iter()
        .enumerate()
        .filter(|(_, n)| matches!(n.fate, Fate::Finished | Fate::StepLimit));
    let mut all: Vec<Hypothesis> = ends
        .map(|(end, last)| {
            let mut path: Vec<usize> =
                std::iter::successors(Some(end), |i| nodes[*i].parent).collect();
            path.reverse();
            Hypothesis {
                tokens: path.iter().map(|i| nodes[*i].token).collect(),
                log_probabilities: path.iter().map(|i| nodes[*i].log_probability).collect(),
                weights: path
                    .iter()
                    .filter_map(|i| nodes[*i].weights.clone())
                    .collect(),
                nodes: path,
                total_log_probability: last.total_log_probability,
                score: last.score,
                finished: last.fate == Fate::Finished,
            }
        })
        .collect();
    all.sort_by(|a, b| {
        b.finished
            .cmp(&a.finished)
            .then(b.score.total_cmp(&a.score))
    });
    all
}

#[cfg(test)]
mod tests;
