//! Interventions on rows of weights.

#![allow(clippy::float_cmp, reason = "exact values are meant")]

use approx::assert_abs_diff_eq;
use proptest::prelude::*;

use super::InterventionKind as Kind;
use super::*;
use crate::numeric::softmax;

fn changed(scores: &[f32], kinds: &[Kind]) -> Result<Vec<f32>, EmptySupport> {
    let mut weights = scores.to_vec();
    softmax(&mut weights);
    intervene(kinds, 0, None, scores, &mut weights)?;
    Ok(weights)
}

const SCORES: [f32; 3] = [0.3, 2.1, 0.5];

#[test]
fn each_kind_does_what_it_says() {
    let of = |kinds: &[Kind]| changed(&SCORES, kinds).unwrap();
    let mut two = [0.3, 0.5];
    softmax(&mut two);
    assert_eq!(of(&[Kind::MaskSource(1)]), [two[0], 0.0, two[1]]);
    assert_eq!(
        of(&[Kind::MaskSource(1), Kind::MaskSource(0)]),
        [0.0, 0.0, 1.0]
    );
    assert_eq!(
        of(&[Kind::SetWeights(vec![0.25, 0.0, 0.75])]),
        [0.25, 0.0, 0.75]
    );
    assert_eq!(of(&[Kind::Uniform]), [1.0 / 3.0; 3]);
    assert_eq!(of(&[Kind::LastPosition]), [0.0, 0.0, 1.0]);
    assert_eq!(of(&[Kind::OneHot(0)]), [1.0, 0.0, 0.0]);
    let mut hot = SCORES.map(|e| e / 0.5);
    softmax(&mut hot);
    let heated = of(&[Kind::Temperature(0.5)]);
    assert!(
        heated.iter().zip(hot).all(|(a, b)| (a - b).abs() < 1e-6),
        "{heated:?} {hot:?}"
    );
}

#[test]
fn a_set_weight_leaves_the_others_their_proportions() {
    let set = |position, weight| Kind::SetWeight { position, weight };
    let row = changed(&SCORES, &[set(1, 0.2)]).unwrap();
    assert_eq!(row[1], 0.2);
    assert_abs_diff_eq!(row[0] / row[2], (0.3_f32 - 0.5).exp(), epsilon = 1e-5);
    assert_eq!(
        changed(&SCORES, &[Kind::OneHot(1), set(1, 0.5)]).unwrap(),
        [0.25, 0.5, 0.25]
    );
    assert_eq!(
        changed(&SCORES, &[Kind::MaskSource(0), set(0, 0.5)]).unwrap()[0],
        0.0
    );
    assert_eq!(changed(&[1.0], &[set(0, 1.0)]).unwrap(), [1.0]);
    assert_eq!(
        changed(&[1.0], &[set(0, 0.5)]),
        Err(EmptySupport { positions: 1 })
    );
}

#[test]
fn masks_hold_before_and_after_set_weights() {
    let row = Kind::SetWeights(vec![0.5, 0.1, 0.4]);
    let after = changed(&SCORES, &[row.clone(), Kind::MaskSource(0)]).unwrap();
    assert_eq!(after, [0.0, 0.2, 0.8]);
    assert_eq!(
        changed(&SCORES, &[Kind::MaskSource(0), row]).unwrap(),
        after
    );
    assert_eq!(
        changed(&SCORES, &[Kind::MaskSource(0), Kind::Uniform]).unwrap(),
        [0.0, 0.5, 0.5]
    );
    let clash = [Kind::OneHot(1), Kind::MaskSource(1)];
    assert_eq!(changed(&SCORES, &clash), Err(EmptySupport { positions: 3 }));
    let mut weights = [0.5, 0.5, 0.0];
    intervene(
        &[Kind::Uniform],
        0,
        Some(&[true, false, true]),
        &SCORES,
        &mut weights,
    )
    .unwrap();
    assert_eq!(weights, [0.5, 0.0, 0.5]);
}

#[test]
fn underflow_and_extreme_temperatures_stay_numbers() {
    let far = [0.0, 500.0, -500.0];
    assert_eq!(
        changed(&far, &[Kind::MaskSource(1)]).unwrap(),
        [1.0, 0.0, 0.0]
    );
    assert_eq!(
        changed(&far, &[Kind::Temperature(f32::MIN_POSITIVE)]).unwrap(),
        [0.0, 1.0, 0.0]
    );
    let flat = changed(&far, &[Kind::Temperature(f32::MAX)]).unwrap();
    assert!(flat.iter().all(|w| (w - 1.0 / 3.0).abs() < 1e-6));
    let set = Kind::SetWeights(vec![0.2, 0.8, 0.0]);
    assert_eq!(
        changed(&far, &[set, Kind::Temperature(1e-9)]).unwrap(),
        [0.0, 1.0, 0.0]
    );
    assert!(
        changed(&[f32::NAN, 1.0], &[Kind::Temperature(2.0)])
            .unwrap()
            .iter()
            .all(|w| w.is_nan())
    );
}

#[test]
fn wrong_numbers_are_refused() {
    use InterventionError as E;
    let check = |kind| Intervention::new(Scope::All, kind).check(3).unwrap_err();
    assert_eq!(
        check(Kind::MaskSource(3)),
        E::Position {
            position: 3,
            len: 3
        }
    );
    assert_eq!(
        check(Kind::OneHot(9)),
        E::Position {
            position: 9,
            len: 3
        }
    );
    assert_eq!(
        check(Kind::SetWeights(vec![1.0])),
        E::RowLength {
            found: 1,
            expected: 3
        }
    );
    assert!(matches!(
        check(Kind::SetWeights(vec![0.5, 0.4, 0.0])),
        E::RowSum { .. }
    ));
    assert!(matches!(
        check(Kind::SetWeights(vec![1.5, -0.5, 0.0])),
        E::Weight { position: 0, .. }
    ));
    assert!(matches!(
        check(Kind::SetWeights(vec![f32::NAN, 0.5, 0.5])),
        E::Weight { position: 0, .. }
    ));
    assert!(matches!(
        check(Kind::SetWeight {
            position: 1,
            weight: 1.1
        }),
        E::Weight { position: 1, .. }
    ));
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(check(Kind::Temperature(bad)), E::Temperature(_)));
    }
}

