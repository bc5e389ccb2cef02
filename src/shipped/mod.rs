//! Floor 3: the models that are part of the program.

use crate::engine::{CheckpointError, Model, ScoreKind};

/// A model file inside the program.
#[derive(Debug, Clone, Copy)]
pub struct ShippedModel {
    /// Its score; at most one model a score.
    pub score: ScoreKind,
    /// The whole `.safetensors` file.
    pub bytes: &'static [u8],
}

/// Every shipped model, in the order of [`ScoreKind::ALL`].
pub static SHIPPED: &[ShippedModel] = &[
    ShippedModel {
        score: ScoreKind::Additive,
        bytes: include_bytes!("../../assets/models/additive.safetensors"),
    },
    ShippedModel {
        score: ScoreKind::Dot,
        bytes: include_bytes!("../../assets/models/dot.safetensors"),
    },
    ShippedModel {
        score: ScoreKind::General,
        bytes: include_bytes!("../../assets/models/general.safetensors"),
    },
    ShippedModel {
        score: ScoreKind::ScaledDot,
        bytes: include_bytes!("../../assets/models/scaled_dot.safetensors"),
    },
    ShippedModel {
        score: ScoreKind::Bottleneck,
        bytes: include_bytes!("../../assets/models/bottleneck.safetensors"),
    },
];

/// Why there is no such model.
#[derive(Debug, thiserror::Error)]
pub enum ShippedError {
    /// This build has no model with the score.
    #[error("no model for {score} is shipped with this build{}", others())]
    Missing {
        /// The score.
        score: ScoreKind,
    },
    /// The model cannot be read: the program is damaged.
    #[error("the shipped model for {score}: {source}")]
    Damaged {
        /// The score.
        score: ScoreKind,
        /// What is wrong with it.
        source: CheckpointError,
    },
}

/// The models that there are, as part of a message.
fn others() -> String {
    let names: Vec<&str> = SHIPPED.iter().map(|shipped| shipped.score.name()).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!(" (there are {})", names.join(", "))
    }
}

/// The shipped models, in the order in which they are shown.
pub fn list() -> &'static [ShippedModel] {
    SHIPPED
}

/// Reads the shipped model with a score.
///
/// # Errors
/// [`ShippedError::Missing`] if this build has none.
pub fn model(score: ScoreKind) -> Result<Model, ShippedError> {
    let shipped = SHIPPED.iter().find(|shipped| shipped.score == score);
    let shipped = shipped.ok_or(ShippedError::Missing { score })?;
    Model::from_bytes(shipped.bytes).map_err(|source| ShippedError::Damaged { score, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_models_are_what_the_list_says() {
        for score in ScoreKind::ALL {
            let listed = list().iter().filter(|shipped| shipped.score == score);
            match listed.count() {
                0 => {
                    let message = model(score).unwrap_err().to_string();
                    assert!(message.contains(score.name()), "{message}");
                }
                count => {
                    assert_eq!(count, 1, "{score}");
                    assert_eq!(model(score).unwrap().network.config().score, score);
                }
            }
        }
    }
}
