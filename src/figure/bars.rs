//! One step's weights as bars, a group for each source token.

use super::curves::Series;
use super::heatmap::{MARGIN, line_height, sizes, text_item};
use super::palette::Palette;
use super::scale::{ValueRange, format_value, linear_ticks};
use super::scene::{Anchor, Item, Point, Rect, Scene, Stroke, TextItem, Weight};
use super::text::{centred_baseline, centred_digits, descent, fit, text_width, visible_label};

/// Longest token, in font sizes.
const LIMIT: f32 = 14.0;
/// Between a token and its bars, in points.
const LABEL_GAP: f32 = 8.0;
/// Between the end of a bar and its number, in points.
const VALUE_GAP: f32 = 4.0;
/// Length of a tick, in points.
const TICK: f32 = 4.0;
/// Thickness of one bar alone, in font sizes.
const ALONE: f32 = 0.9;
/// Thickness of one bar among several, in font sizes.
const AMONG: f32 = 0.92;
/// Between two groups, in font sizes.
const GROUP_GAP: f32 = 0.6;
/// Side of a legend's square, in font sizes.
const SQUARE: f32 = 0.7;
/// The length of a bar of the largest value where nothing else is asked for.
const USUAL_LENGTH: f32 = 280.0;

/// Bars as they are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct BarsSpec {
    /// In semi-bold above the bars; may be empty.
    pub title: String,
    /// Below the title; may be empty.
    pub subtitle: String,
    /// The source tokens `[S]`, from top to bottom.
    pub labels: Vec<String>,
    /// A value for each token, `[S]` or fewer; several series share the groups.
    pub series: Vec<Series>,
    /// The value of the longest bar; `None` is 1 for weights, else the largest value.
    pub largest: Option<f32>,
    /// Values below have no bar.
    pub threshold: f32,
    /// The token that is pointed at.
    pub current: Option<usize>,
    /// Whether numbers stand behind the bars.
    pub show_values: bool,
    /// The width to fit in, in points; `None` is about half a page.
    pub available: Option<f32>,
    /// Size of labels in points.
    pub font_size: f32,
    /// Colours.
    pub palette: Palette,
}

/// The geometry of bars, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct BarsLayout {
    /// Width of the whole figure.
    pub width: f32,
    /// Height of the whole figure.
    pub height: f32,
    /// The area of all bars, from 0 to the largest value.
    pub plot: Rect,
    /// The value of the longest bar.
    pub largest: f32,
    texts: Vec<TextItem>,
    legend: Vec<(usize, Rect)>,
    pitch: f32,
    thickness: f32,
    groups: usize,
}

impl BarsSpec {
    /// Bars with the usual settings.
    pub fn new(labels: Vec<String>, series: Vec<Series>) -> Self {
        Self {
            title: String::new(),
            subtitle: String::new(),
            labels,
            series,
            largest: None,
            threshold: 0.0,
            current: None,
            show_values: true,
            available: None,
            font_size: 12.0,
            palette: Palette::default(),
        }
    }

    /// Where everything stands.
    pub fn layout(&self) -> BarsLayout {
        BarsLayout::new(self)
    }

    /// The finished picture.
    pub fn scene(&self) -> Scene {
        self.scene_of(&self.layout())
    }

    fn largest_value(&self) -> f32 {
        let values = self.series.iter().flat_map(|series| &series.values);
        let finite = values.copied().filter(|value| value.is_finite());
        let found = finite.fold(0.0, f32::max);
        let usual = if found <= 1.0 + 1e-3 { 1.0 } else { found };
        self.largest
            .filter(|v| v.is_finite() && *v > 0.0)
            .unwrap_or(usual)
    }

