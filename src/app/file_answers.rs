//! What services answered about files.

use std::path::{Path, PathBuf};

use super::command::{Command, FileCommand};
use super::effect::{Effect, PickPurpose, ReadPurpose, WritePurpose};
use super::figure_request::FigureRequest;
use super::file::read_session;
use super::notice::{Level, NoticeDraft, Origin};
use super::state::AppState;
use crate::figure::FigureFormat;
use crate::project::{SessionFile, with_ending};
use crate::storage::ContentHash;

impl AppState {
    pub(super) fn picked(&mut self, purpose: PickPurpose, path: Option<PathBuf>) -> Vec<Effect> {
        let Some(path) = path else {
            // Whoever does not save does not leave.
            if purpose == PickPurpose::SaveSession {
                self.file.after_save = None;
            }
            return Vec::new();
        };
        match purpose {
            PickPurpose::OpenSession => vec![read_session(path)],
            PickPurpose::SaveSession => self.write_session(with_ending(path)),
            PickPurpose::OpenModel => vec![Effect::LoadModel { path }],
            PickPurpose::SaveFigure { format, request } => self.export(path, format, request),
        }
    }

    /// Draws a figure to a file, whose ending is added where it is missing.
    pub(super) fn export(
        &mut self,
        mut path: PathBuf,
        format: FigureFormat,
        request: Box<FigureRequest>,
    ) -> Vec<Effect> {
        let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        if ending.is_none_or(|ending| ending != format.ending()) {
            let mut name = path.into_os_string();
            name.push(format!(".{}", format.ending()));
            path = PathBuf::from(name);
        }
        self.preferences.export.folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .map(Path::to_owned);
        let export = Effect::ExportFigure {
            path,
            format,
            request,
        };
        vec![export, self.store_preferences()]
    }

    pub(super) fn was_read(
        &mut self,
        path: PathBuf,
        purpose: ReadPurpose,
        bytes: &[u8],
    ) -> Vec<Effect> {
        match (purpose, SessionFile::from_bytes(bytes)) {
            (ReadPurpose::Session, Ok(session)) => {
                let mut effects = self.forget_copy();
                self.open(session, Some(path.clone()));
                self.file.content = Some(ContentHash::of(bytes));
                self.preferences.recent.add(&path);
                effects.push(self.store_preferences());
                effects.extend(self.find_copies());
                effects
            }
            (ReadPurpose::Session, Err(error)) => {
                self.report_damage(&path.display().to_string(), &error);
                Vec::new()
            }
            (ReadPurpose::Restore, Ok(session)) => self.found_copy(path, session),
            (ReadPurpose::Restore, Err(error)) => {
                // It stays where it is: a newer version may open it.
                let name = path.display().to_string();
                self.report_damage(&name, &error);
                self.file.kept.push(path);
                Vec::new()
            }
        }
    }

    pub(super) fn read_failed(
        &mut self,
        path: &Path,
        purpose: ReadPurpose,
        problem: &str,
    ) -> Vec<Effect> {
        if purpose == ReadPurpose::Restore {
            return Vec::new();
        }
        let text = format!("Cannot read {}: {problem}", path.display());
        let draft = NoticeDraft::new(Level::Error, Origin::File, text);
        self.notices.add(draft.advice("Open another file"));
        self.preferences.recent.remove(path);
        vec![self.store_preferences()]
    }

    pub(super) fn written(&mut self, path: PathBuf, purpose: WritePurpose) -> Vec<Effect> {
        match purpose {
            WritePurpose::Autosave => {
                self.file.autosave_failed = false;
                Vec::new()
            }
            WritePurpose::Figure => {
                let text = format!("Wrote the figure to {}", path.display());
                self.notices
                    .add(NoticeDraft::new(Level::Done, Origin::Export, text));
                Vec::new()
            }
            WritePurpose::Session => self.session_written(path),
        }
    }

    fn session_written(&mut self, path: PathBuf) -> Vec<Effect> {
        let Some(written) = self.end_writing(&path) else {
            return Vec::new();
        };
        // The copies of the old name and of the new one.
        let mut effects = self.forget_copy();
        self.file.saved = written.snapshot;
        if self.file.path.as_ref() != Some(&path) {
            self.file.path = Some(path.clone());
            effects.extend(self.forget_copy());
        }
        self.file.content = Some(written.content);
        let text = format!("Saved {}", path.display());
        self.notices
            .add(NoticeDraft::new(Level::Done, Origin::File, text));
        self.preferences.recent.add(&path);
        effects.push(self.store_preferences());
        if let Some(then) = self.file.after_save.take() {
            // There may be new changes since.
            effects.extend(self.apply_file(FileCommand::Leave(then)));
        }
        effects
    }

    pub(super) fn write_failed(
        &mut self,
        path: &Path,
        purpose: WritePurpose,
        problem: &str,
    ) -> Vec<Effect> {
        let text = format!("Cannot write {}: {problem}", path.display());
        let draft = match purpose {
            WritePurpose::Session => {
                self.end_writing(path);
                self.file.after_save = None;
                NoticeDraft::new(Level::Error, Origin::File, text)
                    .advice("The session is not saved; choose another place")
                    .action("Save as…", Command::File(FileCommand::SaveAs))
            }
            WritePurpose::Autosave => {
                // Said once, not every few seconds; the next time it is tried again.
                self.file.autosaved = None;
                if std::mem::replace(&mut self.file.autosave_failed, true) {
                    return Vec::new();
                }
                NoticeDraft::new(Level::Warning, Origin::File, text)
                    .advice("Unsaved changes have no copy; save the session yourself")
            }
            WritePurpose::Figure => NoticeDraft::new(Level::Error, Origin::Export, text)
                .advice("The figure is not written; choose another place"),
        };
        self.notices.add(draft);
        Vec::new()
    }
}
