//! The heatmap widget: a scene, and what the pointer and the keyboard do with its cells.

use std::sync::Arc;

use eframe::egui::{
    self, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, accesskit::Role, vec2,
};

use super::paint::{self, Textures};
use super::theme::Tokens;
use crate::alignment::LabelledMatrix;
use crate::figure::{HeatmapLayout, HeatmapSpec, Point, Scene};

/// More cells than this are not nodes of their own for screen readers.
const MOST_NODES: usize = 2_500;

/// The largest side of a cell, in points.
const LARGEST_CELL: f32 = 60.0;

/// A laid out heatmap, kept as long as its specification is the same.
#[derive(Default)]
pub(super) struct Kept {
    spec: Option<HeatmapSpec>,
    made: Option<Arc<(HeatmapLayout, Scene)>>,
    /// The specification that the cells were last measured for, and their distance.
    measured: Option<(HeatmapSpec, f32)>,
}

impl Kept {
    /// The distance of two cells, in points, in a space of its own.
    pub(super) fn pitch(&mut self, mut spec: HeatmapSpec, space: Vec2) -> f32 {
        fit(&mut spec, space);
        if let Some((known, pitch)) = &self.measured
            && Arc::ptr_eq(&known.matrix, &spec.matrix)
            && same_settings(known, &spec)
        {
            return *pitch;
        }
        let pitch = spec.layout().grid.pitch;
        self.measured = Some((spec, pitch));
        pitch
    }

    /// The layout and scene of a specification: the kept ones where it is the same.
    fn of(&mut self, spec: HeatmapSpec) -> Arc<(HeatmapLayout, Scene)> {
        let same = self.spec.as_ref().is_some_and(|kept| {
            Arc::ptr_eq(&kept.matrix, &spec.matrix) && same_settings(kept, &spec)
        });
        if let (true, Some(made)) = (same, &self.made) {
            return made.clone();
        }
        let layout = spec.layout();
        let scene = spec.scene_of(&layout);
        let made = Arc::new((layout, scene));
        (self.spec, self.made) = (Some(spec), Some(made.clone()));
        made
    }
}

fn fit(spec: &mut HeatmapSpec, space: Vec2) {
    spec.available = Some([space.x.floor(), space.y.floor()]);
    spec.max_cell = LARGEST_CELL;
}

/// All but the matrix, which is compared by identity.
fn same_settings(a: &HeatmapSpec, b: &HeatmapSpec) -> bool {
    let settings = |s: &HeatmapSpec| {
        (
            (
                s.colormap,
                s.scaling,
                s.range,
                s.diverging,
                s.show_values,
                s.show_colorbar,
            ),
            (
                s.current_row,
                s.expected_rows,
                s.available,
                s.max_cell,
                s.font_size,
                s.palette,
            ),
        )
    };
    settings(a) == settings(b) && a.title == b.title && a.value_name == b.value_name
}

/// What is highlighted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Highlight {
    /// The row.
    pub(super) row: Option<usize>,
    /// The column.
    pub(super) column: Option<usize>,
}

/// What the pointer is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A cell: row, column.
    Cell(usize, usize),
    /// The label of a row.
    Row(usize),
    /// The label of a column.
    Column(usize),
}

/// What happened in the widget.
#[derive(Debug, Default)]
pub(super) struct Happened {
    /// Under the pointer.
    pub(super) hover: Option<Place>,
    /// Clicked.
    pub(super) click: Option<Place>,
    /// Clicked twice.
    pub(super) double_click: bool,
    /// The whole widget, for a context menu.
    pub(super) response: Option<egui::Response>,
}

