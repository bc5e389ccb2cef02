//! Real corpora through the readers and tokenisers. Runs where `REGARD_DATA` names a folder with them, and
//! passes with a word elsewhere.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is the failure report of a test"
)]

use std::path::PathBuf;

use regard::alignment::read_aligned_pairs;
use regard::text::{TokeniserKind, read_pairs};

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("REGARD_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("REGARD_DATA is not set: nothing to read");
    }
    folder
}

#[test]
fn corpora_are_read_whole_and_survive_tokenising_and_back() {
    let Some(data) = data() else { return };
    for part in ["valid", "test"] {
        let path = data.join(format!("corpora/tatoeba_fra_eng_2019.{part}.tsv"));
        let file = read_pairs(&path).unwrap();
        assert!(file.problems.is_empty(), "{:?}", file.problems.kept());
        assert!(file.pairs.len() > 1_900, "{}", file.pairs.len());
        for pair in file.pairs.iter() {
            for (kind, text) in [
                (TokeniserKind::French, pair.source),
                (TokeniserKind::English, pair.target),
            ] {
                let tokens = kind.tokenise(text);
                assert!(!tokens.is_empty(), "{text}");
                assert_eq!(kind.tokenise(&kind.detokenise(&tokens)), tokens, "{text}");
            }
        }
    }
}

#[test]
fn known_links_lie_within_their_sentences() {
    let Some(data) = data() else { return };
    let mut pairs = 0;
    for folder in ["gold", "silver"] {
        for entry in std::fs::read_dir(data.join(folder)).unwrap() {
            let file = read_aligned_pairs(&entry.unwrap().path()).unwrap();
            assert!(file.problems.is_empty(), "{:?}", file.problems.kept());
            pairs += file.pairs.len();
        }
    }
    assert!(pairs > 4_000, "{pairs}");
}
