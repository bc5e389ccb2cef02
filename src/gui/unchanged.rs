//! The run without changes beside the changed one: both heatmaps and both sentences at once.

use eframe::egui::{Align, Label, Layout, RichText, Ui};

use super::heatmap::{Highlight, Kept, Place, Shown, Spoken};
use super::icons::{Icon, icon_button};
use super::pane_header::{marked, title};
use super::panes::Panes;
use super::theme::{GRID, SMALL, TITLE, Tokens, semi_bold};
use crate::app::{AppState, Command, Item, Look, Pane, ViewCommand};
use crate::figure::HeatmapSpec;

/// The heatmap of a pane's unchanged run; the pane itself has the colour bar.
pub(super) fn unchanged_spec(state: &AppState, pane: &Pane, look: &Look) -> Option<HeatmapSpec> {
    let mut spec = state.unchanged_spec(pane, look)?;
    spec.value_name.clear();
    spec.show_colorbar = !state.view().shared_scale;
    Some(spec)
}

impl Panes<'_> {
    /// Shows the unchanged run of a pane.
    pub(super) fn unchanged_ui(&mut self, ui: &mut Ui, pane: &Pane, kept: &mut Kept) {
        let tokens = Tokens::of(ui.ctx());
        let Some(original) = pane.original() else {
            return;
        };
        let top = ui.cursor().top();
        ui.horizontal(|ui| {
            let name = format!("{}, unchanged", title(pane.name()));
            let space = ui.available_width() - 10.0 * GRID;
            ui.scope(|ui| {
                ui.set_max_width(space);
                ui.add(Label::new(RichText::new(name).font(semi_bold(14.0))).truncate());
            });
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let name = format!("Close the unchanged run of {}", pane.name());
                if icon_button(ui, Icon::Close, &name, "Close", true, false).clicked() {
                    let off = ViewCommand::ShowUnchanged(false);
                    self.commands.push(Command::View(off));
                }
            });
        });
        let said = marked(original.sentence(), TITLE, tokens.text, &tokens);
        ui.add(Label::new(said).truncate());
        let read = RichText::new(original.source()).size(SMALL);
        ui.add(Label::new(read.color(tokens.muted)).truncate());
        // Its rows stand beside those of the changed run.
        ui.add_space((self.header - (ui.cursor().top() - top)).max(GRID));
        let spec = unchanged_spec(self.state, pane, &self.look);
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
            entropies: &original.data().entropies,
            spoken: Spoken::UNCHANGED,
            is_adjustable: false,
        };
        // Its cells are none of the pane's: what they share are steps and words.
        self.heatmap_ui(ui, shown, kept, |place| match place {
            Place::Cell(_, column) | Place::Column(column) => Item::Column(column),
            Place::Row(row) => Item::Step(row),
        });
    }
}
