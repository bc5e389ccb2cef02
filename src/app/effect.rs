//! What the outside world is asked to do. Effects are data; [`Services`] run them and answer with commands.

use std::collections::VecDeque;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::AppState;
use super::attributed::AttributionJob;
use super::beam::BeamJob;
use super::command::Command;
use super::figure_request::FigureRequest;
use crate::figure::FigureFormat;
use crate::project::Preferences;
use crate::storage::ContentHash;

/// What a file is picked for; comes back with the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PickPurpose {
    /// A session to open.
    OpenSession,
    /// Where to save the session.
    SaveSession,
    /// A model to open.
    OpenModel,
    /// Where to write this figure.
    SaveFigure {
        /// Its form.
        format: FigureFormat,
        /// The figure as it stood when it was asked for.
        request: Box<FigureRequest>,
    },
}

/// What a file is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadPurpose {
    /// To open it as a session.
    Session,
    /// To see what unsaved changes were left behind.
    Restore,
}

/// What a file is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WritePurpose {
    /// The session, as a person asked.
    Session,
    /// Unsaved changes, in case of a crash.
    Autosave,
    /// A figure.
    Figure,
}

/// Surfaces of the window that hold nothing of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// The command palette.
    Palette,
    /// The dialog of the export.
    ExportDialog,
    /// What the sentence costs.
    Cost,
    /// Attention on trial: other weights, attributions, gradients.
    Trial,
    /// Past messages.
    NoticeHistory,
    /// Keys and first steps.
    Help,
    /// Models, data notice, figures and limits.
    About,
    /// The numbers at the side, on and off.
    Inspector,
    /// Panels in their first sizes, none folded.
    Panels,
    /// Large text for a room, on and off.
    Presentation,
    /// The source field, with the keyboard in it.
    SourceField,
}

/// Something that the state cannot do itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Let a person pick a file; answered by `FileCommand::Picked`.
    PickFile {
        /// What for.
        purpose: PickPurpose,
        /// A name or path to begin with.
        suggested: Option<PathBuf>,
    },
    /// Read a file; answered by `FileCommand::Read` or `ReadFailed`.
    ReadFile {
        /// The file.
        path: PathBuf,
        /// What for.
        purpose: ReadPurpose,
        /// The most bytes to read; a longer file fails.
        limit: u64,
    },
    /// Write a file, whole or not at all; answered by `FileCommand::Written`, `WriteFailed` or `ChangedOnDisk`.
    /// Writes, removals and moves are done in the order in which they were asked for.
    WriteFile {
        /// The file.
        path: PathBuf,
        /// What for.
        purpose: WritePurpose,
        /// Its bytes.
        bytes: Vec<u8>,
        /// The only contents that may be replaced; `None` for whatever is there.
        known: Option<Vec<ContentHash>>,
    },
    /// Read all copies of unsaved changes that no running program writes; each is answered by `FileCommand::Read`
    /// or `ReadFailed` for `ReadPurpose::Restore`. That there are none is the usual case, and is not answered.
    FindCopies {
        /// The copy of a run without a name; see [`copy_owner`](crate::project::copy_owner).
        nameless: PathBuf,
        /// The most bytes of a copy.
        limit: u64,
    },
    /// Give a file another name, over what has that name; not answered.
    MoveFile {
        /// The present name.
        from: PathBuf,
        /// The new one.
        to: PathBuf,
    },
    /// Remove a file if it is there; not answered.
    RemoveFile {
        /// The file.
        path: PathBuf,
    },
    /// Draw a figure and write it; answered as `WriteFile`.
    ExportFigure {
        /// The file.
        path: PathBuf,
        /// The form.
        format: FigureFormat,
        /// What to draw.
        request: Box<FigureRequest>,
    },
    /// Text to the clipboard; not answered.
    CopyText(String),
    /// A picture to the clipboard; answered by `ExportCommand::Copied` or `Failed`.
    CopyImage(Box<FigureRequest>),
    /// Read a model file into the model set; answered by `ModelsCommand::Loaded` or `LoadFailed`.
    LoadModel {
        /// The file.
        path: PathBuf,
    },
    /// Do a beam search with `ModelSet::search`; answered by `ModelsCommand::BeamFound`.
    SearchBeam(Box<BeamJob>),
    /// Compute attributions with `ModelSet::attribute`; each answered by `ModelsCommand::Attributed`.
    Attribute(Vec<AttributionJob>),
    /// Keep the preferences; not answered.
    StorePreferences(Box<Preferences>),
    /// Show a surface; not answered.
    Show(Surface),
    /// Close the window.
    Quit,
}

/// Runs effects: in the window with dialogs and threads, on the command line without, in tests by a script.
pub trait Services {
    /// Starts an effect. The answer comes through `reply`, now or at a later call of the host's own making.
    fn run(&mut self, effect: Effect, reply: &mut dyn FnMut(Command));
}

/// Applies commands in the order in which they were given, each with its effects; answers queue up behind.
pub fn dispatch(
    state: &mut AppState,
    services: &mut dyn Services,
    commands: impl IntoIterator<Item = Command>,
) {
    let mut queue: VecDeque<Command> = commands.into_iter().collect();
    while let Some(command) = queue.pop_front() {
        for effect in state.apply(command) {
            services.run(effect, &mut |answer| queue.push_back(answer));
        }
    }
}

/// Does what has to be done at the start: see [`AppState::start`].
pub fn begin(state: &mut AppState, services: &mut dyn Services) {
    let mut answers = Vec::new();
    for effect in state.start() {
        services.run(effect, &mut |answer| answers.push(answer));
    }
    dispatch(state, services, answers);
}
