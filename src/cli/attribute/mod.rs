//! `regard attribute`: what each source word did for each output word, and whether attention says the same.

mod corpus;
mod corpus_report;
mod figure;
mod json;
mod scaling;
mod sentence;
mod text;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;

use self::sentence::Sentence;
use super::attend::decoded::{Method as Decoding, Translator};
use super::attend::json::ModelInfo;
use super::attend::width;
use super::output::Output;
use super::{models, values};
use crate::attribution::Method;
use crate::engine::ScoreKind;
use crate::figure::FigureFormat;

/// Measure what each source word did for each output word, and whether attention says the same
///
/// Rows are the words of the model's own translation, or of --target; columns are source words; numbers are nats.
/// Positive numbers make the word more probable.
///
/// Methods: leave-one-out (the source position masked in attention at all steps), drop (the word left out of the
/// sentence), gradient-input and gradient-states (gradient × input, for embeddings and for encoder states),
/// integrated-gradients and integrated-states (from an input of zeros, for the same). The bottleneck has no
/// attention, and so no leave-one-out.
///
/// With --verdict: Kendall's τ-b, the same largest word, and the Jensen–Shannon divergence (nats) of attention and
/// each attribution, of which the magnitudes are taken and for the divergence divided by their sum; then what
/// other weights in attention's place do to the same output: uniform, the last word, permuted, those of --frozen.
///
/// With --pairs: means over many sentences, for each of --scorers. Without --paths and --replacements the agreement
/// of attention with the methods.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("subject").args(["sentence", "pairs", "scaling"]).required(true)))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of a command line"
)]
pub(super) struct Arguments {
    /// A sentence, in quotation marks
    sentence: Option<String>,
    /// A model file
    #[arg(long, value_name = "FILE", conflicts_with = "pairs")]
    model: Option<PathBuf>,
    /// A shipped model: additive, dot, general, scaled_dot or bottleneck [default: additive]
    #[arg(long, value_name = "NAME", value_parser = values::score, conflicts_with_all = ["model", "pairs"])]
    scorer: Option<ScoreKind>,
    /// Ask about this translation instead of the model's own
    #[arg(long, value_name = "SENTENCE", conflicts_with_all = ["pairs", "scaling"])]
    target: Option<String>,
    /// Methods, with commas between them [default: leave-one-out; drop for the bottleneck; with --pairs also
    /// integrated-gradients]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = method, conflicts_with = "scaling")]
    method: Vec<Method>,
    /// Points of an integral, at most 1024 [default: doubled from 32 on until it is complete]
    #[arg(long, value_name = "N", value_parser = points)]
    points: Option<usize>,
    /// Agreement with attention, and what other weights in its place do
    #[arg(long, requires = "sentence")]
    verdict: bool,
    /// Permutations that are tried [default: 100; with --pairs 5]
    #[arg(long, value_name = "N")]
    seeds: Option<NonZeroUsize>,
    /// Verdict: a sentence of as many words, whose weights are frozen
    #[arg(long, value_name = "SENTENCE", requires = "verdict")]
    frozen: Option<String>,
    /// Norms of the gradient at each source word, over the distance
    #[arg(long, conflicts_with = "scaling")]
    paths: bool,
    /// Paths: of this step alone, word by word
    #[arg(long, value_name = "N", requires = "paths", conflicts_with = "pairs")]
    step: Option<NonZeroUsize>,
    /// Sentence pairs: source TAB target, one pair a line
    #[arg(long, value_name = "FILE", conflicts_with = "sentence")]
    pairs: Option<PathBuf>,
    /// Pairs: so many of the file, evenly spread over it
    #[arg(long, value_name = "N", default_value = "200", requires = "pairs")]
    sentences: NonZeroUsize,
    /// Pairs: models, with commas between them; scores of shipped ones, or files [default: all shipped]
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "pairs")]
    scorers: Vec<PathBuf>,
    /// Pairs: ask about the translations of the file instead of the models' own
    #[arg(long, requires = "pairs")]
    references: bool,
    /// Pairs: what uniform, last-word and permuted attention costs in BLEU
    #[arg(long, requires = "pairs")]
    replacements: bool,
    /// Why dot products are scaled: random queries and keys of sizes 4 to 4096
    #[arg(long, conflicts_with_all = ["sentence", "pairs"])]
    scaling: bool,
    /// Scaling: names the random numbers
    #[arg(long, default_value_t = 1, requires = "scaling")]
    seed: u64,
    /// Tables to read, one JSON object, or CSV with one line a number
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write; standard output if not given. The ending svg, png or pdf draws attention and attributions of
    /// a sentence
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

