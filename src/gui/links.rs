//! The panes as links: source tokens above, target tokens below, a line for each weight.

use std::collections::HashMap;
use std::sync::Arc;

use eframe::egui::{
    Pos2, Rect, RichText, ScrollArea, Sense, Slider, Stroke, StrokeKind, Ui, UiBuilder, Vec2,
    WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::grid::{Crowd, LOWEST};
use super::paint::{self, Textures};
use super::pane_header::{header_ui, pane_menu};
use super::panes::{empty_ui, look};
use super::shortcuts::keep_arrows;
use super::source::row_label;
use super::theme::{GRID, SMALL, Tokens};
use crate::app::{
    AppState, Command, Item, Pane, Selection, SelectionCommand, ViewCommand, cell_sentence,
};
use crate::figure::{LinkItem, LinksLayout, LinksSpec, Point, Scene};

/// How near the pointer has to be to a line, in points.
const REACH: f32 = 4.0;
/// Nodes for readers of the screen, at most.
const MOST_NODES: usize = 2500;
/// Width of the threshold's label, slider and number.
const THRESHOLD: f32 = 220.0;
/// From the source tokens to the target tokens, in points, at least and at most.
const HEIGHTS: [f32; 2] = [60.0, 260.0];

/// Layouts by pane.
#[derive(Default)]
pub(super) struct LinksMemo {
    kept: HashMap<String, Kept>,
}

/// What was laid out and drawn last.
#[derive(Default)]
struct Kept {
    spec: Option<LinksSpec>,
    made: Option<Arc<(LinksLayout, Scene)>>,
}

/// Whether two specifications give the same picture; matrices are compared by identity.
fn same(a: &LinksSpec, b: &LinksSpec) -> bool {
    let settings = |s: &LinksSpec| {
        let size = [s.height, s.font_size, s.threshold];
        (
            (s.visible_rows, s.focus, s.current_row, s.series),
            (size, s.available, s.palette),
        )
    };
    Arc::ptr_eq(&a.matrix, &b.matrix) && settings(a) == settings(b)
}

impl Kept {
    fn of(&mut self, spec: LinksSpec) -> Arc<(LinksLayout, Scene)> {
        let same = self.spec.as_ref().is_some_and(|kept| same(kept, &spec));
        if let (true, Some(made)) = (same, &self.made) {
            return made.clone();
        }
        let layout = spec.layout();
        let scene = spec.scene_of(&layout);
        let made = Arc::new((layout, scene));
        (self.spec, self.made) = (Some(spec), Some(made.clone()));
        made
    }
}

/// Below which weight there is no line.
pub(super) fn threshold_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let tokens = Tokens::of(ui.ctx());
    // A slider would be cut off at the window's edge.
    if ui.available_size_before_wrap().x < THRESHOLD {
        ui.end_row();
        row_label(ui, "Links", 7.0 * GRID);
    }
    let label = ui.label(RichText::new("from").size(SMALL).color(tokens.muted));
    let mut percent = state.view().link_percent;
    let slider = Slider::new(&mut percent, 0..=100)
        .suffix(" %")
        .clamping(eframe::egui::SliderClamping::Always);
    let response = ui.add(slider).labelled_by(label.id);
    keep_arrows(&response);
    if response
        .on_hover_text("Weights below have no line")
        .changed()
    {
        commands.push(Command::View(ViewCommand::LinkPercent(percent)));
    }
}

/// Shows the links of every pane.
pub(super) fn links_ui(
    ui: &mut Ui,
    state: &AppState,
    memo: &mut LinksMemo,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    let panes: Vec<&Pane> = state.visible_panes().collect();
    let space = ui.available_rect_before_wrap();
    let gap = 4.0 * GRID;
    let cells = [state.chips().len().max(1), state.expected_rows().max(1)];
    let crowd = Crowd {
        count: panes.len(),
        cells,
        bars: 0.0,
        header: 0.0,
    };
    let columns = crowd.best_columns(space.size());
    let rows = panes.len().div_ceil(columns).max(1);
    let size = Vec2::new(
        (space.width() - gap * (columns - 1) as f32) / columns as f32,
        ((space.height() - gap * (rows - 1) as f32) / rows as f32).max(LOWEST),
    );
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let top = ui.cursor().min;
        let whole = Vec2::new(space.width(), rows as f32 * (size.y + gap) - gap);
        ui.allocate_exact_size(whole, Sense::hover());
        for (i, pane) in panes.into_iter().enumerate() {
            let corner = pos2(
                top.x + (i % columns) as f32 * (size.x + gap),
                top.y + (i / columns) as f32 * (size.y + gap),
            );
            let rect = Rect::from_min_size(corner, size);
            let builder = UiBuilder::new()
                .id_salt(("links", pane.name()))
                .max_rect(rect);
            ui.scope_builder(builder, |ui| {
                header_ui(ui, pane, state, &Tokens::of(ui.ctx()), commands);
                let kept = memo.kept.entry(pane.name().to_owned()).or_default();
                pane_ui(ui, state, pane, kept, textures, commands);
            });
        }
    });
}

