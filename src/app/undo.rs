//! Undo and redo by snapshots of document and view.
//!
//! Stepping, zoom, hover and selection are no part of it. What follows an edit as the same gesture (typing, a
//! slider that is dragged) goes into the same step, until a boundary.

use std::collections::VecDeque;
use std::sync::Arc;

use super::command::{Command, DecodeCommand, EditCommand, ModelsCommand, ViewCommand};
use super::effect::Effect;
use super::source::SourceCommand;
use super::state::AppState;
use super::what_if::WhatIfCommand;
use crate::engine::{InterventionKind, Scope};
use crate::project::{Document, ViewSettings};

/// All that undo covers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    /// What was chosen.
    pub document: Document,
    /// How it was shown.
    pub view: ViewSettings,
}

impl Snapshot {
    /// Roughly its bytes.
    fn size(&self) -> usize {
        let document = &self.document;
        let numbers: usize = document
            .interventions
            .iter()
            .map(|e| 64 * e.list.len())
            .sum();
        let all = document.branches.iter().flat_map(|entry| &entry.list);
        let branches: usize = all.map(|branch| 64 + 48 * branch.choices.len()).sum();
        size_of::<Self>()
            + document.source.len()
            + document.target.as_ref().map_or(0, String::len)
            + document.compared.as_ref().map_or(0, String::len)
            + 128 * document.models.len()
            + branches
            + numbers
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Entry {
    name: &'static str,
    /// The state to come back to.
    snapshot: Arc<Snapshot>,
}

/// The steps that can be taken back and brought back.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UndoStack {
    past: VecDeque<Entry>,
    future: Vec<Entry>,
    /// The gesture that the newest entry may still take in.
    gesture: Option<Gesture>,
}

impl UndoStack {
    /// How many steps are kept.
    pub const MOST: usize = 500;
    /// About how many bytes the steps may take.
    pub const LARGEST: usize = 8 << 20;

    /// What the next undo takes back.
    pub fn undo_name(&self) -> Option<&'static str> {
        self.past.back().map(|entry| entry.name)
    }

    /// What the next redo brings back.
    pub fn redo_name(&self) -> Option<&'static str> {
        self.future.last().map(|entry| entry.name)
    }

    /// What can be taken back, the newest change first.
    pub fn past_names(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.past.iter().rev().map(|entry| entry.name)
    }

    /// What can be brought back, the oldest change first.
    pub fn future_names(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.future.iter().rev().map(|entry| entry.name)
    }

    /// How many steps can be taken back.
    pub fn len(&self) -> usize {
        self.past.len()
    }

    /// Whether nothing can be taken back.
    pub fn is_empty(&self) -> bool {
        self.past.is_empty()
    }

    /// Notes the change from `before` to `after`.
    pub(super) fn record(
        &mut self,
        name: &'static str,
        gesture: Option<Gesture>,
        before: Snapshot,
        after: &Snapshot,
    ) {
        self.future.clear();
        let continues = gesture.is_some() && gesture == self.gesture && !self.past.is_empty();
        if continues {
            // Typing a letter and erasing it is no step.
            if self.past.back().is_some_and(|e| *e.snapshot == *after) {
                self.past.pop_back();
                self.gesture = None;
            }
            return;
        }
        self.gesture = gesture;
        self.past.push_back(Entry {
            name,
            snapshot: Arc::new(before),
        });
        let mut size: usize = self.past.iter().map(|e| e.snapshot.size()).sum();
        while self.past.len() > Self::MOST || (size > Self::LARGEST && self.past.len() > 1) {
            size -= self.past.pop_front().map_or(0, |e| e.snapshot.size());
        }
    }

    /// What follows is another step.
    pub(super) fn boundary(&mut self) {
        self.gesture = None;
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn undo(&mut self, now: Snapshot) -> Option<Arc<Snapshot>> {
        self.gesture = None;
        let entry = self.past.pop_back()?;
        self.future.push(Entry {
            name: entry.name,
            snapshot: Arc::new(now),
        });
        Some(entry.snapshot)
    }

    /// Several steps back at once; `None` where there is none.
    fn undo_steps(&mut self, mut now: Snapshot, count: usize) -> Option<Arc<Snapshot>> {
        let mut found = None;
        for _ in 0..count.min(self.past.len()) {
            let snapshot = self.undo(now)?;
            now = (*snapshot).clone();
            found = Some(snapshot);
        }
        found
    }

    /// Several steps forward at once; `None` where there is none.
    fn redo_steps(&mut self, mut now: Snapshot, count: usize) -> Option<Arc<Snapshot>> {
        let mut found = None;
        for _ in 0..count.min(self.future.len()) {
            let snapshot = self.redo(now)?;
            now = (*snapshot).clone();
            found = Some(snapshot);
        }
        found
    }

    fn redo(&mut self, now: Snapshot) -> Option<Arc<Snapshot>> {
        self.gesture = None;
        let entry = self.future.pop()?;
        self.past.push_back(Entry {
            name: entry.name,
            snapshot: Arc::new(now),
        });
        Some(entry.snapshot)
    }
}

