//! The middle of the window: one pane a model, and the difference of two.

use std::borrow::Cow;
use std::collections::HashMap;

use eframe::egui::{self, Layout, Rect, RichText, Ui, UiBuilder, Vec2, pos2, vec2};

use super::attribution::attribution_spec;
use super::bottleneck::bottleneck_ui;
use super::cell_drag::drag_commands;
use super::grid::{BAR, Crowd, HEADER, LOWEST};
use super::heatmap::{self, Highlight, Kept, Place, Shown, Spoken};
use super::lens::{self, Gesture, Lens};
use super::paint::Textures;
use super::pane_header::{ORIGINAL, header_ui, original_row, pane_menu};
use super::theme::{GRID, Tokens};
use super::unchanged::unchanged_spec;
use crate::app::{AppState, Command, Item, Look, Pane, SelectionCommand, ZoomCommand};
use crate::engine::ScoreKind;
use crate::figure::{HeatmapSpec, Viewport};

/// The name under which the difference pane keeps its layout.
const DIFFERENCE: &str = "difference of two";
/// Width of the bar beside panes that scroll, in points.
const SCROLL: f32 = 3.0 * GRID;

/// Layouts by pane, and what the zoom has to remember.
#[derive(Default)]
pub(super) struct PanesMemo {
    kept: HashMap<String, Kept>,
    /// The distance of cells that all fit, and the panes' size for which it was found: magnified cells keep their size
    /// while labels and rows come and go.
    fit: Option<(Vec2, f32)>,
    /// What was locked and how many steps were taken in the last frame.
    followed: Option<(Option<Item>, usize)>,
    /// Whether the pointer locked something in a heatmap, where it is seen already.
    was_clicked: bool,
}

/// What the panes have in common while they are drawn.
pub(super) struct Panes<'a> {
    pub(super) state: &'a AppState,
    pub(super) look: Look,
    pub(super) pitch: f32,
    pub(super) viewport: Option<Viewport>,
    gesture: Option<Gesture>,
    was_clicked: bool,
    /// Height of the last model's header, before it is known that of any.
    pub(super) header: f32,
    /// Whether a header has the sentence of an unchanged run; then all have room for one.
    is_changed: bool,
    textures: &'a mut Textures,
    pub(super) commands: &'a mut Vec<Command>,
}

/// What stands in a place of the grid.
enum Card<'a> {
    Model(&'a Pane),
    /// Beside the model's own, where that is changed.
    Unchanged(&'a Pane),
    /// Beside the model's own.
    Attribution(&'a Pane),
    Difference,
}

impl<'a> Card<'a> {
    /// The name under which its layout is kept.
    fn name(&self) -> Cow<'a, str> {
        match self {
            Self::Model(pane) => pane.name().into(),
            Self::Unchanged(pane) => format!("unchanged {}", pane.name()).into(),
            Self::Attribution(pane) => format!("attribution of {}", pane.name()).into(),
            Self::Difference => DIFFERENCE.into(),
        }
    }

    fn spec(&self, state: &AppState, look: &Look) -> Option<HeatmapSpec> {
        match self {
            Self::Model(pane) => pane_spec(state, pane, look),
            Self::Unchanged(pane) => unchanged_spec(state, pane, look),
            Self::Attribution(pane) => attribution_spec(state, pane, look),
            Self::Difference => signed_spec(state, look),
        }
    }
}

/// Shows the panes.
pub(super) fn panes_ui(
    ui: &mut Ui,
    state: &AppState,
    memo: &mut PanesMemo,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    let mut cards = Vec::new();
    for pane in state.visible_panes() {
        if state.view().show_unchanged && pane.original().is_some() {
            cards.push(Card::Unchanged(pane));
        }
        cards.push(Card::Model(pane));
        if state.attribution(pane.name()).is_some() {
            cards.push(Card::Attribution(pane));
        }
    }
    if state.view().difference.is_some() && state.selection().solo().is_none() {
        cards.push(Card::Difference);
    }
    let space = ui.available_rect_before_wrap();
    let gap = 4.0 * GRID;
    let cells = [state.chips().len().max(1), state.expected_rows().max(1)];
    let look = look(&Tokens::of(ui.ctx()));
    // Cells of one size need a pane with a colour bar to be wider, which shows where panes are narrow.
    let has_bar = |card: &Card| {
        card.spec(state, &look)
            .is_some_and(|spec| spec.show_colorbar)
    };
    let bars: Vec<bool> = cards.iter().map(has_bar).collect();
    let is_changed = state.visible_panes().any(|pane| pane.original().is_some());
    let original = if is_changed { ORIGINAL } else { 0.0 };
    let crowd = Crowd {
        count: cards.len(),
        cells,
        bars: BAR * bars.iter().filter(|bar| **bar).count() as f32,
        header: original,
    };
    let columns = crowd.best_columns(space.size());
    let rows = cards.len().div_ceil(columns).max(1);
    let bar = if rows == 1 && columns > 2 { BAR } else { 0.0 };
    let all_bars = bar * bars.iter().filter(|bar| **bar).count() as f32;
    let shape = [columns, rows];
    let size = pane_size(space.size(), shape, all_bars, gap, LOWEST + original);
    let header = HEADER + original;
    let (pitch, mut lens) = memo.lens(state, &cards, &look, size - vec2(0.0, header), bar);
    let mut panes = Panes {
        state,
        look,
        pitch,
        viewport: lens.and_then(|lens| lens.viewport()),
        gesture: None,
        was_clicked: false,
        header,
        is_changed,
        textures,
        commands,
    };
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            let top = ui.cursor().min;
            let whole = Vec2::new(space.width(), rows as f32 * (size.y + gap) - gap);
            ui.allocate_exact_size(whole, egui::Sense::hover());
            for (i, card) in cards.iter().enumerate() {
                let (row, column) = (i / columns, i % columns);
                let before = bars[row * columns..i].iter().filter(|bar| **bar).count();
                let corner = pos2(
                    top.x + column as f32 * (size.x + gap) + before as f32 * bar,
                    top.y + row as f32 * (size.y + gap),
                );
                let own = if bars[i] { bar } else { 0.0 };
                let rect = Rect::from_min_size(corner, size + vec2(own, 0.0));
                let name = card.name();
                let builder = UiBuilder::new().id_salt(("pane", &name)).max_rect(rect);
                ui.scope_builder(builder, |ui| {
                    let kept = memo.kept.entry(name.into_owned()).or_default();
                    match card {
                        Card::Model(pane) => panes.model_ui(ui, pane, kept),
                        Card::Unchanged(pane) => panes.unchanged_ui(ui, pane, kept),
                        Card::Attribution(pane) => panes.attribution_ui(ui, pane, kept),
                        Card::Difference => panes.difference_ui(ui, kept),
                    }
                });
            }
        });
    memo.was_clicked = panes.was_clicked;
    if let (Some(lens), Some(gesture)) = (&mut lens, panes.gesture) {
        lens.follow(&gesture);
    }
    // Also where the space does not allow what the state says.
    let zoom = lens.map_or(state.zoom(), |lens| lens.zoom());
    if zoom != state.zoom() {
        commands.push(Command::Zoom(ZoomCommand::To(zoom)));
    }
}

