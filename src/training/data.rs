//! From sentence pairs to batches. What a pass sees follows from the seed and the number of the pass alone.

use std::collections::BTreeMap;

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use sha2::{Digest as _, Sha256};

use super::options::TrainingOptions;
use crate::numeric::{Stream, stream};
use crate::storage::hex;
use crate::text::{END, PAD, START, TokenPair, Vocabulary, drop_final_mark};

/// Purposes of the random streams of this file.
const MIX: u64 = 11;
const JOIN: u64 = 12;
const BATCHES: u64 = 13;

/// A pair as ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Source ids `[S]`.
    pub source: Vec<u32>,
    /// Target ids `[T]`, without marks of start and end.
    pub target: Vec<u32>,
    /// Whether both sides end with a final mark that may be dropped.
    pub marked: bool,
}

/// Pairs of one file and how they enter the training.
#[derive(Debug, Clone)]
pub struct Ingredient {
    /// The pairs.
    pub pairs: Vec<TokenPair>,
    /// The share of each pass that is drawn from them, in `(0, 1)`; `None`: all of them in every pass.
    pub share: Option<f32>,
}

/// The data of a training as ids.
#[derive(Debug, Clone)]
pub struct TrainingData {
    whole: Vec<Example>,
    mixed: Vec<(f32, Vec<Example>)>,
    /// How many pairs were left out for their length.
    pub left_out: usize,
}

impl TrainingData {
    /// Looks every word up. Pairs that are empty or longer than `longest` on a side are left out.
    pub fn new(
        ingredients: &[Ingredient],
        source: &Vocabulary,
        target: &Vocabulary,
        longest: usize,
    ) -> Self {
        let mut data = Self {
            whole: Vec::new(),
            mixed: Vec::new(),
            left_out: 0,
        };
        for Ingredient { pairs, share } in ingredients {
            let mut examples = Self::examples(pairs, source, target);
            examples.retain(|e| {
                (1..=longest).contains(&e.source.len()) && (1..=longest).contains(&e.target.len())
            });
            data.left_out += pairs.len() - examples.len();
            match share {
                Some(share) if !examples.is_empty() => data.mixed.push((*share, examples)),
                Some(_) => {}
                None => data.whole.extend(examples),
            }
        }
        data
    }

    /// Pairs as ids, in order.
    pub fn examples(pairs: &[TokenPair], source: &Vocabulary, target: &Vocabulary) -> Vec<Example> {
        let example = |pair: &TokenPair| Example {
            source: source.encode(&pair.source),
            target: target.encode(&pair.target),
            marked: drop_final_mark(&mut pair.clone()),
        };
        pairs.iter().map(example).collect()
    }

    /// Whether there is nothing to train on.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.mixed.is_empty()
    }

    /// Names the data: a SHA-256 over all ids and shares.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        let mut add = |examples: &[Example]| {
            for example in examples {
                for side in [&example.source, &example.target] {
                    hash.update((side.len() as u32).to_le_bytes());
                    side.iter().for_each(|id| hash.update(id.to_le_bytes()));
                }
            }
        };
        add(&self.whole);
        for (_, examples) in &self.mixed {
            add(examples);
        }
        for (share, _) in &self.mixed {
            hash.update(share.to_le_bytes());
        }
        hex(&hash.finalize())
    }

    /// The batches of pass number `pass`, in order.
    pub fn pass(&self, pass: usize, options: &TrainingOptions) -> Vec<Vec<Example>> {
        let path = |purpose| stream(&[options.seed, purpose, pass as u64]);
        let mut examples = self.mix(&mut path(MIX));
        examples = join(examples, options, &mut path(JOIN));
        batches(examples, options, &mut path(BATCHES))
    }

    /// All whole files and the drawn parts of the mixed ones, shuffled.
    fn mix(&self, rng: &mut Stream) -> Vec<Example> {
        let mut out = self.whole.clone();
        let shares: f32 = self.mixed.iter().map(|(share, _)| share).sum();
        for (share, examples) in &self.mixed {
            // Without a whole file a pass is as long as the mixed files are.
            let total = if self.whole.is_empty() || shares >= 1.0 {
                self.mixed.iter().map(|(_, e)| e.len()).sum::<usize>() as f32 / shares.max(1e-6)
            } else {
                self.whole.len() as f32 / (1.0 - shares)
            };
            let wanted = (total * share).round() as usize;
            let mut order: Vec<usize> = (0..examples.len()).collect();
            order.shuffle(rng);
            out.extend(
                order
                    .into_iter()
                    .cycle()
                    .take(wanted)
                    .map(|i| examples[i].clone()),
            );
        }
        out.shuffle(rng);
        out
    }
}

