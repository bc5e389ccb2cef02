//! The clock of all decodes, and what they run under.
//!
//! All panes go to the same position; one whose output is over waits at its end. A changed document decodes every
//! pane again up to the number of steps that had been reached.

use super::command::DecodeCommand;
use super::effect::Effect;
use super::notice::{Level, NoticeDraft, Origin};
use super::pane::Pane;
use super::state::AppState;
use crate::engine::{DecodePolicy, Intervention};
use crate::numeric::for_each_parallel;
use crate::project::{MOST_INTERVENTIONS, check_interventions, clip_text};

impl AppState {
    pub(super) fn apply_decode(&mut self, command: DecodeCommand) -> Vec<Effect> {
        match command {
            DecodeCommand::Step => self.go(self.position.saturating_add(1)),
            DecodeCommand::StepBack => self.go(self.position.saturating_sub(1)),
            DecodeCommand::First => self.go(0),
            DecodeCommand::RunToEnd => self.go(usize::MAX),
            DecodeCommand::MoveTo(position) => self.go(position),
            DecodeCommand::Restart => {
                self.panes.iter_mut().for_each(Pane::restart);
                self.go(0);
            }
            DecodeCommand::Play(on) => self.play(on),
            DecodeCommand::SetPolicy(policy) => self.set_policy(policy),
            DecodeCommand::SetTarget(target) => {
                let target = target.filter(|text| !text.is_empty());
                self.document.target = target.map(|text| clip_text(text).0);
            }
            DecodeCommand::ForceOutputOf { model } => self.force_output_of(&model),
            DecodeCommand::Choose {
                model,
                position,
                token,
            } => self.choose_token(&model, position, &token),
            DecodeCommand::SelectBranch { model, branch } => self.select_branch(&model, branch),
            DecodeCommand::NameBranch {
                model,
                branch,
                name,
            } => self.name_branch(&model, branch, &name),
            DecodeCommand::RemoveBranch { model, branch } => self.remove_branch(&model, branch),
            DecodeCommand::SetInterventions { model, list } => {
                self.set_interventions(&model, list);
            }
        }
        Vec::new()
    }

    /// Whether there is a step that some pane can take.
    pub fn can_step(&self) -> bool {
        self.panes
            .iter()
            .any(|pane| pane.status() == super::PaneStatus::Running)
    }

    /// Moves the clock, if there is anything to move.
    fn go(&mut self, position: usize) {
        if self
            .panes
            .iter()
            .any(|pane| pane.status() != super::PaneStatus::Empty)
        {
            self.move_all(position);
            self.reached = self.position;
        }
    }

    fn move_all(&mut self, position: usize) {
        for_each_parallel(&mut self.panes, |pane| pane.move_to(position));
        self.position = self.panes.iter().map(Pane::taken).max().unwrap_or(0);
    }

    /// Brings the panes to the document, reusing those that are there.
    pub(super) fn sync_panes(&mut self) {
        let mut old = std::mem::take(&mut self.panes);
        let (document, compared) = (&self.document, self.compared());
        let synced = document.models.iter().map(|model| {
            let place = old.iter().position(|pane| pane.model() == model);
            match place {
                Some(place) => old.swap_remove(place),
                None => Pane::new(model.clone()),
            }
        });
        let mut synced: Vec<Pane> = synced.collect();
        // The panes know nothing of each other.
        for_each_parallel(&mut synced, |pane| {
            let present = self.models.get(pane.name());
            let conditions = document.conditions(pane.name());
            pane.sync(&conditions, compared, present, &self.records);
        });
        self.panes = synced;
        self.move_all(self.reached);
    }

    fn set_policy(&mut self, policy: DecodePolicy) {
        match policy.check() {
            Ok(()) => self.document.policy = policy,
            Err(error) => self.notices.add(NoticeDraft::new(
                Level::Error,
                Origin::Decode,
                format!("The way of choosing tokens stays: {error}"),
            )),
        }
    }

    fn set_interventions(&mut self, model: &str, mut list: Vec<Intervention>) {
        if self.document.place_of(model).is_none() {
            return;
        }
        list.truncate(MOST_INTERVENTIONS);
        match check_interventions(&list) {
            Ok(()) => self.document.set_interventions(model, list),
            Err(error) => self.notices.add(NoticeDraft::new(
                Level::Error,
                Origin::Decode,
                format!("The attention stays as it is: {error}"),
            )),
        }
    }

    fn force_output_of(&mut self, model: &str) {
        let Some(pane) = self.pane(model) else {
            return;
        };
        let (words, tokeniser) = pane.whole_output();
        if words.is_empty() {
            self.notices.add(
                NoticeDraft::new(
                    Level::Info,
                    Origin::Decode,
                    format!("{model} says nothing that could be forced"),
                )
                .advice("Type a target instead"),
            );
            return;
        }
        // As a sentence for people, if that is cut into the same tokens again.
        let sentence = tokeniser.detokenise(&words);
        let text = if tokeniser.tokenise(&sentence) == words {
            sentence
        } else {
            words.join(" ")
        };
        self.document.target = Some(clip_text(text).0);
    }
}
