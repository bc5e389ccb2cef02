//! The right side: the numbers behind one step of one scorer.

use eframe::egui::{self, Align, Grid, Layout, RichText, Sense, Ui, Vec2};

use super::attribution::agreement_ui;
use super::branches::branches_ui;
use super::explain::{self, ExplainMemo};
use super::pane_header::title;
use super::theme::{GRID, SMALL, TITLE, Tokens, colour, semi_bold};
use super::weight_bar::WeightBar;
use super::what_if::what_if_ui;
use crate::app::{
    AppState, Command, Formula, Inspection, Item, Pane, PaneStatus, SelectionCommand, definition,
    method_title, series_index,
};
use crate::figure::Role;

/// Tables with more rows draw only those that can be seen.
const SHORT_TABLE: usize = 60;

/// Shows the inspector.
pub(super) fn inspector_ui(
    ui: &mut Ui,
    state: &AppState,
    memo: &mut ExplainMemo,
    commands: &mut Vec<Command>,
) {
    let tokens = Tokens::of(ui.ctx());
    let shown = state
        .selection()
        .shown()
        .and_then(Item::pane)
        .and_then(|name| state.pane(name));
    // Where nothing is pointed at, a pane that took the step says more than one that ended before it.
    let has_numbers = |pane: &&Pane| state.inspection(pane.name()).is_some();
    let usual = || state.focused_pane().or_else(|| state.panes().first());
    let Some(pane) = shown
        .or_else(|| usual().filter(has_numbers))
        .or_else(|| state.visible_panes().find(has_numbers))
        .or_else(usual)
    else {
        ui.label(RichText::new("Choose a scorer to see its numbers").color(tokens.muted));
        return;
    };
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            // Rows of numbers stand closer than buttons.
            ui.spacing_mut().interact_size.y = 5.0 * GRID;
            let Some(inspection) = state.inspection(pane.name()) else {
                ui.label(RichText::new(title(pane.name())).font(semi_bold(TITLE)));
                let text = if pane.status() == PaneStatus::Finished {
                    "It ended before this step: go back to see its numbers"
                } else {
                    "Take a step to see its numbers"
                };
                ui.label(RichText::new(text).color(tokens.muted));
                return;
            };
            head_ui(ui, pane, inspection, &tokens);
            if inspection.sources.is_empty() {
                ui.label(
                    RichText::new(
                        "This scorer has no attention: its context is the same at every step.",
                    )
                    .color(tokens.muted),
                );
            } else {
                section(ui, "Attention", &tokens);
                if let Some(formula) = &inspection.formula {
                    formula_ui(ui, formula, &tokens);
                } else if let Some(text) = pane.score().and_then(definition) {
                    ui.label(RichText::new(text).size(SMALL));
                }
                sources_ui(ui, state, pane, inspection, &tokens, commands);
                explain::weight_ui(ui, state, pane, inspection, &tokens);
                what_if_ui(ui, state, pane, inspection, &tokens, commands);
            }
            section(ui, "Measures", &tokens);
            measures_ui(ui, pane, inspection, &tokens);
            if let Some(shown) = state.attribution(pane.name()) {
                let name = method_title(shown.method()).to_lowercase();
                section(ui, &format!("Attention and {name}"), &tokens);
                agreement_ui(ui, shown, inspection.step, &tokens);
            }
            section(ui, "Next word", &tokens);
            explain::candidates_ui(ui, state, pane, inspection, memo, &tokens, commands);
            if state.branch_lines(pane.name()).len() > 1 {
                section(ui, "Branches", &tokens);
                branches_ui(ui, state, pane.name(), &tokens, commands);
            }
        });
}

fn section(ui: &mut Ui, name: &str, tokens: &Tokens) {
    ui.add_space(2.0 * GRID);
    ui.separator();
    ui.label(RichText::new(name).size(SMALL).color(tokens.muted));
}

fn head_ui(ui: &mut Ui, pane: &Pane, inspection: &Inspection, tokens: &Tokens) {
    let (fill, _) = tokens.palette.series(series_index(pane.score()));
    let step = format!("Step {} → “{}”", inspection.step + 1, inspection.token.text);
    ui.label(RichText::new(step).font(semi_bold(TITLE)));
    ui.horizontal(|ui| {
        ui.label(RichText::new(title(pane.name())).color(colour(fill)));
        if inspection.forced {
            ui.label(RichText::new("forced").size(SMALL).color(tokens.warning));
        }
        if inspection.token.copied_from.is_some() {
            ui.label(
                RichText::new("unknown word, copied")
                    .size(SMALL)
                    .color(tokens.warning),
            );
        }
    });
}

fn formula_ui(ui: &mut Ui, formula: &Formula, tokens: &Tokens) {
    ui.label(RichText::new(formula.definition));
    let numbers = |terms: &[crate::app::Term]| {
        terms
            .iter()
            .map(crate::app::Term::text)
            .collect::<Vec<_>>()
            .join(" ")
    };
    ui.label(
        RichText::new(numbers(&formula.score))
            .size(SMALL)
            .color(tokens.muted),
    );
    ui.label(
        RichText::new(numbers(&formula.weight))
            .size(SMALL)
            .color(tokens.muted),
    );
}

fn number(value: Option<f64>, digits: usize) -> String {
    match value {
        None => "–".to_owned(),
        Some(v) if v.is_finite() => format!("{v:.digits$}"),
        Some(v) => v.to_string(),
    }
}

