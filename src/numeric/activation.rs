//! Vectorised activations. Forward and backward use the same function, so that a cached value is exactly
//! the value that the derivative is taken at.

use rten_simd::SimdUnaryOp as _;
use rten_vecmath::{Exp, Sigmoid, Tanh};

/// Replaces every `x` by `tanh(x)`, at most 3 units in the last place off; not-a-number stays itself.
pub fn tanh_in_place(values: &mut [f32]) {
    Tanh {}.map_mut(values);
}

/// Replaces every `x` by the logistic function `1 / (1 + exp(-x))`.
pub fn sigmoid_in_place(values: &mut [f32]) {
    Sigmoid {}.map_mut(values);
}

/// Replaces every `x` by `exp(x)`.
pub fn exp_in_place(values: &mut [f32]) {
    Exp {}.map_mut(values);
}

/// The logistic function of one number.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activations_equal_the_standard_library() {
        let xs: Vec<f32> = (-4000..=4000)
            .map(|i| i as f32 / 200.0)
            .chain([1e-7, -1e-7, 1e-4, 0.0])
            .collect();
        let (mut t, mut s, mut e) = (xs.clone(), xs.clone(), xs.clone());
        tanh_in_place(&mut t);
        sigmoid_in_place(&mut s);
        exp_in_place(&mut e);
        for (i, &x) in xs.iter().enumerate() {
            assert!(
                (t[i] - x.tanh()).abs() <= 4.0 * f32::EPSILON * x.tanh().abs(),
                "tanh {x}: {} {}",
                t[i],
                x.tanh()
            );
            assert!(
                (s[i] - sigmoid(x)).abs() <= 8.0 * f32::EPSILON * sigmoid(x),
                "sigmoid {x}"
            );
            assert!(
                (e[i] - x.exp()).abs() <= 4.0 * f32::EPSILON * x.exp(),
                "exp {x}"
            );
        }
    }

    #[test]
    fn not_a_number_stays_itself() {
        let mut v = [f32::NAN; 17];
        tanh_in_place(&mut v);
        assert!(v.iter().all(|x| x.is_nan()));
        let mut v = [f32::NAN; 17];
        sigmoid_in_place(&mut v);
        assert!(v.iter().all(|x| x.is_nan()));
    }
}
