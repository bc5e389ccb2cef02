//! Why dot products are divided by `√d`: what the size of queries and keys does to a softmax over their products.
//!
//! For independent components of mean 0 and variance 1, `q · k` has mean 0 and variance `d` (Vaswani et al. 2017,
//! footnote 4). Large scores make a sharp softmax, and a sharp softmax passes no gradient:
//!
//! ```text
//! J = ∂α / ∂e = diag(α) − α αᵀ      ‖J‖² = Σ_j α_j² − 2 Σ_j α_j³ + (Σ_j α_j²)²      (Frobenius)
//! ```

use serde::Serialize;

use crate::metrics::entropy;
use crate::numeric::{dot, fill_normal, softmax, stream};

/// The sizes that are measured.
pub const SCALING_SIZES: [usize; 11] = [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
/// Keys that each query is compared with.
const KEYS: usize = 32;
/// Queries, each with keys of its own.
const QUERIES: usize = 128;
/// Names the random streams.
const SCALING: u64 = 0x5ca1e;

/// What one kind of score comes to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ScoreSpread {
    /// Variance of the scores about 0.
    pub variance: f64,
    /// Mean entropy of the softmax over the keys, in nats.
    pub entropy: f64,
    /// Mean Frobenius norm of the softmax's Jacobian.
    pub gradient: f64,
}

/// What a size of queries and keys does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ScalingRow {
    /// Size `d` of queries and keys.
    pub size: usize,
    /// Of `q · k`.
    pub dot: ScoreSpread,
    /// Of `q · k / √d`.
    pub scaled_dot: ScoreSpread,
}

/// What the table shows and what it does not, with the paper.
pub const fn scaling_note() -> &'static str {
    "Shows that dot products of random vectors grow with their size until the softmax is one-hot and passes no \
     gradient, and that dividing by √d undoes it (Vaswani et al., Attention Is All You Need, NIPS 2017); does not \
     show that a trained model suffers from it, since training can make queries and keys smaller."
}

/// Measures `sizes` with 128 normal queries of 32 normal keys each; the same seed gives the same numbers.
pub fn scaling(sizes: &[usize], seed: u64) -> Vec<ScalingRow> {
    sizes.iter().map(|size| row(*size, seed)).collect()
}

fn row(size: usize, seed: u64) -> ScalingRow {
    let scale = (size as f32).sqrt();
    let mut spreads = [ScoreSpread {
        variance: 0.0,
        entropy: 0.0,
        gradient: 0.0,
    }; 2];
    let mut rng = stream(&[seed, SCALING, size as u64]);
    let (mut query, mut keys) = (vec![0.0; size], vec![0.0; size * KEYS]);
    for _ in 0..QUERIES {
        fill_normal(&mut query, 1.0, &mut rng);
        fill_normal(&mut keys, 1.0, &mut rng);
        let scores: Vec<f32> = keys
            .chunks(size.max(1))
            .map(|key| dot(&query, key))
            .collect();
        let scaled: Vec<f32> = scores.iter().map(|score| score / scale).collect();
        for (spread, mut row) in spreads.iter_mut().zip([scores, scaled]) {
            let squares: f64 = row.iter().map(|e| f64::from(*e).powi(2)).sum();
            spread.variance += squares / (KEYS * QUERIES) as f64;
            softmax(&mut row);
            spread.entropy += entropy(row.iter()) / QUERIES as f64;
            spread.gradient += jacobian_norm(&row) / QUERIES as f64;
        }
    }
    let [dot, scaled_dot] = spreads;
    ScalingRow {
        size,
        dot,
        scaled_dot,
    }
}

/// `‖diag(α) − α αᵀ‖` of a row of weights.
fn jacobian_norm(weights: &[f32]) -> f64 {
    let power = |n: i32| weights.iter().map(|w| f64::from(*w).powi(n)).sum::<f64>();
    // Rounding may leave it a little below 0 where the row is one-hot.
    (power(2) - 2.0 * power(3) + power(2).powi(2))
        .max(0.0)
        .sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_norm_is_that_of_the_matrix() {
        let weights = [0.5_f32, 0.3, 0.2];
        let mut sum = 0.0;
        for (i, a) in weights.iter().enumerate() {
            for (j, b) in weights.iter().enumerate() {
                let entry = if i == j { a - a * b } else { -a * b };
                sum += f64::from(entry).powi(2);
            }
        }
        assert!((jacobian_norm(&weights) - sum.sqrt()).abs() < 1e-7);
        assert_eq!(jacobian_norm(&[0.0, 1.0]), 0.0);
    }

    #[test]
    fn dot_products_grow_with_the_size_and_scaled_ones_do_not() {
        let rows = scaling(&SCALING_SIZES, 1);
        for row in &rows {
            let share = row.dot.variance / row.size as f64;
            assert!((0.85..1.15).contains(&share), "{row:?}");
            assert!((row.scaled_dot.variance - share).abs() < 1e-3);
            assert!((0.85..1.15).contains(&row.scaled_dot.variance));
        }
        let (first, last) = (rows[0], rows[10]);
        assert!(last.dot.entropy < 0.2 && first.dot.entropy > 1.0);
        assert!(last.dot.gradient < 0.1 * first.dot.gradient.max(last.scaled_dot.gradient));
        assert!((first.scaled_dot.entropy - last.scaled_dot.entropy).abs() < 0.2);
        assert_eq!(rows, scaling(&SCALING_SIZES, 1));
        assert_ne!(rows[0], scaling(&[4], 2)[0]);
    }
}
