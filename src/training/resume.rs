//! The exact state of a training, in a file of its own beside the model: 32-bit weights, moments, position.
//!
//! Random numbers are named by seed, update and shard (see [`crate::numeric::stream`]), so that the position
//! is all that the generators need.

use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, TensorView};
use serde::{Deserialize, Serialize};

use super::loss::LossSums;
use super::optimiser::Adam;
use super::options::TrainingOptions;
use super::trainer::Trainer;
use crate::engine::{
    CheckedConfig, CheckpointError, Container, LONGEST_FIELDS, ModelConfig, Seq2Seq, serialise,
};
use crate::storage::{WriteError, write_atomically};

const ENTRY: &str = "regard.resume";
/// The metadata entry of the version. Files without it are of version 1, which was written before there was one.
const FORMAT_ENTRY: &str = "regard.resume_format";

/// The version of the state that this program writes.
pub const STATE_FORMAT: &str = "1";

/// Where a training stands, without its numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// The model's configuration.
    pub config: ModelConfig,
    /// The options that it was begun with.
    pub options: TrainingOptions,
    /// Names the data, see [`super::TrainingData::fingerprint`].
    pub data: String,
    /// Passes done.
    pub pass: usize,
    /// Batches of the present pass done.
    pub batch: usize,
    /// Updates done.
    pub updates: u64,
    /// Target tokens seen.
    pub tokens: u64,
    /// Seconds spent so far.
    pub seconds: f64,
    /// Sums since the last row of the log.
    pub interval: LossSums,
    /// The best validation so far, and its update.
    pub best: Option<(f64, u64)>,
}

/// Why a training cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is damaged or something else.
    #[error("{} is not the state of a training: {problem}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The training was begun otherwise.
    #[error(
        "the training was begun with other {what}; give the same or start anew\n  then: {then}\n  now:  {now}"
    )]
    Differs {
        /// What differs: options, data or configuration.
        what: &'static str,
        /// As it was begun.
        then: String,
        /// As it was asked for now.
        now: String,
    },
}

impl Position {
    /// Checks that the training is resumed as it was begun.
    ///
    /// # Errors
    /// [`ResumeError::Differs`] with both sides.
    pub fn check(
        &self,
        config: &ModelConfig,
        options: &TrainingOptions,
        data: &str,
    ) -> Result<(), ResumeError> {
        if self.config != *config {
            return Err(differing("model sizes", &self.config, config));
        }
        // More passes may be asked for only where the learning rate does not depend on their number.
        if self.options != *options {
            return Err(differing("options", &self.options, options));
        }
        if self.data != data {
            return Err(ResumeError::Differs {
                what: "data",
                then: self.data.clone(),
                now: data.to_owned(),
            });
        }
        Ok(())
    }
}

/// The error that shows the fields in which `then` and `now` differ.
fn differing<T: Serialize>(what: &'static str, then: &T, now: &T) -> ResumeError {
    // By way of text, in which a 32-bit number is as short as a person wrote it.
    let fields = |value: &T| -> serde_json::Map<String, serde_json::Value> {
        let text = serde_json::to_string(value).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    };
    let (then, now) = (fields(then), fields(now));
    let show = |side: &serde_json::Map<String, serde_json::Value>| {
        let differing = side
            .iter()
            .filter(|(key, _)| then.get(*key) != now.get(*key));
        let shown: Vec<String> = differing
            .map(|(key, value)| format!("{key} {value}"))
            .collect();
        shown.join(", ")
    };
    ResumeError::Differs {
        what,
        then: show(&then),
        now: show(&now),
    }
}

/// Writes the state to `path`, whole or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn save(path: &Path, position: &Position, trainer: &Trainer) -> Result<(), WriteError> {
    let parameters = trainer.network.parameters();
    let mut tensors = Vec::new();
    for (i, p) in parameters.iter().enumerate() {
        let kinds = [
            ("weights", p.values),
            ("first", &trainer.adam.first[i]),
            ("second", &trainer.adam.second[i]),
        ];
        for (kind, values) in kinds {
            let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
            tensors.push((format!("{kind}/{}", p.name), p.shape.clone(), bytes));
        }
    }
    let invalid = |e: String| WriteError {
        path: path.to_owned(),
        source: std::io::Error::other(e),
    };
    let views = tensors
        .iter()
        .map(|(name, shape, bytes)| {
            Ok((
                name.clone(),
                TensorView::new(Dtype::F32, shape.clone(), bytes)?,
            ))
        })
        .collect::<Result<Vec<_>, safetensors::SafeTensorError>>()
        .map_err(|e| invalid(e.to_string()))?;
    let json = serde_json::to_string(position).map_err(|e| invalid(e.to_string()))?;
    let bytes = serialise(
        views,
        [(ENTRY, json), (FORMAT_ENTRY, STATE_FORMAT.to_owned())].into(),
    )
    .map_err(|e| invalid(e.to_string()))?;
    write_atomically(path, &bytes)
}

