//! The top of the window: the sentence, its words, examples, a forced target.

use eframe::egui::{
    self, Align, Key, Layout, Response, RichText, Stroke, TextEdit, Ui, Vec2, WidgetInfo,
    accesskit::Role,
};

use super::paint;
use super::theme::{GRID, LABEL, RADIUS, SMALL, TITLE, Tokens, regular};
use crate::app::{
    AppState, Command, DecodeCommand, Item, SelectionCommand, SourceCommand, WhatIfCommand,
    WordChange, examples,
};
use crate::engine::{Intervention, InterventionKind, Scope};

/// What the panel remembers between frames.
#[derive(Default)]
pub(super) struct SourcePanel {
    /// The field's text while it has the keyboard.
    text: String,
    target: String,
    shows_target: bool,
    /// Whether the field should get the keyboard.
    pub(super) wants_focus: bool,
}

/// Height of the field of the sentence, in points.
const FIELD: f32 = 9.0 * GRID;
/// Height of the field of the target, in points.
const TARGET: f32 = 7.0 * GRID;

/// What stands in front of a row, as wide as in all rows.
pub(super) fn row_label(ui: &mut Ui, text: &str, height: f32) -> Response {
    let muted = Tokens::of(ui.ctx()).muted;
    let size = Vec2::new(LABEL, height);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        ui.label(RichText::new(text).color(muted))
    })
    .inner
}

/// Makes the buttons of a row small tags that stand `apart`.
pub(super) fn tag_spacing(ui: &mut Ui, apart: f32) {
    let spacing = ui.spacing_mut();
    spacing.item_spacing.x = apart;
    spacing.button_padding = Vec2::new(2.0 * GRID, 2.0);
    spacing.interact_size.y = 5.0 * GRID;
}

/// Shows the panel; in a low window without the words, as long as all are known.
pub(super) fn source_ui(
    ui: &mut Ui,
    state: &AppState,
    panel: &mut SourcePanel,
    is_low: bool,
    commands: &mut Vec<Command>,
) {
    let tokens = Tokens::of(ui.ctx());
    ui.horizontal(|ui| {
        let label = row_label(ui, "Source", FIELD);
        field_ui(ui, state, panel, commands, label.id);
        examples_ui(ui, commands);
        let text = if panel.shows_target {
            "No target"
        } else {
            "Target…"
        };
        let tip =
            "Make all scorers produce the same translation, so that their rows can be compared";
        if ui.button(text).on_hover_text(tip).clicked() {
            panel.shows_target = !panel.shows_target;
            if !panel.shows_target {
                commands.push(Command::Decode(DecodeCommand::SetTarget(None)));
            }
        }
    });
    if !is_low || state.chips().iter().any(|chip| !chip.known) {
        chips_ui(ui, state, &tokens, commands);
    }
    if let Some(compared) = &state.document().compared {
        compared_ui(ui, state, compared, &tokens, commands);
    }
    if panel.shows_target || state.document().target.is_some() {
        panel.shows_target = true;
        target_ui(ui, state, panel, commands);
    }
}

fn field_ui(
    ui: &mut Ui,
    state: &AppState,
    panel: &mut SourcePanel,
    commands: &mut Vec<Command>,
    label: egui::Id,
) {
    let id = egui::Id::unique("source");
    if !ui.memory(|memory| memory.has_focus(id)) || panel.text != state.document().source {
        state.document().source.clone_into(&mut panel.text);
    }
    let width = (ui.available_width() - 200.0).clamp(120.0, 720.0);
    let edit = TextEdit::singleline(&mut panel.text)
        .id(id)
        .font(regular(TITLE))
        .hint_text("Type a French sentence")
        .margin(egui::Margin::symmetric(10, 6))
        .desired_width(width);
    let response = ui.add(edit).labelled_by(label);
    if std::mem::take(&mut panel.wants_focus) {
        response.request_focus();
    }
    if response.changed() {
        commands.push(Command::Source(SourceCommand::SetText(panel.text.clone())));
    }
    if response.lost_focus() {
        commands.push(Command::Source(SourceCommand::Commit));
        // Enter leaves the field and steps.
        if ui.input(|input| input.key_pressed(Key::Enter)) {
            commands.push(Command::Decode(DecodeCommand::Step));
        }
    }
}

fn examples_ui(ui: &mut Ui, commands: &mut Vec<Command>) {
    ui.menu_button("Examples ▾", |ui| {
        let mut group = "";
        let mut place = 0;
        while let Some(example) = examples().get(place) {
            if example.group == group {
                place += 1;
                continue;
            }
            group = example.group;
            ui.menu_button(group, |ui| {
                for (i, example) in examples()
                    .iter()
                    .enumerate()
                    .filter(|(_, e)| e.group == group)
                {
                    let mut shown: String = example.sentence.chars().take(70).collect();
                    if shown.len() < example.sentence.len() {
                        shown.push('…');
                    }
                    if ui.button(shown).clicked() {
                        commands.push(Command::Source(SourceCommand::UseExample(i)));
                        ui.close();
                    }
                }
            });
        }
    });
}