/// Commands with the same one follow each other within one step of undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Gesture {
    Typing,
    Target,
    Policy,
    Interventions(String),
    /// A weight of this place, or the temperature, of one model or all.
    Attention(Option<String>, Scope, Option<usize>),
    BranchName(String, usize),
    BeamSize,
    LinkPercent,
}

impl Command {
    /// The name of this change in "Undo …", in the middle of a sentence; `None` if it is no edit.
    pub const fn undo_name(&self) -> Option<&'static str> {
        Some(match self {
            Self::Source(SourceCommand::SetText(_)) => "typing",
            Self::Source(SourceCommand::ReplaceWord { .. }) => "replacing a word",
            Self::Source(SourceCommand::UseExample(_)) => "an example sentence",
            Self::Source(SourceCommand::Clear) => "clearing the sentence",
            Self::Source(SourceCommand::ChangeWord { .. }) => "changing a word",
            Self::Source(SourceCommand::Compare(_)) => "the sentence to compare with",
            Self::Source(SourceCommand::BackToCompared) => "going back to the sentence",
            Self::Decode(DecodeCommand::SetPolicy(_)) => "the way of choosing tokens",
            Self::Decode(DecodeCommand::SetTarget(_)) => "the forced target",
            Self::Decode(DecodeCommand::ForceOutputOf { .. }) => "forcing an output",
            Self::Decode(DecodeCommand::SetInterventions { .. }) => "changing the attention",
            Self::Decode(DecodeCommand::Choose { .. }) => "choosing another token",
            Self::Decode(DecodeCommand::SelectBranch { .. }) => "going to another branch",
            Self::Decode(DecodeCommand::NameBranch { .. }) => "naming a branch",
            Self::Decode(DecodeCommand::RemoveBranch { .. }) => "removing a branch",
            Self::WhatIf(command) => command.undo_name(),
            Self::Models(ModelsCommand::Choose(_) | ModelsCommand::Toggle(_)) => "choosing scorers",
            Self::Models(ModelsCommand::Reorder { .. }) => "the order of scorers",
            Self::Models(ModelsCommand::UsePresent(_)) => "using the present model",
            Self::View(ViewCommand::Colormap(_)) => "the colour map",
            Self::View(ViewCommand::Scaling(_)) => "the scaling",
            Self::View(ViewCommand::SharedScale(_)) => "the shared scale",
            Self::View(ViewCommand::ShowValues(_)) => "values in cells",
            Self::View(ViewCommand::ShowCurves(_) | ViewCommand::Chart(..)) => "the charts",
            Self::View(ViewCommand::Layout(_)) => "what the panes show",
            Self::View(ViewCommand::LinkPercent(_)) => "the lightest link",
            Self::View(ViewCommand::BeamSize(_)) => "the size of the beam",
            Self::View(ViewCommand::Attribution(_)) => "the attribution",
            Self::View(ViewCommand::ShowUnchanged(_)) => "the unchanged run",
            Self::View(ViewCommand::Difference(_) | ViewCommand::ToggleDifference) => {
                "the difference pane"
            }
            _ => return None,
        })
    }

    /// What the command is a part of, where several make one step of undo.
    pub(super) fn gesture(&self) -> Option<Gesture> {
        match self {
            Self::Source(SourceCommand::SetText(_)) => Some(Gesture::Typing),
            Self::Decode(DecodeCommand::SetTarget(_)) => Some(Gesture::Target),
            Self::Decode(DecodeCommand::SetPolicy(_)) => Some(Gesture::Policy),
            Self::Decode(DecodeCommand::SetInterventions { model, .. }) => {
                Some(Gesture::Interventions(model.clone()))
            }
            Self::WhatIf(WhatIfCommand::Adjust { model, edit }) => {
                let position = match edit.kind {
                    InterventionKind::SetWeight { position, .. } => Some(position),
                    _ => None,
                };
                Some(Gesture::Attention(model.clone(), edit.scope, position))
            }
            Self::View(ViewCommand::BeamSize(_)) => Some(Gesture::BeamSize),
            Self::View(ViewCommand::LinkPercent(_)) => Some(Gesture::LinkPercent),
            Self::Decode(DecodeCommand::NameBranch { model, branch, .. }) => {
                Some(Gesture::BranchName(model.clone(), *branch))
            }
            _ => None,
        }
    }
}

