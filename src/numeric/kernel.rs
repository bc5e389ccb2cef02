//! Vector kernels for one row at a time: what decoding a single sentence spends its time in.
//!
//! A general matrix product packs its operands first, which costs more than the product itself when the
//! left side has one row. These kernels stream the weights once, at the speed of memory. The instruction
//! set is chosen at run time by `rten-simd`; there is no `unsafe` here.

use rten_simd::ops::{BitOps as _, NumOps};
use rten_simd::{Isa, SimdOp};
use smallvec::SmallVec;

use super::team::{Cut, in_pieces};

/// Fewer numbers of weights are read by one core before another has heard of them.
const SPLIT_FROM: usize = 16_384;
/// Vectors that are read at a time.
const VECTORS: usize = 4;
/// Vectors of the output that [`vec_mat_acc`] has in hand.
const OUTPUTS: usize = 2;
/// How many rows of the weights [`vec_mat_acc`] folds into the output at a time: enough to hide the
/// loads and stores of the output.
const ROWS: usize = 4;

struct VecMat<'a> {
    x: &'a [f32],
    w: &'a [f32],
    stride: usize,
    y: &'a mut [f32],
}

impl SimdOp for VecMat<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let n = self.y.len();
        let lanes = ops.len();
        let step = OUTPUTS * lanes;
        let (many, whole) = (n - n % step, n - n % lanes);
        let mut i = 0;
        while i + ROWS <= self.x.len() {
            let row = |k: usize| &self.w[(i + k) * self.stride..][..n];
            let (w0, w1, w2, w3) = (row(0), row(1), row(2), row(3));
            let x = &self.x[i..i + ROWS];
            let (x0, x1, x2, x3) = (
                ops.splat(x[0]),
                ops.splat(x[1]),
                ops.splat(x[2]),
                ops.splat(x[3]),
            );
            for j in (0..many).step_by(step) {
                let mut acc: [I::F32; OUTPUTS] = ops.load_many(&self.y[j..j + step]);
                for (x, w) in [(x0, w0), (x1, w1), (x2, w2), (x3, w3)] {
                    let w: [I::F32; OUTPUTS] = ops.load_many(&w[j..j + step]);
                    for (acc, w) in acc.iter_mut().zip(w) {
                        *acc = ops.mul_add(x, w, *acc);
                    }
                }
                for (acc, y) in acc
                    .into_iter()
                    .zip(self.y[j..j + step].chunks_exact_mut(lanes))
                {
                    ops.store(acc, y);
                }
            }
            for j in (many..whole).step_by(lanes) {
                let mut acc = ops.load(&self.y[j..]);
                acc = ops.mul_add(x0, ops.load(&w0[j..]), acc);
                acc = ops.mul_add(x1, ops.load(&w1[j..]), acc);
                acc = ops.mul_add(x2, ops.load(&w2[j..]), acc);
                acc = ops.mul_add(x3, ops.load(&w3[j..]), acc);
                ops.store(acc, &mut self.y[j..]);
            }
            for j in whole..n {
                self.y[j] += x[0] * w0[j] + x[1] * w1[j] + x[2] * w2[j] + x[3] * w3[j];
            }
            i += ROWS;
        }
        for (k, &xk) in self.x.iter().enumerate().skip(i) {
            let row = &self.w[k * self.stride..][..n];
            let xs = ops.splat(xk);
            for j in (0..whole).step_by(lanes) {
                let acc = ops.mul_add(xs, ops.load(&row[j..]), ops.load(&self.y[j..]));
                ops.store(acc, &mut self.y[j..]);
            }
            for (y, w) in self.y[whole..].iter_mut().zip(&row[whole..]) {
                *y += xk * w;
            }
        }
    }
}

/// One of several products that do not need each other: `y += x · W`, where row `i` of `W` is
/// `w[i * stride ..][.. y.len()]`.
#[derive(Debug)]
pub struct Product<'a> {
    /// `[I]`.
    pub x: &'a [f32],
    /// From the first row on.
    pub w: &'a [f32],
    /// From one row to the next.
    pub stride: usize,
    /// `[O]`.
    pub y: &'a mut [f32],
}

