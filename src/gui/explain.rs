//! How a weight and a next word came about: parts that add up to what the model computed.

use eframe::egui::{
    self, Align, Button, CollapsingHeader, Color32, Grid, Layout, RichText, Sense, Ui, Vec2,
    WidgetInfo, accesskit::Role as AccessRole,
};

use super::theme::{GRID, RADIUS, SMALL, Tokens, colour, semi_bold};
use crate::app::{AppState, Command, DecodeCommand, Inspection, Pane};
use crate::engine::{LogitParts, ScoreKind, ScoreParts, is_generated};
use crate::figure::Role;

/// How many parts of a score are listed one by one.
const LISTED: usize = 8;

/// What the inspector remembers: the candidate whose logit is open.
#[derive(Debug, Default)]
pub(super) struct ExplainMemo {
    candidate: Option<(String, usize, u32)>,
}

/// A bar to the left or right of a middle line, `value` of `largest` long.
fn signed_bar(ui: &mut Ui, value: f64, largest: f64, ink: Color32, tokens: &Tokens) {
    let width = (ui.available_width() - GRID).clamp(40.0, 120.0);
    let (rect, _) = ui.allocate_exact_size(Vec2::new(width, 2.5 * GRID), Sense::hover());
    ui.painter().rect_filled(rect, RADIUS, tokens.button);
    let share = if largest > 0.0 && value.is_finite() {
        (value / largest).clamp(-1.0, 1.0) as f32
    } else {
        0.0
    };
    let middle = rect.center().x;
    let end = middle + share * rect.width() / 2.0;
    let bar = egui::Rect::from_x_y_ranges(middle.min(end)..=middle.max(end), rect.y_range());
    ui.painter().rect_filled(bar, 1.0, ink);
    ui.painter()
        .vline(middle, rect.y_range(), egui::Stroke::new(1.0, tokens.muted));
}

fn number(ui: &mut Ui, text: String, ink: Color32) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.label(RichText::new(text).color(ink))
    });
}

/// `+0.123`, `−0.123`; what is not finite is written as it is.
pub(super) fn signed(value: f64) -> String {
    if value.is_finite() {
        format!("{value:+.3}").replace('-', "−")
    } else {
        value.to_string()
    }
}

/// The section about the weight of one cell.
pub(super) fn weight_ui(
    ui: &mut Ui,
    state: &AppState,
    pane: &Pane,
    inspection: &Inspection,
    tokens: &Tokens,
) {
    let Some(column) = inspection.formula.as_ref().map(|formula| formula.column) else {
        return;
    };
    let Some(source) = inspection.sources.get(column) else {
        return;
    };
    let title = format!("How the weight of “{}” came about", source.token);
    CollapsingHeader::new(RichText::new(title).size(SMALL))
        .id_salt("explain weight")
        .show(ui, |ui| {
            let Some(parts) = state.score_parts(pane.name(), inspection.step, column) else {
                ui.label(RichText::new("A record keeps no scores").color(tokens.muted));
                return;
            };
            score_ui(ui, &parts, tokens);
            ui.add_space(GRID);
            softmax_ui(ui, inspection, column, tokens);
            context_ui(ui, state, pane, inspection, column, tokens);
        });
}

