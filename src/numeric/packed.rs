//! Weights laid out once for many products of a few dozen rows.
//!
//! The packed product of `gemm.rs` lays its operands out anew at each call. In a recurrent layer the same weights meet a
//! few dozen rows at every step of an update, and laying them out takes as long as multiplying: at 32 rows, 512 inputs
//! and 1536 outputs a product takes half the time when that was done before. There is no `unsafe` here: `rten-simd`
//! chooses the instruction set.

use ndarray::{ArrayView2, ArrayViewMut2};
use rten_simd::ops::{BitOps as _, NumOps as _};
use rten_simd::{Isa, SimdOp};

/// Vectors of outputs that a block computes.
const VECTORS: usize = 3;
/// Rows that a block computes: with three vectors each, twelve sums, which leaves registers for what is multiplied.
const ROWS: usize = 4;
/// Numbers in a line of the cache.
const LINE: usize = 16;
/// Numbers in the widest vector of any instruction set.
const MOST_LANES: usize = 16;

/// A matrix `[I, O]` cut into panels of as many columns as a block computes. The rows of a panel follow each other, so
/// that a product reads it from end to end; the last panel is filled up with zeros.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Packed {
    panels: Vec<f32>,
    inputs: usize,
    outputs: usize,
    /// Columns of a panel.
    width: usize,
}

impl Packed {
    /// Lays out `w` `[I, O]`, in the memory of what was laid out before.
    ///
    /// # Panics
    /// If the rows of `w` do not follow each other in memory.
    pub fn pack(&mut self, w: ArrayView2<f32>) {
        let (inputs, outputs) = w.dim();
        let numbers = w.as_slice().expect("contiguous");
        for (from, width, panel) in self.resize(inputs, outputs) {
            let columns = width.min(outputs - from);
            for (row, w) in panel
                .chunks_exact_mut(width)
                .zip(numbers.chunks_exact(outputs))
            {
                row[..columns].copy_from_slice(&w[from..from + columns]);
                row[columns..].fill(0.0);
            }
        }
    }

    /// Lays out `wᵀ`, which is `[I, O]`; `w` is `[O, I]`.
    ///
    /// # Panics
    /// If the rows of `w` do not follow each other in memory.
    pub fn pack_transposed(&mut self, w: ArrayView2<f32>) {
        let (outputs, inputs) = w.dim();
        let numbers = w.as_slice().expect("contiguous");
        for (from, width, panel) in self.resize(inputs, outputs) {
            let columns = width.min(outputs - from);
            let rows = &numbers[from * inputs..][..columns * inputs];
            if columns < width {
                panel.fill(0.0);
            }
            // A line of the cache from each row at a time: the rows may lie so that the cache holds few of them at once.
            for (panel, at) in panel.chunks_mut(LINE * width).zip((0..).step_by(LINE)) {
                for (column, row) in rows.chunks_exact(inputs).enumerate() {
                    for (panel, w) in panel.chunks_exact_mut(width).zip(&row[at..]) {
                        panel[column] = *w;
                    }
                }
            }
        }
    }

    /// Makes room, and gives the panels with the first column and the width of each.
    fn resize(
        &mut self,
        inputs: usize,
        outputs: usize,
    ) -> impl Iterator<Item = (usize, usize, &mut [f32])> {
        let width = VECTORS * Lanes.dispatch();
        (self.inputs, self.outputs, self.width) = (inputs, outputs, width);
        self.panels
            .resize(outputs.div_ceil(width) * width * inputs, 0.0);
        let panels = self.panels.chunks_exact_mut((width * inputs).max(1));
        panels.enumerate().map(move |(i, p)| (i * width, width, p))
    }

    /// `y += x · w`; `x` is `[M, I]`, `y` is `[M, O]`.
    ///
    /// # Panics
    /// If the shapes do not fit, or rows do not follow each other in memory.
    pub fn product_acc(&self, x: ArrayView2<f32>, y: &mut ArrayViewMut2<f32>) {
        assert!(
            x.ncols() == self.inputs && y.dim() == (x.nrows(), self.outputs),
            "product of {:?} and {:?} into {:?}",
            x.dim(),
            (self.inputs, self.outputs),
            y.dim()
        );
        if self.inputs == 0 {
            return;
        }
        Multiply {
            x: x.as_slice().expect("contiguous"),
            w: self,
            y: y.as_slice_mut().expect("contiguous"),
        }
        .dispatch();
    }
}

/// How many numbers a vector holds.
struct Lanes;

