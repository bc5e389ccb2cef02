//! How the next token is chosen from a distribution.
//!
//! `<pad>` and `<s>` are never generated, though the model may give them some probability and the distribution
//! shows it.

use rand::RngExt as _;
use serde::{Deserialize, Serialize};

use crate::numeric::stream;
use crate::text::{END, PAD, START};

/// Names the random streams of sampling among the others of a seed.
const SAMPLING: u64 = 0x5a3d;

/// How a session chooses the next token. Beam search is apart: it has no single next token.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecodePolicy {
    /// The most probable token, the smaller id on a tie.
    #[default]
    Greedy,
    /// A token drawn from `softmax(ln p / temperature)`. The draw follows from the seed and the tokens before
    /// it alone, so that the same seed gives the same sentence.
    Sample {
        /// Positive; near 0 it is greedy, 1 is the model's own distribution.
        temperature: f32,
        /// Names the draw.
        seed: u64,
    },
}

/// Why a policy was refused.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum PolicyError {
    /// A sampling temperature that is not a positive number.
    #[error("sampling temperature {0} must be a positive number")]
    Temperature(f32),
}

/// A token and its probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Target id.
    pub token: u32,
    /// Natural logarithm of its probability.
    pub log_probability: f32,
}

/// Whether a decoder may produce `token`.
pub const fn is_generated(token: u32) -> bool {
    token != PAD && token != START
}

impl DecodePolicy {
    /// Checks the temperature.
    ///
    /// # Errors
    /// [`PolicyError::Temperature`] unless it is positive and finite.
    pub fn check(self) -> Result<(), PolicyError> {
        match self {
            Self::Sample { temperature, .. } if !(temperature.is_finite() && temperature > 0.0) => {
                Err(PolicyError::Temperature(temperature))
            }
            Self::Greedy | Self::Sample { .. } => Ok(()),
        }
    }

    /// The next token after `prefix`, from `log_probabilities` `[V]` in nats. A distribution of nothing but
    /// not-a-numbers ends the sentence.
    pub fn choose(self, log_probabilities: &[f32], prefix: &[u32]) -> u32 {
        let greedy = best(log_probabilities, 1, is_generated)
            .first()
            .map_or(END, |c| c.token);
        let Self::Sample { temperature, seed } = self else {
            return greedy;
        };
        let Some(&max) = log_probabilities
            .get(greedy as usize)
            .filter(|max| max.is_finite())
        else {
            return greedy;
        };
        let share = |token: usize, l: f32| {
            let allowed = is_generated(token as u32) && !l.is_nan();
            if allowed {
                (f64::from(l - max) / f64::from(temperature)).exp()
            } else {
                0.0
            }
        };
        let total: f64 = log_probabilities
            .iter()
            .enumerate()
            .map(|(token, l)| share(token, *l))
            .sum();
        let path: Vec<u64> = [seed, SAMPLING, prefix.len() as u64]
            .into_iter()
            .chain(prefix.iter().map(|t| u64::from(*t)))
            .collect();
        let mut left = stream(&path).random::<f64>() * total;
        for (token, l) in log_probabilities.iter().enumerate() {
            left -= share(token, *l);
            if left < 0.0 {
                return token as u32;
            }
        }
        greedy
    }
}

