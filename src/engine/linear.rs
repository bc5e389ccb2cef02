//! The affine layer `y = x · w + b`, and dropout.

use ndarray::{Array1, Array2, ArrayView2};

use super::parameters::field_parameters;
use crate::numeric::{
    Stream, add_bias, column_sums_acc, fill_uniform, glorot_bound, product, product_nt,
    product_tn_acc, stream,
};
use rand::RngExt as _;

/// `y = x · w + b`; also the type of its gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    /// `[I, O]`.
    pub w: Array2<f32>,
    /// `[O]`.
    pub b: Option<Array1<f32>>,
}

field_parameters!(Linear { w, b });

impl Linear {
    /// All zeros.
    pub fn zeros(inputs: usize, outputs: usize, bias: bool) -> Self {
        Self {
            w: Array2::zeros((inputs, outputs)),
            b: bias.then(|| Array1::zeros(outputs)),
        }
    }

    /// Glorot uniform weights, zero bias.
    pub fn initialise(&mut self, rng: &mut Stream) {
        let bound = glorot_bound(self.w.nrows(), self.w.ncols());
        fill_uniform(self.w.as_slice_mut().expect("contiguous"), bound, rng);
    }

    /// `x · w + b`, `[M, O]`.
    pub fn forward(&self, x: ArrayView2<f32>) -> Array2<f32> {
        let mut y = product(x, self.w.view());
        if let Some(b) = &self.b {
            add_bias(&mut y, b.view());
        }
        y
    }

    /// The gradient of `x`: `d · wᵀ`, `[M, I]`.
    pub fn backward(&self, d: ArrayView2<f32>) -> Array2<f32> {
        product_nt(d, self.w.view())
    }

    /// Adds the gradients of `w` and `b` to `grad`.
    pub fn accumulate(x: ArrayView2<f32>, d: ArrayView2<f32>, grad: &mut Self) {
        product_tn_acc(x, d, &mut grad.w.view_mut());
        if let Some(b) = &mut grad.b {
            column_sums_acc(d, b.as_slice_mut().expect("contiguous"));
        }
    }
}

/// Dropout at training time: which numbers are kept follows from `seed` alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dropout {
    /// The share of numbers set to zero, in `[0, 1)`; the others are divided by `1 − rate`.
    pub rate: f32,
    /// Names the update and the shard.
    pub seed: u64,
}

impl Dropout {
    /// The factors for place number `place` of the network, in the given shape.
    pub fn mask(self, place: u64, shape: (usize, usize)) -> Array2<f32> {
        let mut rng = stream(&[self.seed, place]);
        let kept = 1.0 / (1.0 - self.rate);
        Array2::from_shape_simple_fn(shape, || {
            if rng.random::<f32>() < self.rate {
                0.0
            } else {
                kept
            }
        })
    }
}

/// Rows `ids` of the embedding `[V, E]`: `[N, E]`.
///
/// # Panics
/// If an id is outside the vocabulary.
pub(super) fn embed(embedding: &Array2<f32>, ids: &[u32]) -> Array2<f32> {
    let width = embedding.ncols();
    let mut out = Array2::zeros((ids.len(), width));
    for (mut row, &id) in out.rows_mut().into_iter().zip(ids) {
        row.assign(&embedding.row(id as usize));
    }
    out
}

/// Adds the gradient `d` `[N, E]` of the looked-up rows to the embedding's.
pub(super) fn embed_accumulate(d: &Array2<f32>, ids: &[u32], grad: &mut Array2<f32>) {
    for (d, &id) in d.rows().into_iter().zip(ids) {
        let mut row = grad.row_mut(id as usize);
        row += &d;
    }
}
