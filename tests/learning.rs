//! Training learns what can be known beforehand, and the same every time.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is how a test reports a failure"
)]

use regard::engine::{
    CellKind, DecodeCommand, DecodeSession, ModelConfig, ScoreKind, Seq2Seq, Task, Wiring,
};
use regard::numeric::argmax;
use regard::synthetic::{Generator, GeneratorKind, GeneratorOptions};
use regard::text::{END, TokenPair, Vocabulary};
use regard::training::{
    Adam, Example, Ingredient, Trainer, TrainingData, TrainingOptions, forced_loss, translate,
};

/// Reversed sequences of 3 to 8 of eight letters.
struct Reversal {
    data: TrainingData,
    held_out: Vec<Example>,
    vocabulary: Vocabulary,
}

impl Reversal {
    fn new(pairs: usize, held_out: usize) -> Self {
        let words: Vec<String> = ('a'..='h').map(String::from).collect();
        let vocabulary = Vocabulary::build(words.iter().map(String::as_str), 100, 1);
        let options = GeneratorOptions {
            sequence_lengths: 3..=8,
            words,
            ..GeneratorOptions::default()
        };
        let mut all: Vec<TokenPair> = Generator::new(GeneratorKind::Reversal, options, 5)
            .unwrap()
            .take(pairs + held_out)
            .map(|pair| TokenPair {
                source: pair.source,
                target: pair.target,
            })
            .collect();
        let mut held_out = all.split_off(pairs);
        held_out.retain(|pair| !all.contains(pair));
        let ingredient = Ingredient {
            pairs: all,
            share: None,
        };
        Self {
            data: TrainingData::new(&[ingredient], &vocabulary, &vocabulary, 20),
            held_out: TrainingData::examples(&held_out, &vocabulary, &vocabulary),
            vocabulary,
        }
    }

    fn network(&self, size: usize) -> Seq2Seq {
        let config = ModelConfig {
            source_vocabulary: self.vocabulary.len(),
            target_vocabulary: self.vocabulary.len(),
            embedding: size,
            encoder: size,
            decoder: 2 * size,
            attention: size,
            readout: size,
            cell: CellKind::Gru,
            score: ScoreKind::Additive,
            wiring: Wiring::Bahdanau,
            input_feeding: false,
            tied: true,
        };
        Seq2Seq::initialised(&config.check().unwrap(), 3)
    }

    /// The trainer after `updates` updates, and the loss of each.
    fn train(&self, size: usize, updates: usize, options: &TrainingOptions) -> (Trainer, Vec<f64>) {
        let mut trainer = Trainer::new(self.network(size));
        let batches = (0..).flat_map(|pass| self.data.pass(pass, options));
        let losses = batches
            .take(updates)
            .map(|batch| {
                let rate = options.rate_at(trainer.adam.updates, 0.0);
                trainer.step(&batch, options, rate).sums.mean()
            })
            .collect();
        (trainer, losses)
    }
}

fn options(threads: usize) -> TrainingOptions {
    TrainingOptions {
        threads,
        rate: 5e-3,
        warm_up: 50,
        dropout: 0.0,
        ..TrainingOptions::default()
    }
}

#[test]
fn an_additive_model_learns_to_reverse_along_the_antidiagonal() {
    let task = Reversal::new(3000, 60);
    assert!(task.held_out.len() > 40, "short sequences repeat");
    let (trainer, losses) = task.train(24, 450, &options(1));
    let network = std::sync::Arc::new(trainer.network);

    let accuracy = forced_loss(&network, &task.held_out, 1).accuracy();
    assert!(
        accuracy >= 0.95,
        "accuracy {accuracy}, loss {:?}",
        losses.last()
    );

    let (mut rows, mut right) = (0, 0);
    for example in &task.held_out {
        let limit = example.target.len() + 1;
        let mut session =
            DecodeSession::new(network.clone(), example.source.clone(), limit).unwrap();
        session
            .apply(DecodeCommand::TeacherForce(example.target.clone()))
            .unwrap();
        for step in session.steps().filter(|step| step.chosen != END) {
            let weights = step.weights.as_deref().unwrap();
            rows += 1;
            right += usize::from(argmax(weights).0 == example.source.len() - 1 - step.position);
        }
    }
    assert!(
        right * 10 >= rows * 9,
        "{right} of {rows} rows look at the mirrored place"
    );
}

