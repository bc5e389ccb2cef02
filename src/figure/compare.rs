//! Several heatmaps side by side with one shared colour bar, and the difference of two matrices.

use ndarray::Array2;

use crate::alignment::{LabelledMatrix, MatrixError};

use super::colorbar;
use super::heatmap::{
    Frame, HeatmapLayout, HeatmapSpec, MARGIN, fitting_pitch, line_height, sizes, text_item,
};
use super::scale::ValueRange;
use super::scene::{Item, Point, Rect, Scene, Weight};
use super::text::{descent, text_width};

/// Between two panels, in points.
const PANEL_GAP: f32 = 32.0;
/// Between the last panel and the colour bar.
const BAR_GAP: f32 = 20.0;
/// Panels in a row where nothing else is asked for.
const USUAL_COLUMNS: usize = 4;
/// The width of all panels together where nothing else is asked for.
const USUAL_WIDTH: f32 = 1000.0;

/// Heatmaps that are compared: cells of one size, colours of one scale, one colour bar.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareSpec {
    /// Above everything; may be empty.
    pub title: String,
    /// The panels, row after row. Map, scaling, palette, font size and range are those of the first one;
    /// without a range there, all matrices share one. Their own colour bars are not drawn.
    pub panels: Vec<HeatmapSpec>,
    /// Panels in a row; 0 is up to 4.
    pub columns: usize,
    /// Whether the colour bar is drawn.
    pub show_colorbar: bool,
    /// Width and height to fit in, in points, as in [`HeatmapSpec::available`].
    pub available: Option<[f32; 2]>,
}

/// A comparison's geometry, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareLayout {
    /// Width of the whole figure.
    pub width: f32,
    /// Height of the whole figure.
    pub height: f32,
    /// The panels; their coordinates are those of the whole figure.
    pub panels: Vec<HeatmapLayout>,
    /// The shared colour bar's coloured area.
    pub colorbar: Option<Rect>,
}

impl CompareSpec {
    /// A comparison with the usual settings.
    pub fn new(panels: Vec<HeatmapSpec>) -> Self {
        Self {
            title: String::new(),
            panels,
            columns: 0,
            show_colorbar: true,
            available: None,
        }
    }

    /// The panels as they are drawn: with the shared settings and range.
    pub fn shared_panels(&self) -> Vec<HeatmapSpec> {
        let Some(first) = self.panels.first() else {
            return Vec::new();
        };
        let matrices = || self.panels.iter().map(|panel| panel.matrix.as_ref());
        let range = first.range.unwrap_or_else(|| {
            if first.diverging {
                ValueRange::symmetric(matrices())
            } else {
                ValueRange::shared(matrices())
            }
        });
        let share = |panel: &HeatmapSpec| HeatmapSpec {
            range: Some(range),
            colormap: first.colormap,
            scaling: first.scaling,
            diverging: first.diverging,
            palette: first.palette,
            font_size: first.font_size,
            value_name: first.value_name.clone(),
            low_name: first.low_name.clone(),
            ..panel.clone()
        };
        self.panels.iter().map(share).collect()
    }

    fn columns(&self) -> usize {
        let usual = if self.columns == 0 {
            USUAL_COLUMNS
        } else {
            self.columns
        };
        usual.min(self.panels.len()).max(1)
    }

    /// Where everything stands.
    pub fn layout(&self) -> CompareLayout {
        self.layout_of(&self.shared_panels())
    }

    /// The layout of [`CompareSpec::shared_panels`].
    fn layout_of(&self, panels: &[HeatmapSpec]) -> CompareLayout {
        let pitch = self.pitch(panels);
        let bare = |spec: &HeatmapSpec, top, left| {
            let frame = Frame {
                pitch: Some(pitch),
                top,
                left,
                bare: true,
            };
            HeatmapLayout::new(spec, &frame)
        };
        let mut layouts: Vec<HeatmapLayout> =
            panels.iter().map(|spec| bare(spec, None, None)).collect();
        let columns = self.columns();
        let mut y = MARGIN + self.title_height();
        let mut right = MARGIN;
        for (row, specs) in panels.chunks(columns).enumerate() {
            let in_row = row * columns..row * columns + specs.len();
            let top = layouts[in_row.clone()]
                .iter()
                .map(|layout| layout.grid.origin.y)
                .fold(0.0, f32::max);
            let mut x = MARGIN;
            let mut bottom = y;
            for (column, index) in in_row.enumerate() {
                // Panels below each other start at the same place.
                let of_column = layouts.iter().skip(column).step_by(columns);
                let left = of_column
                    .map(|layout| layout.grid.origin.x)
                    .fold(0.0, f32::max);
                let mut layout = bare(&panels[index], Some(top), Some(left));
                layout.shift(Point::new(x, y));
                let end = x + layout.width;
                bottom = bottom.max(y + layout.height);
                right = right.max(end);
                x = end + PANEL_GAP;
                layouts[index] = layout;
            }
            y = bottom + PANEL_GAP;
        }
        let bottom = if panels.is_empty() { y } else { y - PANEL_GAP };
        self.finish(panels, layouts, Point::new(right, bottom))
    }

    /// Adds the colour bar and the margins around panels that end at `end`.
    fn finish(
        &self,
        panels: &[HeatmapSpec],
        layouts: Vec<HeatmapLayout>,
        end: Point,
    ) -> CompareLayout {
        let (mut right, mut bottom) = (end.x, end.y);
        let mut bar = None;
        if let (true, Some(spec), Some(first)) =
            (self.show_colorbar, panels.first(), layouts.first())
        {
            let cells = first.grid.area();
            let rect = colorbar::place(cells, right + BAR_GAP);
            right = rect.right() + colorbar::text_extent(panels, spec);
            bottom = bottom.max(rect.bottom() + colorbar::note_height(panels));
            bar = Some(rect);
        }
        let [title_size, ..] = self.sizes();
        let title = MARGIN + text_width(&self.title, title_size, Weight::SemiBold);
        CompareLayout {
            width: (right.max(title) + MARGIN).ceil(),
            height: (bottom + MARGIN).ceil(),
            panels: layouts,
            colorbar: bar,
        }
    }

