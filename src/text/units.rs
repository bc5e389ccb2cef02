//! The letters of a text with their places: what tokenisers cut between.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// What a unit is to a tokeniser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Blank,
    Letter,
    Digit,
    Apostrophe,
    Punctuation,
    /// Anything else, such as a symbol; it stays in its word.
    Other,
}

/// The smallest thing a text is cut into: one letter with its combining marks, or one emoji.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) class: Class,
    /// The normalised character, if it is one.
    pub(super) letter: Option<char>,
    /// Byte offset in [`Units::normal`].
    pub(super) at: usize,
    /// Byte range in the input.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A text in units: composed (NFC), lower case, with one kind of apostrophe.
pub(super) struct Units {
    pub(super) normal: String,
    pub(super) list: Vec<Unit>,
}

impl Units {
    pub(super) fn new(text: &str) -> Self {
        let mut units = Self {
            normal: String::with_capacity(text.len()),
            list: Vec::with_capacity(text.len()),
        };
        let mut word_start = None;
        // Blanks are found before combining marks are joined to what they follow, so that no unit
        // holds a blank and something else.
        for (at, letter) in text.char_indices() {
            if is_blank(letter) {
                if let Some(start) = word_start.take() {
                    units.push_word(text, start, at);
                }
                units.push(" ", at, at + letter.len_utf8());
            } else {
                word_start.get_or_insert(at);
            }
        }
        if let Some(start) = word_start {
            units.push_word(text, start, text.len());
        }
        units
    }

    fn push_word(&mut self, text: &str, start: usize, end: usize) {
        let word = &text[start..end];
        let mut buffer = [0; 4];
        // Below U+0300 nothing combines and everything is composed: no need for the tables.
        if word.chars().all(|letter| letter < '\u{300}') {
            for (at, letter) in word.char_indices() {
                let lower = letter.to_lowercase().next().unwrap_or(letter);
                let from = start + at;
                self.push(
                    lower.encode_utf8(&mut buffer),
                    from,
                    from + letter.len_utf8(),
                );
            }
            return;
        }
        for (at, cluster) in word.grapheme_indices(true) {
            let end = at + cluster.len();
            // A slip of the keyboard: j‘aime is j'aime.
            if cluster == "‘" && is_between_letters(word, at, end) {
                self.push("'", start + at, start + end);
                continue;
            }
            let normal: String = cluster.nfc().flat_map(char::to_lowercase).nfc().collect();
            self.push(&normal, start + at, start + end);
        }
    }

    fn push(&mut self, normal: &str, start: usize, end: usize) {
        let normal = if matches!(normal, "’" | "ʼ") {
            "'"
        } else {
            normal
        };
        let mut letters = normal.chars();
        let first = letters.next();
        let single = first.filter(|_| letters.next().is_none());
        let class = match (first, single) {
            (Some(' '), _) => Class::Blank,
            (_, Some('\'')) => Class::Apostrophe,
            (_, Some(letter)) if is_punctuation(letter) => Class::Punctuation,
            (_, Some(letter)) if letter.is_numeric() => Class::Digit,
            (Some(letter), _) if letter.is_alphabetic() => Class::Letter,
            _ => Class::Other,
        };
        self.list.push(Unit {
            class,
            letter: single,
            at: self.normal.len(),
            start,
            end,
        });
        self.normal.push_str(normal);
    }

    /// The class of a unit; a blank beyond both ends.
    pub(super) fn class(&self, index: Option<usize>) -> Class {
        index
            .and_then(|index| self.list.get(index))
            .map_or(Class::Blank, |unit| unit.class)
    }

    pub(super) fn is(&self, index: usize, letter: char) -> bool {
        self.list
            .get(index)
            .is_some_and(|unit| unit.letter == Some(letter))
    }

    /// The normalised text of the units `from..to`.
    pub(super) fn text(&self, from: usize, to: usize) -> &str {
        let at = |index: usize| {
            self.list
                .get(index)
                .map_or(self.normal.len(), |unit| unit.at)
        };
        &self.normal[at(from)..at(to)]
    }
}

fn is_between_letters(word: &str, start: usize, end: usize) -> bool {
    word[..start]
        .chars()
        .next_back()
        .is_some_and(char::is_alphabetic)
        && word[end..].chars().next().is_some_and(char::is_alphabetic)
}

/// Blanks, control characters and characters without width that only break lines.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(letter, '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

/// Marks that are always tokens of their own, save inside numbers and abbreviations. Signs such as `%`,
/// `$` and `/` stay with their word.
fn is_punctuation(letter: char) -> bool {
    matches!(
        letter,
        '.' | ','
            | '!'
            | '?'
            | ';'
            | ':'
            | '«'
            | '»'
            | '"'
            | '('
            | ')'
            | '…'
            | '–'
            | '—'
            | '['
            | ']'
            | '{'
            | '}'
            | '“'
            | '”'
            | '„'
            | '‟'
            | '‘'
            | '‚'
            | '‹'
            | '›'
            | '¿'
            | '¡'
            | '‽'
            | '―'
            | '、'
            | '。'
            | '「'
            | '」'
            | '！'
            | '？'
            | '，'
            | '：'
            | '；'
            | '،'
            | '؛'
            | '؟'
    )
}
