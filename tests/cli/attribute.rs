//! `regard attribute`.

use serde_json::Value;

use crate::support::{folder, json_lines, output, run, trained};

fn attribute<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let base = ["attribute", "a b c d e", "--model", "model.safetensors"];
    [&base, more].concat()
}

fn rows(value: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn a_reversing_model_needs_the_letter_that_it_copies() {
    let arguments = attribute(&["--method", "leave-one-out,drop", "--format", "json"]);
    let found = json_lines(trained(), &arguments).remove(0);
    assert_eq!(found["translation"], "e d c b a");
    for one in found["attributions"].as_array().unwrap() {
        for (t, row) in rows(&one["values"]).iter().enumerate().take(5) {
            let best = (0..5).max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap();
            assert_eq!(best, 4 - t, "{} {row:?}", one["method"]);
        }
    }
}

#[test]
fn verdicts_and_integrals_hold_together() {
    let methods = "integrated-gradients,integrated-states,gradient-input,gradient-states";
    let more = [
        "--method",
        methods,
        "--verdict",
        "--seeds",
        "12",
        "--frozen",
        "e d a b c",
        "--format",
        "json",
    ];
    let found = json_lines(trained(), &attribute(&more)).remove(0);
    let probabilities: Vec<f64> = serde_json::from_value(found["log_probability"].clone()).unwrap();
    let all = found["attributions"].as_array().unwrap();
    assert_eq!(all.len(), 4);
    for one in all {
        assert_eq!(one["agreement"].as_array().unwrap().len(), 6);
        assert!(
            one["note"].as_str().unwrap().contains("arXiv 2016")
                || one["note"].as_str().unwrap().contains("ICML 2017")
        );
        if one["integration"].is_null() {
            continue;
        }
        for (t, row) in rows(&one["values"]).iter().enumerate() {
            let baseline = one["integration"]["baseline"][t].as_f64().unwrap();
            let difference = probabilities[t] - baseline;
            let gap = row.iter().sum::<f64>() - difference;
            assert!(
                gap.abs() <= (0.01 * difference.abs()).max(1e-3),
                "{gap} of {difference}"
            );
        }
    }
    let replacements = found["replacements"].as_array().unwrap();
    let names: Vec<&str> = replacements
        .iter()
        .map(|r| r["weights"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["uniform", "last", "permuted", "frozen"]);
    assert_eq!(replacements[2]["runs"].as_array().unwrap().len(), 12);
    // This model always looks at the mirrored place, so that another sentence's weights do as well.
    let variation = |i: usize| replacements[i]["variation"]["median"].as_f64().unwrap();
    assert!(
        variation(3) < 0.5 * variation(0),
        "{} {}",
        variation(3),
        variation(0)
    );
    let text = output(trained(), &attribute(&["--verdict", "--seeds", "3"]));
    let parts = ["Jain and Wallace", "mean τ-b", "permuted, 3 seeds"];
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn paths_and_csv_and_figures() {
    let folder = trained();
    let csv = output(folder, &attribute(&["--paths", "--format", "csv"]));
    // Attention and three norms, six steps of five words.
    assert_eq!(csv.lines().count(), 1 + 4 * 30);
    let text = output(folder, &attribute(&["--paths", "--step", "2"]));
    assert!(text.contains("recurrent steps"), "{text}");
    let place = tempfile::tempdir().unwrap();
    for ending in ["svg", "png", "pdf"] {
        let path = place.path().join(format!("figure.{ending}"));
        let path = path.to_str().unwrap();
        output(
            folder,
            &attribute(&["--method", "leave-one-out,drop", "-o", path]),
        );
        assert!(std::fs::metadata(path).unwrap().len() > 1000);
    }
    let svg = std::fs::read_to_string(place.path().join("figure.svg")).unwrap();
    assert!(svg.contains("leave-one-out") && svg.contains("attention"));
}

#[test]
fn corpora_are_averaged() {
    let pairs = [
        "attribute",
        "--pairs",
        "valid.tsv",
        "--sentences",
        "6",
        "--scorers",
        "model.safetensors",
    ];
    let folder = trained();
    let json = |more: &[&str]| -> Value {
        let text = output(folder, &[&pairs[..], more, &["--format", "json"]].concat());
        serde_json::from_str(&text).unwrap()
    };
    let found = json(&[]);
    let agreement = found["models"][0]["agreement"].as_array().unwrap();
    assert_eq!(agreement.len(), 3);
    assert_eq!(agreement[0]["first"], "attention");
    assert_eq!(agreement[2]["first"], "leave-one-out");
    assert!(agreement[0]["top1"].as_f64().unwrap() > 0.5);
    assert!(agreement[0]["rows"].as_u64().unwrap() > 6);
    let found = json(&["--replacements", "--seeds", "2", "--paths", "--references"]);
    let model = &found["models"][0];
    let bleu = |key: &str| model["bleu"][key].as_f64().unwrap();
    assert!(bleu("plain") > bleu("uniform"), "{}", model["bleu"]);
    assert_eq!(model["bleu"]["permuted"].as_array().unwrap().len(), 2);
    assert!(!model["paths"]["by_distance"].as_array().unwrap().is_empty());
    for format in ["text", "csv"] {
        let more = [
            "--replacements",
            "--paths",
            "--method",
            "drop",
            "--seeds",
            "1",
            "--format",
            format,
        ];
        let text = output(folder, &[&pairs[..], &more].concat());
        assert!(text.contains("drop"), "{text}");
    }
}

#[test]
fn the_scaling_table_needs_no_model() {
    let folder = folder();
    let text = output(folder.path(), &["attribute", "--scaling"]);
    assert!(text.contains("4096") && text.contains("Vaswani"), "{text}");
    let csv = output(
        folder.path(),
        &["attribute", "--scaling", "--format", "csv"],
    );
    assert_eq!(csv.lines().count(), 23);
    let json = json_lines(
        folder.path(),
        &["attribute", "--scaling", "--seed", "2", "--format", "json"],
    );
    assert_eq!(json[0]["rows"].as_array().unwrap().len(), 11);
}

#[test]
fn what_cannot_be_asked_says_why() {
    let folder = folder();
    std::fs::write(folder.path().join("short.tsv"), "chat\tcat\n").unwrap();
    let fails = |arguments: &[&str], code: i32, message: &str| {
        let (found, out, error) = run(folder.path(), &[&["attribute"], arguments].concat());
        assert_eq!(found, code, "{arguments:?} {out} {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
    };
    let model = "--model=additive.safetensors";
    let bottleneck = "--model=bottleneck.safetensors";
    fails(&[], 2, "required");
    fails(&["chat", model], 1, "only one word");
    fails(&["", model], 1, "empty");
    fails(
        &["le chat", bottleneck, "--method", "leave-one-out"],
        1,
        "no attention",
    );
    fails(
        &["le chat", model, "--method", "magic"],
        2,
        "leave-one-out, drop",
    );
    fails(&["le chat", model, "--points", "0"], 2, "from 1 to 1024");
    fails(
        &["le chat", model, "--verdict", "--frozen", "chat"],
        1,
        "expected a sentence of 2 words",
    );
    fails(&["le chat", model, "--paths", "--step", "99"], 1, "step 99");
    fails(&["--pairs", "none.tsv"], 1, "none.tsv");
    fails(
        &["--pairs", "short.tsv", "--scorers", "additive.safetensors"],
        1,
        "found none",
    );
    fails(&["--scaling", "-o", "x.svg"], 2, "one sentence");
    fails(&["le chat", "--pairs", "short.tsv"], 2, "cannot be used");
    // The bottleneck has no leave-one-out, but words can be dropped.
    let text = output(
        folder.path(),
        &["attribute", "le chat", bottleneck, "--verdict"],
    );
    assert!(
        text.contains("drop (nats)") && text.contains("no attention"),
        "{text}"
    );
}
