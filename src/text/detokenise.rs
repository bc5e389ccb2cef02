//! Gluing tokens together for display.

use super::{TokeniserKind, english, french};

/// The blank before a French `?`, `!`, `;`, `:` and inside guillemets: narrow, and no line breaks there.
const NARROW_BLANK: char = '\u{202F}';

impl TokeniserKind {
    /// Writes tokens as a sentence for people: elisions, clitics and contractions are tied to their words,
    /// and blanks stand where the language's typography wants them.
    ///
    /// Letters stay as they are (lower case, if the tokeniser made them so). Tokens of a realistic sentence
    /// come out of [`tokenise`](Self::tokenise) again.
    pub fn detokenise(self, tokens: &[impl AsRef<str>]) -> String {
        let tokens: Vec<&str> = tokens.iter().map(AsRef::as_ref).collect();
        if self == Self::Whitespace {
            return tokens.join(" ");
        }
        let mut writer = Writer::new(self, &tokens);
        for &token in &tokens {
            writer.push(token);
        }
        writer.text
    }
}

/// How a mark stands to its neighbours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Tied to what follows.
    Opening,
    /// Tied to what precedes.
    Closing,
    /// Blanks on both sides.
    Free,
}

struct Writer<'a> {
    kind: TokeniserKind,
    text: String,
    before: Option<&'a str>,
    /// What is to stand between the last token and the next one, if that does not mind.
    gap: Option<char>,
    /// Whether the next `"` and the next `'` close.
    quoting: bool,
    apostrophe_quoting: bool,
    /// Apostrophes left over as tokens come in pairs, or are not taken for quotation marks.
    apostrophes_pair: bool,
}

impl<'a> Writer<'a> {
    fn new(kind: TokeniserKind, tokens: &[&str]) -> Self {
        let apostrophes = tokens.iter().filter(|token| **token == "'").count();
        Self {
            kind,
            text: String::new(),
            before: None,
            gap: None,
            quoting: false,
            apostrophe_quoting: tokens.iter().filter(|token| **token == "‘").count() == 1
                && apostrophes == 1,
            apostrophes_pair: apostrophes % 2 == 0,
        }
    }

    fn push(&mut self, token: &'a str) {
        if token.is_empty() {
            return;
        }
        let (gap_before, gap_after) = self.gaps(token);
        if self.before.is_some() {
            self.text.extend(gap_before);
        }
        if self.kind == TokeniserKind::English && token == "n't" && self.before == Some("can") {
            // Some corpora cut "can't" as "can n't".
            self.text.push_str("'t");
        } else {
            self.text.push_str(token);
        }
        self.before = Some(token);
        self.gap = gap_after;
    }

    /// The blanks before and after a token.
    fn gaps(&mut self, token: &str) -> (Option<char>, Option<char>) {
        let french = self.kind == TokeniserKind::French;
        let after = if french && french::is_elision(token) {
            None
        } else {
            Some(' ')
        };
        if self.is_tied_word(token) {
            return (None, after);
        }
        match (self.side(token), token) {
            (Side::Opening, "«" | "‹") if french => (self.gap, Some(NARROW_BLANK)),
            (Side::Closing, "»" | "›" | "?" | "!" | ";" | ":" | "‽") if french => {
                // "?!" and the like stand close together.
                let close = matches!(self.before, Some("?" | "!" | "‽"))
                    && matches!(token, "?" | "!" | "‽");
                (Some(NARROW_BLANK).filter(|_| !close), Some(' '))
            }
            (Side::Opening, _) => (self.gap, None),
            (Side::Closing, "." | "...") if matches!(self.before, Some("." | "...")) => {
                (Some(' '), Some(' '))
            }
            (Side::Closing, _) => (None, Some(' ')),
            (Side::Free, _) => (self.gap, after),
        }
    }

    /// Whether a token is the end of the word before it.
    fn is_tied_word(&self, token: &str) -> bool {
        let ends_word = |letter: char| {
            letter.is_alphabetic()
                || (letter == '\'' && self.before.is_some_and(english::is_clitic))
        };
        let last = self.before.and_then(|before| before.chars().next_back());
        match self.kind {
            TokeniserKind::French => {
                french::is_clitic(token) && last.is_some_and(char::is_alphabetic)
            }
            TokeniserKind::English => {
                english::is_clitic(token)
                    && last.is_some_and(|letter| ends_word(letter) || letter.is_numeric())
            }
            TokeniserKind::Whitespace => false,
        }
    }

