//! The model file: one `.safetensors` file with everything a model needs.
//!
//! The header's metadata holds the configuration, both vocabularies, the names of the tokenisers, figures of
//! the training, the data notice, and hashes of the tensor block (all bytes after the header) and of the
//! metadata. Weights are 16- or 32-bit floats. `docs/checkpoint.md` describes it for other programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use half::f16;
use safetensors::SafeTensorError;
use safetensors::tensor::{Dtype, TensorView};

use super::config::{ConfigError, ModelConfig};
use super::container::{Container, SHA256, serialise};
use super::header::check_values;
use super::network::Seq2Seq;
use crate::storage::{WriteError, write_atomically};
use crate::text::{TokeniserKind, Vocabulary};

/// The version of the format that this program writes.
pub const FORMAT: &str = "1";

/// A network with all that is needed to translate text with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The network.
    pub network: Seq2Seq,
    /// Words of the source side.
    pub source_vocabulary: Vocabulary,
    /// Words of the target side.
    pub target_vocabulary: Vocabulary,
    /// How source text becomes words.
    pub source_tokeniser: TokeniserKind,
    /// How target text becomes words.
    pub target_tokeniser: TokeniserKind,
    /// Figures of the training, as JSON; they are shown, nothing depends on them.
    pub training: serde_json::Value,
    /// What the data was and whose.
    pub notice: String,
}

/// How weights are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// 16-bit floats: half the size, for shipping.
    F16,
    /// 32-bit floats: exact.
    F32,
}

