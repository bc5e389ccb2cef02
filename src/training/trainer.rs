//! One update: forward and backward on shards, one thread each, then the gradients of the parameters as
//! disjoint pieces of work, then Adam.

use super::data::{Example, Shard};
use super::loss::{LossSums, cross_entropy};
use super::optimiser::Adam;
use super::options::TrainingOptions;
use super::pool::{map_parallel, run_tasks};
use crate::engine::{Deltas, Dropout, ForwardOptions, Seq2Seq, StepWeights};
use crate::numeric::stream;
use rand::Rng as _;

/// Purpose of the dropout streams.
const DROPOUT: u64 = 21;

/// A network and what it is trained with.
#[derive(Debug, Clone)]
pub struct Trainer {
    /// The network.
    pub network: Seq2Seq,
    /// The optimiser's state.
    pub adam: Adam,
    gradient: Seq2Seq,
    /// What the logits of each shard lay in: most of what an update takes.
    spaces: Vec<Vec<f32>>,
    /// The weights as the steps of this update read them.
    packed: StepWeights,
}

/// What an update did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// Loss sums over the batch.
    pub sums: LossSums,
    /// Norm of the gradient before clipping; not finite if the update was refused.
    pub gradient_norm: f64,
}

impl Trainer {
    /// A trainer for `network` with fresh moments.
    pub fn new(network: Seq2Seq) -> Self {
        let adam = Adam::new(&network);
        let gradient = Seq2Seq::zeros(network.checked_config());
        Self {
            network,
            adam,
            gradient,
            spaces: Vec::new(),
            packed: StepWeights::default(),
        }
    }

    /// A trainer that goes on with `adam`.
    pub fn resumed(network: Seq2Seq, adam: Adam) -> Self {
        let gradient = Seq2Seq::zeros(network.checked_config());
        Self {
            network,
            adam,
            gradient,
            spaces: Vec::new(),
            packed: StepWeights::default(),
        }
    }

    /// One update on a batch of one source length. Equal inputs give equal bits for equal `options.threads`.
    pub fn step(&mut self, batch: &[Example], options: &TrainingOptions, rate: f32) -> StepReport {
        let shards = Shard::deal(batch, options.threads);
        let tokens = shards.iter().map(Shard::tokens).sum();
        let update = self.adam.updates;
        let network = &self.network;
        run_tasks(self.packed.packing(network), options.threads);
        let packed = Some(&self.packed);
        let mut spaces = std::mem::take(&mut self.spaces);
        spaces.resize(shards.len(), Vec::new());
        let shards = shards.into_iter().zip(spaces).collect();
        let results = map_parallel(shards, |k, (shard, space): (Shard, Vec<f32>)| {
            let seed = stream(&[options.seed, DROPOUT, update, k as u64]).next_u64();
            let dropout = (options.dropout > 0.0).then_some(Dropout {
                rate: options.dropout,
                seed,
            });
            let (source, inputs) = (&shard.source, &shard.inputs);
            let run = ForwardOptions {
                dropout,
                space,
                packed,
                intervene: None,
            };
            let trace = network.forward_with(source, inputs, shard.batch, None, run);
            // No mask, so that there is always something to attend to.
            let mut trace = trace.expect("an unmasked source");
            let mut d_logits = std::mem::take(&mut trace.decoder.logits);
            let sums = cross_entropy(
                &mut d_logits,
                &shard.targets,
                tokens,
                options.label_smoothing,
            );
            let deltas = network.backward_with(&trace, d_logits, packed);
            (sums, (trace, deltas))
        });
        let mut sums = LossSums::default();
        let mut passes = Vec::with_capacity(results.len());
        for (shard, pass) in results {
            sums += shard;
            passes.push(pass);
        }
        run_tasks(
            self.gradient.accumulation(&passes, options.threads),
            options.threads,
        );
        let space = |(_, deltas): (_, Deltas)| deltas.decoder.d_logits.into_raw_vec_and_offset().0;
        self.spaces = passes.into_iter().map(space).collect();
        let gradient_norm = self.adam.update(
            &mut self.network,
            &mut self.gradient,
            rate,
            options.clip,
            options.threads,
        );
        StepReport {
            sums,
            gradient_norm,
        }
    }
}

/// Loss, accuracy and perplexity of `network` on `examples`, teacher-forced.
pub fn forced_loss(network: &Seq2Seq, examples: &[Example], threads: usize) -> LossSums {
    let mut by_length: std::collections::BTreeMap<usize, Vec<&Example>> =
        std::collections::BTreeMap::new();
    for example in examples {
        by_length
            .entry(example.source.len())
            .or_default()
            .push(example);
    }
    let batches: Vec<Vec<&Example>> = by_length
        .values()
        .flat_map(|members| members.chunks(64).map(<[&Example]>::to_vec))
        .collect();
    let parts = super::pool::split(batches, threads);
    let sums = map_parallel(parts, |_, part| {
        let mut sums = LossSums::default();
        for batch in part {
            let shard = Shard::new(&batch);
            let trace = network.forward(&shard.source, &shard.inputs, shard.batch, None, None);
            let mut logits = trace.expect("an unmasked source").decoder.logits;
            sums += cross_entropy(&mut logits, &shard.targets, 1, 0.0);
        }
        sums
    });
    let mut total = LossSums::default();
    sums.into_iter().for_each(|s| total += s);
    total
}

/// Greedy translations of `sources` on several threads, in order.
pub fn translate(network: &Seq2Seq, sources: &[&[u32]], threads: usize) -> Vec<Vec<u32>> {
    // Deal by length, so that each thread gets whole batches and like work.
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|&i| sources[i].len());
    let parts = super::pool::split(order.chunks(64).map(<[usize]>::to_vec).collect(), threads);
    let results = map_parallel(parts, |_, part| {
        let members: Vec<usize> = part.into_iter().flatten().collect();
        let batch: Vec<&[u32]> = members.iter().map(|&i| sources[i]).collect();
        let translations = network.translate(&batch);
        members.into_iter().zip(translations).collect::<Vec<_>>()
    });
    let mut out = vec![Vec::new(); sources.len()];
    for (i, translation) in results.into_iter().flatten() {
        out[i] = translation;
    }
    out
}
