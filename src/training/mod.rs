//! Floor 3: training.

mod data;
mod loss;
mod optimiser;
mod options;
mod pool;
mod trainer;

pub use data::{Example, Ingredient, Shard, TrainingData};
pub use loss::{LossSums, cross_entropy};
pub use optimiser::Adam;
pub use options::{OptionError, TrainingOptions};
pub use trainer::{StepReport, Trainer, forced_loss, translate};