/// Why a model file was refused.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A problem with the content of a named file.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<CheckpointError>,
    },
    /// Not a safetensors file, or cut short.
    #[error("not a whole safetensors file: {0}")]
    Container(String),
    /// Much more in the header than a model has, so that it is not made into memory.
    #[error("not a model of this program: the header has {0}")]
    Header(String),
    /// A metadata entry is missing: not a model of this program.
    #[error("not a model of this program: the metadata has no \"{0}\"")]
    Missing(&'static str),
    /// The file was written by a later version.
    #[error(
        "model format {found} is newer than this program, which reads format {FORMAT}; a newer version of regard opens it"
    )]
    Newer {
        /// The format found.
        found: String,
    },
    /// No program wrote this version.
    #[error("model format {found} was never written; model files begin with format 1")]
    NoFormat {
        /// The format found.
        found: String,
    },
    /// A metadata entry cannot be understood.
    #[error("metadata \"{entry}\": {problem}")]
    Metadata {
        /// Its key.
        entry: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The configuration is not a valid one.
    #[error("configuration: {0}")]
    Config(#[from] ConfigError),
    /// The content was changed after the file was written, or the file is damaged.
    #[error("the {what} were changed or damaged: SHA-256 is {found}, the file says {expected}")]
    Hash {
        /// `weights` or `metadata`.
        what: &'static str,
        /// The hash written in the file.
        expected: String,
        /// The hash of the bytes.
        found: String,
    },
    /// A tensor is missing.
    #[error("tensor {0} is missing")]
    MissingTensor(String),
    /// There is a tensor that the configuration does not have.
    #[error("unexpected tensor {0}")]
    UnexpectedTensor(String),
    /// A tensor has another shape than the configuration says.
    #[error("tensor {name} has shape {found:?}; expected {expected:?}")]
    Shape {
        /// Its name.
        name: String,
        /// The shape in the file.
        found: Vec<usize>,
        /// The shape by the configuration.
        expected: Vec<usize>,
    },
    /// A tensor has neither 16- nor 32-bit floats.
    #[error("tensor {name} has type {found}; expected F16 or F32")]
    Type {
        /// Its name.
        name: String,
        /// The type in the file.
        found: String,
    },
    /// A weight is not a finite number.
    #[error("tensor {name} has {value} at index {index}; expected finite numbers")]
    NotFinite {
        /// Its name.
        name: String,
        /// Row-major index.
        index: usize,
        /// The value.
        value: f32,
    },
    /// A number does not fit in 16 bits.
    #[error("tensor {name} has {value} at index {index}, which does not fit in 16 bits")]
    Overflow {
        /// Its name.
        name: String,
        /// Row-major index.
        index: usize,
        /// The value.
        value: f32,
    },
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Most bytes of the figures of a training, and most values among them.
const LONGEST_FIGURES: usize = 1 << 20;
const MOST_FIGURES: usize = 1000;
/// Most bytes of a configuration or of another entry with fields of its own. They have some hundred; a longer text in
/// the place of a number would be in the message several times.
pub(crate) const LONGEST_FIELDS: usize = 16 << 10;

/// Keys of the metadata.
mod key {
    pub(super) const FORMAT: &str = "regard.format";
    pub(super) const CONFIG: &str = "regard.config";
    pub(super) const SOURCE_VOCABULARY: &str = "regard.source_vocabulary";
    pub(super) const TARGET_VOCABULARY: &str = "regard.target_vocabulary";
    pub(super) const SOURCE_TOKENISER: &str = "regard.source_tokeniser";
    pub(super) const TARGET_TOKENISER: &str = "regard.target_tokeniser";
    pub(super) const TRAINING: &str = "regard.training";
    pub(super) const NOTICE: &str = "regard.notice";
}

impl Model {
    /// The file's bytes.
    ///
    /// # Errors
    /// [`CheckpointError::NotFinite`] or [`CheckpointError::Overflow`] for a weight that cannot be stored.
    pub fn to_bytes(&self, precision: Precision) -> Result<Vec<u8>, CheckpointError> {
        let mut tensors = Vec::new();
        for p in self.network.parameters() {
            if let Some(index) = p.values.iter().position(|v| !v.is_finite()) {
                return Err(CheckpointError::NotFinite {
                    name: p.name,
                    index,
                    value: p.values[index],
                });
            }
            let bytes: Vec<u8> = match precision {
                Precision::F32 => p.values.iter().flat_map(|v| v.to_le_bytes()).collect(),
                Precision::F16 => p
                    .values
                    .iter()
                    .flat_map(|v| f16::from_f32(*v).to_le_bytes())
                    .collect(),
            };
            if precision == Precision::F16
                && let Some(index) = p.values.iter().position(|v| !f16::from_f32(*v).is_finite())
            {
                return Err(CheckpointError::Overflow {
                    name: p.name,
                    index,
                    value: p.values[index],
                });
            }
            tensors.push((p.name, p.shape, bytes));
        }
        let dtype = if precision == Precision::F16 {
            Dtype::F16
        } else {
            Dtype::F32
        };
        let views = tensors
            .iter()
            .map(|(name, shape, bytes)| {
                Ok((name.clone(), TensorView::new(dtype, shape.clone(), bytes)?))
            })
            .collect::<Result<_, SafeTensorError>>();
        views
            .and_then(|views| serialise(views, self.metadata()))
            .map_err(|e| CheckpointError::Container(e.to_string()))
    }

    fn metadata(&self) -> BTreeMap<&'static str, String> {
        let words = |v: &Vocabulary| serde_json::to_string(v).unwrap_or_default();
        let config = serde_json::to_string(self.network.config()).unwrap_or_default();
        [
            (key::FORMAT, FORMAT.to_owned()),
            (key::CONFIG, config),
            (key::SOURCE_VOCABULARY, words(&self.source_vocabulary)),
            (key::TARGET_VOCABULARY, words(&self.target_vocabulary)),
            (
                key::SOURCE_TOKENISER,
                self.source_tokeniser.name().to_owned(),
            ),
            (
                key::TARGET_TOKENISER,
                self.target_tokeniser.name().to_owned(),
            ),
            (key::TRAINING, self.training.to_string()),
            (key::NOTICE, self.notice.clone()),
        ]
        .into()
    }

    /// Reads a file's bytes, checking hash, names, shapes and finiteness.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let file = Container::open(bytes)?;
        let format = file.entry(key::FORMAT)?;
        if format != FORMAT {
            return Err(other_format(format));
        }
        file.entry(SHA256)?;
        file.check_hashes()?;
        let config = file.entry(key::CONFIG)?;
        check_length(key::CONFIG, config, LONGEST_FIELDS)?;
        let config: ModelConfig = json(key::CONFIG, config)?;
        let config = config.check()?;
        // What follows allocates as much as the configuration and the metadata say.
        file.check_tensors(&config, &[""])?;
        let source_vocabulary =
            vocabulary(&file, key::SOURCE_VOCABULARY, config.source_vocabulary)?;
        let target_vocabulary =
            vocabulary(&file, key::TARGET_VOCABULARY, config.target_vocabulary)?;
        let tokeniser = |key| {
            TokeniserKind::from_name(file.entry(key)?).map_err(|e| CheckpointError::Metadata {
                entry: key,
                problem: e.to_string(),
            })
        };
        let mut network = Seq2Seq::zeros(&config);
        for p in network.parameters_mut() {
            file.read(&p.name, p.values)?;
        }
        Ok(Self {
            network,
            source_vocabulary,
            target_vocabulary,
            source_tokeniser: tokeniser(key::SOURCE_TOKENISER)?,
            target_tokeniser: tokeniser(key::TARGET_TOKENISER)?,
            training: figures(file.entry(key::TRAINING)?)?,
            notice: file.entry(key::NOTICE)?.to_owned(),
        })
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes), and if the file cannot be written.
    pub fn save(&self, path: &Path, precision: Precision) -> Result<(), CheckpointError> {
        Ok(write_atomically(path, &self.to_bytes(precision)?)?)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong, with the file's name.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        let bytes = std::fs::read(path).map_err(|source| CheckpointError::Read {
            path: path.to_owned(),
            source,
        })?;
        Self::from_bytes(&bytes).map_err(|source| CheckpointError::File {
            path: path.to_owned(),
            source: Box::new(source),
        })
    }
}

