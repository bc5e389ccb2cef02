//! The beam of one model: the search as a tree by step, its hypotheses, and the heatmap of the chosen one.

use std::sync::Arc;

use eframe::egui::{
    self, Align, Button, Color32, EventFilter, Key, Layout, Pos2, Rect, RichText, ScrollArea,
    Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, accesskit::Role, epaint::CubicBezierShape, vec2,
};

use super::heatmap::{self, Highlight, Kept, Shown, Spoken};
use super::paint::Textures;
use super::pane_header::title;
use super::theme::{GRID, RADIUS, SMALL, Tokens, regular, semi_bold};
use crate::app::{AppState, BeamView, Command, ViewCommand};
use crate::engine::Fate;
use crate::figure::{Weight, fit};

/// A node's height, and the gaps between nodes.
const NODE: Vec2 = Vec2::new(76.0, 24.0);
const GAP: Vec2 = Vec2::new(40.0, 8.0);

/// What the view remembers.
#[derive(Default)]
pub(super) struct BeamMemo {
    /// The node that is chosen, of this beam.
    chosen: Option<(Arc<BeamView>, usize)>,
    kept: Kept,
}

impl BeamMemo {
    /// The chosen node; the last one of the best hypothesis where none was chosen.
    fn node(&mut self, beam: &Arc<BeamView>) -> usize {
        match &self.chosen {
            Some((of, node)) if Arc::ptr_eq(of, beam) => *node,
            _ => {
                let best = beam.hypotheses.first().and_then(|h| h.nodes.first());
                let node = best.copied().unwrap_or(0);
                self.chosen = Some((beam.clone(), node));
                node
            }
        }
    }
}

/// Shows the beam of the focused pane's model.
pub(super) fn beam_ui(
    ui: &mut Ui,
    state: &AppState,
    memo: &mut BeamMemo,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    let tokens = Tokens::of(ui.ctx());
    let Some(model) = state.beam_model() else {
        ui.label(
            RichText::new("Type a sentence and choose a scorer to search its beam")
                .color(tokens.muted),
        );
        return;
    };
    ui.horizontal_wrapped(|ui| {
        let name = format!("Beam of {}", title(&model.name));
        ui.label(RichText::new(name).font(semi_bold(14.0)));
        ui.add_space(2.0 * GRID);
        let label = ui.label(RichText::new("hypotheses").size(SMALL).color(tokens.muted));
        let mut size = state.view().beam_size;
        let slider = egui::Slider::new(&mut size, 1..=crate::engine::BeamOptions::LARGEST_SIZE);
        let response = ui.add(slider).labelled_by(label.id);
        super::shortcuts::keep_arrows(&response);
        if response.changed() {
            commands.push(Command::View(ViewCommand::BeamSize(size)));
        }
    });
    let beam = match state.beam() {
        Some(Ok(beam)) => beam,
        Some(Err(problem)) => {
            ui.label(RichText::new(format!("No beam: {problem}")).color(tokens.error));
            return;
        }
        None => {
            // The answer wakes the window: nothing has to turn meanwhile.
            ui.label(RichText::new("Searching …").color(tokens.muted));
            return;
        }
    };
    let chosen = memo.node(&beam);
    let height = ui.available_height();
    let mut picked = None;
    ui.allocate_ui(vec2(ui.available_width(), height * 0.52), |ui| {
        ScrollArea::both()
            .id_salt("beam tree")
            .auto_shrink(false)
            .show(ui, |ui| picked = tree_ui(ui, &beam, chosen, &tokens));
    });
    ui.separator();
    let through = beam.hypothesis_through(chosen).unwrap_or(0);
    ui.horizontal_top(|ui| {
        let half = (ui.available_width() - 4.0 * GRID) / 2.0;
        let space = vec2(half, ui.available_height());
        ui.allocate_ui_with_layout(space, Layout::top_down(Align::Min), |ui| {
            let list = ScrollArea::vertical()
                .id_salt("hypotheses")
                .auto_shrink(false);
            list.show(ui, |ui| {
                if let Some(hypothesis) = hypotheses_ui(ui, &beam, through, &tokens) {
                    picked = beam.hypotheses[hypothesis].nodes.first().copied();
                }
            });
        });
        ui.add_space(2.0 * GRID);
        ui.vertical(|ui| {
            let look = super::panes::look(&tokens);
            let hypothesis = beam.hypotheses.get(through);
            let Some(spec) = hypothesis.and_then(|h| state.hypothesis_spec(h, &look)) else {
                ui.label(
                    RichText::new("No attention: there are no weights to show").color(tokens.muted),
                );
                return;
            };
            let shown = Shown {
                spec,
                highlight: Highlight::default(),
                pitch: f32::INFINITY,
                viewport: None,
                entropies: &[],
                spoken: Spoken::WEIGHTS,
                is_adjustable: false,
            };
            heatmap::show(ui, shown, &mut memo.kept, textures);
        });
    });
    if let Some(node) = picked {
        memo.chosen = Some((beam, node));
        ui.ctx().request_repaint();
    }
}

