//! A comparison as a table, as JSON and as CSV.

use std::fmt::Write as _;

use anyhow::Context as _;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::compare::{Comparison, texts};
use crate::attribution::StepChange;
use crate::cli::attend::decoded::{Decoded, Row, Translator};
use crate::cli::attend::json::ModelInfo;
use crate::cli::attend::label::{labels, left, printable};
use crate::cli::attend::table::{ROW, column, grid};

/// For people to read.
pub(super) fn text(comparison: &Comparison, model: &ModelInfo, width: usize) -> String {
    let (original, edited) = (&comparison.original, &comparison.edited);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{model}\n\n{}", line(&original.text));
    if comparison.other_source {
        let _ = writeln!(text, "  changed to: {}", line(&edited.text));
    }
    for edit in comparison.descriptions() {
        let _ = writeln!(text, "  {}", line(&edit));
    }
    for (name, decoded) in [("original", original), ("edited", edited)] {
        let _ = writeln!(
            text,
            "{name:<9}→ {}  (ln p = {:.3}{})",
            line(&decoded.translation),
            decoded.log_probability(),
            if decoded.ended {
                ""
            } else {
                ", cut at the step limit"
            }
        );
    }
    let _ = write!(text, "\n{}", table(comparison, width));
    let _ = writeln!(
        text,
        "\n*: not in the other output; p: probability of the word where it was said\n\
         KL: of the next-token distribution, original from edited, in nats; Δ ln p: change of the original's word;\n\
         both while the original's words are given"
    );
    text
}

fn line(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        printable(text)
    }
}

/// A row a step, as many as the longer output has.
fn table(comparison: &Comparison, width: usize) -> String {
    let (original, edited) = (&comparison.original.rows, &comparison.edited.rows);
    let steps = original.len().max(edited.len());
    let probabilities = |rows: &[Row]| -> Vec<String> {
        let cell = |t: usize| {
            let row = rows.get(t);
            row.map(|row| format!("{:.3}", row.step.log_probability.exp()))
        };
        (0..steps).map(|t| cell(t).unwrap_or_default()).collect()
    };
    let changes = |of: &dyn Fn(&StepChange) -> String| -> Vec<String> {
        let cell = |t: usize| comparison.steps.get(t).map(of);
        (0..steps).map(|t| cell(t).unwrap_or_default()).collect()
    };
    let rows: Vec<String> = (1..=steps).map(|t| t.to_string()).collect();
    grid(
        &rows,
        vec![
            words(" original", original, &comparison.marks[0], steps),
            column("p", probabilities(original)),
            words(" edited", edited, &comparison.marks[1], steps),
            column("p", probabilities(edited)),
            column("KL", changes(&|step| format!("{:.3}", step.divergence))),
            column("Δ ln p", changes(&|step| signed(step.after - step.before))),
        ],
        Vec::new(),
        width,
    )
}

/// The words of an output below each other, changed ones marked.
fn words(title: &str, rows: &[Row], marks: &[bool], steps: usize) -> Vec<String> {
    let labels = labels(rows.iter().map(|row| row.shown.as_str()), ROW);
    let marked = labels.iter().zip(marks).map(|(label, changed)| {
        let mark = if *changed { '*' } else { ' ' };
        format!("{mark}{label}")
    });
    let mut cells: Vec<String> = marked.collect();
    cells.resize(steps, String::new());
    let widest = cells.iter().map(|cell| cell.width());
    let widest = widest.chain([title.width()]).max().unwrap_or(0);
    std::iter::once(title)
        .chain(cells.iter().map(String::as_str))
        .map(|cell| left(cell, widest))
        .collect()
}

/// With its sign; what rounds to 0 has none.
fn signed(number: f64) -> String {
    let text = format!("{number:+.3}");
    if text == "-0.000" || text == "+0.000" {
        "0.000".to_owned()
    } else {
        text
    }
}

#[derive(Serialize)]
struct Object<'a> {
    text: &'a str,
    model: &'a ModelInfo,
    /// The edits of the weights in words, in the order in which they act.
    edits: Vec<String>,
    original: Side<'a>,
    edited: Side<'a>,
    /// At each step of the original.
    steps: Vec<Step<'a>>,
}

#[derive(Serialize)]
struct Side<'a> {
    /// `[S]`
    source: Vec<&'a str>,
    /// `[T]`
    target: Vec<&'a str>,
    translation: &'a str,
    /// `ended` or `step_limit`.
    status: &'static str,
    log_probability: Vec<f32>,
    total_log_probability: f64,
    /// `[T][S]` as they were applied; `null` without attention.
    weights: Option<Vec<&'a [f32]>>,
    /// Whether the other output lacks the word.
    changed: &'a [bool],
}

#[derive(Serialize)]
struct Step<'a> {
    /// `KL(original ‖ edited)`, in nats.
    divergence: f64,
    log_probability_before: f64,
    log_probability_after: f64,
    /// The most probable word after the original's words, with the edits.
    best: &'a str,
}

fn side<'a>(decoded: &'a Decoded, changed: &'a [bool]) -> Side<'a> {
    let rows = &decoded.rows;
    let weights = rows.iter().map(|row| row.step.applied_weights.as_deref());
    let weights: Option<Vec<&[f32]>> = weights.collect();
    Side {
        source: texts(&decoded.source),
        target: rows.iter().map(|row| row.word.as_str()).collect(),
        translation: &decoded.translation,
        status: if decoded.ended { "ended" } else { "step_limit" },
        log_probability: rows.iter().map(|row| row.step.log_probability).collect(),
        total_log_probability: decoded.log_probability(),
        weights,
        changed,
    }
}

/// One object; numbers that are not finite are `null`.
pub(super) fn json(
    comparison: &Comparison,
    model: &ModelInfo,
    translator: &Translator,
) -> anyhow::Result<String> {
    let step = |change: &StepChange| Step {
        divergence: change.divergence,
        log_probability_before: change.before,
        log_probability_after: change.after,
        best: translator.word_of(change.best),
    };
    let object = Object {
        text: &comparison.original.text,
        model,
        edits: comparison.descriptions(),
        original: side(&comparison.original, &comparison.marks[0]),
        edited: side(&comparison.edited, &comparison.marks[1]),
        steps: comparison.steps.iter().map(step).collect(),
    };
    Ok(serde_json::to_string(&object)? + "\n")
}

/// One line a step, counted from 1; where an output has ended its fields are empty.
pub(super) fn csv(comparison: &Comparison) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "step",
        "original",
        "original_log_probability",
        "original_changed",
        "edited",
        "edited_log_probability",
        "edited_changed",
        "divergence",
        "log_probability_change",
    ])?;
    let (original, edited) = (&comparison.original.rows, &comparison.edited.rows);
    for t in 0..original.len().max(edited.len()) {
        let mut record = vec![(t + 1).to_string()];
        for (rows, marks) in [original, edited].into_iter().zip(&comparison.marks) {
            record.extend(match rows.get(t) {
                Some(row) => [
                    row.word.clone(),
                    row.step.log_probability.to_string(),
                    marks[t].to_string(),
                ],
                None => [const { String::new() }; 3],
            });
        }
        record.extend(match comparison.steps.get(t) {
            Some(change) => [
                change.divergence.to_string(),
                (change.after - change.before).to_string(),
            ],
            None => [const { String::new() }; 2],
        });
        writer.write_record(&record)?;
    }
    let bytes = writer
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(bytes).context("cannot write CSV")
}
