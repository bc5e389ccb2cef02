//! Charts of the trial: norms of gradients over the distance, and random dot products over their size.

use std::sync::atomic::AtomicBool;

use eframe::egui::{RichText, Ui};
use ndarray::Array2;

use super::beside::Beside;
use super::curves::chart_ui;
use super::paint::Textures;
use super::pane_header::title;
use super::theme::{GRID, Tokens};
use super::trial::note_ui;
use crate::app::{AppState, PathView, Subject, series_index};
use crate::attribution::{GradientPaths, SCALING_SIZES, ScalingRow, scaling, scaling_note};
use crate::engine::ScoreKind;
use crate::figure::{CurveSpec, ReferenceLine, Series};

/// Height of a chart's plotted area, in points.
const HEIGHT: f32 = 110.0;
/// Keys of each random query.
const KEYS: f32 = 32.0;
/// The seed of the random vectors.
const SEED: u64 = 1;

/// The paths that were measured.
#[derive(Default)]
pub(super) struct PathsMemo {
    kept: Beside<Vec<Subject>, Vec<Result<PathView, String>>>,
}

/// Of which variable a norm is.
type Part = fn(&GradientPaths) -> &Array2<f32>;
/// How many recurrent steps a position, and the last one, are away from where the direction is read.
type Distance = fn(usize, usize) -> usize;

impl PathsMemo {
    /// Shows the norms of the inspected step.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        state: &AppState,
        tokens: &Tokens,
        textures: &mut Textures,
    ) {
        let mut subjects = state.subjects();
        subjects.extend(state.bottleneck_subject());
        let Some(step) = state.inspected_step().filter(|_| !subjects.is_empty()) else {
            let text = "Take a step and choose it in a heatmap or in the row of steps";
            ui.label(RichText::new(text).color(tokens.muted));
            return;
        };
        let key = subjects.clone();
        let found = self.kept.get(ui.ctx(), "paths", key, |subjects| {
            let subjects = subjects.clone();
            move |cancel: &AtomicBool| {
                let measure = |subject: &Subject| {
                    let found = subject.paths(cancel);
                    found.map_err(|problem| problem.unwrap_or_else(|| "cancelled".to_owned()))
                };
                subjects.iter().map(measure).collect()
            }
        });
        let Some(found) = found else {
            ui.label(RichText::new("Computing…").color(tokens.muted));
            return;
        };
        paths_ui(ui, &subjects, found, step, tokens, textures);
    }
}

fn paths_ui(
    ui: &mut Ui,
    subjects: &[Subject],
    found: &[Result<PathView, String>],
    step: usize,
    tokens: &Tokens,
    textures: &mut Textures,
) {
    let of = subjects.iter().zip(found);
    let words = of.clone().map(|(subject, view)| {
        let word = view.as_ref().ok().and_then(|view| view.tokens.get(step));
        let word = word.map_or_else(|| "ended before".to_owned(), |word| format!("“{word}”"));
        format!("{} {word}", title(&subject.model().name))
    });
    let words: Vec<String> = words.collect();
    let text = format!(
        "Norm of the derivative of ln p of the word at step {} ({}), its own previous words given. The number behind a \
         word is its distance: recurrent steps to the end of the direction, where the model without attention reads it.",
        step + 1,
        words.join(", ")
    );
    note_ui(ui, &text, tokens);
    for (_, problem) in of.clone().filter(|(_, view)| view.is_err()) {
        let problem = problem.as_ref().err().map_or("", String::as_str);
        ui.label(RichText::new(problem).color(tokens.error));
    }
    let Some(source) = found.iter().flatten().map(|view| &view.source).next() else {
        return;
    };
    let last = source.len().saturating_sub(1);
    let parts: [(&str, Part, Distance); 3] = [
        (
            "To the source embeddings",
            |p| &p.embedding,
            |j, last| j.min(last - j),
        ),
        (
            "To the first-to-last states",
            |p| &p.forward,
            |j, last| last - j,
        ),
        ("To the last-to-first states", |p| &p.backward, |j, _| j),
    ];
    for (name, part, distance) in parts {
        let series = of.clone().filter_map(|(subject, view)| {
            let view = view.as_ref().ok()?;
            let norms = part(&view.paths);
            (step < norms.nrows()).then(|| Series {
                name: title(&subject.model().name),
                values: norms.row(step).to_vec(),
                index: series_index(Some(subject.score())),
            })
        });
        let words = source.iter().enumerate();
        let words = words.map(|(j, word)| format!("{word} {}", distance(j, last)));
        let mut spec = CurveSpec::new(words.collect(), series.collect());
        name.clone_into(&mut spec.title);
        "norm".clone_into(&mut spec.unit);
        wide_ui(ui, spec, 4, tokens, textures);
    }
    note_ui(ui, GradientPaths::NOTE, tokens);
}

