//! The window does not take more and more memory. `cargo bench --bench frame -- hour` does the same for longer and with
//! large models.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is the failure report of a test"
)]

use peak_alloc::PeakAlloc;
use regard::app::Setup;

#[allow(dead_code, reason = "the benchmarks use all of it")]
#[path = "../benches/frame/person.rs"]
mod person;
#[allow(dead_code, reason = "the benchmarks use all of it")]
#[path = "../benches/frame/stage.rs"]
mod stage;
#[allow(dead_code, reason = "other tests use all of it")]
mod support;

/// Counts memory; nothing else runs in this process.
#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Sentences after which everything was used once or twice.
const BEFORE: usize = 12;
/// Sentences that are tried then.
const MORE: usize = 24;
/// What may be taken for all of these, in bytes. Some of it is what can be undone, which has a limit of its own; a
/// sentence that stayed in memory with its runs would take a hundred kB: runs that were never given back made it 2.9 MB.
const MOST: usize = 768 << 10;

#[test]
fn sentence_after_sentence_takes_no_more_memory() {
    let setup = Setup {
        models: support::five_models(1, -9.0),
        ..Setup::default()
    };
    let mut stage = stage::Stage::new(setup, None);
    let mut person = person::Person::default();
    (0..BEFORE).for_each(|_| person.sentence(&mut stage));
    let before = settled(&mut stage);
    (0..MORE).for_each(|_| person.sentence(&mut stage));
    let after = settled(&mut stage);
    assert!(
        person.steps > 300 && person.choices > 3,
        "{}, {}",
        person.steps,
        person.choices
    );
    assert!(
        after < before + MOST,
        "{before} bytes before, {after} after {MORE} more sentences"
    );
}

/// Bytes in use when nothing happens any more.
fn settled(stage: &mut stage::Stage) -> usize {
    (0..30).for_each(|_| {
        stage.draw(Vec::new());
        std::thread::sleep(std::time::Duration::from_millis(2));
    });
    let used = PeakAlloc.current_usage();
    println!(
        "{used} bytes, {} things can be undone",
        stage.state().undo().len()
    );
    used
}
