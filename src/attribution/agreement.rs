//! Whether attention and an attribution say the same of the source words.
//!
//! Both are compared as magnitudes: attention has no signs, and a word that makes an output less probable
//! matters to it too. For the divergence the magnitudes are divided by their sum, `|a_j| / Σ_i |a_i|`.

use ndarray::Array2;
use serde::Serialize;

use crate::metrics::{js_divergence, kendall_tau_b};

/// How one row of weights agrees with one row of values. Of a row with a number that is not finite, nothing is
/// said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct RowAgreement {
    /// Kendall's τ-b of the weights and the magnitudes (Kendall 1945), from −1 to 1; `None` where one side is
    /// all ties, as with a single source word.
    pub kendall: Option<f64>,
    /// Whether the largest weight and the largest magnitude are at the same word, the first of equal ones.
    pub top1: Option<bool>,
    /// Jensen–Shannon divergence (Lin 1991) of the weights and the magnitudes divided by their sum, in nats from
    /// 0 to ln 2; `None` where all values are 0.
    pub divergence: Option<f64>,
}

/// Compares weights `[S]` with values `[S]`.
///
/// # Panics
/// When the lengths differ.
pub fn row_agreement(weights: &[f32], values: &[f32]) -> RowAgreement {
    let magnitudes: Vec<f32> = values.iter().map(|value| value.abs()).collect();
    let all_finite = weights
        .iter()
        .chain(values)
        .all(|number| number.is_finite());
    if !all_finite || weights.is_empty() {
        return RowAgreement::default();
    }
    let sum: f64 = magnitudes.iter().map(|value| f64::from(*value)).sum();
    let shares: Vec<f32> = magnitudes
        .iter()
        .map(|value| (f64::from(*value) / sum) as f32)
        .collect();
    RowAgreement {
        kendall: kendall_tau_b(weights, &magnitudes),
        top1: (sum > 0.0).then(|| first_largest(weights) == first_largest(&magnitudes)),
        divergence: (sum > 0.0).then(|| js_divergence(weights, &shares)),
    }
}

fn first_largest(row: &[f32]) -> usize {
    let better = |best: usize, j: usize| if row[j] > row[best] { j } else { best };
    (0..row.len()).fold(0, better)
}

/// Sums over rows, of one sentence or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AgreementSums {
    kendall: (f64, usize),
    top1: (usize, usize),
    divergence: (f64, usize),
    rows: usize,
}

/// Means over rows; `None` where no row has the number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// Rows that were compared: output words of sentences of at least two source words.
    pub rows: usize,
    /// Mean τ-b.
    pub kendall: Option<f64>,
    /// Share of rows with the same largest word.
    pub top1: Option<f64>,
    /// Mean divergence, in nats.
    pub divergence: Option<f64>,
}

impl AgreementSums {
    /// Adds the rows of a sentence, `[T, S]` both. A single source word has no rivals: such sentences are left
    /// out.
    ///
    /// # Panics
    /// When the shapes differ.
    pub fn add(&mut self, weights: &Array2<f32>, values: &Array2<f32>) {
        assert_eq!(
            weights.dim(),
            values.dim(),
            "matrices over different sentences"
        );
        if weights.ncols() < 2 {
            return;
        }
        for (weights, values) in weights.rows().into_iter().zip(values.rows()) {
            self.add_row(row_agreement(&weights.to_vec(), &values.to_vec()));
        }
    }

    /// Adds one row.
    pub fn add_row(&mut self, row: RowAgreement) {
        self.rows += 1;
        if let Some(tau) = row.kendall {
            self.kendall = (self.kendall.0 + tau, self.kendall.1 + 1);
        }
        if let Some(same) = row.top1 {
            self.top1 = (self.top1.0 + usize::from(same), self.top1.1 + 1);
        }
        if let Some(divergence) = row.divergence {
            self.divergence = (self.divergence.0 + divergence, self.divergence.1 + 1);
        }
    }

    /// The means.
    pub fn mean(&self) -> Agreement {
        let mean = |sum: f64, count: usize| (count > 0).then(|| sum / count as f64);
        Agreement {
            rows: self.rows,
            kendall: mean(self.kendall.0, self.kendall.1),
            top1: mean(self.top1.0 as f64, self.top1.1),
            divergence: mean(self.divergence.0, self.divergence.1),
        }
    }
}

impl Agreement {
    /// What these numbers show and what they do not, with the papers.
    pub const NOTE: &'static str = "Shows whether attention orders the source words as the attribution does; low agreement does not \
         show that attention is wrong, since attributions disagree among themselves too, and high agreement does \
         not show a cause (Jain and Wallace, Attention is not Explanation, NAACL 2019; Wiegreffe and Pinter, \
         Attention is not not Explanation, EMNLP 2019).";
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn a_row_by_hand() {
        // Magnitudes 0.2, 0.6, 0.2 of signed values; 2 concordant pairs, one tied in the second: 2 / √(3 · 2).
        let row = row_agreement(&[0.1, 0.7, 0.2], &[-0.1, 0.3, 0.1]);
        assert!((row.kendall.unwrap() - 2.0 / 6.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(row.top1, Some(true));
        let by_hand = js_divergence(&[0.1_f32, 0.7, 0.2], &[0.2_f32, 0.6, 0.2]);
        assert!((row.divergence.unwrap() - by_hand).abs() < 1e-7);
        let row = row_agreement(&[0.1, 0.7, 0.2], &[-0.5, 0.3, 0.1]);
        assert_eq!(row.top1, Some(false));
    }

    #[test]
    fn nothing_is_said_without_numbers() {
        let nothing = RowAgreement::default();
        assert_eq!(row_agreement(&[0.5, 0.5], &[f32::NAN, 1.0]), nothing);
        assert_eq!(row_agreement(&[f32::NAN, 0.5], &[0.0, 1.0]), nothing);
        assert_eq!(row_agreement(&[0.5, 0.5], &[f32::INFINITY, 1.0]), nothing);
        assert_eq!(row_agreement(&[], &[]), nothing);
        // All values 0: an attribution that says nothing.
        assert_eq!(row_agreement(&[0.9, 0.1], &[0.0, 0.0]), nothing);
        assert_eq!(row_agreement(&[0.5, 0.5], &[0.2, 0.1]).kendall, None);
    }

    #[test]
    fn means_count_what_there_is() {
        let mut sums = AgreementSums::default();
        assert_eq!(sums.mean().kendall, None);
        sums.add(&array![[1.0], [1.0]], &array![[0.3], [0.1]]);
        assert_eq!(sums.mean().rows, 0);
        sums.add(
            &array![[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]],
            &array![[0.5, 0.1], [0.7, 0.1], [0.2, 0.3]],
        );
        let mean = sums.mean();
        assert_eq!((mean.rows, mean.kendall), (3, Some(0.0)));
        assert!((mean.top1.unwrap() - 1.0 / 3.0).abs() < 1e-12);
    }
}