fn method(name: &str) -> Result<Method, String> {
    let names = Method::ALL.map(Method::name).join(", ");
    Method::from_name(name).ok_or_else(|| format!("expected one of {names}"))
}

fn points(text: &str) -> Result<usize, String> {
    super::attend::number(text, 1, 1024)
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let drawn = drawing(arguments);
    if drawn.is_some() && arguments.sentence.is_none() {
        eprintln!("regard: a figure shows one sentence: give one, or write text, JSON or CSV");
        return Ok(ExitCode::from(2));
    }
    let bytes = if arguments.scaling {
        scaling::report(arguments)?.into_bytes()
    } else if let Some(path) = &arguments.pairs {
        corpus_report::report(&corpus::measure(arguments, path)?, arguments)?.into_bytes()
    } else {
        let text = arguments.sentence.as_deref().unwrap_or_default();
        let (sentence, info) = of_sentence(arguments, text)?;
        match (drawn, arguments.format) {
            (Some(format), _) => figure::draw(&sentence, format)?,
            (None, Format::Text) => text::report(&sentence, &info, arguments).into_bytes(),
            (None, Format::Json) => json::report(&sentence, &info)?.into_bytes(),
            (None, Format::Csv) => json::csv(&sentence)?,
        }
    };
    let mut output = Output::new(arguments.output.as_deref());
    output.put(&bytes)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// The form of a figure that the ending of the output asks for.
fn drawing(arguments: &Arguments) -> Option<FigureFormat> {
    let ending = arguments.output.as_deref()?.extension()?.to_str()?;
    FigureFormat::from_ending(ending).filter(|format| {
        matches!(
            format,
            FigureFormat::Svg | FigureFormat::Png | FigureFormat::Pdf
        )
    })
}

fn of_sentence(arguments: &Arguments, text: &str) -> anyhow::Result<(Sentence, ModelInfo)> {
    let model = models::open(arguments.model.as_deref(), arguments.scorer)?;
    let name = arguments
        .model
        .as_deref()
        .map_or("shipped".into(), Path::to_string_lossy);
    let info = ModelInfo::new(&model, name.into_owned());
    let decoding = match &arguments.target {
        Some(target) => Decoding::Target(target),
        None => Decoding::Greedy,
    };
    let translator = Translator::new(model, decoding, None);
    let sentence = Sentence::new(&translator, text, arguments);
    Ok((sentence.map_err(|problem| anyhow!(problem))?, info))
}

/// A note as lines of at most `width` columns, each behind two blanks.
fn wrapped(note: &str, width: usize) -> String {
    use unicode_width::UnicodeWidthStr as _;

    let mut lines = vec![String::new()];
    for word in note.split_whitespace() {
        let line = lines.last().map_or(0, |line| line.width());
        if line > 0 && 2 + line + 1 + word.width() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    "  ".to_owned() + &lines.join("\n  ") + "\n"
}

/// With its sign; what rounds to 0 has none.
fn signed(number: f64, digits: usize) -> String {
    let text = format!("{number:+.digits$}");
    if text
        .trim_start_matches(['+', '-'])
        .trim_matches(['0', '.'])
        .is_empty()
    {
        format!("{:.digits$}", 0.0)
    } else {
        text
    }
}

/// A number, or a dash where there is none.
fn shown(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_wrapped_and_signs_kept() {
        assert_eq!(wrapped("one two three", 10), "  one two\n  three\n");
        assert_eq!(wrapped("averylongword", 5), "  averylongword\n");
        assert_eq!(signed(0.004, 2), "0.00");
        assert_eq!(signed(-0.004, 2), "0.00");
        assert_eq!(signed(-1.5, 2), "-1.50");
        assert_eq!(signed(10.0, 2), "+10.00");
        assert_eq!(signed(f64::NAN, 2), "NaN");
        assert_eq!(shown(None, 2), "–");
    }
}
