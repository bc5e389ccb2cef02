//! Integrals as weighted sums.

use std::f64::consts::PI;

/// Newton steps to a root of a Legendre polynomial; from the first guess four are enough.
const NEWTON: usize = 20;

/// Points in (0, 1) with their weights, by which polynomials up to degree `2n − 1` are integrated exactly: the
/// rule of Gauss and Legendre. The points are the roots of the Legendre polynomial `P_n`, found by Newton's
/// method from `cos(π (i + ¾) / (n + ½))`; a weight is `1 / ((1 − x²) P_n'(x)²)` on the unit interval.
pub fn gauss_legendre(n: usize) -> Vec<(f64, f64)> {
    let root = |i: usize| {
        let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
        for _ in 0..NEWTON {
            let (value, slope) = legendre(n, x);
            let step = value / slope;
            x -= step;
            if step.abs() < 1e-15 {
                break;
            }
        }
        let (_, slope) = legendre(n, x);
        ((1.0 - x) / 2.0, 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..n).map(root).collect()
}

/// `P_n(x)` and its derivative, by `(k + 1) P_{k+1} = (2k + 1) x P_k − k P_{k−1}`.
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (0.0, 1.0);
    for k in 0..n {
        let k = k as f64;
        (before, value) = (
            value,
            ((2.0 * k + 1.0) * x * value - k * before) / (k + 1.0),
        );
    }
    (value, n as f64 * (x * value - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_rule_of_two_points() {
        let points = gauss_legendre(2);
        let offset = 0.5 / 3.0_f64.sqrt();
        assert!((points[0].0 - (0.5 - offset)).abs() < 1e-14);
        assert!((points[1].0 - (0.5 + offset)).abs() < 1e-14);
        assert!(points.iter().all(|(_, w)| (w - 0.5).abs() < 1e-14));
    }

    #[test]
    fn polynomials_are_exact_up_to_their_degree() {
        for n in [1, 2, 3, 8, 33, 64, 512] {
            let points = gauss_legendre(n);
            assert!(points.windows(2).all(|two| two[0].0 < two[1].0));
            for degree in [0, 1, 2, 5, 2 * n - 1] {
                if degree > 2 * n - 1 {
                    continue;
                }
                let sum: f64 = points.iter().map(|(x, w)| w * x.powi(degree as i32)).sum();
                let exact = 1.0 / (degree as f64 + 1.0);
                assert!((sum - exact).abs() < 1e-12, "{n} {degree}: {sum} {exact}");
            }
            let beyond: f64 = points.iter().map(|(x, w)| w * x.powi(2 * n as i32)).sum();
            assert!(n > 8 || (beyond - 1.0 / (2 * n + 1) as f64).abs() > 1e-12);
        }
    }
}
