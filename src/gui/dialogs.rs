//! What stands in front of the window: questions, the export, paths, all commands, messages. What is only read is in
//! `information.rs`.

use std::collections::HashMap;
use std::path::PathBuf;

use eframe::egui::{self, Context, Id, Key, Modal, RichText, ScrollArea, TextEdit, Ui};

use super::cost::{CostMemo, cost_ui};
use super::export::{self, export_ui};
use super::paint::Textures;
use super::preview::PreviewMemo;
use super::theme::{GRID, SMALL, TITLE, semi_bold};
use super::trial::{self, TrialMemo, trial_ui};
use super::{information, shortcuts};
use crate::app::{
    Answer, AppState, Command, FileCommand, Level, NoticeCommand, PickPurpose, Prompt, Surface,
    UiCommand,
};

/// How long good news stay, in seconds.
const SECONDS_SHOWN: f64 = 6.0;

/// Which surface is open, and what it remembers.
#[derive(Default)]
pub(super) struct Dialogs {
    /// The surface.
    pub(super) open: Option<Surface>,
    /// A path that is asked for in the window.
    pub(super) path: Option<(PickPurpose, String)>,
    /// The path that was found to be a file, for which saving once more replaces it.
    replaces: Option<String>,
    preview: PreviewMemo,
    cost: CostMemo,
    trial: TrialMemo,
    query: String,
    chosen: usize,
    /// When messages were first seen, in seconds of the window's clock.
    seen: HashMap<u64, f64>,
}

impl Dialogs {
    /// Whether something stands in front of the window.
    pub(super) fn is_modal(&self, state: &AppState) -> bool {
        self.open.is_some() || self.path.is_some() || state.prompt().is_some()
    }
}

/// Shows whatever is open.
pub(super) fn dialogs_ui(
    ctx: &Context,
    state: &AppState,
    dialogs: &mut Dialogs,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    if let Some(prompt) = state.prompt() {
        prompt_ui(ctx, state, prompt, commands);
        return;
    }
    if dialogs.path.is_some() {
        path_ui(ctx, dialogs, commands);
        return;
    }
    let Some(surface) = dialogs.open else { return };
    let response = modal(ctx, "surface").show(ctx, |ui| {
        let widest = match surface {
            Surface::ExportDialog => export::WIDTH,
            Surface::Trial => trial::WIDTH,
            _ => 560.0,
        };
        ui.set_max_width(fit(ui, widest));
        ui.set_max_height(ui.ctx().content_rect().height());
        match surface {
            Surface::ExportDialog => export_ui(ui, state, &mut dialogs.preview, commands),
            Surface::Cost => cost_dialog_ui(ui, state, &mut dialogs.cost, textures),
            Surface::Trial => {
                heading(ui, "Attention on trial");
                trial_ui(ui, state, &mut dialogs.trial, textures);
                information::close_ui(ui)
            }
            Surface::Help => information::help_ui(ui),
            Surface::About => information::about_ui(ui, state),
            Surface::NoticeHistory => information::history_ui(ui, state),
            Surface::Palette => palette_ui(ui, state, dialogs, commands),
            Surface::Presentation | Surface::SourceField | Surface::Inspector | Surface::Panels => {
                true
            }
        }
    });
    if response.inner || response.should_close() {
        dialogs.open = None;
        dialogs.trial.close();
        dialogs.query.clear();
        dialogs.chosen = 0;
    }
}

fn cost_dialog_ui(
    ui: &mut Ui,
    state: &AppState,
    memo: &mut CostMemo,
    textures: &mut Textures,
) -> bool {
    heading(ui, "What the sentence costs");
    cost_ui(ui, state, memo, textures);
    information::close_ui(ui)
}

/// A width that fits into the window, however large its text is.
fn fit(ui: &Ui, width: f32) -> f32 {
    let frame = 12.0 * GRID;
    width.min(ui.ctx().content_rect().width() - frame)
}

/// The height of a list in a dialog that has `around` besides.
pub(super) fn list_height(ui: &Ui, wanted: f32, around: f32) -> f32 {
    let space = ui.ctx().content_rect().height() - around;
    wanted.min(space).max(20.0 * GRID)
}

