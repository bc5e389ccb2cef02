//! Where tokens and lines of a figure of links stand, and what is at a point.

use super::super::heatmap::{MARGIN, line_height, sizes, text_item};
use super::super::labels::{Label, LabelAngle, LabelStyle, Side, along_columns, is_mark};
use super::super::scene::{Anchor, Point, Rect, TextItem, Weight};
use super::super::text::{cap_height, descent, fit, text_width, visible_label, x_height};
use super::{LinkItem, LinksSpec};

/// Between two tokens side by side, in font sizes.
const WORD_GAP: f32 = 1.1;
/// Longest token, in font sizes.
const LIMIT: f32 = 14.0;
/// From one upright token to the next, in font sizes.
const UPRIGHT_PITCH: f32 = 1.25;
/// Between a token and the ends of its lines, in points.
const END_GAP: f32 = 5.0;
/// The width where nothing else is asked for.
const USUAL_WIDTH: f32 = 720.0;
/// Straight pieces of a curve.
const PIECES: usize = 16;
/// Weights above this are drawn as this.
const LARGEST: f32 = 1.0;

/// A token at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkToken {
    /// The label; its index is the row or column.
    pub label: Label,
    /// The area that belongs to it, in points.
    pub area: Rect,
    /// Where its lines end.
    pub end: Point,
}

/// A line at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkLine {
    /// The target token.
    pub row: usize,
    /// The source token.
    pub column: usize,
    /// Its weight.
    pub weight: f32,
    /// A curve as short straight pieces, from the source to the target.
    pub points: Vec<Point>,
    /// Its width in points.
    pub width: f32,
}

/// The geometry of a figure of links, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct LinksLayout {
    /// Width of the whole figure.
    pub width: f32,
    /// Height of the whole figure.
    pub height: f32,
    /// Title and subtitle, as far as there are.
    pub titles: Vec<TextItem>,
    /// Source tokens; where there is not room for all labels, some are missing.
    pub sources: Vec<LinkToken>,
    /// Target tokens, likewise.
    pub targets: Vec<LinkToken>,
    /// The lines of weights that reach the threshold, the lightest first.
    pub lines: Vec<LinkLine>,
}

/// The middles of tokens on a line, from 0, and how long it is.
struct Axis {
    middles: Vec<f32>,
    pitch: Option<f32>,
    length: f32,
}

impl LinksLayout {
    pub(super) fn new(spec: &LinksSpec) -> Self {
        let [title_size, size, _] = sizes(spec.font_size);
        let room = spec.available.unwrap_or(USUAL_WIDTH) - 2.0 * MARGIN;
        let (sources, targets) = (spec.matrix.columns(), spec.matrix.rows());
        let mut top = Axis::new(sources, size, room, None);
        let mut bottom = Axis::new(targets, size, room, spec.current_row);
        // One side turned and the other level would look like two figures.
        if top.pitch.is_some() != bottom.pitch.is_some() {
            top = Axis::upright(sources.len(), size, room);
            bottom = Axis::upright(targets.len(), size, room);
        }
        let length = top.length.max(bottom.length);
        let mut layout = Self {
            width: 0.0,
            height: 0.0,
            titles: Vec::new(),
            sources: Vec::new(),
            targets: Vec::new(),
            lines: Vec::new(),
        };
        let right = layout.put_titles(spec, title_size, size, length.max(size * 28.0).min(room));
        let mut y = layout.titles.last().map_or(MARGIN, |last| {
            last.position.y + descent(last.size) + size * 0.75
        });
        let shift = |axis: &Axis| MARGIN + (length - axis.length) / 2.0;
        let sides = [
            (sources, &top, None, Side::Top),
            (targets, &bottom, spec.current_row, Side::Bottom),
        ];
        for (tokens, axis, current, side) in sides {
            let placed = place(spec, tokens, axis, current, side, shift(axis), size);
            let extents = || placed.iter().map(|token| token.area);
            if side == Side::Top {
                y += extents().map(|area| -area.y).fold(0.0, f32::max).ceil();
                layout.sources = moved(placed, y);
                y += spec.height.clamp(20.0, 4000.0);
            } else {
                let bottom = extents().map(|area| area.bottom()).fold(0.0, f32::max);
                layout.targets = moved(placed, y);
                layout.height = (y + bottom + MARGIN).ceil();
            }
        }
        let ends = |axis: &Axis, y: f32| -> Vec<Point> {
            let x = shift(axis);
            axis.middles
                .iter()
                .map(|middle| Point::new(x + middle, y))
                .collect()
        };
        let gap = END_GAP;
        let from = ends(&top, y - spec.height.clamp(20.0, 4000.0) + gap);
        layout.put_lines(spec, &from, &ends(&bottom, y - gap));
        let areas = layout.sources.iter().chain(&layout.targets);
        let tokens = areas.map(|token| token.area.right()).fold(0.0, f32::max);
        layout.width = (right.max(MARGIN + length).max(tokens) + MARGIN).ceil();
        layout
    }

