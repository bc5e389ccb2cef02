//! `regard whatif`: what comes out when attention or the sentence is changed.

mod compare;
mod edits;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;

use self::compare::Comparison;
use self::edits::{NamedWeight, SourceChange};
use super::attend::decoded::{Method, Translator};
use super::attend::json::ModelInfo;
use super::attend::{limit, width};
use super::output::Output;
use super::words::{Scoped, scope, scoped};
use super::{models, values};
use crate::engine::{Scope, ScoreKind};

/// Change attention or the sentence, and compare what comes out
///
/// A WORD is a source word as it was typed; le#2 is the second "le", and 3 or #3 the third word. Before a value
/// stand the steps that it is meant for: 2:noir is step 2 alone, 2+:noir step 2 and all later ones; without them
/// it is meant for all steps. Step 1 makes the first word of the translation.
///
/// Changes of the weights act in this order, whatever the order of the options: --mask, --window, --temperature,
/// --uniform, --last, --one-hot, --weights-of, --row, --permute, --set. The row sums to 1 after each, and a masked
/// word stays at 0. Changes of the sentence come before all that, in the order --drop, --swap, --repeat, each on
/// the sentence as it then is; the words of the weights are those of the changed sentence.
///
/// KL and Δ ln p compare the next-token distributions while both runs are given the original's words.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The sentence, in quotation marks
    sentence: String,
    /// A model file
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// A shipped model: additive, dot, general, scaled_dot or bottleneck [default: additive]
    #[arg(long, value_name = "NAME", value_parser = values::score, conflicts_with = "model")]
    scorer: Option<ScoreKind>,
    /// Close a source word to attention
    #[arg(long, value_name = "[N:]WORD", value_parser = scoped)]
    mask: Vec<Scoped<String>>,
    /// Attend only to positions at most so far from that of the step, as if both sentences ran in step
    #[arg(long, value_name = "[N:]WORDS", value_parser = edits::window)]
    window: Vec<Scoped<usize>>,
    /// Divide the scores by this, 0.05 to 20: below 1 attention is sharper, above 1 flatter
    #[arg(long, value_name = "[N:]T", value_parser = edits::temperature)]
    temperature: Vec<Scoped<f32>>,
    /// The same weight for every word; --uniform=2 at step 2 alone
    #[arg(long, value_name = "N", value_parser = scope, num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    uniform: Vec<Scope>,
    /// All weight on the last word; --last=2+ from step 2 on
    #[arg(long, value_name = "N", value_parser = scope, num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    last: Vec<Scope>,
    /// All weight on one word
    #[arg(long, value_name = "[N:]WORD", value_parser = scoped)]
    one_hot: Vec<Scoped<String>>,
    /// The weights of another model's own decode, step by step: a file, or the score of a shipped model
    #[arg(long, value_name = "MODEL")]
    weights_of: Option<PathBuf>,
    /// A whole row of weights, which sum to 1
    #[arg(long, value_name = "[N:]W,W,…", value_parser = edits::row)]
    row: Vec<Scoped<Vec<f32>>>,
    /// Deal the weights of each step out anew; the same seed deals the same way
    #[arg(long, value_name = "[N:]SEED", value_parser = edits::seed)]
    permute: Vec<Scoped<u64>>,
    /// One weight from 0 to 1; the others keep their proportions, or share evenly where they were all 0
    #[arg(long, value_name = "[N:]WORD=WEIGHT", value_parser = edits::weight)]
    set: Vec<Scoped<NamedWeight>>,
    /// Leave a word out of the sentence
    #[arg(long, value_name = "WORD")]
    drop: Vec<String>,
    /// Exchange two words of the sentence
    #[arg(long, value_name = "WORD,WORD", value_parser = edits::pair)]
    swap: Vec<(String, String)>,
    /// Say a word of the sentence twice
    #[arg(long, value_name = "WORD")]
    repeat: Vec<String>,
    /// Most steps, </s> included [default: twice the source words, and 10]
    #[arg(long, value_name = "STEPS", value_parser = limit)]
    limit: Option<usize>,
    /// A table to read, one JSON object, or CSV with one line a step
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Text: columns that a line may have, at least 40
    #[arg(long, value_name = "COLUMNS", default_value = "100", value_parser = width)]
    width: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Csv,
}

impl Arguments {
    /// Changes of the sentence, in the order in which they are made.
    fn source_changes(&self) -> Vec<SourceChange> {
        let dropped = self.drop.iter().cloned().map(SourceChange::Drop);
        let swapped = self.swap.iter().cloned();
        let repeated = self.repeat.iter().cloned().map(SourceChange::Repeat);
        dropped
            .chain(swapped.map(|(a, b)| SourceChange::Swap(a, b)))
            .chain(repeated)
            .collect()
    }

    fn changes_nothing(&self) -> bool {
        let weights = self.mask.len()
            + self.window.len()
            + self.temperature.len()
            + self.uniform.len()
            + self.last.len()
            + self.one_hot.len()
            + self.row.len()
            + self.permute.len()
            + self.set.len();
        weights == 0 && self.weights_of.is_none() && self.source_changes().is_empty()
    }
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.changes_nothing() {
        eprintln!(
            "regard: nothing is changed: say what with --mask, --set, --temperature, --drop … (see regard whatif --help)"
        );
        return Ok(ExitCode::from(2));
    }
    let model = models::open(arguments.model.as_deref(), arguments.scorer)?;
    let name = arguments
        .model
        .as_deref()
        .map_or("shipped".into(), Path::to_string_lossy);
    let info = ModelInfo::new(&model, name.into_owned());
    let translator = Translator::new(model, Method::Greedy, arguments.limit);
    let comparison = Comparison::new(&translator, arguments).map_err(|problem| anyhow!(problem))?;
    for warning in comparison.warnings() {
        eprintln!("regard: {warning}");
    }
    let text = match arguments.format {
        Format::Text => report::text(&comparison, &info, arguments.width),
        Format::Json => report::json(&comparison, &info, &translator)?,
        Format::Csv => report::csv(&comparison)?,
    };
    let mut output = Output::new(arguments.output.as_deref());
    output.put(text.as_bytes())?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
