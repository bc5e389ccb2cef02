//! Means over many sentences, for several models.

use std::path::Path;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::Arguments;
use crate::attribution::{
    Agreement, AgreementSums, Forced, GradientPaths, Method, PathMeans, PathSums, Watch, attribute,
};
use crate::cli::{input, models};
use crate::engine::{DecodeSession, Intervention, InterventionKind, Model, Scope, ScoreKind};
use crate::metrics::{BleuCounts, Smoothing};
use crate::numeric::for_each_parallel;
use crate::shipped;
use crate::text::{END, TokenPair, tokenise_pairs};

/// Permutations whose BLEU is averaged.
const SEEDS: usize = 5;
/// Sentences that a thread translates at once.
const CHUNK: usize = 32;

/// All that was measured.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) file: String,
    /// Whether the translations of the file were asked about.
    pub(super) references: bool,
    pub(super) models: Vec<Measured>,
}

/// What was measured of a model.
#[derive(Debug, Serialize)]
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) score: ScoreKind,
    pub(super) sentences: usize,
    pub(super) source_words: usize,
    pub(super) target_words: usize,
    /// Of each method with attention; and of the second method with the first, as a measure.
    pub(super) agreement: Vec<Pairing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bleu: Option<Costs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) paths: Option<Paths>,
}

/// Whose agreement it is.
#[derive(Debug, Serialize)]
pub(super) struct Pairing {
    pub(super) first: &'static str,
    pub(super) second: Method,
    #[serde(flatten)]
    pub(super) agreement: Agreement,
    /// Rows whose integral is not complete.
    pub(super) incomplete: usize,
}

/// BLEU of greedy translations, 0 to 100, under other weights.
#[derive(Debug, Serialize)]
pub(super) struct Costs {
    pub(super) plain: f64,
    /// `null` without attention, as the next two are.
    pub(super) uniform: Option<f64>,
    pub(super) last: Option<f64>,
    /// One for each seed.
    pub(super) permuted: Option<Vec<f64>>,
}

/// Norms of gradients by distance, and by source length at both ends of the way.
#[derive(Debug, Serialize)]
pub(super) struct Paths {
    pub(super) by_distance: Vec<(usize, PathMeans)>,
    pub(super) near_by_length: Vec<(usize, PathMeans)>,
    pub(super) far_by_length: Vec<(usize, PathMeans)>,
}

/// Measures all models on the pairs of a file.
pub(super) fn measure(arguments: &Arguments, path: &Path) -> anyhow::Result<Report> {
    let text = input::pairs(path)?;
    let names: Vec<std::path::PathBuf> = if arguments.scorers.is_empty() {
        let all = shipped::list().iter();
        all.map(|shipped| shipped.score.name().into()).collect()
    } else {
        arguments.scorers.clone()
    };
    let mut measured = Vec::new();
    for name in names {
        let model = models::open_named(&name)?;
        let pairs = tokenise_pairs(&text, model.source_tokeniser, model.target_tokeniser);
        let pairs = chosen(pairs, arguments.sentences.get());
        if pairs.is_empty() {
            bail!(
                "{}: expected at least one pair with two source words or more, found none",
                path.display()
            );
        }
        let name = name.display().to_string();
        measured.push(one(&model, name.clone(), &pairs, arguments).with_context(|| name)?);
    }
    Ok(Report {
        file: path.display().to_string(),
        references: arguments.references,
        models: measured,
    })
}

/// So many pairs, evenly spread: those with at least two source words and a translation, and not absurdly many.
fn chosen(pairs: Vec<TokenPair>, most: usize) -> Vec<TokenPair> {
    let longest = DecodeSession::LARGEST_STEP_LIMIT - 1;
    let fits = |pair: &TokenPair| {
        (2..=longest).contains(&pair.source.len()) && (1..=longest).contains(&pair.target.len())
    };
    let fitting: Vec<TokenPair> = pairs.into_iter().filter(fits).collect();
    let (count, total) = (most.min(fitting.len()), fitting.len());
    let mut places = (0..count).map(|i| i * total / count).peekable();
    let kept = fitting.into_iter().enumerate();
    kept.filter(|(i, _)| places.next_if_eq(i).is_some())
        .map(|(_, pair)| pair)
        .collect()
}

