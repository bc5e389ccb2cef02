//! Very many sentence pairs in little memory.

use std::fmt;

/// One line of a parallel corpus, as written in the file (only trimmed of blanks at both ends).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPair<'a> {
    /// The source sentence; not blank.
    pub source: &'a str,
    /// The target sentence; not blank.
    pub target: &'a str,
    /// Whatever follows the second TAB (a credit, alignment links, …), if there is a second TAB.
    pub rest: Option<&'a str>,
    /// The line's number in its file, from 1.
    pub line: usize,
}

/// How many pairs a block has. Only the last block grows, and only its pairs are in memory twice when it moves.
const BLOCK: usize = 1024;

/// The pairs of a corpus in their order.
///
/// A line may have three letters and there may be millions of lines; two `String`s would take many times that. Here a pair is
/// its line, cut at the TABs when it is asked for, and 16 bytes.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PairList {
    blocks: Vec<Block>,
}

/// Some lines in one text.
#[derive(Clone, Default, PartialEq, Eq)]
struct Block {
    text: String,
    lines: Vec<Line>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Line {
    /// Where it ends in the text of its block; it begins where the one before ends.
    end: usize,
    /// From 1, in the file.
    number: usize,
}

impl PairList {
    /// Appends a pair, whose columns have no TAB but the rest.
    pub(super) fn push(&mut self, pair: TextPair) {
        let is_full = |block: &Block| block.lines.len() == BLOCK;
        if self.blocks.last().is_none_or(is_full) {
            self.blocks.push(Block::default());
        }
        let Some(block) = self.blocks.last_mut() else {
            return;
        };
        block.text.push_str(pair.source);
        for column in [Some(pair.target), pair.rest].into_iter().flatten() {
            block.text.push('\t');
            block.text.push_str(column);
        }
        block.lines.push(Line {
            end: block.text.len(),
            number: pair.line,
        });
        if block.lines.len() == BLOCK {
            block.text.shrink_to_fit();
        }
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        let last = self.blocks.last().map_or(0, |block| block.lines.len());
        self.blocks.len().saturating_sub(1) * BLOCK + last
    }

    /// Whether there is no pair.
    pub const fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The pair at a place.
    pub fn get(&self, index: usize) -> Option<TextPair<'_>> {
        self.blocks.get(index / BLOCK)?.get(index % BLOCK)
    }

    /// All pairs in their order.
    pub fn iter(&self) -> impl Iterator<Item = TextPair<'_>> {
        self.blocks
            .iter()
            .flat_map(|block| (0..block.lines.len()).filter_map(|index| block.get(index)))
    }
}

impl Block {
    fn get(&self, index: usize) -> Option<TextPair<'_>> {
        let line = self.lines.get(index)?;
        let start = index.checked_sub(1).map_or(0, |i| self.lines[i].end);
        let mut columns = self.text[start..line.end].splitn(3, '\t');
        Some(TextPair {
            source: columns.next()?,
            target: columns.next()?,
            rest: columns.next(),
            line: line.number,
        })
    }
}

impl fmt::Debug for PairList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_back_as_they_were_put_in() {
        let texts: Vec<String> = (0..3 * BLOCK + 5).map(|i| format!("été {i}")).collect();
        let pair = |i: usize| TextPair {
            source: &texts[i],
            target: &texts[texts.len() - 1 - i],
            rest: [None, Some(""), Some("0-0\t1-1")][i % 3],
            line: 2 * i + 1,
        };
        let mut list = PairList::default();
        assert_eq!((list.len(), list.is_empty(), list.get(0)), (0, true, None));
        for i in 0..texts.len() {
            list.push(pair(i));
            assert_eq!(list.len(), i + 1);
        }
        assert!(!list.is_empty());
        assert!(list.iter().eq((0..texts.len()).map(pair)));
        for i in [0, BLOCK - 1, BLOCK, 3 * BLOCK + 4] {
            assert_eq!(list.get(i), Some(pair(i)));
        }
        assert_eq!(list.get(texts.len()), None);
        assert_eq!(list, list.clone());
    }

    #[test]
    fn a_pair_takes_its_line_and_little_more() {
        let mut list = PairList::default();
        for line in 1..=2 * BLOCK {
            list.push(TextPair {
                source: "a",
                target: "b",
                rest: None,
                line,
            });
        }
        for block in &list.blocks {
            assert_eq!(
                (block.text.capacity(), block.lines.capacity()),
                (3 * BLOCK, BLOCK)
            );
        }
    }
}
