//! Forcing a model through given translations, many sentences at once.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::engine::{DecodeSession, Seq2Seq, Trace};
use crate::training::{Example, Shard};

/// Most sentences, and most decoder steps, in a batch.
const BATCH: usize = 64;
const BATCH_STEPS: usize = 3200;

/// Whether a model can be measured on an example: both sides have words, and not absurdly many.
pub(super) fn fits(source: usize, target: usize) -> bool {
    let range = 1..=DecodeSession::LONGEST_SOURCE;
    range.contains(&source) && range.contains(&target)
}

/// One batch that was forced through.
pub(super) struct Batch<'a> {
    /// What the network computed.
    pub(super) trace: &'a mut Trace,
    /// The batch as it was laid out.
    pub(super) shard: &'a Shard,
    /// The place of each of its sentences among the examples.
    pub(super) members: &'a [usize],
}

/// Forces `network` through all `examples` on several threads, and lets `each` take what it needs from every
/// batch. Results come in the order of the batches, whatever thread was faster.
pub(super) fn forced<R: Send>(
    network: &Seq2Seq,
    examples: &[Example],
    threads: usize,
    each: impl Fn(Batch<'_>) -> R + Sync,
) -> Vec<R> {
    let batches = batches(examples);
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(members) = batches.get(place) else {
                break;
            };
            let shard = Shard::new(&members.iter().map(|&i| &examples[i]).collect::<Vec<_>>());
            let pass = network.forward(&shard.source, &shard.inputs, shard.batch, None, None);
            // Nothing masks here, so that there is always something to attend to.
            let Ok(mut trace) = pass else { continue };
            let result = each(Batch {
                trace: &mut trace,
                shard: &shard,
                members,
            });
            if let Ok(mut results) = results.lock() {
                results.push((place, result));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(batches.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Places of examples with one source length, of like target lengths, longest first.
fn batches(examples: &[Example]) -> Vec<Vec<usize>> {
    let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, example) in examples
        .iter()
        .enumerate()
        .filter(|(_, e)| !e.source.is_empty())
    {
        by_length.entry(example.source.len()).or_default().push(i);
    }
    let mut out: Vec<Vec<usize>> = Vec::new();
    for mut members in by_length.into_values().rev() {
        members.sort_by_key(|&i| std::cmp::Reverse(examples[i].target.len()));
        let mut rest = &members[..];
        while let Some(&longest) = rest.first() {
            let fitting = BATCH_STEPS / (examples[longest].target.len() + 1);
            let (batch, behind) = rest.split_at(fitting.clamp(1, BATCH).min(rest.len()));
            out.push(batch.to_vec());
            rest = behind;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_in_one_batch_of_its_length() {
        let example = |i: usize| Example {
            source: vec![4; i % 7],
            target: vec![4; i % 90],
            marked: false,
        };
        let examples: Vec<Example> = (0..1000).map(example).collect();
        let batches = batches(&examples);
        let mut seen: Vec<usize> = batches.iter().flatten().copied().collect();
        seen.sort_unstable();
        let expected: Vec<usize> = (0..1000).filter(|i| i % 7 > 0).collect();
        assert_eq!(seen, expected);
        for batch in batches {
            assert!(batch.iter().all(|&i| i % 7 == batch[0] % 7));
            let steps = batch.iter().map(|&i| i % 90 + 1).max().unwrap() * batch.len();
            assert!(steps <= BATCH_STEPS && batch.len() <= BATCH);
        }
    }
}
