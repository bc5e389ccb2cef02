//! What if attention were different: changes of the weights, as a person adds, switches and removes them.
//!
//! They end in the lists of the document, which undo covers and sessions keep. What would leave nothing to attend to
//! is refused here, with the reason; a change that no longer fits another sentence stays in the list and does
//! nothing.

use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::notice::{Level, NoticeDraft, Origin};
use super::pane::Pane;
use super::state::AppState;
use crate::engine::{
    Intervention, InterventionError, InterventionKind, Scope, ScoreKind, active_at,
    check_interventions,
};
use crate::project::{self, MOST_INTERVENTIONS};

/// About changes of attention. Where a model can be named, `None` means all shown ones that have attention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhatIfCommand {
    /// Adds a change behind those that are there.
    Add {
        /// The model's name.
        model: Option<String>,
        /// The change.
        edit: Intervention,
    },
    /// The same while a number is being moved: in place of the change that acts last at these steps, if that sets the
    /// same number.
    Adjust {
        /// The model's name.
        model: Option<String>,
        /// The change.
        edit: Intervention,
    },
    /// Takes over the weights of another shown model, step by step.
    Borrow {
        /// The model's name.
        model: Option<String>,
        /// The other one's name.
        from: String,
        /// At which of its steps.
        scope: Scope,
    },
    /// Lets a change act, or no longer.
    Switch {
        /// The model's name.
        model: String,
        /// The change's place in the list.
        place: usize,
        /// Whether it acts.
        on: bool,
    },
    /// Forgets a change.
    Remove {
        /// The model's name.
        model: String,
        /// Its place in the list.
        place: usize,
    },
    /// Forgets all changes.
    Clear {
        /// The model's name.
        model: Option<String>,
    },
}

impl WhatIfCommand {
    /// Its name in "Undo …".
    pub(super) const fn undo_name(&self) -> &'static str {
        match self {
            Self::Add { .. } | Self::Adjust { .. } | Self::Borrow { .. } => {
                "changing the attention"
            }
            Self::Switch { .. } => "switching a change of attention",
            Self::Remove { .. } => "removing a change of attention",
            Self::Clear { .. } => "removing all changes of attention",
        }
    }
}

/// A change in words: "mask noir, all steps".
pub fn edit_sentence(edit: &Intervention, source: &[String]) -> String {
    let word = |position: usize| match source.get(position) {
        Some(word) => word.clone(),
        None => format!("word {} (not in this sentence)", position + 1),
    };
    let what = match &edit.kind {
        InterventionKind::MaskSource(position) => format!("mask {}", word(*position)),
        InterventionKind::SetWeights(row) => {
            let numbers: Vec<String> = row.iter().map(|w| format!("{w:.2}")).collect();
            format!("weights {}", numbers.join(" "))
        }
        InterventionKind::SetWeight { position, weight } => {
            format!("set {} to {weight:.2}", word(*position))
        }
        InterventionKind::Temperature(temperature) => format!("temperature {temperature:.2}"),
        InterventionKind::Uniform => "uniform weights".to_owned(),
        InterventionKind::LastPosition => "all weight on the last word".to_owned(),
        InterventionKind::OneHot(position) => format!("all weight on {}", word(*position)),
        InterventionKind::Window(0) => "only the word in step".to_owned(),
        InterventionKind::Window(width) => format!("window of {width} on both sides"),
        InterventionKind::Permute(seed) => format!("permuted weights, draw {seed}"),
    };
    match edit.scope {
        Scope::All => format!("{what}, all steps"),
        Scope::From(step) => format!("{what} from step {}", step.saturating_add(1)),
        Scope::Step(step) => format!("{what} at step {}", step.saturating_add(1)),
    }
}

/// Whether the attention of a pane can be changed: its model has weights and decodes.
fn is_open(pane: &Pane) -> bool {
    pane.session().is_some() && pane.score().is_some_and(ScoreKind::attends)
}

impl AppState {
    pub(super) fn apply_what_if(&mut self, command: WhatIfCommand) -> Vec<Effect> {
        match command {
            WhatIfCommand::Add { model, edit } => {
                self.change_attention(model, |_, list| list.push(edit.clone()));
            }
            WhatIfCommand::Adjust { model, edit } => {
                self.change_attention(model, |_, list| adjust(list, &edit));
            }
            WhatIfCommand::Borrow { model, from, scope } => self.borrow(model, &from, scope),
            WhatIfCommand::Switch { model, place, on } => {
                self.change_attention(Some(model), |_, list| {
                    if let Some(edit) = list.get_mut(place) {
                        edit.enabled = on;
                    }
                });
            }
            WhatIfCommand::Remove { model, place } => {
                let mut list = self.document.interventions_of(&model).to_vec();
                if place < list.len() {
                    list.remove(place);
                    self.document.set_interventions(&model, list);
                }
            }
            WhatIfCommand::Clear { model } => {
                let names = model.map_or_else(|| self.changeable(), |name| vec![name]);
                for name in names {
                    self.document.set_interventions(&name, Vec::new());
                }
            }
        }
        Vec::new()
    }

    /// The shown models whose attention can be changed.
    fn changeable(&self) -> Vec<String> {
        let panes = self.visible_panes().filter(|pane| is_open(pane));
        panes.map(|pane| pane.name().to_owned()).collect()
    }

    /// Whether a model's attention can be changed: it has weights and decodes.
    pub fn can_change_attention(&self, model: &str) -> bool {
        self.pane(model).is_some_and(is_open)
    }

