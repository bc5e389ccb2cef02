//! Heatmaps above curves in one figure, on common edges.

use super::compare::{CompareLayout, CompareSpec};
use super::curves::CurveSpec;
use super::heatmap::MARGIN;
use super::scene::{Point, Rect, Scene};

/// Between the heatmaps and the curves, and between two charts, besides their own margins.
const GAP: f32 = 8.0;
/// The narrowest plotted area, in points.
const NARROWEST: f32 = 160.0;

/// Draws curves below heatmaps.
///
/// - As many charts as heatmaps in one row: each stands below its heatmap, as wide as its cells (at least
///   160 points). Below a transposed heatmap each step stands under its column.
/// - Otherwise each chart is as wide as all heatmaps together.
pub fn stack(heatmaps: &CompareSpec, curves: &[CurveSpec]) -> Scene {
    let layout = heatmaps.layout();
    let mut scene = heatmaps.scene_of(&layout);
    let side_by_side = curves.len() == layout.panels.len() && in_one_row(&layout);
    let whole = whole_area(&layout);
    let mut y = scene.height - MARGIN + GAP;
    let mut bottom = scene.height;
    let mut left_most = 0.0_f32;
    let mut parts = Vec::new();
    let fitted = |(index, spec): (usize, &CurveSpec)| {
        let mut spec = spec.clone();
        let grid = side_by_side.then(|| layout.panels[index].grid);
        let cells = grid.map_or(whole, |grid| grid.area());
        spec.plot_size[0] = cells.width.max(NARROWEST);
        if let Some(grid) = grid.filter(|grid| grid.transposed) {
            spec.pitch = Some(grid.pitch);
            spec.plot_size[0] = cells.width;
        }
        (spec, cells.x)
    };
    let fitted: Vec<(CurveSpec, f32)> = curves.iter().enumerate().map(fitted).collect();
    // Plotted areas side by side begin at one height, whatever their legends need.
    let tops = fitted.iter().map(|(spec, _)| spec.layout().plot.y);
    let least_top = if side_by_side {
        tops.fold(0.0, f32::max)
    } else {
        0.0
    };
    for (spec, left) in fitted {
        let chart = spec.layout_below(least_top);
        let at = Point::new(left - chart.plot.x, y);
        left_most = left_most.min(at.x);
        bottom = bottom.max(y + chart.height);
        scene.width = scene.width.max(at.x + chart.width);
        if !side_by_side {
            y += chart.height - MARGIN + GAP;
        }
        parts.push((spec.scene_of(&chart), at));
    }
    scene.height = bottom;
    for (part, at) in parts {
        scene.place(part, at);
    }
    // A chart's numbers may need more space on the left than the tokens of the rows.
    if left_most < 0.0 {
        let shift = (-left_most).ceil();
        let width = scene.width + shift;
        let mut moved = Scene {
            width,
            items: Vec::new(),
            ..scene.clone()
        };
        moved.place(scene, Point::new(shift, 0.0));
        return moved;
    }
    scene
}

fn in_one_row(layout: &CompareLayout) -> bool {
    let mut tops = layout.panels.iter().map(|panel| panel.grid.origin.y);
    let first = tops.next();
    tops.all(|top| Some(top) == first)
}

/// From the first panel's cells to the last one's.
fn whole_area(layout: &CompareLayout) -> Rect {
    let areas = || layout.panels.iter().map(|panel| panel.grid.area());
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
