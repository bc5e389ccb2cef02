//! Sessions on tiny random networks, with no window.

#![allow(clippy::float_cmp, reason = "exact values are meant")]

use std::sync::Arc;

use super::DecodeCommand::{
    AddIntervention, EnableIntervention, First, ForceNext, ForceToken, GoToNode, MoveTo,
    NameBranch, RemoveBranch, RemoveIntervention, ReplaceIntervention, Restart, RunToEnd,
    SetPolicy, Step, StepBack, TeacherForce,
};
use super::*;
use crate::engine::config::tests::tiny;
use crate::engine::{
    CellKind, DecodePolicy, InterventionError, InterventionKind as Kind, ModelConfig, Scope,
    ScoreKind, Wiring,
};
use crate::numeric::fill_uniform;
use crate::text::{PAD, START, UNKNOWN};

mod branches;
mod interventions;
mod random;

const SOURCE: [u32; 4] = [4, 9, UNKNOWN, 7];
const LIMIT: usize = 8;

/// A network whose `</s>` has a bias, so that greedy sentences end late (negative) or at once (positive).
fn network_with(config: ModelConfig, seed: u64, end_bias: f32) -> Arc<Seq2Seq> {
    let mut network = Seq2Seq::initialised(&config.check().unwrap(), seed);
    // Larger parameters than at the start of training, so that steps differ visibly.
    for parameter in network.parameters_mut() {
        fill_uniform(
            parameter.values,
            0.9,
            &mut crate::numeric::stream(&[seed, parameter.values.len() as u64]),
        );
    }
    network.decoder.output.b[END as usize] = end_bias;
    Arc::new(network)
}

fn network(score: ScoreKind) -> Arc<Seq2Seq> {
    network_with(tiny(score), 5, -9.0)
}

fn session(score: ScoreKind) -> DecodeSession {
    DecodeSession::new(network(score), SOURCE.to_vec(), LIMIT).unwrap()
}

/// Applies all commands; none may fail.
fn send(
    session: &mut DecodeSession,
    commands: impl IntoIterator<Item = DecodeCommand>,
) -> Vec<Outcome> {
    commands
        .into_iter()
        .map(|command| session.apply(command).unwrap())
        .collect()
}

/// A token of the word range that is not `other`.
fn another(other: u32) -> u32 {
    if other == 6 { 5 } else { 6 }
}

fn every_model() -> Vec<ModelConfig> {
    let mut all = Vec::new();
    for score in ScoreKind::ALL {
        for cell in CellKind::ALL {
            for (wiring, input_feeding) in [
                (Wiring::Bahdanau, false),
                (Wiring::Luong, false),
                (Wiring::Luong, true),
            ] {
                all.push(ModelConfig {
                    cell,
                    wiring,
                    input_feeding,
                    ..tiny(score)
                });
            }
        }
    }
    all
}

#[test]
fn bad_starts_are_refused() {
    let start = |source: &[u32], limit| {
        DecodeSession::new(network(ScoreKind::Dot), source.to_vec(), limit).map(drop)
    };
    assert_eq!(start(&[], 5), Err(SessionError::EmptySource));
    assert_eq!(
        start(&vec![4; 5000], 5),
        Err(SessionError::SourceTooLong { len: 5000 })
    );
    assert_eq!(
        start(&[4, 11], 5),
        Err(SessionError::SourceToken {
            token: 11,
            position: 1,
            vocabulary: 11
        })
    );
    assert_eq!(start(&[4], 0), Err(SessionError::StepLimit { found: 0 }));
    assert!(
        SessionError::StepLimit { found: 0 }
            .to_string()
            .ends_with("from 1 to 4096")
    );
}

