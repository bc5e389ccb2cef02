//! What a person, or a service in answer to an effect, can ask for: plain data, nested by owner.
//!
//! One vocabulary serves the panels, the menu, the palette, the names in undo, scripts and tests.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::effect::Surface;
pub use super::file_command::{Answer, FileCommand, Then};
use super::notice::NoticeDraft;
use super::selection::Item;
use super::source::SourceCommand;
use super::what_if::WhatIfCommand;
use super::zoom::ZoomCommand;
use crate::attribution::Method;
use crate::engine::{DecodePolicy, Intervention};
use crate::figure::FigureFormat;
use crate::project::{
    Chart, Colormap, DifferencePair, ExportChoice, ModelRef, PaneLayout, PlaySpeed, Scaling,
    TextSize, Theme,
};

/// A request to [`AppState::apply`](super::AppState::apply).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// The source sentence.
    Source(SourceCommand),
    /// The clock of all decodes, the policy, the forced target.
    Decode(DecodeCommand),
    /// Changes of attention.
    WhatIf(WhatIfCommand),
    /// The chosen models.
    Models(ModelsCommand),
    /// How things are shown.
    View(ViewCommand),
    /// What is hovered, locked or soloed.
    Select(SelectionCommand),
    /// How far the heatmaps are magnified.
    Zoom(ZoomCommand),
    /// Opening, saving, closing.
    File(FileCommand),
    /// Undo and redo.
    Edit(EditCommand),
    /// Pictures and copies.
    Export(ExportCommand),
    /// Messages.
    Notice(NoticeCommand),
    /// What a person prefers.
    Prefer(PreferencesCommand),
    /// Time that passed.
    Clock(ClockCommand),
    /// A surface of the window that is no part of the document.
    Show(Surface),
}

/// About the clock and what the decodes run under. Positions count steps that are taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecodeCommand {
    /// One step forward in all panes.
    Step,
    /// One step back.
    StepBack,
    /// Before the first step.
    First,
    /// To the end of the longest output.
    RunToEnd,
    /// Before the first step, forgetting what was decoded.
    Restart,
    /// To the place where this many steps are taken.
    MoveTo(usize),
    /// Lets the clock step by itself, or no longer.
    Play(bool),
    /// How the next token is chosen.
    SetPolicy(DecodePolicy),
    /// The target that all models are made to produce; `None` or an empty one lets them choose.
    SetTarget(Option<String>),
    /// Makes all models produce what this one says.
    ForceOutputOf {
        /// The model's name.
        model: String,
    },
    /// Goes on with this token in place of the one that the model took there: another branch, or the one that
    /// has these choices already. The clock goes behind it.
    Choose {
        /// The model's name.
        model: String,
        /// The position in its output, from 0.
        position: usize,
        /// A word of its target vocabulary.
        token: String,
    },
    /// Shows a branch.
    SelectBranch {
        /// The model's name.
        model: String,
        /// Its place among the branches; `None` for the model's own way.
        branch: Option<usize>,
    },
    /// Gives a branch a name; an empty one takes it away.
    NameBranch {
        /// The model's name.
        model: String,
        /// Its place among the branches.
        branch: usize,
        /// The name.
        name: String,
    },
    /// Forgets a branch.
    RemoveBranch {
        /// The model's name.
        model: String,
        /// Its place among the branches.
        branch: usize,
    },
    /// The changes of a model's attention, as a whole list.
    SetInterventions {
        /// The model's name.
        model: String,
        /// The changes.
        list: Vec<Intervention>,
    },
}

/// About the chosen models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelsCommand {
    /// Exactly these models, in this order.
    Choose(Vec<String>),
    /// Chooses a model, or no longer.
    Toggle(String),
    /// Moves a pane.
    Reorder {
        /// Its place.
        from: usize,
        /// Its place afterwards.
        to: usize,
    },
    /// Decodes with the model of this name that is there now, in place of the one that a session was saved with.
    UsePresent(String),
    /// Asks for a model file.
    Open,
    /// A service did the beam search that was asked for.
    BeamFound,
    /// A service computed an attribution that was asked for.
    Attributed,
    /// A service put a model into the [`ModelSet`](super::ModelSet).
    Loaded(ModelRef),
    /// A service could not.
    LoadFailed {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: String,
    },
}

