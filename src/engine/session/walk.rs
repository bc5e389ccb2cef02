//! Walking: computing steps, choosing tokens, and laying the current line through the tree.

use std::sync::Arc;

use super::{DecodeSession, DecodeStep, Outcome, SessionError, Status, StepTrace};
use crate::engine::branch::NodeId;
use crate::engine::intervention::{Intervention, active_at, intervene};
use crate::engine::policy::is_generated;
use crate::numeric::EmptySupport;
use crate::text::{END, START};

impl DecodeSession {
    pub(super) fn step(&mut self) -> Result<Outcome, SessionError> {
        if self.cursor == self.line.len() {
            match self.status() {
                Status::Running => {}
                status => return Ok(status.refusal()),
            }
            let (path, list) = (self.line.clone(), self.interventions.clone());
            let node = self.decide(&path, &list)?;
            self.line.push(node);
            self.remember_line();
        }
        self.cursor += 1;
        Ok(Outcome::Moved)
    }

    /// Moves the cursor, decoding what the line does not have yet.
    pub(super) fn advance_to(&mut self, position: usize) -> Result<Outcome, SessionError> {
        let before = self.cursor;
        self.cursor = position.min(self.line.len());
        while self.cursor < position {
            let outcome = self.step()?;
            if outcome != Outcome::Moved {
                return Ok(if self.cursor == before {
                    outcome
                } else {
                    Outcome::Moved
                });
            }
        }
        Ok(if self.cursor == before {
            Outcome::Unchanged
        } else {
            Outcome::Moved
        })
    }

    /// Takes `token` at `position` of the line, which reaches at least to there, and puts the cursor behind it.
    pub(super) fn force(&mut self, position: usize, token: u32) -> Result<Outcome, SessionError> {
        self.check_token(token)?;
        let list = self.interventions.clone();
        let parent = position.checked_sub(1).map(|i| self.line[i]);
        let trace = self.trace_after(parent, &list)?;
        let moved = self.cursor != position + 1;
        let on_line = self
            .line
            .get(position)
            .copied()
            .filter(|id| self.chosen(*id) == Some(token));
        let known = on_line.or_else(|| self.tree.find(parent, &trace, token, true));
        let known = known.or_else(|| self.tree.find(parent, &trace, token, false));
        let pinned = known.is_some_and(|id| self.pin(id));
        if on_line.is_none() {
            let node = known.unwrap_or_else(|| self.take(parent, &trace, token, true, &list));
            self.line.truncate(position);
            self.line.push(node);
            self.follow_known(&list);
            self.remember_line();
        }
        self.cursor = position + 1;
        Ok(match (known, on_line) {
            (None, _) => Outcome::Branched,
            (Some(_), None) => Outcome::Moved,
            (Some(_), Some(_)) if moved => Outcome::Moved,
            (Some(_), Some(_)) if pinned => Outcome::Changed,
            (Some(_), Some(_)) => Outcome::Unchanged,
        })
    }

    pub(super) fn teacher_force(&mut self, mut target: Vec<u32>) -> Result<Outcome, SessionError> {
        if target.last() != Some(&END) {
            target.push(END);
        }
        target
            .iter()
            .try_for_each(|token| self.check_token(*token))?;
        if let Some(position) = target[..target.len() - 1]
            .iter()
            .position(|token| *token == END)
        {
            return Err(SessionError::EndInside { position });
        }
        if target.len() > self.step_limit {
            return Err(SessionError::TargetTooLong {
                len: target.len(),
                limit: self.step_limit,
            });
        }
        let list = self.interventions.clone();
        self.lay_line(|session| {
            let mut line: Vec<NodeId> = Vec::with_capacity(target.len());
            for token in target {
                let parent = line.last().copied();
                let trace = session.trace_after(parent, &list)?;
                line.push(session.take(parent, &trace, token, true, &list));
            }
            Ok((line.len(), line))
        })
    }

