//! Floor 2: numbers about attention matrices, links and translations.
//!
//! Nothing here knows of a model, so that a matrix read from another toolkit gets the same numbers as one
//! of ours. Rows are target tokens and columns source tokens; numbers are `f64`, entropies and divergences
//! in nats. A mean or rate of nothing is `None`, never NaN.

mod bleu;
mod length_buckets;

pub use bleu::{Bleu, BleuCounts, MAX_ORDER, Smoothing, UnequalCorpora, corpus_bleu};
pub use length_buckets::{BucketError, LengthBucket, LengthBuckets};
