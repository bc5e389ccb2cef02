//! The packed matrix product: the one place of the program that calls into `unsafe` code.
//!
//! The `gemm` crate computes on raw pointers; here they come from checked array views. Against the product
//! that ndarray brings it is 1.1 to 1.9 times as fast at the shapes of a training step (`benches/engine.rs`).

#![allow(
    unsafe_code,
    reason = "the only fast product for machines without AVX-512 has no safe interface"
)]

use gemm::{Parallelism, gemm};
use ndarray::{ArrayView2, ArrayViewMut2};

/// `c = a · b` on one thread, or `c += a · b` if `add`; `a` is `[M, K]`, `b` is `[K, N]`, `c` is `[M, N]`, in any layout.
/// Without `add`, what `c` held plays no part.
///
/// # Panics
/// If the shapes do not fit.
pub(super) fn multiply(
    a: ArrayView2<f32>,
    b: ArrayView2<f32>,
    c: &mut ArrayViewMut2<f32>,
    add: bool,
) {
    let (m, k) = a.dim();
    let n = b.ncols();
    assert!(
        b.nrows() == k && c.dim() == (m, n),
        "product of {:?} and {:?} into {:?}",
        a.dim(),
        b.dim(),
        c.dim()
    );
    let (a_strides, b_strides) = (a.strides(), b.strides());
    let c_strides = [c.strides()[0], c.strides()[1]];
    // SAFETY: the pointers and strides are those of live array views whose dimensions were just checked, so
    // every element that `gemm` touches lies inside them; `c` is borrowed exclusively, so that it overlaps
    // neither `a` nor `b`.
    unsafe {
        gemm(
            m,
            n,
            k,
            c.as_mut_ptr(),
            c_strides[1],
            c_strides[0],
            add,
            a.as_ptr(),
            a_strides[1],
            a_strides[0],
            b.as_ptr(),
            b_strides[1],
            b_strides[0],
            1.0,
            1.0,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}
