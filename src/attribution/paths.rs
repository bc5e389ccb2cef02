//! How far the gradient gets: the short path through attention against the long one through the states.
//!
//! For an output word `y_t`, teacher-forced, the norms of the whole derivatives of `ln p(y_t)` with respect to the
//! embedding of each source word and to each direction's encoder state there. Whole means through every path, also
//! through the later states of the same direction; an LSTM's memory is a variable of its own.
//!
//! The distance of a state is the number of recurrent steps to the end of its direction, where the bottleneck
//! reads it: `S − 1 − j` forward and `j` backward; that of an embedding is the shorter of both. With attention
//! the decoder reads every state itself.

use std::collections::BTreeMap;

use ndarray::{Array2, s};
use serde::Serialize;

use super::forced::{AttributionError, Forced};
use super::gradient::output;
use super::watch::Watch;
use crate::engine::ForcedOutput;
use crate::numeric::sum_of_squares;

/// Norms of derivatives, `[T, S]` each.
#[derive(Debug, Clone, PartialEq)]
pub struct GradientPaths {
    /// With respect to the source embeddings.
    pub embedding: Array2<f32>,
    /// With respect to the states of the first-to-last direction.
    pub forward: Array2<f32>,
    /// With respect to the states of the last-to-first direction.
    pub backward: Array2<f32>,
}

impl GradientPaths {
    /// What these numbers show and what they do not, with the papers.
    pub const NOTE: &'static str = "Shows how strongly the word's log-probability answers to a small change of each source word: without \
         attention it has to come through every state in between (vanishing gradients: Bengio, Simard and Frasconi, \
         Learning Long-Term Dependencies with Gradient Descent Is Difficult, IEEE Transactions on Neural Networks \
         1994; attention as the way around: Bahdanau, Cho and Bengio, ICLR 2015). Does not show what the model \
         could have learned: a trained gate lets pass what the task needs, and a model that is sure has small \
         gradients everywhere.";

    /// Measures a whole forced output.
    ///
    /// # Errors
    /// Only [`AttributionError::Cancelled`].
    pub fn new(forced: &Forced, watch: Watch) -> Result<Self, AttributionError> {
        let (steps, length) = (forced.output().len(), forced.source().len());
        let half = forced.trace().states.values.ncols() / 2;
        let rows = watch.spread(forced.usual_batches(steps), |part| {
            let outputs: Vec<ForcedOutput> = part.clone().map(|t| output(forced, 0, t)).collect();
            let gradients = forced.network().input_gradients(forced.trace(), &outputs);
            let count = outputs.len();
            let norm = |row: ndarray::ArrayView1<f32>| sum_of_squares(&row.to_vec()).sqrt() as f32;
            let mut norms = Vec::with_capacity(count * length);
            for i in 0..count {
                for j in 0..length {
                    let states = gradients.d_states_whole.row(j * count + i);
                    norms.push([
                        norm(gradients.d_embedded.row(j * count + i)),
                        norm(states.slice(s![..half])),
                        norm(states.slice(s![half..])),
                    ]);
                }
            }
            Ok(norms)
        })?;
        let rows = rows.concat();
        let part =
            |k: usize| Array2::from_shape_fn((steps, length), |(t, j)| rows[t * length + j][k]);
        Ok(Self {
            embedding: part(0),
            forward: part(1),
            backward: part(2),
        })
    }
}

/// Sums of norms at one distance or length.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Sums {
    norms: f64,
    relative: f64,
    count: usize,
}

impl Sums {
    /// Adds a norm beside the largest of its row.
    fn add(&mut self, norm: f32, largest: f32) {
        self.norms += f64::from(norm);
        self.relative += f64::from(norm) / f64::from(largest);
        self.count += 1;
    }

    fn mean(&self) -> Option<[f64; 2]> {
        let count = self.count as f64;
        (self.count > 0).then(|| [self.norms / count, self.relative / count])
    }
}

/// Means of norms over a corpus; each pair is the mean norm and the mean share of the largest norm of its row,
/// which does not depend on how sure the model is. `None` where nothing was summed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PathMeans {
    /// Of the embeddings.
    pub embedding: Option<[f64; 2]>,
    /// Of the states of the first-to-last direction.
    pub forward: Option<[f64; 2]>,
    /// Of the states of the last-to-first direction.
    pub backward: Option<[f64; 2]>,
}

/// Norms of many sentences, by distance and by source length.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PathSums {
    distances: BTreeMap<usize, [Sums; 3]>,
    near: BTreeMap<usize, [Sums; 3]>,
    far: BTreeMap<usize, [Sums; 3]>,
}

impl PathSums {
    /// Adds a sentence. Rows without a finite positive norm say nothing, and are left out.
    pub fn add(&mut self, paths: &GradientPaths) {
        let length = paths.embedding.ncols();
        let parts = [&paths.embedding, &paths.forward, &paths.backward];
        for (k, norms) in parts.into_iter().enumerate() {
            for row in norms.rows() {
                let largest = row.iter().copied().fold(0.0, f32::max);
                if !(row.iter().all(|norm| norm.is_finite()) && largest > 0.0) {
                    continue;
                }
                for (j, &norm) in row.iter().enumerate() {
                    let distance = match k {
                        0 => j.min(length - 1 - j),
                        1 => length - 1 - j,
                        _ => j,
                    };
                    self.distances.entry(distance).or_default()[k].add(norm, largest);
                    if distance == 0 {
                        self.near.entry(length).or_default()[k].add(norm, largest);
                    }
                    // What the bottleneck has to carry through the whole sentence.
                    let far = if k == 0 { (length - 1) / 2 } else { length - 1 };
                    if distance == far {
                        self.far.entry(length).or_default()[k].add(norm, largest);
                    }
                }
            }
        }
    }

    /// Means at each distance that occurs.
    pub fn by_distance(&self) -> Vec<(usize, PathMeans)> {
        means(&self.distances)
    }

    /// Means at distance 0, for each source length that occurs.
    pub fn near_by_length(&self) -> Vec<(usize, PathMeans)> {
        means(&self.near)
    }

    /// Means at the largest distance of the sentence, for each source length that occurs.
    pub fn far_by_length(&self) -> Vec<(usize, PathMeans)> {
        means(&self.far)
    }
}

fn means(sums: &BTreeMap<usize, [Sums; 3]>) -> Vec<(usize, PathMeans)> {
    let mean = |(&key, sums): (&usize, &[Sums; 3])| {
        let [embedding, forward, backward] = sums.map(|sum| sum.mean());
        let means = PathMeans {
            embedding,
            forward,
            backward,
        };
        (key, means)
    };
    sums.iter().map(mean).collect()
}
