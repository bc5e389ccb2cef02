//! `figure`: forms, sizes, sessions, many sentences, and what goes wrong.

use std::path::Path;

use regard::project::{Document, ModelRef, SessionFile, ViewSettings};
use serde_json::Value;

use crate::support::{folder, json_lines, output, regard, run};

const SENTENCE: &str = "le chat noir dort";

/// `regard figure SENTENCE --scorers additive.safetensors …`
fn figure<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["figure", SENTENCE, "--scorers", "additive.safetensors"];
    arguments.extend(more);
    arguments
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn every_form_is_what_its_ending_says() {
    let folder = folder();
    let begins: [(&str, &[u8]); 9] = [
        ("png", b"\x89PNG"),
        ("svg", b"<svg"),
        ("pdf", b"%PDF"),
        ("gif", b"GIF89a"),
        ("csv", b"model,step,target"),
        ("tsv", b"additive\tle\tchat"),
        ("json", b"{\"sentence\":"),
        ("npz", b"PK\x03\x04"),
        ("tex", b"% \\usepackage"),
    ];
    for (ending, begin) in begins {
        let name = format!("a.{ending}");
        output(folder.path(), &figure(&["--steps", "3", "-o", &name]));
        let written = std::fs::read(folder.path().join(&name)).unwrap();
        assert!(written.starts_with(begin), "{ending}");
        let arguments = figure(&["--steps", "3", "-o", "-", "--format", ending]);
        let standard = regard(folder.path(), &arguments).assert().success();
        assert_eq!(
            standard.get_output().stdout,
            written,
            "{ending}: twice the same bytes"
        );
    }
}

#[test]
fn the_numbers_are_those_of_attend() {
    let folder = folder();
    let attended = &json_lines(
        folder.path(),
        &[
            "attend",
            SENTENCE,
            "--model",
            "additive.safetensors",
            "--format",
            "json",
        ],
    )[0];
    let drawn = output(folder.path(), &figure(&["-o", "-", "--format", "json"]));
    let drawn: Value = serde_json::from_str(&drawn).unwrap();
    for key in [
        "weights",
        "scores",
        "entropy",
        "context_norm",
        "log_probability",
        "source",
    ] {
        assert_eq!(drawn["runs"][0][key], attended[key], "{key}");
    }
}

#[test]
fn a_width_in_print_and_a_resolution_make_so_many_pixels() {
    let folder = folder();
    output(
        folder.path(),
        &figure(&["--width=85mm", "--dpi=600", "-o", "a.png"]),
    );
    let bytes = std::fs::read(folder.path().join("a.png")).unwrap();
    assert_eq!(bytes[16..20], 2008_u32.to_be_bytes());
    let at = bytes
        .windows(4)
        .position(|window| window == b"pHYs")
        .unwrap();
    assert_eq!(
        bytes[at + 4..at + 8],
        23_622_u32.to_be_bytes(),
        "pixels to the metre"
    );
}

#[test]
fn a_sentence_needs_a_place_and_a_form() {
    let folder = folder();
    for (more, word) in [
        (&[][..], "-o"),
        (&["-o", "a"], "png, svg, pdf"),
        (&["-o", "a.doc"], "png, svg, pdf"),
        (&["-o", "-"], "--format"),
        (&["-o", "a.png", "--width", "0mm"], "0mm"),
        (&["-o", "a.png", "--width", "100000px"], "16384px"),
        (&["-o", "a.png", "--difference"], "two models"),
        (&["un chien", "-o", "a.png"], "--out-dir"),
        (&["-o", "a.png", "--name-template", "{number}"], "--out-dir"),
    ] {
        let (code, out, err) = run(folder.path(), &figure(more));
        assert_eq!((code, out.as_str()), (2, ""), "{more:?}: {err}");
        assert!(err.contains(word), "{more:?}: {err}");
    }
    assert_eq!(
        files(folder.path()),
        ["additive.safetensors", "bottleneck.safetensors"]
    );
}