/// The random vectors that were measured.
#[derive(Default)]
pub(super) struct ScalingMemo {
    kept: Beside<(), Vec<ScalingRow>>,
}

impl ScalingMemo {
    /// Shows what the size of queries and keys does.
    pub(super) fn show(&mut self, ui: &mut Ui, tokens: &Tokens, textures: &mut Textures) {
        let text =
            "Random queries and keys of variance 1 and size d: 128 queries, each over 32 keys.";
        note_ui(ui, text, tokens);
        let found = self.kept.get(ui.ctx(), "scaling", (), |()| {
            |_: &AtomicBool| scaling(&SCALING_SIZES, SEED)
        });
        let Some(rows) = found else {
            ui.label(RichText::new("Computing…").color(tokens.muted));
            return;
        };
        let pair = |number: fn(&crate::attribution::ScoreSpread) -> f64| {
            let of = |score: ScoreKind, values: Vec<f32>| Series {
                name: title(score.name()),
                values,
                index: series_index(Some(score)),
            };
            let values = |scaled: bool| {
                let of_row = |row: &ScalingRow| {
                    number(if scaled { &row.scaled_dot } else { &row.dot }) as f32
                };
                rows.iter().map(of_row).collect()
            };
            vec![
                of(ScoreKind::Dot, values(false)),
                of(ScoreKind::ScaledDot, values(true)),
            ]
        };
        let most = ReferenceLine {
            value: KEYS.ln(),
            label: "ln 32".to_owned(),
        };
        let charts: [(&str, &str, Vec<Series>, Option<ReferenceLine>); 3] = [
            (
                "Variance of the scores",
                "log₁₀",
                pair(|s| s.variance.log10()),
                None,
            ),
            (
                "Entropy of the softmax",
                "nats",
                pair(|s| s.entropy),
                Some(most),
            ),
            (
                "Gradient through the softmax",
                "norm of its Jacobian",
                pair(|s| s.gradient),
                None,
            ),
        ];
        for (name, unit, series, reference) in charts {
            let sizes = rows.iter().map(|row| row.size.to_string()).collect();
            let mut spec = CurveSpec::new(sizes, series);
            name.clone_into(&mut spec.title);
            unit.clone_into(&mut spec.unit);
            spec.reference = reference;
            wide_ui(ui, spec, 3, tokens, textures);
        }
        note_ui(ui, scaling_note(), tokens);
    }
}

/// A chart as wide as the dialog.
fn wide_ui(ui: &mut Ui, spec: CurveSpec, digits: usize, tokens: &Tokens, textures: &mut Textures) {
    ui.add_space(2.0 * GRID);
    let size = [(ui.available_width() - 110.0).clamp(120.0, 600.0), HEIGHT];
    let steps = spec.steps.clone();
    let head = |place: usize| steps[place].clone();
    let number = |value: f32| format!("{value:.digits$}");
    chart_ui(ui, spec, size, (&head, &number), tokens, textures);
}
