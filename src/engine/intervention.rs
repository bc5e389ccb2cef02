//! Interventions: a person's changes to the attention weights of a step, made before the context is.
//!
//! They act on a row in list order, each on what the ones before it left. A masked position stays at 0 whatever
//! follows, and the row sums to 1 after every one of them. As long as a row follows from the scores alone,
//! masks and temperatures go through the scores (`softmax(e / τ)` over the open positions), so that nothing is
//! lost to underflow; once weights were set, a mask renormalises and a temperature raises them to `1 / τ`, which
//! is the same function of a row that has no scores.

mod row;

use serde::{Deserialize, Serialize};

use row::Row;

use crate::numeric::EmptySupport;
use crate::storage::read_all;

/// How far the sum of a row set by hand may be from 1.
const SUM_TOLERANCE: f64 = 1e-4;

/// The sharpest and the flattest temperature that a person is offered.
pub const TEMPERATURES: [f32; 2] = [0.05, 20.0];

/// The decoder steps that an intervention changes; positions count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// One step.
    Step(usize),
    /// This step and all later ones.
    From(usize),
    /// Every step.
    All,
}

impl Scope {
    /// Whether the step at `position` is changed.
    pub const fn covers(self, position: usize) -> bool {
        match self {
            Self::Step(only) => position == only,
            Self::From(first) => position >= first,
            Self::All => true,
        }
    }
}

/// What an intervention does to a row of `S` weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterventionKind {
    /// Closes a source position: softmax over the remaining ones.
    MaskSource(usize),
    /// The whole row `[S]`: finite, not negative, summing to 1 within 1e-4 (what is left of that is divided out).
    SetWeights(#[serde(deserialize_with = "read_all")] Vec<f32>),
    /// One weight in `[0, 1]`; the others keep their proportions, or share evenly where they were all 0.
    /// Does nothing at a masked position.
    SetWeight {
        /// The source position.
        position: usize,
        /// Its weight.
        weight: f32,
    },
    /// `softmax(e / τ)`: below 1 sharper, above 1 flatter.
    Temperature(f32),
    /// The same weight for every open position.
    Uniform,
    /// All weight on the last source position.
    LastPosition,
    /// All weight on one source position.
    OneHot(usize),
    /// Closes all positions further than this from position `min(t, S − 1)` at step `t`: the window of local-m,
    /// which takes source and target to run in step (Luong, Pham and Manning 2015).
    Window(usize),
    /// Deals the weights of the open positions out anew among them; seed and step name the draw, so that every
    /// step has its own.
    Permute(u64),
}

/// One entry of a session's list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Intervention {
    /// Where it acts.
    pub scope: Scope,
    /// What it does.
    pub kind: InterventionKind,
    /// Whether it acts at all.
    pub enabled: bool,
}

/// Why an intervention was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InterventionError {
    /// The model has no attention weights.
    #[error("this model has no attention (bottleneck): there are no weights to change")]
    NoAttention,
    /// A source position that does not exist.
    #[error("source position {position} does not exist: the source has {len} (counted from 0)")]
    Position {
        /// The position asked for.
        position: usize,
        /// Source length `S`.
        len: usize,
    },
    /// A row of another length than the source.
    #[error("the row has {found} weights, the source has {expected} positions")]
    RowLength {
        /// Weights given.
        found: usize,
        /// Source length `S`.
        expected: usize,
    },
    /// A weight outside `[0, 1]`, or not a number.
    #[error("weight {weight} at source position {position} must be a number from 0 to 1")]
    Weight {
        /// The source position.
        position: usize,
        /// The weight given.
        weight: f32,
    },
    /// A row that does not sum to 1.
    #[error("the weights of a row must sum to 1 (within 0.0001); these sum to {sum}")]
    RowSum {
        /// Their sum.
        sum: f64,
    },
    /// A temperature that is not a positive number.
    #[error("temperature {0} must be a positive number")]
    Temperature(f32),
    /// A source of one token, which would lose it.
    #[error("the source has only one token: without it there is nothing to attend to")]
    OnlyToken,
    /// The list as a whole leaves no position that can take the weight.
    #[error(
        "together the interventions leave nothing to attend to at step {position} (counted from 0)"
    )]
    NothingLeft {
        /// The first decoder position where that happens.
        position: usize,
    },
}

impl Intervention {
    /// An enabled intervention.
    pub const fn new(scope: Scope, kind: InterventionKind) -> Self {
        Self {
            scope,
            kind,
            enabled: true,
        }
    }

