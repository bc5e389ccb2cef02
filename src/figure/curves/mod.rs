//! Line charts over decoding steps: entropy, context norms.

mod draw;
mod layout;

use super::labels::LabelAngle;
use super::palette::Palette;
use super::scene::Scene;

pub use layout::CurveLayout;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Which colour and mark it has, whichever other lines are shown; see [`Palette::series`].
    pub index: usize,
    /// A value for each step from the first, `[T]` or fewer; non-finite values interrupt the line.
    pub values: Vec<f32>,
}

/// A dashed level line, such as the largest possible entropy.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    /// Where.
    pub value: f32,
    /// What it is, written above its right end.
    pub label: String,
}

/// A line chart as it is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveSpec {
    /// In semi-bold above the chart; may be empty.
    pub title: String,
    /// The unit of the values, behind the title; may be empty.
    pub unit: String,
    /// The tokens of the steps, `[T]`.
    pub steps: Vec<String>,
    /// Steps to keep place for; fewer than there are count as those there are.
    pub expected_steps: usize,
    /// Steps that are drawn; `None` is all. The layout is that of all steps, so that the pictures of an animation
    /// agree.
    pub visible_steps: Option<usize>,
    /// The lines.
    pub series: Vec<Series>,
    /// A dashed line.
    pub reference: Option<ReferenceLine>,
    /// The current step.
    pub current_step: Option<usize>,
    /// Whether the vertical axis begins at 0.
    pub from_zero: bool,
    /// Whether names and marks of the lines stand above the chart; one line alone needs none.
    pub show_legend: bool,
    /// Width and height of the plotted area, in points.
    pub plot_size: [f32; 2],
    /// From one step to the next, in points, to stand under the columns of a heatmap; `None` spreads the
    /// steps over the width.
    pub pitch: Option<f32>,
    /// How the labels below the steps are turned.
    pub label_angle: LabelAngle,
    /// Size of labels in points; the title is larger and numbers are smaller by a sixth.
    pub font_size: f32,
    /// Colours.
    pub palette: Palette,
}

impl CurveSpec {
    /// A chart of these lines with the usual settings.
    pub fn new(steps: Vec<String>, series: Vec<Series>) -> Self {
        Self {
            title: String::new(),
            unit: String::new(),
            steps,
            expected_steps: 0,
            visible_steps: None,
            series,
            reference: None,
            current_step: None,
            from_zero: true,
            show_legend: true,
            plot_size: [360.0, 120.0],
            pitch: None,
            label_angle: LabelAngle::default(),
            font_size: 12.0,
            palette: Palette::default(),
        }
    }

    /// The entropy of each step in nats, under the line of the largest possible entropy `ln S`.
    pub fn entropy(steps: Vec<String>, series: Vec<Series>, source_length: usize) -> Self {
        let reference = (source_length > 0).then(|| {
            let value = (source_length as f32).ln();
            ReferenceLine {
                value,
                label: format!("ln {source_length} = {value:.2}"),
            }
        });
        Self {
            title: "Entropy per step".to_owned(),
            unit: "nats".to_owned(),
            reference,
            ..Self::new(steps, series)
        }
    }

    /// The Euclidean norm of each step's context vector.
    pub fn context_norm(steps: Vec<String>, series: Vec<Series>) -> Self {
        Self {
            title: "Context norm per step".to_owned(),
            from_zero: false,
            ..Self::new(steps, series)
        }
    }

    /// Where everything stands.
    pub fn layout(&self) -> CurveLayout {
        CurveLayout::new(self, 0.0)
    }

    /// The layout whose plotted area begins at `least_top` points or lower, in line with other charts.
    pub(super) fn layout_below(&self, least_top: f32) -> CurveLayout {
        CurveLayout::new(self, least_top)
    }

    /// The finished picture.
    pub fn scene(&self) -> Scene {
        draw::scene(self, &self.layout())
    }

    /// The picture with a layout of this specification.
    pub fn scene_of(&self, layout: &CurveLayout) -> Scene {
        draw::scene(self, layout)
    }

    /// Whether a step is drawn.
    fn is_visible(&self, step: usize) -> bool {
        self.visible_steps.is_none_or(|visible| step < visible)
    }

    /// Steps that have a place.
    fn place_for_steps(&self) -> usize {
        let longest = self.series.iter().map(|line| line.values.len()).max();
        let there = self.steps.len().max(longest.unwrap_or(0));
        there.max(self.expected_steps)
    }
}
