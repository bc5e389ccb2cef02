//! Adam with gradient-norm clipping.
//!
//! ```text
//! g ← g · min(1, c / (‖g‖ + 1e−6))                         Pascanu, Mikolov and Bengio 2013
//! m ← β₁ m + (1 − β₁) g     v ← β₂ v + (1 − β₂) g²          Kingma and Ba 2015
//! p ← p − η (m / (1 − β₁ᵗ)) / (√(v / (1 − β₂ᵗ)) + 1e−8)
//! ```

use crate::engine::{Seq2Seq, Task};
use crate::numeric::{sum_of_squares, wide};

use super::pool::run_tasks;

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Numbers a piece of work; pieces are the same for every number of threads, so that sums are too.
const PIECE: usize = 1 << 16;

/// The moments of every parameter, in the order of [`Seq2Seq::parameters`].
#[derive(Debug, Clone, PartialEq)]
pub struct Adam {
    /// Updates made.
    pub updates: u64,
    /// First moments.
    pub first: Vec<Vec<f32>>,
    /// Second moments.
    pub second: Vec<Vec<f32>>,
}

impl Adam {
    /// Zero moments for `network`.
    pub fn new(network: &Seq2Seq) -> Self {
        let zeros: Vec<Vec<f32>> = network
            .parameters()
            .iter()
            .map(|p| vec![0.0; p.values.len()])
            .collect();
        Self {
            updates: 0,
            first: zeros.clone(),
            second: zeros,
        }
    }

    /// One update of `network` with `gradient`, which is zero afterwards. Returns the gradient's norm before
    /// clipping to `clip`; a norm that is not finite leaves the network as it was.
    pub fn update(
        &mut self,
        network: &mut Seq2Seq,
        gradient: &mut Seq2Seq,
        rate: f32,
        clip: f32,
        threads: usize,
    ) -> f64 {
        let norm = gradient_norm(gradient, threads);
        if !norm.is_finite() {
            return norm;
        }
        self.updates += 1;
        let t = self.updates.min(1 << 30) as i32;
        let constants = Constants {
            factor: (f64::from(clip) / (norm + 1e-6)).min(1.0) as f32,
            rate: (f64::from(rate) / (1.0 - f64::from(BETA_1).powi(t))) as f32,
            correction: (1.0 / (1.0 - f64::from(BETA_2).powi(t)).sqrt()) as f32,
        };
        let parameters = network
            .parameters_mut()
            .into_iter()
            .zip(gradient.parameters_mut());
        let moments = self.first.iter_mut().zip(&mut self.second);
        let mut tasks: Vec<Task> = Vec::new();
        for ((p, g), (m, v)) in parameters.zip(moments) {
            let pieces = p.values.chunks_mut(PIECE).zip(g.values.chunks_mut(PIECE));
            for ((p, g), (m, v)) in pieces.zip(m.chunks_mut(PIECE).zip(v.chunks_mut(PIECE))) {
                tasks.push(Box::new(move || constants.apply(p, g, m, v)));
            }
        }
        run_tasks(tasks, threads);
        norm
    }
}

#[derive(Clone, Copy)]
struct Constants {
    factor: f32,
    rate: f32,
    correction: f32,
}

impl Constants {
    fn apply(self, p: &mut [f32], g: &mut [f32], m: &mut [f32], v: &mut [f32]) {
        wide(|| {
            for (((p, g), m), v) in p.iter_mut().zip(g).zip(m).zip(v) {
                let d = *g * self.factor;
                *g = 0.0;
                *m = BETA_1 * *m + (1.0 - BETA_1) * d;
                *v = BETA_2 * *v + (1.0 - BETA_2) * d * d;
                *p -= self.rate * *m / (v.sqrt() * self.correction + EPSILON);
            }
        });
    }
}

/// The Euclidean norm of the whole gradient.
fn gradient_norm(gradient: &Seq2Seq, threads: usize) -> f64 {
    let parameters = gradient.parameters();
    let pieces: Vec<&[f32]> = parameters
        .iter()
        .flat_map(|p| p.values.chunks(PIECE))
        .collect();
    let mut sums = vec![0.0_f64; pieces.len()];
    let tasks = sums
        .iter_mut()
        .zip(&pieces)
        .map(|(sum, piece)| Box::new(move || *sum = sum_of_squares(piece)) as Task);
    run_tasks(tasks.collect(), threads);
    sums.iter().sum::<f64>().sqrt()
}
