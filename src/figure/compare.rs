//! Several heatmaps side by side with one shared colour bar.

use super::colorbar;
use super::heatmap::{
    Frame, HeatmapLayout, HeatmapSpec, MARGIN, fitting_pitch, line_height, sizes, text_item,
};
use super::scale::ValueRange;
use super::scene::{Item, Point, Rect, Scene, Weight};
use super::text::{descent, text_width};

/// Between two panels, in font sizes.
const PANEL_GAP: f32 = 32.0 / 12.0;
/// Between the last panel and the colour bar, and between two colour bars.
const BAR_GAP: f32 = 20.0;
/// Panels in a row where nothing else is asked for.
const USUAL_COLUMNS: usize = 4;
/// The width of all panels together where nothing else is asked for.
const USUAL_WIDTH: f32 = 1000.0;

/// Heatmaps that are compared: cells of one size, colours of one scale, one colour bar; and behind them signed
/// differences, with a colour bar of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareSpec {
    /// Above everything; may be empty.
    pub title: String,
    /// The panels, row after row. Map, scaling, palette, font size and range are those of the first one;
    /// without a range there, all matrices share one. Their own colour bars are not drawn.
    pub panels: Vec<HeatmapSpec>,
    /// Signed panels behind them. What they share is that of the first one, palette and font size are those of
    /// the first panel.
    pub differences: Vec<HeatmapSpec>,
    /// Panels in a row; 0 is up to 4.
    pub columns: usize,
    /// Whether the panels have one range and one colour bar; otherwise each keeps its own.
    pub share_range: bool,
    /// Whether the colour bars are drawn.
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
    /// The differences, likewise.
    pub differences: Vec<HeatmapLayout>,
    /// The shared colour bar's coloured area.
    pub colorbar: Option<Rect>,
    /// The coloured area of the differences' bar.
    pub difference_bar: Option<Rect>,
}

/// Panels with what they share filled in: range (unless each has its own), map, scaling, palette, font size, names.
fn shared(panels: &[HeatmapSpec], look: &HeatmapSpec, share_range: bool) -> Vec<HeatmapSpec> {
    let Some(first) = panels.first() else {
        return Vec::new();
    };
    let matrices = || panels.iter().map(|panel| panel.matrix.as_ref());
    let range = first.range.unwrap_or_else(|| {
        if first.diverging {
            ValueRange::symmetric(matrices())
        } else {
            ValueRange::shared(matrices())
        }
    });
    let share = |panel: &HeatmapSpec| HeatmapSpec {
        range: if share_range {
            Some(range)
        } else {
            panel.range
        },
        colormap: first.colormap,
        scaling: first.scaling,
        diverging: first.diverging,
        palette: look.palette,
        font_size: look.font_size,
        value_name: first.value_name.clone(),
        low_name: first.low_name.clone(),
        ..panel.clone()
    };
    panels.iter().map(share).collect()
}

impl CompareSpec {
    /// A comparison with the usual settings.
    pub fn new(panels: Vec<HeatmapSpec>) -> Self {
        Self {
            title: String::new(),
            panels,
            differences: Vec::new(),
            columns: 0,
            share_range: true,
            show_colorbar: true,
            available: None,
        }
    }

    /// The first panel, which says how all look.
    fn first(&self) -> Option<&HeatmapSpec> {
        self.panels.first().or(self.differences.first())
    }

    /// The panels as they are drawn: with the shared settings and range.
    pub fn shared_panels(&self) -> Vec<HeatmapSpec> {
        self.first().map_or_else(Vec::new, |look| {
            shared(&self.panels, look, self.share_range)
        })
    }

    /// The panels as they are drawn, and behind them the differences.
    fn all_panels(&self) -> Vec<HeatmapSpec> {
        let mut all = self.shared_panels();
        if let Some(look) = self.first() {
            all.extend(shared(&self.differences, look, true));
        }
        all
    }

    /// Whether a panel is drawn with a colour bar of its own.
    fn has_own_bar(&self, spec: &HeatmapSpec) -> bool {
        self.show_colorbar && !self.share_range && !spec.diverging
    }

    /// How many heatmaps there are.
    fn count(&self) -> usize {
        self.panels.len() + self.differences.len()
    }

    fn columns(&self) -> usize {
        let usual = if self.columns == 0 {
            USUAL_COLUMNS
        } else {
            self.columns
        };
        usual.min(self.count()).max(1)
    }

    /// Between two panels, in points.
    fn gap(&self) -> f32 {
        PANEL_GAP * self.sizes()[1]
    }

    /// Where everything stands.
    pub fn layout(&self) -> CompareLayout {
        self.layout_of(&self.all_panels())
    }