/// `y += x · W`, where row `i` of `W` is `w[i * stride ..][.. y.len()]`.
///
/// With `x` the attention weights and `W` the values it is the context; with `x` a state and `W` a weight
/// matrix `[in, out]` it is a layer. Within [`together`](super::together) the cores share it.
///
/// # Panics
/// If `w` is shorter than the rows that `x` asks for.
pub fn vec_mat_acc(x: &[f32], w: &[f32], stride: usize, y: &mut [f32]) {
    vec_mats_acc(&mut [Product { x, w, stride, y }]);
}

/// As [`vec_mat_acc`] for each of `products`: what several share is worth sharing sooner.
///
/// # Panics
/// As there.
pub fn vec_mats_acc(products: &mut [Product]) {
    let mut all = 0;
    for Product { x, w, stride, y } in &*products {
        assert!(
            x.is_empty() || w.len() >= (x.len() - 1) * stride + y.len(),
            "weights too short"
        );
        all += x.len() * y.len();
    }
    if all < SPLIT_FROM {
        for Product { x, w, stride, y } in products {
            let stride = *stride;
            VecMat { x, w, stride, y }.dispatch();
        }
        return;
    }
    let mut sums = vec![0.0; products.iter().map(further_sums).sum()];
    let cut = Cut {
        grain: 1,
        least: 0,
        each: 4,
    };
    in_pieces(&mut in_parts(products, &mut sums), cut, |_, tasks| {
        for VecMat { x, w, stride, y } in tasks {
            let stride = *stride;
            VecMat { x, w, stride, y }.dispatch();
        }
    });
    let mut sums = &sums[..];
    for product in products {
        let (own, others) = sums.split_at(further_sums(product));
        for sum in own.chunks_exact(product.y.len().max(1)) {
            product.y.iter_mut().zip(sum).for_each(|(y, s)| *y += s);
        }
        sums = others;
    }
}

/// Numbers that the parts of a product but the first sum up to, before they are added.
fn further_sums(product: &Product) -> usize {
    (parts(product.x.len() * product.y.len()) - 1) * product.y.len()
}

/// Parts of the rows, not of the columns: memory is read fastest in long runs. Their number, and with it the order in
/// which numbers are added, follows from the size alone. The first part adds to the output, the others to `sums`.
fn in_parts<'a>(products: &'a mut [Product], sums: &'a mut [f32]) -> SmallVec<[VecMat<'a>; 12]> {
    let mut rest = sums;
    let mut tasks = SmallVec::new();
    for Product { x, w, stride, y } in products {
        let parts = parts(x.len() * y.len());
        let (rows, columns) = (x.len().div_ceil(parts), y.len());
        let mut first = Some(&mut **y);
        for part in 0..parts {
            let from = (part * rows).min(x.len());
            let y = first.take().unwrap_or_else(|| {
                let (own, others) = std::mem::take(&mut rest).split_at_mut(columns);
                rest = others;
                own
            });
            tasks.push(VecMat {
                x: &x[from..x.len().min(from + rows)],
                w: &w[(from * *stride).min(w.len())..],
                stride: *stride,
                y,
            });
        }
    }
    tasks
}

/// Parts that a product of so many weights is made of.
const fn parts(weights: usize) -> usize {
    match weights / SPLIT_FROM {
        0 | 1 => 1,
        2..8 => 2,
        _ => 4,
    }
}

/// Outputs that stay together: a whole number of those that [`RowDots`] computes at a time.
const GRAIN: usize = 16;

struct RowDots<'a> {
    w: &'a [f32],
    stride: usize,
    x: &'a [f32],
    y: &'a mut [f32],
    /// Whether the products are added to what `y` holds.
    add: bool,
}

/// The inner product of `N` rows with `x`, sharing the loads of `x`.
#[inline(always)]
fn dots<const N: usize, O: NumOps<f32>>(ops: O, rows: [&[f32]; N], x: &[f32]) -> [f32; N] {
    let lanes = ops.len();
    let step = VECTORS * lanes;
    let many = x.len() - x.len() % step;
    let whole = x.len() - x.len() % lanes;
    let mut acc = [ops.zero(); N];
    for j in (0..many).step_by(step) {
        let xs: [O::Simd; VECTORS] = ops.load_many(&x[j..j + step]);
        for k in 0..N {
            let row: [O::Simd; VECTORS] = ops.load_many(&rows[k][j..j + step]);
            for (w, x) in row.into_iter().zip(xs) {
                acc[k] = ops.mul_add(w, x, acc[k]);
            }
        }
    }
    for j in (many..whole).step_by(lanes) {
        let xj = ops.load(&x[j..]);
        for k in 0..N {
            acc[k] = ops.mul_add(ops.load(&rows[k][j..]), xj, acc[k]);
        }
    }
    let mut out = [0.0; N];
    for k in 0..N {
        out[k] = ops.sum(acc[k]);
        for j in whole..x.len() {
            out[k] += rows[k][j] * x[j];
        }
    }
    out
}

