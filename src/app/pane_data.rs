//! All that is derived from one model's run, immutable and shared: drawing code keeps what it made of it by the
//! identity of the `Arc`.

use std::sync::Arc;

use ndarray::Array2;

use super::model_set::LoadedModel;
use crate::alignment::LabelledMatrix;
use crate::engine::{DecodeStep, ScoreKind};
use crate::metrics::{effective_sources, entropy, euclidean_norm};
use crate::project::{CapturedRun, ModelRef, RunConditions, RunEnd};
use crate::text::{DisplayToken, END_TEXT, TokeniserKind, UNKNOWN, UNKNOWN_TEXT, resolve_unknowns};

/// A run: every step that is known, also those that are not taken (any more) at the clock's position. All lists
/// but the source's have one entry a step, `[T]`.
#[derive(Debug, Clone)]
pub struct PaneData {
    /// The model.
    pub model: ModelRef,
    /// Its score; `None` where neither the model nor a record of it is there.
    pub score: Option<ScoreKind>,
    /// What the run was decoded from.
    pub conditions: RunConditions,
    /// Source tokens as this model's tokeniser cut them, `[S]`.
    pub source: Arc<[String]>,
    /// Whether the model knows each of them, `[S]`.
    pub source_known: Vec<bool>,
    /// Target tokens as they are shown, unknown words copied from the source; `</s>` is the last one where the
    /// output ended.
    pub tokens: Vec<DisplayToken>,
    /// Whether each token was forced and not chosen by the model.
    pub forced: Vec<bool>,
    /// The weights that made the contexts, `[T, S]`, with the tokens as labels; `None` for a model without
    /// attention. The `Arc` is another one exactly when the matrix is.
    pub matrix: Option<Arc<LabelledMatrix>>,
    /// Attention entropies in nats; empty for a model without attention.
    pub entropies: Vec<f64>,
    /// `exp` of the entropies.
    pub effective_sources: Vec<f64>,
    /// `‖c_t‖`.
    pub context_norms: Vec<f64>,
    /// `‖s_t‖`.
    pub state_norms: Vec<f64>,
    /// `ln p` of the tokens, in nats.
    pub log_probabilities: Vec<f32>,
    /// The steps; empty for a record.
    pub steps: Vec<Arc<DecodeStep>>,
    /// How the tokens become a sentence.
    pub target_tokeniser: TokeniserKind,
}

impl PaneData {
    /// Nothing.
    pub(super) fn empty(model: ModelRef) -> Self {
        Self {
            model,
            score: None,
            conditions: RunConditions::default(),
            source: Arc::from([]),
            source_known: Vec::new(),
            tokens: Vec::new(),
            forced: Vec::new(),
            matrix: None,
            entropies: Vec::new(),
            effective_sources: Vec::new(),
            context_norms: Vec::new(),
            state_norms: Vec::new(),
            log_probabilities: Vec::new(),
            steps: Vec::new(),
            target_tokeniser: TokeniserKind::Whitespace,
        }
    }

    /// The numbers of `steps`, decoded from `source` tokens with these ids.
    pub(super) fn live(
        model: &LoadedModel,
        conditions: RunConditions,
        source: Arc<[String]>,
        source_ids: &[u32],
        steps: Vec<Arc<DecodeStep>>,
    ) -> Self {
        let word = |id: u32| model.target_vocabulary.word(id).unwrap_or(UNKNOWN_TEXT);
        let output: Vec<String> = steps.iter().map(|s| word(s.chosen).to_owned()).collect();
        let rows: Option<Vec<&[f32]>> = model.score().attends().then(|| {
            steps
                .iter()
                .map(|step| step.applied_weights.as_deref().unwrap_or_default())
                .collect()
        });
        let attended: Vec<Option<usize>> = match &rows {
            Some(rows) => rows.iter().map(|row| largest(row)).collect(),
            None => vec![None; steps.len()],
        };
        let tokens = resolve_unknowns(&output, &source, &attended);
        let entropies: Vec<f64> = rows.iter().flatten().map(|row| entropy(*row)).collect();
        Self {
            model: model.reference.clone(),
            score: Some(model.score()),
            conditions,
            source_known: source_ids.iter().map(|id| *id != UNKNOWN).collect(),
            matrix: rows.and_then(|rows| labelled(&tokens, &source, &rows)),
            effective_sources: entropies.iter().map(|h| effective_sources(*h)).collect(),
            entropies,
            context_norms: steps.iter().map(|s| euclidean_norm(&s.context)).collect(),
            state_norms: steps.iter().map(|s| euclidean_norm(s.state())).collect(),
            log_probabilities: steps.iter().map(|s| s.log_probability).collect(),
            forced: steps.iter().map(|s| s.forced).collect(),
            source,
            tokens,
            steps,
            target_tokeniser: model.target_tokeniser,
        }
    }

