//! The configuration of a model, and the check that every other part of the engine relies on.

use serde::{Deserialize, Serialize};

/// How a query is compared with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreKind {
    /// `v_a · tanh(W_a q + U_a k)` (Bahdanau, Cho and Bengio 2015).
    Additive,
    /// `q · k` (Luong, Pham and Manning 2015).
    Dot,
    /// `q · W_a k` (Luong, Pham and Manning 2015).
    General,
    /// `q · k / √K` (Vaswani et al. 2017).
    ScaledDot,
    /// No attention: the two final encoder states at every step.
    Bottleneck,
}

impl ScoreKind {
    /// Every score, in the order in which they are shown.
    pub const ALL: [Self; 5] = [
        Self::Additive,
        Self::Dot,
        Self::General,
        Self::ScaledDot,
        Self::Bottleneck,
    ];

    /// The name used in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Additive => "additive",
            Self::Dot => "dot",
            Self::General => "general",
            Self::ScaledDot => "scaled_dot",
            Self::Bottleneck => "bottleneck",
        }
    }

    /// The kind with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether the query must have the size of the keys (`D = K`).
    pub const fn needs_equal_sizes(self) -> bool {
        matches!(self, Self::Dot | Self::ScaledDot)
    }

    /// Whether there are attention weights at all.
    pub const fn attends(self) -> bool {
        !matches!(self, Self::Bottleneck)
    }
}

impl std::fmt::Display for ScoreKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The recurrent cell of encoder and decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    /// Gated recurrent unit, reset after the product (Cho et al. 2014, in PyTorch's form).
    Gru,
    /// Long short-term memory (Hochreiter and Schmidhuber 1997; gates in PyTorch's order).
    Lstm,
}

impl CellKind {
    /// Every cell.
    pub const ALL: [Self; 2] = [Self::Gru, Self::Lstm];

    /// The name used in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gru => "gru",
            Self::Lstm => "lstm",
        }
    }

    /// How many blocks of the hidden size the pre-activations have: 3 (r, z, n) or 4 (i, f, g, o).
    pub const fn gates(self) -> usize {
        match self {
            Self::Gru => 3,
            Self::Lstm => 4,
        }
    }
}

/// Where attention stands in a decoder step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wiring {
    /// Attend with the previous state, then update the state with the context (Bahdanau 2015).
    Bahdanau,
    /// Update the state, then attend with it (Luong 2015).
    Luong,
}

impl Wiring {
    /// Every wiring.
    pub const ALL: [Self; 2] = [Self::Bahdanau, Self::Luong];

    /// The name used in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bahdanau => "bahdanau",
            Self::Luong => "luong",
        }
    }
}

/// The sizes and choices of a model, as they stand in a file: unchecked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// Source vocabulary size, special entries included.
    pub source_vocabulary: usize,
    /// Target vocabulary size `V`, special entries included.
    pub target_vocabulary: usize,
    /// Embedding size `E`, the same on both sides.
    pub embedding: usize,
    /// Encoder hidden size `H` per direction; the keys have `K = 2H`.
    pub encoder: usize,
    /// Decoder state size `D`.
    pub decoder: usize,
    /// Size `A` of the hidden layer of the additive score; the other scores ignore it.
    pub attention: usize,
    /// Readout size `R`.
    pub readout: usize,
    /// The recurrent cell.
    pub cell: CellKind,
    /// The score.
    pub score: ScoreKind,
    /// Where attention stands.
    pub wiring: Wiring,
    /// Luong wiring only: the previous readout enters the cell.
    pub input_feeding: bool,
    /// The output weights are the target embedding.
    pub tied: bool,
}

/// Why a configuration was refused; one variant a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A vocabulary is too small to hold the special entries and one word, or absurdly large.
    #[error(
        "{side} vocabulary has {found} entries; expected 5 to {}",
        ModelConfig::LARGEST_VOCABULARY
    )]
    Vocabulary {
        /// `source` or `target`.
        side: &'static str,
        /// The size found.
        found: usize,
    },
    /// A layer size is zero or absurdly large.
    #[error("{field} is {found}; expected 1 to {}", ModelConfig::LARGEST_LAYER)]
    Size {
        /// The field of [`ModelConfig`].
        field: &'static str,
        /// The size found.
        found: usize,
    },
    /// The score compares query and key directly, but their sizes differ.
    #[error(
        "the {score} score needs a decoder as large as the keys: decoder is {decoder}, keys (twice the encoder) are {keys}"
    )]
    QueryAndKeySizes {
        /// The score.
        score: ScoreKind,
        /// `D`.
        decoder: usize,
        /// `K`.
        keys: usize,
    },
    /// Tied output weights need `R = E`.
    #[error(
        "tied output needs a readout as large as the embedding: readout is {readout}, embedding is {embedding}"
    )]
    TiedSizes {
        /// `R`.
        readout: usize,
        /// `E`.
        embedding: usize,
    },
    /// Input feeding belongs to the Luong wiring.
    #[error("input feeding belongs to the luong wiring, not to bahdanau")]
    FeedingWiring,
}

