//! The speed of changing attention and of asking about it, at the everyday size.
//!
//! `cargo bench --bench attribution -- edit` runs a part; `--quick` gives a first impression. Networks and
//! sentences come from fixed seeds; a network that never says `</s>` decodes as many words as it is asked for.

#![allow(
    clippy::unwrap_used,
    reason = "a panic here is the report of a broken benchmark"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use regard::attribution::{Forced, GradientPaths, Method, Watch, attribute};
use regard::engine::{
    CellKind, DecodeCommand, DecodeSession, Intervention, InterventionKind, ModelConfig, Scope,
    ScoreKind, Seq2Seq, Wiring,
};
use regard::numeric::for_each_parallel;
use regard::text::END;

/// Source and output words of the attributions.
const WORDS: usize = 20;
/// Words that an edit decodes again.
const EDITED: usize = 10;
/// First of the word ids.
const FIRST_WORD: u32 = 4;

fn network(score: ScoreKind) -> Seq2Seq {
    let config = ModelConfig {
        source_vocabulary: 8000,
        target_vocabulary: 6000,
        embedding: 128,
        encoder: 128,
        decoder: 256,
        attention: 256,
        readout: 128,
        cell: CellKind::Gru,
        score,
        wiring: Wiring::Bahdanau,
        input_feeding: false,
        tied: true,
    };
    let mut network = Seq2Seq::initialised(&config.check().unwrap(), 1);
    network.decoder.output.b[END as usize] = -99.0;
    network
}

fn words(count: usize, step: u32) -> Vec<u32> {
    (0..count as u32)
        .map(|i| FIRST_WORD + (i * step) % 5000)
        .collect()
}

fn attributions(c: &mut Criterion) {
    let mut group = c.benchmark_group("everyday/20x20");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    for score in [ScoreKind::Additive, ScoreKind::Dot] {
        let network = network(score);
        let forced = Forced::new(&network, words(WORDS, 37), words(WORDS, 91)).unwrap();
        for method in [Method::LeaveOneOut, Method::Drop, Method::GradientInput] {
            group.bench_function(format!("{method}/{score}"), |b| {
                b.iter(|| black_box(attribute(&forced, method, None, Watch::default()).unwrap()));
            });
        }
        group.bench_function(format!("gradient-paths/{score}"), |b| {
            b.iter(|| black_box(GradientPaths::new(&forced, Watch::default()).unwrap()));
        });
        for method in [Method::IntegratedGradients, Method::IntegratedStates] {
            group.bench_function(format!("{method}-32/{score}"), |b| {
                b.iter(|| {
                    black_box(attribute(&forced, method, Some(32), Watch::default()).unwrap())
                });
            });
        }
    }
    group.finish();
}

/// A person masks a word: four panes decode ten words again, as they do in the window.
fn edits(c: &mut Criterion) {
    let scores = ScoreKind::ALL.into_iter().filter(|score| score.attends());
    let sessions: Vec<DecodeSession> = scores
        .map(|score| {
            let network = Arc::new(network(score));
            let mut session = DecodeSession::new(network, words(EDITED, 37), EDITED).unwrap();
            session.apply(DecodeCommand::RunToEnd).unwrap();
            session
        })
        .collect();
    let mask = Intervention::new(Scope::All, InterventionKind::MaskSource(3));
    let mut group = c.benchmark_group("everyday/edit");
    group.bench_function("mask/10-words/4-scorers", |b| {
        b.iter_batched(
            || sessions.clone(),
            |mut sessions| {
                for_each_parallel(&mut sessions, |session| {
                    let edit = DecodeCommand::AddIntervention(mask.clone());
                    session.apply(edit).unwrap();
                });
                sessions
            },
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, edits, attributions);
criterion_main!(benches);
