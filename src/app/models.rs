//! Choosing models.

use super::command::{Command, ModelsCommand};
use super::effect::{Effect, PickPurpose};
use super::notice::{Level, NoticeDraft, Origin};
use super::pane::PaneKind;
use super::state::AppState;
use crate::project::ModelRef;

/// The most panes side by side.
pub const MOST_PANES: usize = 5;

/// The models of the first view, where they are there.
const FIRST: [&str; 2] = ["additive", "dot"];

impl AppState {
    pub(super) fn apply_models(&mut self, command: ModelsCommand) -> Vec<Effect> {
        match command {
            ModelsCommand::Choose(names) => self.choose(&names),
            ModelsCommand::Toggle(name) => self.toggle(&name),
            ModelsCommand::Reorder { from, to } => {
                let chosen = &mut self.document.models;
                if from < chosen.len() && to < chosen.len() {
                    let model = chosen.remove(from);
                    chosen.insert(to, model);
                }
            }
            ModelsCommand::UsePresent(name) => {
                if let Some(present) = self.models.get(&name)
                    && let Some(place) = self.document.place_of(&name)
                {
                    self.document.models[place] = present.reference.clone();
                }
            }
            ModelsCommand::Open => {
                return vec![Effect::PickFile {
                    purpose: PickPurpose::OpenModel,
                    suggested: None,
                }];
            }
            // The outcome is in the model set; that the state changed is all there is to say.
            ModelsCommand::BeamFound | ModelsCommand::Attributed => {}
            ModelsCommand::Loaded(reference) => self.loaded(&reference),
            ModelsCommand::LoadFailed { path, problem } => {
                let text = format!("Cannot open the model {}: {problem}", path.display());
                let draft = NoticeDraft::new(Level::Error, Origin::Models, text);
                self.notices.add(draft.advice(
                    "Choose a .safetensors file that regard trained, or train one with `regard train`",
                ));
            }
        }
        Vec::new()
    }

    /// The models that a session without a choice of its own begins with.
    pub(super) fn first_models(&self) -> Vec<ModelRef> {
        let all = self.models.references();
        let first: Vec<ModelRef> = all
            .iter()
            .filter(|model| FIRST.contains(&model.name.as_str()))
            .cloned()
            .collect();
        if first.is_empty() {
            all.into_iter().take(FIRST.len()).collect()
        } else {
            first
        }
    }

    /// The reference of a name: the one that is chosen already, else the model that is there.
    fn reference(&self, name: &str) -> Option<ModelRef> {
        let chosen = self.document.place_of(name);
        chosen
            .map(|place| self.document.models[place].clone())
            .or_else(|| Some(self.models.get(name)?.reference.clone()))
    }

    fn choose(&mut self, names: &[String]) {
        let mut chosen: Vec<ModelRef> = Vec::new();
        for reference in names.iter().filter_map(|name| self.reference(name)) {
            if !chosen.contains(&reference) && chosen.len() < MOST_PANES {
                chosen.push(reference);
            }
        }
        if !chosen.is_empty() {
            self.document.models = chosen;
        }
    }

    fn toggle(&mut self, name: &str) {
        if let Some(place) = self.document.place_of(name) {
            // One stays, so that there is always something to step.
            if self.document.models.len() > 1 {
                self.document.models.remove(place);
            }
            return;
        }
        let Some(reference) = self.reference(name) else {
            return;
        };
        if self.document.models.len() >= MOST_PANES {
            let text = format!("At most {MOST_PANES} scorers stand side by side");
            let draft = NoticeDraft::new(Level::Info, Origin::Models, text);
            self.notices.add(draft.advice("Take one away first"));
            return;
        }
        // New panes come in the order of the models, before the first chosen one that stands behind.
        let order = self.models.references();
        let rank = |model: &ModelRef| order.iter().position(|known| known.name == model.name);
        let own = rank(&reference);
        let chosen = &mut self.document.models;
        let place = chosen.iter().position(|model| rank(model) > own);
        chosen.insert(place.unwrap_or(chosen.len()), reference);
    }

    /// A model was put into the set.
    fn loaded(&mut self, reference: &ModelRef) {
        self.models_changed();
        let chosen = self.document.place_of(&reference.name);
        let draft = NoticeDraft::new(
            Level::Done,
            Origin::Models,
            format!("Opened the model {}", reference.name),
        );
        match chosen.map(|place| self.document.models[place] == *reference) {
            Some(true) => {}
            Some(false) => self.notices.add(changed_model(&reference.name)),
            None => {
                let toggle = ModelsCommand::Toggle(reference.name.clone());
                self.notices
                    .add(draft.action("Show it", Command::Models(toggle)));
            }
        }
    }

    /// Names the models of an opened session that are not what they were.
    pub(super) fn report_models(&mut self) {
        let chosen = self.document.models.clone();
        for model in chosen {
            match self.kind_of(&model) {
                PaneKind::Live => {}
                PaneKind::ModelChanged => self.notices.add(changed_model(&model.name)),
                PaneKind::ModelMissing => self.notices.add(
                    NoticeDraft::new(
                        Level::Warning,
                        Origin::Models,
                        format!(
                            "There is no model \"{}\"; what the session recorded of it is shown",
                            model.name
                        ),
                    )
                    .advice("Open its file to decode again")
                    .action("Open a model…", Command::Models(ModelsCommand::Open)),
                ),
            }
        }
    }

    fn kind_of(&self, model: &ModelRef) -> PaneKind {
        match self.models.get(&model.name) {
            Some(present) if present.reference == *model => PaneKind::Live,
            Some(_) => PaneKind::ModelChanged,
            None => PaneKind::ModelMissing,
        }
    }
}

fn changed_model(name: &str) -> NoticeDraft {
    NoticeDraft::new(
        Level::Warning,
        Origin::Models,
        format!(
            "The model \"{name}\" changed since this session was saved; the recorded figure is shown"
        ),
    )
    .advice("Use the present model to decode again")
    .action(
        "Use the present model",
        Command::Models(ModelsCommand::UsePresent(name.to_owned())),
    )
}
