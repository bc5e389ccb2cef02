//! The middle of the window: one pane a model, and the difference of two.

use std::collections::HashMap;

use eframe::egui::{self, Align, Layout, Rect, RichText, Ui, UiBuilder, Vec2, pos2};

use super::grid::{HEADER, LOWEST, best_columns};
use super::heatmap::{self, Highlight, Kept, Place};
use super::icons::{Icon, icon_button};
use super::paint::{self, Textures};
use super::theme::{GRID, SMALL, TITLE, Tokens, colour, semi_bold};
use crate::app::{
    AppState, Command, DecodeCommand, Difference, ExportCommand, Item, Look, ModelsCommand,
    NoDifference, Pane, PaneKind, PaneStatus, SelectionCommand, ViewCommand, series_index,
};
use crate::figure::{HeatmapSpec, Point};

/// The name under which the difference pane keeps its layout.
const DIFFERENCE: &str = "difference of two";
/// Layouts by pane.
#[derive(Default)]
pub(super) struct PanesMemo {
    kept: HashMap<String, Kept>,
}

/// What stands in a place of the grid.
enum Card<'a> {
    Model(&'a Pane),
    Difference,
}

impl Card<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Model(pane) => pane.name(),
            Self::Difference => DIFFERENCE,
        }
    }
}

/// Shows the panes.
pub(super) fn panes_ui(
    ui: &mut Ui,
    state: &AppState,
    memo: &mut PanesMemo,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    let mut cards: Vec<Card> = state.visible_panes().map(Card::Model).collect();
    if state.view().difference.is_some() && state.selection().solo().is_none() {
        cards.push(Card::Difference);
    }
    let space = ui.available_rect_before_wrap();
    let gap = 4.0 * GRID;
    let cells = [state.chips().len().max(1), state.expected_rows().max(1)];
    let columns = best_columns(cards.len(), space.size(), cells);
    let rows = cards.len().div_ceil(columns).max(1);
    let size = Vec2::new(
        (space.width() - gap * (columns - 1) as f32) / columns as f32,
        ((space.height() - gap * (rows - 1) as f32) / rows as f32).max(LOWEST),
    );
    let look = look(&Tokens::of(ui.ctx()));
    let below_header = Vec2::new(size.x, size.y - HEADER);
    let mut pitch = f32::INFINITY;
    for card in &cards {
        let spec = match card {
            Card::Model(pane) => pane_spec(state, pane, &look),
            Card::Difference => signed_spec(state, &look),
        };
        if let Some(spec) = spec {
            let kept = memo.kept.entry(card.name().to_owned()).or_default();
            pitch = pitch.min(kept.pitch(spec, below_header));
        }
    }
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            let top = ui.cursor().min;
            let whole = Vec2::new(space.width(), rows as f32 * (size.y + gap) - gap);
            ui.allocate_exact_size(whole, egui::Sense::hover());
            for (i, card) in cards.iter().enumerate() {
                let (row, column) = (i / columns, i % columns);
                let corner = pos2(
                    top.x + column as f32 * (size.x + gap),
                    top.y + row as f32 * (size.y + gap),
                );
                let rect = Rect::from_min_size(corner, size);
                let name = card.name();
                let builder = UiBuilder::new().id_salt(("pane", name)).max_rect(rect);
                ui.scope_builder(builder, |ui| {
                    let kept = memo.kept.entry(name.to_owned()).or_default();
                    match card {
                        Card::Model(pane) => {
                            pane_ui(ui, state, pane, pitch, kept, textures, commands)
                        }
                        Card::Difference => {
                            difference_ui(ui, state, pitch, kept, textures, commands)
                        }
                    }
                });
            }
        });
}

pub(super) fn look(tokens: &Tokens) -> Look {
    Look {
        palette: tokens.palette,
        font_size: 13.0,
    }
}

