//! Vectorised activations. Forward and backward use the same function, so that a cached value is exactly
//! the value that the derivative is taken at.

use rten_simd::ops::{BitOps as _, FloatOps as _, NumOps as _};
use rten_simd::{Isa, SimdUnaryOp};
use rten_vecmath::{Exp, Sigmoid};

/// From here on `tanh` is 1 to the last bit.
const ONE_FROM: f32 = 9.02;
/// `tanh(x) ≈ x · P(x²) / Q(x²)` for `|x| ≤ ONE_FROM`, with the smallest relative error (2.2e-8, an eighth of a unit of the
/// last place beside what rounding adds), found by `tests/reference/fit_tanh.py`. Terms from the second on; the first is
/// 1, so that a tiny number stays itself. All are positive: nothing cancels.
const P: [f32; 4] = [
    1.338_268_4e-1,
    3.497_453_8e-3,
    2.063_576_2e-5,
    1.338_421_4e-8,
];
const Q: [f32; 4] = [4.671_600_5e-1, 2.588_434_6e-2, 3.288_511e-4, 7.790_216e-7];

/// The hyperbolic tangent: a score of many keys spends most of its time here, and the one of `rten-vecmath`, which is
/// closer, takes three times as long (`benches/engine.rs`).
pub(super) struct Tanh;

impl SimdUnaryOp<f32> for Tanh {
    #[inline(always)]
    fn eval<I: Isa>(&self, isa: I, x: I::F32) -> I::F32 {
        let ops = isa.f32();
        // Comparisons with not-a-number are false, so that it stays.
        let within = |x, bound| {
            let (most, least) = (ops.splat(bound), ops.splat(-bound));
            let x = ops.select(most, x, ops.gt(x, most));
            ops.select(least, x, ops.gt(least, x))
        };
        let x = within(x, ONE_FROM);
        let u = ops.mul(x, x);
        let polynomial = |terms: [f32; 4]| {
            let mut sum = ops.splat(terms[3]);
            for term in [terms[2], terms[1], terms[0], 1.0] {
                sum = ops.mul_add(sum, u, ops.splat(term));
            }
            sum
        };
        // Rounding may leave a little more than 1.
        within(ops.div(ops.mul(x, polynomial(P)), polynomial(Q)), 1.0)
    }
}

/// Replaces every `x` by `tanh(x)`, at most 5 units in the last place off; not-a-number stays itself.
pub fn tanh_in_place(values: &mut [f32]) {
    Tanh.map_mut(values);
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
    fn tanh_is_close_at_every_scale_and_never_beyond_one() {
        // Every 997th number, of both signs, up to infinity.
        let xs: Vec<f32> = (0..=f32::INFINITY.to_bits())
            .step_by(997)
            .map(f32::from_bits)
            .flat_map(|x| [x, -x])
            .collect();
        let mut found = xs.clone();
        tanh_in_place(&mut found);
        for (x, y) in xs.iter().zip(found) {
            let exact = f64::from(*x).tanh();
            let error = (f64::from(y) - exact).abs();
            assert!(
                error <= 5.0 * 2.0_f64.powi(-24) * exact.abs() + 1e-45,
                "tanh {x}: {y}, not {exact}"
            );
            assert!(y.abs() <= 1.0, "tanh {x}: {y}");
            assert_eq!(y.is_sign_negative(), x.is_sign_negative(), "tanh {x}: {y}");
        }
        let mut ends = [f32::INFINITY, f32::NEG_INFINITY, 10.0, -10.0, ONE_FROM];
        tanh_in_place(&mut ends);
        assert_eq!(ends, [1.0, -1.0, 1.0, -1.0, 1.0]);
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
