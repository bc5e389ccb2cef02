//! What the sentence costs: multiply–adds and memory of each chosen model, as formulae with numbers, and how they
//! grow with the length.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use eframe::egui::{Align, Grid, Layout, RichText, ScrollArea, Ui};

use super::beside::Beside;
use super::curves::chart_ui;
use super::paint::Textures;
use super::pane_header::title;
use super::theme::{GRID, SMALL, Tokens, semi_bold};
use crate::app::{AppState, Cost, series_index};
use crate::engine::{Memory, Operations, Seq2Seq, Timing};
use crate::figure::{CurveSpec, Series};

/// Lengths `S = T` of the curve.
const LENGTHS: [usize; 8] = [10, 20, 30, 40, 50, 60, 70, 80];

/// One of the times.
type Measured = fn(&Timing) -> Duration;

/// What is measured on this machine.
const MEASURED: [(&str, Measured); 2] = [
    ("measured: encode, µs", |timing| timing.encode),
    ("measured: a step, µs", |timing| timing.step),
];

/// A part of the operations.
type Part = fn(&Operations) -> u64;

/// Names of models and their times.
type Times = Vec<(String, Timing)>;

/// The times that were measured, of this source and these models.
#[derive(Default)]
pub(super) struct CostMemo {
    times: Beside<(String, Vec<String>), Times>,
}

impl CostMemo {
    /// The times, measured beside the window; `None` until then.
    fn times(&mut self, ui: &Ui, state: &AppState, costs: &[Cost]) -> Option<&Times> {
        let models: Vec<String> = costs.iter().map(|cost| cost.model.clone()).collect();
        let of = (state.document().source.clone(), models);
        self.times.get(ui.ctx(), "timing", of, |(_, models)| {
            let job = |name: &String| {
                let session = state.pane(name)?.session()?;
                let source = session.source().to_vec();
                Some((name.clone(), session.network().clone(), source))
            };
            let jobs: Vec<_> = models.iter().filter_map(job).collect();
            move |_: &AtomicBool| {
                let measure = |(name, network, source): (String, Arc<Seq2Seq>, Vec<u32>)| {
                    (name, Timing::measure(&network, &source))
                };
                jobs.into_iter().map(measure).collect()
            }
        })
    }
}

/// Shows the table and the curve.
pub(super) fn cost_ui(ui: &mut Ui, state: &AppState, memo: &mut CostMemo, textures: &mut Textures) {
    let tokens = Tokens::of(ui.ctx());
    let costs = state.costs();
    let Some(first) = costs.first() else {
        ui.label(RichText::new("Type a sentence and choose a scorer").color(tokens.muted));
        return;
    };
    let text = format!(
        "Multiply–adds for S = {} source words and T = {} steps, in thousands; memory in kilobytes",
        first.source, first.target
    );
    ui.label(RichText::new(text).size(SMALL).color(tokens.muted));
    ScrollArea::both().max_height(460.0).show(ui, |ui| {
        let times = memo.times(ui, state, &costs);
        table_ui(ui, &costs, times, &tokens);
        ui.add_space(3.0 * GRID);
        curve_ui(ui, state, &costs, &tokens, textures);
        ui.add_space(2.0 * GRID);
        ui.label(
            RichText::new(verdict(&costs))
                .size(SMALL)
                .color(tokens.muted),
        );
    });
}

fn table_ui(ui: &mut Ui, costs: &[Cost], times: Option<&Times>, tokens: &Tokens) {
    let thousands = |n: u64| format!("{:.1}", n as f64 / 1e3);
    let number = |ui: &mut Ui, text: String| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(text));
    };
    let rows: [(&str, Part); 7] = [
        ("encode", |o| o.encode),
        ("project keys", |o| o.project),
        ("score", |o| o.score),
        ("mix the context", |o| o.mix),
        ("cell", |o| o.cell),
        ("predict", |o| o.predict),
        ("in all", Operations::total),
    ];
    let formulae = Operations::formulae(&costs[0].config);
    Grid::new("costs")
        .num_columns(2 + costs.len())
        .spacing([5.0 * GRID, GRID])
        .show(ui, |ui| {
            ui.label("");
            for cost in costs {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.label(RichText::new(title(&cost.model)).font(semi_bold(14.0)))
                });
            }
            ui.label(
                RichText::new(format!("formula of {}", title(&costs[0].model)))
                    .size(SMALL)
                    .color(tokens.muted),
            );
            ui.end_row();
            for (place, (name, part)) in rows.into_iter().enumerate() {
                ui.label(RichText::new(name).color(tokens.muted));
                for cost in costs {
                    number(ui, thousands(part(&cost.operations)));
                }
                let formula = formulae.get(place).map_or("", |formula| formula.formula);
                ui.label(RichText::new(formula).size(SMALL).color(tokens.muted));
                ui.end_row();
            }
            ui.label(RichText::new("tanh and exp of attention").color(tokens.muted));
            for cost in costs {
                number(ui, thousands(cost.operations.functions));
            }
            ui.end_row();
            ui.label(RichText::new("memory of the source, kB").color(tokens.muted));
            for cost in costs {
                let Memory { source, keys, .. } = cost.memory;
                number(ui, format!("{:.1}", (source + keys) as f64 * 4.0 / 1e3));
            }
            ui.end_row();
            for (name, part) in MEASURED {
                ui.label(RichText::new(name).color(tokens.muted));
                for cost in costs {
                    let mut measured = times.into_iter().flatten();
                    let time = measured.find(|(model, _)| *model == cost.model);
                    let text = time.map_or_else(
                        || "…".to_owned(),
                        |(_, timing)| format!("{:.0}", part(timing).as_secs_f64() * 1e6),
                    );
                    number(ui, text);
                }
                ui.end_row();
            }
        });
}

/// Multiply–adds a target word over the length, `S = T`.
fn curve_ui(
    ui: &mut Ui,
    state: &AppState,
    costs: &[Cost],
    tokens: &Tokens,
    textures: &mut Textures,
) {
    let series = costs.iter().map(|cost| {
        let at = |n: usize| Operations::new(&cost.config, n, n).attention() as f32 / n as f32 / 1e3;
        let score = state.pane(&cost.model).and_then(crate::app::Pane::score);
        Series {
            name: title(&cost.model),
            values: LENGTHS.map(at).to_vec(),
            index: series_index(score),
        }
    });
    let lengths = LENGTHS.map(|n| n.to_string()).to_vec();
    let mut spec = CurveSpec::new(lengths, series.collect());
    "Attention a word, over S = T".clone_into(&mut spec.title);
    "thousand multiply–adds".clone_into(&mut spec.unit);
    let head = |place: usize| format!("{} words", LENGTHS[place]);
    let number = |value: f32| format!("{value:.1} thousand");
    chart_ui(ui, spec, [420.0, 130.0], (&head, &number), tokens, textures);
}

/// What the numbers say, in a sentence.
fn verdict(costs: &[Cost]) -> String {
    let share =
        |cost: &Cost| 100.0 * cost.operations.attention() as f64 / cost.operations.total() as f64;
    let parts: Vec<String> = costs
        .iter()
        .map(|cost| format!("{} {:.1} %", title(&cost.model), share(cost)))
        .collect();
    format!(
        "Attention’s share of all multiply–adds here: {}",
        parts.join(", ")
    )
}
