//! The view's settings and the person's preferences.

use super::command::{PreferencesCommand, ViewCommand};
use super::effect::Effect;
use super::notice::{Level, NoticeDraft, Origin};
use super::state::AppState;
use crate::engine::BeamOptions;
use crate::project::DifferencePair;

impl AppState {
    pub(super) fn apply_view(&mut self, command: ViewCommand) -> Vec<Effect> {
        let view = &mut self.view;
        match command {
            ViewCommand::Colormap(colormap) => view.colormap = colormap,
            ViewCommand::Scaling(scaling) => view.scaling = scaling,
            ViewCommand::SharedScale(on) => view.shared_scale = on,
            ViewCommand::ShowValues(on) => view.show_values = on,
            ViewCommand::ShowCurves(on) => view.show_curves = on,
            ViewCommand::Chart(chart, on) => {
                view.charts.retain(|known| *known != chart);
                if on {
                    view.charts.push(chart);
                    view.charts.sort_unstable();
                    view.show_curves = true;
                }
            }
            ViewCommand::Layout(layout) => view.layout = layout,
            ViewCommand::LinkPercent(percent) => view.link_percent = percent.min(100),
            ViewCommand::BeamSize(size) => {
                view.beam_size = size.clamp(1, BeamOptions::LARGEST_SIZE);
            }
            ViewCommand::Difference(pair) => {
                view.difference = pair.filter(|pair| pair.left != pair.right);
            }
            ViewCommand::ToggleDifference => self.toggle_difference(),
            ViewCommand::Attribution(method) => view.attribution = method,
            ViewCommand::ShowUnchanged(on) => view.show_unchanged = on,
        }
        Vec::new()
    }

    /// The first two panes that have weights.
    pub fn comparable_pair(&self) -> Option<DifferencePair> {
        let mut attending = self
            .panes
            .iter()
            .filter(|pane| pane.score().is_some_and(crate::engine::ScoreKind::attends));
        Some(DifferencePair {
            left: attending.next()?.name().to_owned(),
            right: attending.next()?.name().to_owned(),
        })
    }

    fn toggle_difference(&mut self) {
        if self.view.difference.take().is_some() {
            return;
        }
        self.view.difference = self.comparable_pair();
        if self.view.difference.is_none() {
            self.notices.add(
                NoticeDraft::new(
                    Level::Info,
                    Origin::Window,
                    "A difference needs two scorers with attention",
                )
                .advice("Choose a second one"),
            );
        }
    }

    pub(super) fn apply_preferences(&mut self, command: PreferencesCommand) -> Vec<Effect> {
        match command {
            PreferencesCommand::Theme(theme) => self.preferences.theme = theme,
            PreferencesCommand::TextSize(size) => self.preferences.text_size = size,
            PreferencesCommand::Speed(speed) => self.preferences.speed = speed,
            PreferencesCommand::Export(choice) => self.preferences.export = choice.repaired(),
        }
        vec![self.store_preferences()]
    }

    /// The effect that keeps the preferences.
    pub(super) fn store_preferences(&self) -> Effect {
        Effect::StorePreferences(Box::new(self.preferences.clone()))
    }
}
