//! Opening, saving and leaving a session; unsaved changes and their copies.
//!
//! Nothing is read or written here: what is needed goes out as an effect and comes back as a command
//! (`file_answers.rs`).

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use super::command::{Answer, FileCommand, Then};
use super::effect::{Effect, PickPurpose, ReadPurpose, WritePurpose};
use super::notice::{Level, NoticeDraft, Origin};
use super::state::AppState;
use super::undo::Snapshot;
use crate::project::{
    CapturedRun, Document, LARGEST_FILE, SESSION_ENDING, SessionError, SessionFile, autosave_path,
    is_session,
};
use crate::storage::ContentHash;

/// Longest name made from a sentence, in letters.
const LONGEST_NAME: usize = 40;

/// A question that waits for an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Prompt {
    /// There are unsaved changes: save them first?
    UnsavedChanges {
        /// What goes on afterwards.
        then: Then,
    },
    /// A copy of unsaved changes was left behind: bring it back?
    Restore {
        /// The file that it belongs to; `None` for a session that was never saved.
        file: Option<PathBuf>,
    },
    /// The session's file is not what it was when it was opened or saved: save all the same?
    ChangedOnDisk {
        /// The file.
        path: PathBuf,
    },
}

/// A copy that was left behind.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) copy: PathBuf,
    pub(super) session: Box<SessionFile>,
}

/// A write of the session that is under way, and what it will have saved.
#[derive(Debug, Clone)]
pub(super) struct Writing {
    pub(super) path: PathBuf,
    pub(super) snapshot: Snapshot,
    pub(super) content: ContentHash,
}

/// Where the session lies, and what of it is saved.
#[derive(Debug, Clone, Default)]
pub(super) struct FileState {
    pub(super) path: Option<PathBuf>,
    /// What the file holds as far as this program knows; `None` if it knows nothing of it.
    pub(super) content: Option<ContentHash>,
    /// The name of a session that came without a file.
    pub(super) title: Option<String>,
    pub(super) saved: Snapshot,
    pub(super) prompt: Option<Prompt>,
    pub(super) after_save: Option<Then>,
    /// Writes of the session that were not answered so far.
    pub(super) writing: Vec<Writing>,
    pub(super) state_folder: Option<PathBuf>,
    /// The name of this run of the program.
    pub(super) run: String,
    /// Copies that are asked about, one after the other.
    pub(super) found: VecDeque<Found>,
    /// Copies that a person wants to decide about later: they must not be overwritten.
    pub(super) kept: Vec<PathBuf>,
    pub(super) autosaved: Option<Snapshot>,
    pub(super) autosave_failed: bool,
    pub(super) since_autosave: f64,
}

impl FileState {
    pub(super) fn new(state_folder: Option<PathBuf>, run: String) -> Self {
        Self {
            state_folder,
            run,
            ..Self::default()
        }
    }

    /// Where this run keeps unsaved changes.
    pub(super) fn copy_path(&self) -> Option<PathBuf> {
        let folder = self.state_folder.as_deref();
        autosave_path(self.path.as_deref(), folder, &self.run)
    }

    /// Where a run without a name keeps them: the name that those of all runs begin with.
    pub(super) fn nameless_copy(&self) -> Option<PathBuf> {
        autosave_path(self.path.as_deref(), self.state_folder.as_deref(), "")
    }

    /// The copy of this session, if it may be written or removed.
    pub(super) fn own_copy(&self) -> Option<PathBuf> {
        let waits = |path: &PathBuf| {
            self.kept.contains(path) || self.found.iter().any(|found| found.copy == *path)
        };
        self.copy_path().filter(|path| !waits(path))
    }
}

impl AppState {
    /// The session's file.
    pub fn path(&self) -> Option<&Path> {
        self.file.path.as_deref()
    }

    /// Whether document or view changed since they were saved.
    pub fn is_dirty(&self) -> bool {
        self.file.saved.document != self.document || self.file.saved.view != self.view
    }

    /// The question on the screen.
    pub const fn prompt(&self) -> Option<&Prompt> {
        self.file.prompt.as_ref()
    }

