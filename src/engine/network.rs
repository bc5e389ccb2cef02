//! The whole network: embeddings, encoder, decoder.

use ndarray::Array2;

use super::attention::Intervene;
use super::backward::DecoderDeltas;
use super::config::{CheckedConfig, ModelConfig};
use super::decoder::{Decoder, ForwardOptions, place};
use super::decoder_trace::{DecoderState, DecoderTrace};
use super::encoder::{Encoder, EncoderDeltas, EncoderStates, EncoderTrace};
use super::linear::{Dropout, embed, embed_accumulate};
use super::parameters::{Parameter, Parameters, field_parameters};
use super::score::Score;
use super::step_weights::StepWeights;
use crate::numeric::{EmptySupport, fill_normal, stream, together};

/// An attention encoder–decoder; also the type of its gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct Seq2Seq {
    config: CheckedConfig,
    /// `[V_source, E]`.
    pub source_embedding: Array2<f32>,
    /// `[V, E]`.
    pub target_embedding: Array2<f32>,
    /// The encoder.
    pub encoder: Encoder,
    /// The decoder.
    pub decoder: Decoder,
}

field_parameters!(Seq2Seq {
    source_embedding,
    target_embedding,
    encoder,
    decoder
});

/// A forward pass over a batch.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Source ids `[S · B]`, position-major.
    pub source: Vec<u32>,
    /// Source embeddings after dropout `[S · B, E]`.
    pub embedded: Array2<f32>,
    embedded_mask: Option<Array2<f32>>,
    /// The encoder states.
    pub states: EncoderStates,
    /// The encoder's trace.
    pub encoder: EncoderTrace,
    /// The decoder's trace.
    pub decoder: DecoderTrace,
}

/// Gradients of all pre-activations of a forward pass.
#[derive(Debug, Clone)]
pub struct Deltas {
    /// Of the source embeddings `[S · B, E]`, before dropout.
    pub d_source: Array2<f32>,
    encoder: EncoderDeltas,
    /// The decoder's.
    pub decoder: DecoderDeltas,
}

/// A piece of work that adds gradients to parameters which no other piece touches.
pub type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Adds the gradients of one pass to some parameters.
type Accumulate<'a> = Box<dyn FnMut(&Trace, &Deltas) + Send + 'a>;

impl Seq2Seq {
    /// All zeros: the shape of a gradient.
    pub fn zeros(config: &CheckedConfig) -> Self {
        let config = config.clone();
        Self {
            source_embedding: Array2::zeros((config.source_vocabulary, config.embedding)),
            target_embedding: Array2::zeros((config.target_vocabulary, config.embedding)),
            encoder: Encoder::zeros(&config),
            decoder: Decoder::zeros(&config),
            config,
        }
    }

    /// Seeded initial parameters: embeddings normal with deviation 0.1, cells as PyTorch's, the rest Glorot.
    pub fn initialised(config: &CheckedConfig, seed: u64) -> Self {
        let mut network = Self::zeros(config);
        let mut rng = stream(&[seed, 0x1217]);
        for embedding in [&mut network.source_embedding, &mut network.target_embedding] {
            fill_normal(embedding.as_slice_mut().expect("contiguous"), 0.1, &mut rng);
        }
        network.encoder.initialise(&mut rng);
        network.decoder.initialise(&mut rng);
        network
    }

    /// The configuration.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// The configuration, known to be valid.
    pub const fn checked_config(&self) -> &CheckedConfig {
        &self.config
    }

    /// Every parameter.
    pub fn parameters(&self) -> Vec<Parameter<&[f32]>> {
        let mut out = Vec::new();
        self.visit("", &mut out);
        out
    }

    /// Every parameter, writable.
    pub fn parameters_mut(&mut self) -> Vec<Parameter<&mut [f32]>> {
        let mut out = Vec::new();
        self.visit_mut("", &mut out);
        out
    }

    /// Encodes `source` `[S · B]`, position-major.
    ///
    /// # Panics
    /// If `source` is empty or not a multiple of `batch`, or an id is outside the vocabulary.
    pub fn encode(&self, source: &[u32], batch: usize) -> EncoderStates {
        let mut states = self.encode_traced(source, batch, None, None).0;
        states.fed = self.decoder.fed(&states, self.config.embedding);
        states
    }

