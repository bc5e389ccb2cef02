//! How long encoding and a step take on this machine, beside what [`Operations`](super::Operations) count.

use std::time::{Duration, Instant};

use super::network::Seq2Seq;
use crate::text::START;

/// Of how many runs the median is taken.
const RUNS: usize = 9;

/// Measured times of one sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Both directions of the encoder and the projected keys, for the whole sentence.
    pub encode: Duration,
    /// One step of the decoder, its logits included.
    pub step: Duration,
}

impl Timing {
    /// Measures on this thread; the medians of a few runs. `source` are ids without marks, at least one. It takes
    /// a few dozen times as long as what it measures.
    pub fn measure(network: &Seq2Seq, source: &[u32]) -> Self {
        let states = network.encode(source, 1);
        let start = network.start(&states);
        let encode = median(|| drop(network.encode(source, 1)));
        let step = median(|| drop(network.decode(&[START], start.clone(), &states, None)));
        Self { encode, step }
    }
}

fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let began = Instant::now();
            work();
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[RUNS / 2]
}
