//! The colour bar: which colour is which value.

use super::colour_scale::ColourScale;
use super::heatmap::{HeatmapSpec, sizes};
use super::palette::Palette;
use super::scene::{Anchor, ImageItem, Item, Point, Rect, Scene, Stroke, TextItem, Weight};
use super::text::{centred_digits, text_width};

/// Width of the coloured area, in points.
pub(super) const WIDTH: f32 = 12.0;
/// The lowest coloured area, in font sizes.
const LOWEST: f32 = 8.0;
/// Cells up to this height have a bar of their height, others one of [`USUAL`].
const AS_CELLS: f32 = 360.0;
/// Height beside high cells.
const USUAL: f32 = 240.0;
/// Length of a tick.
const TICK: f32 = 4.0;
/// Between a tick and its label.
const LABEL_GAP: f32 = 4.0;
/// Pixels of the gradient.
const STEPS: u32 = 256;
/// Between the bar and the note below it.
const NOTE_GAP: f32 = 12.0;
/// What a hatched cell is.
const NOTE: &str = "no number";

/// The coloured area beside cells, with labels of this font size.
pub(super) fn place(cells: Rect, x: f32, font_size: f32) -> Rect {
    let height = if cells.height > AS_CELLS {
        USUAL
    } else {
        cells.height.max(LOWEST * sizes(font_size)[1])
    };
    Rect::new(x, cells.y, WIDTH, height)
}

fn tick_count(height: f32) -> usize {
    ((height / 40.0) as usize).clamp(2, 5)
}

/// Ticks with their labels; the highest and lowest say what the values are.
fn labels(spec: &HeatmapSpec, height: f32) -> Vec<(f32, String)> {
    let mut ticks: Vec<(f32, String)> = spec
        .colour_scale()
        .ticks(tick_count(height))
        .into_iter()
        .map(|tick| (tick.position, tick.label))
        .collect();
    let name = |tick: Option<&mut (f32, String)>, name: &str| {
        if let Some((_, label)) = tick.filter(|_| !name.is_empty()) {
            label.push(' ');
            label.push_str(name);
        }
    };
    name(ticks.last_mut(), &value_name(spec));
    name(ticks.first_mut(), &spec.low_name);
    ticks
}

/// How far the labels reach to the right of the coloured area, in points.
pub(super) fn text_extent(panels: &[HeatmapSpec], spec: &HeatmapSpec) -> f32 {
    let [_, _, small] = sizes(spec.font_size);
    let width = |text: &str| text_width(text, small, Weight::Regular);
    let labels = labels(spec, USUAL);
    let mut widest = labels
        .iter()
        .map(|(_, label)| width(label))
        .fold(0.0, f32::max);
    if has_holes(panels) {
        widest = widest.max(width(NOTE));
    }
    TICK + LABEL_GAP + widest.ceil()
}

fn value_name(spec: &HeatmapSpec) -> String {
    if spec.scaling == super::scale::Scaling::RowMax && !spec.diverging {
        return "of the row’s largest".to_owned();
    }
    spec.value_name.clone()
}

fn has_holes(panels: &[HeatmapSpec]) -> bool {
    panels.iter().any(|spec| spec.matrix.has_nan())
}

/// Height of the note on hatched cells below the bar; 0 if there are none.
pub(super) fn note_height(panels: &[HeatmapSpec]) -> f32 {
    if has_holes(panels) {
        NOTE_GAP + WIDTH
    } else {
        0.0
    }
}

/// Draws the bar of `spec` in its place; `panels` are all heatmaps that it is for.
pub(super) fn draw(scene: &mut Scene, panels: &[HeatmapSpec], spec: &HeatmapSpec, bar: Rect) {
    let scale = spec.colour_scale();
    let [_, _, small] = sizes(spec.font_size);
    let palette = &spec.palette;
    draw_gradient(scene, &scale, bar);
    for (position, label) in labels(spec, bar.height) {
        let y = bar.bottom() - position * bar.height;
        let x = bar.right();
        let stroke = Stroke::new(palette.muted, 0.75);
        scene.items.push(Item::line(
            Point::new(x, y),
            Point::new(x + TICK, y),
            stroke,
        ));
        let at = Point::new(x + TICK + LABEL_GAP, centred_digits(y, small));
        scene
            .items
            .push(Item::Text(small_text(label, at, small, palette)));
    }
    if has_holes(panels) {
        let swatch = Rect::new(bar.x, bar.bottom() + NOTE_GAP, WIDTH, WIDTH);
        scene.items.push(Item::filled(swatch, palette.placeholder));
        let stroke = Stroke::new(palette.muted, 0.75);
        scene.items.push(Item::Hatch {
            rect: swatch,
            stroke,
        });
        let at = Point::new(
            bar.right() + TICK + LABEL_GAP,
            centred_digits(swatch.centre().y, small),
        );
        scene
            .items
            .push(Item::Text(small_text(NOTE.to_owned(), at, small, palette)));
    }
}

fn small_text(text: String, position: Point, size: f32, palette: &Palette) -> TextItem {
    TextItem {
        position,
        text,
        size,
        weight: Weight::Regular,
        anchor: Anchor::Start,
        angle_degrees: 0.0,
        fill: palette.muted,
    }
}

fn draw_gradient(scene: &mut Scene, scale: &ColourScale, bar: Rect) {
    let colours = (0..STEPS).map(|step| scale.colour_at(1.0 - step as f32 / (STEPS - 1) as f32));
    scene.items.push(Item::Image(ImageItem {
        rect: bar,
        width: 1,
        height: STEPS,
        rgba: colours.flatten().collect(),
    }));
}
