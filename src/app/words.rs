//! One word of the sentence deleted, repeated or swapped: the smallest changes of the input.

use serde::{Deserialize, Serialize};

use super::source::Chip;

/// What happens to a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WordChange {
    /// It goes.
    Delete,
    /// It comes twice.
    Repeat,
    /// It changes places with the next one.
    SwapNext,
}

impl WordChange {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Delete, Self::Repeat, Self::SwapNext];

    /// Its name in menus.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Delete => "Delete the word",
            Self::Repeat => "Repeat the word",
            Self::SwapNext => "Swap with the next word",
        }
    }

    /// Whether it can happen to word `index` of `count`. The last word that is left stays.
    pub const fn fits(self, index: usize, count: usize) -> bool {
        match self {
            Self::Delete => index < count && count > 1,
            Self::Repeat => index < count,
            Self::SwapNext => index + 1 < count,
        }
    }
}

/// The sentence with one word changed; `None` where the change does not fit. What stands between other words stays as
/// it was typed.
pub(super) fn change_word(
    source: &str,
    chips: &[Chip],
    index: usize,
    change: WordChange,
) -> Option<String> {
    if !change.fits(index, chips.len()) {
        return None;
    }
    let chip = &chips[index];
    let word = source.get(chip.start..chip.end)?;
    let next = chips.get(index + 1);
    let text = match change {
        WordChange::Delete => {
            // With the blanks behind it; the last one with those before it.
            let (from, to) = match (next, index.checked_sub(1)) {
                (Some(next), _) => (chip.start, next.start),
                (None, Some(before)) => (chips[before].end, chip.end),
                (None, None) => return None,
            };
            let (head, tail) = (source.get(..from)?, source.get(to..)?);
            // Words that were apart must not become one.
            let touches = !head.is_empty() && index > 0 && chips[index - 1].end == from;
            let gap = if touches && next.is_some() && !is_joined(head) {
                " "
            } else {
                ""
            };
            format!("{head}{gap}{tail}")
        }
        WordChange::Repeat => {
            let (head, tail) = (source.get(..chip.end)?, source.get(chip.end..)?);
            format!("{head} {word}{tail}")
        }
        WordChange::SwapNext => {
            let next = next?;
            let (head, tail) = (source.get(..chip.start)?, source.get(next.end..)?);
            let second = source.get(next.start..next.end)?;
            let between = source.get(chip.end..next.start)?;
            let between = if between.is_empty() { " " } else { between };
            // What followed an elision without a blank needs one behind its new neighbour.
            let touches = index > 0 && chips[index - 1].end == chip.start && !is_joined(head);
            let after = chips.get(index + 2);
            let follows = after.is_some_and(|after| after.start == next.end) && !is_joined(word);
            let gap = |is_needed: bool| if is_needed { " " } else { "" };
            let (before, behind) = (gap(touches), gap(follows));
            format!("{head}{before}{second}{between}{word}{behind}{tail}")
        }
    };
    Some(text)
}

/// Whether what follows may stand against the end of `text`: an elision, or a blank.
fn is_joined(text: &str) -> bool {
    text.is_empty() || text.ends_with(['\'', '’', ' '])
}
