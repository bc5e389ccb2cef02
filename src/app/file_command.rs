//! What can be asked for about files, and what services answer.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::effect::{PickPurpose, ReadPurpose, WritePurpose};

/// What goes on after a question about unsaved changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// An empty session.
    New,
    /// Asking for a session to open.
    Open,
    /// Opening this file.
    OpenPath(PathBuf),
    /// Opening a sample that has no file.
    OpenSample {
        /// Its name.
        name: String,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// The end.
    Quit,
}

/// An answer to a [`Prompt`](super::Prompt).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Save first; restore what was found; save over what another program wrote.
    Yes,
    /// Go on without saving; throw away what was found; save to another file.
    No,
    /// Do nothing; what was found stays for the next time.
    Cancel,
}

/// About files. The second half are the answers of services.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileCommand {
    /// What [`Then`] says, after asking about unsaved changes.
    Leave(Then),
    /// Opens files that were dropped on the window or named on the command line: a session or models.
    OpenAny(Vec<PathBuf>),
    /// Saves to the session's file, or asks for one.
    Save,
    /// Asks for a file and saves to it.
    SaveAs,
    /// Answers the question on the screen.
    Answer(Answer),
    /// Forgets the recent files.
    ClearRecent,
    /// A file was picked, or none.
    Picked {
        /// What for.
        purpose: PickPurpose,
        /// The file; `None` where the dialog was cancelled.
        path: Option<PathBuf>,
    },
    /// A file was read.
    Read {
        /// The file.
        path: PathBuf,
        /// What for.
        purpose: ReadPurpose,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// A file could not be read.
    ReadFailed {
        /// The file.
        path: PathBuf,
        /// What for.
        purpose: ReadPurpose,
        /// Why.
        problem: String,
    },
    /// A file was written.
    Written {
        /// The file.
        path: PathBuf,
        /// What for.
        purpose: WritePurpose,
    },
    /// A file was not written, since it has other contents than those that may be replaced.
    ChangedOnDisk {
        /// The file.
        path: PathBuf,
        /// What for.
        purpose: WritePurpose,
    },
    /// A file could not be written.
    WriteFailed {
        /// The file.
        path: PathBuf,
        /// What for.
        purpose: WritePurpose,
        /// Why.
        problem: String,
    },
}
