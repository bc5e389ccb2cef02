//! Threads that wait awake, to split work of a few microseconds.
//!
//! One decoding step is a handful of products of 10 to 100 µs, each of which reads weights faster than one core can.
//! Starting a thread, or waking one, takes about as long as such a product. So the team's threads look out for work
//! for [`AWAKE`] after the last one, and sleep only then; a caller never waits for one that sleeps, but does its share.
//!
//! What is computed does not depend on who computes it: pieces are disjoint, and each is computed in the same way.

#![allow(
    unsafe_code,
    reason = "a thread that outlives a call cannot borrow from the call in safe code"
)]

use std::any::Any;
use std::cell::Cell;
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, TryLockError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How long a thread of the team looks out for more work: longer than what lies between two steps of a decode.
const AWAKE: Duration = Duration::from_micros(200);
/// Looks between two looks at the clock.
const LOOKS: usize = 64;
/// Looks at the desk of a thread that is not ready before the caller offers its core to it.
const PATIENCE: usize = 2_000;
/// A thread that is late by more than this does not run: another program has its core.
const LATE: Duration = Duration::from_micros(200);
/// How long the caller then computes alone, the first time. Waiting again and again for a thread without a core would
/// take longer than that.
const REST: Duration = Duration::from_millis(20);
/// Each rest soon after another is twice as long, up to this.
const LONGEST_REST: Duration = Duration::from_secs(1);
/// Most threads of a team: more do not read faster.
const MOST: usize = 4;

thread_local! {
    /// Whether the products of this thread may be split.
    static SPLIT: Cell<Split> = const { Cell::new(Split::No) };
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Split {
    No,
    Yes,
    /// Others compute at the same time, and have the other cores.
    Never,
}

/// Runs `body` with the thread's permission to split set to `split`, whatever becomes of `body`.
fn with<R>(split: Split, body: impl FnOnce() -> R) -> R {
    struct Restore(Split);
    impl Drop for Restore {
        fn drop(&mut self) {
            SPLIT.set(self.0);
        }
    }
    let _restore = Restore(SPLIT.replace(split));
    body()
}

/// Runs `body`, whose products of few rows may be split over the cores; within [`alone`] they are not.
pub fn together<R>(body: impl FnOnce() -> R) -> R {
    if SPLIT.get() == Split::No {
        with(Split::Yes, body)
    } else {
        body()
    }
}

/// Runs `body` on this thread alone, also where it says [`together`]: for one of several threads that compute at once.
pub fn alone<R>(body: impl FnOnce() -> R) -> R {
    with(Split::Never, body)
}

/// Number of threads that this machine lets the program use; asked for once, since the answer takes a while.
pub(super) fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

/// How values may be cut into pieces.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// Pieces begin at multiples of this.
    pub grain: usize,
    /// Fewer values stay one piece.
    pub least: usize,
    /// Pieces for each thread. With more than one, a thread that comes late leaves some to the others.
    pub each: usize,
}

/// Calls `work` with disjoint pieces of `values` and the place where each begins, on as many threads as help, until
/// all is done. Without permission to split ([`together`]) it is one piece, on this thread.
///
/// # Panics
/// If `work` panics.
pub fn in_pieces<T: Send>(values: &mut [T], cut: Cut, work: impl Fn(usize, &mut [T]) + Sync) {
    if SPLIT.get() != Split::Yes || values.len() < cut.least.max(2 * cut.grain) {
        return work(0, values);
    }
    // A second caller computes alone; so does one whose `work` splits again.
    let mut team = match team().try_lock() {
        Ok(team) => team,
        Err(TryLockError::Poisoned(team)) => team.into_inner(),
        Err(TryLockError::WouldBlock) => return work(0, values),
    };
    if !team.is_there() {
        return work(0, values);
    }
    let threads = team.desks.len() + 1;
    let grains = values.len().div_ceil(cut.grain);
    let piece = grains.div_ceil(threads * cut.each) * cut.grain;
    let job = Pieces::new(values, piece, threads, &work);
    team.run(&|thread| job.work(thread));
}

/// The pieces of one thread; on a cache line of its own.
#[repr(align(64))]
struct Share {
    next: AtomicUsize,
    /// One beyond the last.
    end: usize,
}

