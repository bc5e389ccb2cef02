use std::sync::Arc;

use ndarray::Array2;
use proptest::prelude::*;

use crate::alignment::LabelledMatrix;
use crate::figure::{Item, Scene, to_svg};

use super::*;

fn spec(rows: usize, columns: usize, viewport: Viewport) -> HeatmapSpec {
    let names = |word: &str, count: usize| (0..count).map(|n| format!("{word}{n}")).collect();
    let values = Array2::from_elem((rows, columns), 0.25);
    let matrix = LabelledMatrix::new(names("row", rows), names("col", columns), values).unwrap();
    let mut spec = HeatmapSpec::new(Arc::new(matrix));
    spec.available = Some([400.0, 300.0]);
    spec.viewport = Some(viewport);
    spec
}

fn at(first: [f32; 2]) -> Viewport {
    Viewport {
        first,
        ..Viewport::at_start(20.0)
    }
}

fn cells(scene: &Scene) -> (Rect, &[Item]) {
    let clipped = scene.items.iter().find_map(|item| match item {
        Item::Clipped { area, items } => Some((*area, items.as_slice())),
        _ => None,
    });
    clipped.unwrap()
}

#[test]
fn labels_stay_at_the_edges_while_cells_scroll() {
    let start = spec(40, 42, at([0.0; 2])).layout();
    let later = spec(40, 42, at([10.0, 5.4])).layout();
    assert_eq!(start.viewport, later.viewport);
    assert_eq!(later.grid.origin.x, start.grid.origin.x - 200.0);
    assert_eq!(later.grid.origin.y, start.grid.origin.y - 108.0);
    let edge = |layout: &HeatmapLayout| layout.left_labels[0].item.position.x;
    assert_eq!(edge(&start), edge(&later));
    assert_eq!(start.left_labels[0].index, 0);
    assert_eq!(
        later.left_labels[0].index, 5,
        "more than half of it is seen"
    );
    assert_eq!(later.top_labels[0].index, 10);
    // A label stands at its row.
    let label = &later.left_labels[3];
    let row = later.grid.cell_rect(label.index, 0);
    assert!((label.item.position.y - row.centre().y).abs() < label.item.size / 2.0);
}

#[test]
fn the_last_cells_stay_at_the_end() {
    let layout = spec(40, 42, at([999.0, 999.0])).layout();
    let (area, all) = (layout.viewport.unwrap(), layout.grid.area());
    assert!((area.right() - all.right()).abs() < 1.0);
    assert!((area.bottom() - all.bottom()).abs() < 1.0);
    let [rows, columns] = layout.seen();
    assert_eq!((rows.end, columns.end), (40, 42));
    assert!(rows.start > 20 && columns.start > 20);
}

#[test]
fn only_what_is_seen_is_drawn_and_found() {
    let spec = spec(100, 100, at([30.5, 40.0]));
    let layout = spec.layout();
    let scene = spec.scene_of(&layout);
    let (clip, items) = cells(&scene);
    let area = layout.viewport.unwrap();
    assert_eq!(clip, area.expanded(2.0));
    let [rows, columns] = layout.seen();
    assert_eq!(items.len(), rows.len() * columns.len());
    assert_eq!((rows.start, columns.start), (40, 30));
    for item in items {
        let Item::Rect { rect, .. } = item else {
            panic!("{item:?}");
        };
        assert!(area.expanded(0.01).contains(rect.centre()));
        assert!(rect.x >= area.x && rect.right() <= area.right() + 0.01);
    }
    assert_eq!(
        layout.cell_at(Point::new(area.x + 1.0, area.y + 1.0)),
        Some((40, 30))
    );
    assert_eq!(layout.cell_at(Point::new(area.x - 1.0, area.y + 1.0)), None);
    let svg = to_svg(&scene);
    assert_eq!(svg.matches("<clipPath").count(), 1);
    assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
}

#[test]
fn very_many_cells_are_an_image_of_what_is_seen() {
    let spec = spec(
        500,
        500,
        Viewport {
            first: [100.0, 200.0],
            ..Viewport::at_start(2.0)
        },
    );
    let layout = spec.layout();
    let scene = spec.scene_of(&layout);
    let (_, items) = cells(&scene);
    let Item::Image(image) = &items[0] else {
        panic!("{:?}", items[0]);
    };
    let [rows, columns] = layout.seen();
    assert_eq!(
        (image.width, image.height),
        (columns.len() as u32, rows.len() as u32)
    );
    let first = layout.grid.cell_rect(200, 100);
    assert_eq!((image.rect.x, image.rect.y), (first.x, first.y));
}

#[test]
fn the_current_row_moves_nothing() {
    let mut spec = spec(30, 30, at([3.0, 3.0]));
    let (room, layout) = (spec.room(20.0), spec.layout());
    for row in [5, 20] {
        spec.current_row = Some(row);
        assert_eq!(spec.room(20.0), room);
        assert_eq!(spec.layout().grid, layout.grid);
        assert_eq!(spec.layout().viewport, layout.viewport);
    }
}

#[test]
fn a_value_is_shown_whole_or_not_at_all() {
    let shown = |first: f32| {
        let viewport = Viewport {
            first: [first, 0.0],
            ..Viewport::at_start(40.0)
        };
        let mut spec = spec(1, 42, viewport);
        spec.show_values = true;
        let layout = spec.layout();
        let scene = spec.scene_of(&layout);
        let (_, items) = cells(&scene);
        let columns = items.iter().filter_map(|item| match item {
            Item::Text(text) => layout.cell_at(text.position).map(|(_, column)| column),
            _ => None,
        });
        columns.collect::<Vec<usize>>()
    };
    assert_eq!(shown(0.0)[..3], [0, 1, 2]);
    assert_eq!(shown(0.05)[0], 0);
    assert_eq!(shown(0.5)[0], 1, "half of the first one's number is gone");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn nothing_stands_outside(
        rows in 1_usize..60, columns in 1_usize..60, pitch in 1.0_f32..80.0,
        x in -9.0_f32..99.0, y in -9.0_f32..99.0, transposed: bool, current in 0_usize..60,
    ) {
        let viewport = Viewport { first: [x, y], ..Viewport::at_start(pitch) };
        let mut spec = spec(rows, columns, viewport);
        spec.transposed = transposed;
        spec.current_row = Some(current);
        let layout = spec.layout();
        prop_assert!(layout.width <= 400.0 && layout.height <= 300.0);
        for label in layout.left_labels.iter().chain(&layout.top_labels) {
            let [left, top, right, bottom] = label.extent();
            prop_assert!(left >= 0.0 && top >= 0.0, "{:?}", label.item);
            prop_assert!(right <= layout.width && bottom <= layout.height, "{:?}", label.item);
        }
        let area = layout.viewport.unwrap();
        let [seen_rows, seen_columns] = layout.seen();
        prop_assert!(!seen_rows.is_empty() && !seen_columns.is_empty());
        // Less than half a point may be left of the first cell that is seen.
        let corner = layout.cell_at(Point::new(area.x + 0.5, area.y + 0.5));
        let (row, column) = corner.unwrap();
        prop_assert!((seen_rows.start..=seen_rows.start + 1).contains(&row), "{row} in {seen_rows:?}");
        prop_assert!((seen_columns.start..=seen_columns.start + 1).contains(&column), "{column} in {seen_columns:?}");
    }
}
