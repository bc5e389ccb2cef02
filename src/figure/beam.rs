//! The hypotheses of a beam search: a row each, tokens that share a beginning drawn once.

use super::colormap::{Colormap, text_on};
use super::colour_scale::ColourScale;
use super::heatmap::{MARGIN, line_height, sizes, text_item};
use super::palette::Palette;
use super::scale::{Scaling, ValueRange};
use super::scene::{Anchor, Item, Point, Rect, Scene, Stroke, TextItem, Weight};
use super::text::{centred_baseline, descent, fit, text_width, visible_label};

/// Space beside a token in its box, in font sizes.
const PADDING: f32 = 0.5;
/// Between two boxes of a row, in font sizes: room for a line.
const STEP_GAP: f32 = 1.0;
/// Between two rows, in font sizes.
const ROW_GAP: f32 = 0.5;
/// The longest and the shortest limit of a token, in font sizes.
const LIMITS: [f32; 2] = [12.0, 1.6];
/// The width where nothing else is asked for.
const USUAL_WIDTH: f32 = 900.0;
/// What stands behind each row.
const HEADS: [&str; 2] = ["score", "ln p"];

/// One hypothesis.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamRow {
    /// Its tokens, with `</s>` if it is finished.
    pub tokens: Vec<String>,
    /// `ln p` of each token, in nats.
    pub log_probabilities: Vec<f32>,
    /// `ln p` of all, in nats.
    pub total: f64,
    /// The same, normalised for the length.
    pub score: f64,
}

/// Hypotheses as they are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamSpec {
    /// In semi-bold above the rows; may be empty.
    pub title: String,
    /// Below the title; may be empty.
    pub subtitle: String,
    /// The hypotheses, best first.
    pub rows: Vec<BeamRow>,
    /// The colours of probabilities from 0 to 1.
    pub colormap: Colormap,
    /// The width to fit in, in points: longer tokens are cut. `None` is about a page.
    pub available: Option<f32>,
    /// Size of labels in points.
    pub font_size: f32,
    /// Colours.
    pub palette: Palette,
}

/// A token at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamBox {
    /// The first hypothesis that has it.
    pub row: usize,
    /// Its position in the sentence.
    pub step: usize,
    /// Where it stands, in points.
    pub rect: Rect,
    /// The row of the box before it; `None` at the beginning.
    pub parent_row: Option<usize>,
    /// Its label, which may be cut.
    pub text: String,
    /// Its probability.
    pub probability: f32,
}

/// The geometry of hypotheses, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamLayout {
    /// Width of the whole figure.
    pub width: f32,
    /// Height of the whole figure.
    pub height: f32,
    /// Every token once, row after row.
    pub boxes: Vec<BeamBox>,
    texts: Vec<TextItem>,
    columns: Vec<f32>,
}

impl BeamSpec {
    /// Hypotheses with the usual settings.
    pub fn new(rows: Vec<BeamRow>) -> Self {
        Self {
            title: String::new(),
            subtitle: String::new(),
            rows,
            colormap: Colormap::default(),
            available: None,
            font_size: 12.0,
            palette: Palette::default(),
        }
    }

    /// Where everything stands.
    pub fn layout(&self) -> BeamLayout {
        BeamLayout::new(self)
    }

    /// The finished picture.
    pub fn scene(&self) -> Scene {
        self.scene_of(&self.layout())
    }

