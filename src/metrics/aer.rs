//! Hard links from soft attention, and the alignment error rate against gold links.

use std::iter::Sum;
use std::ops::AddAssign;

use ndarray::{ArrayRef1, ArrayRef2};
use serde::{Deserialize, Serialize};

use crate::alignment::{Certainty, Link, Links};

/// The counts behind the alignment error rate (Och and Ney 2003). Sentences and corpora are added; only
/// the rates divide.
///
/// A are the predicted links, S the sure and P ⊇ S the possible gold links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AlignmentCounts {
    /// `|A|`.
    pub predicted: u64,
    /// `|S|`.
    pub sure: u64,
    /// `|A ∩ S|`.
    pub sure_matches: u64,
    /// `|A ∩ P|`.
    pub possible_matches: u64,
}

impl AlignmentCounts {
    /// The counts of one sentence. Every predicted link counts the same, sure or possible.
    pub fn of_sentence(predicted: &Links, gold: &Links) -> Self {
        let mut counts = Self {
            predicted: predicted.len() as u64,
            sure: gold.sure().count() as u64,
            ..Self::default()
        };
        for link in predicted {
            let certainty = gold.certainty(link.source, link.target);
            counts.sure_matches += u64::from(certainty == Some(Certainty::Sure));
            counts.possible_matches += u64::from(certainty.is_some());
        }
        counts
    }

    /// Adds one sentence.
    pub fn add(&mut self, predicted: &Links, gold: &Links) {
        *self += Self::of_sentence(predicted, gold);
    }

    /// Alignment error rate `1 − (|A∩S| + |A∩P|) / (|A| + |S|)` (Och and Ney 2003), from 0 (best) to 1.
    /// `None` when there is neither a predicted nor a sure link.
    pub fn aer(&self) -> Option<f64> {
        let matches = self.sure_matches + self.possible_matches;
        ratio(matches, self.predicted + self.sure).map(|rate| 1.0 - rate)
    }

    /// The share of the predicted links that are at least possible, `|A∩P| / |A|`. `None` when nothing
    /// was predicted.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.possible_matches, self.predicted)
    }

    /// The share of the sure links that were predicted, `|A∩S| / |S|`. `None` when no link is sure.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.sure_matches, self.sure)
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl AddAssign for AlignmentCounts {
    fn add_assign(&mut self, other: Self) {
        self.predicted += other.predicted;
        self.sure += other.sure;
        self.sure_matches += other.sure_matches;
        self.possible_matches += other.possible_matches;
    }
}

impl Sum for AlignmentCounts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |mut sum, one| {
            sum += one;
            sum
        })
    }
}

/// A sure link from each of the first `rows` target tokens to the source token it attends to most (the
/// first of equal ones), from weights `[T, S]`: an array, a view, or the
/// [`values`](crate::alignment::LabelledMatrix::values) of an attention matrix.
///
/// `rows` leaves out the row of `</s>`, which gold links know nothing of; more rows than there are mean
/// all. A row of nothing but NaN gets no link.
pub fn argmax_links(weights: &ArrayRef2<f32>, rows: usize) -> Links {
    let rows = weights.rows().into_iter().take(rows).enumerate();
    rows.filter_map(|(target, row)| Some(Link::sure(argmax(&row)?, target)))
        .collect()
}

fn argmax(row: &ArrayRef1<f32>) -> Option<usize> {
    let numbers = row
        .iter()
        .enumerate()
        .filter(|(_, weight)| !weight.is_nan());
    let best = numbers.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(source, _)| source)
}

