//! The figure of what is on the screen, in the form of the last export.

use super::figure_request::{FigureKind, FigureRequest};
use super::state::AppState;
use crate::figure::{FigureFormat, FigureOptions};
use crate::project::{ExportContent, PaneLayout, ViewSettings};

impl AppState {
    /// The figure of what is on the screen: the panes as shown, in the form of the last export.
    pub fn figure_request(&self) -> FigureRequest {
        let models: Vec<String> = self
            .visible_panes()
            .map(|pane| pane.name().to_owned())
            .collect();
        let is_shown = |model: &String| models.contains(model);
        let interventions = self.document.interventions.iter();
        let mut choices = self.document.current_choices();
        choices.retain(|entry| is_shown(&entry.model));
        let is_alone = self.selection.solo().is_some();
        let export = &self.preferences.export;
        let kind = self.export_kind();
        let difference = self.view.difference.clone();
        FigureRequest {
            source: self.document.source.clone(),
            target: self.document.target.clone(),
            policy: self.document.policy,
            interventions: interventions
                .filter(|entry| is_shown(&entry.model))
                .cloned()
                .collect(),
            choices,
            steps: Some(self.position).filter(|steps| *steps > 0),
            kind,
            difference: difference
                .filter(|_| export.difference && !is_alone && kind == FigureKind::Heatmaps),
            curves: export.curves && matches!(kind, FigureKind::Heatmaps | FigureKind::Links),
            options: self.export_options(kind),
            models,
        }
    }

    /// What the next export draws.
    fn export_kind(&self) -> FigureKind {
        let beam = FigureKind::Beam(self.view.beam_size);
        match (self.preferences.export.content, self.view.layout) {
            (ExportContent::Heatmaps, _) | (ExportContent::AsShown, PaneLayout::Heatmap) => {
                FigureKind::Heatmaps
            }
            (ExportContent::Links, _) | (ExportContent::AsShown, PaneLayout::Links) => {
                FigureKind::Links
            }
            (ExportContent::Beam, _) | (ExportContent::AsShown, PaneLayout::Beam) => beam,
            (ExportContent::Step, _) => FigureKind::Step(self.inspected_step().unwrap_or(0)),
        }
    }

    /// What the next export looks like: as in the window, but for what was chosen for exports.
    fn export_options(&self, kind: FigureKind) -> FigureOptions {
        let export = &self.preferences.export;
        let shown = options_of(&self.view, kind);
        FigureOptions {
            colormap: export.colormap.unwrap_or(shown.colormap),
            scaling: export.scaling.unwrap_or(shown.scaling),
            shared_scale: shown.shared_scale,
            values: export.values.unwrap_or(shown.values),
            threshold: export.options.threshold.or(shown.threshold),
            ..export.options.clone()
        }
    }

    /// A file name for the figure, from the first words of the sentence.
    pub(super) fn figure_name(&self, format: FigureFormat) -> String {
        format!("{}.{}", self.short_name(), format.ending())
    }
}

/// What a figure of this kind looks like in the window.
pub(super) fn options_of(view: &ViewSettings, kind: FigureKind) -> FigureOptions {
    let lightest = f32::from(view.link_percent) / 100.0;
    FigureOptions {
        colormap: view.colormap,
        scaling: view.scaling,
        shared_scale: view.shared_scale,
        values: view.show_values,
        threshold: Some(lightest).filter(|_| kind == FigureKind::Links),
        ..FigureOptions::default()
    }
}
