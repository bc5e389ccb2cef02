//! What was chosen for the last export.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::figure::{Colormap, FigureFormat, FigureOptions, Length, Scaling};

/// What an exported figure shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportContent {
    /// What the window shows.
    #[default]
    AsShown,
    /// A heatmap for each model.
    Heatmaps,
    /// Lines between source and target tokens.
    Links,
    /// The hypotheses of a beam search.
    Beam,
    /// The weights of the chosen step as bars.
    Step,
}

impl ExportContent {
    /// Every content.
    pub const ALL: [Self; 5] = [
        Self::AsShown,
        Self::Heatmaps,
        Self::Links,
        Self::Beam,
        Self::Step,
    ];

    /// The name in the dialog.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AsShown => "As in the window",
            Self::Heatmaps => "Heatmaps",
            Self::Links => "Links",
            Self::Beam => "Beam search",
            Self::Step => "Weights of this step",
        }
    }
}

/// Sizes that are often asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExportPreset {
    /// As large as the cells need.
    Natural,
    /// A column of a paper, 85 mm.
    Column,
    /// The width of a paper's page, 170 mm.
    Page,
    /// A slide of 16:9, 10 by 5.625 inches.
    Slide,
}

impl ExportPreset {
    /// Every preset.
    pub const ALL: [Self; 4] = [Self::Natural, Self::Column, Self::Page, Self::Slide];

    /// The name in the dialog.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Natural => "Natural",
            Self::Column => "Column 85 mm",
            Self::Page => "Page 170 mm",
            Self::Slide => "Slide 16:9",
        }
    }

    /// Width and height.
    pub const fn size(self) -> [Option<Length>; 2] {
        match self {
            Self::Natural => [None, None],
            Self::Column => [Some(Length::Mm(85.0)), None],
            Self::Page => [Some(Length::Mm(170.0)), None],
            Self::Slide => [Some(Length::Mm(254.0)), Some(Length::Mm(142.875))],
        }
    }

    /// Size, resolution and letters of the preset.
    pub fn put(self, options: &mut FigureOptions) {
        [options.width, options.height] = self.size();
        (options.dpi, options.font_size) = match self {
            Self::Natural => (None, None),
            Self::Column | Self::Page => (Some(600), None),
            Self::Slide => (Some(192), Some(14.0)),
        };
    }

    /// The preset of a size, if it is one.
    pub fn of(options: &FigureOptions) -> Option<Self> {
        let size = [options.width, options.height];
        Self::ALL.into_iter().find(|preset| preset.size() == size)
    }
}

/// What was chosen for the last export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExportChoice {
    /// The form of the file.
    pub format: FigureFormat,
    /// What it shows.
    pub content: ExportContent,
    /// Whether the curves are drawn below.
    pub curves: bool,
    /// Whether the difference is drawn where the window shows one.
    pub difference: bool,
    /// Colours of weights; `None` is as in the window.
    pub colormap: Option<Colormap>,
    /// Spread of weights over the colours; `None` is as in the window.
    pub scaling: Option<Scaling>,
    /// Numbers in the cells; `None` is as in the window.
    pub values: Option<bool>,
    /// Everything else of the look. The fields above go over its own.
    pub options: FigureOptions,
    /// The folder of the last export.
    pub folder: Option<PathBuf>,
}

impl Default for ExportChoice {
    fn default() -> Self {
        Self {
            format: FigureFormat::Png,
            content: ExportContent::default(),
            curves: false,
            difference: true,
            colormap: None,
            scaling: None,
            values: None,
            options: FigureOptions::default(),
            folder: None,
        }
    }
}

impl ExportChoice {
    /// This choice with every option that cannot be set back to its default: what a stored form or a field of the
    /// dialog says may be out of range.
    #[must_use]
    pub fn repaired(mut self) -> Self {
        let usual = FigureOptions::default();
        let options = &mut self.options;
        let keep = |change: &dyn Fn(&mut FigureOptions)| {
            let mut tried = usual.clone();
            change(&mut tried);
            tried.check().is_ok()
        };
        options.width = options.width.filter(|l| keep(&|o| o.width = Some(*l)));
        options.height = options.height.filter(|l| keep(&|o| o.height = Some(*l)));
        options.dpi = options.dpi.filter(|dpi| keep(&|o| o.dpi = Some(*dpi)));
        options.font_size = options
            .font_size
            .filter(|size| keep(&|o| o.font_size = Some(*size)));
        options.threshold = options
            .threshold
            .filter(|weight| keep(&|o| o.threshold = Some(*weight)));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_is_known_by_its_size() {
        for preset in ExportPreset::ALL {
            let mut options = FigureOptions::default();
            preset.put(&mut options);
            assert_eq!(ExportPreset::of(&options), Some(preset));
            assert_eq!(options.check(), Ok(()));
        }
        let own = FigureOptions {
            width: Some(Length::Mm(86.0)),
            ..FigureOptions::default()
        };
        assert_eq!(ExportPreset::of(&own), None);
    }

    #[test]
    fn options_out_of_range_go_and_others_stay() {
        let choice = ExportChoice {
            options: FigureOptions {
                width: Some(Length::Mm(-1.0)),
                height: Some(Length::Mm(50.0)),
                dpi: Some(9999),
                font_size: Some(f32::NAN),
                threshold: Some(0.5),
                ..FigureOptions::default()
            },
            ..ExportChoice::default()
        };
        let options = choice.repaired().options;
        assert_eq!(
            (options.width, options.dpi, options.font_size),
            (None, None, None)
        );
        assert_eq!(options.height, Some(Length::Mm(50.0)));
        assert_eq!(options.threshold, Some(0.5));
    }

    #[test]
    fn an_older_stored_form_is_read() {
        let read: ExportChoice = ron::from_str("(scale: 2, curves: true, theme: dark)").unwrap();
        assert!(read.curves);
        let text = ron::to_string(&read).unwrap();
        assert_eq!(ron::from_str::<ExportChoice>(&text).unwrap(), read);
    }
}