/// The size of each of `columns` times `rows` panes without its colour bar, `lowest` at least. Panes that scroll leave
/// room for the bar that says so.
fn pane_size(space: Vec2, [columns, rows]: [usize; 2], bars: f32, gap: f32, lowest: f32) -> Vec2 {
    let gaps = |count: usize| gap * (count - 1) as f32;
    let height = (space.y - gaps(rows)) / rows as f32;
    let scroll = if height < lowest { SCROLL } else { 0.0 };
    let width = (space.x - gaps(columns) - bars - scroll) / columns as f32;
    vec2(width, height.max(lowest))
}

impl PanesMemo {
    /// The distance of cells where all are seen, and what is seen of them in a space below a header; nothing where no
    /// pane has cells.
    fn lens(
        &mut self,
        state: &AppState,
        cards: &[Card],
        look: &Look,
        space: Vec2,
        bar: f32,
    ) -> (f32, Option<Lens>) {
        let own =
            |spec: &HeatmapSpec| space + vec2(if spec.show_colorbar { bar } else { 0.0 }, 0.0);
        let mut fit = f32::INFINITY;
        let mut specs = Vec::new();
        for card in cards {
            if let Some(spec) = card.spec(state, look) {
                let kept = self.kept.entry(card.name().into_owned()).or_default();
                fit = fit.min(kept.pitch(spec.clone(), own(&spec)));
                specs.push((card.name(), spec));
            }
        }
        let now = (state.selection().locked().cloned(), state.position());
        let before = self.followed.replace(now.clone());
        if specs.is_empty() {
            return (fit, None);
        }
        let mut base = fit;
        match self.fit {
            Some((of, known)) if of == space && !state.zoom().is_fit() => base = known,
            _ => self.fit = Some((space, fit)),
        }
        let pitch = lens::pitch(base, state.zoom());
        let mut room = Vec2::INFINITY;
        let mut columns = 0;
        for (name, spec) in specs {
            columns = columns.max(spec.matrix.columns().len());
            let kept = self.kept.entry(name.into_owned()).or_default();
            let space = own(&spec);
            room = room.min(kept.room(spec, space, pitch));
        }
        let cells = vec2(columns as f32, state.expected_rows() as f32);
        let mut lens = Lens::new(state.zoom(), base, cells, room);
        if let Some((locked, position)) = before {
            if position != now.1 {
                lens.reveal(now.1.checked_sub(1), None);
            }
            if locked != now.0 && !self.was_clicked {
                let item = now.0.as_ref();
                lens.reveal(item.and_then(Item::row), item.and_then(Item::column));
            }
        }
        (fit, Some(lens))
    }
}

