//! Where the parts of a line chart stand.

use super::super::heatmap::{MARGIN, line_height, sizes, text_item};
use super::super::labels::{Label, LabelStyle, Side, along_columns, fit_level};
use super::super::scale::{Tick, ValueRange, round_step, step_ticks};
use super::super::scene::{Point, Rect, TextItem, Weight};
use super::super::text::{cap_height, centred_baseline, descent, text_width};
use super::CurveSpec;

/// Between the numbers and the plotted area.
const TICK_GAP: f32 = 8.0;
/// Between the plotted area and the labels of the steps.
const STEP_GAP: f32 = 8.0;
/// Below the title.
const HEAD_GAP: f32 = 8.0;
/// Below the legend, besides half of the uppermost number.
const LEGEND_BELOW: f32 = 12.0;
/// Nominal diameter of a mark.
pub(super) const MARK: f32 = 6.5;
/// Between two legend entries.
const LEGEND_GAP: f32 = 16.0;
/// Between a legend's mark and its name.
const LEGEND_MARK_GAP: f32 = 5.0;
/// Larger values count as infinite, so that the range has a finite extent.
const LARGEST: f32 = 1e30;
/// Longest label below a step, in font sizes.
const LABEL_LIMIT: f32 = 14.0;

/// A legend entry: the line's position in the specification, its mark's middle, its name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LegendEntry {
    pub(super) line: usize,
    pub(super) mark: Point,
    pub(super) name: TextItem,
}

/// A chart's geometry, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveLayout {
    /// Width of the whole figure.
    pub width: f32,
    /// Height of the whole figure.
    pub height: f32,
    /// The plotted area.
    pub plot: Rect,
    /// The values at the bottom and top of the plotted area.
    pub range: ValueRange,
    /// Values with a grid line.
    pub ticks: Vec<Tick>,
    /// Labels below the steps.
    pub step_labels: Vec<Label>,
    pub(super) title: Vec<TextItem>,
    pub(super) legend: Vec<LegendEntry>,
    pitch: f32,
    steps: usize,
}

impl CurveLayout {
    pub(super) fn new(spec: &CurveSpec, least_top: f32) -> Self {
        let [title_size, label_size, small] = sizes(spec.font_size);
        let [width, height] = spec.plot_size.map(|side| {
            if side.is_finite() {
                side.clamp(8.0, 8000.0)
            } else {
                8.0
            }
        });
        let steps = spec.place_for_steps();
        let pitch = spec.pitch.unwrap_or(width / steps.max(1) as f32);
        let (range, ticks) = vertical_range(spec, height);
        let numbers = ticks
            .iter()
            .map(|tick| text_width(&tick.label, small, Weight::Regular));
        let left = (MARGIN + numbers.fold(0.0, f32::max) + TICK_GAP).ceil();
        let mut layout = Self {
            width: 0.0,
            height: 0.0,
            plot: Rect::new(left, MARGIN, width, height),
            range,
            ticks,
            step_labels: Vec::new(),
            title: Vec::new(),
            legend: Vec::new(),
            pitch,
            steps,
        };
        let mut right = layout.put_title(spec, title_size, label_size);
        right = right.max(layout.put_legend(spec, label_size));
        layout.plot.y = layout.plot.y.max(least_top);
        layout.put_step_labels(spec, label_size, small);
        // Labels that begin left of the figure move everything.
        let extents: Vec<[f32; 4]> = layout.step_labels.iter().map(Label::extent).collect();
        let over = extents
            .iter()
            .map(|extent| MARGIN / 2.0 - extent[0])
            .fold(0.0, f32::max)
            .ceil();
        layout.shift(over);
        let label_right = extents.iter().map(|extent| extent[2] + over);
        right = label_right.fold((right + over).max(layout.plot.right()), f32::max);
        let bottom = extents
            .iter()
            .map(|extent| extent[3])
            .fold(layout.plot.bottom(), f32::max);
        layout.width = (right + MARGIN).ceil();
        layout.height = (bottom + MARGIN).ceil();
        layout
    }

    /// The horizontal place of a step, in points.
    pub fn x(&self, step: usize) -> f32 {
        self.plot.x + (step as f32 + 0.5) * self.pitch
    }

    /// The vertical place of a value, in points; values outside the range stay at its edge.
    pub fn y(&self, value: f32) -> f32 {
        let ValueRange { min, max } = self.range;
        self.plot.bottom() - ((value - min) / (max - min)).clamp(0.0, 1.0) * self.plot.height
    }

    /// Where the line of a step begins: below the label of the reference line, if there is one.
    pub fn top_of_step(&self, spec: &CurveSpec) -> f32 {
        let reference = spec.reference.as_ref().map(|line| self.y(line.value));
        let reference = reference.filter(|y| y.is_finite());
        reference.map_or(self.plot.y, |y| y.max(self.plot.y))
    }

    /// The step whose band a point of the plotted area is in.
    pub fn step_at(&self, point: Point) -> Option<usize> {
        let step = ((point.x - self.plot.x) / self.pitch) as usize;
        (self.plot.contains(point) && step < self.steps).then_some(step)
    }

    fn shift(&mut self, by: f32) {
        self.plot.x += by;
        let labels = self.step_labels.iter_mut().map(|label| &mut label.item);
        let names = self.legend.iter_mut().map(|entry| {
            entry.mark.x += by;
            &mut entry.name
        });
        for item in labels.chain(names).chain(&mut self.title) {
            item.position.x += by;
        }
    }

