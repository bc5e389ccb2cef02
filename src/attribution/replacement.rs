//! Other weights in the place of attention's: whether the output would have been the same.
//!
//! The output is forced, the weights of every step are replaced, and the distributions of the next token are
//! compared with those under the model's own weights. In the Bahdanau wiring a replaced context also goes into
//! the states that follow.

use std::sync::Arc;

use ndarray::Array2;
use serde::Serialize;

use super::forced::{AttributionError, Forced, log_probability};
use super::watch::Watch;
use crate::engine::{DecoderTrace, InterventionKind, intervene};
use crate::metrics::{js_divergence, total_variation};
use crate::numeric::{EmptySupport, softmax};

/// What stands in the place of the weights.
#[derive(Debug, Clone, PartialEq)]
pub enum Replacement {
    /// The same weight everywhere: attention as blind as a mean.
    Uniform,
    /// All weight on the last position: attention as blind as the last state.
    LastPosition,
    /// The weights of each step dealt out anew, once for each seed.
    Permuted {
        /// Seeds 1 … this.
        seeds: usize,
    },
    /// The weights `[T', S]` of another sentence of the same length; its last row serves all later steps.
    Frozen(Arc<Array2<f32>>),
}

/// What a replacement does to one step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StepEffect {
    /// Total variation distance of the next-token distribution, from 0 to 1.
    pub variation: f64,
    /// Jensen–Shannon divergence of it, in nats from 0 to ln 2.
    pub divergence: f64,
    /// Change of `ln p` of the output word, in nats; negative where it becomes less probable.
    pub change: f64,
}

/// What a replacement does to a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Effects {
    /// `[runs][T]`; one run but for permutations, which have one for each seed.
    pub runs: Vec<Vec<StepEffect>>,
}

/// Five numbers of a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quartiles {
    /// The smallest.
    pub least: f64,
    /// A quarter lies below.
    pub lower: f64,
    /// Half lies below.
    pub median: f64,
    /// Three quarters lie below.
    pub upper: f64,
    /// The largest.
    pub most: f64,
}

impl Replacement {
    /// The name used in files and on the command line.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::LastPosition => "last",
            Self::Permuted { .. } => "permuted",
            Self::Frozen(_) => "frozen",
        }
    }

    /// What its numbers show and what they do not, with the paper.
    pub const fn note(&self) -> &'static str {
        match self {
            Self::Uniform => {
                "Shows whether this output needs attention at all; a small change does not show that trained attention \
                 says nothing, since the states around may carry the sentence \
                 (uniform weights as a baseline: Wiegreffe and Pinter, Attention is not not Explanation, EMNLP 2019)."
            }
            Self::LastPosition => {
                "Shows what is left when every step reads the last state only, as before attention; does not show \
                 what a model trained without attention would do \
                 (the fixed-length bottleneck: Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly \
                 Learning to Align and Translate, ICLR 2015)."
            }
            Self::Permuted { .. } => {
                "Shows whether it matters which word gets which weight; a small change means that these weights are no \
                 unique explanation, a large one does not show that they are a faithful one (Jain and Wallace, \
                 Attention is not Explanation, NAACL 2019; permuting costs translation far more than classification: \
                 Vashishth et al., Attention Interpretability Across NLP Tasks, arXiv 2019)."
            }
            Self::Frozen(_) => {
                "Shows whether the weights have to belong to this sentence, or a habit of position is enough; does not \
                 show how a model trained with frozen weights would do \
                 (frozen weights as a diagnostic, there in a model without context: Wiegreffe and Pinter, Attention is not not Explanation, EMNLP 2019)."
            }
        }
    }

    fn runs(&self) -> usize {
        match self {
            Self::Permuted { seeds } => *seeds,
            _ => 1,
        }
    }

    /// Changes the weights of step `t` in run number `run`.
    fn change(
        &self,
        t: usize,
        run: usize,
        scores: &[f32],
        weights: &mut [f32],
    ) -> Result<(), EmptySupport> {
        let kind = match self {
            Self::Uniform => InterventionKind::Uniform,
            Self::LastPosition => InterventionKind::LastPosition,
            Self::Permuted { .. } => InterventionKind::Permute(run as u64 + 1),
            Self::Frozen(rows) => {
                let row = rows.row(t.min(rows.nrows().saturating_sub(1)));
                weights.iter_mut().zip(row).for_each(|(w, own)| *w = *own);
                return Ok(());
            }
        };
        intervene(&[kind], t, None, scores, weights)
    }
}

