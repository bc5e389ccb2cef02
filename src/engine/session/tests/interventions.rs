//! Interventions in a session: what is decoded again, what is shared, what is refused.

use super::*;

fn add(scope: Scope, kind: Kind) -> DecodeCommand {
    AddIntervention(Intervention::new(scope, kind))
}

fn applied(session: &DecodeSession, position: usize) -> Vec<f32> {
    session
        .step_at(position)
        .unwrap()
        .applied_weights
        .as_ref()
        .unwrap()
        .to_vec()
}

#[test]
fn an_intervention_decodes_again_from_the_first_step_it_changes() {
    for wiring in Wiring::ALL {
        let network = network_with(
            ModelConfig {
                wiring,
                ..tiny(ScoreKind::Additive)
            },
            5,
            -9.0,
        );
        let mut session = DecodeSession::new(network, SOURCE.to_vec(), LIMIT).unwrap();
        send(&mut session, [RunToEnd, MoveTo(5)]);
        let before: Vec<_> = session.line_steps().cloned().collect();
        assert_eq!(
            send(&mut session, [add(Scope::From(3), Kind::OneHot(1))]),
            [Outcome::Branched]
        );
        assert_eq!((session.position(), session.computed_steps()), (5, 8 + 5));
        for (t, (old, new)) in before.iter().zip(session.line_steps()).enumerate() {
            assert_eq!(Arc::ptr_eq(old, new), t < 3);
            assert_eq!(new.is_intervened(), t >= 3);
        }
        // Both rows are kept, and the context follows from the one that was applied.
        assert_eq!(applied(&session, 4), [0.0, 1.0, 0.0, 0.0]);
        let step = session.step_at(4).unwrap();
        assert!(step.weights.as_ref().unwrap().iter().all(|w| *w > 0.0));
        assert_eq!(step.context, session.states().values.row(1).to_vec());
        // The unchanged step shares one row.
        let first = session.step_at(0).unwrap();
        assert!(Arc::ptr_eq(
            first.weights.as_ref().unwrap(),
            first.applied_weights.as_ref().unwrap()
        ));
    }
}

#[test]
fn toggling_finds_the_branches_again() {
    let mut session = session(ScoreKind::Dot);
    send(
        &mut session,
        [MoveTo(6), add(Scope::All, Kind::MaskSource(2))],
    );
    let (masked, computed) = (session.line().to_vec(), session.computed_steps());
    assert_eq!(computed, 12);
    let toggle = |enabled| EnableIntervention { index: 0, enabled };
    assert_eq!(send(&mut session, [toggle(false)]), [Outcome::Moved]);
    let plain = session.line().to_vec();
    send(&mut session, [toggle(true)]);
    assert_eq!((session.line(), session.position()), (&masked[..], 6));
    send(&mut session, [RemoveIntervention(0)]);
    assert_eq!(session.line(), plain);
    assert_eq!(
        (session.computed_steps(), session.branches().len()),
        (computed, 2)
    );
    // Going to a branch brings its interventions back.
    send(&mut session, [GoToNode(masked[5])]);
    assert_eq!(
        session.interventions(),
        [Intervention::new(Scope::All, Kind::MaskSource(2))]
    );
    send(&mut session, [GoToNode(plain[2])]);
    assert_eq!(
        (session.interventions(), session.position(), session.line()),
        (&[][..], 3, &plain[..])
    );
}