    /// The layout of [`CompareSpec::all_panels`].
    fn layout_of(&self, panels: &[HeatmapSpec]) -> CompareLayout {
        let (pitch, [share, _]) = (self.pitch(panels), self.share(panels));
        let title = self.available.map(|_| share);
        let bare = |spec: &HeatmapSpec, top, left| {
            let frame = Frame {
                pitch: Some(pitch),
                top,
                left,
                bare: true,
                bar: self.has_own_bar(spec),
                title,
            };
            HeatmapLayout::new(spec, &frame)
        };
        let mut layouts: Vec<HeatmapLayout> =
            panels.iter().map(|spec| bare(spec, None, None)).collect();
        let (columns, gap) = (self.columns(), self.gap());
        // Panels below each other start at the same place.
        let lefts: Vec<f32> = (0..columns)
            .map(|column| {
                let of_column = layouts.iter().skip(column).step_by(columns);
                let lefts = of_column.map(|layout| layout.grid.origin.x);
                lefts.fold(0.0, f32::max)
            })
            .collect();
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
                let mut layout = bare(&panels[index], Some(top), Some(lefts[column]));
                layout.shift(Point::new(x, y));
                let end = x + layout.width;
                bottom = bottom.max(y + layout.height);
                right = right.max(end);
                x = end + gap;
                layouts[index] = layout;
            }
            y = bottom + gap;
        }
        let bottom = if panels.is_empty() { y } else { y - gap };
        self.finish(panels, layouts, Point::new(right, bottom))
    }

    /// Adds the colour bars and the margins around panels that end at `end`.
    fn finish(
        &self,
        panels: &[HeatmapSpec],
        mut layouts: Vec<HeatmapLayout>,
        end: Point,
    ) -> CompareLayout {
        let (mut right, mut bottom) = (end.x, end.y);
        let mut bars: [Option<Rect>; 2] = [None, None];
        let parts = [0..self.panels.len(), self.panels.len()..self.count()];
        for (part, range) in parts.into_iter().enumerate() {
            let (specs, first) = (&panels[range.clone()], layouts.get(range.start));
            let shows = self.show_colorbar && (part == 1 || self.share_range);
            let (true, Some(spec), Some(first)) = (shows, specs.first(), first) else {
                continue;
            };
            let cells = first.grid.area();
            let mut bar = colorbar::place(cells, end.x + BAR_GAP, spec.font_size);
            if let (1, Some(other)) = (part, bars[0]) {
                let other_bottom = other.bottom() + colorbar::note_height(&panels[..range.start]);
                if cells.y < first_row_bottom(&layouts) {
                    bar.x = right + BAR_GAP;
                } else {
                    bar.y = bar.y.max(other_bottom + BAR_GAP);
                }
            }
            right = right.max(bar.right() + colorbar::text_extent(specs, spec));
            bottom = bottom.max(bar.bottom() + colorbar::note_height(specs));
            bars[part] = Some(bar);
        }
        let [title_size, ..] = self.sizes();
        let title = MARGIN + text_width(&self.title, title_size, Weight::SemiBold);
        let differences = layouts.split_off(self.panels.len());
        CompareLayout {
            width: (right.max(title) + MARGIN).ceil(),
            height: (bottom + MARGIN).ceil(),
            panels: layouts,
            differences,
            colorbar: bars[0],
            difference_bar: bars[1],
        }
    }

    fn sizes(&self) -> [f32; 3] {
        sizes(self.first().map_or(12.0, |panel| panel.font_size))
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
        let share = self.share(panels);
        let of_panel = |spec: &HeatmapSpec| {
            let frame = Frame {
                bare: true,
                bar: self.has_own_bar(spec),
                title: self.available.map(|_| share[0]),
                ..Frame::default()
            };
            let mut spec = spec.clone();
            spec.available = Some(share);
            fitting_pitch(&spec, &frame)
        };
        panels.iter().map(of_panel).fold(f32::INFINITY, f32::min)
    }

    /// The width and height that each panel may have.
    fn share(&self, panels: &[HeatmapSpec]) -> [f32; 2] {
        let columns = self.columns() as f32;
        let rows = (panels.len() as f32 / columns).ceil().max(1.0);
        let around = 2.0 * MARGIN + (columns - 1.0) * self.gap();
        let bar = |specs: &[HeatmapSpec]| match specs.first() {
            Some(spec) if self.show_colorbar && !self.has_own_bar(spec) => {
                BAR_GAP + colorbar::WIDTH + colorbar::text_extent(specs, spec)
            }
            _ => 0.0,
        };
        let (weights, signed) = panels.split_at(self.panels.len());
        let bar = if rows > 1.0 {
            bar(weights).max(bar(signed))
        } else {
            bar(weights) + bar(signed)
        };
        let [width, height] = self
            .available
            .unwrap_or([USUAL_WIDTH + around + bar, 4000.0]);
        let heights = 2.0 * MARGIN + self.title_height() + (rows - 1.0) * self.gap();
        [(width - around - bar) / columns, (height - heights) / rows]
    }

    /// The finished picture.
    pub fn scene(&self) -> Scene {
        self.scene_of(&self.layout())
    }

    /// The picture with a layout of this specification.
    pub fn scene_of(&self, layout: &CompareLayout) -> Scene {
        let panels = self.all_panels();
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
        let layouts = layout.panels.iter().chain(&layout.differences);
        for (spec, panel) in panels.iter().zip(layouts) {
            scene.place(spec.scene_of(panel), Point::default());
        }
        let (weights, signed) = panels.split_at(self.panels.len());
        let bars = [(weights, layout.colorbar), (signed, layout.difference_bar)];
        for (specs, bar) in bars {
            if let (Some(bar), Some(first)) = (bar, specs.first()) {
                colorbar::draw(&mut scene, specs, first, bar);
            }
        }
        scene
    }
}

/// Where the first row of panels ends.
fn first_row_bottom(layouts: &[HeatmapLayout]) -> f32 {
    layouts.first().map_or(0.0, |first| {
        let area = first.grid.area();
        area.y + area.height.max(1.0)
    })
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
