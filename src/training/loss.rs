//! Cross-entropy with label smoothing, and its gradient.
//!
//! ```text
//! L = 1/N Σ_{i: y_i ≠ pad} [ (1 − ε)(−ln p_{y_i}) + ε/V Σ_v (−ln p_v) ]     Szegedy et al. 2016
//! dx_v = (p_v − (1 − ε)[v = y] − ε/V) / N
//! ```

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::numeric::{argmax, exp_in_place, sum, wide};
use crate::text::PAD;

/// Sums over the target tokens that are not padding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LossSums {
    /// Sum of the (smoothed) losses in nats; divide by `tokens`.
    pub loss: f64,
    /// Sum of `−ln p` of the right token in nats, without smoothing.
    pub negative_log_likelihood: f64,
    /// How many tokens.
    pub tokens: usize,
    /// How many of them had the highest logit.
    pub correct: usize,
}

impl LossSums {
    /// Mean loss a token, in nats; not-a-number with no tokens.
    pub fn mean(&self) -> f64 {
        self.loss / self.tokens as f64
    }

    /// Share of tokens predicted right.
    pub fn accuracy(&self) -> f64 {
        self.correct as f64 / self.tokens as f64
    }

    /// `exp` of the mean negative log-likelihood.
    pub fn perplexity(&self) -> f64 {
        (self.negative_log_likelihood / self.tokens as f64).exp()
    }
}

impl std::ops::AddAssign for LossSums {
    fn add_assign(&mut self, other: Self) {
        self.loss += other.loss;
        self.negative_log_likelihood += other.negative_log_likelihood;
        self.tokens += other.tokens;
        self.correct += other.correct;
    }
}

/// The loss of `logits` `[N, V]` against `targets` `[N]`, replacing the logits by their gradient.
///
/// `tokens` is the number `N` of the formula: the tokens of the whole batch, of which this may be a shard.
/// `smoothing` is `ε`.
///
/// # Panics
/// If there are not as many targets as rows, or one is outside the vocabulary.
pub fn cross_entropy(
    logits: &mut Array2<f32>,
    targets: &[u32],
    tokens: usize,
    smoothing: f32,
) -> LossSums {
    assert_eq!(
        logits.nrows(),
        targets.len(),
        "a target for each row of logits"
    );
    let size = logits.ncols();
    let scale = 1.0 / tokens as f32;
    let off = smoothing / size as f32;
    let mut sums = LossSums::default();
    for (row, &target) in logits
        .as_slice_mut()
        .expect("contiguous")
        .chunks_exact_mut(size)
        .zip(targets)
    {
        if target == PAD {
            row.fill(0.0);
            continue;
        }
        let target = target as usize;
        let (best, max) = argmax(row);
        let right = row[target];
        let total = if smoothing > 0.0 {
            row.iter().map(|&x| f64::from(x)).sum()
        } else {
            0.0
        };
        wide(|| row.iter_mut().for_each(|x| *x -= max));
        exp_in_place(row);
        let normaliser = sum(row);
        let log_sum = f64::from(max) + f64::from(normaliser).ln();
        let nll = log_sum - f64::from(right);
        let mean_nll = if smoothing > 0.0 {
            log_sum - total / size as f64
        } else {
            0.0
        };
        sums.negative_log_likelihood += nll;
        sums.loss += (1.0 - f64::from(smoothing)) * nll + f64::from(smoothing) * mean_nll;
        sums.tokens += 1;
        sums.correct += usize::from(best == target);
        let factor = scale / normaliser;
        wide(|| row.iter_mut().for_each(|p| *p = *p * factor - off * scale));
        row[target] -= (1.0 - smoothing) * scale;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn gradient_is_the_slope_of_the_loss() {
        let base = array![
            [0.3_f32, -1.0, 2.0, 0.5],
            [1.0, 1.0, -2.0, 0.1],
            [9.0, 9.0, 9.0, 9.0]
        ];
        let targets = [2, 3, PAD];
        for smoothing in [0.0, 0.1] {
            let loss =
                |x: &Array2<f32>| cross_entropy(&mut x.clone(), &targets, 2, smoothing).mean();
            let mut d = base.clone();
            let sums = cross_entropy(&mut d, &targets, 2, smoothing);
            assert_eq!((sums.tokens, sums.correct), (2, 1));
            for i in 0..3 {
                for j in 0..4 {
                    let (mut up, mut down) = (base.clone(), base.clone());
                    up[[i, j]] += 1e-2;
                    down[[i, j]] -= 1e-2;
                    let slope = (loss(&up) - loss(&down)) / 2e-2;
                    assert!(
                        (slope - f64::from(d[[i, j]])).abs() < 1e-4,
                        "{slope} {}",
                        d[[i, j]]
                    );
                }
            }
        }
    }
}