#[test]
fn stepping_equals_decoding_by_hand() {
    for config in every_model() {
        let network = network_with(config, 3, 0.0);
        let mut session = DecodeSession::new(network.clone(), SOURCE.to_vec(), LIMIT).unwrap();
        send(&mut session, [RunToEnd]);
        let states = network.encode(&SOURCE, 1);
        let mut state = network.start(&states);
        let mut input = START;
        for (t, step) in session.steps().enumerate() {
            let run = network.decode(&[input], state, &states, None).unwrap();
            assert_eq!((step.position, step.input), (t, input));
            assert_eq!(step.context, run.attention.contexts.row(0).to_vec());
            assert_eq!(step.weights.is_some(), network.config().score.attends());
            assert_eq!(step.state(), run.cell.hidden.row(0).to_vec());
            assert_eq!(
                step.top(1)[0].log_probability,
                step.log_probabilities.iter().copied().fold(-99.0, f32::max)
            );
            state = run.state_after(0);
            input = step.chosen;
        }
        let total: f64 = session.steps().map(|s| f64::from(s.log_probability)).sum();
        assert!((session.current_step().unwrap().total_log_probability - total).abs() < 1e-9);
    }
}

#[test]
fn teacher_forcing_equals_the_training_pass() {
    for config in every_model() {
        let network = network_with(config, 8, 0.0);
        let target = [5, 4, 8, UNKNOWN, 5];
        let mut session = DecodeSession::new(network.clone(), SOURCE.to_vec(), LIMIT).unwrap();
        assert_eq!(
            send(&mut session, [Step, TeacherForce(target.to_vec())])[1],
            Outcome::Branched
        );
        assert_eq!(
            (session.position(), session.status()),
            (6, Status::Finished)
        );
        let pass = network
            .forward(&SOURCE, &[START, 5, 4, 8, UNKNOWN, 5], 1, None, None)
            .unwrap()
            .decoder;
        for (t, step) in session.steps().enumerate() {
            assert!(step.forced);
            let near = |a: &[f32], b: &[f32]| {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5)
            };
            let mut expected = pass.logits(t).to_vec();
            crate::numeric::log_softmax(&mut expected);
            assert!(near(&step.log_probabilities, &expected));
            assert!(near(
                &step.context,
                pass.attention.contexts.row(t).as_slice().unwrap()
            ));
            if let Some(weights) = &step.weights {
                assert!(near(
                    weights,
                    pass.attention.weights.row(t).as_slice().unwrap()
                ));
            }
        }
        assert_eq!(session.tokens(), [&target[..], &[END]].concat());
        assert_eq!(session.computed_steps(), 6);
    }
}

#[test]
fn wrong_targets_and_tokens_are_refused_and_nothing_changes() {
    let mut session = session(ScoreKind::Dot);
    send(&mut session, [Step, Step]);
    let before = format!("{session:?}");
    let mut refuse = |command| session.apply(command).unwrap_err();
    assert_eq!(
        refuse(TeacherForce(vec![5, END, 5])),
        SessionError::EndInside { position: 1 }
    );
    assert_eq!(
        refuse(TeacherForce(vec![5; 8])),
        SessionError::TargetTooLong {
            len: 9,
            limit: LIMIT
        }
    );
    assert_eq!(
        refuse(TeacherForce(vec![5, 9])),
        SessionError::Token {
            token: 9,
            vocabulary: 9
        }
    );
    assert_eq!(refuse(ForceToken(PAD)), SessionError::NotGenerated(PAD));
    assert_eq!(refuse(ForceNext(START)), SessionError::NotGenerated(START));
    assert_eq!(
        refuse(GoToNode(NodeId(77))),
        SessionError::NoNode(NodeId(77))
    );
    assert_eq!(
        refuse(RemoveIntervention(0)),
        SessionError::NoIntervention { index: 0, len: 0 }
    );
    let policy = DecodePolicy::Sample {
        temperature: 0.0,
        seed: 1,
    };
    assert!(matches!(refuse(SetPolicy(policy)), SessionError::Policy(_)));
    assert_eq!(format!("{session:?}"), before);
}