/// The sentence that this one is compared with.
fn compared_ui(
    ui: &mut Ui,
    state: &AppState,
    compared: &str,
    tokens: &Tokens,
    commands: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        row_label(ui, "Before", TARGET);
        let buttons = 62.0 * GRID;
        let space = (ui.available_width() - buttons).max(20.0 * GRID);
        ui.scope(|ui| {
            ui.set_max_width(space);
            let text = RichText::new(compared).color(tokens.muted);
            ui.add(egui::Label::new(text).truncate());
        });
        let is_other = state.compared().is_some();
        let back = egui::Button::new("Back to it");
        if ui.add_enabled(is_other, back).clicked() {
            commands.push(Command::Source(SourceCommand::BackToCompared));
        }
        if ui.button("Compare no longer").clicked() {
            commands.push(Command::Source(SourceCommand::Compare(false)));
        }
    });
}

/// What can happen to a word.
fn word_menu(ui: &mut Ui, state: &AppState, index: usize, commands: &mut Vec<Command>) {
    for change in WordChange::ALL {
        let fits = change.fits(index, state.chips().len());
        if ui
            .add_enabled(fits, egui::Button::new(change.title()))
            .clicked()
        {
            let change = SourceCommand::ChangeWord { index, change };
            commands.push(Command::Source(change));
            ui.close();
        }
    }
    if ui
        .add_enabled(
            state.has_attention(),
            egui::Button::new("Mask in all scorers"),
        )
        .clicked()
    {
        let edit = Intervention::new(Scope::All, InterventionKind::MaskSource(index));
        let add = WhatIfCommand::Add { model: None, edit };
        commands.push(Command::WhatIf(add));
        ui.close();
    }
}

/// The words as the model sees them; an unknown one offers what it may have been.
fn chips_ui(ui: &mut Ui, state: &AppState, tokens: &Tokens, commands: &mut Vec<Command>) {
    let column = state.selection().column();
    egui::ScrollArea::horizontal()
        .id_salt("chips")
        .max_height(9.0 * GRID)
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.add_space(LABEL + ui.spacing().item_spacing.x);
                tag_spacing(ui, GRID);
                if state.chips().is_empty() {
                    ui.label(
                        RichText::new("No words yet")
                            .size(SMALL)
                            .color(tokens.muted),
                    );
                }
                for (i, chip) in state.chips().iter().enumerate() {
                    let text = if chip.known {
                        chip.text.clone()
                    } else {
                        format!("{} ?", chip.text)
                    };
                    if paint::leaves_room(ui, &text) {
                        continue;
                    }
                    let is_chosen = column == Some(i);
                    let ink = match (chip.known, is_chosen) {
                        (false, _) => tokens.warning,
                        (true, true) => tokens.accent,
                        (true, false) => tokens.text,
                    };
                    let line = if chip.known {
                        tokens.line
                    } else {
                        tokens.warning
                    };
                    let button = egui::Button::new(RichText::new(text).size(SMALL).color(ink))
                        .fill(if is_chosen {
                            tokens.chosen
                        } else {
                            tokens.canvas
                        })
                        .stroke(Stroke::new(1.0, line))
                        .corner_radius(RADIUS);
                    let response = ui.add(button);
                    let name = if chip.known {
                        format!("Word {}", chip.text)
                    } else {
                        format!("Unknown word {}", chip.text)
                    };
                    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
                    if response.hovered() {
                        commands.push(Command::Select(SelectionCommand::Hover(Item::Column(i))));
                    }
                    response.context_menu(|ui| word_menu(ui, state, i, commands));
                    if chip.known {
                        if response.clicked() {
                            commands.push(Command::Select(SelectionCommand::Lock(Item::Column(i))));
                        }
                    } else {
                        suggestions_ui(&response, state, i, commands);
                    }
                }
            });
        });
}

fn suggestions_ui(
    chip: &egui::Response,
    state: &AppState,
    index: usize,
    commands: &mut Vec<Command>,
) {
    egui::Popup::menu(chip).show(|ui| {
        ui.label(RichText::new("The model does not know this word. Near it are").size(SMALL));
        for word in state.suggestions(index, 5) {
            if ui.button(&word).clicked() {
                commands.push(Command::Source(SourceCommand::ReplaceWord { index, word }));
                ui.close();
            }
        }
    });
}

fn target_ui(ui: &mut Ui, state: &AppState, panel: &mut SourcePanel, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let label = row_label(ui, "Target", TARGET);
        let id = egui::Id::unique("target");
        let now = state.document().target.clone().unwrap_or_default();
        if !ui.memory(|memory| memory.has_focus(id)) && panel.target != now {
            panel.target = now;
        }
        let edit = TextEdit::singleline(&mut panel.target)
            .id(id)
            .hint_text("A translation that all scorers are made to produce")
            .margin(egui::Margin::symmetric(10, 4))
            .desired_width((ui.available_width() - 24.0).min(720.0));
        let response = ui.add(edit).labelled_by(label.id);
        if response.changed() {
            let text = panel.target.trim().to_owned();
            let target = (!text.is_empty()).then_some(text);
            commands.push(Command::Decode(DecodeCommand::SetTarget(target)));
        }
    });
}
