//! The engine's speed: products, one decoding step, encoding, one training update.
//!
//! `cargo bench --bench engine -- everyday/step` runs a part; `--quick` gives a first impression. All numbers
//! come from fixed seeds, and are made before the clock starts.

#![allow(
    clippy::unwrap_used,
    reason = "a panic here is the report of a broken benchmark"
)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use ndarray::Array2;
use rand::RngExt as _;
use regard::engine::{CellKind, ModelConfig, ScoreKind, Seq2Seq, Wiring};
use regard::numeric::{
    Packed, alone, fill_uniform, product, product_nt, product_tn_acc, stream, tanh_in_place,
};
use regard::text::{START, UNKNOWN};
use regard::training::{Example, Trainer, TrainingOptions};
use rten_simd::SimdUnaryOp as _;
use rten_vecmath::Tanh;

/// Source length of all benchmarks `S`.
const SOURCE: usize = 10;
/// Target length of the training update, without `</s>`.
const TARGET: usize = 10;
/// Sentences of a training update `B`.
const BATCH: usize = 64;

/// A size of model: `E`, `H`, `V` of source and target; `D = A = 2H`, `R = E`.
struct Size {
    name: &'static str,
    embedding: usize,
    encoder: usize,
    vocabularies: (usize, usize),
}

const SMALL: Size = Size {
    name: "small",
    embedding: 64,
    encoder: 64,
    vocabularies: (100, 100),
};
const EVERYDAY: Size = Size {
    name: "everyday",
    embedding: 128,
    encoder: 128,
    vocabularies: (8000, 6000),
};
const LARGE: Size = Size {
    name: "large",
    embedding: 256,
    encoder: 256,
    vocabularies: (8000, 6000),
};

impl Size {
    /// Such as `everyday/step/E128-H128-D256-V6000`.
    fn id(&self, what: &str) -> String {
        let (e, h, v) = (self.embedding, self.encoder, self.vocabularies.1);
        format!("{}/{what}/E{e}-H{h}-D{}-V{v}", self.name, 2 * h)
    }

    fn network(&self, score: ScoreKind) -> Seq2Seq {
        let config = ModelConfig {
            source_vocabulary: self.vocabularies.0,
            target_vocabulary: self.vocabularies.1,
            embedding: self.embedding,
            encoder: self.encoder,
            decoder: 2 * self.encoder,
            attention: 2 * self.encoder,
            readout: self.embedding,
            cell: CellKind::Gru,
            score,
            wiring: Wiring::Bahdanau,
            input_feeding: false,
            tied: true,
        };
        Seq2Seq::initialised(&config.check().unwrap(), 1)
    }
}

fn words(count: usize, vocabulary: usize, seed: u64) -> Vec<u32> {
    let mut rng = stream(&[seed]);
    let mut word = || rng.random_range(UNKNOWN + 1..vocabulary as u32);
    (0..count).map(|_| word()).collect()
}

fn matrix(rows: usize, columns: usize, seed: u64) -> Array2<f32> {
    let mut out = Array2::zeros((rows, columns));
    let values = out.as_slice_mut().unwrap();
    fill_uniform(values, 1.0, &mut stream(&[seed]));
    out
}

/// The products of a step of one sentence and of a training update of the everyday size on one of two threads:
/// `x · w`, `x · wᵀ` and `xᵀ · d` at `x` `[M, I]` and `w` `[I, O]`.
fn products(c: &mut Criterion) {
    let rows = BATCH / 2;
    let shapes = [
        ("step-gates", 1, 256, 768),
        ("step-logits", 1, 128, 6000),
        ("recurrent-gates", rows, 256, 768),
        ("recurrent-gates-large", rows, 512, 1536),
        ("embedded-gates", rows * (TARGET + 1), 128, 768),
        ("readouts", rows * (TARGET + 1), 640, 128),
        ("logits", rows * (TARGET + 1), 128, 6000),
    ];
    for (name, m, i, o) in shapes {
        let (x, w, d) = (matrix(m, i, 1), matrix(i, o, 2), matrix(m, o, 3));
        let transposed = matrix(o, i, 4);
        let mut grad = Array2::zeros((i, o));
        let mut group = c.benchmark_group("products");
        group.throughput(Throughput::Elements((2 * m * i * o) as u64));
        let shape = format!("{m}x{i}x{o}");
        group.bench_function(format!("{name}/x.w/{shape}"), |b| {
            b.iter(|| product(black_box(x.view()), w.view()));
        });
        let (mut packed, mut y) = (Packed::default(), Array2::zeros((m, o)));
        group.bench_function(format!("{name}/laid-out/{shape}"), |b| {
            packed.pack(w.view());
            b.iter(|| packed.product_acc(black_box(x.view()), &mut y.view_mut()));
        });
        group.bench_function(format!("{name}/laying-out/{shape}"), |b| {
            b.iter(|| packed.pack_transposed(black_box(w.view())));
        });
        group.bench_function(format!("{name}/x.wt/{shape}"), |b| {
            b.iter(|| product_nt(black_box(x.view()), transposed.view()));
        });
        group.bench_function(format!("{name}/xt.d/{shape}"), |b| {
            b.iter(|| product_tn_acc(black_box(x.view()), d.view(), &mut grad.view_mut()));
        });
        group.finish();
    }
}

