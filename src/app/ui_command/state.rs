//! What the rows of the table ask of the state, and what they make of it.

use super::super::command::{
    Command, DecodeCommand, Direction, FileCommand, PreferencesCommand, SelectionCommand, Then,
    ViewCommand,
};
use super::super::source::SourceCommand;
use super::super::state::AppState;
use super::super::what_if::WhatIfCommand;
use super::super::words::WordChange;
use crate::attribution::Method;
use crate::engine::{Intervention, InterventionKind, Scope};
use crate::project::{Chart, PaneLayout};

pub(super) const fn always(_: &AppState) -> bool {
    true
}

pub(super) fn can_save(state: &AppState) -> bool {
    state.is_dirty() || state.path().is_none()
}

pub(super) fn has_figure(state: &AppState) -> bool {
    state.timeline_len() > 0
}

pub(super) fn has_source(state: &AppState) -> bool {
    !state.document().source.is_empty()
}

pub(super) const fn is_under_way(state: &AppState) -> bool {
    state.position() > 0
}

pub(super) fn has_cells(state: &AppState) -> bool {
    state
        .focused_pane()
        .filter(|_| state.view().layout != PaneLayout::Beam)
        .is_some_and(|pane| pane.taken() > 0 && pane.data().matrix.is_some())
}

pub(super) fn has_heatmap(state: &AppState) -> bool {
    state.view().layout == PaneLayout::Heatmap && has_cells(state)
}

pub(super) fn can_play(state: &AppState) -> bool {
    state.timeline_len() > 0
}

pub(super) fn is_zoomed(state: &AppState) -> bool {
    !state.zoom().is_fit()
}

pub(super) fn has_selection(state: &AppState) -> bool {
    let selection = state.selection();
    selection.locked().is_some() || selection.solo().is_some()
}

pub(super) fn can_compare(state: &AppState) -> bool {
    state.view().difference.is_some() || state.comparable_pair().is_some()
}

pub(super) fn has_chosen_word(state: &AppState) -> bool {
    state.has_attention() && state.selection().column().is_some()
}

/// At every step of all shown scorers.
pub(super) const fn everywhere(kind: InterventionKind) -> Command {
    let edit = Intervention::new(Scope::All, kind);
    Command::WhatIf(WhatIfCommand::Add { model: None, edit })
}

pub(super) fn mask(state: &AppState) -> Command {
    let column = state.selection().column().unwrap_or(0);
    everywhere(InterventionKind::MaskSource(column))
}

/// Whether the chosen word can be changed so.
pub(super) fn can_change(state: &AppState, change: WordChange) -> bool {
    let column = state.selection().column();
    column.is_some_and(|column| change.fits(column, state.chips().len()))
}

pub(super) fn change(state: &AppState, change: WordChange) -> Command {
    let index = state.selection().column().unwrap_or(0);
    Command::Source(SourceCommand::ChangeWord { index, change })
}

pub(super) fn compare(state: &AppState) -> Command {
    let on = state.document().compared.is_none();
    Command::Source(SourceCommand::Compare(on))
}

/// Whether a run is shown that stands beside an unchanged one.
pub(super) fn has_unchanged(state: &AppState) -> bool {
    let is_on = state.view().show_unchanged;
    is_on || state.visible_panes().any(|pane| pane.original().is_some())
}

/// Shows a chart, or takes it away.
pub(super) fn chart(state: &AppState, chart: Chart) -> Command {
    view(ViewCommand::Chart(chart, !state.shows_chart(chart)))
}

pub(super) const fn attribution(method: Option<Method>) -> Command {
    view(ViewCommand::Attribution(method))
}

pub(super) const fn leave(then: Then) -> Command {
    Command::File(FileCommand::Leave(then))
}

pub(super) const fn decode(command: DecodeCommand) -> Command {
    Command::Decode(command)
}

pub(super) const fn view(command: ViewCommand) -> Command {
    Command::View(command)
}

pub(super) const fn prefer(command: PreferencesCommand) -> Command {
    Command::Prefer(command)
}

pub(super) const fn walk(direction: Direction) -> Command {
    Command::Select(SelectionCommand::Walk(direction))
}

/// The one after `now`, round and round.
pub(super) fn next<T: Copy + PartialEq>(all: &[T], now: T) -> T {
    let place = all.iter().position(|one| *one == now).unwrap_or(0);
    all[(place + 1) % all.len()]
}