    /// The picture with a layout of this specification.
    pub fn scene_of(&self, layout: &BarsLayout) -> Scene {
        let palette = &self.palette;
        let parts = [self.title.as_str(), self.subtitle.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let mut scene = Scene {
            title: if parts.is_empty() {
                "Weights of a step".to_owned()
            } else {
                parts.join(": ")
            },
            width: layout.width,
            height: layout.height,
            background: palette.background,
            items: Vec::new(),
        };
        self.draw_axis(&mut scene, layout);
        for (index, series) in self.series.iter().enumerate() {
            let fill = palette.series(series.index).0;
            for (group, &value) in series.values.iter().enumerate().take(self.labels.len()) {
                self.draw_bar(&mut scene, layout, [group, index], value, fill);
            }
        }
        for (series, square) in &layout.legend {
            let fill = palette.series(self.series[*series].index).0;
            scene.items.push(Item::filled(*square, fill));
        }
        scene
            .items
            .extend(layout.texts.iter().cloned().map(Item::Text));
        scene
    }

    fn draw_axis(&self, scene: &mut Scene, layout: &BarsLayout) {
        let [_, _, small] = sizes(self.font_size);
        let plot = layout.plot;
        let range = ValueRange {
            min: 0.0,
            max: layout.largest,
        };
        let count = ((plot.width / (small * 5.0)) as usize).clamp(1, 4);
        for tick in linear_ticks(range, count) {
            let x = plot.x + tick.position * plot.width;
            let colour = if tick.position < 1e-4 || self.show_values {
                self.palette.muted
            } else {
                self.palette.hairline
            };
            // Numbers say more than grid lines, and would stand across them.
            let is_axis = tick.position < 1e-4;
            let top = if is_axis || !self.show_values {
                plot.y
            } else {
                plot.bottom() - TICK
            };
            let (top, bottom) = (Point::new(x, top), Point::new(x, plot.bottom()));
            scene
                .items
                .push(Item::line(top, bottom, Stroke::new(colour, 0.75)));
            let at = Point::new(x, plot.bottom() + small * 1.3);
            let mut text = text_item(&tick.label, at, small, Weight::Regular, self.palette.muted);
            text.anchor = Anchor::Middle;
            scene.items.push(Item::Text(text));
        }
    }

    fn draw_bar(
        &self,
        scene: &mut Scene,
        layout: &BarsLayout,
        place: [usize; 2],
        value: f32,
        fill: super::Rgba,
    ) {
        let [_, _, small] = sizes(self.font_size);
        let rect = layout.bar(place[0], place[1], value);
        if value.is_nan() {
            let stroke = Stroke::new(self.palette.muted, 0.75);
            let rect = Rect::new(rect.x, rect.y, layout.plot.width, rect.height);
            scene.items.push(Item::Hatch { rect, stroke });
            return;
        }
        if value < self.threshold {
            return;
        }
        scene.items.push(Item::filled(rect, fill));
        if self.show_values && layout.thickness >= small * 0.8 {
            let at = Point::new(
                rect.right() + VALUE_GAP,
                centred_digits(rect.centre().y, small),
            );
            let text = format_value(value);
            let item = text_item(&text, at, small, Weight::Regular, self.palette.muted);
            scene.items.push(Item::Text(item));
        }
    }
}

impl BarsLayout {
    fn new(spec: &BarsSpec) -> Self {
        let [title_size, size, small] = sizes(spec.font_size);
        let bars = spec.series.len().max(1) as f32;
        let thickness = size * if bars > 1.0 { AMONG } else { ALONE };
        let pitch = bars * thickness + GROUP_GAP * size;
        let labels: Vec<(String, f32, Weight)> = spec
            .labels
            .iter()
            .enumerate()
            .map(|(index, token)| {
                let current = spec.current == Some(index);
                let weight = if current {
                    Weight::SemiBold
                } else {
                    Weight::Regular
                };
                let text = fit(&visible_label(token), size, weight, LIMIT * size).into_owned();
                let width = text_width(&text, size, weight);
                (text, width, weight)
            })
            .collect();
        let widest = labels
            .iter()
            .map(|(_, width, _)| *width)
            .fold(0.0, f32::max);
        let left = (MARGIN + widest + LABEL_GAP).ceil();
        let after = (VALUE_GAP + text_width("0.00", small, Weight::Regular)).ceil();
        let length = spec.available.map_or(USUAL_LENGTH, |available| {
            (available - left - after - MARGIN).max(4.0 * size)
        });
        let mut layout = Self {
            width: 0.0,
            height: 0.0,
            plot: Rect::new(left, MARGIN, length, 0.0),
            largest: spec.largest_value(),
            texts: Vec::new(),
            legend: Vec::new(),
            pitch,
            thickness,
            groups: spec.labels.len(),
        };
        let limit = left + length + after - MARGIN;
        let right = layout.put_head(spec, [title_size, size], limit);
        layout.plot.height = layout.groups as f32 * pitch;
        for (index, (text, _, weight)) in labels.iter().enumerate() {
            let middle = layout.plot.y + (index as f32 + 0.5) * pitch;
            let at = Point::new(left - LABEL_GAP, centred_baseline(middle, size));
            let mut item = text_item(text, at, size, *weight, spec.palette.text);
            item.anchor = Anchor::End;
            layout.texts.push(item);
        }
        layout.width = (right.max(left + length + after) + MARGIN).ceil();
        layout.height = (layout.plot.bottom() + small * 1.7 + MARGIN).ceil();
        layout
    }

