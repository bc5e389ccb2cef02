//! Decoding one sentence step by step, with branches and interventions. No window is needed.
//!
//! - The **tree** ([`BranchTree`]) holds every step ever taken. The **line** is the way through it that a person
//!   looks at, from position 0 to its tip; the **cursor** says how many of its steps count as taken. Going back
//!   moves the cursor and keeps the line.
//! - A step is a computation ([`StepTrace`]) and a choice ([`DecodeStep`]). A computation follows from the one
//!   before it, its input token and the interventions that act there, and is looked up by these three: another
//!   token at position `t` computes nothing at `t`, and whatever was computed once is found again.
//! - Every step of the line was computed under the session's present list of interventions: changing the list
//!   decodes the line again, and going to another branch brings back the list of that branch.

mod command;
mod step;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Weak};

pub use command::{DecodeCommand, Outcome, SessionError, Status};
pub use step::{DecodeStep, StepTrace};

use super::branch::{Branch, BranchTree, NodeId};
use super::decoder_trace::DecoderState;
use super::encoder::EncoderStates;
use super::intervention::{Intervention, check_interventions};
use super::network::Seq2Seq;
use super::policy::DecodePolicy;
use crate::text::END;

/// The decode of one source sentence. A clone shares all steps with its original.
#[derive(Clone)]
pub struct DecodeSession {
    network: Arc<Seq2Seq>,
    source: Arc<[u32]>,
    states: Arc<EncoderStates>,
    start: DecoderState,
    step_limit: usize,
    policy: DecodePolicy,
    interventions: Arc<[Intervention]>,
    tree: BranchTree,
    line: Vec<NodeId>,
    cursor: usize,
    /// Computations by the key of the one before and the input token; the interventions are compared.
    cache: HashMap<(Option<u64>, u32), Vec<Weak<StepTrace>>>,
    computed: u64,
}

impl fmt::Debug for DecodeSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeSession")
            .field("source", &self.source)
            .field("tokens", &self.tree.tokens(&self.line))
            .field("cursor", &self.cursor)
            .field("policy", &self.policy)
            .field("interventions", &self.interventions)
            .finish_non_exhaustive()
    }
}

impl DecodeSession {
    /// The longest source accepted.
    pub const LONGEST_SOURCE: usize = 4096;
    /// The largest step limit accepted.
    pub const LARGEST_STEP_LIMIT: usize = 4096;

    /// Encodes `source` (ids of the source vocabulary, without marks). No step is taken; the policy is greedy.
    ///
    /// # Errors
    /// An empty or too long source, an id outside the vocabulary, or a step limit out of range.
    pub fn new(
        network: Arc<Seq2Seq>,
        source: Vec<u32>,
        step_limit: usize,
    ) -> Result<Self, SessionError> {
        let vocabulary = network.config().source_vocabulary;
        if source.is_empty() {
            return Err(SessionError::EmptySource);
        }
        if source.len() > Self::LONGEST_SOURCE {
            return Err(SessionError::SourceTooLong { len: source.len() });
        }
        if let Some(position) = source.iter().position(|id| *id as usize >= vocabulary) {
            return Err(SessionError::SourceToken {
                token: source[position],
                position,
                vocabulary,
            });
        }
        if !(1..=Self::LARGEST_STEP_LIMIT).contains(&step_limit) {
            return Err(SessionError::StepLimit { found: step_limit });
        }
        let states = network.encode(&source, 1);
        let start = network.start(&states);
        Ok(Self {
            network,
            source: source.into(),
            states: Arc::new(states),
            start,
            step_limit,
            policy: DecodePolicy::default(),
            interventions: Arc::from([]),
            tree: BranchTree::default(),
            line: Vec::new(),
            cursor: 0,
            cache: HashMap::new(),
            computed: 0,
        })
    }

    /// The network.
    pub const fn network(&self) -> &Arc<Seq2Seq> {
        &self.network
    }

    /// The source ids `[S]`.
    pub fn source(&self) -> &[u32] {
        &self.source
    }

    /// The encoder states, `B = 1`.
    pub const fn states(&self) -> &Arc<EncoderStates> {
        &self.states
    }

