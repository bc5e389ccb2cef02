use super::*;
use crate::numeric::{tanh_dots, together};
use proptest::prelude::*;

fn values(n: usize, seed: u32) -> Vec<f32> {
    (0..n)
        .map(|i| {
            ((i as u32).wrapping_mul(2_654_435_761).wrapping_add(seed) % 2001) as f32 / 1000.0 - 1.0
        })
        .collect()
}

proptest! {
    #[test]
    fn kernels_equal_plain_loops(rows in 1_usize..23, n in 1_usize..70, extra in 0_usize..5, seed: u32) {
        let stride = n + extra;
        let w = values(rows * stride, seed);
        let x = values(rows, seed ^ 0x77);
        let mut y = values(n, 5);
        let mut expected = y.clone();
        for i in 0..rows { for j in 0..n { expected[j] += x[i] * w[i * stride + j]; } }
        vec_mat_acc(&x, &w, stride, &mut y);
        for (a, b) in y.iter().zip(&expected) { prop_assert!((a - b).abs() < 1e-4); }

        let q = values(n, seed ^ 3);
        let mut d = vec![9.0; rows];
        row_dots(&w, stride, &q, &mut d);
        for i in 0..rows {
            let e: f32 = (0..n).map(|j| w[i * stride + j] * q[j]).sum();
            prop_assert!((d[i] - e).abs() < 1e-4);
            let mut double = [0.0];
            row_dots_double(&w[i * stride..], stride, &q, &mut double);
            prop_assert!((double[0] - f64::from(e)).abs() < 1e-4);
        }

        let v = values(n, seed ^ 9);
        tanh_dots(&w, stride, &q, &v, &mut d);
        for (j, d) in d.iter().enumerate() {
            let e: f32 = (0..n).map(|i| v[i] * (q[i] + w[j * stride + i]).tanh()).sum();
            prop_assert!((d - e).abs() < 1e-4);
        }
    }
}

/// However many threads there are, and whoever is there in time, the numbers are the same to the last bit.
#[test]
fn shared_products_are_those_of_one_thread() {
    for n in [64, 250, 768, 1003] {
        let rows = 4 * SPLIT_FROM / n;
        let w = values(rows * n, 1);
        let (x, q, v) = (values(rows, 2), values(n, 3), values(n, 4));
        let all = || {
            let (mut y, mut d, mut t) = (vec![0.5; n], vec![0.0; rows], vec![0.0; rows]);
            vec_mat_acc(&x, &w, n, &mut y);
            row_dots(&w, n, &q, &mut d);
            tanh_dots(&w, n, &q, &v, &mut t);
            [y, d, t]
        };
        let expected = all();
        for _ in 0..20 {
            assert_eq!(together(all), expected);
        }
    }
}

#[test]
fn not_a_number_is_carried_through() {
    let mut y = vec![0.0; 9];
    vec_mat_acc(&[f32::NAN], &[1.0; 9], 9, &mut y);
    assert!(y.iter().all(|v| v.is_nan()));
    assert!(dot(&[f32::INFINITY, 0.0], &[0.0, 1.0]).is_nan());
}
