//! What the twin must repeat: parameters, a decode, some updates.

use std::collections::BTreeMap;

use regard::engine::ScoreKind;
use regard::text::START;
use regard::training::{Trainer, TrainingOptions};
use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Value, json};

use super::Answer;
use super::model::{Size, words};
use super::speed::greedy;

/// Words of the source; another number than the ONNX graph was exported with.
const SOURCE: usize = 12;
/// Steps of the decode.
const STEPS: usize = 10;
/// Sentences, source and target words of the batch.
const BATCH: (usize, usize, usize) = (64, 10, 10);
/// The learning rate of the updates.
const RATE: f32 = 1e-3;

/// A tensor of a file, before its bytes are borrowed.
struct Tensor(Dtype, Vec<usize>, Vec<u8>);

fn floats(shape: Vec<usize>, values: &[f32]) -> Tensor {
    let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    Tensor(Dtype::F32, shape, bytes)
}

fn ids(shape: Vec<usize>, values: &[u32]) -> Tensor {
    let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    Tensor(Dtype::U32, shape, bytes)
}

/// Writes the parameters under their own names (weights `[in, out]`), a greedy decode under `reference.` and the batch
/// of [`update`] under `batch.`, as one safetensors file.
pub(crate) fn dump(size: &Size, score: ScoreKind, file: &str) -> Answer {
    let network = size.network(score);
    let mut tensors: BTreeMap<String, Tensor> = network
        .parameters()
        .into_iter()
        .map(|p| (p.name, floats(p.shape, p.values)))
        .collect();
    let source = words(SOURCE, network.config().source_vocabulary, 2);
    let states = network.encode(&source, 1);
    let (tokens, weights) = greedy(&network, &states, network.start(&states), STEPS)?;
    // Once more in a single run, for the logits: stepping and running are one function.
    let inputs: Vec<u32> = [START]
        .into_iter()
        .chain(tokens.iter().copied())
        .take(STEPS)
        .collect();
    let whole = network.decode(&inputs, network.start(&states), &states, None)?;
    let logits = whole.logits.as_slice().expect("contiguous");
    let mut add = |name: &str, tensor| tensors.insert(name.to_owned(), tensor);
    add("reference.source", ids(vec![SOURCE], &source));
    add("reference.tokens", ids(vec![STEPS], &tokens));
    add(
        "reference.logits",
        floats(whole.logits.shape().to_vec(), logits),
    );
    if score.attends() {
        let all: Vec<f32> = weights.iter().flatten().copied().collect();
        add("reference.weights", floats(vec![STEPS, SOURCE], &all));
    }
    let batch = size.batch(BATCH.0, BATCH.1, BATCH.2);
    let sources: Vec<u32> = batch.iter().flat_map(|e| e.source.clone()).collect();
    let targets: Vec<u32> = batch.iter().flat_map(|e| e.target.clone()).collect();
    add("batch.source", ids(vec![BATCH.0, BATCH.1], &sources));
    add("batch.target", ids(vec![BATCH.0, BATCH.2], &targets));
    let views = tensors
        .iter()
        .map(|(name, Tensor(dtype, shape, bytes))| {
            Ok((name, TensorView::new(*dtype, shape.clone(), bytes)?))
        })
        .collect::<Result<Vec<_>, safetensors::SafeTensorError>>()?;
    std::fs::write(file, safetensors::serialize(views, None)?)?;
    Ok(json!({"file": file}))
}

/// Loss and norm of the gradient of each of `updates` updates on the batch, without dropout.
pub(crate) fn update(size: &Size, score: ScoreKind, updates: usize, threads: usize) -> Value {
    let options = TrainingOptions {
        threads,
        dropout: 0.0,
        ..TrainingOptions::default()
    };
    let batch = size.batch(BATCH.0, BATCH.1, BATCH.2);
    let mut trainer = Trainer::new(size.network(score));
    let reports: Vec<_> = (0..updates)
        .map(|_| trainer.step(&batch, &options, RATE))
        .collect();
    let losses: Vec<f64> = reports.iter().map(|r| r.sums.mean()).collect();
    let norms: Vec<f64> = reports.iter().map(|r| r.gradient_norm).collect();
    json!({"losses": losses, "norms": norms})
}
