//! Floor 5: the application without its window: state, commands, effects, undo, selection.
//!
//! ```text
//! panels, menu, palette, scripts ──Command──▶ AppState::apply ──Effect──▶ Services ──Command──▶ …
//! ```
//! - [`AppState`] is read freely and changed by commands only. [`dispatch`] applies them in order and hands their
//!   effects to the [`Services`]: native in the window, headless on the command line, scripted in tests.
//! - All chosen models step on one clock ([`Pane`] holds one model's decode); what is derived from a run is an
//!   immutable [`PaneData`] behind an `Arc`, made anew only when the run changes.
//! - Undo covers the document and the view. Stepping, selection and files are no part of it.
//!
//! No widgets and no input or output here: `tests/architecture.rs` checks it.

mod attributed;
mod autosave;
mod beam;
mod branches;
mod changed;
mod charts;
mod command;
mod decode;
mod decoding;
mod difference;
mod drawing;
mod effect;
mod examples;
mod explain;
mod export;
mod figure_request;
mod figure_runs;
mod figure_spec;
mod file;
mod file_answers;
mod file_command;
mod first_rows;
mod formula;
mod inspection;
mod model_set;
mod models;
mod notice;
mod original;
mod pane;
mod pane_data;
mod playback;
mod samples;
mod scripted;
mod selection;
mod settings;
mod shortcut;
mod shown_figure;
mod source;
mod spoken;
mod state;
#[cfg(test)]
mod tests;
mod trial;
mod ui_command;
mod undo;
mod what_if;
mod words;
mod zoom;

pub use attributed::{AttributionJob, AttributionView, METHODS, ShownAttribution, method_title};
pub use autosave::AUTOSAVE_SECONDS;
pub use beam::{BeamHypothesis, BeamJob, BeamView};
pub use branches::BranchLine;
pub use command::{
    Answer, ClockCommand, Command, DecodeCommand, Direction, EditCommand, ExportCommand,
    FileCommand, ModelsCommand, NoticeCommand, PreferencesCommand, SelectionCommand, Then,
    ViewCommand,
};
pub use difference::{Difference, NoDifference, Parting};
pub use drawing::{Look, series_index};
pub use effect::{
    Effect, PickPurpose, ReadPurpose, Services, Surface, WritePurpose, begin, dispatch,
};
pub use examples::{DEMO_SENTENCE, Example, examples};
pub use explain::Cost;
pub use figure_request::{FigureKind, FigureRequest, join_names, shell_line, split_names};
pub use figure_runs::{FigureProblem, FigureRun, FigureRuns};
pub use figure_spec::{FigureFile, figure_warnings};
pub use file::Prompt;
pub use formula::{Formula, Role, Term, definition};
pub use inspection::{CANDIDATES, InspectedCandidate, InspectedSource, Inspection};
pub use model_set::{LoadedModel, ModelSet};
pub use models::MOST_PANES;
pub use notice::{Level, Notice, NoticeAction, NoticeDraft, Notices, Origin};
pub use original::{Original, Piece};
pub use pane::{Pane, PaneKind, PaneStatus};
pub use pane_data::PaneData;
pub use playback::SPEEDS;
pub use samples::{SAMPLES, Sample};
pub use scripted::ScriptedServices;
pub use selection::{Item, Selection};
pub use shortcut::{Key, Shortcut};
pub use source::{Chip, SourceCommand};
pub use spoken::{attribution_sentence, cell_sentence, row_summary};
pub use state::{AppState, Setup};
pub use trial::{PERMUTATIONS, PathView, Subject, Verdict};
pub use ui_command::{CommandGroup, CommandInfo, UiCommand};
pub use undo::{Snapshot, UndoStack};
pub use what_if::{WhatIfCommand, edit_sentence};
pub use words::WordChange;
pub use zoom::{Zoom, ZoomCommand};
