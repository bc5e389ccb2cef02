//! `regard attend`: translate sentences and show where the decoder looks.

pub(super) mod decoded;
pub(super) mod json;
pub(super) mod label;
pub(super) mod table;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;

use self::decoded::{Decoded, Method, Translator};
use super::output::Output;
use super::{input, models, values};
use crate::engine::{BeamOptions, DecodeSession, Model, ScoreKind};

/// Translate sentences and show where the decoder looks
///
/// Sentences are the arguments, or the lines of --file, or of standard input without either (also for -).
/// In the translation, ‹word› stands for an unknown word: it is the source word that got most attention.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Sentences, each in quotation marks; - reads standard input
    #[arg(value_name = "SENTENCE", conflicts_with = "file")]
    sentences: Vec<String>,
    /// A model file
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// A shipped model: additive, dot, general, scaled_dot or bottleneck [default: additive]
    #[arg(long, value_name = "NAME", value_parser = values::score, conflicts_with = "model")]
    scorer: Option<ScoreKind>,
    /// Force this translation instead of the model's own; for one sentence
    #[arg(long, value_name = "SENTENCE", conflicts_with_all = ["beam", "sample", "file"])]
    target: Option<String>,
    /// Beam search with so many hypotheses, at most 16
    #[arg(long, value_name = "N", value_parser = beam, conflicts_with = "sample")]
    beam: Option<usize>,
    /// Draw the words; the temperature T is above 0, and 1 is the model's own distribution
    #[arg(long, value_name = "T", value_parser = temperature)]
    sample: Option<f32>,
    /// Names the draw: the same seed gives the same sentence
    #[arg(long, default_value_t = 1, requires = "sample")]
    seed: u64,
    /// Most steps, </s> included [default: twice the source words, and 10]
    #[arg(long, value_name = "STEPS", value_parser = limit)]
    limit: Option<usize>,
    /// A table to read, one JSON object a line and sentence, or CSV with one line a weight
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Sentences to read, one a line
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
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

/// A whole number of a range.
pub(super) fn number(text: &str, first: usize, last: usize) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (first..=last).contains(n));
    number.ok_or_else(|| format!("expected a whole number from {first} to {last}"))
}

fn beam(text: &str) -> Result<usize, String> {
    number(text, 1, BeamOptions::LARGEST_SIZE)
}

pub(super) fn limit(text: &str) -> Result<usize, String> {
    number(text, 1, DecodeSession::LARGEST_STEP_LIMIT)
}

pub(super) fn width(text: &str) -> Result<usize, String> {
    number(text, 40, 10_000)
}

fn temperature(text: &str) -> Result<f32, String> {
    let temperature = text
        .parse()
        .ok()
        .filter(|t: &f32| t.is_finite() && *t > 0.0);
    temperature.ok_or_else(|| "expected a number above 0".to_owned())
}

impl Arguments {
    fn method(&self) -> Method<'_> {
        match (&self.target, self.beam, self.sample) {
            (Some(target), _, _) => Method::Target(target),
            (_, Some(size), _) => Method::Beam(size),
            (_, _, Some(temperature)) => Method::Sample {
                temperature,
                seed: self.seed,
            },
            _ => Method::Greedy,
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let typed = arguments.sentences.len();
    if arguments.target.is_some() && typed > 1 {
        eprintln!("regard: --target is the translation of one sentence, found {typed} sentences");
        return Ok(ExitCode::from(2));
    }
    let model = models::open(arguments.model.as_deref(), arguments.scorer)?;
    let mut attend = Attend {
        printer: Printer::new(&model, arguments),
        translator: Translator::new(model, arguments.method(), arguments.limit),
        output: Output::new(arguments.output.as_deref()),
        failed: false,
    };
    attend.printer.head(&mut attend.output)?;
    if typed == 0 {
        input::sentences(arguments.file.as_deref(), |line| attend.sentence(line))?;
    }
    for sentence in &arguments.sentences {
        if sentence == "-" {
            input::sentences(None, |line| attend.sentence(line))?;
        } else {
            attend.sentence(Ok(sentence))?;
        }
    }
    attend.output.finish()?;
    Ok(if attend.failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// One run over some sentences.
struct Attend<'a> {
    printer: Printer,
    translator: Translator<'a>,
    output: Output<'a>,
    /// Whether a sentence could not be shown.
    failed: bool,
}

impl Attend<'_> {
    /// Shows a sentence; one that cannot be shown is reported, and the next ones still follow.
    fn sentence(&mut self, line: Result<&str, String>) -> anyhow::Result<()> {
        self.printer.count += 1;
        let count = self.printer.count;
        let decoded = line.and_then(|line| {
            let decoded = self.translator.decode(line);
            decoded.map_err(|problem| format!("sentence {count}: {problem}"))
        });
        match decoded {
            Ok(decoded) => self
                .printer
                .print(&decoded, &self.translator, &mut self.output),
            Err(problem) => {
                eprintln!("regard: {problem}");
                self.failed = true;
                Ok(())
            }
        }
    }
}

/// Writes sentences in one of the formats.
struct Printer {
    format: Format,
    width: usize,
    model: json::ModelInfo,
    /// The number of the sentence, from 1.
    count: usize,
}

impl Printer {
    fn new(model: &Model, arguments: &Arguments) -> Self {
        let name = arguments
            .model
            .as_deref()
            .map_or("shipped".into(), Path::to_string_lossy);
        Self {
            format: arguments.format,
            width: arguments.width,
            model: json::ModelInfo::new(model, name.into_owned()),
            count: 0,
        }
    }

    /// What stands above the sentences.
    fn head(&self, output: &mut Output) -> anyhow::Result<()> {
        match self.format {
            Format::Text => output.put(format!("{}\n", self.model).as_bytes()),
            Format::Json => Ok(()),
            Format::Csv => output.put(b"sentence,step,target,position,source,score,weight\n"),
        }
    }

    fn print(
        &self,
        decoded: &Decoded,
        translator: &Translator,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        match self.format {
            Format::Text => {
                output.put(format!("\n{}", text::sentence(decoded, self.width)).as_bytes())
            }
            Format::Json => {
                output.put(json::line(decoded, self.count, &self.model, translator)?.as_bytes())
            }
            Format::Csv => output.put(&csv_lines(decoded, self.count)?),
        }
    }
}

/// One line a weight, counted from 1; one line a step for a model without attention.
fn csv_lines(decoded: &Decoded, sentence: usize) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let sentence = sentence.to_string();
    for (t, row) in decoded.rows.iter().enumerate() {
        let step = (t + 1).to_string();
        let (Some(scores), Some(weights)) = (&row.step.scores, &row.step.weights) else {
            writer.write_record([&sentence, &step, &row.word, "", "", "", ""])?;
            continue;
        };
        for (j, source) in decoded.source.iter().enumerate() {
            let position = (j + 1).to_string();
            let (score, weight) = (scores[j].to_string(), weights[j].to_string());
            writer.write_record([
                &sentence,
                &step,
                &row.word,
                &position,
                &source.text,
                &score,
                &weight,
            ])?;
        }
    }
    writer
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)
        .context("cannot write CSV")
}
