//! Random words, reversed or copied: the smallest tasks with a known alignment.

use std::ops::RangeInclusive;

use crate::alignment::{AlignedPair, Link};

use super::dice::Dice;

/// A random sequence of words and its target: reversed, with links on the anti-diagonal, or copied,
/// with links on the diagonal.
///
/// # Panics
/// If `lengths` is empty or starts at 0, or `words` is empty.
pub(super) fn sequence(
    dice: &mut Dice,
    words: &[String],
    lengths: &RangeInclusive<usize>,
    reversed: bool,
) -> AlignedPair {
    let (shortest, longest) = (*lengths.start(), *lengths.end());
    assert!(
        0 < shortest && shortest <= longest,
        "a sequence has at least one word: {lengths:?}"
    );
    let length = shortest + dice.below(longest - shortest + 1);
    let source: Vec<String> = (0..length).map(|_| dice.pick(words).clone()).collect();
    let mut target = source.clone();
    if reversed {
        target.reverse();
    }
    let links = (0..length)
        .map(|place| {
            let partner = if reversed { length - 1 - place } else { place };
            Link::sure(place, partner)
        })
        .collect();
    AlignedPair {
        source,
        target,
        links,
    }
}
