//! A sentence for people to read in a terminal.

use std::fmt::Write as _;

use ndarray::Array2;

use super::sentence::{Judged, Sentence};
use super::{Arguments, shown, signed, wrapped};
use crate::attribution::{Agreement, AgreementSums, GradientPaths, Quartiles};
use crate::cli::attend::json::ModelInfo;
use crate::cli::attend::label::{labels, left, printable};
use crate::cli::attend::table::{COLUMN, ROW, column, grid};

/// Everything that was asked for.
pub(super) fn report(sentence: &Sentence, model: &ModelInfo, arguments: &Arguments) -> String {
    let width = arguments.width;
    // Writing to a string cannot fail.
    let mut text = format!("{model}\n\n{}\n", one_line(&sentence.text));
    let _ = writeln!(
        text,
        "→ {}  ({}; ln p = {:.3})",
        one_line(&sentence.translation),
        if sentence.given {
            "translation given"
        } else {
            "greedy"
        },
        sentence.log_probabilities.iter().sum::<f64>()
    );
    let rows = labels(sentence.output.iter().map(String::as_str), ROW);
    let table = |title: &str, values: &Array2<f32>, digits, signs, figures| {
        let columns = columns(sentence, values, digits, signs);
        format!("\n{title}\n{}", grid(&rows, columns, figures, width))
    };
    if let Some(weights) = &sentence.weights {
        text += &table("attention", weights, 2, false, Vec::new());
    } else {
        text.push_str("\nno attention: every word is made from the two final encoder states\n");
    }
    for judged in &sentence.attributions {
        let attribution = &judged.attribution;
        let title = format!("{} (nats)", attribution.method);
        text += &table(&title, &attribution.values, 2, true, figures(judged));
        text += &judgement(judged);
        text += &wrapped(attribution.method.note(), width);
    }
    if sentence
        .attributions
        .iter()
        .any(|judged| judged.agreement.is_some())
    {
        text += "\nτ: Kendall's τ-b with attention; top: the same largest word; JS: divergence in nats; of magnitudes\n";
        text += &wrapped(Agreement::NOTE, width);
    }
    if !sentence.replacements.is_empty() {
        text += &replacements(sentence, width);
    }
    if let Some(paths) = &sentence.paths {
        if let Some(step) = arguments.step {
            text += &path_of_step(sentence, paths, step.get() - 1, width);
        } else {
            let parts = [
                ("‖∂ ln p / ∂ source embedding‖", &paths.embedding),
                ("‖∂ ln p / ∂ forward state‖", &paths.forward),
                ("‖∂ ln p / ∂ backward state‖", &paths.backward),
            ];
            for (title, norms) in parts {
                text += &table(title, norms, 3, false, Vec::new());
            }
        }
        text += &wrapped(GradientPaths::NOTE, width);
    }
    text
}

fn one_line(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        printable(text)
    }
}

/// A column of numbers for each source word.
fn columns(
    sentence: &Sentence,
    values: &Array2<f32>,
    digits: usize,
    signs: bool,
) -> Vec<Vec<String>> {
    let sources = labels(sentence.source.iter().map(String::as_str), COLUMN);
    let cell = |value: &f32| {
        let value = f64::from(*value);
        if signs {
            signed(value, digits)
        } else {
            format!("{value:.digits$}")
        }
    };
    sources
        .iter()
        .enumerate()
        .map(|(j, label)| column(label, values.column(j).iter().map(cell).collect()))
        .collect()
}

/// What stands on the right of an attribution: its sum, how an integral came out, and the agreement.
fn figures(judged: &Judged) -> Vec<Vec<String>> {
    let values = &judged.attribution.values;
    let mut columns = Vec::new();
    let sum = |row: ndarray::ArrayView1<f32>| row.iter().map(|v| f64::from(*v)).sum::<f64>();
    let sums = values.rows().into_iter().map(|row| signed(sum(row), 2));
    columns.push(column("Σ", sums.collect()));
    if let Some(integration) = &judged.attribution.integration {
        let gap = |gap: &f64| signed(*gap, 4);
        columns.push(column("gap", integration.gap.iter().map(gap).collect()));
        let points = integration.points.iter().map(usize::to_string);
        columns.push(column("points", points.collect()));
    }
    if let Some(rows) = &judged.agreement {
        let same = |same: Option<bool>| match same {
            Some(true) => "yes".to_owned(),
            Some(false) => "no".to_owned(),
            None => "–".to_owned(),
        };
        columns.push(column(
            "τ",
            rows.iter().map(|row| shown(row.kendall, 2)).collect(),
        ));
        columns.push(column(
            "top",
            rows.iter().map(|row| same(row.top1)).collect(),
        ));
        columns.push(column(
            "JS",
            rows.iter().map(|row| shown(row.divergence, 3)).collect(),
        ));
    }
    columns
}

