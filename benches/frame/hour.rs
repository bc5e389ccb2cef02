//! Whether the window takes more and more memory. `cargo bench --bench frame -- hour` does 62,000 things, 20,000 steps
//! among them, more than a person does in an hour, with the models that are part of the program.

use regard::project::{Document, SessionFile};

use super::person::Person;
use super::stage::{Stage, shipped};

const ACTIONS: usize = 62_000;
/// The share of all at which memory is told.
const SHARES: [usize; 6] = [1, 10, 25, 50, 75, 100];

pub(crate) fn run() {
    let setup = shipped();
    let session = SessionFile {
        document: Document {
            source: "le chat noir dort".to_owned(),
            models: setup.models.references(),
            ..Document::default()
        },
        step: 1,
        ..SessionFile::default()
    };
    let mut stage = Stage::new(setup, Some(&session));
    let mut person = Person::default();
    println!("share | actions | steps | words chosen | can be undone | resident, MB");
    for share in SHARES {
        while person.actions < ACTIONS * share / 100 {
            person.sentence(&mut stage);
        }
        println!(
            "{share:4} % | {} | {} | {} | {} | {:.1}",
            person.actions,
            person.steps,
            person.choices,
            person.undoable,
            resident()
        );
    }
}

/// Memory of this process that is not swapped out, in MB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    // Other systems have no such file.
    kilobytes.unwrap_or(f64::NAN) * 1024.0 / 1e6
}
