//! A whole figure: what it shows, and the options that give it size, letters and colours.

use std::cmp::Ordering;

use super::bars::BarsSpec;
use super::beam::BeamSpec;
use super::compare::CompareSpec;
use super::curves::CurveSpec;
use super::heatmap::{HeatmapSpec, MARGIN, line_height, sizes, text_item};
use super::links::LinksSpec;
use super::options::{FigureOptions, OptionsError};
use super::scale::{Scaling, ValueRange};
use super::scene::{Item, Point, Scene, Weight};
use super::stack::{StackLayout, stack};
use super::text::{descent, text_width};

/// Space around a figure of a given size, in points.
const SIZED_MARGIN: f32 = 6.0;
/// The largest cells of a figure of a given size, in font sizes.
const LARGEST_CELL: f32 = 6.0;
/// The height of curves, in font sizes.
const CURVE_HEIGHT: f32 = 10.0;
/// The height of links, in font sizes.
const LINKS_HEIGHT: f32 = 10.0;
/// The height over the width up to which more rows of panels are worth larger cells.
const TALLEST: f32 = 1.4;
/// How often a figure is laid out anew until it fits.
const ROUNDS: usize = 8;
/// The room of a side that was not asked for, in points.
const UNBOUNDED: f32 = 100_000.0;
/// Between two parts one below the other, besides their own margins.
const PART_GAP: f32 = 0.0;

/// What a figure shows.
#[derive(Clone, Debug, PartialEq)]
pub enum FigureBody {
    /// Heatmaps side by side, signed differences behind them, curves below.
    Heatmaps {
        /// The heatmaps.
        panels: Vec<HeatmapSpec>,
        /// The differences.
        differences: Vec<HeatmapSpec>,
        /// The curves.
        curves: Vec<CurveSpec>,
    },
    /// Links, one below the other, curves below.
    Links {
        /// The links.
        links: Vec<LinksSpec>,
        /// The curves.
        curves: Vec<CurveSpec>,
    },
    /// Hypotheses of beam searches, one below the other.
    Beams(Vec<BeamSpec>),
    /// Weights of one step.
    Bars(BarsSpec),
}

/// A whole figure.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureSpec {
    /// What it shows.
    pub body: FigureBody,
    /// What it looks like.
    pub options: FigureOptions,
}

/// A figure that cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FigureError {
    /// Options that cannot be.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A size too small for what it shall hold.
    #[error(
        "the figure needs at least {needed:.0}mm in {side} with letters of {font_size} points; {given:.0}mm were given: \
         make it larger, or the letters smaller"
    )]
    TooSmall {
        /// `width` or `height`.
        side: &'static str,
        /// What it needs, in millimetres.
        needed: f32,
        /// What was asked for, in millimetres.
        given: f32,
        /// Size of labels in points.
        font_size: f32,
    },
}

impl FigureSpec {
    /// The finished picture, exactly of the size that was asked for.
    ///
    /// # Errors
    /// [`FigureError`] for options that cannot be and for a size that is too small.
    pub fn scene(&self) -> Result<Scene, FigureError> {
        self.options.check()?;
        let dressed = self.dressed();
        let size = self.options.size();
        if size == [None, None] {
            return Ok(dressed.drawn([None, None], 0));
        }
        dressed.fitted(size)
    }

    /// The heatmaps as they are drawn, differences last; none for other bodies.
    pub fn heatmaps(&self) -> Vec<HeatmapSpec> {
        match self.dressed().body {
            FigureBody::Heatmaps {
                mut panels,
                differences,
                ..
            } => {
                panels.extend(differences);
                panels
            }
            _ => Vec::new(),
        }
    }

    /// The same figure with its options written into its parts.
    fn dressed(&self) -> Self {
        let mut figure = self.clone();
        let options = &self.options;
        match &mut figure.body {
            FigureBody::Heatmaps {
                panels,
                differences,
                curves,
            } => {
                dress_panels(panels, differences, options);
                curves
                    .iter_mut()
                    .for_each(|curve| dress_curve(curve, options));
            }
            FigureBody::Links { links, curves } => {
                for spec in links {
                    spec.palette = options.palette();
                    spec.font_size = options.label_size();
                    spec.height = LINKS_HEIGHT * spec.font_size;
                    spec.widest_line = 0.42 * spec.font_size;
                    spec.threshold = options.threshold.unwrap_or(LinksSpec::THRESHOLD);
                }
                curves
                    .iter_mut()
                    .for_each(|curve| dress_curve(curve, options));
            }
            FigureBody::Beams(beams) => {
                for spec in beams {
                    spec.palette = options.palette();
                    spec.font_size = options.label_size();
                    spec.colormap = options.colormap;
                }
            }
            FigureBody::Bars(spec) => {
                spec.palette = options.palette();
                spec.font_size = options.label_size();
                spec.threshold = options.threshold.unwrap_or(0.0);
                spec.show_values = options.values;
            }
        }
        figure
    }

