//! Finding known words that look like an unknown one.

use std::collections::BinaryHeap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Letters beyond this are not compared: no word of a language is longer, and a pasted text may be.
const MAX_LETTERS: usize = 64;

/// A word in lower case without accents, as letters.
#[derive(Clone, Debug)]
pub(super) struct Folded(Box<[char]>);

impl Folded {
    /// Folds a word: decomposed, combining marks dropped, lower case, `œ` and `æ` written out.
    pub(super) fn new(word: &str) -> Self {
        let mut letters = Vec::with_capacity(word.len().min(MAX_LETTERS));
        for letter in word
            .nfd()
            .filter(|&letter| !is_combining_mark(letter))
            .flat_map(char::to_lowercase)
        {
            match letter {
                'œ' => letters.extend(['o', 'e']),
                'æ' => letters.extend(['a', 'e']),
                other => letters.push(other),
            }
            if letters.len() >= MAX_LETTERS {
                break;
            }
        }
        Self(letters.into())
    }
}

/// Indices of the at most `n` known words nearest to `word`; `known` gives the word of an entry of `folded`.
pub(super) fn nearest_indices<'a>(
    word: &str,
    known: impl Fn(usize) -> &'a str,
    folded: &[Folded],
    n: usize,
) -> Vec<usize> {
    let query = Folded::new(word);
    let limit = query.0.len() / 2;
    // The worst of the kept entries is on top of the heap and its distance bounds the search.
    let mut kept: BinaryHeap<(usize, bool, usize)> =
        BinaryHeap::with_capacity(n.min(folded.len()) + 1);
    let mut rows = Rows::default();
    for (index, candidate) in folded.iter().enumerate() {
        let bound = match kept.peek() {
            Some(&(worst, ..)) if kept.len() == n => worst.min(limit),
            _ => limit,
        };
        if let Some(distance) = rows.distance(&query.0, &candidate.0, bound) {
            kept.push((distance, known(index) != word, index));
            if kept.len() > n {
                kept.pop();
            }
        }
    }
    let mut found = kept.into_vec();
    found.sort_unstable();
    found.into_iter().map(|(_, _, index)| index).collect()
}

/// The last three rows of the distance table, reused from word to word.
#[derive(Default)]
struct Rows {
    before: Vec<usize>,
    above: Vec<usize>,
    current: Vec<usize>,
}

impl Rows {
    /// Insertions, deletions, replacements and swaps of neighbours from `a` to `b`; `None` above `bound`.
    fn distance(&mut self, a: &[char], b: &[char], bound: usize) -> Option<usize> {
        if a.len().abs_diff(b.len()) > bound {
            return None;
        }
        self.above.clear();
        self.above.extend(0..=b.len());
        self.before.clear();
        self.before.resize(b.len() + 1, 0);
        for i in 1..=a.len() {
            self.current.clear();
            self.current.push(i);
            for j in 1..=b.len() {
                let replaced = self.above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replaced.min(self.above[j] + 1).min(self.current[j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(self.before[j - 2] + 1);
                }
                self.current.push(best);
            }
            let nearest = self
                .current
                .iter()
                .chain(&self.above)
                .min()
                .copied()
                .unwrap_or(0);
            if nearest > bound {
                return None;
            }
            std::mem::swap(&mut self.before, &mut self.above);
            std::mem::swap(&mut self.above, &mut self.current);
        }
        Some(self.above[b.len()]).filter(|&distance| distance <= bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &str, b: &str) -> Option<usize> {
        Rows::default().distance(&Folded::new(a).0, &Folded::new(b).0, 10)
    }

    #[test]
    fn counts_edits_without_accents() {
        assert_eq!(distance("forêt", "foret"), Some(0));
        assert_eq!(distance("Œuvre", "oeuvre"), Some(0));
        assert_eq!(distance("chat", "caht"), Some(1));
        assert_eq!(distance("chat", "chats"), Some(1));
        assert_eq!(distance("chat", "chien"), Some(3));
        assert_eq!(distance("", "abc"), Some(3));
        assert_eq!(distance("", ""), Some(0));
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(Folded::new(&"œ".repeat(1000)).0.len(), MAX_LETTERS);
    }
}
