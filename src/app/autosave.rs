//! Copies of unsaved changes: made while time passes, found again after a crash, removed when they are saved or
//! given up.

use std::path::PathBuf;

use super::command::{Answer, ClockCommand};
use super::effect::{Effect, ReadPurpose, WritePurpose};
use super::state::AppState;
use crate::project::LARGEST_FILE;

/// How long unsaved changes may wait for their copy, in seconds.
pub const AUTOSAVE_SECONDS: f64 = 20.0;

impl AppState {
    /// What to do at the start: see whether unsaved changes were left behind.
    pub fn start(&self) -> Vec<Effect> {
        let copy = self.file.copy_path();
        copy.map(read_copy).into_iter().collect()
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
        }]
    }

    pub(super) fn answer_restore(&mut self, answer: Answer) -> Vec<Effect> {
        let Some(found) = self.file.found.take() else {
            return Vec::new();
        };
        match answer {
            Answer::Yes => {
                // The file on the disk stays what counts as saved: what comes back is unsaved.
                let (snapshot, reached, records) = self.adopt(*found.session);
                self.file.autosaved = Some(snapshot.clone());
                self.replace(snapshot, reached, records);
                self.report_models();
                Vec::new()
            }
            Answer::No => vec![Effect::RemoveFile { path: found.copy }],
            Answer::Cancel => {
                self.file.kept = Some(found.copy);
                Vec::new()
            }
        }
    }
}

/// The effect that looks for a copy.
pub(super) const fn read_copy(path: PathBuf) -> Effect {
    Effect::ReadFile {
        path,
        purpose: ReadPurpose::Restore,
        limit: LARGEST_FILE,
    }
}
