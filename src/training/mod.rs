//! Floor 3: training.

mod loss;
mod optimiser;
mod pool;

pub use loss::{LossSums, cross_entropy};
pub use optimiser::Adam;
