//! BLEU against sacrebleu.
//!
//! The numbers were made by `tests/reference/make_bleu.py`; the README beside it says what each field is.

#![allow(clippy::unwrap_used, reason = "a panic is the failure report")]

use std::path::Path;

use approx::assert_abs_diff_eq;
use regard::metrics::{Bleu, BleuCounts, Smoothing, corpus_bleu};
use serde::Deserialize;

const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Fixture {
    corpora: Vec<Corpus>,
}

#[derive(Deserialize)]
struct Corpus {
    name: String,
    hypotheses: Vec<String>,
    references: Vec<String>,
    score_exp: f64,
    precisions_exp: [f64; 4],
    score_none: f64,
    precisions_none: [f64; 4],
    brevity_penalty: f64,
    matches: [u64; 4],
    totals: [u64; 4],
    hypothesis_length: u64,
    reference_length: u64,
}

fn corpora() -> Vec<Corpus> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/bleu.json");
    let fixture: Fixture = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(!fixture.corpora.is_empty());
    fixture.corpora
}

fn tokens(lines: &[String]) -> Vec<Vec<&str>> {
    lines
        .iter()
        .map(|line| line.split_whitespace().collect())
        .collect()
}

fn bleu(corpus: &Corpus, smoothing: Smoothing) -> Bleu {
    let (hypotheses, references) = (tokens(&corpus.hypotheses), tokens(&corpus.references));
    corpus_bleu(&hypotheses, &references, smoothing).unwrap()
}

fn assert_equal(name: &str, bleu: &Bleu, score: f64, precisions: [f64; 4]) {
    println!("{name}: {bleu:?}");
    assert_abs_diff_eq!(bleu.score, score, epsilon = TOLERANCE);
    for (ours, theirs) in bleu.precisions.iter().zip(precisions) {
        assert_abs_diff_eq!(*ours, theirs, epsilon = TOLERANCE);
    }
}

#[test]
fn the_counts_are_those_of_sacrebleu() {
    for corpus in corpora() {
        let expected = BleuCounts {
            matches: corpus.matches,
            totals: corpus.totals,
            hypothesis_length: corpus.hypothesis_length,
            reference_length: corpus.reference_length,
        };
        let bleu = bleu(&corpus, Smoothing::None);
        assert_eq!(bleu.counts, expected, "{}", corpus.name);
        assert_abs_diff_eq!(
            bleu.brevity_penalty,
            corpus.brevity_penalty,
            epsilon = TOLERANCE
        );
    }
}

#[test]
fn the_unsmoothed_scores_are_those_of_sacrebleu() {
    for corpus in corpora() {
        let bleu = bleu(&corpus, Smoothing::None);
        assert_equal(
            &corpus.name,
            &bleu,
            corpus.score_none,
            corpus.precisions_none,
        );
    }
}

#[test]
fn the_smoothed_scores_are_those_of_sacrebleu() {
    for corpus in corpora() {
        let bleu = bleu(&corpus, Smoothing::Exponential);
        assert_equal(&corpus.name, &bleu, corpus.score_exp, corpus.precisions_exp);
    }
}
