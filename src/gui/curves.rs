//! The bottom: entropy and context norm per step, one line a scorer.

use std::sync::Arc;

use eframe::egui::{self, Sense, Stroke, Ui, Vec2, WidgetInfo, accesskit::Role};

use super::paint::{self, Textures};
use super::theme::Tokens;
use crate::app::{AppState, Command, DecodeCommand, Item, Look, SelectionCommand};
use crate::figure::{CurveLayout, CurveSpec, Point, Scene};

/// A chart: what was asked for in which space, and what came of it.
type Made = (CurveSpec, Vec2, Arc<(CurveLayout, Scene)>);

/// Charts as they were last laid out.
#[derive(Default)]
pub(super) struct CurvesMemo {
    kept: [Option<Made>; 2],
}

/// Shows both charts side by side.
pub(super) fn curves_ui(
    ui: &mut Ui,
    state: &AppState,
    memo: &mut CurvesMemo,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    let tokens = Tokens::of(ui.ctx());
    let look = Look {
        palette: tokens.palette,
        font_size: 12.0,
    };
    let space = ui.available_size();
    let each = Vec2::new(((space.x - 16.0) / 2.0).floor(), space.y);
    ui.horizontal(|ui| {
        for (i, mut spec) in state.curve_specs(&look).into_iter().enumerate() {
            // The panes' headers say which line is whose.
            spec.show_legend = false;
            let made = match &memo.kept[i] {
                Some((kept, space, made)) if *kept == spec && *space == each => made.clone(),
                _ => {
                    let made = Arc::new(laid_out(spec.clone(), each));
                    memo.kept[i] = Some((spec.clone(), each, made.clone()));
                    made
                }
            };
            let (rect, response) = ui.allocate_exact_size(each, Sense::click());
            response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, &spec.title));
            let painter = ui.painter_at(rect);
            let layout = &made.0;
            // Under the chart, so that its text stays readable.
            if let Some(step) = state.selection().row() {
                let x = rect.left() + layout.x(step);
                let span = egui::Rangef::new(
                    rect.top() + layout.plot.y,
                    rect.top() + layout.plot.bottom(),
                );
                painter.vline(x, span, Stroke::new(1.0, tokens.accent));
            }
            paint::scene(&painter, &made.1, rect.min, textures);
            let under = response.hover_pos().and_then(|pos| {
                layout.step_at(Point::new(pos.x - rect.left(), pos.y - rect.top()))
            });
            if let Some(step) = under {
                if step < state.position() {
                    commands.push(Command::Select(SelectionCommand::Hover(Item::Step(step))));
                }
                if response.clicked() {
                    commands.push(Command::Decode(DecodeCommand::MoveTo(step + 1)));
                }
            }
        }
    });
}

/// The chart that fills a space.
fn laid_out(mut spec: CurveSpec, space: Vec2) -> (CurveLayout, Scene) {
    // What the chart needs around its plot is known once it is laid out.
    let probe = spec.layout();
    let around = [
        probe.width - probe.plot.width,
        probe.height - probe.plot.height,
    ];
    spec.plot_size = [
        (space.x - around[0]).max(60.0),
        (space.y - around[1]).max(24.0),
    ];
    let layout = spec.layout();
    let scene = spec.scene_of(&layout);
    (layout, scene)
}
