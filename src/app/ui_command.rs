//! The table of commands that a person finds in menus, in the palette and on keys.

mod state;

use serde::{Deserialize, Serialize};

use super::command::{
    Command, DecodeCommand, Direction, EditCommand, ExportCommand, FileCommand, ModelsCommand,
    PreferencesCommand, SelectionCommand, Then, ViewCommand,
};
use super::effect::Surface;
use super::samples::SAMPLES;
use super::shortcut::{Key, Shortcut, ctrl, ctrl_shift, plain};
use super::source::SourceCommand;
use super::state::AppState;
use super::what_if::WhatIfCommand;
use super::words::WordChange;
use super::zoom::ZoomCommand;
use crate::attribution::Method;
use crate::engine::InterventionKind;
use crate::project::{Chart, Colormap, PaneLayout, Scaling, TextSize, Theme};

use state::{
    always, attribution, can_change, can_compare, can_play, can_save, change, chart, compare,
    decode, everywhere, has_cells, has_chosen_word, has_figure, has_heatmap, has_selection,
    has_source, has_unchanged, is_under_way, is_zoomed, leave, mask, next, prefer, view, walk,
};

/// A command without arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the table below has the name of each")]
pub enum UiCommand {
    New,
    Open,
    Save,
    SaveAs,
    OpenModel,
    Export,
    CopyImage,
    CopyCommandLine,
    Quit,
    SampleStep,
    SampleCompare,
    SampleFigure,
    Undo,
    Redo,
    CopySelection,
    ClearSource,
    MaskWord,
    UniformAttention,
    LastPositionAttention,
    ClearChanges,
    DeleteWord,
    RepeatWord,
    SwapWords,
    CompareSentence,
    BackToCompared,
    ShowUnchanged,
    Step,
    StepBack,
    First,
    RunToEnd,
    Restart,
    Play,
    WalkUp,
    WalkDown,
    WalkLeft,
    WalkRight,
    ClearSelection,
    HeatmapView,
    LinksView,
    BeamView,
    ToggleDifference,
    ToggleCurves,
    ToggleInspector,
    ResetPanels,
    ToggleValues,
    ToggleSharedScale,
    Cost,
    Trial,
    NextColormap,
    NextScaling,
    ZoomIn,
    ZoomOut,
    ZoomToFit,
    LightTheme,
    DarkTheme,
    SystemTheme,
    LargerText,
    SmallerText,
    NormalText,
    Presentation,
    EditSource,
    EntropyChart,
    ContextNormChart,
    UnnormalisedChart,
    StateNormChart,
    GateChart,
    LogProbabilityChart,
    NoAttribution,
    LeaveOneOut,
    DropWord,
    GradientInput,
    IntegratedGradients,
    Palette,
    NoticeHistory,
    Help,
    About,
}

/// The menu that a command stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandGroup {
    /// Sessions, models, pictures.
    File,
    /// Sessions that come with the program, within the menu of files.
    Samples,
    /// Undo, copying.
    Edit,
    /// Changes of attention, within the menu of edits.
    WhatIf,
    /// The clock.
    Decode,
    /// Keys within a heatmap.
    Select,
    /// How things are shown.
    View,
    /// Charts below the panes, within the menu of the view.
    Charts,
    /// Attributions beside attention, within the menu of the view.
    Attribution,
    /// Help and messages.
    Help,
}

impl CommandGroup {
    /// Every group with a menu of its own, in their order.
    pub const ALL: [Self; 6] = [
        Self::File,
        Self::Edit,
        Self::Decode,
        Self::Select,
        Self::View,
        Self::Help,
    ];

    /// The title of the menu.
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Samples => "Samples",
            Self::Edit => "Edit",
            Self::WhatIf => "What if",
            Self::Decode => "Decode",
            Self::Select => "Select",
            Self::View => "View",
            Self::Charts => "Charts",
            Self::Attribution => "Attribution",
            Self::Help => "Help",
        }
    }
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct CommandInfo {
    /// The command.
    pub id: UiCommand,
    /// Its name in menus and in the palette.
    pub name: &'static str,
    /// Its keys, the one shown in menus first.
    pub shortcuts: &'static [Shortcut],
    /// Its menu.
    pub group: CommandGroup,
    enabled: fn(&AppState) -> bool,
    command: fn(&AppState) -> Command,
}

const fn row(
    id: UiCommand,
    group: CommandGroup,
    name: &'static str,
    shortcuts: &'static [Shortcut],
    enabled: fn(&AppState) -> bool,
    command: fn(&AppState) -> Command,
) -> CommandInfo {
    CommandInfo {
        id,
        name,
        shortcuts,
        group,
        enabled,
        command,
    }
}

