//! `regard convert`: the same model with weights of another precision.

use std::path::PathBuf;
use std::process::ExitCode;

use super::models;
use super::values::{named, precision};
use crate::engine::Precision;

/// Write a model file anew with 16- or 32-bit weights
///
/// Half the size with f16: what the shipped models are. Everything else of the file stays.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A model file, or the score of a shipped model
    model: PathBuf,
    /// Store weights as f16 or f32
    #[arg(long, default_value = "f16", value_parser = named(precision, "f16 or f32"))]
    precision: Precision,
    /// Where the new file goes
    #[arg(short, long)]
    output: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let model = models::open_named(&arguments.model)?;
    model.save(&arguments.output, arguments.precision)?;
    Ok(ExitCode::SUCCESS)
}
