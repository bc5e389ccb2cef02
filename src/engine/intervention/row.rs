//! One row of weights while interventions act on it.

use rand::seq::SliceRandom as _;

use super::InterventionKind;
use crate::numeric::{EmptySupport, softmax_masked, stream};

/// Names the random streams of permutations among the others of a seed.
const PERMUTING: u64 = 0x9e12;

/// A row while interventions act on it.
pub(super) struct Row<'a> {
    /// The scores that the weights are the softmax of; `None` once weights were set.
    pub(super) scores: Option<Vec<f32>>,
    /// `false` for masked positions.
    pub(super) open: Vec<bool>,
    /// The weights, as the kinds so far left them.
    pub(super) weights: &'a mut [f32],
    /// The step, from 0.
    pub(super) step: usize,
}

impl Row<'_> {
    pub(super) fn apply(&mut self, kind: &InterventionKind) -> Result<(), EmptySupport> {
        match kind {
            InterventionKind::MaskSource(position) => {
                self.open[*position] = false;
                self.follow()
            }
            InterventionKind::Temperature(temperature) => {
                self.heat(*temperature);
                self.follow()
            }
            InterventionKind::SetWeights(row) if row[..] == *self.weights => Ok(()),
            InterventionKind::SetWeights(row) => {
                self.weights.copy_from_slice(row);
                self.scores = None;
                self.follow()
            }
            InterventionKind::Uniform => {
                self.weights.fill(1.0);
                self.scores = None;
                self.follow()
            }
            InterventionKind::LastPosition => self.one_hot(self.open.len() - 1),
            InterventionKind::OneHot(position) => self.one_hot(*position),
            InterventionKind::SetWeight { position, weight } => self.set(*position, *weight),
            InterventionKind::Window(width) => {
                let centre = self.step.min(self.open.len() - 1);
                for (j, open) in self.open.iter_mut().enumerate() {
                    *open &= j.abs_diff(centre) <= *width;
                }
                self.follow()
            }
            InterventionKind::Permute(seed) => {
                self.permute(*seed);
                Ok(())
            }
        }
    }

    /// Makes the weights follow from the scores, or sum to 1, over the open positions.
    fn follow(&mut self) -> Result<(), EmptySupport> {
        if let Some(scores) = &self.scores {
            self.weights.copy_from_slice(scores);
            return softmax_masked(self.weights, &self.open);
        }
        for (w, open) in self.weights.iter_mut().zip(&self.open) {
            *w = if *open { *w } else { 0.0 };
        }
        let sum: f64 = self.weights.iter().map(|w| f64::from(*w)).sum();
        if sum == 0.0 {
            return Err(EmptySupport {
                positions: self.open.len(),
            });
        }
        // A row that sums to 1 as well as numbers of this size can is not touched again.
        if (sum - 1.0).abs() > self.open.len() as f64 * f64::from(f32::EPSILON) {
            for w in self.weights.iter_mut() {
                *w = (f64::from(*w) / sum) as f32;
            }
        }
        Ok(())
    }

    fn heat(&mut self, temperature: f32) {
        if let Some(scores) = &mut self.scores {
            let open = scores.iter().zip(&self.open).filter(|(_, open)| **open);
            let max = open.map(|(e, _)| *e).fold(f32::NEG_INFINITY, f32::max);
            for e in scores.iter_mut() {
                *e = (*e - max) / temperature;
                // So far below the largest the weight is 0 in any case; an infinity would become not-a-number.
                if *e < -1e4 {
                    *e = -1e4;
                }
            }
        } else {
            let max = self.weights.iter().copied().fold(0.0, f32::max);
            for w in self.weights.iter_mut() {
                *w = f64::from(*w / max).powf(1.0 / f64::from(temperature)) as f32;
            }
        }
    }

    /// Scores move along with their weights, so that what follows can still go through them.
    fn permute(&mut self, seed: u64) {
        let places: Vec<usize> = (0..self.open.len()).filter(|j| self.open[*j]).collect();
        let mut dealt = places.clone();
        dealt.shuffle(&mut stream(&[seed, PERMUTING, self.step as u64]));
        let deal = |row: &mut [f32]| {
            let taken: Vec<f32> = dealt.iter().map(|j| row[*j]).collect();
            for (j, value) in places.iter().zip(taken) {
                row[*j] = value;
            }
        };
        deal(self.weights);
        if let Some(scores) = &mut self.scores {
            deal(scores);
        }
    }

    fn one_hot(&mut self, position: usize) -> Result<(), EmptySupport> {
        self.weights.fill(0.0);
        self.weights[position] = 1.0;
        self.scores = None;
        self.follow()
    }

    /// Sets one weight; the other open positions share what it leaves.
    fn set(&mut self, position: usize, weight: f32) -> Result<(), EmptySupport> {
        if !self.open[position] || self.weights[position] == weight {
            return Ok(());
        }
        self.scores = None;
        let others = self.open.iter().filter(|open| **open).count() - 1;
        let left = 1.0 - f64::from(weight);
        if others == 0 && left > 0.0 {
            return Err(EmptySupport {
                positions: self.open.len(),
            });
        }
        let is_other = |j: usize| j != position;
        let rest: f64 = (0..self.open.len())
            .filter(|j| is_other(*j))
            .map(|j| f64::from(self.weights[j]))
            .sum();
        for (j, w) in self
            .weights
            .iter_mut()
            .enumerate()
            .filter(|(j, _)| is_other(*j))
        {
            *w = match (self.open[j], rest == 0.0) {
                (false, _) => 0.0,
                (true, true) => (left / others as f64) as f32,
                (true, false) => (f64::from(*w) / rest * left) as f32,
            };
        }
        self.weights[position] = weight;
        Ok(())
    }
}