impl SimdOp for RowDots<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let n = self.x.len();
        let row = |i: usize| &self.w[i * self.stride..][..n];
        let mut i = 0;
        while i + 4 <= self.y.len() {
            let d = dots(ops, [row(i), row(i + 1), row(i + 2), row(i + 3)], self.x);
            for (y, d) in self.y[i..i + 4].iter_mut().zip(d) {
                *y = if self.add { *y + d } else { d };
            }
            i += 4;
        }
        while i < self.y.len() {
            let d = dots(ops, [row(i)], self.x)[0];
            self.y[i] = if self.add { self.y[i] + d } else { d };
            i += 1;
        }
    }
}

/// `y[i] = W[i] · x`, where row `i` of `W` is `w[i * stride ..][.. x.len()]`.
///
/// With `W` the keys it is the dot score. Within [`together`](super::together) the cores share it.
///
/// # Panics
/// If `w` is shorter than the rows that `y` asks for.
pub fn row_dots(w: &[f32], stride: usize, x: &[f32], y: &mut [f32]) {
    shared_row_dots(w, stride, x, y, false);
}

/// `y[i] += W[i] · x`: as [`row_dots`], added. With `W` an output embedding `[V, R]` it is the logits.
///
/// # Panics
/// If `w` is shorter than the rows that `y` asks for.
pub(super) fn row_dots_acc(w: &[f32], stride: usize, x: &[f32], y: &mut [f32]) {
    shared_row_dots(w, stride, x, y, true);
}

fn shared_row_dots(w: &[f32], stride: usize, x: &[f32], y: &mut [f32], add: bool) {
    assert!(
        y.is_empty() || w.len() >= (y.len() - 1) * stride + x.len(),
        "rows too short"
    );
    let cut = Cut {
        grain: GRAIN,
        least: SPLIT_FROM / x.len().max(1),
        each: 3,
    };
    in_pieces(y, cut, |at, y| {
        let w = &w[(at * stride).min(w.len())..];
        RowDots {
            w,
            stride,
            x,
            y,
            add,
        }
        .dispatch();
    });
}

/// As [`row_dots`], in double precision: for gradients that are then subtracted from each other.
///
/// # Panics
/// If `w` is shorter than the rows that `y` asks for.
pub fn row_dots_double(w: &[f32], stride: usize, x: &[f32], y: &mut [f64]) {
    const LANES: usize = 8;
    assert!(
        y.is_empty() || w.len() >= (y.len() - 1) * stride + x.len(),
        "rows too short"
    );
    wide(|| {
        for (i, out) in y.iter_mut().enumerate() {
            let row = &w[i * stride..][..x.len()];
            let mut lanes = [0.0_f64; LANES];
            let (rows, xs) = (row.chunks_exact(LANES), x.chunks_exact(LANES));
            let rest = rows.remainder().iter().zip(xs.remainder());
            let rest: f64 = rest.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            for (row, x) in rows.zip(xs) {
                for ((lane, a), b) in lanes.iter_mut().zip(row).zip(x) {
                    *lane += f64::from(*a) * f64::from(*b);
                }
            }
            *out = lanes.iter().sum::<f64>() + rest;
        }
    });
}

/// The inner product of two vectors of one length.
///
/// # Panics
/// If the lengths differ.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len(), "inner product of different lengths");
    let mut out = [0.0];
    row_dots(a, a.len(), b, &mut out);
    out[0]
}

struct Wide<F>(F);

impl<R, F: FnOnce() -> R> SimdOp for Wide<F> {
    type Output = R;

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) -> R {
        (self.0)()
    }
}

/// Runs a plain loop compiled for the widest vectors of this machine.
///
/// Use it around elementwise loops over long slices; the compiler vectorises them with the instruction
/// set that was found at run time instead of the one every machine has.
#[inline]
pub fn wide<R>(body: impl FnOnce() -> R) -> R {
    Wide(body).dispatch()
}

#[cfg(test)]
mod tests;
