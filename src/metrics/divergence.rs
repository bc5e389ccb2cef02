//! How far two distributions, or two rankings, are from each other.

use std::cmp::Ordering;
use std::f64::consts::LN_2;

use crate::alignment::AttentionMatrix;

/// The terms of two distributions side by side.
///
/// # Panics
/// When their lengths differ.
fn side_by_side<'a>(
    p: impl IntoIterator<Item = &'a f32, IntoIter: ExactSizeIterator>,
    q: impl IntoIterator<Item = &'a f32, IntoIter: ExactSizeIterator>,
) -> impl Iterator<Item = (f64, f64)> {
    let (p, q) = (p.into_iter(), q.into_iter());
    assert_eq!(p.len(), q.len(), "distributions over different sources");
    p.zip(q).map(|(&p, &q)| (f64::from(p), f64::from(q)))
}

/// `p ln(p / q)` with `0 · ln(0 / q) = 0`. Through `ln_1p`, so that close values do not cancel.
fn log_ratio_term(p: f64, q: f64) -> f64 {
    if p == 0.0 && !q.is_nan() {
        0.0
    } else {
        p * ((p - q) / q).ln_1p()
    }
}

/// Kullback–Leibler divergence `KL(p ‖ q) = Σ_j p_j ln(p_j / q_j)` of distributions `[S]` in nats
/// (Kullback and Leibler 1951).
///
/// Where `p_j = 0` the term is 0; where only `q_j = 0` the divergence is infinite. NaN stays NaN.
///
/// # Panics
/// When the lengths differ.
pub fn kl_divergence<'a>(
    p: impl IntoIterator<Item = &'a f32, IntoIter: ExactSizeIterator>,
    q: impl IntoIterator<Item = &'a f32, IntoIter: ExactSizeIterator>,
) -> f64 {
    side_by_side(p, q).fold(0.0, |sum, (p, q)| sum + log_ratio_term(p, q))
}

/// Jensen–Shannon divergence `½ KL(p ‖ m) + ½ KL(q ‖ m)`, `m = ½ (p + q)`, of distributions `[S]` in nats
/// (Lin 1991): symmetric, 0 only for equal ones, at most `ln 2` (nothing in common). NaN stays NaN.
///
/// # Panics
/// When the lengths differ.
pub fn js_divergence<'a>(
    p: impl IntoIterator<Item = &'a f32, IntoIter: ExactSizeIterator>,
    q: impl IntoIterator<Item = &'a f32, IntoIter: ExactSizeIterator>,
) -> f64 {
    let divergence = side_by_side(p, q).fold(0.0, |sum, (p, q)| {
        let middle = f64::midpoint(p, q);
        sum + f64::midpoint(log_ratio_term(p, middle), log_ratio_term(q, middle))
    });
    // Weights that sum to a little more than 1 must not leave the range.
    divergence.clamp(0.0, LN_2)
}

/// Total variation distance `½ Σ_j |p_j − q_j|` of distributions `[S]`, from 0 to 1: the weight that would
/// have to move. NaN stays NaN.
///
/// # Panics
/// When the lengths differ.
pub fn total_variation<'a>(
    p: impl IntoIterator<Item = &'a f32, IntoIter: ExactSizeIterator>,
    q: impl IntoIterator<Item = &'a f32, IntoIter: ExactSizeIterator>,
) -> f64 {
    side_by_side(p, q).fold(0.0, |sum, (p, q)| sum + (p - q).abs() / 2.0)
}

/// The share of rows in which two matrices `[T, S]` attend most to the same source token, from 0 to 1.
/// `None` without rows.
///
/// # Panics
/// When the shapes differ.
pub fn top1_agreement(first: &AttentionMatrix, second: &AttentionMatrix) -> Option<f64> {
    let shapes = (first.values().dim(), second.values().dim());
    assert_eq!(shapes.0, shapes.1, "matrices over different sentences");
    let peaks = first.row_argmax().into_iter().zip(second.row_argmax());
    let same = peaks.filter(|(first, second)| first == second).count();
    let rows = first.rows().len();
    (rows > 0).then(|| same as f64 / rows as f64)
}

