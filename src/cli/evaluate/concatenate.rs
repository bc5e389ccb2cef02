//! Long examples made of several pairs.

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use serde::Serialize;

use crate::numeric::stream;

/// Names the random streams of joining among the others of a seed.
const JOINING: u64 = 0xc0ca;

/// How often the file may be gone through.
const MOST_PASSES: u64 = 20;

/// Which pairs to join.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Concatenation {
    /// Fewest and most pairs in an example.
    pub(super) pairs: (usize, usize),
    /// Fewest and most source words of an example.
    pub(super) words: (usize, usize),
    /// How many examples.
    pub(super) examples: usize,
    /// Names the examples.
    pub(super) seed: u64,
}

impl Concatenation {
    /// The examples, as places in a file whose pairs have sources of these `lengths`.
    ///
    /// The pairs are shuffled and cut into groups of a uniformly drawn size; a last group that is too small is
    /// left out, as are groups whose length is out of range. Then all pairs are shuffled anew.
    pub(super) fn groups(&self, lengths: &[usize]) -> Vec<Vec<usize>> {
        let (fewest, most) = self.pairs;
        let mut found = Vec::new();
        for pass in 0..MOST_PASSES {
            let mut rng = stream(&[self.seed, JOINING, pass]);
            let mut order: Vec<usize> = (0..lengths.len()).collect();
            order.shuffle(&mut rng);
            let mut rest = &order[..];
            while found.len() < self.examples {
                // 64 bits, so that the draw does not depend on the machine's word size.
                let size = rng.random_range(fewest as u64..=most as u64) as usize;
                let Some((group, behind)) = rest.split_at_checked(size) else {
                    break;
                };
                rest = behind;
                let words: usize = group.iter().map(|&i| lengths[i]).sum();
                if (self.words.0..=self.words.1).contains(&words) {
                    found.push(group.to_vec());
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_keep_the_rule() {
        let lengths: Vec<usize> = (0..300).map(|i| 3 + i % 11).collect();
        let rule = |seed| Concatenation {
            pairs: (3, 6),
            words: (25, 50),
            examples: 100,
            seed,
        };
        let groups = rule(1).groups(&lengths);
        assert_eq!(groups.len(), 100);
        for group in &groups {
            assert!((3..=6).contains(&group.len()));
            let words: usize = group.iter().map(|&i| lengths[i]).sum();
            assert!((25..=50).contains(&words));
        }
        assert_eq!(groups, rule(1).groups(&lengths));
        assert_ne!(groups, rule(2).groups(&lengths));
    }

    #[test]
    fn an_impossible_rule_ends_without_examples() {
        let rule = Concatenation {
            pairs: (3, 6),
            words: (25, 50),
            examples: 5,
            seed: 1,
        };
        assert!(rule.groups(&[]).is_empty());
        assert!(rule.groups(&[9, 9]).is_empty());
        assert!(rule.groups(&[100; 50]).is_empty());
    }
}
