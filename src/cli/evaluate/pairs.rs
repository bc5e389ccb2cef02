//! How well a model translates the pairs of a file.

use std::path::Path;
use std::time::Instant;

use super::concatenate::Concatenation;
use super::forced::{Batch, fits, forced};
use super::report::{BleuReport, Bucket, PairsReport};
use super::{groups, input, unknown};
use crate::engine::Model;
use crate::metrics::{BleuCounts, LengthBuckets, Smoothing, effective_sources, entropy};
use crate::text::{PAD, TokenPair, tokenise_pairs};
use crate::training::{Example, LossSums, TrainingData, cross_entropy, translate};

/// Measures `model` on the pairs of a file.
pub(super) fn measure(
    model: &Model,
    path: &Path,
    concatenation: Option<&Concatenation>,
    threads: usize,
) -> anyhow::Result<PairsReport> {
    let text = input::pairs(path)?;
    let tokens = tokenise_pairs(&text, model.source_tokeniser, model.target_tokeniser);
    let total = tokens.len();
    let kept: Vec<TokenPair> = tokens
        .into_iter()
        .filter(|pair| fits(pair.source.len(), pair.target.len()))
        .collect();
    let left_out = total - kept.len();
    let lengths: Vec<usize> = kept.iter().map(|pair| pair.source.len()).collect();
    let pairs: Vec<TokenPair> = groups(concatenation, &lengths, path)?
        .iter()
        .map(|group| joined(&kept, group))
        .collect();
    let examples =
        TrainingData::examples(&pairs, &model.source_vocabulary, &model.target_vocabulary);
    let (sums, entropies) = teacher_forced(model, &examples, threads);
    let started = Instant::now();
    let sources: Vec<&[u32]> = examples.iter().map(|example| &example.source[..]).collect();
    let translations = translate(&model.network, &sources, threads);
    let seconds = started.elapsed().as_secs_f64();
    let produced: usize = translations
        .iter()
        .map(|translation| translation.len() + 1)
        .sum();
    let scores = scores(model, &pairs, &examples, &translations);
    let mean_entropy = (entropies.rows > 0).then(|| entropies.nats / entropies.rows as f64);
    let mean_effective_sources =
        (entropies.rows > 0).then(|| entropies.effective / entropies.rows as f64);
    Ok(PairsReport {
        file: path.display().to_string(),
        sentences: pairs.len(),
        left_out,
        source_tokens: pairs.iter().map(|pair| pair.source.len()).sum(),
        target_tokens: pairs.iter().map(|pair| pair.target.len()).sum(),
        source_unknown: unknown(&examples, |example| &example.source),
        target_unknown: unknown(&examples, |example| &example.target),
        bleu: scores.bleu,
        bleu_by_length: scores.by_length,
        bleu_of_ids: scores.of_ids,
        accuracy: sums.accuracy(),
        perplexity: sums.perplexity(),
        mean_entropy,
        mean_effective_sources,
        seconds,
        threads,
        sentences_per_second: pairs.len() as f64 / seconds,
        tokens_per_second: produced as f64 / seconds,
    })
}

/// The pairs of a group, one after the other.
fn joined(pairs: &[TokenPair], group: &[usize]) -> TokenPair {
    let side = |of: fn(&TokenPair) -> &Vec<String>| {
        group.iter().flat_map(|&i| of(&pairs[i])).cloned().collect()
    };
    TokenPair {
        source: side(|pair| &pair.source),
        target: side(|pair| &pair.target),
    }
}

/// Sums over rows of attention weights.
#[derive(Default)]
struct Entropies {
    nats: f64,
    effective: f64,
    rows: usize,
}

/// Loss and entropy over all target words, `</s>` included.
fn teacher_forced(model: &Model, examples: &[Example], threads: usize) -> (LossSums, Entropies) {
    let parts = forced(&model.network, examples, threads, |batch: Batch<'_>| {
        let mut entropies = Entropies::default();
        let weights = &batch.trace.decoder.attention.weights;
        for (row, _) in weights
            .rows()
            .into_iter()
            .zip(&batch.shard.targets)
            .filter(|(_, t)| **t != PAD)
        {
            let nats = entropy(row);
            entropies.nats += nats;
            entropies.effective += effective_sources(nats);
            entropies.rows += 1;
        }
        (
            cross_entropy(
                &mut batch.trace.decoder.logits,
                &batch.shard.targets,
                1,
                0.0,
            ),
            entropies,
        )
    });
    let (mut sums, mut entropies) = (LossSums::default(), Entropies::default());
    for (part, rows) in parts {
        sums += part;
        entropies.nats += rows.nats;
        entropies.effective += rows.effective;
        entropies.rows += rows.rows;
    }
    (sums, entropies)
}

struct Scores {
    bleu: BleuReport,
    by_length: Vec<Bucket>,
    of_ids: f64,
}

/// BLEU against the words of the file, where `<unk>` is never right; and against their ids, as in training.
fn scores(
    model: &Model,
    pairs: &[TokenPair],
    examples: &[Example],
    translations: &[Vec<u32>],
) -> Scores {
    let word = |id: &u32| model.target_vocabulary.word(*id).unwrap_or_default();
    let mut buckets = LengthBuckets::default();
    let (mut counts, mut of_ids) = (BleuCounts::default(), BleuCounts::default());
    for ((pair, example), translation) in pairs.iter().zip(examples).zip(translations) {
        let hypothesis: Vec<&str> = translation.iter().map(word).collect();
        let reference: Vec<&str> = pair.target.iter().map(String::as_str).collect();
        let one = BleuCounts::of_sentence(&hypothesis, &reference);
        buckets.add_counts(pair.source.len(), one);
        counts += one;
        of_ids.add(&translation[..], &example.target[..]);
    }
    let by_length = buckets.buckets().iter().map(|bucket| Bucket {
        source_words: bucket.to_string(),
        sentences: bucket.sentences,
        bleu: bucket.score(Smoothing::None).map(|bleu| bleu.score),
    });
    let bleu = counts.score(Smoothing::None);
    Scores {
        bleu: BleuReport {
            score: bleu.score,
            precisions: bleu.precisions,
            brevity_penalty: bleu.brevity_penalty,
            hypothesis_tokens: bleu.counts.hypothesis_length,
            reference_tokens: bleu.counts.reference_length,
        },
        by_length: by_length.collect(),
        of_ids: of_ids.score(Smoothing::None).score,
    }
}
