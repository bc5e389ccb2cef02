//! Attributions against PyTorch, and on the shipped models.
//!
//! The reference numbers were made by `tests/reference/make_attribution.py`; its README says what each key holds.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is the failure report of a test"
)]

use std::path::Path;

use ndarray::Array2;
use regard::attribution::{
    Forced, GradientPaths, Method, Replacement, Watch, attribute, changes, replace,
};
use regard::engine::{Intervention, InterventionKind, ModelConfig, Scope, ScoreKind, Seq2Seq};
use regard::shipped;
use safetensors::SafeTensors;
use serde_json::Value;

fn json(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
    serde_json::from_slice(&std::fs::read(folder.join(name)).unwrap()).unwrap()
}

fn rows(value: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(value.clone()).unwrap()
}

/// Word `t` of sentence `b` for each `t`, from `[T][B]`.
fn column(value: &Value, b: usize) -> Vec<u32> {
    let rows: Vec<Vec<u32>> = serde_json::from_value(value.clone()).unwrap();
    rows.iter().map(|row| row[b]).collect()
}

fn network(case: &Value, tensors: &SafeTensors) -> Seq2Seq {
    let size = |letter: &str| case[letter].as_u64().unwrap() as usize;
    let named = |key: &str| case[key].clone();
    let config = ModelConfig {
        source_vocabulary: size("Vs"),
        target_vocabulary: size("Vt"),
        embedding: size("E"),
        encoder: size("H"),
        decoder: size("D"),
        attention: size("A"),
        readout: size("R"),
        cell: serde_json::from_value(named("cell")).unwrap(),
        score: serde_json::from_value(named("score")).unwrap(),
        wiring: serde_json::from_value(named("wiring")).unwrap(),
        input_feeding: case["input_feeding"].as_bool().unwrap(),
        tied: case["tied"].as_bool().unwrap(),
    };
    let mut network = Seq2Seq::zeros(&config.check().unwrap());
    for parameter in network.parameters_mut() {
        let key = format!(
            "{}/param/{}",
            case["name"].as_str().unwrap(),
            parameter.name
        );
        let tensor = tensors.tensor(&key).unwrap();
        let numbers = tensor.data().chunks_exact(4);
        for (value, bytes) in parameter.values.iter_mut().zip(numbers) {
            *value = f32::from_le_bytes(bytes.try_into().unwrap());
        }
    }
    network
}

/// Compares values `[T, S]` with those of a key.
fn compare(name: &str, key: &str, found: &Array2<f32>, expected: &Value) {
    let expected = rows(expected);
    assert_eq!(found.dim(), (expected.len(), expected[0].len()));
    for (t, row) in expected.iter().enumerate() {
        for (j, expected) in row.iter().enumerate() {
            let found = f64::from(found[[t, j]]);
            let tolerance = 1e-5 + 1e-4 * expected.abs();
            assert!(
                (found - expected).abs() < tolerance,
                "{name} {key} {t} {j}: {found} {expected}"
            );
        }
    }
}

#[test]
fn attributions_are_those_of_autograd() {
    let (reference, cases) = (json("attribution.json"), json("cases.json"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
    let bytes = std::fs::read(folder.join("cases.safetensors")).unwrap();
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let all = reference["cases"].as_array().unwrap();
    assert_eq!(all.len(), 20);
    for expected in all {
        let name = expected["name"].as_str().unwrap();
        let mut known = cases["cases"].as_array().unwrap().iter();
        let case = known.find(|case| case["name"] == name).unwrap();
        let sentence = expected["sentence"].as_u64().unwrap() as usize;
        let network = network(case, &tensors);
        let mut output = column(&case["targets"], sentence);
        output.retain(|token| *token != 0);
        let source = column(&case["source"], sentence);
        let forced = Forced::new(&network, source, output).unwrap();
        let probabilities = rows(&expected["log_probabilities"]);
        for (found, expected) in forced.log_probabilities().iter().zip(&probabilities[0]) {
            assert!(
                (found - expected).abs() < 1e-5,
                "{name}: {found} {expected}"
            );
        }
        for method in Method::ALL {
            if method.needs_attention() && network.config().score == ScoreKind::Bottleneck {
                continue;
            }
            let key = method.name().replace('-', "_");
            let found = attribute(&forced, method, Some(100), Watch::default()).unwrap();
            compare(name, &key, &found.values, &expected[&key]);
        }
        let paths = GradientPaths::new(&forced, Watch::default()).unwrap();
        compare(
            name,
            "embedding",
            &paths.embedding,
            &expected["embedding_norm"],
        );
        compare(name, "forward", &paths.forward, &expected["forward_norm"]);
        compare(
            name,
            "backward",
            &paths.backward,
            &expected["backward_norm"],
        );
    }
}

#[test]
fn shipped_models_complete_their_integrals_and_obey_edits() {
    for shipped in shipped::list() {
        let model = shipped::model(shipped.score).unwrap();
        let words = ["le", "chat", "noir", "dort"].map(str::to_owned);
        let source = model.source_vocabulary.encode(&words);
        let forced = Forced::greedy(&model.network, source.clone()).unwrap();
        for method in [Method::IntegratedGradients, Method::IntegratedStates] {
            let found = attribute(&forced, method, None, Watch::default()).unwrap();
            let integration = found.integration.unwrap();
            assert!(
                integration.complete.iter().all(|complete| *complete),
                "{} {method}: {integration:?}",
                shipped.score
            );
        }
        if !shipped.score.attends() {
            continue;
        }
        // Without "noir" to look at, "black" is less expected; "the" is not. The general model, whose state at "chat"
        // knows the next word, loses little; the others lose nearly all.
        let least = if shipped.score == ScoreKind::General {
            0.2
        } else {
            2.0
        };
        let mask = [Intervention::new(
            Scope::All,
            InterventionKind::MaskSource(2),
        )];
        let changes = changes(&forced, &source, &mask).unwrap();
        let lost = |t: usize| changes[t].before - changes[t].after;
        assert!(
            lost(1) > least && lost(1) > lost(0),
            "{}: {changes:?}",
            shipped.score
        );
        let effects = replace(&forced, &Replacement::Uniform, Watch::default()).unwrap();
        assert!(effects.whole(|effect| effect.variation).unwrap().median > 0.1);
    }
}
