//! Figures: heatmaps, comparisons and curves as one geometry with several back ends.
//!
//! A specification ([`HeatmapSpec`], [`CompareSpec`], [`CurveSpec`], [`LinksSpec`], [`BarsSpec`], [`BeamSpec`])
//! becomes a layout, which is pure geometry, and the layout a [`Scene`] of rectangles, images, lines and texts. The
//! window paints the scene; [`to_svg`], [`to_pdf`], [`to_png`] and [`to_gif`] write it. So what is on screen and in
//! a file agrees, and export needs no window. [`FigureSpec`] puts parts together into a figure of an exact size, as
//! [`FigureOptions`] ask for; [`RunTable`] is the numbers behind one, written by [`to_csv`], [`to_tsv`],
//! [`to_json`], [`to_npz`] and [`to_latex`].
//!
//! Rows are target tokens from top to bottom, columns source tokens. Lengths are points (1/72 inch).

mod bars;
mod beam;
mod bottleneck;
mod colorbar;
mod colormap;
mod colormap_points;
mod colour_scale;
mod compare;
mod curves;
mod difference;
mod fonts;
mod format;
mod gif;
mod heatmap;
mod labels;
mod latex;
mod links;
mod npz;
mod options;
mod palette;
mod pdf;
mod png;
mod raster;
mod run_table;
mod scale;
mod scene;
mod stack;
mod svg;
mod text;
mod whole;

pub use bars::{BarsLayout, BarsSpec};
pub use beam::{BeamBox, BeamLayout, BeamRow, BeamSpec};
pub use bottleneck::{BottleneckLayout, BottleneckSpec};
pub use colormap::{Colormap, Diverging, TABLE_LEN, contrast, luminance, text_on};
pub use colour_scale::{ColourScale, row_maximum};
pub use compare::{CompareLayout, CompareSpec};
pub use curves::{CurveLayout, CurveSpec, ReferenceLine, Series};
pub use difference::{Difference, DifferenceError, difference};
pub use fonts::{FontDb, INTER_REGULAR, INTER_SEMI_BOLD, SYMBOL_FAMILY, SYMBOLS, TEXT_FAMILY};
pub use format::FigureFormat;
pub use gif::to_gif;
pub use heatmap::{Grid, HeatmapLayout, HeatmapSpec, LEGIBLE, MAX_RECT_CELLS, Viewport};
pub use labels::{Label, LabelAngle};
pub use latex::to_latex;
pub use links::{LinkItem, LinkLine, LinkToken, LinksLayout, LinksSpec};
pub use npz::to_npz;
pub use options::{FigureOptions, FigureTheme, Length, LengthError, MAX_MM, OptionsError};
pub use palette::{Palette, Role, SERIES_COUNT};
pub use pdf::{MAX_PAGE, to_pdf};
pub use png::{MAX_PIXELS, MAX_SIDE, Raster, RenderError, Resolution, to_png, to_raster};
pub use run_table::{DataError, RunTable, to_csv, to_json, to_tsv};
pub use scale::{LOG_FLOOR, Scaling, Tick, ValueRange, format_value, linear_ticks};
pub use scene::{
    Anchor, ImageItem, Item, MarkerShape, Point, Rect, Rgba, Scene, Stroke, TextItem, Weight,
    hatch_lines,
};
pub use stack::stack;
pub use svg::to_svg;
pub use text::{
    ascent, cap_height, centred_baseline, centred_digits, descent, fit, missing_characters,
    text_width, visible_label, x_height,
};
pub use whole::{FigureBody, FigureError, FigureSpec};
