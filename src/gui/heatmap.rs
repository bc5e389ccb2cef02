//! The heatmap widget: a scene, and what the pointer and the keyboard do with its cells.

use std::sync::Arc;

use eframe::egui::{self, CursorIcon, Pos2, Sense, Ui, Vec2, WidgetInfo, accesskit::Role, vec2};

use super::cell_drag::{CellDrag, cell_drag};
use super::cells::Cells;
use super::cut::cut;
use super::lens::Gesture;
use super::marks::{draw_highlight, draw_position};
use super::paint::{self, Textures};
use super::theme::Tokens;
use crate::alignment::LabelledMatrix;
use crate::app::{attribution_sentence, cell_sentence};
use crate::figure::{HeatmapLayout, HeatmapSpec, Point, Scene, Viewport};

/// The largest side of a cell where all are seen, in points.
const LARGEST_CELL: f32 = 60.0;

/// The smallest one: there are larger ones to be had by zooming.
const SMALLEST_CELL: f32 = 2.0;

/// A laid out heatmap, kept as long as its specification is the same.
#[derive(Default)]
pub(super) struct Kept {
    spec: Option<HeatmapSpec>,
    made: Option<Arc<(HeatmapLayout, Scene)>>,
    /// The specification that the cells were last measured for, and their distance.
    pitch: Option<(HeatmapSpec, f32)>,
    /// The specification that the space for magnified cells was last measured for, and the space.
    room: Option<(HeatmapSpec, Vec2)>,
}

impl Kept {
    /// The distance of two cells, in points, in a space of its own.
    pub(super) fn pitch(&mut self, mut spec: HeatmapSpec, space: Vec2) -> f32 {
        fit(&mut spec, space);
        measured(&mut self.pitch, spec, |spec| spec.layout().grid.pitch)
    }

    /// How much space cells that are `pitch` apart have in a space of their own, if there are enough of them.
    pub(super) fn room(&mut self, mut spec: HeatmapSpec, space: Vec2, pitch: f32) -> Vec2 {
        fit(&mut spec, space);
        spec.viewport = Some(Viewport::at_start(pitch));
        // The space is that of any row being current.
        spec.current_row = None;
        measured(&mut self.room, spec, |spec| spec.room(pitch).into())
    }

    /// The layout and scene of a specification: the kept ones where it is the same.
    fn of(&mut self, spec: HeatmapSpec) -> Arc<(HeatmapLayout, Scene)> {
        let same = self.spec.as_ref().is_some_and(|kept| same(kept, &spec));
        if let (true, Some(made)) = (same, &self.made) {
            return made.clone();
        }
        let mut layout = spec.layout();
        if let Some(space) = spec.available {
            cut(&mut layout, space);
        }
        let scene = spec.scene_of(&layout);
        let made = Arc::new((layout, scene));
        (self.spec, self.made) = (Some(spec), Some(made.clone()));
        made
    }
}

/// What was measured for a specification, anew where it is another one.
fn measured<T: Copy>(
    kept: &mut Option<(HeatmapSpec, T)>,
    spec: HeatmapSpec,
    measure: impl FnOnce(&HeatmapSpec) -> T,
) -> T {
    if let Some((known, value)) = kept
        && same(known, &spec)
    {
        return *value;
    }
    let value = measure(&spec);
    *kept = Some((spec, value));
    value
}

fn fit(spec: &mut HeatmapSpec, space: Vec2) {
    spec.available = Some([space.x.floor(), space.y.floor()]);
    spec.min_cell = SMALLEST_CELL;
    spec.max_cell = LARGEST_CELL;
}

/// Whether two specifications give the same picture; matrices are compared by identity.
fn same(a: &HeatmapSpec, b: &HeatmapSpec) -> bool {
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
                s.viewport,
            ),
        )
    };
    Arc::ptr_eq(&a.matrix, &b.matrix)
        && settings(a) == settings(b)
        && a.title == b.title
        && a.value_name == b.value_name
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

/// A heatmap as it is to be shown.
pub(super) struct Shown<'a> {
    /// What.
    pub(super) spec: HeatmapSpec,
    /// What is highlighted in it.
    pub(super) highlight: Highlight,
    /// The distance of two cells where all are seen: heatmaps side by side have cells of one size.
    pub(super) pitch: f32,
    /// The part that is seen.
    pub(super) viewport: Option<Viewport>,
    /// The entropy of each row, where rows have one.
    pub(super) entropies: &'a [f64],
    /// What its numbers are.
    pub(super) spoken: Spoken,
    /// Whether cells can be dragged to another weight.
    pub(super) is_adjustable: bool,
}

/// How a heatmap and its cells are called.
#[derive(Clone, Copy)]
pub(super) struct Spoken {
    /// The whole.
    pub(super) name: &'static str,
    /// A cell: row, column.
    pub(super) cell: fn(&LabelledMatrix, usize, usize) -> String,
}

impl Spoken {
    /// Weights, or their differences.
    pub(super) const WEIGHTS: Self = Self {
        name: "Attention weights",
        cell: cell_sentence,
    };
    /// Those of a run before it was changed.
    pub(super) const UNCHANGED: Self = Self {
        name: "Unchanged attention weights",
        cell: cell_sentence,
    };
    /// What words add to others.
    pub(super) const ATTRIBUTION: Self = Self {
        name: "Attribution",
        cell: attribution_sentence,
    };
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
    /// Zoomed or moved.
    pub(super) gesture: Option<Gesture>,
    /// A cell was dragged.
    pub(super) drag: Option<CellDrag>,
    /// The whole widget, for a context menu.
    pub(super) response: Option<egui::Response>,
}

