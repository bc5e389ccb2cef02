//! How widely attention is spread: Shannon entropy, in nats.

use crate::alignment::AttentionMatrix;

/// How far a weight may stick out of `[0, 1]` through rounding, as in [`AttentionMatrix`].
const ROUNDING: f64 = 1e-6;

/// Entropy `H(α) = −Σ_j α_j ln α_j` of weights `[S]` in nats (Shannon 1948), from 0 to `ln S`, where
/// `0 · ln 0 = 0`.
///
/// The weights are taken as they are, not made to sum to 1. NaN stays NaN; what is no probability (outside
/// `[0, 1]` by more than rounding) has no entropy and gives NaN, too.
pub fn entropy<'a>(weights: impl IntoIterator<Item = &'a f32>) -> f64 {
    // From 0 downwards, since a sum of nothing but 0 · ln 1 would come out as −0.
    weights
        .into_iter()
        .fold(0.0, |sum, &weight| sum - weighted_log(f64::from(weight)))
}

/// `α ln α`.
fn weighted_log(weight: f64) -> f64 {
    if (-ROUNDING..=0.0).contains(&weight) || (1.0..=1.0 + ROUNDING).contains(&weight) {
        0.0
    } else if weight > 1.0 {
        f64::NAN
    } else {
        // The logarithm of a negative number is NaN.
        weight * weight.ln()
    }
}

/// The largest entropy over `sources` positions, `ln S` nats: that of uniform weights. 0 without sources.
pub fn max_entropy(sources: usize) -> f64 {
    (sources.max(1) as f64).ln()
}

/// Effective number of sources `exp(H)` of an entropy in nats: uniform weights on n positions have n.
pub fn effective_sources(entropy: f64) -> f64 {
    entropy.exp()
}

/// Entropy as a share of the largest, `H / ln S`, from 0 (one source) to 1 (uniform). 0 for at most one
/// source, where there is no choice.
pub fn normalised_entropy(entropy: f64, sources: usize) -> f64 {
    if sources > 1 {
        entropy / max_entropy(sources)
    } else {
        0.0
    }
}

/// The entropy of each row in nats, `[T]`.
pub fn row_entropies(matrix: &AttentionMatrix) -> Vec<f64> {
    matrix.values().rows().into_iter().map(entropy).collect()
}

/// The mean entropy of the rows in nats; `None` without rows.
pub fn mean_entropy(matrix: &AttentionMatrix) -> Option<f64> {
    let entropies = row_entropies(matrix);
    (!entropies.is_empty()).then(|| entropies.iter().sum::<f64>() / entropies.len() as f64)
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use proptest::prelude::*;

    use super::*;
    use crate::metrics::fixtures::{attention, weights};

    #[test]
    fn the_worked_example() {
        // Scores 0.3, 2.1, 0.5.
        let entropy = entropy(&[0.1209_f32, 0.7314, 0.1477]);
        assert_abs_diff_eq!(entropy, 0.7667, epsilon = 1e-4);
        assert_abs_diff_eq!(effective_sources(entropy), 2.1527, epsilon = 1e-3);
    }

    #[test]
    fn one_source_has_exactly_no_entropy() {
        assert_eq!(entropy(&[0.0_f32, 1.0, 0.0]).to_bits(), 0.0_f64.to_bits());
        assert_eq!(entropy(&[1.000_000_5_f32, -0.000_000_5]).to_bits(), 0);
        assert_eq!(entropy(&[]).to_bits(), 0);
    }

    #[test]
    fn what_is_no_probability_has_no_entropy() {
        for wrong in [f32::NAN, f32::INFINITY, -0.1, 1.1] {
            assert!(entropy(&[0.5, wrong]).is_nan(), "{wrong}");
        }
    }

    #[test]
    fn uniform_weights_reach_the_maximum() {
        for sources in 1..40 {
            let uniform = vec![1.0 / sources as f32; sources];
            let entropy = entropy(&uniform);
            assert_abs_diff_eq!(entropy, max_entropy(sources), epsilon = 1e-6);
            assert_abs_diff_eq!(effective_sources(entropy), sources as f64, epsilon = 1e-4);
        }
    }

    #[test]
    fn sentences_without_a_choice_have_no_entropy() {
        for sources in [0, 1] {
            assert_eq!(max_entropy(sources).to_bits(), 0);
            assert_eq!(normalised_entropy(0.0, sources).to_bits(), 0);
        }
    }

    #[test]
    fn the_mean_runs_over_the_rows() {
        let matrix = attention(&[&[1.0, 0.0], &[0.5, 0.5]]);
        assert_eq!(row_entropies(&matrix).len(), 2);
        let mean = mean_entropy(&matrix).unwrap();
        assert_abs_diff_eq!(mean, std::f64::consts::LN_2 / 2.0, epsilon = 1e-12);
        assert_eq!(mean_entropy(&attention(&[])), None);
    }

    proptest! {
        #[test]
        fn entropy_lies_between_zero_and_the_maximum(weights in weights(1..30)) {
            let entropy = entropy(&weights);
            prop_assert!((0.0..=max_entropy(weights.len()) + 1e-6).contains(&entropy));
            let share = normalised_entropy(entropy, weights.len());
            prop_assert!((0.0..=1.0 + 1e-6).contains(&share));
        }

        #[test]
        fn the_order_of_sources_does_not_matter(mut weights in weights(1..30)) {
            let before = entropy(&weights);
            weights.reverse();
            prop_assert!((before - entropy(&weights)).abs() < 1e-12);
        }
    }
}
