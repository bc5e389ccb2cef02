//! The bottom: charts of a number of each step, one line a scorer.

use std::sync::Arc;

use eframe::egui::{
    self, RichText, ScrollArea, Sense, Stroke, Ui, Vec2, WidgetInfo, accesskit::Role,
};

use super::menus::chart_rows_ui;

use super::paint::{self, Textures};
use super::theme::Tokens;
use crate::app::{AppState, Command, DecodeCommand, Item, Look, SelectionCommand};
use crate::figure::{CurveLayout, CurveSpec, Point, Scene, Series};

/// Between two charts, in points.
const GAP: f32 = 16.0;
/// The narrowest chart, in points.
const NARROWEST: f32 = 220.0;

/// A chart: what was asked for in which space, and what came of it.
type Made = (CurveSpec, Vec2, Arc<(CurveLayout, Scene)>);

/// Charts as they were last laid out.
#[derive(Default)]
pub(super) struct CurvesMemo {
    kept: Vec<Option<Made>>,
}

/// Shows the charts side by side.
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
    let specs = state.curve_specs(&look);
    if specs.is_empty() {
        ui.label(RichText::new("No chart is chosen: View, Charts").color(tokens.muted));
        return;
    }
    memo.kept.resize_with(specs.len(), || None);
    let space = ui.available_size();
    let gaps = GAP * (specs.len() - 1) as f32;
    let width = ((space.x - gaps) / specs.len() as f32).floor();
    let each = Vec2::new(width.max(NARROWEST), space.y);
    let area = ScrollArea::horizontal().auto_shrink(false);
    area.show(ui, |ui| {
        charts_ui(ui, state, memo, specs, each, textures, commands);
    });
}

fn charts_ui(
    ui: &mut Ui,
    state: &AppState,
    memo: &mut CurvesMemo,
    specs: Vec<CurveSpec>,
    each: Vec2,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    let tokens = Tokens::of(ui.ctx());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        for (i, mut spec) in specs.into_iter().enumerate() {
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
                    rect.top() + layout.top_of_step(&spec),
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
            response.context_menu(|ui| chart_rows_ui(ui, state, commands));
        }
    });
}

/// The chart that fills a space.
fn laid_out(mut spec: CurveSpec, space: Vec2) -> (CurveLayout, Scene) {
    // What the chart needs around its plot is known once it is laid out; a narrow plot turns its labels, which then
    // need more.
    for _ in 0..2 {
        let probe = spec.layout();
        let around = [
            probe.width - probe.plot.width,
            probe.height - probe.plot.height,
        ];
        spec.plot_size = [
            (space.x - around[0]).max(60.0),
            (space.y - around[1]).max(24.0),
        ];
    }
    let layout = spec.layout();
    let scene = spec.scene_of(&layout);
    (layout, scene)
}

/// The head of a place, and a number there, in words.
type Tip<'a> = (&'a dyn Fn(usize) -> String, &'a dyn Fn(f32) -> String);

/// A chart in a dialog, with the numbers under the pointer.
pub(super) fn chart_ui(
    ui: &mut Ui,
    mut spec: CurveSpec,
    plot_size: [f32; 2],
    (head, number): Tip,
    tokens: &Tokens,
    textures: &mut Textures,
) {
    spec.palette = tokens.palette;
    spec.plot_size = plot_size;
    let layout = spec.layout();
    let scene = Arc::new(spec.scene_of(&layout));
    let (rect, response) = ui.allocate_exact_size(paint::size(&scene), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, &spec.title));
    paint::scene(&ui.painter_at(rect), &scene, rect.min, textures);
    let under = response
        .hover_pos()
        .and_then(|pos| layout.step_at(Point::new(pos.x - rect.left(), pos.y - rect.top())));
    if let Some(place) = under.filter(|place| *place < spec.steps.len()) {
        let line = |series: &Series| {
            let value = number(*series.values.get(place)?);
            Some(format!("{}: {value}", series.name))
        };
        let lines: Vec<String> = spec.series.iter().filter_map(line).collect();
        response.on_hover_text(format!("{}\n{}", head(place), lines.join("\n")));
    }
}
