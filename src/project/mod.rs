//! Floor 4: the saved session: what a person chose ([`Document`]), how it is shown ([`ViewSettings`]) and the
//! numbers that were computed ([`CapturedRun`]).
//!
//! - A session file is RON with the ending [`SESSION_ENDING`]; [`SessionFile`] reads, checks and writes it. The
//!   recorded numbers make an old file show its figure even when a model has changed or is gone.
//! - [`Preferences`] belong to a person and not to a document; [`RecentFiles`] is a part of them.
//! - Only [`SessionFile::load`] and [`SessionFile::save`] touch the disk; all else is data.

mod autosave;
mod captured;
mod check;
mod document;
mod export_choice;
mod preferences;
mod rows;
mod session_file;
mod view;

pub use crate::figure::{Colormap, Scaling};
pub use autosave::{SESSION_ENDING, autosave_path, copy_owner, is_session, with_ending};
pub use captured::{CapturedRun, MOST_STEPS, RunEnd};
pub use check::{
    LARGEST_FILE, LONGEST_TEXT, MOST_BRANCHES, MOST_INTERVENTIONS, MOST_MODELS, MOST_NUMBERS,
    check_interventions, clip_text,
};
pub use document::{
    Document, ModelBranches, ModelChoices, ModelInterventions, ModelRef, RunConditions,
    SavedBranch, TokenChoice, fingerprint,
};
pub use export_choice::{ExportChoice, ExportContent, ExportPreset};
pub use preferences::{
    PREFERENCES_VERSION, PlaySpeed, Preferences, PreferencesError, RecentFiles, TextSize, Theme,
};
pub use rows::Rows;
pub use session_file::{SessionError, SessionFile, VERSION};
pub use view::{Chart, DifferencePair, PaneLayout, ViewSettings};
