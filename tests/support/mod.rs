//! Tiny random models that know the words of the demo, for tests of the application and of its window.

use regard::app::ModelSet;
use regard::engine::{CellKind, Model, ModelConfig, ScoreKind, Seq2Seq, Wiring};
use regard::project::{ModelRef, fingerprint};
use regard::text::{END, TokeniserKind, Vocabulary};

/// The words that the models read.
pub(crate) const SOURCE_WORDS: &str =
    "le la l' chat noir dort chien brun mange une pomme rouge fenêtre";
/// The words that they say.
pub(crate) const TARGET_WORDS: &str = "the a black cat sleeps dog brown eats red apple window n't";

/// A model of few units; `end` is the bias of `</s>`: the lower, the longer its sentences.
pub(crate) fn model(score: ScoreKind, seed: u64, end: f32) -> Model {
    let words = |text: &'static str| Vocabulary::build(text.split(' '), 99, 1);
    let (source_vocabulary, target_vocabulary) = (words(SOURCE_WORDS), words(TARGET_WORDS));
    let config = ModelConfig {
        source_vocabulary: source_vocabulary.len(),
        target_vocabulary: target_vocabulary.len(),
        embedding: 6,
        encoder: 4,
        decoder: 8,
        attention: 5,
        readout: 6,
        cell: CellKind::Gru,
        score,
        wiring: Wiring::Bahdanau,
        input_feeding: false,
        tied: false,
    };
    let mut network = Seq2Seq::initialised(&config.check().unwrap(), seed);
    // Larger than at the start of a training, so that steps differ.
    for parameter in network.parameters_mut() {
        parameter.values.iter_mut().for_each(|value| *value *= 4.0);
    }
    network.decoder.output.b[END as usize] = end;
    Model {
        network,
        source_vocabulary,
        target_vocabulary,
        source_tokeniser: TokeniserKind::French,
        target_tokeniser: TokeniserKind::English,
        training: serde_json::Value::Null,
        notice: String::new(),
    }
}

/// Puts a model into a set and says how it is named there.
pub(crate) fn insert(models: &ModelSet, name: &str, model: Model) -> ModelRef {
    let reference = ModelRef::new(name, fingerprint(&model));
    models.insert(reference.clone(), model);
    reference
}

/// One model a score, under the score's name.
pub(crate) fn five_models(first_seed: u64, end: f32) -> ModelSet {
    let models = ModelSet::default();
    for (seed, score) in (first_seed..).zip(ScoreKind::ALL) {
        insert(&models, score.name(), model(score, seed, end));
    }
    models
}
