//! The cells of a heatmap as nodes, so that a screen reader and a test find them.

use eframe::egui::{Pos2, Rect, Sense, Ui, WidgetInfo, accesskit::Role};

use super::heatmap::Highlight;
use super::paint;
use crate::alignment::LabelledMatrix;
use crate::app::row_summary;
use crate::figure::HeatmapLayout;

/// More cells than this are not nodes of their own.
const MOST_NODES: usize = 2_500;

/// Painted cells.
pub(super) struct Cells<'a> {
    /// The numbers.
    pub(super) matrix: &'a LabelledMatrix,
    /// Where they stand in the heatmap.
    pub(super) layout: &'a HeatmapLayout,
    /// Where the heatmap stands.
    pub(super) origin: Pos2,
    /// What is seen of it.
    pub(super) clip: Rect,
    /// A cell in words.
    pub(super) sentence: fn(&LabelledMatrix, usize, usize) -> String,
}

impl Cells<'_> {
    /// A node for each cell that is seen; of very many only for the highlighted one, and one that sums up the
    /// `current` row (the last one where none is).
    pub(super) fn nodes(
        &self,
        ui: &Ui,
        highlight: Highlight,
        current: Option<usize>,
        entropies: &[f64],
    ) {
        let [rows, columns] = self.layout.seen();
        if rows.len() * columns.len() <= MOST_NODES {
            for row in rows {
                for column in columns.clone() {
                    self.cell(ui, row, column);
                }
            }
            return;
        }
        let grid = &self.layout.grid;
        if let (Some(row), Some(column)) = (highlight.row, highlight.column)
            && row < grid.rows
            && column < grid.columns
        {
            self.cell(ui, row, column);
        }
        let last = grid.rows - 1;
        let row = current.map_or(last, |row| row.min(last));
        self.summary(ui, row, entropies.get(row).copied());
    }

    fn cell(&self, ui: &Ui, row: usize, column: usize) {
        let cell = self.layout.grid.cell_rect(row, column);
        let Some(seen) = self.layout.seen_part(cell) else {
            return;
        };
        let rect = paint::rect_to_window(self.origin, seen);
        if !self.clip.intersects(rect) {
            return;
        }
        let id = ui.scope_id().with(("cell", row, column));
        let sentence = || (self.sentence)(self.matrix, row, column);
        ui.interact(rect, id, Sense::hover())
            .widget_info(|| WidgetInfo::labeled(Role::Cell, true, sentence()));
    }

    fn summary(&self, ui: &Ui, row: usize, entropy: Option<f64>) {
        let grid = &self.layout.grid;
        // A row that is scrolled away is summed up all the same, in the place of all cells.
        let seen = self.layout.seen_part(grid.row_rect(row));
        let seen = seen.or(self.layout.viewport);
        let rect = paint::rect_to_window(self.origin, seen.unwrap_or_else(|| grid.area()));
        let id = ui.scope_id().with("row summary");
        let summary = || row_summary(self.matrix, row, entropy);
        ui.interact(rect.intersect(self.clip), id, Sense::hover())
            .widget_info(|| WidgetInfo::labeled(Role::Row, true, summary()));
    }
}
