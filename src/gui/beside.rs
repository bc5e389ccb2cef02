//! Something that is computed beside the window while a dialog is open.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

use eframe::egui::Context;

/// What was computed of a key `K`. What is no longer asked for is cancelled, also when this is dropped.
pub(super) struct Beside<K, T> {
    of: Option<K>,
    answer: Option<Receiver<T>>,
    cancel: Arc<AtomicBool>,
    found: Option<T>,
}

impl<K, T> Default for Beside<K, T> {
    fn default() -> Self {
        Self {
            of: None,
            answer: None,
            cancel: Arc::default(),
            found: None,
        }
    }
}

impl<K: PartialEq, T: Send + 'static> Beside<K, T> {
    /// What `work` finds of `key`; `None` until then. It is done once for a key, on a thread of this `name`, and may stop
    /// early when it is told to.
    pub(super) fn get<W>(
        &mut self,
        ctx: &Context,
        name: &str,
        key: K,
        work: impl FnOnce(&K) -> W,
    ) -> Option<&T>
    where
        W: FnOnce(&AtomicBool) -> T + Send + 'static,
    {
        if self.of.as_ref() != Some(&key) {
            self.cancel.store(true, Ordering::Relaxed);
            let cancel = Arc::new(AtomicBool::new(false));
            let (sender, receiver) = channel();
            let (ctx, stop, work) = (ctx.clone(), cancel.clone(), work(&key));
            super::services::spawn(name, move || {
                // Nobody may wait for it any longer.
                let _ = sender.send(work(&stop));
                ctx.request_repaint();
            });
            *self = Self {
                of: Some(key),
                answer: Some(receiver),
                cancel,
                found: None,
            };
        }
        if let Some(found) = self
            .answer
            .as_ref()
            .and_then(|answer| answer.try_recv().ok())
        {
            (self.found, self.answer) = (Some(found), None);
        }
        self.found.as_ref()
    }
}

impl<K, T> Drop for Beside<K, T> {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn wait(beside: &mut Beside<u32, u32>, key: u32) -> u32 {
        let began = Instant::now();
        loop {
            let found = beside.get(&Context::default(), "test", key, |key| {
                let key = *key;
                move |_: &AtomicBool| key * 10
            });
            if let Some(found) = found {
                return *found;
            }
            assert!(began.elapsed() < Duration::from_mins(1));
            std::thread::yield_now();
        }
    }

    #[test]
    fn each_key_has_its_own_answer() {
        let mut beside = Beside::default();
        assert_eq!(wait(&mut beside, 1), 10);
        assert_eq!(wait(&mut beside, 2), 20);
        assert_eq!(wait(&mut beside, 1), 10);
    }

    #[test]
    fn another_key_and_dropping_cancel() {
        let ctx = Context::default();
        let mut beside: Beside<u32, bool> = Beside::default();
        // Ends only when it is cancelled.
        let until_told = |_: &u32| {
            |cancel: &AtomicBool| {
                while !cancel.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                true
            }
        };
        assert_eq!(beside.get(&ctx, "test", 1, until_told), None);
        let first = beside.cancel.clone();
        assert_eq!(beside.get(&ctx, "test", 2, until_told), None);
        assert!(first.load(Ordering::Relaxed));
        let second = beside.cancel.clone();
        drop(beside);
        assert!(second.load(Ordering::Relaxed));
    }
}