fn modal(ctx: &Context, name: &str) -> Modal {
    let style = ctx.style_of(ctx.theme());
    Modal::new(Id::unique(name)).frame(egui::Frame::popup(&style).inner_margin(5.0 * GRID))
}

pub(super) fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(semi_bold(TITLE)));
    ui.add_space(2.0 * GRID);
}

fn prompt_ui(ctx: &Context, state: &AppState, prompt: &Prompt, commands: &mut Vec<Command>) {
    let (title, text, yes, no) = match prompt {
        Prompt::UnsavedChanges { .. } => (
            "Unsaved changes",
            format!("Save the changes to {} first?", state.session_name()),
            "Save",
            "Do not save",
        ),
        Prompt::Restore { file } => {
            let what = file.as_ref().map_or_else(
                || "a session without a file".to_owned(),
                |f| f.display().to_string(),
            );
            (
                "Unsaved changes were left behind",
                format!("Bring back the changes to {what}?"),
                "Bring back",
                "Throw away",
            )
        }
        Prompt::ChangedOnDisk { path } => (
            "The file was changed",
            format!(
                "{} was changed by another program since it was opened. Saving replaces what is there now.",
                path.file_name().unwrap_or_default().to_string_lossy()
            ),
            "Save anyway",
            "Save as…",
        ),
    };
    let mut answer = |answer| commands.push(Command::File(FileCommand::Answer(answer)));
    let response = modal(ctx, "prompt").show(ctx, |ui| {
        heading(ui, title);
        ui.label(text);
        ui.add_space(3.0 * GRID);
        ui.horizontal(|ui| {
            if ui.button(yes).clicked() {
                answer(Answer::Yes);
            }
            if ui.button(no).clicked() {
                answer(Answer::No);
            }
            if ui.button("Cancel").clicked() {
                answer(Answer::Cancel);
            }
        });
    });
    if response.should_close() {
        answer(Answer::Cancel);
    }
}

/// A path typed by hand, where the system has no file dialog.
fn path_ui(ctx: &Context, dialogs: &mut Dialogs, commands: &mut Vec<Command>) {
    let Some((purpose, text)) = &mut dialogs.path else {
        return;
    };
    let saves = matches!(
        purpose,
        PickPurpose::SaveSession | PickPurpose::SaveFigure { .. }
    );
    let mut picked: Option<Option<PathBuf>> = None;
    let response = modal(ctx, "path").show(ctx, |ui| {
        heading(ui, if saves { "Save as" } else { "Open" });
        ui.label(
            "No file dialog of the system was found. Type a path, or drop the file on the window",
        );
        let label = ui.label(RichText::new("Path").size(SMALL));
        let field = ui
            .add(TextEdit::singleline(text).desired_width(480.0))
            .labelled_by(label.id);
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        // Not after Tab, which goes on to the buttons.
        if ui.memory(|memory| memory.focused().is_none()) {
            field.request_focus();
        }
        let replaces = dialogs.replaces.as_ref() == Some(text);
        if replaces {
            ui.label("A file of this name is there and would be replaced");
        }
        ui.add_space(2.0 * GRID);
        ui.horizontal(|ui| {
            let name = match (saves, replaces) {
                (true, true) => "Replace",
                (true, false) => "Save",
                (false, _) => "Open",
            };
            let go = ui.add_enabled(!text.trim().is_empty(), egui::Button::new(name));
            if (go.clicked() || entered) && !text.trim().is_empty() {
                let path = PathBuf::from(text.trim());
                // The dialogs of a system ask the same.
                if saves && !replaces && path.exists() {
                    dialogs.replaces = Some(text.clone());
                } else {
                    picked = Some(Some(path));
                }
            }
            if ui.button("Cancel").clicked() {
                picked = Some(None);
            }
        });
    });
    if picked.is_none() && response.should_close() {
        picked = Some(None);
    }
    if let Some(path) = picked {
        let purpose = purpose.clone();
        commands.push(Command::File(FileCommand::Picked { purpose, path }));
        dialogs.path = None;
        dialogs.replaces = None;
    }
}

