//! How long computations are watched, stopped, and spread over the cores.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::forced::AttributionError;
use crate::numeric::for_each_parallel;

/// Who watches a computation; by default nobody.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    /// Set to stop the computation, which then ends with [`AttributionError::Cancelled`].
    pub cancel: Option<&'a AtomicBool>,
    /// Told the parts that are done and all parts, from any thread.
    pub progress: Option<&'a (dyn Fn(usize, usize) + Sync)>,
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("cancel", &self.cancel)
            .field("progress", &self.progress.is_some())
            .finish()
    }
}

impl Watch<'_> {
    /// Whether it is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel
            .is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Does `work` on every part on all cores; results come in the order of the parts.
    pub(super) fn spread<T: Send, R: Send>(
        &self,
        parts: Vec<T>,
        work: impl Fn(&T) -> Result<R, AttributionError> + Sync,
    ) -> Result<Vec<R>, AttributionError> {
        let (done, total) = (AtomicUsize::new(0), parts.len());
        let mut slots: Vec<_> = parts.into_iter().map(|part| (part, None)).collect();
        for_each_parallel(&mut slots, |(part, slot)| {
            if self.is_cancelled() {
                return;
            }
            *slot = Some(work(part));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if let Some(progress) = self.progress {
                progress(done, total);
            }
        });
        slots
            .into_iter()
            .map(|(_, slot)| slot.unwrap_or(Err(AttributionError::Cancelled)))
            .collect()
    }
}
