//! Widths and heights of text in the bundled fonts.
//!
//! Every layout asks here, and every back end draws with the same fonts; so a label that fits in the window
//! fits in the file. Text is shaped as it will be drawn (kerning, combining marks), digits are all equally
//! wide.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use rustybuzz::{Face, UnicodeBuffer};

use super::fonts::{INTER_REGULAR, INTER_SEMI_BOLD, SYMBOLS};
use super::scene::Weight;

/// Ascender of Inter over its size.
const ASCENT: f32 = 2728.0 / 2816.0;
/// Descender of Inter over its size.
const DESCENT: f32 = 680.0 / 2816.0;
/// Height of a capital in Inter over its size.
const CAP_HEIGHT: f32 = 2048.0 / 2816.0;
/// Height of a small letter without ascender.
const X_HEIGHT: f32 = 1536.0 / 2816.0;

struct Faces {
    regular: Option<Face<'static>>,
    semi_bold: Option<Face<'static>>,
    symbols: Option<Face<'static>>,
}

static FACES: LazyLock<Faces> = LazyLock::new(|| Faces {
    regular: Face::from_slice(INTER_REGULAR, 0),
    semi_bold: Face::from_slice(INTER_SEMI_BOLD, 0),
    symbols: Face::from_slice(SYMBOLS, 0),
});

impl Faces {
    fn main(&self, weight: Weight) -> Option<&Face<'static>> {
        match weight {
            Weight::Regular => self.regular.as_ref(),
            Weight::SemiBold => self.semi_bold.as_ref(),
        }
    }

    /// Regular, semi-bold, symbols.
    fn by_index(&self, index: usize) -> Option<&Face<'static>> {
        [&self.regular, &self.semi_bold, &self.symbols][index].as_ref()
    }

    /// The bundled font that has a character: 0 is the text font, 1 the symbols.
    fn font_of(&self, c: char, weight: Weight) -> Option<usize> {
        [self.main(weight), self.symbols.as_ref()]
            .iter()
            .position(|face| face.is_some_and(|face| face.glyph_index(c).is_some()))
    }
}

/// How many widths a thread remembers of each weight.
const REMEMBERED: usize = 32_768;
/// Texts longer than this, in bytes, are measured each time.
const SHORT: usize = 64;

thread_local! {
    /// Widths over the font size, by weight: layouts measure the same words and numbers in every frame, and
    /// shaping a word costs some microseconds.
    static WIDTHS: RefCell<[HashMap<Box<str>, f32>; 2]> = RefCell::default();
}

/// The width of one line of text, in points, at a font size in points.
pub fn text_width(text: &str, size: f32, weight: Weight) -> f32 {
    if text.len() > SHORT {
        return unit_width(text, weight) * size;
    }
    WIDTHS.with_borrow_mut(|widths| {
        let widths = &mut widths[usize::from(weight == Weight::SemiBold)];
        if let Some(known) = widths.get(text) {
            return known * size;
        }
        if widths.len() >= REMEMBERED {
            widths.clear();
        }
        let width = unit_width(text, weight);
        widths.insert(text.into(), width);
        width * size
    })
}

/// The width of one line of text over its font size.
fn unit_width(text: &str, weight: Weight) -> f32 {
    let faces = &*FACES;
    let mut width = 0.0;
    let mut start = 0;
    let mut current = None;
    for (at, c) in text.char_indices() {
        let font = faces.font_of(c, weight);
        if at > start && font != current {
            width += run_width(&text[start..at], current, weight);
            start = at;
        }
        current = font;
    }
    width + run_width(&text[start..], current, weight)
}

/// A letter to draw; lengths are over the font size.
pub(super) struct Glyph {
    /// Which of the bundled fonts: regular, semi-bold, symbols.
    pub(super) font: usize,
    /// Its number in the font.
    pub(super) id: u16,
    /// To the next letter.
    pub(super) advance: f32,
    /// To the right and upwards.
    pub(super) offset: (f32, f32),
    /// Units of the font in its size.
    pub(super) units_per_em: f32,
}

impl Glyph {
    /// The font's face.
    pub(super) fn face(&self) -> &'static Face<'static> {
        // A glyph was made by its face, so that the fallback is never taken.
        FACES
            .by_index(self.font)
            .unwrap_or_else(|| unreachable!("a glyph has a face"))
    }
}

