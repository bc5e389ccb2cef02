//! Copies of unsaved changes: made while time passes, found again after a crash, removed when they are saved or
//! given up.
//!
//! Each run of the program has copies of its own, so that two with the same session do not write over each other's.
//! Only copies of runs that ended are offered.

use std::path::PathBuf;

use super::command::{Answer, ClockCommand};
use super::effect::{Effect, WritePurpose};
use super::file::{Found, Prompt};
use super::state::AppState;
use crate::project::{LARGEST_FILE, SessionFile, copy_owner};

/// How long unsaved changes may wait for their copy, in seconds.
pub const AUTOSAVE_SECONDS: f64 = 20.0;

impl AppState {
    /// What to do at the start: see whether unsaved changes were left behind.
    pub fn start(&self) -> Vec<Effect> {
        self.find_copies().into_iter().collect()
    }

    /// Removes the copy of unsaved changes, which are saved or given up.
    pub(super) fn forget_copy(&mut self) -> Vec<Effect> {
        self.file.autosaved = None;
        let copy = self.file.own_copy();
        copy.map(|path| Effect::RemoveFile { path })
            .into_iter()
            .collect()
    }

    pub(super) fn apply_clock(&mut self, command: ClockCommand) -> Vec<Effect> {
        let ClockCommand::Tick { seconds } = command;
        if seconds.is_finite() && seconds > 0.0 {
            self.play_for(seconds);
            self.file.since_autosave += seconds;
        }
        if self.file.since_autosave < AUTOSAVE_SECONDS || !self.is_dirty() {
            return Vec::new();
        }
        let now = self.snapshot();
        if self.file.autosaved.as_ref() == Some(&now) {
            return Vec::new();
        }
        let (Some(path), Ok(bytes)) = (self.file.own_copy(), self.session_file().to_bytes()) else {
            return Vec::new();
        };
        self.file.since_autosave = 0.0;
        self.file.autosaved = Some(now);
        vec![Effect::WriteFile {
            path,
            purpose: WritePurpose::Autosave,
            bytes,
            known: None,
        }]
    }

    /// The effect that looks for copies of the present session.
    pub(super) fn find_copies(&self) -> Option<Effect> {
        let nameless = self.file.nameless_copy()?;
        let limit = LARGEST_FILE;
        Some(Effect::FindCopies { nameless, limit })
    }

    /// A copy was read that no running program writes.
    pub(super) fn found_copy(&mut self, path: PathBuf, session: SessionFile) -> Vec<Effect> {
        // Another session may have been opened in the meantime.
        let nameless = self.file.nameless_copy();
        let is_of_session = |nameless: &PathBuf| {
            nameless.parent() == path.parent() && copy_owner(&path, nameless).is_some()
        };
        let is_known = self.file.found.iter().any(|found| found.copy == path);
        if is_known || !nameless.as_ref().is_some_and(is_of_session) {
            return Vec::new();
        }
        let (snapshot, ..) = self.adopt(session.clone());
        if snapshot == self.file.saved {
            return vec![Effect::RemoveFile { path }];
        }
        self.file.found.push_back(Found {
            copy: path,
            session: Box::new(session),
        });
        self.ask_about_copy();
        Vec::new()
    }

    /// Asks about the first copy that was found, unless there are none.
    fn ask_about_copy(&mut self) {
        if !self.file.found.is_empty() {
            self.file.prompt = Some(Prompt::Restore {
                file: self.file.path.clone(),
            });
        }
    }

    pub(super) fn answer_restore(&mut self, answer: Answer) -> Vec<Effect> {
        let Some(found) = self.file.found.pop_front() else {
            return Vec::new();
        };
        match answer {
            Answer::Yes => {
                // One was chosen; the others are asked about when the session is opened again.
                self.keep_copies();
                // The file on the disk stays what counts as saved: what comes back is unsaved.
                let (snapshot, reached, records) = self.adopt(*found.session);
                self.file.autosaved = Some(snapshot.clone());
                self.replace(snapshot, reached, records);
                self.report_models();
                // From now on it is this run's.
                let own = self.file.own_copy().filter(|own| *own != found.copy);
                let from = found.copy;
                own.map(|to| Effect::MoveFile { from, to })
                    .into_iter()
                    .collect()
            }
            Answer::No => {
                self.ask_about_copy();
                vec![Effect::RemoveFile { path: found.copy }]
            }
            Answer::Cancel => {
                self.file.kept.push(found.copy);
                self.keep_copies();
                Vec::new()
            }
        }
    }

    /// Leaves the copies that were found for a later decision.
    fn keep_copies(&mut self) {
        let copies = std::mem::take(&mut self.file.found);
        self.file.kept.extend(copies.into_iter().map(|of| of.copy));
    }
}
