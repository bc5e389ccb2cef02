//! What an edit of attention or of the sentence changes, step by step on one output.

use serde::Serialize;

use super::forced::{AttributionError, Forced, check_source};
use crate::engine::{Intervention, active_at, check_interventions, intervene};
use crate::numeric::log_softmax;

/// What an edit changes at one step, the same previous words given.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StepChange {
    /// `KL(p ‖ q)` of the next-token distribution before and after the edit, in nats (Kullback and Leibler 1951).
    pub divergence: f64,
    /// `ln p` of the output's word before the edit, in nats.
    pub before: f64,
    /// `ln p` of the same word after it.
    pub after: f64,
    /// The most probable token after the edit, neither padding nor the start mark.
    pub best: u32,
}

/// Forces the output of `forced` again, from `source` `[S']` and under `edits`: what each step's distribution
/// makes of that. Both runs are given the same previous words, so that they can be compared at every step.
///
/// # Errors
/// A source that cannot be read, or edits that do not fit it.
pub fn changes(
    forced: &Forced,
    source: &[u32],
    edits: &[Intervention],
) -> Result<Vec<StepChange>, AttributionError> {
    let network = forced.network();
    check_source(network, source)?;
    let attends = network.config().score.attends();
    check_interventions(edits, source.len(), attends)?;
    let other;
    let states = if source == forced.source() {
        &forced.trace().states
    } else {
        other = network.encode(source, 1);
        &other
    };
    let edit = |t: usize, _: usize, scores: &[f32], weights: &mut [f32]| {
        intervene(&active_at(edits, t), t, None, scores, weights)
    };
    let inputs = forced.inputs(forced.output().len(), 1);
    let run = network.decode(&inputs, network.start(states), states, Some(&edit))?;
    let change = |(t, token): (usize, &u32)| {
        let logarithms = |logits: &[f32]| {
            let mut row = logits.to_vec();
            log_softmax(&mut row);
            row
        };
        let before = logarithms(forced.trace().decoder.logits(t));
        let after = logarithms(run.logits(t));
        StepChange {
            divergence: divergence(&before, &after),
            before: f64::from(before[*token as usize]),
            after: f64::from(after[*token as usize]),
            best: crate::engine::best_word(run.logits(t)),
        }
    };
    Ok(forced.output().iter().enumerate().map(change).collect())
}

/// `Σ p (ln p − ln q)` from logarithms, which do not underflow where `q` would.
fn divergence(before: &[f32], after: &[f32]) -> f64 {
    let term = |(p, q): (&f32, &f32)| {
        let (p, q) = (f64::from(*p), f64::from(*q));
        p.exp() * (p - q)
    };
    let sum: f64 = before.iter().zip(after).map(term).sum();
    // Rounding may leave it a little below 0; what is not a number stays so.
    if sum < 0.0 { 0.0 } else { sum }
}

/// Of each word of two outputs, whether a longest common subsequence of both leaves it out.
pub fn differing<T: PartialEq>(first: &[T], second: &[T]) -> [Vec<bool>; 2] {
    // `common[i][j]` is the length for what follows `i` and `j`; outputs have at most 4096 words.
    let mut common = vec![vec![0_u16; second.len() + 1]; first.len() + 1];
    for i in (0..first.len()).rev() {
        for j in (0..second.len()).rev() {
            common[i][j] = if first[i] == second[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let mut marks = [vec![true; first.len()], vec![true; second.len()]];
    let (mut i, mut j) = (0, 0);
    while i < first.len() && j < second.len() {
        if first[i] == second[j] {
            (marks[0][i], marks[1][j]) = (false, false);
            (i, j) = (i + 1, j + 1);
        } else if common[i + 1][j] >= common[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_changed_are_marked() {
        let marks = differing(&[5, 6, 7, 8, 2], &[5, 7, 9, 8, 2]);
        assert_eq!(marks[0], [false, true, false, false, false]);
        assert_eq!(marks[1], [false, false, true, false, false]);
        assert_eq!(differing::<u32>(&[], &[4]), [vec![], vec![true]]);
        assert_eq!(
            differing(&[4, 4], &[4, 4]),
            [vec![false; 2], vec![false; 2]]
        );
    }
}
