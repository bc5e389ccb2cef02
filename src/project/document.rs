//! What a person chose: the part of a session that undo covers, besides the view.

use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest as _, Sha256};

use super::check::{MOST_BRANCHES, MOST_INTERVENTIONS, MOST_MODELS};
use crate::engine::{DecodePolicy, DecodeSession, Intervention, Model};
use crate::storage::{hex, read_at_most};

/// Names a model and its very weights.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct ModelRef {
    /// The name by which it is chosen, such as `additive`.
    pub name: String,
    /// SHA-256 of its weights, as hexadecimal digits.
    #[serde(default)]
    pub sha256: String,
}

impl ModelRef {
    /// A reference.
    pub fn new(name: impl Into<String>, sha256: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            sha256: sha256.into(),
        }
    }
}

/// A person's changes to the attention of one model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelInterventions {
    /// The model's name.
    pub model: String,
    /// The changes, in the order in which they act.
    #[serde(deserialize_with = "interventions")]
    pub list: Vec<Intervention>,
}

/// A token that a person chose in place of the model's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenChoice {
    /// Its position in the output, from 0.
    pub position: usize,
    /// A word of the model's target vocabulary.
    pub token: String,
}

/// The choices on the branch of one model that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelChoices {
    /// The model's name.
    pub model: String,
    /// The choices, by position.
    pub list: Vec<TokenChoice>,
}

/// A way of going on that a person took.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedBranch {
    /// The name that a person gave it; empty where none did.
    #[serde(default)]
    pub name: String,
    /// Where it leaves the model's own way, by position.
    #[serde(deserialize_with = "choices")]
    pub choices: Vec<TokenChoice>,
}

/// The branches of one model's output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelBranches {
    /// The model's name.
    pub model: String,
    /// The branches, oldest first; no two have the same choices.
    #[serde(deserialize_with = "branches")]
    pub list: Vec<SavedBranch>,
    /// The one that is shown; `None` for the model's own way.
    #[serde(default)]
    pub current: Option<usize>,
}

/// The choices of a person. With the models, it determines every number on the screen.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Document {
    /// The source sentence as it was typed.
    pub source: String,
    /// The sentence that this one is compared with, such as before one of its words was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<String>,
    /// A target that all models are made to produce; `None` where they choose.
    pub target: Option<String>,
    /// The chosen models, in the order of their panes; no name twice.
    #[serde(deserialize_with = "models")]
    pub models: Vec<ModelRef>,
    /// How the next token is chosen.
    pub policy: DecodePolicy,
    /// Changes of the attention; a model without changes has no entry.
    #[serde(deserialize_with = "lists_of_interventions")]
    pub interventions: Vec<ModelInterventions>,
    /// Branches of the outputs; a model without a branch has no entry.
    #[serde(deserialize_with = "lists_of_branches")]
    pub branches: Vec<ModelBranches>,
}

/// All that determines the run of one model, besides its weights.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunConditions {
    /// The source sentence as it was typed.
    pub source: String,
    /// The forced target.
    pub target: Option<String>,
    /// How tokens are chosen where nothing is forced.
    pub policy: DecodePolicy,
    /// Changes of the attention.
    #[serde(deserialize_with = "interventions")]
    pub interventions: Vec<Intervention>,
    /// Tokens that a person chose, by position.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "choices")]
    pub choices: Vec<TokenChoice>,
}

impl Document {
    /// The changes that belong to a model.
    pub fn interventions_of(&self, model: &str) -> &[Intervention] {
        self.interventions
            .iter()
            .find(|entry| entry.model == model)
            .map_or(&[], |entry| &entry.list)
    }

    /// Gives a model another list of changes; an empty one removes its entry.
    pub fn set_interventions(&mut self, model: &str, list: Vec<Intervention>) {
        let place = self.interventions.iter().position(|e| e.model == model);
        match (place, list.is_empty()) {
            (Some(i), true) => drop(self.interventions.remove(i)),
            (Some(i), false) => self.interventions[i].list = list,
            (None, true) => {}
            (None, false) => self.interventions.push(ModelInterventions {
                model: model.to_owned(),
                list,
            }),
        }
    }

