//! Matrix products. One row goes to the streaming kernels, more to the packed product.

use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis};

use smallvec::SmallVec;

use super::gemm::multiply;
use super::kernel::{Product, row_dots_acc, vec_mat_acc, vec_mats_acc};

/// Up to this many rows the streaming kernels beat the packed product (`benches/engine.rs`).
const STREAMED_ROWS: usize = 3;

/// `y += x · w`; `x` is `[M, I]`, `w` is `[I, O]`, `y` is `[M, O]`.
///
/// # Panics
/// If the shapes do not fit.
pub fn product_acc(x: ArrayView2<f32>, w: ArrayView2<f32>, y: &mut ArrayViewMut2<f32>) {
    if x.nrows() <= STREAMED_ROWS
        && let Some(weights) = w.as_slice()
    {
        assert_eq!(
            (x.ncols(), w.ncols()),
            (w.nrows(), y.ncols()),
            "product of {:?} and {:?}",
            x.dim(),
            w.dim()
        );
        for (xi, mut yi) in x.rows().into_iter().zip(y.rows_mut()) {
            if let (Some(xi), Some(yi)) = (xi.as_slice(), yi.as_slice_mut()) {
                vec_mat_acc(xi, weights, w.ncols(), yi);
            } else {
                yi += &xi.dot(&w);
            }
        }
        return;
    }
    multiply(x, w, y, true);
}

/// As [`product_acc`] for each `(x, w, y)`: products that do not need each other. For one row the cores share them all at
/// once.
///
/// # Panics
/// If the shapes do not fit.
pub fn products_acc(products: &mut [(ArrayView2<f32>, ArrayView2<f32>, ArrayViewMut2<f32>)]) {
    let count = products.len();
    let mut rows = SmallVec::<[_; 4]>::new();
    for (x, w, y) in &mut *products {
        assert_eq!(
            (x.nrows(), x.ncols(), w.ncols()),
            (y.nrows(), w.nrows(), y.ncols()),
            "product of {:?} and {:?}",
            x.dim(),
            w.dim()
        );
        if x.nrows() == 1
            && let (Some(x), Some(w), stride) = (x.as_slice(), w.as_slice(), w.ncols())
            && let Some(y) = y.as_slice_mut()
        {
            rows.push(Product { x, w, stride, y });
        }
    }
    if rows.len() == count {
        return vec_mats_acc(&mut rows);
    }
    drop(rows);
    for (x, w, y) in products {
        product_acc(*x, *w, y);
    }
}

/// `x · w`; `x` is `[M, I]`, `w` is `[I, O]`.
///
/// # Panics
/// If the shapes do not fit.
pub fn product(x: ArrayView2<f32>, w: ArrayView2<f32>) -> Array2<f32> {
    let mut y = Array2::zeros((x.nrows(), w.ncols()));
    product_acc(x, w, &mut y.view_mut());
    y
}

/// `y += x · wᵀ`; `x` is `[M, O]`, `w` is `[I, O]`, `y` is `[M, I]`.
///
/// # Panics
/// If the shapes do not fit.
pub fn product_nt_acc(x: ArrayView2<f32>, w: ArrayView2<f32>, y: &mut ArrayViewMut2<f32>) {
    if x.nrows() <= STREAMED_ROWS
        && let Some(weights) = w.as_slice()
    {
        assert_eq!(
            (x.ncols(), w.nrows()),
            (w.ncols(), y.ncols()),
            "product of {:?} and {:?}ᵀ",
            x.dim(),
            w.dim()
        );
        for (xi, mut yi) in x.rows().into_iter().zip(y.rows_mut()) {
            if let (Some(xi), Some(yi)) = (xi.as_slice(), yi.as_slice_mut()) {
                row_dots_acc(weights, w.ncols(), xi, yi);
            } else {
                yi += &w.dot(&xi);
            }
        }
        return;
    }
    multiply(x, w.t(), y, true);
}

