//! Millions of random inputs for the readers of outside bytes. `docs/robustness.md` says what came out.
//!
//! ```sh
//! cargo run --release --example fuzz -- --reader session --inputs 10000000 --seed 1 --log fuzz.log
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a program for developers, which may end with a panic"
)]

#[path = "../tests/fuzz/mod.rs"]
mod fuzz;

use std::io::Write as _;
use std::path::PathBuf;

use clap::Parser as _;
use fuzz::readers::{Inputs, Reader};
use fuzz::run::{Plan, run};

/// Counts memory; nothing else runs in this process.
#[global_allocator]
static ALLOCATOR: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Random inputs for the readers of outside bytes.
#[derive(Debug, clap::Parser)]
struct Arguments {
    /// session, model, state, pairs, preferences, choices, command-line or sentence; or all, one after the other
    #[arg(long)]
    reader: String,
    /// How many inputs
    #[arg(long, default_value_t = 10_000_000)]
    inputs: u64,
    /// The number of the first input, to begin in the midst of a run
    #[arg(long, default_value_t = 0)]
    start: u64,
    /// Names the inputs: the same seed gives the same
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A file for what is found, which is appended to; failing inputs are kept in a folder beside it
    #[arg(long)]
    log: PathBuf,
}

fn main() {
    let arguments = Arguments::parse();
    let readers: Vec<Reader> = Reader::ALL
        .into_iter()
        .filter(|reader| arguments.reader == "all" || arguments.reader == reader.name())
        .collect();
    if readers.is_empty() {
        let names = Reader::ALL.map(Reader::name).join(", ");
        eprintln!("no reader {}; expected {names} or all", arguments.reader);
        std::process::exit(2);
    }
    let log = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(&arguments.log);
    let mut log = log.expect("a log that can be written");
    let folder = arguments.log.with_extension("failures");
    // Panics are told by the log, each once.
    std::panic::set_hook(Box::new(|_| {}));
    let mut is_clean = true;
    for reader in readers {
        if let Some(seed) = Inputs::new(reader).refused_seed() {
            eprintln!("{} refuses a valid input: {seed}", reader.name());
            std::process::exit(1);
        }
        let plan = Plan {
            reader,
            seed: arguments.seed,
            inputs: arguments.start..arguments.start + arguments.inputs,
            folder: &folder,
        };
        let outcome = run(&plan, |line| {
            writeln!(log, "{line}").expect("a log that can be written")
        });
        for failure in &outcome.failures {
            writeln!(log, "{failure}").expect("a log that can be written");
        }
        let end = outcome.line(&plan);
        writeln!(log, "DONE {end}").expect("a log that can be written");
        is_clean &= outcome.failures.is_empty();
    }
    std::process::exit(i32::from(!is_clean));
}