pub(super) fn look(tokens: &Tokens) -> Look {
    Look {
        palette: tokens.palette,
        font_size: 13.0,
    }
}

/// The heatmap of a pane. One scale for all needs one colour bar, at the end of the row.
fn pane_spec(state: &AppState, pane: &Pane, look: &Look) -> Option<HeatmapSpec> {
    let mut spec = state.heatmap_spec(pane, look)?;
    // The pane says what the numbers are; the bar needs no name.
    spec.value_name.clear();
    let last = state
        .visible_panes()
        .filter(|pane| pane.data().matrix.is_some())
        .last();
    spec.show_colorbar =
        !state.view().shared_scale || last.is_some_and(|last| last.name() == pane.name());
    Some(spec)
}

/// The heatmap of the difference pane.
pub(super) fn signed_spec(state: &AppState, look: &Look) -> Option<HeatmapSpec> {
    let mut spec = state.difference_spec(look)?;
    spec.value_name.clear();
    Some(spec)
}

impl Panes<'_> {
    fn model_ui(&mut self, ui: &mut Ui, pane: &Pane, kept: &mut Kept) {
        let tokens = Tokens::of(ui.ctx());
        let top = ui.cursor().top();
        header_ui(ui, pane, self.state, &tokens, self.commands);
        if self.is_changed && pane.original().is_none() {
            original_row(ui, |_| {});
        }
        self.header = ui.cursor().top() - top;
        let spec = pane_spec(self.state, pane, &self.look);
        let Some(spec) = spec.filter(|_| pane.taken() > 0) else {
            empty_ui(ui, self.state, pane, &tokens, self.textures, self.commands);
            return;
        };
        let name = pane.name();
        let highlight = highlight_of(self.state, name);
        let shown = Shown {
            spec,
            highlight,
            pitch: self.pitch,
            viewport: self.viewport,
            entropies: &pane.data().entropies,
            spoken: Spoken::WEIGHTS,
            is_adjustable: self.state.can_change_attention(name),
        };
        let happened = self.heatmap_ui(ui, shown, kept, |place| item_of(name, place));
        if let Some(drag) = happened.drag {
            drag_commands(self.state, name, drag, self.commands);
        }
        if happened.double_click {
            let solo = SelectionCommand::Solo(name.to_owned());
            self.commands.push(Command::Select(solo));
        }
        if let Some(response) = happened.response {
            response.context_menu(|ui| pane_menu(ui, pane, self.commands));
        }
    }

    /// A heatmap, whose places are items.
    pub(super) fn heatmap_ui(
        &mut self,
        ui: &mut Ui,
        shown: Shown,
        kept: &mut Kept,
        item: impl Fn(Place) -> Item,
    ) -> heatmap::Happened {
        let happened = heatmap::show(ui, shown, kept, self.textures);
        self.gesture = self.gesture.or(happened.gesture);
        if let Some(place) = happened.hover {
            let hover = SelectionCommand::Hover(item(place));
            self.commands.push(Command::Select(hover));
        }
        if let Some(place) = happened.click.filter(|_| !happened.double_click) {
            self.was_clicked = true;
            let lock = SelectionCommand::Lock(item(place));
            self.commands.push(Command::Select(lock));
        }
        happened
    }
}

/// What is highlighted in a model's heatmap.
pub(super) fn highlight_of(state: &AppState, model: &str) -> Highlight {
    let selection = state.selection();
    // A row belongs to its pane or to all; a column always to all.
    let row_is_here = selection
        .shown()
        .and_then(Item::pane)
        .is_none_or(|of| of == model);
    Highlight {
        row: selection
            .row()
            .filter(|_| row_is_here || selection.column().is_none()),
        column: selection.column(),
    }
}

/// What a place in a model's heatmap is.
pub(super) fn item_of(model: &str, place: Place) -> Item {
    match place {
        Place::Cell(row, column) => Item::Cell {
            pane: model.to_owned(),
            row,
            column,
        },
        Place::Row(row) => Item::Row {
            pane: model.to_owned(),
            row,
        },
        Place::Column(column) => Item::Column(column),
    }
}

/// A pane without weights: what to do next, or the one vector of a model without attention.
pub(super) fn empty_ui(
    ui: &mut Ui,
    state: &AppState,
    pane: &Pane,
    tokens: &Tokens,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    let text = if state.document().source.trim().is_empty() {
        "Type a French sentence above"
    } else if pane.taken() == 0 {
        "Press Space to take the first step"
    } else if pane.score().is_some_and(ScoreKind::attends) {
        "There are no weights to show"
    } else {
        bottleneck_ui(ui, state, pane, tokens, textures, commands);
        return;
    };
    ui.with_layout(
        Layout::centered_and_justified(egui::Direction::TopDown),
        |ui| {
            ui.label(RichText::new(text).color(tokens.muted));
        },
    );
}
