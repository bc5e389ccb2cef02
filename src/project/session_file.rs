//! The session file: RON with a version in front.
//!
//! ```text
//! (
//!     version: 1,
//!     document: (source: "le chat noir dort", models: [(name: "additive", sha256: "…")], …),
//!     view: (colormap: viridis, …),
//!     step: 3,
//!     captured: [(…)],
//! )
//! ```
//! Missing fields have defaults and unknown fields are passed over, so that a file travels between neighbouring
//! versions. A change that this does not cover raises [`VERSION`] and adds a branch to `read_version`.

use std::fmt;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use ron::ser::PrettyConfig;
use serde::{Deserialize, Deserializer, Serialize};

use super::captured::CapturedRun;
use super::check::{LARGEST_FILE, MOST_MODELS, check};
use super::document::Document;
use super::view::ViewSettings;
use crate::storage::{WriteError, read_at_most, write_atomically};

/// The version that this program writes.
pub const VERSION: u32 = 1;

/// All that is saved of a session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionFile {
    /// What a person chose.
    pub document: Document,
    /// How it is shown.
    pub view: ViewSettings,
    /// How many steps were taken.
    pub step: usize,
    /// The computed numbers, one run for each chosen model that had any.
    #[serde(deserialize_with = "recorded_runs")]
    pub captured: Vec<CapturedRun>,
}

fn recorded_runs<'de, D: Deserializer<'de>>(list: D) -> Result<Vec<CapturedRun>, D::Error> {
    read_at_most(list, "recorded runs", MOST_MODELS)
}

/// Why a session could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A problem with the content of a named file.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<SessionError>,
    },
    /// More bytes than are read or written.
    #[error("the session has {found} bytes or more; at most {LARGEST_FILE} are read and written")]
    TooLarge {
        /// The bytes found.
        found: u64,
    },
    /// Not a text.
    #[error("line {line}, column {column}: not a text in UTF-8")]
    NotText {
        /// From 1.
        line: usize,
        /// From 1, in letters.
        column: usize,
    },
    /// Not what a session looks like.
    #[error("line {line}, column {column}: {problem}")]
    Syntax {
        /// From 1.
        line: usize,
        /// From 1, in letters.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// No session file has this version.
    #[error("version {found} was never written; sessions begin with version 1")]
    NoVersion {
        /// The version found.
        found: u32,
    },
    /// Written by a later program.
    #[error(
        "the session has version {found} and this program reads up to {VERSION}: a newer version of regard opens it"
    )]
    Newer {
        /// The version found.
        found: u32,
    },
    /// Well-formed, but it cannot be.
    #[error("{0}")]
    Invalid(String),
    /// Something that RON has no form for. It is not expected.
    #[error("the session cannot be written: {0}")]
    Encode(String),
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

#[derive(Deserialize)]
struct Header {
    version: u32,
}

/// The file as it is written: the version stands in front.
#[derive(Serialize)]
struct Versioned<'a> {
    version: u32,
    document: &'a Document,
    view: &'a ViewSettings,
    step: usize,
    captured: &'a [CapturedRun],
}

/// How many bytes are written.
struct Length(usize);

impl fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// Writes the text of a file.
fn write(file: &Versioned, mut to: impl fmt::Write) -> Result<(), SessionError> {
    let failed = |error: &dyn fmt::Display| SessionError::Encode(error.to_string());
    // A row of weights is one line.
    let layout = PrettyConfig::new().new_line("\n").compact_arrays(true);
    ron::ser::to_writer_pretty(&mut to, file, layout).map_err(|error| failed(&error))?;
    to.write_char('\n').map_err(|error| failed(&error))
}

impl SessionFile {
    /// Reads a file's bytes, checking its version, limits and lengths.
    ///
    /// # Errors
    /// What is wrong and where.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SessionError> {
        let found = bytes.len() as u64;
        if found > LARGEST_FILE {
            return Err(SessionError::TooLarge { found });
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            SessionError::NotText {
                line: 1 + good.matches('\n').count(),
                column: 1 + good.chars().rev().take_while(|c| *c != '\n').count(),
            }
        })?;
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let header: Header = ron::from_str(text).map_err(syntax)?;
        let session = read_version(header.version, text)?;
        check(&session)?;
        Ok(session)
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// [`SessionError::Encode`]; [`SessionError::TooLarge`] and [`SessionError::Invalid`] for what could not be
    /// read again.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SessionError> {
        check(self)?;
        let Self {
            document,
            view,
            step,
            captured,
        } = self;
        let file = Versioned {
            version: VERSION,
            document,
            view,
            step: *step,
            captured,
        };
        // Its length first: a text that grows would take three times its memory, and one that is too long is not made.
        let mut length = Length(0);
        write(&file, &mut length)?;
        let found = length.0 as u64;
        if found > LARGEST_FILE {
            return Err(SessionError::TooLarge { found });
        }
        let mut text = String::with_capacity(length.0);
        write(&file, &mut text)?;
        Ok(text.into_bytes())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong, with the file's name.
    pub fn load(path: &Path) -> Result<Self, SessionError> {
        let read = || -> std::io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            // One byte more than allowed, so that a file that is too large shows as such and is not read whole.
            std::fs::File::open(path)?
                .take(LARGEST_FILE + 1)
                .read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().map_err(|source| SessionError::Read {
            path: path.to_owned(),
            source,
        })?;
        Self::from_bytes(&bytes).map_err(|source| SessionError::File {
            path: path.to_owned(),
            source: Box::new(source),
        })
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes), and if the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), SessionError> {
        Ok(write_atomically(path, &self.to_bytes()?)?)
    }
}

/// Reads a known version and brings it up to the present one.
fn read_version(version: u32, text: &str) -> Result<SessionFile, SessionError> {
    match version {
        0 => Err(SessionError::NoVersion { found: 0 }),
        1 => ron::from_str(text).map_err(syntax),
        found => Err(SessionError::Newer { found }),
    }
}

fn syntax(error: ron::error::SpannedError) -> SessionError {
    SessionError::Syntax {
        line: error.span.start.line,
        column: error.span.start.col,
        problem: error.code.to_string(),
    }
}

#[cfg(test)]
#[path = "session_file_tests.rs"]
mod tests;
