//! The attribution beside a pane's attention, and what the inspector says of the two.

use eframe::egui::{Align, Grid, Label, Layout, RichText, Ui};

use super::heatmap::{Kept, Shown, Spoken};
use super::icons::{Icon, icon_button};
use super::pane_header::title;
use super::panes::{Panes, highlight_of, item_of};
use super::theme::{GRID, SMALL, Tokens, semi_bold};
use crate::app::{AppState, Command, Look, Pane, ShownAttribution, ViewCommand, method_title};
use crate::figure::HeatmapSpec;

/// The heatmap of a pane's attribution.
pub(super) fn attribution_spec(state: &AppState, pane: &Pane, look: &Look) -> Option<HeatmapSpec> {
    let mut spec = state.attribution_spec(pane, look)?;
    // The pane says what the numbers are; the bar needs no name.
    spec.value_name.clear();
    Some(spec)
}

/// What stands where there are no numbers.
fn waiting(shown: &ShownAttribution) -> Option<String> {
    match shown.outcome() {
        None => Some("Computing…".to_owned()),
        Some(Err(problem)) => Some(format!("There is none: {problem}")),
        Some(Ok(_)) => None,
    }
}

impl Panes<'_> {
    /// Shows the attribution of a pane's output on the axes of its attention.
    pub(super) fn attribution_ui(&mut self, ui: &mut Ui, pane: &Pane, kept: &mut Kept) {
        let tokens = Tokens::of(ui.ctx());
        let Some(attribution) = self.state.attribution(pane.name()) else {
            return;
        };
        let top = ui.cursor().top();
        ui.horizontal(|ui| {
            let name = RichText::new(method_title(attribution.method())).font(semi_bold(14.0));
            let space = ui.available_width() - 10.0 * GRID;
            ui.scope(|ui| {
                ui.set_max_width(space);
                ui.add(Label::new(name).truncate());
            });
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let name = format!("Close the attribution of {}", pane.name());
                if icon_button(ui, Icon::Close, &name, "Close", true, false).clicked() {
                    let off = ViewCommand::Attribution(None);
                    self.commands.push(Command::View(off));
                }
            });
        });
        let what = if pane.original().is_some() {
            "nats, without the changes"
        } else {
            "nats added to ln p"
        };
        let text = format!("{}: {what}", title(pane.name()));
        let text = RichText::new(text).size(SMALL).color(tokens.muted);
        ui.add(Label::new(text).truncate());
        // Its rows stand beside those of attention.
        ui.add_space((self.header - (ui.cursor().top() - top)).max(GRID));
        if let Some(text) = waiting(attribution) {
            ui.label(RichText::new(text).color(tokens.muted));
            return;
        }
        let spec = attribution_spec(self.state, pane, &self.look);
        let Some(spec) = spec.filter(|spec| !spec.matrix.rows().is_empty()) else {
            return;
        };
        let name = pane.name();
        let shown = Shown {
            spec,
            highlight: highlight_of(self.state, name),
            pitch: self.pitch,
            viewport: self.viewport,
            entropies: &[],
            spoken: Spoken::ATTRIBUTION,
            is_adjustable: false,
        };
        self.heatmap_ui(ui, shown, kept, |place| item_of(name, place));
    }
}

/// How attention and the attribution agree at a step.
pub(super) fn agreement_ui(ui: &mut Ui, shown: &ShownAttribution, step: usize, tokens: &Tokens) {
    if let Some(text) = waiting(shown) {
        ui.label(RichText::new(text).color(tokens.muted));
        return;
    }
    let row = shown
        .outcome()
        .and_then(Result::ok)
        .and_then(|view| view.agreement.get(step));
    let Some(row) = row else { return };
    let number = |value: Option<f64>, unit: &str| {
        value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}{unit}"))
    };
    let same = match row.top1 {
        Some(true) => "yes",
        Some(false) => "no",
        None => "–",
    };
    let rows = [
        ("Kendall τ-b", number(row.kendall, "")),
        ("Same top word", same.to_owned()),
        ("Jensen–Shannon divergence", number(row.divergence, " nats")),
    ];
    Grid::new("agreement")
        .num_columns(2)
        .spacing([4.0 * GRID, GRID])
        .show(ui, |ui| {
            for (name, value) in rows {
                ui.label(RichText::new(name).color(tokens.muted));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(value));
                ui.end_row();
            }
        });
    let note = RichText::new(shown.method().note());
    ui.label(note.size(SMALL).color(tokens.muted));
}
