//! How well attention finds the known links of a file.

use std::ops::Range;
use std::path::Path;

use ndarray::Array2;

use super::concatenate::Concatenation;
use super::forced::{Batch, fits, forced};
use super::report::{AlignmentReport, LinksReport};
use super::{groups, input, unknown};
use crate::alignment::{AlignedPair, Link, Links};
use crate::engine::Model;
use crate::metrics::{AlignmentCounts, argmax_links, diagonal_links};
use crate::text::TokeniserKind;
use crate::training::Example;

/// Measures the attention of `model` on the pairs of a file.
pub(super) fn measure(
    model: &Model,
    path: &Path,
    concatenation: Option<&Concatenation>,
    threads: usize,
) -> anyhow::Result<LinksReport> {
    let pairs = input::aligned_pairs(path)?;
    let (source, target) = (model.source_tokeniser, model.target_tokeniser);
    let is_fit = |pair: &AlignedPair| {
        fits(
            Pieces::new(source, &pair.source).words.len(),
            Pieces::new(target, &pair.target).words.len(),
        )
    };
    let total = pairs.len();
    let kept: Vec<AlignedPair> = pairs.iter().filter(is_fit).collect();
    let left_out = total - kept.len();
    let length = |pair: &AlignedPair| Pieces::new(source, &pair.source).words.len();
    let lengths: Vec<usize> = kept.iter().map(length).collect();
    let pairs: Vec<AlignedPair> = groups(concatenation, &lengths, path)?
        .iter()
        .map(|group| joined(&kept, group))
        .collect();
    let cut: Vec<(Pieces, Pieces)> = pairs
        .iter()
        .map(|pair| {
            (
                Pieces::new(source, &pair.source),
                Pieces::new(target, &pair.target),
            )
        })
        .collect();
    let examples: Vec<Example> = cut
        .iter()
        .map(|(source, target)| Example {
            source: model.source_vocabulary.encode(&source.words),
            target: model.target_vocabulary.encode(&target.words),
            marked: false,
        })
        .collect();
    let attends = model.network.config().score.attends();
    let attention = attends.then(|| attention(model, &pairs, &cut, &examples, threads));
    Ok(LinksReport {
        file: path.display().to_string(),
        sentences: pairs.len(),
        left_out,
        source_words: pairs.iter().map(|pair| pair.source.len()).sum(),
        target_words: pairs.iter().map(|pair| pair.target.len()).sum(),
        recut_words: cut
            .iter()
            .map(|(source, target)| source.recut() + target.recut())
            .sum(),
        source_unknown: unknown(&examples, |example| &example.source),
        target_unknown: unknown(&examples, |example| &example.target),
        sure_links: pairs.iter().map(|pair| pair.links.sure().count()).sum(),
        possible_links: pairs.iter().map(|pair| pair.links.len()).sum(),
        attention: attention.as_ref().map(AlignmentReport::from),
        diagonal: AlignmentReport::from(&diagonal(&pairs)),
    })
}

/// The links by attention against those of the file.
fn attention(
    model: &Model,
    pairs: &[AlignedPair],
    cut: &[(Pieces, Pieces)],
    examples: &[Example],
    threads: usize,
) -> AlignmentCounts {
    let counts = forced(&model.network, examples, threads, |batch| {
        predicted(&batch, cut)
            .map(|(i, links)| AlignmentCounts::of_sentence(&links, &pairs[i].links))
            .sum::<AlignmentCounts>()
    });
    counts.into_iter().sum()
}

/// The links along the diagonal against those of the file.
fn diagonal(pairs: &[AlignedPair]) -> AlignmentCounts {
    let count = |pair: &AlignedPair| {
        let links = diagonal_links(pair.source.len(), pair.target.len());
        AlignmentCounts::of_sentence(&links, &pair.links)
    };
    pairs.iter().map(count).sum()
}

/// The given words of a sentence as the model cuts them.
struct Pieces {
    /// The pieces, `[S]` or `[T]`.
    words: Vec<String>,
    /// The pieces of each given word; usually one, and none where nothing is left of a word.
    groups: Vec<Range<usize>>,
}

