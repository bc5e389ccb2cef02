//! Where the parts of a heatmap stand.

use super::super::colorbar;
use super::super::labels::{Label, LabelStyle, Side, along_columns, beside_rows};
use super::super::scene::{Anchor, Point, Rect, Rgba, TextItem, Weight};
use super::super::text::{ascent, descent, fit, text_width};
use super::{Grid, HeatmapSpec, legible};

/// Space around a figure.
pub(in super::super) const MARGIN: f32 = 16.0;
/// Between row labels and cells.
pub(super) const LABEL_GAP: f32 = 8.0;
/// Between column labels and cells.
const HEADER_GAP: f32 = 6.0;
/// Between the cells and the colour bar.
pub(super) const BAR_GAP: f32 = 20.0;
/// The lowest colour bar where space is short.
const LOWEST_BAR: f32 = 48.0;
/// Titles up to this are not cut, in font sizes.
pub(super) const TITLE_LIMIT: f32 = 28.0;
/// Longest label, in font sizes.
const LABEL_LIMIT: f32 = 14.0;
/// The side of all cells together where nothing else is asked for.
const USUAL_EXTENT: f32 = 640.0;
/// The size of labels over the pitch of dense rows, which leaves air between the lines.
const DENSE: f32 = 0.92;
/// The smallest labels over the small size.
const SMALLEST: f32 = 0.85;
/// Cells at least this large have a gap.
const GAP_FROM: f32 = 14.0;

/// What several heatmaps of one figure have in common, in points; `None` is as each one needs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in super::super) struct Frame {
    /// From one cell to the next.
    pub(in super::super) pitch: Option<f32>,
    /// From the top edge to the first cell.
    pub(in super::super) top: Option<f32>,
    /// From the left edge to the first cell.
    pub(in super::super) left: Option<f32>,
    /// Without margins and colour bar: the figure has its own.
    pub(in super::super) bare: bool,
    /// The widest title of a figure that may not be wider, margins apart.
    pub(in super::super) title: Option<f32>,
    /// With its own colour bar although bare.
    pub(in super::super) bar: bool,
}

/// A heatmap's geometry, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatmapLayout {
    /// Width of the whole figure.
    pub width: f32,
    /// Height of the whole figure.
    pub height: f32,
    /// The cells; answers which cell is where and what is under a point.
    pub grid: Grid,
    /// The title, if there is one.
    pub title: Option<TextItem>,
    /// The subtitle, if there is one.
    pub subtitle: Option<TextItem>,
    /// Labels on the left: target tokens, or source tokens if transposed.
    pub left_labels: Vec<Label>,
    /// Labels above: source tokens, or target tokens if transposed.
    pub top_labels: Vec<Label>,
    /// The colour bar's coloured area, if there is one.
    pub colorbar: Option<Rect>,
    /// Font size of the values in the cells; `None` if they are not shown or do not fit.
    pub value_size: Option<f32>,
    /// Where the cells are seen, if that is only a part of them: the rest of the grid lies outside.
    pub viewport: Option<Rect>,
}

/// A line of text at the left.
pub(in super::super) fn text_item(
    text: &str,
    at: Point,
    size: f32,
    weight: Weight,
    fill: Rgba,
) -> TextItem {
    TextItem {
        position: at,
        text: text.to_owned(),
        size,
        weight,
        anchor: Anchor::Start,
        angle_degrees: 0.0,
        fill,
    }
}

/// What depends on the size of the cells.
pub(super) struct Parts {
    pub(super) left_labels: Vec<Label>,
    pub(super) top_labels: Vec<Label>,
    /// Space that the labels need left of and above the cells.
    pub(super) left: f32,
    pub(super) top: f32,
    /// How far the top labels stick out to the right of the cells.
    overhang: f32,
}