/// The corner of a node: its step across, its rank within the step down.
fn corner(origin: Pos2, step: usize, rank: usize) -> Pos2 {
    origin
        + vec2(
            step as f32 * (NODE.x + GAP.x),
            rank as f32 * (NODE.y + GAP.y),
        )
}

/// Draws the tree; gives back the node that was clicked or walked to.
fn tree_ui(ui: &mut Ui, beam: &BeamView, chosen: usize, tokens: &Tokens) -> Option<usize> {
    let nodes = &beam.result.nodes;
    let mut ranks = vec![0_usize; nodes.len()];
    let mut tallest = 0;
    for step in 0..beam.result.steps {
        for (rank, node) in beam.step(step).enumerate() {
            ranks[node] = rank;
            tallest = tallest.max(rank + 1);
        }
    }
    let size = vec2(
        beam.result.steps as f32 * (NODE.x + GAP.x),
        tallest as f32 * (NODE.y + GAP.y),
    );
    let (area, response) = ui.allocate_exact_size(size, Sense::click());
    response
        .widget_info(|| WidgetInfo::labeled(Role::Tree, true, "Beam search, arrow keys walk it"));
    let on_way = way(beam, chosen);
    let rect =
        |node: usize| Rect::from_min_size(corner(area.min, nodes[node].step, ranks[node]), NODE);
    for (i, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            edge(
                ui,
                rect(parent).right_center(),
                rect(i).left_center(),
                ink(node.fate, on_way[i], tokens),
                on_way[i],
            );
        }
    }
    let mut picked = None;
    for (i, node) in nodes.iter().enumerate() {
        let at = rect(i);
        if !ui.is_rect_visible(at) {
            continue;
        }
        let id = ui.scope_id().with(("node", i));
        let cell = ui.interact(at, id, Sense::click());
        let what = match node.fate {
            Fate::Pruned => ", pruned",
            Fate::Finished => ", finished",
            Fate::StepLimit => ", step limit",
            Fate::Continued => "",
        };
        let name = format!("Step {} {}{what}", node.step + 1, beam.words[i]);
        cell.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, i == chosen, &name));
        node_ui(
            ui,
            at,
            &beam.words[i],
            node.fate,
            (i == chosen, on_way[i]),
            tokens,
        );
        let tip = format!(
            "{name}\nln p {:.3}, in all {:.3} nats\nscore {:.3}",
            node.log_probability, node.total_log_probability, node.score
        );
        if cell.on_hover_text(tip).clicked() {
            picked = Some(i);
        }
    }
    if response.clicked() || picked.is_some() {
        response.request_focus();
    }
    picked.or_else(|| walked(ui, &response, beam, chosen))
}

/// The nodes from the beginning to `node`, and on along the best hypothesis through it.
fn way(beam: &BeamView, node: usize) -> Vec<bool> {
    let nodes = &beam.result.nodes;
    let mut on_way = vec![false; nodes.len()];
    let mut at = Some(node).filter(|node| *node < nodes.len());
    while let Some(i) = at {
        on_way[i] = true;
        at = nodes[i].parent;
    }
    if let Some(hypothesis) = beam.hypothesis_through(node) {
        for i in &beam.hypotheses[hypothesis].nodes {
            on_way[*i] = true;
        }
    }
    on_way
}

fn ink(fate: Fate, on_way: bool, tokens: &Tokens) -> Color32 {
    match (fate, on_way) {
        (_, true) => tokens.accent,
        (Fate::Pruned, false) => tokens.line,
        _ => tokens.muted,
    }
}

