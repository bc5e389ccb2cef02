//! `regard generate`: parallel text with exact links.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::storage::write_atomically;
use crate::synthetic::{GeneratorKind, generate, write_tsv};

/// Write generated sentence pairs with their exact links, one pair a line: source TAB target TAB links
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What to generate: grammar (French–English), reversal or copy
    #[arg(value_parser = kind)]
    kind: GeneratorKind,
    /// How many pairs
    #[arg(long, default_value_t = 20_000)]
    pairs: usize,
    /// Names the pairs: the same seed gives the same pairs everywhere
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Leave out this many pairs first, for a test set that follows a training set
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Where to write; standard output if not given
    #[arg(short, long)]
    output: Option<PathBuf>,
}

fn kind(name: &str) -> Result<GeneratorKind, String> {
    GeneratorKind::from_name(name).map_err(|e| e.to_string())
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Arguments {
        kind,
        pairs,
        seed,
        skip,
        output,
    } = arguments;
    let generated = generate(*kind, pairs + skip, *seed).skip(*skip);
    if let Some(path) = output {
        let mut bytes = Vec::new();
        write_tsv(generated, &mut bytes)?;
        write_atomically(path, &bytes)?;
    } else {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        write_tsv(generated, &mut out)
            .and_then(|()| out.flush())
            .context("cannot write to standard output")?;
    }
    Ok(ExitCode::SUCCESS)
}
