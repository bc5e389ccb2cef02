//! Pair files and typed text.

use std::path::Path;
use std::sync::Arc;

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use regard::engine::{DecodeCommand, DecodeSession, ScoreKind, Seq2Seq, SessionError};
use regard::text::{PairFile, TokeniserKind, UNKNOWN, read_pairs, tokenise_pairs};

use super::fixtures::{config, model, rng};

fn pairs(bytes: &[u8]) -> PairFile {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.tsv");
    std::fs::write(&path, bytes).unwrap();
    let file = read_pairs(&path).unwrap();
    for problem in file.problems.kept() {
        assert_eq!(problem.path, path);
        assert!(problem.to_string().len() < 300, "{problem}");
    }
    for (source, target) in [
        (TokeniserKind::French, TokeniserKind::English),
        (TokeniserKind::Whitespace, TokeniserKind::Whitespace),
    ] {
        assert_eq!(
            tokenise_pairs(&file.pairs, source, target).len(),
            file.pairs.len()
        );
    }
    file
}

#[test]
fn broken_lines_are_named_by_file_and_line() {
    let file = pairs(b"a\tb\nalone\n\xFFa\tb\n\tb\na\t\n a \xC3\tb\nc\td\n");
    assert_eq!(file.pairs.len(), 2);
    let shown: Vec<String> = file
        .problems
        .kept()
        .iter()
        .map(ToString::to_string)
        .collect();
    let expected = [
        (":2: ", "only one column"),
        (":3: ", "0xFF at position 1"),
        (":4: ", "a blank source"),
        (":5: ", "a blank target"),
        (":6: ", "0xC3 at position 4"),
    ];
    assert_eq!(shown.len(), expected.len());
    for (message, (line, found)) in shown.iter().zip(expected) {
        assert!(
            message.contains(&format!("pairs.tsv{line}")) && message.contains(found),
            "{message}"
        );
    }
}

#[test]
fn odd_files_are_read() {
    let crlf = pairs("\u{FEFF}le chat\tthe cat\r\n\r\nil dort\the sleeps\r\n".as_bytes());
    assert!(crlf.problems.is_empty());
    assert_eq!(crlf.pairs.get(0).unwrap().source, "le chat");
    assert_eq!(crlf.pairs.get(1).unwrap().target, "he sleeps");

    for empty in ["", "\n", "\u{FEFF}", "\u{FEFF}\r\n\r\n", " \t \t \n"] {
        let file = pairs(empty.as_bytes());
        assert!(
            file.pairs.is_empty() && file.problems.is_empty(),
            "{empty:?}"
        );
    }

    let tabs = pairs(
        format!(
            "a\tb{}\n{}a\tb\n",
            "\t".repeat(100_000),
            "\t".repeat(100_000)
        )
        .as_bytes(),
    );
    assert_eq!((tabs.pairs.len(), tabs.problems.len()), (1, 1));

    let nuls = pairs(b"a\0b\tc\0\n\0\t\0\n");
    assert_eq!(nuls.pairs.len(), 2);
    assert_eq!(nuls.pairs.get(0).unwrap().source, "a\0b");

    let utf_16: Vec<u8> = "le chat\tthe cat\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let file = pairs(&[&[0xFF, 0xFE][..], &utf_16].concat());
    assert!(
        file.problems.kept()[0]
            .to_string()
            .contains("0xFF at position 1")
    );
}

#[test]
fn a_line_of_ten_megabytes_is_read() {
    let long = "le chat, l'été ".repeat(600_000);
    let file = pairs(format!("{long}\tthe cat\nc\td\n{long}").as_bytes());
    assert_eq!(file.pairs.len(), 2);
    assert_eq!(file.pairs.get(0).unwrap().source.len(), long.trim().len());
    assert!(
        file.problems.kept()[0]
            .to_string()
            .contains("only one column")
    );
}

/// A text of pieces that are hard for whoever counts letters.
fn hard_text(rng: &mut regard::numeric::Stream, pieces: usize) -> String {
    const PIECES: [&str; 44] = [
        "chat",
        "L'",
        "l’",
        "aujourd'hui",
        "-vous",
        "-t-il",
        "can't",
        "N'T",
        "'s",
        "...",
        "…",
        "3,5",
        "1.2.3.",
        "«",
        "»",
        "\"",
        "'",
        "!",
        "?!",
        " ",
        "\u{A0}",
        "\u{202F}",
        "\u{2009}",
        "\t",
        "\r\n",
        "\0",
        "👩‍👩‍👧‍👦",
        "👍🏽",
        "🇫🇷",
        "🇫",
        "مرحبا",
        "؟",
        "בְּרֵאשִׁית",
        "\u{200F}",
        "\u{202E}",
        "\u{2066}",
        "\u{200D}",
        "\u{200B}",
        "e\u{301}",
        "\u{301}\u{302}\u{303}",
        "İ",
        "ﬁ",
        "\u{1100}\u{1161}\u{11A8}",
        "\u{10FFFF}",
    ];
    (0..pieces).map(|_| *PIECES.choose(rng).unwrap()).collect()
}

