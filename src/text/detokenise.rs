//! Gluing tokens together for display.

use super::TokeniserKind;

impl TokeniserKind {
    /// Writes tokens as a sentence for people.
    pub fn detokenise(self, tokens: &[impl AsRef<str>]) -> String {
        tokens
            .iter()
            .map(AsRef::as_ref)
            .collect::<Vec<_>>()
            .join(" ")
    }
}