/// The letters of a text that the bundled fonts have, in drawing order; others are left out.
pub(super) fn shaped(text: &str, weight: Weight) -> Vec<Glyph> {
    let mut glyphs = Vec::new();
    let mut start = 0;
    let mut current = None;
    let mut flush = |run: &str, font: Option<usize>| {
        let index = match (font, weight) {
            (Some(0), Weight::Regular) => 0,
            (Some(0), Weight::SemiBold) => 1,
            (Some(_), _) => 2,
            (None, _) => return,
        };
        let Some(face) = FACES.by_index(index) else {
            return;
        };
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(run);
        let units = face.units_per_em() as f32;
        let found = rustybuzz::shape(face, &[], buffer);
        let pairs = found.glyph_infos().iter().zip(found.glyph_positions());
        glyphs.extend(pairs.map(|(info, place)| Glyph {
            font: index,
            id: info.glyph_id as u16,
            advance: place.x_advance as f32 / units,
            offset: (place.x_offset as f32 / units, place.y_offset as f32 / units),
            units_per_em: units,
        }));
    };
    for (at, c) in text.char_indices() {
        let font = FACES.font_of(c, weight);
        if at > start && font != current {
            flush(&text[start..at], current);
            start = at;
        }
        current = font;
    }
    flush(&text[start..], current);
    glyphs
}

/// The width of characters of one font over the font size.
fn run_width(run: &str, font: Option<usize>, weight: Weight) -> f32 {
    let faces = &*FACES;
    let face = match font {
        Some(0) => faces.main(weight),
        Some(_) => faces.symbols.as_ref(),
        None => None,
    };
    let Some(face) = face else {
        return run.chars().map(guessed_width).sum();
    };
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(run);
    let glyphs = rustybuzz::shape(face, &[], buffer);
    let units: i64 = glyphs
        .glyph_positions()
        .iter()
        .map(|glyph| i64::from(glyph.x_advance))
        .sum();
    units as f32 / face.units_per_em() as f32
}

/// The width over the font size of a character that another font will draw: ideographs and emoji fill
/// the square, marks take nothing.
fn guessed_width(c: char) -> f32 {
    match u32::from(c) {
        0x0300..=0x036F | 0x200B..=0x200F | 0xFE00..=0xFE0F => 0.0,
        0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFF00..=0xFFEF => {
            1.0
        }
        0x1F000.. => 1.25,
        _ => 0.65,
    }
}

/// From the baseline up to the top of the line, in points.
pub fn ascent(size: f32) -> f32 {
    ASCENT * size
}

/// From the baseline down to the bottom of the line, in points.
pub fn descent(size: f32) -> f32 {
    DESCENT * size
}

/// The height of capitals and digits, in points.
pub fn cap_height(size: f32) -> f32 {
    CAP_HEIGHT * size
}

/// The height of small letters, in points.
pub fn x_height(size: f32) -> f32 {
    X_HEIGHT * size
}

/// The baseline, in points, of words that look centred at the height `middle`: between the middles of
/// capitals and of small letters.
pub fn centred_baseline(middle: f32, size: f32) -> f32 {
    middle + (CAP_HEIGHT + X_HEIGHT) * size / 4.0
}

/// The baseline, in points, of digits that are centred at the height `middle`.
pub fn centred_digits(middle: f32, size: f32) -> f32 {
    middle + CAP_HEIGHT * size / 2.0
}

/// The text itself if it is at most `limit` points wide, and otherwise its beginning with `…`.
pub fn fit(text: &str, size: f32, weight: Weight, limit: f32) -> Cow<'_, str> {
    if text_width(text, size, weight) <= limit {
        return Cow::Borrowed(text);
    }
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    // The width grows with the length, but for kerning.
    let fits = ends.partition_point(|&end| {
        let cut = format!("{}…", text[..end].trim_end());
        text_width(&cut, size, weight) <= limit
    });
    let end = ends[fits.saturating_sub(1)];
    Cow::Owned(format!("{}…", text[..end].trim_end()))
}

/// The characters that none of the bundled fonts has, each once, in order.
pub fn missing_characters(text: &str) -> Vec<char> {
    let mut missing = Vec::new();
    for c in text.chars() {
        let known = c.is_control() || FACES.font_of(c, Weight::Regular).is_some();
        if !known && !missing.contains(&c) {
            missing.push(c);
        }
    }
    missing
}