/// The means of the agreement, and whether an integral is incomplete.
fn judgement(judged: &Judged) -> String {
    let mut text = String::new();
    if let Some(integration) = &judged.attribution.integration {
        let open = integration.complete.iter().filter(|complete| !**complete);
        let open = open.count();
        if open > 0 {
            let _ = writeln!(
                text,
                "  {open} rows miss their difference by more than 1 % and 0.001 nats: take more --points"
            );
        }
    }
    if let Some(rows) = &judged.agreement {
        let mut sums = AgreementSums::default();
        rows.iter().for_each(|row| sums.add_row(*row));
        let mean = sums.mean();
        let _ = writeln!(
            text,
            "  mean τ-b {}, same largest word {}, mean JS {} nats",
            shown(mean.kendall, 2),
            mean.top1
                .map_or_else(|| "–".to_owned(), |share| format!("{:.0} %", share * 100.0)),
            shown(mean.divergence, 3)
        );
    }
    text
}

fn replacements(sentence: &Sentence, width: usize) -> String {
    let mut text = "\nother weights, the output forced\n".to_owned();
    text += &wrapped(
        "variation: total variation distance of the next-token distribution; JS: its divergence in nats; Δ ln p: \
         change of the word's. Means over the steps; of permutations their median and quartiles.",
        width,
    );
    for (replacement, effects) in &sentence.replacements {
        let spread = |quartiles: Option<Quartiles>| {
            quartiles.map_or_else(String::new, |q| {
                if effects.runs.len() == 1 {
                    return format!("{:.3}", q.median);
                }
                format!(
                    "{:.3} (least {:.3}, half from {:.3} to {:.3}, most {:.3})",
                    q.median, q.least, q.lower, q.upper, q.most
                )
            })
        };
        let seeds = match effects.runs.len() {
            1 => String::new(),
            count => format!(", {count} seeds"),
        };
        let _ = writeln!(text, "{}{seeds}", replacement.name());
        let numbers = [
            ("variation", effects.whole(|effect| effect.variation)),
            ("JS", effects.whole(|effect| effect.divergence)),
            ("Δ ln p", effects.whole(|effect| effect.change)),
        ];
        for (name, quartiles) in numbers {
            let _ = writeln!(text, "  {} {}", left(name, 10), spread(quartiles));
        }
        text += &wrapped(replacement.note(), width);
    }
    text
}

/// A row for each source word: its distances and norms.
fn path_of_step(sentence: &Sentence, paths: &GradientPaths, t: usize, width: usize) -> String {
    let sources = labels(sentence.source.iter().map(String::as_str), ROW);
    let length = sources.len();
    let norms = |matrix: &Array2<f32>| -> Vec<String> {
        matrix
            .row(t)
            .iter()
            .map(|norm| format!("{norm:.4}"))
            .collect()
    };
    let distance = |of: &dyn Fn(usize) -> usize| -> Vec<String> {
        (0..length).map(|j| of(j).to_string()).collect()
    };
    let columns = vec![
        column("embedding", norms(&paths.embedding)),
        column("steps →", distance(&|j| length - 1 - j)),
        column("forward", norms(&paths.forward)),
        column("steps ←", distance(&|j| j)),
        column("backward", norms(&paths.backward)),
    ];
    format!(
        "\nnorms of the derivative of ln p({}), step {}, and recurrent steps to the end of each direction\n{}",
        printable(&sentence.output[t]),
        t + 1,
        grid(&sources, columns, Vec::new(), width)
    )
}
