//! From what is on the screen to figures: the window paints these specifications, the export writes them.

use super::beam::BeamHypothesis;
use super::pane::Pane;
use super::state::AppState;
use crate::engine::ScoreKind;
use crate::figure::{HeatmapSpec, LinksSpec, Palette, Scaling, ValueRange};

/// What a figure looks like apart from what it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Colours.
    pub palette: Palette,
    /// Size of labels in points.
    pub font_size: f32,
}

/// Which of the five constant colours a score has.
pub fn series_index(score: Option<ScoreKind>) -> usize {
    let place = score.and_then(|score| ScoreKind::ALL.iter().position(|kind| *kind == score));
    place.unwrap_or(0)
}

impl AppState {
    /// Rows that have a place in every heatmap, so that the picture does not jump while outputs grow.
    pub fn expected_rows(&self) -> usize {
        let unchanged = self.visible_panes().filter_map(Pane::original);
        let unchanged = unchanged.map(|original| original.data().len());
        let unchanged = unchanged.filter(|_| self.view().show_unchanged).max();
        let expected = self.timeline_len().max(self.chips().len() + 1);
        expected.max(unchanged.unwrap_or(0))
    }

    /// The heatmap of the unchanged run of a pane up to the clock's position; `None` where nothing is changed.
    pub fn unchanged_spec(&self, pane: &Pane, look: &Look) -> Option<HeatmapSpec> {
        let mut spec = HeatmapSpec::new(pane.original()?.shown()?.clone());
        self.dress(&mut spec, look);
        if self.view().shared_scale && self.view().scaling != Scaling::RowMax {
            spec.range = Some(ValueRange::UNIT);
        }
        let rows = spec.matrix.rows().len();
        spec.current_row = self.inspected_step().filter(|row| *row < rows);
        Some(spec)
    }

    /// The heatmap of a pane up to the clock's position; `None` without attention or without a sentence.
    pub fn heatmap_spec(&self, pane: &Pane, look: &Look) -> Option<HeatmapSpec> {
        let mut spec = HeatmapSpec::new(pane.shown()?.clone());
        self.dress(&mut spec, look);
        if self.view().shared_scale && self.view().scaling != Scaling::RowMax {
            spec.range = Some(ValueRange::UNIT);
        }
        spec.current_row = self.inspected_step().filter(|row| *row < pane.taken());
        Some(spec)
    }

    /// The links of a pane up to the clock's position; `None` without attention or without a sentence. Tokens that
    /// were decoded before keep their places while the clock is behind them.
    pub fn links_spec(&self, pane: &Pane, look: &Look) -> Option<LinksSpec> {
        let mut spec = LinksSpec::new(pane.data().matrix.clone()?);
        spec.visible_rows = Some(pane.taken());
        spec.current_row = self.inspected_step().filter(|row| *row < pane.taken());
        spec.threshold = f32::from(self.view().link_percent) / 100.0;
        spec.series = series_index(pane.score());
        spec.palette = look.palette;
        spec.font_size = look.font_size;
        Some(spec)
    }

    /// The heatmap of the difference pane; `None` where there is no difference to see.
    pub fn difference_spec(&self, look: &Look) -> Option<HeatmapSpec> {
        let mut spec = HeatmapSpec::new(self.shown_difference.matrix()?.clone());
        self.dress(&mut spec, look);
        spec.scaling = Scaling::Linear;
        spec.diverging = true;
        spec.range = Some(ValueRange {
            min: -1.0,
            max: 1.0,
        });
        "difference".clone_into(&mut spec.value_name);
        Some(spec)
    }

    /// The heatmap of the attribution beside a pane; `None` while there is none.
    pub fn attribution_spec(&self, pane: &Pane, look: &Look) -> Option<HeatmapSpec> {
        let shown = self.attribution(pane.name())?;
        let mut spec = HeatmapSpec::new(shown.matrix()?.clone());
        let Some(Ok(view)) = shown.outcome() else {
            return None;
        };
        self.dress(&mut spec, look);
        spec.scaling = Scaling::Linear;
        spec.diverging = true;
        // That of the whole output: colours stay while it grows.
        let largest = view.largest.max(f32::MIN_POSITIVE);
        spec.range = Some(ValueRange {
            min: -largest,
            max: largest,
        });
        "nats".clone_into(&mut spec.value_name);
        spec.current_row = self.inspected_step().filter(|row| *row < pane.taken());
        Some(spec)
    }

    /// The heatmap of a hypothesis of the beam.
    pub fn hypothesis_spec(&self, hypothesis: &BeamHypothesis, look: &Look) -> Option<HeatmapSpec> {
        let mut spec = HeatmapSpec::new(hypothesis.matrix.clone()?);
        self.dress(&mut spec, look);
        spec.expected_rows = 0;
        spec.range = Some(ValueRange::UNIT).filter(|_| self.view().scaling != Scaling::RowMax);
        Some(spec)
    }

    fn dress(&self, spec: &mut HeatmapSpec, look: &Look) {
        spec.colormap = self.view().colormap;
        spec.scaling = self.view().scaling;
        spec.show_values = self.view().show_values;
        spec.expected_rows = self.expected_rows();
        spec.palette = look.palette;
        spec.font_size = look.font_size;
    }
}

#[cfg(test)]
mod tests {
    use crate::figure::to_svg;

    #[test]
    fn a_figure_of_the_demo_names_its_words() {
        let mut state = super::super::tests::state();
        let run = super::super::Command::Decode(super::super::DecodeCommand::RunToEnd);
        super::super::tests::send(&mut state, [run]);
        let request = state.figure_request();
        let scene = request.scene(&state.figure_runs(&request)).unwrap();
        let svg = to_svg(&scene);
        assert!(svg.contains("chat") && svg.contains("noir"), "{svg}");
    }
}
