//! Keys: the command table's shortcuts, taken before any widget sees them.

use eframe::egui::{self, Key as EguiKey, KeyboardShortcut, Modifiers};

use crate::app::{AppState, Command, Key, Shortcut, UiCommand};

fn key(key: Key) -> Option<EguiKey> {
    Some(match key {
        Key::Letter(letter) => EguiKey::from_name(&letter.to_string())?,
        Key::Function(n) => EguiKey::from_name(&format!("F{n}"))?,
        Key::Space => EguiKey::Space,
        Key::Escape => EguiKey::Escape,
        Key::Home => EguiKey::Home,
        Key::End => EguiKey::End,
        Key::Delete => EguiKey::Delete,
        Key::ArrowUp => EguiKey::ArrowUp,
        Key::ArrowDown => EguiKey::ArrowDown,
        Key::ArrowLeft => EguiKey::ArrowLeft,
        Key::ArrowRight => EguiKey::ArrowRight,
        Key::Plus => EguiKey::Plus,
        Key::Minus => EguiKey::Minus,
        Key::Equals => EguiKey::Equals,
        Key::Digit(n) => EguiKey::from_name(&n.to_string())?,
    })
}

fn modifiers(shortcut: &Shortcut) -> Modifiers {
    let mut modifiers = Modifiers::NONE;
    if shortcut.command {
        modifiers |= Modifiers::COMMAND;
    }
    if shortcut.shift {
        modifiers |= Modifiers::SHIFT;
    }
    modifiers
}

/// "Ctrl+Shift+Z".
pub(super) fn text(shortcut: &Shortcut) -> String {
    let mut text = String::new();
    if shortcut.command {
        text.push_str(if cfg!(target_os = "macos") {
            "Cmd+"
        } else {
            "Ctrl+"
        });
    }
    if shortcut.shift {
        text.push_str("Shift+");
    }
    let key = match shortcut.key {
        Key::Letter(letter) => letter.to_string(),
        Key::Function(n) => format!("F{n}"),
        Key::Space => "Space".to_owned(),
        Key::Escape => "Esc".to_owned(),
        Key::Home => "Home".to_owned(),
        Key::End => "End".to_owned(),
        Key::Delete => "Del".to_owned(),
        Key::ArrowUp => "↑".to_owned(),
        Key::ArrowDown => "↓".to_owned(),
        Key::ArrowLeft => "←".to_owned(),
        Key::ArrowRight => "→".to_owned(),
        Key::Plus => "+".to_owned(),
        Key::Minus => "−".to_owned(),
        Key::Equals => "=".to_owned(),
        Key::Digit(n) => n.to_string(),
    };
    text.push_str(&key);
    text
}

/// The commands whose keys were pressed. A text field with the keyboard keeps plain keys; so does whatever has the
/// keyboard keep Space, which presses it.
pub(super) fn pressed(ctx: &egui::Context, state: &AppState, is_modal: bool) -> Vec<Command> {
    let mut commands = Vec::new();
    if is_modal {
        return commands;
    }
    let typing = ctx.text_edit_focused();
    let focused = ctx.memory(egui::Memory::focused);
    let on_slider = focused.is_some() && focused == ctx.data(|data| data.get_temp(arrows_id()));
    // Those with more held keys come first: Ctrl+Shift+Z is no Ctrl+Z.
    let mut all: Vec<(&Shortcut, UiCommand)> = UiCommand::table()
        .iter()
        .flat_map(|info| {
            info.shortcuts
                .iter()
                .map(move |shortcut| (shortcut, info.id))
        })
        .collect();
    all.sort_by_key(|(shortcut, _)| !shortcut.shift);
    for (shortcut, id) in all {
        let kept_by_field = typing && (shortcut.is_plain() || is_text_key(shortcut));
        let kept_by_button = focused.is_some() && !typing && shortcut.key == Key::Space;
        let kept_by_slider = on_slider && shortcut.is_plain() && is_arrow(shortcut.key);
        if kept_by_field || kept_by_button || kept_by_slider || !id.info().is_enabled(state) {
            continue;
        }
        let Some(key) = key(shortcut.key) else {
            continue;
        };
        // Where `+` needs Shift, the key without it does as well.
        let second = (shortcut.key == Key::Plus).then_some(EguiKey::Equals);
        let is_pressed = [Some(key), second].into_iter().flatten().any(|key| {
            let taken = KeyboardShortcut::new(modifiers(shortcut), key);
            ctx.input_mut(|input| input.consume_shortcut(&taken))
        });
        if is_pressed {
            commands.push(id.info().command(state));
        }
    }
    // egui turns Ctrl+C into an event of its own.
    let copied = ctx.input(|input| {
        input
            .events
            .iter()
            .any(|event| matches!(event, egui::Event::Copy))
    });
    if copied && !typing && UiCommand::CopySelection.info().is_enabled(state) {
        commands.push(UiCommand::CopySelection.info().command(state));
    }
    commands
}

fn arrows_id() -> egui::Id {
    egui::Id::unique("who keeps the arrow keys")
}

/// Leaves the arrow keys to a slider while it has the keyboard.
pub(super) fn keep_arrows(response: &egui::Response) {
    if response.has_focus() {
        let id = response.id;
        response
            .ctx
            .data_mut(|data| data.insert_temp(arrows_id(), id));
    }
}

const fn is_arrow(key: Key) -> bool {
    matches!(
        key,
        Key::ArrowUp | Key::ArrowDown | Key::ArrowLeft | Key::ArrowRight
    )
}

/// Keys that edit text while a field has the keyboard: copy, undo, words to the left and right.
fn is_text_key(shortcut: &Shortcut) -> bool {
    shortcut.command
        && matches!(
            shortcut.key,
            Key::Letter('C' | 'Z' | 'Y') | Key::ArrowLeft | Key::ArrowRight
        )
}