    /// The picture with a layout of this specification.
    pub fn scene_of(&self, layout: &BeamLayout) -> Scene {
        let parts = [self.title.as_str(), self.subtitle.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let mut scene = Scene {
            title: if parts.is_empty() {
                "Hypotheses".to_owned()
            } else {
                parts.join(": ")
            },
            width: layout.width,
            height: layout.height,
            background: self.palette.background,
            items: Vec::new(),
        };
        let line = Stroke::new(self.palette.muted, 1.0);
        for bead in &layout.boxes {
            if let Some(points) = layout.connection(bead) {
                let dash = None;
                scene.items.push(Item::Polyline {
                    points,
                    stroke: line,
                    dash,
                });
            }
        }
        let scale = self.colour_scale();
        let [_, size, _] = sizes(self.font_size);
        for bead in &layout.boxes {
            let fill = scale.colour(bead.probability, 1.0);
            let fill = fill.unwrap_or(self.palette.placeholder);
            scene.items.push(Item::filled(bead.rect, fill));
        }
        for bead in &layout.boxes {
            let fill = scale.colour(bead.probability, 1.0);
            let middle = bead.rect.centre();
            let at = Point::new(middle.x, centred_baseline(middle.y, size));
            let ink = fill.map_or(self.palette.text, text_on);
            let mut item = text_item(&bead.text, at, size, Weight::Regular, ink);
            item.anchor = Anchor::Middle;
            scene.items.push(Item::Text(item));
        }
        scene
            .items
            .extend(layout.texts.iter().cloned().map(Item::Text));
        scene
    }

    /// How probabilities become colours.
    pub fn colour_scale(&self) -> ColourScale {
        ColourScale {
            colormap: self.colormap,
            scaling: Scaling::Linear,
            range: ValueRange::UNIT,
            diverging: None,
        }
    }

    /// The earlier row with which a row shares most tokens from the beginning, and how many.
    fn shared(&self, row: usize) -> (usize, usize) {
        let own = &self.rows[row].tokens;
        let common = |other: usize| {
            let pairs = own.iter().zip(&self.rows[other].tokens);
            pairs.take_while(|(a, b)| a == b).count()
        };
        // The first of equal ones.
        (0..row)
            .map(|other| (other, common(other)))
            .rev()
            .max_by_key(|(_, count)| *count)
            .unwrap_or((0, 0))
    }
}

impl BeamLayout {
    fn new(spec: &BeamSpec) -> Self {
        let [title_size, size, small] = sizes(spec.font_size);
        let numbers: Vec<[String; 2]> = spec
            .rows
            .iter()
            .map(|row| [row.score, row.total].map(|v| format!("{v:.2}").replace('-', "−")))
            .collect();
        let number_width = |column: usize| {
            let texts = numbers.iter().map(|row| row[column].as_str());
            let widths = texts
                .chain([HEADS[column]])
                .map(|text| text_width(text, small, Weight::Regular));
            widths.fold(0.0, f32::max).ceil() + 1.4 * small
        };
        let behind = number_width(0) + number_width(1);
        let room = spec.available.unwrap_or(USUAL_WIDTH) - 2.0 * MARGIN - behind;
        let (columns, limit) = column_widths(spec, size, room);
        let mut layout = Self {
            width: 0.0,
            height: 0.0,
            boxes: Vec::new(),
            texts: Vec::new(),
            columns: Vec::new(),
        };
        let mut x = MARGIN;
        for width in &columns {
            layout.columns.push(x);
            x += width + STEP_GAP * size;
        }
        let tokens_end = x - if columns.is_empty() {
            0.0
        } else {
            STEP_GAP * size
        };
        let right = tokens_end + behind;
        let mut y = layout.put_titles(spec, [title_size, size], right - MARGIN);
        for (column, head) in HEADS.iter().enumerate() {
            let end =
                tokens_end + number_width(0) + if column == 1 { number_width(1) } else { 0.0 };
            layout.put_number(head, Point::new(end, y + small), small, spec);
        }
        y += line_height(small);
        let height = line_height(size) + 0.35 * size;
        for (row, numbers) in numbers.iter().enumerate() {
            layout.put_row(spec, row, Rect::new(0.0, y, 0.0, height), &columns, limit);
            let baseline = centred_baseline(y + height / 2.0, small);
            for (column, number) in numbers.iter().enumerate() {
                let end =
                    tokens_end + number_width(0) + if column == 1 { number_width(1) } else { 0.0 };
                layout.put_number(number, Point::new(end, baseline), small, spec);
            }
            y += height + ROW_GAP * size;
        }
        layout.width = (right + MARGIN).ceil();
        layout.height = (y - ROW_GAP * size + MARGIN).ceil();
        layout
    }