/// One step of one sentence, after the first: every score, and the additive one at other lengths and on one core.
fn decoding_step(c: &mut Criterion) {
    for size in [SMALL, EVERYDAY, LARGE] {
        for score in ScoreKind::ALL {
            one_step(c, &size, score, SOURCE, false);
        }
        for source in [4, 50, 1000] {
            one_step(c, &size, ScoreKind::Additive, source, false);
        }
        one_step(c, &size, ScoreKind::Additive, SOURCE, true);
    }
}

fn one_step(c: &mut Criterion, size: &Size, score: ScoreKind, source: usize, one_core: bool) {
    let network = size.network(score);
    let words_of_source = words(source, size.vocabularies.0, 2);
    let states = network.encode(&words_of_source, 1);
    let start = network.start(&states);
    let first = network.decode(&[START], start, &states, None).unwrap();
    let (state, input) = (first.state_after(0), words(1, size.vocabularies.1, 3));
    let cores = if one_core { "-one-core" } else { "" };
    let id = size.id(&format!("step/{score}/S{source}{cores}"));
    c.bench_function(&id, |b| {
        let step = |state| network.decode(black_box(&input), state, &states, None);
        let mut time = || b.iter_batched(|| state.clone(), step, BatchSize::SmallInput);
        if one_core { alone(time) } else { time() }
    });
}

/// The hyperbolic tangents of a step of the additive score, `[S, A]` of the everyday size, beside those of `rten-vecmath`.
fn tangents(c: &mut Criterion) {
    let values = words(SOURCE * 256, 4000, 5);
    let values: Vec<f32> = values.iter().map(|v| *v as f32 / 1000.0 - 2.0).collect();
    let mut group = c.benchmark_group("tanh");
    group.throughput(Throughput::Elements(values.len() as u64));
    group.bench_function("ours", |b| {
        b.iter_batched_ref(
            || values.clone(),
            |v| tanh_in_place(v),
            BatchSize::SmallInput,
        );
    });
    group.bench_function("rten-vecmath", |b| {
        b.iter_batched_ref(
            || values.clone(),
            |v| Tanh {}.map_mut(v),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

fn encoding(c: &mut Criterion) {
    for size in [SMALL, EVERYDAY, LARGE] {
        let network = size.network(ScoreKind::Additive);
        let source = words(SOURCE, size.vocabularies.0, 2);
        let id = size.id(&format!("encode/additive/S{SOURCE}"));
        c.bench_function(&id, |b| b.iter(|| network.encode(black_box(&source), 1)));
    }
}

/// One update of 64 sentences; the throughput counts target tokens.
fn update(c: &mut Criterion) {
    let (size, score) = (EVERYDAY, ScoreKind::Additive);
    let batch: Vec<Example> = (0..BATCH as u64)
        .map(|i| Example {
            source: words(SOURCE, size.vocabularies.0, 100 + i),
            target: words(TARGET, size.vocabularies.1, 200 + i),
            marked: false,
        })
        .collect();
    let mut group = c.benchmark_group("updates");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(10));
    group.throughput(Throughput::Elements((BATCH * (TARGET + 1)) as u64));
    for threads in [1, 2] {
        let options = TrainingOptions {
            threads,
            ..TrainingOptions::default()
        };
        let mut trainer = Trainer::new(size.network(score));
        let what = format!("update/{score}/B{BATCH}-S{SOURCE}-T{TARGET}-threads{threads}");
        group.bench_function(size.id(&what), |b| {
            b.iter(|| trainer.step(black_box(&batch), &options, 1e-3));
        });
    }
    group.finish();
}

criterion_group!(benches, products, decoding_step, tangents, encoding, update);
criterion_main!(benches);
