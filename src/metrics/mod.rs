//! Floor 2: numbers about attention matrices, links and translations.
//!
//! Nothing here knows of a model, so that a matrix read from another toolkit gets the same numbers as one
//! of ours.

mod bleu;

pub use bleu::{Bleu, BleuCounts, MAX_ORDER, Smoothing, UnequalCorpora, corpus_bleu};
