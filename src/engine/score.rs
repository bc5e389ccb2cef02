//! The scores: how well a key fits a query.
//!
//! ```text
//! additive    e_j = v_a · z_j,  z_j = tanh(W_a q + U_a k_j)      Bahdanau, Cho and Bengio 2015
//!             dz_j = de_j v_a ⊙ (1 − z_j²),  d(W_a q) = Σ_j dz_j,  d(U_a k_j) = dz_j,  dv_a = Σ_j de_j z_j
//! dot         e_j = q · k_j            dq = Σ_j de_j k_j,  dk_j = de_j q        Luong et al. 2015
//! general     e_j = q · (W_a k_j)      as dot with the projected key            Luong et al. 2015
//! scaled dot  e_j = q · k_j / √K       as dot with de_j / √K                    Vaswani et al. 2017
//! bottleneck  no scores: c = [h→_S ; h←_1] at every step
//! ```
//! | here     | shape              | meaning                                            |
//! |----------|--------------------|----------------------------------------------------|
//! | `query`  | `[D]`              | `s_{t−1}` (Bahdanau wiring) or `s_t` (Luong wiring) |
//! | `keys`   | `[S, A]`, `[S, D]` | projected once a sentence; the encoder states else |
//! | `scores` | `[S]`              | before softmax, any real numbers                   |

use ndarray::{Array1, Array2, ArrayView2};

use super::config::{ModelConfig, ScoreKind};
use super::parameters::{Parameter, Parameters, join};
use crate::numeric::{
    Stream, fill_uniform, glorot_bound, product, product_nt_acc, product_tn_acc, row_dots,
    tanh_dots, tanh_in_place, vec_mat_acc, wide,
};

/// A score with its parameters; also the type of their gradient. Attention matrices have no bias.
#[derive(Debug, Clone, PartialEq)]
pub enum Score {
    /// `v_a · tanh(W_a q + U_a k)`.
    Additive {
        /// Query projection `[D, A]`.
        w_a: Array2<f32>,
        /// Key projection `[K, A]`.
        u_a: Array2<f32>,
        /// `[A]`.
        v_a: Array1<f32>,
    },
    /// `q · k`.
    Dot,
    /// `q · W_a k`.
    General {
        /// Key projection `[K, D]`.
        w_a: Array2<f32>,
    },
    /// `q · k / √K`.
    ScaledDot,
    /// No attention.
    Bottleneck,
}

/// Rows of one sentence within a position-major matrix `[S · B, width]`.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// From the sentence's first row on.
    pub values: &'a [f32],
    /// Distance between two positions, `B · width`.
    pub stride: usize,
    /// Source length `S`.
    pub len: usize,
    /// Numbers a row.
    pub width: usize,
}

/// Where [`Score::scores_backward`] adds the gradients of one sentence.
#[derive(Debug)]
pub struct ScoreGradients<'a> {
    /// Of the projected query.
    pub d_query: &'a mut [f32],
    /// Of the projected keys: rows as in [`Rows`].
    pub d_keys: &'a mut [f32],
    /// Of `v_a` `[A]`; only the additive score writes to it.
    pub d_v: &'a mut [f32],
}

impl<'a> Rows<'a> {
    /// The rows of sentence `b` of `batch` in `matrix` `[S · B, width]`.
    pub fn of(matrix: &'a Array2<f32>, b: usize, batch: usize) -> Self {
        let width = matrix.ncols();
        let values = &matrix.as_slice().expect("contiguous")[b * width..];
        Self {
            values,
            stride: batch * width,
            len: matrix.nrows() / batch,
            width,
        }
    }

    /// The row of position `j`.
    pub fn row(&self, j: usize) -> &'a [f32] {
        &self.values[j * self.stride..][..self.width]
    }
}