impl HeatmapLayout {
    pub(in super::super) fn new(spec: &HeatmapSpec, frame: &Frame) -> Self {
        let pitch = frame.pitch.unwrap_or_else(|| fitting_pitch(spec, frame));
        let grid = bare_grid(spec, pitch);
        let parts = Parts::new(spec, &grid);
        let margin = if frame.bare { 0.0 } else { MARGIN };
        let title_height = title_height(spec);
        let left = frame.left.unwrap_or(margin + parts.left);
        let top = frame.top.unwrap_or(margin + title_height + parts.top);
        let mut layout = Self {
            width: 0.0,
            height: 0.0,
            grid: Grid {
                origin: Point::new(left, top),
                ..grid
            },
            title: None,
            subtitle: None,
            left_labels: parts.left_labels,
            top_labels: parts.top_labels,
            colorbar: None,
            value_size: value_size(spec, &grid),
            viewport: None,
        };
        let labels = layout.left_labels.iter_mut().chain(&mut layout.top_labels);
        labels.for_each(|label| {
            label.item.position.x += left;
            label.item.position.y += top;
        });
        let area = layout.grid.area();
        let mut right = area.right() + parts.overhang;
        let mut bottom = area.bottom();
        if spec.show_colorbar && (frame.bar || !frame.bare) {
            let bar = bar_beside(spec, area);
            right =
                right.max(bar.right() + colorbar::text_extent(std::slice::from_ref(spec), spec));
            bottom = bottom.max(bar.bottom() + colorbar::note_height(std::slice::from_ref(spec)));
            layout.colorbar = Some(bar);
        }
        let usual = (right - left).max(spec.sizes()[1] * TITLE_LIMIT);
        let limit = frame.title.map_or(usual, |widest| (widest - left).max(0.0));
        right = right.max(layout.put_titles(spec, Point::new(left, margin), limit));
        layout.width = (right + margin).ceil();
        layout.height = (bottom + margin).ceil();
        layout
    }

    /// Moves everything, in points; the size stays.
    pub(in super::super) fn shift(&mut self, by: Point) {
        let move_text = |item: &mut TextItem| {
            item.position.x += by.x;
            item.position.y += by.y;
        };
        self.grid.origin.x += by.x;
        self.grid.origin.y += by.y;
        let labels = self.left_labels.iter_mut().chain(&mut self.top_labels);
        labels.for_each(|label| move_text(&mut label.item));
        self.title
            .iter_mut()
            .chain(&mut self.subtitle)
            .for_each(move_text);
        if let Some(bar) = &mut self.colorbar {
            bar.x += by.x;
            bar.y += by.y;
        }
    }

    /// Sets title and subtitle below `at`, cut to `limit`; answers their right end.
    pub(super) fn put_titles(&mut self, spec: &HeatmapSpec, at: Point, limit: f32) -> f32 {
        let [title_size, label_size, _] = spec.sizes();
        let mut baseline = at.y;
        let mut right = at.x;
        let mut line = |text: &str, size: f32, weight: Weight, fill: Rgba| {
            if text.is_empty() {
                return None;
            }
            baseline += line_height(size);
            let cut = fit(text, size, weight, limit);
            right = right.max(at.x + text_width(&cut, size, weight));
            let place = Point::new(at.x, baseline - descent(size));
            Some(text_item(&cut, place, size, weight, fill))
        };
        self.title = line(&spec.title, title_size, Weight::SemiBold, spec.palette.text);
        self.subtitle = line(
            &spec.subtitle,
            label_size,
            Weight::Regular,
            spec.palette.muted,
        );
        right
    }
}

/// The colour bar beside cells. It is no reason for smaller cells where space is short.
pub(super) fn bar_beside(spec: &HeatmapSpec, area: Rect) -> Rect {
    let mut bar = colorbar::place(area, area.right() + BAR_GAP, spec.font_size);
    if let Some([_, height]) = spec.available {
        let note = colorbar::note_height(std::slice::from_ref(spec));
        let space = height - MARGIN - note - bar.y;
        bar.height = bar.height.min(space.max(LOWEST_BAR));
    }
    bar
}

pub(in super::super) fn line_height(size: f32) -> f32 {
    ((ascent(size) + descent(size)) / 4.0).ceil() * 4.0
}

/// Height of title and subtitle with the space below them.
pub(super) fn title_height(spec: &HeatmapSpec) -> f32 {
    let [title, label, _] = spec.sizes();
    let height = |text: &str, size: f32| {
        if text.is_empty() {
            0.0
        } else {
            line_height(size)
        }
    };
    let lines = height(&spec.title, title) + height(&spec.subtitle, label);
    if lines > 0.0 { lines + 8.0 } else { 0.0 }
}

/// The grid with its corner at the origin.
pub(super) fn bare_grid(spec: &HeatmapSpec, pitch: f32) -> Grid {
    Grid {
        origin: Point::default(),
        pitch,
        gap: if pitch >= GAP_FROM { 1.0 } else { 0.0 },
        rows: spec.matrix.rows().len(),
        expected_rows: spec.place_for_rows(),
        columns: spec.matrix.columns().len(),
        transposed: spec.transposed,
    }
}