    fn put_titles(&mut self, spec: &BeamSpec, [title_size, size]: [f32; 2], limit: f32) -> f32 {
        let mut y = MARGIN;
        let lines = [
            (&spec.title, title_size, Weight::SemiBold, spec.palette.text),
            (&spec.subtitle, size, Weight::Regular, spec.palette.muted),
        ];
        for (text, size, weight, fill) in lines {
            if !text.is_empty() {
                y += line_height(size);
                let cut = fit(text, size, weight, limit);
                let at = Point::new(MARGIN, y - descent(size));
                self.texts.push(text_item(&cut, at, size, weight, fill));
            }
        }
        y + if y > MARGIN { 0.4 * size } else { 0.0 }
    }

    fn put_number(&mut self, text: &str, at: Point, size: f32, spec: &BeamSpec) {
        let mut item = text_item(text, at, size, Weight::Regular, spec.palette.muted);
        item.anchor = Anchor::End;
        self.texts.push(item);
    }

    fn put_row(&mut self, spec: &BeamSpec, row: usize, line: Rect, widths: &[f32], limit: f32) {
        let [_, size, _] = sizes(spec.font_size);
        let (other, shared) = spec.shared(row);
        let hypothesis = &spec.rows[row];
        for (step, token) in hypothesis.tokens.iter().enumerate().skip(shared) {
            let owner = |row: usize, step: usize| {
                // Where the shared beginning was drawn: its own row may share it, too.
                let mut row = row;
                while row > 0 {
                    let (earlier, count) = spec.shared(row);
                    if step >= count {
                        break;
                    }
                    row = earlier;
                }
                row
            };
            let parent_row = (step > 0).then(|| {
                if step == shared {
                    owner(other, step - 1)
                } else {
                    row
                }
            });
            let log = hypothesis
                .log_probabilities
                .get(step)
                .copied()
                .unwrap_or(f32::NAN);
            self.boxes.push(BeamBox {
                row,
                step,
                rect: Rect::new(self.columns[step], line.y, widths[step], line.height),
                parent_row,
                text: fit(&visible_label(token), size, Weight::Regular, limit).into_owned(),
                probability: log.exp(),
            });
        }
    }

    /// From the box before to this one: level, or down beside it and then level.
    fn connection(&self, bead: &BeamBox) -> Option<Vec<Point>> {
        let parent_row = bead.parent_row?;
        let parent = self
            .boxes
            .iter()
            .find(|other| other.row == parent_row && other.step + 1 == bead.step)?;
        let from = Point::new(parent.rect.right(), parent.rect.centre().y);
        let to = Point::new(bead.rect.x, bead.rect.centre().y);
        if (from.y - to.y).abs() < 0.01 {
            return Some(vec![from, to]);
        }
        let turn = f32::midpoint(from.x, to.x);
        Some(vec![
            from,
            Point::new(turn, from.y),
            Point::new(turn, to.y),
            to,
        ])
    }

    /// The token whose box a point is in: row and step.
    pub fn token_at(&self, point: Point) -> Option<(usize, usize)> {
        let found = self.boxes.iter().find(|bead| bead.rect.contains(point))?;
        Some((found.row, found.step))
    }
}

/// The widths of the boxes of each step, and the longest token with which all fit in the room (as far as letters
/// are left).
fn column_widths(spec: &BeamSpec, size: f32, room: f32) -> (Vec<f32>, f32) {
    let steps = spec
        .rows
        .iter()
        .map(|row| row.tokens.len())
        .max()
        .unwrap_or(0);
    let widest = |step: usize| {
        let tokens = spec.rows.iter().filter_map(|row| row.tokens.get(step));
        let widths = tokens.map(|token| text_width(&visible_label(token), size, Weight::Regular));
        widths.fold(0.0, f32::max)
    };
    let natural: Vec<f32> = (0..steps).map(widest).collect();
    let gaps = (steps.saturating_sub(1)) as f32 * STEP_GAP * size;
    let total = |limit: f32| -> f32 {
        let boxes = natural
            .iter()
            .map(|width| width.min(limit) + 2.0 * PADDING * size);
        boxes.sum::<f32>() + gaps
    };
    let [most, least] = LIMITS.map(|limit| limit * size);
    let mut limit = most;
    while total(limit) > room && limit > least {
        limit = (limit - 0.1 * size).max(least);
    }
    let widths = natural
        .iter()
        .map(|width| width.min(limit) + 2.0 * PADDING * size);
    (widths.collect(), limit)
}

#[cfg(test)]
#[path = "beam_tests.rs"]
mod tests;
