//! Running independent pieces of work on a fixed number of threads.

use std::sync::Mutex;

use crate::engine::Task;
use crate::numeric::alone;

/// Runs every task once, on `threads` threads of which the caller is one. Longest first is best.
///
/// What is computed must not depend on who computes it: the tasks touch disjoint data.
///
/// # Panics
/// If a task panics.
pub(crate) fn run_tasks(mut tasks: Vec<Task<'_>>, threads: usize) {
    if threads <= 1 {
        tasks.into_iter().for_each(|task| task());
        return;
    }
    tasks.reverse();
    let queue = Mutex::new(tasks);
    let work = || {
        alone(|| {
            loop {
                let task = queue.lock().ok().and_then(|mut tasks| tasks.pop());
                let Some(task) = task else { break };
                task();
            }
        });
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}

/// Maps `inputs` on one thread each (the caller takes the first), results in order.
///
/// # Panics
/// If `f` panics.
pub(crate) fn map_parallel<I: Send, O: Send>(
    inputs: Vec<I>,
    f: impl Fn(usize, I) -> O + Sync,
) -> Vec<O> {
    let mut inputs = inputs.into_iter().enumerate();
    let Some((_, first)) = inputs.next() else {
        return Vec::new();
    };
    if inputs.len() == 0 {
        return vec![f(0, first)];
    }
    let f = |i, input| alone(|| f(i, input));
    std::thread::scope(|scope| {
        let f = &f;
        let others: Vec<_> = inputs
            .map(|(i, input)| scope.spawn(move || f(i, input)))
            .collect();
        let mut out = vec![f(0, first)];
        out.extend(
            others
                .into_iter()
                .map(|o| o.join().expect("a worker panicked")),
        );
        out
    })
}

/// Deals `items` out to at most `parts` lists, one after the other.
pub(crate) fn split<T>(items: Vec<T>, parts: usize) -> Vec<Vec<T>> {
    let parts = parts.min(items.len()).max(1);
    let mut out: Vec<Vec<T>> = (0..parts).map(|_| Vec::new()).collect();
    for (i, item) in items.into_iter().enumerate() {
        out[i % parts].push(item);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_runs_once_and_order_is_kept() {
        for threads in 1..4 {
            let mut cells = vec![0; 9];
            let tasks: Vec<Task> = cells
                .iter_mut()
                .map(|c| Box::new(move || *c += 1) as Task)
                .collect();
            run_tasks(tasks, threads);
            assert_eq!(cells, vec![1; 9]);
        }
        assert_eq!(
            map_parallel(vec![3, 1, 2], |i, x| i * 10 + x),
            vec![3, 11, 22]
        );
        assert!(map_parallel(Vec::<u8>::new(), |_, x| x).is_empty());
    }
}
