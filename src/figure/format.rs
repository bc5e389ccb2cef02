//! The forms of figures' files.

use serde::{Deserialize, Serialize};

/// The form of a figure's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureFormat {
    /// Pixels.
    Png,
    /// Vectors for the web.
    Svg,
    /// Vectors for print.
    Pdf,
    /// The decode growing step by step.
    Gif,
    /// The numbers, one a line.
    Csv,
    /// The numbers as a table for spreadsheets.
    Tsv,
    /// The numbers as one object.
    Json,
    /// The numbers as arrays for numpy.
    Npz,
    /// A table with shaded cells.
    Latex,
}

impl FigureFormat {
    /// Every form.
    pub const ALL: [Self; 9] = [
        Self::Png,
        Self::Svg,
        Self::Pdf,
        Self::Gif,
        Self::Csv,
        Self::Tsv,
        Self::Json,
        Self::Npz,
        Self::Latex,
    ];

    /// The name in dialogs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Svg => "SVG",
            Self::Pdf => "PDF",
            Self::Gif => "GIF",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Json => "JSON",
            Self::Npz => "NPZ",
            Self::Latex => "LaTeX",
        }
    }

    /// Whether it is a picture, and not numbers.
    pub const fn is_picture(self) -> bool {
        matches!(self, Self::Png | Self::Svg | Self::Pdf | Self::Gif)
    }

    /// The ending of files, without the dot.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Gif => "gif",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Json => "json",
            Self::Npz => "npz",
            Self::Latex => "tex",
        }
    }

    /// The form of files with this ending, in letters of either case.
    pub fn from_ending(ending: &str) -> Option<Self> {
        let ending = ending.to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|format| format.ending() == ending)
    }
}