    /// Title and unit above the plotted area, which moves down; answers the right end.
    fn put_title(&mut self, spec: &CurveSpec, title_size: f32, label_size: f32) -> f32 {
        if spec.title.is_empty() {
            return 0.0;
        }
        let baseline = self.plot.y + line_height(title_size) - descent(title_size);
        let at = Point::new(self.plot.x, baseline);
        let title = text_item(
            &spec.title,
            at,
            title_size,
            Weight::SemiBold,
            spec.palette.text,
        );
        let mut right = at.x + text_width(&spec.title, title_size, Weight::SemiBold);
        self.title.push(title);
        if !spec.unit.is_empty() {
            let at = Point::new(right + 6.0, baseline);
            right = at.x + text_width(&spec.unit, label_size, Weight::Regular);
            self.title.push(text_item(
                &spec.unit,
                at,
                label_size,
                Weight::Regular,
                spec.palette.muted,
            ));
        }
        self.plot.y += line_height(title_size) + HEAD_GAP;
        right
    }

    /// Names of the lines above the plotted area, in as many rows as they need; answers the right end.
    fn put_legend(&mut self, spec: &CurveSpec, size: f32) -> f32 {
        if !spec.show_legend || spec.series.len() < 2 {
            return 0.0;
        }
        let row_height = line_height(size);
        let mut at = Point::new(self.plot.x, self.plot.y);
        let mut right = at.x;
        for (line, series) in spec.series.iter().enumerate() {
            let name_width = text_width(&series.name, size, Weight::Regular);
            let width = MARK + LEGEND_MARK_GAP + name_width;
            if at.x > self.plot.x && at.x + width > self.plot.right() {
                at = Point::new(self.plot.x, at.y + row_height);
            }
            let middle = at.y + row_height / 2.0;
            let name_at = Point::new(
                at.x + MARK + LEGEND_MARK_GAP,
                centred_baseline(middle, size),
            );
            self.legend.push(LegendEntry {
                line,
                mark: Point::new(at.x + MARK / 2.0, middle),
                name: text_item(
                    &series.name,
                    name_at,
                    size,
                    Weight::Regular,
                    spec.palette.text,
                ),
            });
            right = right.max(at.x + width);
            at.x += width + LEGEND_GAP;
        }
        self.plot.y = at.y + row_height + LEGEND_BELOW;
        right
    }

    fn put_step_labels(&mut self, spec: &CurveSpec, label_size: f32, small: f32) {
        let style = |size| LabelStyle {
            size,
            fill: spec.palette.text,
            muted: spec.palette.muted,
            limit: label_size * LABEL_LIMIT,
            current: spec.current_step,
        };
        // Level labels in the small size are easier to read than larger ones on a slope.
        let level = |size| fit_level(&spec.steps, &style(size), self.pitch);
        let smaller = self.pitch < label_size * 1.1 || (!level(label_size) && level(small));
        let style = style(if smaller { small } else { label_size });
        let edge = self.plot.bottom() + STEP_GAP;
        let x = |step: usize| self.x(step);
        self.step_labels = along_columns(
            &spec.steps,
            &style,
            spec.label_angle,
            self.pitch,
            Side::Bottom,
            edge,
            x,
        );
    }
}

/// The range of the vertical axis from one round value to another, with room above the reference line for
/// its label.
fn vertical_range(spec: &CurveSpec, height: f32) -> (ValueRange, Vec<Tick>) {
    let [_, _, small] = sizes(spec.font_size);
    let values = spec
        .series
        .iter()
        .flat_map(|line| line.values.iter().copied());
    let reference = spec.reference.as_ref().map(|line| line.value);
    let reference = reference.filter(|value| value.abs() <= LARGEST);
    let zero = spec.from_zero.then_some(0.0);
    let finite = values
        .chain(reference)
        .chain(zero)
        .filter(|value| value.abs() <= LARGEST);
    let (mut low, mut high) = finite
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
    if low > high {
        (low, high) = (0.0, 1.0);
    }
    if high - low <= high.abs().max(low.abs()) * 1e-4 {
        let half = if high == 0.0 { 0.5 } else { high.abs() * 0.1 };
        low = if spec.from_zero && low >= 0.0 {
            0.0
        } else {
            low - half
        };
        high += half;
    }
    let count = ((height / 36.0) as usize).clamp(2, 6);
    let step = round_step(f64::from(high) - f64::from(low), count);
    let whole = |value: f32, nudge: f64| f64::from(value) / step + nudge;
    let floor = (whole(low, 1e-4).floor() * step) as f32;
    let mut ceiling = (whole(high, -1e-4).ceil() * step) as f32;
    let room = (cap_height(small) + 8.0) / height.max(1.0) * (ceiling - floor);
    if let Some(value) = reference {
        ceiling = ceiling.max(value + room);
    }
    let range = ValueRange {
        min: floor,
        max: ceiling,
    };
    let mut ticks = step_ticks(range, step);
    if let Some(value) = reference {
        // No grid line through the label of the reference line.
        ticks.retain(|tick| tick.value <= value || tick.value > value + 1.2 * room);
    }
    (range, ticks)
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
