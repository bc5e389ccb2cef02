//! Floor 0: numbers. Matrix products, vectorised activations, softmax, and seeded random numbers.
//!
//! Everything is `f32`, row-major, and knows nothing of attention. Matrices are [`ndarray`] arrays;
//! weights are stored `[in, out]`, so that a layer computes `y = x · w` and the rows of `w` that belong
//! to one part of a concatenated input are contiguous.

mod activation;
mod gemm;
mod kernel;
mod linalg;
mod packed;
mod parallel;
mod random;
mod reduce;
mod softmax;
mod tanh_dots;
mod team;

pub use activation::{exp_in_place, sigmoid, sigmoid_in_place, tanh_in_place};
pub use kernel::{Product, dot, row_dots, row_dots_double, vec_mat_acc, vec_mats_acc, wide};
pub use linalg::{
    add_bias, column_sums_acc, product, product_acc, product_nt, product_nt_acc, product_nt_in,
    product_tn_acc, products_acc,
};
pub use packed::Packed;
pub use parallel::for_each_parallel;
pub use random::{Stream, fill_normal, fill_uniform, glorot_bound, stream};
pub use reduce::{argmax, sum, sum_of_squares};
pub use softmax::{EmptySupport, log_softmax, softmax, softmax_backward, softmax_masked};
pub use tanh_dots::tanh_dots;
pub use team::{Cut, alone, in_pieces, together};