fn edge(ui: &Ui, from: Pos2, to: Pos2, ink: Color32, on_way: bool) {
    let bend = vec2(GAP.x * 0.5, 0.0);
    let stroke = Stroke::new(if on_way { 2.0 } else { 1.0 }, ink);
    let points = [from, from + bend, to - bend, to];
    ui.painter()
        .add(Shape::CubicBezier(CubicBezierShape::from_points_stroke(
            points,
            false,
            Color32::TRANSPARENT,
            stroke,
        )));
}

fn node_ui(
    ui: &Ui,
    at: Rect,
    word: &str,
    fate: Fate,
    (chosen, on_way): (bool, bool),
    tokens: &Tokens,
) {
    let fill = match (chosen, fate) {
        (true, _) => tokens.chosen,
        (false, Fate::Pruned) => tokens.canvas,
        (false, _) => tokens.button,
    };
    let text = if fate == Fate::Pruned {
        tokens.muted.gamma_multiply(0.7)
    } else {
        tokens.text
    };
    let painter = ui.painter();
    painter.rect_filled(at, RADIUS, fill);
    let line = if on_way { tokens.accent } else { tokens.line };
    painter.rect_stroke(at, RADIUS, Stroke::new(1.0, line), egui::StrokeKind::Inside);
    let word = fit(word, SMALL, Weight::Regular, at.width() - 2.0 * GRID);
    painter.text(
        at.center(),
        egui::Align2::CENTER_CENTER,
        word,
        regular(SMALL),
        text,
    );
}

/// The node that an arrow key leads to: along the way left and right, within the step up and down.
fn walked(ui: &Ui, response: &egui::Response, beam: &BeamView, chosen: usize) -> Option<usize> {
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter {
        horizontal_arrows: true,
        vertical_arrows: true,
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let nodes = &beam.result.nodes;
    let node = nodes.get(chosen)?;
    let siblings: Vec<usize> = beam.step(node.step).collect();
    let place = siblings.iter().position(|i| *i == chosen)?;
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    if pressed(Key::ArrowLeft) {
        node.parent
    } else if pressed(Key::ArrowRight) {
        let on_way = way(beam, chosen);
        let mut next = nodes
            .iter()
            .enumerate()
            .filter(|(_, n)| n.parent == Some(chosen));
        let first = next.clone().next();
        next.find(|(i, _)| on_way[*i]).or(first).map(|(i, _)| i)
    } else if pressed(Key::ArrowUp) {
        place.checked_sub(1).map(|place| siblings[place])
    } else if pressed(Key::ArrowDown) {
        siblings.get(place + 1).copied()
    } else {
        None
    }
}

/// The hypotheses with their scores, and how the greedy output compares; gives back the one that was clicked.
fn hypotheses_ui(ui: &mut Ui, beam: &BeamView, chosen: usize, tokens: &Tokens) -> Option<usize> {
    let mut picked = None;
    for (i, hypothesis) in beam.hypotheses.iter().enumerate() {
        let end = if hypothesis.finished { "" } else { " (cut)" };
        let text = format!("{}. {}{end}", i + 1, hypothesis.sentence);
        let font = if i == chosen {
            semi_bold(14.0)
        } else {
            regular(14.0)
        };
        let button = Button::selectable(i == chosen, RichText::new(&text).font(font))
            .right_text(format!("{:.3}", hypothesis.score))
            .truncate();
        let response = ui.add_sized(vec2(ui.available_width(), 7.0 * GRID), button);
        let tip = format!(
            "score {:.3} = ln p {:.3} nats, divided for {} tokens",
            hypothesis.score,
            hypothesis.log_probability,
            hypothesis.words.len()
        );
        if response.on_hover_text(tip).clicked() {
            picked = Some(i);
        }
    }
    ui.add_space(GRID);
    ui.label(
        RichText::new(compared(beam))
            .size(SMALL)
            .color(tokens.muted),
    );
    picked
}

/// One sentence on greedy and beam.
fn compared(beam: &BeamView) -> String {
    let greedy = &beam.greedy;
    let Some(best) = beam.hypotheses.first() else {
        return "The beam found nothing that ends".to_owned();
    };
    match beam.greedy_rank {
        Some(0) => format!(
            "Greedy decoding finds the same best output, score {:.3}",
            greedy.score
        ),
        Some(rank) => format!(
            "Greedy decoding finds number {}, score {:.3}; the beam’s best has {:.3}",
            rank + 1,
            greedy.score,
            best.score
        ),
        None => format!(
            "Greedy decoding says “{}”, score {:.3}; the beam dropped it and its best has {:.3}",
            greedy.sentence, greedy.score, best.score
        ),
    }
}
