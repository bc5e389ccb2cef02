//! Floor 2: numbers about attention matrices, links and translations.
//!
//! Nothing here knows of a model, so that a matrix read from another toolkit gets the same numbers as one
//! of ours. Rows are target tokens and columns source tokens; numbers are `f64`, entropies and divergences
//! in nats. A mean or rate of nothing is `None`, never NaN.
//!
//! | about | functions |
//! |---|---|
//! | the spread of one row | [`entropy()`], [`effective_sources`], [`euclidean_norm`] |
//! | one matrix | [`coverage()`], [`fertility`], [`monotonicity()`], [`crossings`], [`Pattern`] |
//! | two distributions or matrices | [`js_divergence`], [`total_variation`], [`top1_agreement`] |
//! | links and gold links | [`AlignmentCounts`], [`argmax_links`], [`diagonal_links`] |
//! | translations and references | [`BleuCounts`], [`corpus_bleu`], [`LengthBuckets`] |

mod aer;
mod bleu;
mod coverage;
mod divergence;
mod entropy;
#[cfg(test)]
mod fixtures;
mod length_buckets;
mod monotonicity;
mod norms;
mod pattern;

pub use aer::{AlignmentCounts, argmax_links, diagonal_links};
pub use bleu::{Bleu, BleuCounts, MAX_ORDER, Smoothing, UnequalCorpora, corpus_bleu};
pub use coverage::{UNCOVERED_BELOW, coverage, coverage_deviation, fertility, uncovered};
pub use divergence::{
    js_divergence, kendall_tau_b, kl_divergence, top1_agreement, total_variation,
};
pub use entropy::{
    effective_sources, entropy, max_entropy, mean_entropy, normalised_entropy, row_entropies,
};
pub use length_buckets::{BucketError, LengthBucket, LengthBuckets};
pub use monotonicity::{crossings, diagonal_distance, monotonicity, order_agreement};
pub use norms::euclidean_norm;
pub use pattern::{Pattern, PatternEvidence, PatternThresholds};