/// Values dealt out in pieces. Each thread begins with its own share, which it had the last time too, so that the
/// weights for it may still be in its cache.
struct Pieces<'a, T, F> {
    start: *mut T,
    len: usize,
    piece: usize,
    shares: [Share; MOST],
    threads: usize,
    work: &'a F,
    // The exclusive borrow that `start` came from.
    _values: std::marker::PhantomData<&'a mut [T]>,
}

// SAFETY: threads share the pointer, but `work` makes slices only of pieces that `fetch_add` gave to one thread alone.
unsafe impl<T: Send, F: Sync> Sync for Pieces<'_, T, F> {}

impl<'a, T: Send, F: Fn(usize, &mut [T]) + Sync> Pieces<'a, T, F> {
    fn new(values: &'a mut [T], piece: usize, threads: usize, work: &'a F) -> Self {
        let pieces = values.len().div_ceil(piece);
        let share = |thread: usize| Share {
            next: AtomicUsize::new(pieces * thread.min(threads) / threads),
            end: pieces * (thread + 1).min(threads) / threads,
        };
        Self {
            start: values.as_mut_ptr(),
            len: values.len(),
            piece,
            shares: std::array::from_fn(share),
            threads,
            work,
            _values: std::marker::PhantomData,
        }
    }

    /// Does the share of `thread`, then what is left of the others'.
    fn work(&self, thread: usize) {
        for share in (thread..self.threads).chain(0..thread) {
            let Share { next, end } = &self.shares[share];
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= *end {
                    break;
                }
                let at = i * self.piece;
                let len = self.piece.min(self.len - at);
                // SAFETY: `at + len <= self.len`, and no other thread gets the piece `i`: shares are disjoint ranges,
                // and a number of one is given out once. The borrow of the values lasts as long as `self`.
                let values = unsafe { std::slice::from_raw_parts_mut(self.start.add(at), len) };
                (self.work)(at, values);
            }
        }
    }
}

/// A piece of work for a thread of the team, that gets its number (1 is the first; the caller is 0).
type Job<'a> = dyn Fn(usize) + Sync + 'a;

/// States of a [`Desk`].
mod state {
    /// Nothing lies on it.
    pub(super) const FREE: u8 = 0;
    /// A job lies on it; the caller may take it back.
    pub(super) const READY: u8 = 1;
    /// The thread works on the job.
    pub(super) const TAKEN: u8 = 2;
    /// The thread has finished; the caller clears the desk.
    pub(super) const DONE: u8 = 3;
}

/// Where a caller and one thread of the team meet.
#[derive(Default)]
struct Desk {
    state: AtomicU8,
    asleep: AtomicBool,
    /// The lifetime is not the true one: see [`Team::run`].
    job: Mutex<Option<&'static Job<'static>>>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Desk {
    /// What a thread of the team does for ever.
    fn serve(&self, number: usize) {
        loop {
            if self.wait() {
                let job = *self.job.lock().expect("no panic while the lock is held");
                let result = catch_unwind(AssertUnwindSafe(|| job.map(|job| job(number))));
                if let Err(panic) = result {
                    *self.panic.lock().expect("no panic while the lock is held") = Some(panic);
                }
                self.state.store(state::DONE, Ordering::Release);
            } else {
                self.sleep();
            }
        }
    }

    /// Looks out for a job and takes it; `false` if none came for a while.
    fn wait(&self) -> bool {
        let begin = Instant::now();
        loop {
            for _ in 0..LOOKS {
                if self.state.load(Ordering::Relaxed) == state::READY && self.take() {
                    return true;
                }
                spin_loop();
            }
            if begin.elapsed() > AWAKE {
                return false;
            }
        }
    }

    /// Whether the job that lay there is now this thread's.
    fn take(&self) -> bool {
        let taken = self.state.compare_exchange(
            state::READY,
            state::TAKEN,
            Ordering::AcqRel,
            Ordering::Relaxed,
        );
        taken.is_ok()
    }

    fn sleep(&self) {
        self.asleep.store(true, Ordering::SeqCst);
        // A job that came before the line above wakes nobody.
        if self.state.load(Ordering::SeqCst) == state::READY {
            self.asleep.store(false, Ordering::SeqCst);
        }
        while self.asleep.load(Ordering::SeqCst) {
            thread::park();
        }
    }
}

/// The threads, each with its desk. They never end; a thread that sleeps takes no time.
struct Team {
    desks: Vec<(Arc<Desk>, Thread)>,
    /// Until when no work is shared, since a thread was late.
    rests_until: Option<Instant>,
    /// The last rest: its end and its length.
    rested: Option<(Instant, Duration)>,
}

/// The one team of the program, made when it is first needed.
fn team() -> &'static Mutex<Team> {
    static TEAM: OnceLock<Mutex<Team>> = OnceLock::new();
    TEAM.get_or_init(|| {
        let start = |number| {
            let desk = Arc::new(Desk::default());
            let served = Arc::clone(&desk);
            let thread = thread::Builder::new()
                .name(format!("team-{number}"))
                .spawn(move || served.serve(number));
            // A system that gives no more threads leaves a smaller team.
            thread.ok().map(|handle| (desk, handle.thread().clone()))
        };
        Mutex::new(Team {
            desks: (1..cores().min(MOST)).map_while(start).collect(),
            rests_until: None,
            rested: None,
        })
    })
}

