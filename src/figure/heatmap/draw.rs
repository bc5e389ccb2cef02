//! From a heatmap's layout to its scene.

use std::ops::Range;
use std::sync::Arc;

use super::super::colorbar;
use super::super::colormap::text_on;
use super::super::colour_scale::{ColourScale, row_maximum};
use super::super::labels::Label;
use super::super::scale::format_value;
use super::super::scene::{
    Anchor, ImageItem, Item, MarkerShape, Point, Rect, Rgba, Scene, Stroke, TextItem, Weight,
};
use super::super::text::{cap_height, centred_digits, text_width, x_height};
use super::{Grid, HeatmapLayout, HeatmapSpec, MAX_RECT_CELLS};

/// Weights that round to 0.00 are written more faintly.
const FAINT_BELOW: f32 = 0.005;
/// How far outlines reach beyond the cells that are seen, in points.
const OUTLINE: f32 = 2.0;
/// Opacity of a faint value.
const FAINT: u8 = 140;

pub(super) fn scene(spec: &HeatmapSpec, layout: &HeatmapLayout) -> Scene {
    let mut scene = Scene {
        title: description(spec),
        width: layout.width,
        height: layout.height,
        background: spec.palette.background,
        items: Vec::new(),
    };
    let scale = spec.colour_scale();
    draw_cells(&mut scene, spec, layout, &scale);
    let (targets, sources) = if spec.transposed {
        (&layout.top_labels, &layout.left_labels)
    } else {
        (&layout.left_labels, &layout.top_labels)
    };
    let targets = targets.iter().filter(|label| spec.is_visible(label.index));
    let labels: Vec<_> = if spec.transposed {
        targets.chain(sources).collect()
    } else {
        sources.iter().chain(targets).collect()
    };
    let titles = layout.title.iter().chain(&layout.subtitle);
    let texts = titles.chain(labels.into_iter().map(|label| &label.item));
    scene.items.extend(texts.cloned().map(Item::Text));
    if let Some(bar) = layout.colorbar {
        colorbar::draw(&mut scene, std::slice::from_ref(spec), spec, bar);
    }
    scene
}

fn description(spec: &HeatmapSpec) -> String {
    let parts = [spec.title.as_str(), spec.subtitle.as_str()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        "Heatmap".to_owned()
    } else {
        parts.join(": ")
    }
}

/// All that scrolls when only a part of the cells is seen.
fn draw_cells(scene: &mut Scene, spec: &HeatmapSpec, layout: &HeatmapLayout, scale: &ColourScale) {
    let mut items = Vec::new();
    draw_places(&mut items, spec, layout);
    draw_weights(&mut items, spec, layout, scale);
    draw_current(&mut items, spec, layout);
    let pointer = pointer(spec, layout);
    if layout.viewport.is_none() {
        items.extend(pointer.clone());
    }
    if let Some(size) = layout.value_size {
        draw_values(&mut items, spec, layout, scale, size);
    }
    match layout.viewport {
        // The outline of a row stands a little outside its cells.
        Some(area) => {
            scene.items.push(Item::Clipped {
                area: area.expanded(OUTLINE),
                items,
            });
            // It stands among the labels, which do not scroll.
            scene.items.extend(pointer);
        }
        None => scene.items.extend(items),
    }
}

/// The places of rows that are still to come.
fn draw_places(items: &mut Vec<Item>, spec: &HeatmapSpec, layout: &HeatmapLayout) {
    let grid = &layout.grid;
    if grid.columns == 0 {
        return;
    }
    let places = (grid.rows..grid.expected_rows).map(|row| grid.row_rect(row));
    let seen = places.filter_map(|place| layout.seen_part(place));
    items.extend(seen.map(|place| Item::filled(place, spec.palette.placeholder)));
}

fn draw_weights(
    items: &mut Vec<Item>,
    spec: &HeatmapSpec,
    layout: &HeatmapLayout,
    scale: &ColourScale,
) {
    let grid = &layout.grid;
    let [rows, columns] = layout.seen();
    let as_image = rows.len() * columns.len() > MAX_RECT_CELLS;
    let mut pixels = Pixels::new(grid, [rows.clone(), columns.clone()]);
    let mut holes = Vec::new();
    for row in rows {
        let cells = spec.matrix.values().row(row);
        let largest = row_maximum(cells);
        for column in columns.clone() {
            let value = cells[column];
            let drawn = spec.is_visible(row) && !spec.is_hidden(value);
            let colour = scale.colour(value, largest).filter(|_| drawn);
            let cell = layout.seen_part(grid.cell_rect(row, column));
            if value.is_nan() && drawn {
                cell.into_iter()
                    .for_each(|cell| push_hole(&mut holes, cell));
            }
            let colour = colour.unwrap_or(spec.palette.placeholder);
            if as_image {
                pixels.set(row, column, colour);
            } else {
                items.extend(cell.map(|cell| Item::filled(cell, colour)));
            }
        }
    }
    if as_image {
        items.push(pixels.into_item(grid));
    }
    let stroke = Stroke::new(spec.palette.muted, 0.75);
    let hatches = holes.into_iter().map(|rect| Item::Hatch { rect, stroke });
    items.extend(hatches);
}