impl SimdOp for Lanes {
    type Output = usize;

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) -> usize {
        isa.f32().len()
    }
}

struct Multiply<'a> {
    x: &'a [f32],
    w: &'a Packed,
    y: &'a mut [f32],
}

impl SimdOp for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let Self { x, w, y } = self;
        let (inputs, outputs, width) = (w.inputs, w.outputs, w.width);
        let panels = w.panels.chunks_exact(width * inputs);
        // A panel stays in the cache while all rows meet it.
        for (panel, from) in panels.zip((0..).step_by(width)) {
            let columns = from..outputs.min(from + width);
            // Meanwhile the next panel is fetched, a share of it with each block of rows.
            let next = w.panels.get((from + width) * inputs..).unwrap_or_default();
            let next = &next[..next.len().min(width * inputs)];
            let blocks = (x.len() / inputs).div_ceil(ROWS);
            let mut ahead = next.chunks((next.len() / blocks.max(1)).max(1));
            for (x, y) in x.chunks(ROWS * inputs).zip(y.chunks_mut(ROWS * outputs)) {
                let row = |r: usize| &x[r * inputs..][..inputs];
                let block = Block {
                    panel,
                    ahead: ahead.next().unwrap_or_default(),
                    width,
                    y,
                    outputs,
                    columns: columns.clone(),
                };
                match x.len() / inputs {
                    1 => block.add(isa, [row(0)]),
                    2 => block.add(isa, [row(0), row(1)]),
                    3 => block.add(isa, [row(0), row(1), row(2)]),
                    _ => block.add(isa, [row(0), row(1), row(2), row(3)]),
                }
            }
        }
    }
}

/// Some rows of the output, in the columns of one panel.
struct Block<'a> {
    panel: &'a [f32],
    /// What to fetch of the next panel meanwhile.
    ahead: &'a [f32],
    width: usize,
    y: &'a mut [f32],
    outputs: usize,
    columns: std::ops::Range<usize>,
}

impl Block<'_> {
    /// Adds the products of the rows `x`.
    #[inline(always)]
    fn add<const R: usize, I: Isa>(self, isa: I, x: [&[f32]; R]) {
        let ops = isa.f32();
        let lanes = ops.len();
        let mut sums = [[ops.zero(); VECTORS]; R];
        let stride = self.ahead.len() / x[0].len();
        for (k, w) in self.panel.chunks_exact(self.width).enumerate() {
            ops.prefetch(self.ahead.as_ptr().wrapping_add(k * stride));
            let w: [I::F32; VECTORS] = ops.load_many(w);
            for (sums, x) in sums.iter_mut().zip(x) {
                let x = ops.splat(x[k]);
                for (sum, w) in sums.iter_mut().zip(w) {
                    *sum = ops.mul_add(x, w, *sum);
                }
            }
        }
        for (sums, y) in sums.into_iter().zip(self.y.chunks_exact_mut(self.outputs)) {
            let y = &mut y[self.columns.clone()];
            if y.len() == self.width {
                for (sum, y) in sums.into_iter().zip(y.chunks_exact_mut(lanes)) {
                    ops.store(ops.add(ops.load(y), sum), y);
                }
            } else {
                let mut row = [0.0; VECTORS * MOST_LANES];
                for (sum, row) in sums.into_iter().zip(row.chunks_exact_mut(lanes)) {
                    ops.store(sum, row);
                }
                y.iter_mut().zip(row).for_each(|(y, sum)| *y += sum);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::linalg::tests::matrix;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_equal_ndarray(m in 0_usize..10, i in 0_usize..40, o in 0_usize..110, seed in 0_usize..99) {
            let (x, w, start) = (matrix(m, i, seed), matrix(i, o, seed + 1), matrix(m, o, seed + 2));
            let expected = &start + &x.dot(&w);
            // What lay there before plays no part.
            let mut packed = Packed::default();
            packed.pack(matrix(o, 7, 3).view());
            for transposed in [false, true] {
                if transposed {
                    packed.pack_transposed(w.t().as_standard_layout().view());
                } else {
                    packed.pack(w.view());
                }
                let mut y = start.clone();
                packed.product_acc(x.view(), &mut y.view_mut());
                prop_assert!(y.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-4));
            }
        }
    }

    #[test]
    #[should_panic(expected = "product of")]
    fn shapes_that_do_not_fit_panic() {
        let mut packed = Packed::default();
        packed.pack(matrix(4, 2, 0).view());
        packed.product_acc(matrix(1, 3, 0).view(), &mut matrix(1, 2, 0).view_mut());
    }
}
