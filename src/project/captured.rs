//! The computed numbers of a run, kept in the session so that it shows its figure without the model.

use serde::{Deserialize, Deserializer, Serialize};

use super::document::{ModelRef, RunConditions};
use super::rows::Rows;
use crate::engine::{DecodeSession, ScoreKind};
use crate::storage::read_at_most;
use crate::text::{TokeniserKind, WordList};

/// How a recorded run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// More steps could have followed.
    #[default]
    Open,
    /// `</s>` was taken.
    Finished,
    /// The step limit was reached.
    StepLimit,
}

/// The most steps of a recorded run: no run has more.
pub const MOST_STEPS: usize = DecodeSession::LARGEST_STEP_LIMIT;

/// The numbers of one model's run, one entry a step in each list. Numbers may be NaN or infinite: they are kept
/// as they were.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CapturedRun {
    /// The model that computed it.
    pub model: ModelRef,
    /// Its score.
    pub score: ScoreKind,
    /// What the run was decoded from.
    pub conditions: RunConditions,
    /// How target tokens become a sentence.
    pub target_tokeniser: TokeniserKind,
    /// Source tokens `[S]`.
    pub source: WordList,
    /// Target tokens as they are shown `[T]`, `</s>` included.
    #[serde(deserialize_with = "target_words")]
    pub target: WordList,
    /// Where an unknown target word was copied from `[T]`.
    #[serde(default, deserialize_with = "copies")]
    pub copied_from: Vec<Option<u32>>,
    /// The weights that made the contexts `[T][S]`; `None` for a model without attention.
    #[serde(default)]
    pub weights: Option<Rows>,
    /// Euclidean norms of the contexts `[T]`.
    #[serde(default, deserialize_with = "numbers")]
    pub context_norms: Vec<f64>,
    /// Euclidean norms of the decoder's states `[T]`.
    #[serde(default, deserialize_with = "numbers")]
    pub state_norms: Vec<f64>,
    /// Log-probabilities of the chosen tokens in nats `[T]`.
    #[serde(default, deserialize_with = "numbers")]
    pub log_probabilities: Vec<f32>,
    /// Attention entropies in nats `[T]`; empty for a model without attention.
    #[serde(default, deserialize_with = "numbers")]
    pub entropies: Vec<f64>,
    /// How it ended.
    #[serde(default)]
    pub end: RunEnd,
}

impl CapturedRun {
    /// The list whose length does not fit the tokens, with its name, the length found and the one expected.
    pub(super) fn misfit(&self) -> Option<(&'static str, usize, usize)> {
        let steps = self.target.len();
        let attended = if self.weights.is_some() { steps } else { 0 };
        let lists = [
            ("copied_from", self.copied_from.len(), steps),
            ("context_norms", self.context_norms.len(), steps),
            ("state_norms", self.state_norms.len(), steps),
            ("log_probabilities", self.log_probabilities.len(), steps),
            ("entropies", self.entropies.len(), attended),
            (
                "weights",
                self.weights.as_ref().map_or(0, Rows::len),
                attended,
            ),
        ];
        let row = self
            .weights
            .iter()
            .flat_map(Rows::iter)
            .find(|row| row.len() != self.source.len())
            .map(|row| ("a row of weights", row.len(), self.source.len()));
        // Lists that the file does not have are empty, which is no contradiction.
        lists
            .into_iter()
            .find(|(name, found, expected)| found != expected && (*found > 0 || *name == "weights"))
            .or(row)
    }

    /// How many numbers it holds.
    pub(super) fn numbers(&self) -> usize {
        self.source.len()
            + 5 * self.target.len()
            + self.weights.as_ref().map_or(0, |rows| rows.values().len())
    }
}

/// A list of one entry a step, which no run has more of.
fn steps<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    name: &'static str,
) -> Result<Vec<T>, D::Error> {
    read_at_most(deserializer, name, MOST_STEPS)
}

fn numbers<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    steps(deserializer, "numbers, one a step")
}

fn copies<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Option<u32>>, D::Error> {
    steps(deserializer, "places, one a step")
}

fn target_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<WordList, D::Error> {
    WordList::read_at_most(deserializer, "target words, one a step", MOST_STEPS)
}
