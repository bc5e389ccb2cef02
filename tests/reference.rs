//! The engine against PyTorch: forward values, losses, every gradient, ten Adam steps.
//!
//! The numbers were made by `tests/reference/make_reference.py`; its README says what each key holds.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is the failure report of a test"
)]

use std::path::Path;

use ndarray::Array2;
use regard::engine::{CellKind, CheckedConfig, ModelConfig, ScoreKind, Seq2Seq, Trace, Wiring};
use regard::training::{Adam, cross_entropy};
use safetensors::SafeTensors;
use serde::Deserialize;

#[derive(Deserialize)]
#[allow(
    non_snake_case,
    reason = "the letters of the design, as the script writes them"
)]
struct Case {
    name: String,
    score: ScoreKind,
    cell: CellKind,
    wiring: Wiring,
    input_feeding: bool,
    tied: bool,
    label_smoothing: f32,
    Vs: usize,
    Vt: usize,
    E: usize,
    H: usize,
    D: usize,
    A: usize,
    R: usize,
    B: usize,
    S: usize,
    source: Vec<Vec<u32>>,
    decoder_inputs: Vec<Vec<u32>>,
    targets: Vec<Vec<u32>>,
    mask: Option<Vec<Vec<u8>>>,
    loss: f64,
    adam_losses: Vec<f64>,
    adam_gradient_norms: Vec<f64>,
}

#[derive(Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

struct Fixture {
    cases: Vec<Case>,
    bytes: Vec<u8>,
}

impl Fixture {
    fn load() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
        let json = std::fs::read(folder.join("cases.json")).unwrap();
        let Cases { cases } = serde_json::from_slice(&json).unwrap();
        Self {
            cases,
            bytes: std::fs::read(folder.join("cases.safetensors")).unwrap(),
        }
    }

    fn tensors(&self) -> SafeTensors<'_> {
        SafeTensors::deserialize(&self.bytes).unwrap()
    }
}

fn values(tensors: &SafeTensors, key: &str) -> Option<Vec<f32>> {
    let view = tensors.tensor(key).ok()?;
    Some(
        view.data()
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
            .collect(),
    )
}

impl Case {
    fn config(&self) -> CheckedConfig {
        ModelConfig {
            source_vocabulary: self.Vs,
            target_vocabulary: self.Vt,
            embedding: self.E,
            encoder: self.H,
            decoder: self.D,
            attention: self.A,
            readout: self.R,
            cell: self.cell,
            score: self.score,
            wiring: self.wiring,
            input_feeding: self.input_feeding,
            tied: self.tied,
        }
        .check()
        .unwrap()
    }

    fn network(&self, tensors: &SafeTensors) -> Seq2Seq {
        let mut network = Seq2Seq::zeros(&self.config());
        let mut named = 0;
        for p in network.parameters_mut() {
            let found = values(tensors, &format!("{}/param/{}", self.name, p.name));
            p.values
                .copy_from_slice(&found.unwrap_or_else(|| panic!("{}: no {}", self.name, p.name)));
            named += 1;
        }
        let prefix = format!("{}/param/", self.name);
        let all = tensors
            .names()
            .iter()
            .filter(|n| n.starts_with(&prefix))
            .count();
        assert_eq!(
            named, all,
            "{}: a parameter of the reference is not visited",
            self.name
        );
        network
    }

    fn forward(&self, network: &Seq2Seq) -> Trace {
        let mask = self.mask.as_ref().map(|rows| {
            Array2::from_shape_vec(
                (self.B, self.S),
                rows.concat().into_iter().map(|m| m == 1).collect(),
            )
            .unwrap()
        });
        network
            .forward(
                &self.source.concat(),
                &self.decoder_inputs.concat(),
                self.B,
                mask,
                None,
            )
            .unwrap()
    }

