//! The beam of one model as data to be drawn: the search tree with words, and a heatmap for each hypothesis.
//!
//! A search takes longer than a frame, so that a service runs it: the state asks with [`Effect::SearchBeam`], the
//! service calls [`ModelSet::search`], which keeps the outcome, and answers with `ModelsCommand::BeamFound`.
//!
//! [`Effect::SearchBeam`]: super::Effect::SearchBeam

use std::sync::Arc;

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::model_set::{LoadedModel, ModelSet};
use super::state::AppState;
use crate::alignment::LabelledMatrix;
use crate::engine::{
    BeamOptions, BeamResult, DecodePolicy, DecodeSession, Fate, Intervention, beam_search,
    step_limit,
};
use crate::project::{ModelRef, PaneLayout};
use crate::text::{END_TEXT, UNKNOWN_TEXT};

/// A search that is to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BeamJob {
    /// The model.
    pub model: ModelRef,
    /// The source sentence as it was typed.
    pub source: String,
    /// Changes of the attention.
    pub interventions: Vec<Intervention>,
    /// Hypotheses kept.
    pub size: usize,
}

/// A hypothesis with its words and weights.
#[derive(Debug, Clone)]
pub struct BeamHypothesis {
    /// Its nodes in [`BeamView::result`].
    pub nodes: Vec<usize>,
    /// Its tokens, `</s>` included.
    pub words: Vec<String>,
    /// As a sentence for people.
    pub sentence: String,
    /// In nats.
    pub log_probability: f64,
    /// Normalised for the length.
    pub score: f64,
    /// Whether it took `</s>`.
    pub finished: bool,
    /// Its weights `[T, S]`; `None` without attention.
    pub matrix: Option<Arc<LabelledMatrix>>,
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct BeamView {
    /// What was searched.
    pub job: BeamJob,
    /// Tree and hypotheses in ids.
    pub result: BeamResult,
    /// The word of each node of the tree.
    pub words: Vec<String>,
    /// The hypotheses, best score first.
    pub hypotheses: Vec<BeamHypothesis>,
    /// What the model says greedily, with its score on the same scale.
    pub greedy: BeamHypothesis,
    /// The place of the greedy output among the hypotheses.
    pub greedy_rank: Option<usize>,
}

impl BeamView {
    /// Searches. It may take seconds for a long sentence.
    ///
    /// # Errors
    /// A sentence that says why it cannot.
    pub fn search(model: &LoadedModel, job: BeamJob) -> Result<Self, String> {
        let source = model.source_tokeniser.tokenise(&job.source);
        let ids = model.source_vocabulary.encode(&source);
        let limit = step_limit(ids.len()).min(DecodeSession::LARGEST_STEP_LIMIT);
        // The session checks the source.
        let session = DecodeSession::new(model.network.clone(), ids, limit)
            .map_err(|error| error.to_string())?;
        let search = |size| {
            let options = BeamOptions {
                size,
                step_limit: limit,
                interventions: job.interventions.clone(),
                ..BeamOptions::default()
            };
            beam_search(&model.network, session.states(), &options).map_err(|e| e.to_string())
        };
        let result = search(job.size)?;
        let hypotheses = hypotheses(model, &source, &result);
        // A beam of one is greedy decoding.
        let greedy = search(1)?;
        let mut greedy_hypotheses = self::hypotheses(model, &source, &greedy);
        if greedy_hypotheses.is_empty() {
            return Err("no output was found".to_owned());
        }
        let greedy = greedy_hypotheses.swap_remove(0);
        let word = |id: u32| model.target_vocabulary.word(id).unwrap_or(UNKNOWN_TEXT);
        Ok(Self {
            words: result
                .nodes
                .iter()
                .map(|n| word(n.token).to_owned())
                .collect(),
            greedy_rank: hypotheses.iter().position(|h| h.words == greedy.words),
            job,
            result,
            hypotheses,
            greedy,
        })
    }

    /// The nodes of a step, best first, as indices of [`BeamResult::nodes`].
    pub fn step(&self, step: usize) -> impl Iterator<Item = usize> {
        let nodes = self.result.nodes.iter().enumerate();
        nodes
            .filter(move |(_, node)| node.step == step)
            .map(|(i, _)| i)
    }