impl AppState {
    /// The present document and view.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            document: self.document.clone(),
            view: self.view.clone(),
        }
    }

    pub(super) fn apply_edit(&mut self, command: EditCommand) -> Vec<Effect> {
        let now = self.snapshot();
        let found = match command {
            EditCommand::Undo => self.undo.undo(now),
            EditCommand::Redo => self.undo.redo(now),
            EditCommand::UndoSteps(count) => self.undo.undo_steps(now, count),
            EditCommand::RedoSteps(count) => self.undo.redo_steps(now, count),
            EditCommand::Boundary => {
                self.undo.boundary();
                None
            }
        };
        if let Some(found) = found {
            self.document = found.document.clone();
            self.view = found.view.clone();
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(source: &str) -> Snapshot {
        let mut snapshot = Snapshot::default();
        source.clone_into(&mut snapshot.document.source);
        snapshot
    }

    fn type_text(stack: &mut UndoStack, from: &str, to: &str) {
        stack.record("typing", Some(Gesture::Typing), at(from), &at(to));
    }

    #[test]
    fn several_steps_are_as_many_single_ones() {
        let mut stack = UndoStack::default();
        for (before, after) in [("", "a"), ("a", "ab"), ("ab", "abc")] {
            stack.record("an example sentence", None, at(before), &at(after));
        }
        let mut single = stack.clone();
        assert_eq!(*stack.undo_steps(at("abc"), 2).unwrap(), at("a"));
        let _ = single.undo(at("abc")).unwrap();
        let _ = single.undo(at("ab")).unwrap();
        assert_eq!(stack, single);
        assert_eq!(
            (stack.past_names().len(), stack.future_names().len()),
            (1, 2)
        );
        assert_eq!(*stack.redo_steps(at("a"), 9).unwrap(), at("abc"));
        assert_eq!(stack.redo_steps(at("abc"), 1), None);
    }

    #[test]
    fn typing_is_one_step_until_a_boundary() {
        let mut stack = UndoStack::default();
        type_text(&mut stack, "", "a");
        type_text(&mut stack, "a", "ab");
        stack.boundary();
        type_text(&mut stack, "ab", "abc");
        assert_eq!(stack.len(), 2);
        assert_eq!(*stack.undo(at("abc")).unwrap(), at("ab"));
        assert_eq!(*stack.undo(at("ab")).unwrap(), at(""));
        assert_eq!(stack.undo(at("")), None);
        assert_eq!(*stack.redo(at("")).unwrap(), at("ab"));
        assert_eq!(
            (stack.undo_name(), stack.redo_name()),
            (Some("typing"), Some("typing"))
        );
    }

    #[test]
    fn an_edit_after_undo_drops_the_future() {
        let mut stack = UndoStack::default();
        type_text(&mut stack, "", "a");
        stack.undo(at("a"));
        type_text(&mut stack, "", "b");
        assert_eq!(stack.redo_name(), None);
        assert_eq!(*stack.undo(at("b")).unwrap(), at(""));
    }

    #[test]
    fn typing_and_erasing_leaves_no_step() {
        let mut stack = UndoStack::default();
        type_text(&mut stack, "", "a");
        type_text(&mut stack, "a", "");
        assert!(stack.is_empty());
        type_text(&mut stack, "", "b");
        assert_eq!(stack.len(), 1);
    }

    #[test]
    fn memory_is_bounded() {
        let mut stack = UndoStack::default();
        for i in 0..2000 {
            stack.record("x", None, at(&i.to_string()), &at("y"));
        }
        assert_eq!(stack.len(), UndoStack::MOST);
        let long = "x".repeat(1 << 20);
        for i in 0..20 {
            stack.record("x", None, at(&format!("{i}{long}")), &at("y"));
        }
        assert!(stack.len() < 9, "{}", stack.len());
    }
}