    /// The picture on a page of exactly this size in points.
    fn fitted(&self, size: [Option<f32>; 2]) -> Result<Scene, FigureError> {
        let trim = MARGIN - SIZED_MARGIN;
        let (columns, room) = self.arrangement(size, trim);
        let scene = self.drawn(room, columns);
        let (width, height) = (scene.width - 2.0 * trim, scene.height - 2.0 * trim);
        let scene = scene.on_page(width, height, Point::new(-trim, -trim));
        let found = [width, height];
        for (axis, side) in ["width", "height"].into_iter().enumerate() {
            if let Some(given) = size[axis].filter(|given| found[axis] > given + 0.01) {
                return Err(FigureError::TooSmall {
                    side,
                    needed: (found[axis] * 25.4 / 72.0).ceil(),
                    given: given * 25.4 / 72.0,
                    font_size: self.options.label_size(),
                });
            }
        }
        let page = [0, 1].map(|axis| size[axis].unwrap_or(found[axis]));
        let by = Point::new((page[0] - found[0]) / 2.0, (page[1] - found[1]) / 2.0);
        Ok(scene.on_page(page[0], page[1], by))
    }

    /// The columns of panels that make the largest cells in a size, and the room to lay them out in.
    fn arrangement(&self, size: [Option<f32>; 2], trim: f32) -> (usize, [Option<f32>; 2]) {
        let FigureBody::Heatmaps {
            panels,
            differences,
            curves,
        } = &self.body
        else {
            return (0, self.fitting_room(size, 0, trim));
        };
        let count = panels.len() + differences.len();
        let mut best = (count, size);
        // Whether it fits, whether it is not too tall, and the side of its cells.
        let mut merit = (false, false, 0.0);
        for columns in (1..=count).rev() {
            let room = self.fitting_room(size, columns, trim);
            let layout = StackLayout::new(&self.compare(room, columns), curves);
            let [width, height] = layout.size.map(|side| side - 2.0 * trim);
            let panels = &layout.heatmaps;
            let first = panels.panels.first().or(panels.differences.first());
            let pitch = first.map_or(0.0, |panel| panel.grid.pitch);
            let asked = size[0].unwrap_or(width);
            let fits = width <= asked + 0.01 && height <= size[1].unwrap_or(height) + 0.01;
            let found = (fits, height <= TALLEST * asked, pitch);
            // Wide figures are easier to read: more rows have to be worth it.
            let needed = (merit.0, merit.1, 1.25 * merit.2);
            if columns == count || found.partial_cmp(&needed) == Some(Ordering::Greater) {
                (best, merit) = ((columns, room), found);
            }
        }
        best
    }

