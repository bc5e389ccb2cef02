//! The decoder: a recurrent cell that attends to the encoder states at every step.
//!
//! ```text
//! s_0 = tanh(W_init · h←_1 + b)
//! Bahdanau  q_t = s_{t−1};  c_t = attend(q_t);  s_t = cell([emb(y_{t−1}) ; c_t], s_{t−1})
//!           r_t = tanh(W_r [s_t ; c_t ; emb(y_{t−1})] + b_r)          logits W_o r_t + b_o
//! Luong     s_t = cell([emb(y_{t−1}) ; r_{t−1}], s_{t−1});  q_t = s_t;  c_t = attend(q_t)
//!           r_t = tanh(W_c [c_t ; s_t])                               logits W_o r_t + b_o
//! ```
//! | here       | paper  | shape    | meaning                                       |
//! |------------|--------|----------|-----------------------------------------------|
//! | `embedded` |        | `[N, E]` | previous target words, `N = T · B` time-major |
//! | `hidden`   | `s_t`  | `[N, D]` | decoder states                                |
//! | `contexts` | `c_t`  | `[N, K]` |                                               |
//! | `readouts` | `r_t`  | `[N, R]` | Luong: `s̃_t`                                  |
//!
//! Training runs all `T` steps at once, stepping a sentence is the same function with `T = 1`: the part of
//! the gates that comes from the embedding, the Bahdanau readout and the logits are one product each for all
//! steps, only cell and attention wait for the step before.

use std::borrow::Cow;

use ndarray::{Array1, Array2, s};

use super::attention::{AttentionTrace, Intervene};
use super::cell::{Cell, CellState};
use super::config::{ModelConfig, ScoreKind, Wiring};
use super::decoder_trace::{DecoderState, DecoderTrace};
use super::encoder::EncoderStates;
use super::fed::Fed;
use super::linear::{Dropout, Linear, embed};
use super::parameters::field_parameters;
use super::score::Score;
use super::step_weights::{StepWeights, step_product_acc};
use crate::numeric::{
    EmptySupport, Stream, add_bias, fill_uniform, glorot_bound, product_acc, product_nt_in,
    tanh_in_place,
};

/// The output layer; also the type of its gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// `[V, R]`, stored like an embedding; `None` where the target embedding serves (tied).
    pub w: Option<Array2<f32>>,
    /// `[V]`.
    pub b: Array1<f32>,
}

field_parameters!(Output { w, b });

/// The parameters of the decoder but for the target embedding; also the type of their gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoder {
    /// Where attention stands.
    pub wiring: Wiring,
    /// `W_init` `[H, D]` and its bias.
    pub init: Linear,
    /// The cell; its input is `[embedding ; feed]`.
    pub cell: Cell,
    /// The score.
    pub attention: Score,
    /// `[D + K + E, R]` with bias, rows in the order state, context, embedding (Bahdanau); `[K + D, R]`
    /// without, rows in the order context, state (Luong).
    pub readout: Linear,
    /// The output layer.
    pub output: Output,
}

field_parameters!(Decoder {
    init,
    cell,
    attention,
    readout,
    output
});

/// How a run differs from the plain one.
#[derive(Clone, Default)]
pub struct ForwardOptions<'a> {
    /// Dropout on embeddings and readouts.
    pub dropout: Option<Dropout>,
    /// Changes weights before they make the context.
    pub intervene: Option<Intervene<'a>>,
    /// Memory for the logits, of any size and content.
    pub space: Vec<f32>,
    /// The weights of the steps, laid out for batches.
    pub packed: Option<&'a StepWeights>,
}

/// The places of the network where dropout is applied; numbers of their random streams.
pub(crate) mod place {
    pub(crate) const SOURCE: u64 = 1;
    pub(crate) const TARGET: u64 = 2;
    pub(crate) const READOUT: u64 = 3;
}

impl Decoder {
    /// All zeros.
    pub fn zeros(config: &ModelConfig) -> Self {
        let (e, k, d, r) = (
            config.embedding,
            config.keys(),
            config.decoder,
            config.readout,
        );
        let readout = match config.wiring {
            Wiring::Bahdanau => Linear::zeros(d + k + e, r, true),
            Wiring::Luong => Linear::zeros(k + d, r, false),
        };
        let v = config.target_vocabulary;
        Self {
            wiring: config.wiring,
            init: Linear::zeros(config.encoder, d, true),
            cell: Cell::zeros(config.cell, e + config.feed(), d),
            attention: Score::zeros(config),
            readout,
            output: Output {
                w: (!config.tied).then(|| Array2::zeros((v, r))),
                b: Array1::zeros(v),
            },
        }
    }

    /// Seeded initial parameters.
    pub fn initialise(&mut self, rng: &mut Stream) {
        self.init.initialise(rng);
        self.cell.initialise(rng);
        self.attention.initialise(rng);
        self.readout.initialise(rng);
        if let Some(w) = &mut self.output.w {
            let bound = glorot_bound(w.nrows(), w.ncols());
            fill_uniform(w.as_slice_mut().expect("contiguous"), bound, rng);
        }
    }

    /// State size `D`.
    pub fn size(&self) -> usize {
        self.cell.size()
    }

    /// The score.
    pub const fn score(&self) -> ScoreKind {
        self.attention.kind()
    }

    /// Size of what enters the cell beside the embedding.
    pub(crate) fn feed(&self, embedding: usize) -> usize {
        self.cell.w_x.nrows() - embedding
    }

