//! The menus.

use eframe::egui::{self, RichText, Ui};

use super::shortcuts;
use super::theme::SMALL;
use crate::app::{AppState, Command, CommandGroup, FileCommand, UiCommand};

/// The menus, from the table of commands.
pub(super) fn menus_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    for group in CommandGroup::ALL {
        ui.menu_button(group.name(), |ui| {
            ui.set_min_width(240.0);
            for info in UiCommand::table().iter().filter(|info| info.group == group) {
                let keys = info
                    .shortcuts
                    .first()
                    .map(shortcuts::text)
                    .unwrap_or_default();
                let button = egui::Button::new(info.label(state)).shortcut_text(keys);
                if ui.add_enabled(info.is_enabled(state), button).clicked() {
                    commands.push(info.command(state));
                    ui.close();
                }
            }
            if group == CommandGroup::File && !state.preferences().recent.paths().is_empty() {
                ui.separator();
                ui.label(RichText::new("Recent").size(SMALL));
                for path in state.preferences().recent.paths() {
                    let name = path.file_name().map_or_else(
                        || path.display().to_string(),
                        |n| n.to_string_lossy().into_owned(),
                    );
                    if ui
                        .button(name)
                        .on_hover_text(path.display().to_string())
                        .clicked()
                    {
                        commands.push(Command::File(FileCommand::OpenAny(vec![path.clone()])));
                        ui.close();
                    }
                }
            }
        });
    }
}