fn pane_ui(
    ui: &mut Ui,
    state: &AppState,
    pane: &Pane,
    pitch: f32,
    kept: &mut Kept,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    let tokens = Tokens::of(ui.ctx());
    header_ui(ui, pane, &tokens, commands);
    if let Some(spec) = pane_spec(state, pane, &look(&tokens)).filter(|_| pane.taken() > 0) {
        let name = pane.name().to_owned();
        let selection = state.selection();
        // A row belongs to its pane or to all; a column always to all.
        let row_is_here = selection
            .shown()
            .and_then(Item::pane)
            .is_none_or(|of| *of == name);
        let highlight = Highlight {
            row: selection
                .row()
                .filter(|_| row_is_here || selection.column().is_none()),
            column: selection.column(),
        };
        let happened = heatmap::show(ui, spec, highlight, pitch, kept, textures);
        let item = |place: Place| match place {
            Place::Cell(row, column) => Item::Cell {
                pane: name.clone(),
                row,
                column,
            },
            Place::Row(row) => Item::Row {
                pane: name.clone(),
                row,
            },
            Place::Column(column) => Item::Column(column),
        };
        if let Some(place) = happened.hover {
            commands.push(Command::Select(SelectionCommand::Hover(item(place))));
        }
        if happened.double_click {
            commands.push(Command::Select(SelectionCommand::Solo(name.clone())));
        } else if let Some(place) = happened.click {
            commands.push(Command::Select(SelectionCommand::Lock(item(place))));
        }
        if let Some(response) = happened.response {
            response.context_menu(|ui| pane_menu(ui, pane, commands));
        }
    } else {
        empty_ui(ui, state, pane, &tokens);
    }
}

/// The heatmap of a pane. One scale for all needs one colour bar, at the end of the row.
fn pane_spec(state: &AppState, pane: &Pane, look: &Look) -> Option<HeatmapSpec> {
    let mut spec = state.heatmap_spec(pane, look)?;
    // The pane says what the numbers are; the bar needs no name.
    spec.value_name.clear();
    let last = state
        .visible_panes()
        .filter(|pane| pane.data().matrix.is_some())
        .last();
    spec.show_colorbar =
        !state.view().shared_scale || last.is_some_and(|last| last.name() == pane.name());
    Some(spec)
}

/// The heatmap of the difference pane.
fn signed_spec(state: &AppState, look: &Look) -> Option<HeatmapSpec> {
    let mut spec = state.difference_spec(look)?;
    spec.value_name.clear();
    Some(spec)
}

fn pane_menu(ui: &mut Ui, pane: &Pane, commands: &mut Vec<Command>) {
    let model = || pane.name().to_owned();
    if ui.button("Copy values").clicked() {
        commands.push(Command::Export(ExportCommand::CopyValues {
            model: model(),
        }));
        ui.close();
    }
    if ui.button("Copy translation").clicked() {
        commands.push(Command::Export(ExportCommand::CopyTranslation {
            model: model(),
        }));
        ui.close();
    }
    if ui.button("Copy the picture").clicked() {
        commands.push(Command::Export(ExportCommand::CopyImage));
        ui.close();
    }
    ui.separator();
    if ui.button("Force this output on all").clicked() {
        commands.push(Command::Decode(DecodeCommand::ForceOutputOf {
            model: model(),
        }));
        ui.close();
    }
    if ui.button("Show alone").clicked() {
        commands.push(Command::Select(SelectionCommand::Solo(model())));
        ui.close();
    }
}

/// The scorer's name in its colour, its sentence, how it stands.
fn header_ui(ui: &mut Ui, pane: &Pane, tokens: &Tokens, commands: &mut Vec<Command>) {
    let (fill, mark) = tokens.palette.series(series_index(pane.score()));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0 * GRID;
        let (dot, _) = ui.allocate_exact_size(Vec2::splat(12.0), egui::Sense::hover());
        paint::marker(
            ui.painter(),
            dot.center(),
            Point::default(),
            mark,
            9.0,
            colour(fill),
        );
        ui.label(RichText::new(title(pane.name())).font(semi_bold(14.0)));
        let status = match pane.status() {
            PaneStatus::Finished => Some("ended"),
            PaneStatus::StepLimit => Some("stopped at the step limit"),
            PaneStatus::RecordEnds => Some("the record ends here"),
            PaneStatus::Empty | PaneStatus::Running => None,
        };
        if let Some(status) = status {
            ui.label(RichText::new(status).size(SMALL).color(tokens.muted));
        }
        match pane.kind() {
            PaneKind::Live => {}
            PaneKind::ModelChanged => {
                ui.label(
                    RichText::new("recorded with another model")
                        .size(SMALL)
                        .color(tokens.warning),
                );
                if ui.small_button("Use the present one").clicked() {
                    commands.push(Command::Models(ModelsCommand::UsePresent(
                        pane.name().to_owned(),
                    )));
                }
            }
            PaneKind::ModelMissing => {
                ui.label(
                    RichText::new("its model is not here")
                        .size(SMALL)
                        .color(tokens.warning),
                );
            }
        }
    });
    ui.horizontal(|ui| {
        let sentence = pane.translation();
        let shown = if sentence.is_empty() { "…" } else { sentence };
        let space = ui.available_width() - 10.0 * GRID;
        ui.scope(|ui| {
            ui.set_max_width(space);
            let label = egui::Label::new(RichText::new(shown).size(TITLE)).truncate();
            ui.add(label).on_hover_text(shown);
        });
        if !sentence.is_empty()
            && icon_button(
                ui,
                Icon::Copy,
                &format!("Copy what {} says", pane.name()),
                "Copy",
                true,
                false,
            )
            .clicked()
        {
            commands.push(Command::Export(ExportCommand::CopyTranslation {
                model: pane.name().to_owned(),
            }));
        }
    });
    if let Some(problem) = pane.problem() {
        ui.label(RichText::new(problem).size(SMALL).color(tokens.error));
    }
    ui.add_space(GRID);
}

