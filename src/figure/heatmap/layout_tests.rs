use std::sync::Arc;

use ndarray::Array2;
use proptest::prelude::*;

use crate::alignment::LabelledMatrix;

use super::*;

fn matrix(rows: usize, columns: usize, word: &str) -> Arc<LabelledMatrix> {
    let names = |count: usize| (0..count).map(|n| format!("{word}{n}")).collect::<Vec<_>>();
    let values = Array2::from_elem((rows, columns), 0.25);
    Arc::new(LabelledMatrix::new(names(rows), names(columns), values).unwrap())
}

fn assert_inside(layout: &HeatmapLayout) -> Result<(), TestCaseError> {
    let labels = layout.left_labels.iter().chain(&layout.top_labels);
    for label in labels {
        let [left, top, right, bottom] = label.extent();
        prop_assert!(left >= 0.0 && top >= 0.0, "{:?}", label.item);
        prop_assert!(
            right <= layout.width && bottom <= layout.height,
            "{:?}",
            label.item
        );
    }
    let cells = layout.grid.area();
    prop_assert!(cells.right() <= layout.width && cells.bottom() <= layout.height);
    Ok(())
}

#[test]
fn coming_rows_keep_their_place() {
    let mut early = HeatmapSpec::new(matrix(2, 4, "w"));
    early.expected_rows = 5;
    let mut late = HeatmapSpec::new(matrix(5, 4, "w"));
    late.expected_rows = 5;
    let (early, late) = (early.layout(), late.layout());
    assert_eq!((early.width, early.height), (late.width, late.height));
    assert_eq!(early.grid.cell_rect(1, 2), late.grid.cell_rect(1, 2));
}

#[test]
fn cells_are_whole_points_and_fit_the_space() {
    for transposed in [false, true] {
        let mut spec = HeatmapSpec::new(matrix(12, 9, "word"));
        spec.transposed = transposed;
        spec.available = Some([360.0, 300.0]);
        let layout = spec.layout();
        assert!(
            layout.width <= 360.0 && layout.height <= 300.0,
            "{} {}",
            layout.width,
            layout.height
        );
        assert_eq!(layout.grid.pitch.fract(), 0.0);
        assert!(layout.grid.pitch >= 8.0, "{}", layout.grid.pitch);
    }
}

#[test]
fn the_colour_bar_shrinks_before_the_cells() {
    let mut spec = HeatmapSpec::new(matrix(5, 4, "w"));
    spec.available = Some([280.0, 136.0]);
    let layout = spec.layout();
    assert!(layout.height <= 136.0, "{}", layout.height);
    // With a bar of its usual height there were only the smallest cells.
    assert!(layout.grid.pitch >= 12.0, "{}", layout.grid.pitch);
    assert!(layout.colorbar.unwrap().bottom() <= 120.0);
}

#[test]
fn values_are_shown_only_where_they_fit() {
    let mut spec = HeatmapSpec::new(matrix(3, 3, "w"));
    assert_eq!(spec.layout().value_size, None);
    spec.show_values = true;
    assert!(spec.layout().value_size.is_some());
    spec.max_cell = 16.0;
    assert_eq!(spec.layout().value_size, None);
}

#[test]
fn long_matrices_keep_all_labels_in_a_smaller_size() {
    let layout = HeatmapSpec::new(matrix(50, 60, "mot")).layout();
    assert_eq!(
        (layout.left_labels.len(), layout.top_labels.len()),
        (50, 60)
    );
    assert!((8.5..10.0).contains(&layout.left_labels[0].item.size));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn nothing_is_clipped(
        rows in 0_usize..30, columns in 0_usize..30, word in "\\PC{0,12}", coming in 0_usize..40,
        title in "\\PC{0,80}", transposed: bool, cell in 1.0_f32..50.0, current in prop::option::of(0_usize..30),
        font_size in 6.0_f32..24.0, available in prop::option::of([0.0_f32..800.0, 0.0_f32..800.0]),
    ) {
        let mut spec = HeatmapSpec::new(matrix(rows, columns, &word));
        (spec.title, spec.expected_rows, spec.transposed) = (title, coming, transposed);
        (spec.max_cell, spec.current_row, spec.font_size) = (cell, current, font_size);
        spec.available = available;
        let layout = spec.layout();
        assert_inside(&layout)?;
        prop_assert_eq!(spec.scene().width, layout.width);
    }
}
