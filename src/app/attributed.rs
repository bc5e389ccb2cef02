//! Attribution beside attention: what each source word did for each word of the shown output.
//!
//! It takes longer than a frame, so that a service does it: the state asks with [`Effect::Attribute`], the service calls
//! [`ModelSet::attribute`], which keeps the outcome, and answers with `ModelsCommand::Attributed`. What is no longer
//! asked for is cancelled. Attributions are of the model as it is, without changes of its attention.
//!
//! [`Effect::Attribute`]: super::Effect::Attribute

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::first_rows::FirstRows;
use super::model_set::{LoadedModel, ModelSet};
use super::pane::Pane;
use super::state::AppState;
use super::trial::{reason, whole_run};
use crate::alignment::LabelledMatrix;
use crate::attribution::{Forced, Method, RowAgreement, Watch, attribute, row_agreement};
use crate::project::{ModelRef, RunConditions};

/// How many outcomes are kept: those of all panes by some methods.
const MOST_KEPT: usize = 24;

/// The methods that are offered, in the order of the menu.
pub const METHODS: [Method; 4] = [
    Method::LeaveOneOut,
    Method::Drop,
    Method::GradientInput,
    Method::IntegratedGradients,
];

/// The name of a method for people.
pub const fn method_title(method: Method) -> &'static str {
    match method {
        Method::LeaveOneOut => "Leave-one-out",
        Method::Drop => "Dropping the word",
        Method::GradientInput => "Gradient × input",
        Method::GradientStates => "Gradient × state",
        Method::IntegratedGradients => "Integrated gradients",
        Method::IntegratedStates => "Integrated gradients of states",
    }
}

/// An attribution that is to be computed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttributionJob {
    /// The model.
    pub model: ModelRef,
    /// What its output follows from.
    pub conditions: RunConditions,
    /// How it is measured.
    pub method: Method,
}

/// An attribution that was computed.
#[derive(Debug, Clone)]
pub struct AttributionView {
    /// In nats `[T, S]` for the whole output, with its words.
    pub matrix: Arc<LabelledMatrix>,
    /// How each step's attention, without changes, agrees with it, `[T]`.
    pub agreement: Vec<RowAgreement>,
    /// The end of the colour scale: the largest magnitude or a little more, as a short number.
    pub largest: f32,
}

type Outcome = Result<Arc<AttributionView>, String>;

/// What was computed, and what is being computed with the means to stop it.
#[derive(Debug, Default)]
pub(super) struct Attributions {
    done: Vec<(AttributionJob, Outcome)>,
    running: Vec<(AttributionJob, Arc<AtomicBool>)>,
}

/// The attribution beside a pane.
#[derive(Debug, Clone)]
pub struct ShownAttribution {
    job: AttributionJob,
    outcome: Option<Outcome>,
    rows: FirstRows,
}

impl ShownAttribution {
    /// How it is measured.
    pub const fn method(&self) -> Method {
        self.job.method
    }

    /// The attribution; `None` while it is computed.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn outcome(&self) -> Option<Result<&AttributionView, &str>> {
        let outcome = self.outcome.as_ref()?;
        Some(outcome.as_deref().map_err(String::as_str))
    }

    /// The steps that are taken; the same `Arc` as long as these are the same.
    pub const fn matrix(&self) -> Option<&Arc<LabelledMatrix>> {
        self.rows.matrix()
    }
}

/// Computes; `Err(None)` where it was cancelled.
fn compute(
    model: &LoadedModel,
    job: &AttributionJob,
    cancel: &AtomicBool,
) -> Result<AttributionView, Option<String>> {
    let (data, source) = whole_run(model, &job.conditions)?;
    let output = data.steps.iter().map(|step| step.chosen).collect();
    let forced = Forced::new(&model.network, source, output).map_err(reason)?;
    let watch = Watch {
        cancel: Some(cancel),
        progress: None,
    };
    let found = attribute(&forced, job.method, None, watch).map_err(reason)?;
    let rows = |weights: &ndarray::Array2<f32>| {
        let pairs = weights.rows().into_iter().zip(found.values.rows());
        pairs
            .map(|(weights, values)| row_agreement(&weights.to_vec(), &values.to_vec()))
            .collect()
    };
    let agreement = forced.weights().map_or_else(Vec::new, rows);
    let largest = found.values.iter().filter(|value| value.is_finite());
    let largest = largest.fold(0.0_f32, |largest, value| largest.max(value.abs()));
    let labels = data.tokens.iter().map(|token| token.text.clone()).collect();
    let matrix = LabelledMatrix::new(labels, data.source.to_vec(), found.values)
        .map_err(|error| Some(error.to_string()))?;
    Ok(AttributionView {
        matrix: Arc::new(matrix),
        agreement,
        largest: short_above(largest),
    })
}

/// The next number of one digit, so that the labels of a colour bar are short.
fn short_above(value: f32) -> f32 {
    if value <= 0.0 {
        return 1.0;
    }
    let unit = 10.0_f64.powf(f64::from(value).log10().floor());
    let digits = (f64::from(value) / unit).ceil();
    // Even ones from 6 on, whose half has one digit too.
    let digits = if digits > 5.0 {
        digits + digits % 2.0
    } else {
        digits
    };
    let short = (digits * unit) as f32;
    if short.is_finite() {
        short.max(value)
    } else {
        value
    }
}

