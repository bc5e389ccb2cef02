use std::sync::Arc;

use ndarray::{Array2, array};
use proptest::prelude::*;

use super::*;
use crate::alignment::LabelledMatrix;
use crate::figure::difference::{DifferenceError, difference};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn matrix(rows: &str, values: Array2<f32>) -> LabelledMatrix {
    LabelledMatrix::new(words(rows), words("le chat"), values).unwrap()
}

#[test]
fn rows_that_part_show_both_tokens() {
    let a = matrix("the cat </s>", array![[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]]);
    let b = matrix("the dog", array![[0.6, 0.4], [0.3, 0.7]]);
    let difference = difference(&a, &b).unwrap();
    assert_eq!(difference.matrix.rows(), ["the", "cat / dog"]);
    assert_eq!(difference.agreeing_rows, 1);
    let expected = [0.3, -0.3, -0.1, 0.1];
    for (found, expected) in difference.matrix.values().iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6);
    }
}

#[test]
fn different_sources_cannot_be_subtracted() {
    let a = matrix("the", array![[0.9, 0.1]]);
    let longer =
        LabelledMatrix::new(words("the"), words("le chat noir"), array![[0.1, 0.1, 0.8]]).unwrap();
    let other = LabelledMatrix::new(words("the"), words("le chien"), array![[0.9, 0.1]]).unwrap();
    assert!(matches!(
        difference(&a, &longer),
        Err(DifferenceError::SourceLength { .. })
    ));
    let error = difference(&a, &other).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("\"chat\" and \"chien\" at position 1")
    );
}

fn panel(rows: usize, columns: usize, title: &str) -> HeatmapSpec {
    let names = |count: usize, word: &str| (0..count).map(|n| format!("{word}{n}")).collect();
    let values = Array2::from_elem((rows, columns), 0.5);
    let matrix =
        LabelledMatrix::new(names(rows, "target"), names(columns, "source"), values).unwrap();
    let mut spec = HeatmapSpec::new(Arc::new(matrix));
    title.clone_into(&mut spec.title);
    spec
}

#[test]
fn panels_stand_in_line_and_share_their_range() {
    let mut second = panel(3, 4, "dot");
    second.matrix = Arc::new(matrix("x y", array![[0.0, 7.0], [1.0, 2.0]]));
    let spec = CompareSpec::new(vec![panel(5, 4, "additive"), second]);
    let layout = spec.layout();
    assert_eq!(
        layout.panels[0].grid.origin.y,
        layout.panels[1].grid.origin.y
    );
    assert_eq!(layout.panels[0].grid.pitch, layout.panels[1].grid.pitch);
    let ranges: Vec<_> = spec
        .shared_panels()
        .iter()
        .map(|panel| panel.range)
        .collect();
    assert_eq!(ranges[0], Some(ValueRange { min: 0.0, max: 7.0 }));
    assert_eq!(ranges[0], ranges[1]);
}

#[test]
fn nothing_to_compare_is_a_small_empty_picture() {
    let scene = CompareSpec::new(Vec::new()).scene();
    assert!(scene.items.is_empty() && scene.width > 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn panels_never_overlap(
        shapes in prop::collection::vec((1_usize..12, 1_usize..12), 1..7),
        columns in 0_usize..5,
        available in prop::option::of([200.0_f32..1500.0, 200.0_f32..1500.0]),
    ) {
        let panels = shapes.iter().map(|&(rows, columns)| panel(rows, columns, "scorer")).collect();
        let spec = CompareSpec { columns, available, ..CompareSpec::new(panels) };
        let layout = spec.layout();
        for (index, a) in layout.panels.iter().enumerate() {
            let area = a.grid.area();
            prop_assert!(area.right() <= layout.width && area.bottom() <= layout.height);
            for label in a.left_labels.iter().chain(&a.top_labels) {
                let [left, top, right, bottom] = label.extent();
                prop_assert!(left >= 0.0 && top >= 0.0 && right <= layout.width && bottom <= layout.height);
                for (other, b) in layout.panels.iter().enumerate().filter(|(other, _)| *other != index) {
                    let inked = Rect::new(left, top, right - left, bottom - top);
                    prop_assert!(!inked.overlaps(&b.grid.area()), "{index} {other} {:?}", label.item);
                }
            }
        }
    }
}
