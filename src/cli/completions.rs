//! `regard completions`: what a shell needs to complete the command line.

use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::output::Output;

/// Write the completions of a shell to standard output
///
/// For example: regard completions bash > ~/.local/share/bash-completion/completions/regard
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    let mut command = super::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "regard", &mut script);
    Output::new(None).put(&script)?;
    Ok(ExitCode::SUCCESS)
}
