//! Scene to pixels with the bundled fonts, without the way through SVG.
//!
//! The same geometry as the SVG, drawn by the same rasteriser, several times as fast: cells are filled as rows of
//! pixels, images are copied, and the outline of a letter is read once. Text that needs other fonts goes the way
//! through SVG, which shapes every script.

use std::collections::HashMap;

use resvg::tiny_skia::{
    Color, FillRule, LineJoin, Paint, Path, PathBuilder, PixmapMut, PremultipliedColorU8,
    Rect as PixelRect, Shader, Stroke as PixelStroke, StrokeDash, Transform,
};
use rustybuzz::ttf_parser::{GlyphId, OutlineBuilder};

use super::scene::{
    Anchor, ImageItem, Item, MarkerShape, Point, Rect, Rgba, Scene, Stroke, TextItem, hatch_lines,
};
use super::text::{Glyph, shaped};

/// Whether everything of a scene can be drawn this way: what is clipped goes the way through SVG.
pub(super) fn can_draw(scene: &Scene) -> bool {
    let clipped = |item: &Item| matches!(item, Item::Clipped { .. });
    !scene.items.iter().any(clipped)
}

/// Draws a scene without clipped parts whose text the bundled fonts have, with so many pixels to the point.
pub(super) fn draw(scene: &Scene, scale: f32, pixmap: PixmapMut<'_>) {
    let mut canvas = Canvas {
        pixmap,
        scale,
        outlines: HashMap::new(),
    };
    if let Some([r, g, b, a]) = scene.background {
        canvas.pixmap.fill(Color::from_rgba8(r, g, b, a));
    }
    for item in &scene.items {
        canvas.draw(item);
    }
}

struct Canvas<'a> {
    pixmap: PixmapMut<'a>,
    scale: f32,
    /// Outlines in units of their font, by font and glyph; `None` for blanks.
    outlines: HashMap<(usize, u16), Option<Path>>,
}

fn paint(colour: Rgba, smooth: bool) -> Paint<'static> {
    let [r, g, b, a] = colour;
    Paint {
        shader: Shader::SolidColor(Color::from_rgba8(r, g, b, a)),
        anti_alias: smooth,
        ..Paint::default()
    }
}

fn polygon(points: &[Point], closed: bool) -> Option<Path> {
    let (first, rest) = points.split_first()?;
    let mut path = PathBuilder::new();
    path.move_to(first.x, first.y);
    rest.iter().for_each(|point| path.line_to(point.x, point.y));
    if closed {
        path.close();
    }
    path.finish()
}