fn one(
    model: &Model,
    name: String,
    pairs: &[TokenPair],
    arguments: &Arguments,
) -> anyhow::Result<Measured> {
    let score = model.network.config().score;
    let methods = methods(arguments, score);
    let bar = ProgressBar::new(pairs.len() as u64).with_message(name.clone());
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len}") {
        bar.set_style(style);
    }
    let mut sums = Sums::new(&methods, score.attends());
    let mut paths = PathSums::default();
    let (mut source_words, mut target_words) = (0, 0);
    // BLEU alone needs no forced output.
    if !methods.is_empty() || arguments.paths {
        for pair in pairs {
            let forced = forced(model, pair, arguments.references)?;
            source_words += forced.source().len();
            target_words += forced.output().len();
            sums.add(&forced, &methods, arguments.points)?;
            if arguments.paths {
                paths.add(&GradientPaths::new(&forced, Watch::default())?);
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(Measured {
        name,
        score,
        sentences: pairs.len(),
        source_words,
        target_words,
        agreement: sums.means(),
        bleu: arguments
            .replacements
            .then(|| costs(model, pairs, arguments))
            .transpose()?,
        paths: arguments.paths.then(|| Paths {
            by_distance: paths.by_distance(),
            near_by_length: paths.near_by_length(),
            far_by_length: paths.far_by_length(),
        }),
    })
}

/// The methods that were named, or the usual two unless something else was asked for.
fn methods(arguments: &Arguments, score: ScoreKind) -> Vec<Method> {
    let usual = [Method::LeaveOneOut, Method::IntegratedGradients];
    let named = match &arguments.method[..] {
        [] if arguments.paths || arguments.replacements => Vec::new(),
        [] => usual.to_vec(),
        named => named.to_vec(),
    };
    let fits = |method: &Method| score.attends() || !method.needs_attention();
    named.into_iter().filter(fits).collect()
}

fn forced<'a>(model: &'a Model, pair: &TokenPair, references: bool) -> anyhow::Result<Forced<'a>> {
    let source = model.source_vocabulary.encode(&pair.source);
    if !references {
        return Ok(Forced::greedy(&model.network, source)?);
    }
    let mut output = model.target_vocabulary.encode(&pair.target);
    output.push(END);
    Ok(Forced::new(&model.network, source, output)?)
}

/// Sums of the agreement of every pairing.
struct Sums {
    pairings: Vec<Pairing>,
    sums: Vec<AgreementSums>,
}

impl Sums {
    fn new(methods: &[Method], attends: bool) -> Self {
        let nothing = AgreementSums::default();
        let pairing = |first, second| Pairing {
            first,
            second,
            agreement: nothing.mean(),
            incomplete: 0,
        };
        let mut pairings = Vec::new();
        if attends {
            pairings.extend(methods.iter().map(|method| pairing("attention", *method)));
        }
        // How far attributions agree among themselves is what attention can be measured by.
        if let [first, others @ ..] = methods {
            pairings.extend(others.iter().map(|method| pairing(first.name(), *method)));
        }
        Self {
            sums: vec![nothing; pairings.len()],
            pairings,
        }
    }

    fn add(
        &mut self,
        forced: &Forced,
        methods: &[Method],
        points: Option<usize>,
    ) -> anyhow::Result<()> {
        let mut found = Vec::with_capacity(methods.len());
        for method in methods {
            found.push(attribute(forced, *method, points, Watch::default())?);
        }
        for (pairing, sums) in self.pairings.iter_mut().zip(&mut self.sums) {
            let of = |name: &str| found.iter().find(|of| of.method.name() == name);
            let Some(second) = of(pairing.second.name()) else {
                continue;
            };
            if let Some(integration) = &second.integration {
                let open = integration.complete.iter().filter(|complete| !**complete);
                pairing.incomplete += open.count();
            }
            match (of(pairing.first), forced.weights()) {
                (Some(first), _) => sums.add(&shares(&first.values), &second.values),
                (None, Some(weights)) => sums.add(weights, &second.values),
                (None, None) => {}
            }
        }
        Ok(())
    }