    fn encode_traced(
        &self,
        source: &[u32],
        batch: usize,
        dropout: Option<Dropout>,
        packed: Option<&StepWeights>,
    ) -> (
        EncoderStates,
        EncoderTrace,
        Array2<f32>,
        Option<Array2<f32>>,
    ) {
        assert!(
            !source.is_empty() && source.len().is_multiple_of(batch),
            "source of {} ids for {batch}",
            source.len()
        );
        let mut embedded = embed(&self.source_embedding, source);
        let mask = dropout.map(|dropout| dropout.mask(place::SOURCE, embedded.dim()));
        if let Some(mask) = &mask {
            embedded *= mask;
        }
        let score = &self.decoder.attention;
        let (states, trace) = self.encoder.forward(embedded.view(), batch, score, packed);
        (states, trace, embedded, mask)
    }

    /// The decoder state before the first step.
    pub fn start(&self, states: &EncoderStates) -> DecoderState {
        self.decoder.start(states, self.config.embedding)
    }

    /// Runs the decoder from `start` on `inputs` `[T · B]`, time-major; with `T = 1` it is one step.
    ///
    /// # Errors
    /// [`EmptySupport`] if a mask or an intervention leaves nothing to attend to.
    pub fn decode(
        &self,
        inputs: &[u32],
        start: DecoderState,
        states: &EncoderStates,
        intervene: Option<Intervene>,
    ) -> Result<DecoderTrace, EmptySupport> {
        let options = ForwardOptions {
            intervene,
            ..ForwardOptions::default()
        };
        together(|| {
            self.decoder
                .forward(&self.target_embedding, inputs, start, states, options)
        })
    }

    /// A whole teacher-forced pass: `source` `[S · B]`, `inputs` `[T · B]`, `mask` `[B, S]`.
    ///
    /// # Errors
    /// [`EmptySupport`] if the mask leaves a sentence nothing to attend to.
    pub fn forward(
        &self,
        source: &[u32],
        inputs: &[u32],
        batch: usize,
        mask: Option<Array2<bool>>,
        dropout: Option<Dropout>,
    ) -> Result<Trace, EmptySupport> {
        let options = ForwardOptions {
            dropout,
            ..ForwardOptions::default()
        };
        self.forward_with(source, inputs, batch, mask, options)
    }

    /// As [`forward`](Self::forward), with all that can be said of a run.
    ///
    /// # Errors
    /// As there, or if an intervention leaves nothing to attend to.
    pub fn forward_with(
        &self,
        source: &[u32],
        inputs: &[u32],
        batch: usize,
        mask: Option<Array2<bool>>,
        options: ForwardOptions,
    ) -> Result<Trace, EmptySupport> {
        let (mut states, encoder, embedded, embedded_mask) =
            self.encode_traced(source, batch, options.dropout, options.packed);
        states.mask = mask;
        let start = self.start(&states);
        let decoder =
            self.decoder
                .forward(&self.target_embedding, inputs, start, &states, options)?;
        Ok(Trace {
            source: source.to_vec(),
            embedded,
            embedded_mask,
            states,
            encoder,
            decoder,
        })
    }

    /// As [`forward`](Self::forward), from source embeddings `[S · B, E]` that may be of no word.
    ///
    /// # Errors
    /// Never, since nothing is masked.
    pub fn forward_embedded(
        &self,
        embedded: Array2<f32>,
        inputs: &[u32],
        batch: usize,
    ) -> Result<Trace, EmptySupport> {
        let score = &self.decoder.attention;
        let (states, encoder) = self.encoder.forward(embedded.view(), batch, score, None);
        let decoder = self.decode(inputs, self.start(&states), &states, None)?;
        Ok(Trace {
            source: Vec::new(),
            embedded,
            embedded_mask: None,
            states,
            encoder,
            decoder,
        })
    }

    /// From the gradient of the logits `[T · B, V]` to the gradients of all pre-activations.
    pub fn backward(&self, trace: &Trace, d_logits: Array2<f32>) -> Deltas {
        self.backward_with(trace, d_logits, None)
    }