/// Reads the state written by [`save`].
///
/// # Errors
/// If the file cannot be read or is damaged.
pub fn load(path: &Path) -> Result<(Position, Trainer), ResumeError> {
    let bytes = std::fs::read(path).map_err(|source| ResumeError::Read {
        path: path.to_owned(),
        source,
    })?;
    from_bytes(&bytes).map_err(|problem| ResumeError::Content {
        path: path.to_owned(),
        problem,
    })
}

/// Reads the bytes of a state.
///
/// # Errors
/// What is wrong with them.
pub fn from_bytes(bytes: &[u8]) -> Result<(Position, Trainer), String> {
    let said = |e: CheckpointError| e.to_string();
    let file = Container::open(bytes).map_err(said)?;
    match file.entry(FORMAT_ENTRY) {
        Ok(found) if found != STATE_FORMAT => {
            let found: String = found.chars().take(20).collect();
            return Err(format!(
                "it has format {found}, and this program reads format {STATE_FORMAT}; the version of regard that \
                 began the training goes on with it"
            ));
        }
        _ => {}
    }
    let json = file.entry(ENTRY).map_err(said)?;
    file.check_hashes().map_err(said)?;
    if json.len() > LONGEST_FIELDS {
        let found = json.len();
        return Err(format!(
            "metadata \"{ENTRY}\": {found} bytes; expected at most {LONGEST_FIELDS}"
        ));
    }
    let position: Position = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let config: CheckedConfig = position.config.clone().check().map_err(|e| e.to_string())?;
    file.check_tensors(&config, &["weights/", "first/", "second/"])
        .map_err(said)?;
    let read = |kind: &str, name: &str, into: &mut [f32]| {
        file.read(&format!("{kind}/{name}"), into).map_err(said)
    };
    let mut network = Seq2Seq::zeros(&config);
    let mut adam = Adam::new(&network);
    adam.updates = position.updates;
    for (i, p) in network.parameters_mut().into_iter().enumerate() {
        read("weights", &p.name, p.values)?;
        read("first", &p.name, &mut adam.first[i])?;
        read("second", &p.name, &mut adam.second[i])?;
    }
    Ok((position, Trainer::resumed(network, adam)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::{CellKind, ScoreKind, Wiring};

    fn position(loss: f64, best: f64) -> Position {
        let config = ModelConfig {
            source_vocabulary: 9,
            target_vocabulary: 9,
            embedding: 4,
            encoder: 4,
            decoder: 8,
            attention: 8,
            readout: 4,
            cell: CellKind::Gru,
            score: ScoreKind::Additive,
            wiring: Wiring::Bahdanau,
            input_feeding: false,
            tied: true,
        };
        Position {
            config,
            options: TrainingOptions::default(),
            data: "d".to_owned(),
            pass: 1,
            batch: 2,
            updates: 3,
            tokens: 4,
            seconds: 5.5,
            interval: LossSums {
                loss,
                ..LossSums::default()
            },
            best: Some((best, 3)),
        }
    }

    #[test]
    fn what_differs_is_named_with_both_sides() {
        let begun = position(0.0, 0.0);
        let changed = TrainingOptions {
            rate: 0.01,
            threads: 3,
            ..TrainingOptions::default()
        };
        let message = begun
            .check(&begun.config, &changed, "d")
            .unwrap_err()
            .to_string();
        assert_eq!(
            message,
            "the training was begun with other options; give the same or start anew\n  \
             then: rate 0.002, threads 2\n  now:  rate 0.01, threads 3"
        );
        assert!(begun.check(&begun.config, &begun.options, "d").is_ok());
        assert!(begun.check(&begun.config, &begun.options, "e").is_err());
    }

    proptest! {
        #[test]
        fn every_number_comes_back_to_the_last_bit(loss in 0.0..1e6_f64, best in 0.0..100.0_f64) {
            let begun = position(loss, best);
            let json = serde_json::to_string(&begun).unwrap();
            prop_assert_eq!(serde_json::from_str::<Position>(&json).unwrap(), begun);
        }
    }
}
