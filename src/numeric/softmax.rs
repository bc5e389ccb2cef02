//! Softmax with the maximum subtracted, its masked form, its backward pass, and log-softmax.

use super::activation::exp_in_place;
use super::kernel::wide;

/// Every position of a softmax was masked, so that no weight can be positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("nothing is left to attend to: all {positions} source positions are masked")]
pub struct EmptySupport {
    /// How many positions there were.
    pub positions: usize,
}

/// Turns scores into weights in place: `α_j = exp(e_j - max e) / Σ exp(e_i - max e)`.
///
/// A score that is not a number makes the whole row not-a-number: it is shown, not repaired.
pub fn softmax(scores: &mut [f32]) {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for s in scores.iter_mut() {
        *s -= max;
    }
    exp_in_place(scores);
    let sum: f32 = scores.iter().sum();
    for s in scores.iter_mut() {
        *s /= sum;
    }
}

/// As [`softmax`] over the positions with `mask[j] == true`; the others get exactly 0.
///
/// # Errors
/// [`EmptySupport`] if the mask leaves nothing.
///
/// # Panics
/// If the lengths differ.
pub fn softmax_masked(scores: &mut [f32], mask: &[bool]) -> Result<(), EmptySupport> {
    assert_eq!(scores.len(), mask.len(), "mask of another length");
    let mut open: Vec<f32> = scores
        .iter()
        .zip(mask)
        .filter(|(_, m)| **m)
        .map(|(s, _)| *s)
        .collect();
    if open.is_empty() {
        return Err(EmptySupport {
            positions: mask.len(),
        });
    }
    softmax(&mut open);
    let mut next = open.into_iter();
    for (s, &m) in scores.iter_mut().zip(mask) {
        *s = if m { next.next().unwrap_or(0.0) } else { 0.0 };
    }
    Ok(())
}

/// The gradient of the scores: `de_j = α_j (dα_j - Σ_i α_i dα_i)`, into `d_scores`.
///
/// The difference is one of nearly equal numbers where the weights are sharp, so that it is taken in double
/// precision.
///
/// # Panics
/// If the lengths differ.
pub fn softmax_backward(weights: &[f32], d_weights: &[f64], d_scores: &mut [f32]) {
    assert!(
        weights.len() == d_weights.len() && weights.len() == d_scores.len(),
        "gradients of another length"
    );
    let terms = weights.iter().zip(d_weights);
    let mean: f64 = terms.map(|(w, d)| f64::from(*w) * d).sum();
    for ((out, &w), d) in d_scores.iter_mut().zip(weights).zip(d_weights) {
        *out = (f64::from(w) * (d - mean)) as f32;
    }
}

/// Log-probabilities in nats of a row of logits: `x_v - max - ln Σ exp(x_u - max)`, in place.
pub fn log_softmax(logits: &mut [f32]) {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut e: Vec<f32> = logits.iter().map(|x| x - max).collect();
    exp_in_place(&mut e);
    let offset = max + e.iter().sum::<f32>().ln();
    wide(|| {
        for x in logits.iter_mut() {
            *x -= offset;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The worked example of the design: three scores and their weights.
    #[test]
    fn worked_example() {
        let mut s = [0.3, 2.1, 0.5];
        softmax(&mut s);
        for (got, want) in s.iter().zip([0.1209, 0.7314, 0.1477]) {
            assert!((got - want).abs() < 5e-5, "{got} {want}");
        }
    }

    #[test]
    fn equal_scores_are_exactly_uniform() {
        for n in 1..200 {
            let mut s = vec![3.7; n];
            softmax(&mut s);
            assert!(s.iter().all(|&w| w == s[0]));
            let entropy: f64 = s.iter().map(|&w| -f64::from(w) * f64::from(w).ln()).sum();
            assert!((entropy - (n as f64).ln()).abs() < 1e-6);
        }
    }

    #[test]
    fn nothing_open_is_an_error_and_not_a_number_shows() {
        assert_eq!(
            softmax_masked(&mut [1.0, 2.0], &[false, false]),
            Err(EmptySupport { positions: 2 })
        );
        let mut s = [1.0, f32::NAN];
        softmax(&mut s);
        assert!(s.iter().all(|w| w.is_nan()));
    }

    proptest! {
        #[test]
        fn rows_sum_to_one_and_ignore_shifts(s in prop::collection::vec(-50_f32..50.0, 1..40), shift in -20_f32..20.0) {
            let (mut a, mut b) = (s.clone(), s.iter().map(|x| x + shift).collect::<Vec<_>>());
            softmax(&mut a);
            softmax(&mut b);
            prop_assert!((a.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            for (x, y) in a.iter().zip(&b) { prop_assert!((x - y).abs() < 1e-4); }
        }

        #[test]
        fn a_mask_equals_leaving_the_position_out(s in prop::collection::vec(-9_f32..9.0, 2..20), hole in 0_usize..20) {
            let hole = hole % s.len();
            let mut mask = vec![true; s.len()];
            mask[hole] = false;
            let (mut masked, mut short) = (s.clone(), s.clone());
            softmax_masked(&mut masked, &mask).unwrap();
            short.remove(hole);
            softmax(&mut short);
            prop_assert_eq!(masked.remove(hole), 0.0);
            prop_assert_eq!(masked, short);
        }

        #[test]
        fn log_softmax_is_the_logarithm(s in prop::collection::vec(-9_f32..9.0, 1..50)) {
            let (mut p, mut l) = (s.clone(), s);
            softmax(&mut p);
            log_softmax(&mut l);
            for (p, l) in p.iter().zip(&l) { prop_assert!((p.ln() - l).abs() < 1e-4); }
        }
    }
}