impl Pieces {
    fn new(tokeniser: TokeniserKind, given: &[String]) -> Self {
        let mut pieces = Self {
            words: Vec::new(),
            groups: Vec::with_capacity(given.len()),
        };
        for word in given {
            let start = pieces.words.len();
            pieces.words.extend(tokeniser.tokenise(word));
            pieces.groups.push(start..pieces.words.len());
        }
        pieces
    }

    /// How many given words are not exactly one piece.
    fn recut(&self) -> usize {
        self.groups.iter().filter(|group| group.len() != 1).count()
    }
}

/// The links by attention between the given words, of every sentence of a batch.
fn predicted<'a>(
    batch: &'a Batch<'_>,
    cut: &'a [(Pieces, Pieces)],
) -> impl Iterator<Item = (usize, Links)> + 'a {
    let weights = &batch.trace.decoder.attention.weights;
    batch.members.iter().enumerate().map(move |(b, &i)| {
        let (source, target) = &cut[i];
        let row = |t: usize, j: usize| weights[[t * batch.shard.batch + b, j]];
        let words = merged(&source.groups, &target.groups, row);
        (i, argmax_links(&words, words.nrows()))
    })
}

/// Weights between given words `[T, S]` from weights between pieces: sums over source pieces, means over
/// target pieces. A target word without pieces gets a row of NaN, and so no link.
fn merged(
    sources: &[Range<usize>],
    targets: &[Range<usize>],
    weight: impl Fn(usize, usize) -> f32,
) -> Array2<f32> {
    Array2::from_shape_fn((targets.len(), sources.len()), |(t, s)| {
        let pieces = targets[t].clone();
        let count = pieces.len() as f32;
        let sum: f32 = pieces
            .flat_map(|i| sources[s].clone().map(move |j| (i, j)))
            .map(|(i, j)| weight(i, j))
            .sum();
        // 0 / 0 where there are no pieces.
        sum / count
    })
}

/// The pairs of a group, one after the other, their links moved along.
fn joined(pairs: &[AlignedPair], group: &[usize]) -> AlignedPair {
    let mut whole = AlignedPair {
        source: Vec::new(),
        target: Vec::new(),
        links: Links::default(),
    };
    let mut links = Vec::new();
    for pair in group.iter().map(|&i| &pairs[i]) {
        links.extend(pair.links.iter().map(|link| Link {
            source: link.source + whole.source.len(),
            target: link.target + whole.target.len(),
            ..*link
        }));
        whole.source.extend_from_slice(&pair.source);
        whole.target.extend_from_slice(&pair.target);
    }
    whole.links = links.into_iter().collect();
    whole
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn links_move_with_their_pairs() {
        let pair = |source, target, links: &str| AlignedPair {
            source: words(source),
            target: words(target),
            links: links.parse().unwrap(),
        };
        let pairs = [pair("a b", "x", "0-0 1?0"), pair("c", "y z", "0-1")];
        let whole = joined(&pairs, &[1, 0, 1]);
        assert_eq!(whole.source, ["c", "a", "b", "c"]);
        assert_eq!(whole.target, ["y", "z", "x", "y", "z"]);
        assert_eq!(whole.links.to_string(), "0-1 1-2 2?2 3-4");
    }

    #[test]
    fn given_words_collect_the_weights_of_their_pieces() {
        let pieces = Pieces::new(TokeniserKind::French, &words("parlez-vous \u{200B} chat"));
        assert_eq!(pieces.words, ["parlez", "-vous", "chat"]);
        assert_eq!(pieces.groups, [0..2, 2..2, 2..3]);
        assert_eq!(pieces.recut(), 2);
        let weights = array![[0.3_f32, 0.3, 0.4], [0.0, 0.25, 0.75]];
        let targets = [0..1, 0..2, 2..2];
        let merged = merged(&pieces.groups, &targets, |t, s| weights[[t, s]]);
        approx::assert_abs_diff_eq!(merged[[0, 0]], 0.6);
        approx::assert_abs_diff_eq!(merged[[1, 2]], 0.575);
        assert_eq!(argmax_links(&merged, 3).to_string(), "0-0 2-1");
    }
}
