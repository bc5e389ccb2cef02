//! A session's file that another program changed since it was opened.

use std::path::{Path, PathBuf};

use super::command::{Answer, FileCommand};
use super::effect::{Effect, WritePurpose};
use super::file::{Prompt, Writing};
use super::state::AppState;
use crate::storage::ContentHash;

impl AppState {
    /// The contents of a file that may be replaced unasked: what this program read there or wrote, and what it is
    /// about to write. `None` for a file that it knows nothing of; whoever picked that was asked by the dialog.
    pub(super) fn known_contents(&self, path: &Path) -> Option<Vec<ContentHash>> {
        let file = &self.file;
        let is_own = file.path.as_deref() == Some(path);
        let pending = file.writing.iter().filter(|writing| writing.path == path);
        let known: Vec<_> = pending
            .map(|writing| writing.content)
            .chain(file.content.filter(|_| is_own))
            .collect();
        (!known.is_empty()).then_some(known)
    }

    /// Takes the first write to `path` that is under way off the list.
    pub(super) fn end_writing(&mut self, path: &Path) -> Option<Writing> {
        let writing = &mut self.file.writing;
        let place = writing.iter().position(|writing| writing.path == path)?;
        Some(writing.remove(place))
    }

    pub(super) fn changed_on_disk(&mut self, path: PathBuf, purpose: WritePurpose) -> Vec<Effect> {
        if purpose == WritePurpose::Session && self.end_writing(&path).is_some() {
            self.file.prompt = Some(Prompt::ChangedOnDisk { path });
        }
        Vec::new()
    }

    pub(super) fn answer_changed(&mut self, answer: Answer, path: PathBuf) -> Vec<Effect> {
        match answer {
            Answer::Yes => self.write_session_over(path, None),
            Answer::No => self.apply_file(FileCommand::SaveAs),
            Answer::Cancel => {
                // Whoever does not save does not leave.
                self.file.after_save = None;
                Vec::new()
            }
        }
    }
}