    /// Whether the weight of a source position can be set at a step: the model decodes, and no change keeps the position
    /// closed.
    pub fn can_set_weight(&self, model: &str, step: usize, position: usize) -> bool {
        let Some(pane) = self.pane(model).filter(|pane| is_open(pane)) else {
            return false;
        };
        let length = pane.data().source.len();
        let centre = step.min(length.saturating_sub(1));
        let edits = pane
            .session()
            .map_or(&[][..], |session| session.interventions());
        let mut kinds = active_at(edits, step).into_iter();
        position < length
            && !kinds.any(|kind| match kind {
                InterventionKind::MaskSource(masked) => masked == position,
                InterventionKind::Window(width) => position.abs_diff(centre) > width,
                _ => false,
            })
    }

    /// The seed of the next permutation of a model's weights: one that none of its changes has.
    pub fn next_draw(&self, model: &str) -> u64 {
        let edits = self.document.interventions_of(model).iter();
        let seeds = edits.filter_map(|edit| match edit.kind {
            InterventionKind::Permute(seed) => Some(seed),
            _ => None,
        });
        seeds.max().map_or(1, |seed| seed.saturating_add(1))
    }

    /// Whether any shown model's attention can be changed.
    pub fn has_attention(&self) -> bool {
        self.visible_panes().any(is_open)
    }

    /// Whether the attention of a shown model is changed, or was and is switched off.
    pub fn has_changes(&self) -> bool {
        let mut panes = self.visible_panes().filter(|pane| is_open(pane));
        panes.any(|pane| !self.document.interventions_of(pane.name()).is_empty())
    }

    /// Changes the list of a model, or of all shown ones; one that cannot be is refused with the reason.
    fn change_attention(
        &mut self,
        model: Option<String>,
        change: impl Fn(&str, &mut Vec<Intervention>),
    ) {
        let names = model.map_or_else(|| self.changeable(), |name| vec![name]);
        let mut problems: Vec<String> = Vec::new();
        if names.is_empty() {
            problems.push("no scorer with attention is shown".to_owned());
        }
        for name in names {
            let mut list = self.document.interventions_of(&name).to_vec();
            change(&name, &mut list);
            let outcome = match self.pane(&name).filter(|pane| is_open(pane)) {
                None => Err(format!("{name} has no weights that could be changed")),
                Some(pane) => check(&list, self.document.interventions_of(&name), pane),
            };
            match outcome {
                Ok(()) => self.document.set_interventions(&name, list),
                Err(problem) if problems.contains(&problem) => {}
                Err(problem) => problems.push(problem),
            }
        }
        for problem in problems {
            self.notices.add(NoticeDraft::new(
                Level::Error,
                Origin::Decode,
                format!("The attention stays as it is: {problem}"),
            ));
        }
    }

    fn borrow(&mut self, model: Option<String>, from: &str, scope: Scope) {
        let matrix = self.pane(from).and_then(|pane| pane.data().matrix.clone());
        let rows: Vec<Vec<f32>> = matrix.map_or_else(Vec::new, |matrix| {
            let rows = matrix.values().rows();
            rows.into_iter().map(|row| row.to_vec()).collect()
        });
        let edits: Vec<Intervention> = rows
            .into_iter()
            .enumerate()
            .filter(|(step, _)| scope.covers(*step))
            .map(|(step, row)| {
                Intervention::new(Scope::Step(step), InterventionKind::SetWeights(row))
            })
            .collect();
        if edits.is_empty() {
            self.notices.add(NoticeDraft::new(
                Level::Info,
                Origin::Decode,
                format!("{from} has no weights there that could be taken over"),
            ));
            return;
        }
        self.change_attention(model, |name, list| {
            if name != from {
                list.extend(edits.iter().cloned());
            }
        });
    }
}

/// Puts a change in place of the one that acts last at its steps, if that sets the same number; else behind all.
fn adjust(list: &mut Vec<Intervention>, edit: &Intervention) {
    use InterventionKind::{SetWeight, Temperature};
    let meets = |a: Scope, b: Scope| match (a, b) {
        (Scope::Step(a), b) => b.covers(a),
        (a, Scope::Step(b)) => a.covers(b),
        _ => true,
    };
    let last = list
        .iter_mut()
        .rfind(|known| known.enabled && meets(known.scope, edit.scope));
    if let Some(known) = last.filter(|known| known.scope == edit.scope) {
        let is_same = match (&known.kind, &edit.kind) {
            (SetWeight { position: a, .. }, SetWeight { position: b, .. }) => a == b,
            (Temperature(_), Temperature(_)) => true,
            _ => false,
        };
        if is_same {
            known.kind = edit.kind.clone();
            return;
        }
    }
    list.push(edit.clone());
}

/// Whether a list can act on a pane's sentence. What was in it `before` and does not fit is left out there, so that
/// it does not count.
fn check(list: &[Intervention], before: &[Intervention], pane: &Pane) -> Result<(), String> {
    if list.len() > MOST_INTERVENTIONS {
        return Err(format!("at most {MOST_INTERVENTIONS} changes are kept"));
    }
    let length = pane.data().source.len();
    let text = |error: InterventionError| error.to_string();
    project::check_interventions(list).map_err(text)?;
    let mut fitting = Vec::new();
    for edit in list {
        match edit.check(length) {
            Ok(()) => fitting.push(edit.clone()),
            Err(error) if !before.iter().any(|known| known.kind == edit.kind) => {
                return Err(text(error));
            }
            Err(_) => {}
        }
    }
    check_interventions(&fitting, length, true).map_err(text)
}
