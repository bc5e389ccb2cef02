//! A small model, and files taken apart to be put together wrongly.

use std::collections::HashMap;

use regard::engine::{CellKind, Model, ModelConfig, ScoreKind, Seq2Seq, Wiring};
use regard::numeric::{Stream, stream};
use regard::storage::hex;
use regard::text::{TokeniserKind, Vocabulary};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use sha2::{Digest as _, Sha256};

pub(crate) fn config() -> ModelConfig {
    ModelConfig {
        source_vocabulary: 12,
        target_vocabulary: 11,
        embedding: 16,
        encoder: 16,
        decoder: 32,
        attention: 16,
        readout: 16,
        cell: CellKind::Gru,
        score: ScoreKind::Additive,
        wiring: Wiring::Bahdanau,
        input_feeding: false,
        tied: true,
    }
}

pub(crate) fn model() -> Model {
    let words = |text: &str| Vocabulary::build(text.split(' '), 100, 1);
    Model {
        network: Seq2Seq::initialised(&config().check().unwrap(), 7),
        source_vocabulary: words("le chat noir dort l' été été, e\u{301}"),
        target_vocabulary: words("the black cat sleeps summer ? ☃"),
        source_tokeniser: TokeniserKind::French,
        target_tokeniser: TokeniserKind::English,
        training: serde_json::json!({ "valid_bleu": 31.25, "options": { "rate": 0.002 } }),
        notice: "Made of \"nothing\",\n© nobody".to_owned(),
    }
}

pub(crate) fn rng(purpose: u64) -> Stream {
    stream(&[2024, purpose])
}

/// A safetensors file in pieces.
pub(crate) struct Parts {
    pub(crate) metadata: HashMap<String, String>,
    pub(crate) tensors: Vec<(String, Dtype, Vec<usize>, Vec<u8>)>,
}

impl Parts {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let (_, header) = SafeTensors::read_metadata(bytes).unwrap();
        let tensors = SafeTensors::deserialize(bytes).unwrap();
        let take = |(name, view): (&str, TensorView)| {
            (
                name.to_owned(),
                view.dtype(),
                view.shape().to_vec(),
                view.data().to_vec(),
            )
        };
        Self {
            metadata: header.metadata().clone().unwrap(),
            tensors: tensors.iter().map(take).collect(),
        }
    }

    pub(crate) fn tensor(&mut self, name: &str) -> &mut (String, Dtype, Vec<usize>, Vec<u8>) {
        self.tensors.iter_mut().find(|t| t.0 == name).unwrap()
    }

    pub(crate) fn set(&mut self, key: &str, value: impl Into<String>) {
        assert!(
            self.metadata.insert(key.to_owned(), value.into()).is_some(),
            "{key}"
        );
    }

    /// Changes a field of a JSON entry.
    pub(crate) fn edit(&mut self, key: &str, edit: impl FnOnce(&mut serde_json::Value)) {
        let mut value = serde_json::from_str(&self.metadata[key]).unwrap();
        edit(&mut value);
        self.set(key, value.to_string());
    }

    /// The file as another program would write it: with the right hash of the weights, and without the optional
    /// one of the metadata.
    pub(crate) fn bytes(mut self) -> Vec<u8> {
        self.metadata.remove("regard.metadata_sha256");
        let views = || {
            self.tensors.iter().map(|(name, dtype, shape, data)| {
                (name, TensorView::new(*dtype, shape.clone(), data).unwrap())
            })
        };
        let plain = safetensors::serialize(views(), None).unwrap();
        let header = u64::from_le_bytes(*plain.first_chunk().unwrap()) as usize;
        let hash = Sha256::digest(&plain[8 + header..]);
        self.metadata.insert("regard.sha256".to_owned(), hex(&hash));
        safetensors::serialize(views(), Some(self.metadata.clone())).unwrap()
    }
}

/// Where to cut a file of `len` bytes.
pub(crate) fn cuts(len: usize) -> impl Iterator<Item = usize> {
    (0..512.min(len))
        .chain((512..len).step_by(4096))
        .chain([len - 1])
}

/// Where the tensor block begins.
pub(crate) fn header_end(bytes: &[u8]) -> usize {
    8 + u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize
}
