//! Cutting units into words and punctuation, the part that French and English share.

use super::units::{Class, Units};
use super::{Token, TokeniserKind, english, french};

/// Initials beyond this many letters are not looked for, so that no text takes quadratic time.
const MAX_INITIALS: usize = 12;

/// The words after which, or around which, a mark is not punctuation.
pub(super) struct Language {
    /// Abbreviations that keep their full stop when more text follows.
    pub(super) abbreviations: &'static [&'static str],
    /// Whether an apostrophe before these letters belongs to the word.
    pub(super) keeps_leading: fn(&str) -> bool,
    /// Whether an apostrophe after these letters belongs to the word.
    pub(super) keeps_trailing: fn(&str) -> bool,
    /// Byte positions at which a word falls into tokens, ascending.
    pub(super) cuts: fn(&str) -> Vec<usize>,
}

impl TokeniserKind {
    /// The rules of a language; `None` for [`TokeniserKind::Whitespace`].
    pub(super) fn language(self) -> Option<&'static Language> {
        match self {
            Self::French => Some(&french::LANGUAGE),
            Self::English => Some(&english::LANGUAGE),
            Self::Whitespace => None,
        }
    }
}

/// The tokens of a text by the rules of a language.
pub(super) fn scan(text: &str, language: &Language) -> Vec<Token> {
    let mut units = Units::new(text);
    mark_quotes(&mut units, language);
    let mut scanner = Scanner {
        text,
        units: &units,
        language,
        tokens: Vec::new(),
    };
    let mut word = None;
    let mut index = 0;
    while index < units.list.len() {
        let end = scanner.word_part(word, index);
        if end > index {
            word.get_or_insert(index);
            index = end;
            continue;
        }
        if let Some(start) = word.take() {
            scanner.push_word(start, index);
        }
        index = scanner.push_mark(index);
    }
    if let Some(start) = word {
        scanner.push_word(start, units.list.len());
    }
    scanner.tokens
}

/// Turns apostrophes that are used as quotation marks into punctuation: an opening and a closing one.
fn mark_quotes(units: &mut Units, language: &Language) {
    let mut open = None;
    for index in 0..units.list.len() {
        if units.is(index, '‘') {
            open = Some(index);
            continue;
        }
        if units.list[index].class != Class::Apostrophe {
            continue;
        }
        let before = units.class(index.checked_sub(1));
        let after = units.class(Some(index + 1));
        let opens = matches!(before, Class::Blank | Class::Punctuation)
            && matches!(after, Class::Letter | Class::Digit);
        let closes = before != Class::Blank && matches!(after, Class::Blank | Class::Punctuation);
        if opens && !(language.keeps_leading)(letters_after(units, index + 1)) {
            open = Some(index);
        } else if closes
            && !(language.keeps_trailing)(letters_before(units, index))
            && let Some(open) = open.take()
        {
            units.list[open].class = Class::Punctuation;
            units.list[index].class = Class::Punctuation;
        }
    }
}

/// The letters from a unit on, at most 8 (longer words are in no list).
fn letters_after(units: &Units, from: usize) -> &str {
    let count = units.list[from..]
        .iter()
        .take(8)
        .take_while(|unit| unit.class == Class::Letter)
        .count();
    units.text(from, from + count)
}

/// The letters up to a unit, at most 8.
fn letters_before(units: &Units, to: usize) -> &str {
    let count = units.list[..to]
        .iter()
        .rev()
        .take(8)
        .take_while(|unit| unit.class == Class::Letter)
        .count();
    units.text(to - count, to)
}

struct Scanner<'a> {
    text: &'a str,
    units: &'a Units,
    language: &'a Language,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    /// Where the part of a word that starts at `index` ends; `index` itself if none starts there.
    fn word_part(&self, word: Option<usize>, index: usize) -> usize {
        let units = self.units;
        match units.list[index].class {
            Class::Blank => index,
            Class::Punctuation => {
                let kept = self.is_in_number(index)
                    || word.is_some_and(|start| self.is_abbreviation(start, index));
                index + usize::from(kept)
            }
            Class::Letter
                if word.is_none() || units.class(index.checked_sub(1)) == Class::Apostrophe =>
            {
                self.initials(index).unwrap_or(index + 1)
            }
            _ => index + 1,
        }
    }

    /// `3,5`, `1.000`, `8:30`: a mark between two digits.
    fn is_in_number(&self, index: usize) -> bool {
        let units = self.units;
        matches!(units.list[index].letter, Some('.' | ',' | ':'))
            && units.class(index.checked_sub(1)) == Class::Digit
            && units.class(Some(index + 1)) == Class::Digit
    }

    /// The full stop of `m. dupont`: after a known abbreviation, which follows no number (`100 m.`), and
    /// with a word behind it.
    fn is_abbreviation(&self, start: usize, index: usize) -> bool {
        let units = self.units;
        let after_number = || {
            let last = self
                .tokens
                .last()
                .and_then(|token| token.text.chars().next_back());
            last.is_some_and(char::is_numeric)
        };
        units.is(index, '.')
            && units.class(Some(index + 1)) == Class::Blank
            && self
                .language
                .abbreviations
                .contains(&units.text(start, index))
            && units.class(Some(index + 2)) == Class::Letter
            && !after_number()
    }

    /// The end of initials such as `p.m.` or `s.n.c.f.`: single letters, each with its full stop.
    fn initials(&self, index: usize) -> Option<usize> {
        let units = self.units;
        let pair = |at: usize| units.class(Some(at)) == Class::Letter && units.is(at + 1, '.');
        let count = (0..=MAX_INITIALS)
            .take_while(|&count| pair(index + 2 * count))
            .count();
        let end = index + 2 * count;
        let word_follows = matches!(units.class(Some(end)), Class::Letter | Class::Digit);
        (2..=MAX_INITIALS)
            .contains(&count)
            .then_some(end)
            .filter(|_| !word_follows)
    }

    /// Takes the mark or blank at `index`; returns where to go on.
    fn push_mark(&mut self, index: usize) -> usize {
        let units = self.units;
        if units.list[index].class == Class::Blank {
            return index + 1;
        }
        let dots = units.list[index..]
            .iter()
            .take_while(|unit| unit.letter == Some('.'))
            .count();
        let end = index + dots.max(1);
        if dots > 1 || units.is(index, '…') {
            self.push(index, end, "...");
        } else {
            self.push(index, end, units.text(index, end));
        }
        end
    }

    /// Takes the word of the units `start..end`, cut as the language wants.
    fn push_word(&mut self, start: usize, end: usize) {
        let units = self.units;
        let origin = units.list[start].at;
        let mut from = start;
        for cut in (self.language.cuts)(units.text(start, end)) {
            // A cut inside a unit (a letter that became two) is none.
            let found = units.list[from..end].binary_search_by_key(&(origin + cut), |unit| unit.at);
            if let Some(to) = found
                .ok()
                .map(|offset| from + offset)
                .filter(|&to| to > from)
            {
                self.push(from, to, units.text(from, to));
                from = to;
            }
        }
        self.push(from, end, units.text(from, end));
    }

    fn push(&mut self, from: usize, to: usize, text: &str) {
        let (start, end) = (self.units.list[from].start, self.units.list[to - 1].end);
        let surface = self.text[start..end].to_owned();
        self.tokens.push(Token {
            text: text.to_owned(),
            surface,
            start,
            end,
        });
    }
}
