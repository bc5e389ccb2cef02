//! Words in columns of a terminal: their width there, and cutting them to it.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// A word that can stand in a terminal: control characters become visible, and a word of no width (a lone
/// combining mark) gets a dotted circle to stand on.
pub(in crate::cli) fn printable(word: &str) -> String {
    let text: String = word.chars().map(visible).collect();
    if text.width() == 0 {
        format!("\u{25CC}{text}")
    } else {
        text
    }
}

/// Control characters could move the cursor, and marks of direction could turn the rest of the line around.
fn visible(c: char) -> char {
    match c {
        '\0'..='\u{1F}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{FFFD}'),
        '\u{7F}' => '\u{2421}',
        '\u{80}'..='\u{9F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
        c => c,
    }
}

/// A word cut in the middle to at most `width` columns.
pub(in crate::cli) fn fitted(word: &str, width: usize) -> String {
    if word.width() <= width {
        return word.to_owned();
    }
    let room = width.saturating_sub(1);
    let behind = room / 3;
    let end = taken(word.graphemes(true).rev(), behind);
    let start = taken(word.graphemes(true), room - end.width());
    format!("{start}…{}", end.graphemes(true).rev().collect::<String>())
}

/// As many letters as fit.
fn taken<'a>(letters: impl Iterator<Item = &'a str>, width: usize) -> String {
    let mut text = String::new();
    for letter in letters {
        if text.width() + letter.width() > width {
            break;
        }
        text.push_str(letter);
    }
    text
}

/// Labels for words: printable, at most `width` columns, and different words do not look the same.
pub(in crate::cli) fn labels<'a>(
    words: impl Iterator<Item = &'a str>,
    width: usize,
) -> Vec<String> {
    let words: Vec<String> = words.map(printable).collect();
    let cut: Vec<String> = words.iter().map(|word| fitted(word, width)).collect();
    let mut meanings: std::collections::HashMap<&str, Option<&str>> =
        std::collections::HashMap::new();
    for (label, word) in cut.iter().zip(&words) {
        let meaning = meanings.entry(label).or_insert(Some(word));
        if meaning.is_some_and(|known| known != word) {
            *meaning = None;
        }
    }
    let label = |(j, (label, word)): (usize, (&String, &String))| {
        if meanings.get(label.as_str()).is_some_and(Option::is_some) {
            return label.clone();
        }
        // Two words that differ only where they were cut: their places tell them apart.
        let place = format!("…#{}", j + 1);
        format!(
            "{}{place}",
            taken(word.graphemes(true), width.saturating_sub(place.width()))
        )
    };
    cut.iter().zip(&words).enumerate().map(label).collect()
}

/// The text with blanks behind it, up to `width` columns.
pub(in crate::cli) fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// The text with blanks before it, up to `width` columns.
pub(in crate::cli) fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_keep_their_ends() {
        assert_eq!(fitted("chat", 4), "chat");
        assert_eq!(fitted("anticonstitutionnellement", 12), "anticons…ent");
        assert_eq!(fitted("漢字漢字漢字漢字", 8), "漢字…字");
        assert_eq!(
            fitted("e\u{301}e\u{301}e\u{301}e\u{301}", 3),
            "e\u{301}e\u{301}…"
        );
        assert_eq!(fitted("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3), "👩‍👩‍👧‍👦…");
    }

    #[test]
    fn different_words_have_different_labels() {
        let words = ["abcdefghijkl-1-xyz", "abcdefghijkl-2-xyz", "chat", "chat"];
        assert_eq!(
            labels(words.into_iter(), 12),
            ["abcdefghi…#1", "abcdefghi…#2", "chat", "chat"]
        );
    }

    #[test]
    fn every_word_is_visible_and_harmless() {
        assert_eq!(printable("\u{301}"), "\u{25CC}\u{301}");
        assert_eq!(printable("a\u{1B}[2J"), "a␛[2J");
        assert_eq!(printable("\u{202E}x"), "\u{FFFD}x");
        assert_eq!(printable("\u{200B}"), "\u{25CC}\u{200B}");
    }

    #[test]
    fn blanks_count_columns() {
        assert_eq!(left("漢字", 6), "漢字  ");
        assert_eq!(right("e\u{301}", 3), "  e\u{301}");
        assert_eq!(left("long", 2), "long");
    }
}