/// A token as it is written on a label: white space that would be invisible gets its sign, and other
/// control characters the replacement character.
pub fn visible_label(token: &str) -> Cow<'_, str> {
    let blank = !token.is_empty() && token.chars().all(|c| c == ' ');
    if !blank && !token.contains(char::is_control) {
        return Cow::Borrowed(token);
    }
    let sign = |c: char| match c {
        '\n' | '\r' => '⏎',
        '\t' => '⇥',
        ' ' if blank => '␣',
        c if c.is_control() => '\u{FFFD}',
        c => c,
    };
    Cow::Owned(token.chars().map(sign).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn all_bundled_fonts_open() {
        assert!(FACES.regular.is_some() && FACES.semi_bold.is_some() && FACES.symbols.is_some());
    }

    #[test]
    fn digits_are_equally_wide() {
        for weight in [Weight::Regular, Weight::SemiBold] {
            let one = text_width("1", 10.0, weight);
            for digit in "0123456789".chars() {
                assert_eq!(text_width(&digit.to_string(), 10.0, weight), one);
            }
        }
        assert_eq!(
            text_width("0.11", 10.0, Weight::Regular),
            text_width("0.78", 10.0, Weight::Regular)
        );
    }

    #[test]
    fn an_arrow_of_two_characters_stays_two_characters() {
        let sum = text_width("-", 10.0, Weight::Regular) + text_width(">", 10.0, Weight::Regular);
        assert!((text_width("->", 10.0, Weight::Regular) - sum).abs() < 1.0);
        assert!(text_width("->", 10.0, Weight::Regular) > text_width(">", 10.0, Weight::Regular));
    }

    #[test]
    fn the_bars_of_a_norm_stand_apart() {
        /// The edges of the strokes from left to right.
        #[derive(Default)]
        struct Edges(Vec<f32>);
        impl rustybuzz::ttf_parser::OutlineBuilder for Edges {
            fn move_to(&mut self, x: f32, _: f32) {
                self.0.push(x);
            }
            fn line_to(&mut self, x: f32, _: f32) {
                self.0.push(x);
            }
            fn quad_to(&mut self, _: f32, _: f32, x: f32, _: f32) {
                self.0.push(x);
            }
            fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, x: f32, _: f32) {
                self.0.push(x);
            }
            fn close(&mut self) {}
        }
        for face in [&FACES.regular, &FACES.semi_bold] {
            let face = face.as_ref().unwrap();
            let mut edges = Edges::default();
            let glyph = face.glyph_index('‖').unwrap();
            face.outline_glyph(glyph, &mut edges).unwrap();
            edges.0.sort_by(f32::total_cmp);
            edges.0.dedup();
            let [a, b, c, d] = edges.0[..] else {
                panic!("{:?} are not two strokes", edges.0);
            };
            // At 12 pixels to the em, more than one pixel of ground stays between them.
            let pixel = face.units_per_em() as f32 / 12.0;
            assert!(c - b > 1.5 * pixel, "a gap of {} units", c - b);
            assert!(b - a == d - c && b - a < 1.2 * pixel);
        }
    }

    #[test]
    fn width_grows_with_size_and_weight() {
        let regular = text_width("noir", 12.0, Weight::Regular);
        assert!((text_width("noir", 24.0, Weight::Regular) - 2.0 * regular).abs() < 1e-3);
        assert!(text_width("noir", 12.0, Weight::SemiBold) > regular);
        assert!((20.0..30.0).contains(&regular), "{regular}");
        assert_eq!(text_width("", 12.0, Weight::Regular), 0.0);
    }

    #[test]
    fn french_greek_and_signs_are_bundled_and_ideographs_are_not() {
        let known = "Où est l’élève ? ŒÆßçñ αβγ → ▁Ġ ␣⏎⇥ − ∞ Σ ∈ ₀ ᵀ ≤ … жук </s>\u{FFFD}";
        assert!(missing_characters(known).is_empty());
        assert_eq!(missing_characters("a注意注"), ['注', '意']);
        assert!(text_width("注意", 10.0, Weight::Regular) >= 20.0);
    }

    #[test]
    fn invisible_tokens_get_signs() {
        assert_eq!(visible_label("chat"), "chat");
        assert_eq!(visible_label(" "), "␣");
        assert_eq!(visible_label("a\nb\u{1}"), "a⏎b\u{FFFD}");
        assert_eq!(visible_label(""), "");
    }

    #[test]
    fn long_text_is_cut_with_an_ellipsis() {
        let cut = fit("anticonstitutionnellement", 12.0, Weight::Regular, 60.0);
        assert!(cut.ends_with('…') && cut.starts_with("antic"));
        assert!(text_width(&cut, 12.0, Weight::Regular) <= 60.0);
        assert_eq!(fit("chat", 12.0, Weight::Regular, 60.0), "chat");
    }

    proptest! {
        #[test]
        fn any_text_has_a_finite_width_and_a_cut(text in "\\PC{0,40}", limit in 0.0_f32..200.0) {
            let width = text_width(&text, 12.0, Weight::Regular);
            prop_assert!(width.is_finite());
            let cut = fit(&text, 12.0, Weight::SemiBold, limit);
            prop_assert!(cut.chars().count() <= text.chars().count().max(1));
        }
    }
}