    /// Decodes the current line under another list of interventions: what a person forced stays, and so does
    /// every step that computes the same as before; the policy decides the rest.
    pub(super) fn decode_again(
        &mut self,
        list: Arc<[Intervention]>,
    ) -> Result<Outcome, SessionError> {
        let old = self.line.clone();
        let complete = self.status_of(&old) != Status::Running;
        let at_end = complete && self.cursor == old.len();
        let cursor = self.cursor;
        let outcome = self.lay_line(|session| {
            let mut line = Vec::with_capacity(old.len());
            while session.status_of(&line) == Status::Running
                && (complete || line.len() < old.len())
            {
                let parent = line.last().copied();
                let trace = session.trace_after(parent, &list)?;
                let before = old
                    .get(line.len())
                    .and_then(|id| session.tree.get(*id))
                    .map(|node| &node.step);
                let kept = before.filter(|step| step.forced || Arc::ptr_eq(&step.trace, &trace));
                let (token, forced) = kept.map_or_else(
                    || {
                        (
                            session
                                .policy
                                .choose(&trace.log_probabilities, &session.tree.tokens(&line)),
                            false,
                        )
                    },
                    |step| (step.chosen, step.forced),
                );
                line.push(session.take(parent, &trace, token, forced, &list));
            }
            Ok((
                if at_end {
                    line.len()
                } else {
                    cursor.min(line.len())
                },
                line,
            ))
        })?;
        self.interventions = list;
        self.remember_line();
        Ok(if outcome == Outcome::Unchanged {
            Outcome::Changed
        } else {
            outcome
        })
    }

    /// Lays the line that `walk` makes, with its cursor; on an error all is as it was.
    fn lay_line(
        &mut self,
        walk: impl FnOnce(&mut Self) -> Result<(usize, Vec<NodeId>), SessionError>,
    ) -> Result<Outcome, SessionError> {
        let mark = self.tree.mark();
        let (cursor, line) = walk(self).inspect_err(|_| {
            self.tree.remove_since(mark);
            self.forget_unused();
        })?;
        let outcome = match (
            self.tree.mark() == mark,
            line == self.line && cursor == self.cursor,
        ) {
            (false, _) => Outcome::Branched,
            (true, false) => Outcome::Moved,
            (true, true) => Outcome::Unchanged,
        };
        (self.cursor, self.line) = (cursor, line);
        self.remember_line();
        Ok(outcome)
    }

    pub(super) fn go_to(&mut self, id: NodeId) -> Result<Outcome, SessionError> {
        let list = self
            .tree
            .get(id)
            .ok_or(SessionError::NoNode(id))?
            .interventions
            .clone();
        if let Some(i) = self.line.iter().position(|node| *node == id) {
            return self.advance_to(i + 1);
        }
        self.line = self.tree.path(id);
        self.cursor = self.line.len();
        self.follow_known(&list);
        self.interventions = list;
        self.remember_line();
        Ok(Outcome::Moved)
    }

    /// Lengthens the line by the steps that are known to follow its tip under `list`.
    fn follow_known(&mut self, list: &[Intervention]) {
        while let Some(tip) = self.line.last().and_then(|id| self.tree.get(*id)) {
            let active = active_at(list, self.line.len());
            let fits = |id: &NodeId| {
                self.tree
                    .get(*id)
                    .is_some_and(|node| node.step.interventions[..] == active)
            };
            let known = tip
                .preferred
                .into_iter()
                .chain(tip.children.iter().rev().copied());
            let Some(next) = known.into_iter().find(fits) else {
                return;
            };
            self.line.push(next);
        }
    }

    /// Notes along the line where it runs and under which interventions, for coming back to it.
    pub(super) fn remember_line(&mut self) {
        for (i, id) in self.line.iter().enumerate() {
            let next = self.line.get(i + 1).copied();
            if let Some(node) = self.tree.get_mut(*id) {
                node.interventions = self.interventions.clone();
                node.preferred = next.or(node.preferred);
            }
        }
    }

