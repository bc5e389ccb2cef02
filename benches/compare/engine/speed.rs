//! How long decoding and training take.

use std::time::Instant;

use ndarray::Array2;
use regard::engine::{DecoderState, EncoderStates, Seq2Seq};
use regard::numeric::{EmptySupport, alone, argmax};
use regard::text::START;
use regard::training::{Example, Trainer, TrainingOptions};
use serde_json::{Value, json};

use super::Answer;
use super::model::words;

/// Runs before the clock starts.
const WARM_UP: usize = 3;
/// Most encodings that are timed.
const ENCODINGS: usize = 10;
/// The learning rate of the timed updates.
const RATE: f32 = 1e-3;

/// Seconds of each of `repetitions` runs of `work`, shortest first.
fn seconds<T>(repetitions: usize, mut work: impl FnMut() -> T) -> Vec<f64> {
    let mut time = || {
        let start = Instant::now();
        let result = work();
        let time = start.elapsed().as_secs_f64();
        // What it leaves is freed after the clock has stopped, as on the other side.
        drop(std::hint::black_box(result));
        time
    };
    let mut times: Vec<f64> = (0..repetitions.max(1)).map(|_| time()).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// The words of a greedy decode of `steps` steps from `start`, and the attention weights `[1, S]` of each.
pub(crate) fn greedy(
    network: &Seq2Seq,
    states: &EncoderStates,
    start: DecoderState,
    steps: usize,
) -> Result<(Vec<u32>, Vec<Array2<f32>>), EmptySupport> {
    let (mut state, mut token) = (start, START);
    let mut tokens = Vec::with_capacity(steps);
    let mut weights = Vec::with_capacity(steps);
    for _ in 0..steps {
        let trace = network.decode(&[token], state, states, None)?;
        state = trace.state_after(0);
        token = argmax(trace.logits(0)).0 as u32;
        tokens.push(token);
        weights.push(trace.attention.weights);
    }
    Ok((tokens, weights))
}

/// Greedy decodes of one sentence; they do not end at `</s>`.
pub(crate) fn decode(
    network: &Seq2Seq,
    [source, steps, repetitions]: [usize; 3],
    threads: usize,
) -> Answer {
    // More than one: as many as the engine likes.
    if threads == 1 {
        alone(|| timed_decode(network, source, steps, repetitions))
    } else {
        timed_decode(network, source, steps, repetitions)
    }
}

fn timed_decode(network: &Seq2Seq, source: usize, steps: usize, repetitions: usize) -> Answer {
    let source = words(source, network.config().source_vocabulary, 2);
    let states = network.encode(&source, 1);
    let encoding = seconds(repetitions.min(ENCODINGS), || network.encode(&source, 1));
    let start = network.start(&states);
    let run = || greedy(network, &states, start.clone(), steps);
    for _ in 0..WARM_UP {
        run()?;
    }
    let times = seconds(repetitions, run);
    let step = |seconds: f64| seconds * 1e6 / steps as f64;
    Ok(json!({
        "us_step": step(times[times.len() / 2]),
        "us_step_min": step(times[0]),
        "encode_us": encoding[encoding.len() / 2] * 1e6,
    }))
}

/// Updates of a trainer with the program's own options (dropout 0.2, clipping at 1), all on one batch.
pub(crate) fn train(
    trainer: &mut Trainer,
    batch: &[Example],
    updates: usize,
    threads: usize,
) -> Value {
    let options = TrainingOptions {
        threads,
        ..TrainingOptions::default()
    };
    for _ in 0..WARM_UP.min(updates) {
        trainer.step(batch, &options, RATE);
    }
    let times = seconds(updates, || trainer.step(batch, &options, RATE));
    let median = times[times.len() / 2];
    let tokens: usize = batch.iter().map(|example| example.target.len() + 1).sum();
    json!({
        "ms_update": median * 1e3,
        "ms_update_min": times[0] * 1e3,
        "tok_s": tokens as f64 / median,
    })
}
