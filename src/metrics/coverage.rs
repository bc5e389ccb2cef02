//! What the target has taken from each source token: coverage, fertility, and what was left out.
//!
//! Every row counts, that of `</s>` too, where there is one.

use ndarray::Axis;

use crate::alignment::AttentionMatrix;

/// A source token with less coverage than this is left out by usual measure: less than half the attention
/// of one target token.
pub const UNCOVERED_BELOW: f64 = 0.5;

/// Coverage of each source token, `c_j = Σ_t α_tj`, `[S]` (Tu et al. 2016). 1 means that it had the
/// attention of one target token in total.
pub fn coverage(matrix: &AttentionMatrix) -> Vec<f64> {
    let column = |column: ndarray::ArrayView1<'_, f32>| column.iter().copied().map(f64::from).sum();
    let sums = matrix.values().axis_iter(Axis(1)).map(column);
    // An empty sum is −0 in Rust; nobody wants to see that.
    sums.map(|sum: f64| sum + 0.0).collect()
}

/// Fertility of each source token, `[S]`: the number of target tokens that attend to it most (of equal
/// weights the first counts). After the fertility of Brown et al. 1993. The sum is `T`.
pub fn fertility(matrix: &AttentionMatrix) -> Vec<usize> {
    let mut fertility = vec![0; matrix.columns().len()];
    for peak in matrix.row_argmax() {
        // Rows without columns have no peak to speak of.
        if let Some(count) = fertility.get_mut(peak) {
            *count += 1;
        }
    }
    fertility
}

/// The source tokens with a coverage below `threshold`, in order; [`UNCOVERED_BELOW`] is a usual one.
pub fn uncovered(matrix: &AttentionMatrix, threshold: f64) -> Vec<usize> {
    let coverage = coverage(matrix).into_iter().enumerate();
    coverage
        .filter(|&(_, covered)| covered < threshold)
        .map(|(source, _)| source)
        .collect()
}

/// How far coverage is from 1 on average, `1/S Σ_j ln(1 + (1 − c_j)²)`: 0 when each source token is
/// covered once, more for what is left out and for what is said again. `None` without source tokens.
///
/// The coverage deviation penalty of Rikters, Fishel and Bojar (2017) without its minus sign.
pub fn coverage_deviation(matrix: &AttentionMatrix) -> Option<f64> {
    let coverage = coverage(matrix);
    let deviation = |covered: &f64| (1.0 - covered).powi(2).ln_1p();
    let sum: f64 = coverage.iter().map(deviation).sum();
    (!coverage.is_empty()).then(|| sum / coverage.len() as f64)
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use proptest::prelude::*;

    use super::*;
    use crate::metrics::fixtures::{attention, hard, matrices};

    #[test]
    fn columns_are_summed() {
        let matrix = attention(&[&[0.75, 0.25, 0.0], &[0.5, 0.5, 0.0]]);
        let covered = coverage(&matrix);
        assert_abs_diff_eq!(covered.as_slice(), [1.25, 0.75, 0.0].as_slice());
        assert_eq!(fertility(&matrix), [2, 0, 0]);
        assert_eq!(uncovered(&matrix, UNCOVERED_BELOW), [2]);
        assert_eq!(uncovered(&matrix, 1.0), [1, 2]);
    }

    #[test]
    fn covering_everything_once_is_no_deviation() {
        let once = coverage_deviation(&hard(&[2, 0, 1], 3)).unwrap();
        assert_abs_diff_eq!(once, 0.0);
        // One source token twice, another not at all.
        let deviation = coverage_deviation(&hard(&[0, 0], 2)).unwrap();
        assert_abs_diff_eq!(deviation, std::f64::consts::LN_2);
    }

    #[test]
    fn empty_matrices_have_no_deviation() {
        assert_eq!(coverage_deviation(&attention(&[])), None);
        assert!(fertility(&attention(&[])).is_empty());
    }

    proptest! {
        #[test]
        fn everything_attended_is_covered_somewhere(matrix in matrices()) {
            let targets = matrix.rows().len();
            let total: f64 = coverage(&matrix).iter().sum();
            prop_assert!((total - targets as f64).abs() < 1e-4);
            prop_assert_eq!(fertility(&matrix).iter().sum::<usize>(), targets);
            prop_assert!(coverage_deviation(&matrix).unwrap() >= 0.0);
        }
    }
}