/// About the view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ViewCommand {
    /// The colours of the heatmaps.
    Colormap(Colormap),
    /// How weights are scaled.
    Scaling(Scaling),
    /// One colour scale for all panes.
    SharedScale(bool),
    /// Numbers in cells.
    ShowValues(bool),
    /// The charts below the panes.
    ShowCurves(bool),
    /// Whether one of the charts is among them.
    Chart(Chart, bool),
    /// What the panes show.
    Layout(PaneLayout),
    /// Links of weights below this many percent are not drawn.
    LinkPercent(u8),
    /// Hypotheses kept by the beam, from 1 to 16.
    BeamSize(usize),
    /// The pair of the difference pane.
    Difference(Option<DifferencePair>),
    /// Shows the difference of the first two panes that have weights, or closes the pane.
    ToggleDifference,
    /// The attribution beside each heatmap, if there is one.
    Attribution(Option<Method>),
    /// The unchanged run beside each that is changed.
    ShowUnchanged(bool),
}

/// A direction in a heatmap: rows are target tokens, columns source tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To the row before.
    Up,
    /// To the next row.
    Down,
    /// To the column before.
    Left,
    /// To the next column.
    Right,
    /// To the first column.
    RowStart,
    /// To the last column.
    RowEnd,
}

/// About the selection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SelectionCommand {
    /// The pointer is over this in the frame that is being drawn.
    Hover(Item),
    /// All panels were drawn: what they hovered becomes visible, or nothing is hovered.
    EndFrame,
    /// Keeps this selected; the same thing again lets it go.
    Lock(Item),
    /// Gives a pane the keyboard.
    Focus(String),
    /// Walks to a neighbouring cell of the focused pane and locks it.
    Walk(Direction),
    /// Shows this pane alone; the same again shows all.
    Solo(String),
    /// Nothing selected, nothing alone.
    Clear,
}

/// About undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditCommand {
    /// Takes back the last change.
    Undo,
    /// Brings it back.
    Redo,
    /// Takes back so many changes, as far as there are.
    UndoSteps(usize),
    /// Brings back so many, as far as there are.
    RedoSteps(usize),
    /// The end of a gesture: what follows is another step of undo.
    Boundary,
}

/// About pictures and copies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportCommand {
    /// Asks where to, and writes the figure there.
    Figure(FigureFormat),
    /// Writes the figure to a file that is known.
    FigureTo {
        /// The form.
        format: FigureFormat,
        /// The file.
        path: PathBuf,
    },
    /// The figure to the clipboard, as a picture.
    CopyImage,
    /// The weights of a pane to the clipboard, as tab-separated lines.
    CopyValues {
        /// The model's name.
        model: String,
    },
    /// The sentence of a pane to the clipboard.
    CopyTranslation {
        /// The model's name.
        model: String,
    },
    /// What is selected to the clipboard: a cell, a row, a column; the whole focused pane where nothing is.
    CopySelection,
    /// The command line that draws the same figure.
    CopyCommandLine,
    /// The picture is on the clipboard.
    Copied,
    /// A picture could not be copied or written.
    Failed {
        /// Why.
        problem: String,
    },
}

/// About messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeCommand {
    /// Shows a message.
    Add(NoticeDraft),
    /// Takes a message off the screen; the history keeps it.
    Dismiss(u64),
    /// Takes all messages off the screen.
    DismissAll,
    /// Does what the message offers, and dismisses it.
    Follow(u64),
    /// Empties the history.
    ClearHistory,
}

/// About preferences.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PreferencesCommand {
    /// The window's colours.
    Theme(Theme),
    /// The size of all text.
    TextSize(TextSize),
    /// How fast the clock steps by itself.
    Speed(PlaySpeed),
    /// What the next export looks like.
    Export(ExportChoice),
}

/// About time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockCommand {
    /// So much time passed since the last one.
    Tick {
        /// In seconds.
        seconds: f64,
    },
}
