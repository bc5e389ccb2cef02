//! The menus.

use eframe::egui::{self, RichText, ScrollArea, Ui};

use super::shortcuts;
use super::theme::SMALL;
use crate::app::{
    AppState, Command, CommandGroup, CommandInfo, EditCommand, FileCommand, METHODS, SAMPLES,
    UiCommand, method_title,
};
use crate::project::Chart;

/// What of the window's height a menu leaves free, in points.
const AROUND: f32 = 64.0;
/// The highest list of changes, in points.
const HISTORY: f32 = 360.0;

/// The menus, from the table of commands.
pub(super) fn menus_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    for group in CommandGroup::ALL {
        ui.menu_button(group.name(), |ui| {
            ui.set_min_width(240.0);
            // Large text in a low window: what does not fit can be scrolled to.
            let highest = ui.ctx().content_rect().height() - AROUND;
            ui.set_max_height(highest);
            ScrollArea::vertical().max_height(highest).show(ui, |ui| {
                for info in rows(group) {
                    row_ui(ui, state, info, commands);
                    match info.id {
                        UiCommand::Open => samples_ui(ui, state, commands),
                        UiCommand::Redo => history_ui(ui, state, commands),
                        UiCommand::ClearSource => {
                            group_ui(ui, state, CommandGroup::WhatIf, commands)
                        }
                        UiCommand::ToggleDifference => {
                            ui.menu_button(CommandGroup::Attribution.name(), |ui| {
                                attribution_rows_ui(ui, state, commands);
                            });
                        }
                        UiCommand::ToggleCurves => {
                            ui.menu_button(CommandGroup::Charts.name(), |ui| {
                                chart_rows_ui(ui, state, commands);
                            });
                        }
                        _ => {}
                    }
                }
                if group == CommandGroup::File {
                    recent_ui(ui, state, commands);
                }
            });
        });
    }
}

fn rows(group: CommandGroup) -> impl Iterator<Item = &'static CommandInfo> {
    UiCommand::table()
        .iter()
        .filter(move |info| info.group == group)
}

fn row_ui(ui: &mut Ui, state: &AppState, info: &CommandInfo, commands: &mut Vec<Command>) {
    let mut button = egui::Button::new(info.label(state));
    if let Some(keys) = info.shortcuts.first().map(shortcuts::text) {
        button = button.shortcut_text(keys);
    }
    if ui.add_enabled(info.is_enabled(state), button).clicked() {
        commands.push(info.command(state));
        ui.close();
    }
}

/// A menu within another one.
fn group_ui(ui: &mut Ui, state: &AppState, group: CommandGroup, commands: &mut Vec<Command>) {
    ui.menu_button(group.name(), |ui| {
        ui.set_min_width(240.0);
        rows(group).for_each(|info| row_ui(ui, state, info, commands));
    });
}

/// Sessions that come with the program.
fn samples_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.menu_button(CommandGroup::Samples.name(), |ui| {
        ui.set_min_width(240.0);
        for (info, sample) in rows(CommandGroup::Samples).zip(&SAMPLES) {
            if ui.button(sample.title).clicked() {
                commands.push(info.command(state));
                ui.close();
            }
        }
    });
}

/// The charts, each on or off.
pub(super) fn chart_rows_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.set_min_width(240.0);
    for (info, chart) in rows(CommandGroup::Charts).zip(Chart::ALL) {
        let name = info.name.trim_start_matches("Chart: ");
        let mut is_shown = state.shows_chart(chart);
        if ui.checkbox(&mut is_shown, name).changed() {
            commands.push(info.command(state));
        }
    }
}

/// Which attribution stands beside attention.
fn attribution_rows_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.set_min_width(240.0);
    let methods = std::iter::once(None).chain(METHODS.map(Some));
    for (info, method) in rows(CommandGroup::Attribution).zip(methods) {
        let is_chosen = state.view().attribution == method;
        let name = method.map_or("Off", method_title);
        let is_enabled = is_chosen || info.is_enabled(state);
        let radio = egui::RadioButton::new(is_chosen, name);
        if ui.add_enabled(is_enabled, radio).clicked() {
            commands.push(info.command(state));
            ui.close();
        }
    }
}

/// Every change that can be taken back or brought back, the newest first.
fn history_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.menu_button("History", |ui| {
        ui.set_min_width(240.0);
        let undo = state.undo();
        let mut choose = |ui: &mut Ui, text: String, command: EditCommand| {
            if ui.button(text).clicked() {
                commands.push(Command::Edit(command));
                ui.close();
            }
        };
        ScrollArea::vertical().max_height(HISTORY).show(ui, |ui| {
            let future: Vec<_> = undo.future_names().enumerate().collect();
            for (i, name) in future.into_iter().rev() {
                choose(ui, format!("Redo {name}"), EditCommand::RedoSteps(i + 1));
            }
            ui.label(RichText::new("now").size(SMALL));
            for (i, name) in undo.past_names().enumerate() {
                choose(ui, format!("Undo {name}"), EditCommand::UndoSteps(i + 1));
            }
        });
    });
}

fn recent_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let recent = state.preferences().recent.paths();
    if recent.is_empty() {
        return;
    }
    ui.separator();
    ui.label(RichText::new("Recent").size(SMALL));
    for path in recent {
        let name = path.file_name().map_or_else(
            || path.display().to_string(),
            |n| n.to_string_lossy().into_owned(),
        );
        let button = ui.button(name).on_hover_text(path.display().to_string());
        if button.clicked() {
            commands.push(Command::File(FileCommand::OpenAny(vec![path.clone()])));
            ui.close();
        }
    }
}
