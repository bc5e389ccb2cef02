//! Matrices of weights with labelled rows and columns, and hard alignment links.
//!
//! Rows are target tokens and columns source tokens, everywhere.
//!
//! - [`LabelledMatrix`] holds any values; [`AttentionMatrix`] is one whose rows are checked to be
//!   probability distributions.
//! - [`Links`] are hand-made or computed links between words, sure or merely possible.
//! - [`merge_subwords`] joins the pieces of subword models into words.

mod links;
mod matrix;
mod pairs;
mod subword;

pub use links::{Certainty, Link, LinkError, Links};
pub use matrix::{AttentionError, AttentionMatrix, LabelledMatrix, MatrixError, SUM_TOLERANCE};
pub use pairs::{AlignedFile, AlignedList, AlignedPair, parse_aligned_pairs, read_aligned_pairs};
pub use subword::{SubwordMark, merge_subwords};
