//! Folders, models and runs of the program.

use std::path::Path;
use std::sync::OnceLock;

use assert_cmd::Command;
use regard::engine::{CellKind, Model, ModelConfig, Precision, ScoreKind, Seq2Seq, Wiring};
use regard::text::{TokeniserKind, Vocabulary};
use serde_json::Value;
use tempfile::TempDir;

/// The program, to be run in `folder`.
pub(crate) fn regard(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regard"));
    command.current_dir(folder).args(arguments);
    command
}

/// Standard output of a run that ends well.
pub(crate) fn output(folder: &Path, arguments: &[&str]) -> String {
    let output = regard(folder, arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

/// Each line of a run that ends well, as JSON.
pub(crate) fn json_lines(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let text = output(folder, arguments);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Exit code, standard output and standard error.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = regard(folder, arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A folder with `additive.safetensors` and `bottleneck.safetensors`, which are small, seeded and untrained.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for score in [ScoreKind::Additive, ScoreKind::Bottleneck] {
        let path = folder.path().join(format!("{score}.safetensors"));
        untrained(score).save(&path, Precision::F32).unwrap();
    }
    folder
}

fn untrained(score: ScoreKind) -> Model {
    let source = "le chat noir dort la maison blanche est grande parlez -vous ?";
    let target = "the black cat sleeps white house is big do you speak ?";
    let source_vocabulary = Vocabulary::build(source.split(' '), 100, 1);
    let target_vocabulary = Vocabulary::build(target.split(' '), 100, 1);
    let config = ModelConfig {
        source_vocabulary: source_vocabulary.len(),
        target_vocabulary: target_vocabulary.len(),
        embedding: 8,
        encoder: 6,
        decoder: 12,
        attention: 10,
        readout: 8,
        cell: CellKind::Gru,
        score,
        wiring: Wiring::Bahdanau,
        input_feeding: false,
        tied: true,
    };
    let mut network = Seq2Seq::initialised(&config.check().unwrap(), 5);
    // Larger numbers, so that weights and words differ from each other.
    for parameter in network.parameters_mut() {
        parameter.values.iter_mut().for_each(|v| *v *= 4.0);
    }
    Model {
        network,
        source_vocabulary,
        target_vocabulary,
        source_tokeniser: TokeniserKind::French,
        target_tokeniser: TokeniserKind::English,
        training: serde_json::json!({ "valid_bleu": 12.5 }),
        notice: "made for a test".to_owned(),
    }
}

/// A folder with `model.safetensors`, trained by the program to reverse letters, and its pairs: `train.tsv`
/// and `valid.tsv`, with links.
pub(crate) fn trained() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let generate = |pairs, seed, file| {
            output(path, &["generate", "reversal", "--pairs", pairs, "--seed", seed, "-o", file]);
        };
        generate("1500", "1", "train.tsv");
        generate("60", "2", "valid.tsv");
        let arguments = "train --pairs train.tsv --valid valid.tsv --scorer additive --out model.safetensors \
            --embedding 24 --encoder 24 --passes 3 --batch 16 --source-tokeniser whitespace \
            --target-tokeniser whitespace --threads 1 --rate 0.01 --warm-up 20 --dropout 0 --validations 1";
        output(path, &arguments.split_whitespace().collect::<Vec<_>>());
        folder
    });
    folder.path()
}

/// Compares with a file of `tests/golden`, or writes it anew if `UPDATE_GOLDEN` is set.
pub(crate) fn assert_golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap()
        .replace("\r\n", "\n");
    assert_eq!(
        found, expected,
        "{name} has changed; UPDATE_GOLDEN=1 accepts the new text"
    );
}
