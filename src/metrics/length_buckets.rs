//! BLEU by the length of the source sentence: the curve that made the case for attention (Bahdanau et al.
//! 2015, figure 2).

use std::fmt;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use super::bleu::{Bleu, BleuCounts, Smoothing};

/// Last lengths of the default buckets; longer sentences have a bucket of their own.
const DEFAULT_ENDS: [usize; 7] = [5, 10, 15, 20, 30, 40, 50];

/// Ends of buckets that do not rise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a bucket cannot end at length {end}: expected a length above {previous}")]
pub struct BucketError {
    /// The end at fault.
    pub end: usize,
    /// The end before it, or 0.
    pub previous: usize,
}

/// The sentences whose source has a length in a range, and their BLEU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LengthBucket {
    /// The shortest source in tokens.
    pub first: usize,
    /// The longest source in tokens, `None` for the last bucket.
    pub last: Option<usize>,
    /// The number of sentences.
    pub sentences: u64,
    /// Their counts.
    pub counts: BleuCounts,
}

impl LengthBucket {
    /// BLEU of the sentences in this bucket, `None` when there is none.
    pub fn score(&self, smoothing: Smoothing) -> Option<Bleu> {
        (self.sentences > 0).then(|| self.counts.score(smoothing))
    }
}

impl fmt::Display for LengthBucket {
    /// The lengths: `6–10`, `over 50`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            Some(last) if last == self.first => write!(f, "{last}"),
            Some(last) => write!(f, "{}–{last}", self.first),
            None => write!(f, "over {}", self.first - 1),
        }
    }
}

/// BLEU counts kept apart by source length.
///
/// The default buckets are 1–5, 6–10, 11–15, 16–20, 21–30, 31–40, 41–50 and over 50 tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LengthBuckets(Vec<LengthBucket>);

impl LengthBuckets {
    /// Empty buckets that end at these lengths, and one for longer sentences.
    ///
    /// # Errors
    /// [`BucketError`] when the ends do not rise strictly from 1.
    pub fn new(ends: &[usize]) -> Result<Self, BucketError> {
        let starts = std::iter::once(&0).chain(ends);
        match starts
            .clone()
            .zip(ends)
            .find(|(previous, end)| previous >= end)
        {
            Some((&previous, &end)) => Err(BucketError { end, previous }),
            None => Ok(Self::ending_at(ends)),
        }
    }

    fn ending_at(ends: &[usize]) -> Self {
        let mut first = 1;
        let mut buckets = Vec::with_capacity(ends.len() + 1);
        for last in ends.iter().copied().map(Some).chain([None]) {
            buckets.push(LengthBucket {
                first,
                last,
                sentences: 0,
                counts: BleuCounts::default(),
            });
            first = last.unwrap_or(0) + 1;
        }
        Self(buckets)
    }

    /// Adds one sentence with a source of `source_len` tokens (0 falls into the first bucket).
    pub fn add<T: Eq + Hash>(&mut self, source_len: usize, hypothesis: &[T], reference: &[T]) {
        self.add_counts(source_len, BleuCounts::of_sentence(hypothesis, reference));
    }

    /// As [`add`](Self::add), for a sentence that is counted already.
    pub fn add_counts(&mut self, source_len: usize, counts: BleuCounts) {
        let fits = |bucket: &&mut LengthBucket| bucket.last.is_none_or(|last| source_len <= last);
        if let Some(bucket) = self.0.iter_mut().find(fits) {
            bucket.sentences += 1;
            bucket.counts += counts;
        }
    }

    /// The buckets from short to long.
    pub fn buckets(&self) -> &[LengthBucket] {
        &self.0
    }

    /// The counts of all sentences together.
    pub fn total(&self) -> BleuCounts {
        self.0.iter().map(|bucket| bucket.counts).sum()
    }
}

impl Default for LengthBuckets {
    fn default() -> Self {
        Self::ending_at(&DEFAULT_ENDS)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_default_buckets_say_their_lengths() {
        let buckets = LengthBuckets::default();
        let names: Vec<String> = buckets.buckets().iter().map(ToString::to_string).collect();
        let expected = "1–5 6–10 11–15 16–20 21–30 31–40 41–50 over 50";
        assert_eq!(names.join(" "), expected);
        assert_eq!(LengthBuckets::new(&DEFAULT_ENDS), Ok(buckets));
    }

    #[test]
    fn a_sentence_falls_into_the_bucket_of_its_source() {
        let mut buckets = LengthBuckets::new(&[1, 4]).unwrap();
        for length in [0, 1, 2, 4, 5, 99] {
            buckets.add(length, &["a", "b"], &["a"]);
        }
        let sentences: Vec<u64> = buckets.buckets().iter().map(|b| b.sentences).collect();
        assert_eq!(sentences, [2, 2, 2]);
        assert_eq!(buckets.buckets()[0].to_string(), "1");
    }

    #[test]
    fn an_empty_bucket_has_no_score() {
        let mut buckets = LengthBuckets::default();
        buckets.add(7, &[1, 2, 3, 4], &[1, 2, 3, 4]);
        let scored = |bucket: &LengthBucket| bucket.score(Smoothing::None).is_some();
        let scored: Vec<bool> = buckets.buckets().iter().map(scored).collect();
        assert_eq!(scored.iter().filter(|&&yes| yes).count(), 1);
        assert!(scored[1]);
    }

    #[test]
    fn ends_must_rise_from_one() {
        let error = |end, previous| Err(BucketError { end, previous });
        assert_eq!(LengthBuckets::new(&[0]), error(0, 0));
        assert_eq!(LengthBuckets::new(&[5, 5]), error(5, 5));
        assert_eq!(LengthBuckets::new(&[5, 9, 7]), error(7, 9));
        assert_eq!(LengthBuckets::new(&[]).unwrap().buckets().len(), 1);
    }

    proptest! {
        #[test]
        fn buckets_lose_no_sentence(
            sentences in vec((0usize..70, vec(0u32..4, 0..9), vec(0u32..4, 0..9)), 0..20),
        ) {
            let mut buckets = LengthBuckets::default();
            let mut whole = BleuCounts::default();
            for (source_len, hypothesis, reference) in &sentences {
                buckets.add(*source_len, hypothesis, reference);
                whole.add(hypothesis, reference);
            }
            let count: u64 = buckets.buckets().iter().map(|bucket| bucket.sentences).sum();
            prop_assert_eq!(count, sentences.len() as u64);
            prop_assert_eq!(buckets.total(), whole);
        }
    }
}
