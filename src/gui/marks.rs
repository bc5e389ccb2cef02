//! What stands over the cells of a heatmap: what is highlighted, and which part is seen.

use eframe::egui::{self, Painter, Pos2, Rect, Stroke, StrokeKind};

use super::heatmap::Highlight;
use super::paint;
use super::theme::Tokens;
use crate::figure::{HeatmapLayout, Rect as SceneRect};

/// Thickness of the bars that say which part is seen, and their distance from the cells.
const BAR: f32 = 3.0;
/// See [`BAR`].
const BAR_GAP: f32 = 5.0;

/// Outlines of a row, a column and their cell.
pub(super) fn draw_highlight(
    painter: &Painter,
    layout: &HeatmapLayout,
    highlight: Highlight,
    origin: Pos2,
    tokens: Tokens,
) {
    let grid = &layout.grid;
    if grid.columns == 0 || grid.rows == 0 {
        return;
    }
    let ring = Stroke::new(2.0, tokens.accent);
    let thin = Stroke::new(1.0, tokens.accent);
    let row = highlight.row.filter(|row| *row < grid.rows);
    let column = highlight.column.filter(|column| *column < grid.columns);
    let outline = |rect: SceneRect, stroke: Stroke| {
        if let Some(seen) = layout.seen_part(rect) {
            let rect = paint::rect_to_window(origin, seen);
            painter.rect_stroke(rect, 1.0, stroke, StrokeKind::Outside);
        }
    };
    if let Some(row) = row {
        outline(grid.row_rect(row), thin);
    }
    if let Some(column) = column {
        let (first, last) = (
            grid.cell_rect(0, column),
            grid.cell_rect(grid.rows - 1, column),
        );
        let height = last.bottom() - first.y;
        outline(SceneRect::new(first.x, first.y, first.width, height), thin);
    }
    if let (Some(row), Some(column)) = (row, column) {
        outline(grid.cell_rect(row, column), ring);
    }
}

/// Where in the matrix the cells that are seen lie: a bar below them and one at their right.
pub(super) fn draw_position(
    painter: &Painter,
    layout: &HeatmapLayout,
    origin: Pos2,
    tokens: Tokens,
) {
    let Some(seen) = layout.viewport else {
        return;
    };
    let seen = paint::rect_to_window(origin, seen);
    let all = paint::rect_to_window(origin, layout.grid.area());
    let bar = |track: Rect, part: Rect| {
        painter.rect_filled(track, BAR / 2.0, tokens.button);
        painter.rect_filled(part, BAR / 2.0, tokens.muted);
    };
    if all.width() > seen.width() + 1.0 {
        let at = |x: f32| seen.left() + (x - all.left()) / all.width() * seen.width();
        let y = egui::Rangef::new(seen.bottom() + BAR_GAP, seen.bottom() + BAR_GAP + BAR);
        bar(
            Rect::from_x_y_ranges(seen.x_range(), y),
            Rect::from_x_y_ranges(at(seen.left())..=at(seen.right()), y),
        );
    }
    if all.height() > seen.height() + 1.0 {
        let at = |y: f32| seen.top() + (y - all.top()) / all.height() * seen.height();
        let x = egui::Rangef::new(seen.right() + BAR_GAP, seen.right() + BAR_GAP + BAR);
        bar(
            Rect::from_x_y_ranges(x, seen.y_range()),
            Rect::from_x_y_ranges(x, at(seen.top())..=at(seen.bottom())),
        );
    }
}
