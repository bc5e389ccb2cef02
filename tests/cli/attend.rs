//! `regard attend`.

use serde_json::Value;

use crate::support::{assert_golden, folder, json_lines, output, run, trained};

pub(crate) fn attend<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["attend", "--model", "additive.safetensors"], more].concat()
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_f64().unwrap())
        .collect()
}

#[test]
fn text_is_as_it_was() {
    let folder = folder();
    let text = output(
        folder.path(),
        &attend(&["le chat noir dort", "--limit", "4"]),
    );
    assert_golden("attend.txt", &text);
    let text = output(
        folder.path(),
        &attend(&["Ondine dort", "--target", "the black narwhal sleeps"]),
    );
    assert_golden("attend_target.txt", &text);
    let text = output(
        folder.path(),
        &attend(&["le chat noir", "--beam", "3", "--limit", "5"]),
    );
    assert_golden("attend_beam.txt", &text);
    let arguments = [
        "attend",
        "--model",
        "bottleneck.safetensors",
        "le chat",
        "--limit",
        "3",
    ];
    assert_golden("attend_bottleneck.txt", &output(folder.path(), &arguments));
}

#[test]
fn a_trained_model_looks_at_what_it_reverses() {
    let arguments = [
        "attend",
        "--model",
        "model.safetensors",
        "a b c d e",
        "--format",
        "json",
    ];
    let line = &json_lines(trained(), &arguments)[0];
    assert_eq!(line["translation"], "e d c b a");
    assert_eq!(line["status"], "ended");
    for (t, row) in line["weights"]
        .as_array()
        .unwrap()
        .iter()
        .take(5)
        .enumerate()
    {
        let row = numbers(row);
        let best = (0..5).max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap();
        assert_eq!(best, 4 - t, "{row:?}");
    }
}

#[test]
fn json_has_a_line_a_sentence_and_consistent_numbers() {
    let folder = folder();
    let lines = json_lines(
        folder.path(),
        &attend(&["Ondine dort", "le chat", "--format", "json", "--limit", "6"]),
    );
    assert_eq!(lines.len(), 2);
    for (i, line) in lines.iter().enumerate() {
        assert_eq!(line["sentence"], i + 1);
        let steps = line["target"].as_array().unwrap().len();
        let weights = line["weights"].as_array().unwrap();
        assert_eq!(weights.len(), steps);
        for (row, nats) in weights.iter().zip(numbers(&line["entropy"])) {
            let row = numbers(row);
            assert_eq!(row.len(), 2);
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-5);
            let expected: f64 = row.iter().map(|w| -w * w.ln()).sum();
            assert!((nats - expected).abs() < 1e-5);
        }
        let total: f64 = numbers(&line["log_probability"]).iter().sum();
        assert!((line["total_log_probability"].as_f64().unwrap() - total).abs() < 1e-4);
        for key in [
            "scores",
            "effective_sources",
            "context_norm",
            "state_norm",
            "target_unknown",
        ] {
            assert_eq!(line[key].as_array().unwrap().len(), steps, "{key}");
        }
        assert!(
            line["candidates"]
                .as_array()
                .unwrap()
                .iter()
                .all(|c| c.as_array().unwrap().len() == 5)
        );
        assert_eq!(line["decoding"]["method"], "greedy");
        assert_eq!(line["model"]["score"], "additive");
    }
    assert_eq!(lines[0]["source"], serde_json::json!(["ondine", "dort"]));
    assert_eq!(
        lines[0]["source_surface"],
        serde_json::json!(["Ondine", "dort"])
    );
    assert_eq!(lines[0]["source_unknown"], serde_json::json!([true, false]));
}

#[test]
fn the_bottleneck_has_no_weights() {
    let folder = folder();
    let arguments = [
        "attend",
        "--model",
        "bottleneck.safetensors",
        "le chat",
        "--limit",
        "3",
        "--format",
    ];
    let line = &json_lines(folder.path(), &[&arguments[..], &["json"]].concat())[0];
    for key in ["weights", "scores", "entropy", "effective_sources"] {
        assert!(line[key].is_null(), "{key}");
    }
    assert!(
        numbers(&line["context_norm"])
            .iter()
            .all(|norm| *norm > 0.0)
    );
    let csv = output(folder.path(), &[&arguments[..], &["csv"]].concat());
    assert!(
        csv.lines().skip(1).all(|line| line.ends_with(",,,,")),
        "{csv}"
    );
}

#[test]
fn csv_has_a_line_a_weight() {
    let folder = folder();
    let more = ["a \"b\", c", "le chat", "--format", "csv", "--limit", "2"];
    let text = output(folder.path(), &attend(&more));
    assert!(
        text.starts_with("sentence,step,target,position,source,score,weight\n"),
        "{text}"
    );
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let of = |sentence: &str, step: &str| {
        let chosen = records
            .iter()
            .filter(|r| &r[0] == sentence && &r[1] == step);
        chosen
            .map(|r| (r[4].to_owned(), r[6].parse::<f64>().unwrap()))
            .collect::<Vec<_>>()
    };
    let words: Vec<String> = of("1", "1").into_iter().map(|(word, _)| word).collect();
    assert_eq!(words, ["a", "\"", "b", "\"", ",", "c"]);
    assert_eq!(of("2", "1").len(), 2);
    assert!((of("2", "1").iter().map(|(_, w)| w).sum::<f64>() - 1.0).abs() < 1e-5);
}