/// Adds a cell to hatch; cells that touch in a row become one.
fn push_hole(holes: &mut Vec<Rect>, cell: Rect) {
    if let Some(last) = holes.last_mut()
        && last.y == cell.y
        && last.height == cell.height
        && (last.right() - cell.x).abs() < 1e-3
    {
        last.width += cell.width;
        return;
    }
    holes.push(cell);
}

/// One pixel for each cell that is seen, in the drawn orientation.
struct Pixels {
    transposed: bool,
    seen: [Range<usize>; 2],
    width: usize,
    height: usize,
    rgba: Vec<u8>,
}

impl Pixels {
    fn new(grid: &Grid, seen: [Range<usize>; 2]) -> Self {
        let (rows, columns) = (seen[0].len(), seen[1].len());
        let (width, height) = if grid.transposed {
            (rows, columns)
        } else {
            (columns, rows)
        };
        Self {
            transposed: grid.transposed,
            seen,
            width,
            height,
            rgba: vec![0; width * height * 4],
        }
    }

    fn set(&mut self, row: usize, column: usize, colour: Rgba) {
        let (row, column) = (row - self.seen[0].start, column - self.seen[1].start);
        let (x, y) = if self.transposed {
            (row, column)
        } else {
            (column, row)
        };
        let at = (y * self.width + x) * 4;
        self.rgba[at..at + 4].copy_from_slice(&colour);
    }

    fn into_item(self, grid: &Grid) -> Item {
        let [rows, columns] = &self.seen;
        let first = grid.cell_rect(rows.start, columns.start);
        let last = grid.cell_rect(rows.end.max(1) - 1, columns.end.max(1) - 1);
        let (width, height) = (last.right() - first.x, last.bottom() - first.y);
        Item::Image(ImageItem {
            rect: Rect::new(first.x, first.y, width, height),
            width: self.width as u32,
            height: self.height as u32,
            rgba: Arc::from(self.rgba),
        })
    }
}

/// An outline around the current row.
fn draw_current(items: &mut Vec<Item>, spec: &HeatmapSpec, layout: &HeatmapLayout) {
    let grid = &layout.grid;
    let Some(row) = spec.current_row.filter(|&row| row < grid.expected_rows) else {
        return;
    };
    if grid.columns == 0 {
        return;
    }
    let Some(seen) = layout.seen_part(grid.row_rect(row)) else {
        return;
    };
    items.push(Item::Rect {
        rect: seen.expanded(1.0),
        fill: None,
        stroke: Some(Stroke::new(spec.palette.accent, 1.5)),
    });
}

/// A pointer before the label of the current row.
fn pointer(spec: &HeatmapSpec, layout: &HeatmapLayout) -> Option<Item> {
    let row = spec.current_row.filter(|_| !spec.transposed)?;
    let is_there = |label: &&Label| label.index == row && layout.grid.columns > 0;
    let label = layout.left_labels.iter().find(is_there)?;
    let size = label.item.size;
    let x = label.item.position.x - label.width - size * 0.55;
    let y = label.item.position.y - (cap_height(size) + x_height(size)) / 4.0;
    Some(Item::Marker {
        centre: Point::new(x, y),
        shape: MarkerShape::Pointer,
        size: size * 0.55,
        fill: spec.palette.accent,
    })
}

fn draw_values(
    items: &mut Vec<Item>,
    spec: &HeatmapSpec,
    layout: &HeatmapLayout,
    scale: &ColourScale,
    size: f32,
) {
    let [rows, columns] = layout.seen();
    for row in rows {
        let cells = spec.matrix.values().row(row);
        let largest = row_maximum(cells);
        for column in columns.clone() {
            let value = cells[column];
            let drawn = spec.is_visible(row) && !spec.is_hidden(value);
            let Some(colour) = scale.colour(value, largest).filter(|_| drawn) else {
                continue;
            };
            let mut text = format_value(value);
            if spec.diverging && value >= FAINT_BELOW {
                text.insert(0, '+');
            }
            let cell = layout.grid.cell_rect(row, column);
            let width = text_width(&text, size, Weight::Regular);
            if width > cell.width - 2.0 || !is_whole(layout, cell.centre(), width, size) {
                continue;
            }
            let mut ink = text_on(colour);
            if value.abs() < FAINT_BELOW {
                ink[3] = FAINT;
            }
            let middle = cell.centre();
            items.push(Item::Text(TextItem {
                position: Point::new(middle.x, centred_digits(middle.y, size)),
                text,
                size,
                weight: Weight::Regular,
                anchor: Anchor::Middle,
                angle_degrees: 0.0,
                fill: ink,
            }));
        }
    }
}

/// Whether all of a value is seen: half a number reads as another one.
fn is_whole(layout: &HeatmapLayout, middle: Point, width: f32, size: f32) -> bool {
    let height = cap_height(size);
    let text = Rect::new(
        middle.x - width / 2.0,
        middle.y - height / 2.0,
        width,
        height,
    );
    layout.viewport.is_none_or(|area| {
        let is_beside = text.x >= area.x && text.right() <= area.right();
        is_beside && text.y >= area.y && text.bottom() <= area.bottom()
    })
}

#[cfg(test)]
#[path = "draw_tests.rs"]
mod tests;
