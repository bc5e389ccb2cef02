//! The recurrent cells, GRU and LSTM, with PyTorch's gates.
//!
//! ```text
//! a = x · W_x + b_x            g = h · W_h + b_h
//! GRU   r = σ(a_r + g_r)   z = σ(a_z + g_z)   n = tanh(a_n + r ⊙ g_n)   h' = (1 − z) ⊙ n + z ⊙ h
//! LSTM  i, f, o = σ(a + g)   u = tanh(a_u + g_u)   m' = f ⊙ m + i ⊙ u   h' = o ⊙ tanh(m')
//! ```
//! | here     | shape     | meaning                                             |
//! |----------|-----------|-----------------------------------------------------|
//! | `w_x`    | `[I, gD]` | input weights, `g` = 3 (r, z, n) or 4 (i, f, u, o)  |
//! | `w_h`    | `[D, gD]` | recurrent weights                                   |
//! | `gates`  | `[N, gD]` | activated gates of all `N = T · B` rows, time-major |
//! | `hidden` | `[N, D]`  | states after each step                              |
//! | `memory` | `[N, D]`  | LSTM only                                           |

use ndarray::{Array1, Array2, ArrayView2, s};

use super::config::CellKind;
use super::gates::{gru_row, gru_row_backward, lstm_row, lstm_row_backward};
use super::parameters::{Parameters as _, field_parameters};
use super::step_weights::{StepWeight, step_product_acc, step_product_nt_acc};
use crate::numeric::{
    Stream, add_bias, column_sums_acc, fill_uniform, product_acc, product_tn_acc,
};

/// The parameters of one cell; also the type of their gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Which equations.
    pub kind: CellKind,
    /// Input weights `[I, gD]`.
    pub w_x: Array2<f32>,
    /// Recurrent weights `[D, gD]`.
    pub w_h: Array2<f32>,
    /// Input bias `[gD]`.
    pub b_x: Array1<f32>,
    /// Recurrent bias `[gD]`.
    pub b_h: Array1<f32>,
}

field_parameters!(Cell { w_x, w_h, b_x, b_h });

/// A state of the cell for `B` sentences.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CellState {
    /// `[B, D]`.
    pub hidden: Array2<f32>,
    /// LSTM memory `[B, D]`; empty (`[0, D]`) for a GRU.
    pub memory: Array2<f32>,
}

/// What a run of the cell leaves behind: what backward needs is what the eye sees.
#[derive(Debug, Clone, PartialEq)]
pub struct CellTrace {
    /// Activated gates `[N, gD]`.
    pub gates: Array2<f32>,
    /// GRU: `g_n` before the reset; LSTM: `tanh(m')`; `[N, D]`.
    pub inner: Array2<f32>,
    /// States after each step `[N, D]`.
    pub hidden: Array2<f32>,
    /// LSTM memories after each step `[N, D]`; `[0, D]` for a GRU.
    pub memory: Array2<f32>,
}

/// Gradients of the pre-activations.
#[derive(Debug, Clone)]
pub struct CellDeltas {
    /// Of `a = x · W_x + b_x`, `[N, gD]`.
    pub d_input: Array2<f32>,
    /// Of `g = h · W_h + b_h`, `[N, gD]`; empty for an LSTM, where both are the same.
    pub d_recurrent: Array2<f32>,
}

impl CellDeltas {
    /// Gradient of `g`.
    pub fn recurrent(&self) -> ArrayView2<'_, f32> {
        if self.d_recurrent.nrows() == 0 {
            self.d_input.view()
        } else {
            self.d_recurrent.view()
        }
    }
}

impl Cell {
    /// All zeros: `inputs` is `I`, `size` is `D`.
    pub fn zeros(kind: CellKind, inputs: usize, size: usize) -> Self {
        let wide = kind.gates() * size;
        Self {
            kind,
            w_x: Array2::zeros((inputs, wide)),
            w_h: Array2::zeros((size, wide)),
            b_x: Array1::zeros(wide),
            b_h: Array1::zeros(wide),
        }
    }

    /// Uniform in `± 1/√D`, as PyTorch does.
    pub fn initialise(&mut self, rng: &mut Stream) {
        let bound = 1.0 / (self.size() as f32).sqrt();
        let mut all = Vec::new();
        self.visit_mut("", &mut all);
        for parameter in all {
            fill_uniform(parameter.values, bound, rng);
        }
    }

    /// State size `D`.
    pub fn size(&self) -> usize {
        self.w_h.nrows()
    }

