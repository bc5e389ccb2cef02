//! How far the heatmaps are magnified and what is in their middle: one zoom for all panes, which show the same
//! sentence. It is no part of undo and ends with the sentence.

use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::selection::Item;
use super::state::AppState;

/// By how much a key magnifies.
const STEP: f32 = 1.5;

/// A magnification of the cells and the cell in the middle of what is seen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Zoom {
    factor: f32,
    centre: [f32; 2],
}

impl Zoom {
    /// All cells are seen.
    pub const FIT: Self = Self {
        factor: 1.0,
        centre: [0.0; 2],
    };
    /// The largest factor.
    pub const LARGEST: f32 = 64.0;

    /// Cells `factor` times as large as those that fit, around `centre`: row and column, which may lie between two
    /// cells (a cell's middle is at a half). [`Zoom::FIT`] where nothing would be magnified or a number is none.
    pub fn new(factor: f32, centre: [f32; 2]) -> Self {
        let is_near = |place: &f32| place.is_finite() && place.abs() < 1e6;
        if factor > 1.0 && centre.iter().all(is_near) {
            let factor = factor.min(Self::LARGEST);
            Self { factor, centre }
        } else {
            Self::FIT
        }
    }

    /// How many times as large the cells are as those that fit.
    pub const fn factor(&self) -> f32 {
        self.factor
    }

    /// The row and the column in the middle.
    pub const fn centre(&self) -> [f32; 2] {
        self.centre
    }

    /// Whether all cells are seen.
    pub fn is_fit(&self) -> bool {
        *self == Self::FIT
    }
}

impl Default for Zoom {
    fn default() -> Self {
        Self::FIT
    }
}

/// About the zoom of the heatmaps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ZoomCommand {
    /// Larger cells, around what is in the middle; from the fit, around the locked cell or the current step.
    In,
    /// Smaller cells.
    Out,
    /// All cells.
    Fit,
    /// Exactly this: what a pointer did, or the nearest that the space allows.
    To(Zoom),
}

impl AppState {
    /// The zoom of all heatmaps. The window corrects a centre that lies too near to an end.
    pub const fn zoom(&self) -> Zoom {
        self.zoom
    }

    pub(super) fn apply_zoom(&mut self, command: ZoomCommand) -> Vec<Effect> {
        self.zoom = match command {
            ZoomCommand::In => {
                let centre = if self.zoom.is_fit() {
                    self.centre_of_interest()
                } else {
                    self.zoom.centre
                };
                Zoom::new(self.zoom.factor * STEP, centre)
            }
            // A little less than one step above the fit is the fit, whatever rounding left over.
            ZoomCommand::Out if self.zoom.factor < STEP * 1.01 => Zoom::FIT,
            ZoomCommand::Out => Zoom::new(self.zoom.factor / STEP, self.zoom.centre),
            ZoomCommand::Fit => Zoom::FIT,
            ZoomCommand::To(zoom) => Zoom::new(zoom.factor, zoom.centre),
        };
        Vec::new()
    }

    /// Where to look first: the locked cell, else the largest weight of the current step.
    fn centre_of_interest(&self) -> [f32; 2] {
        let locked = self.selection.locked();
        let row = locked.and_then(Item::row).or_else(|| self.inspected_step());
        let largest = || {
            let pane = self.focused_pane()?;
            let last = pane.taken().checked_sub(1)?;
            pane.data().largest_weight(row.unwrap_or(last).min(last))
        };
        let column = locked.and_then(Item::column).or_else(largest);
        [row, column].map(|place| place.unwrap_or(0) as f32 + 0.5)
    }
}
