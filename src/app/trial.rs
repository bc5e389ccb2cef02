//! Attention on trial: what other weights would have done to the shown output, how attention agrees with attributions,
//! and how far the gradient gets. Computed beside the window, of the model without changes of its attention.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::decoding::open;
use super::examples::examples;
use super::model_set::LoadedModel;
use super::pane_data::PaneData;
use super::state::AppState;
use crate::attribution::{
    Agreement, AgreementSums, AttributionError, Effects, Forced, GradientPaths, Method,
    Replacement, Watch, attribute, replace,
};
use crate::engine::{DecodeCommand, ScoreKind};
use crate::project::{ModelRef, RunConditions};

/// Seeds of the permuted weights.
pub const PERMUTATIONS: usize = 50;

/// The attributions that attention is compared with.
const COMPARED: [Method; 3] = [
    Method::LeaveOneOut,
    Method::GradientInput,
    Method::IntegratedGradients,
];

/// A model with what its output follows from. Two are equal where their outputs are.
#[derive(Debug, Clone)]
pub struct Subject {
    model: Arc<LoadedModel>,
    conditions: RunConditions,
}

impl PartialEq for Subject {
    fn eq(&self, other: &Self) -> bool {
        self.model.reference == other.model.reference && self.conditions == other.conditions
    }
}

/// What was found of one model's output.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The output's words, `</s>` included.
    pub tokens: Vec<String>,
    /// How attention agrees with each attribution, over all steps.
    pub agreements: Vec<(Method, Agreement)>,
    /// What each replacement does, or why it cannot be tried.
    pub effects: Vec<(Replacement, Result<Effects, String>)>,
}

/// Norms of gradients of one model's output.
#[derive(Debug, Clone)]
pub struct PathView {
    /// The output's words, `</s>` included.
    pub tokens: Vec<String>,
    /// The source words.
    pub source: Arc<[String]>,
    /// The norms.
    pub paths: GradientPaths,
}

/// The whole output of a model under conditions, and the ids that it reads.
pub(super) fn whole_run(
    model: &LoadedModel,
    conditions: &RunConditions,
) -> Result<(PaneData, Vec<u32>), String> {
    let opened = open(None, model, conditions);
    let Some(mut session) = opened.session else {
        return Err("there is no sentence".to_owned());
    };
    session
        .apply(DecodeCommand::RunToEnd)
        .map_err(|error| error.to_string())?;
    let steps: Vec<_> = session.line_steps().cloned().collect();
    let source = session.source().to_vec();
    let data = PaneData::live(model, conditions.clone(), opened.source, &source, steps);
    Ok((data, source))
}

/// The reason in words; `None` where it was cancelled.
pub(super) fn reason(error: AttributionError) -> Option<String> {
    match error {
        AttributionError::Cancelled => None,
        other => Some(other.to_string()),
    }
}

impl Subject {
    /// The model.
    pub fn model(&self) -> &ModelRef {
        &self.model.reference
    }

    /// Its score.
    pub fn score(&self) -> ScoreKind {
        self.model.score()
    }

    fn forced(&self) -> Result<(PaneData, Forced<'_>), Option<String>> {
        let (data, source) = whole_run(&self.model, &self.conditions)?;
        let output = data.steps.iter().map(|step| step.chosen).collect();
        let forced = Forced::new(&self.model.network, source, output).map_err(reason)?;
        Ok((data, forced))
    }

    /// The weights of another sentence, if that has as many words.
    fn frozen(&self, sentence: &str, expected: usize) -> Result<Replacement, String> {
        let tokens = self.model.source_tokeniser.tokenise(sentence);
        let found = tokens.len();
        if found != expected {
            return Err(format!(
                "expected a sentence of {expected} words, found {found}"
            ));
        }
        let ids = self.model.source_vocabulary.encode(&tokens);
        let other = Forced::greedy(&self.model.network, ids).map_err(|error| error.to_string())?;
        let weights = other.weights().ok_or("this model has no attention")?;
        Ok(Replacement::Frozen(Arc::new(weights.clone())))
    }