    /// An empty trace for `rows = T · B` rows.
    pub fn trace(&self, rows: usize) -> CellTrace {
        let d = self.size();
        let memory = if self.kind == CellKind::Lstm { rows } else { 0 };
        CellTrace {
            gates: Array2::zeros((rows, self.w_h.ncols())),
            inner: Array2::zeros((rows, d)),
            hidden: Array2::zeros((rows, d)),
            memory: Array2::zeros((memory, d)),
        }
    }

    /// An all-zero state for `batch` sentences.
    pub fn zero_state(&self, batch: usize) -> CellState {
        let memory = if self.kind == CellKind::Lstm {
            batch
        } else {
            0
        };
        CellState {
            hidden: Array2::zeros((batch, self.size())),
            memory: Array2::zeros((memory, self.size())),
        }
    }

    /// One step for `B` sentences, from `previous`, into rows `at .. at + B` of `trace`, whose gates hold
    /// `a = x · W_x + b_x` on entry.
    pub(super) fn step(
        &self,
        trace: &mut CellTrace,
        at: usize,
        previous: &CellState,
        packed: Option<&StepWeight>,
    ) -> CellState {
        let mut recurrent = Array2::zeros((previous.hidden.nrows(), self.w_h.ncols()));
        let state = previous.hidden.view();
        step_product_acc(state, self.w_h.view(), packed, &mut recurrent.view_mut());
        self.step_from(trace, at, previous, recurrent);
        trace.state(at, previous.hidden.nrows())
    }

    /// As [`step`](Self::step), with `s_{t−1} · W_h` `[B, gD]` at hand, and without a copy of the state.
    pub(super) fn step_from(
        &self,
        trace: &mut CellTrace,
        at: usize,
        previous: &CellState,
        recurrent: Array2<f32>,
    ) {
        let (batch, d) = previous.hidden.dim();
        let mut g = recurrent;
        add_bias(&mut g, self.b_h.view());
        for b in 0..batch {
            let row = at + b;
            let gates = slice_mut(&mut trace.gates, row);
            let (inner, hidden) = (
                slice_mut(&mut trace.inner, row),
                slice_mut(&mut trace.hidden, row),
            );
            match self.kind {
                CellKind::Gru => gru_row(
                    gates,
                    slice(&g, b),
                    inner,
                    slice(&previous.hidden, b),
                    hidden,
                    d,
                ),
                CellKind::Lstm => {
                    let memory = slice_mut(&mut trace.memory, row);
                    lstm_row(
                        gates,
                        slice(&g, b),
                        slice(&previous.memory, b),
                        memory,
                        inner,
                        hidden,
                        d,
                    );
                }
            }
        }
    }

    /// Runs over a whole source from a zero state. `x` is `[S · B, I]`, position-major; with `reverse` from
    /// the last position to the first. Row `j · B + b` of the trace belongs to position `j` either way.
    pub(super) fn run(
        &self,
        x: ArrayView2<f32>,
        batch: usize,
        reverse: bool,
        packed: Option<&StepWeight>,
    ) -> CellTrace {
        let mut trace = self.trace(x.nrows());
        add_bias(&mut trace.gates, self.b_x.view());
        product_acc(x, self.w_x.view(), &mut trace.gates.view_mut());
        let mut state = self.zero_state(batch);
        for step in 0..x.nrows() / batch {
            let position = if reverse {
                x.nrows() / batch - 1 - step
            } else {
                step
            };
            state = self.step(&mut trace, position * batch, &state, packed);
        }
        trace
    }

    /// Space for the gradients of `rows` pre-activations.
    pub fn deltas(&self, rows: usize) -> CellDeltas {
        let wide = self.w_h.ncols();
        let recurrent = if self.kind == CellKind::Lstm { 0 } else { rows };
        CellDeltas {
            d_input: Array2::zeros((rows, wide)),
            d_recurrent: Array2::zeros((recurrent, wide)),
        }
    }

