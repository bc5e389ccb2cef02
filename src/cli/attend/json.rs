//! A sentence as one line of JSON. Numbers that are not finite are `null`.

use std::fmt;

use serde::Serialize;

use super::decoded::{Decoded, Found, Method, Row, Translator};
use crate::cli::models::parameters;
use crate::engine::{Model, ScoreKind};
use crate::metrics::{effective_sources, entropy, euclidean_norm};

/// How many candidates of each step are listed.
const CANDIDATES: usize = 5;

/// What a model is.
#[derive(Debug, Clone, Serialize)]
pub(in crate::cli) struct ModelInfo {
    /// The file, or `shipped`.
    name: String,
    score: ScoreKind,
    cell: &'static str,
    wiring: &'static str,
    parameters: usize,
}

impl ModelInfo {
    pub(in crate::cli) fn new(model: &Model, name: String) -> Self {
        let config = model.network.config();
        Self {
            name,
            score: config.score,
            cell: config.cell.name(),
            wiring: config.wiring.name(),
            parameters: parameters(model),
        }
    }
}

impl fmt::Display for ModelInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            score,
            cell,
            wiring,
            parameters,
        } = self;
        let kind = if score.attends() {
            "score"
        } else {
            "(no attention)"
        };
        write!(
            f,
            "{score} {kind}, {wiring} wiring, {cell}, {parameters} parameters ({name})"
        )
    }
}

#[derive(Serialize)]
struct Line<'a> {
    /// From 1.
    sentence: usize,
    text: &'a str,
    model: &'a ModelInfo,
    decoding: Decoding<'a>,
    /// `[S]`, as the model sees them.
    source: Vec<&'a str>,
    /// `[S]`, as they were typed.
    source_surface: Vec<&'a str>,
    source_unknown: Vec<bool>,
    /// `[T]`, with `</s>` if it was taken.
    target: Vec<&'a str>,
    target_unknown: Vec<bool>,
    translation: &'a str,
    /// `ended` or `step_limit`.
    status: &'static str,
    step_limit: usize,
    /// `[T][S]`; `null` without attention, as the next three are.
    weights: Option<Vec<&'a [f32]>>,
    scores: Option<Vec<&'a [f32]>>,
    /// In nats, `[T]`.
    entropy: Option<Vec<f64>>,
    effective_sources: Option<Vec<f64>>,
    context_norm: Vec<f64>,
    state_norm: Vec<f64>,
    /// Of the chosen words, in nats, `[T]`.
    log_probability: Vec<f32>,
    total_log_probability: f64,
    /// `[T]`, the five most probable words.
    candidates: Vec<Vec<Candidate<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hypotheses: Vec<Hypothesis<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "method", rename_all = "snake_case")]
enum Decoding<'a> {
    Greedy,
    Sample { temperature: f32, seed: u64 },
    Beam { size: usize },
    Target { target: &'a str },
}

#[derive(Serialize)]
struct Candidate<'a> {
    word: &'a str,
    log_probability: f32,
}

#[derive(Serialize)]
struct Hypothesis<'a> {
    translation: &'a str,
    target: &'a [String],
    log_probability: f64,
    score: f64,
    status: &'static str,
}

/// The line of a sentence, with its end.
pub(in crate::cli) fn line(
    decoded: &Decoded,
    sentence: usize,
    model: &ModelInfo,
    translator: &Translator,
) -> anyhow::Result<String> {
    let rows = &decoded.rows;
    let weights: Option<Vec<&[f32]>> = rows.iter().map(|row| row.step.weights.as_deref()).collect();
    let weights = weights.filter(|_| model.score.attends());
    let scores: Option<Vec<&[f32]>> = rows.iter().map(|row| row.step.scores.as_deref()).collect();
    let entropies: Option<Vec<f64>> = weights
        .as_ref()
        .map(|rows| rows.iter().map(|row| entropy(*row)).collect());
    let object = Line {
        sentence,
        text: &decoded.text,
        model,
        decoding: decoding(decoded.method),
        source: decoded
            .source
            .iter()
            .map(|word| word.text.as_str())
            .collect(),
        source_surface: decoded
            .source
            .iter()
            .map(|word| word.surface.as_str())
            .collect(),
        source_unknown: decoded.source.iter().map(|word| word.unknown).collect(),
        target: rows.iter().map(|row| row.word.as_str()).collect(),
        target_unknown: rows.iter().map(|row| row.unknown).collect(),
        translation: &decoded.translation,
        status: status(decoded.ended),
        step_limit: decoded.limit,
        weights,
        scores: scores.filter(|_| model.score.attends()),
        effective_sources: entropies
            .as_ref()
            .map(|all| all.iter().copied().map(effective_sources).collect()),
        entropy: entropies,
        context_norm: rows
            .iter()
            .map(|row| euclidean_norm(&row.step.context))
            .collect(),
        state_norm: rows
            .iter()
            .map(|row| euclidean_norm(row.step.state()))
            .collect(),
        log_probability: rows.iter().map(|row| row.step.log_probability).collect(),
        total_log_probability: decoded.log_probability(),
        candidates: rows.iter().map(|row| candidates(row, translator)).collect(),
        hypotheses: decoded.hypotheses.iter().map(hypothesis).collect(),
    };
    Ok(serde_json::to_string(&object)? + "\n")
}

/// The most probable words of a step.
fn candidates<'a>(row: &Row, translator: &'a Translator) -> Vec<Candidate<'a>> {
    let named = |candidate: crate::engine::Candidate| Candidate {
        word: translator.word_of(candidate.token),
        log_probability: candidate.log_probability,
    };
    row.step.top(CANDIDATES).into_iter().map(named).collect()
}

fn hypothesis(found: &Found) -> Hypothesis<'_> {
    Hypothesis {
        translation: &found.translation,
        target: &found.words,
        log_probability: found.log_probability,
        score: found.score,
        status: status(found.ended),
    }
}

fn decoding(method: Method<'_>) -> Decoding<'_> {
    match method {
        Method::Greedy => Decoding::Greedy,
        Method::Sample { temperature, seed } => Decoding::Sample { temperature, seed },
        Method::Beam(size) => Decoding::Beam { size },
        Method::Target(target) => Decoding::Target { target },
    }
}

const fn status(ended: bool) -> &'static str {
    if ended { "ended" } else { "step_limit" }
}