/// Why a format that is not the present one is refused.
fn other_format(format: &str) -> CheckpointError {
    let found = format.chars().take(20).collect();
    let present: u64 = FORMAT.parse().unwrap_or_default();
    match format.parse::<u64>() {
        Ok(number) if number > present => CheckpointError::Newer { found },
        _ => CheckpointError::NoFormat { found },
    }
}

fn json<T: serde::de::DeserializeOwned>(
    entry: &'static str,
    text: &str,
) -> Result<T, CheckpointError> {
    serde_json::from_str(text).map_err(|e| CheckpointError::Metadata {
        entry,
        problem: e.to_string(),
    })
}

/// Refuses a text of more than `most` bytes.
fn check_length(entry: &'static str, text: &str, most: usize) -> Result<(), CheckpointError> {
    if text.len() <= most {
        return Ok(());
    }
    let problem = format!("{} bytes; expected at most {most}", text.len());
    Err(CheckpointError::Metadata { entry, problem })
}

/// The vocabulary of an entry, which must have `size` words.
fn vocabulary(
    file: &Container,
    entry: &'static str,
    size: usize,
) -> Result<Vocabulary, CheckpointError> {
    let refused = |problem| Err(CheckpointError::Metadata { entry, problem });
    let text = file.entry(entry)?;
    if text.trim_ascii_start().starts_with('"') {
        // The reader's own message has the whole text in it.
        return refused("expected a list of words, found a text".to_owned());
    }
    let vocabulary: Vocabulary = json(entry, text)?;
    let found = vocabulary.len();
    if found != size {
        return refused(format!("{found} words; the configuration says {size}"));
    }
    Ok(vocabulary)
}

/// The figures of the training. A parsed JSON value takes many times the room of its text.
fn figures(text: &str) -> Result<serde_json::Value, CheckpointError> {
    let entry = key::TRAINING;
    check_length(entry, text, LONGEST_FIGURES)?;
    check_values(text, MOST_FIGURES)
        .map_err(|problem| CheckpointError::Metadata { entry, problem })?;
    json(entry, text)
}
