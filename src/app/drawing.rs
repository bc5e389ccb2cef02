//! From what is on the screen to figures: the window paints these specifications, the export writes them.

use super::beam::BeamHypothesis;
use super::pane::Pane;
use super::state::AppState;
use crate::engine::ScoreKind;
use crate::figure::{CurveSpec, HeatmapSpec, Palette, Series, ValueRange};
use crate::project::{Colormap, Scaling};

/// What a figure looks like apart from what it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Colours.
    pub palette: Palette,
    /// Size of labels in points.
    pub font_size: f32,
}

impl From<Colormap> for crate::figure::Colormap {
    fn from(map: Colormap) -> Self {
        match map {
            Colormap::Viridis => Self::Viridis,
            Colormap::Magma => Self::Magma,
            Colormap::Cividis => Self::Cividis,
            Colormap::Grey => Self::Grey,
        }
    }
}

impl From<Scaling> for crate::figure::Scaling {
    fn from(scaling: Scaling) -> Self {
        match scaling {
            Scaling::Linear => Self::Linear,
            Scaling::Log => Self::Log,
            Scaling::RowMax => Self::RowMax,
        }
    }
}

/// Which of the five constant colours a score has.
pub fn series_index(score: Option<ScoreKind>) -> usize {
    let place = score.and_then(|score| ScoreKind::ALL.iter().position(|kind| *kind == score));
    place.unwrap_or(0)
}

impl AppState {
    /// Rows that have a place in every heatmap, so that the picture does not jump while outputs grow.
    pub fn expected_rows(&self) -> usize {
        self.timeline_len().max(self.chips().len() + 1)
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

    /// The heatmap of the difference pane; `None` where there is no difference to see.
    pub fn difference_spec(&self, look: &Look) -> Option<HeatmapSpec> {
        let mut spec = HeatmapSpec::new(self.shown_difference.matrix()?.clone());
        self.dress(&mut spec, look);
        spec.scaling = crate::figure::Scaling::Linear;
        spec.diverging = true;
        spec.range = Some(ValueRange {
            min: -1.0,
            max: 1.0,
        });
        "difference".clone_into(&mut spec.value_name);
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
        spec.colormap = self.view().colormap.into();
        spec.scaling = self.view().scaling.into();
        spec.show_values = self.view().show_values;
        spec.expected_rows = self.expected_rows();
        spec.palette = look.palette;
        spec.font_size = look.font_size;
    }

    /// The curves of entropy and of the context's norm, one line a visible pane.
    pub fn curve_specs(&self, look: &Look) -> [CurveSpec; 2] {
        let panes: Vec<&Pane> = self.visible_panes().collect();
        let line = |pane: &Pane, values: &[f64]| Series {
            name: pane.name().to_owned(),
            index: series_index(pane.score()),
            values: values
                .iter()
                .take(pane.taken())
                .map(|v| *v as f32)
                .collect(),
        };
        let entropies = panes.iter().map(|pane| line(pane, &pane.data().entropies));
        let entropies = entropies.filter(|line| !line.values.is_empty()).collect();
        let norms = panes
            .iter()
            .map(|pane| line(pane, &pane.data().context_norms));
        let norms = norms.filter(|line| !line.values.is_empty()).collect();
        let sources = panes.first().map_or(0, |pane| pane.data().source.len());
        let steps = self.step_labels();
        let mut specs = [
            CurveSpec::entropy(steps.clone(), entropies, sources),
            CurveSpec::context_norm(steps, norms),
        ];
        for spec in &mut specs {
            spec.expected_steps = self.expected_rows();
            spec.current_step = self.inspected_step();
            spec.palette = look.palette;
            spec.font_size = look.font_size;
        }
        specs
    }

    /// The words of the steps that are taken: those of the pane that says most.
    fn step_labels(&self) -> Vec<String> {
        let longest = self.visible_panes().max_by_key(|pane| pane.taken());
        let label = |pane: &Pane| {
            let words = pane.data().tokens.iter().take(pane.taken());
            words.map(|token| token.text.clone()).collect()
        };
        longest.map(label).unwrap_or_default()
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