    /// `s_0 = tanh(W_init · h←_1 + b)`; memory and feed are zero.
    pub fn start(&self, states: &EncoderStates, embedding: usize) -> DecoderState {
        let half = states.values.ncols() / 2;
        let mut hidden = self
            .init
            .forward(states.values.slice(s![..states.batch, half..]));
        tanh_in_place(hidden.as_slice_mut().expect("contiguous"));
        let memory = self.cell.zero_state(states.batch).memory;
        let feed = if self.wiring == Wiring::Luong {
            self.feed(embedding)
        } else {
            0
        };
        DecoderState {
            cell: CellState { hidden, memory },
            feed: Array2::zeros((states.batch, feed)),
        }
    }

    /// Runs `inputs.len() / B` steps from `start`; `inputs` are the previous words, time-major.
    ///
    /// # Errors
    /// [`EmptySupport`] if a mask or an intervention leaves nothing to attend to.
    pub fn forward(
        &self,
        embedding: &Array2<f32>,
        inputs: &[u32],
        start: DecoderState,
        states: &EncoderStates,
        options: ForwardOptions,
    ) -> Result<DecoderTrace, EmptySupport> {
        let batch = start.cell.hidden.nrows();
        let rows = inputs.len();
        let mut embedded = embed(embedding, inputs);
        let masks = options.dropout.map(|dropout| {
            let readout = (rows, self.readout.w.ncols());
            (
                dropout.mask(place::TARGET, embedded.dim()),
                dropout.mask(place::READOUT, readout),
            )
        });
        if let Some((mask, _)) = &masks {
            embedded *= mask;
        }
        let e = embedding.ncols();
        let mut cell = self.cell.trace(rows);
        add_bias(&mut cell.gates, self.cell.b_x.view());
        // Of a single step it is a product among others, see `ahead`.
        if self.wiring == Wiring::Luong || rows > batch {
            product_acc(
                embedded.view(),
                self.cell.w_x.slice(s![..e, ..]),
                &mut cell.gates.view_mut(),
            );
        }
        let intervened = options.intervene.is_some();
        let mut trace = DecoderTrace {
            batch,
            inputs: inputs.to_vec(),
            start,
            embedded,
            cell,
            attention: AttentionTrace::new(&self.attention, self.size(), states, rows, intervened),
            readouts: Array2::zeros((rows, self.readout.w.ncols())),
            logits: Array2::zeros((0, 0)),
            masks,
        };
        // For many steps at once the weights are read once, but without attention there is one context for all.
        let is_worth_it = rows == batch || !self.score().attends();
        let fed = match &states.fed {
            Some(fed) if is_worth_it => Some(Cow::Borrowed(fed)),
            None if !self.score().attends() => self.fed(states, e).map(Cow::Owned),
            _ => None,
        };
        for step in 0..rows / batch {
            let fed = fed.as_deref();
            self.step(
                &mut trace,
                step,
                states,
                options.intervene,
                fed,
                options.packed,
            )?;
        }
        if self.wiring == Wiring::Bahdanau {
            self.bahdanau_readouts(&mut trace);
        }
        let weights = self.output.w.as_ref().unwrap_or(embedding);
        trace.logits = match trace.dropped_readouts() {
            Some(dropped) => product_nt_in(dropped.view(), weights.view(), options.space),
            None => product_nt_in(trace.readouts.view(), weights.view(), options.space),
        };
        add_bias(&mut trace.logits, self.output.b.view());
        Ok(trace)
    }

    /// The part of a step that needs the step before: cell and attention, and the readout where it is fed back.
    fn step(
        &self,
        trace: &mut DecoderTrace,
        step: usize,
        states: &EncoderStates,
        intervene: Option<Intervene>,
        fed: Option<&Fed>,
        packed: Option<&StepWeights>,
    ) -> Result<(), EmptySupport> {
        let (batch, at) = (trace.batch, step * trace.batch);
        let rows = s![at..at + batch, ..];
        // The first is lent, not copied.
        let previous = match step {
            0 => std::mem::take(&mut trace.start),
            _ => trace.state_after(step - 1),
        };
        match self.wiring {
            Wiring::Bahdanau => {
                let (recurrent, query) = self.ahead(trace, &previous, packed);
                trace.attention.step_from(
                    &self.attention,
                    &previous.cell.hidden,
                    query,
                    states,
                    step,
                    intervene,
                )?;
                self.behind(trace, step, states, fed, packed);
                self.cell
                    .step_from(&mut trace.cell, at, &previous.cell, recurrent);
            }
            Wiring::Luong => {
                let w_feed = self.cell.w_x.slice(s![trace.embedded.ncols().., ..]);
                if w_feed.nrows() > 0 {
                    step_product_acc(
                        previous.feed.view(),
                        w_feed,
                        packed.map(|weights| &weights.feed),
                        &mut trace.cell.gates.slice_mut(rows),
                    );
                }
                let recurrent = packed.map(|weights| &weights.recurrent);
                let state = self
                    .cell
                    .step(&mut trace.cell, at, &previous.cell, recurrent);
                let projected = self.project(&state.hidden, packed);
                trace.attention.step_from(
                    &self.attention,
                    &state.hidden,
                    projected,
                    states,
                    step,
                    intervene,
                )?;
                let k = states.values.ncols();
                let mut out = trace.readouts.slice_mut(rows);
                let contexts = trace.attention.contexts.slice(rows);
                let [of_contexts, of_states] = [0, 1].map(|i| packed.map(|p| &p.readout[i]));
                let w = &self.readout.w;
                step_product_acc(contexts, w.slice(s![..k, ..]), of_contexts, &mut out);
                step_product_acc(
                    state.hidden.view(),
                    w.slice(s![k.., ..]),
                    of_states,
                    &mut out,
                );
                tanh_in_place(out.as_slice_mut().expect("contiguous"));
            }
        }
        if step == 0 {
            trace.start = previous;
        }
        Ok(())
    }
}