    /// The room in which the picture in so many columns of panels has the size, with `trim` points more around it, as
    /// far as it can be made smaller.
    fn fitting_room(&self, size: [Option<f32>; 2], columns: usize, trim: f32) -> [Option<f32>; 2] {
        let asked = size.map(|side| side.map(|side| side + 2.0 * trim));
        let mut room = asked;
        for _ in 0..ROUNDS {
            let found = self.measured(room, columns);
            let mut changed = false;
            for axis in 0..2 {
                if let (Some(asked), Some(room)) = (asked[axis], &mut room[axis])
                    && found[axis] > asked + 0.01
                    && *room > 1.0
                {
                    *room = (*room - (found[axis] - asked).max(0.5)).max(1.0);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        room
    }

    /// Width and height of the picture in about this room.
    fn measured(&self, room: [Option<f32>; 2], columns: usize) -> [f32; 2] {
        if let FigureBody::Heatmaps { curves, .. } = &self.body {
            return StackLayout::new(&self.compare(room, columns), curves).size;
        }
        let scene = self.drawn(room, columns);
        [scene.width, scene.height]
    }

    /// The heatmaps in about this room; none for other bodies.
    fn compare(&self, room: [Option<f32>; 2], columns: usize) -> CompareSpec {
        let FigureBody::Heatmaps {
            panels,
            differences,
            curves,
        } = &self.body
        else {
            return CompareSpec::new(Vec::new());
        };
        let mut spec = CompareSpec::new(panels.clone());
        spec.differences.clone_from(differences);
        spec.share_range = self.options.shared_scale;
        self.options.title.clone_into(&mut spec.title);
        let count = panels.len() + differences.len();
        spec.columns = match (columns, count) {
            (0, 4) => 2,
            (0, _) => 3,
            (columns, _) => columns,
        };
        if room != [None, None] {
            let [width, height] = room.map(|side| side.unwrap_or(UNBOUNDED));
            // Rounds of fitting take off what this does not.
            let below = if curves.is_empty() {
                0.0
            } else {
                CURVE_HEIGHT * self.options.label_size()
            };
            spec.available = Some([width, (height - below).max(1.0)]);
            for panel in spec.panels.iter_mut().chain(&mut spec.differences) {
                panel.min_cell = 0.02;
                panel.max_cell = LARGEST_CELL * panel.font_size;
            }
        }
        spec
    }

    /// The picture in about this room.
    fn drawn(&self, room: [Option<f32>; 2], columns: usize) -> Scene {
        match &self.body {
            FigureBody::Heatmaps { curves, .. } => stack(&self.compare(room, columns), curves),
            FigureBody::Links { links, curves } => {
                let mut parts: Vec<Scene> = Vec::new();
                for spec in links {
                    let mut spec = spec.clone();
                    spec.available = room[0].or(spec.available);
                    parts.push(spec.scene());
                }
                let widest = parts.iter().map(|part| part.width).fold(0.0, f32::max);
                for spec in curves {
                    let mut spec = spec.clone();
                    let around = spec.layout().width - spec.layout().plot.width;
                    let width = room[0].unwrap_or(widest.max(360.0)) - around;
                    spec.plot_size[0] = width.max(4.0 * spec.font_size);
                    parts.push(spec.scene());
                }
                self.column(parts)
            }
            FigureBody::Beams(beams) => {
                let part = |spec: &BeamSpec| {
                    let mut spec = spec.clone();
                    spec.available = room[0].or(spec.available);
                    spec.scene()
                };
                self.column(beams.iter().map(part).collect())
            }
            FigureBody::Bars(spec) => {
                let mut spec = spec.clone();
                spec.available = room[0].or(spec.available);
                self.column(vec![spec.scene()])
            }
        }
    }

    /// Parts one below the other, under the figure's title.
    fn column(&self, parts: Vec<Scene>) -> Scene {
        let palette = self.options.palette();
        let titles: Vec<&str> = parts.iter().map(|part| part.title.as_str()).collect();
        let mut scene = Scene {
            title: titles.join("; "),
            background: palette.background,
            ..Scene::default()
        };
        let [size, ..] = sizes(self.options.label_size());
        if !self.options.title.is_empty() {
            self.options.title.clone_into(&mut scene.title);
            let baseline = MARGIN + line_height(size) - descent(size);
            let at = Point::new(MARGIN, baseline);
            let title = &self.options.title;
            let item = text_item(title, at, size, Weight::SemiBold, palette.text);
            scene.width = 2.0 * MARGIN + text_width(title, size, Weight::SemiBold).ceil();
            scene.height = line_height(size);
            scene.items.push(Item::Text(item));
        }
        for (index, part) in parts.into_iter().enumerate() {
            let overlap = if index == 0 { 0.0 } else { PART_GAP - MARGIN };
            let y = scene.height + overlap;
            scene.width = scene.width.max(part.width);
            scene.height = y + part.height;
            scene.place(part, Point::new(0.0, y));
        }
        scene
    }
}

fn dress_panels(
    panels: &mut [HeatmapSpec],
    differences: &mut [HeatmapSpec],
    options: &FigureOptions,
) {
    // Ranges are found once, and not again for every layout that is tried.
    let shared = ValueRange::shared(panels.iter().map(|panel| panel.matrix.as_ref()));
    for panel in panels {
        dress_heatmap(panel, options);
        let own = || ValueRange::own(&panel.matrix);
        let usual = if options.shared_scale { shared } else { own() };
        panel.range = panel.range.or(Some(usual));
    }
    for panel in differences {
        dress_heatmap(panel, options);
        panel.scaling = Scaling::Linear;
        panel.diverging = true;
        let own = || ValueRange::symmetric([panel.matrix.as_ref()]);
        panel.range = Some(panel.range.unwrap_or_else(own));
    }
}

fn dress_heatmap(spec: &mut HeatmapSpec, options: &FigureOptions) {
    spec.palette = options.palette();
    spec.font_size = options.label_size();
    spec.colormap = options.colormap;
    spec.scaling = options.scaling;
    spec.show_values = options.values;
    spec.threshold = options.threshold.unwrap_or(0.0);
    spec.label_angle = options.label_angle;
    spec.transposed = options.transposed;
}

fn dress_curve(spec: &mut CurveSpec, options: &FigureOptions) {
    spec.palette = options.palette();
    spec.font_size = options.label_size();
    spec.plot_size[1] = CURVE_HEIGHT * spec.font_size;
}