#[test]
fn an_empty_sentence_is_reported_and_the_others_are_shown() {
    let folder = folder();
    let (code, shown, problems) = run(folder.path(), &attend(&["", "le chat", " \t "]));
    assert_eq!(code, 1);
    assert!(shown.contains("\nle chat\n→"), "{shown}");
    for sentence in [1, 3] {
        let expected = format!("sentence {sentence}: it is empty: expected at least one word");
        assert!(problems.contains(&expected), "{problems}");
    }
}

#[test]
fn no_text_is_too_odd() {
    let folder = folder();
    let long = "le chat noir dort zzz ".repeat(100);
    let many = format!("{} b", "a".repeat(5000));
    let odd = [
        "inconnu",
        "🙂",
        "👩‍👩‍👧‍👦 dort",
        "مرحبا بالعالم",
        "\u{301}",
        "\u{301} \u{301}",
        "le\tchat\tnoir",
        "e\u{1B}[31m\u{7}",
        "漢字漢字漢字漢字漢字漢字 chat",
        "\u{202E}abc",
        "</s> <unk> <pad>",
        "- --",
        "\"'«",
        &long,
        &many,
    ];
    for text in odd {
        for format in ["text", "json", "csv"] {
            let (code, shown, problems) = run(
                folder.path(),
                &attend(&["--limit", "12", "--format", format, "--", text]),
            );
            assert_eq!((code, problems.as_str()), (0, ""), "{text:?}");
            assert!(
                shown.lines().count() > usize::from(format != "json"),
                "{text:?}"
            );
            assert!(
                !shown.contains(['\u{1B}', '\u{7}', '\u{202E}']) || format != "text",
                "{text:?}"
            );
        }
    }
    // Nothing is left of a zero-width blank.
    let (code, _, problems) = run(folder.path(), &attend(&["\u{200B}"]));
    assert!(
        code == 0 || problems.contains("no word is left"),
        "{problems}"
    );
}

#[test]
fn tables_keep_to_their_width() {
    let folder = folder();
    let sentence = ["le chat noir dort la maison"; 4].join(" ");
    let text = output(
        folder.path(),
        &attend(&[&sentence, "--limit", "5", "--width", "60"]),
    );
    assert!(text.contains("source words 1–"), "{text}");
    let table = text
        .lines()
        .skip_while(|line| !line.starts_with("source words"));
    for line in table.take_while(|line| !line.starts_with("H:")) {
        assert!(line.chars().count() <= 60, "{line}");
    }
    let sentence = ["le chat noir dort"; 125].join(" ");
    let text = output(folder.path(), &attend(&[&sentence, "--limit", "3"]));
    assert!(
        text.contains("the 5 largest weights of each word, over 500 source words"),
        "{text}"
    );
}

#[test]
fn draws_follow_from_the_seed() {
    let folder = folder();
    let sentence = |seed: &str| {
        let more = [
            "le chat noir dort",
            "--sample",
            "1.5",
            "--seed",
            seed,
            "--format",
            "json",
        ];
        json_lines(folder.path(), &attend(&more))[0]["target"].to_string()
    };
    assert_eq!(sentence("1"), sentence("1"));
    assert!((2..12).any(|seed: u8| sentence(&seed.to_string()) != sentence("1")));
}

#[test]
fn a_beam_of_one_is_greedy_and_more_are_listed_by_score() {
    let folder = folder();
    let line = |more: &[&str]| {
        let common = ["le chat noir dort", "--format", "json", "--limit", "8"];
        json_lines(folder.path(), &attend(&[&common[..], more].concat()))[0].clone()
    };
    let (greedy, one, four) = (line(&[]), line(&["--beam", "1"]), line(&["--beam", "4"]));
    assert_eq!(greedy["target"], one["target"]);
    assert!(greedy.get("hypotheses").is_none());
    let hypotheses = four["hypotheses"].as_array().unwrap();
    assert_eq!(hypotheses[0]["target"], four["target"]);
    assert_eq!(hypotheses[0]["status"], four["status"]);
    let ended: Vec<f64> = hypotheses
        .iter()
        .filter(|h| h["status"] == "ended")
        .map(|h| h["score"].as_f64().unwrap())
        .collect();
    assert!(ended.is_sorted_by(|a, b| a >= b), "{ended:?}");
}

#[test]
fn a_given_translation_is_forced() {
    let folder = folder();
    let more = [
        "le chat",
        "--target",
        "The narwhal isn't big",
        "--format",
        "json",
    ];
    let line = &json_lines(folder.path(), &attend(&more))[0];
    assert_eq!(
        line["target"],
        serde_json::json!(["the", "narwhal", "is", "n't", "big", "</s>"])
    );
    assert_eq!(
        line["target_unknown"],
        serde_json::json!([false, true, false, true, false, false])
    );
    assert_eq!(line["status"], "ended");
    let (code, _, problems) = run(
        folder.path(),
        &attend(&["le chat", "--target", "a b c", "--limit", "2"]),
    );
    assert_eq!(code, 1);
    assert!(problems.contains("needs 4 steps"), "{problems}");
}
