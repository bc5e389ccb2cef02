use proptest::prelude::*;

use super::super::Series;
use super::*;

fn chart(values: Vec<f32>) -> CurveSpec {
    let steps = (0..values.len())
        .map(|step| format!("word{step}"))
        .collect();
    let series = ["additive", "dot"]
        .into_iter()
        .enumerate()
        .map(|(index, name)| Series {
            name: name.to_owned(),
            index,
            values: values.clone(),
        });
    CurveSpec::entropy(steps, series.collect(), 4)
}

#[test]
fn the_reference_line_is_inside_with_its_label() {
    let layout = chart(vec![0.2, 1.1, 0.7]).layout();
    assert!(layout.range.max > 4.0_f32.ln());
    assert!(layout.y(4.0_f32.ln()) - layout.plot.y > 10.0);
    assert_eq!(layout.range.min, 0.0);
}

#[test]
fn a_step_is_found_under_its_point() {
    let layout = chart(vec![0.2, 1.1, 0.7]).layout();
    let at = |step| Point::new(layout.x(step), layout.plot.centre().y);
    assert_eq!(layout.step_at(at(2)), Some(2));
    assert_eq!(layout.step_at(Point::new(0.0, 0.0)), None);
}

#[test]
fn steps_can_follow_the_columns_of_a_heatmap() {
    let mut spec = chart(vec![0.2, 1.1, 0.7]);
    spec.pitch = Some(40.0);
    let layout = spec.layout();
    assert_eq!(layout.x(1) - layout.x(0), 40.0);
}

proptest! {
    #[test]
    fn charts_of_any_values_have_a_place_for_everything(
        values in prop::collection::vec(prop::num::f32::ANY, 0..40),
        size in [0.0_f32..600.0, 0.0_f32..300.0],
        from_zero: bool,
        current in prop::option::of(0_usize..50),
    ) {
        let mut spec = chart(values.clone());
        (spec.plot_size, spec.from_zero, spec.current_step) = (size, from_zero, current);
        let layout = spec.layout();
        prop_assert!(layout.width.is_finite() && layout.height.is_finite());
        prop_assert!(layout.range.min < layout.range.max, "{:?}", layout.range);
        for label in &layout.step_labels {
            let [left, top, right, bottom] = label.extent();
            prop_assert!(left >= 0.0 && top >= 0.0 && right <= layout.width && bottom <= layout.height);
        }
        for value in values {
            let y = layout.y(value);
            prop_assert!(value.is_nan() || layout.plot.expanded(0.1).contains(Point::new(layout.plot.x, y)));
        }
        prop_assert!(!spec.scene().items.is_empty());
    }
}