    fn put_titles(&mut self, spec: &LinksSpec, title_size: f32, size: f32, limit: f32) -> f32 {
        let mut baseline = MARGIN;
        let mut right = MARGIN;
        let lines = [
            (&spec.title, title_size, Weight::SemiBold, spec.palette.text),
            (&spec.subtitle, size, Weight::Regular, spec.palette.muted),
        ];
        for (text, size, weight, fill) in lines {
            if text.is_empty() {
                continue;
            }
            baseline += line_height(size);
            let cut = fit(text, size, weight, limit);
            right = right.max(MARGIN + text_width(&cut, size, weight));
            let at = Point::new(MARGIN, baseline - descent(size));
            self.titles.push(text_item(&cut, at, size, weight, fill));
        }
        right
    }

    fn put_lines(&mut self, spec: &LinksSpec, from: &[Point], to: &[Point]) {
        for ((row, column), &weight) in spec.matrix.values().indexed_iter() {
            let (Some(&from), Some(&to)) = (from.get(column), to.get(row)) else {
                continue;
            };
            let is_drawn = spec.is_visible(row) && weight > 0.0 && weight >= spec.threshold;
            if !is_drawn {
                continue;
            }
            let share = weight.min(LARGEST) / LARGEST;
            self.lines.push(LinkLine {
                row,
                column,
                weight,
                points: curve(from, to),
                width: (share * spec.widest_line).max(0.5),
            });
        }
        // Heavy lines lie on top; equal ones in reading order.
        self.lines.sort_by(|a, b| a.weight.total_cmp(&b.weight));
    }

    /// What is at a point: a token, or else the line that is nearest and at most `reach` points beside its edge.
    pub fn item_at(&self, point: Point, reach: f32) -> Option<LinkItem> {
        self.token_at(point).or_else(|| {
            let (row, column) = self.line_at(point, reach)?;
            Some(LinkItem::Line(row, column))
        })
    }

    /// The token whose area a point is in.
    pub fn token_at(&self, point: Point) -> Option<LinkItem> {
        let find = |tokens: &[LinkToken]| {
            let token = tokens.iter().find(|token| token.area.contains(point));
            token.map(|token| token.label.index)
        };
        find(&self.sources)
            .map(LinkItem::Source)
            .or_else(|| find(&self.targets).map(LinkItem::Target))
    }

    /// Row and column of the line nearest to a point, if its edge is at most `reach` points away; the heavier of
    /// two that are equally near.
    pub fn line_at(&self, point: Point, reach: f32) -> Option<(usize, usize)> {
        let distance = |line: &LinkLine| {
            let pieces = line.points.windows(2);
            let nearest = pieces.map(|ends| distance(point, ends[0], ends[1]));
            (nearest.fold(f32::INFINITY, f32::min) - line.width / 2.0).max(0.0)
        };
        let near = self.lines.iter().rev().map(|line| (line, distance(line)));
        let near = near.filter(|(_, distance)| *distance <= reach);
        let best = near.reduce(|best, next| if next.1 < best.1 { next } else { best });
        best.map(|(line, _)| (line.row, line.column))
    }
}

impl Axis {
    /// Tokens side by side if they fit in the room, else upright.
    fn new(tokens: &[String], size: f32, room: f32, current: Option<usize>) -> Self {
        let mut at = 0.0;
        let mut middles = Vec::with_capacity(tokens.len());
        for (index, token) in tokens.iter().enumerate() {
            let weight = weight(index, current);
            // A bold label may not need more room than a regular one has.
            let text = fit(&visible_label(token), size, weight, LIMIT * size).into_owned();
            let width = text_width(&text, size, Weight::SemiBold).max(size * 0.5);
            middles.push(at + width / 2.0);
            at += width + WORD_GAP * size;
        }
        let length = (at - WORD_GAP * size).max(0.0);
        if length <= room {
            Self {
                middles,
                pitch: None,
                length,
            }
        } else {
            Self::upright(tokens.len(), size, room)
        }
    }