/// The links of a translation word by word: target token t to the source token at the same relative
/// place, `⌊(t + ½) S / T⌋`. The baseline that attention should beat.
pub fn diagonal_links(source_len: usize, target_len: usize) -> Links {
    let targets = if source_len == 0 { 0 } else { target_len };
    (0..targets)
        .map(|target| Link::sure((2 * target + 1) * source_len / (2 * target_len), target))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "ratios of small counts come out exactly")]

    use ndarray::{Array2, array};
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn links(text: &str) -> Links {
        text.parse().unwrap()
    }

    #[test]
    fn a_small_alignment_by_hand() {
        let gold = links("0-0 1-2 2?1 3?3");
        let counts = AlignmentCounts::of_sentence(&links("0-0 2-1 3-1 1-1"), &gold);
        let expected = AlignmentCounts {
            predicted: 4,
            sure: 2,
            sure_matches: 1,
            possible_matches: 2,
        };
        assert_eq!(counts, expected);
        assert_eq!(counts.aer(), Some(0.5));
        assert_eq!(counts.precision(), Some(0.5));
        assert_eq!(counts.recall(), Some(0.5));
    }

    #[test]
    fn nothing_to_count_is_no_rate() {
        let counts = AlignmentCounts::default();
        let rates = [counts.aer(), counts.precision(), counts.recall()];
        assert_eq!(rates, [None; 3]);
        // Predicting nothing where something was sure is all wrong.
        let missed = AlignmentCounts::of_sentence(&Links::default(), &links("0-0"));
        assert_eq!(missed.aer(), Some(1.0));
        assert_eq!(missed.precision(), None);
    }

    #[test]
    fn rates_of_a_corpus_come_from_summed_counts() {
        let mut counts = AlignmentCounts::default();
        counts.add(&links("0-0"), &links("0-0"));
        counts.add(&links("0-0 1-1 2-2"), &links("0-2 1-1 2-0"));
        // 2 of 4 links, not the mean of 0 and 2/3.
        assert_eq!(counts.aer(), Some(0.5));
    }

    #[test]
    fn links_go_to_the_first_of_the_largest_weights() {
        let weights = array![
            [0.4, 0.4, 0.2],
            [f32::NAN, 0.3, 0.7],
            [f32::NAN, f32::NAN, f32::NAN],
            [0.0, 1.0, 0.0]
        ];
        let expected = links("0-0 2-1 1-3");
        assert_eq!(argmax_links(&weights, 9), expected);
        assert_eq!(argmax_links(&weights, 2), links("0-0 2-1"));
        assert!(argmax_links(&Array2::zeros((3, 0)), 3).is_empty());
    }

    #[test]
    fn diagonals_stretch_to_both_lengths() {
        assert_eq!(diagonal_links(3, 3), links("0-0 1-1 2-2"));
        assert_eq!(diagonal_links(2, 4), links("0-0 0-1 1-2 1-3"));
        assert_eq!(diagonal_links(4, 2), links("1-0 3-1"));
        assert!(diagonal_links(0, 3).is_empty() && diagonal_links(3, 0).is_empty());
    }

    fn some_links() -> impl Strategy<Value = Links> {
        let link = (0usize..6, 0usize..6, any::<bool>()).prop_map(|(source, target, sure)| {
            if sure {
                Link::sure(source, target)
            } else {
                Link::possible(source, target)
            }
        });
        vec(link, 0..12).prop_map(|links| links.into_iter().collect())
    }

    proptest! {
        #[test]
        fn rates_lie_between_zero_and_one(predicted in some_links(), gold in some_links()) {
            let counts = AlignmentCounts::of_sentence(&predicted, &gold);
            for rate in [counts.aer(), counts.precision(), counts.recall()].into_iter().flatten() {
                prop_assert!((0.0..=1.0).contains(&rate));
            }
        }

        #[test]
        fn the_gold_links_themselves_make_no_error(gold in some_links()) {
            let counts = AlignmentCounts::of_sentence(&gold, &gold);
            prop_assert_eq!(counts.aer().unwrap_or(0.0), 0.0);
        }

        #[test]
        fn without_possible_links_the_error_is_one_minus_f1(
            predicted in some_links(),
            gold in some_links(),
        ) {
            let gold: Links = gold.sure().collect();
            let counts = AlignmentCounts::of_sentence(&predicted, &gold);
            if let (Some(precision), Some(recall)) = (counts.precision(), counts.recall())
                && precision + recall > 0.0
            {
                let f1 = 2.0 * precision * recall / (precision + recall);
                prop_assert!((counts.aer().unwrap() - (1.0 - f1)).abs() < 1e-12);
            }
        }

        #[test]
        fn diagonals_lie_inside_and_never_cross(source_len in 1usize..30, target_len in 1usize..30) {
            let links = diagonal_links(source_len, target_len);
            prop_assert!(links.check(source_len, target_len).is_ok());
            prop_assert_eq!(links.len(), target_len);
            prop_assert_eq!(links.crossings(), 0);
        }
    }
}
