//! BLEU of a corpus, from counts that add up sentence by sentence.

use std::collections::HashMap;
use std::hash::Hash;
use std::iter::Sum;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// The longest n-gram that is counted.
pub const MAX_ORDER: usize = 4;

/// What to do with an order that has n-grams, but no match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Smoothing {
    /// Its precision is 0, and with it the score (Papineni et al. 2002).
    None,
    /// The k-th order without a match, counted from the unigrams, has the precision `100 / (2^k t_n)`:
    /// the rule of mteval-v13a and the default of sacrebleu (Chen and Cherry 2014, method 3).
    #[default]
    Exponential,
}

impl Smoothing {
    /// Every smoothing.
    pub const ALL: [Self; 2] = [Self::None, Self::Exponential];
}

/// The counts behind BLEU. Sentences and corpora are added; only [`score`](Self::score) divides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BleuCounts {
    /// `m_n` for n = 1…4: n-grams of the hypotheses found in their reference, each at most as often as
    /// it stands there.
    pub matches: [u64; MAX_ORDER],
    /// `t_n` for n = 1…4: n-grams of the hypotheses.
    pub totals: [u64; MAX_ORDER],
    /// `c`: tokens of the hypotheses.
    pub hypothesis_length: u64,
    /// `r`: tokens of the references.
    pub reference_length: u64,
}

/// BLEU of a corpus and its parts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bleu {
    /// The score, 0 to 100.
    pub score: f64,
    /// `p_n` for n = 1…4 after smoothing, each 0 to 100.
    pub precisions: [f64; MAX_ORDER],
    /// The factor for hypotheses that are too short, 0 to 1.
    pub brevity_penalty: f64,
    /// The counts that it was made from.
    pub counts: BleuCounts,
}

/// Two corpora that should have the same number of sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one reference for each of {hypotheses} hypotheses, found {references}")]
pub struct UnequalCorpora {
    /// The number of hypotheses.
    pub hypotheses: usize,
    /// The number of references.
    pub references: usize,
}

impl BleuCounts {
    /// The counts of one sentence. Tokens are whatever can be compared: words or vocabulary ids.
    pub fn of_sentence<T: Eq + Hash>(hypothesis: &[T], reference: &[T]) -> Self {
        let mut counts = Self {
            hypothesis_length: hypothesis.len() as u64,
            reference_length: reference.len() as u64,
            ..Self::default()
        };
        for n in 1..=MAX_ORDER {
            counts.totals[n - 1] = (hypothesis.len() + 1).saturating_sub(n) as u64;
            counts.matches[n - 1] = clipped_matches(hypothesis, reference, n);
        }
        counts
    }

    /// Adds one sentence.
    pub fn add<T: Eq + Hash>(&mut self, hypothesis: &[T], reference: &[T]) {
        *self += Self::of_sentence(hypothesis, reference);
    }

    /// BLEU (Papineni et al. 2002) of everything added, with the same numbers as sacrebleu:
    ///
    /// `score = bp · exp(¼ Σ_n ln p_n)`, `p_n = 100 m_n / t_n`,
    /// `bp = 1` if `c ≥ r`, else `exp(1 − r / c)`, and 0 if `c = 0 < r`.
    ///
    /// The score is 0, whatever the smoothing, when nothing matches at all (then every precision is 0,
    /// too) and when every hypothesis has fewer than four tokens (`t_n = 0` leaves `p_n = 0`). So an
    /// empty corpus scores 0.
    pub fn score(&self, smoothing: Smoothing) -> Bleu {
        let precisions = self.precisions(smoothing);
        let brevity_penalty = self.brevity_penalty();
        let score = if precisions.iter().all(|&p| p > 0.0) {
            let mean = precisions.iter().map(|p| p.ln()).sum::<f64>() / MAX_ORDER as f64;
            // exp(ln 100) comes out a little above 100.
            (brevity_penalty * mean.exp()).min(100.0)
        } else {
            0.0
        };
        Bleu {
            score,
            precisions,
            brevity_penalty,
            counts: *self,
        }
    }

    fn precisions(&self, smoothing: Smoothing) -> [f64; MAX_ORDER] {
        let mut precisions = [0.0; MAX_ORDER];
        // Without any match there is nothing to smooth.
        if self.matches == [0; MAX_ORDER] {
            return precisions;
        }
        let mut divisor = 1.0;
        let counts = self.matches.iter().zip(&self.totals);
        for (precision, (&matches, &total)) in precisions.iter_mut().zip(counts) {
            if total == 0 {
                continue;
            }
            *precision = match smoothing {
                Smoothing::Exponential if matches == 0 => {
                    divisor *= 2.0;
                    100.0 / (divisor * total as f64)
                }
                Smoothing::None | Smoothing::Exponential => 100.0 * matches as f64 / total as f64,
            };
        }
        precisions
    }

    fn brevity_penalty(&self) -> f64 {
        if self.hypothesis_length >= self.reference_length {
            1.0
        } else if self.hypothesis_length == 0 {
            0.0
        } else {
            (1.0 - self.reference_length as f64 / self.hypothesis_length as f64).exp()
        }
    }
}

impl AddAssign for BleuCounts {
    fn add_assign(&mut self, other: Self) {
        for n in 0..MAX_ORDER {
            self.matches[n] += other.matches[n];
            self.totals[n] += other.totals[n];
        }
        self.hypothesis_length += other.hypothesis_length;
        self.reference_length += other.reference_length;
    }
}

impl Sum for BleuCounts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |mut sum, one| {
            sum += one;
            sum
        })
    }
}

