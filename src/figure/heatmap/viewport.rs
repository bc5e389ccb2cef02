//! A part of a heatmap, magnified: the cells scroll under labels that stay at the edges.

use std::ops::{Range, RangeInclusive};

use super::super::colorbar;
use super::super::labels::Label;
use super::super::scene::{Point, Rect, Weight};
use super::super::text::{fit, text_width, visible_label};
use super::layout::{
    BAR_GAP, LABEL_GAP, MARGIN, Parts, TITLE_LIMIT, bar_beside, bare_grid, label_style,
    title_height, value_size,
};
use super::{Grid, HeatmapLayout, HeatmapSpec};

/// Less than this is never shown of the cells, in points, however narrow the space.
const LEAST: f32 = 24.0;

/// Which part of the cells is seen, and how large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// From one cell to the next, in points.
    pub pitch: f32,
    /// The largest part of the drawn cells that is seen, in points; the space may allow less.
    pub size: [f32; 2],
    /// What stands in the upper left corner, in cells to the right and down from the first one. It may lie
    /// between cells, and is moved where the end of the cells would leave the corner at the lower right empty.
    pub first: [f32; 2],
}

impl Viewport {
    /// All that the space allows, from the first cell on.
    pub const fn at_start(pitch: f32) -> Self {
        Self {
            pitch,
            size: [f32::INFINITY; 2],
            first: [0.0; 2],
        }
    }
}

/// The space around the cells, in points: left, top, right; below is the margin.
struct Around {
    parts: Parts,
    left: f32,
    top: f32,
    right: f32,
}

impl Around {
    fn new(spec: &HeatmapSpec, grid: &Grid) -> Self {
        let parts = Parts::new(spec, grid);
        let bar = if spec.show_colorbar {
            BAR_GAP + colorbar::WIDTH + colorbar::text_extent(std::slice::from_ref(spec), spec)
        } else {
            0.0
        };
        Self {
            left: MARGIN + left_reach(spec, grid).max(parts.left).ceil(),
            top: MARGIN + title_height(spec) + parts.top,
            right: MARGIN + bar.max(overhang(&parts.top_labels, grid)),
            parts,
        }
    }

    /// The space for the cells.
    fn room(&self, spec: &HeatmapSpec) -> [f32; 2] {
        let [width, height] = spec.available.unwrap_or([f32::INFINITY; 2]);
        let room = [width - self.left - self.right, height - self.top - MARGIN];
        room.map(|space| space.floor().max(LEAST))
    }
}

fn grid_of(spec: &HeatmapSpec, pitch: f32) -> Grid {
    bare_grid(spec, positive(pitch, 1.0).clamp(0.25, 1000.0))
}

/// The space that the surroundings leave to the cells.
pub(super) fn room(spec: &HeatmapSpec, pitch: f32) -> [f32; 2] {
    Around::new(spec, &grid_of(spec, pitch)).room(spec)
}

/// A layout with the cells of a viewport. What surrounds the cells depends on the pitch and not on what is seen, so
/// that nothing jumps while the cells scroll.
pub(super) fn layout(spec: &HeatmapSpec, viewport: Viewport) -> HeatmapLayout {
    let mut grid = grid_of(spec, viewport.pitch);
    let around = Around::new(spec, &grid);
    let (left, top, right) = (around.left, around.top, around.right);
    let room = around.room(spec);
    let parts = around.parts;
    let whole = grid.area();
    let extent = [whole.width, whole.height];
    let part = |axis: usize| {
        let seen = positive(viewport.size[axis], LEAST).min(room[axis]);
        seen.floor().max(LEAST).min(extent[axis])
    };
    let area = Rect::new(left, top, part(0), part(1));
    // Whole points keep the cells sharp.
    let scrolled = |axis: usize, seen: f32| {
        let wanted = positive(viewport.first[axis], 0.0) * grid.pitch;
        wanted.round().min((extent[axis] - seen).ceil()).max(0.0)
    };
    grid.origin = Point::new(
        left - scrolled(0, area.width),
        top - scrolled(1, area.height),
    );
    let mut layout = HeatmapLayout {
        width: (area.right() + right).ceil(),
        height: (area.bottom() + MARGIN).ceil(),
        value_size: value_size(spec, &grid),
        left_labels: pinned(
            parts.left_labels,
            Point::new(left, grid.origin.y),
            &grid,
            grid.origin.y,
            area.y..=area.bottom(),
        ),
        top_labels: pinned(
            parts.top_labels,
            Point::new(grid.origin.x, top),
            &grid,
            grid.origin.x,
            area.x..=area.right(),
        ),
        grid,
        title: None,
        subtitle: None,
        colorbar: None,
        viewport: Some(area),
    };
    if spec.show_colorbar {
        let bar = bar_beside(spec, area);
        let note = colorbar::note_height(std::slice::from_ref(spec));
        layout.height = layout.height.max((bar.bottom() + note + MARGIN).ceil());
        layout.colorbar = Some(bar);
    }
    layout.put_titles(
        spec,
        Point::new(left, MARGIN),
        area.width.max(spec.sizes()[1] * TITLE_LIMIT),
    );
    layout
}