    /// The numbers of a record.
    pub(super) fn recorded(run: &CapturedRun) -> Self {
        let tokens: Vec<DisplayToken> = run
            .target
            .iter()
            .enumerate()
            .map(|(t, text)| DisplayToken {
                text: text.to_owned(),
                copied_from: run
                    .copied_from
                    .get(t)
                    .copied()
                    .flatten()
                    .map(|j| j as usize),
            })
            .collect();
        let source: Arc<[String]> = run.source.to_vec().into();
        let rows: Option<Vec<&[f32]>> = run.weights.as_ref().map(|rows| rows.iter().collect());
        Self {
            model: run.model.clone(),
            score: Some(run.score),
            conditions: run.conditions.clone(),
            source_known: vec![true; source.len()],
            matrix: rows.and_then(|rows| labelled(&tokens, &source, &rows)),
            forced: vec![run.conditions.target.is_some(); tokens.len()],
            entropies: run.entropies.clone(),
            effective_sources: run
                .entropies
                .iter()
                .map(|h| effective_sources(*h))
                .collect(),
            context_norms: run.context_norms.clone(),
            state_norms: run.state_norms.clone(),
            log_probabilities: run.log_probabilities.clone(),
            steps: Vec::new(),
            target_tokeniser: run.target_tokeniser,
            source,
            tokens,
        }
    }

    /// The record of this run; `None` where nothing was computed.
    pub(super) fn capture(&self, end: RunEnd) -> Option<CapturedRun> {
        if self.tokens.is_empty() {
            return None;
        }
        let weights = self.matrix.as_ref().map(|matrix| {
            let rows = matrix.values().rows();
            rows.into_iter().map(|row| row.to_vec()).collect()
        });
        Some(CapturedRun {
            model: self.model.clone(),
            score: self.score?,
            conditions: self.conditions.clone(),
            target_tokeniser: self.target_tokeniser,
            source: self.source.iter().collect(),
            target: self.tokens.iter().map(|token| &token.text).collect(),
            copied_from: self
                .tokens
                .iter()
                .map(|token| token.copied_from.map(|j| j as u32))
                .collect(),
            weights,
            context_norms: self.context_norms.clone(),
            state_norms: self.state_norms.clone(),
            log_probabilities: self.log_probabilities.clone(),
            entropies: self.entropies.clone(),
            end,
        })
    }

    /// How many steps are known.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether no step is known.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The source position with the largest weight of a step, the first of equal ones.
    pub fn largest_weight(&self, step: usize) -> Option<usize> {
        let matrix = self.matrix.as_ref().filter(|m| step < m.rows().len())?;
        largest(matrix.row(step).as_slice()?)
    }

    /// The first `taken` tokens as a sentence for people, without `</s>`.
    pub fn translation(&self, taken: usize) -> String {
        let words: Vec<&str> = self
            .tokens
            .iter()
            .take(taken)
            .map(|token| token.text.as_str())
            .filter(|word| *word != END_TEXT)
            .collect();
        self.target_tokeniser.detokenise(&words)
    }

    /// Whether these very steps are the ones that this was made from.
    pub(super) fn is_of(&self, steps: &[Arc<DecodeStep>]) -> bool {
        self.steps.len() == steps.len()
            && self.steps.iter().zip(steps).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

/// The position of the largest number; NaN is never the largest.
pub(super) fn largest(row: &[f32]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (j, weight) in row.iter().enumerate() {
        if !weight.is_nan() && best.is_none_or(|b| *weight > row[b]) {
            best = Some(j);
        }
    }
    best
}

/// The matrix of `rows` `[T][S]`.
fn labelled(
    tokens: &[DisplayToken],
    source: &[String],
    rows: &[&[f32]],
) -> Option<Arc<LabelledMatrix>> {
    let values = Array2::from_shape_vec((rows.len(), source.len()), rows.concat()).ok()?;
    let labels = tokens
        .iter()
        .take(rows.len())
        .map(|t| t.text.clone())
        .collect();
    LabelledMatrix::new(labels, source.to_vec(), values)
        .ok()
        .map(Arc::new)
}