#[test]
fn hard_texts_pass_through_every_tokeniser() {
    let mut rng = rng(4);
    let vocabulary = model().source_vocabulary;
    for _ in 0..600 {
        let count = rng.random_range(0..25);
        let text = hard_text(&mut rng, count);
        for kind in TokeniserKind::ALL {
            let mut end = 0;
            let spans = kind.tokenise_spans(&text);
            for token in &spans {
                assert!(
                    token.start >= end && !token.text.is_empty(),
                    "{kind} {text:?}"
                );
                assert_eq!(
                    text.get(token.start..token.end),
                    Some(&token.surface[..]),
                    "{kind} {text:?}"
                );
                end = token.end;
            }
            let tokens = kind.tokenise(&text);
            assert!(
                tokens.iter().eq(spans.iter().map(|t| &t.text)),
                "{kind} {text:?}"
            );
            let ids = vocabulary.encode(&tokens);
            assert_eq!(ids.len(), tokens.len());
            for (id, token) in ids.iter().zip(&tokens) {
                assert!(*id >= UNKNOWN && (*id as usize) < vocabulary.len());
                assert!(*id == UNKNOWN || vocabulary.word(*id) == Some(token));
                assert!(vocabulary.nearest(token, 3).len() <= 3);
            }
            let shown = kind.detokenise(&tokens);
            let letters = |s: &str| s.chars().filter(|c| !c.is_whitespace()).count();
            assert!(
                letters(&shown) <= tokens.iter().map(|t| letters(t)).sum(),
                "{kind} {text:?} {shown:?}"
            );
            kind.tokenise(&shown);
        }
    }
}

#[test]
fn long_short_and_unknown_sentences_are_decoded() {
    let known = model();
    for score in ScoreKind::ALL {
        let mut config = config();
        config.score = score;
        let network = Arc::new(Seq2Seq::initialised(&config.check().unwrap(), 5));
        let texts = [
            "le chat noir dort ".repeat(125),
            "chat".to_owned(),
            "narval".to_owned(),
            "👩‍👩‍👧‍👦\u{202E}مرحبا".to_owned(),
        ];
        for text in &texts {
            let tokens = known.source_tokeniser.tokenise(text);
            let source = known.source_vocabulary.encode(&tokens);
            let len = source.len();
            assert!(len == 500 || len <= 3);
            let mut session = DecodeSession::new(network.clone(), source, 12).unwrap();
            session.apply(DecodeCommand::RunToEnd).unwrap();
            assert!(session.position() > 0);
            for step in session.steps() {
                assert_eq!(step.weights.is_some(), score.attends());
                let total: f32 = step.weights.iter().flat_map(|w| w.iter()).sum();
                assert!(
                    !score.attends() || (total - 1.0).abs() < 1e-4,
                    "{score}: {total}"
                );
                assert!(step.weights.as_ref().is_none_or(|w| w.len() == len));
                assert!(
                    step.context
                        .iter()
                        .chain(&step.log_probabilities)
                        .all(|v| v.is_finite())
                );
            }
        }
    }
}

#[test]
fn sources_that_cannot_be_decoded_are_refused() {
    let network = Arc::new(model().network);
    let new =
        |source: Vec<u32>, limit| DecodeSession::new(network.clone(), source, limit).unwrap_err();
    assert_eq!(new(vec![], 5), SessionError::EmptySource);
    assert!(
        new(vec![4, 12], 5)
            .to_string()
            .contains("id 12 at position 1")
    );
    assert!(new(vec![4; 5000], 5).to_string().contains("5000 tokens"));
    assert!(new(vec![4], 0).to_string().contains("step limit 0"));
    assert!(new(vec![4], usize::MAX).to_string().contains("step limit"));
}

/// `regard train` on these training and validation files.
fn train(folder: &Path, train: &[u8], more: &[&str]) -> (Option<i32>, String) {
    std::fs::write(folder.join("train.tsv"), train).unwrap();
    std::fs::write(folder.join("valid.tsv"), "a b\tb a\n").unwrap();
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("regard"))
        .current_dir(folder)
        .args([
            "train",
            "--scorer",
            "dot",
            "--embedding",
            "4",
            "--encoder",
            "4",
            "--passes",
            "1",
        ])
        .args([
            "--pairs",
            "train.tsv",
            "--valid",
            "valid.tsv",
            "--out",
            "model",
        ])
        .args(more)
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
fn a_training_on_broken_files_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[u8], &str); 4] = [
        (
            b"a\tb\nalone\n",
            "train.tsv:2: expected a source and a target",
        ),
        (b"a\xFF\tb\n", "train.tsv:1: expected UTF-8 text"),
        (b"", "train.tsv: no pairs in it"),
        (b"\n\n", "train.tsv: no pairs in it"),
    ];
    for (bytes, expected) in cases {
        let (code, message) = train(folder.path(), bytes, &[]);
        assert_eq!(code, Some(1), "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let long = format!("{}\tb\n", "a ".repeat(500_000));
    let (code, message) = train(folder.path(), long.as_bytes(), &[]);
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("no usable pairs to train on"), "{message}");
}

#[test]
fn a_byte_order_mark_does_not_let_a_sentence_slip_into_the_training() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("test.tsv"),
        "\u{FEFF}le chat dort.\tthe cat sleeps.\r\nla mer\tthe sea",
    )
    .unwrap();
    let text = "le chat dort.\tthe cat sleeps.\nla mer\tthe sea\nil dort.\the sleeps.\n";
    let (code, message) = train(folder.path(), text.as_bytes(), &["--exclude", "test.tsv"]);
    assert_eq!(code, Some(0), "{message}");
    assert!(message.contains("1 pairs, 2 kept out"), "{message}");
}
