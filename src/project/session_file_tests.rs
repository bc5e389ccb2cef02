use proptest::prelude::*;

use super::*;
use crate::engine::{DecodePolicy, Intervention, InterventionKind, Scope, ScoreKind};
use crate::project::{
    Colormap, DifferencePair, LONGEST_TEXT, ModelBranches, ModelRef, RunEnd, SavedBranch, Scaling,
    TokenChoice,
};
use crate::text::TokeniserKind;

/// A file as version 1 was first written: it must open for ever.
const GOLDEN: &str = include_str!("golden/session-1.regard.ron");
const BRANCHES: &str = include_str!("golden/branches-1.regard.ron");

fn sample() -> SessionFile {
    let mut document = Document {
        source: "le chat \"noir\"\ndort ☃".to_owned(),
        target: Some("the cat".to_owned()),
        models: vec![ModelRef::new("additive", "0a"), ModelRef::new("dot", "0b")],
        policy: DecodePolicy::Sample {
            temperature: 0.7,
            seed: u64::MAX,
        },
        ..Document::default()
    };
    let mask = Intervention::new(Scope::From(1), InterventionKind::MaskSource(0));
    document.set_interventions("dot", vec![mask]);
    let captured = CapturedRun {
        model: document.models[0].clone(),
        score: ScoreKind::Additive,
        conditions: document.conditions("additive"),
        target_tokeniser: TokeniserKind::English,
        source: ["le", "chat"].iter().collect(),
        target: ["the", "</s>"].iter().collect(),
        copied_from: vec![None, Some(1)],
        weights: Some([[0.1, 0.9], [0.333_333_34, 1e-30]].iter().collect()),
        context_norms: vec![1.5, 2.25],
        state_norms: vec![0.1, 0.2],
        log_probabilities: vec![-0.5, -1e-8],
        entropies: vec![0.3, 0.4],
        end: RunEnd::Finished,
    };
    SessionFile {
        document,
        view: ViewSettings {
            colormap: Colormap::Magma,
            scaling: Scaling::RowMax,
            difference: Some(DifferencePair {
                left: "additive".to_owned(),
                right: "dot".to_owned(),
            }),
            ..ViewSettings::default()
        },
        step: 2,
        captured: vec![captured],
    }
}

fn refusal(text: &str) -> String {
    SessionFile::from_bytes(text.as_bytes())
        .unwrap_err()
        .to_string()
}

#[test]
fn a_session_comes_back_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.regard.ron");
    sample().save(&path).unwrap();
    assert_eq!(SessionFile::load(&path).unwrap(), sample());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("(\n    version: 1,\n"), "{text}");
}

#[test]
fn the_first_files_still_open() {
    let read = SessionFile::from_bytes(GOLDEN.as_bytes()).unwrap();
    assert_eq!(read, sample());
}

#[test]
fn a_session_with_branches_is_written_like_this() {
    let mut session = sample();
    let choices = vec![TokenChoice {
        position: 1,
        token: "cat".to_owned(),
    }];
    let list = vec![SavedBranch {
        name: "a cat".to_owned(),
        choices,
    }];
    session.document.branches = vec![ModelBranches {
        model: "dot".to_owned(),
        list,
        current: Some(0),
    }];
    let text = String::from_utf8(session.to_bytes().unwrap()).unwrap();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/project/golden/");
        std::fs::write(format!("{folder}branches-1.regard.ron"), &text).unwrap();
    }
    assert_eq!(text, BRANCHES);
    assert_eq!(
        SessionFile::from_bytes(BRANCHES.as_bytes()).unwrap(),
        session
    );
}

#[test]
fn branches_that_fit_nothing_are_refused() {
    let refused = |change: fn(&mut ModelBranches)| {
        let mut session = SessionFile::from_bytes(BRANCHES.as_bytes()).unwrap();
        change(&mut session.document.branches[0]);
        let bytes = ron::to_string(&session)
            .unwrap()
            .replacen('(', "(version:1,", 1);
        SessionFile::from_bytes(bytes.as_bytes())
            .unwrap_err()
            .to_string()
    };
    assert!(refused(|entry| entry.current = Some(1)).contains("not among its 1 branches"));
    assert!(refused(|entry| entry.list[0].choices.clear()).contains("branch 1 of"));
    let many = |entry: &mut ModelBranches| entry.list = vec![entry.list[0].clone(); 201];
    assert!(refused(many).contains("201 branches"));
}