    /// The name of the session for the window's title.
    pub fn session_name(&self) -> String {
        let of_path = |path: &PathBuf| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some(
                name.strip_suffix(SESSION_ENDING)
                    .unwrap_or(&name)
                    .to_owned(),
            )
        };
        let path = self.file.path.as_ref();
        path.and_then(of_path)
            .or_else(|| self.file.title.clone())
            .unwrap_or_else(|| "Untitled".to_owned())
    }

    /// What a save writes: document, view, step and the numbers of all panes.
    pub fn session_file(&self) -> SessionFile {
        let run = |pane: &super::Pane| -> Option<CapturedRun> {
            // A pane with nothing to show keeps the record that was opened.
            let record = self.records.iter().find(|run| run.model == *pane.model());
            pane.capture().or_else(|| record.cloned())
        };
        SessionFile {
            document: self.document.clone(),
            view: self.view.clone(),
            step: self.reached,
            captured: self.panes.iter().filter_map(run).collect(),
        }
    }

    pub(super) fn apply_file(&mut self, command: FileCommand) -> Vec<Effect> {
        match command {
            FileCommand::Leave(then) => {
                if self.is_dirty() {
                    self.file.prompt = Some(Prompt::UnsavedChanges { then });
                    return Vec::new();
                }
                self.leave(then)
            }
            FileCommand::OpenAny(paths) => self.open_any(paths),
            FileCommand::Save => match self.file.path.clone() {
                Some(path) => self.write_session(path),
                None => self.ask_where_to_save(),
            },
            FileCommand::SaveAs => self.ask_where_to_save(),
            FileCommand::Answer(answer) => match self.file.prompt.take() {
                Some(Prompt::UnsavedChanges { then }) => self.answer_unsaved(answer, then),
                Some(Prompt::Restore { .. }) => self.answer_restore(answer),
                Some(Prompt::ChangedOnDisk { path }) => self.answer_changed(answer, path),
                None => Vec::new(),
            },
            FileCommand::ClearRecent => {
                self.preferences.recent.clear();
                vec![self.store_preferences()]
            }
            FileCommand::Picked { purpose, path } => self.picked(purpose, path),
            FileCommand::Read {
                path,
                purpose,
                bytes,
            } => self.was_read(path, purpose, &bytes),
            FileCommand::ReadFailed {
                path,
                purpose,
                problem,
            } => self.read_failed(&path, purpose, &problem),
            FileCommand::Written { path, purpose } => self.written(path, purpose),
            FileCommand::WriteFailed {
                path,
                purpose,
                problem,
            } => self.write_failed(&path, purpose, &problem),
            FileCommand::ChangedOnDisk { path, purpose } => self.changed_on_disk(path, purpose),
        }
    }

    /// Goes on to something else; unsaved changes were asked about.
    pub(super) fn leave(&mut self, then: Then) -> Vec<Effect> {
        match then {
            Then::New => {
                let document = Document {
                    models: self.first_models(),
                    ..Document::default()
                };
                let snapshot = Snapshot {
                    document,
                    view: crate::project::ViewSettings::default(),
                };
                let effects = self.forget_copy();
                self.put_in_place(snapshot, 1, Vec::new(), None);
                effects
            }
            Then::Open => vec![Effect::PickFile {
                purpose: PickPurpose::OpenSession,
                suggested: self.file.path.clone(),
            }],
            Then::OpenPath(path) => vec![read_session(path)],
            Then::OpenSample { name, bytes } => match SessionFile::from_bytes(&bytes) {
                Ok(session) => {
                    let effects = self.forget_copy();
                    self.open(session, None);
                    self.file.title = Some(name);
                    effects
                }
                Err(error) => {
                    self.report_damage(&name, &error);
                    Vec::new()
                }
            },
            Then::Quit => {
                let mut effects = self.forget_copy();
                effects.push(Effect::Quit);
                effects
            }
        }
    }

    /// Puts an opened session in place.
    pub(super) fn open(&mut self, session: SessionFile, path: Option<PathBuf>) {
        let (snapshot, reached, records) = self.adopt(session);
        self.put_in_place(snapshot, reached, records, path);
        self.report_models();
    }

    /// Fills in what a hand-written session leaves out: its models, or their hashes.
    pub(super) fn adopt(&self, session: SessionFile) -> (Snapshot, usize, Vec<CapturedRun>) {
        let SessionFile {
            mut document,
            view,
            step,
            captured,
        } = session;
        if document.models.is_empty() {
            document.models = self.first_models();
        }
        for model in document.models.iter_mut().filter(|m| m.sha256.is_empty()) {
            if let Some(present) = self.models.get(&model.name) {
                *model = present.reference.clone();
            }
        }
        let limit = crate::engine::DecodeSession::LARGEST_STEP_LIMIT;
        (Snapshot { document, view }, step.min(limit), captured)
    }

    fn put_in_place(
        &mut self,
        snapshot: Snapshot,
        reached: usize,
        records: Vec<CapturedRun>,
        path: Option<PathBuf>,
    ) {
        self.file = FileState {
            path,
            saved: snapshot.clone(),
            kept: std::mem::take(&mut self.file.kept),
            ..FileState::new(
                self.file.state_folder.take(),
                std::mem::take(&mut self.file.run),
            )
        };
        self.replace(snapshot, reached, records);
    }

    fn answer_unsaved(&mut self, answer: Answer, then: Then) -> Vec<Effect> {
        match answer {
            Answer::Yes => {
                self.file.after_save = Some(then);
                self.apply_file(FileCommand::Save)
            }
            Answer::No => self.leave(then),
            Answer::Cancel => Vec::new(),
        }
    }

    fn open_any(&mut self, paths: Vec<PathBuf>) -> Vec<Effect> {
        let (sessions, others): (Vec<_>, Vec<_>) =
            paths.into_iter().partition(|path| is_session(path));
        let mut effects = Vec::new();
        for path in others {
            if path
                .extension()
                .is_some_and(|ending| ending == "safetensors")
            {
                effects.push(Effect::LoadModel { path });
            } else {
                self.notices.add(
                    NoticeDraft::new(
                        Level::Error,
                        Origin::File,
                        format!("Cannot open {}", path.display()),
                    )
                    .advice(format!(
                        "Choose a session (*{SESSION_ENDING}) or a model (*.safetensors)"
                    )),
                );
            }
        }
        // A window shows one session.
        if let Some(path) = sessions.into_iter().next() {
            effects.extend(self.apply_file(FileCommand::Leave(Then::OpenPath(path))));
        }
        effects
    }

    fn ask_where_to_save(&self) -> Vec<Effect> {
        let name = || PathBuf::from(format!("{}{SESSION_ENDING}", self.short_name()));
        vec![Effect::PickFile {
            purpose: PickPurpose::SaveSession,
            suggested: Some(self.file.path.clone().unwrap_or_else(name)),
        }]
    }

    /// Writes the session; it counts as saved when the answer comes. What another program wrote to the session's
    /// own file since is not replaced.
    pub(super) fn write_session(&mut self, path: PathBuf) -> Vec<Effect> {
        let known = self.known_contents(&path);
        self.write_session_over(path, known)
    }

    /// Writes the session over what is known, or over whatever is there.
    pub(super) fn write_session_over(
        &mut self,
        path: PathBuf,
        known: Option<Vec<ContentHash>>,
    ) -> Vec<Effect> {
        match self.session_file().to_bytes() {
            Ok(bytes) => {
                self.file.writing.push(Writing {
                    path: path.clone(),
                    snapshot: self.snapshot(),
                    content: ContentHash::of(&bytes),
                });
                vec![Effect::WriteFile {
                    path,
                    purpose: WritePurpose::Session,
                    bytes,
                    known,
                }]
            }
            Err(error) => {
                self.file.after_save = None;
                let text = format!("The session was not saved: {error}");
                self.notices
                    .add(NoticeDraft::new(Level::Error, Origin::File, text));
                Vec::new()
            }
        }
    }

    /// A short file name from the sentence, with letters that every system takes.
    pub(super) fn short_name(&self) -> String {
        let words = self.document.source.split(|c: char| !c.is_alphanumeric());
        let name = words
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join("-");
        let name: String = name.chars().take(LONGEST_NAME).collect();
        if name.is_empty() {
            "attention".to_owned()
        } else {
            name
        }
    }
}

/// The effect that reads a session.
pub(super) const fn read_session(path: PathBuf) -> Effect {
    Effect::ReadFile {
        path,
        purpose: ReadPurpose::Session,
        limit: LARGEST_FILE,
    }
}

impl AppState {
    /// Says that a session cannot be opened.
    pub(super) fn report_damage(&mut self, name: &str, error: &SessionError) {
        let text = format!("Cannot open {name}: {error}");
        let advice = match error {
            SessionError::Newer { .. } => "Open it with a newer version of regard",
            _ => "Open another file, or mend this one in a text editor at the place named",
        };
        let draft = NoticeDraft::new(Level::Error, Origin::File, text);
        self.notices.add(draft.advice(advice));
    }
}