    /// The best hypothesis that runs through a node; `None` if all that followed it was pruned.
    pub fn hypothesis_through(&self, node: usize) -> Option<usize> {
        self.hypotheses.iter().position(|h| h.nodes.contains(&node))
    }

    /// Whether a node was dropped.
    pub fn is_pruned(&self, node: usize) -> bool {
        let nodes = &self.result.nodes;
        nodes
            .get(node)
            .is_some_and(|node| node.fate == Fate::Pruned)
    }
}

fn hypotheses(model: &LoadedModel, source: &[String], result: &BeamResult) -> Vec<BeamHypothesis> {
    let word = |id: u32| model.target_vocabulary.word(id).unwrap_or(UNKNOWN_TEXT);
    let one = |hypothesis: &crate::engine::Hypothesis| {
        let words: Vec<String> = hypothesis
            .tokens
            .iter()
            .map(|id| word(*id).to_owned())
            .collect();
        let said: Vec<&str> = words
            .iter()
            .map(String::as_str)
            .filter(|word| *word != END_TEXT)
            .collect();
        let rows = &hypothesis.weights;
        let matrix = (rows.len() == words.len() && !rows.is_empty()).then(|| {
            let values: Vec<f32> = rows.iter().flat_map(|row| row.iter().copied()).collect();
            let values = Array2::from_shape_vec((rows.len(), source.len()), values).ok()?;
            LabelledMatrix::new(words.clone(), source.to_vec(), values).ok()
        });
        BeamHypothesis {
            nodes: hypothesis.nodes.clone(),
            sentence: model.target_tokeniser.detokenise(&said),
            log_probability: hypothesis.total_log_probability,
            score: hypothesis.score,
            finished: hypothesis.finished,
            matrix: matrix.flatten().map(Arc::new),
            words,
        }
    };
    result.hypotheses.iter().map(one).collect()
}

impl ModelSet {
    /// Does a search and keeps its outcome, in place of that of the search before.
    pub fn search(&self, job: BeamJob) {
        let model = self
            .get(&job.model.name)
            .filter(|m| m.reference == job.model);
        let outcome = match model {
            Some(model) => BeamView::search(&model, job.clone()).map(Arc::new),
            None => Err(format!(
                "there is no model \"{}\" as it was",
                job.model.name
            )),
        };
        self.keep_search(job, outcome);
    }
}

impl AppState {
    /// The model whose beam is shown: the focused pane's.
    pub fn beam_model(&self) -> Option<&ModelRef> {
        let focused = self.selection.focus().and_then(|name| self.pane(name));
        let pane = focused.or_else(|| self.visible_panes().next())?;
        pane.session().map(|_| pane.model())
    }

    /// What the beam view shows; `None` while it is searched for, or where nothing can be searched.
    ///
    /// # Errors
    /// Why the search failed.
    pub fn beam(&self) -> Option<Result<Arc<BeamView>, String>> {
        let job = self.beam_job()?;
        self.models.found(&job)
    }

    /// The search that the view asks for.
    fn beam_job(&self) -> Option<BeamJob> {
        if self.view.layout != PaneLayout::Beam {
            return None;
        }
        let model = self.beam_model()?.clone();
        Some(BeamJob {
            source: self.document.source.clone(),
            interventions: self.document.interventions_of(&model.name).to_vec(),
            size: self.view.beam_size,
            model,
        })
    }

    /// Asks for the search that is missing, once.
    pub(super) fn missing_beam(&mut self) -> Option<Effect> {
        let job = self.beam_job();
        if job == self.searching {
            return None;
        }
        self.searching.clone_from(&job);
        let job = job.filter(|job| self.models.found(job).is_none())?;
        Some(Effect::SearchBeam(Box::new(job)))
    }

    /// Whether what is on the screen was found greedily: then it can be compared with the beam.
    pub fn is_greedy(&self) -> bool {
        self.document.policy == DecodePolicy::Greedy && self.document.target.is_none()
    }
}
