//! `regard evaluate`: how well a model translates, and how well its attention aligns.

mod concatenate;
mod forced;
mod links;
mod pairs;
mod report;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;

use self::concatenate::Concatenation;
use self::report::{ModelReport, Report};
use super::models::{open_named, parameters};
use super::output::Output;
use super::{input, values};
use crate::text::UNKNOWN;
use crate::training::Example;

/// Measure a model on sentence pairs, and its attention against known links
///
/// With --pairs: BLEU of greedy translations (on words as the model's tokeniser cuts them, without smoothing;
/// an <unk> never matches), also by source length; then token accuracy, perplexity and the mean entropy of
/// attention while the model is forced through the references (</s> included); and the speed of translation.
///
/// With --links: the alignment error rate, precision and recall while the model is forced through the
/// references. Each target word links to the source word of its largest weight; </s> links to nothing. The
/// words are the file's own: where the model cuts one into pieces, weights of source pieces are added and rows
/// of target pieces averaged. The diagonal stands beside it: target word t to source word ⌊(t + ½) S / T⌋.
///
/// With --concatenate 3-6: examples are several pairs of the file, one after the other. The pairs are shuffled
/// by the seed and cut into groups of 3 to 6, each size equally probable; groups whose source has a number of
/// words within --words are kept. When the file is used up it is shuffled anew, until there are --examples
/// or 20 passes were made.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("data").args(["pairs", "links"]).required(true).multiple(true)))]
pub(super) struct Arguments {
    /// A model file, or the score of a shipped model: additive, dot, general, scaled_dot or bottleneck
    model: PathBuf,
    /// Pairs to translate: source TAB target, one pair a line
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Pairs with links: source TAB target TAB links such as 0-0 1?2; words separated by blanks
    #[arg(long, value_name = "FILE")]
    links: Option<PathBuf>,
    /// Join so many pairs to one example
    #[arg(long, value_name = "MIN-MAX", value_parser = values::range)]
    concatenate: Option<(usize, usize)>,
    /// Keep joined examples with so many source words
    #[arg(long, value_name = "MIN-MAX", value_parser = values::range, default_value = "25-50", requires = "concatenate")]
    words: (usize, usize),
    /// How many joined examples
    #[arg(
        long,
        value_name = "N",
        default_value = "500",
        requires = "concatenate"
    )]
    examples: NonZeroUsize,
    /// Names the joined examples
    #[arg(long, default_value_t = 1, requires = "concatenate")]
    seed: u64,
    /// Tables to read, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Threads [default: the cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let model = open_named(&arguments.model)?;
    let threads = values::threads(arguments.threads.map(usize::from));
    let concatenation = arguments.concatenate.map(|pairs| Concatenation {
        pairs,
        words: arguments.words,
        examples: arguments.examples.into(),
        seed: arguments.seed,
    });
    let pairs = match &arguments.pairs {
        Some(path) => Some(pairs::measure(
            &model,
            path,
            concatenation.as_ref(),
            threads,
        )?),
        None => None,
    };
    let links = match &arguments.links {
        Some(path) => Some(links::measure(
            &model,
            path,
            concatenation.as_ref(),
            threads,
        )?),
        None => None,
    };
    let report = Report {
        model: ModelReport {
            name: arguments.model.display().to_string(),
            score: model.network.config().score,
            parameters: parameters(&model),
        },
        concatenation,
        pairs,
        links,
    };
    let text = match arguments.format {
        Format::Text => report.to_string(),
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
    };
    let mut out = Output::new(arguments.output.as_deref());
    out.put(text.as_bytes())?;
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Cuts the joined examples, or one example a pair: lists of places in the file.
fn groups(
    concatenation: Option<&Concatenation>,
    lengths: &[usize],
    path: &std::path::Path,
) -> anyhow::Result<Vec<Vec<usize>>> {
    let groups = match concatenation {
        Some(concatenation) => concatenation.groups(lengths),
        None => (0..lengths.len()).map(|i| vec![i]).collect(),
    };
    if groups.is_empty() {
        match concatenation {
            Some(Concatenation {
                pairs: (few, many),
                words: (short, long),
                ..
            }) => bail!(
                "{}: expected {few} to {many} of its {} pairs to have {short} to {long} source words together, found none",
                path.display(),
                lengths.len()
            ),
            None => bail!(
                "{}: expected at least one sentence pair, found none",
                path.display()
            ),
        }
    }
    Ok(groups)
}

/// The share of unknown words on one side of the examples.
fn unknown(examples: &[Example], side: fn(&Example) -> &[u32]) -> f64 {
    let ids = || examples.iter().flat_map(side);
    ids().filter(|id| **id == UNKNOWN).count() as f64 / ids().count() as f64
}
