//! The shipped models do what they are shipped for: the demo sentences and the alignments of the gold set.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is the failure report of a test"
)]

use std::path::Path;

use regard::alignment::read_aligned_pairs;
use regard::engine::{Model, ScoreKind};
use regard::metrics::{AlignmentCounts, argmax_links};
use regard::numeric::argmax;
use regard::shipped;
use regard::text::{END, START};

/// A demo sentence, what counts as a translation of it, and where words should look.
struct Demo {
    source: Vec<String>,
    acceptable: Vec<String>,
    peaks: Vec<(String, String)>,
}

fn sample(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .join(name)
}

fn demos(model: &Model) -> Vec<Demo> {
    let text = std::fs::read_to_string(sample("acceptable.tsv")).unwrap();
    let demo = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        Demo {
            source: model.source_tokeniser.tokenise(columns[0]),
            acceptable: columns[1].split(" | ").map(str::to_owned).collect(),
            peaks: columns[2]
                .split(' ')
                .map(|pair| pair.split_once(':').unwrap())
                .map(|(target, source)| (target.to_owned(), source.to_owned()))
                .collect(),
        }
    };
    text.lines().map(demo).collect()
}

/// Attention rows `[T, S]` of a forced target, without that of `</s>`.
fn forced_rows(model: &Model, source: &[String], target: &[String]) -> ndarray::Array2<f32> {
    let ids = model.source_vocabulary.encode(source);
    let mut inputs = vec![START];
    inputs.extend(model.target_vocabulary.encode(target));
    inputs.pop();
    let trace = model.network.forward(&ids, &inputs, 1, None, None).unwrap();
    trace.decoder.attention.weights
}

/// What is wrong with a model's answer to a demo sentence; nothing if it is right.
fn complaint(model: &Model, demo: &Demo) -> Option<String> {
    let ids = model.source_vocabulary.encode(&demo.source);
    let output = model.network.translate(&[&ids]).remove(0);
    assert!(!output.contains(&END));
    let words: Vec<String> = output
        .iter()
        .map(|id| model.target_vocabulary.word(*id).unwrap().to_owned())
        .collect();
    let mut bare = words.clone();
    bare.pop_if(|last| [".", "!", "?"].contains(&last.as_str()));
    if !demo.acceptable.contains(&bare.join(" ")) {
        return Some(format!("{} → {}", demo.source.join(" "), words.join(" ")));
    }
    let rows = forced_rows(model, &demo.source, &words);
    for (row, word) in rows.rows().into_iter().zip(&words) {
        let found = &demo.source[argmax(row.as_slice().unwrap()).0];
        let wanted = demo.peaks.iter().find(|(target, _)| target == word);
        if let Some((_, wanted)) = wanted
            && found != wanted
        {
            return Some(format!(
                "{}: {word} looks at {found}, not at {wanted}",
                demo.source.join(" ")
            ));
        }
    }
    None
}

fn attending() -> Vec<(ScoreKind, Model)> {
    let scores = shipped::list()
        .iter()
        .map(|shipped| shipped.score)
        .filter(|score| score.attends());
    scores
        .map(|score| (score, shipped::model(score).unwrap()))
        .collect()
}

#[test]
fn demo_sentences_are_translated_with_their_words_on_the_right_places() {
    let models = attending();
    let Some((_, first)) = models.first() else {
        return;
    };
    for (i, demo) in demos(first).iter().enumerate() {
        let complaints: Vec<String> = models
            .iter()
            .filter_map(|(score, model)| {
                Some(format!("{score}: {}", complaint(model, &demos(model)[i])?))
            })
            .collect();
        let sentence = demo.source.join(" ");
        // One of the four may see a word elsewhere.
        assert!(complaints.len() <= 1, "{sentence}: {complaints:#?}");
        complaints
            .iter()
            .for_each(|complaint| println!("{complaint}"));
    }
}

#[test]
fn additive_and_dot_align_the_gold_set_well() {
    let gold = read_aligned_pairs(&sample("gold/everyday.fr-en.tsv")).unwrap();
    assert!(gold.problems.is_empty());
    for (score, model) in attending() {
        let mut counts = AlignmentCounts::default();
        for pair in gold.pairs.iter() {
            let rows = forced_rows(&model, &pair.source, &pair.target);
            counts.add(&argmax_links(&rows, pair.target.len()), &pair.links);
        }
        let aer = counts.aer().unwrap();
        println!("{score}: AER {aer:.4} on the gold set");
        if matches!(score, ScoreKind::Additive | ScoreKind::Dot) {
            assert!(aer <= 0.28, "{score}: AER {aer}");
        }
    }
}