fn right(ui: &mut Ui, text: impl Into<RichText>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.label(text.into())
    });
}

fn sources_ui(
    ui: &mut Ui,
    state: &AppState,
    pane: &Pane,
    inspection: &Inspection,
    tokens: &Tokens,
    commands: &mut Vec<Command>,
) {
    let source_colour = colour(tokens.palette.role(Role::Source));
    let bar_width = (ui.available_width() - 230.0).clamp(40.0, 160.0);
    Grid::new("sources")
        .num_columns(5)
        .spacing([2.0 * GRID, GRID])
        .show(ui, |ui| {
            let head = |text: &str| RichText::new(text).size(SMALL).color(tokens.muted);
            ui.label(head("source"));
            for of_numbers in ["score e", "exp", "weight α"] {
                right(ui, head(of_numbers));
            }
            ui.label("");
            ui.end_row();
            let seen = visible_rows(ui, inspection.sources.len());
            room_for_rows(ui, seen.start);
            for (j, source) in inspection.sources.iter().enumerate() {
                if !seen.contains(&j) {
                    continue;
                }
                let is_chosen = state.selection().column() == Some(j);
                let ink = if is_chosen {
                    tokens.accent
                } else {
                    source_colour
                };
                let word = ui.add(
                    egui::Label::new(RichText::new(&source.token).color(ink)).sense(Sense::click()),
                );
                let cell = || Item::Cell {
                    pane: pane.name().to_owned(),
                    row: inspection.step,
                    column: j,
                };
                if word.hovered() {
                    commands.push(Command::Select(SelectionCommand::Hover(cell())));
                }
                if word.clicked() {
                    commands.push(Command::Select(SelectionCommand::Lock(cell())));
                }
                right(ui, number(source.score, 3));
                right(ui, number(source.exp, 3));
                right(ui, number(Some(source.applied), 4));
                let bar = WeightBar {
                    model: pane.name(),
                    step: inspection.step,
                    position: j,
                    source,
                    is_open: state.can_set_weight(pane.name(), inspection.step, j),
                    width: bar_width,
                    ink,
                };
                bar.show(ui, tokens, commands);
                ui.end_row();
            }
            room_for_rows(ui, inspection.sources.len() - seen.end);
            ui.label(RichText::new("sum").color(tokens.muted));
            ui.label("");
            right(ui, number(inspection.exp_sum, 3));
            right(ui, number(Some(inspection.weight_sum), 4));
            ui.end_row();
        });
}

/// The distance of two rows of a table.
fn row_pitch(ui: &Ui) -> f32 {
    ui.spacing().interact_size.y + GRID
}

/// Which of `count` rows that begin at the cursor can be seen. A short table is always whole.
fn visible_rows(ui: &Ui, count: usize) -> std::ops::Range<usize> {
    if count <= SHORT_TABLE {
        return 0..count;
    }
    let (clip, top) = (ui.clip_rect(), ui.cursor().top());
    let row = |y: f32| (((y - top) / row_pitch(ui)).floor().max(0.0) as usize).min(count);
    row(clip.top())..(row(clip.bottom()) + 1).min(count)
}

/// Leaves the room of rows that cannot be seen.
fn room_for_rows(ui: &mut Ui, count: usize) {
    if count > 0 {
        let height = count as f32 * row_pitch(ui) - GRID;
        ui.allocate_space(Vec2::new(1.0, height));
        ui.end_row();
    }
}

fn measures_ui(ui: &mut Ui, pane: &Pane, inspection: &Inspection, tokens: &Tokens) {
    let context = colour(tokens.palette.role(Role::Context));
    let target = colour(tokens.palette.role(Role::Target));
    let rows = [
        (
            "Entropy of attention",
            inspection.entropy,
            " nats",
            tokens.text,
        ),
        (
            "Effective sources",
            inspection.effective_sources,
            "",
            tokens.text,
        ),
        ("Context norm ‖c‖", inspection.context_norm, "", context),
        ("State norm ‖s‖", inspection.state_norm, "", target),
        (
            "ln p of the sentence so far",
            inspection.total_log_probability,
            " nats",
            tokens.text,
        ),
    ];
    Grid::new("measures")
        .num_columns(2)
        .spacing([4.0 * GRID, GRID])
        .show(ui, |ui| {
            for (name, value, unit, ink) in rows {
                if value.is_some() {
                    ui.label(RichText::new(name).color(tokens.muted));
                    right(
                        ui,
                        RichText::new(format!("{}{unit}", number(value, 3))).color(ink),
                    );
                    ui.end_row();
                }
            }
            change_rows_ui(ui, pane, inspection.step, tokens);
        });
}

/// What the changes of attention make of a step, where there are some.
fn change_rows_ui(ui: &mut Ui, pane: &Pane, step: usize, tokens: &Tokens) {
    let Some(original) = pane.original() else {
        return;
    };
    let (Some(change), Some(word)) = (original.change(step), original.data().tokens.get(step))
    else {
        return;
    };
    let tip = "Both runs are given the words of the unchanged one";
    let rows = [
        (
            "KL from the unchanged run".to_owned(),
            format!("{} nats", number(Some(change.divergence), 3)),
        ),
        (
            format!("Change of ln p of “{}”", word.text),
            format!("{} nats", explain::signed(change.after - change.before)),
        ),
    ];
    for (name, value) in rows {
        ui.label(RichText::new(name).color(tokens.muted))
            .on_hover_text(tip);
        right(ui, RichText::new(value).color(tokens.warning));
        ui.end_row();
    }
}