impl ModelSet {
    /// Computes an attribution and keeps its outcome, unless it was cancelled meanwhile.
    pub fn attribute(&self, job: &AttributionJob) {
        let cancel = {
            let all = self.attributions.read();
            let all = all.unwrap_or_else(PoisonError::into_inner);
            let entry = all.running.iter().find(|(running, _)| running == job);
            entry.map(|(_, cancel)| cancel.clone())
        };
        let Some(cancel) = cancel else { return };
        let model = self.get(&job.model.name);
        let outcome = match model.filter(|model| model.reference == job.model) {
            Some(model) => compute(&model, job, &cancel).map(Arc::new),
            None => Err(Some(format!(
                "there is no model \"{}\" as it was",
                job.model.name
            ))),
        };
        let outcome = match outcome {
            Ok(view) => Ok(view),
            Err(Some(problem)) => Err(problem),
            Err(None) => return,
        };
        let all = self.attributions.write();
        let mut all = all.unwrap_or_else(PoisonError::into_inner);
        all.running.retain(|(_, flag)| !Arc::ptr_eq(flag, &cancel));
        if !all.done.iter().any(|(done, _)| done == job) {
            all.done.push((job.clone(), outcome));
            let surplus = all.done.len().saturating_sub(MOST_KEPT);
            all.done.drain(..surplus);
        }
    }

    /// Cancels all but these, and gives back those that are neither there nor under way.
    fn want(&self, jobs: &[AttributionJob]) -> Vec<AttributionJob> {
        let all = self.attributions.write();
        let mut all = all.unwrap_or_else(PoisonError::into_inner);
        all.running.retain(|(job, cancel)| {
            let is_wanted = jobs.contains(job);
            if !is_wanted {
                cancel.store(true, Ordering::Relaxed);
            }
            is_wanted
        });
        let mut missing = Vec::new();
        for job in jobs {
            let is_done = all.done.iter().any(|(done, _)| done == job);
            let is_running = all.running.iter().any(|(running, _)| running == job);
            if !is_done && !is_running {
                all.running.push((job.clone(), Arc::default()));
                missing.push(job.clone());
            }
        }
        missing
    }

    fn attributed(&self, job: &AttributionJob) -> Option<Outcome> {
        let all = self.attributions.read();
        let all = all.unwrap_or_else(PoisonError::into_inner);
        let known = all.done.iter().find(|(done, _)| done == job);
        known.map(|(_, outcome)| outcome.clone())
    }
}

impl AppState {
    /// The attribution beside a pane; `None` where none is asked for or the model has no attention.
    pub fn attribution(&self, model: &str) -> Option<&ShownAttribution> {
        let mut all = self.attributions.iter();
        all.find(|shown| shown.job.model.name == model)
    }

    fn attribution_jobs(&self) -> Vec<AttributionJob> {
        let Some(method) = self.view.attribution else {
            return Vec::new();
        };
        let panes = self.visible_panes().filter(|pane| {
            self.can_change_attention(pane.name()) && !pane.data().source.is_empty()
        });
        panes
            .map(|pane| AttributionJob {
                model: pane.model().clone(),
                conditions: pane.data().conditions.clone(),
                method,
            })
            .collect()
    }

    /// Brings the attributions to what is asked for and known.
    pub(super) fn refresh_attributions(&mut self) {
        let mut old = std::mem::take(&mut self.attributions);
        let shown = self.attribution_jobs().into_iter().map(|job| {
            let known = old.iter().position(|known| known.job == job);
            let mut shown = match known {
                Some(place) => old.swap_remove(place),
                None => ShownAttribution {
                    job,
                    outcome: None,
                    rows: FirstRows::default(),
                },
            };
            if shown.outcome.is_none() {
                shown.outcome = self.models.attributed(&shown.job);
            }
            let taken = self.pane(&shown.job.model.name).map_or(0, Pane::taken);
            let view = shown.outcome.as_ref().and_then(|found| found.as_ref().ok());
            shown.rows.bring(view.map(|view| &view.matrix), taken);
            shown
        });
        self.attributions = shown.collect();
    }

    /// Asks for the attributions that are missing, once, and cancels those that are no longer asked for.
    pub(super) fn missing_attributions(&mut self) -> Option<Effect> {
        let jobs = || self.attributions.iter().map(|shown| &shown.job);
        if jobs().eq(&self.attributing) {
            return None;
        }
        self.attributing = jobs().cloned().collect();
        let missing = self.models.want(&self.attributing);
        (!missing.is_empty()).then_some(Effect::Attribute(missing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_ends_at_a_short_number() {
        let ends = [7.318, 8.166, 0.042, 1.0, 3.1, 0.0].map(short_above);
        let expected = [8.0, 10.0, 0.05, 1.0, 4.0, 1.0];
        for (end, expected) in ends.into_iter().zip(expected) {
            assert!((end - expected).abs() < 1e-6, "{end} for {expected}");
        }
        assert!(short_above(f32::MIN_POSITIVE) >= f32::MIN_POSITIVE);
        assert!(short_above(f32::MAX) >= f32::MAX);
    }
}
