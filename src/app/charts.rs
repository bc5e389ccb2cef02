//! The charts below the panes: a number of every step, one line a model.

use super::drawing::{Look, series_index};
use super::pane::Pane;
use super::state::AppState;
use crate::figure::{CurveSpec, Series};
use crate::project::Chart;

/// Steps that a chart has a place for from the beginning, however long the sentence.
const PLACES: usize = 64;

/// Steps that have a place in a chart: all that are `expected`, as in the heatmaps, so that it does not jump. Of a long
/// sentence at most four times as many as were `taken`, or the first ones would all stand on one spot.
fn place_for_steps(expected: usize, taken: usize) -> usize {
    expected.min(PLACES.max(2 * taken.next_power_of_two()))
}

impl AppState {
    /// Whether a chart is shown.
    pub fn shows_chart(&self, chart: Chart) -> bool {
        self.view().show_curves && self.view().charts.contains(&chart)
    }

    /// The charts that are chosen, one line a visible pane.
    pub fn curve_specs(&self, look: &Look) -> Vec<CurveSpec> {
        let chosen = Chart::ALL.into_iter();
        let chosen = chosen.filter(|chart| self.view().charts.contains(chart));
        let steps = self.step_labels();
        let dressed = |chart| {
            let mut spec = self.curve_spec(chart, steps.clone());
            spec.expected_steps = place_for_steps(self.expected_rows(), steps.len());
            spec.current_step = self.inspected_step();
            spec.palette = look.palette;
            spec.font_size = look.font_size;
            spec
        };
        chosen.map(dressed).collect()
    }

    fn curve_spec(&self, chart: Chart, steps: Vec<String>) -> CurveSpec {
        let lines = |values: &dyn Fn(&Pane) -> Vec<f64>| self.lines("", values);
        let plain = |title: &str, unit: &str, from_zero: bool, series: Vec<Series>| CurveSpec {
            title: title.to_owned(),
            unit: unit.to_owned(),
            from_zero,
            ..CurveSpec::new(steps.clone(), series)
        };
        match chart {
            Chart::Entropy => {
                let sources = self.visible_panes().next();
                let sources = sources.map_or(0, |pane| pane.data().source.len());
                let series = lines(&|pane| pane.data().entropies.clone());
                CurveSpec::entropy(steps, series, sources)
            }
            Chart::ContextNorm => {
                let series = lines(&|pane| pane.data().context_norms.clone());
                CurveSpec::context_norm(steps, series)
            }
            Chart::Unnormalised => {
                let log = |values: Vec<f64>| values.into_iter().map(f64::log10).collect();
                let mut series = self.lines(" unnormalised", &|pane| {
                    log(self.unnormalised_norms(pane.name()))
                });
                series.extend(lines(&|pane| {
                    let attends = !pane.data().entropies.is_empty();
                    let norms = pane.data().context_norms.clone();
                    log(norms.into_iter().filter(|_| attends).collect())
                }));
                plain("‖Σ exp(e) h‖ above ‖c‖", "log₁₀", false, series)
            }
            Chart::StateNorm => {
                let series = lines(&|pane| pane.data().state_norms.clone());
                plain("State norm per step", "", false, series)
            }
            Chart::GateOpenness => {
                let series = lines(&|pane| self.gate_openness(pane.name()));
                plain("Openness of the gate", "mean of 1 − z", true, series)
            }
            Chart::LogProbability => {
                let series = lines(&|pane| {
                    let values = pane.data().log_probabilities.iter();
                    values.map(|value| f64::from(*value)).collect()
                });
                plain("ln p of the word", "nats", false, series)
            }
        }
    }

    /// A line for each visible pane that has values.
    fn lines(&self, behind: &str, values: &dyn Fn(&Pane) -> Vec<f64>) -> Vec<Series> {
        let line = |pane: &Pane| Series {
            name: format!("{}{behind}", pane.name()),
            index: series_index(pane.score()),
            values: values(pane)
                .into_iter()
                .take(pane.taken())
                .map(|value| value as f32)
                .collect(),
        };
        let lines = self.visible_panes().map(line);
        lines.filter(|line| !line.values.is_empty()).collect()
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
    use super::*;

    #[test]
    fn a_long_sentence_leaves_its_first_steps_room() {
        // A sentence of the usual length has its place at once.
        assert_eq!(place_for_steps(20, 0), 20);
        assert_eq!(place_for_steps(64, 3), 64);
        // A long one gets more with its steps, in few jumps, and no more than it needs.
        assert_eq!(place_for_steps(4000, 0), 64);
        assert_eq!(place_for_steps(4000, 60), 128);
        assert_eq!(place_for_steps(4000, 64), 128);
        assert_eq!(place_for_steps(4000, 65), 256);
        assert_eq!(place_for_steps(4000, 4000), 4000);
    }
}
