//! The log of a training: one CSV row every so many updates and at every validation.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::storage::{WriteError, write_atomically};

/// A row of the log. All but the last column follow from data, options and seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogRow {
    /// Updates done.
    pub update: u64,
    /// Passes done, with the fraction of the present one.
    pub passed: f64,
    /// Learning rate.
    pub rate: f32,
    /// Mean training loss since the last row, in nats a token.
    pub loss: f64,
    /// Share of tokens predicted right in training since the last row.
    pub accuracy: f64,
    /// Norm of the last gradient, before clipping.
    pub gradient_norm: f64,
    /// Validation: mean negative log-likelihood in nats a token.
    pub valid_loss: Option<f64>,
    /// Validation: share of tokens predicted right, teacher-forced.
    pub valid_accuracy: Option<f64>,
    /// Validation: BLEU of greedy translations, 0 to 100.
    pub valid_bleu: Option<f64>,
    /// Target tokens a second since the last row.
    pub tokens_per_second: f64,
}

/// The log file.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
}

impl Log {
    /// Opens the log at `path`, keeping the rows of updates up to `updates`: those after a resumed state are
    /// written again, and so is a row that was cut short.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn open(path: &Path, updates: u64) -> Result<Self, WriteError> {
        let kept: Vec<LogRow> = if updates == 0 { Vec::new() } else { read(path) };
        let mut writer = csv::Writer::from_writer(Vec::new());
        let error = |e: String| WriteError {
            path: path.to_owned(),
            source: std::io::Error::other(e),
        };
        for row in kept.iter().filter(|row| row.update <= updates) {
            writer.serialize(row).map_err(|e| error(e.to_string()))?;
        }
        write_atomically(
            path,
            &writer.into_inner().map_err(|e| error(e.to_string()))?,
        )?;
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// Appends a row.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn append(&self, row: &LogRow) -> Result<(), WriteError> {
        let write = || -> std::io::Result<()> {
            let mut file = std::fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(&self.path)?;
            let empty = file.metadata()?.len() == 0;
            let mut writer = csv::WriterBuilder::new()
                .has_headers(empty)
                .from_writer(Vec::new());
            writer.serialize(row)?;
            let bytes = writer
                .into_inner()
                .map_err(|e| std::io::Error::other(e.to_string()))?;
            file.write_all(&bytes)
        };
        write().map_err(|source| WriteError {
            path: self.path.clone(),
            source,
        })
    }
}

/// The rows of a log that can be read.
pub fn read(path: &Path) -> Vec<LogRow> {
    let Ok(mut reader) = csv::Reader::from_path(path) else {
        return Vec::new();
    };
    reader.deserialize().filter_map(Result::ok).collect()
}
