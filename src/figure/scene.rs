//! A finished picture as plain data: what the window paints and what the files hold.
//!
//! Lengths are points (1/72 inch), `x` grows to the right and `y` downwards. Items are drawn in order, later
//! ones on top. Every text stands on its alphabetic baseline, so that a back end needs no font metrics.

use std::sync::Arc;

use serde::{Serialize, Serializer};

/// Red, green, blue, opacity in sRGB, not premultiplied.
pub type Rgba = [u8; 4];

/// A place, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Point {
    /// From the left edge.
    pub x: f32,
    /// From the top edge.
    pub y: f32,
}

impl Point {
    /// The point `(x, y)`.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }
}

/// An upright rectangle, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Rect {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Extent to the right, not negative.
    pub width: f32,
    /// Extent downwards, not negative.
    pub height: f32,
}

impl Rect {
    /// The rectangle with this corner (left, top) and extent.
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    /// Right edge.
    pub fn right(&self) -> f32 {
        self.x + self.width
    }

    /// Bottom edge.
    pub fn bottom(&self) -> f32 {
        self.y + self.height
    }

    /// The middle.
    pub fn centre(&self) -> Point {
        Point::new(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Whether a point is inside; the right and bottom edges are not.
    pub fn contains(&self, point: Point) -> bool {
        (self.x..self.right()).contains(&point.x) && (self.y..self.bottom()).contains(&point.y)
    }

    /// The rectangle grown by `by` on each side.
    #[must_use]
    pub fn expanded(&self, by: f32) -> Self {
        Self::new(
            self.x - by,
            self.y - by,
            (self.width + 2.0 * by).max(0.0),
            (self.height + 2.0 * by).max(0.0),
        )
    }

    /// Whether the insides of two rectangles meet.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }
}

/// A line's colour and width.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stroke {
    /// Colour.
    pub colour: Rgba,
    /// Width in points.
    pub width: f32,
}

impl Stroke {
    /// A stroke.
    pub const fn new(colour: Rgba, width: f32) -> Self {
        Self { colour, width }
    }
}

/// The shape of a mark on a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkerShape {
    /// A disc.
    Circle,
    /// An upright square.
    Square,
    /// A triangle with its tip up.
    Triangle,
    /// A square on its corner.
    Diamond,
    /// Two crossed strokes.
    Cross,
    /// A triangle with its tip to the right: "here".
    Pointer,
}

impl MarkerShape {
    /// The corners of the filled shape of nominal diameter `size` points; empty for the circle, which has
    /// none. All shapes have about the area of the circle, so that none looks more important.
    pub fn outline(self, centre: Point, size: f32) -> Vec<Point> {
        let r = size / 2.0;
        let corners: &[(f32, f32)] = match self {
            Self::Circle => &[],
            Self::Square => &[(-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89)],
            Self::Triangle => &[(0.0, -1.2), (1.2, 0.88), (-1.2, 0.88)],
            Self::Diamond => &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
            Self::Cross => &[
                (-0.7, -1.1),
                (0.0, -0.4),
                (0.7, -1.1),
                (1.1, -0.7),
                (0.4, 0.0),
                (1.1, 0.7),
                (0.7, 1.1),
                (0.0, 0.4),
                (-0.7, 1.1),
                (-1.1, 0.7),
                (-0.4, 0.0),
                (-1.1, -0.7),
            ],
            Self::Pointer => &[(0.9, 0.0), (-0.7, 1.0), (-0.7, -1.0)],
        };
        corners
            .iter()
            .map(|(x, y)| Point::new(centre.x + x * r, centre.y + y * r))
            .collect()
    }
}

/// The weight of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// 400.
    #[default]
    Regular,
    /// 600.
    SemiBold,
}

/// Which part of a text stands at its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// The beginning.
    #[default]
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// One line of text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TextItem {
    /// The anchor on the alphabetic baseline.
    pub position: Point,
    /// The characters.
    pub text: String,
    /// Font size in points.
    pub size: f32,
    /// Weight.
    pub weight: Weight,
    /// What of the text stands at the position.
    pub anchor: Anchor,
    /// Turned clockwise around the position, in degrees; −45 rises to the right.
    pub angle_degrees: f32,
    /// Colour.
    pub fill: Rgba,
}

/// Pixels that are drawn crisp, one for each cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImageItem {
    /// Where the whole image stands.
    pub rect: Rect,
    /// Pixels in a row.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// `width × height × 4` bytes, row after row from the top, not premultiplied.
    #[serde(serialize_with = "serialize_pixels")]
    pub rgba: Arc<[u8]>,
}

fn serialize_pixels<S: Serializer>(rgba: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(
        rgba.chunks_exact(4)
            .map(|p| u32::from_be_bytes([p[0], p[1], p[2], p[3]])),
    )
}

