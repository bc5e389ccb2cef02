//! `regard models`: the models at hand; and how the other subcommands open theirs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::output::Output;
use crate::engine::{Model, ScoreKind};
use crate::shipped::{self, ShippedError};

/// List the models shipped with the program, or describe model files: sizes, figures of the training, whose data
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Model files to describe instead
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// The model of a file, else the shipped one with a score, additive if none is named.
pub(super) fn open(model: Option<&Path>, scorer: Option<ScoreKind>) -> anyhow::Result<Model> {
    if let Some(path) = model {
        return Ok(Model::load(path)?);
    }
    match shipped::model(scorer.unwrap_or(ScoreKind::Additive)) {
        Ok(model) => Ok(model),
        Err(error @ ShippedError::Missing { .. }) => bail!("{error}; give one with --model FILE"),
        Err(error) => Err(error.into()),
    }
}

/// The shipped model if `name` is a score's name, else the model of that file.
pub(super) fn open_named(name: &Path) -> anyhow::Result<Model> {
    let score = name.to_str().and_then(ScoreKind::from_name);
    match score.map(shipped::model) {
        None => Ok(Model::load(name)?),
        Some(Ok(model)) => Ok(model),
        Some(Err(error @ ShippedError::Missing { .. })) => {
            bail!("{error}; give a model file instead of its name")
        }
        Some(Err(error)) => Err(error.into()),
    }
}

/// How many numbers a model has.
pub(super) fn parameters(model: &Model) -> usize {
    model
        .network
        .parameters()
        .iter()
        .map(|p| p.values.len())
        .sum()
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut out = Output::new(None);
    let mut code = ExitCode::SUCCESS;
    for path in &arguments.files {
        let size = || std::fs::metadata(path).map(|m| m.len());
        match Model::load(path) {
            Ok(model) => {
                let size = size().with_context(|| format!("cannot read {}", path.display()))?;
                out.put(describe(&path.display().to_string(), size, &model).as_bytes())?;
            }
            Err(error) => {
                eprintln!("regard: {error}");
                code = ExitCode::FAILURE;
            }
        }
    }
    if arguments.files.is_empty() {
        if shipped::list().is_empty() {
            out.put(b"No models are shipped with this build.\n")?;
        }
        for shipped in shipped::list() {
            let model = shipped::model(shipped.score)?;
            out.put(describe("shipped", shipped.bytes.len() as u64, &model).as_bytes())?;
        }
    }
    Ok(code)
}

/// Some lines about a model, the first one with its score.
fn describe(origin: &str, bytes: u64, model: &Model) -> String {
    let config = model.network.config();
    let mut text = format!("{} ({origin})\n", config.score);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "  size        {:.1} MB, {} parameters",
        bytes as f64 / 1e6,
        parameters(model)
    );
    let _ = writeln!(
        text,
        "  network     {}, {} wiring; embedding {}, encoder 2 × {}, decoder {}, attention {}, readout {}",
        config.cell.name(),
        config.wiring.name(),
        config.embedding,
        config.encoder,
        config.decoder,
        config.attention,
        config.readout
    );
    let _ = writeln!(
        text,
        "  words       {} source ({}), {} target ({})",
        config.source_vocabulary,
        model.source_tokeniser,
        config.target_vocabulary,
        model.target_tokeniser
    );
    if let Some(figures) = figures(&model.training) {
        let _ = writeln!(text, "  validation  {figures}");
    }
    if !model.notice.is_empty() {
        let _ = writeln!(
            text,
            "  data        {}",
            model.notice.replace('\n', "\n              ")
        );
    }
    text
}

/// The figures of the training that are there; files of other programs may have others or none.
fn figures(training: &Value) -> Option<String> {
    let number = |key: &str| training.get(key).and_then(Value::as_f64);
    let parts: Vec<String> = [
        number("valid_bleu").map(|v| format!("BLEU {v:.2}")),
        number("valid_accuracy").map(|v| format!("accuracy {:.1} %", v * 100.0)),
        number("valid_perplexity").map(|v| format!("perplexity {v:.2}")),
        number("updates").map(|v| format!("{v} updates")),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