impl ModelConfig {
    /// The largest vocabulary accepted.
    pub const LARGEST_VOCABULARY: usize = 1 << 20;
    /// The largest layer accepted.
    pub const LARGEST_LAYER: usize = 1 << 13;

    /// Checks every field, once; the engine relies on it afterwards.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn check(self) -> Result<CheckedConfig, ConfigError> {
        for (side, found) in [
            ("source", self.source_vocabulary),
            ("target", self.target_vocabulary),
        ] {
            if !(5..=Self::LARGEST_VOCABULARY).contains(&found) {
                return Err(ConfigError::Vocabulary { side, found });
            }
        }
        let sizes = [
            ("embedding", self.embedding),
            ("encoder", self.encoder),
            ("decoder", self.decoder),
            ("attention", self.attention),
            ("readout", self.readout),
        ];
        for (field, found) in sizes {
            if !(1..=Self::LARGEST_LAYER).contains(&found) {
                return Err(ConfigError::Size { field, found });
            }
        }
        if self.score.needs_equal_sizes() && self.decoder != self.keys() {
            return Err(ConfigError::QueryAndKeySizes {
                score: self.score,
                decoder: self.decoder,
                keys: self.keys(),
            });
        }
        if self.tied && self.readout != self.embedding {
            return Err(ConfigError::TiedSizes {
                readout: self.readout,
                embedding: self.embedding,
            });
        }
        if self.input_feeding && self.wiring == Wiring::Bahdanau {
            return Err(ConfigError::FeedingWiring);
        }
        Ok(CheckedConfig(self))
    }

    /// Key size `K = 2H`.
    pub const fn keys(&self) -> usize {
        2 * self.encoder
    }

    /// What enters the cell beside the embedding: the context `K`, the previous readout `R`, or nothing.
    pub const fn feed(&self) -> usize {
        match (self.wiring, self.input_feeding) {
            (Wiring::Bahdanau, _) => self.keys(),
            (Wiring::Luong, true) => self.readout,
            (Wiring::Luong, false) => 0,
        }
    }
}

/// A configuration that passed [`ModelConfig::check`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckedConfig(ModelConfig);

impl std::ops::Deref for CheckedConfig {
    type Target = ModelConfig;

    fn deref(&self) -> &ModelConfig {
        &self.0
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A small valid configuration for tests.
    pub(crate) fn tiny(score: ScoreKind) -> ModelConfig {
        ModelConfig {
            source_vocabulary: 11,
            target_vocabulary: 9,
            embedding: 4,
            encoder: 3,
            decoder: 6,
            attention: 5,
            readout: 4,
            cell: CellKind::Gru,
            score,
            wiring: Wiring::Bahdanau,
            input_feeding: false,
            tied: true,
        }
    }

    #[test]
    fn each_bad_field_has_its_error() {
        let base = tiny(ScoreKind::Dot);
        assert!(base.clone().check().is_ok());
        let bad = |change: fn(&mut ModelConfig)| {
            let mut c = base.clone();
            change(&mut c);
            c.check().unwrap_err()
        };
        assert_eq!(
            bad(|c| c.source_vocabulary = 4),
            ConfigError::Vocabulary {
                side: "source",
                found: 4
            }
        );
        assert_eq!(
            bad(|c| c.target_vocabulary = 1 << 30),
            ConfigError::Vocabulary {
                side: "target",
                found: 1 << 30
            }
        );
        assert_eq!(
            bad(|c| c.attention = 0),
            ConfigError::Size {
                field: "attention",
                found: 0
            }
        );
        assert!(matches!(
            bad(|c| c.decoder = 5),
            ConfigError::QueryAndKeySizes {
                decoder: 5,
                keys: 6,
                ..
            }
        ));
        assert!(matches!(
            bad(|c| c.readout = 5),
            ConfigError::TiedSizes { .. }
        ));
        assert_eq!(bad(|c| c.input_feeding = true), ConfigError::FeedingWiring);
    }

    #[test]
    fn names_find_their_kind() {
        for kind in ScoreKind::ALL {
            assert_eq!(ScoreKind::from_name(kind.name()), Some(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
        }
    }
}
