//! The pane of a model without attention: the whole sentence through one vector, and the translation out of it.

use eframe::egui::{RichText, Sense, Ui, Vec2, WidgetInfo, accesskit::Role, vec2};

use super::paint::{self, Textures};
use super::theme::{GRID, SMALL, Tokens};
use crate::app::{AppState, Command, Item, Pane, SelectionCommand};
use crate::figure::{BottleneckSpec, Point};

/// The largest width of the picture.
const WIDEST: f32 = 560.0;
/// What the sentence above the picture needs to stand on one line.
const ONE_LINE: f32 = 340.0;
/// The same size as in heatmaps, and that in a pane too narrow for it.
const FONT: [f32; 2] = [13.0, 11.0];
/// See [`FONT`].
const NARROW: f32 = 200.0;

/// Shows it in the space that there is.
pub(super) fn bottleneck_ui(
    ui: &mut Ui,
    state: &AppState,
    pane: &Pane,
    tokens: &Tokens,
    textures: &mut Textures,
    commands: &mut Vec<Command>,
) {
    ui.vertical_centered(|ui| {
        let text = if ui.available_width() < ONE_LINE {
            "No attention: the whole sentence\ngoes through one vector"
        } else {
            "No attention: the whole sentence goes through one vector"
        };
        ui.label(RichText::new(text).size(SMALL).color(tokens.muted));
    });
    let space = ui.available_size().max(Vec2::splat(40.0));
    let spec = spec(state, pane, tokens, space);
    let layout = spec.layout();
    let (outer, response) = ui.allocate_exact_size(space, Sense::click());
    let said = format!(
        "One vector holds the whole sentence, {}. {} words came out of it so far",
        spec.note,
        spec.targets.len()
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Group, true, &said));
    let left = ((space.x - spec.size[0]) / 2.0).max(0.0).floor();
    let origin = outer.min + vec2(left, 0.0);
    let painter = ui.painter_at(outer);
    paint::scene(&painter, &spec.scene_of(&layout), origin, textures);
    let under = |at: eframe::egui::Pos2| {
        let word = layout.word_at(Point::new(at.x - origin.x, at.y - origin.y))?;
        match word {
            Ok(column) => Some(Item::Column(column)),
            Err(row) => Some(Item::Row {
                pane: pane.name().to_owned(),
                row,
            })
            .filter(|_| row < spec.targets.len()),
        }
    };
    if let Some(item) = response.hover_pos().and_then(under) {
        commands.push(Command::Select(SelectionCommand::Hover(item)));
    }
    if response.double_clicked() {
        let solo = SelectionCommand::Solo(pane.name().to_owned());
        commands.push(Command::Select(solo));
    } else if response.clicked()
        && let Some(item) = response.interact_pointer_pos().and_then(under)
    {
        commands.push(Command::Select(SelectionCommand::Lock(item)));
    }
}

fn spec(state: &AppState, pane: &Pane, tokens: &Tokens, space: Vec2) -> BottleneckSpec {
    let data = pane.data();
    let taken = pane.taken();
    let words = data.tokens.iter().take(taken);
    let current = state.inspected_step().filter(|step| *step < taken);
    // The vector is the same at every step.
    let norm = data.context_norms.first();
    BottleneckSpec {
        sources: data.source.to_vec(),
        targets: words.map(|token| token.text.clone()).collect(),
        expected: state.expected_rows(),
        current,
        stressed: state.selection().column(),
        note: norm.map_or_else(String::new, |norm| format!("‖c‖ {norm:.2} at every step")),
        size: [space.x.min(WIDEST).floor(), (space.y - GRID).floor()],
        font_size: FONT[usize::from(space.x < NARROW)],
        palette: tokens.palette,
    }
}
