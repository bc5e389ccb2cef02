//! What a training can be told, and the learning rate that follows from it.

use serde::{Deserialize, Serialize};

/// The options of a training that change its numbers. They stand in the resume file; a training goes on
/// only with the options it began with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingOptions {
    /// Names every random stream.
    pub seed: u64,
    /// Shards that a batch is cut into, one a thread. Part of the result: sums round differently, and each shard
    /// draws its own dropout.
    pub threads: usize,
    /// Passes over the data.
    pub passes: usize,
    /// Largest number of sentences in a batch.
    pub batch: usize,
    /// Largest number of source tokens in a batch of long sentences.
    pub batch_tokens: usize,
    /// Highest learning rate.
    pub rate: f32,
    /// Updates over which the rate rises from zero.
    pub warm_up: u64,
    /// Share of the passes after which the rate begins to fall, by half every `half_life` passes.
    pub hold: f32,
    /// Passes in which the rate halves.
    pub half_life: f32,
    /// Largest norm of the gradient.
    pub clip: f32,
    /// Share of embeddings and readouts set to zero.
    pub dropout: f32,
    /// Probability spread over all words.
    pub label_smoothing: f32,
    /// Share of the pairs that lose their final mark.
    pub drop_mark: f32,
    /// Share of the examples that are several pairs one after the other.
    pub concatenate: f32,
    /// Fewest and most pairs in such an example.
    pub concatenated: (usize, usize),
    /// Longest source or target sentence of an example, in tokens; longer pairs are left out.
    pub longest: usize,
    /// Validations a pass.
    pub validations: usize,
}

impl Default for TrainingOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            threads: 2,
            passes: 4,
            batch: 64,
            batch_tokens: 1600,
            rate: 2e-3,
            warm_up: 400,
            hold: 0.5,
            half_life: 1.0,
            clip: 1.0,
            dropout: 0.2,
            label_smoothing: 0.0,
            drop_mark: 0.0,
            concatenate: 0.0,
            concatenated: (2, 5),
            longest: 80,
            validations: 2,
        }
    }
}

/// Why options were refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("option {name} is {found}; expected {expected}")]
pub struct OptionError {
    /// The field of [`TrainingOptions`].
    pub name: &'static str,
    /// What was asked for.
    pub found: String,
    /// What it may be.
    pub expected: &'static str,
}

impl TrainingOptions {
    /// Checks every field.
    ///
    /// # Errors
    /// The first field that is out of range.
    pub fn check(&self) -> Result<(), OptionError> {
        let err = |name, found: String, expected| {
            Err(OptionError {
                name,
                found,
                expected,
            })
        };
        let counts = [
            ("threads", self.threads, 1..=64, "1 to 64"),
            ("passes", self.passes, 1..=10_000, "1 to 10,000"),
            ("batch", self.batch, 1..=4096, "1 to 4096"),
            (
                "batch_tokens",
                self.batch_tokens,
                1..=1_000_000,
                "1 to 1,000,000",
            ),
            ("longest", self.longest, 1..=500, "1 to 500 tokens"),
            (
                "validations",
                self.validations,
                1..=1000,
                "1 to 1000 a pass",
            ),
            (
                "concatenated",
                self.concatenated.0,
                2..=self.concatenated.1,
                "2 or more, fewest first",
            ),
        ];
        for (name, found, range, expected) in counts {
            if !range.contains(&found) {
                return err(name, found.to_string(), expected);
            }
        }
        let shares = [
            ("dropout", self.dropout),
            ("label_smoothing", self.label_smoothing),
            ("drop_mark", self.drop_mark),
            ("concatenate", self.concatenate),
            ("hold", self.hold),
        ];
        for (name, found) in shares {
            let most = if name == "dropout" { 0.95 } else { 1.0 };
            if !(0.0..=most).contains(&found) {
                return err(name, found.to_string(), "0 to 1 (dropout at most 0.95)");
            }
        }
        for (name, found) in [
            ("rate", self.rate),
            ("clip", self.clip),
            ("half_life", self.half_life),
        ] {
            if !(found > 0.0 && found.is_finite()) {
                return err(name, found.to_string(), "a positive number");
            }
        }
        Ok(())
    }

    /// The learning rate of update `update` (counted from 0), `passed` passes into the training: a linear
    /// rise over the warm-up, a plateau, then halving.
    pub fn rate_at(&self, update: u64, passed: f64) -> f32 {
        let rise = ((update + 1) as f64 / self.warm_up.max(1) as f64).min(1.0);
        let beyond = (passed - self.passes as f64 * f64::from(self.hold)).max(0.0);
        let fall = 0.5_f64.powf(beyond / f64::from(self.half_life));
        (f64::from(self.rate) * rise * fall) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_rises_holds_and_halves() {
        let options = TrainingOptions {
            rate: 1.0,
            warm_up: 10,
            passes: 4,
            hold: 0.5,
            ..Default::default()
        };
        assert!((options.rate_at(0, 0.0) - 0.1).abs() < 1e-6);
        assert!((options.rate_at(50, 1.9) - 1.0).abs() < 1e-6);
        assert!((options.rate_at(99, 3.0) - 0.5).abs() < 1e-6);
        assert!((options.rate_at(99, 4.0) - 0.25).abs() < 1e-6);
    }

    #[test]
    fn bad_options_are_named() {
        let bad = |change: fn(&mut TrainingOptions)| {
            let mut options = TrainingOptions::default();
            assert!(options.check().is_ok());
            change(&mut options);
            options.check().unwrap_err().name
        };
        assert_eq!(bad(|o| o.threads = 0), "threads");
        assert_eq!(bad(|o| o.dropout = 1.0), "dropout");
        assert_eq!(bad(|o| o.rate = f32::NAN), "rate");
        assert_eq!(bad(|o| o.concatenated = (5, 2)), "concatenated");
        assert_eq!(bad(|o| o.label_smoothing = f32::NAN), "label_smoothing");
    }
}
