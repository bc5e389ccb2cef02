//! `regard whatif`.

use serde_json::Value;

use crate::support::{folder, json_lines, output, run, trained};

const SENTENCE: &str = "le chat noir dort";

fn whatif<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let base = ["whatif", SENTENCE, "--model", "additive.safetensors"];
    [&base, more].concat()
}

fn weights(side: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(side["weights"].clone()).unwrap()
}

fn object(folder: &std::path::Path, more: &[&str]) -> Value {
    let arguments = whatif(&[more, &["--format", "json", "--limit", "6"]].concat());
    json_lines(folder, &arguments).remove(0)
}

#[test]
fn edits_act_where_they_are_meant_to() {
    let folder = folder();
    let at = |more: &[&str]| weights(&object(folder.path(), more)["edited"]);
    assert!(at(&["--mask", "noir"]).iter().all(|row| row[2] == 0.0));
    let rows = at(&["--mask", "2:noir", "--mask", "4+:chat"]);
    for (t, row) in rows.iter().enumerate() {
        assert_eq!((row[2] == 0.0, row[1] == 0.0), (t == 1, t >= 3), "{t}");
    }
    let rows = at(&["--set", "2:noir=0.75", "--uniform=3"]);
    assert_eq!(rows[1][2], 0.75);
    assert_eq!(rows[2], [0.25; 4]);
    assert_eq!(at(&["--last"])[5], [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(at(&["--one-hot", "1:3"])[0], [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(at(&["--row", "2+:0.5,0,0.5,0"])[3], [0.5, 0.0, 0.5, 0.0]);
    assert_eq!(at(&["--window", "0"])[1], [0.0, 1.0, 0.0, 0.0]);
    // A mask holds, whatever the order of the options.
    assert!(
        at(&["--uniform", "--mask", "le"])
            .iter()
            .all(|row| row[0] == 0.0)
    );
    let plain = weights(&object(folder.path(), &["--mask", "9:le"])["original"]);
    let mut permuted = at(&["--permute", "1:5"])[0].clone();
    assert_ne!(permuted, plain[0]);
    permuted.sort_by(f64::total_cmp);
    let mut sorted = plain[0].clone();
    sorted.sort_by(f64::total_cmp);
    assert_eq!(permuted, sorted);
}

#[test]
fn both_outputs_and_the_way_between_them_are_told() {
    let folder = folder();
    let found = object(folder.path(), &["--mask", "noir"]);
    let length = |value: &Value| value.as_array().unwrap().len();
    for side in ["original", "edited"] {
        for key in ["target", "log_probability", "weights", "changed"] {
            assert_eq!(length(&found[side][key]), length(&found[side]["target"]));
        }
    }
    assert_eq!(
        length(&found["steps"]),
        length(&found["original"]["target"])
    );
    for step in found["steps"].as_array().unwrap() {
        assert!(step["divergence"].as_f64().unwrap() > 0.0);
    }
    // Edits that set what is there change nothing at all.
    let same = object(folder.path(), &["--temperature", "1"]);
    for key in ["target", "log_probability", "weights"] {
        assert_eq!(same["original"][key], same["edited"][key], "{key}");
    }
    for step in same["steps"].as_array().unwrap() {
        assert_eq!(step["divergence"], 0.0);
        assert_eq!(
            step["log_probability_before"],
            step["log_probability_after"]
        );
    }
    assert!(
        !same["edited"]["changed"]
            .as_array()
            .unwrap()
            .contains(&Value::Bool(true))
    );
    let csv = output(
        folder.path(),
        &whatif(&["--mask", "noir", "--format", "csv", "--limit", "6"]),
    );
    assert_eq!(csv.lines().count(), 7);
    let text = output(folder.path(), &whatif(&["--mask", "noir", "--limit", "6"]));
    assert!(text.contains("noir masked, at all steps"), "{text}");
    assert!(
        text.contains("KL: of the next-token distribution"),
        "{text}"
    );
}

#[test]
fn a_reversing_model_follows_its_edited_attention() {
    let model = ["whatif", "a b c d", "--model", "model.safetensors"];
    let run = |more: &[&str]| {
        let arguments = [&model[..], more, &["--format", "json"]].concat();
        json_lines(trained(), &arguments).remove(0)
    };
    let found = run(&["--one-hot", "1:a"]);
    assert_eq!(found["original"]["translation"], "d c b a");
    assert_eq!(found["edited"]["target"][0], "a");
    assert_eq!(found["original"]["changed"][0], true);
    assert!(found["steps"][0]["divergence"].as_f64().unwrap() > 0.5);
    // The sentence itself.
    assert_eq!(run(&["--drop", "b"])["edited"]["translation"], "d c a");
    assert_eq!(run(&["--swap", "a,d"])["edited"]["translation"], "a c b d");
    assert_eq!(
        run(&["--repeat", "b"])["edited"]["source"],
        serde_json::json!(["a", "b", "b", "c", "d"])
    );
    // Weights of the model itself are its own.
    let own = run(&["--weights-of", "model.safetensors"]);
    assert_eq!(
        own["original"]["log_probability"],
        own["edited"]["log_probability"]
    );
}

#[test]
fn what_cannot_be_done_says_why() {
    let folder = folder();
    let fails = |more: &[&str], code: i32, message: &str| {
        let (found, out, error) = run(folder.path(), &whatif(more));
        assert_eq!(found, code, "{more:?} {out} {error}");
        assert!(error.contains(message), "{more:?}: {error}");
    };
    fails(&[], 2, "nothing is changed");
    fails(
        &["--mask", "blanc"],
        1,
        "no source word is \"blanc\": there are 1 le, 2 chat, 3 noir, 4 dort",
    );
    fails(&["--mask", "0:noir"], 2, "step from 1 on");
    fails(&["--set", "noir=1.5"], 2, "from 0 to 1");
    fails(&["--temperature", "0.01"], 2, "from 0.05 to 20");
    fails(&["--temperature", "NaN"], 2, "from 0.05 to 20");
    fails(&["--row", "1:0.5,0.5"], 1, "the row has 2 weights");
    fails(&["--row", "1:0.5,0.5,0.5,0.5"], 1, "sum to 1");
    fails(&["--swap", "chat"], 2, "expected two words");
    fails(
        &["--mask", "1", "--mask", "2", "--mask", "3", "--mask", "4"],
        1,
        "leave nothing to attend to",
    );
    fails(
        &["--weights-of", "bottleneck.safetensors"],
        1,
        "no attention",
    );
    let bottleneck = ["whatif", SENTENCE, "--model", "bottleneck.safetensors"];
    let (code, _, error) = run(folder.path(), &[&bottleneck[..], &["--uniform"]].concat());
    assert!(code == 1 && error.contains("no attention"), "{error}");
    // Its sentence can be changed.
    output(
        folder.path(),
        &[&bottleneck[..], &["--drop", "le"]].concat(),
    );
    let one = ["whatif", "chat", "--model", "additive.safetensors"];
    for (option, message) in [("--mask", "only one token"), ("--drop", "only word")] {
        let (code, _, error) = run(folder.path(), &[&one[..], &[option, "chat"]].concat());
        assert!(code == 1 && error.contains(message), "{error}");
    }
    let (code, _, error) = run(folder.path(), &whatif(&["--mask", "50:le", "--limit", "5"]));
    assert!(code == 0 && error.contains("no effect"), "{error}");
}
