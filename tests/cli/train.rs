//! Training on from a model.

use crate::support::{folder, output, run, trained};

const TRAIN: [&str; 12] = [
    "train",
    "--scorer",
    "additive",
    "--pairs",
    "valid.tsv",
    "--valid",
    "valid.tsv",
    "--passes",
    "1",
    "--threads",
    "1",
    "--warm-up",
];

/// The pairs that [`trained`] was validated on, beside a copy of its model.
fn copied() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for name in ["valid.tsv", "model.safetensors"] {
        std::fs::copy(trained().join(name), copy.path().join(name)).unwrap();
    }
    copy
}

#[test]
fn a_training_goes_on_from_a_model() {
    let folder = copied();
    let before = std::fs::read(folder.path().join("model.safetensors")).unwrap();
    let mut arguments = TRAIN.to_vec();
    arguments.extend([
        "1",
        "--rate",
        "1e-9",
        "--dropout",
        "0",
        "--from",
        "model.safetensors",
        "--out",
        "on",
    ]);
    let (code, _, errors) = run(folder.path(), &arguments);
    assert_eq!(code, 0, "{errors}");
    // At such a rate nothing is learned: the model says what it said.
    let figures = |model| {
        let arguments = [
            "evaluate",
            model,
            "--pairs",
            "valid.tsv",
            "--format",
            "json",
        ];
        let text = output(folder.path(), &arguments);
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        let pairs = &report["pairs"];
        assert!(pairs["bleu"]["score"].as_f64().unwrap() > 0.0);
        [pairs["bleu"].clone(), pairs["accuracy"].clone()]
    };
    assert_eq!(figures("model.safetensors"), figures("on"));
    let after = std::fs::read(folder.path().join("model.safetensors")).unwrap();
    assert!(before == after, "the model to begin with was written to");
}

#[test]
fn a_model_of_another_score_or_size_is_refused() {
    let folder = folder();
    std::fs::write(folder.path().join("valid.tsv"), "le chat\tthe cat\n").unwrap();
    let mut arguments = TRAIN.to_vec();
    arguments.extend(["1", "--from", "bottleneck.safetensors", "--out", "on"]);
    let (code, _, errors) = run(folder.path(), &arguments);
    assert_eq!(code, 1);
    assert!(
        errors.contains("has the score bottleneck, not additive"),
        "{errors}"
    );
    arguments.extend(["--embedding", "9"]);
    let (code, _, errors) = run(folder.path(), &arguments);
    assert_eq!(code, 2);
    assert!(
        errors.contains("--embedding") && errors.contains("--from"),
        "{errors}"
    );
    assert!(!folder.path().join("on").exists());
}
