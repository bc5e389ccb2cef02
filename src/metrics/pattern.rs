//! The pattern an attention matrix makes at a glance.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::alignment::AttentionMatrix;

use super::coverage::coverage;
use super::entropy::{mean_entropy, normalised_entropy};
use super::monotonicity::monotonicity;

/// The pattern of an attention matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Attention moves through the source in order, with at most a few steps back.
    Diagonal,
    /// Attention is sharp, but jumps back and forth: the languages order their words differently.
    Reordered,
    /// One source token has most of the attention, whatever the target token.
    VerticalBand,
    /// Attention is spread over most of the source.
    Diffuse,
}

impl Pattern {
    /// Every pattern.
    pub const ALL: [Self; 4] = [
        Self::Diagonal,
        Self::Reordered,
        Self::VerticalBand,
        Self::Diffuse,
    ];

    /// The pattern of a matrix by the default thresholds; `None` with fewer than two rows or columns,
    /// where every pattern looks the same.
    pub fn of(matrix: &AttentionMatrix) -> Option<Self> {
        let evidence = PatternEvidence::of(matrix)?;
        Some(evidence.pattern(&PatternThresholds::default()))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Diagonal => "diagonal",
            Self::Reordered => "reordered",
            Self::VerticalBand => "vertical band",
            Self::Diffuse => "diffuse",
        })
    }
}

/// The measures that decide on a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternEvidence {
    /// Mean entropy of the rows as a share of `ln S`, from 0 (sharp) to 1 (uniform).
    pub entropy: f64,
    /// How much of the attention the most covered source token takes beyond an even share:
    /// `(m − 1/S) / (1 − 1/S)` with `m = max_j c_j / T`, from 0 (all covered evenly) to 1 (all on one).
    pub concentration: f64,
    /// Share of steps at which the most attended source token does not go back, from 0 to 1.
    pub monotonicity: f64,
}

/// Where one pattern ends and the next begins. The rules apply in the order of the fields; what is left
/// is [`Pattern::Reordered`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternThresholds {
    /// From this concentration on it is [`Pattern::VerticalBand`]. Default 0.5: one token takes half of
    /// what a perfect diagonal would give to the others. Comes first, as a band may be blurred.
    pub concentration: f64,
    /// From this entropy on it is [`Pattern::Diffuse`]. Default 0.75: the effective number of sources
    /// is `S^0.75`, about 3 of 4 or 9 of 20.
    pub entropy: f64,
    /// From this monotonicity on it is [`Pattern::Diagonal`]. Default 0.8: at most one step in five goes
    /// back. A swapped adjective and noun in a sentence of five tokens is reordered, one in a sentence
    /// of ten is not.
    pub monotonicity: f64,
}

impl Default for PatternThresholds {
    fn default() -> Self {
        Self {
            concentration: 0.5,
            entropy: 0.75,
            monotonicity: 0.8,
        }
    }
}

impl PatternEvidence {
    /// Measures a matrix; `None` with fewer than two rows or columns.
    pub fn of(matrix: &AttentionMatrix) -> Option<Self> {
        let (targets, sources) = matrix.values().dim();
        if sources < 2 {
            return None;
        }
        let monotonicity = monotonicity(matrix)?;
        let entropy = normalised_entropy(mean_entropy(matrix)?, sources);
        let largest = coverage(matrix).into_iter().fold(0.0, f64::max) / targets as f64;
        let even = 1.0 / sources as f64;
        Some(Self {
            entropy,
            concentration: ((largest - even) / (1.0 - even)).clamp(0.0, 1.0),
            monotonicity,
        })
    }

