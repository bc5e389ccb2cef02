//! The kernel of the additive score.

use rten_simd::ops::{BitOps as _, NumOps as _};
use rten_simd::{Isa, Simd as _, SimdOp, SimdUnaryOp as _};

use super::activation::Tanh;
use super::team::{Cut, in_pieces};

/// Of fewer numbers one core has taken `tanh` before another has heard of them.
const SPLIT_FROM: usize = 4096;

struct TanhDots<'a> {
    keys: &'a [f32],
    stride: usize,
    query: &'a [f32],
    v: &'a [f32],
    out: &'a mut [f32],
}

impl SimdOp for TanhDots<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let n = self.query.len();
        let lanes = ops.len();
        let whole = n - n % lanes;
        let (query, v) = (&self.query[..n], &self.v[..n]);
        for (j, out) in self.out.iter_mut().enumerate() {
            let key = &self.keys[j * self.stride..][..n];
            let mut acc = ops.zero();
            for i in (0..whole).step_by(lanes) {
                let sum = ops.add(ops.load(&query[i..]), ops.load(&key[i..]));
                acc = ops.mul_add(Tanh.eval(isa, sum), ops.load(&v[i..]), acc);
            }
            *out = ops.sum(acc);
            for i in whole..n {
                let z = Tanh.eval(isa, ops.splat(query[i] + key[i]));
                *out += z.to_array()[0] * v[i];
            }
        }
    }
}

/// `out[j] = v · tanh(query + K[j])`, where row `j` of `K` is `keys[j * stride ..][.. query.len()]`: the additive score.
/// Within [`together`](super::together) the cores share it.
///
/// # Panics
/// If `v` is shorter than `query`, or `keys` than the rows that `out` asks for.
pub fn tanh_dots(keys: &[f32], stride: usize, query: &[f32], v: &[f32], out: &mut [f32]) {
    assert!(
        out.is_empty() || keys.len() >= (out.len() - 1) * stride + query.len(),
        "keys too short"
    );
    let cut = Cut {
        grain: 4,
        least: SPLIT_FROM / query.len().max(1),
        each: 3,
    };
    in_pieces(out, cut, |at, out| {
        let keys = &keys[(at * stride).min(keys.len())..];
        TanhDots {
            keys,
            stride,
            query,
            v,
            out,
        }
        .dispatch();
    });
}