/// Shows a heatmap in the space that there is.
pub(super) fn show(
    ui: &mut Ui,
    mut spec: HeatmapSpec,
    highlight: Highlight,
    largest: f32,
    kept: &mut Kept,
    textures: &mut Textures,
) -> Happened {
    let space = ui.available_size().max(Vec2::splat(40.0));
    fit(&mut spec, space);
    // Heatmaps side by side have cells of one size.
    spec.max_cell = largest.min(LARGEST_CELL);
    let matrix = spec.matrix.clone();
    let made = kept.of(spec);
    let (layout, scene) = (&made.0, &made.1);
    let (outer, response) = ui.allocate_exact_size(space, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Group, true, "Attention weights"));
    let size = paint::size(scene);
    // A matrix that is larger than the space is scaled down as a whole.
    let origin = outer.min + vec2(((space.x - size.x) / 2.0).max(0.0).floor(), 0.0);
    let painter = ui.painter_at(outer);
    paint::scene(&painter, scene, origin, textures);
    draw_highlight(&painter, layout, highlight, origin, Tokens::of(ui.ctx()));
    nodes(ui, &matrix, layout, origin, outer);
    let at = |pos: Pos2| place(layout, Point::new(pos.x - origin.x, pos.y - origin.y));
    let hover = response.hover_pos().and_then(at);
    let click = response
        .interact_pointer_pos()
        .filter(|_| response.clicked())
        .and_then(at);
    if let Some(Place::Cell(row, column)) = hover {
        let text = sentence(&matrix, row, column);
        response.clone().on_hover_text_at_pointer(text);
    }
    Happened {
        hover,
        click,
        double_click: response.double_clicked(),
        response: Some(response),
    }
}

/// "cat attends to chat 0.93".
fn sentence(matrix: &LabelledMatrix, row: usize, column: usize) -> String {
    let value = matrix.values()[[row, column]];
    format!(
        "{} attends to {} {value:.2}",
        matrix.rows()[row],
        matrix.columns()[column]
    )
}

/// One node for each visible cell, so that a screen reader and a test find them.
fn nodes(ui: &Ui, matrix: &LabelledMatrix, layout: &HeatmapLayout, origin: Pos2, clip: Rect) {
    let grid = layout.grid;
    if grid.rows * grid.columns > MOST_NODES {
        return;
    }
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            let rect = paint::rect_to_window(origin, grid.cell_rect(row, column));
            if !clip.intersects(rect) {
                continue;
            }
            let id = ui.scope_id().with(("cell", row, column));
            let cell = ui.interact(rect, id, Sense::hover());
            cell.widget_info(|| {
                WidgetInfo::labeled(Role::Cell, true, sentence(matrix, row, column))
            });
        }
    }
}

fn place(layout: &HeatmapLayout, point: Point) -> Option<Place> {
    let grid = &layout.grid;
    if let Some((row, column)) = grid.cell_at(point) {
        return Some(Place::Cell(row, column));
    }
    if grid.columns == 0 {
        return None;
    }
    let left_of = point.x < grid.origin.x;
    let row = ((point.y - grid.origin.y) / grid.pitch).floor();
    if left_of && row >= 0.0 && (row as usize) < grid.rows {
        return Some(Place::Row(row as usize));
    }
    let column = ((point.x - grid.origin.x) / grid.pitch).floor();
    let above = point.y < grid.origin.y && point.y > grid.origin.y - 60.0;
    (above && column >= 0.0 && (column as usize) < grid.columns)
        .then_some(Place::Column(column as usize))
}

fn draw_highlight(
    painter: &egui::Painter,
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
    if let Some(row) = row {
        let rect = paint::rect_to_window(origin, grid.row_rect(row));
        painter.rect_stroke(rect, 1.0, thin, StrokeKind::Outside);
    }
    if let Some(column) = column {
        let first = paint::rect_to_window(origin, grid.cell_rect(0, column));
        let last = paint::rect_to_window(origin, grid.cell_rect(grid.rows - 1, column));
        painter.rect_stroke(first.union(last), 1.0, thin, StrokeKind::Outside);
    }
    if let (Some(row), Some(column)) = (row, column) {
        let rect = paint::rect_to_window(origin, grid.cell_rect(row, column));
        painter.rect_stroke(rect, 1.0, ring, StrokeKind::Outside);
    }
}