/// Kendall's rank correlation τ-b of paired values, from −1 (opposite order) to 1 (same order), corrected
/// for ties: `(C − D) / √((C + D + X)(C + D + Y))` with C concordant and D discordant pairs, X and Y
/// pairs tied only in the first and only in the second (Kendall 1945).
///
/// `None` when one side is all ties (also for fewer than two values) or has a NaN. Takes quadratic time.
///
/// # Panics
/// When the lengths differ.
pub fn kendall_tau_b<A: PartialOrd, B: PartialOrd>(first: &[A], second: &[B]) -> Option<f64> {
    assert_eq!(first.len(), second.len(), "rankings of different lengths");
    let (mut agreement, mut first_untied, mut second_untied) = (0_i64, 0_u64, 0_u64);
    for i in 0..first.len() {
        // A value that does not even equal itself is NaN, and has no rank.
        first[i].partial_cmp(&first[i])?;
        second[i].partial_cmp(&second[i])?;
        for j in 0..i {
            let a = first[i].partial_cmp(&first[j])? as i64;
            let b = second[i].partial_cmp(&second[j])? as i64;
            agreement += a * b;
            first_untied += u64::from(a != Ordering::Equal as i64);
            second_untied += u64::from(b != Ordering::Equal as i64);
        }
    }
    // C + D + X are the pairs that the second does not tie, and the other way round.
    let scale = (first_untied as f64).sqrt() * (second_untied as f64).sqrt();
    (scale > 0.0).then(|| (agreement as f64 / scale).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use ndarray::array;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::metrics::fixtures::{attention, hard, weight_pairs, weights};

    #[test]
    fn divergences_by_hand() {
        let (p, q) = ([0.5_f32, 0.5, 0.0], [0.25_f32, 0.25, 0.5]);
        assert_abs_diff_eq!(kl_divergence(&p, &q), LN_2, epsilon = 1e-12);
        assert!(kl_divergence(&q, &p).is_infinite());
        // ½ ln(4/3) + ½ (½ ln(2/3) + ½ ln 2)
        let js = 0.5 * (4.0_f64 / 3.0).ln() + 0.25 * ((2.0_f64 / 3.0).ln() + LN_2);
        assert_abs_diff_eq!(js_divergence(&p, &q), js, epsilon = 1e-12);
        assert_abs_diff_eq!(total_variation(&p, &q), 0.5, epsilon = 1e-12);
    }

    #[test]
    fn nothing_in_common_is_the_largest_distance() {
        let (p, q) = (array![1.0_f32, 0.0], array![0.0_f32, 1.0]);
        assert_abs_diff_eq!(js_divergence(&p, &q), LN_2, epsilon = 1e-12);
        assert_abs_diff_eq!(total_variation(p.view(), q.view()), 1.0);
        assert!(kl_divergence(&p, &q).is_infinite());
    }

    #[test]
    fn nan_stays_nan() {
        for (p, q) in [([f32::NAN, 1.0], [0.0, 1.0]), ([0.0, 1.0], [f32::NAN, 1.0])] {
            assert!(kl_divergence(&p, &q).is_nan());
            assert!(js_divergence(&p, &q).is_nan());
            assert!(total_variation(&p, &q).is_nan());
        }
    }

    #[test]
    #[should_panic(expected = "different sources")]
    fn distributions_over_different_sources_are_a_mistake() {
        js_divergence(&[1.0], &[0.5, 0.5]);
    }

    #[test]
    fn rows_agree_on_their_peak() {
        let (first, second) = (hard(&[0, 1, 2, 0], 3), hard(&[0, 2, 2, 1], 3));
        assert_abs_diff_eq!(top1_agreement(&first, &second).unwrap(), 0.5);
        assert_eq!(top1_agreement(&attention(&[]), &attention(&[])), None);
    }

    #[test]
    fn ranks_with_ties() {
        // C = 3, D = 1, one pair tied in each: 2 / √(5 · 5).
        let tau = kendall_tau_b(&[1, 2, 2, 3], &[1.0, 3.0, 2.0, 2.0]).unwrap();
        assert_abs_diff_eq!(tau, 0.4, epsilon = 1e-12);
    }

    #[test]
    fn without_an_order_there_is_no_correlation() {
        assert_eq!(kendall_tau_b::<f32, f32>(&[], &[]), None);
        assert_eq!(kendall_tau_b(&[1.0], &[2.0]), None);
        assert_eq!(kendall_tau_b(&[1, 1, 1], &[1, 2, 3]), None);
        assert_eq!(kendall_tau_b(&[1.0, f64::NAN, 2.0], &[1, 2, 3]), None);
        assert_eq!(kendall_tau_b(&[f64::NAN], &[1]), None);
    }

    /// τ-b as it is defined: pairs of four kinds, counted one by one.
    fn tau_b_by_definition(first: &[i32], second: &[i32]) -> Option<f64> {
        let [
            mut concordant,
            mut discordant,
            mut only_first,
            mut only_second,
        ] = [0.0_f64; 4];
        for i in 0..first.len() {
            for j in i + 1..first.len() {
                let (a, b) = (first[i] - first[j], second[i] - second[j]);
                if a != 0 && b != 0 {
                    if (a > 0) == (b > 0) {
                        concordant += 1.0;
                    } else {
                        discordant += 1.0;
                    }
                } else if a == 0 && b != 0 {
                    only_first += 1.0;
                } else if b == 0 && a != 0 {
                    only_second += 1.0;
                }
            }
        }
        let untied = concordant + discordant;
        let scale = ((untied + only_first) * (untied + only_second)).sqrt();
        (scale > 0.0).then(|| (concordant - discordant) / scale)
    }

    proptest! {
        #[test]
        fn rank_correlation_is_its_definition(pairs in vec((-4i32..4, -4i32..4), 0..25)) {
            let (first, second): (Vec<i32>, Vec<i32>) = pairs.into_iter().unzip();
            let floats: Vec<f32> = second.iter().map(|value| *value as f32 / 3.0).collect();
            let expected = tau_b_by_definition(&first, &second);
            match (kendall_tau_b(&first, &second), expected) {
                (Some(found), Some(expected)) => prop_assert!((found - expected).abs() < 1e-12),
                (found, expected) => prop_assert_eq!(found, expected),
            }
            prop_assert_eq!(kendall_tau_b(&first, &floats), kendall_tau_b(&first, &second));
        }

        #[test]
        fn divergences_keep_to_their_ranges((p, q) in weight_pairs()) {
            let (js, variation) = (js_divergence(&p, &q), total_variation(&p, &q));
            prop_assert!((0.0..=LN_2).contains(&js));
            prop_assert!((0.0..=1.0 + 1e-6).contains(&variation));
            prop_assert!(kl_divergence(&p, &q) >= -1e-6);
            // Lin 1991; and Pinsker's inequality for the mixture.
            prop_assert!(js <= LN_2 * variation + 1e-6);
            prop_assert!(js + 1e-6 >= variation.powi(2) / 2.0);
        }

        #[test]
        fn distances_are_symmetric((p, q) in weight_pairs()) {
            prop_assert!((js_divergence(&p, &q) - js_divergence(&q, &p)).abs() < 1e-12);
            prop_assert!((total_variation(&p, &q) - total_variation(&q, &p)).abs() < 1e-12);
        }

        #[test]
        fn only_equal_distributions_have_no_distance((p, q) in weight_pairs()) {
            prop_assert_eq!(js_divergence(&p, &q) > 0.0, p != q);
            prop_assert_eq!(total_variation(&p, &q) > 0.0, p != q);
        }

        #[test]
        fn a_distribution_is_at_no_distance_from_itself(p in weights(1..20)) {
            for distance in [kl_divergence(&p, &p), js_divergence(&p, &p), total_variation(&p, &p)] {
                prop_assert_eq!(distance.to_bits(), 0);
            }
        }

        #[test]
        fn the_order_of_sources_does_not_matter((mut p, mut q) in weight_pairs()) {
            let before = js_divergence(&p, &q);
            p.reverse();
            q.reverse();
            prop_assert!((before - js_divergence(&p, &q)).abs() < 1e-12);
        }

        #[test]
        fn rankings_correlate_with_themselves(values in vec(-5i32..5, 2..20)) {
            let opposite: Vec<i32> = values.iter().map(|value| -value).collect();
            if let Some(tau) = kendall_tau_b(&values, &values) {
                prop_assert!((tau - 1.0).abs() < 1e-12);
                prop_assert!((kendall_tau_b(&values, &opposite).unwrap() + 1.0).abs() < 1e-12);
            } else {
                prop_assert!(values.iter().all(|value| *value == values[0]));
            }
        }

        #[test]
        fn correlation_is_symmetric_and_ignores_the_order_of_the_pairs(
            pairs in vec((-5i32..5, -5i32..5), 0..20),
        ) {
            let (first, second): (Vec<i32>, Vec<i32>) = pairs.iter().copied().unzip();
            let tau = kendall_tau_b(&first, &second);
            prop_assert_eq!(tau, kendall_tau_b(&second, &first));
            let (first, second): (Vec<i32>, Vec<i32>) = pairs.iter().rev().copied().unzip();
            prop_assert_eq!(tau, kendall_tau_b(&first, &second));
        }
    }
}
