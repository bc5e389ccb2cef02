//! The networks that are compared, and what they read.

use rand::RngExt as _;
use regard::engine::{CellKind, ModelConfig, ScoreKind, Seq2Seq, Wiring};
use regard::numeric::stream;
use regard::text::UNKNOWN;
use regard::training::Example;

/// Half the width of the noise on embeddings.
const EMBEDDING_NOISE: f32 = 1.0;
/// The same on biases; weights have `1 / √rows`.
const BIAS_NOISE: f32 = 0.2;

/// A size of network, as in `twin.py`: `E`, `H`, `V` of source and target; `D = K = A = 2H`, `R = E`.
pub(crate) struct Size {
    pub(crate) name: &'static str,
    embedding: usize,
    encoder: usize,
    vocabularies: (usize, usize),
}

const SIZES: [Size; 3] = [
    Size {
        name: "small",
        embedding: 64,
        encoder: 64,
        vocabularies: (100, 100),
    },
    Size {
        name: "everyday",
        embedding: 128,
        encoder: 128,
        vocabularies: (8000, 6000),
    },
    Size {
        name: "large",
        embedding: 256,
        encoder: 256,
        vocabularies: (8000, 6000),
    },
];

/// `count` words that are no marks, the same in every run.
pub(crate) fn words(count: usize, vocabulary: usize, seed: u64) -> Vec<u32> {
    let mut rng = stream(&[seed]);
    let mut word = || rng.random_range(UNKNOWN + 1..vocabulary as u32);
    (0..count).map(|_| word()).collect()
}

impl Size {
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let size = SIZES.into_iter().find(|size| size.name == name);
        size.ok_or_else(|| format!("no size \"{name}\""))
    }

    fn config(&self, score: ScoreKind) -> ModelConfig {
        ModelConfig {
            source_vocabulary: self.vocabularies.0,
            target_vocabulary: self.vocabularies.1,
            embedding: self.embedding,
            encoder: self.encoder,
            decoder: 2 * self.encoder,
            attention: 2 * self.encoder,
            readout: self.embedding,
            cell: CellKind::Gru,
            score,
            wiring: Wiring::Bahdanau,
            input_feeding: false,
            tied: true,
        }
    }

    /// A network of this size, the same in every run. Fresh ones attend almost evenly and have biases of zero; a twin
    /// with a wrong score or a missing bias would agree with them, so that every parameter gets noise.
    pub(crate) fn network(&self, score: ScoreKind) -> Seq2Seq {
        let config = self.config(score).check().expect("a valid size");
        let mut network = Seq2Seq::initialised(&config, 1);
        let mut rng = stream(&[2]);
        for parameter in network.parameters_mut() {
            let noise = match parameter.shape[..] {
                _ if parameter.name.ends_with("embedding") => EMBEDDING_NOISE,
                [rows, _] => 1.0 / (rows as f32).sqrt(),
                _ => BIAS_NOISE,
            };
            for value in parameter.values {
                *value += (rng.random::<f32>() * 2.0 - 1.0) * noise;
            }
        }
        network
    }

    /// `batch` sentences of `source` and `target` words; `</s>` comes on top of the latter.
    pub(crate) fn batch(&self, batch: usize, source: usize, target: usize) -> Vec<Example> {
        let example = |i| Example {
            source: words(source, self.vocabularies.0, 100 + i),
            target: words(target, self.vocabularies.1, 10_000 + i),
            marked: false,
        };
        (0..batch as u64).map(example).collect()
    }
}
