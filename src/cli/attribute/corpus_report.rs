//! Means over many sentences, as tables, as JSON and as CSV.

use std::fmt::Write as _;

use super::corpus::{Costs, Measured, Report};
use super::{Arguments, Format, shown, wrapped};
use crate::attribution::{Agreement, GradientPaths, PathMeans, Replacement};
use crate::cli::attend::table::{column, grid};

/// The report in the form that was asked for.
pub(super) fn report(report: &Report, arguments: &Arguments) -> anyhow::Result<String> {
    Ok(match arguments.format {
        Format::Text => text(report, arguments.width),
        Format::Json => serde_json::to_string_pretty(report)? + "\n",
        Format::Csv => csv(report)?,
    })
}

fn text(report: &Report, width: usize) -> String {
    let output = if report.references {
        "translations of the file"
    } else {
        "own translations"
    };
    // Writing to a string cannot fail.
    let mut text = format!("{}, {output}\n", report.file);
    for model in &report.models {
        let _ = write!(text, "\n{}: {} sentences", model.name, model.sentences);
        if model.target_words > 0 {
            let _ = write!(
                text,
                ", {} source words, {} output words (</s> included)",
                model.source_words, model.target_words
            );
        }
        text.push('\n');
        if !model.agreement.is_empty() {
            text += &agreement(model, width);
        }
        if let Some(bleu) = &model.bleu {
            text += &costs(bleu);
        }
        if let Some(paths) = &model.paths {
            text += &norms("distance", &paths.by_distance, width);
            text += &norms("source length, at distance 0", &paths.near_by_length, width);
            text += &norms(
                "source length, at the largest distance",
                &paths.far_by_length,
                width,
            );
        }
    }
    text.push('\n');
    let has = |of: &dyn Fn(&Measured) -> bool| report.models.iter().any(of);
    if has(&|model| !model.agreement.is_empty()) {
        text += &wrapped(Agreement::NOTE, width);
    }
    if has(&|model| model.bleu.is_some()) {
        let seeds = Replacement::Permuted { seeds: 1 };
        for replacement in [Replacement::Uniform, Replacement::LastPosition, seeds] {
            text += &wrapped(replacement.note(), width);
        }
    }
    if has(&|model| model.paths.is_some()) {
        text += &wrapped(
            "Distance: recurrent steps to the end of the direction; of an embedding, the shorter of both. \
             Large ones occur in long sentences only. share: of the largest norm in its row.",
            width,
        );
        text += &wrapped(GradientPaths::NOTE, width);
    }
    text
}

fn agreement(model: &Measured, width: usize) -> String {
    let pairings = &model.agreement;
    let rows: Vec<String> = pairings
        .iter()
        .map(|pairing| format!("{} with {}", pairing.first, pairing.second))
        .collect();
    let share = |share: f64| format!("{:.1} %", share * 100.0);
    let cells = |of: &dyn Fn(&Agreement) -> String| -> Vec<String> {
        pairings
            .iter()
            .map(|pairing| of(&pairing.agreement))
            .collect()
    };
    let columns = vec![
        column("rows", cells(&|mean| mean.rows.to_string())),
        column("τ-b", cells(&|mean| shown(mean.kendall, 3))),
        column(
            "same largest",
            cells(&|mean| mean.top1.map_or_else(|| "–".to_owned(), share)),
        ),
        column("JS (nats)", cells(&|mean| shown(mean.divergence, 3))),
        column(
            "incomplete",
            pairings
                .iter()
                .map(|pairing| pairing.incomplete.to_string())
                .collect(),
        ),
    ];
    grid(&rows, columns, Vec::new(), width)
}

fn costs(bleu: &Costs) -> String {
    let mut text = format!("  BLEU              {:.2}\n", bleu.plain);
    let mut line = |name: &str, score: String| {
        let _ = writeln!(text, "  {name:<17} {score}");
    };
    match (bleu.uniform, bleu.last, &bleu.permuted) {
        (Some(uniform), Some(last), Some(permuted)) => {
            line("uniform", format!("{uniform:.2}"));
            line("last word", format!("{last:.2}"));
            let mean = permuted.iter().sum::<f64>() / permuted.len() as f64;
            let least = permuted.iter().copied().fold(f64::INFINITY, f64::min);
            let most = permuted.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let seeds = permuted.len();
            line(
                "permuted",
                format!("{mean:.2} ({least:.2} to {most:.2}, {seeds} seeds)"),
            );
        }
        _ => line("other weights", "no attention".to_owned()),
    }
    text
}

fn norms(title: &str, means: &[(usize, PathMeans)], width: usize) -> String {
    let keys: Vec<String> = means.iter().map(|(key, _)| key.to_string()).collect();
    let cells = |k: usize, digits: usize, of: &dyn Fn(&PathMeans) -> Option<[f64; 2]>| {
        let cell = |(_, means): &(usize, PathMeans)| shown(of(means).map(|pair| pair[k]), digits);
        means.iter().map(cell).collect::<Vec<String>>()
    };
    let mut columns = Vec::new();
    let mut part = |name: &str, of: &dyn Fn(&PathMeans) -> Option<[f64; 2]>| {
        columns.push(column(name, cells(0, 5, of)));
        columns.push(column("share", cells(1, 3, of)));
    };
    part("embedding", &|means| means.embedding);
    part("forward", &|means| means.forward);
    part("backward", &|means| means.backward);
    format!("by {title}\n{}", grid(&keys, columns, Vec::new(), width))
}

/// One line a number: `model,what,key,number,value`.
fn csv(report: &Report) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["model", "what", "key", "number", "value"])?;
    for model in &report.models {
        let mut line = |what: &str, key: &str, number: &str, value: Option<f64>| {
            let value = value.map_or_else(String::new, |value| value.to_string());
            writer.write_record([&model.name, what, key, number, &value])
        };
        for pairing in &model.agreement {
            let (key, mean) = (pairing.second.name(), pairing.agreement);
            line(pairing.first, key, "rows", Some(mean.rows as f64))?;
            line(pairing.first, key, "kendall", mean.kendall)?;
            line(pairing.first, key, "top1", mean.top1)?;
            line(pairing.first, key, "divergence", mean.divergence)?;
        }
        if let Some(bleu) = &model.bleu {
            line("bleu", "plain", "", Some(bleu.plain))?;
            line("bleu", "uniform", "", bleu.uniform)?;
            line("bleu", "last", "", bleu.last)?;
            for (i, score) in bleu.permuted.iter().flatten().enumerate() {
                line("bleu", "permuted", &(i + 1).to_string(), Some(*score))?;
            }
        }
        if let Some(paths) = &model.paths {
            for (what, means) in [
                ("distance", &paths.by_distance),
                ("near", &paths.near_by_length),
                ("far", &paths.far_by_length),
            ] {
                for (key, means) in means {
                    let parts = [
                        ("embedding", means.embedding),
                        ("forward", means.forward),
                        ("backward", means.backward),
                    ];
                    for (name, pair) in parts {
                        let key = key.to_string();
                        line(
                            what,
                            &key,
                            &format!("{name}-norm"),
                            pair.map(|pair| pair[0]),
                        )?;
                        line(
                            what,
                            &key,
                            &format!("{name}-share"),
                            pair.map(|pair| pair[1]),
                        )?;
                    }
                }
            }
        }
    }
    let bytes = writer
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