    /// The decoder's state before the first step.
    pub const fn start(&self) -> &DecoderState {
        &self.start
    }

    /// The largest number of steps.
    pub const fn step_limit(&self) -> usize {
        self.step_limit
    }

    /// How the next token is chosen.
    pub const fn policy(&self) -> DecodePolicy {
        self.policy
    }

    /// The interventions in force, in the order in which they act.
    pub fn interventions(&self) -> &[Intervention] {
        &self.interventions
    }

    /// All steps that were ever taken.
    pub const fn tree(&self) -> &BranchTree {
        &self.tree
    }

    /// How many steps are taken at the cursor.
    pub const fn position(&self) -> usize {
        self.cursor
    }

    /// The nodes of the current line, before and behind the cursor.
    pub fn line(&self) -> &[NodeId] {
        &self.line
    }

    /// The node under the cursor; `None` before the first step.
    pub fn current(&self) -> Option<NodeId> {
        self.cursor.checked_sub(1).map(|i| self.line[i])
    }

    /// The step under the cursor; `None` before the first step.
    pub fn current_step(&self) -> Option<&Arc<DecodeStep>> {
        self.step_at(self.cursor.checked_sub(1)?)
    }

    /// The step of the current line at a position, before or behind the cursor.
    pub fn step_at(&self, position: usize) -> Option<&Arc<DecodeStep>> {
        self.line
            .get(position)
            .and_then(|id| self.tree.get(*id))
            .map(|node| &node.step)
    }

    /// The steps up to the cursor, in order.
    pub fn steps(&self) -> impl Iterator<Item = &Arc<DecodeStep>> {
        self.line_steps().take(self.cursor)
    }

    /// The steps of the whole current line, in order.
    pub fn line_steps(&self) -> impl Iterator<Item = &Arc<DecodeStep>> {
        self.line
            .iter()
            .filter_map(|id| self.tree.get(*id))
            .map(|node| &node.step)
    }

    /// The tokens up to the cursor, `</s>` included where it was taken.
    pub fn tokens(&self) -> Vec<u32> {
        self.tree.tokens(&self.line[..self.cursor])
    }

    /// How it stands at the cursor.
    pub fn status(&self) -> Status {
        self.status_of(&self.line[..self.cursor])
    }

    /// How many steps the network computed so far: looking at a step again does not count.
    pub const fn computed_steps(&self) -> u64 {
        self.computed
    }

    /// The leaves of the tree, oldest first.
    pub fn branches(&self) -> Vec<Branch> {
        let branch = |leaf: NodeId| {
            let step = &self.tree.get(leaf)?.step;
            Some(Branch {
                leaf,
                name: self.tree.name(leaf).map(str::to_owned),
                tokens: self.tree.tokens(&self.tree.path(leaf)),
                log_probability: step.total_log_probability,
                current: self.line.last() == Some(&leaf),
            })
        };
        self.tree.leaves().filter_map(branch).collect()
    }

    /// Does what `command` asks.
    ///
    /// # Errors
    /// Why it cannot; the session is as it was then.
    pub fn apply(&mut self, command: DecodeCommand) -> Result<Outcome, SessionError> {
        match command {
            DecodeCommand::Step => self.step(),
            DecodeCommand::StepBack if self.cursor == 0 => Ok(Outcome::AtStart),
            DecodeCommand::StepBack => self.advance_to(self.cursor - 1),
            DecodeCommand::MoveTo(position) => self.advance_to(position),
            DecodeCommand::First => self.advance_to(0),
            DecodeCommand::RunToEnd => self.advance_to(usize::MAX),
            DecodeCommand::Restart => {
                let outcome = if self.line.is_empty() {
                    Outcome::Unchanged
                } else {
                    Outcome::Moved
                };
                self.line.clear();
                self.cursor = 0;
                Ok(outcome)
            }
            DecodeCommand::ForceToken(token) => self.force(self.cursor.saturating_sub(1), token),
            DecodeCommand::ForceNext(token) => match self.status() {
                Status::Running => self.force(self.cursor, token),
                status => Ok(status.refusal()),
            },
            DecodeCommand::TeacherForce(target) => self.teacher_force(target),
            DecodeCommand::SetPolicy(policy) => self.set_policy(policy),
            DecodeCommand::AddIntervention(intervention) => self.edit_interventions(|list| {
                list.push(intervention);
                Ok(())
            }),
            DecodeCommand::ReplaceIntervention {
                index,
                intervention,
            } => self.replace_intervention(index, intervention),
            DecodeCommand::RemoveIntervention(index) => self.edit_interventions(|list| {
                entry(list, index)?;
                list.remove(index);
                Ok(())
            }),
            DecodeCommand::EnableIntervention { index, enabled } => {
                self.edit_interventions(|list| {
                    entry(list, index)?.enabled = enabled;
                    Ok(())
                })
            }
            DecodeCommand::GoToNode(id) => self.go_to(id),
            DecodeCommand::RemoveBranch(id) => self.remove_branch(id),
            DecodeCommand::NameBranch { node, name } => self.name_branch(node, name),
        }
    }