impl Score {
    /// All zeros.
    pub fn zeros(config: &ModelConfig) -> Self {
        let (d, k, a) = (config.decoder, config.keys(), config.attention);
        match config.score {
            ScoreKind::Additive => Self::Additive {
                w_a: Array2::zeros((d, a)),
                u_a: Array2::zeros((k, a)),
                v_a: Array1::zeros(a),
            },
            ScoreKind::Dot => Self::Dot,
            ScoreKind::General => Self::General {
                w_a: Array2::zeros((k, d)),
            },
            ScoreKind::ScaledDot => Self::ScaledDot,
            ScoreKind::Bottleneck => Self::Bottleneck,
        }
    }

    /// Which score this is.
    pub const fn kind(&self) -> ScoreKind {
        match self {
            Self::Additive { .. } => ScoreKind::Additive,
            Self::Dot => ScoreKind::Dot,
            Self::General { .. } => ScoreKind::General,
            Self::ScaledDot => ScoreKind::ScaledDot,
            Self::Bottleneck => ScoreKind::Bottleneck,
        }
    }

    /// Glorot uniform.
    pub fn initialise(&mut self, rng: &mut Stream) {
        let mut all = Vec::new();
        self.visit_mut("", &mut all);
        for Parameter { shape, values, .. } in all {
            fill_uniform(
                values,
                glorot_bound(shape[0], shape.get(1).copied().unwrap_or(1)),
                rng,
            );
        }
    }

    /// The keys projected once a sentence: `U_a k` or `W_a k`, `[S · B, A or D]`; `None` where the keys are
    /// used as they are.
    pub fn project_keys(&self, keys: ArrayView2<f32>) -> Option<Array2<f32>> {
        match self {
            Self::Additive { u_a, .. } => Some(product(keys, u_a.view())),
            Self::General { w_a } => Some(product(keys, w_a.view())),
            Self::Dot | Self::ScaledDot | Self::Bottleneck => None,
        }
    }

    /// The query's projection `[D, A]`; `None` where it is used as it is.
    pub(super) const fn query_projection(&self) -> Option<&Array2<f32>> {
        match self {
            Self::Additive { w_a, .. } => Some(w_a),
            _ => None,
        }
    }

    /// The query as the keys are compared with it: `W_a q` `[B, A]`; `None` where it is used as it is.
    pub fn project_query(&self, queries: ArrayView2<f32>) -> Option<Array2<f32>> {
        self.query_projection()
            .map(|w_a| product(queries, w_a.view()))
    }

    /// The scores of one sentence into `out` `[S]`; query and keys are the projected ones.
    pub fn scores(&self, query: &[f32], keys: Rows, key_size: usize, out: &mut [f32]) {
        match self {
            Self::Additive { v_a, .. } => {
                let v = v_a.as_slice().expect("contiguous");
                tanh_dots(keys.values, keys.stride, query, v, out);
            }
            Self::Dot | Self::General { .. } => row_dots(keys.values, keys.stride, query, out),
            Self::ScaledDot => {
                row_dots(keys.values, keys.stride, query, out);
                let scale = (key_size as f32).sqrt();
                out.iter_mut().for_each(|e| *e /= scale);
            }
            Self::Bottleneck => {}
        }
    }

    /// Backward of [`scores`](Self::scores) for one sentence.
    pub fn scores_backward(
        &self,
        d_scores: &[f32],
        query: &[f32],
        keys: Rows,
        key_size: usize,
        into: ScoreGradients,
    ) {
        let ScoreGradients {
            d_query,
            d_keys,
            d_v,
        } = into;
        match self {
            Self::Additive { v_a, .. } => {
                let z = hidden_layer(query, keys);
                let v = v_a.as_slice().expect("contiguous");
                vec_mat_acc(d_scores, &z, keys.width, d_v);
                for (j, &de) in d_scores.iter().enumerate() {
                    let d_key = &mut d_keys[j * keys.stride..][..keys.width];
                    let z = &z[j * keys.width..][..keys.width];
                    wide(|| {
                        for (((dk, dq), z), v) in
                            d_key.iter_mut().zip(d_query.iter_mut()).zip(z).zip(v)
                        {
                            let dz = de * v * (1.0 - z * z);
                            *dk += dz;
                            *dq += dz;
                        }
                    });
                }
            }
            Self::Dot | Self::General { .. } => {
                dot_backward(d_scores, query, keys, d_query, d_keys)
            }
            Self::ScaledDot => {
                let scale = (key_size as f32).sqrt();
                let scaled: Vec<f32> = d_scores.iter().map(|d| d / scale).collect();
                dot_backward(&scaled, query, keys, d_query, d_keys);
            }
            Self::Bottleneck => {}
        }
    }

