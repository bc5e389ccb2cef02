//! Labels along an axis: level where they fit, else slanted, else upright, and thinned out when even that is
//! too dense. Placed labels never overlap.

use serde::{Deserialize, Serialize};

use super::scene::{Anchor, Point, Rgba, TextItem, Weight};
use super::text::{cap_height, descent, fit, text_width, visible_label, x_height};

/// Least distance of two baselines over the font size.
const LINE_PITCH: f32 = 1.0;
/// Least space between two level labels, in points.
const WORD_GAP: f32 = 4.0;

/// How labels above or below columns are turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelAngle {
    /// The first of level, slanted, upright that shows every label.
    #[default]
    Auto,
    /// 0°.
    Level,
    /// 45°, rising to the right.
    Slanted,
    /// 90°, read from below.
    Upright,
}

impl LabelAngle {
    /// All angles.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Level, Self::Slanted, Self::Upright];

    /// The name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Level => "level",
            Self::Slanted => "slanted",
            Self::Upright => "upright",
        }
    }

    /// The angle of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|angle| angle.name() == name)
    }
}

/// The side of the picture on which labels stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Top,
    Bottom,
}

/// How labels look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LabelStyle {
    pub(super) size: f32,
    pub(super) fill: Rgba,
    /// For end marks such as `</s>`.
    pub(super) muted: Rgba,
    /// The longest label in points; a longer one is cut.
    pub(super) limit: f32,
    /// The index of the label to stress.
    pub(super) current: Option<usize>,
}

/// A label at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The row, column or step it belongs to.
    pub index: usize,
    /// Its text, which may be cut.
    pub item: TextItem,
    /// Width of the text before it is turned, in points.
    pub width: f32,
}

impl Label {
    /// The corners of the inked area in points, turned as the label is: from the top of the capitals to the
    /// bottom of the descenders.
    pub fn corners(&self) -> [Point; 4] {
        let size = self.item.size;
        let start = match self.item.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -self.width / 2.0,
            Anchor::End => -self.width,
        };
        let (top, bottom) = (-cap_height(size), descent(size));
        let (sin, cos) = self.item.angle_degrees.to_radians().sin_cos();
        let end = start + self.width;
        [(start, top), (end, top), (end, bottom), (start, bottom)].map(|(x, y)| {
            Point::new(
                self.item.position.x + x * cos - y * sin,
                self.item.position.y + x * sin + y * cos,
            )
        })
    }

    /// The extent of the inked area: left, top, right, bottom, in points.
    pub fn extent(&self) -> [f32; 4] {
        let start = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
        self.corners().iter().fold(start, |[l, t, r, b], point| {
            [
                l.min(point.x),
                t.min(point.y),
                r.max(point.x),
                b.max(point.y),
            ]
        })
    }
}

/// Whether a token marks the end or the beginning and is no word.
pub(super) fn is_mark(token: &str) -> bool {
    matches!(
        token,
        "</s>" | "<s>" | "<eos>" | "<bos>" | "<pad>" | "[SEP]" | "[CLS]" | "<|endoftext|>"
    )
}

impl LabelStyle {
    fn item(&self, index: usize, token: &str) -> (TextItem, f32) {
        let weight = self.weight(index);
        let visible = visible_label(token);
        let text = fit(&visible, self.size, weight, self.limit).into_owned();
        let width = text_width(&text, self.size, weight);
        let muted = is_mark(token) && self.current != Some(index);
        let item = TextItem {
            position: Point::default(),
            text,
            size: self.size,
            weight,
            anchor: Anchor::Start,
            angle_degrees: 0.0,
            fill: if muted { self.muted } else { self.fill },
        };
        (item, width)
    }

    fn weight(&self, index: usize) -> Weight {
        if self.current == Some(index) {
            Weight::SemiBold
        } else {
            Weight::Regular
        }
    }
}

/// Every how manieth label is shown so that they are `needed` points apart, on a pitch in points.
fn every(needed: f32, pitch: f32) -> usize {
    if pitch <= 0.0 {
        return usize::MAX;
    }
    (needed / pitch - 1e-3).ceil().max(1.0) as usize
}

/// Labels on lines of their own beside the rows, right-aligned at `right`. `centre(index)` is a row's middle.
pub(super) fn beside_rows(
    tokens: &[String],
    style: &LabelStyle,
    pitch: f32,
    right: f32,
    centre: impl Fn(usize) -> f32,
) -> Vec<Label> {
    let step = every(style.size * LINE_PITCH, pitch);
    shown(tokens.len(), step, style.current)
        .into_iter()
        .map(|index| {
            let (mut item, width) = style.item(index, &tokens[index]);
            item.anchor = Anchor::End;
            let rise = (cap_height(style.size) + x_height(style.size)) / 4.0;
            item.position = Point::new(right, centre(index) + rise);
            Label { index, item, width }
        })
        .collect()
}

