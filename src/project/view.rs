//! How a session is shown. Theme and text size are a person's preferences and not here.

use serde::{Deserialize, Serialize};

use crate::attribution::Method;
use crate::figure::{Colormap, Scaling};

/// What the panes show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaneLayout {
    /// A heatmap of the weights.
    #[default]
    Heatmap,
    /// Lines between source and target tokens.
    Links,
    /// The beam of one model.
    Beam,
}

impl PaneLayout {
    /// Every layout.
    pub const ALL: [Self; 3] = [Self::Heatmap, Self::Links, Self::Beam];

    /// The name on buttons.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Heatmap => "Heatmap",
            Self::Links => "Links",
            Self::Beam => "Beam",
        }
    }
}

/// A chart below the panes: a number of every step, one line a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chart {
    /// Entropy of attention, in nats.
    Entropy,
    /// Norm of the context.
    ContextNorm,
    /// Norm of the context beside that of the same sum without the softmax's division, by their logarithms.
    Unnormalised,
    /// Norm of the decoder's state.
    StateNorm,
    /// How far the gate is open that lets a new state in.
    GateOpenness,
    /// `ln p` of the chosen token, in nats.
    LogProbability,
}

impl Chart {
    /// Every chart, in the order in which they stand.
    pub const ALL: [Self; 6] = [
        Self::Entropy,
        Self::ContextNorm,
        Self::Unnormalised,
        Self::StateNorm,
        Self::GateOpenness,
        Self::LogProbability,
    ];
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
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of a menu, each on or off by itself"
)]
pub struct ViewSettings {
    /// The colours of the heatmaps.
    pub colormap: Colormap,
    /// How weights are scaled before they are coloured.
    pub scaling: Scaling,
    /// One colour scale for all panes, so that equal colours are equal weights.
    pub shared_scale: bool,
    /// Numbers in the cells, where they fit.
    pub show_values: bool,
    /// The charts below the panes.
    pub show_curves: bool,
    /// Which of them; the order and repetitions do not count.
    pub charts: Vec<Chart>,
    /// What the panes show.
    pub layout: PaneLayout,
    /// Links of weights below this many percent are not drawn.
    pub link_percent: u8,
    /// Hypotheses kept by the beam.
    pub beam_size: usize,
    /// The pair in the difference pane, if there is one.
    pub difference: Option<DifferencePair>,
    /// The unchanged run beside each that is changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub show_unchanged: bool,
    /// The attribution beside each heatmap, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribution: Option<Method>,
}

impl Default for ViewSettings {
    fn default() -> Self {
        Self {
            colormap: Colormap::default(),
            scaling: Scaling::default(),
            shared_scale: true,
            show_values: true,
            show_curves: true,
            charts: vec![Chart::Entropy, Chart::ContextNorm],
            layout: PaneLayout::default(),
            link_percent: 5,
            beam_size: 4,
            difference: None,
            show_unchanged: false,
            attribution: None,
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
    fn an_attribution_is_kept_by_its_name() {
        for method in Method::ALL {
            let view = ViewSettings {
                attribution: Some(method),
                ..ViewSettings::default()
            };
            let text = ron::to_string(&view).unwrap();
            assert!(text.contains(method.name()), "{text}");
            assert_eq!(ron::from_str::<ViewSettings>(&text).unwrap(), view);
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