/// What the widest label beside the rows needs, were it the current one and so the boldest: no step and no row under
/// the pointer moves the cells.
fn left_reach(spec: &HeatmapSpec, grid: &Grid) -> f32 {
    let labels = if grid.transposed {
        spec.matrix.columns()
    } else {
        spec.matrix.rows()
    };
    let style = label_style(spec, grid.pitch, None);
    let width = |label: &String| {
        let visible = visible_label(label);
        let cut = fit(&visible, style.size, Weight::SemiBold, style.limit);
        text_width(&cut, style.size, Weight::SemiBold)
    };
    let [_, _, small] = spec.sizes();
    labels.iter().map(width).fold(0.0, f32::max) + LABEL_GAP + small
}

/// The number, or `other` where it is none or not above 0.
fn positive(value: f32, other: f32) -> f32 {
    if value > 0.0 { value } else { other }
}

/// How far a label above a column may reach beyond the column's middle: any column may be the last one seen.
fn overhang(labels: &[Label], grid: &Grid) -> f32 {
    let reach = labels.iter().map(|label| {
        let middle = (label.index as f32 + 0.5) * grid.pitch - grid.gap / 2.0;
        label.extent()[2] - middle
    });
    reach.fold(0.0, f32::max).ceil()
}

/// The labels whose cell's middle lies in `seen` along their axis, moved from a grid at the corner to their place; on
/// that axis the cells begin at `start`.
fn pinned(
    labels: Vec<Label>,
    by: Point,
    grid: &Grid,
    start: f32,
    seen: RangeInclusive<f32>,
) -> Vec<Label> {
    let middle = |label: &Label| start + (label.index as f32 + 0.5) * grid.pitch - grid.gap / 2.0;
    let kept = labels
        .into_iter()
        .filter(|label| seen.contains(&middle(label)));
    kept.map(|mut label| {
        label.item.position.x += by.x;
        label.item.position.y += by.y;
        label
    })
    .collect()
}

impl HeatmapLayout {
    /// Rows and columns of the matrix of which something is seen; rows to come are left out.
    pub fn seen(&self) -> [Range<usize>; 2] {
        let grid = &self.grid;
        let Some(area) = self.viewport else {
            return [0..grid.rows, 0..grid.columns];
        };
        let range = |from: f32, to: f32, count: usize| {
            let first = (from / grid.pitch).floor().max(0.0) as usize;
            let end = (to / grid.pitch).ceil().max(0.0) as usize;
            first.min(count)..end.min(count)
        };
        let x = area.x - grid.origin.x;
        let y = area.y - grid.origin.y;
        let (rows, columns) = (grid.rows, grid.columns);
        if grid.transposed {
            [
                range(x, x + area.width, rows),
                range(y, y + area.height, columns),
            ]
        } else {
            [
                range(y, y + area.height, rows),
                range(x, x + area.width, columns),
            ]
        }
    }

    /// The part of a rectangle among the cells that is seen, in points; `None` where nothing of it is.
    pub fn seen_part(&self, rect: Rect) -> Option<Rect> {
        let Some(area) = self.viewport else {
            return Some(rect);
        };
        let (x, y) = (rect.x.max(area.x), rect.y.max(area.y));
        let width = rect.right().min(area.right()) - x;
        let height = rect.bottom().min(area.bottom()) - y;
        (width > 0.0 && height > 0.0).then_some(Rect::new(x, y, width, height))
    }

    /// The row and column of the matrix that is seen at a point.
    pub fn cell_at(&self, point: Point) -> Option<(usize, usize)> {
        let is_seen = self.viewport.is_none_or(|area| area.contains(point));
        self.grid.cell_at(point).filter(|_| is_seen)
    }
}

#[cfg(test)]
#[path = "viewport_tests.rs"]
mod tests;
