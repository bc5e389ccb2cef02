//! Dragging a cell up or down sets its weight.

use eframe::egui::{CursorIcon, Pos2, Response, Ui};

use super::heatmap::Place;
use crate::alignment::LabelledMatrix;
use crate::app::{AppState, Command, EditCommand, WhatIfCommand};
use crate::engine::{Intervention, InterventionKind, Scope};

/// How far the pointer goes from a weight of 0 to one of 1, in points.
const WAY: f32 = 120.0;

/// What a drag does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum CellDrag {
    /// A cell gets a weight.
    To {
        /// The step.
        row: usize,
        /// The source position.
        column: usize,
        /// From 0 to 1.
        weight: f32,
    },
    /// The pointer let go.
    Ended,
}

/// Where a drag began, and the weight there.
#[derive(Debug, Clone, Copy)]
struct Begun {
    row: usize,
    column: usize,
    weight: f32,
    at: Pos2,
}

/// What dragging a cell asks for. Magnified cells are moved by dragging: there Alt is held to set a weight.
pub(super) fn cell_drag(
    ui: &Ui,
    response: &Response,
    matrix: &LabelledMatrix,
    is_magnified: bool,
    place: impl Fn(Pos2) -> Option<Place>,
) -> Option<CellDrag> {
    let id = response.id.with("dragged cell");
    if response.drag_stopped() {
        let was_begun = ui.data(|data| data.get_temp::<Begun>(id)).is_some();
        ui.data_mut(|data| data.remove::<Begun>(id));
        return was_begun.then_some(CellDrag::Ended);
    }
    let origin = ui.input(|input| input.pointer.press_origin());
    let is_meant = !is_magnified || ui.input(|input| input.modifiers.alt);
    if let (true, true, Some(at)) = (response.drag_started(), is_meant, origin)
        && let Some(Place::Cell(row, column)) = place(at)
        && let Some(weight) = matrix.values().get((row, column)).copied()
    {
        // What is not a number begins at 0, and is so only where it is dragged.
        let weight = if weight.is_finite() { weight } else { 0.0 };
        let begun = Begun {
            row,
            column,
            weight,
            at,
        };
        ui.data_mut(|data| data.insert_temp(id, begun));
    }
    let begun: Begun = ui.data(|data| data.get_temp(id))?;
    let now = response.interact_pointer_pos()?;
    ui.ctx().set_cursor_icon(CursorIcon::ResizeVertical);
    let weight = (begun.weight + (begun.at.y - now.y) / WAY).clamp(0.0, 1.0);
    Some(CellDrag::To {
        row: begun.row,
        column: begun.column,
        // Two digits: what the list of changes says is what is set.
        weight: (weight * 100.0).round() / 100.0,
    })
}

/// The commands of a drag in a model's heatmap.
pub(super) fn drag_commands(
    state: &AppState,
    model: &str,
    drag: CellDrag,
    commands: &mut Vec<Command>,
) {
    let CellDrag::To {
        row,
        column,
        weight,
    } = drag
    else {
        commands.push(Command::Edit(EditCommand::Boundary));
        return;
    };
    let now = state.pane(model).and_then(|pane| {
        let matrix = pane.data().matrix.as_ref()?;
        matrix.values().get((row, column)).copied()
    });
    let is_there = now.is_some_and(|now| (now - weight).abs() < 1e-6);
    if !is_there && state.can_set_weight(model, row, column) {
        let kind = InterventionKind::SetWeight {
            position: column,
            weight,
        };
        commands.push(Command::WhatIf(WhatIfCommand::Adjust {
            model: Some(model.to_owned()),
            edit: Intervention::new(Scope::Step(row), kind),
        }));
    }
}
