//! Some thousands of random inputs for every reader; `examples/fuzz.rs` runs millions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic is how a test reports a failure"
)]

#[path = "fuzz/mod.rs"]
mod fuzz;

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
    short_lines_and_words_take_no_more_than_they_may();
}

/// The pair files with the most to keep for their length; lists have just grown. Not a test of its own, since the
/// memory of whatever runs beside it would be counted.
fn short_lines_and_words_take_no_more_than_they_may() {
    let mut outcome = Outcome::default();
    for (once, repeated) in [
        ("", "x\n"),
        ("", "\u{FFFF}\n"),
        ("", "a\tb\n"),
        ("", "a\tb\t\n"),
        ("", "a\tb\t0\n"),
        ("", "a\tb\t0-0\n"),
        ("", "a\tb\t0-1\n"),
        ("b\t", "a "),
        ("a\tb\t", "0-0 "),
        ("a\tb\t", "0-0\t"),
    ] {
        let input = [once, &repeated.repeat((1 << 18) + 1)].concat();
        let problem = one(Reader::Pairs, input.as_bytes(), &mut outcome);
        assert_eq!(problem, None, "{once:?} {repeated:?}");
    }
}
