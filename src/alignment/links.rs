//! Hard links between source and target words.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How certain a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// The words certainly correspond (`0-0`).
    Sure,
    /// The words may be said to correspond (`0?0`).
    Possible,
}

/// A link between a source and a target word, positions from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    /// Position in the source.
    pub source: usize,
    /// Position in the target.
    pub target: usize,
    /// How certain it is.
    pub certainty: Certainty,
}

/// A text or a set of links that is not right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// A piece of text is not a link.
    #[error("expected a link such as 0-0 or 1?2, found \"{piece}\"")]
    Piece {
        /// The piece.
        piece: String,
    },
    /// A link points behind the last word.
    #[error("link {link}: expected a source below {source_len} and a target below {target_len}")]
    OutOfRange {
        /// The link.
        link: Link,
        /// The number of source words.
        source_len: usize,
        /// The number of target words.
        target_len: usize,
    },
    /// A shift takes a link below 0 or beyond the largest number.
    #[error("link {link} cannot be moved by {source_shift} and {target_shift}")]
    Shift {
        /// The link.
        link: Link,
        /// What was to be added to the source position.
        source_shift: isize,
        /// What was to be added to the target position.
        target_shift: isize,
    },
}

impl Link {
    /// A sure link.
    pub const fn sure(source: usize, target: usize) -> Self {
        Self {
            source,
            target,
            certainty: Certainty::Sure,
        }
    }

    /// A possible link.
    pub const fn possible(source: usize, target: usize) -> Self {
        Self {
            source,
            target,
            certainty: Certainty::Possible,
        }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.certainty {
            Certainty::Sure => '-',
            Certainty::Possible => '?',
        };
        write!(f, "{}{mark}{}", self.source, self.target)
    }
}

impl FromStr for Link {
    type Err = LinkError;

    fn from_str(piece: &str) -> Result<Self, LinkError> {
        let wrong = || LinkError::Piece {
            piece: piece.to_owned(),
        };
        let at = piece.find(['-', '?', 'p']).ok_or_else(wrong)?;
        let certainty = if piece[at..].starts_with('-') {
            Certainty::Sure
        } else {
            Certainty::Possible
        };
        let number = |digits: &str| {
            // `parse` alone would let a sign through.
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits
                .parse::<usize>()
                .ok()
                .filter(|_| plain)
                .ok_or_else(wrong)
        };
        Ok(Self {
            source: number(&piece[..at])?,
            target: number(&piece[at + 1..])?,
            certainty,
        })
    }
}

/// The links of one sentence pair: at most one for each pair of words, ordered by source and then target.
///
/// Written and stored as text, `0-0 1?2`. Of a sure and a possible link between the same words the sure
/// one stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Links(Vec<Link>);

impl Links {
    /// The number of links, sure and possible.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no link.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All links in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Link> {
        self.0.iter()
    }

    /// The sure links, the set S of the alignment error rate.
    pub fn sure(&self) -> impl Iterator<Item = Link> + '_ {
        self.iter()
            .copied()
            .filter(|link| link.certainty == Certainty::Sure)
    }

    /// The possible links, the set P of the alignment error rate (Och and Ney 2003): P ⊇ S, so these are
    /// all links.
    pub fn possible(&self) -> impl Iterator<Item = Link> + '_ {
        self.iter().copied()
    }

    /// How certain the link between two words is, if there is one.
    pub fn certainty(&self, source: usize, target: usize) -> Option<Certainty> {
        let found = self
            .0
            .binary_search_by_key(&(source, target), |link| (link.source, link.target));
        found.ok().map(|index| self.0[index].certainty)
    }

    /// Whether two words are linked, surely or possibly.
    pub fn contains(&self, source: usize, target: usize) -> bool {
        self.certainty(source, target).is_some()
    }

    /// Checks that every link lies within sentences of these lengths.
    ///
    /// # Errors
    /// [`LinkError::OutOfRange`] with the first link outside.
    pub fn check(&self, source_len: usize, target_len: usize) -> Result<(), LinkError> {
        let outside = self
            .iter()
            .find(|link| link.source >= source_len || link.target >= target_len);
        match outside {
            Some(&link) => Err(LinkError::OutOfRange {
                link,
                source_len,
                target_len,
            }),
            None => Ok(()),
        }
    }

    /// Every link moved by `ds` source and `dt` target positions (−1 for files that count from 1).
    ///
    /// # Errors
    /// [`LinkError::Shift`] with the first link that would fall below 0 or overflow.
    pub fn shifted(&self, ds: isize, dt: isize) -> Result<Self, LinkError> {
        let shift = |&link: &Link| {
            let source = link.source.checked_add_signed(ds);
            let target = link.target.checked_add_signed(dt);
            match (source, target) {
                (Some(source), Some(target)) => Ok(Link {
                    source,
                    target,
                    ..link
                }),
                _ => Err(LinkError::Shift {
                    link,
                    source_shift: ds,
                    target_shift: dt,
                }),
            }
        };
        // Moving all links alike keeps their order.
        self.iter().map(shift).collect::<Result<_, _>>().map(Self)
    }

    /// The number of pairs of links that cross: the source order is the reverse of the target order.
    pub fn crossings(&self) -> usize {
        let mut targets: Vec<usize> = self.iter().map(|link| link.target).collect();
        let mut spare = targets.clone();
        // Links of one source word stand in the order of their targets, so they add nothing.
        count_inversions(&mut targets, &mut spare)
    }
}

/// Sorts `values` by merging and counts the pairs that stood in the wrong order.
fn count_inversions(values: &mut [usize], spare: &mut [usize]) -> usize {
    if values.len() < 2 {
        return 0;
    }
    let middle = values.len() / 2;
    let (left, right) = values.split_at_mut(middle);
    let (spare_left, spare_right) = spare.split_at_mut(middle);
    let mut count = count_inversions(left, spare_left) + count_inversions(right, spare_right);
    let (mut i, mut j) = (0, 0);
    for slot in spare.iter_mut() {
        if j == right.len() || (i < left.len() && left[i] <= right[j]) {
            *slot = left[i];
            i += 1;
        } else {
            count += left.len() - i;
            *slot = right[j];
            j += 1;
        }
    }
    values.copy_from_slice(spare);
    count
}

impl FromIterator<Link> for Links {
    fn from_iter<I: IntoIterator<Item = Link>>(links: I) -> Self {
        let mut links: Vec<Link> = links.into_iter().collect();
        // Sure sorts before possible, so it is the one that stays.
        links.sort_unstable();
        links.dedup_by_key(|link| (link.source, link.target));
        Self(links)
    }
}

impl<'a> IntoIterator for &'a Links {
    type Item = &'a Link;
    type IntoIter = std::slice::Iter<'a, Link>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, link) in self.iter().enumerate() {
            let blank = if index == 0 { "" } else { " " };
            write!(f, "{blank}{link}")?;
        }
        Ok(())
    }
}

impl FromStr for Links {
    type Err = LinkError;

    fn from_str(text: &str) -> Result<Self, LinkError> {
        text.split_whitespace().map(str::parse).collect()
    }
}

impl TryFrom<String> for Links {
    type Error = LinkError;

    fn try_from(text: String) -> Result<Self, LinkError> {
        text.parse()
    }
}

impl From<Links> for String {
    fn from(links: Links) -> Self {
        links.to_string()
    }
}

#[cfg(test)]
#[path = "links_tests.rs"]
mod tests;
