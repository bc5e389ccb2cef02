//! Floor 3: whether attention is an explanation. What each source word did for each output word, tests that
//! replace the weights, and the paths of the gradient.
//!
//! Everything is about a [`Forced`] output: the model's own translation or a given one, whose words are the
//! previous words of every step. Rows are its words `[T]`, columns the source words `[S]`, as in the heatmap.
//!
//! | question | answer |
//! |---|---|
//! | what is lost without a source word | [`Method::LeaveOneOut`], [`Method::Drop`] |
//! | what the gradient says of it | [`Method::GradientInput`], [`Method::GradientStates`] |
//! | the same, adding up to the whole | [`Method::IntegratedGradients`], [`Method::IntegratedStates`] |
//! | whether attention says the same | [`row_agreement`], [`AgreementSums`] |
//! | whether other weights would have done | [`replace`] |
//! | how far the gradient gets | [`GradientPaths`], [`PathSums`] |
//! | why dot products are scaled | [`scaling`] |
//! | what an edit changes | [`changes`], [`differing`] |
//!
//! Long computations take a [`Watch`], which cancels them and is told how far they are. None of the results
//! depends on the number of cores.

mod agreement;
mod change;
mod forced;
mod gradient;
mod integrated;
mod method;
mod occlusion;
mod paths;
mod quadrature;
mod replacement;
mod scaling;
#[cfg(test)]
mod tests;
mod watch;

pub use agreement::{Agreement, AgreementSums, RowAgreement, row_agreement};
pub use change::{StepChange, changes, differing};
pub use forced::{AttributionError, Forced};
pub use integrated::Integration;
pub use method::{Attribution, Method, attribute};
pub use paths::{GradientPaths, PathMeans, PathSums};
pub use quadrature::gauss_legendre;
pub use replacement::{Effects, Quartiles, Replacement, StepEffect, replace};
pub use scaling::{SCALING_SIZES, ScalingRow, ScoreSpread, scaling, scaling_note};
pub use watch::Watch;
