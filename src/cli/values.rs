//! Values of options: names of closed sets, ranges, and the number of threads.

use crate::engine::{CellKind, Precision, ScoreKind, Wiring};
use crate::text::TokeniserKind;

/// A parser of the names of a closed set.
pub(super) fn named<T: Clone + Send + Sync + 'static>(
    find: fn(&str) -> Option<T>,
    expected: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |name| find(name).ok_or_else(|| format!("expected {expected}"))
}

/// The name of a score.
pub(super) fn score(name: &str) -> Result<ScoreKind, String> {
    named(
        ScoreKind::from_name,
        "additive, dot, general, scaled_dot or bottleneck",
    )(name)
}

/// The name of a tokeniser.
pub(super) fn tokeniser(name: &str) -> Result<TokeniserKind, String> {
    TokeniserKind::from_name(name).map_err(|e| e.to_string())
}

/// The cell with a name.
pub(super) fn cell(name: &str) -> Option<CellKind> {
    CellKind::ALL.into_iter().find(|k| k.name() == name)
}

/// The wiring with a name.
pub(super) fn wiring(name: &str) -> Option<Wiring> {
    Wiring::ALL.into_iter().find(|w| w.name() == name)
}

/// The precision with a name.
pub(super) fn precision(name: &str) -> Option<Precision> {
    match name {
        "f16" => Some(Precision::F16),
        "f32" => Some(Precision::F32),
        _ => None,
    }
}

/// `3-6`: two whole numbers, the first at least 1 and not above the second.
pub(super) fn range(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('-').and_then(|(first, last)| {
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (1 <= first && first <= last).then_some((first, last))
    });
    numbers.ok_or_else(|| "expected two numbers such as 3-6, the smaller one first".to_owned())
}

/// The threads asked for, or one for each core.
pub(super) fn threads(asked: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.unwrap_or_else(cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_two_rising_numbers() {
        assert_eq!(range("3-6"), Ok((3, 6)));
        assert_eq!(range("4-4"), Ok((4, 4)));
        for wrong in [
            "",
            "3",
            "6-3",
            "0-3",
            "a-b",
            "-1-3",
            "3-",
            "1-99999999999999999999",
        ] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
