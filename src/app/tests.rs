//! Handlers and derived data on tiny random models. Longer stories are in `tests/app.rs`.

use crate::engine::{CellKind, Model, ModelConfig, ScoreKind, Seq2Seq, Wiring};
use crate::project::{ModelRef, fingerprint};
use crate::text::{END, TokeniserKind, Vocabulary};

use super::*;

mod branches;
mod compared;
mod decode;
mod depth;
mod derived;
mod files;
mod selection;
mod shared_files;
mod what_if;

const SOURCE_WORDS: &str =
    "le la l' chat noir dort chien brun mange une pomme rouge je suis étudiant fenêtre";
const TARGET_WORDS: &str =
    "the a black cat sleeps dog brown eats red apple i am student window n't";

/// A tiny random model that knows the words of the demo.
pub(super) fn model(score: ScoreKind, seed: u64) -> Model {
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
    network.decoder.output.b[END as usize] = -0.5;
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

pub(super) fn insert(models: &ModelSet, name: &str, model: Model) -> ModelRef {
    let reference = ModelRef::new(name, fingerprint(&model));
    models.insert(reference.clone(), model);
    reference
}

pub(super) fn state() -> AppState {
    let models = ModelSet::default();
    for (seed, score) in (1..).zip(ScoreKind::ALL) {
        insert(&models, score.name(), model(score, seed));
    }
    AppState::new(Setup {
        models,
        state_folder: Some("state".into()),
        ..Setup::default()
    })
}

/// Applies commands that need nothing from outside.
#[track_caller]
pub(super) fn send(state: &mut AppState, commands: impl IntoIterator<Item = Command>) {
    for command in commands {
        let effects = state.apply(command);
        assert!(effects.is_empty(), "{effects:?}");
    }
}

pub(super) fn choose(names: &[&str]) -> Command {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    Command::Models(ModelsCommand::Choose(names))
}

pub(super) fn text(text: &str) -> Command {
    Command::Source(SourceCommand::SetText(text.to_owned()))
}

pub(super) fn names(state: &AppState) -> Vec<&str> {
    state.panes().iter().map(Pane::name).collect()
}