    /// Title, subtitle and legend; answers their right end.
    fn put_head(&mut self, spec: &BarsSpec, [title_size, size]: [f32; 2], limit: f32) -> f32 {
        let mut y = MARGIN;
        let mut right = MARGIN;
        let lines = [
            (&spec.title, title_size, Weight::SemiBold, spec.palette.text),
            (&spec.subtitle, size, Weight::Regular, spec.palette.muted),
        ];
        for (text, size, weight, fill) in lines {
            if text.is_empty() {
                continue;
            }
            y += line_height(size);
            let cut = fit(text, size, weight, limit);
            right = right.max(MARGIN + text_width(&cut, size, weight));
            self.texts.push(text_item(
                &cut,
                Point::new(MARGIN, y - descent(size)),
                size,
                weight,
                fill,
            ));
        }
        if spec.series.len() > 1 {
            y += size * 0.5;
            let mut x = MARGIN;
            for (index, series) in spec.series.iter().enumerate() {
                let width = size * (SQUARE + 0.4) + text_width(&series.name, size, Weight::Regular);
                if x > MARGIN && x + width > MARGIN + limit {
                    (x, y) = (MARGIN, y + line_height(size));
                }
                let middle = y + line_height(size) / 2.0;
                let side = SQUARE * size;
                self.legend
                    .push((index, Rect::new(x, middle - side / 2.0, side, side)));
                let at = Point::new(x + side + 0.4 * size, centred_baseline(middle, size));
                self.texts.push(text_item(
                    &series.name,
                    at,
                    size,
                    Weight::Regular,
                    spec.palette.text,
                ));
                right = right.max(x + width);
                x += width + 1.3 * size;
            }
            y += line_height(size);
        }
        self.plot.y = if y > MARGIN { y + size * 0.6 } else { y };
        right
    }

    /// A bar of a group (source token) and series.
    pub fn bar(&self, group: usize, series: usize, value: f32) -> Rect {
        let share = (value / self.largest).clamp(0.0, 1.0);
        let share = if share.is_nan() { 0.0 } else { share };
        let whole = self.pitch - self.gap();
        let top = self.plot.y + group as f32 * self.pitch + (self.pitch - whole) / 2.0;
        Rect::new(
            self.plot.x,
            top + series as f32 * self.thickness,
            share * self.plot.width,
            self.thickness - if whole > self.thickness { 1.0 } else { 0.0 },
        )
    }

    fn gap(&self) -> f32 {
        let bars = ((self.pitch / self.thickness).floor()).max(1.0);
        self.pitch - bars * self.thickness
    }

    /// The source token whose band a point is in, label included.
    pub fn label_at(&self, point: Point) -> Option<usize> {
        let group = (point.y - self.plot.y) / self.pitch;
        let inside = group >= 0.0 && (0.0..self.width).contains(&point.x);
        (inside && (group as usize) < self.groups).then_some(group as usize)
    }
}

#[cfg(test)]
#[path = "bars_tests.rs"]
mod tests;
