//! The methods of attribution, and what they answer.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::forced::{AttributionError, Forced};
use super::gradient::{Input, gradient_times_input};
use super::integrated::{Integration, integrate};
use super::occlusion::{drop_each, mask_each};
use super::watch::Watch;

/// How the share of a source word in an output word is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// `ln p − ln p` with the source position masked in attention, at every step.
    LeaveOneOut,
    /// `ln p − ln p` with the word dropped from the source, which is encoded anew.
    Drop,
    /// `Σ_k x_k ∂ ln p / ∂ x_k` over the source embedding.
    GradientInput,
    /// The same over the encoder state, as the decoder reads it.
    GradientStates,
    /// Integrated gradients over the source embedding, from zeros.
    IntegratedGradients,
    /// Integrated gradients over the encoder state, from zeros.
    IntegratedStates,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 6] = [
        Self::LeaveOneOut,
        Self::Drop,
        Self::GradientInput,
        Self::GradientStates,
        Self::IntegratedGradients,
        Self::IntegratedStates,
    ];

    /// The name used in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LeaveOneOut => "leave-one-out",
            Self::Drop => "drop",
            Self::GradientInput => "gradient-input",
            Self::GradientStates => "gradient-states",
            Self::IntegratedGradients => "integrated-gradients",
            Self::IntegratedStates => "integrated-states",
        }
    }

    /// The method with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Whether it asks about attention, which the bottleneck does not have.
    pub const fn needs_attention(self) -> bool {
        matches!(self, Self::LeaveOneOut)
    }

    /// Whether it takes a word away, of which there must then be two.
    pub const fn needs_two_words(self) -> bool {
        matches!(self, Self::LeaveOneOut | Self::Drop)
    }

    /// What its numbers show and what they do not, with the paper.
    pub const fn note(self) -> &'static str {
        match self {
            Self::LeaveOneOut => {
                "Shows how much less probable the word is when attention may not read this source position; \
                 does not show what the encoder already carried into its neighbours, nor what two positions \
                 do together (erasing weights: Serrano and Smith, Is Attention Interpretable?, ACL 2019)."
            }
            Self::Drop => {
                "Shows how much less probable the word is when the source word was never there; \
                 does not show why, since the shorter sentence may be one of a kind that the model never saw \
                 (erasure: Li, Monroe and Jurafsky, Understanding Neural Networks through Representation \
                 Erasure, arXiv 2016; against attention: Jain and Wallace, Attention is not Explanation, NAACL 2019)."
            }
            Self::GradientInput | Self::GradientStates => {
                "Shows which way and how fast the probability begins to change when the input is scaled; \
                 does not show what removing it does, and is near 0 wherever the model is sure \
                 (gradient × input: Shrikumar et al., Not Just a Black Box, arXiv 2016; \
                 against attention: Jain and Wallace, Attention is not Explanation, NAACL 2019)."
            }
            Self::IntegratedGradients | Self::IntegratedStates => {
                "Shows shares that add up to the difference from an input of zeros; \
                 does not show that zeros are the right thing to compare with, and inputs on the way are of no sentence \
                 (Sundararajan, Taly and Yan, Axiomatic Attribution for Deep Networks, ICML 2017)."
            }
        }
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What each source word did for each output word.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribution {
    /// How it was measured.
    pub method: Method,
    /// In nats `[T, S]`; positive where the source word makes the output word more probable.
    pub values: Array2<f32>,
    /// How well an integral came out; `None` for other methods.
    pub integration: Option<Integration>,
}

/// Measures a whole forced output. `points` is the number of points of an integral; `None` takes as many as
/// completeness needs.
///
/// # Errors
/// A method that does not fit the model or the sentence, points out of range, or
/// [`AttributionError::Cancelled`].
pub fn attribute(
    forced: &Forced,
    method: Method,
    points: Option<usize>,
    watch: Watch,
) -> Result<Attribution, AttributionError> {
    if method.needs_attention() && forced.weights().is_none() {
        return Err(AttributionError::NoAttention);
    }
    if method.needs_two_words() && forced.source().len() < 2 {
        return Err(AttributionError::OneWord);
    }
    let (values, integration) = match method {
        Method::LeaveOneOut => (mask_each(forced, watch)?, None),
        Method::Drop => (drop_each(forced, watch)?, None),
        Method::GradientInput => (
            gradient_times_input(forced, Input::Embeddings, watch)?,
            None,
        ),
        Method::GradientStates => (gradient_times_input(forced, Input::States, watch)?, None),
        Method::IntegratedGradients | Method::IntegratedStates => {
            let input = if method == Method::IntegratedStates {
                Input::States
            } else {
                Input::Embeddings
            };
            let (values, integration) = integrate(forced, input, points, watch)?;
            (values, Some(integration))
        }
    };
    Ok(Attribution {
        method,
        values,
        integration,
    })
}
