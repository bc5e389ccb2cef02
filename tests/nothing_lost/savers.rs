//! The test binary as a program of its own that saves over and over, until it is killed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use regard::app::{
    AppState, ClockCommand, Command as AppCommand, DecodeCommand, Effect, FileCommand, ReadPurpose,
    Services, Setup, SourceCommand, begin, dispatch,
};
use regard::project::{SessionFile, copy_owner};
use regard::storage::{Running, write_atomically};

use super::support::five_models;

/// The folder of a child; that there is one makes the process a child.
const FOLDER: &str = "REGARD_TEST_FOLDER";

/// The sentences that are saved in turn.
pub(crate) const SENTENCES: [&str; 2] =
    ["le chat noir dort", "le chien brun mange une pomme rouge"];

/// A process that runs the test of this name, which then is no test but a program that works in `folder`.
pub(crate) fn child(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", test, "--nocapture", "--test-threads", "1"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// The folder that this process works in, if it is a child.
fn work_folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

pub(crate) fn text(text: &str) -> AppCommand {
    AppCommand::Source(SourceCommand::SetText(text.to_owned()))
}

/// A session with all numbers of its runs.
pub(crate) fn session(sentence: &str) -> SessionFile {
    let mut state = state(String::new(), None);
    let run = AppCommand::Decode(DecodeCommand::RunToEnd);
    dispatch(&mut state, &mut Disk::default(), [text(sentence), run]);
    state.session_file()
}

pub(crate) fn state(run: String, state_folder: Option<PathBuf>) -> AppState {
    AppState::new(Setup {
        models: five_models(1, -9.0),
        state_folder,
        run,
        ..Setup::default()
    })
}

/// Services that write, remove and find copies as those of the window do.
#[derive(Default)]
pub(crate) struct Disk {
    pub(crate) running: Option<Running>,
    /// What could not be written.
    pub(crate) problems: Vec<String>,
}

impl Services for Disk {
    fn run(&mut self, effect: Effect, reply: &mut dyn FnMut(AppCommand)) {
        match effect {
            Effect::WriteFile {
                path,
                purpose,
                bytes,
                ..
            } => reply(AppCommand::File(match write_atomically(&path, &bytes) {
                Ok(()) => FileCommand::Written { path, purpose },
                Err(error) => {
                    self.problems.push(error.to_string());
                    let problem = error.source.to_string();
                    FileCommand::WriteFailed {
                        path,
                        purpose,
                        problem,
                    }
                }
            })),
            Effect::FindCopies { nameless, .. } => {
                let entries = std::fs::read_dir(nameless.parent().unwrap()).unwrap();
                for path in entries.map(|entry| entry.unwrap().path()) {
                    let is_another = |id: &str| self.running.as_ref().unwrap().is_another(id);
                    if copy_owner(&path, &nameless).is_some_and(|owner| !is_another(&owner)) {
                        reply(AppCommand::File(FileCommand::Read {
                            bytes: std::fs::read(&path).unwrap(),
                            path,
                            purpose: ReadPurpose::Restore,
                        }));
                    }
                }
            }
            Effect::RemoveFile { path } => std::fs::remove_file(path).unwrap(),
            Effect::MoveFile { from, to } => std::fs::rename(from, to).unwrap(),
            _ => {}
        }
    }
}

/// Saves two sessions in turn, as a child.
#[test]
fn saves_for_ever() {
    let Some(folder) = work_folder() else { return };
    let path = folder.join("a.regard.ron");
    let sessions = SENTENCES.map(session);
    loop {
        for session in &sessions {
            session.save(&path).unwrap();
        }
    }
}

/// Saves one session over another, as a child; ends with a panic that has the error if that fails.
#[test]
fn saves_once() {
    let Some(folder) = work_folder() else { return };
    if let Err(error) = session(SENTENCES[1]).save(&folder.join("a.regard.ron")) {
        panic!("{error}");
    }
}

/// Changes the sentence over and over and lets time pass, so that copies are written, as a child.
#[test]
fn keeps_copies_for_ever() {
    let Some(folder) = work_folder() else { return };
    let running = Running::begin(&folder.join("running"));
    let run = running.id().to_owned();
    let mut state = state(run, Some(folder.join("unsaved")));
    let mut disk = Disk {
        running: Some(running),
        ..Disk::default()
    };
    begin(&mut state, &mut disk);
    // What was left behind is taken over.
    let answer = FileCommand::Answer(regard::app::Answer::Yes);
    dispatch(&mut state, &mut disk, [AppCommand::File(answer)]);
    loop {
        for sentence in SENTENCES {
            let tick = AppCommand::Clock(ClockCommand::Tick { seconds: 99.0 });
            // The demo's sentence alone is no change.
            let sentence = format!("{sentence} la");
            dispatch(&mut state, &mut disk, [text(&sentence), tick]);
        }
    }
}