    fn sizes(&self) -> [f32; 3] {
        sizes(self.panels.first().map_or(12.0, |panel| panel.font_size))
    }

    fn title_height(&self) -> f32 {
        if self.title.is_empty() {
            0.0
        } else {
            line_height(self.sizes()[0]) + 12.0
        }
    }

    /// The side of the cells with which every panel fits.
    fn pitch(&self, panels: &[HeatmapSpec]) -> f32 {
        let columns = self.columns() as f32;
        let rows = (panels.len() as f32 / columns).ceil().max(1.0);
        let around = 2.0 * MARGIN + (columns - 1.0) * PANEL_GAP;
        let bar = match panels.first() {
            Some(spec) if self.show_colorbar => {
                BAR_GAP + colorbar::WIDTH + colorbar::text_extent(panels, spec)
            }
            _ => 0.0,
        };
        let [width, height] = self
            .available
            .unwrap_or([USUAL_WIDTH + around + bar, 4000.0]);
        let heights = 2.0 * MARGIN + self.title_height() + (rows - 1.0) * PANEL_GAP;
        let share = [(width - around - bar) / columns, (height - heights) / rows];
        let frame = Frame {
            bare: true,
            ..Frame::default()
        };
        let of_panel = |spec: &HeatmapSpec| {
            let mut spec = spec.clone();
            spec.available = Some(share);
            fitting_pitch(&spec, &frame)
        };
        panels.iter().map(of_panel).fold(f32::INFINITY, f32::min)
    }

    /// The finished picture.
    pub fn scene(&self) -> Scene {
        self.scene_of(&self.layout())
    }

    /// The picture with a layout of this specification.
    pub fn scene_of(&self, layout: &CompareLayout) -> Scene {
        let panels = self.shared_panels();
        let title = if self.title.is_empty() {
            let names: Vec<&str> = panels.iter().map(|panel| panel.title.as_str()).collect();
            format!("Comparison: {}", names.join(", "))
        } else {
            self.title.clone()
        };
        let mut scene = Scene {
            title,
            width: layout.width,
            height: layout.height,
            background: panels.first().and_then(|panel| panel.palette.background),
            items: Vec::new(),
        };
        if let (false, Some(first)) = (self.title.is_empty(), panels.first()) {
            let [size, ..] = self.sizes();
            let at = Point::new(MARGIN, MARGIN + line_height(size) - descent(size));
            let item = text_item(&self.title, at, size, Weight::SemiBold, first.palette.text);
            scene.items.push(Item::Text(item));
        }
        for (spec, panel) in panels.iter().zip(&layout.panels) {
            scene.place(spec.scene_of(panel), Point::default());
        }
        if let (Some(bar), Some(first)) = (layout.colorbar, panels.first()) {
            colorbar::draw(&mut scene, &panels, first, bar);
        }
        scene
    }
}

/// Two matrices that cannot be subtracted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DifferenceError {
    /// The source sentences differ in length.
    #[error("expected two matrices of the same source, found {first} and {second} source tokens")]
    SourceLength {
        /// Columns of the first.
        first: usize,
        /// Columns of the second.
        second: usize,
    },
    /// The source sentences differ in a token.
    #[error(
        "expected two matrices of the same source, found \"{first}\" and \"{second}\" at position {position}"
    )]
    SourceToken {
        /// The first column that differs, from 0.
        position: usize,
        /// The first matrix's token.
        first: String,
        /// The second matrix's token.
        second: String,
    },
    /// The labels do not fit.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
}

/// The difference of two matrices.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// `a − b` on the rows that both have, `[min(T_a, T_b), S]`. A row whose tokens differ is labelled with
    /// both, "cat / dog".
    pub matrix: LabelledMatrix,
    /// The rows before the first one whose tokens differ. Rows behind it compare decoders that have said
    /// different things.
    pub agreeing_rows: usize,
}

/// What `a` gives more (positive) or less (negative) than `b`, both over the same source.
///
/// # Errors
/// [`DifferenceError`] when the columns are not the same tokens.
pub fn difference(a: &LabelledMatrix, b: &LabelledMatrix) -> Result<Difference, DifferenceError> {
    let (columns, others) = (a.columns(), b.columns());
    if columns.len() != others.len() {
        return Err(DifferenceError::SourceLength {
            first: columns.len(),
            second: others.len(),
        });
    }
    let differs = columns
        .iter()
        .zip(others)
        .position(|(first, second)| first != second);
    if let Some(position) = differs {
        return Err(DifferenceError::SourceToken {
            position,
            first: columns[position].clone(),
            second: others[position].clone(),
        });
    }
    let pairs = || a.rows().iter().zip(b.rows());
    let label = |(first, second): (&String, &String)| {
        if first == second {
            first.clone()
        } else {
            format!("{first} / {second}")
        }
    };
    let rows: Vec<String> = pairs().map(label).collect();
    let agreeing_rows = pairs()
        .take_while(|(first, second)| first == second)
        .count();
    let shape = (rows.len(), columns.len());
    let values = Array2::from_shape_fn(shape, |at| a.values()[at] - b.values()[at]);
    Ok(Difference {
        matrix: LabelledMatrix::new(rows, columns.to_vec(), values)?,
        agreeing_rows,
    })
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