    /// One pass forward and backward, adding to `gradient`; returns the loss.
    fn pass(&self, network: &Seq2Seq, gradient: &mut Seq2Seq) -> f64 {
        let trace = self.forward(network);
        let targets = self.targets.concat();
        let tokens = targets.iter().filter(|t| **t != 0).count();
        let mut d_logits = trace.decoder.logits.clone();
        let sums = cross_entropy(&mut d_logits, &targets, tokens, self.label_smoothing);
        let deltas = network.backward(&trace, d_logits);
        let passes = [(trace, deltas)];
        gradient
            .accumulation(&passes, 2)
            .into_iter()
            .for_each(|task| task());
        sums.mean()
    }
}

/// `|a − b| ≤ 1e-4 |b| + 1e-6 · largest` for each pair; returns the largest share of the bound that was used.
#[track_caller]
fn assert_close(what: &str, found: &[f32], expected: &[f32]) -> f32 {
    assert_eq!(found.len(), expected.len(), "{what}: length");
    let largest = expected.iter().fold(0.0_f32, |m, x| m.max(x.abs()));
    let mut used = 0.0_f32;
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        let bound = 1e-4 * b.abs() + 1e-6 * largest;
        assert!(
            (a - b).abs() <= bound,
            "{what}[{i}]: {a}, PyTorch {b}, largest {largest}"
        );
        if bound > 0.0 {
            used = used.max((a - b).abs() / bound);
        }
    }
    used
}

#[test]
fn forward_values_equal_pytorch() {
    let fixture = Fixture::load();
    let tensors = fixture.tensors();
    assert!(fixture.cases.len() >= 80);
    for case in &fixture.cases {
        let trace = case.forward(&case.network(&tensors));
        let attention = &trace.decoder.attention;
        let checks = [
            ("states", &trace.states.values),
            ("initial_state", &trace.decoder.start.cell.hidden),
            ("scores", &attention.scores),
            ("weights", &attention.weights),
            ("contexts", &attention.contexts),
            ("gates", &trace.decoder.cell.gates),
            ("decoder_states", &trace.decoder.cell.hidden),
            ("decoder_memories", &trace.decoder.cell.memory),
            ("readouts", &trace.decoder.readouts),
            ("logits", &trace.decoder.logits),
        ];
        for (name, found) in checks {
            let expected = values(&tensors, &format!("{}/{name}", case.name)).unwrap_or_default();
            assert_close(
                &format!("{} {name}", case.name),
                found.as_slice().unwrap(),
                &expected,
            );
        }
    }
}

#[test]
fn losses_and_every_gradient_equal_pytorch() {
    let mut used = (0.0, String::new());
    let fixture = Fixture::load();
    let tensors = fixture.tensors();
    for case in &fixture.cases {
        let network = case.network(&tensors);
        let mut gradient = Seq2Seq::zeros(&case.config());
        let loss = case.pass(&network, &mut gradient);
        assert!(
            (loss - case.loss).abs() <= 1e-5 * case.loss,
            "{}: loss {loss}, PyTorch {}",
            case.name,
            case.loss
        );
        for p in gradient.parameters() {
            let key = format!("{}/grad/{}", case.name, p.name);
            let share = assert_close(&key, p.values, &values(&tensors, &key).unwrap());
            if share > used.0 {
                used = (share, key);
            }
        }
    }
    println!("{:.2} of the bound used, in {}", used.0, used.1);
}

#[test]
fn ten_adam_steps_give_the_same_losses() {
    let fixture = Fixture::load();
    let tensors = fixture.tensors();
    for case in &fixture.cases {
        let mut network = case.network(&tensors);
        let mut gradient = Seq2Seq::zeros(&case.config());
        let mut adam = Adam::new(&network);
        for (step, (expected, norm)) in case
            .adam_losses
            .iter()
            .zip(&case.adam_gradient_norms)
            .enumerate()
        {
            let loss = case.pass(&network, &mut gradient);
            assert!(
                (loss - expected).abs() <= 1e-4,
                "{} step {step}: {loss}, PyTorch {expected}",
                case.name
            );
            let found = adam.update(&mut network, &mut gradient, 1e-2, 1.0, 2);
            assert!(
                (found - norm).abs() <= 1e-3 * norm,
                "{} step {step}: norm {found}, PyTorch {norm}",
                case.name
            );
        }
    }
}
