//! `regard evaluate`.

use serde_json::Value;

use crate::support::{folder, output, run, trained};

fn evaluate(folder: &std::path::Path, more: &[&str]) -> Value {
    let arguments = [&["evaluate"], more, &["--format", "json", "--threads", "2"]].concat();
    serde_json::from_str(&output(folder, &arguments)).unwrap()
}

#[test]
fn a_trained_model_has_figures_that_fit_together() {
    let report = evaluate(
        trained(),
        &[
            "model.safetensors",
            "--pairs",
            "valid.tsv",
            "--links",
            "valid.tsv",
        ],
    );
    assert_eq!(report["model"]["score"], "additive");
    let pairs = &report["pairs"];
    assert_eq!(pairs["sentences"], 60);
    assert_eq!(pairs["source_unknown"], 0.0);
    let number = |value: &Value| value.as_f64().unwrap();
    assert!(number(&pairs["bleu"]["score"]) > 50.0, "{pairs}");
    // Every word is known, so both ways of counting agree.
    assert_eq!(pairs["bleu"]["score"], pairs["bleu_of_ids"]);
    assert!(number(&pairs["accuracy"]) > 0.7 && number(&pairs["perplexity"]) < 3.0);
    assert!(
        number(&pairs["mean_entropy"]) > 0.0 && number(&pairs["mean_effective_sources"]) >= 1.0
    );
    assert!(number(&pairs["tokens_per_second"]) > 0.0);
    let buckets = pairs["bleu_by_length"].as_array().unwrap();
    let counted: u64 = buckets
        .iter()
        .map(|b| b["sentences"].as_u64().unwrap())
        .sum();
    assert_eq!(counted, 60);
    let links = &report["links"];
    assert!(number(&links["attention"]["aer"]) < 0.3, "{links}");
    assert!(number(&links["diagonal"]["aer"]) > 0.6, "{links}");
    assert_eq!(links["attention"]["predicted_links"], links["target_words"]);
    assert_eq!(links["recut_words"], 0);
}

#[test]
fn joined_examples_keep_their_rule_and_their_links() {
    let arguments = [
        "model.safetensors",
        "--pairs",
        "valid.tsv",
        "--links",
        "valid.tsv",
        "--concatenate",
        "2-3",
        "--words",
        "12-20",
        "--examples",
        "40",
        "--seed",
        "3",
    ];
    let report = evaluate(trained(), &arguments);
    assert_eq!(report["concatenation"]["pairs"], serde_json::json!([2, 3]));
    let (pairs, links) = (&report["pairs"], &report["links"]);
    assert_eq!(
        (&pairs["sentences"], &links["sentences"]),
        (&40.into(), &40.into())
    );
    let words = pairs["source_tokens"].as_u64().unwrap();
    assert!((40 * 12..=40 * 20).contains(&words), "{words}");
    // The same file, the same seed: the same examples.
    assert_eq!(words, links["source_words"].as_u64().unwrap());
    assert_eq!(links["sure_links"], links["target_words"]);
    let again = evaluate(trained(), &arguments);
    assert_eq!(again["links"], report["links"]);
    assert_eq!(again["pairs"]["bleu"], report["pairs"]["bleu"]);
    let (code, _, problems) = run(
        trained(),
        &[
            "evaluate",
            "model.safetensors",
            "--pairs",
            "valid.tsv",
            "--concatenate",
            "2-2",
            "--words",
            "900-901",
        ],
    );
    assert_eq!(code, 1);
    assert!(
        problems.contains("valid.tsv: expected 2 to 2 of its 60 pairs"),
        "{problems}"
    );
}

#[test]
fn words_that_the_model_cuts_are_put_together_again() {
    let folder = folder();
    let line = "parlez-vous narval ?\tdo you speak ?\t0-0 0-1 0-2 2-3\n\u{200B}\tthe\t\n";
    std::fs::write(folder.path().join("links.tsv"), line).unwrap();
    let report = evaluate(
        folder.path(),
        &["additive.safetensors", "--links", "links.tsv"],
    );
    let links = &report["links"];
    assert!(report["pairs"].is_null());
    assert_eq!(links["sure_links"], 4);
    assert_eq!(
        links["attention"]["predicted_links"].as_u64().unwrap(),
        links["target_words"].as_u64().unwrap()
    );
    assert!(links["recut_words"].as_u64().unwrap() >= 1);
    let report = evaluate(
        folder.path(),
        &["bottleneck.safetensors", "--links", "links.tsv"],
    );
    assert!(report["links"]["attention"].is_null());
    assert!(report["links"]["diagonal"]["aer"].is_number());
    let text = output(
        folder.path(),
        &["evaluate", "bottleneck.safetensors", "--links", "links.tsv"],
    );
    assert!(text.contains("no attention"), "{text}");
}

#[test]
fn unknown_words_never_match() {
    let folder = folder();
    std::fs::write(folder.path().join("pairs.tsv"), "xx yy\tzz zz zz zz zz\n").unwrap();
    let report = evaluate(
        folder.path(),
        &["additive.safetensors", "--pairs", "pairs.tsv"],
    );
    assert_eq!(report["pairs"]["bleu"]["score"], 0.0);
    assert_eq!(report["pairs"]["target_unknown"], 1.0);
}

#[test]
fn broken_files_are_named_with_their_lines() {
    let folder = folder();
    let write = |name: &str, text: &[u8]| std::fs::write(folder.path().join(name), text).unwrap();
    write("column.tsv", b"le\tthe\nchat\n\tx\n");
    write("empty.tsv", b"");
    write("bytes.tsv", b"caf\xE9\tcoffee\n");
    write("link.tsv", b"le\tthe\t0-7\n");
    for (option, file, expected) in [
        (
            "--pairs",
            "column.tsv",
            "column.tsv:2: expected a source and a target separated by a TAB, found only one column (and 1 more such lines)",
        ),
        (
            "--pairs",
            "empty.tsv",
            "empty.tsv: expected at least one sentence pair, found none",
        ),
        ("--pairs", "bytes.tsv", "bytes.tsv:1: expected UTF-8 text"),
        ("--pairs", "no.tsv", "cannot open no.tsv"),
        (
            "--links",
            "column.tsv",
            "column.tsv:1: expected a third column with links",
        ),
        (
            "--links",
            "link.tsv",
            "link.tsv:1: expected links within 1 source and 1 target words",
        ),
    ] {
        let (code, shown, problems) = run(
            folder.path(),
            &["evaluate", "additive.safetensors", option, file],
        );
        assert_eq!((code, shown.as_str()), (1, ""), "{file}");
        assert!(problems.contains(expected), "{problems}");
    }
}

#[test]
fn what_cannot_be_understood_is_a_usage_error() {
    for more in [
        &[][..],
        &["--pairs", "p.tsv", "--examples", "3"],
        &["--pairs", "p.tsv", "--concatenate", "6-3"],
        &["--pairs", "p.tsv", "--threads", "0"],
        &["--pairs", "p.tsv", "--format", "csv"],
    ] {
        let arguments = [&["evaluate", "model.safetensors"], more].concat();
        let (code, _, problems) = run(trained(), &arguments);
        assert_eq!(code, 2, "{more:?}: {problems}");
    }
}
