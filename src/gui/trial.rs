//! The dialog "Attention on trial": other weights in attention's place, agreement with attributions, the paths of the
//! gradient, and why dot products are scaled.

use eframe::egui::{
    self, Align, Color32, Grid, Layout, RichText, ScrollArea, Sense, Stroke, TextEdit, Ui, Vec2,
    WidgetInfo, accesskit::Role, pos2,
};

use super::beside::Beside;
use super::dialogs::list_height;
use super::paint::Textures;
use super::pane_header::title;
use super::theme::{GRID, SMALL, Tokens, semi_bold};
use super::trial_charts::{PathsMemo, ScalingMemo};
use crate::app::{AppState, PERMUTATIONS, Subject, Verdict, method_title};
use crate::attribution::{Agreement, Effects, Quartiles, Replacement, StepEffect};

/// Width of the dialog, in points.
pub(super) const WIDTH: f32 = 760.0;
/// Width of a drawn distribution, in points.
const STRIP: f32 = 150.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Tab {
    #[default]
    Replace,
    Agree,
    Paths,
    Scaling,
}

impl Tab {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Replace, "Other weights"),
        (Self::Agree, "Agreement"),
        (Self::Paths, "Gradient paths"),
        (Self::Scaling, "Why 1/√d"),
    ];
}

type Found = Result<Verdict, String>;

/// What the dialog remembers.
#[derive(Default)]
pub(super) struct TrialMemo {
    tab: Tab,
    /// The sentence whose weights are frozen; `None` is an example of the same length.
    frozen: Option<String>,
    verdicts: Beside<(Vec<Subject>, String), Vec<Found>>,
    paths: PathsMemo,
    scaling: ScalingMemo,
}

impl TrialMemo {
    /// Stops what is being computed; what was chosen stays.
    pub(super) fn close(&mut self) {
        *self = Self {
            tab: self.tab,
            frozen: self.frozen.take(),
            ..Self::default()
        };
    }
}

/// Shows the tabs and the chosen one.
pub(super) fn trial_ui(
    ui: &mut Ui,
    state: &AppState,
    memo: &mut TrialMemo,
    textures: &mut Textures,
) {
    let tokens = Tokens::of(ui.ctx());
    ui.horizontal_wrapped(|ui| {
        for (tab, name) in Tab::ALL {
            if ui.selectable_label(memo.tab == tab, name).clicked() {
                memo.tab = tab;
            }
        }
    });
    ui.add_space(2.0 * GRID);
    let height = list_height(ui, 560.0, 170.0);
    ScrollArea::vertical()
        .max_height(height)
        // The dialog keeps its size while it computes, so that a click does not miss it.
        .auto_shrink(false)
        .show(ui, |ui| match memo.tab {
            Tab::Replace => replace_ui(ui, state, memo, &tokens),
            Tab::Agree => agree_ui(ui, state, memo, &tokens),
            Tab::Paths => memo.paths.show(ui, state, &tokens, textures),
            Tab::Scaling => memo.scaling.show(ui, &tokens, textures),
        });
}

/// A paragraph about numbers.
pub(super) fn note_ui(ui: &mut Ui, text: &str, tokens: &Tokens) {
    ui.label(RichText::new(text).size(SMALL).color(tokens.muted));
}

/// The verdicts of the shown scorers with attention.
fn verdicts<'a>(
    ui: &Ui,
    subjects: &[Subject],
    frozen: &str,
    memo: &'a mut Beside<(Vec<Subject>, String), Vec<Found>>,
) -> Option<&'a Vec<Found>> {
    let key = (subjects.to_vec(), frozen.to_owned());
    memo.get(ui.ctx(), "trial", key, |(subjects, frozen)| {
        let (subjects, frozen) = (subjects.clone(), frozen.clone());
        move |cancel| {
            let verdict = |subject: &Subject| {
                let found = subject.verdict(&frozen, cancel);
                found.map_err(|problem| problem.unwrap_or_else(|| "cancelled".to_owned()))
            };
            subjects.iter().map(verdict).collect()
        }
    })
}

fn attending(state: &AppState) -> Vec<Subject> {
    let mut subjects = state.subjects();
    subjects.retain(|subject| subject.score().attends());
    subjects
}