    /// Drops computations that no step refers to from the look-up.
    pub(super) fn forget_unused(&mut self) {
        self.cache.retain(|_, traces| {
            traces.retain(|trace| trace.strong_count() > 0);
            !traces.is_empty()
        });
    }

    /// The step that the policy takes after `path`.
    fn decide(
        &mut self,
        path: &[NodeId],
        list: &Arc<[Intervention]>,
    ) -> Result<NodeId, SessionError> {
        let parent = path.last().copied();
        let trace = self.trace_after(parent, list)?;
        let token = self
            .policy
            .choose(&trace.log_probabilities, &self.tree.tokens(path));
        Ok(self.take(parent, &trace, token, false, list))
    }

    /// The node that takes `chosen` from `trace` after `parent`; a new one where there is none.
    fn take(
        &mut self,
        parent: Option<NodeId>,
        trace: &Arc<StepTrace>,
        chosen: u32,
        forced: bool,
        list: &Arc<[Intervention]>,
    ) -> NodeId {
        if let Some(known) = self.tree.find(parent, trace, chosen, forced) {
            return known;
        }
        let before = parent
            .and_then(|id| self.tree.get(id))
            .map_or(0.0, |node| node.step.total_log_probability);
        self.tree.add(
            parent,
            DecodeStep::new(trace.clone(), chosen, forced, before),
            list.clone(),
        )
    }

    /// What the network computes after `parent` under `list`: looked up, or computed.
    fn trace_after(
        &mut self,
        parent: Option<NodeId>,
        list: &[Intervention],
    ) -> Result<Arc<StepTrace>, EmptySupport> {
        let before = parent
            .and_then(|id| self.tree.get(id))
            .map(|node| node.step.clone());
        let position = before.as_ref().map_or(0, |step| step.position + 1);
        let input = before.as_ref().map_or(START, |step| step.chosen);
        let active = active_at(list, position);
        let place = (before.as_ref().map(|step| step.key), input);
        let known = self
            .cache
            .get(&place)
            .into_iter()
            .flatten()
            .filter_map(std::sync::Weak::upgrade);
        if let Some(trace) = known
            .into_iter()
            .find(|trace| trace.interventions[..] == active)
        {
            return Ok(trace);
        }
        let start = before
            .as_ref()
            .map_or_else(|| self.start.clone(), |step| step.after.clone());
        let change = |_: usize, _: usize, scores: &[f32], weights: &mut [f32]| {
            intervene(&active, position, None, scores, weights)
        };
        let run = self.network.decode(
            &[input],
            start,
            &self.states,
            if active.is_empty() {
                None
            } else {
                Some(&change)
            },
        )?;
        self.computed += 1;
        // Most steps share their interventions with the step before.
        let shared = before
            .map(|step| step.interventions.clone())
            .filter(|before| before[..] == active);
        let interventions = shared.unwrap_or_else(|| Arc::from(active));
        let trace = Arc::new(StepTrace::new(&run, position, interventions, self.computed));
        self.cache
            .entry(place)
            .or_default()
            .push(Arc::downgrade(&trace));
        Ok(trace)
    }

    fn chosen(&self, id: NodeId) -> Option<u32> {
        self.tree.get(id).map(|node| node.step.chosen)
    }

    /// Marks the choice of a node as a person's; says whether it was not.
    fn pin(&mut self, id: NodeId) -> bool {
        let Some(node) = self.tree.get_mut(id).filter(|node| !node.step.forced) else {
            return false;
        };
        node.step = Arc::new(DecodeStep {
            forced: true,
            ..(*node.step).clone()
        });
        true
    }

    fn check_token(&self, token: u32) -> Result<(), SessionError> {
        let vocabulary = self.network.config().target_vocabulary;
        if token as usize >= vocabulary {
            Err(SessionError::Token { token, vocabulary })
        } else if !is_generated(token) {
            Err(SessionError::NotGenerated(token))
        } else {
            Ok(())
        }
    }
}
