//! What the machine allows: how fast it reads, how fast it multiplies, and how much of both the work needs.
//!
//! ```text
//! step      a decoding step reads each weight once, for one multiply–add:
//!           bytes = 4 · (cell + predict + score + mix of `Operations` with T = 1)
//!           additive: less S · A, since v_a stays at hand; keys that are the values count twice
//!           where the weights W that meet the context were multiplied with the encoder states ahead (`Fed`), S rows of
//!           that are read instead of the K of W; one row without attention
//! update    forward; then backward once for the inputs and once for the weights of every product:
//!           operations = 3 · 2 · B · total of `Operations` with T + 1 steps
//! Adam      bytes = 4 · parameters · 9: the gradient is read for its norm; then parameter, gradient and both moments
//!           are read and written
//! clock     a chain of 32-bit products, 3 cycles each on processors of the last ten years
//! AVX2      two units for fused multiply–adds, 8 lanes, 2 operations: 32 a cycle
//! ```

use std::hint::black_box;
use std::time::Instant;

use ndarray::Array2;
use regard::engine::{Operations, ScoreKind, Seq2Seq};
use regard::numeric::{fill_uniform, product, stream};
use regard::text::UNKNOWN;
use rten_simd::ops::{BitOps as _, NumOps as _};
use rten_simd::{Isa, SimdOp};
use serde_json::{Value, json};

/// Operations a cycle of a core: 2 units · 8 lanes · 2.
const AVX2: f64 = 32.0;
/// Cycles from one 32-bit product to the next that needs it.
const PRODUCT_CYCLES: f64 = 3.0;
/// Side of the large product.
const SIDE: usize = 1024;
/// Vectors added at a time; enough for the latency of all adders.
const VECTORS: usize = 8;
/// Numbers of an array are a multiple of this.
const LANES: usize = 256;
/// Measurements, of which the best counts: it is a limit that is looked for.
const BEST_OF: usize = 5;
/// Least bytes that a measurement reads.
const READ: usize = 1 << 28;

/// Bytes and operations of a step with `source` words, and of an update of `batch` sentences with `target` words.
pub(crate) fn cost(network: &Seq2Seq, batch: u64, source: usize, target: usize) -> Value {
    let config = network.config();
    let step = Operations::new(config, source, 1);
    let multiply_adds = step.cell + step.predict + step.score + step.mix;
    let again = if config.score == ScoreKind::Additive {
        (source * config.attention) as u64
    } else {
        0
    };
    let weights = [&network.decoder.cell.w_h, &network.decoder.readout.w];
    let width: usize = weights.iter().map(|w| w.ncols()).sum();
    let is_fed = network.encode(&vec![UNKNOWN; source], 1).fed.is_some();
    let rows = if config.score.attends() { source } else { 1 };
    let ahead = if is_fed {
        (config.keys() - rows) * width
    } else {
        0
    };
    let update = Operations::new(config, source, target + 1);
    let parameters: usize = network.parameters().iter().map(|p| p.values.len()).sum();
    json!({
        "step_bytes": 4 * (multiply_adds - again - ahead as u64),
        "step_operations": 2 * (multiply_adds - ahead as u64),
        "update_operations": 6 * batch * update.total(),
        "parameters": parameters,
        "adam_bytes": 4 * 9 * parameters,
    })
}

/// Runs `work` on `threads` threads at once; returns the seconds from first start to last end.
fn on_threads(threads: usize, work: impl Fn(usize) + Sync) -> f64 {
    let start = Instant::now();
    std::thread::scope(|scope| {
        let work = &work;
        for thread in 1..threads {
            scope.spawn(move || work(thread));
        }
        work(0);
    });
    start.elapsed().as_secs_f64()
}

fn best(measure: impl Fn() -> f64) -> f64 {
    (0..BEST_OF).map(|_| measure()).fold(0.0, f64::max)
}

/// The sum, in as many lanes as keep every adder busy. Whole vectors are named, since the compiler otherwise keeps the
/// lanes in memory, and reads half as fast.
struct Read<'a>(&'a [f32]);

impl SimdOp for Read<'_> {
    type Output = f32;

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) -> f32 {
        let ops = isa.f32();
        let mut sums = [ops.zero(); VECTORS];
        for chunk in self.0.chunks_exact(VECTORS * ops.len()) {
            let vectors: [I::F32; VECTORS] = ops.load_many(chunk);
            for (sum, vector) in sums.iter_mut().zip(vectors) {
                *sum = ops.add(*sum, vector);
            }
        }
        sums.into_iter().map(|sum| ops.sum(sum)).sum()
    }
}

fn read(values: &[f32]) -> f32 {
    Read(values).dispatch()
}

/// GB/s of reading `bytes` again and again, each thread its share.
pub(crate) fn bandwidth(bytes: usize, threads: usize) -> Value {
    let share = (bytes / 4 / threads / LANES).max(1) * LANES;
    let arrays: Vec<Vec<f32>> = (0..threads).map(|_| vec![1.0; share]).collect();
    let passes = (READ / (4 * share)).max(2);
    let measure = || {
        let seconds = on_threads(threads, |thread| {
            for _ in 0..passes {
                black_box(read(black_box(&arrays[thread])));
            }
        });
        (threads * passes * 4 * share) as f64 / seconds / 1e9
    };
    measure();
    json!({"gb_s": best(measure), "bytes": threads * 4 * share})
}

/// GHz, from a chain of products that must wait for each other.
fn clock() -> f64 {
    const STEPS: u32 = 20_000_000;
    best(|| {
        let start = Instant::now();
        let mut x = black_box(3_u32);
        for _ in 0..STEPS {
            x = x.wrapping_mul(x);
        }
        black_box(x);
        PRODUCT_CYCLES * f64::from(STEPS) / start.elapsed().as_secs_f64() / 1e9
    })
}

/// Operations a second of the crate's own product, each thread one of its own, and by the clock.
pub(crate) fn peak(threads: usize) -> Value {
    let mut x = Array2::zeros((SIDE, SIDE));
    let values = x.as_slice_mut().expect("contiguous");
    fill_uniform(values, 1.0, &mut stream(&[1]));
    let measure = || {
        let seconds = on_threads(threads, |_| {
            black_box(product(black_box(x.view()), x.view()));
        });
        (threads * 2 * SIDE * SIDE * SIDE) as f64 / seconds / 1e9
    };
    measure();
    let ghz = clock();
    json!({
        "product_gflop_s": best(measure),
        "clock_ghz": ghz,
        "theoretical_gflop_s": threads as f64 * AVX2 * ghz,
    })
}
