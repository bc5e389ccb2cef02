//! The pane with the signed difference of two scorers.

use eframe::egui::{Align, Layout, RichText, Ui};

use super::heatmap::{Highlight, Kept, Place, Shown, Spoken};
use super::icons::{Icon, icon_button};
use super::pane_header::title;
use super::panes::{Panes, signed_spec};
use super::theme::{GRID, Tokens, semi_bold};
use crate::app::{Command, DecodeCommand, Difference, Item, NoDifference, ViewCommand};

impl Panes<'_> {
    /// Shows the difference.
    pub(super) fn difference_ui(&mut self, ui: &mut Ui, kept: &mut Kept) {
        let tokens = Tokens::of(ui.ctx());
        let Some(pair) = &self.state.view().difference else {
            return;
        };
        ui.horizontal(|ui| {
            let name = format!("{} − {}", title(&pair.left), title(&pair.right));
            ui.label(RichText::new(name).font(semi_bold(14.0)));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let name = "Close the difference";
                if icon_button(ui, Icon::Close, name, "Close", true, false).clicked() {
                    self.commands
                        .push(Command::View(ViewCommand::Difference(None)));
                }
            });
        });
        match self.state.difference() {
            Some(Ok(difference)) => {
                parting_ui(ui, difference, &tokens, self.commands);
                let spec = signed_spec(self.state, &self.look);
                let Some(spec) = spec.filter(|spec| !spec.matrix.rows().is_empty()) else {
                    return;
                };
                let selection = self.state.selection();
                let shown = Shown {
                    spec,
                    highlight: Highlight {
                        row: selection.row(),
                        column: selection.column(),
                    },
                    pitch: self.pitch,
                    viewport: self.viewport,
                    entropies: &[],
                    spoken: Spoken::WEIGHTS,
                    is_adjustable: false,
                };
                let item = |place: Place| match place {
                    Place::Cell(row, column) => Item::Cell {
                        pane: pair.left.clone(),
                        row,
                        column,
                    },
                    Place::Row(row) => Item::Step(row),
                    Place::Column(column) => Item::Column(column),
                };
                self.heatmap_ui(ui, shown, kept, item);
            }
            Some(Err(why)) => {
                let text = match why {
                    NoDifference::Missing => "One of the two has nothing to show",
                    NoDifference::NoAttention => "One of the two has no attention",
                    NoDifference::OtherSource => "The two cut the sentence into different words",
                };
                ui.label(RichText::new(text).color(tokens.muted));
            }
            None => {}
        }
    }
}

/// Where the outputs part, and the offer to force one on the other.
fn parting_ui(ui: &mut Ui, difference: &Difference, tokens: &Tokens, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        let Some(parting) = &difference.parting else {
            ui.label(RichText::new("Positive where the first one looks more").color(tokens.muted));
            return;
        };
        let text = format!(
            "They part at step {}: {} / {}",
            parting.step + 1,
            parting.left,
            parting.right
        );
        ui.label(RichText::new(text).color(tokens.warning));
        for model in [&difference.pair.left, &difference.pair.right] {
            if ui
                .small_button(format!("Force {} on both", title(model)))
                .clicked()
            {
                let command = DecodeCommand::ForceOutputOf {
                    model: model.clone(),
                };
                commands.push(Command::Decode(command));
            }
        }
    });
    ui.add_space(GRID);
}