/// The `k` most probable tokens that `keep` lets through, best first, the smaller id first on a tie;
/// not-a-numbers are left out.
pub(crate) fn best(
    log_probabilities: &[f32],
    k: usize,
    keep: impl Fn(u32) -> bool,
) -> Vec<Candidate> {
    let order = |a: &Candidate, b: &Candidate| {
        b.log_probability
            .total_cmp(&a.log_probability)
            .then(a.token.cmp(&b.token))
    };
    // Few of many are asked for at every step: one pass that compares each token with the worst one kept.
    let mut kept: Vec<Candidate> = Vec::with_capacity(k.min(log_probabilities.len()) + 1);
    let mut bar = f32::NEG_INFINITY;
    for (token, &log_probability) in log_probabilities.iter().enumerate() {
        let is_out = kept.len() == k && bar.total_cmp(&log_probability).is_ge();
        if is_out || log_probability.is_nan() || !keep(token as u32) {
            continue;
        }
        let candidate = Candidate {
            token: token as u32,
            log_probability,
        };
        let at = kept.partition_point(|better| order(better, &candidate).is_lt());
        kept.insert(at, candidate);
        kept.truncate(k);
        bar = kept
            .last()
            .map_or(f32::INFINITY, |worst| worst.log_probability);
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::numeric::log_softmax;

    fn sample(temperature: f32, seed: u64) -> DecodePolicy {
        DecodePolicy::Sample { temperature, seed }
    }

    #[test]
    fn the_best_come_first_and_ties_go_by_id() {
        let found: Vec<u32> = best(&[-1.0, -2.0, -1.0, f32::NAN, -0.5], 3, |_| true)
            .iter()
            .map(|c| c.token)
            .collect();
        assert_eq!(found, [4, 0, 2]);
        assert_eq!(best(&[-1.0; 4], 9, is_generated).len(), 2);
    }

    proptest! {
        #[test]
        fn the_best_are_the_first_of_the_sorted(l in proptest::collection::vec(-3_i8..3, 0..40), k in 0_usize..12) {
            let l: Vec<f32> = l.iter().map(|v| if *v == 2 { f32::NAN } else { f32::from(*v).ln() }).collect();
            let mut all: Vec<Candidate> = (0..).zip(&l).map(|(token, l)| Candidate { token, log_probability: *l }).collect();
            all.retain(|c| !c.log_probability.is_nan() && c.token != 3);
            all.sort_by(|a, b| b.log_probability.total_cmp(&a.log_probability));
            all.truncate(k);
            prop_assert_eq!(best(&l, k, |token| token != 3), all);
        }
    }

    #[test]
    fn padding_and_start_are_never_generated() {
        let l = [0.0, 0.0, -50.0, -40.0];
        assert_eq!(DecodePolicy::Greedy.choose(&l, &[]), 3);
        assert!((0..200).all(|seed| sample(1.0, seed).choose(&l, &[]) >= 2));
    }

    #[test]
    fn a_broken_distribution_ends_the_sentence() {
        for policy in [DecodePolicy::Greedy, sample(1.0, 3)] {
            assert_eq!(policy.choose(&[f32::NAN; 6], &[]), END);
            assert_eq!(policy.choose(&[f32::NEG_INFINITY; 6], &[]), END);
        }
    }

    #[test]
    fn draws_follow_the_distribution_and_the_prefix() {
        let mut l = [-90.0, -90.0, 0.0, 1.0, 2.0];
        log_softmax(&mut l);
        let draws = |f: &dyn Fn(u32) -> u32| {
            (0..4000).map(f).fold([0_u32; 5], |mut n, t| {
                n[t as usize] += 1;
                n
            })
        };
        for counts in [
            draws(&|s| sample(1.0, s.into()).choose(&l, &[4])),
            draws(&|t| sample(1.0, 7).choose(&l, &[t])),
        ] {
            for (n, l) in counts.iter().zip(l) {
                assert!(
                    (f64::from(*n) / 4000.0 - f64::from(l).exp()).abs() < 0.03,
                    "{counts:?}"
                );
            }
        }
    }

    #[test]
    fn temperatures_are_checked() {
        assert_eq!(sample(0.5, 0).check(), Ok(()));
        for bad in [0.0, -1.0, f32::INFINITY, f32::NAN] {
            assert!(sample(bad, 0).check().is_err());
        }
    }

    proptest! {
        #[test]
        fn a_small_temperature_is_greedy(l in prop::collection::vec(-9_f32..0.0, 4..20), seed: u64) {
            let greedy = DecodePolicy::Greedy.choose(&l, &[5]);
            let cold = sample(f32::MIN_POSITIVE, seed).choose(&l, &[5]);
            // Exactly equal probabilities are a fair draw.
            prop_assert_eq!(l[greedy as usize].to_bits(), l[cold as usize].to_bits());
            prop_assert_eq!(sample(0.7, seed).choose(&l, &[5]), sample(0.7, seed).choose(&l, &[5]));
        }
    }
}
