//! Some thousands of random inputs for every reader; `examples/fuzz.rs` runs millions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic is how a test reports a failure"
)]

#[path = "fuzz/mod.rs"]
mod fuzz;

use fuzz::readers::{Inputs, Reader};
use fuzz::run::{Plan, run};

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
}