/// `x · wᵀ`; `x` is `[M, O]`, `w` is `[I, O]`.
///
/// # Panics
/// If the shapes do not fit.
pub fn product_nt(x: ArrayView2<f32>, w: ArrayView2<f32>) -> Array2<f32> {
    product_nt_in(x, w, Vec::new())
}

/// As [`product_nt`], in the memory of `space`, whose numbers play no part. Large memory that is given back to the
/// system and asked for again must be cleared by it each time.
///
/// # Panics
/// If the shapes do not fit.
pub fn product_nt_in(x: ArrayView2<f32>, w: ArrayView2<f32>, mut space: Vec<f32>) -> Array2<f32> {
    let shape = (x.nrows(), w.nrows());
    let streamed = x.nrows() <= STREAMED_ROWS;
    if streamed {
        space.clear();
    }
    space.resize(shape.0 * shape.1, 0.0);
    let mut y = Array2::from_shape_vec(shape, space).expect("as many as the shape says");
    if streamed {
        product_nt_acc(x, w, &mut y.view_mut());
    } else {
        multiply(x, w.t(), &mut y.view_mut(), false);
    }
    y
}

/// `grad += xᵀ · d`: the gradient of the weights of `y = x · w`; `x` is `[M, I]`, `d` is `[M, O]`.
///
/// # Panics
/// If the shapes do not fit.
pub fn product_tn_acc(x: ArrayView2<f32>, d: ArrayView2<f32>, grad: &mut ArrayViewMut2<f32>) {
    multiply(x.t(), d, grad, true);
}

/// Adds the bias `[O]` to every row of `y` `[M, O]`.
pub fn add_bias(y: &mut Array2<f32>, bias: ArrayView1<f32>) {
    for mut row in y.axis_iter_mut(Axis(0)) {
        row += &bias;
    }
}

/// `grad[o] += Σ_m d[m, o]`: the gradient of a bias.
pub fn column_sums_acc(d: ArrayView2<f32>, grad: &mut [f32]) {
    for row in d.rows() {
        for (g, v) in grad.iter_mut().zip(row) {
            *g += v;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ndarray::Array;
    use proptest::prelude::*;

    pub(in crate::numeric) fn matrix(rows: usize, cols: usize, seed: usize) -> Array2<f32> {
        Array::from_shape_fn((rows, cols), |(i, j)| {
            ((i * 31 + j * 17 + seed) % 23) as f32 / 11.0 - 1.0
        })
    }

    proptest! {
        #[test]
        fn all_products_equal_ndarray(m in 1_usize..9, i in 1_usize..40, o in 1_usize..40, seed in 0_usize..99) {
            let (x, w) = (matrix(m, i, seed), matrix(i, o, seed + 1));
            let close = |a: &Array2<f32>, b: &Array2<f32>| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
            prop_assert!(close(&product(x.view(), w.view()), &x.dot(&w)));
            let (mut a, mut b) = (x.dot(&w), Array2::zeros((m, o)));
            products_acc(&mut [
                (x.view(), w.view(), a.view_mut()),
                (x.view(), w.view(), b.view_mut()),
            ]);
            prop_assert!(close(&b, &x.dot(&w)) && close(&a, &(2.0 * x.dot(&w))));
            let d = matrix(m, o, seed + 2);
            prop_assert!(close(&product_nt(d.view(), w.view()), &d.dot(&w.t())));
            let space = vec![f32::NAN; seed];
            prop_assert!(close(&product_nt_in(d.view(), w.view(), space), &d.dot(&w.t())));
            let mut g = Array2::zeros((i, o));
            product_tn_acc(x.view(), d.view(), &mut g.view_mut());
            prop_assert!(close(&g, &x.t().dot(&d)));
        }
    }

    #[test]
    #[should_panic(expected = "product of")]
    fn shapes_that_do_not_fit_panic() {
        product(matrix(1, 3, 0).view(), matrix(4, 2, 0).view());
    }
}
