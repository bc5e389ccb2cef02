//! `regard attend`: where sentences and models come from, and commands that cannot be understood.

use crate::attend::attend;
use crate::support::{folder, output, regard, run};

#[test]
fn sentences_come_from_files_and_standard_input() {
    let folder = folder();
    std::fs::write(
        folder.path().join("in.txt"),
        "\u{FEFF}le chat\r\nla maison\n",
    )
    .unwrap();
    let csv = |more: &[&str]| {
        output(
            folder.path(),
            &attend(&[&["--format", "csv"], more].concat()),
        )
    };
    let expected = csv(&["le chat", "la maison"]);
    assert_eq!(csv(&["--file", "in.txt"]), expected);
    for more in [&[][..], &["-"]] {
        let mut command = regard(
            folder.path(),
            &attend(&[&["--format", "csv"], more].concat()),
        );
        command
            .write_stdin("le chat\nla maison")
            .assert()
            .success()
            .stdout(expected.clone());
    }
    assert_eq!(csv(&["--file", "in.txt", "--output", "out.csv"]), "");
    assert_eq!(
        std::fs::read_to_string(folder.path().join("out.csv")).unwrap(),
        expected
    );
    let mut broken = regard(folder.path(), &attend(&[]));
    let assert = broken
        .write_stdin(b"le chat\ncaf\xE9\nla maison\n".to_vec())
        .assert()
        .code(1);
    let found = assert.get_output();
    assert!(String::from_utf8_lossy(&found.stderr).contains("standard input:2: expected UTF-8"));
    assert!(String::from_utf8_lossy(&found.stdout).contains("la maison"));
}

#[test]
fn what_cannot_be_understood_is_a_usage_error() {
    let folder = folder();
    for more in [
        &["le", "--scorer", "cosine"][..],
        &["le", "--beam", "0"],
        &["le", "--beam", "17"],
        &["le", "--sample", "0"],
        &["le", "--sample", "-1"],
        &["le", "--sample", "nan"],
        &["le", "--sample", "1", "--beam", "2"],
        &["le", "--seed", "3"],
        &["le", "--limit", "0"],
        &["le", "--width", "5"],
        &["le", "--format", "xml"],
        &["le", "--file", "in.txt"],
        &["le", "la", "--target", "the"],
    ] {
        let (code, shown, problems) = run(folder.path(), &attend(more));
        assert_eq!((code, shown.as_str()), (2, ""), "{more:?}");
        assert!(!problems.is_empty());
    }
}

#[test]
fn models_that_are_not_there_are_named() {
    let folder = folder();
    std::fs::write(folder.path().join("text.safetensors"), "no model").unwrap();
    for (file, expected) in [
        ("no.safetensors", "cannot read no.safetensors"),
        ("text.safetensors", "text.safetensors: not a whole"),
    ] {
        let (code, _, problems) = run(folder.path(), &["attend", "le", "--model", file]);
        assert_eq!(code, 1);
        assert!(problems.contains(expected), "{problems}");
    }
    let shipped: Vec<_> = regard::shipped::list()
        .iter()
        .map(|shipped| shipped.score)
        .collect();
    for score in regard::engine::ScoreKind::ALL
        .into_iter()
        .filter(|score| !shipped.contains(score))
    {
        let (code, _, problems) = run(folder.path(), &["attend", "le", "--scorer", score.name()]);
        assert_eq!(code, 1);
        let expected = format!("no model for {score} is shipped with this build");
        assert!(
            problems.contains(&expected) && problems.contains("--model FILE"),
            "{problems}"
        );
    }
}
