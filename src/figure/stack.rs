//! Heatmaps above curves in one figure, on common edges.

use super::compare::{CompareLayout, CompareSpec};
use super::curves::{CurveLayout, CurveSpec};
use super::heatmap::MARGIN;
use super::scene::{Point, Rect, Scene};

/// Between the heatmaps and the curves, and between two charts, besides their own margins.
const GAP: f32 = 8.0;
/// The narrowest plotted area, in points.
const NARROWEST: f32 = 160.0;
/// Between the plotted areas of charts that share the width, in font sizes: room for the numbers of the right one.
const SHARED_GAP: f32 = 5.0;

/// Draws curves below heatmaps.
///
/// - As many charts as heatmaps in one row: each stands below its heatmap, as wide as its cells (at least
///   160 points). Below a transposed heatmap each step stands under its column.
/// - Otherwise charts share the width of all heatmaps where each gets 160 points, or each is as wide as all heatmaps.
/// - With a width to fit in ([`CompareSpec::available`]), charts stay inside.
pub fn stack(heatmaps: &CompareSpec, curves: &[CurveSpec]) -> Scene {
    StackLayout::new(heatmaps, curves).scene(heatmaps)
}

/// The geometry of heatmaps with curves below, in points.
pub(super) struct StackLayout {
    /// The heatmaps.
    pub(super) heatmaps: CompareLayout,
    /// Width and height of the whole figure.
    pub(super) size: [f32; 2],
    /// Charts and the places of their corners.
    charts: Vec<(CurveSpec, CurveLayout, Point)>,
    /// How far everything is moved to the right.
    shift: f32,
}

impl StackLayout {
    pub(super) fn new(heatmaps: &CompareSpec, curves: &[CurveSpec]) -> Self {
        let layout = heatmaps.layout();
        if curves.is_empty() {
            return Self {
                size: [layout.width, layout.height],
                heatmaps: layout,
                charts: Vec::new(),
                shift: 0.0,
            };
        }
        let fitted = fit(heatmaps, &layout, curves);
        // Plotted areas side by side begin at one height, whatever their legends need.
        let tops = fitted.charts.iter().map(|(spec, _)| spec.layout().plot.y);
        let least_top = if fitted.side_by_side {
            tops.fold(0.0, f32::max)
        } else {
            0.0
        };
        let [mut width, mut bottom] = [layout.width, layout.height];
        let mut y = layout.height - MARGIN + GAP;
        let mut left_most = 0.0_f32;
        let mut charts = Vec::new();
        for (spec, left) in fitted.charts {
            let chart = spec.layout_below(least_top);
            let at = Point::new(left - chart.plot.x, y);
            left_most = left_most.min(at.x);
            bottom = bottom.max(y + chart.height);
            width = width.max(at.x + chart.width);
            if !fitted.side_by_side {
                y += chart.height - MARGIN + GAP;
            }
            charts.push((spec, chart, at));
        }
        // A chart's numbers may need more space on the left than the tokens of the rows.
        let shift = (-left_most).ceil();
        Self {
            heatmaps: layout,
            size: [width + shift, bottom],
            charts,
            shift,
        }
    }

    /// The picture of the heatmaps that this was made from, and of its curves.
    pub(super) fn scene(&self, heatmaps: &CompareSpec) -> Scene {
        let mut scene = heatmaps.scene_of(&self.heatmaps);
        for (spec, chart, at) in &self.charts {
            scene.place(spec.scene_of(chart), *at);
        }
        let [width, height] = self.size;
        if self.shift > 0.0 {
            return scene.on_page(width, height, Point::new(self.shift, 0.0));
        }
        (scene.width, scene.height) = (width, height);
        scene
    }
}

/// Charts with their widths, and the left edges of their plotted areas.
struct Fitted {
    charts: Vec<(CurveSpec, f32)>,
    side_by_side: bool,
}

