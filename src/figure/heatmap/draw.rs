//! From a heatmap's layout to its scene.

use std::sync::Arc;

use super::super::colorbar;
use super::super::colormap::text_on;
use super::super::colour_scale::{ColourScale, row_maximum};
use super::super::scale::format_value;
use super::super::scene::{
    Anchor, ImageItem, Item, MarkerShape, Point, Rect, Rgba, Scene, Stroke, TextItem, Weight,
};
use super::super::text::{cap_height, centred_digits, text_width, x_height};
use super::{Grid, HeatmapLayout, HeatmapSpec, MAX_RECT_CELLS};

/// Weights that round to 0.00 are written more faintly.
const FAINT_BELOW: f32 = 0.005;
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
    draw_places(&mut scene, spec, layout);
    draw_cells(&mut scene, spec, layout, &scale);
    draw_current(&mut scene, spec, layout);
    if let Some(size) = layout.value_size {
        draw_values(&mut scene, spec, layout, &scale, size);
    }
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

/// The places of rows that are still to come.
fn draw_places(scene: &mut Scene, spec: &HeatmapSpec, layout: &HeatmapLayout) {
    let grid = &layout.grid;
    if grid.columns == 0 {
        return;
    }
    for row in grid.rows..grid.expected_rows {
        scene
            .items
            .push(Item::filled(grid.row_rect(row), spec.palette.placeholder));
    }
}

fn draw_cells(scene: &mut Scene, spec: &HeatmapSpec, layout: &HeatmapLayout, scale: &ColourScale) {
    let grid = &layout.grid;
    let values = spec.matrix.values();
    let as_image = values.len() > MAX_RECT_CELLS;
    let mut pixels = Pixels::new(grid);
    let mut holes = Vec::new();
    for (row, cells) in values.rows().into_iter().enumerate() {
        let largest = row_maximum(cells);
        for (column, &value) in cells.iter().enumerate() {
            let drawn = spec.is_visible(row) && !spec.is_hidden(value);
            let colour = scale.colour(value, largest).filter(|_| drawn);
            if value.is_nan() && drawn {
                push_hole(&mut holes, grid.cell_rect(row, column));
            }
            let colour = colour.unwrap_or(spec.palette.placeholder);
            if as_image {
                pixels.set(row, column, colour);
            } else {
                scene
                    .items
                    .push(Item::filled(grid.cell_rect(row, column), colour));
            }
        }
    }
    if as_image {
        scene.items.push(pixels.into_item(grid.filled_area()));
    }
    let stroke = Stroke::new(spec.palette.muted, 0.75);
    let hatches = holes.into_iter().map(|rect| Item::Hatch { rect, stroke });
    scene.items.extend(hatches);
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

/// One pixel for each cell, in the drawn orientation.
struct Pixels {
    transposed: bool,
    width: usize,
    height: usize,
    rgba: Vec<u8>,
}

impl Pixels {
    fn new(grid: &Grid) -> Self {
        let (width, height) = if grid.transposed {
            (grid.rows, grid.columns)
        } else {
            (grid.columns, grid.rows)
        };
        Self {
            transposed: grid.transposed,
            width,
            height,
            rgba: vec![0; width * height * 4],
        }
    }

    fn set(&mut self, row: usize, column: usize, colour: Rgba) {
        let (x, y) = if self.transposed {
            (row, column)
        } else {
            (column, row)
        };
        let at = (y * self.width + x) * 4;
        self.rgba[at..at + 4].copy_from_slice(&colour);
    }

    fn into_item(self, rect: Rect) -> Item {
        Item::Image(ImageItem {
            rect,
            width: self.width as u32,
            height: self.height as u32,
            rgba: Arc::from(self.rgba),
        })
    }
}

/// An outline around the current row, and a pointer before its label.
fn draw_current(scene: &mut Scene, spec: &HeatmapSpec, layout: &HeatmapLayout) {
    let grid = &layout.grid;
    let Some(row) = spec.current_row.filter(|&row| row < grid.expected_rows) else {
        return;
    };
    if grid.columns == 0 {
        return;
    }
    let accent = spec.palette.accent;
    scene.items.push(Item::Rect {
        rect: grid.row_rect(row).expanded(1.0),
        fill: None,
        stroke: Some(Stroke::new(accent, 1.5)),
    });
    if spec.transposed {
        return;
    }
    if let Some(label) = layout.left_labels.iter().find(|label| label.index == row) {
        let size = label.item.size;
        let x = label.item.position.x - label.width - size * 0.55;
        let y = label.item.position.y - (cap_height(size) + x_height(size)) / 4.0;
        scene.items.push(Item::Marker {
            centre: Point::new(x, y),
            shape: MarkerShape::Pointer,
            size: size * 0.55,
            fill: accent,
        });
    }
}

fn draw_values(
    scene: &mut Scene,
    spec: &HeatmapSpec,
    layout: &HeatmapLayout,
    scale: &ColourScale,
    size: f32,
) {
    for (row, cells) in spec.matrix.values().rows().into_iter().enumerate() {
        let largest = row_maximum(cells);
        for (column, &value) in cells.iter().enumerate() {
            let drawn = spec.is_visible(row) && !spec.is_hidden(value);
            let Some(colour) = scale.colour(value, largest).filter(|_| drawn) else {
                continue;
            };
            let mut text = format_value(value);
            if spec.diverging && value >= FAINT_BELOW {
                text.insert(0, '+');
            }
            let cell = layout.grid.cell_rect(row, column);
            if text_width(&text, size, Weight::Regular) > cell.width - 2.0 {
                continue;
            }
            let mut ink = text_on(colour);
            if value.abs() < FAINT_BELOW {
                ink[3] = FAINT;
            }
            let middle = cell.centre();
            scene.items.push(Item::Text(TextItem {
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

#[cfg(test)]
#[path = "draw_tests.rs"]
mod tests;