/// The verdicts, or what stands in their place.
fn found<'a>(
    ui: &mut Ui,
    subjects: &[Subject],
    frozen: &str,
    memo: &'a mut Beside<(Vec<Subject>, String), Vec<Found>>,
    tokens: &Tokens,
) -> Option<&'a Vec<Found>> {
    if subjects.is_empty() {
        let text = "Choose a scorer with attention, and type a sentence";
        ui.label(RichText::new(text).color(tokens.muted));
        return None;
    }
    let found = verdicts(ui, subjects, frozen, memo);
    if found.is_none() {
        ui.label(RichText::new("Computing…").color(tokens.muted));
    }
    found
}

fn replace_ui(ui: &mut Ui, state: &AppState, memo: &mut TrialMemo, tokens: &Tokens) {
    let offered = state.sentence_of_same_length().unwrap_or_default();
    let subjects = attending(state);
    let text = "Each scorer is made to say its own output again, with other weights in the place of its own. \
                Change: total variation distance of the next word’s distribution, from 0 to 1.";
    note_ui(ui, text, tokens);
    ui.add_space(GRID);
    let frozen = memo.frozen.clone().unwrap_or_else(|| offered.to_owned());
    let step = state.inspected_step();
    if let Some(found) = found(ui, &subjects, &frozen, &mut memo.verdicts, tokens) {
        let count = found.iter().flatten().map(|verdict| verdict.effects.len());
        for place in 0..count.max().unwrap_or(0) {
            test_ui(ui, &subjects, found, place, step, tokens);
        }
        for (subject, problem) in subjects.iter().zip(found) {
            if let Err(problem) = problem {
                let text = format!("{}: {problem}", title(&subject.model().name));
                ui.label(RichText::new(text).color(tokens.error));
            }
        }
    }
    ui.horizontal(|ui| {
        let label = ui.label(RichText::new("Frozen from").size(SMALL));
        let mut text = frozen;
        let field = TextEdit::singleline(&mut text)
            .hint_text("A sentence of as many words")
            .desired_width(400.0);
        if ui.add(field).labelled_by(label.id).changed() {
            memo.frozen = Some(text);
        }
    });
}

/// The name of a test for people.
const fn test_title(replacement: &Replacement) -> &'static str {
    match replacement {
        Replacement::Uniform => "Uniform weights",
        Replacement::LastPosition => "All weight on the last position",
        Replacement::Permuted { .. } => "Permuted weights",
        Replacement::Frozen(_) => "Weights frozen from another sentence",
    }
}

/// One test: a row for each scorer, and what it shows.
fn test_ui(
    ui: &mut Ui,
    subjects: &[Subject],
    found: &[Found],
    place: usize,
    step: Option<usize>,
    tokens: &Tokens,
) {
    let Some((first, _)) = found
        .iter()
        .flatten()
        .find_map(|verdict| verdict.effects.get(place))
    else {
        return;
    };
    let mut name = test_title(first).to_owned();
    if matches!(first, Replacement::Permuted { .. }) {
        name = format!("{name}, {PERMUTATIONS} draws");
    }
    ui.label(RichText::new(&name).font(semi_bold(14.0)));
    Grid::new(("test", place))
        .num_columns(5)
        .spacing([4.0 * GRID, GRID])
        .show(ui, |ui| {
            let here = step.map_or("this step".to_owned(), |step| format!("step {}", step + 1));
            let heads = [
                "scorer".to_owned(),
                format!("change, {here}"),
                format!("Δ ln p, {here}"),
                "Δ ln p, mean".to_owned(),
                "change, mean of all steps".to_owned(),
            ];
            for head in heads {
                ui.label(RichText::new(head).size(SMALL).color(tokens.muted));
            }
            ui.end_row();
            for (subject, verdict) in subjects.iter().zip(found) {
                let Some((_, effects)) = verdict.as_ref().ok().and_then(|v| v.effects.get(place))
                else {
                    continue;
                };
                ui.label(title(&subject.model().name));
                match effects {
                    Ok(effects) => effect_row_ui(ui, effects, step, &name, tokens),
                    Err(problem) => {
                        ui.label(RichText::new(problem).size(SMALL).color(tokens.warning));
                    }
                }
                ui.end_row();
            }
        });
    note_ui(ui, first.note(), tokens);
    ui.add_space(3.0 * GRID);
}

fn right(ui: &mut Ui, text: String) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(text));
}

