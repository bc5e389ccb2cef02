use super::*;
use proptest::prelude::*;

fn bars(values: Vec<f32>, count: usize) -> BarsSpec {
    let labels = (0..values.len()).map(|n| format!("word{n}")).collect();
    let series = (0..count).map(|index| Series {
        name: format!("scorer{index}"),
        index,
        values: values.clone(),
    });
    BarsSpec::new(labels, series.collect())
}

#[test]
fn weights_reach_from_0_to_1_and_a_token_is_found() {
    let spec = bars(vec![0.25, 0.5, f32::NAN], 2);
    let layout = spec.layout();
    assert_eq!(layout.largest, 1.0);
    assert_eq!(layout.bar(1, 0, 0.5).width * 2.0, layout.plot.width);
    for group in 0..3 {
        assert_eq!(
            layout.label_at(layout.bar(group, 1, 1.0).centre()),
            Some(group)
        );
    }
    assert_eq!(layout.label_at(Point::new(1.0, 0.0)), None);
    assert_eq!(layout.label_at(Point::new(f32::NAN, f32::NAN)), None);
    let hatched = spec
        .scene()
        .items
        .iter()
        .any(|item| matches!(item, Item::Hatch { .. }));
    assert!(hatched, "what is no number is not drawn as 0");
}

proptest! {
    #[test]
    fn bars_stay_apart_and_inside(
        values in prop::collection::vec(prop::num::f32::ANY, 0..40),
        count in 0_usize..5, size in 4.0_f32..30.0,
    ) {
        let mut spec = bars(values, count);
        spec.font_size = size;
        let layout = spec.layout();
        for group in 0..spec.labels.len() {
            for series in 0..count {
                let rect = layout.bar(group, series, spec.series[series].values[group]);
                prop_assert!(layout.plot.expanded(0.01).contains(Point::new(rect.x, rect.y)));
                prop_assert!(rect.bottom() <= layout.plot.bottom() + 0.01);
                if series + 1 < count {
                    prop_assert!(rect.bottom() <= layout.bar(group, series + 1, 1.0).y + 0.01);
                }
            }
        }
        prop_assert!(!spec.scene().items.is_empty());
    }
}
