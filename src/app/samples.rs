//! Sessions to begin with, one for each of the main uses. They are part of the program, so that it needs no file
//! beside it.

use super::command::{Command, FileCommand, Then};

/// A session of File, Samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// What it is for, in a few words.
    pub title: &'static str,
    /// Its file in `samples/`.
    pub file: &'static str,
    /// What is in the file.
    pub bytes: &'static [u8],
}

/// All samples, in the order of the menu.
pub const SAMPLES: [Sample; 3] = [
    Sample {
        title: "Step through le chat noir dort",
        file: "step.regard.ron",
        bytes: include_bytes!("../../samples/step.regard.ron"),
    },
    Sample {
        title: "Compare additive with dot",
        file: "compare.regard.ron",
        bytes: include_bytes!("../../samples/compare.regard.ron"),
    },
    Sample {
        title: "A figure ready to export",
        file: "figure.regard.ron",
        bytes: include_bytes!("../../samples/figure.regard.ron"),
    },
];

impl Sample {
    /// Opens it as a session without a file, after asking about unsaved changes.
    pub fn open(&self) -> Command {
        Command::File(FileCommand::Leave(Then::OpenSample {
            name: self.title.to_owned(),
            bytes: self.bytes.to_vec(),
        }))
    }
}