/// The indices to show: every `step`-th, and the current one in place of those too near to it.
fn shown(count: usize, step: usize, current: Option<usize>) -> Vec<usize> {
    let current = current.filter(|&index| index < count);
    let kept = (0..count)
        .step_by(step.min(count.max(1)))
        .filter(|&index| current.is_none_or(|current| index.abs_diff(current) >= step));
    let mut kept: Vec<usize> = kept.chain(current).collect();
    kept.sort_unstable();
    kept
}

/// The angle that shows every label, or the one asked for.
fn resolve(angle: LabelAngle, widest: f32, size: f32, pitch: f32) -> LabelAngle {
    let line = size * LINE_PITCH;
    match angle {
        LabelAngle::Auto if widest + WORD_GAP <= pitch => LabelAngle::Level,
        LabelAngle::Auto if line * std::f32::consts::SQRT_2 <= pitch => LabelAngle::Slanted,
        LabelAngle::Auto => LabelAngle::Upright,
        fixed => fixed,
    }
}

/// Whether all labels fit side by side without being turned.
pub(super) fn fit_level(tokens: &[String], style: &LabelStyle, pitch: f32) -> bool {
    let mut widths = tokens
        .iter()
        .enumerate()
        .map(|(index, token)| style.item(index, token).1);
    widths.all(|width| width + WORD_GAP <= pitch)
}

/// Labels above (or below) columns. `edge` is the height they stand on (or hang from); `centre(index)` is a
/// column's middle.
pub(super) fn along_columns(
    tokens: &[String],
    style: &LabelStyle,
    angle: LabelAngle,
    pitch: f32,
    side: Side,
    edge: f32,
    centre: impl Fn(usize) -> f32,
) -> Vec<Label> {
    let measured: Vec<(TextItem, f32)> = tokens
        .iter()
        .enumerate()
        .map(|(index, token)| style.item(index, token))
        .collect();
    let widest = measured.iter().map(|(_, width)| *width).fold(0.0, f32::max);
    let angle = resolve(angle, widest, style.size, pitch);
    let line = style.size * LINE_PITCH;
    let needed = match angle {
        LabelAngle::Level | LabelAngle::Auto => widest + WORD_GAP,
        LabelAngle::Slanted => line * std::f32::consts::SQRT_2,
        LabelAngle::Upright => line,
    };
    let step = every(needed, pitch);
    shown(tokens.len(), step, style.current)
        .into_iter()
        .map(|index| {
            let (mut item, width) = measured[index].clone();
            let top = side == Side::Top;
            (item.angle_degrees, item.anchor) = match angle {
                LabelAngle::Level | LabelAngle::Auto => (0.0, Anchor::Middle),
                LabelAngle::Slanted if top => (-45.0, Anchor::Start),
                LabelAngle::Slanted => (-45.0, Anchor::End),
                LabelAngle::Upright if top => (-90.0, Anchor::Start),
                LabelAngle::Upright => (-90.0, Anchor::End),
            };
            item.position = baseline(angle, side, style.size, centre(index), edge);
            Label { index, item, width }
        })
        .collect()
}

/// Where a label's anchor stands so that its letters are centred on the column.
fn baseline(angle: LabelAngle, side: Side, size: f32, centre: f32, edge: f32) -> Point {
    let half = (cap_height(size) + x_height(size)) / 4.0;
    match (angle, side) {
        (LabelAngle::Level | LabelAngle::Auto, Side::Top) => {
            Point::new(centre, edge - descent(size) / 2.0)
        }
        (LabelAngle::Level | LabelAngle::Auto, Side::Bottom) => {
            Point::new(centre, edge + cap_height(size))
        }
        // The baseline lies half a letter below the line through the column's middle.
        (LabelAngle::Slanted, Side::Top) => {
            let shift = half * std::f32::consts::FRAC_1_SQRT_2;
            Point::new(centre + shift, edge - descent(size) * 0.7 + shift / 2.0)
        }
        (LabelAngle::Slanted, Side::Bottom) => {
            let shift = half * std::f32::consts::FRAC_1_SQRT_2;
            Point::new(centre + shift, edge + cap_height(size) * 0.7)
        }
        (LabelAngle::Upright, _) => Point::new(centre + half, edge),
    }
}

#[cfg(test)]
#[path = "labels_tests.rs"]
mod tests;
