use super::*;

const FINE: Cut = Cut {
    grain: 4,
    least: 0,
    each: 3,
};

/// Numbers that tell which piece made them, and that every place was worked on once.
fn count(values: &mut [f32]) {
    in_pieces(values, FINE, |at, piece| {
        assert_eq!(at % 4, 0);
        for (i, v) in piece.iter_mut().enumerate() {
            *v += (at + i) as f32;
        }
    });
}

#[test]
fn every_place_is_worked_on_once() {
    together(|| {
        for len in [0, 1, 7, 8, 9, 100, 1003] {
            for _ in 0..50 {
                let mut values = vec![0.0; len];
                count(&mut values);
                assert!(values.iter().enumerate().all(|(i, v)| *v == i as f32));
            }
        }
    });
}

#[test]
fn a_team_that_fell_asleep_helps_again() {
    together(|| {
        for _ in 0..5 {
            let mut values = vec![0.0; 4000];
            count(&mut values);
            assert!(values.iter().enumerate().all(|(i, v)| *v == i as f32));
            thread::sleep(AWAKE * 4);
        }
    });
}

#[test]
fn several_callers_and_work_that_splits_again_get_what_they_asked_for() {
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                together(|| {
                    for _ in 0..200 {
                        let mut values = vec![0.0; 500];
                        in_pieces(&mut values, FINE, |at, piece| {
                            let mut inner = vec![0.0; 40];
                            count(&mut inner);
                            let extra: f32 = inner.iter().sum();
                            for (i, v) in piece.iter_mut().enumerate() {
                                *v += (at + i) as f32 + extra;
                            }
                        });
                        assert!(
                            values
                                .iter()
                                .enumerate()
                                .all(|(i, v)| *v == i as f32 + 780.0)
                        );
                    }
                });
            });
        }
    });
}

#[test]
fn a_panic_reaches_the_caller_and_leaves_a_team_that_works() {
    for wrong in [0, 100, 200, 396] {
        let result = catch_unwind(|| {
            together(|| {
                in_pieces(&mut [0.0; 400], FINE, |at, piece| {
                    assert!(!(at..at + piece.len()).contains(&wrong), "wrong piece");
                });
            });
        });
        assert_eq!(result.unwrap_err().downcast_ref(), Some(&"wrong piece"));
        assert!(SPLIT.get() == Split::No);
        let mut values = vec![0.0; 400];
        together(|| count(&mut values));
        assert!(values.iter().enumerate().all(|(i, v)| *v == i as f32));
    }
}

#[test]
fn only_those_who_may_split_do() {
    let pieces = |body: &dyn Fn(&AtomicUsize)| {
        let pieces = AtomicUsize::new(0);
        body(&pieces);
        pieces.into_inner()
    };
    let split = |pieces: &AtomicUsize| {
        in_pieces(&mut [0.0; 400], FINE, |_, _| {
            pieces.fetch_add(1, Ordering::Relaxed);
        });
    };
    assert_eq!(pieces(&split), 1);
    assert_eq!(pieces(&|p| alone(|| together(|| split(p)))), 1);
}
