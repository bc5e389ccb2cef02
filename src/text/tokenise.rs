//! Cutting a sentence into tokens.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

/// The ways of cutting a sentence into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokeniserKind {
    /// Lower case; elisions (`l'`), hyphen clitics (`-vous`) and punctuation are tokens of their own.
    French,
    /// Lower case; contractions (`n't`, `'s`) and punctuation are tokens of their own.
    English,
    /// Cut at blanks only, nothing changed but the Unicode normal form.
    Whitespace,
}

/// A name that is no tokeniser's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown tokeniser \"{name}\": expected one of {}", TokeniserKind::ALL.map(TokeniserKind::name).join(", "))]
pub struct UnknownTokeniser {
    /// The name that was asked for.
    pub name: String,
}

/// A token with its place in the text that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The token as the model sees it (normalised).
    pub text: String,
    /// The token as it was typed.
    pub surface: String,
    /// Byte offset of the first byte in the input.
    pub start: usize,
    /// Byte offset after the last byte in the input.
    pub end: usize,
}

impl TokeniserKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::French, Self::English, Self::Whitespace];

    /// The name used in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::French => "french",
            Self::English => "english",
            Self::Whitespace => "whitespace",
        }
    }

    /// The kind of a name.
    ///
    /// # Errors
    /// [`UnknownTokeniser`], whose message lists the known names.
    pub fn from_name(name: &str) -> Result<Self, UnknownTokeniser> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownTokeniser {
                name: name.to_owned(),
            })
    }

    /// The tokens of a text.
    pub fn tokenise(self, text: &str) -> Vec<String> {
        self.tokenise_spans(text)
            .into_iter()
            .map(|token| token.text)
            .collect()
    }

    /// The tokens of a text with their places in it, in order and without overlap.
    pub fn tokenise_spans(self, text: &str) -> Vec<Token> {
        text.split_whitespace()
            .map(|word| {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                Token {
                    text: word.nfc().collect(),
                    surface: word.to_owned(),
                    start,
                    end: start + word.len(),
                }
            })
            .collect()
    }
}

impl fmt::Display for TokeniserKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
