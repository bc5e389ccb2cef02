//! Where the subcommands write: standard output as it comes, or a file that is written whole at the end.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context as _;

use crate::storage::write_atomically;

/// Standard output, or the bytes of a file to be.
pub(super) enum Output<'a> {
    /// Standard output.
    Standard(io::BufWriter<io::StdoutLock<'static>>),
    /// A file and what it will hold.
    File(&'a Path, Vec<u8>),
}

impl<'a> Output<'a> {
    /// A file, or standard output without one.
    pub(super) fn new(path: Option<&'a Path>) -> Self {
        match path {
            Some(path) => Self::File(path, Vec::new()),
            None => Self::Standard(io::BufWriter::new(io::stdout().lock())),
        }
    }

    /// Writes and flushes, so that whoever reads along sees it now.
    pub(super) fn put(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::Standard(out) => {
                let written = out.write_all(bytes).and_then(|()| out.flush());
                written.context("cannot write to standard output")
            }
            Self::File(_, content) => {
                content.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Writes the file, if it is one.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Standard(_) => Ok(()),
            Self::File(path, content) => Ok(write_atomically(path, &content)?),
        }
    }
}