fn fit(heatmaps: &CompareSpec, layout: &CompareLayout, curves: &[CurveSpec]) -> Fitted {
    let whole = whole_area(layout);
    let limit = heatmaps
        .available
        .map_or(f32::INFINITY, |[width, _]| width - MARGIN);
    let below_each = layout.differences.is_empty()
        && curves.len() == layout.panels.len()
        && in_one_row(layout)
        && (limit.is_infinite()
            || layout
                .panels
                .iter()
                .all(|p| p.grid.area().width >= NARROWEST));
    if below_each {
        let chart = |(spec, panel): (&CurveSpec, &super::heatmap::HeatmapLayout)| {
            let (mut spec, grid) = (spec.clone(), panel.grid);
            let cells = grid.area();
            spec.plot_size[0] = cells.width.max(NARROWEST);
            if grid.transposed {
                spec.pitch = Some(grid.pitch);
                spec.plot_size[0] = cells.width;
            }
            (spec, cells.x)
        };
        return Fitted {
            charts: curves.iter().zip(&layout.panels).map(chart).collect(),
            side_by_side: true,
        };
    }
    let font_size = curves.first().map_or(12.0, |spec| spec.font_size);
    // Where cells are narrow, charts may use the width of the figure.
    let right = whole
        .right()
        .max((layout.width - MARGIN).min(whole.x + 3.0 * NARROWEST))
        .min(limit);
    let count = curves.len().max(1) as f32;
    let gap = SHARED_GAP * font_size;
    let share = (right - whole.x - (count - 1.0) * gap) / count;
    let least = NARROWEST.min(NARROWEST * font_size / 12.0);
    let side_by_side = curves.len() > 1 && share >= least;
    let width = match (side_by_side, limit.is_finite()) {
        (true, _) => share,
        (false, true) => (limit - whole.x).max(least / 2.0),
        (false, false) => whole.width.max(NARROWEST),
    };
    let chart = |(index, spec): (usize, &CurveSpec)| {
        let mut spec = spec.clone();
        spec.plot_size[0] = width;
        let column = if side_by_side { index as f32 } else { 0.0 };
        (spec, whole.x + column * (width + gap))
    };
    Fitted {
        charts: curves.iter().enumerate().map(chart).collect(),
        side_by_side,
    }
}

fn in_one_row(layout: &CompareLayout) -> bool {
    let mut tops = layout.panels.iter().map(|panel| panel.grid.origin.y);
    let first = tops.next();
    tops.all(|top| Some(top) == first)
}

/// From the first panel's cells to the last one's.
fn whole_area(layout: &CompareLayout) -> Rect {
    let all = || layout.panels.iter().chain(&layout.differences);
    let areas = || all().map(|panel| panel.grid.area());
    let left = areas().map(|area| area.x).fold(f32::INFINITY, f32::min);
    let right = areas().map(|area| area.right()).fold(0.0, f32::max);
    if left > right {
        return Rect::new(MARGIN * 3.0, 0.0, 0.0, 0.0);
    }
    Rect::new(left, 0.0, right - left, 0.0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ndarray::Array2;

    use super::super::curves::Series;
    use super::super::heatmap::HeatmapSpec;
    use super::super::scene::Item;
    use super::*;
    use crate::alignment::LabelledMatrix;

    fn words(count: usize) -> Vec<String> {
        (0..count).map(|n| format!("w{n}")).collect()
    }

    #[test]
    fn steps_stand_under_the_columns_of_a_transposed_heatmap() {
        let matrix =
            LabelledMatrix::new(words(6), words(4), Array2::from_elem((6, 4), 0.25)).unwrap();
        let mut heatmap = HeatmapSpec::new(Arc::new(matrix));
        heatmap.transposed = true;
        let heatmaps = CompareSpec::new(vec![heatmap]);
        let line = Series {
            name: "additive".to_owned(),
            index: 0,
            values: vec![0.5; 6],
        };
        let scene = stack(&heatmaps, &[CurveSpec::entropy(words(6), vec![line], 4)]);
        let grid = heatmaps.layout().panels[0].grid;
        let marks = scene.items.iter().filter_map(|item| match item {
            Item::Marker { centre, .. } => Some(centre.x),
            _ => None,
        });
        let marks: Vec<f32> = marks.collect();
        for step in 0..6 {
            let column = grid.origin.x + (step as f32 + 0.5) * grid.pitch;
            assert!(
                marks.iter().any(|x| (x - column).abs() < 0.01),
                "step {step} of {marks:?}"
            );
        }
    }

    #[test]
    fn curves_alone_are_a_figure_too() {
        let scene = stack(
            &CompareSpec::new(Vec::new()),
            &[CurveSpec::entropy(words(2), Vec::new(), 4)],
        );
        assert!(scene.width >= NARROWEST);
    }
}
