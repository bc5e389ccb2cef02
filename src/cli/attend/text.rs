//! A sentence for people to read in a terminal.

use std::fmt::Write as _;

use super::decoded::{Decoded, Method};
use super::label::printable;
use super::table::table;
use crate::engine::BeamOptions;

/// All about a sentence, at most `width` columns wide where words allow it.
pub(super) fn sentence(decoded: &Decoded, width: usize) -> String {
    // Writing to a string cannot fail.
    let mut text = String::new();
    let _ = writeln!(text, "{}", one_line(&decoded.text));
    let _ = writeln!(
        text,
        "{}",
        format!("→ {}", one_line(&decoded.translation)).trim_end()
    );
    let _ = writeln!(
        text,
        "  {}; {}; ln p = {:.3}",
        method(decoded.method),
        status(decoded),
        decoded.log_probability()
    );
    let attends = decoded.rows.iter().all(|row| row.step.weights.is_some());
    if !attends {
        let _ = writeln!(
            text,
            "  no attention: every word is made from the two final encoder states"
        );
    }
    let _ = write!(text, "\n{}", table(decoded, width));
    let unknown = decoded.source.iter().any(|word| word.unknown)
        || decoded.rows.iter().any(|row| row.unknown);
    let mut legend = Vec::new();
    if attends {
        legend.push("H: entropy in nats; exp H: effective sources");
    }
    legend.push("‖c‖: norm of the context; p: probability of the word");
    let _ = writeln!(text, "\n{}", legend.join("; "));
    if unknown {
        let _ = writeln!(text, "‹word›: unknown to the model{}", copied(decoded));
    }
    if !decoded.hypotheses.is_empty() {
        text.push_str(&hypotheses(decoded));
    }
    text
}

/// What is said about unknown words of the translation, where there are any.
fn copied(decoded: &Decoded) -> &'static str {
    let copied = decoded
        .rows
        .iter()
        .any(|row| row.unknown && row.shown.starts_with('‹'));
    if copied && !matches!(decoded.method, Method::Target(_)) {
        "; in the translation, the source word with the largest weight stands for it"
    } else {
        ""
    }
}

fn method(method: Method<'_>) -> String {
    match method {
        Method::Greedy => "greedy".to_owned(),
        Method::Sample { temperature, seed } => {
            format!("drawn with temperature {temperature}, seed {seed}")
        }
        Method::Beam(size) => format!("beam of {size}"),
        Method::Target(_) => "translation given".to_owned(),
    }
}

fn status(decoded: &Decoded) -> String {
    let steps = decoded.rows.len();
    let noun = if steps == 1 { "step" } else { "steps" };
    if decoded.ended {
        format!("ended after {steps} {noun}")
    } else {
        format!(
            "stopped at the step limit of {}, without </s>",
            decoded.limit
        )
    }
}

/// The hypotheses of a beam search, best first.
fn hypotheses(decoded: &Decoded) -> String {
    let exponent = BeamOptions::default().length_exponent;
    let mut text =
        format!("\nhypotheses, by ln p / ((5 + T) / 6)^{exponent}; the table shows the first\n");
    for (i, found) in decoded.hypotheses.iter().enumerate() {
        let cut = if found.ended {
            ""
        } else {
            "  (cut at the step limit)"
        };
        let _ = writeln!(
            text,
            "{:>4}  {:>8.3}  ln p {:>8.3}  {}{cut}",
            i + 1,
            found.score,
            found.log_probability,
            one_line(&found.translation)
        );
    }
    text
}

/// A sentence without what could move the cursor.
fn one_line(text: &str) -> String {
    let blanks: String = text
        .chars()
        .map(|c| {
            if c.is_whitespace() && c.is_control() {
                ' '
            } else {
                c
            }
        })
        .collect();
    if blanks.trim().is_empty() {
        blanks
    } else {
        printable(&blanks)
    }
}