/// Drops final marks and puts pairs together, as the options say. Every pair is used once; pairs that would
/// make an example longer than `longest` are not put together.
fn join(pairs: Vec<Example>, options: &TrainingOptions, rng: &mut Stream) -> Vec<Example> {
    let (fewest, most) = options.concatenated;
    let mut out = Vec::with_capacity(pairs.len());
    let mut pairs = pairs.into_iter().peekable();
    while let Some(mut example) = pairs.next() {
        if rng.random::<f32>() < options.concatenate {
            let count = rng.random_range(fewest..=most);
            for _ in 1..count {
                let fits = |next: &Example| {
                    example.source.len() + next.source.len() <= options.longest
                        && example.target.len() + next.target.len() <= options.longest
                };
                let Some(next) = pairs.next_if(fits) else {
                    break;
                };
                example.source.extend(next.source);
                example.target.extend(next.target);
                example.marked = next.marked;
            }
        }
        if example.marked && rng.random::<f32>() < options.drop_mark {
            example.source.pop();
            example.target.pop();
            example.marked = false;
        }
        out.push(example);
    }
    out
}

/// Cuts into batches of one source length and like target lengths, in random order.
fn batches(
    examples: Vec<Example>,
    options: &TrainingOptions,
    rng: &mut Stream,
) -> Vec<Vec<Example>> {
    let mut by_length: BTreeMap<usize, Vec<Example>> = BTreeMap::new();
    for example in examples {
        by_length
            .entry(example.source.len())
            .or_default()
            .push(example);
    }
    let mut out = Vec::new();
    for (len, examples) in by_length {
        let size = (options.batch_tokens / len).clamp(1, options.batch);
        // Sorting within a window of eight batches keeps the padding small and the batches varied.
        let mut examples = examples.into_iter();
        loop {
            let mut window: Vec<Example> = examples.by_ref().take(8 * size).collect();
            if window.is_empty() {
                break;
            }
            window.sort_by_key(|e| e.target.len());
            while !window.is_empty() {
                let rest = window.split_off(window.len().min(size));
                out.push(std::mem::replace(&mut window, rest));
            }
        }
    }
    out.shuffle(rng);
    out
}

/// Sentences of one source length, laid out for the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    /// Number of sentences `B`.
    pub batch: usize,
    /// Source ids `[S · B]`, position-major.
    pub source: Vec<u32>,
    /// Previous words `[T · B]`, time-major, `<s>` first.
    pub inputs: Vec<u32>,
    /// Words to predict `[T · B]`, `</s>` last, then padding.
    pub targets: Vec<u32>,
}

impl Shard {
    /// Lays `examples` out; they have one source length.
    ///
    /// # Panics
    /// If there are none, or their source lengths differ.
    pub fn new(examples: &[&Example]) -> Self {
        let batch = examples.len();
        let len = examples[0].source.len();
        assert!(
            examples.iter().all(|e| e.source.len() == len),
            "one source length a batch"
        );
        let steps = examples
            .iter()
            .map(|e| e.target.len() + 1)
            .max()
            .unwrap_or(0);
        let source = (0..len)
            .flat_map(|j| examples.iter().map(move |e| e.source[j]))
            .collect();
        let at = |e: &Example, t: usize| e.target.get(t).copied();
        let mut inputs = Vec::with_capacity(steps * batch);
        let mut targets = Vec::with_capacity(steps * batch);
        for t in 0..steps {
            for e in examples {
                inputs.push(if t == 0 {
                    START
                } else {
                    at(e, t - 1).unwrap_or(PAD)
                });
                targets.push(at(e, t).unwrap_or(if t == e.target.len() { END } else { PAD }));
            }
        }
        Self {
            batch,
            source,
            inputs,
            targets,
        }
    }

