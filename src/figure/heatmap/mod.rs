//! Heatmaps: one matrix with its labels.

mod draw;
mod grid;
mod layout;
mod viewport;

use std::sync::Arc;

use crate::alignment::LabelledMatrix;

use super::colormap::Colormap;
use super::colour_scale::ColourScale;
use super::labels::LabelAngle;
use super::palette::Palette;
use super::scale::{Scaling, ValueRange};
use super::scene::Scene;

pub use grid::Grid;
pub use layout::HeatmapLayout;
pub(super) use layout::{Frame, MARGIN, fitting_pitch, line_height, text_item};
pub use viewport::Viewport;

/// The most cells that are drawn as rectangles; larger matrices are one image.
pub const MAX_RECT_CELLS: usize = 4_000;

/// A heatmap as it is asked for.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of a figure, set by name"
)]
pub struct HeatmapSpec {
    /// Values `[T, S]`: rows are target tokens, columns source tokens.
    pub matrix: Arc<LabelledMatrix>,
    /// In semi-bold above the cells; may be empty.
    pub title: String,
    /// Below the title, such as the translation; may be empty.
    pub subtitle: String,
    /// The map for values from low to high.
    pub colormap: Colormap,
    /// How values are spread over the map.
    pub scaling: Scaling,
    /// The values at the map's ends; `None` for [`ValueRange::shared`] of this matrix, or
    /// [`ValueRange::symmetric`] if `diverging`.
    pub range: Option<ValueRange>,
    /// Whether values are signed and drawn with the palette's diverging map.
    pub diverging: bool,
    /// Whether values stand in their cells, where they fit.
    pub show_values: bool,
    /// Whether a colour bar stands on the right.
    pub show_colorbar: bool,
    /// What the values are, written at the top of the colour bar; may be empty.
    pub value_name: String,
    /// What values at the low end are, written there; useful for signed values, usually empty.
    pub low_name: String,
    /// The row (target token) of the current step.
    pub current_row: Option<usize>,
    /// Values closer to 0 are not drawn: their cells are empty. 0 draws all.
    pub threshold: f32,
    /// Rows that are drawn; later ones are empty places, and their labels are not written. `None` is all. The
    /// layout is that of all rows, so that the pictures of an animation agree.
    pub visible_rows: Option<usize>,
    /// Rows to keep place for, so that the picture does not jump while a translation grows. Fewer than there
    /// are count as those there are.
    pub expected_rows: usize,
    /// How the labels above the columns are turned.
    pub label_angle: LabelAngle,
    /// The smallest side of a cell, in points.
    pub min_cell: f32,
    /// The largest side of a cell, in points.
    pub max_cell: f32,
    /// Width and height to fit in, in points; cells shrink to `min_cell` at most. `None`: about a page's
    /// width.
    pub available: Option<[f32; 2]>,
    /// The part of the cells to show, with its own size of cells; `None` shows all of them.
    pub viewport: Option<Viewport>,
    /// Size of labels in points; titles are larger and values smaller by a sixth.
    pub font_size: f32,
    /// Colours.
    pub palette: Palette,
    /// Whether source tokens run down and target tokens to the right.
    pub transposed: bool,
}

impl HeatmapSpec {
    /// A heatmap of weights with the usual settings.
    pub fn new(matrix: Arc<LabelledMatrix>) -> Self {
        Self {
            matrix,
            title: String::new(),
            subtitle: String::new(),
            colormap: Colormap::default(),
            scaling: Scaling::default(),
            range: None,
            diverging: false,
            show_values: false,
            show_colorbar: true,
            value_name: "weight".to_owned(),
            low_name: String::new(),
            current_row: None,
            threshold: 0.0,
            visible_rows: None,
            expected_rows: 0,
            label_angle: LabelAngle::default(),
            min_cell: 4.0,
            max_cell: 44.0,
            available: None,
            viewport: None,
            font_size: 12.0,
            palette: Palette::default(),
            transposed: false,
        }
    }

    /// How values become colours.
    pub fn colour_scale(&self) -> ColourScale {
        let range = self.range.unwrap_or_else(|| {
            let matrix = [self.matrix.as_ref()];
            if self.diverging {
                ValueRange::symmetric(matrix)
            } else {
                ValueRange::shared(matrix)
            }
        });
        ColourScale {
            colormap: self.colormap,
            scaling: self.scaling,
            range,
            diverging: self.diverging.then_some(self.palette.diverging),
        }
    }

    /// Where everything stands.
    pub fn layout(&self) -> HeatmapLayout {
        match self.viewport {
            Some(viewport) => viewport::layout(self, viewport),
            None => HeatmapLayout::new(self, &Frame::default()),
        }
    }

    /// The space in points that cells `pitch` apart have for themselves in a viewport, if there are enough of them;
    /// no end where `available` has none.
    pub fn room(&self, pitch: f32) -> [f32; 2] {
        viewport::room(self, pitch)
    }

    /// The finished picture.
    pub fn scene(&self) -> Scene {
        self.scene_of(&self.layout())
    }

    /// The picture with a layout of this specification.
    pub fn scene_of(&self, layout: &HeatmapLayout) -> Scene {
        draw::scene(self, layout)
    }

    /// Whether a value is below the threshold. NaN is not: it is hatched.
    pub(super) fn is_hidden(&self, value: f32) -> bool {
        value.abs() < self.threshold
    }

    /// Whether a row is drawn.
    fn is_visible(&self, row: usize) -> bool {
        self.visible_rows.is_none_or(|visible| row < visible)
    }

    /// Rows that have a place.
    fn place_for_rows(&self) -> usize {
        self.expected_rows.max(self.matrix.rows().len())
    }

    /// Font sizes in points: title, label, value.
    fn sizes(&self) -> [f32; 3] {
        sizes(self.font_size)
    }
}

/// Journals refuse smaller letters, in points.
pub const LEGIBLE: f32 = 6.0;

/// A size derived from that of the labels, which does not fall below [`LEGIBLE`] unless the labels do.
pub(super) fn legible(label: f32, size: f32) -> f32 {
    size.max(LEGIBLE.min(label))
}

/// Font sizes in points: title, label, small.
pub(super) fn sizes(font_size: f32) -> [f32; 3] {
    let label = if font_size.is_finite() {
        font_size.clamp(4.0, 72.0)
    } else {
        12.0
    };
    [label * 7.0 / 6.0, label, legible(label, label * 5.0 / 6.0)]
}