    /// Checks the numbers against a source of `len` positions.
    ///
    /// # Errors
    /// What is wrong with it; never [`InterventionError::NothingLeft`], which only a whole list can be.
    pub fn check(&self, len: usize) -> Result<(), InterventionError> {
        let within = |position: usize| {
            if position < len {
                Ok(())
            } else {
                Err(InterventionError::Position { position, len })
            }
        };
        let weight = |position: usize, weight: f32| {
            // The sum is checked apart, so a row may exceed 1 by its tolerance here.
            let good = weight >= 0.0 && f64::from(weight) <= 1.0 + SUM_TOLERANCE;
            if good {
                Ok(())
            } else {
                Err(InterventionError::Weight { position, weight })
            }
        };
        match &self.kind {
            InterventionKind::MaskSource(position) | InterventionKind::OneHot(position) => {
                within(*position)
            }
            InterventionKind::SetWeights(row) => {
                if row.len() != len {
                    return Err(InterventionError::RowLength {
                        found: row.len(),
                        expected: len,
                    });
                }
                row.iter()
                    .enumerate()
                    .try_for_each(|(j, w)| weight(j, *w))?;
                let sum: f64 = row.iter().map(|w| f64::from(*w)).sum();
                if (sum - 1.0).abs() > SUM_TOLERANCE {
                    Err(InterventionError::RowSum { sum })
                } else {
                    Ok(())
                }
            }
            InterventionKind::SetWeight { position, weight } => {
                within(*position)?;
                let good = (0.0..=1.0).contains(weight);
                if good {
                    Ok(())
                } else {
                    Err(InterventionError::Weight {
                        position: *position,
                        weight: *weight,
                    })
                }
            }
            InterventionKind::Temperature(t) if !(t.is_finite() && *t > 0.0) => {
                Err(InterventionError::Temperature(*t))
            }
            InterventionKind::Temperature(_)
            | InterventionKind::Uniform
            | InterventionKind::LastPosition
            | InterventionKind::Window(_)
            | InterventionKind::Permute(_) => Ok(()),
        }
    }
}

/// The kinds that act on the step at `position`, in list order.
pub fn active_at(list: &[Intervention], position: usize) -> Vec<InterventionKind> {
    let acts = |i: &&Intervention| i.enabled && i.scope.covers(position);
    list.iter().filter(acts).map(|i| i.kind.clone()).collect()
}

/// Checks a whole list against a source of `len` positions, disabled entries included; `attends` says whether
/// the model has attention.
///
/// # Errors
/// The first entry that is wrong, or [`InterventionError::NothingLeft`] if at some step, decoded yet or not, no
/// position can take the weight; with a single position [`InterventionError::OnlyToken`].
pub fn check_interventions(
    list: &[Intervention],
    len: usize,
    attends: bool,
) -> Result<(), InterventionError> {
    if !list.is_empty() && !attends {
        return Err(InterventionError::NoAttention);
    }
    list.iter().try_for_each(|i| i.check(len))?;
    // What is left depends on the step only through the scopes, which change at few positions, and through
    // windows, which rest at the end of the source.
    let mut positions = vec![0];
    for intervention in list {
        if matches!(intervention.kind, InterventionKind::Window(_)) {
            positions.extend(0..len);
        }
        match intervention.scope {
            Scope::Step(only) => positions.extend([only, only.saturating_add(1)]),
            Scope::From(first) => positions.push(first),
            Scope::All => {}
        }
    }
    positions.sort_unstable();
    positions.dedup();
    for position in positions {
        let (scores, mut weights) = (vec![0.0; len], vec![1.0 / len as f32; len]);
        let active = active_at(list, position);
        intervene(&active, position, None, &scores, &mut weights).map_err(
            |EmptySupport { .. }| match len {
                1 => InterventionError::OnlyToken,
                _ => InterventionError::NothingLeft { position },
            },
        )?;
    }
    Ok(())
}

/// Changes the row of `S` weights of the step at `position` by `kinds`, one after the other. `weights` holds the
/// model's on entry, `scores` are those they came from, and `mask` closed the positions where it is `false`.
///
/// A row or a weight that is set to the value it has stays as it is, to the bit.
///
/// # Errors
/// [`EmptySupport`] if no open position can take the weight.
///
/// # Panics
/// If a kind does not pass [`Intervention::check`] for this length.
pub fn intervene(
    kinds: &[InterventionKind],
    position: usize,
    mask: Option<&[bool]>,
    scores: &[f32],
    weights: &mut [f32],
) -> Result<(), EmptySupport> {
    let open = mask.map_or_else(|| vec![true; scores.len()], <[bool]>::to_vec);
    let mut row = Row {
        scores: Some(scores.to_vec()),
        open,
        weights,
        step: position,
    };
    kinds.iter().try_for_each(|kind| row.apply(kind))
}

#[cfg(test)]
mod tests;