#[test]
fn equal_seeds_and_threads_give_equal_bits() {
    let task = Reversal::new(400, 20);
    for threads in [1, 2] {
        let options = TrainingOptions {
            dropout: 0.2,
            label_smoothing: 0.1,
            ..options(threads)
        };
        let (first, losses) = task.train(12, 30, &options);
        let (second, again) = task.train(12, 30, &options);
        assert_eq!(losses, again, "{threads} threads");
        assert!(first.network == second.network && first.adam == second.adam);
        let other = TrainingOptions { seed: 2, ..options };
        assert_ne!(losses, task.train(12, 30, &other).1, "the seed matters");
    }
}

#[test]
fn the_number_of_threads_changes_no_more_than_rounding() {
    let task = Reversal::new(400, 20);
    let losses = [1, 2, 3].map(|threads| task.train(12, 30, &options(threads)).1);
    assert!(
        losses[0][29] < losses[0][0] - 0.1,
        "it learns: {:?}",
        losses[0]
    );
    for other in &losses[1..] {
        for (a, b) in losses[0].iter().zip(other) {
            assert!((a - b).abs() < 1e-3, "{a} and {b}");
        }
    }
}

#[test]
fn who_runs_a_piece_of_work_does_not_matter() {
    let task = Reversal::new(400, 150);
    let (trainer, _) = task.train(12, 20, &options(2));
    let network = &trainer.network;
    let batch = &task.data.pass(0, &options(1))[0];
    let passes: Vec<_> = regard::training::Shard::deal(batch, 2)
        .iter()
        .map(|shard| {
            let trace = network.forward(&shard.source, &shard.inputs, shard.batch, None, None);
            let mut trace = trace.unwrap();
            let mut logits = std::mem::take(&mut trace.decoder.logits);
            regard::training::cross_entropy(&mut logits, &shard.targets, shard.tokens(), 0.0);
            let deltas = network.backward(&trace, logits);
            (trace, deltas)
        })
        .collect();
    let gradient = |run: &dyn Fn(Vec<Task>)| {
        let mut gradient = Seq2Seq::zeros(network.checked_config());
        run(gradient.accumulation(&passes, 2));
        gradient
    };
    let in_order = gradient(&|tasks| tasks.into_iter().for_each(|task| task()));
    let backwards = gradient(&|tasks| tasks.into_iter().rev().for_each(|task| task()));
    let threaded = gradient(&|tasks| {
        std::thread::scope(|scope| {
            for task in tasks {
                scope.spawn(task);
            }
        });
    });
    assert!(
        in_order
            .parameters()
            .iter()
            .any(|p| p.values.iter().any(|v| *v != 0.0))
    );
    assert!(in_order == backwards && in_order == threaded);

    let updated = [1, 2, 5].map(|threads| {
        let (mut network, mut gradient) = (network.clone(), in_order.clone());
        let mut adam = Adam::new(&network);
        let norm = adam.update(&mut network, &mut gradient, 1e-2, 1.0, threads);
        (norm.to_bits(), network, adam)
    });
    assert!(updated[0].1 != *network);
    assert!(updated[0] == updated[1] && updated[0] == updated[2]);

    let sums = [1, 3].map(|threads| forced_loss(network, &task.held_out, threads));
    assert_eq!(
        (sums[0].tokens, sums[0].correct),
        (sums[1].tokens, sums[1].correct)
    );
    assert!((sums[0].loss - sums[1].loss).abs() < 1e-3);
    let sources: Vec<&[u32]> = task.held_out.iter().map(|e| &e.source[..]).collect();
    assert_eq!(
        translate(network, &sources, 1),
        translate(network, &sources, 3)
    );
}
