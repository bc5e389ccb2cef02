//! Entry point of `regard`: a subcommand goes to the command line, nothing or file names open the window.

use std::path::PathBuf;
use std::process::ExitCode;

/// Training allocates and frees large blocks at every update; this allocator keeps them instead of handing
/// the pages back, which saves about a tenth of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if !arguments.iter().all(|argument| is_file_to_open(argument)) {
        return regard::cli::run();
    }
    match regard::gui::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("regard: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether an argument is a session or a model to open in the window.
fn is_file_to_open(argument: &std::path::Path) -> bool {
    argument
        .extension()
        .is_some_and(|ending| ending == "ron" || ending == "safetensors")
}
