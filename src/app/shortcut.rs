//! Keys of commands.

use serde::{Deserialize, Serialize};

/// A key, apart from what is held with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// A letter, in upper case.
    Letter(char),
    /// F1 to F12.
    Function(u8),
    /// Space bar.
    Space,
    /// Escape.
    Escape,
    /// Home.
    Home,
    /// End.
    End,
    /// Delete.
    Delete,
    /// Up.
    ArrowUp,
    /// Down.
    ArrowDown,
    /// Left.
    ArrowLeft,
    /// Right.
    ArrowRight,
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `=`, which is `+` without Shift on many keyboards.
    Equals,
    /// 0 to 9.
    Digit(u8),
}

/// A key with what is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shortcut {
    /// The key.
    pub key: Key,
    /// Ctrl, on a Mac Cmd.
    pub command: bool,
    /// Shift.
    pub shift: bool,
}

impl Shortcut {
    /// Whether a text field needs the key for itself while it has the keyboard.
    pub const fn is_plain(&self) -> bool {
        !self.command && !matches!(self.key, Key::Function(_) | Key::Escape)
    }
}

pub(super) const fn plain(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: false,
        shift: false,
    }
}

pub(super) const fn ctrl(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: true,
        shift: false,
    }
}

pub(super) const fn ctrl_shift(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: true,
        shift: true,
    }
}