impl Team {
    /// Whether there are threads, and cores for them.
    fn is_there(&mut self) -> bool {
        if self.rests_until.is_some_and(|end| Instant::now() < end) {
            return false;
        }
        self.rests_until = None;
        !self.desks.is_empty()
    }

    fn rest(&mut self) {
        let now = Instant::now();
        let again = |(end, length): (Instant, Duration)| {
            (now < end + LONGEST_REST).then(|| (length * 2).min(LONGEST_REST))
        };
        let length = self.rested.and_then(again).unwrap_or(REST);
        self.rests_until = Some(now + length);
        self.rested = Some((now + length, length));
    }

    /// Runs `job` on the caller and on every thread that is there in time. `job` must do all there is to do also when
    /// only the caller runs it.
    ///
    /// # Panics
    /// If `job` panics on any thread.
    fn run(&mut self, job: &Job) {
        // SAFETY: only the lifetime changes. No desk has the job any more when this function returns or unwinds:
        // `clear` takes it back from each, or waits until the thread has finished; nothing between here and there can
        // unwind, the job of the caller being caught.
        let lent = unsafe { std::mem::transmute::<&Job, &'static Job<'static>>(job) };
        for (desk, thread) in &self.desks {
            *desk.job.lock().expect("no panic while the lock is held") = Some(lent);
            desk.state.store(state::READY, Ordering::SeqCst);
            if desk.asleep.swap(false, Ordering::SeqCst) {
                thread.unpark();
            }
        }
        let mut result = catch_unwind(AssertUnwindSafe(|| job(0)));
        let mut late = false;
        for (desk, _) in &self.desks {
            late |= desk.clear() > LATE;
        }
        // Only now, since what a panic carries might panic when it is dropped.
        for (desk, _) in &self.desks {
            let mut panic = desk.panic.lock().expect("no panic while the lock is held");
            if let Some(panic) = panic.take() {
                result = Err(panic);
            }
        }
        if late {
            self.rest();
        }
        if let Err(panic) = result {
            resume_unwind(panic);
        }
    }
}

impl Desk {
    /// Takes the job back, or waits until the thread has finished it; returns for how long the caller had nothing to do,
    /// zero if that was short.
    fn clear(&self) -> Duration {
        let back = self.state.compare_exchange(
            state::READY,
            state::FREE,
            Ordering::SeqCst,
            Ordering::Acquire,
        );
        let mut late = Duration::ZERO;
        if back.is_err() {
            late = self.wait_until_done();
            self.state.store(state::FREE, Ordering::Relaxed);
        }
        *self.job.lock().expect("no panic while the lock is held") = None;
        late
    }

    fn wait_until_done(&self) -> Duration {
        let done = || self.state.load(Ordering::Acquire) == state::DONE;
        for _ in 0..PATIENCE {
            if done() {
                return Duration::ZERO;
            }
            spin_loop();
        }
        let begin = Instant::now();
        while !done() {
            thread::yield_now();
        }
        begin.elapsed()
    }
}

#[cfg(test)]
mod tests;
