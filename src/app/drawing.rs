//! From what is on the screen to figures: the window paints these specifications, the export writes them.

use std::sync::Arc;

use ndarray::s;

use super::figure_request::FigureRequest;
use super::pane::Pane;
use super::state::AppState;
use crate::alignment::LabelledMatrix;
use crate::engine::ScoreKind;
use crate::figure::{
    CompareSpec, CurveSpec, HeatmapSpec, Palette, Scene, Series, ValueRange, stack,
};
use crate::project::{Colormap, FigureTheme, Scaling};

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

/// The taken rows of a matrix, kept while they are the same: what is drawn knows an unchanged matrix by its identity.
#[derive(Debug, Clone, Default)]
pub(super) struct TakenRows {
    of: Option<Arc<LabelledMatrix>>,
    rows: usize,
    cut: Option<Arc<LabelledMatrix>>,
}

impl TakenRows {
    /// Brings it up to date.
    pub(super) fn refresh(&mut self, matrix: Option<&Arc<LabelledMatrix>>, rows: usize) {
        let same = match (&self.of, matrix) {
            (Some(known), Some(matrix)) => Arc::ptr_eq(known, matrix) && self.rows == rows,
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.cut = matrix.map(|matrix| first_rows(matrix, rows));
            (self.of, self.rows) = (matrix.cloned(), rows);
        }
    }

    /// The rows; `None` where there is no matrix.
    pub(super) const fn get(&self) -> Option<&Arc<LabelledMatrix>> {
        self.cut.as_ref()
    }
}

/// The first `rows` rows of a matrix; the same `Arc` where that is all of it.
fn first_rows(matrix: &Arc<LabelledMatrix>, rows: usize) -> Arc<LabelledMatrix> {
    let rows = rows.min(matrix.rows().len());
    if rows == matrix.rows().len() {
        return matrix.clone();
    }
    let values = matrix.values().slice(s![..rows, ..]).to_owned();
    let labels = matrix.rows()[..rows].to_vec();
    // Fewer labels go with fewer rows, so that this cannot fail; the whole matrix is right too.
    LabelledMatrix::new(labels, matrix.columns().to_vec(), values)
        .map_or_else(|_| matrix.clone(), Arc::new)
}

impl AppState {
    /// Rows that have a place in every heatmap, so that the picture does not jump while outputs grow.
    pub fn expected_rows(&self) -> usize {
        self.timeline_len().max(self.chips().len() + 1)
    }

    /// The heatmap of a pane up to the clock's position; `None` without attention or without a sentence.
    pub fn heatmap_spec(&self, pane: &Pane, look: &Look) -> Option<HeatmapSpec> {
        let mut spec = HeatmapSpec::new(pane.taken_rows().get()?.clone());
        self.dress(&mut spec, look);
        if self.view().shared_scale && self.view().scaling != Scaling::RowMax {
            spec.range = Some(ValueRange::UNIT);
        }
        spec.current_row = self.inspected_step().filter(|row| *row < pane.taken());
        Some(spec)
    }

    /// The heatmap of the difference pane; `None` where there is no difference to see.
    pub fn difference_spec(&self, look: &Look) -> Option<HeatmapSpec> {
        let mut spec = HeatmapSpec::new(self.difference_rows.get()?.clone());
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

    /// The figure of the panes as shown, for the export.
    pub fn figure_scene(&self, request: &FigureRequest) -> Scene {
        let palette = match request.theme {
            FigureTheme::Light => Palette::light(),
            FigureTheme::Dark => Palette::dark(),
        };
        let look = Look {
            palette,
            font_size: 12.0,
        };
        let panels: Vec<HeatmapSpec> = self
            .visible_panes()
            .filter(|pane| request.models.iter().any(|name| name == pane.name()))
            .filter_map(|pane| {
                let mut spec = self.heatmap_spec(pane, &look)?;
                pane.name().clone_into(&mut spec.title);
                pane.translation().clone_into(&mut spec.subtitle);
                spec.current_row = None;
                spec.expected_rows = 0;
                spec.show_values = request.values;
                Some(spec)
            })
            .collect();
        let mut figure = CompareSpec::new(panels);
        figure.columns = figure.panels.len().min(3);
        let curves = if request.curves {
            let mut curves = self.curve_specs(&look);
            curves.iter_mut().for_each(|curve| {
                curve.current_step = None;
                curve.expected_steps = 0;
            });
            curves.to_vec()
        } else {
            Vec::new()
        };
        let mut scene = if curves.is_empty() {
            figure.scene()
        } else {
            stack(&figure, &curves)
        };
        if request.difference.is_some()
            && let Some(mut spec) = self.difference_spec(&look)
        {
            let pair = request
                .difference
                .as_ref()
                .map(|p| format!("{} − {}", p.left, p.right));
            spec.title = pair.unwrap_or_default();
            spec.expected_rows = 0;
            spec.show_values = request.values;
            let part = spec.scene();
            let at = crate::figure::Point::new(0.0, scene.height);
            scene.width = scene.width.max(part.width);
            scene.height += part.height;
            scene.place(part, at);
        }
        scene
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::to_svg;

    #[test]
    fn rows_are_cut_to_what_is_taken() {
        let words = |n: usize| (0..n).map(|i| format!("w{i}")).collect::<Vec<_>>();
        let values = ndarray::Array2::from_shape_fn((3, 2), |(t, s)| (t * 2 + s) as f32);
        let matrix = Arc::new(LabelledMatrix::new(words(3), words(2), values).unwrap());
        assert!(Arc::ptr_eq(&first_rows(&matrix, 7), &matrix));
        let cut = first_rows(&matrix, 2);
        assert_eq!(cut.rows(), ["w0", "w1"]);
        assert_eq!(cut.values()[[1, 1]], 3.0);
    }

    #[test]
    fn what_is_drawn_stays_the_same_until_it_changes() {
        use super::super::{Command, DecodeCommand as Decode, SelectionCommand, ViewCommand};
        let mut state = super::super::tests::state();
        let send = super::super::tests::send;
        let look = Look {
            palette: Palette::light(),
            font_size: 12.0,
        };
        let drawn = |state: &AppState| {
            let pane = state.heatmap_spec(&state.panes()[0], &look).unwrap();
            [pane, state.difference_spec(&look).unwrap()].map(|spec| spec.matrix)
        };
        send(
            &mut state,
            [
                Command::View(ViewCommand::ToggleDifference),
                Command::Decode(Decode::RunToEnd),
                Command::Decode(Decode::StepBack),
            ],
        );
        let before = drawn(&state);
        assert_eq!(before[0].rows().len(), state.panes()[0].taken());
        send(&mut state, [Command::Select(SelectionCommand::EndFrame)]);
        let after = drawn(&state);
        assert!((0..2).all(|i| Arc::ptr_eq(&before[i], &after[i])));
        send(&mut state, [Command::Decode(Decode::MoveTo(1))]);
        assert_eq!(drawn(&state)[0].rows().len(), 1);
    }

    #[test]
    fn a_figure_of_the_demo_names_its_words() {
        let mut state = super::super::tests::state();
        let run = super::super::Command::Decode(super::super::DecodeCommand::RunToEnd);
        super::super::tests::send(&mut state, [run]);
        let scene = state.figure_scene(&state.figure_request());
        let svg = to_svg(&scene);
        assert!(svg.contains("chat") && svg.contains("noir"), "{svg}");
    }
}