    fn upright(count: usize, size: f32, room: f32) -> Self {
        let pitch = (UPRIGHT_PITCH * size).min(room.max(1.0) / count.max(1) as f32);
        Self {
            middles: (0..count).map(|n| (n as f32 + 0.5) * pitch).collect(),
            pitch: Some(pitch),
            length: count as f32 * pitch,
        }
    }
}

fn weight(index: usize, current: Option<usize>) -> Weight {
    if current == Some(index) {
        Weight::SemiBold
    } else {
        Weight::Regular
    }
}

/// Tokens on the line `y = 0`: above it on top, below it at the bottom.
fn place(
    spec: &LinksSpec,
    tokens: &[String],
    axis: &Axis,
    current: Option<usize>,
    side: Side,
    left: f32,
    size: f32,
) -> Vec<LinkToken> {
    let style = LabelStyle {
        size,
        fill: spec.palette.text,
        muted: spec.palette.muted,
        limit: LIMIT * size,
        current,
    };
    let labels = match axis.pitch {
        Some(pitch) => {
            let middle = |index: usize| left + axis.middles[index];
            along_columns(
                tokens,
                &style,
                LabelAngle::Upright,
                pitch,
                side,
                0.0,
                middle,
            )
        }
        None => level(tokens, &style, axis, side, left),
    };
    let token = |label: Label| {
        let middle = left + axis.middles[label.index];
        let [l, t, r, b] = label.extent();
        // The whole pitch of an upright token is its own.
        let half = axis
            .pitch
            .map_or((r - l) / 2.0 + size * 0.3, |pitch| pitch / 2.0);
        let area = Rect::new(middle - half, t - 3.0, 2.0 * half, b - t + 6.0);
        LinkToken {
            label,
            area,
            end: Point::new(middle, 0.0),
        }
    };
    labels.into_iter().map(token).collect()
}

fn level(tokens: &[String], style: &LabelStyle, axis: &Axis, side: Side, left: f32) -> Vec<Label> {
    let size = style.size;
    let baseline = match side {
        Side::Top => -descent(size),
        Side::Bottom => f32::midpoint(cap_height(size), x_height(size)) + descent(size) / 2.0,
    };
    let label = |(index, token): (usize, &String)| {
        let weight = weight(index, style.current);
        let text = fit(&visible_label(token), size, weight, style.limit).into_owned();
        let width = text_width(&text, size, weight);
        let muted = is_mark(token) && style.current != Some(index);
        let item = TextItem {
            position: Point::new(left + axis.middles[index], baseline),
            text,
            size,
            weight,
            anchor: Anchor::Middle,
            angle_degrees: 0.0,
            fill: if muted { style.muted } else { style.fill },
        };
        Label { index, item, width }
    };
    tokens.iter().enumerate().map(label).collect()
}

fn moved(mut tokens: Vec<LinkToken>, by: f32) -> Vec<LinkToken> {
    for token in &mut tokens {
        token.label.item.position.y += by;
        token.area.y += by;
        token.end.y += by;
    }
    tokens
}

/// A curve that leaves one point downwards and comes to the other from above.
fn curve(from: Point, to: Point) -> Vec<Point> {
    if (from.x - to.x).abs() < 0.01 {
        return vec![from, to];
    }
    let middle = f32::midpoint(from.y, to.y);
    let at = |step: usize| {
        let t = step as f32 / PIECES as f32;
        let s = 1.0 - t;
        let (a, b, c, d) = (s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t);
        Point::new(
            (a + b) * from.x + (c + d) * to.x,
            a * from.y + (b + c) * middle + d * to.y,
        )
    };
    (0..=PIECES).map(at).collect()
}

/// From a point to a straight piece.
fn distance(point: Point, a: Point, b: Point) -> f32 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let square = dx * dx + dy * dy;
    let t = if square > 0.0 {
        (((point.x - a.x) * dx + (point.y - a.y) * dy) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (point.x - a.x - t * dx).hypot(point.y - a.y - t * dy)
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
