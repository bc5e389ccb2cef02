//! Matrices that are larger than the space that they have.

use crate::figure::{HeatmapLayout, Rect};

/// Leaves out what lies beyond the space of a matrix that is larger: the cells of a whole book take too long to colour.
pub(super) fn cut(layout: &mut HeatmapLayout, space: [f32; 2]) {
    let fits = layout.width <= space[0] && layout.height <= space[1];
    if fits || layout.viewport.is_some() {
        return;
    }
    let area = layout.grid.area();
    let width = (area.right().min(space[0]) - area.x).max(0.0);
    let height = (area.bottom().min(space[1]) - area.y).max(0.0);
    layout.viewport = Some(Rect::new(area.x, area.y, width, height));
    layout
        .left_labels
        .retain(|label| label.extent()[1] < space[1]);
    layout
        .top_labels
        .retain(|label| label.extent()[0] < space[0]);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ndarray::Array2;

    use super::*;
    use crate::alignment::LabelledMatrix;
    use crate::figure::{HeatmapSpec, Item};

    fn spec(rows: usize, columns: usize, space: [f32; 2]) -> HeatmapSpec {
        let labels = |count: usize| (0..count).map(|i| format!("w{i}")).collect();
        let values = Array2::from_elem((rows, columns), 0.5);
        let matrix = LabelledMatrix::new(labels(rows), labels(columns), values).unwrap();
        HeatmapSpec {
            available: Some(space),
            min_cell: 2.0,
            ..HeatmapSpec::new(Arc::new(matrix))
        }
    }

    #[test]
    fn what_fits_stays_whole() {
        let spec = spec(4, 6, [600.0, 400.0]);
        let mut layout = spec.layout();
        cut(&mut layout, [600.0, 400.0]);
        assert_eq!(layout, spec.layout());
    }

    #[test]
    fn only_cells_and_labels_within_the_space_are_drawn() {
        let space = [500.0, 300.0];
        let spec = spec(600, 3000, space);
        let whole = spec.layout();
        let mut layout = whole.clone();
        cut(&mut layout, space);
        assert_eq!(layout.grid, whole.grid);
        let [rows, columns] = layout.seen();
        assert!(rows.start == 0 && (50..160).contains(&rows.end), "{rows:?}");
        assert!(
            columns.start == 0 && (100..260).contains(&columns.end),
            "{columns:?}"
        );
        assert!(layout.top_labels.len() < whole.top_labels.len() / 4);
        assert!(layout.left_labels.len() < whole.left_labels.len() / 2);
        let last = layout.grid.cell_rect(rows.end - 1, columns.end - 1);
        assert!(last.right() >= space[0] - 2.0 && last.bottom() >= space[1] - 2.0);
        let scene = spec.scene_of(&layout);
        let items = scene.items.iter().flat_map(|item| match item {
            Item::Clipped { items, .. } => items.as_slice(),
            other => std::slice::from_ref(other),
        });
        let sizes: Vec<_> = items
            .filter_map(|item| match item {
                Item::Image(image) => Some([image.height as usize, image.width as usize]),
                _ => None,
            })
            .collect();
        assert!(sizes.contains(&[rows.len(), columns.len()]), "{sizes:?}");
    }
}
