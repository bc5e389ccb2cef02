//! Some thousands of random inputs for every reader; `examples/fuzz.rs` runs millions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic is how a test reports a failure"
)]

#[path = "fuzz/mod.rs"]
mod fuzz;
#[path = "fuzz/worst.rs"]
mod worst;

use fuzz::readers::{Inputs, Reader};
use fuzz::run::{Outcome, Plan, one, run};

/// Counts memory; nothing else runs in this process.
#[global_allocator]
static ALLOCATOR: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

#[test]
fn no_reader_panics_hangs_or_takes_much_memory() {
    let folder = std::env::temp_dir().join("regard-fuzz");
    for reader in Reader::ALL {
        assert_eq!(
            Inputs::new(reader).refused_seed(),
            None,
            "{}",
            reader.name()
        );
        let plan = Plan {
            reader,
            seed: 1,
            inputs: 0..4000,
            folder: &folder,
        };
        let outcome = run(&plan, |line| println!("{line}"));
        assert_eq!(outcome.failures, [] as [String; 0]);
        // Inputs that are all refused at their first byte would show nothing.
        let share = outcome.taken as f64 / outcome.inputs as f64;
        assert!(
            (0.005..0.999).contains(&share),
            "{}: {share} taken",
            reader.name()
        );
    }
    the_worst_inputs_take_no_more_than_they_may();
}

/// The inputs with the most to keep for their length. Not a test of its own, since the memory of whatever runs beside it
/// would be counted.
fn the_worst_inputs_take_no_more_than_they_may() {
    let mut failed = Vec::new();
    for input in worst::all() {
        let mut outcome = Outcome::default();
        let problem = one(input.reader, &input.bytes, &mut outcome);
        let name = format!("{}, {}", input.reader.name(), input.name);
        let length = input.bytes.len();
        println!(
            "{name}: {length} bytes in {:.1} times the memory",
            outcome.most as f64 / length as f64
        );
        failed.extend(problem.map(|problem| format!("{name}: {problem}")));
        // An input that is refused at its first byte would show nothing.
        if (outcome.taken == 1) != input.is_valid {
            failed.push(format!("{name}: {} taken", outcome.taken));
        }
    }
    assert_eq!(failed, [] as [String; 0]);
}
