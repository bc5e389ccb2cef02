//! Floor 6: the command line, without a window.

#![allow(
    clippy::doc_markdown,
    reason = "the documentation of options is their help, shown as plain text"
)]

mod attend;
mod attribute;
mod completions;
mod convert;
mod evaluate;
mod figure;
mod generate;
mod input;
mod models;
mod output;
mod train;
mod values;
mod whatif;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Look at attention in sequence-to-sequence models.
#[derive(Debug, Parser)]
#[command(
    name = "regard",
    version,
    about,
    arg_required_else_help = true,
    after_help = "Without a subcommand, or with session (.ron) and model (.safetensors) files, the window opens."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Attend(Box<attend::Arguments>),
    Attribute(Box<attribute::Arguments>),
    Completions(completions::Arguments),
    Convert(convert::Arguments),
    Evaluate(Box<evaluate::Arguments>),
    Figure(Box<figure::Arguments>),
    Generate(generate::Arguments),
    Models(models::Arguments),
    Train(Box<train::Arguments>),
    Whatif(Box<whatif::Arguments>),
}

/// Runs the command line; returns 0 for success, 1 for a problem with the data or a file, 2 for a command
/// that cannot be understood.
pub fn run() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Attend(arguments) => attend::run(&arguments),
        Command::Attribute(arguments) => attribute::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
        Command::Figure(arguments) => figure::run(&arguments),
        Command::Models(arguments) => models::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Whatif(arguments) => whatif::run(&arguments),
    };
    match result {
        Ok(code) => code,
        // Whoever read along has seen enough, as in `regard attend | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("regard: {}", message(&error));
            ExitCode::FAILURE
        }
    }
}

/// Whether the command line `arguments`, the program's name first, can be understood; nothing is run.
///
/// # Errors
/// What [`run`] would say.
pub fn understand(
    arguments: impl IntoIterator<Item = std::ffi::OsString>,
) -> Result<(), clap::Error> {
    Arguments::try_parse_from(arguments).map(drop)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let cause = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<std::io::Error>());
    cause.is_some_and(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The error with its causes, as far as it does not tell them itself.
fn message(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}
