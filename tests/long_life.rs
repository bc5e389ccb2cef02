//! Files of every format version open for ever: those in `tests/golden/long_life` were written by the first program
//! that wrote their version, and are never written again.
//!
//! `WRITE_LONG_LIFE=1 cargo test --test long_life` writes those that are missing: for a new version.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is how a test reports a failure"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use regard::app::{AppState, Command, DecodeCommand, ModelSet, Setup, SourceCommand};
use regard::engine::{FORMAT, Model, Precision, ScoreKind};
use regard::project::{
    ModelRef, PREFERENCES_VERSION, PlaySpeed, Preferences, SessionFile, TextSize, Theme, VERSION,
    fingerprint,
};
use regard::training::{
    Adam, LossSums, Position, STATE_FORMAT, Trainer, TrainingOptions, load_state, save_state,
};

#[path = "support/mod.rs"]
#[allow(dead_code, reason = "one model is enough here")]
mod support;

use support::model;

const SENTENCE: &str = "le chat noir dort";

fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/long_life")
        .join(name)
}

fn set(model: Model) -> ModelSet {
    let models = ModelSet::default();
    models.insert(ModelRef::new("dot", fingerprint(&model)), model);
    models
}

/// A state on one model that ran to its end.
fn ran(model: Model) -> AppState {
    let mut state = AppState::new(Setup {
        models: set(model),
        ..Setup::default()
    });
    let text = Command::Source(SourceCommand::SetText(SENTENCE.to_owned()));
    for command in [text, Command::Decode(DecodeCommand::RunToEnd)] {
        let _ = state.apply(command);
    }
    state
}

/// The decode as text: each word with where it looked most, and its weights to four places.
fn shown(session: &SessionFile) -> String {
    let mut text = String::new();
    for run in &session.captured {
        let weights = run.weights.as_ref().unwrap();
        for (word, row) in run.target.iter().zip(weights.iter()) {
            let row: Vec<_> = row.iter().map(|weight| format!("{weight:.4}")).collect();
            writeln!(text, "{} {word}: {}", run.model.name, row.join(" ")).unwrap();
        }
    }
    text
}

fn preferences() -> Preferences {
    let mut preferences = Preferences {
        theme: Theme::Dark,
        text_size: TextSize::from(130),
        speed: PlaySpeed::from(12),
        ..Preferences::default()
    };
    preferences.recent.add(Path::new("a.regard.ron"));
    preferences
}

fn training() -> (Position, Trainer) {
    let network = model(ScoreKind::Dot, 4, 0.0).network;
    let mut adam = Adam::new(&network);
    adam.updates = 321;
    adam.first[0].fill(0.25);
    let position = Position {
        config: model(ScoreKind::Dot, 4, 0.0).network.config().clone(),
        options: TrainingOptions::default(),
        data: "0123abcd".to_owned(),
        pass: 1,
        batch: 17,
        updates: 321,
        tokens: 12_345,
        seconds: 1.5,
        interval: LossSums::default(),
        best: Some((12.5, 300)),
    };
    (position, Trainer::resumed(network, adam))
}

/// Writes what is missing, if that was asked for.
fn write(name: &str, write: impl FnOnce(&Path)) {
    let path = stored(name);
    if std::env::var_os("WRITE_LONG_LIFE").is_some() && !path.exists() {
        write(&path);
    }
}

#[test]
fn a_model_of_version_1_decodes_as_it_did() {
    write("model-1.safetensors", |path| {
        model(ScoreKind::Dot, 4, -9.0)
            .save(path, Precision::F16)
            .unwrap();
    });
    let model = Model::load(&stored("model-1.safetensors")).unwrap();
    assert_eq!(
        model.source_vocabulary.words().to_vec()[4..7],
        ["brun", "chat", "chien"]
    );
    let text = shown(&ran(model).session_file());
    write("decode-1.txt", |path| std::fs::write(path, &text).unwrap());
    assert_eq!(
        text,
        std::fs::read_to_string(stored("decode-1.txt")).unwrap()
    );
}

#[test]
fn a_session_of_version_1_shows_its_figure_with_and_without_the_model() {
    write("session-1.regard.ron", |path| {
        let model = Model::load(&stored("model-1.safetensors")).unwrap();
        ran(model).session_file().save(path).unwrap();
    });
    let session = SessionFile::load(&stored("session-1.regard.ron")).unwrap();
    assert_eq!(session.document.source, SENTENCE);
    let expected = std::fs::read_to_string(stored("decode-1.txt")).unwrap();
    assert_eq!(shown(&session), expected);
    // The model that it was made with is the one that is stored beside it.
    let model = Model::load(&stored("model-1.safetensors")).unwrap();
    assert_eq!(session.document.models[0].sha256, fingerprint(&model));
}

#[test]
fn a_training_and_preferences_of_version_1_come_back() {
    write("state-1.resume", |path| {
        let (position, trainer) = training();
        save_state(path, &position, &trainer).unwrap();
    });
    let (position, trainer) = load_state(&stored("state-1.resume")).unwrap();
    let (expected, begun) = training();
    assert_eq!(position, expected);
    assert!(trainer.network == begun.network && trainer.adam == begun.adam);

    write("preferences-1.ron", |path| {
        std::fs::write(path, preferences().to_text().unwrap()).unwrap();
    });
    let text = std::fs::read_to_string(stored("preferences-1.ron")).unwrap();
    assert_eq!(Preferences::from_text(&text).unwrap(), preferences());
}

/// The message of a container whose version entry `key` is raised to 7.
fn of_version_7(name: &str, key: &str, read: impl Fn(&Path) -> String) -> String {
    let mut bytes = std::fs::read(stored(name)).unwrap();
    let entry = format!("\"{key}\":\"1\"");
    let at = bytes
        .windows(entry.len())
        .position(|part| part == entry.as_bytes());
    bytes[at.unwrap() + entry.len() - 2] = b'7';
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    read(&path)
}

#[test]
fn files_of_a_newer_version_are_refused_with_both_versions() {
    let text = std::fs::read_to_string(stored("session-1.regard.ron")).unwrap();
    let newer = text.replacen("version: 1", "version: 7", 1);
    let session = SessionFile::from_bytes(newer.as_bytes())
        .unwrap_err()
        .to_string();
    let text = std::fs::read_to_string(stored("preferences-1.ron")).unwrap();
    let newer = text.replacen("version:1", "version:7", 1);
    let preferences = Preferences::from_text(&newer).unwrap_err().to_string();
    let model = of_version_7("model-1.safetensors", "regard.format", |path| {
        Model::load(path).unwrap_err().to_string()
    });
    let state = of_version_7("state-1.resume", "regard.resume_format", |path| {
        load_state(path).unwrap_err().to_string()
    });
    let present = [VERSION, PREFERENCES_VERSION].map(|version| format!("reads up to {version}"));
    for (message, present) in [
        (&session, &present[0]),
        (&preferences, &present[1]),
        (&model, &format!("reads format {FORMAT}")),
        (&state, &format!("reads format {STATE_FORMAT}")),
    ] {
        assert!(message.contains(present.as_str()), "{message}");
        assert!(
            message.contains("version 7") || message.contains("format 7"),
            "{message}"
        );
        assert!(message.contains("version of regard"), "{message}");
    }
}
