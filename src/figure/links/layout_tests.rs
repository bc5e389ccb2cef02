use std::sync::Arc;

use ndarray::{Array2, array};
use proptest::prelude::*;

use super::*;
use crate::alignment::LabelledMatrix;
use crate::figure::scene::Item;

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn demo() -> LinksSpec {
    let values = array![
        [0.91, 0.06, 0.03],
        [0.04, 0.16, 0.80],
        [0.03, 0.87, 0.10],
        [f32::NAN, 0.0, 1.0],
    ];
    let matrix = LabelledMatrix::new(words("the black cat </s>"), words("le chat noir"), values);
    LinksSpec::new(Arc::new(matrix.unwrap()))
}

#[test]
fn a_token_and_a_line_are_found_under_their_points() {
    let layout = demo().layout();
    for (tokens, item) in [
        (&layout.sources, LinkItem::Source as fn(usize) -> LinkItem),
        (&layout.targets, LinkItem::Target),
    ] {
        for token in tokens {
            let found = layout.item_at(token.area.centre(), 3.0);
            assert_eq!(found, Some(item(token.label.index)));
        }
    }
    let line = layout
        .lines
        .iter()
        .find(|line| (line.row, line.column) == (1, 2))
        .unwrap();
    // In the middle it crosses another line.
    let early = line.points[line.points.len() / 4];
    assert_eq!(layout.item_at(early, 3.0), Some(LinkItem::Line(1, 2)));
    assert_eq!(layout.item_at(Point::new(-50.0, 0.0), 3.0), None);
}

#[test]
fn light_weights_and_holes_have_no_line() {
    let mut spec = demo();
    spec.threshold = 0.1;
    let lines: Vec<(usize, usize)> = spec
        .layout()
        .lines
        .iter()
        .map(|l| (l.row, l.column))
        .collect();
    assert_eq!(
        lines,
        [(2, 2), (1, 1), (1, 2), (2, 1), (0, 0), (3, 2)],
        "by weight"
    );
    spec.visible_rows = Some(1);
    assert_eq!(spec.layout().lines.len(), 1);
    assert_eq!(spec.scene().texts().count(), 3 + 1);
    assert_eq!(spec.layout().width, demo().layout().width, "nothing jumps");
}

#[test]
fn other_lines_are_faint_when_one_is_pointed_at() {
    let mut spec = demo();
    spec.focus = Some(LinkItem::Target(0));
    let opacities: Vec<u8> = spec
        .scene()
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Polyline { stroke, .. } => Some(stroke.colour[3]),
            _ => None,
        })
        .collect();
    assert_eq!(opacities.iter().filter(|&&opacity| opacity > 60).count(), 2);
}

proptest! {
    #[test]
    fn tokens_have_places_that_do_not_overlap(
        rows in 0_usize..70, columns in 0_usize..70, available in prop::option::of(60.0_f32..900.0),
    ) {
        let label = |n: usize| format!("{}{n}", "word".repeat(n % 4));
        let labels = |count| (0..count).map(label).collect::<Vec<_>>();
        let values = Array2::from_elem((rows, columns), 0.3);
        let matrix = LabelledMatrix::new(labels(rows), labels(columns), values).unwrap();
        let mut spec = LinksSpec::new(Arc::new(matrix));
        spec.available = available;
        let layout = spec.layout();
        prop_assert!(layout.width.is_finite() && layout.height.is_finite());
        for tokens in [&layout.sources, &layout.targets] {
            for pair in tokens.windows(2) {
                prop_assert!(pair[0].label.extent()[2] <= pair[1].label.extent()[0] + 0.01);
            }
            for token in tokens {
                let [l, t, r, b] = token.label.extent();
                prop_assert!(l >= 0.0 && t >= 0.0 && r <= layout.width && b <= layout.height);
            }
        }
        prop_assert_eq!(layout.lines.len(), rows * columns);
    }
}
