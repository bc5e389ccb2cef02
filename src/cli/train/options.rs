//! The options of a training on the command line.

use super::super::values;
use crate::training::TrainingOptions;

/// The options of [`TrainingOptions`].
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Names every random number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; part of the result [default: the cores]
    #[arg(long)]
    threads: Option<usize>,
    /// Passes over the data
    #[arg(long, default_value_t = 4)]
    passes: usize,
    /// Largest number of sentences in a batch
    #[arg(long, default_value_t = 64)]
    batch: usize,
    /// Largest number of source tokens in a batch
    #[arg(long, default_value_t = 1600)]
    batch_tokens: usize,
    /// Highest learning rate
    #[arg(long, default_value_t = 2e-3)]
    rate: f32,
    /// Updates over which the rate rises
    #[arg(long, default_value_t = 400)]
    warm_up: u64,
    /// Share of the passes after which the rate falls
    #[arg(long, default_value_t = 0.5)]
    hold: f32,
    /// Passes in which the rate then halves
    #[arg(long, default_value_t = 1.0)]
    half_life: f32,
    /// Largest norm of the gradient
    #[arg(long, default_value_t = 1.0)]
    clip: f32,
    /// Share of embeddings and readouts dropped
    #[arg(long, default_value_t = 0.2)]
    dropout: f32,
    /// Probability spread over all words
    #[arg(long, default_value_t = 0.0)]
    label_smoothing: f32,
    /// Share of the pairs that lose their final mark
    #[arg(long, default_value_t = 0.0)]
    drop_mark: f32,
    /// Share of the examples that are 2 to 5 pairs one after the other
    #[arg(long, default_value_t = 0.0)]
    concatenate: f32,
    /// Most pairs in such an example
    #[arg(long, default_value_t = 5)]
    concatenate_most: usize,
    /// Longest sentence in tokens
    #[arg(long, default_value_t = 80)]
    longest: usize,
    /// Validations a pass
    #[arg(long, default_value_t = 2)]
    validations: usize,
}

impl Options {
    /// As the trainer takes them.
    pub(super) fn training(&self) -> TrainingOptions {
        TrainingOptions {
            seed: self.seed,
            threads: values::threads(self.threads),
            passes: self.passes,
            batch: self.batch,
            batch_tokens: self.batch_tokens,
            rate: self.rate,
            warm_up: self.warm_up,
            hold: self.hold,
            half_life: self.half_life,
            clip: self.clip,
            dropout: self.dropout,
            label_smoothing: self.label_smoothing,
            drop_mark: self.drop_mark,
            concatenate: self.concatenate,
            concatenated: (2, self.concatenate_most),
            longest: self.longest,
            validations: self.validations,
        }
    }
}