/// `Σ_g min(count of g in the hypothesis, count of g in the reference)` over the n-grams g.
fn clipped_matches<T: Eq + Hash>(hypothesis: &[T], reference: &[T], n: usize) -> u64 {
    let mut left: HashMap<&[T], u64> = HashMap::new();
    for gram in reference.windows(n) {
        *left.entry(gram).or_default() += 1;
    }
    let mut matches = 0;
    for gram in hypothesis.windows(n) {
        // Each n-gram of the reference serves one of the hypothesis.
        if let Some(count) = left.get_mut(gram).filter(|count| **count > 0) {
            *count -= 1;
            matches += 1;
        }
    }
    matches
}

/// BLEU of a whole corpus, sentence i of the hypotheses against sentence i of the references; see
/// [`BleuCounts::score`].
///
/// # Errors
/// [`UnequalCorpora`] when the numbers of sentences differ.
pub fn corpus_bleu<T: Eq + Hash>(
    hypotheses: &[impl AsRef<[T]>],
    references: &[impl AsRef<[T]>],
    smoothing: Smoothing,
) -> Result<Bleu, UnequalCorpora> {
    if hypotheses.len() != references.len() {
        return Err(UnequalCorpora {
            hypotheses: hypotheses.len(),
            references: references.len(),
        });
    }
    let counts: BleuCounts = hypotheses
        .iter()
        .zip(references)
        .map(|(hypothesis, reference)| {
            BleuCounts::of_sentence(hypothesis.as_ref(), reference.as_ref())
        })
        .sum();
    Ok(counts.score(smoothing))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "zeros and hundreds come out exactly")]

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn matches_are_clipped_at_the_count_in_the_reference() {
        // The example of the BLEU paper: 2 of 7 unigrams count.
        let hypothesis = words("the the the the the the the");
        let reference = words("the cat is on the mat");
        let counts = BleuCounts::of_sentence(&hypothesis, &reference);
        assert_eq!(counts.matches, [2, 0, 0, 0]);
        assert_eq!(counts.totals, [7, 6, 5, 4]);
        assert_eq!((counts.hypothesis_length, counts.reference_length), (7, 6));
    }

    #[test]
    fn an_empty_corpus_scores_zero_without_a_penalty() {
        for smoothing in Smoothing::ALL {
            let bleu = BleuCounts::default().score(smoothing);
            assert_eq!((bleu.score, bleu.brevity_penalty), (0.0, 1.0));
            assert_eq!(bleu.precisions, [0.0; MAX_ORDER]);
        }
    }

    #[test]
    fn short_hypotheses_score_zero_even_when_right() {
        let bleu = BleuCounts::of_sentence(&[4, 5, 6], &[4, 5, 6]).score(Smoothing::Exponential);
        assert_eq!(bleu.precisions, [100.0, 100.0, 100.0, 0.0]);
        assert_eq!(bleu.score, 0.0);
    }

    #[test]
    fn corpora_of_different_sizes_are_refused() {
        let error = corpus_bleu(&[vec![1, 2]], &[vec![1, 2], vec![3]], Smoothing::None);
        let expected = UnequalCorpora {
            hypotheses: 1,
            references: 2,
        };
        assert_eq!(error, Err(expected));
    }

    /// Pairs of sentences over a small vocabulary, so that n-grams do match.
    fn corpus() -> impl Strategy<Value = Vec<(Vec<u32>, Vec<u32>)>> {
        vec((vec(0u32..5, 0..12), vec(0u32..5, 0..12)), 0..8)
    }

    fn count(pairs: &[(Vec<u32>, Vec<u32>)]) -> BleuCounts {
        let mut counts = BleuCounts::default();
        for (hypothesis, reference) in pairs {
            counts.add(hypothesis, reference);
        }
        counts
    }

    proptest! {
        #[test]
        fn an_identical_corpus_scores_100(
            sentences in vec(vec(0u32..9, 4..20), 1..6),
            smoothing in prop::sample::select(&Smoothing::ALL[..]),
        ) {
            let bleu = corpus_bleu(&sentences, &sentences, smoothing).unwrap();
            prop_assert!((bleu.score - 100.0).abs() < 1e-9);
        }

        #[test]
        fn scores_stay_in_range_and_smoothing_never_lowers_them(pairs in corpus()) {
            let counts = count(&pairs);
            let [plain, smooth] = Smoothing::ALL.map(|smoothing| counts.score(smoothing).score);
            prop_assert!((0.0..=100.0).contains(&plain) && (0.0..=100.0).contains(&smooth));
            prop_assert!(plain <= smooth);
        }

        #[test]
        fn the_order_of_sentences_does_not_matter(pairs in corpus()) {
            let mut reversed = pairs.clone();
            reversed.reverse();
            prop_assert_eq!(count(&pairs), count(&reversed));
        }

        #[test]
        fn names_of_tokens_do_not_matter(pairs in corpus()) {
            let named = pairs.iter().map(|(hypothesis, reference)| {
                let name = |ids: &[u32]| ids.iter().map(u32::to_string).collect::<Vec<String>>();
                BleuCounts::of_sentence(&name(hypothesis), &name(reference))
            });
            prop_assert_eq!(count(&pairs), named.sum());
        }

        #[test]
        fn parts_of_a_corpus_add_up(first in corpus(), second in corpus()) {
            let whole = [first.clone(), second.clone()].concat();
            prop_assert_eq!(count(&whole), [count(&first), count(&second)].into_iter().sum());
        }
    }
}
