//! Going back, forcing another token, branches.

use super::*;

#[test]
fn going_back_and_forth_computes_nothing_and_shares_every_step() {
    let mut session = session(ScoreKind::General);
    send(&mut session, [Step, MoveTo(5)]);
    let steps: Vec<_> = session.steps().cloned().collect();
    assert_eq!(session.computed_steps(), 5);
    send(
        &mut session,
        [StepBack, StepBack, First, MoveTo(2), Step, Step, Step],
    );
    assert!(
        steps
            .iter()
            .zip(session.steps())
            .all(|(a, b)| Arc::ptr_eq(a, b))
    );
    assert_eq!((session.position(), session.computed_steps()), (5, 5));
    // A fresh start decides again, and finds what is known.
    send(&mut session, [Restart, MoveTo(5)]);
    assert!(
        steps
            .iter()
            .zip(session.steps())
            .all(|(a, b)| Arc::ptr_eq(a, b))
    );
    assert_eq!((session.computed_steps(), session.branches().len()), (5, 1));
    send(&mut session, [MoveTo(99)]);
    assert_eq!(session.position(), LIMIT);
}

#[test]
fn another_token_opens_a_branch_and_computes_only_what_follows() {
    let mut session = session(ScoreKind::Dot);
    send(&mut session, [MoveTo(5), MoveTo(3)]);
    let old = session.current_step().unwrap().clone();
    let tip = *session.line().last().unwrap();
    let forced = another(old.chosen);
    assert_eq!(
        send(&mut session, [ForceToken(forced)]),
        [Outcome::Branched]
    );
    let new = session.current_step().unwrap().clone();
    assert!(Arc::ptr_eq(&old.trace, &new.trace) && new.forced && new.chosen == forced);
    assert_eq!(
        (
            session.computed_steps(),
            session.position(),
            session.line().len()
        ),
        (5, 3, 3)
    );
    send(&mut session, [Step]);
    assert_eq!(session.computed_steps(), 6);
    let branches = session.branches();
    assert_eq!(
        branches.iter().map(|b| b.current).collect::<Vec<_>>(),
        [false, true]
    );
    // The token of before finds the old branch, with all that followed; and it is pinned from now on.
    assert_eq!(
        send(&mut session, [MoveTo(3), ForceToken(old.chosen)])[1],
        Outcome::Moved
    );
    assert_eq!(
        (session.line().last(), session.step_at(2).unwrap().forced),
        (Some(&tip), true)
    );
    send(&mut session, [RunToEnd]);
    assert_eq!(session.computed_steps(), 5 + 1 + 3);
    assert_eq!(
        send(&mut session, [MoveTo(3), ForceToken(old.chosen)])[1],
        Outcome::Unchanged
    );
}

#[test]
fn branches_are_named_removed_and_gone_to() {
    let mut session = session(ScoreKind::ScaledDot);
    send(&mut session, [MoveTo(4)]);
    let first = session.current().unwrap();
    let token = another(session.step_at(1).unwrap().chosen);
    send(
        &mut session,
        [
            NameBranch {
                node: first,
                name: "greedy".into(),
            },
            MoveTo(2),
            ForceToken(token),
            Step,
        ],
    );
    let second = session.current().unwrap();
    assert_eq!(session.branches()[0].name.as_deref(), Some("greedy"));
    assert_eq!(session.branches()[1].name, None);
    assert_eq!(
        session.apply(RemoveBranch(second)),
        Err(SessionError::CurrentBranch)
    );
    send(&mut session, [StepBack]);
    assert_eq!(
        session.apply(RemoveBranch(second)),
        Err(SessionError::CurrentBranch)
    );
    let computed = session.computed_steps();
    assert_eq!(
        send(&mut session, [GoToNode(first), RemoveBranch(second)]),
        [Outcome::Moved, Outcome::Changed]
    );
    assert_eq!((session.tree().len(), session.branches().len()), (4, 1));
    assert_eq!(
        (session.position(), session.computed_steps()),
        (4, computed)
    );
    assert_eq!(
        session.apply(GoToNode(second)),
        Err(SessionError::NoNode(second))
    );
    assert_eq!(
        session.apply(RemoveBranch(first)),
        Err(SessionError::CurrentBranch)
    );
    send(
        &mut session,
        [NameBranch {
            node: first,
            name: String::new(),
        }],
    );
    assert_eq!(session.branches()[0].name, None);
    // With no line every branch may go.
    send(&mut session, [Restart, RemoveBranch(first)]);
    assert!(session.tree().is_empty());
    send(&mut session, [Step]);
    assert_eq!(session.computed_steps(), computed + 1);
}
