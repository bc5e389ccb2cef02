//! Runs a reader over many inputs, and reports what a reader must not do.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use regard::numeric::{Stream, stream};

use super::readers::{Inputs, Reader};

/// How often the watchdog looks, and how many looks at the same input are too many: more than a second. Looks are
/// counted and not time, since the whole process may be stopped.
const LOOK: Duration = Duration::from_millis(200);
const LOOKS: u32 = 6;
/// How often the log tells how far it is.
const REPORT: Duration = Duration::from_secs(30);

/// What a run is about.
pub(crate) struct Plan<'a> {
    pub(crate) reader: Reader,
    pub(crate) seed: u64,
    /// The first and the last input, from 0.
    pub(crate) inputs: std::ops::Range<u64>,
    /// Where failing inputs are kept.
    pub(crate) folder: &'a Path,
}

/// What came out.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) inputs: u64,
    pub(crate) bytes: u64,
    pub(crate) taken: u64,
    /// Messages, each with the file of its input.
    pub(crate) failures: Vec<String>,
    /// The most memory above so many times the input, in bytes.
    pub(crate) memory: usize,
    /// The most memory of one input, in bytes.
    pub(crate) most: usize,
    pub(crate) seconds: f64,
}

impl Outcome {
    /// One line about it.
    pub(crate) fn line(&self, plan: &Plan) -> String {
        format!(
            "{} seed {}: {} inputs, {} taken, {} failures, {} bytes on average, at most {} KiB beside {} times the input, {:.0} s",
            plan.reader.name(),
            plan.seed,
            self.inputs,
            self.taken,
            self.failures.len(),
            self.bytes / self.inputs.max(1),
            self.memory >> 10,
            Reader::TIMES,
            self.seconds
        )
    }
}

fn numbers(reader: Reader, seed: u64, index: u64) -> Stream {
    stream(&[seed, reader as u64, index])
}

/// Runs a plan. `log` gets a line from time to time, and for each failure.
pub(crate) fn run(plan: &Plan, mut log: impl FnMut(&str) + Send) -> Outcome {
    let began = Instant::now();
    let inputs = Inputs::new(plan.reader);
    let (present, done) = (AtomicU64::new(plan.inputs.start), AtomicBool::new(false));
    let hangs = std::sync::Mutex::new(Vec::new());
    let mut outcome = Outcome::default();
    std::thread::scope(|scope| {
        scope.spawn(|| watch(plan, &inputs, &present, &done, &hangs));
        // What a thread of the window or the command line has.
        let worker = std::thread::Builder::new().stack_size(2 << 20);
        let work = || {
            let mut reported = Instant::now();
            for index in plan.inputs.clone() {
                present.store(index, Ordering::Relaxed);
                let bytes = inputs.input(&mut numbers(plan.reader, plan.seed, index));
                if let Some(problem) = one(plan.reader, &bytes, &mut outcome) {
                    let line = keep(plan, index, &problem, &bytes);
                    log(&line);
                    outcome.failures.push(line);
                }
                if reported.elapsed() > REPORT {
                    reported = Instant::now();
                    outcome.seconds = began.elapsed().as_secs_f64();
                    log(&outcome.line(plan));
                }
            }
            done.store(true, Ordering::Relaxed);
        };
        let worker = worker.spawn_scoped(scope, work).expect("a thread");
        worker.join().expect("panics of readers are caught");
    });
    outcome.seconds = began.elapsed().as_secs_f64();
    for index in hangs.into_inner().expect("no panic") {
        // Once more: it may have been the machine and not the reader.
        let bytes = inputs.input(&mut numbers(plan.reader, plan.seed, index));
        let began = Instant::now();
        let _ = catch_unwind(AssertUnwindSafe(|| plan.reader.read(&bytes)));
        if began.elapsed() > Duration::from_secs(1) {
            outcome
                .failures
                .push(keep(plan, index, "slower than a second", &bytes));
        }
    }
    outcome
}

/// Reads one input; what went wrong, if something did.
pub(crate) fn one(reader: Reader, bytes: &[u8], outcome: &mut Outcome) -> Option<String> {
    PeakAlloc.reset_peak_usage();
    let before = PeakAlloc.current_usage();
    let result = catch_unwind(AssertUnwindSafe(|| reader.read(bytes)));
    let used = PeakAlloc.peak_usage().saturating_sub(before);
    outcome.inputs += 1;
    outcome.most = outcome.most.max(used);
    outcome.bytes += bytes.len() as u64;
    match result {
        Ok(taken) => outcome.taken += u64::from(taken),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            return Some(format!("panic: {}", text.unwrap_or("without words")));
        }
    }
    let beside = used.saturating_sub(Reader::TIMES * bytes.len());
    outcome.memory = outcome.memory.max(beside);
    (beside > reader.constant())
        .then(|| format!("{used} bytes of memory for {} of input", bytes.len()))
}

/// Keeps a failing input, and says what and where.
fn keep(plan: &Plan, index: u64, problem: &str, bytes: &[u8]) -> String {
    let name = format!("{}-{}-{index}", plan.reader.name(), plan.seed);
    let path: PathBuf = plan.folder.join(name);
    let kept = std::fs::create_dir_all(plan.folder)
        .and_then(|()| std::fs::File::create(&path)?.write_all(bytes));
    let place = match kept {
        Ok(()) => path.display().to_string(),
        Err(error) => format!("not kept: {error}"),
    };
    format!(
        "FAILURE {} seed {} input {index}: {problem} ({place})",
        plan.reader.name(),
        plan.seed
    )
}

/// Looks whether an input takes too long; what hangs for ever is at least told.
fn watch(
    plan: &Plan,
    inputs: &Inputs,
    present: &AtomicU64,
    done: &AtomicBool,
    hangs: &std::sync::Mutex<Vec<u64>>,
) {
    let (mut last, mut looks) = (u64::MAX, 0);
    while !done.load(Ordering::Relaxed) {
        std::thread::sleep(LOOK);
        let index = present.load(Ordering::Relaxed);
        looks = if index == last { looks + 1 } else { 0 };
        last = index;
        if looks == LOOKS && !done.load(Ordering::Relaxed) {
            let bytes = inputs.input(&mut numbers(plan.reader, plan.seed, index));
            eprintln!("{}", keep(plan, index, "takes more than a second", &bytes));
            hangs.lock().expect("no panic").push(index);
        }
    }
}