    fn side(&mut self, token: &str) -> Side {
        match token {
            "(" | "[" | "{" | "“" | "„" | "‘" | "‚" | "«" | "‹" | "¿" | "¡" => {
                Side::Opening
            }
            "." | "," | "!" | "?" | ";" | ":" | ")" | "]" | "}" | "..." | "…" | "”" | "»" | "›"
            | "‽" => Side::Closing,
            "\"" => toggle(&mut self.quoting),
            "'" if self.apostrophe_quoting || self.apostrophes_pair => {
                toggle(&mut self.apostrophe_quoting)
            }
            _ => Side::Free,
        }
    }
}

fn toggle(inside: &mut bool) -> Side {
    *inside = !*inside;
    if *inside {
        Side::Opening
    } else {
        Side::Closing
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(kind: TokeniserKind, sentences: &[&str]) {
        for sentence in sentences {
            let tokens = kind.tokenise(sentence);
            let text = kind.detokenise(&tokens);
            assert_eq!(text, *sentence);
            assert_eq!(kind.tokenise(&text), tokens, "{sentence}");
        }
    }

    #[test]
    fn french_sentences_come_back() {
        check(
            TokeniserKind::French,
            &[
                "l'eau est froide aujourd'hui, n'est-ce pas\u{202F}?",
                "parlez-vous français\u{202F}? donne-le-moi\u{202F}!",
                "«\u{202F}va-t'en\u{202F}!\u{202F}», dit-elle...",
                "y a-t-il (peut-être) 3,5 kg à 8:30\u{202F}? quoi\u{202F}?!",
                "m. dupont a rendez-vous avec quelqu'un\u{202F}; ce jour-là, il dort.",
                "j'ai dit \"oui\" et l'\"ours\" dort – enfin.",
                "il a dit 'oui', puis il dort.",
            ],
        );
    }

    #[test]
    fn english_sentences_come_back() {
        check(
            TokeniserKind::English,
            &[
                "i don't know what he's doing, but they've won't.",
                "\"yes,\" she said; \"we'll see.\" (it's 2:30 p.m.)",
                "mr. smith couldn't've said 'hello' to tom's dogs' owner...",
                "he said ‘hello.'",
                "why? it costs $1,000!",
            ],
        );
    }

    #[test]
    fn the_cut_of_other_corpora_is_glued_too() {
        assert_eq!(
            TokeniserKind::English.detokenise(&["i", "can", "n't", "swim", "."]),
            "i can't swim."
        );
        assert_eq!(
            TokeniserKind::Whitespace.detokenise(&["a", "'s", "."]),
            "a 's ."
        );
        assert_eq!(TokeniserKind::French.detokenise(&[] as &[&str]), "");
        assert_eq!(
            TokeniserKind::French.detokenise(&["-vous", "", "l'"]),
            "-vous l'"
        );
    }

    proptest! {
        #[test]
        fn any_tokens_are_written(tokens in proptest::collection::vec(any::<String>(), 0..8)) {
            for kind in TokeniserKind::ALL {
                kind.detokenise(&tokens);
            }
        }

        #[test]
        fn french_tokens_come_back(
            sentence in "((l'|qu'|n')?(eau|âne|été)(-vous|-t-il|-le-moi|-ci)?(,|\\.| ?[;:?!]|\\.\\.\\.| –)? |\\(il\\) |« on » |\"si\" |3,5 ){0,8}"
        ) {
            let kind = TokeniserKind::French;
            let tokens = kind.tokenise(&sentence);
            let text = kind.detokenise(&tokens);
            prop_assert_eq!(kind.tokenise(&text), tokens, "{}", text);
        }

        #[test]
        fn english_tokens_come_back(
            sentence in "((cat|do|they|dog)(n't|'s|'ve|'ll|'d)?(,|\\.|[;:?!]|\\.\\.\\.)? |\\(it\\) |\"so\" |1,000 |2:30 |u\\.s\\. ){0,8}"
        ) {
            let kind = TokeniserKind::English;
            let tokens = kind.tokenise(&sentence);
            let text = kind.detokenise(&tokens);
            prop_assert_eq!(kind.tokenise(&text), tokens, "{}", text);
        }
    }
}