#[test]
fn the_end_and_the_limit_are_told_apart() {
    let mut long = session(ScoreKind::Additive);
    assert_eq!(
        send(
            &mut long,
            [StepBack, RunToEnd, Step, RunToEnd, ForceNext(5)]
        ),
        [
            Outcome::AtStart,
            Outcome::Moved,
            Outcome::StepLimit,
            Outcome::StepLimit,
            Outcome::StepLimit,
        ]
    );
    assert_eq!((long.position(), long.status()), (LIMIT, Status::StepLimit));
    let network = network_with(tiny(ScoreKind::Dot), 5, 40.0);
    let mut short = DecodeSession::new(network, SOURCE.to_vec(), LIMIT).unwrap();
    assert_eq!(
        send(&mut short, [RunToEnd, Step]),
        [Outcome::Moved, Outcome::Ended]
    );
    assert_eq!(
        (short.tokens(), short.status()),
        (vec![END], Status::Finished)
    );
    // A person may go on where the model stopped.
    assert_eq!(
        send(&mut short, [ForceToken(5), Step]),
        [Outcome::Branched, Outcome::Moved]
    );
    assert_eq!(short.tokens(), [5, END]);
}

#[test]
fn sampling_follows_from_its_seed_and_starts_at_the_cursor() {
    let policy = |seed| DecodePolicy::Sample {
        temperature: 5.0,
        seed,
    };
    let run = |seed| {
        let mut session = session(ScoreKind::Dot);
        send(&mut session, [SetPolicy(policy(seed)), RunToEnd]);
        session.tokens()
    };
    assert_eq!(run(1), run(1));
    assert!((2..9).any(|seed| run(seed) != run(1)));
    let mut session = session(ScoreKind::Dot);
    let outcomes = send(
        &mut session,
        [
            RunToEnd,
            SetPolicy(DecodePolicy::Greedy),
            MoveTo(2),
            SetPolicy(policy(3)),
        ],
    );
    assert_eq!(
        outcomes,
        [
            Outcome::Moved,
            Outcome::Unchanged,
            Outcome::Moved,
            Outcome::Changed
        ]
    );
    assert_eq!(session.line().len(), 2);
    // Another step limit or branch does not shift the draws: they follow from the path.
    send(
        &mut session,
        [RunToEnd, Restart, SetPolicy(policy(1)), RunToEnd],
    );
    assert_eq!(session.tokens(), run(1));
}

#[test]
fn long_and_short_sources() {
    for score in ScoreKind::ALL {
        let long: Vec<u32> = (0..500).map(|i| i % 11).collect();
        let mut session = DecodeSession::new(network(score), long, 20).unwrap();
        send(&mut session, [RunToEnd]);
        for step in session.steps() {
            let sum = step.weights.as_ref().map_or(1.0, |w| w.iter().sum::<f32>());
            assert!((sum - 1.0).abs() < 1e-5);
        }
        let mut session = DecodeSession::new(network(score), vec![UNKNOWN], 20).unwrap();
        send(&mut session, [RunToEnd]);
        let only = session.states().values.row(0).to_vec();
        assert_eq!(session.position(), 20);
        for step in session.steps() {
            assert_eq!(step.context, only);
            assert!(step.weights.as_ref().is_none_or(|w| w[..] == [1.0]));
        }
    }
}

#[test]
fn a_broken_network_is_shown_and_does_not_panic() {
    let mut broken = (*network(ScoreKind::Additive)).clone();
    broken.decoder.init.w.fill(f32::NAN);
    let mut session = DecodeSession::new(Arc::new(broken), SOURCE.to_vec(), LIMIT).unwrap();
    send(
        &mut session,
        [
            RunToEnd,
            First,
            AddIntervention(Intervention::new(Scope::All, Kind::MaskSource(0))),
        ],
    );
    send(&mut session, [ForceToken(5), Step]);
    assert!(session.current_step().unwrap().log_probabilities[0].is_nan());
}

#[test]
fn commands_are_plain_data() {
    let commands = vec![
        Step,
        TeacherForce(vec![4, 5]),
        SetPolicy(DecodePolicy::Sample {
            temperature: 0.5,
            seed: 9,
        }),
        AddIntervention(Intervention::new(
            Scope::From(2),
            Kind::SetWeight {
                position: 1,
                weight: 0.25,
            },
        )),
        EnableIntervention {
            index: 0,
            enabled: false,
        },
        ReplaceIntervention {
            index: 0,
            intervention: Intervention::new(Scope::All, Kind::Uniform),
        },
        GoToNode(NodeId(3)),
    ];
    let text = serde_json::to_string(&commands).unwrap();
    assert_eq!(
        serde_json::from_str::<Vec<DecodeCommand>>(&text).unwrap(),
        commands
    );
}