/// One thing to draw.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// A rectangle with crisp edges.
    Rect {
        /// Where.
        rect: Rect,
        /// Inside.
        fill: Option<Rgba>,
        /// Edge, centred on the rectangle's border.
        stroke: Option<Stroke>,
    },
    /// An image of cells.
    Image(ImageItem),
    /// Connected straight lines.
    Polyline {
        /// The corners.
        points: Vec<Point>,
        /// Colour and width.
        stroke: Stroke,
        /// Lengths in points of a dash and of the gap behind it; `None` is solid.
        dash: Option<[f32; 2]>,
    },
    /// A mark on a curve.
    Marker {
        /// Its middle.
        centre: Point,
        /// Its shape.
        shape: MarkerShape,
        /// Nominal diameter in points.
        size: f32,
        /// Its colour.
        fill: Rgba,
    },
    /// A line of text.
    Text(TextItem),
    /// Slanted lines over a cell without a number; see [`hatch_lines`].
    Hatch {
        /// The cell.
        rect: Rect,
        /// Colour and width of the lines.
        stroke: Stroke,
    },
    /// Things of which only what lies in a rectangle is seen.
    Clipped {
        /// What is seen.
        area: Rect,
        /// The things, in the order of drawing.
        items: Vec<Item>,
    },
}

/// A picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    /// What the picture is, for those who do not see it.
    pub title: String,
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// The colour behind everything; `None` is transparent.
    pub background: Option<Rgba>,
    /// What is drawn, in this order.
    pub items: Vec<Item>,
}

impl Scene {
    /// Draws another scene's items with its corner at `at`. Its size and background are ignored.
    pub fn place(&mut self, other: Scene, at: Point) {
        self.items
            .extend(other.items.into_iter().map(|item| item.moved(at)));
    }

    /// The size in points of the smallest text; `None` without texts.
    pub fn smallest_text(&self) -> Option<f32> {
        self.texts().map(|item| item.size).reduce(f32::min)
    }

    /// The same picture on a page of another size, moved by `by` points.
    #[must_use]
    pub fn on_page(self, width: f32, height: f32, by: Point) -> Self {
        let mut page = Self {
            title: self.title.clone(),
            background: self.background,
            width,
            height,
            items: Vec::with_capacity(self.items.len()),
        };
        page.place(self, by);
        page
    }

    /// All texts, in order.
    pub fn texts(&self) -> impl Iterator<Item = &TextItem> {
        self.items.iter().flat_map(Item::texts)
    }
}

impl Item {
    /// A filled rectangle.
    pub const fn filled(rect: Rect, fill: Rgba) -> Self {
        Self::Rect {
            rect,
            fill: Some(fill),
            stroke: None,
        }
    }

    /// A straight line.
    pub fn line(from: Point, to: Point, stroke: Stroke) -> Self {
        Self::Polyline {
            points: vec![from, to],
            stroke,
            dash: None,
        }
    }

    /// The texts in it, in order.
    fn texts(&self) -> Box<dyn Iterator<Item = &TextItem> + '_> {
        match self {
            Self::Text(text) => Box::new(std::iter::once(text)),
            Self::Clipped { items, .. } => Box::new(items.iter().flat_map(Self::texts)),
            _ => Box::new(std::iter::empty()),
        }
    }

    fn moved(mut self, by: Point) -> Self {
        let shift = |point: &mut Point| {
            point.x += by.x;
            point.y += by.y;
        };
        match &mut self {
            Self::Rect { rect, .. }
            | Self::Hatch { rect, .. }
            | Self::Image(ImageItem { rect, .. }) => {
                rect.x += by.x;
                rect.y += by.y;
            }
            Self::Polyline { points, .. } => points.iter_mut().for_each(shift),
            Self::Marker { centre, .. } => shift(centre),
            Self::Text(text) => shift(&mut text.position),
            Self::Clipped { area, items } => {
                area.x += by.x;
                area.y += by.y;
                let inside = std::mem::take(items);
                *items = inside.into_iter().map(|item| item.moved(by)).collect();
            }
        }
        self
    }
}

/// The lines of a hatched cell: rising to the right, 4 points apart along the edge, cut at the edge. They
/// lie on one grid of the whole picture, so that neighbouring cells hatch as one.
pub fn hatch_lines(rect: Rect) -> Vec<[Point; 2]> {
    const GAP: f32 = 4.0;
    let (low, high) = (rect.x + rect.y, rect.right() + rect.bottom());
    let steps = ((high - low) / GAP).clamp(0.0, 10_000.0) as usize;
    let first = (low / GAP).floor() + 1.0;
    (0..=steps)
        .map(|step| (first + step as f32) * GAP)
        .take_while(|&sum| sum < high)
        .map(|sum| {
            // Along the line x + y is constant.
            let left = rect.x.max(sum - rect.bottom());
            let right = rect.right().min(sum - rect.y);
            [Point::new(left, sum - left), Point::new(right, sum - right)]
        })
        .collect()
}

#[cfg(test)]
#[path = "scene_tests.rs"]
mod tests;