    /// Adds the gradient of the keys before projection, `d_keys` `[S · B, A or D]` being that after it.
    pub fn project_keys_backward(&self, d_keys: ArrayView2<f32>, d_states: &mut Array2<f32>) {
        match self {
            Self::Additive { u_a: w, .. } | Self::General { w_a: w } => {
                product_nt_acc(d_keys, w.view(), &mut d_states.view_mut());
            }
            Self::Dot | Self::ScaledDot => *d_states += &d_keys,
            Self::Bottleneck => {}
        }
    }

    /// Adds the gradients of the projections: of the keys from `keys` `[S · B, K]`, of the queries from
    /// `queries` `[T · B, D]`, and `d_v` `[A]`.
    pub fn accumulate(
        keys: ArrayView2<f32>,
        d_keys: ArrayView2<f32>,
        queries: ArrayView2<f32>,
        d_queries: ArrayView2<f32>,
        d_v: &[f32],
        grad: &mut Self,
    ) {
        match grad {
            Self::Additive { w_a, u_a, v_a } => {
                product_tn_acc(queries, d_queries, &mut w_a.view_mut());
                product_tn_acc(keys, d_keys, &mut u_a.view_mut());
                v_a.iter_mut().zip(d_v).for_each(|(g, d)| *g += d);
            }
            Self::General { w_a } => product_tn_acc(keys, d_keys, &mut w_a.view_mut()),
            Self::Dot | Self::ScaledDot | Self::Bottleneck => {}
        }
    }
}

/// `z_j = tanh(W_a q + U_a k_j)` for all positions, `[S, A]`. It is made again in the backward pass: that
/// is cheaper than keeping it for every step.
fn hidden_layer(query: &[f32], keys: Rows) -> Vec<f32> {
    let mut z = Vec::with_capacity(keys.len * keys.width);
    for j in 0..keys.len {
        z.extend(query.iter().zip(keys.row(j)).map(|(q, k)| q + k));
    }
    tanh_in_place(&mut z);
    z
}

fn dot_backward(
    d_scores: &[f32],
    query: &[f32],
    keys: Rows,
    d_query: &mut [f32],
    d_keys: &mut [f32],
) {
    vec_mat_acc(d_scores, keys.values, keys.stride, d_query);
    for (j, de) in d_scores.iter().enumerate() {
        vec_mat_acc(
            &[*de],
            query,
            query.len(),
            &mut d_keys[j * keys.stride..][..keys.width],
        );
    }
}

impl Parameters for Score {
    fn visit<'a>(&'a self, prefix: &str, out: &mut Vec<Parameter<&'a [f32]>>) {
        match self {
            Self::Additive { w_a, u_a, v_a } => {
                w_a.visit(&join(prefix, "w_a"), out);
                u_a.visit(&join(prefix, "u_a"), out);
                v_a.visit(&join(prefix, "v_a"), out);
            }
            Self::General { w_a } => w_a.visit(&join(prefix, "w_a"), out),
            Self::Dot | Self::ScaledDot | Self::Bottleneck => {}
        }
    }

    fn visit_mut<'a>(&'a mut self, prefix: &str, out: &mut Vec<Parameter<&'a mut [f32]>>) {
        match self {
            Self::Additive { w_a, u_a, v_a } => {
                w_a.visit_mut(&join(prefix, "w_a"), out);
                u_a.visit_mut(&join(prefix, "u_a"), out);
                v_a.visit_mut(&join(prefix, "v_a"), out);
            }
            Self::General { w_a } => w_a.visit_mut(&join(prefix, "w_a"), out),
            Self::Dot | Self::ScaledDot | Self::Bottleneck => {}
        }
    }
}