    /// One step backward: from the gradient `carry` of the state after the step to that of the state before
    /// it, leaving the gradients of the pre-activations in rows `at .. at + B` of `deltas`.
    pub(super) fn step_backward(
        &self,
        trace: &CellTrace,
        at: usize,
        previous: &CellState,
        carry: &mut CellState,
        deltas: &mut CellDeltas,
        packed: Option<&StepWeight>,
    ) {
        let (batch, d) = carry.hidden.dim();
        for b in 0..batch {
            let row = at + b;
            let d_input = slice_mut(&mut deltas.d_input, row);
            let d_hidden = slice_mut(&mut carry.hidden, b);
            let (gates, inner) = (slice(&trace.gates, row), slice(&trace.inner, row));
            match self.kind {
                CellKind::Gru => {
                    let d_recurrent = slice_mut(&mut deltas.d_recurrent, row);
                    gru_row_backward(
                        gates,
                        inner,
                        slice(&previous.hidden, b),
                        d_hidden,
                        d_input,
                        d_recurrent,
                        d,
                    );
                }
                CellKind::Lstm => {
                    let d_memory = slice_mut(&mut carry.memory, b);
                    lstm_row_backward(
                        gates,
                        inner,
                        slice(&previous.memory, b),
                        d_hidden,
                        d_memory,
                        d_input,
                        d,
                    );
                }
            }
        }
        let d_recurrent = deltas.recurrent();
        step_product_nt_acc(
            d_recurrent.slice(s![at..at + batch, ..]),
            self.w_h.view(),
            packed,
            &mut carry.hidden.view_mut(),
        );
    }

    /// Backward of [`run`](Self::run); `d_hidden` `[S · B, D]` is the gradient of every state. `each` gets the
    /// first row of a position and the whole gradient `[B, D]` of its state: what was given for it, and what
    /// reaches it through the states that follow it.
    pub(super) fn run_backward(
        &self,
        trace: &CellTrace,
        d_hidden: ArrayView2<f32>,
        batch: usize,
        reverse: bool,
        packed: Option<&StepWeight>,
        mut each: impl FnMut(usize, &Array2<f32>),
    ) -> CellDeltas {
        let rows = d_hidden.nrows();
        let steps = rows / batch;
        let mut deltas = self.deltas(rows);
        let mut carry = self.zero_state(batch);
        let zero = self.zero_state(batch);
        for step in (0..steps).rev() {
            let position = if reverse { steps - 1 - step } else { step };
            let at = position * batch;
            carry.hidden += &d_hidden.slice(s![at..at + batch, ..]);
            each(at, &carry.hidden);
            let previous = match (step, reverse) {
                (0, _) => zero.clone(),
                (_, false) => trace.state(at - batch, batch),
                (_, true) => trace.state(at + batch, batch),
            };
            self.step_backward(trace, at, &previous, &mut carry, &mut deltas, packed);
        }
        deltas
    }

    /// Adds the gradients of a [`run`](Self::run) to `grad`.
    pub(super) fn run_accumulate(
        x: ArrayView2<f32>,
        trace: &CellTrace,
        deltas: &CellDeltas,
        batch: usize,
        reverse: bool,
        grad: &mut Self,
    ) {
        let rows = x.nrows();
        product_tn_acc(x, deltas.d_input.view(), &mut grad.w_x.view_mut());
        column_sums_acc(
            deltas.d_input.view(),
            grad.b_x.as_slice_mut().expect("contiguous"),
        );
        let d = deltas.recurrent();
        column_sums_acc(d, grad.b_h.as_slice_mut().expect("contiguous"));
        // The first step starts from zeros and adds nothing to w_h; the others pair a state with its neighbour.
        let (states, deltas) = if reverse {
            (batch..rows, 0..rows - batch)
        } else {
            (0..rows - batch, batch..rows)
        };
        product_tn_acc(
            trace.hidden.slice(s![states, ..]),
            d.slice(s![deltas, ..]),
            &mut grad.w_h.view_mut(),
        );
    }
}

impl CellTrace {
    /// The state in rows `at .. at + batch`.
    pub fn state(&self, at: usize, batch: usize) -> CellState {
        let memory = if self.memory.nrows() == 0 {
            0..0
        } else {
            at..at + batch
        };
        CellState {
            hidden: self.hidden.slice(s![at..at + batch, ..]).to_owned(),
            memory: self.memory.slice(s![memory, ..]).to_owned(),
        }
    }
}

/// Row `i` of a contiguous matrix.
pub(crate) fn slice(matrix: &Array2<f32>, i: usize) -> &[f32] {
    let n = matrix.ncols();
    &matrix.as_slice().expect("contiguous")[i * n..(i + 1) * n]
}

/// Row `i` of a contiguous matrix, writable.
pub(crate) fn slice_mut(matrix: &mut Array2<f32>, i: usize) -> &mut [f32] {
    let n = matrix.ncols();
    &mut matrix.as_slice_mut().expect("contiguous")[i * n..(i + 1) * n]
}