    /// The pattern by these thresholds.
    pub fn pattern(&self, thresholds: &PatternThresholds) -> Pattern {
        if self.concentration >= thresholds.concentration {
            Pattern::VerticalBand
        } else if self.entropy >= thresholds.entropy {
            Pattern::Diffuse
        } else if self.monotonicity >= thresholds.monotonicity {
            Pattern::Diagonal
        } else {
            Pattern::Reordered
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use proptest::prelude::*;

    use super::*;
    use crate::metrics::fixtures::{attention, hard, matrices, peaked};

    #[test]
    fn sharp_and_blurred_diagonals() {
        for sources in [2, 4, 20] {
            let peaks: Vec<usize> = (0..sources).collect();
            assert_eq!(Pattern::of(&hard(&peaks, sources)), Some(Pattern::Diagonal));
            let blurred = peaked(&peaks, sources, 0.7);
            let expected = if sources == 2 {
                // 0.7 to 0.3 between two is nearly even.
                Pattern::Diffuse
            } else {
                Pattern::Diagonal
            };
            assert_eq!(Pattern::of(&blurred), Some(expected), "{sources}");
        }
    }

    #[test]
    fn a_longer_or_shorter_target_is_still_diagonal() {
        let longer = hard(&[0, 0, 1, 1, 2, 2, 3, 3], 4);
        assert_eq!(Pattern::of(&longer), Some(Pattern::Diagonal));
        let shorter = hard(&[0, 3, 7], 8);
        assert_eq!(Pattern::of(&shorter), Some(Pattern::Diagonal));
    }

    #[test]
    fn reversals_and_swaps_are_reordered() {
        for peaks in [&[4, 3, 2, 1, 0][..], &[0, 2, 1, 3, 4], &[2, 0, 3, 1]] {
            let matrix = peaked(peaks, 5, 0.9);
            assert_eq!(Pattern::of(&matrix), Some(Pattern::Reordered), "{peaks:?}");
        }
    }

    #[test]
    fn one_swap_in_a_long_sentence_is_diagonal() {
        let matrix = hard(&[0, 1, 3, 2, 4, 5, 6, 7, 8, 9], 10);
        assert_eq!(Pattern::of(&matrix), Some(Pattern::Diagonal));
    }

    #[test]
    fn one_column_for_all_is_a_band() {
        assert_eq!(Pattern::of(&hard(&[2; 5], 6)), Some(Pattern::VerticalBand));
        // Also when it is blurred.
        let blurred = peaked(&[2; 5], 6, 0.6);
        assert_eq!(Pattern::of(&blurred), Some(Pattern::VerticalBand));
    }

    #[test]
    fn even_attention_is_diffuse() {
        let uniform = attention(&[&[0.25; 4][..]; 3]);
        assert_eq!(Pattern::of(&uniform), Some(Pattern::Diffuse));
        let evidence = PatternEvidence::of(&uniform).unwrap();
        assert_abs_diff_eq!(evidence.entropy, 1.0, epsilon = 1e-9);
        assert_abs_diff_eq!(evidence.concentration, 0.0, epsilon = 1e-9);
    }

    #[test]
    fn a_single_row_or_column_has_no_pattern() {
        assert_eq!(Pattern::of(&hard(&[1], 3)), None);
        assert_eq!(Pattern::of(&hard(&[0, 0], 1)), None);
        assert_eq!(Pattern::of(&attention(&[])), None);
    }

    #[test]
    fn thresholds_decide() {
        let evidence = PatternEvidence {
            entropy: 0.5,
            concentration: 0.3,
            monotonicity: 0.6,
        };
        let of = |concentration, entropy, monotonicity| {
            evidence.pattern(&PatternThresholds {
                concentration,
                entropy,
                monotonicity,
            })
        };
        assert_eq!(of(0.3, 0.5, 0.6), Pattern::VerticalBand);
        assert_eq!(of(0.4, 0.5, 0.6), Pattern::Diffuse);
        assert_eq!(of(0.4, 0.6, 0.6), Pattern::Diagonal);
        assert_eq!(of(0.4, 0.6, 0.7), Pattern::Reordered);
    }

    proptest! {
        #[test]
        fn evidence_lies_between_zero_and_one(matrix in matrices()) {
            let (targets, sources) = matrix.values().dim();
            let evidence = PatternEvidence::of(&matrix);
            prop_assert_eq!(evidence.is_some(), targets > 1 && sources > 1);
            if let Some(evidence) = evidence {
                let PatternEvidence { entropy, concentration, monotonicity } = evidence;
                for share in [entropy, concentration, monotonicity] {
                    prop_assert!((0.0..=1.0 + 1e-6).contains(&share));
                }
            }
        }
    }
}