#[test]
fn forced_tokens_stay_forced() {
    let mut session = session(ScoreKind::General);
    send(&mut session, [MoveTo(3)]);
    let forced = another(session.current_step().unwrap().chosen);
    send(
        &mut session,
        [
            ForceToken(forced),
            RunToEnd,
            add(Scope::Step(0), Kind::LastPosition),
        ],
    );
    let step = session.step_at(2).unwrap();
    assert!(step.forced && step.chosen == forced);
    assert_eq!(session.line_steps().filter(|s| s.forced).count(), 1);
    assert_eq!(
        (session.position(), session.status()),
        (LIMIT, Status::StepLimit)
    );
    assert_eq!(applied(&session, 0), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn what_would_leave_nothing_is_refused_and_nothing_changes() {
    let mut session = session(ScoreKind::Dot);
    let masks = [0, 1, 2].map(|j| add(Scope::From(6), Kind::MaskSource(j)));
    send(&mut session, [MoveTo(3)].into_iter().chain(masks));
    let (before, steps) = (format!("{session:?}"), session.computed_steps());
    let nothing = SessionError::Intervention(InterventionError::NothingLeft { position: 6 });
    assert_eq!(
        session.apply(add(Scope::All, Kind::MaskSource(3))),
        Err(nothing)
    );
    let error = session
        .apply(add(Scope::All, Kind::SetWeights(vec![0.5; 4])))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the weights of a row must sum to 1 (within 0.0001); these sum to 2"
    );
    assert_eq!(format!("{session:?}"), before);
    assert_eq!(session.computed_steps(), steps);
    send(&mut session, [RunToEnd]);
    assert_eq!(applied(&session, 7), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn the_bottleneck_refuses_interventions() {
    let mut session = session(ScoreKind::Bottleneck);
    let error = session.apply(add(Scope::All, Kind::Uniform)).unwrap_err();
    assert_eq!(
        error,
        SessionError::Intervention(InterventionError::NoAttention)
    );
    send(&mut session, [Step]);
    let step = session.current_step().unwrap();
    assert!(step.weights.is_none() && step.applied_weights.is_none() && step.scores.is_none());
}

#[test]
fn replacing_leaves_one_branch_as_a_slider_should() {
    let mut session = session(ScoreKind::Additive);
    let weight = |w| {
        Intervention::new(
            Scope::From(1),
            Kind::SetWeight {
                position: 0,
                weight: w,
            },
        )
    };
    send(&mut session, [MoveTo(4), AddIntervention(weight(0.1))]);
    for i in 2..9 {
        send(
            &mut session,
            [ReplaceIntervention {
                index: 0,
                intervention: weight(i as f32 / 10.0),
            }],
        );
        assert_eq!(applied(&session, 3)[0], i as f32 / 10.0);
        assert_eq!(session.branches().len(), 2);
    }
    // A named branch is kept.
    let named = session.current().unwrap();
    send(
        &mut session,
        [NameBranch {
            node: named,
            name: "0.8".into(),
        }],
    );
    send(
        &mut session,
        [ReplaceIntervention {
            index: 0,
            intervention: weight(0.0),
        }],
    );
    assert_eq!(session.branches().len(), 3);
    assert_eq!(session.tree().len(), 4 + 3 + 3);
}

#[test]
fn one_source_word_keeps_all_the_weight() {
    let mut session = DecodeSession::new(network(ScoreKind::Dot), vec![5], LIMIT).unwrap();
    send(
        &mut session,
        [
            MoveTo(2),
            add(Scope::All, Kind::Uniform),
            add(Scope::All, Kind::Temperature(3.0)),
        ],
    );
    assert_eq!(applied(&session, 1), [1.0]);
    let error = session.apply(add(Scope::All, Kind::MaskSource(0)));
    let error = error.unwrap_err();
    assert_eq!(
        error,
        SessionError::Intervention(InterventionError::OnlyToken)
    );
    assert_eq!(
        error.to_string(),
        "the source has only one token: without it there is nothing to attend to"
    );
    assert!(
        session
            .apply(add(
                Scope::All,
                Kind::SetWeight {
                    position: 0,
                    weight: 0.5
                }
            ))
            .is_err()
    );
}

/// All numbers of a line, as bits.
fn bits(session: &DecodeSession) -> Vec<(u32, Vec<u32>, Vec<u32>)> {
    let all = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect();
    session
        .line_steps()
        .map(|step| {
            (
                step.chosen,
                all(step.applied_weights.as_deref().unwrap_or_default()),
                all(&step.log_probabilities),
            )
        })
        .collect()
}

#[test]
fn edits_compose_and_undo_exactly() {
    let edits = [
        add(Scope::All, Kind::MaskSource(2)),
        add(Scope::From(2), Kind::Temperature(0.3)),
        add(Scope::All, Kind::Permute(4)),
        add(
            Scope::Step(1),
            Kind::SetWeight {
                position: 0,
                weight: 0.7,
            },
        ),
    ];
    for config in every_model()
        .into_iter()
        .filter(|config| config.score.attends())
    {
        let network = network_with(config, 5, -9.0);
        let fresh = || DecodeSession::new(network.clone(), SOURCE.to_vec(), LIMIT).unwrap();
        let mut session = fresh();
        send(&mut session, [RunToEnd]);
        let mut seen = vec![bits(&session)];
        for edit in &edits {
            send(&mut session, [edit.clone()]);
            seen.push(bits(&session));
        }
        assert!(seen.windows(2).all(|two| two[0] != two[1]));
        // All at once before the first step: the same.
        let mut other = fresh();
        send(&mut other, edits.iter().cloned().chain([RunToEnd]));
        assert_eq!(bits(&other), seen[4]);
        for count in (0..4).rev() {
            send(&mut session, [RemoveIntervention(count)]);
            assert_eq!(bits(&session), seen[count]);
        }
    }
}

#[test]
fn setting_every_row_to_its_own_value_changes_nothing() {
    let mut session = session(ScoreKind::Additive);
    send(&mut session, [RunToEnd]);
    let before = bits(&session);
    let rows: Vec<Vec<f32>> = (0..LIMIT).map(|t| applied(&session, t)).collect();
    for (t, row) in rows.into_iter().enumerate() {
        let own = Kind::SetWeight {
            position: 1,
            weight: row[1],
        };
        send(
            &mut session,
            [
                add(Scope::Step(t), own),
                add(Scope::Step(t), Kind::SetWeights(row)),
            ],
        );
    }
    assert_eq!(bits(&session), before);
}
