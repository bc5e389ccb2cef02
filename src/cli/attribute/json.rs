//! A sentence as one JSON object, and as CSV. Numbers that are not finite are `null` in JSON.

use anyhow::Context as _;
use ndarray::Array2;
use serde::Serialize;

use super::sentence::{Judged, Sentence};
use crate::attribution::{
    Agreement, AgreementSums, GradientPaths, Method, Quartiles, RowAgreement, StepEffect,
};
use crate::cli::attend::json::ModelInfo;

#[derive(Serialize)]
struct Object<'a> {
    text: &'a str,
    model: &'a ModelInfo,
    /// `[S]`
    source: &'a [String],
    /// `[T]`
    target: &'a [String],
    translation: &'a str,
    /// In nats, `[T]`.
    log_probability: &'a [f64],
    /// `[T][S]`; `null` without attention.
    weights: Option<Vec<Vec<f32>>>,
    attributions: Vec<One<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replacements: Vec<Other<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gradient_paths: Option<Paths>,
}

#[derive(Serialize)]
struct One<'a> {
    method: Method,
    /// In nats, `[T][S]`.
    values: Vec<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    integration: Option<Integral<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<&'a [RowAgreement]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_agreement: Option<Agreement>,
    note: &'static str,
}

#[derive(Serialize)]
struct Integral<'a> {
    baseline: &'a [f64],
    gap: &'a [f64],
    points: &'a [usize],
    complete: &'a [bool],
}

#[derive(Serialize)]
struct Other<'a> {
    weights: &'static str,
    /// Over the runs, of means over the steps.
    variation: Option<Quartiles>,
    divergence: Option<Quartiles>,
    change: Option<Quartiles>,
    /// `[runs][T]`
    runs: &'a [Vec<StepEffect>],
    note: &'static str,
}

#[derive(Serialize)]
struct Paths {
    embedding: Vec<Vec<f32>>,
    forward: Vec<Vec<f32>>,
    backward: Vec<Vec<f32>>,
    note: &'static str,
}

fn rows(matrix: &Array2<f32>) -> Vec<Vec<f32>> {
    matrix.rows().into_iter().map(|row| row.to_vec()).collect()
}

fn one(judged: &Judged) -> One<'_> {
    let attribution = &judged.attribution;
    let mean = judged.agreement.as_ref().map(|rows| {
        let mut sums = AgreementSums::default();
        rows.iter().for_each(|row| sums.add_row(*row));
        sums.mean()
    });
    One {
        method: attribution.method,
        values: rows(&attribution.values),
        integration: attribution.integration.as_ref().map(|of| Integral {
            baseline: &of.baseline,
            gap: &of.gap,
            points: &of.points,
            complete: &of.complete,
        }),
        agreement: judged.agreement.as_deref(),
        mean_agreement: mean,
        note: attribution.method.note(),
    }
}

/// One object, with its line end.
pub(super) fn report(sentence: &Sentence, model: &ModelInfo) -> anyhow::Result<String> {
    let other = sentence
        .replacements
        .iter()
        .map(|(replacement, effects)| Other {
            weights: replacement.name(),
            variation: effects.whole(|effect| effect.variation),
            divergence: effects.whole(|effect| effect.divergence),
            change: effects.whole(|effect| effect.change),
            runs: &effects.runs,
            note: replacement.note(),
        });
    let object = Object {
        text: &sentence.text,
        model,
        source: &sentence.source,
        target: &sentence.output,
        translation: &sentence.translation,
        log_probability: &sentence.log_probabilities,
        weights: sentence.weights.as_ref().map(rows),
        attributions: sentence.attributions.iter().map(one).collect(),
        replacements: other.collect(),
        gradient_paths: sentence.paths.as_ref().map(|paths| Paths {
            embedding: rows(&paths.embedding),
            forward: rows(&paths.forward),
            backward: rows(&paths.backward),
            note: GradientPaths::NOTE,
        }),
    };
    Ok(serde_json::to_string(&object)? + "\n")
}

/// One line a number: attention, every method, and norms of gradients. Steps and positions count from 1.
pub(super) fn csv(sentence: &Sentence) -> anyhow::Result<Vec<u8>> {
    let mut matrices: Vec<(&str, &Array2<f32>)> = Vec::new();
    if let Some(weights) = &sentence.weights {
        matrices.push(("attention", weights));
    }
    for judged in &sentence.attributions {
        let attribution = &judged.attribution;
        matrices.push((attribution.method.name(), &attribution.values));
    }
    if let Some(paths) = &sentence.paths {
        matrices.push(("embedding-norm", &paths.embedding));
        matrices.push(("forward-norm", &paths.forward));
        matrices.push(("backward-norm", &paths.backward));
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["method", "step", "target", "position", "source", "value"])?;
    for (name, matrix) in matrices {
        for ((t, j), value) in matrix.indexed_iter() {
            writer.write_record([
                name,
                &(t + 1).to_string(),
                &sentence.output[t],
                &(j + 1).to_string(),
                &sentence.source[j],
                &value.to_string(),
            ])?;
        }
    }
    writer
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)
        .context("cannot write CSV")
}