#[test]
fn numbers_that_are_not_finite_are_kept() {
    let mut session = sample();
    let odd = [f32::NAN, f32::INFINITY];
    session.captured[0].weights = Some([odd, [f32::NEG_INFINITY, -0.0]].iter().collect());
    session.captured[0].entropies = vec![f64::NAN, f64::NEG_INFINITY];
    let bytes = session.to_bytes().unwrap();
    let read = SessionFile::from_bytes(&bytes).unwrap();
    let weights = read.captured[0].weights.as_ref().unwrap().values();
    assert!(weights[0].is_nan() && weights[1] == f32::INFINITY);
    assert!(weights[2] == f32::NEG_INFINITY && weights[3].to_bits() == (-0.0_f32).to_bits());
    assert!(read.captured[0].entropies[0].is_nan());
    assert_eq!(read.to_bytes().unwrap(), bytes);
}

#[test]
fn missing_fields_have_defaults_and_new_ones_are_passed_over() {
    let read = SessionFile::from_bytes(
        b"\xEF\xBB\xBF(version: 1, mood: (a: [1, Some(\"x\")]), document: (source: \"le\"))",
    )
    .unwrap();
    assert_eq!(read.document.source, "le");
    assert_eq!(read.view, ViewSettings::default());
    assert_eq!((read.step, read.captured.len()), (0, 0));
}

#[test]
fn a_later_version_is_refused_with_a_sentence() {
    let message = refusal("(version: 2, document: Other([1, 2]), anything: {1: 'x'})");
    assert_eq!(
        message,
        "the session has version 2 and this program reads up to 1: a newer version of regard opens it"
    );
    assert!(refusal("(version: 0)").contains("begin with version 1"));
}

#[test]
fn a_damaged_file_is_refused_with_its_place() {
    let message = refusal("(\n    version: 1,\n    document: (source: 5),\n)");
    assert!(message.starts_with("line 3, column "), "{message}");
    assert!(refusal("").starts_with("line 1, column 1: "));
    let bytes = b"(\n version: 1, document: (source: \"\xFF\"))";
    let message = SessionFile::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(message, "line 2, column 34: not a text in UTF-8");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.regard.ron");
    std::fs::write(&path, &GOLDEN.as_bytes()[..300]).unwrap();
    let message = SessionFile::load(&path).unwrap_err().to_string();
    assert!(message.contains("cut.regard.ron: line "), "{message}");
    let message = SessionFile::load(&folder.path().join("none")).unwrap_err();
    assert!(message.to_string().starts_with("cannot read "), "{message}");
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("(version: 1, x: {}{})", "[".repeat(9999), "]".repeat(9999));
    assert!(refusal(&deep).contains("recursion"), "{}", refusal(&deep));
}

#[test]
fn impossible_sessions_are_refused() {
    let broken = |change: fn(&mut SessionFile)| {
        let mut session = sample();
        change(&mut session);
        session.to_bytes().unwrap_err().to_string()
    };
    let message = broken(|s| s.document.models.push(ModelRef::new("dot", "1")));
    assert_eq!(message, "model \"dot\" is chosen twice");
    let message = broken(|s| s.captured[0].entropies.truncate(1));
    assert_eq!(
        message,
        "recorded run of \"additive\": entropies has 1 entries; expected 2"
    );
    let message =
        broken(|s| s.captured[0].weights = Some([&[1.0, 0.0][..], &[1.0]].iter().collect()));
    assert_eq!(
        message,
        "recorded run of \"additive\": a row of weights has 1 entries; expected 2"
    );
    let message = broken(|s| {
        s.document.policy = DecodePolicy::Sample {
            temperature: f32::NAN,
            seed: 0,
        };
    });
    assert!(message.contains("temperature"), "{message}");
    let message = broken(|s| s.document.source = "x".repeat(LONGEST_TEXT + 1));
    assert!(
        message.starts_with("the source has 32769 bytes"),
        "{message}"
    );
    let message = broken(|s| s.document.models[0].name.clear());
    assert!(message.contains("expected 1 to"), "{message}");
}

