use ndarray::{Array2, array};
use proptest::prelude::*;

use super::*;

fn matrix(values: Array2<f32>) -> LabelledMatrix {
    let (rows, columns) = values.dim();
    let names = |count: usize| (0..count).map(|n| n.to_string()).collect::<Vec<_>>();
    LabelledMatrix::new(names(rows), names(columns), values).unwrap()
}

fn labels(ticks: &[Tick]) -> Vec<&str> {
    ticks.iter().map(|tick| tick.label.as_str()).collect()
}

#[test]
fn linear_positions_are_proportional() {
    let range = ValueRange { min: 1.0, max: 3.0 };
    assert_eq!(Scaling::Linear.position(2.0, 9.0, range), 0.5);
    assert_eq!(Scaling::Linear.position(-5.0, 9.0, range), 0.0);
    assert_eq!(Scaling::Linear.position(f32::INFINITY, 9.0, range), 1.0);
}

#[test]
fn log_positions_count_decades_from_the_floor() {
    let at = |value| Scaling::Log.position(value, 1.0, ValueRange::UNIT);
    assert!((at(0.01) - 0.5).abs() < 1e-5);
    assert_eq!(at(0.0), 0.0);
    assert_eq!(at(LOG_FLOOR / 2.0), 0.0);
    assert_eq!(at(1.0), 1.0);
}

#[test]
fn the_largest_of_a_row_is_full() {
    assert_eq!(Scaling::RowMax.position(0.2, 0.4, ValueRange::UNIT), 0.5);
    assert_eq!(Scaling::RowMax.position(0.4, 0.4, ValueRange::UNIT), 1.0);
    assert_eq!(Scaling::RowMax.position(0.0, 0.0, ValueRange::UNIT), 0.0);
}

#[test]
fn weights_share_the_range_from_zero_to_one() {
    let (a, b) = (matrix(array![[0.2, 0.3]]), matrix(array![[0.5, f32::NAN]]));
    assert_eq!(ValueRange::shared([&a, &b]), ValueRange::UNIT);
    let scores = matrix(array![[-2.0, 7.0], [f32::INFINITY, 0.0]]);
    let range = ValueRange::shared([&a, &scores]);
    assert_eq!((range.min, range.max), (-2.0, 7.0));
    let none = matrix(array![[f32::NAN]]);
    assert_eq!(ValueRange::shared([&none]), ValueRange::UNIT);
}

#[test]
fn signed_values_get_a_round_symmetric_range() {
    let range = ValueRange::symmetric([&matrix(array![[-0.43, 0.2]])]);
    assert_eq!((range.min, range.max), (-0.5, 0.5));
    let nothing = ValueRange::symmetric([&matrix(array![[0.0]])]);
    assert_eq!((nothing.min, nothing.max), (-1.0, 1.0));
}

#[test]
fn ticks_are_round_numbers() {
    let unit = Scaling::Linear.ticks(ValueRange::UNIT, 4);
    assert_eq!(labels(&unit), ["0.00", "0.25", "0.50", "0.75", "1.00"]);
    let five = Scaling::Linear.ticks(ValueRange::UNIT, 5);
    assert_eq!(labels(&five), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    let signed = linear_ticks(
        ValueRange {
            min: -0.5,
            max: 0.5,
        },
        2,
    );
    assert_eq!(labels(&signed), ["−0.5", "0.0", "0.5"]);
    let log = Scaling::Log.ticks(ValueRange::UNIT, 4);
    assert_eq!(labels(&log), ["≤ 0.0001", "0.001", "0.01", "0.1", "1"]);
    let rows = Scaling::RowMax.ticks(ValueRange { min: 0.0, max: 9.0 }, 5);
    assert_eq!(labels(&rows), ["0.0", "0.5", "1.0"]);
}

#[test]
fn values_are_short() {
    let cases = [
        (0.731_4, "0.73"),
        (-0.001, "0.00"),
        (-0.25, "−0.25"),
        (12.34, "12.3"),
        (1234.5, "1234"),
        (1.0, "1.00"),
        (f32::NAN, "NaN"),
        (f32::NEG_INFINITY, "−∞"),
    ];
    for (value, expected) in cases {
        assert_eq!(format_value(value), expected);
    }
}

#[test]
fn names_come_back() {
    for scaling in Scaling::ALL {
        assert_eq!(Scaling::from_name(scaling.name()), Some(scaling));
    }
}

proptest! {
    #[test]
    fn positions_stay_between_the_ends(
        value in prop::num::f32::ANY,
        row_max in prop::num::f32::NORMAL,
        a in prop::num::f32::NORMAL,
        b in prop::num::f32::NORMAL,
    ) {
        let range = ValueRange { min: a.min(b), max: a.max(b) };
        for scaling in Scaling::ALL {
            let position = scaling.position(value, row_max, range);
            prop_assert_eq!(position.is_nan(), value.is_nan());
            prop_assert!(value.is_nan() || (0.0..=1.0).contains(&position), "{} {}", scaling.name(), position);
        }
    }

    #[test]
    fn ticks_rise_inside_the_range(low in -1e6_f32..1e6, extent in 1e-3_f32..1e6, count in 1_usize..9) {
        let range = ValueRange { min: low, max: low + extent };
        for scaling in Scaling::ALL {
            let ticks = scaling.ticks(range, count);
            for pair in ticks.windows(2) {
                prop_assert!(pair[0].position < pair[1].position);
            }
            for tick in &ticks {
                prop_assert!((0.0..=1.0).contains(&tick.position));
                prop_assert!(!tick.label.is_empty());
            }
        }
        prop_assert!(linear_ticks(range, count).len() <= count + 2);
    }

    #[test]
    fn a_symmetric_range_holds_every_value(values in prop::collection::vec(-1e9_f32..1e9, 1..20)) {
        let count = values.len();
        let m = matrix(Array2::from_shape_vec((1, count), values.clone()).unwrap());
        let range = ValueRange::symmetric([&m]);
        prop_assert_eq!(range.min, -range.max);
        prop_assert!(values.iter().all(|value| value.abs() <= range.max * 1.000_01));
    }
}
