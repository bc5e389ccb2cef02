//! Any sequence of commands leaves a session whole.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::engine::{active_at, check_interventions};

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        (0..5_usize).prop_map(Kind::MaskSource),
        Just(Kind::SetWeights(vec![0.1, 0.2, 0.3, 0.4])),
        (0..4_usize, 0.0_f32..1.1)
            .prop_map(|(position, weight)| Kind::SetWeight { position, weight }),
        (-0.1_f32..4.0).prop_map(Kind::Temperature),
        Just(Kind::Uniform),
        Just(Kind::LastPosition),
        (0..4_usize).prop_map(Kind::OneHot),
    ]
}

fn intervention() -> impl Strategy<Value = Intervention> {
    let scope = prop_oneof![
        (0..9_usize).prop_map(Scope::Step),
        (0..9_usize).prop_map(Scope::From),
        Just(Scope::All)
    ];
    (scope, kind(), prop::bool::weighted(0.8)).prop_map(|(scope, kind, enabled)| Intervention {
        scope,
        kind,
        enabled,
    })
}

fn command() -> impl Strategy<Value = DecodeCommand> {
    let policy = prop_oneof![
        Just(DecodePolicy::Greedy),
        (0.0_f32..4.0, 0..3_u64)
            .prop_map(|(temperature, seed)| DecodePolicy::Sample { temperature, seed }),
    ];
    prop_oneof![
        6 => Just(Step),
        2 => Just(StepBack),
        2 => (0..11_usize).prop_map(MoveTo),
        1 => Just(First),
        1 => Just(RunToEnd),
        1 => Just(Restart),
        3 => (0..10_u32).prop_map(ForceToken),
        2 => (0..10_u32).prop_map(ForceNext),
        1 => prop::collection::vec(2..9_u32, 0..8).prop_map(TeacherForce),
        1 => policy.prop_map(SetPolicy),
        2 => intervention().prop_map(AddIntervention),
        1 => (0..3_usize, intervention()).prop_map(|(index, intervention)| ReplaceIntervention { index, intervention }),
        1 => (0..3_usize).prop_map(RemoveIntervention),
        2 => (0..3_usize, any::<bool>()).prop_map(|(index, enabled)| EnableIntervention { index, enabled }),
        2 => (0..60_u32).prop_map(|id| GoToNode(NodeId(id))),
        1 => (0..60_u32).prop_map(|id| RemoveBranch(NodeId(id))),
        1 => (0..60_u32).prop_map(|id| NameBranch { node: NodeId(id), name: "n".into() }),
    ]
}

fn check_line(session: &DecodeSession) {
    assert!(
        session.position() <= session.line().len() && session.line().len() <= session.step_limit()
    );
    let mut total = 0.0;
    let mut input = START;
    for (t, step) in session.line_steps().enumerate() {
        assert_eq!((step.position, step.input), (t, input));
        assert_eq!(
            step.interventions[..],
            active_at(session.interventions(), t)
        );
        total += f64::from(step.log_probability);
        assert!((step.total_log_probability - total).abs() < 1e-6);
        assert!(step.chosen != PAD && step.chosen != START);
        for row in [&step.weights, &step.applied_weights].into_iter().flatten() {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{row:?}");
        }
        assert!(input != END, "a step after the end");
        input = step.chosen;
    }
    assert_eq!(session.line_steps().count(), session.line().len());
    assert_eq!(session.steps().count(), session.position());
}

fn check_tree(session: &DecodeSession) {
    let tree = session.tree();
    let mut seen = BTreeSet::new();
    let mut reached = tree.children(None).to_vec();
    while let Some(id) = reached.pop() {
        assert!(seen.insert(id));
        let node = tree.get(id).unwrap();
        node.children
            .iter()
            .for_each(|child| assert_eq!(tree.get(*child).unwrap().parent, Some(id)));
        reached.extend(&node.children);
    }
    assert_eq!(seen.len(), tree.len());
    assert_eq!(session.branches().len(), tree.leaves().count());
    if let Some(tip) = session.line().last() {
        assert_eq!(tree.path(*tip), session.line());
    }
    let attends = session.network().config().score.attends();
    assert_eq!(
        check_interventions(session.interventions(), session.source().len(), attends),
        Ok(())
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn any_commands_leave_the_session_whole(
        commands in prop::collection::vec(command(), 1..60),
        score in prop::sample::select(ScoreKind::ALL.to_vec()),
        end_bias in -3.0_f32..1.0,
        seed in 0..4_u64,
    ) {
        let network = network_with(tiny(score), seed, end_bias);
        let mut session = DecodeSession::new(network, SOURCE.to_vec(), LIMIT).unwrap();
        for command in commands {
            let (before, computed) = (format!("{session:?}"), session.computed_steps());
            let outcome = session.apply(command.clone());
            if outcome.is_err() {
                assert_eq!(format!("{session:?}"), before);
            }
            if matches!(command, StepBack | First | Restart | GoToNode(_) | RemoveBranch(_) | SetPolicy(_)) {
                assert_eq!(session.computed_steps(), computed);
            }
            check_line(&session);
            check_tree(&session);
            // Back and forth is the same.
            if session.position() > 0 {
                let step = session.current_step().unwrap().clone();
                let computed = session.computed_steps();
                send(&mut session, [StepBack, Step]);
                assert!(Arc::ptr_eq(&step, session.current_step().unwrap()));
                assert_eq!(session.computed_steps(), computed);
            }
        }
    }
}
