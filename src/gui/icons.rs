//! Icons drawn as shapes, and the buttons that carry them.

use eframe::egui::{
    self, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo,
    accesskit::Role, pos2,
};

use super::theme::{GRID, RADIUS, Tokens};

/// An icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Icon {
    /// To the beginning.
    First,
    /// A step back.
    Back,
    /// A step forward.
    Forward,
    /// To the end.
    Last,
    /// Around to the beginning.
    Restart,
    /// By itself.
    Play,
    /// Standing still.
    Pause,
    /// Two sheets.
    Copy,
    /// A cross.
    Close,
    /// A plus.
    Larger,
    /// A minus.
    Smaller,
    /// Four corners.
    Fit,
}

fn paint(painter: &Painter, icon: Icon, rect: Rect, colour: egui::Color32) {
    let c = rect.center();
    let r = 5.0;
    let stroke = Stroke::new(1.6, colour);
    let triangle = |x: f32, direction: f32| {
        let points = vec![
            pos2(x + direction * r, c.y),
            pos2(x - direction * r * 0.7, c.y - r),
            pos2(x - direction * r * 0.7, c.y + r),
        ];
        Shape::convex_polygon(points, colour, Stroke::NONE)
    };
    let bar = |x: f32| {
        Shape::line_segment(
            [pos2(x, c.y - r), pos2(x, c.y + r)],
            Stroke::new(2.0, colour),
        )
    };
    match icon {
        Icon::First => {
            painter.add(bar(c.x - r));
            painter.add(triangle(c.x + 1.0, -1.0));
        }
        Icon::Back => {
            painter.add(triangle(c.x - 0.5, -1.0));
        }
        Icon::Forward => {
            painter.add(triangle(c.x + 0.5, 1.0));
        }
        Icon::Last => {
            painter.add(triangle(c.x - 1.0, 1.0));
            painter.add(bar(c.x + r));
        }
        Icon::Restart => {
            let point = |degrees: f32| c + r * Vec2::angled(degrees.to_radians());
            let arc: Vec<Pos2> = (-40..=230).step_by(10).map(|d| point(d as f32)).collect();
            let tip = arc[0];
            painter.add(Shape::line(arc, stroke));
            let head = vec![
                tip + Vec2::new(2.6, -2.4),
                tip + Vec2::new(2.2, 2.8),
                tip + Vec2::new(-2.8, 0.4),
            ];
            painter.add(Shape::convex_polygon(head, colour, Stroke::NONE));
        }
        Icon::Play => {
            let rail = Stroke::new(1.4, colour);
            painter.circle_stroke(c, r + 1.5, rail);
            let points = vec![
                c + Vec2::new(3.4, 0.0),
                c + Vec2::new(-2.0, -3.2),
                c + Vec2::new(-2.0, 3.2),
            ];
            painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
        }
        Icon::Pause => {
            painter.add(bar(c.x - 2.5));
            painter.add(bar(c.x + 2.5));
        }
        Icon::Copy => {
            let sheet = Rect::from_center_size(c, Vec2::new(7.0, 9.0));
            let kind = egui::StrokeKind::Middle;
            painter.rect_stroke(
                sheet.translate(Vec2::new(-1.5, -1.5)),
                1.0,
                Stroke::new(1.2, colour),
                kind,
            );
            painter.rect_stroke(
                sheet.translate(Vec2::new(1.5, 1.5)),
                1.0,
                Stroke::new(1.2, colour),
                kind,
            );
        }
        Icon::Larger => {
            painter.line_segment([c - Vec2::new(r, 0.0), c + Vec2::new(r, 0.0)], stroke);
            painter.line_segment([c - Vec2::new(0.0, r), c + Vec2::new(0.0, r)], stroke);
        }
        Icon::Smaller => {
            painter.line_segment([c - Vec2::new(r, 0.0), c + Vec2::new(r, 0.0)], stroke);
        }
        Icon::Fit => {
            for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let corner = c + r * Vec2::new(x, y);
                let arms = vec![
                    corner - Vec2::new(3.5 * x, 0.0),
                    corner,
                    corner - Vec2::new(0.0, 3.5 * y),
                ];
                painter.add(Shape::line(arms, stroke));
            }
        }
        Icon::Close => {
            let d = Vec2::splat(3.5);
            painter.line_segment([c - d, c + d], stroke);
            painter.line_segment([c + Vec2::new(-3.5, 3.5), c + Vec2::new(3.5, -3.5)], stroke);
        }
    }
}

/// A square button with an icon; `name` is what it is called where it cannot be seen, `tip` what hovering says.
pub(super) fn icon_button(
    ui: &mut Ui,
    icon: Icon,
    name: &str,
    tip: &str,
    enabled: bool,
    primary: bool,
) -> Response {
    let side = 7.0 * GRID;
    let width = if primary { 2.0 * side } else { side };
    let sense = if enabled {
        Sense::click()
    } else {
        Sense::hover()
    };
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, side), sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    let tokens = Tokens::of(ui.ctx());
    let (fill, ink) = match (enabled, primary) {
        (false, _) => (
            tokens.button.gamma_multiply(0.5),
            tokens.muted.gamma_multiply(0.5),
        ),
        (true, true) if response.hovered() => {
            (tokens.accent.gamma_multiply(0.85), tokens.on_accent)
        }
        (true, true) => (tokens.accent, tokens.on_accent),
        (true, false) if response.hovered() => (tokens.hovered, tokens.text),
        (true, false) => (tokens.button, tokens.text),
    };
    ui.painter().rect_filled(rect, RADIUS, fill);
    if response.has_focus() {
        let ring = Stroke::new(2.0, tokens.text);
        ui.painter()
            .rect_stroke(rect, RADIUS, ring, egui::StrokeKind::Outside);
    }
    paint(ui.painter(), icon, rect, ink);
    response.on_hover_text(tip)
}