    /// As [`backward`](Self::backward), with the weights of the steps laid out for batches.
    pub fn backward_with(
        &self,
        trace: &Trace,
        d_logits: Array2<f32>,
        packed: Option<&StepWeights>,
    ) -> Deltas {
        let Trace {
            states,
            decoder,
            encoder,
            embedded_mask,
            ..
        } = trace;
        let embedding = &self.target_embedding;
        let (d_states, decoder) = self
            .decoder
            .backward(embedding, decoder, states, d_logits, packed);
        let (mut d_source, encoder) =
            self.encoder
                .backward(encoder, d_states.view(), states.batch, packed);
        if let Some(mask) = embedded_mask {
            d_source *= mask;
        }
        Deltas {
            d_source,
            encoder,
            decoder,
        }
    }

    /// The work of adding the gradients of `passes` to `self`, a gradient, cut into pieces that touch disjoint
    /// parameters: run them in any order, on any threads, and the sums are the same. Longest pieces first.
    pub fn accumulation<'a>(
        &'a mut self,
        passes: &'a [(Trace, Deltas)],
        pieces: usize,
    ) -> Vec<Task<'a>> {
        let Self {
            config,
            source_embedding,
            target_embedding,
            encoder,
            decoder,
        } = self;
        let wiring = config.wiring;
        let mut tasks: Vec<Task> = Vec::new();
        let Decoder {
            init,
            cell,
            attention,
            readout,
            output,
            ..
        } = decoder;
        // With tied weights the look-ups of a word add to the same row as its logit: one task does both.
        let (weights, lookups) = match &mut output.w {
            Some(w) => (w, Some(target_embedding)),
            None => (target_embedding, None),
        };
        let tied = lookups.is_none();
        let share = weights.nrows().div_ceil(pieces.max(1));
        for (i, mut part) in weights
            .axis_chunks_iter_mut(ndarray::Axis(0), share)
            .enumerate()
        {
            tasks.push(Box::new(move || {
                let from = i * share;
                for (trace, deltas) in passes {
                    deltas
                        .decoder
                        .accumulate_output(&trace.decoder, from, &mut part);
                    if tied {
                        for (d, &id) in deltas
                            .decoder
                            .d_embedded
                            .rows()
                            .into_iter()
                            .zip(&trace.decoder.inputs)
                        {
                            if let Some(local) = (id as usize)
                                .checked_sub(from)
                                .filter(|l| *l < part.nrows())
                            {
                                let mut row = part.row_mut(local);
                                row += &d;
                            }
                        }
                    }
                }
            }));
        }
        let each = |mut f: Accumulate<'a>| -> Task<'a> {
            Box::new(move || passes.iter().for_each(|(trace, deltas)| f(trace, deltas)))
        };
        tasks.push(each(Box::new(move |t, d| {
            d.decoder.accumulate_cell(&t.decoder, wiring, cell)
        })));
        tasks.push(each(Box::new(move |t, d| {
            d.decoder.accumulate_readout(&t.decoder, wiring, readout)
        })));
        tasks.push(each(Box::new(move |t, d| {
            let attended = &d.decoder.attention;
            Score::accumulate(
                t.states.values.view(),
                attended.d_keys.view(),
                t.decoder.attention.queries.view(),
                attended.d_projected.view(),
                &attended.d_v,
                attention,
            );
        })));
        let Encoder { forward, backward } = encoder;
        tasks.push(each(Box::new(move |t, d| {
            d.encoder
                .accumulate_forward(t.embedded.view(), &t.encoder, t.states.batch, forward);
        })));
        tasks.push(each(Box::new(move |t, d| {
            d.encoder
                .accumulate_backward(t.embedded.view(), &t.encoder, t.states.batch, backward);
        })));
        let bias = output.b.as_slice_mut().expect("contiguous");
        tasks.push(each(Box::new(move |_, d| {
            d.decoder.accumulate_output_bias(bias)
        })));
        tasks.push(each(Box::new(move |t, d| {
            d.decoder.accumulate_init(&t.states, init)
        })));
        tasks.push(each(Box::new(move |t, d| {
            embed_accumulate(&d.d_source, &t.source, source_embedding)
        })));
        if let Some(embedding) = lookups {
            tasks.push(each(Box::new(move |t, d| {
                embed_accumulate(&d.decoder.d_embedded, &t.decoder.inputs, embedding);
            })));
        }
        tasks
    }
}