/// Replaces the weights of every step, and compares what comes out.
///
/// # Errors
/// A model without attention, frozen weights of another length, or [`AttributionError::Cancelled`].
pub fn replace(
    forced: &Forced,
    replacement: &Replacement,
    watch: Watch,
) -> Result<Effects, AttributionError> {
    if forced.weights().is_none() {
        return Err(AttributionError::NoAttention);
    }
    let expected = forced.source().len();
    if let Replacement::Frozen(rows) = replacement
        && (rows.ncols() != expected || rows.nrows() == 0)
    {
        let found = rows.ncols();
        return Err(AttributionError::OtherLength { found, expected });
    }
    let steps = forced.output().len();
    let parts = forced.usual_batches(replacement.runs());
    let runs = watch.spread(parts, |part| {
        let change = |t: usize, b: usize, scores: &[f32], weights: &mut [f32]| {
            replacement.change(t, part.start + b, scores, weights)
        };
        let inputs = forced.inputs(steps, part.len());
        let (start, states) = (forced.start(part.len()), &forced.trace().states);
        let run = forced
            .network()
            .decode(&inputs, start, states, Some(&change))?;
        let effects = (0..part.len()).map(|b| effects(forced, &run, b));
        Ok(effects.collect::<Vec<Vec<StepEffect>>>())
    })?;
    Ok(Effects {
        runs: runs.concat(),
    })
}

/// Row `b` of a run against the plain one.
fn effects(forced: &Forced, run: &DecoderTrace, b: usize) -> Vec<StepEffect> {
    let distribution = |logits: &[f32]| {
        let mut row = logits.to_vec();
        softmax(&mut row);
        row
    };
    let effect = |(t, token): (usize, &u32)| {
        let logits = run.logits(t * run.batch + b);
        let before = distribution(forced.trace().decoder.logits(t));
        let after = distribution(logits);
        StepEffect {
            variation: total_variation(&before, &after),
            divergence: js_divergence(&before, &after),
            change: log_probability(logits, *token) - forced.log_probabilities()[t],
        }
    };
    forced.output().iter().enumerate().map(effect).collect()
}

impl Effects {
    /// Of step `t`, over the runs.
    pub fn at(&self, t: usize, number: impl Fn(&StepEffect) -> f64) -> Option<Quartiles> {
        Quartiles::of(self.runs.iter().map(|run| number(&run[t])).collect())
    }

    /// Of the means over the steps, over the runs.
    pub fn whole(&self, number: impl Fn(&StepEffect) -> f64) -> Option<Quartiles> {
        let mean = |run: &Vec<StepEffect>| run.iter().map(&number).sum::<f64>() / run.len() as f64;
        Quartiles::of(self.runs.iter().map(mean).collect())
    }
}

impl Quartiles {
    /// Of any numbers, interpolated between neighbours; `None` of none, not-a-number if one is not.
    pub fn of(mut numbers: Vec<f64>) -> Option<Self> {
        numbers.sort_by(f64::total_cmp);
        let last = numbers.len().checked_sub(1)?;
        let at = |share: f64| {
            let place = share * last as f64;
            let (below, above) = (
                numbers[place.floor() as usize],
                numbers[place.ceil() as usize],
            );
            if below == above {
                below
            } else {
                below + (above - below) * place.fract()
            }
        };
        let broken = numbers.iter().any(|number| number.is_nan());
        let at = |share| if broken { f64::NAN } else { at(share) };
        Some(Self {
            least: at(0.0),
            lower: at(0.25),
            median: at(0.5),
            upper: at(0.75),
            most: at(1.0),
        })
    }
}
