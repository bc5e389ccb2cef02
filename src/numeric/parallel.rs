//! Work on several things at once, in threads that end with it.

use std::sync::{Mutex, PoisonError};
use std::thread;

use super::team::{alone, cores};

/// Does `work` on every item, on as many threads as there are cores; returns when all is done. The order is not
/// given. One item, or one core, takes no thread.
///
/// # Panics
/// If `work` panics.
pub fn for_each_parallel<T: Send>(items: &mut [T], work: impl Fn(&mut T) + Sync) {
    let threads = cores().min(items.len());
    if threads < 2 {
        items.iter_mut().for_each(work);
        return;
    }
    let queue = Mutex::new(items.iter_mut());
    let run = || {
        // The other cores have work of their own. The lock is let go before the work begins.
        alone(|| {
            loop {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(item) = next else { break };
                work(item);
            }
        });
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once() {
        for count in [0, 1, 2, 7, 100] {
            let mut items: Vec<usize> = (0..count).collect();
            for_each_parallel(&mut items, |item| *item = *item * 2 + 1);
            let expected: Vec<usize> = (0..count).map(|i| i * 2 + 1).collect();
            assert_eq!(items, expected);
        }
    }
}