#[test]
fn a_list_that_leaves_nothing_is_found_before_it_acts() {
    let at = |scope, kind| Intervention::new(scope, kind);
    let mut list = vec![
        at(Scope::All, Kind::MaskSource(0)),
        at(Scope::From(4), Kind::MaskSource(1)),
    ];
    assert_eq!(
        check_interventions(&list, 2, true),
        Err(InterventionError::NothingLeft { position: 4 })
    );
    assert_eq!(check_interventions(&list, 3, true), Ok(()));
    assert_eq!(
        check_interventions(&list, 3, false),
        Err(InterventionError::NoAttention)
    );
    list[1].enabled = false;
    assert_eq!(check_interventions(&list, 2, true), Ok(()));
    list.push(at(Scope::Step(7), Kind::OneHot(0)));
    assert_eq!(
        check_interventions(&list, 2, true),
        Err(InterventionError::NothingLeft { position: 7 })
    );
}

#[test]
fn a_window_runs_in_step_and_rests_at_the_end() {
    let at = |position, width| {
        let mut weights = [0.25; 4];
        intervene(
            &[Kind::Window(width)],
            position,
            None,
            &[0.0; 4],
            &mut weights,
        )
        .unwrap();
        weights
    };
    assert_eq!(at(0, 0), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(at(0, 1), [0.5, 0.5, 0.0, 0.0]);
    assert_eq!(at(2, 1)[0], 0.0);
    assert_eq!(at(9, 0), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(at(9, usize::MAX), [0.25; 4]);
    // Only at step 1 does the window hold nothing but the masked word.
    let list = [Kind::MaskSource(1), Kind::Window(0)].map(|k| Intervention::new(Scope::All, k));
    assert_eq!(
        check_interventions(&list, 3, true),
        Err(InterventionError::NothingLeft { position: 1 })
    );
}

#[test]
fn a_permutation_moves_weights_and_changes_none() {
    let scores: Vec<f32> = (0..9).map(|j| (j as f32 * 1.7).sin() * 3.0).collect();
    let dealt = |seed, position| {
        let mut weights = scores.clone();
        softmax(&mut weights);
        let kinds = [Kind::MaskSource(4), Kind::Permute(seed)];
        intervene(&kinds, position, None, &scores, &mut weights).unwrap();
        weights
    };
    let plain = changed(&scores, &[Kind::MaskSource(4)]).unwrap();
    let row = dealt(1, 0);
    assert_eq!(row[4], 0.0);
    assert_ne!(row, plain);
    let sorted = |mut row: Vec<f32>| {
        row.sort_by(f32::total_cmp);
        row
    };
    assert_eq!(sorted(row.clone()), sorted(plain));
    assert_eq!(row, dealt(1, 0));
    assert_ne!(row, dealt(2, 0));
    assert_ne!(row, dealt(1, 1));
}

#[test]
fn a_row_set_to_its_own_value_stays_to_the_bit() {
    for n in 1..40 {
        let scores: Vec<f32> = (0..n).map(|j| (j as f32 * 2.3).sin() * 5.0).collect();
        let own = changed(&scores, &[]).unwrap();
        let set = |position| Kind::SetWeight {
            position,
            weight: own[position],
        };
        let all = Kind::SetWeights(own.clone());
        for kinds in [
            vec![all.clone()],
            vec![set(n / 2)],
            vec![Kind::Permute(3), all.clone()],
            vec![Kind::OneHot(0), all, set(n - 1)],
            vec![Kind::Temperature(1.0)],
        ] {
            assert_eq!(changed(&scores, &kinds).unwrap(), own, "{kinds:?}");
        }
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        (0..5_usize).prop_map(Kind::MaskSource),
        prop::collection::vec(0.01_f32..1.0, 5).prop_map(|mut row| {
            let sum: f32 = row.iter().sum();
            row = row.iter().map(|w| w / sum).collect();
            Kind::SetWeights(row)
        }),
        (0..5_usize, 0.0_f32..=1.0)
            .prop_map(|(position, weight)| Kind::SetWeight { position, weight }),
        (0.01_f32..50.0).prop_map(Kind::Temperature),
        Just(Kind::Uniform),
        Just(Kind::LastPosition),
        (0..5_usize).prop_map(Kind::OneHot),
        (0..5_usize).prop_map(Kind::Window),
        any::<u64>().prop_map(Kind::Permute),
    ]
}

proptest! {
    #[test]
    fn whatever_acts_the_row_sums_to_one_and_masks_hold(
        scores in prop::collection::vec(-30_f32..30.0, 5),
        kinds in prop::collection::vec(kind(), 0..6),
    ) {
        let list: Vec<_> = kinds.iter().cloned().map(|kind| Intervention::new(Scope::All, kind)).collect();
        let known = check_interventions(&list, 5, true);
        if let Ok(row) = changed(&scores, &kinds) {
            prop_assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{:?}", row);
            prop_assert!(row.iter().all(|w| *w >= 0.0));
            for kind in &kinds {
                if let Kind::MaskSource(j) = kind { prop_assert_eq!(row[*j], 0.0); }
            }
        } else {
            prop_assert_eq!(known, Err(InterventionError::NothingLeft { position: 0 }));
        }
    }
}