/// "scaled dot" for `scaled_dot`.
pub(super) fn title(name: &str) -> String {
    match name {
        "bottleneck" => "no attention".to_owned(),
        other => other.replace('_', " "),
    }
}

fn empty_ui(ui: &mut Ui, state: &AppState, pane: &Pane, tokens: &Tokens) {
    let attends = pane.score().is_none_or(crate::engine::ScoreKind::attends);
    let text = if !attends {
        "No attention: the whole sentence goes through one vector.\nThere are no weights to show."
    } else if state.document().source.trim().is_empty() {
        "Type a French sentence above"
    } else {
        "Press Space to take the first step"
    };
    ui.with_layout(
        Layout::centered_and_justified(egui::Direction::TopDown),
        |ui| {
            ui.label(RichText::new(text).color(tokens.muted));
        },
    );
}

fn difference_ui(
    ui: &mut Ui,
    state: &AppState,
    pitch: f32,
    kept: &mut Kept,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    let tokens = Tokens::of(ui.ctx());
    let Some(pair) = &state.view().difference else {
        return;
    };
    ui.horizontal(|ui| {
        let name = format!("{} − {}", title(&pair.left), title(&pair.right));
        ui.label(RichText::new(name).font(semi_bold(14.0)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(
                ui,
                Icon::Close,
                "Close the difference",
                "Close",
                true,
                false,
            )
            .clicked()
            {
                commands.push(Command::View(ViewCommand::Difference(None)));
            }
        });
    });
    match state.difference() {
        Some(Ok(difference)) => {
            parting_ui(ui, difference, &tokens, commands);
            let spec = signed_spec(state, &look(&tokens));
            if let Some(spec) = spec.filter(|spec| !spec.matrix.rows().is_empty()) {
                let selection = state.selection();
                let highlight = Highlight {
                    row: selection.row(),
                    column: selection.column(),
                };
                let happened = heatmap::show(ui, spec, highlight, pitch, kept, textures);
                let item = |place: Place| match place {
                    Place::Cell(row, column) => Item::Cell {
                        pane: pair.left.clone(),
                        row,
                        column,
                    },
                    Place::Row(row) => Item::Step(row),
                    Place::Column(column) => Item::Column(column),
                };
                if let Some(place) = happened.hover {
                    commands.push(Command::Select(SelectionCommand::Hover(item(place))));
                }
                if let Some(place) = happened.click {
                    commands.push(Command::Select(SelectionCommand::Lock(item(place))));
                }
            }
        }
        Some(Err(why)) => {
            let text = match why {
                NoDifference::Missing => "One of the two has nothing to show",
                NoDifference::NoAttention => "One of the two has no attention",
                NoDifference::OtherSource => "The two cut the sentence into different words",
            };
            ui.label(RichText::new(text).color(tokens.muted));
        }
        None => {}
    }
}

/// Where the outputs part, and the offer to force one on the other.
fn parting_ui(ui: &mut Ui, difference: &Difference, tokens: &Tokens, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        let Some(parting) = &difference.parting else {
            ui.label(RichText::new("Positive where the first one looks more").color(tokens.muted));
            return;
        };
        let text = format!(
            "They part at step {}: {} / {}",
            parting.step + 1,
            parting.left,
            parting.right
        );
        ui.label(RichText::new(text).color(tokens.warning));
        for model in [&difference.pair.left, &difference.pair.right] {
            if ui
                .small_button(format!("Force {} on both", title(model)))
                .clicked()
            {
                let command = DecodeCommand::ForceOutputOf {
                    model: model.clone(),
                };
                commands.push(Command::Decode(command));
            }
        }
    });
    ui.add_space(GRID);
}
