//! Branches of an output.

use super::*;
use DecodeCommand::{Choose, MoveTo, NameBranch, RemoveBranch, RunToEnd, SelectBranch};

fn decode(command: DecodeCommand) -> Command {
    Command::Decode(command)
}

fn take(position: usize, token: &str) -> Command {
    decode(Choose {
        model: "additive".to_owned(),
        position,
        token: token.to_owned(),
    })
}

fn show(branch: Option<usize>) -> Command {
    decode(SelectBranch {
        model: "additive".to_owned(),
        branch,
    })
}

fn words(state: &AppState) -> Vec<String> {
    let data = state.pane("additive").unwrap().data();
    data.tokens.iter().map(|token| token.text.clone()).collect()
}

fn lines(state: &AppState) -> Vec<(Option<usize>, usize, bool)> {
    let lines = state.branch_lines("additive").iter();
    lines.map(|l| (l.branch, l.depth, l.is_current)).collect()
}

/// A word that the model would not take at a position.
fn another(state: &AppState, position: usize) -> String {
    let taken = &words(state)[position];
    let mut others = ["window", "cat"].into_iter().filter(|word| word != taken);
    others.next().unwrap().to_owned()
}

#[test]
fn another_token_makes_a_branch_and_the_own_one_goes_back() {
    let mut state = state();
    send(&mut state, [decode(RunToEnd)]);
    let own = words(&state);
    let dot = state.pane("dot").unwrap().data().tokens.clone();
    let other = another(&state, 1);
    send(&mut state, [take(1, &other)]);
    assert_eq!(state.position(), 2);
    assert_eq!(words(&state)[..2], [own[0].clone(), other.clone()]);
    assert!(state.pane("additive").unwrap().data().forced[1]);
    assert_eq!(lines(&state), [(None, 0, false), (Some(0), 1, true)]);
    send(&mut state, [take(1, &own[1])]);
    assert_eq!(lines(&state), [(None, 0, true), (Some(0), 1, false)]);
    send(&mut state, [decode(RunToEnd)]);
    assert_eq!(words(&state), own);
    assert_eq!(state.pane("dot").unwrap().data().tokens, dot);
    // The same choice is the same branch.
    send(&mut state, [take(1, &other)]);
    assert_eq!(lines(&state), [(None, 0, false), (Some(0), 1, true)]);
}

#[test]
fn a_branch_comes_back_with_nothing_computed_again() {
    let mut state = state();
    send(&mut state, [decode(MoveTo(4))]);
    let other = another(&state, 1);
    send(&mut state, [take(1, &other), decode(MoveTo(4))]);
    let there = words(&state);
    let computed = |state: &AppState| {
        let session = state.pane("additive").unwrap().session();
        session.unwrap().computed_steps()
    };
    let before = computed(&state);
    send(
        &mut state,
        [show(None), show(Some(0)), show(None), show(Some(0))],
    );
    assert_eq!((words(&state), computed(&state)), (there.clone(), before));
    // The tree shows the words of both.
    let known = state.branch_lines("additive");
    assert_eq!(known[1].words, there);
    assert_eq!(known[0].words.len(), 4);
    assert_eq!(known[1].leaves_at, 1);
    assert!(known.iter().all(|line| line.log_probability < 0.0));
}

#[test]
fn branches_of_branches_are_kept_in_order_and_removed() {
    let mut state = state();
    send(&mut state, [decode(MoveTo(4))]);
    let first = another(&state, 1);
    send(&mut state, [take(1, &first), decode(MoveTo(4))]);
    let second = another(&state, 3);
    send(
        &mut state,
        [take(3, &second), show(None), decode(MoveTo(4))],
    );
    let third = another(&state, 2);
    send(&mut state, [take(2, &third)]);
    assert_eq!(
        lines(&state),
        [
            (None, 0, false),
            (Some(0), 1, false),
            (Some(1), 2, false),
            (Some(2), 1, true)
        ]
    );
    let model = || "additive".to_owned();
    let name = NameBranch {
        model: model(),
        branch: 1,
        name: "a window".to_owned(),
    };
    send(
        &mut state,
        [
            decode(name),
            decode(RemoveBranch {
                model: model(),
                branch: 0,
            }),
        ],
    );
    assert_eq!(
        lines(&state),
        [(None, 0, false), (Some(0), 2, false), (Some(1), 1, true)]
    );
    assert_eq!(state.branch_lines("additive")[1].name, "a window");
    send(
        &mut state,
        [decode(RemoveBranch {
            model: model(),
            branch: 1,
        })],
    );
    assert_eq!(lines(&state), [(None, 0, true), (Some(0), 2, false)]);
    assert_eq!(state.undo().undo_name(), Some("removing a branch"));
    send(
        &mut state,
        [
            Command::Edit(EditCommand::Undo),
            Command::Edit(EditCommand::Undo),
        ],
    );
    assert_eq!(lines(&state).len(), 4);
}

#[test]
fn a_branch_belongs_to_its_sentence_and_words_must_be_known() {
    let mut state = state();
    send(
        &mut state,
        [take(0, "narwhal"), take(0, "</s>"), take(7, "cat")],
    );
    let notices: Vec<_> = state
        .notices()
        .open()
        .map(|n| n.draft.text.clone())
        .collect();
    assert_eq!(notices, ["additive does not know the word \"narwhal\""]);
    // `</s>` may be chosen; a position that is not there may not.
    assert_eq!(lines(&state), [(None, 0, false), (Some(0), 1, true)]);
    assert_eq!(words(&state), ["</s>"]);
    send(&mut state, [text("le chien")]);
    assert_eq!(lines(&state), [(None, 0, true)]);
    send(&mut state, [Command::Edit(EditCommand::Undo)]);
    assert_eq!(lines(&state).len(), 2);
}

#[test]
fn a_choice_leaves_a_forced_target() {
    let mut state = state();
    let target = Some("the dog eats".to_owned());
    send(
        &mut state,
        [decode(DecodeCommand::SetTarget(target)), decode(RunToEnd)],
    );
    assert_eq!(words(&state), ["the", "dog", "eats", "</s>"]);
    send(&mut state, [take(1, "cat")]);
    assert_eq!(words(&state), ["the", "cat"]);
    send(&mut state, [show(None), decode(RunToEnd)]);
    assert_eq!(words(&state), ["the", "dog", "eats", "</s>"]);
}