fn score_ui(ui: &mut Ui, parts: &ScoreParts, tokens: &Tokens) {
    let (what, heads) = match parts.kind {
        ScoreKind::Additive => ("v tanh(a + b), by dimension", ["a = W q", "b = U k", "v"]),
        ScoreKind::General => ("q · W k, by dimension", ["q", "W k", "×"]),
        ScoreKind::ScaledDot => ("q · k / √K, by dimension", ["q", "k", "1/√K"]),
        _ => ("q · k, by dimension", ["q", "k", "×"]),
    };
    let text = format!(
        "1. The score sums {} parts {what}. The largest:",
        parts.parts.len()
    );
    ui.label(RichText::new(text).size(SMALL).color(tokens.muted));
    let largest = parts.parts.first().map_or(0.0, |part| part.part.abs());
    let (source, target) = (
        colour(tokens.palette.role(Role::Source)),
        colour(tokens.palette.role(Role::Target)),
    );
    Grid::new("score parts")
        .num_columns(6)
        .spacing([2.0 * GRID, 0.5 * GRID])
        .show(ui, |ui| {
            for head in ["dim.", heads[0], heads[1], heads[2], "part", ""] {
                ui.label(RichText::new(head).size(SMALL).color(tokens.muted));
            }
            ui.end_row();
            for part in parts.parts.iter().take(LISTED) {
                ui.label(
                    RichText::new(part.dimension.to_string())
                        .size(SMALL)
                        .color(tokens.muted),
                );
                number(ui, signed(part.query.into()), target);
                number(ui, signed(part.key.into()), source);
                number(ui, signed(part.factor.into()), tokens.muted);
                number(ui, signed(part.part), tokens.text);
                signed_bar(ui, part.part, largest, tokens.accent, tokens);
                ui.end_row();
            }
            let listed: f64 = parts.parts.iter().take(LISTED).map(|p| p.part).sum();
            let others = parts.parts.len().saturating_sub(LISTED);
            let rest = (others > 0).then(|| (format!("{others} others"), parts.sum() - listed));
            let sum = ("sum = score e".to_owned(), parts.sum());
            for (name, value) in rest.into_iter().chain([sum]) {
                ui.label(RichText::new(name).size(SMALL).color(tokens.muted));
                ui.label("");
                ui.label("");
                ui.label("");
                number(ui, signed(value), tokens.text);
                ui.end_row();
            }
        });
}

fn softmax_ui(ui: &mut Ui, inspection: &Inspection, column: usize, tokens: &Tokens) {
    let source = &inspection.sources[column];
    let (Some(exp), Some(sum), Some(weight)) = (source.exp, inspection.exp_sum, source.weight)
    else {
        return;
    };
    let text = format!(
        "2. Softmax: its exponential {exp:.3} is one of {} that sum to {sum:.3}; its share is the weight {weight:.4}.",
        inspection.sources.len()
    );
    ui.label(RichText::new(text).size(SMALL).color(tokens.muted));
    if (source.applied - weight).abs() > 1e-6 {
        let text = format!("It was changed to {:.4}.", source.applied);
        ui.label(RichText::new(text).size(SMALL).color(tokens.warning));
    }
}

fn context_ui(
    ui: &mut Ui,
    state: &AppState,
    pane: &Pane,
    inspection: &Inspection,
    column: usize,
    tokens: &Tokens,
) {
    let parts = state.context_parts(pane.name(), inspection.step);
    let Some(part) = parts.get(column) else {
        return;
    };
    let norm: f64 = parts.iter().map(|part| part.along).sum();
    let text = format!(
        "3. Context: {:.4} of a state of length {:.3} makes the context {} long along its direction, of {norm:.3} in all.",
        part.weight,
        part.value_norm,
        signed(part.along)
    );
    ui.label(RichText::new(text).size(SMALL).color(tokens.muted));
    let largest = parts.iter().fold(0.0_f64, |m, p| m.max(p.along.abs()));
    let ink = colour(tokens.palette.role(Role::Context));
    Grid::new("context parts")
        .num_columns(3)
        .spacing([2.0 * GRID, 0.5 * GRID])
        .show(ui, |ui| {
            for (source, part) in inspection.sources.iter().zip(&parts) {
                ui.label(RichText::new(&source.token).size(SMALL));
                number(ui, signed(part.along), tokens.text);
                signed_bar(ui, part.along, largest, ink, tokens);
                ui.end_row();
            }
        });
}

