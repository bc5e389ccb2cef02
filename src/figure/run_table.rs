//! The numbers of a figure as data: CSV, TSV, JSON.

use std::sync::Arc;

use serde::Serialize;

use crate::alignment::LabelledMatrix;

/// The numbers of one model's run over a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct RunTable {
    /// The model's name.
    pub model: String,
    /// Its score, such as `additive`; empty where it is not known.
    pub score: String,
    /// Source tokens `[S]`.
    pub source: Vec<String>,
    /// Target tokens `[T]`, with `</s>` if it was taken.
    pub target: Vec<String>,
    /// The translation as a sentence.
    pub translation: String,
    /// Weights `[T, S]`; `None` for a model without attention.
    pub weights: Option<Arc<LabelledMatrix>>,
    /// Scores before the softmax `[T, S]`; `None` without attention and for a record.
    pub scores: Option<Arc<LabelledMatrix>>,
    /// Entropies in nats `[T]`; empty without attention.
    pub entropy: Vec<f64>,
    /// `‖c_t‖` `[T]`.
    pub context_norm: Vec<f64>,
    /// `‖s_t‖` `[T]`.
    pub state_norm: Vec<f64>,
    /// `ln p` of the tokens in nats `[T]`.
    pub log_probability: Vec<f32>,
}

/// Data that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// CSV could not be written.
    #[error("the table cannot be written: {0}")]
    Csv(#[from] csv::Error),
    /// JSON could not be written.
    #[error("the numbers cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// More than the format has room for.
    #[error("{0} bytes are more than an NPZ file holds here")]
    TooLarge(u64),
}

/// One line a weight, with the header `model,step,target,position,source,score,weight`; steps and positions count
/// from 1. A model without attention has one line a step with the last four fields empty. Numbers that are not
/// finite are `NaN`, `inf` and `-inf`.
///
/// # Errors
/// [`DataError::Csv`].
pub fn to_csv(runs: &[RunTable]) -> Result<Vec<u8>, DataError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "model", "step", "target", "position", "source", "score", "weight",
    ])?;
    for run in runs {
        for (t, target) in run.target.iter().enumerate() {
            let step = (t + 1).to_string();
            let Some(weights) = &run.weights else {
                writer.write_record([&run.model, &step, target, "", "", "", ""])?;
                continue;
            };
            for (j, source) in run.source.iter().enumerate() {
                let number = |matrix: &Arc<LabelledMatrix>| {
                    let value = matrix.values().get((t, j));
                    value.map(ToString::to_string).unwrap_or_default()
                };
                let score = run.scores.as_ref().map(number).unwrap_or_default();
                let (position, weight) = ((j + 1).to_string(), number(weights));
                let fields = [
                    &run.model, &step, target, &position, source, &score, &weight,
                ];
                writer.write_record(fields)?;
            }
        }
    }
    writer
        .into_inner()
        .map_err(|error| DataError::Csv(error.into_error().into()))
}

/// The weights as a table to paste into a spreadsheet: a head of source tokens, then a row a target token; with
/// the model's name in the corner, and an empty line between models. Tabs and line breaks in tokens become blanks.
pub fn to_tsv(runs: &[RunTable]) -> String {
    let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    let table = |run: &RunTable| {
        let weights = run.weights.as_ref()?;
        let head = weights.columns().iter().map(|token| clean(token));
        let mut lines = vec![
            std::iter::once(clean(&run.model))
                .chain(head)
                .collect::<Vec<_>>()
                .join("\t"),
        ];
        for (label, row) in weights.rows().iter().zip(weights.values().rows()) {
            let numbers = row.iter().map(ToString::to_string);
            let cells = std::iter::once(clean(label)).chain(numbers);
            lines.push(cells.collect::<Vec<_>>().join("\t"));
        }
        Some(lines.join("\n") + "\n")
    };
    let tables: Vec<String> = runs.iter().filter_map(table).collect();
    tables.join("\n")
}

#[derive(Serialize)]
struct JsonRun<'a> {
    model: &'a str,
    score: &'a str,
    source: &'a [String],
    target: &'a [String],
    translation: &'a str,
    weights: Option<Vec<Vec<f32>>>,
    scores: Option<Vec<Vec<f32>>>,
    entropy: Option<&'a [f64]>,
    context_norm: &'a [f64],
    state_norm: &'a [f64],
    log_probability: &'a [f32],
}

/// One object with the list `runs`, one a model; numbers that are not finite are `null`.
///
/// # Errors
/// [`DataError::Json`].
pub fn to_json(sentence: &str, runs: &[RunTable]) -> Result<String, DataError> {
    #[derive(Serialize)]
    struct Whole<'a> {
        sentence: &'a str,
        runs: Vec<JsonRun<'a>>,
    }
    let rows = |matrix: &Arc<LabelledMatrix>| {
        let rows = matrix.values().rows().into_iter();
        rows.map(|row| row.to_vec()).collect()
    };
    let run = |run: &'_ RunTable| -> Option<Vec<Vec<f32>>> { run.weights.as_ref().map(rows) };
    let runs = runs.iter().map(|table| JsonRun {
        model: &table.model,
        score: &table.score,
        source: &table.source,
        target: &table.target,
        translation: &table.translation,
        weights: run(table),
        scores: table.scores.as_ref().map(rows),
        entropy: table.weights.is_some().then_some(&table.entropy[..]),
        context_norm: &table.context_norm,
        state_norm: &table.state_norm,
        log_probability: &table.log_probability,
    });
    let whole = Whole {
        sentence,
        runs: runs.collect(),
    };
    Ok(serde_json::to_string(&whole)? + "\n")
}
