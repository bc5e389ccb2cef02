//! The numbers behind one step of one pane.

use super::formula::Formula;
use super::pane::Pane;
use crate::engine::{DecodeStep, InterventionKind};
use crate::text::{DisplayToken, UNKNOWN_TEXT};

/// How many candidates for the next token are listed.
pub const CANDIDATES: usize = 5;

/// One source position in the inspector's table.
#[derive(Debug, Clone, PartialEq)]
pub struct InspectedSource {
    /// The token.
    pub token: String,
    /// `e_j`; `None` in a record.
    pub score: Option<f64>,
    /// `exp(e_j − max e)`, whose share of the sum is the weight; `None` in a record.
    pub exp: Option<f64>,
    /// `α_j` as the model computed it; `None` in a record.
    pub weight: Option<f64>,
    /// The weight that made the context.
    pub applied: f64,
}

/// A candidate for the token of the step.
#[derive(Debug, Clone, PartialEq)]
pub struct InspectedCandidate {
    /// Target id.
    pub id: u32,
    /// The token.
    pub text: String,
    /// From 0 to 1.
    pub probability: f64,
    /// Whether it was taken.
    pub chosen: bool,
}

/// What the inspector shows. Numbers that the model does not have, or that a record does not keep, are missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Inspection {
    /// The step, from 0.
    pub step: usize,
    /// The token that was taken.
    pub token: DisplayToken,
    /// Whether it was forced.
    pub forced: bool,
    /// Its probability, from 0 to 1.
    pub probability: Option<f64>,
    /// `ln p` of all tokens up to this one, in nats.
    pub total_log_probability: Option<f64>,
    /// One entry a source position `[S]`; empty for a model without attention.
    pub sources: Vec<InspectedSource>,
    /// `max e`.
    pub largest_score: Option<f64>,
    /// `Σ_j exp(e_j − max e)`.
    pub exp_sum: Option<f64>,
    /// `Σ_j` of the weights that made the context.
    pub weight_sum: f64,
    /// In nats.
    pub entropy: Option<f64>,
    /// `exp` of the entropy.
    pub effective_sources: Option<f64>,
    /// `‖c_t‖`.
    pub context_norm: Option<f64>,
    /// `‖s_t‖`.
    pub state_norm: Option<f64>,
    /// The most probable tokens, best first.
    pub candidates: Vec<InspectedCandidate>,
    /// The score's formula with this step's numbers.
    pub formula: Option<Formula>,
    /// What acted on the weights here, in order.
    pub interventions: Vec<InterventionKind>,
}

impl Inspection {
    /// The numbers of a step that is taken; `None` for another one. The formula is about the source position
    /// `column`, or the one with the largest weight.
    pub(super) fn new(pane: &Pane, step: usize, column: Option<usize>) -> Option<Self> {
        let data = pane.data();
        let token = data
            .tokens
            .get(step)
            .filter(|_| step < pane.taken())?
            .clone();
        let live = data.steps.get(step);
        let sources = sources(pane, step, live.map(AsRef::as_ref));
        let column = column
            .filter(|j| *j < sources.len())
            .or_else(|| data.largest_weight(step));
        let largest_score = live.and_then(|step| largest_score(step));
        let formula = match (pane.session(), live, column) {
            (Some(session), Some(live), Some(column)) => Formula::new(session, live, column),
            _ => None,
        };
        let at = |list: &[f64]| list.get(step).copied();
        Some(Self {
            step,
            token,
            forced: data.forced.get(step).copied().unwrap_or(false),
            probability: data
                .log_probabilities
                .get(step)
                .map(|l| f64::from(*l).exp()),
            total_log_probability: live.map(|step| step.total_log_probability),
            largest_score,
            exp_sum: largest_score.map(|_| sources.iter().filter_map(|s| s.exp).sum()),
            weight_sum: sources.iter().map(|s| s.applied).sum(),
            sources,
            entropy: at(&data.entropies),
            effective_sources: at(&data.effective_sources),
            context_norm: at(&data.context_norms),
            state_norm: at(&data.state_norms),
            candidates: live.map_or_else(Vec::new, |step| candidates(pane, step)),
            formula,
            interventions: live.map_or_else(Vec::new, |step| step.interventions.to_vec()),
        })
    }
}

fn largest_score(step: &DecodeStep) -> Option<f64> {
    let scores = step.scores.as_ref()?.iter();
    Some(scores.fold(f64::NEG_INFINITY, |max, e| max.max(f64::from(*e))))
}

fn sources(pane: &Pane, step: usize, live: Option<&DecodeStep>) -> Vec<InspectedSource> {
    let data = pane.data();
    let Some(matrix) = data.matrix.as_ref().filter(|m| step < m.rows().len()) else {
        return Vec::new();
    };
    let scores = live.and_then(|step| step.scores.as_deref());
    let weights = live.and_then(|step| step.weights.as_deref());
    let largest = live.and_then(largest_score);
    let number =
        |list: Option<&[f32]>, j: usize| list.and_then(|l| l.get(j)).map(|n| f64::from(*n));
    let row = matrix.row(step);
    data.source
        .iter()
        .zip(row.iter().enumerate())
        .map(|(token, (j, applied))| {
            let score = number(scores, j);
            InspectedSource {
                token: token.clone(),
                score,
                exp: score.zip(largest).map(|(e, max)| (e - max).exp()),
                weight: number(weights, j),
                applied: f64::from(*applied),
            }
        })
        .collect()
}

fn candidates(pane: &Pane, step: &DecodeStep) -> Vec<InspectedCandidate> {
    let Some(model) = pane.loaded() else {
        return Vec::new();
    };
    let word = |id: u32| model.target_vocabulary.word(id).unwrap_or(UNKNOWN_TEXT);
    step.top(CANDIDATES)
        .into_iter()
        .map(|candidate| InspectedCandidate {
            id: candidate.token,
            text: word(candidate.token).to_owned(),
            probability: f64::from(candidate.log_probability).exp(),
            chosen: candidate.token == step.chosen,
        })
        .collect()
}