    /// The branches of a model.
    pub fn branches_of(&self, model: &str) -> Option<&ModelBranches> {
        self.branches.iter().find(|entry| entry.model == model)
    }

    /// The choices on a model's current branch.
    pub fn choices_of(&self, model: &str) -> &[TokenChoice] {
        self.branches_of(model)
            .and_then(|entry| entry.list.get(entry.current?))
            .map_or(&[], |branch| &branch.choices)
    }

    /// The choices on the current branches of all models that have some.
    pub fn current_choices(&self) -> Vec<ModelChoices> {
        let entries = self.branches.iter().map(|entry| ModelChoices {
            model: entry.model.clone(),
            list: self.choices_of(&entry.model).to_vec(),
        });
        entries.filter(|entry| !entry.list.is_empty()).collect()
    }

    /// What determines the run of a model.
    pub fn conditions(&self, model: &str) -> RunConditions {
        RunConditions {
            source: self.source.clone(),
            target: self.target.clone(),
            policy: self.policy,
            interventions: self.interventions_of(model).to_vec(),
            choices: self.choices_of(model).to_vec(),
        }
    }

    /// The place of a model among the chosen ones.
    pub fn place_of(&self, model: &str) -> Option<usize> {
        self.models.iter().position(|chosen| chosen.name == model)
    }
}

// Lists that are too long are refused while they are read, before they are in memory.

fn models<'de, D: Deserializer<'de>>(list: D) -> Result<Vec<ModelRef>, D::Error> {
    read_at_most(list, "models", MOST_MODELS)
}

fn lists_of_interventions<'de, D>(list: D) -> Result<Vec<ModelInterventions>, D::Error>
where
    D: Deserializer<'de>,
{
    read_at_most(list, "lists of interventions", MOST_MODELS)
}

fn interventions<'de, D: Deserializer<'de>>(list: D) -> Result<Vec<Intervention>, D::Error> {
    read_at_most(list, "interventions of a model", MOST_INTERVENTIONS)
}

fn lists_of_branches<'de, D: Deserializer<'de>>(list: D) -> Result<Vec<ModelBranches>, D::Error> {
    read_at_most(list, "lists of branches", MOST_MODELS)
}

fn branches<'de, D: Deserializer<'de>>(list: D) -> Result<Vec<SavedBranch>, D::Error> {
    read_at_most(list, "branches of a model", MOST_BRANCHES)
}

fn choices<'de, D: Deserializer<'de>>(list: D) -> Result<Vec<TokenChoice>, D::Error> {
    read_at_most(
        list,
        "choices of a branch",
        DecodeSession::LARGEST_STEP_LIMIT,
    )
}

/// SHA-256 over names, shapes and 32-bit values of all weights and over both vocabularies, for a model whose
/// file's hash is not at hand. It does not depend on how the file stored them.
pub fn fingerprint(model: &Model) -> String {
    let mut hash = Sha256::new();
    for parameter in model.network.parameters() {
        hash.update(format!("{} {:?}\n", parameter.name, parameter.shape));
        for value in parameter.values {
            hash.update(value.to_le_bytes());
        }
    }
    for vocabulary in [&model.source_vocabulary, &model.target_vocabulary] {
        for word in vocabulary.words().iter() {
            hash.update(word);
            hash.update([0]);
        }
    }
    hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{InterventionKind, Scope};

    #[test]
    fn a_model_without_changes_has_no_entry() {
        let mut document = Document::default();
        let mask = Intervention::new(Scope::All, InterventionKind::MaskSource(0));
        document.set_interventions("dot", Vec::new());
        assert_eq!(document, Document::default());
        document.set_interventions("dot", vec![mask.clone()]);
        document.set_interventions("additive", vec![mask.clone(), mask.clone()]);
        assert_eq!(
            document.interventions_of("dot"),
            std::slice::from_ref(&mask)
        );
        assert_eq!(document.conditions("additive").interventions.len(), 2);
        assert_eq!(document.conditions("general").interventions, []);
        document.set_interventions("dot", Vec::new());
        document.set_interventions("additive", Vec::new());
        assert_eq!(document, Document::default());
    }
}
