//! Cutting a sentence into tokens.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::scan::scan;

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
        if self.language().is_none() {
            // A token with its place takes 64 bytes, many times a short word.
            let mut words = Vec::with_capacity(text.split_whitespace().count());
            words.extend(text.split_whitespace().map(normal_form));
            return words;
        }
        let tokens = self.tokenise_spans(text);
        // Not `collect`, which would keep the larger memory of the spans for the words of a whole corpus.
        let mut words = Vec::with_capacity(tokens.len());
        words.extend(tokens.into_iter().map(|token| token.text));
        words
    }

    /// The tokens of a text with their places in it, in order and without overlap.
    ///
    /// The byte offsets lie on the input's character boundaries, and `surface` is what stands between
    /// them. Blanks belong to no token.
    pub fn tokenise_spans(self, text: &str) -> Vec<Token> {
        match self.language() {
            Some(language) => scan(text, language),
            None => split_at_blanks(text),
        }
    }
}

fn split_at_blanks(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word = None;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, letter) in ends {
        if !letter.is_whitespace() {
            word.get_or_insert(at);
        } else if let Some(start) = word.take() {
            let surface = &text[start..at];
            tokens.push(Token {
                text: normal_form(surface),
                surface: surface.to_owned(),
                start,
                end: at,
            });
        }
    }
    tokens
}

/// A word in the normal form. Most have it already, and then take no more memory than they need.
fn normal_form(word: &str) -> String {
    if is_nfc(word) {
        word.to_owned()
    } else {
        word.nfc().collect()
    }
}

impl fmt::Display for TokeniserKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_go_there_and_back() {
        for kind in TokeniserKind::ALL {
            assert_eq!(TokeniserKind::from_name(kind.name()), Ok(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
        }
        let message = TokeniserKind::from_name("klingon").unwrap_err().to_string();
        assert_eq!(
            message,
            "unknown tokeniser \"klingon\": expected one of french, english, whitespace"
        );
    }

    #[test]
    fn whitespace_changes_nothing_but_the_normal_form() {
        let tokens = TokeniserKind::Whitespace.tokenise(" Cafe\u{301}\u{A0}L'Eau,\tx\u{202F}y ");
        assert_eq!(tokens, ["Café", "L'Eau,", "x", "y"]);
    }

    #[test]
    fn a_token_knows_where_it_was_typed() {
        let tokens = TokeniserKind::French.tokenise_spans("L’E\u{301}te\u{301}… !");
        let found: Vec<_> = tokens
            .iter()
            .map(|t| (t.text.as_str(), t.surface.as_str(), t.start, t.end))
            .collect();
        assert_eq!(
            found,
            [
                ("l'", "L’", 0, 4),
                ("été", "E\u{301}te\u{301}", 4, 11),
                ("...", "…", 11, 14),
                ("!", "!", 15, 16)
            ]
        );
    }

    #[test]
    fn odd_texts_are_tokenised() {
        let odd = [
            "",
            " ",
            "\0",
            "\t\r\n",
            "'",
            "''",
            "-",
            "--",
            "-t-il",
            "l'",
            "l''",
            "...",
            "….…",
            "\u{301}",
            " \u{301}",
            "'\u{301}",
            "e\u{301}\u{301}\u{301}",
            "👩‍👩‍👧‍👦",
            "🇫🇷🇫",
            "مرحبا، كيف؟",
            "İSTANBUL",
            "ΣΑΣ",
            "\u{FEFF}l'eau",
            "\u{1100}\u{1161}\u{11A8}",
            "\u{600} 5",
            "1.2.3.",
            "a.b.c.d",
            "n't",
            "'s",
            "’",
            "\u{200B}a\u{200B}",
        ];
        for text in odd {
            for kind in TokeniserKind::ALL {
                check_spans(kind, text);
            }
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        for piece in [
            "a.", "-vous", "l'", "'", "n't", ".", "e\u{301}", "\u{301}", "'a", "m. ",
        ] {
            let text = piece.repeat(100_000);
            for kind in TokeniserKind::ALL {
                kind.tokenise(&text);
            }
        }
    }

    fn check_spans(kind: TokeniserKind, text: &str) {
        let mut end = 0;
        let tokens = kind.tokenise_spans(text);
        let texts: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        assert_eq!(kind.tokenise(text), texts, "{kind} {text:?}");
        for token in tokens {
            assert!(
                token.start >= end && token.end > token.start,
                "{kind} {text:?} {token:?}"
            );
            assert_eq!(
                text.get(token.start..token.end),
                Some(token.surface.as_str()),
                "{kind} {text:?}"
            );
            assert!(
                text[end..token.start].chars().all(|c| !c.is_alphanumeric()),
                "{kind} {text:?}"
            );
            assert!(
                !token.text.is_empty() && !token.text.contains(char::is_whitespace),
                "{kind} {text:?}"
            );
            end = token.end;
        }
        assert!(
            text[end..].chars().all(|c| !c.is_alphanumeric()),
            "{kind} {text:?}"
        );
    }

    proptest! {
        #[test]
        fn spans_fit_any_text(text in any::<String>()) {
            for kind in TokeniserKind::ALL {
                check_spans(kind, &text);
            }
        }

        #[test]
        fn spans_fit_texts_of_hard_letters(
            text in "[a-dlnqtuvy'’ʼ. ,:;!?«»\"“‘’…0-9é\u{301}\u{308}\u{0}\t\u{A0}\u{202F}\u{200D}😀👍🏽مİ\u{1100}\u{1161}-]{0,40}"
        ) {
            for kind in TokeniserKind::ALL {
                check_spans(kind, &text);
            }
        }
    }
}
