//! How the numbers on the screen came about, asked for where they are shown.

use super::state::AppState;
use crate::engine::{
    ContextPart, LogitParts, Memory, ModelConfig, Operations, ScoreParts, context_parts,
    unnormalised_context_norm,
};

/// What a sentence costs one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// The model's name.
    pub model: String,
    /// Its sizes.
    pub config: ModelConfig,
    /// Source length `S`.
    pub source: usize,
    /// Steps `T` that are known.
    pub target: usize,
    /// Multiply–adds.
    pub operations: Operations,
    /// Numbers kept.
    pub memory: Memory,
}

impl AppState {
    /// The score of a cell in parts; `None` for a record, without attention, or for a step that is not taken.
    pub fn score_parts(&self, model: &str, row: usize, column: usize) -> Option<ScoreParts> {
        let pane = self.pane(model)?;
        let (session, step) = (pane.session()?, pane.data().steps.get(row)?);
        (row < pane.taken())
            .then(|| ScoreParts::new(session.network(), session.states(), step, column))?
    }

    /// What each source position adds to the context of a step; empty where [`Self::score_parts`] is `None`.
    pub fn context_parts(&self, model: &str, row: usize) -> Vec<ContextPart> {
        let found = self.pane(model).and_then(|pane| {
            let step = pane.data().steps.get(row)?;
            let states = pane.session()?.states();
            (row < pane.taken()).then(|| context_parts(states, step))
        });
        found.unwrap_or_default()
    }

    /// The logit of a token at a step in parts.
    pub fn logit_parts(&self, model: &str, row: usize, token: u32) -> Option<LogitParts> {
        let pane = self.pane(model)?;
        let (session, step) = (pane.session()?, pane.data().steps.get(row)?);
        (row < pane.taken())
            .then(|| LogitParts::new(session.network(), session.states(), step, token))?
    }

    /// `‖Σ exp(e) h‖` of every known step of a model; empty for a record and without attention.
    pub fn unnormalised_norms(&self, model: &str) -> Vec<f64> {
        let Some(pane) = self.pane(model) else {
            return Vec::new();
        };
        let Some(session) = pane.session() else {
            return Vec::new();
        };
        let steps = pane.data().steps.iter();
        steps
            .filter_map(|step| unnormalised_context_norm(session.states(), step))
            .collect()
    }

    /// The mean of the gate that lets the new state in, of every known step of a model: `1 − z` (GRU) or `i`
    /// (LSTM), from 0 (the state stays) to 1 (it is replaced). Empty for a record.
    pub fn gate_openness(&self, model: &str) -> Vec<f64> {
        let Some(pane) = self.pane(model) else {
            return Vec::new();
        };
        let Some(config) = pane.session().map(|s| s.network().config()) else {
            return Vec::new();
        };
        let d = config.decoder;
        let mean = |gate: &[f32]| {
            gate.iter().map(|g| f64::from(*g)).sum::<f64>() / gate.len().max(1) as f64
        };
        let steps = pane.data().steps.iter();
        steps
            .map(|step| match config.cell {
                // r, z, n: the new state is (1 − z) n + z s.
                crate::engine::CellKind::Gru => 1.0 - mean(&step.gates[d..2 * d]),
                crate::engine::CellKind::Lstm => mean(&step.gates[..d]),
            })
            .collect()
    }

    /// What the sentence costs each chosen model that is there, for the steps that are known.
    pub fn costs(&self) -> Vec<Cost> {
        let live = self.panes.iter().filter_map(|pane| {
            let config = pane.session()?.network().config().clone();
            let (source, target) = (pane.data().source.len(), pane.data().len());
            Some(Cost {
                model: pane.name().to_owned(),
                operations: Operations::new(&config, source, target),
                memory: Memory::new(&config, source, target),
                config,
                source,
                target,
            })
        });
        live.collect()
    }
}
