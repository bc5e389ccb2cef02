//! The models that are there to be chosen. The host puts them in; the state looks them up by name.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use super::attributed::Attributions;
use super::beam::{BeamJob, BeamView};
use crate::engine::{Model, ScoreKind, Seq2Seq};
use crate::project::ModelRef;
use crate::text::{TokeniserKind, Vocabulary};

/// A model taken apart, so that decodes can share its network.
pub struct LoadedModel {
    /// Name and hash.
    pub reference: ModelRef,
    /// The network.
    pub network: Arc<Seq2Seq>,
    /// Words of the source side.
    pub source_vocabulary: Vocabulary,
    /// Words of the target side.
    pub target_vocabulary: Vocabulary,
    /// How source text becomes words.
    pub source_tokeniser: TokeniserKind,
    /// How target text becomes words.
    pub target_tokeniser: TokeniserKind,
    /// Figures of the training, as JSON.
    pub training: serde_json::Value,
    /// What the data was and whose.
    pub notice: String,
}

impl LoadedModel {
    /// Takes a model apart without copying its weights.
    pub fn new(reference: ModelRef, model: Model) -> Self {
        let Model {
            network,
            source_vocabulary,
            target_vocabulary,
            source_tokeniser,
            target_tokeniser,
            training,
            notice,
        } = model;
        Self {
            reference,
            network: Arc::new(network),
            source_vocabulary,
            target_vocabulary,
            source_tokeniser,
            target_tokeniser,
            training,
            notice,
        }
    }

    /// Its score.
    pub fn score(&self) -> ScoreKind {
        self.network.config().score
    }
}

impl fmt::Debug for LoadedModel {
    // The weights would fill screens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedModel")
            .field("reference", &self.reference)
            .field("config", self.network.config())
            .finish_non_exhaustive()
    }
}

/// The models by name, in the order in which they were put in. A clone is the same set: a service that loads a
/// file in the background puts its model in and answers with `ModelsCommand::Loaded`.
#[derive(Debug, Clone, Default)]
pub struct ModelSet {
    models: Arc<RwLock<Vec<Arc<LoadedModel>>>>,
    search: Arc<RwLock<Option<Search>>>,
    pub(super) attributions: Arc<RwLock<Attributions>>,
}

/// The last beam search and its outcome.
type Search = (BeamJob, Result<Arc<BeamView>, String>);

impl ModelSet {
    /// Puts a model in; one of the same name is replaced.
    pub fn insert(&self, reference: ModelRef, model: Model) {
        let loaded = Arc::new(LoadedModel::new(reference, model));
        let mut all = self.models.write().unwrap_or_else(PoisonError::into_inner);
        let name = &loaded.reference.name;
        match all.iter_mut().find(|known| known.reference.name == *name) {
            Some(known) => *known = loaded,
            None => all.push(loaded),
        }
    }

    /// The model of a name.
    pub fn get(&self, name: &str) -> Option<Arc<LoadedModel>> {
        self.all().into_iter().find(|m| m.reference.name == name)
    }

    /// All models, in order.
    pub fn all(&self) -> Vec<Arc<LoadedModel>> {
        self.models
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) fn keep_search(&self, job: BeamJob, outcome: Result<Arc<BeamView>, String>) {
        let mut search = self.search.write().unwrap_or_else(PoisonError::into_inner);
        *search = Some((job, outcome));
    }

    /// The outcome of this search, if it was the last one done.
    pub(super) fn found(&self, job: &BeamJob) -> Option<Result<Arc<BeamView>, String>> {
        let search = self.search.read().unwrap_or_else(PoisonError::into_inner);
        let known = search.as_ref().filter(|(known, _)| known == job);
        known.map(|(_, outcome)| outcome.clone())
    }

    /// Their names and hashes, in order.
    pub fn references(&self) -> Vec<ModelRef> {
        self.all().iter().map(|m| m.reference.clone()).collect()
    }
}