/// How labels look beside cells of a pitch. Dense rows get smaller labels before any are left out.
pub(super) fn label_style(spec: &HeatmapSpec, pitch: f32, current: Option<usize>) -> LabelStyle {
    let [_, label_size, small] = spec.sizes();
    let size = if pitch < label_size * 1.1 {
        let smallest = legible(label_size, small * SMALLEST);
        (pitch * DENSE).clamp(smallest, small)
    } else {
        label_size
    };
    LabelStyle {
        size,
        fill: spec.palette.text,
        muted: spec.palette.muted,
        limit: label_size * LABEL_LIMIT,
        current,
    }
}

impl Parts {
    /// Labels around a grid whose corner is the origin.
    pub(super) fn new(spec: &HeatmapSpec, grid: &Grid) -> Self {
        let [_, _, small] = spec.sizes();
        let style = |current| label_style(spec, grid.pitch, current);
        let (targets, sources) = (spec.matrix.rows(), spec.matrix.columns());
        let (target, source) = (style(spec.current_row), style(None));
        let (left, top) = if spec.transposed {
            ((sources, source), (targets, target))
        } else {
            ((targets, target), (sources, source))
        };
        let middle = |index: usize| (index as f32 + 0.5) * grid.pitch - grid.gap / 2.0;
        let left_labels = beside_rows(left.0, &left.1, grid.pitch, -LABEL_GAP, middle);
        let angle = spec.label_angle;
        let top_labels = along_columns(
            top.0,
            &top.1,
            angle,
            grid.pitch,
            Side::Top,
            -HEADER_GAP,
            middle,
        );
        let width = grid.area().width;
        let all = || left_labels.iter().chain(&top_labels).map(Label::extent);
        Self {
            // The pointer of the current row stands left of its label.
            left: all().map(|extent| -extent[0]).fold(0.0, f32::max).ceil() + small,
            top: all().map(|extent| -extent[1]).fold(0.0, f32::max).ceil(),
            overhang: all()
                .map(|extent| extent[2] - width)
                .fold(0.0, f32::max)
                .ceil(),
            left_labels,
            top_labels,
        }
    }
}

/// The largest side of a cell, in points, with which the figure fits.
pub(in super::super) fn fitting_pitch(spec: &HeatmapSpec, frame: &Frame) -> f32 {
    let smallest = spec.min_cell.clamp(0.02, 1000.0);
    let largest = spec.max_cell.clamp(smallest, 1000.0);
    let (across, down) = bare_grid(spec, 1.0).drawn_size();
    let (across, down) = (across.max(1) as f32, down.max(1) as f32);
    let limit = |width: f32, height: f32| {
        whole((width / across).min(height / down)).clamp(smallest, largest)
    };
    let Some([width, height]) = spec.available else {
        return limit(USUAL_EXTENT, USUAL_EXTENT);
    };
    let mut pitch = limit(width, height);
    // Smaller cells need steeper labels, and those more height. Few rounds settle it.
    for _ in 0..4 {
        let around = HeatmapLayout::new(
            spec,
            &Frame {
                pitch: Some(pitch),
                // Smaller cells would not make a title shorter.
                title: Some(0.0),
                ..*frame
            },
        );
        let cells = around.grid.area();
        let fitting = limit(
            width - around.width + cells.width,
            height - around.height + cells.height,
        );
        if fitting >= pitch {
            break;
        }
        pitch = fitting;
    }
    pitch
}

/// Cells of whole points are sharp on every screen; tiny ones cannot afford it.
fn whole(pitch: f32) -> f32 {
    if pitch >= 4.0 {
        pitch.floor()
    } else if pitch >= 0.25 {
        (pitch * 4.0).floor() / 4.0
    } else {
        pitch
    }
}

/// The font size of values, if they are asked for and fit in their cells.
pub(super) fn value_size(spec: &HeatmapSpec, grid: &Grid) -> Option<f32> {
    let [_, _, small] = spec.sizes();
    let room = grid.pitch - grid.gap - 4.0;
    let widest = text_width("0.00", small, Weight::Regular);
    (spec.show_values && widest <= room && small <= room).then_some(small)
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