#[test]
fn lists_that_are_too_long_are_refused_with_their_place() {
    let refused = |field: &str, item: &str, count: usize| {
        let list = format!("{item},").repeat(count);
        refusal(&GOLDEN.replacen(&format!("{field}: ["), &format!("{field}: [{list}"), 1))
    };
    let message = refused("models", "(name: \"x\")", 15);
    assert!(
        message.starts_with("line 12, ") && message.ends_with("17 models; at most 16 are read"),
        "{message}"
    );
    let message = refused("list", "(scope: all, kind: uniform, enabled: true)", 1000);
    assert!(
        message.contains("1001 interventions of a model; at most 1000 are read"),
        "{message}"
    );
    let message = refused("target", "\"\"", 4095);
    assert!(
        message.contains("4097 target words, one a step; at most 4096 are read"),
        "{message}"
    );
    let message = refused("copied_from", "None", 4095);
    assert!(message.contains("4097 places, one a step"), "{message}");
    let message = refused("entropies", "0", 4095);
    assert!(message.contains("4097 numbers, one a step"), "{message}");
    let run = "(model: (name: \"x\"), score: dot, conditions: (), target_tokeniser: french, source: [], target: [])";
    let message = refused("captured", run, 16);
    assert!(message.contains("17 recorded runs"), "{message}");
}

#[test]
fn texts_that_are_too_long_are_refused() {
    let refused = |change: fn(&mut SessionFile)| {
        let mut session = sample();
        change(&mut session);
        session.to_bytes().unwrap_err().to_string()
    };
    let message = refused(|s| s.document.models[0].sha256 = "0".repeat(257));
    assert_eq!(
        message,
        "the name or hash of a model has 257 bytes; at most 256 are read"
    );
    let message = refused(|s| s.captured[0].conditions.source = "x".repeat(LONGEST_TEXT + 1));
    assert!(message.starts_with("the source of a recorded run has 32769"));
    let message =
        refused(|s| s.captured[0].source = [&"x".repeat(LONGEST_TEXT + 1)].iter().collect());
    assert!(message.starts_with("the word of a recorded run has 32769"));
    let message = refused(|s| {
        s.captured[0].conditions.choices.push(TokenChoice {
            position: 0,
            token: "x".repeat(257),
        });
    });
    assert!(message.starts_with("the choice of a recorded run has 257"));
}

#[test]
fn a_session_is_written_into_memory_of_its_length() {
    let bytes = sample().to_bytes().unwrap();
    assert_eq!(bytes.len(), bytes.capacity());
    let mut session = sample();
    let run = &mut session.captured[0];
    run.source = std::iter::repeat_n("x".repeat(LONGEST_TEXT), 2100).collect();
    run.weights = None;
    run.entropies.clear();
    let message = session.to_bytes().unwrap_err().to_string();
    assert!(message.contains("at most 67108864 are read"), "{message}");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = SessionFile::from_bytes(text.as_bytes());
    }

    #[test]
    fn a_damaged_file_is_read_or_refused(at in 0_usize..GOLDEN.len(), byte: u8, cut: bool) {
        let mut bytes = GOLDEN.as_bytes().to_vec();
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] = byte;
        }
        let _ = SessionFile::from_bytes(&bytes);
    }

    #[test]
    fn every_sentence_comes_back(source in any::<String>(), step in 0_usize..99) {
        let mut session = sample();
        session.document.source = source;
        session.step = step;
        let bytes = session.to_bytes().unwrap();
        prop_assert_eq!(SessionFile::from_bytes(&bytes).unwrap(), session);
    }
}
