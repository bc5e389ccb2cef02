//! From a line chart's layout to its scene.

use super::super::heatmap::sizes;
use super::super::scene::{Anchor, Item, Point, Rgba, Scene, Stroke, TextItem, Weight};
use super::super::text::centred_digits;
use super::layout::MARK;
use super::{CurveLayout, CurveSpec, Series};

/// Width of a curve.
const LINE: f32 = 1.75;
/// Width of axes and grid lines.
const HAIR: f32 = 0.75;
/// More steps than this get marks at some of them only.
const MARKED_STEPS: usize = 24;

pub(super) fn scene(spec: &CurveSpec, layout: &CurveLayout) -> Scene {
    let mut scene = Scene {
        title: if spec.title.is_empty() {
            "Curves".to_owned()
        } else {
            spec.title.clone()
        },
        width: layout.width,
        height: layout.height,
        background: spec.palette.background,
        items: Vec::new(),
    };
    draw_axes(&mut scene, spec, layout);
    draw_current(&mut scene, spec, layout);
    draw_reference(&mut scene, spec, layout);
    for line in &spec.series {
        draw_line(&mut scene, spec, layout, line);
    }
    for entry in &layout.legend {
        let (fill, shape) = spec.palette.series(spec.series[entry.line].index);
        scene.items.push(Item::Marker {
            centre: entry.mark,
            shape,
            size: MARK,
            fill,
        });
        scene.items.push(Item::Text(entry.name.clone()));
    }
    let labels = layout.step_labels.iter();
    let labels = labels.filter(|label| spec.is_visible(label.index));
    let labels = labels.map(|label| &label.item);
    let texts = layout.title.iter().chain(labels);
    scene.items.extend(texts.cloned().map(Item::Text));
    scene
}

fn small_text(text: &str, position: Point, size: f32, anchor: Anchor, fill: Rgba) -> Item {
    Item::Text(TextItem {
        position,
        text: text.to_owned(),
        size,
        weight: Weight::Regular,
        anchor,
        angle_degrees: 0.0,
        fill,
    })
}

/// Grid lines with their numbers; the lowest is the axis.
fn draw_axes(scene: &mut Scene, spec: &CurveSpec, layout: &CurveLayout) {
    let [_, _, small] = sizes(spec.font_size);
    let plot = layout.plot;
    for tick in &layout.ticks {
        let y = layout.y(tick.value);
        let is_axis = tick.position < 1e-4;
        let colour = if is_axis {
            spec.palette.muted
        } else {
            spec.palette.hairline
        };
        scene.items.push(Item::line(
            Point::new(plot.x, y),
            Point::new(plot.right(), y),
            Stroke::new(colour, HAIR),
        ));
        let at = Point::new(plot.x - 8.0, centred_digits(y, small));
        scene.items.push(small_text(
            &tick.label,
            at,
            small,
            Anchor::End,
            spec.palette.muted,
        ));
    }
}

fn draw_current(scene: &mut Scene, spec: &CurveSpec, layout: &CurveLayout) {
    if let Some(step) = spec
        .current_step
        .filter(|&step| step < spec.place_for_steps())
    {
        let (x, plot) = (layout.x(step), layout.plot);
        scene.items.push(Item::line(
            Point::new(x, layout.top_of_step(spec)),
            Point::new(x, plot.bottom()),
            Stroke::new(spec.palette.accent, 1.0),
        ));
    }
}

fn draw_reference(scene: &mut Scene, spec: &CurveSpec, layout: &CurveLayout) {
    let Some(line) = spec
        .reference
        .as_ref()
        .filter(|line| line.value.is_finite())
    else {
        return;
    };
    let [_, _, small] = sizes(spec.font_size);
    let (y, plot) = (layout.y(line.value), layout.plot);
    scene.items.push(Item::Polyline {
        points: vec![Point::new(plot.x, y), Point::new(plot.right(), y)],
        stroke: Stroke::new(spec.palette.muted, 1.0),
        dash: Some([4.0, 3.0]),
    });
    let at = Point::new(plot.right(), y - 4.0);
    scene.items.push(small_text(
        &line.label,
        at,
        small,
        Anchor::End,
        spec.palette.muted,
    ));
}

fn draw_line(scene: &mut Scene, spec: &CurveSpec, layout: &CurveLayout, line: &Series) {
    let (colour, shape) = spec.palette.series(line.index);
    let mut points = Vec::new();
    let mut flush = |points: &mut Vec<Point>| {
        if points.len() > 1 {
            scene.items.push(Item::Polyline {
                points: std::mem::take(points),
                stroke: Stroke::new(colour, LINE),
                dash: None,
            });
        }
        points.clear();
    };
    let mut marks = Vec::new();
    let every = line.values.len().div_ceil(MARKED_STEPS).max(1);
    let value = |step: usize| line.values.get(step).filter(|_| spec.is_visible(step));
    let exists = |step: usize| value(step).is_some_and(|value| value.is_finite());
    for (step, &value) in line.values.iter().enumerate() {
        if !exists(step) {
            flush(&mut points);
            continue;
        }
        let point = Point::new(layout.x(step), layout.y(value));
        points.push(point);
        // A value without neighbours would not be seen otherwise.
        let alone = !exists(step + 1) && (step == 0 || !exists(step - 1));
        if step.is_multiple_of(every) || alone {
            marks.push(point);
        }
    }
    flush(&mut points);
    // A rim in the page's colour keeps a mark apart from the lines that cross it.
    let rim = marks.iter().map(|&centre| Item::Marker {
        centre,
        shape,
        size: MARK + 3.0,
        fill: spec.palette.surface,
    });
    let body = marks.iter().map(|&centre| Item::Marker {
        centre,
        shape,
        size: MARK,
        fill: colour,
    });
    scene.items.extend(rim.chain(body));
}
