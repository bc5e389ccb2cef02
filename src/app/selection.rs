//! What is hovered, locked, focused or alone. Everything that highlights asks here, so that a token, a cell and
//! a point of a curve light up together.
//!
//! Hover is double-buffered: panels report what the pointer is over while a frame is drawn
//! ([`SelectionCommand::Hover`]), and it becomes visible with [`SelectionCommand::EndFrame`]. The order in which
//! panels are drawn then does not matter. Hover wins over the lock.

use serde::{Deserialize, Serialize};

use super::command::{Direction, SelectionCommand};
use super::effect::Effect;
use super::state::AppState;

/// Something that can be hovered or locked. Rows are steps (target tokens), columns source tokens, from 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// A cell of a pane.
    Cell {
        /// The model's name.
        pane: String,
        /// The step.
        row: usize,
        /// The source position.
        column: usize,
    },
    /// A target token of a pane.
    Row {
        /// The model's name.
        pane: String,
        /// The step.
        row: usize,
    },
    /// A source token, in all panes.
    Column(usize),
    /// A step, in all panes and curves.
    Step(usize),
    /// A pane.
    Pane(String),
}

impl Item {
    /// The step that it is about.
    pub const fn row(&self) -> Option<usize> {
        match self {
            Self::Cell { row, .. } | Self::Row { row, .. } | Self::Step(row) => Some(*row),
            Self::Column(_) | Self::Pane(_) => None,
        }
    }

    /// The source position that it is about.
    pub const fn column(&self) -> Option<usize> {
        match self {
            Self::Cell { column, .. } | Self::Column(column) => Some(*column),
            Self::Row { .. } | Self::Step(_) | Self::Pane(_) => None,
        }
    }

    /// The pane that it is in.
    pub const fn pane(&self) -> Option<&String> {
        match self {
            Self::Cell { pane, .. } | Self::Row { pane, .. } | Self::Pane(pane) => Some(pane),
            Self::Column(_) | Self::Step(_) => None,
        }
    }
}

/// The selection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    hover: Option<Item>,
    next_hover: Option<Item>,
    locked: Option<Item>,
    focus: Option<String>,
    solo: Option<String>,
}

impl Selection {
    /// What the pointer was over in the last frame.
    pub const fn hover(&self) -> Option<&Item> {
        self.hover.as_ref()
    }

    /// What was clicked.
    pub const fn locked(&self) -> Option<&Item> {
        self.locked.as_ref()
    }

    /// What to highlight: what is hovered, else what is locked.
    pub fn shown(&self) -> Option<&Item> {
        self.hover.as_ref().or(self.locked.as_ref())
    }

    /// The step to highlight.
    pub fn row(&self) -> Option<usize> {
        self.shown().and_then(Item::row)
    }

    /// The source position to highlight.
    pub fn column(&self) -> Option<usize> {
        self.shown().and_then(Item::column)
    }

    /// The model whose pane has the keyboard.
    pub fn focus(&self) -> Option<&str> {
        self.focus.as_deref()
    }

    /// The model whose pane is shown alone.
    pub fn solo(&self) -> Option<&str> {
        self.solo.as_deref()
    }

    /// Lets go of panes that are no longer there, and of rows and columns beyond the ends.
    pub(super) fn retain(&mut self, is_pane: impl Fn(&str) -> bool, rows: usize, columns: usize) {
        let fits = |item: &Item| {
            item.pane().is_none_or(|pane| is_pane(pane))
                && item.row().is_none_or(|row| row < rows)
                && item.column().is_none_or(|column| column < columns)
        };
        for item in [&mut self.hover, &mut self.locked] {
            *item = item.take().filter(fits);
        }
        for name in [&mut self.focus, &mut self.solo] {
            *name = name.take().filter(|name| is_pane(name));
        }
    }
}

impl AppState {
    pub(super) fn apply_selection(&mut self, command: SelectionCommand) -> Vec<Effect> {
        let is_pane = |state: &Self, name: &str| state.pane(name).is_some();
        match command {
            SelectionCommand::Hover(item) => self.selection.next_hover = Some(item),
            SelectionCommand::EndFrame => {
                self.selection.hover = self.selection.next_hover.take();
            }
            SelectionCommand::Lock(item) => {
                if let Some(pane) = item.pane().filter(|pane| is_pane(self, pane)) {
                    self.selection.focus = Some(pane.clone());
                }
                self.selection.locked =
                    Some(item).filter(|item| self.selection.locked.as_ref() != Some(item));
            }
            SelectionCommand::Focus(pane) => self.selection.focus = Some(pane),
            SelectionCommand::Walk(direction) => self.walk(direction),
            SelectionCommand::Solo(pane) => {
                self.selection.focus = Some(pane.clone());
                self.selection.solo =
                    Some(pane).filter(|pane| self.selection.solo.as_ref() != Some(pane));
            }
            SelectionCommand::Clear => self.selection = Selection::default(),
        }
        Vec::new()
    }

    /// The pane that has the keyboard; the first one with weights where none was chosen.
    pub fn focused_pane(&self) -> Option<&super::Pane> {
        let chosen = self.selection.focus().and_then(|name| self.pane(name));
        let first = || {
            self.visible_panes()
                .find(|pane| pane.data().matrix.is_some())
        };
        chosen.or_else(first)
    }

    fn walk(&mut self, direction: Direction) {
        let Some(pane) = self.focused_pane() else {
            return;
        };
        let Some(matrix) = pane.data().matrix.clone() else {
            return;
        };
        let (rows, columns) = (pane.taken(), matrix.columns().len());
        let name = pane.name().to_owned();
        if rows == 0 || columns == 0 {
            return;
        }
        let (last_row, last_column) = (rows - 1, columns - 1);
        let at = self.selection.locked.as_ref();
        let at = (at.and_then(Item::row), at.and_then(Item::column));
        let cell = if let (Some(row), Some(column)) = at {
            let (row, column) = (row.min(last_row), column.min(last_column));
            neighbour(direction, (row, column), (last_row, last_column))
        } else {
            // The walk begins at the largest weight of the current step, or where a row or column is locked.
            let row = at.0.unwrap_or(last_row).min(last_row);
            let largest = || pane.data().largest_weight(row);
            let column = at.1.or_else(largest).unwrap_or(0);
            (row, column.min(last_column))
        };
        self.selection.focus = Some(name.clone());
        self.selection.locked = Some(Item::Cell {
            pane: name,
            row: cell.0,
            column: cell.1,
        });
    }
}

/// The cell `(row, column)` beside another one, which stays where there is none.
fn neighbour(
    direction: Direction,
    (row, column): (usize, usize),
    (last_row, last_column): (usize, usize),
) -> (usize, usize) {
    match direction {
        Direction::Up => (row.saturating_sub(1), column),
        Direction::Down => ((row + 1).min(last_row), column),
        Direction::Left => (row, column.saturating_sub(1)),
        Direction::Right => (row, (column + 1).min(last_column)),
        Direction::RowStart => (row, 0),
        Direction::RowEnd => (row, last_column),
    }
}
