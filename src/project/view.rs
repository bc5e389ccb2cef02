//! How a session is shown. Theme and text size are a person's preferences and not here.

use serde::{Deserialize, Serialize};

// The names of these two enums are those of the drawing floor, which maps its own types from them; a session
// file must not change its words because a back end does.

/// The colours of weights, from 0 to the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colormap {
    /// Dark violet to yellow.
    #[default]
    Viridis,
    /// Black to cream.
    Magma,
    /// Blue to yellow, the same for most colour-blind eyes.
    Cividis,
    /// White to black, for print.
    Grey,
}

impl Colormap {
    /// Every map.
    pub const ALL: [Self; 4] = [Self::Viridis, Self::Magma, Self::Cividis, Self::Grey];

    /// The name used in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viridis => "viridis",
            Self::Magma => "magma",
            Self::Cividis => "cividis",
            Self::Grey => "grey",
        }
    }
}

/// How a weight becomes a place in the colour map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// In proportion.
    #[default]
    Linear,
    /// By its logarithm: small weights can be told apart.
    Log,
    /// In proportion to the largest weight of its row.
    RowMax,
}

impl Scaling {
    /// Every scaling.
    pub const ALL: [Self; 3] = [Self::Linear, Self::Log, Self::RowMax];

    /// The name used in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Log => "log",
            Self::RowMax => "row_max",
        }
    }
}

/// What the panes show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaneLayout {
    /// A heatmap of the weights.
    #[default]
    Heatmap,
    /// The beam of one model.
    Beam,
}

impl PaneLayout {
    /// Every layout.
    pub const ALL: [Self; 2] = [Self::Heatmap, Self::Beam];

    /// The name on buttons.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Heatmap => "Heatmap",
            Self::Beam => "Beam",
        }
    }
}

/// Two models whose weights are compared: those of `left` minus those of `right`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DifferencePair {
    /// Name of the first model.
    pub left: String,
    /// Name of the second one.
    pub right: String,
}

/// How a session is shown; undo covers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewSettings {
    /// The colours of the heatmaps.
    pub colormap: Colormap,
    /// How weights are scaled before they are coloured.
    pub scaling: Scaling,
    /// One colour scale for all panes, so that equal colours are equal weights.
    pub shared_scale: bool,
    /// Numbers in the cells, where they fit.
    pub show_values: bool,
    /// The curves of entropy and context norm.
    pub show_curves: bool,
    /// What the panes show.
    pub layout: PaneLayout,
    /// Hypotheses kept by the beam.
    pub beam_size: usize,
    /// The pair in the difference pane, if there is one.
    pub difference: Option<DifferencePair>,
}

impl Default for ViewSettings {
    fn default() -> Self {
        Self {
            colormap: Colormap::default(),
            scaling: Scaling::default(),
            shared_scale: true,
            show_values: true,
            show_curves: true,
            layout: PaneLayout::default(),
            beam_size: 4,
            difference: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_in_files() {
        for map in Colormap::ALL {
            assert_eq!(ron::to_string(&map).unwrap(), map.name());
        }
        for scaling in Scaling::ALL {
            assert_eq!(ron::to_string(&scaling).unwrap(), scaling.name());
        }
    }

    #[test]
    fn missing_fields_have_defaults() {
        let view: ViewSettings = ron::from_str("(colormap: grey)").unwrap();
        assert_eq!(view.colormap, Colormap::Grey);
        assert_eq!(
            view,
            ViewSettings {
                colormap: Colormap::Grey,
                ..ViewSettings::default()
            }
        );
    }
}