    /// Deals `examples` out to at most `shards` shards, like lengths to each.
    pub fn deal(examples: &[Example], shards: usize) -> Vec<Self> {
        (0..shards.min(examples.len()))
            .map(|k| Self::new(&examples.iter().skip(k).step_by(shards).collect::<Vec<_>>()))
            .collect()
    }

    /// How many words there are to predict.
    pub fn tokens(&self) -> usize {
        self.targets.iter().filter(|t| **t != PAD).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(n: usize) -> Vec<TokenPair> {
        let words = |n: usize| -> Vec<String> {
            (0..n)
                .map(|i| ["a", "b", "c"][i % 3].to_owned())
                .chain([".".to_owned()])
                .collect()
        };
        (0..n)
            .map(|i| TokenPair {
                source: words(1 + i % 5),
                target: words(1 + i % 4),
            })
            .collect()
    }

    fn data(share: Option<f32>) -> (TrainingData, Vocabulary) {
        let vocabulary = Vocabulary::build(["a", "b", "c", "."].into_iter(), 20, 1);
        let whole = Ingredient {
            pairs: pairs(300),
            share: None,
        };
        let mut ingredients = vec![whole];
        if share.is_some() {
            ingredients.push(Ingredient {
                pairs: pairs(40),
                share,
            });
        }
        (
            TrainingData::new(&ingredients, &vocabulary, &vocabulary, 30),
            vocabulary,
        )
    }

    #[test]
    fn a_pass_follows_from_seed_and_number() {
        let (data, _) = data(Some(0.2));
        let options = TrainingOptions {
            drop_mark: 0.4,
            concatenate: 0.3,
            ..Default::default()
        };
        assert_eq!(data.pass(3, &options), data.pass(3, &options));
        assert_ne!(data.pass(3, &options), data.pass(4, &options));
        assert_ne!(
            data.pass(3, &options),
            data.pass(
                3,
                &TrainingOptions {
                    seed: 2,
                    ..options.clone()
                }
            )
        );
    }

    #[test]
    fn shares_marks_and_concatenation_come_out_as_asked() {
        let (plain, _) = data(Some(0.2));
        let options = TrainingOptions {
            batch: 16,
            ..Default::default()
        };
        let all: Vec<Example> = plain.pass(0, &options).into_iter().flatten().collect();
        assert_eq!(all.len(), 375, "300 whole pairs are 80 %");
        assert!(all.iter().all(|e| e.marked));
        let options = TrainingOptions {
            drop_mark: 0.4,
            concatenate: 0.3,
            concatenated: (2, 3),
            ..options
        };
        let batches = plain.pass(0, &options);
        for batch in &batches {
            assert!(
                batch.len() <= 16
                    && batch
                        .iter()
                        .all(|e| e.source.len() == batch[0].source.len())
            );
        }
        let all: Vec<Example> = batches.into_iter().flatten().collect();
        let share = |n: usize| n as f32 / all.len() as f32;
        let dropped = share(all.iter().filter(|e| !e.marked).count());
        assert!((dropped - 0.4).abs() < 0.08, "{dropped}");
        assert!(all.len() < 300 && all.len() > 200, "{}", all.len());
    }

    #[test]
    fn shards_are_time_major_with_marks_and_padding() {
        let e = |s: &[u32], t: &[u32]| Example {
            source: s.to_vec(),
            target: t.to_vec(),
            marked: false,
        };
        let shard = Shard::new(&[&e(&[5, 6], &[7]), &e(&[8, 9], &[4, 5])]);
        assert_eq!(shard.source, [5, 8, 6, 9]);
        assert_eq!(shard.inputs, [START, START, 7, 4, PAD, 5]);
        assert_eq!(shard.targets, [7, 4, END, 5, PAD, END]);
        assert_eq!(shard.tokens(), 5);
        assert_eq!(Shard::deal(&[e(&[5], &[7]), e(&[8], &[4])], 3).len(), 2);
    }

    #[test]
    fn long_pairs_are_left_out_and_counted() {
        let vocabulary = Vocabulary::build(["a"].into_iter(), 20, 1);
        let long = TokenPair {
            source: vec!["a".into(); 40],
            target: vec!["a".into()],
        };
        let data = TrainingData::new(
            &[Ingredient {
                pairs: vec![long],
                share: None,
            }],
            &vocabulary,
            &vocabulary,
            30,
        );
        assert!(data.is_empty());
        assert_eq!(data.left_out, 1);
    }
}