fn effect_row_ui(ui: &mut Ui, effects: &Effects, step: Option<usize>, test: &str, tokens: &Tokens) {
    let variation = |effect: &StepEffect| effect.variation;
    let change = |effect: &StepEffect| effect.change;
    let steps = effects.runs.first().map_or(0, Vec::len);
    let here = step.filter(|step| *step < steps);
    let at = |number: fn(&StepEffect) -> f64| here.and_then(|step| effects.at(step, number));
    let median = |found: Option<Quartiles>, digits: usize| {
        found.map_or_else(|| "–".to_owned(), |q| format!("{:.digits$}", q.median))
    };
    right(ui, median(at(variation), 3));
    right(ui, median(at(change), 2));
    right(ui, median(effects.whole(change), 2));
    let whole = effects.whole(variation);
    ui.horizontal(|ui| {
        ui.label(median(whole, 3));
        if let Some(quartiles) = whole {
            strip_ui(ui, &quartiles, test, tokens);
        }
    });
}

/// The five numbers of a distribution from 0 to 1: a line, a box of the middle half, the median.
fn strip_ui(ui: &mut Ui, quartiles: &Quartiles, test: &str, tokens: &Tokens) {
    let (rect, response) = ui.allocate_exact_size(Vec2::new(STRIP, 3.0 * GRID), Sense::hover());
    let Quartiles {
        least,
        lower,
        median,
        upper,
        most,
    } = *quartiles;
    let text = if least == most {
        format!("{test}: {median:.3}")
    } else {
        format!(
            "{test}: {least:.3} to {most:.3}, half of the draws {lower:.3} to {upper:.3}, median {median:.3}"
        )
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Meter, true, &text));
    let x = |value: f64| rect.left() + rect.width() * value.clamp(0.0, 1.0) as f32;
    let painter = ui.painter();
    let line = |from: f64, to: f64, width: f32, ink: Color32| {
        let y = rect.center().y;
        painter.line_segment([pos2(x(from), y), pos2(x(to), y)], Stroke::new(width, ink));
    };
    painter.rect_filled(rect.shrink2(Vec2::new(0.0, 5.0)), 1.0, tokens.button);
    if median.is_finite() {
        line(least, most, 1.5, tokens.muted);
        line(lower, upper, 8.0, tokens.muted);
        let y = egui::Rangef::new(rect.top(), rect.bottom());
        painter.vline(x(median), y, Stroke::new(2.0, tokens.accent));
    }
    response.on_hover_text(text);
}

fn agree_ui(ui: &mut Ui, state: &AppState, memo: &mut TrialMemo, tokens: &Tokens) {
    let offered = state.sentence_of_same_length().unwrap_or_default();
    let frozen = memo.frozen.clone().unwrap_or_else(|| offered.to_owned());
    let subjects = attending(state);
    let text = "Attention beside what each source word does for each word of the output; means over all steps.";
    note_ui(ui, text, tokens);
    ui.add_space(GRID);
    let Some(found) = found(ui, &subjects, &frozen, &mut memo.verdicts, tokens) else {
        return;
    };
    let first = found.iter().flatten().next();
    let methods = first.map_or(&[][..], |verdict| &verdict.agreements);
    for (place, (method, _)) in methods.iter().enumerate() {
        ui.label(RichText::new(method_title(*method)).font(semi_bold(14.0)));
        Grid::new(("agreement", place))
            .num_columns(4)
            .spacing([6.0 * GRID, GRID])
            .show(ui, |ui| {
                for head in [
                    "scorer",
                    "Kendall τ-b",
                    "same top word",
                    "Jensen–Shannon, nats",
                ] {
                    ui.label(RichText::new(head).size(SMALL).color(tokens.muted));
                }
                ui.end_row();
                for (subject, verdict) in subjects.iter().zip(found) {
                    let row = verdict.as_ref().ok().and_then(|v| v.agreements.get(place));
                    if let Some((_, agreement)) = row {
                        ui.label(title(&subject.model().name));
                        agreement_row_ui(ui, agreement);
                        ui.end_row();
                    }
                }
            });
        note_ui(ui, method.note(), tokens);
        ui.add_space(3.0 * GRID);
    }
    note_ui(ui, Agreement::NOTE, tokens);
}

fn agreement_row_ui(ui: &mut Ui, agreement: &Agreement) {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| format!("{v:.3}"));
    right(ui, number(agreement.kendall));
    let share = |top: f64| {
        let same = (top * agreement.rows as f64).round();
        format!("{same:.0} of {}", agreement.rows)
    };
    right(ui, agreement.top1.map_or_else(|| "–".to_owned(), share));
    // The last column would spread to the end of the dialog.
    ui.label(number(agreement.divergence));
}