    fn set_policy(&mut self, policy: DecodePolicy) -> Result<Outcome, SessionError> {
        policy.check()?;
        if policy == self.policy {
            return Ok(Outcome::Unchanged);
        }
        self.policy = policy;
        self.line.truncate(self.cursor);
        Ok(Outcome::Changed)
    }

    /// Changes the list of interventions and decodes the line again.
    fn edit_interventions(
        &mut self,
        edit: impl FnOnce(&mut Vec<Intervention>) -> Result<(), SessionError>,
    ) -> Result<Outcome, SessionError> {
        let mut list = self.interventions.to_vec();
        edit(&mut list)?;
        check_interventions(
            &list,
            self.source.len(),
            self.network.config().score.attends(),
        )?;
        if list[..] == self.interventions[..] {
            return Ok(Outcome::Unchanged);
        }
        self.decode_again(list.into())
    }

    fn replace_intervention(
        &mut self,
        index: usize,
        intervention: Intervention,
    ) -> Result<Outcome, SessionError> {
        let old_tip = self.line.last().copied();
        let outcome = self.edit_interventions(|list| {
            *entry(list, index)? = intervention;
            Ok(())
        })?;
        let superseded = old_tip.filter(|tip| {
            let leaf = self.tree.children(Some(*tip)).is_empty();
            leaf && !self.line.contains(tip) && self.tree.name(*tip).is_none()
        });
        if let Some(tip) = superseded {
            self.tree.remove(tip, &self.line);
            self.forget_unused();
        }
        Ok(outcome)
    }

    fn remove_branch(&mut self, id: NodeId) -> Result<Outcome, SessionError> {
        self.tree.get(id).ok_or(SessionError::NoNode(id))?;
        if self.line.contains(&id) {
            return Err(SessionError::CurrentBranch);
        }
        self.tree.remove(id, &self.line);
        self.forget_unused();
        Ok(Outcome::Changed)
    }

    fn name_branch(&mut self, id: NodeId, name: String) -> Result<Outcome, SessionError> {
        let node = self.tree.get_mut(id).ok_or(SessionError::NoNode(id))?;
        let name = Some(name).filter(|name| !name.is_empty());
        let outcome = if node.name == name {
            Outcome::Unchanged
        } else {
            Outcome::Changed
        };
        node.name = name;
        Ok(outcome)
    }

    fn status_of(&self, path: &[NodeId]) -> Status {
        let last = path.last().and_then(|id| self.tree.get(*id));
        if last.is_some_and(|node| node.step.chosen == END) {
            Status::Finished
        } else if path.len() >= self.step_limit {
            Status::StepLimit
        } else {
            Status::Running
        }
    }
}

impl Status {
    /// What a step beyond the end comes to.
    const fn refusal(self) -> Outcome {
        match self {
            Self::Running => Outcome::Unchanged,
            Self::Finished => Outcome::Ended,
            Self::StepLimit => Outcome::StepLimit,
        }
    }
}

fn entry(list: &mut [Intervention], index: usize) -> Result<&mut Intervention, SessionError> {
    let len = list.len();
    list.get_mut(index)
        .ok_or(SessionError::NoIntervention { index, len })
}
