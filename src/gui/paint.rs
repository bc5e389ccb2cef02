//! Paints a [`Scene`] with the window's shapes: the same geometry that the export writes.

use std::collections::HashMap;
use std::sync::Arc;

use eframe::egui::{
    self, Color32, ColorImage, FontId, Painter, Pos2, Rect, Shape, Stroke, TextureHandle,
    TextureOptions, Ui, Vec2, epaint::TextShape, pos2,
};

use super::theme::{SMALL, colour, regular, semi_bold};
use crate::figure::{
    Anchor, ImageItem, Item, MarkerShape, Point, Rect as SceneRect, Scene, Stroke as SceneStroke,
    TextItem, Weight, ascent, hatch_lines,
};

/// Textures of the images in scenes, by the identity of their pixels; dropped when a frame does not use them.
#[derive(Default)]
pub(super) struct Textures {
    kept: HashMap<usize, (Arc<[u8]>, TextureHandle, bool)>,
}

impl Textures {
    /// Drops what the frame did not use.
    pub(super) fn end_frame(&mut self) {
        self.kept.retain(|_, (_, _, used)| std::mem::take(used));
    }

    fn texture(&mut self, ctx: &egui::Context, image: &ImageItem) -> egui::TextureId {
        let key = image.rgba.as_ptr() as usize;
        let entry = self.kept.entry(key).or_insert_with(|| {
            let size = [image.width as usize, image.height as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, &image.rgba);
            let texture = ctx.load_texture("cells", pixels, TextureOptions::NEAREST);
            (image.rgba.clone(), texture, true)
        });
        entry.2 = true;
        entry.1.id()
    }
}

/// Where a scene's point is in the window, for a scene drawn with its corner at `origin`.
pub(super) fn to_window(origin: Pos2, point: Point) -> Pos2 {
    pos2(origin.x + point.x, origin.y + point.y)
}

/// Where a scene's rectangle is in the window.
pub(super) fn rect_to_window(origin: Pos2, rect: SceneRect) -> Rect {
    Rect::from_min_size(
        to_window(origin, Point::new(rect.x, rect.y)),
        Vec2::new(rect.width, rect.height),
    )
}

fn stroke(stroke: SceneStroke) -> Stroke {
    Stroke::new(stroke.width, colour(stroke.colour))
}

/// Paints a scene with its corner at `origin`; its background is the panel's business.
pub(super) fn scene(painter: &Painter, scene: &Scene, origin: Pos2, textures: &mut Textures) {
    items(painter, &scene.items, origin, textures);
}

fn items(painter: &Painter, list: &[Item], origin: Pos2, textures: &mut Textures) {
    for item in list {
        match item {
            Item::Rect {
                rect,
                fill,
                stroke: edge,
            } => {
                let rect = rect_to_window(origin, *rect);
                if let Some(fill) = fill {
                    painter.rect_filled(rect, 0.0, colour(*fill));
                }
                if let Some(edge) = edge {
                    painter.rect_stroke(rect, 0.0, stroke(*edge), egui::StrokeKind::Middle);
                }
            }
            Item::Image(image) => {
                let id = textures.texture(painter.ctx(), image);
                let uv = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
                painter.image(id, rect_to_window(origin, image.rect), uv, Color32::WHITE);
            }
            Item::Polyline {
                points,
                stroke: line,
                dash,
            } => {
                let points: Vec<Pos2> = points.iter().map(|p| to_window(origin, *p)).collect();
                match dash {
                    Some([on, off]) => {
                        painter.extend(Shape::dashed_line(&points, stroke(*line), *on, *off));
                    }
                    None => {
                        painter.add(Shape::line(points, stroke(*line)));
                    }
                }
            }
            Item::Marker {
                centre,
                shape,
                size,
                fill,
            } => marker(painter, origin, *centre, *shape, *size, colour(*fill)),
            Item::Text(text) => text_item(painter, origin, text),
            Item::Hatch { rect, stroke: line } => {
                for [a, b] in hatch_lines(*rect) {
                    painter
                        .line_segment([to_window(origin, a), to_window(origin, b)], stroke(*line));
                }
            }
            Item::Clipped {
                area,
                items: inside,
            } => {
                let area = painter.clip_rect().intersect(rect_to_window(origin, *area));
                items(&painter.with_clip_rect(area), inside, origin, textures);
            }
        }
    }
}

/// A mark of nominal diameter `size` points.
pub(super) fn marker(
    painter: &Painter,
    origin: Pos2,
    centre: Point,
    shape: MarkerShape,
    size: f32,
    fill: Color32,
) {
    let corners = shape.outline(centre, size);
    if corners.is_empty() {
        painter.circle_filled(to_window(origin, centre), size / 2.0, fill);
        return;
    }
    let points: Vec<Pos2> = corners.iter().map(|p| to_window(origin, *p)).collect();
    if shape == MarkerShape::Cross {
        // The cross is not convex: two bars make it.
        let (c, r) = (to_window(origin, centre), size * 0.45);
        let bar = Stroke::new(size * 0.28, fill);
        painter.line_segment([c - Vec2::splat(r), c + Vec2::splat(r)], bar);
        painter.line_segment([c + Vec2::new(-r, r), c + Vec2::new(r, -r)], bar);
    } else {
        painter.add(Shape::convex_polygon(points, fill, Stroke::NONE));
    }
}

fn text_item(painter: &Painter, origin: Pos2, item: &TextItem) {
    let font: FontId = match item.weight {
        Weight::Regular => regular(item.size),
        Weight::SemiBold => semi_bold(item.size),
    };
    let galley = painter.layout_no_wrap(item.text.clone(), font, colour(item.fill));
    let width = galley.size().x;
    let shift = match item.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    // The item stands on its baseline, a galley hangs from its top; both turn around the anchor.
    let angle = item.angle_degrees.to_radians();
    let (sin, cos) = angle.sin_cos();
    let offset = Vec2::new(-shift, -ascent(item.size));
    let turned = Vec2::new(
        offset.x * cos - offset.y * sin,
        offset.x * sin + offset.y * cos,
    );
    let at = to_window(origin, item.position) + turned;
    painter.add(TextShape::new(at, galley, colour(item.fill)).with_angle(angle));
}

/// Leaves the room of a small button in a row that scrolls, where the button cannot be seen; says whether it did.
/// Long sentences have hundreds of them.
pub(super) fn leaves_room(ui: &mut Ui, text: &str) -> bool {
    let clip = ui.clip_rect();
    let galley = ui
        .painter()
        .layout_no_wrap(text.to_owned(), regular(SMALL), Color32::PLACEHOLDER);
    let size = galley.size() + Vec2::new(2.0 * ui.spacing().button_padding.x, 0.0);
    let left = ui.cursor().left();
    let is_seen = left <= clip.right() && left + size.x >= clip.left();
    if !is_seen {
        ui.allocate_space(size);
    }
    !is_seen
}

/// The size of a scene in the window.
pub(super) fn size(scene: &Scene) -> Vec2 {
    Vec2::new(scene.width, scene.height)
}