    fn means(mut self) -> Vec<Pairing> {
        for (pairing, sums) in self.pairings.iter_mut().zip(&self.sums) {
            pairing.agreement = sums.mean();
        }
        self.pairings
    }
}

/// Magnitudes divided by the sum of their row, to stand in the place of weights.
fn shares(values: &ndarray::Array2<f32>) -> ndarray::Array2<f32> {
    let mut shares = values.mapv(f32::abs);
    for mut row in shares.rows_mut() {
        let sum: f32 = row.sum();
        row.mapv_inplace(|value| value / sum);
    }
    shares
}

fn costs(model: &Model, pairs: &[TokenPair], arguments: &Arguments) -> anyhow::Result<Costs> {
    let bleu = |kind: Option<InterventionKind>| bleu(model, pairs, kind);
    let plain = bleu(None)?;
    if !model.network.config().score.attends() {
        return Ok(Costs {
            plain,
            uniform: None,
            last: None,
            permuted: None,
        });
    }
    let seeds = arguments.seeds.map_or(SEEDS, usize::from) as u64;
    let permuted = (1..=seeds).map(|seed| bleu(Some(InterventionKind::Permute(seed))));
    Ok(Costs {
        plain,
        uniform: Some(bleu(Some(InterventionKind::Uniform))?),
        last: Some(bleu(Some(InterventionKind::LastPosition))?),
        permuted: Some(permuted.collect::<anyhow::Result<Vec<f64>>>()?),
    })
}

/// BLEU as `evaluate` has it: greedy translations, no smoothing, an unknown word never right.
fn bleu(model: &Model, pairs: &[TokenPair], kind: Option<InterventionKind>) -> anyhow::Result<f64> {
    let edits: Vec<Intervention> = kind
        .into_iter()
        .map(|kind| Intervention::new(Scope::All, kind))
        .collect();
    // Sentences of like length lie together, so that they become batches.
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|i| pairs[*i].source.len());
    let mut parts: Vec<_> = order.chunks(CHUNK).map(|part| (part, None)).collect();
    for_each_parallel(&mut parts, |(part, found)| {
        let sources: Vec<Vec<u32>> = part
            .iter()
            .map(|i| model.source_vocabulary.encode(&pairs[*i].source))
            .collect();
        let sources: Vec<&[u32]> = sources.iter().map(Vec::as_slice).collect();
        *found = Some(model.network.translate_intervened(&sources, &edits));
    });
    let mut counts = BleuCounts::default();
    for (part, found) in parts {
        let found = found.transpose()?.unwrap_or_default();
        for (i, translation) in part.iter().zip(found) {
            let word = |id: &u32| model.target_vocabulary.word(*id).unwrap_or_default();
            let hypothesis: Vec<&str> = translation.iter().map(word).collect();
            let reference: Vec<&str> = pairs[*i].target.iter().map(String::as_str).collect();
            counts += BleuCounts::of_sentence(&hypothesis, &reference);
        }
    }
    Ok(counts.score(Smoothing::None).score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_spread_over_the_file() {
        let pair = |n: usize| TokenPair {
            source: vec![n.to_string(); 2],
            target: vec!["x".to_owned()],
        };
        let numbers = |most: usize| -> Vec<String> {
            let kept = chosen((0..10).map(pair).collect(), most);
            kept.into_iter()
                .map(|pair| pair.source[0].clone())
                .collect()
        };
        assert_eq!(numbers(4), ["0", "2", "5", "7"]);
        assert_eq!(numbers(10).len(), 10);
        assert_eq!(numbers(99).len(), 10);
        let short = TokenPair {
            source: vec!["x".to_owned()],
            target: vec!["x".to_owned()],
        };
        assert!(chosen(vec![short], 3).is_empty());
        assert!(chosen(Vec::new(), 3).is_empty());
    }
}
