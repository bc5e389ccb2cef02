//! Figures: heatmaps, comparisons and curves as one geometry with several back ends.
//!
//! A specification ([`HeatmapSpec`], [`CompareSpec`], [`CurveSpec`]) becomes a layout, which is pure geometry,
//! and the layout a [`Scene`] of rectangles, images, lines and texts. The window paints the scene; [`to_svg`]
//! and [`to_png`] write it. So what is on screen and in a file agrees, and export needs no window.
//!
//! Rows are target tokens from top to bottom, columns source tokens. Lengths are points (1/72 inch).

mod bottleneck;
mod colorbar;
mod colormap;
mod colormap_points;
mod colour_scale;
mod compare;
mod curves;
mod fonts;
mod heatmap;
mod labels;
mod palette;
mod png;
mod scale;
mod scene;
mod stack;
mod svg;
mod text;

pub use bottleneck::{BottleneckLayout, BottleneckSpec};
pub use colormap::{Colormap, Diverging, TABLE_LEN, contrast, luminance, text_on};
pub use colour_scale::{ColourScale, row_maximum};
pub use compare::{CompareLayout, CompareSpec, Difference, DifferenceError, difference};
pub use curves::{CurveLayout, CurveSpec, ReferenceLine, Series};
pub use fonts::{FontDb, INTER_REGULAR, INTER_SEMI_BOLD, SYMBOL_FAMILY, SYMBOLS, TEXT_FAMILY};
pub use heatmap::{Grid, HeatmapLayout, HeatmapSpec, MAX_RECT_CELLS, Viewport};
pub use labels::{Label, LabelAngle};
pub use palette::{Palette, Role, SERIES_COUNT};
pub use png::{MAX_PIXELS, MAX_SIDE, Raster, RenderError, Resolution, to_png, to_raster};
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
