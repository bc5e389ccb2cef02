use super::*;
use proptest::prelude::*;

#[test]
fn placing_moves_every_item() {
    let square = Rect::new(1.0, 2.0, 3.0, 4.0);
    let inner = Scene {
        items: vec![
            Item::filled(square, [0; 4]),
            Item::line(
                Point::new(0.0, 0.0),
                Point::new(1.0, 1.0),
                Stroke::new([0; 4], 1.0),
            ),
        ],
        ..Scene::default()
    };
    let mut outer = Scene::default();
    outer.place(inner, Point::new(10.0, 20.0));
    assert_eq!(
        outer.items[0],
        Item::filled(Rect::new(11.0, 22.0, 3.0, 4.0), [0; 4])
    );
    let Item::Polyline { points, .. } = &outer.items[1] else {
        panic!("a line stays a line")
    };
    assert_eq!(points[1], Point::new(11.0, 21.0));
}

proptest! {
    #[test]
    fn hatch_lines_stay_in_their_cell(
        x in -50.0_f32..500.0, y in -50.0_f32..500.0, w in 0.0_f32..90.0, h in 0.0_f32..90.0,
    ) {
        let rect = Rect::new(x, y, w, h);
        let lines = hatch_lines(rect);
        prop_assert!(w + h < 8.0 || !lines.is_empty());
        let inside = rect.expanded(0.01);
        for point in lines.into_iter().flatten() {
            prop_assert!(inside.contains(point), "{point:?}");
        }
    }
}
