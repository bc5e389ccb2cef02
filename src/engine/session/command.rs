//! What a person can ask of a session, as plain data; and what came of it.

use serde::{Deserialize, Serialize};

use crate::engine::branch::NodeId;
use crate::engine::intervention::{Intervention, InterventionError};
use crate::engine::policy::{DecodePolicy, PolicyError};
use crate::numeric::EmptySupport;

/// A request to a [`DecodeSession`](super::DecodeSession). Positions count steps from 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecodeCommand {
    /// One step forward: along the current line where it goes on, else a new token by the policy.
    Step,
    /// One step back; the line stays.
    StepBack,
    /// To the place where this many steps are taken; steps that the line does not have yet are decoded.
    MoveTo(usize),
    /// Back before the first step; the line stays.
    First,
    /// Forward to `</s>` or the step limit.
    RunToEnd,
    /// Back before the first step, and forget the current line: the policy decides anew. Its branch stays.
    Restart,
    /// Another token for the step under the cursor (the first one where no step was taken): a branch, unless it
    /// exists. The token that was chosen already is pinned, so that it stays when earlier steps change.
    ForceToken(u32),
    /// One step forward that takes this token.
    ForceNext(u32),
    /// A whole target from the first step on; `</s>` is added where it is missing. The cursor ends behind it.
    TeacherForce(Vec<u32>),
    /// Chooses from now on by another policy; what lies before the cursor stays, the line ends there.
    SetPolicy(DecodePolicy),
    /// Appends an intervention and decodes the current line again from the first step that it changes.
    AddIntervention(Intervention),
    /// As removing and adding in one place. The branch that it supersedes is dropped if it has no name, so that
    /// dragging a slider leaves one branch and not a hundred.
    ReplaceIntervention {
        /// Its place in the list.
        index: usize,
        /// The new one.
        intervention: Intervention,
    },
    /// Removes the intervention at this place of the list and decodes again.
    RemoveIntervention(usize),
    /// Turns an intervention on or off and decodes again.
    EnableIntervention {
        /// Its place in the list.
        index: usize,
        /// Whether it is to act.
        enabled: bool,
    },
    /// To this node; where the current line does not run through it, its line becomes current, with the
    /// interventions that it was decoded under.
    GoToNode(NodeId),
    /// Removes the steps from this node on, and those before it that led nowhere else.
    RemoveBranch(NodeId),
    /// Names the branches through this node; an empty name removes it.
    NameBranch {
        /// The node, usually a leaf.
        node: NodeId,
        /// The name.
        name: String,
    },
}

/// What came of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The cursor stands elsewhere, or the line changed to one that existed.
    Moved,
    /// New steps that part from the old line or from other branches were taken.
    Branched,
    /// Something else changed: a policy, a name, the list of interventions, a pinned token, the set of branches.
    Changed,
    /// All is as it was.
    Unchanged,
    /// Nothing was done: the cursor stands before the first step.
    AtStart,
    /// Nothing was done: the sentence ended with `</s>`.
    Ended,
    /// Nothing was done: the step limit is reached.
    StepLimit,
}

/// How it stands at the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// There can be more steps.
    Running,
    /// `</s>` was taken.
    Finished,
    /// The step limit was reached without `</s>`.
    StepLimit,
}

/// Why a session or a command was refused; then nothing changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SessionError {
    /// No source token.
    #[error("the source sentence is empty: type at least one word")]
    EmptySource,
    /// Too many source tokens.
    #[error(
        "the source has {len} tokens; at most {} can be shown",
        super::DecodeSession::LONGEST_SOURCE
    )]
    SourceTooLong {
        /// Source length `S`.
        len: usize,
    },
    /// A source id outside the vocabulary.
    #[error("source id {token} at position {position} is outside the vocabulary of {vocabulary}")]
    SourceToken {
        /// The id.
        token: u32,
        /// Its source position.
        position: usize,
        /// Size of the source vocabulary.
        vocabulary: usize,
    },
    /// A step limit of 0, or an absurd one.
    #[error(
        "step limit {found} must be from 1 to {}",
        super::DecodeSession::LARGEST_STEP_LIMIT
    )]
    StepLimit {
        /// The limit given.
        found: usize,
    },
    /// A target id outside the vocabulary.
    #[error("target id {token} is outside the vocabulary of {vocabulary}")]
    Token {
        /// The id.
        token: u32,
        /// Size of the target vocabulary `V`.
        vocabulary: usize,
    },
    /// `<pad>` or `<s>` as a target token.
    #[error("target id {0} is a mark that a decoder never produces")]
    NotGenerated(u32),
    /// A target that goes on after `</s>`.
    #[error("the target goes on after </s> at position {position}")]
    EndInside {
        /// Where `</s>` stands.
        position: usize,
    },
    /// A target longer than the step limit.
    #[error("the target needs {len} steps with its </s>; the step limit is {limit}")]
    TargetTooLong {
        /// Steps it needs.
        len: usize,
        /// The step limit.
        limit: usize,
    },
    /// A wrong policy.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A wrong intervention.
    #[error(transparent)]
    Intervention(#[from] InterventionError),
    /// A place beyond the list of interventions.
    #[error("there is no intervention number {index}: the list has {len} (counted from 0)")]
    NoIntervention {
        /// The place asked for.
        index: usize,
        /// Length of the list.
        len: usize,
    },
    /// A node that is not in the tree.
    #[error("branch {0} does not exist (any more)")]
    NoNode(NodeId),
    /// The branch to be removed is the current one.
    #[error("the current branch cannot be removed: go to another branch first")]
    CurrentBranch,
    /// Nothing to attend to while decoding. Lists of interventions are checked before, so this is not expected.
    #[error(transparent)]
    EmptySupport(#[from] EmptySupport),
}
