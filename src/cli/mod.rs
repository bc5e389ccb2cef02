//! Floor 6: the command line, without a window.

mod generate;
mod train;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Look at attention in sequence-to-sequence models.
#[derive(Debug, Parser)]
#[command(name = "regard", version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Generate(generate::Arguments),
    Train(Box<train::Arguments>),
}

/// Runs the command line; returns 0 for success, 1 for a problem with the data or a file, 2 for a command
/// that cannot be understood.
pub fn run() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("regard: {error:#}");
            ExitCode::FAILURE
        }
    }
}
