//! Floor 3: training.

mod data;
mod job;
mod log;
mod loss;
mod optimiser;
mod options;
mod pool;
mod resume;
mod trainer;

pub use data::{Example, Ingredient, Shard, TrainingData};
pub use job::{
    TrainingError, TrainingEvent, TrainingJob, TrainingOutcome, TrainingPlan, log_path,
    resume_path, train,
};
pub use log::{LogRow, read as read_log};
pub use loss::{LossSums, cross_entropy};
pub use optimiser::Adam;
pub use options::{OptionError, TrainingOptions};
pub use resume::{
    Position, ResumeError, STATE_FORMAT, from_bytes as state_from_bytes, load as load_state,
    save as save_state,
};
pub use trainer::{StepReport, Trainer, forced_loss, translate};