impl Canvas<'_> {
    fn draw(&mut self, item: &Item) {
        match item {
            Item::Rect { rect, fill, stroke } => self.rect(*rect, *fill, *stroke),
            Item::Image(image) => self.image(image),
            Item::Polyline {
                points,
                stroke,
                dash,
            } => {
                let upright =
                    points.len() == 2 && (points[0].x == points[1].x || points[0].y == points[1].y);
                if let Some(path) = polygon(points, false) {
                    self.stroke(&path, *stroke, *dash, !upright);
                }
            }
            Item::Marker {
                centre,
                shape,
                size,
                fill,
            } => {
                let path = if *shape == MarkerShape::Circle {
                    PathBuilder::from_circle(centre.x, centre.y, size / 2.0)
                } else {
                    polygon(&shape.outline(*centre, *size), true)
                };
                if let Some(path) = path {
                    self.fill(&path, *fill, self.to_pixels());
                }
            }
            Item::Text(text) => self.text(text),
            // Not reached, see `can_draw`; all of it is better than nothing.
            Item::Clipped { items, .. } => items.iter().for_each(|item| self.draw(item)),
            Item::Hatch { rect, stroke } => {
                let mut path = PathBuilder::new();
                for [from, to] in hatch_lines(*rect) {
                    path.move_to(from.x, from.y);
                    path.line_to(to.x, to.y);
                }
                if let Some(path) = path.finish() {
                    self.stroke(&path, *stroke, None, true);
                }
            }
        }
    }

    fn to_pixels(&self) -> Transform {
        Transform::from_scale(self.scale, self.scale)
    }

    fn fill(&mut self, path: &Path, colour: Rgba, transform: Transform) {
        let paint = paint(colour, true);
        self.pixmap
            .fill_path(path, &paint, FillRule::Winding, transform, None);
    }

    fn stroke(&mut self, path: &Path, stroke: Stroke, dash: Option<[f32; 2]>, smooth: bool) {
        let line = PixelStroke {
            width: stroke.width,
            line_join: if smooth {
                LineJoin::Round
            } else {
                LineJoin::Miter
            },
            dash: dash.and_then(|lengths| StrokeDash::new(lengths.to_vec(), 0.0)),
            ..PixelStroke::default()
        };
        let (paint, transform) = (paint(stroke.colour, smooth), self.to_pixels());
        self.pixmap
            .stroke_path(path, &paint, &line, transform, None);
    }

    fn rect(&mut self, rect: Rect, fill: Option<Rgba>, edge: Option<Stroke>) {
        let Some(place) = PixelRect::from_xywh(rect.x, rect.y, rect.width, rect.height) else {
            return;
        };
        let transform = self.to_pixels();
        if let Some(colour) = fill {
            let paint = paint(colour, false);
            self.pixmap.fill_rect(place, &paint, transform, None);
        }
        if let Some(edge) = edge {
            self.stroke(&PathBuilder::from_rect(place), edge, None, false);
        }
    }

    /// Copies opaque cells to the pixels whose middles they hold, and lays others over what is there.
    fn image(&mut self, image: &ImageItem) {
        let Rect {
            x,
            y,
            width,
            height,
            ..
        } = image.rect;
        let whole = [self.pixmap.width(), self.pixmap.height()];
        let span = |from: f32, extent: f32, cells: u32, limit: u32| -> Vec<(u32, u32)> {
            let (from, extent) = (from * self.scale, extent * self.scale);
            let first = (from - 0.5).ceil().max(0.0) as u32;
            let end = ((from + extent - 0.5).ceil().max(0.0) as u32).min(limit);
            let cell = |pixel: u32| {
                let place = (pixel as f32 + 0.5 - from) / extent * cells as f32;
                (place as u32).min(cells.saturating_sub(1))
            };
            (first..end).map(|pixel| (pixel, cell(pixel))).collect()
        };
        if image.width == 0 || image.height == 0 {
            return;
        }
        let columns = span(x, width, image.width, whole[0]);
        let rows = span(y, height, image.height, whole[1]);
        let pixels = self.pixmap.pixels_mut();
        let mut drawn: Option<(u32, usize)> = None;
        for (pixel_row, row) in rows {
            let start = (pixel_row * whole[0]) as usize;
            if let Some((_, from)) = drawn.filter(|(known, _)| *known == row)
                && let (Some(first), Some(last)) = (columns.first(), columns.last())
            {
                // The same cells as in the row of pixels above.
                let range = from + first.0 as usize..=from + last.0 as usize;
                pixels.copy_within(range, start + first.0 as usize);
                continue;
            }
            let cells = &image.rgba[(row * image.width * 4) as usize..];
            let mut opaque = true;
            for &(pixel, column) in &columns {
                let at = column as usize * 4;
                let [r, g, b, a] = [cells[at], cells[at + 1], cells[at + 2], cells[at + 3]];
                let over = &mut pixels[start + pixel as usize];
                opaque &= a == 255;
                *over = blend(*over, [r, g, b, a]);
            }
            drawn = opaque.then_some((row, start));
        }
    }

    fn text(&mut self, item: &TextItem) {
        let text: String = item
            .text
            .chars()
            .map(|c| if c.is_control() { '\u{FFFD}' } else { c })
            .collect();
        let glyphs = shaped(&text, item.weight);
        let width: f32 = glyphs.iter().map(|glyph| glyph.advance).sum::<f32>() * item.size;
        let start = match item.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        };
        let line = self
            .to_pixels()
            .pre_translate(item.position.x, item.position.y)
            .pre_concat(Transform::from_rotate(item.angle_degrees));
        let paint = paint(item.fill, true);
        let mut x = start;
        for glyph in glyphs {
            let outline = self
                .outlines
                .entry((glyph.font, glyph.id))
                .or_insert_with(|| outline(&glyph));
            if let Some(path) = outline {
                let units = item.size / glyph.units_per_em;
                let place = line
                    .pre_translate(x + glyph.offset.0 * item.size, -glyph.offset.1 * item.size)
                    .pre_scale(units, -units);
                self.pixmap
                    .fill_path(path, &paint, FillRule::Winding, place, None);
            }
            x += glyph.advance * item.size;
        }
    }
}

/// A colour over another one.
fn blend(under: PremultipliedColorU8, [r, g, b, a]: Rgba) -> PremultipliedColorU8 {
    let over = |new: u8, old: u8| {
        let sum = u32::from(new) * u32::from(a) + u32::from(old) * (255 - u32::from(a));
        ((sum + 127) / 255) as u8
    };
    let alpha = over(255, under.alpha());
    let [r, g, b] = [
        over(r, under.red()),
        over(g, under.green()),
        over(b, under.blue()),
    ];
    // Rounding may not lift a channel over its opacity.
    let channel = |value: u8| value.min(alpha);
    PremultipliedColorU8::from_rgba(channel(r), channel(g), channel(b), alpha).unwrap_or(under)
}

fn outline(glyph: &Glyph) -> Option<Path> {
    struct Outline(PathBuilder);
    impl OutlineBuilder for Outline {
        fn move_to(&mut self, x: f32, y: f32) {
            self.0.move_to(x, y);
        }
        fn line_to(&mut self, x: f32, y: f32) {
            self.0.line_to(x, y);
        }
        fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
            self.0.quad_to(x1, y1, x, y);
        }
        fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
            self.0.cubic_to(x1, y1, x2, y2, x, y);
        }
        fn close(&mut self) {
            self.0.close();
        }
    }
    let mut path = Outline(PathBuilder::new());
    glyph.face().outline_glyph(GlyphId(glyph.id), &mut path)?;
    path.0.finish()
}