/// What is pointed at, as far as it belongs to this pane.
fn focus(selection: &Selection, pane: &str) -> Option<LinkItem> {
    let row_is_here = selection
        .shown()
        .and_then(Item::pane)
        .is_none_or(|of| of == pane);
    match (selection.row(), selection.column()) {
        (Some(row), Some(column)) if row_is_here => Some(LinkItem::Line(row, column)),
        (_, Some(column)) => Some(LinkItem::Source(column)),
        (Some(row), None) => Some(LinkItem::Target(row)),
        (None, None) => None,
    }
}

fn pane_ui(
    ui: &mut Ui,
    state: &AppState,
    pane: &Pane,
    kept: &mut Kept,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    let tokens = Tokens::of(ui.ctx());
    let spec = state.links_spec(pane, &look(&tokens));
    let Some(mut spec) = spec.filter(|_| pane.taken() > 0) else {
        empty_ui(ui, state, pane, &tokens, textures, commands);
        return;
    };
    let space = ui.available_size().max(Vec2::splat(40.0));
    spec.available = Some(space.x.floor());
    spec.height = HEIGHTS[0];
    // What the labels leave belongs to the lines.
    let labels = spec.layout().height - spec.height;
    spec.height = (space.y - labels).clamp(HEIGHTS[0], HEIGHTS[1]).floor();
    // A focus of a row that is not taken, or of a shorter sentence, would only make everything faint.
    spec.focus = focus(state.selection(), pane.name()).filter(|focus| match focus {
        LinkItem::Source(column) => *column < spec.matrix.columns().len(),
        LinkItem::Target(row) | LinkItem::Line(row, _) => *row < pane.taken(),
    });
    let matrix = spec.matrix.clone();
    let made = kept.of(spec);
    let (layout, scene) = (&made.0, &made.1);
    let (outer, response) = ui.allocate_exact_size(space, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Group, true, "Links"));
    let origin = outer.min + vec2(((space.x - layout.width) / 2.0).max(0.0).floor(), 0.0);
    paint::scene(&ui.painter_at(outer), scene, origin, textures);
    nodes(ui, pane, layout, &matrix, origin, outer);
    draw_locked(ui, state.selection(), layout, origin, &tokens);
    let at = |pos: Pos2| layout.item_at(Point::new(pos.x - origin.x, pos.y - origin.y), REACH);
    let hover = response.hover_pos().and_then(at);
    if let Some(found) = hover {
        commands.push(Command::Select(SelectionCommand::Hover(item(pane, found))));
    }
    if let Some(LinkItem::Line(row, column)) = hover {
        let text = cell_sentence(&matrix, row, column);
        response.clone().on_hover_text_at_pointer(text);
    }
    if response.double_clicked() {
        let solo = SelectionCommand::Solo(pane.name().to_owned());
        commands.push(Command::Select(solo));
    } else if response.clicked()
        && let Some(found) = response.interact_pointer_pos().and_then(at)
    {
        commands.push(Command::Select(SelectionCommand::Lock(item(pane, found))));
    }
    response.context_menu(|ui| pane_menu(ui, pane, commands));
}

fn item(pane: &Pane, found: LinkItem) -> Item {
    let pane = pane.name().to_owned();
    match found {
        LinkItem::Source(column) => Item::Column(column),
        LinkItem::Target(row) => Item::Row { pane, row },
        LinkItem::Line(row, column) => Item::Cell { pane, row, column },
    }
}

/// A ring around the tokens that are locked.
fn draw_locked(
    ui: &Ui,
    selection: &Selection,
    layout: &LinksLayout,
    origin: Pos2,
    tokens: &Tokens,
) {
    let Some(locked) = selection.locked() else {
        return;
    };
    let of = |list: &[crate::figure::LinkToken], index: Option<usize>| {
        let token = list.iter().find(|token| Some(token.label.index) == index);
        token.map(|token| token.area)
    };
    let areas = [
        of(&layout.sources, locked.column()),
        of(&layout.targets, locked.row()),
    ];
    for area in areas.into_iter().flatten() {
        let rect = paint::rect_to_window(origin, area).expand(1.0);
        let ring = Stroke::new(1.5, tokens.accent);
        ui.painter()
            .rect_stroke(rect, 4.0, ring, StrokeKind::Inside);
    }
}

/// Every line as a sentence for readers of the screen, the heaviest first.
fn nodes(
    ui: &Ui,
    pane: &Pane,
    layout: &LinksLayout,
    matrix: &crate::alignment::LabelledMatrix,
    origin: Pos2,
    clip: Rect,
) {
    let taken = layout.lines.iter().filter(|line| line.row < pane.taken());
    for line in taken.rev().take(MOST_NODES) {
        let Some(middle) = line.points.get(line.points.len() / 2) else {
            continue;
        };
        let rect = Rect::from_center_size(paint::to_window(origin, *middle), Vec2::splat(6.0));
        if !clip.intersects(rect) {
            continue;
        }
        let id = ui.scope_id().with(("line", line.row, line.column));
        let sentence = || cell_sentence(matrix, line.row, line.column);
        ui.interact(rect, id, Sense::hover())
            .widget_info(|| WidgetInfo::labeled(Role::Cell, true, sentence()));
    }
}
