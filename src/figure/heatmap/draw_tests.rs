use ndarray::Array2;

use crate::alignment::LabelledMatrix;

use super::*;

fn spec(values: Array2<f32>) -> HeatmapSpec {
    let (rows, columns) = values.dim();
    let names = |count: usize| (0..count).map(|n| n.to_string()).collect();
    HeatmapSpec::new(Arc::new(
        LabelledMatrix::new(names(rows), names(columns), values).unwrap(),
    ))
}

fn images(scene: &Scene) -> Vec<&ImageItem> {
    scene
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Image(image) => Some(image),
            _ => None,
        })
        .collect()
}

#[test]
fn a_large_matrix_is_one_image_with_a_pixel_for_each_cell() {
    let mut values = Array2::zeros((60, 70));
    values[[2, 5]] = 1.0;
    let mut spec = spec(values);
    for transposed in [false, true] {
        spec.transposed = transposed;
        let scene = spec.scene();
        let cells = images(&scene)[0];
        let (width, x, y) = if transposed { (60, 2, 5) } else { (70, 5, 2) };
        assert_eq!(cells.width, width);
        let at = (y * width as usize + x) * 4;
        assert_eq!(cells.rgba[at..at + 3], [253, 231, 37]);
        assert_eq!(cells.rect, spec.layout().grid.area());
    }
}

#[test]
fn a_small_matrix_is_rectangles_and_its_bar_an_image() {
    let scene = spec(Array2::from_elem((3, 4), 0.25)).scene();
    let rects = scene
        .items
        .iter()
        .filter(|item| matches!(item, Item::Rect { .. }));
    assert_eq!((rects.count(), images(&scene).len()), (12, 1));
}

#[test]
fn cells_without_a_number_are_hatched_and_explained() {
    let mut values = Array2::from_elem((60, 70), 0.5);
    values.row_mut(1).fill(f32::NAN);
    let scene = spec(values).scene();
    let hatched = scene
        .items
        .iter()
        .filter(|item| matches!(item, Item::Hatch { .. }));
    assert_eq!(hatched.count(), 2, "one run of cells, and the note");
    assert!(scene.texts().any(|item| item.text == "no number"));
}

#[test]
fn values_stand_in_their_cells() {
    let mut spec = spec(Array2::from_elem((2, 2), 0.25));
    spec.show_values = true;
    let layout = spec.layout();
    let values: Vec<Point> = spec
        .scene()
        .texts()
        .filter(|item| item.text == "0.25" && item.anchor == Anchor::Middle)
        .map(|item| item.position)
        .collect();
    assert_eq!(layout.grid.cell_at(values[1]), Some((0, 1)));
    assert_eq!(values.len(), 4);
}
