//! `regard figure`: figures of sentences and sessions as files, without a window.

mod arguments;
mod batch;
mod sources;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

pub(super) use self::arguments::Arguments;
use self::sources::Sources;
use super::output::Output;
use crate::figure::FigureFormat;

/// A command that cannot be understood.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

/// An error for a command that cannot be understood.
fn usage<T>(message: impl Into<String>) -> anyhow::Result<T> {
    Err(Usage(message.into()).into())
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let result = draw(arguments);
    match result {
        Err(error) if error.is::<Usage>() => {
            eprintln!("regard: {error}");
            Ok(ExitCode::from(2))
        }
        other => other,
    }
}

fn draw(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let sources = Sources::read(arguments)?;
    if let Some(folder) = &arguments.out_dir {
        return batch::run(arguments, &sources, folder);
    }
    // Not left to the parser: it forgives what is required where that conflicts with another option.
    if arguments.name_template.is_some() {
        return usage("--name-template names the files of a folder: name it with --out-dir");
    }
    let [source] = &sources.all[..] else {
        return usage(format!(
            "{} sentences make as many files: name a folder with --out-dir",
            sources.all.len()
        ));
    };
    let Some(path) = arguments.output.as_deref() else {
        return usage(
            "name the file to write with -o (- is standard output), or a folder with --out-dir",
        );
    };
    let format = format(arguments, path)?;
    let file = source.request.file(&sources.runs(source)?, format)?;
    for warning in &file.warnings {
        eprintln!("regard: {warning}");
    }
    let mut output = Output::new(Some(path).filter(|path| !is_standard(path)));
    output.put(&file.bytes)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The form that was asked for, or that of the file's ending.
fn format(arguments: &Arguments, path: &Path) -> anyhow::Result<FigureFormat> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    match arguments
        .format
        .or_else(|| FigureFormat::from_ending(ending?))
    {
        Some(format) => Ok(format),
        None if is_standard(path) => {
            usage("standard output has no ending: say the form with --format")
        }
        None => usage(format!(
            "the ending of {} names no form (there are {}): add one, or say it with --format",
            path.display(),
            endings()
        )),
    }
}

/// The endings of all forms.
fn endings() -> String {
    FigureFormat::ALL.map(FigureFormat::ending).join(", ")
}

/// The form of a name on the command line.
fn named_format(name: &str) -> Result<FigureFormat, String> {
    let name = if name == "latex" { "tex" } else { name };
    FigureFormat::from_ending(name).ok_or_else(|| format!("expected one of {}", endings()))
}

/// Reads a session for its figure.
fn session(path: &Path) -> anyhow::Result<crate::project::SessionFile> {
    crate::project::SessionFile::load(path).context("cannot open the session")
}

#[cfg(test)]
#[path = "argv_tests.rs"]
mod argv_tests;