/// Shows a heatmap in the space that there is.
pub(super) fn show(
    ui: &mut Ui,
    shown: Shown,
    kept: &mut Kept,
    textures: &mut Textures,
) -> Happened {
    let space = ui.available_size().max(Vec2::splat(40.0));
    let mut spec = shown.spec;
    fit(&mut spec, space);
    spec.max_cell = shown.pitch.min(LARGEST_CELL);
    spec.viewport = shown.viewport;
    let matrix = spec.matrix.clone();
    let current = shown.highlight.row.or(spec.current_row);
    let made = kept.of(spec);
    let (layout, scene) = (&made.0, &made.1);
    // Else a click may slip.
    let is_magnified = shown.viewport.is_some();
    let sense = if is_magnified || shown.is_adjustable {
        Sense::click_and_drag()
    } else {
        Sense::click()
    };
    let (outer, _) = ui.allocate_exact_size(space, Sense::hover());
    // Dragging a cell brings a row into the header above, which must not end the drag.
    let response = ui.interact(outer, ui.scope_id().with("heatmap"), sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Group, true, shown.spoken.name));
    let size = paint::size(scene);
    // A matrix that is larger than the space is cut off at the right and below.
    let origin = outer.min + vec2(((space.x - size.x) / 2.0).max(0.0).floor(), 0.0);
    let painter = ui.painter_at(outer);
    let tokens = Tokens::of(ui.ctx());
    paint::scene(&painter, scene, origin, textures);
    draw_highlight(&painter, layout, shown.highlight, origin, tokens);
    if is_magnified {
        draw_position(&painter, layout, origin, tokens);
    }
    let cells = Cells {
        matrix: &matrix,
        layout,
        origin,
        clip: outer,
        sentence: shown.spoken.cell,
    };
    cells.nodes(ui, shown.highlight, current, shown.entropies);
    let at = |pos: Pos2| place(layout, Point::new(pos.x - origin.x, pos.y - origin.y));
    let hover = response
        .hover_pos()
        .filter(|_| !response.dragged())
        .and_then(at);
    let click = response
        .interact_pointer_pos()
        .filter(|_| response.clicked())
        .and_then(at);
    let drag = shown
        .is_adjustable
        .then(|| cell_drag(ui, &response, &matrix, is_magnified, at));
    let drag = drag.flatten();
    let gesture = gesture(ui, layout, is_magnified, &response, origin);
    let gesture = gesture.filter(|_| drag.is_none());
    if let Some(Place::Cell(row, column)) = hover {
        let mut text = (shown.spoken.cell)(&matrix, row, column);
        if shown.is_adjustable && !is_magnified {
            text.push_str("\nDrag up or down to set it");
        }
        response.clone().on_hover_text_at_pointer(text);
    }
    Happened {
        hover,
        click,
        double_click: response.double_clicked(),
        gesture,
        drag,
        response: Some(response),
    }
}

/// What wheel, pinch and dragging ask for. A wheel that moves cells moves nothing around them.
fn gesture(
    ui: &Ui,
    layout: &HeatmapLayout,
    is_magnified: bool,
    response: &egui::Response,
    origin: Pos2,
) -> Option<Gesture> {
    let mut pan = Vec2::ZERO;
    if is_magnified {
        pan = response.drag_delta();
    }
    let pointer = response.hover_pos().or(response.interact_pointer_pos())?;
    let mut zoom = 1.0;
    if response.hovered() {
        zoom = ui.input(egui::InputState::zoom_delta);
        if is_magnified {
            pan += ui.input_mut(|input| std::mem::take(&mut input.smooth_scroll_delta));
        }
    }
    if is_magnified {
        ui.ctx().set_cursor_icon(if response.dragged() {
            CursorIcon::Grabbing
        } else {
            CursorIcon::Grab
        });
    }
    if zoom == 1.0 && pan == Vec2::ZERO {
        return None;
    }
    let grid = &layout.grid;
    let seen = layout.viewport.unwrap_or_else(|| grid.area());
    let seen = paint::rect_to_window(origin, seen);
    let corner = paint::to_window(origin, grid.origin);
    // Beside the cells the nearest one is meant.
    let inside = seen.clamp(pointer);
    // Labels grow with the cells and move them a little: while a pointer stays and zooms, it means the cell that it
    // was over at first.
    let aim = response.id.with("aim");
    let mut cell = (inside - corner) / grid.pitch;
    ui.data_mut(|data| match data.get_temp::<(Pos2, Vec2)>(aim) {
        Some((at, first)) if at == pointer && pan == Vec2::ZERO => cell = first,
        _ => {
            data.insert_temp(aim, (pointer, cell));
        }
    });
    Some(Gesture {
        zoom,
        pan,
        cell,
        offset: vec2(inside.x - seen.center().x, inside.y - seen.top()),
    })
}

fn place(layout: &HeatmapLayout, point: Point) -> Option<Place> {
    let grid = &layout.grid;
    if let Some((row, column)) = layout.cell_at(point) {
        return Some(Place::Cell(row, column));
    }
    if grid.columns == 0 {
        return None;
    }
    let seen = layout.viewport.unwrap_or_else(|| grid.area());
    let left_of = point.x < seen.x && point.y >= seen.y && point.y < seen.bottom();
    let row = ((point.y - grid.origin.y) / grid.pitch).floor();
    if left_of && row >= 0.0 && (row as usize) < grid.rows {
        return Some(Place::Row(row as usize));
    }
    let column = ((point.x - grid.origin.x) / grid.pitch).floor();
    let above =
        point.y < seen.y && point.y > seen.y - 60.0 && point.x >= seen.x && point.x < seen.right();
    (above && column >= 0.0 && (column as usize) < grid.columns)
        .then_some(Place::Column(column as usize))
}