/// Messages at the lower left; each can be dismissed. Good news go by themselves; the history keeps them.
pub(super) fn notices_ui(
    ctx: &Context,
    state: &AppState,
    dialogs: &mut Dialogs,
    commands: &mut Vec<Command>,
) {
    let open: Vec<_> = state.notices().open().collect();
    let now = ctx.input(|input| input.time);
    dialogs
        .seen
        .retain(|id, _| open.iter().any(|notice| notice.id == *id));
    for notice in open
        .iter()
        .filter(|notice| notice.draft.level <= Level::Info)
    {
        let since = *dialogs.seen.entry(notice.id).or_insert(now);
        let left = SECONDS_SHOWN - (now - since);
        if left <= 0.0 {
            commands.push(Command::Notice(NoticeCommand::Dismiss(notice.id)));
        } else {
            ctx.request_repaint_after_secs(left as f32);
        }
    }
    if open.is_empty() {
        return;
    }
    egui::Area::new(Id::unique("notices"))
        .anchor(egui::Align2::LEFT_BOTTOM, [16.0, -16.0])
        .show(ctx, |ui| {
            for notice in open.iter().rev().take(4).rev() {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(420.0);
                    information::notice_text(ui, notice);
                    ui.horizontal(|ui| {
                        if let Some(action) = &notice.draft.action
                            && ui.small_button(&action.label).clicked()
                        {
                            commands.push(Command::Notice(NoticeCommand::Follow(notice.id)));
                        }
                        if ui.small_button("Dismiss").clicked() {
                            commands.push(Command::Notice(NoticeCommand::Dismiss(notice.id)));
                        }
                    });
                });
            }
        });
}

fn palette_ui(
    ui: &mut Ui,
    state: &AppState,
    dialogs: &mut Dialogs,
    commands: &mut Vec<Command>,
) -> bool {
    let width = fit(ui, 520.0);
    let label = ui.label(RichText::new("All commands").size(SMALL));
    let field = ui.add(
        TextEdit::singleline(&mut dialogs.query)
            .desired_width(width)
            .hint_text("Type a command"),
    );
    let field = field.labelled_by(label.id);
    field.request_focus();
    if field.changed() {
        dialogs.chosen = 0;
    }
    let query = dialogs.query.to_lowercase();
    let matches = |info: &&crate::app::CommandInfo| {
        query
            .split_whitespace()
            .all(|word| info.label(state).to_lowercase().contains(word))
    };
    let found: Vec<_> = UiCommand::table()
        .iter()
        .filter(|info| info.id != UiCommand::Palette && info.is_enabled(state))
        .filter(matches)
        .collect();
    let (up, down, enter) = ui.input(|input| {
        (
            input.key_pressed(Key::ArrowUp),
            input.key_pressed(Key::ArrowDown),
            input.key_pressed(Key::Enter),
        )
    });
    let last = found.len().saturating_sub(1);
    dialogs.chosen = match (up, down) {
        (true, _) => dialogs.chosen.saturating_sub(1),
        (_, true) => dialogs.chosen + 1,
        _ => dialogs.chosen,
    }
    .min(last);
    let mut done = None;
    let height = list_height(ui, 320.0, 140.0);
    ScrollArea::vertical().max_height(height).show(ui, |ui| {
        for (i, info) in found.iter().enumerate() {
            let keys = info
                .shortcuts
                .first()
                .map(shortcuts::text)
                .unwrap_or_default();
            let button =
                egui::Button::selectable(i == dialogs.chosen, info.label(state)).right_text(keys);
            let response = ui.add_sized([width, 28.0], button);
            if i == dialogs.chosen && (up || down) {
                response.scroll_to_me(None);
            }
            if response.clicked() || (enter && i == dialogs.chosen) {
                done = Some(info.command(state));
            }
        }
        if found.is_empty() {
            ui.label("No command has these words");
        }
    });
    match done {
        Some(command) => {
            commands.push(command);
            true
        }
        None => false,
    }
}
