//! Whether attention moves through the source in order.

use crate::alignment::AttentionMatrix;

use super::aer::argmax_links;

/// The share of steps from one target token to the next at which the most attended source token does not
/// go back, from 0 to 1. `None` with fewer than two rows.
pub fn monotonicity(matrix: &AttentionMatrix) -> Option<f64> {
    let peaks = matrix.row_argmax();
    let steps = peaks.len().checked_sub(1).filter(|&steps| steps > 0)?;
    let forward = peaks.windows(2).filter(|step| step[0] <= step[1]).count();
    Some(forward as f64 / steps as f64)
}

/// The number of pairs of target tokens whose most attended source tokens stand in the opposite order,
/// from 0 to `T (T − 1) / 2`.
pub fn crossings(matrix: &AttentionMatrix) -> usize {
    argmax_links(matrix.values(), matrix.rows().len()).crossings()
}

/// Agreement of the target's order with that of the most attended source tokens, `1 − 2 X / (T (T − 1) / 2)`
/// with X [`crossings`]: from 1 (in order) to −1 (reversed). `None` with fewer than two rows.
///
/// This is Kendall's τ (1938) between the two orders, except that two target tokens with the same source
/// token count as in order.
pub fn order_agreement(matrix: &AttentionMatrix) -> Option<f64> {
    let targets = matrix.rows().len();
    let pairs = targets * targets.saturating_sub(1) / 2;
    (pairs > 0).then(|| 1.0 - 2.0 * crossings(matrix) as f64 / pairs as f64)
}

/// The mean distance of attention from the diagonal, `1/T Σ_t Σ_j α_tj |(j + ½)/S − (t + ½)/T|`, from 0
/// (on the diagonal) to below 1. `None` without rows.
///
/// Places are those of the middles of the tokens, as shares of their sentence.
pub fn diagonal_distance(matrix: &AttentionMatrix) -> Option<f64> {
    let (targets, sources) = matrix.values().dim();
    let place = |index: usize, length: usize| (index as f64 + 0.5) / length as f64;
    let distance = |((t, j), &weight): ((usize, usize), &f32)| {
        f64::from(weight) * (place(j, sources) - place(t, targets)).abs()
    };
    let sum: f64 = matrix.values().indexed_iter().map(distance).sum();
    (targets > 0).then(|| sum / targets as f64)
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use proptest::prelude::*;

    use super::*;
    use crate::metrics::fixtures::{attention, hard, matrices};

    #[test]
    fn a_diagonal_is_in_order() {
        let matrix = hard(&[0, 1, 2, 3], 4);
        assert_abs_diff_eq!(monotonicity(&matrix).unwrap(), 1.0);
        assert_eq!(crossings(&matrix), 0);
        assert_abs_diff_eq!(order_agreement(&matrix).unwrap(), 1.0);
        assert_abs_diff_eq!(diagonal_distance(&matrix).unwrap(), 0.0);
    }

    #[test]
    fn a_reversal_is_not() {
        let matrix = hard(&[3, 2, 1, 0], 4);
        assert_abs_diff_eq!(monotonicity(&matrix).unwrap(), 0.0);
        assert_eq!(crossings(&matrix), 6);
        assert_abs_diff_eq!(order_agreement(&matrix).unwrap(), -1.0);
        assert_abs_diff_eq!(diagonal_distance(&matrix).unwrap(), 0.5);
    }

    #[test]
    fn an_adjective_and_its_noun_cross_once() {
        // le chat noir dort: the black cat sleeps.
        let matrix = hard(&[0, 2, 1, 3], 4);
        assert_abs_diff_eq!(monotonicity(&matrix).unwrap(), 2.0 / 3.0);
        assert_eq!(crossings(&matrix), 1);
        assert_abs_diff_eq!(order_agreement(&matrix).unwrap(), 2.0 / 3.0);
        assert_abs_diff_eq!(diagonal_distance(&matrix).unwrap(), 0.125);
    }

    #[test]
    fn staying_on_a_token_is_in_order() {
        let matrix = hard(&[1, 1, 1], 3);
        assert_abs_diff_eq!(monotonicity(&matrix).unwrap(), 1.0);
        assert_abs_diff_eq!(order_agreement(&matrix).unwrap(), 1.0);
    }

    #[test]
    fn one_row_has_no_order() {
        let matrix = hard(&[1], 3);
        assert_eq!(monotonicity(&matrix), None);
        assert_eq!(order_agreement(&matrix), None);
        assert_abs_diff_eq!(diagonal_distance(&matrix).unwrap(), 0.0);
        assert_eq!(diagonal_distance(&attention(&[])), None);
        assert_eq!(monotonicity(&attention(&[])), None);
    }

    proptest! {
        #[test]
        fn measures_stay_in_range(matrix in matrices()) {
            let targets = matrix.rows().len();
            prop_assert!(crossings(&matrix) <= targets * (targets - 1) / 2);
            prop_assert!((0.0..1.0).contains(&diagonal_distance(&matrix).unwrap()));
            prop_assert_eq!(monotonicity(&matrix).is_some(), targets > 1);
            if let (Some(steps), Some(order)) = (monotonicity(&matrix), order_agreement(&matrix)) {
                prop_assert!((0.0..=1.0).contains(&steps) && (-1.0..=1.0).contains(&order));
                // All steps forward and no crossing are the same fact.
                prop_assert_eq!(steps > 1.0 - 1e-9, crossings(&matrix) == 0);
            }
        }

        #[test]
        fn reversing_a_permutation_negates_its_order(peaks in Just([0, 1, 2, 3, 4]).prop_shuffle()) {
            let mut reversed = peaks;
            reversed.reverse();
            let sum = order_agreement(&hard(&peaks, 5)).unwrap()
                + order_agreement(&hard(&reversed, 5)).unwrap();
            prop_assert!(sum.abs() < 1e-12);
        }
    }
}