/// The next words: each opens its logit's parts and can be gone on with.
pub(super) fn candidates_ui(
    ui: &mut Ui,
    state: &AppState,
    pane: &Pane,
    inspection: &Inspection,
    memo: &mut ExplainMemo,
    tokens: &Tokens,
    commands: &mut Vec<Command>,
) {
    let target = colour(tokens.palette.role(Role::Target));
    let bar_width = (ui.available_width() - 190.0).clamp(40.0, 160.0);
    let opened = memo
        .candidate
        .as_ref()
        .filter(|(model, step, _)| model == pane.name() && *step == inspection.step)
        .map(|(_, _, id)| *id);
    Grid::new("candidates")
        .num_columns(3)
        .spacing([2.0 * GRID, GRID])
        .show(ui, |ui| {
            for candidate in &inspection.candidates {
                let font = if candidate.chosen {
                    semi_bold(14.0)
                } else {
                    super::theme::regular(14.0)
                };
                let is_open = opened == Some(candidate.id);
                let text = RichText::new(&candidate.text).font(font);
                let button = ui.add(Button::selectable(is_open, text));
                let name = format!("Candidate {}", candidate.text);
                button
                    .widget_info(|| WidgetInfo::selected(AccessRole::Button, true, is_open, &name));
                if button
                    .on_hover_text("Show how its probability came about")
                    .clicked()
                {
                    memo.candidate =
                        (!is_open).then(|| (pane.name().to_owned(), inspection.step, candidate.id));
                }
                number(
                    ui,
                    format!("{:.1} %", candidate.probability * 100.0),
                    tokens.text,
                );
                let (rect, _) =
                    ui.allocate_exact_size(Vec2::new(bar_width, 2.5 * GRID), Sense::hover());
                ui.painter().rect_filled(rect, RADIUS, tokens.button);
                let mut filled = rect;
                let share = candidate.probability.clamp(0.0, 1.0) as f32;
                filled.set_width((rect.width() * share).max(1.0));
                ui.painter().rect_filled(filled, RADIUS, target);
                ui.end_row();
            }
        });
    let open = inspection
        .candidates
        .iter()
        .find(|candidate| Some(candidate.id) == opened);
    let Some(candidate) = open else {
        ui.label(
            RichText::new("Click a word to see why, or to go on with it")
                .size(SMALL)
                .color(tokens.muted),
        );
        return;
    };
    if let Some(parts) = state.logit_parts(pane.name(), inspection.step, candidate.id) {
        logit_ui(ui, &parts, inspection, tokens);
    }
    let text = format!("Go on with “{}”", candidate.text);
    let is_word = is_generated(candidate.id);
    let other = is_word && !candidate.chosen && state.can_branch(pane.name());
    if ui.add_enabled(other, Button::new(text)).clicked() {
        commands.push(Command::Decode(DecodeCommand::Choose {
            model: pane.name().to_owned(),
            position: inspection.step,
            token: candidate.text.clone(),
        }));
    }
}

fn logit_ui(ui: &mut Ui, parts: &LogitParts, inspection: &Inspection, tokens: &Tokens) {
    let role = |role| colour(tokens.palette.role(role));
    let mut rows = vec![
        ("state", Some(parts.state), role(Role::Target)),
        ("context", Some(parts.context), role(Role::Context)),
        ("previous word", parts.previous, tokens.accent),
        ("readout bias", Some(parts.readout_bias), tokens.muted),
        ("word's own bias", Some(parts.output_bias), tokens.muted),
    ];
    rows.retain(|(_, value, _)| value.is_some());
    let largest = rows
        .iter()
        .filter_map(|(_, value, _)| *value)
        .fold(0.0_f64, |m, v| m.max(v.abs()));
    Grid::new("logit parts")
        .num_columns(3)
        .spacing([2.0 * GRID, 0.5 * GRID])
        .show(ui, |ui| {
            for (name, value, ink) in rows {
                ui.label(RichText::new(name).size(SMALL).color(tokens.muted));
                number(ui, value.map_or_else(String::new, signed), tokens.text);
                signed_bar(ui, value.unwrap_or(0.0), largest, ink, tokens);
                ui.end_row();
            }
            ui.label(RichText::new("sum = logit").size(SMALL).color(tokens.muted));
            number(ui, signed(parts.logit), tokens.text);
            ui.end_row();
        });
    // The context's part by the words it came from, the strongest first.
    let mut sources: Vec<(usize, f64)> = parts.sources.iter().copied().enumerate().collect();
    sources.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let named: Vec<String> = sources
        .iter()
        .take(3)
        .filter_map(|(j, part)| {
            let source = inspection.sources.get(*j)?;
            Some(format!("{} {}", source.token, signed(*part)))
        })
        .collect();
    if !named.is_empty() {
        let text = format!("Of the context’s part: {}", named.join(", "));
        ui.label(RichText::new(text).size(SMALL).color(tokens.muted));
    }
}
