//! A session under conditions, before its first step.

use std::sync::Arc;

use super::model_set::LoadedModel;
use crate::engine::{DecodeCommand, DecodeSession, SessionError, step_limit};
use crate::project::RunConditions;

/// A session whose tree is larger than this is made anew rather than reused: every change of a policy or an
/// intervention leaves its branches behind.
const LARGEST_TREE: usize = 20_000;

/// A session, and what it was opened with.
#[derive(Debug)]
pub(super) struct Opened {
    /// The session before its first step; `None` without a sentence or for one that the model cannot read.
    pub(super) session: Option<DecodeSession>,
    /// The source tokens.
    pub(super) source: Arc<[String]>,
    /// What of the conditions does not fit.
    pub(super) problems: Vec<String>,
}

/// Opens a session under conditions, out of `old` where that fits.
pub(super) fn open(
    old: Option<DecodeSession>,
    model: &LoadedModel,
    conditions: &RunConditions,
) -> Opened {
    let tokens = model.source_tokeniser.tokenise(&conditions.source);
    let ids = model.source_vocabulary.encode(&tokens);
    let target = conditions.target.as_deref().unwrap_or_default();
    let target = model.target_tokeniser.tokenise(target);
    let target = model.target_vocabulary.encode(&target);
    let limit = step_limit(ids.len())
        .max(target.len() + 1)
        .min(DecodeSession::LARGEST_STEP_LIMIT);
    let mut problems = Vec::new();
    let mut session = None;
    if !tokens.is_empty() {
        match prepare(old, model, ids, limit) {
            Ok(prepared) => session = Some(prepared),
            Err(error) => problems.push(error.to_string()),
        }
    }
    if let Some(session) = &mut session {
        set_up(session, model, conditions, target, &mut problems);
    }
    Opened {
        session,
        source: tokens.into(),
        problems,
    }
}

fn set_up(
    session: &mut DecodeSession,
    model: &LoadedModel,
    conditions: &RunConditions,
    target: Vec<u32>,
    problems: &mut Vec<String>,
) {
    let changes = conditions.interventions.iter().cloned();
    let mut commands: Vec<DecodeCommand> = changes.map(DecodeCommand::AddIntervention).collect();
    commands.push(DecodeCommand::SetPolicy(conditions.policy));
    if !target.is_empty() {
        commands.extend([DecodeCommand::TeacherForce(target), DecodeCommand::First]);
    }
    for choice in &conditions.choices {
        let Some(token) = model.target_vocabulary.id(&choice.token) else {
            problems.push(format!("\"{}\" is no word of this model", choice.token));
            continue;
        };
        commands.extend([
            DecodeCommand::MoveTo(choice.position),
            DecodeCommand::ForceNext(token),
        ]);
    }
    commands.push(DecodeCommand::First);
    for command in commands {
        if let Err(error) = session.apply(command) {
            problems.push(error.to_string());
        }
    }
}

/// A session before its first step, without interventions: the old one where it fits, which still knows all that
/// it computed.
fn prepare(
    old: Option<DecodeSession>,
    model: &LoadedModel,
    ids: Vec<u32>,
    limit: usize,
) -> Result<DecodeSession, SessionError> {
    let fits = |session: &DecodeSession| {
        session.source() == ids
            && session.step_limit() == limit
            && session.tree().len() < LARGEST_TREE
    };
    if let Some(mut session) = old.filter(fits) {
        let mut commands = vec![DecodeCommand::Restart];
        commands.resize(
            1 + session.interventions().len(),
            DecodeCommand::RemoveIntervention(0),
        );
        if commands
            .into_iter()
            .all(|command| session.apply(command).is_ok())
        {
            return Ok(session);
        }
    }
    DecodeSession::new(model.network.clone(), ids, limit)
}