    /// Tries everything; the last replacement are the weights of the sentence `frozen`.
    ///
    /// # Errors
    /// Why it cannot be tried; `None` where it was cancelled.
    pub fn verdict(&self, frozen: &str, cancel: &AtomicBool) -> Result<Verdict, Option<String>> {
        let (data, forced) = self.forced()?;
        let watch = Watch {
            cancel: Some(cancel),
            progress: None,
        };
        let Some(weights) = forced.weights() else {
            return Err(reason(AttributionError::NoAttention));
        };
        let mut effects = Vec::new();
        let permuted = Replacement::Permuted {
            seeds: PERMUTATIONS,
        };
        for replacement in [Replacement::Uniform, Replacement::LastPosition, permuted] {
            let found = replace(&forced, &replacement, watch).map_err(reason)?;
            effects.push((replacement, Ok(found)));
        }
        effects.push(match self.frozen(frozen, forced.source().len()) {
            Ok(replacement) => {
                let found = replace(&forced, &replacement, watch).map_err(reason)?;
                (replacement, Ok(found))
            }
            // Only its name and note are read.
            Err(problem) => (
                Replacement::Frozen(Arc::new(ndarray::Array2::zeros((0, 0)))),
                Err(problem),
            ),
        });
        let mut agreements = Vec::new();
        for method in COMPARED {
            let found = match attribute(&forced, method, None, watch) {
                Ok(found) => found,
                // A single word cannot be left out; the other methods can still be asked.
                Err(AttributionError::OneWord) => continue,
                Err(error) => return Err(reason(error)),
            };
            let mut sums = AgreementSums::default();
            sums.add(weights, &found.values);
            agreements.push((method, sums.mean()));
        }
        let tokens = data.tokens.iter().map(|token| token.text.clone()).collect();
        Ok(Verdict {
            tokens,
            agreements,
            effects,
        })
    }

    /// Measures how far the gradient of each output word gets.
    ///
    /// # Errors
    /// Why it cannot be measured; `None` where it was cancelled.
    pub fn paths(&self, cancel: &AtomicBool) -> Result<PathView, Option<String>> {
        let (data, forced) = self.forced()?;
        let watch = Watch {
            cancel: Some(cancel),
            progress: None,
        };
        let paths = GradientPaths::new(&forced, watch).map_err(reason)?;
        Ok(PathView {
            tokens: data.tokens.iter().map(|token| token.text.clone()).collect(),
            source: data.source,
            paths,
        })
    }
}

impl AppState {
    fn subject(&self, model: Arc<LoadedModel>) -> Subject {
        let conditions = self.document.conditions(&model.reference.name);
        Subject { model, conditions }
    }

    /// The shown scorers that decode; empty without a sentence.
    pub fn subjects(&self) -> Vec<Subject> {
        let panes = self.visible_panes().filter(|pane| pane.session().is_some());
        let models = panes.filter_map(|pane| pane.loaded().cloned());
        models.map(|model| self.subject(model)).collect()
    }

    /// The model without attention, where it is there and not shown already.
    pub fn bottleneck_subject(&self) -> Option<Subject> {
        let is_bottleneck = |model: &Arc<LoadedModel>| model.score() == ScoreKind::Bottleneck;
        if self
            .subjects()
            .iter()
            .any(|subject| is_bottleneck(&subject.model))
        {
            return None;
        }
        let model = self.models.all().into_iter().find(is_bottleneck)?;
        (!self.chips.is_empty()).then(|| self.subject(model))
    }

    /// An example of as many words as the present sentence, but not the same; its weights can be frozen.
    pub fn sentence_of_same_length(&self) -> Option<&'static str> {
        let model = self.visible_panes().find_map(super::Pane::loaded)?;
        let count = |text: &str| model.source_tokeniser.tokenise(text).len();
        let wanted = count(&self.document.source);
        let mut all = examples().iter().map(|example| example.sentence);
        all.find(|text| *text != self.document.source && count(text) == wanted)
    }
}