#[test]
fn what_cannot_be_drawn_is_said_and_leaves_no_file() {
    let folder = folder();
    let before = files(folder.path());
    for (more, word) in [
        (&["-o", "a.png", "--width=9mm"][..], "needs at least"),
        (&["-o", "a.png", "--step=4000"], "there is no step 4000"),
        (&["-o", "a.gif", "--beam=2"], "GIF"),
        (
            &["-o", "a.png", "--height=16000px", "--width=16000px"],
            "16000 by 16000",
        ),
        (&["-o", "no/such/folder/a.png"], "no/such/folder/a.png"),
        (
            &["-o", "additive.safetensors/a.png"],
            "additive.safetensors/a.png",
        ),
        (&["-o", "."], "."),
        (
            &["-o", "a.png", "--scorers", "nothing.safetensors"],
            "nothing.safetensors",
        ),
        (
            &["-o", "a.png", "--scorers", "bottleneck.safetensors"],
            "no attention",
        ),
    ] {
        let mut arguments = vec!["figure", SENTENCE, "--format=png"];
        arguments.extend(more);
        if !more.contains(&"--scorers") {
            arguments.extend(["--scorers", "additive.safetensors"]);
        }
        if more.contains(&"a.gif") {
            arguments.retain(|argument| *argument != "--format=png");
        }
        let (code, out, err) = run(folder.path(), &arguments);
        assert_eq!((code, out.as_str()), (1, ""), "{more:?}: {err}");
        assert!(err.contains(word), "{more:?}: {err}");
        assert_eq!(files(folder.path()), before, "{more:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let folder = folder();
    let (code, _, err) = run(
        folder.path(),
        &figure(&["-o", "/dev/full", "--format", "svg"]),
    );
    assert_eq!(code, 1);
    assert!(
        err.contains("/dev/full") && err.contains("No space left"),
        "{err}"
    );
    assert!(!Path::new("/dev/full").is_file(), "the device is still one");
}

#[test]
fn a_model_without_attention_stands_beside_others() {
    let folder = folder();
    let arguments = [
        "figure",
        SENTENCE,
        "--scorers",
        "additive.safetensors,bottleneck.safetensors",
    ];
    let svg = output(
        folder.path(),
        &[&arguments[..], &["-o", "-", "--format", "svg"]].concat(),
    );
    assert!(svg.contains(">bottleneck<") && svg.contains(">no attention<"));
    let (code, _, err) = run(
        folder.path(),
        &[&arguments[..], &["--difference", "-o", "a.svg"]].concat(),
    );
    assert_eq!(code, 1);
    assert!(err.contains("one of them has no attention"), "{err}");
}

#[test]
fn many_sentences_go_into_a_folder() {
    let folder = folder();
    std::fs::write(
        folder.path().join("sentences.txt"),
        "\u{feff}le chat dort\r\n\nla maison est blanche\nparlez-vous ?\n",
    )
    .unwrap();
    let common = [
        "figure",
        "--scorers",
        "additive.safetensors",
        "--steps",
        "2",
    ];
    let many = [
        "--file",
        "sentences.txt",
        "--out-dir",
        "made/here",
        "--format",
        "svg",
    ];
    output(folder.path(), &[&common[..], &many].concat());
    let made = folder.path().join("made/here");
    let names = [
        "1-le-chat-dort.svg",
        "3-la-maison-est-blanche.svg",
        "4-parlez-vous.svg",
    ];
    assert_eq!(files(&made), names);
    let alone = [
        "figure",
        "la maison est blanche",
        "-o",
        "-",
        "--format",
        "svg",
    ];
    let alone = output(folder.path(), &[&alone[..], &common[1..]].concat());
    let third = std::fs::read_to_string(made.join(names[1])).unwrap();
    assert_eq!(third, alone, "the same figure on one core and on all");
}

#[test]
fn two_sentences_for_one_file_are_refused_before_anything_is_written() {
    let folder = folder();
    for template in ["{sentence}", "all", "{scorers}"] {
        let arguments = [
            "figure",
            "Le chat dort",
            "le chat dort !",
            "--scorers",
            "additive.safetensors",
            "--out-dir",
            "made",
            "--name-template",
            template,
        ];
        let (code, _, err) = run(folder.path(), &arguments);
        assert_eq!(code, 1, "{template}");
        assert!(err.contains("sentences 1 and 2 would both be"), "{err}");
        assert!(!folder.path().join("made").exists());
    }
    let arguments = [
        "figure",
        "le chat",
        "--out-dir",
        "made",
        "--name-template",
        "../{number}",
    ];
    assert_eq!(run(folder.path(), &arguments).0, 2);
}

#[test]
fn a_sentence_that_fails_does_not_stop_the_others() {
    let folder = folder();
    let arguments = [
        "figure",
        "le chat",
        "   ",
        "la maison",
        "--scorers",
        "additive.safetensors",
        "--out-dir",
        "made",
        "--format",
        "csv",
    ];
    let (code, _, err) = run(folder.path(), &arguments);
    assert_eq!(code, 1);
    assert!(err.contains("sentence 2: the sentence is empty"), "{err}");
    assert_eq!(
        files(&folder.path().join("made")),
        ["1-le-chat.csv", "3-la-maison.csv"]
    );
}

#[test]
fn a_session_is_drawn_from_its_record_where_the_model_is_gone() {
    let folder = folder();
    let record = regard::project::CapturedRun {
        model: ModelRef::new("mine", "0123"),
        score: regard::engine::ScoreKind::General,
        conditions: regard::project::RunConditions {
            source: "un deux".to_owned(),
            ..Default::default()
        },
        target_tokeniser: regard::text::TokeniserKind::Whitespace,
        source: ["un", "deux"].iter().collect(),
        target: ["one", "two"].iter().collect(),
        copied_from: vec![None, None],
        weights: Some([[0.75, 0.25], [f32::NAN, 0.5]].iter().collect()),
        context_norms: vec![1.0, 2.0],
        state_norms: vec![3.0, 4.0],
        log_probabilities: vec![-0.5, f32::NEG_INFINITY],
        entropies: vec![0.56, f64::NAN],
        end: regard::project::RunEnd::Open,
    };
    let session = SessionFile {
        document: Document {
            source: "un deux".to_owned(),
            models: vec![record.model.clone()],
            ..Document::default()
        },
        view: ViewSettings {
            show_curves: false,
            ..ViewSettings::default()
        },
        step: 2,
        captured: vec![record],
    };
    session.save(&folder.path().join("a.regard.ron")).unwrap();
    let drawn = |more: &[&str]| {
        output(
            folder.path(),
            &[&["figure", "a.regard.ron", "-o", "-"], more].concat(),
        )
    };
    let svg = drawn(&["--format", "svg"]);
    assert!(svg.contains(">deux<") && svg.contains(">two<") && svg.contains(">0.75<"));
    assert!(svg.contains(">no number<"), "NaN is hatched and explained");
    let json: Value = serde_json::from_str(&drawn(&["--format", "json"])).unwrap();
    assert_eq!(
        json["runs"][0]["weights"][1],
        serde_json::json!([null, 0.5])
    );
    assert_eq!(
        json["runs"][0]["log_probability"],
        serde_json::json!([-0.5, null])
    );
    assert!(!drawn(&["--format", "svg", "--steps", "1"]).contains(">two<"));
    // Another sentence was not recorded.
    let (code, _, err) = run(
        folder.path(),
        &[
            "figure",
            "a.regard.ron",
            "-o",
            "b.svg",
            "--target",
            "one one",
        ],
    );
    assert_eq!(code, 1);
    assert!(err.contains("no record"), "{err}");
}

#[test]
fn shells_get_their_completions() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish"] {
        let script = output(folder.path(), &["completions", shell]);
        assert!(script.contains("label-angle"), "{shell}");
    }
}