use CommandGroup as G;
use UiCommand as U;

/// Every command, in the order of the menus.
#[rustfmt::skip]
static TABLE: [CommandInfo; 76] = [
    row(U::New, G::File, "New session", &[ctrl(Key::Letter('N'))], always, |_| leave(Then::New)),
    row(U::Open, G::File, "Open…", &[ctrl(Key::Letter('O'))], always, |_| leave(Then::Open)),
    row(U::Save, G::File, "Save", &[ctrl(Key::Letter('S'))], can_save, |_| Command::File(FileCommand::Save)),
    row(U::SaveAs, G::File, "Save as…", &[ctrl_shift(Key::Letter('S'))], always, |_| Command::File(FileCommand::SaveAs)),
    row(U::OpenModel, G::File, "Open a model…", &[], always, |_| Command::Models(ModelsCommand::Open)),
    row(U::Export, G::File, "Export the figure…", &[ctrl(Key::Letter('E'))], has_figure, |_| Command::Show(Surface::ExportDialog)),
    row(U::CopyImage, G::File, "Copy the picture", &[ctrl_shift(Key::Letter('C'))], has_figure, |_| Command::Export(ExportCommand::CopyImage)),
    row(U::CopyCommandLine, G::File, "Copy the figure's command line", &[], has_figure, |_| Command::Export(ExportCommand::CopyCommandLine)),
    row(U::Quit, G::File, "Quit", &[ctrl(Key::Letter('Q'))], always, |_| leave(Then::Quit)),
    row(U::SampleStep, G::Samples, "Sample: step through le chat noir dort", &[], always, |_| SAMPLES[0].open()),
    row(U::SampleCompare, G::Samples, "Sample: compare additive with dot", &[], always, |_| SAMPLES[1].open()),
    row(U::SampleFigure, G::Samples, "Sample: a figure ready to export", &[], always, |_| SAMPLES[2].open()),
    row(U::Undo, G::Edit, "Undo", &[ctrl(Key::Letter('Z'))], |s| s.undo().undo_name().is_some(), |_| Command::Edit(EditCommand::Undo)),
    row(U::Redo, G::Edit, "Redo", &[ctrl_shift(Key::Letter('Z')), ctrl(Key::Letter('Y'))], |s| s.undo().redo_name().is_some(), |_| Command::Edit(EditCommand::Redo)),
    row(U::CopySelection, G::Edit, "Copy values", &[ctrl(Key::Letter('C'))], has_figure, |_| Command::Export(ExportCommand::CopySelection)),
    row(U::ClearSource, G::Edit, "Clear the sentence", &[], has_source, |_| Command::Source(SourceCommand::Clear)),
    row(U::MaskWord, G::WhatIf, "Mask the chosen word", &[plain(Key::Letter('M'))], has_chosen_word, mask),
    row(U::UniformAttention, G::WhatIf, "Uniform attention everywhere", &[], AppState::has_attention, |_| everywhere(InterventionKind::Uniform)),
    row(U::LastPositionAttention, G::WhatIf, "Attention on the last position", &[], AppState::has_attention, |_| everywhere(InterventionKind::LastPosition)),
    row(U::ClearChanges, G::WhatIf, "Undo all changes of attention", &[], AppState::has_changes, |_| Command::WhatIf(WhatIfCommand::Clear { model: None })),
    row(U::DeleteWord, G::WhatIf, "Delete the chosen word", &[plain(Key::Delete)], |s| can_change(s, WordChange::Delete), |s| change(s, WordChange::Delete)),
    row(U::RepeatWord, G::WhatIf, "Repeat the chosen word", &[], |s| can_change(s, WordChange::Repeat), |s| change(s, WordChange::Repeat)),
    row(U::SwapWords, G::WhatIf, "Swap the chosen word with the next", &[], |s| can_change(s, WordChange::SwapNext), |s| change(s, WordChange::SwapNext)),
    row(U::CompareSentence, G::WhatIf, "Compare with this sentence", &[], has_source, compare),
    row(U::BackToCompared, G::WhatIf, "Back to the compared sentence", &[], |s| s.compared().is_some(), |_| Command::Source(SourceCommand::BackToCompared)),
    row(U::ShowUnchanged, G::WhatIf, "Unchanged heatmaps beside", &[plain(Key::Letter('U'))], has_unchanged, |s| view(ViewCommand::ShowUnchanged(!s.view().show_unchanged))),
    row(U::Step, G::Decode, "Step", &[plain(Key::Space), ctrl(Key::ArrowRight)], AppState::can_step, |_| decode(DecodeCommand::Step)),
    row(U::StepBack, G::Decode, "Step back", &[ctrl(Key::ArrowLeft)], is_under_way, |_| decode(DecodeCommand::StepBack)),
    row(U::First, G::Decode, "Before the first step", &[plain(Key::Home)], is_under_way, |_| decode(DecodeCommand::First)),
    row(U::RunToEnd, G::Decode, "Run to the end", &[plain(Key::End)], AppState::can_step, |_| decode(DecodeCommand::RunToEnd)),
    row(U::Restart, G::Decode, "Restart", &[plain(Key::Letter('R'))], |s| s.timeline_len() > 0, |_| decode(DecodeCommand::Restart)),
    row(U::Play, G::Decode, "Play", &[plain(Key::Letter('P'))], can_play, |s| decode(DecodeCommand::Play(!s.is_playing()))),
    row(U::WalkUp, G::Select, "Cell above", &[plain(Key::ArrowUp)], has_cells, |_| walk(Direction::Up)),
    row(U::WalkDown, G::Select, "Cell below", &[plain(Key::ArrowDown)], has_cells, |_| walk(Direction::Down)),
    row(U::WalkLeft, G::Select, "Cell to the left", &[plain(Key::ArrowLeft)], has_cells, |_| walk(Direction::Left)),
    row(U::WalkRight, G::Select, "Cell to the right", &[plain(Key::ArrowRight)], has_cells, |_| walk(Direction::Right)),
    row(U::ClearSelection, G::Select, "Clear the selection", &[plain(Key::Escape)], has_selection, |_| Command::Select(SelectionCommand::Clear)),
    row(U::HeatmapView, G::View, "Heatmaps", &[plain(Key::Digit(1))], always, |_| view(ViewCommand::Layout(PaneLayout::Heatmap))),
    row(U::LinksView, G::View, "Links", &[plain(Key::Digit(2))], always, |_| view(ViewCommand::Layout(PaneLayout::Links))),
    row(U::BeamView, G::View, "Beam search", &[plain(Key::Digit(3)), plain(Key::Letter('B'))], always, |_| view(ViewCommand::Layout(PaneLayout::Beam))),
    row(U::ToggleDifference, G::View, "Difference of two scorers", &[plain(Key::Letter('D'))], can_compare, |_| view(ViewCommand::ToggleDifference)),
    row(U::ToggleCurves, G::View, "Curves", &[], always, |s| view(ViewCommand::ShowCurves(!s.view().show_curves))),
    row(U::ToggleInspector, G::View, "Numbers at the side", &[plain(Key::Letter('N'))], always, |_| Command::Show(Surface::Inspector)),
    row(U::ResetPanels, G::View, "Panels in their first sizes", &[], always, |_| Command::Show(Surface::Panels)),
    row(U::ToggleValues, G::View, "Values in cells", &[], always, |s| view(ViewCommand::ShowValues(!s.view().show_values))),
    row(U::ToggleSharedScale, G::View, "One colour scale for all panes", &[], always, |s| view(ViewCommand::SharedScale(!s.view().shared_scale))),
    row(U::Cost, G::View, "What the sentence costs", &[], has_figure, |_| Command::Show(Surface::Cost)),
    row(U::Trial, G::View, "Attention on trial…", &[plain(Key::Letter('T'))], has_figure, |_| Command::Show(Surface::Trial)),
    row(U::NextColormap, G::View, "Next colour map", &[], always, |s| view(ViewCommand::Colormap(next(&Colormap::ALL, s.view().colormap)))),
    row(U::NextScaling, G::View, "Next scaling", &[], always, |s| view(ViewCommand::Scaling(next(&Scaling::ALL, s.view().scaling)))),
    row(U::ZoomIn, G::View, "Larger cells", &[plain(Key::Plus), plain(Key::Equals)], has_heatmap, |_| Command::Zoom(ZoomCommand::In)),
    row(U::ZoomOut, G::View, "Smaller cells", &[plain(Key::Minus)], is_zoomed, |_| Command::Zoom(ZoomCommand::Out)),
    row(U::ZoomToFit, G::View, "Fit all cells", &[plain(Key::Digit(0))], is_zoomed, |_| Command::Zoom(ZoomCommand::Fit)),
    row(U::LightTheme, G::View, "Light theme", &[], always, |_| prefer(PreferencesCommand::Theme(Theme::Light))),
    row(U::DarkTheme, G::View, "Dark theme", &[], always, |_| prefer(PreferencesCommand::Theme(Theme::Dark))),
    row(U::SystemTheme, G::View, "Theme of the system", &[], always, |_| prefer(PreferencesCommand::Theme(Theme::System))),
    row(U::LargerText, G::View, "Larger text", &[ctrl(Key::Plus)], always, |s| prefer(PreferencesCommand::TextSize(s.preferences().text_size.larger()))),
    row(U::SmallerText, G::View, "Smaller text", &[ctrl(Key::Minus)], always, |s| prefer(PreferencesCommand::TextSize(s.preferences().text_size.smaller()))),
    row(U::NormalText, G::View, "Normal text size", &[ctrl(Key::Digit(0))], always, |_| prefer(PreferencesCommand::TextSize(TextSize::default()))),
    row(U::Presentation, G::View, "Presentation", &[plain(Key::Function(11))], always, |_| Command::Show(Surface::Presentation)),
    row(U::EditSource, G::View, "Go to the sentence", &[ctrl(Key::Letter('L'))], always, |_| Command::Show(Surface::SourceField)),
    row(U::EntropyChart, G::Charts, "Chart: entropy of attention", &[], always, |s| chart(s, Chart::Entropy)),
    row(U::ContextNormChart, G::Charts, "Chart: norm of the context", &[], always, |s| chart(s, Chart::ContextNorm)),
    row(U::UnnormalisedChart, G::Charts, "Chart: context without normalising", &[], always, |s| chart(s, Chart::Unnormalised)),
    row(U::StateNormChart, G::Charts, "Chart: norm of the state", &[], always, |s| chart(s, Chart::StateNorm)),
    row(U::GateChart, G::Charts, "Chart: openness of the gate", &[], always, |s| chart(s, Chart::GateOpenness)),
    row(U::LogProbabilityChart, G::Charts, "Chart: ln p of the word", &[], always, |s| chart(s, Chart::LogProbability)),
    row(U::NoAttribution, G::Attribution, "Attribution: off", &[], |s| s.view().attribution.is_some(), |_| attribution(None)),
    row(U::LeaveOneOut, G::Attribution, "Attribution: leave-one-out", &[], AppState::has_attention, |_| attribution(Some(Method::LeaveOneOut))),
    row(U::DropWord, G::Attribution, "Attribution: dropping the word", &[], AppState::has_attention, |_| attribution(Some(Method::Drop))),
    row(U::GradientInput, G::Attribution, "Attribution: gradient × input", &[], AppState::has_attention, |_| attribution(Some(Method::GradientInput))),
    row(U::IntegratedGradients, G::Attribution, "Attribution: integrated gradients", &[], AppState::has_attention, |_| attribution(Some(Method::IntegratedGradients))),
    row(U::Palette, G::Help, "All commands…", &[ctrl(Key::Letter('K'))], always, |_| Command::Show(Surface::Palette)),
    row(U::NoticeHistory, G::Help, "Messages", &[], |s| !s.notices().history().is_empty(), |_| Command::Show(Surface::NoticeHistory)),
    row(U::Help, G::Help, "Keys and first steps", &[plain(Key::Function(1))], always, |_| Command::Show(Surface::Help)),
    row(U::About, G::Help, "About regard", &[], always, |_| Command::Show(Surface::About)),
];

impl UiCommand {
    /// The table, in the order of the menus.
    pub fn table() -> &'static [CommandInfo] {
        &TABLE
    }

    /// The row of this command.
    pub fn info(self) -> &'static CommandInfo {
        // The table has the order of the variants, which a test pins.
        &TABLE[self as usize]
    }
}

impl CommandInfo {
    /// Whether it would do anything now.
    pub fn is_enabled(&self, state: &AppState) -> bool {
        (self.enabled)(state)
    }

    /// What to apply for it now.
    pub fn command(&self, state: &AppState) -> Command {
        (self.command)(state)
    }

    /// Its name now: undo and redo say what they take back or bring back.
    pub fn label(&self, state: &AppState) -> String {
        let what = match self.id {
            UiCommand::Undo => state.undo().undo_name(),
            UiCommand::Redo => state.undo().redo_name(),
            UiCommand::Play if state.is_playing() => return "Pause".to_owned(),
            UiCommand::CompareSentence if state.document().compared.is_some() => {
                return "Compare no longer".to_owned();
            }
            _ => None,
        };
        what.map_or_else(
            || self.name.to_owned(),
            |what| format!("{} {what}", self.name),
        )
    }
}

#[cfg(test)]
mod tests;
