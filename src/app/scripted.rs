//! Services with no outside world: files in memory and answers by a script. For tests and lessons.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use super::command::{Command, ExportCommand, FileCommand, ModelsCommand};
use super::effect::{Effect, ReadPurpose, Services, WritePurpose};
use crate::project::copy_owner;
use crate::storage::ContentHash;

/// Runs effects against a folder in memory, and records them.
#[derive(Debug, Clone, Default)]
pub struct ScriptedServices {
    /// The files.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// What the coming file dialogs answer; cancelled where nothing is left.
    pub picks: VecDeque<Option<PathBuf>>,
    /// Paths that cannot be written.
    pub read_only: Vec<PathBuf>,
    /// Other runs of the program that are there, by name.
    pub running: Vec<String>,
    /// Every effect, in order.
    pub log: Vec<Effect>,
    /// What was copied last.
    pub clipboard: Option<String>,
    /// Whether the window was closed.
    pub has_quit: bool,
}

impl ScriptedServices {
    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<String> {
        let bytes = self.files.get(Path::new(path))?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    fn write(
        &mut self,
        path: PathBuf,
        purpose: WritePurpose,
        bytes: Vec<u8>,
        known: Option<&[ContentHash]>,
    ) -> Command {
        let found = self.files.get(&path).map(|bytes| ContentHash::of(bytes));
        let is_changed = known.is_some_and(|known| found.is_some_and(|it| !known.contains(&it)));
        Command::File(if is_changed {
            FileCommand::ChangedOnDisk { path, purpose }
        } else if self.read_only.contains(&path) {
            FileCommand::WriteFailed {
                path,
                purpose,
                problem: "read-only".to_owned(),
            }
        } else {
            self.files.insert(path.clone(), bytes);
            FileCommand::Written { path, purpose }
        })
    }
}

impl Services for ScriptedServices {
    fn run(&mut self, effect: Effect, reply: &mut dyn FnMut(Command)) {
        self.log.push(effect.clone());
        match effect {
            Effect::PickFile { purpose, .. } => {
                let path = self.picks.pop_front().flatten();
                reply(Command::File(FileCommand::Picked { purpose, path }));
            }
            Effect::ReadFile {
                path,
                purpose,
                limit,
            } => {
                let problem = match self.files.get(&path) {
                    Some(bytes) if bytes.len() as u64 <= limit => {
                        let bytes = bytes.clone();
                        return reply(Command::File(FileCommand::Read {
                            path,
                            purpose,
                            bytes,
                        }));
                    }
                    Some(_) => "too large",
                    None => "no such file",
                };
                reply(Command::File(FileCommand::ReadFailed {
                    path,
                    purpose,
                    problem: problem.to_owned(),
                }));
            }
            Effect::WriteFile {
                path,
                purpose,
                bytes,
                known,
            } => reply(self.write(path, purpose, bytes, known.as_deref())),
            Effect::FindCopies { nameless, .. } => {
                for (path, bytes) in &self.files {
                    let owner = copy_owner(path, &nameless);
                    if path.parent() == nameless.parent()
                        && owner.is_some_and(|owner| !self.running.contains(&owner))
                    {
                        reply(Command::File(FileCommand::Read {
                            path: path.clone(),
                            purpose: ReadPurpose::Restore,
                            bytes: bytes.clone(),
                        }));
                    }
                }
            }
            Effect::MoveFile { from, to } => {
                let moved = self.files.remove(&from);
                moved.map(|bytes| self.files.insert(to, bytes));
            }
            Effect::ExportFigure { path, request, .. } => {
                let bytes = request.to_argv().join(" ").into_bytes();
                reply(self.write(path, WritePurpose::Figure, bytes, None));
            }
            Effect::RemoveFile { path } => drop(self.files.remove(&path)),
            Effect::CopyText(text) => self.clipboard = Some(text),
            Effect::CopyImage(request) => {
                self.clipboard = Some(request.to_argv().join(" "));
                reply(Command::Export(ExportCommand::Copied));
            }
            Effect::LoadModel { path } => {
                reply(Command::Models(ModelsCommand::LoadFailed {
                    path,
                    problem: "the script has no models".to_owned(),
                }));
            }
            // A script has no models; tests that need a beam search or an attribution call the model set themselves.
            Effect::SearchBeam(_) => reply(Command::Models(ModelsCommand::BeamFound)),
            Effect::Attribute(_) => reply(Command::Models(ModelsCommand::Attributed)),
            Effect::StorePreferences(_) | Effect::Show(_) => {}
            Effect::Quit => self.has_quit = true,
        }
    }
}
