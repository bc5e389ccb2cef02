//! Hover, lock, solo and walking.

use super::*;
use SelectionCommand::{Clear, EndFrame, Hover, Lock, Solo, Walk};

fn select(state: &mut AppState, commands: impl IntoIterator<Item = SelectionCommand>) {
    send(state, commands.into_iter().map(Command::Select));
}

fn cell(row: usize, column: usize) -> Item {
    Item::Cell {
        pane: "additive".to_owned(),
        row,
        column,
    }
}

fn stepped() -> AppState {
    let mut state = state();
    send(&mut state, [Command::Decode(DecodeCommand::MoveTo(3))]);
    state
}

#[test]
fn what_is_hovered_in_one_frame_shows_in_the_next() {
    let mut state = stepped();
    select(&mut state, [Lock(cell(0, 1)), Hover(Item::Column(2))]);
    assert_eq!(state.selection().shown(), Some(&cell(0, 1)));
    select(&mut state, [EndFrame]);
    assert_eq!(
        state.selection().shown(),
        Some(&Item::Column(2)),
        "hover wins"
    );
    let revision = state.revision();
    select(&mut state, [Hover(Item::Column(2)), EndFrame]);
    assert_eq!(state.revision(), revision, "nothing to paint");
    select(&mut state, [EndFrame]);
    assert_eq!(state.selection().shown(), Some(&cell(0, 1)));
    assert!(state.revision() > revision);
}

#[test]
fn a_second_click_lets_go_and_escape_clears() {
    let mut state = stepped();
    select(&mut state, [Lock(cell(1, 1)), Lock(cell(1, 1))]);
    assert_eq!(state.selection().locked(), None);
    assert_eq!(state.selection().focus(), Some("additive"));
    select(&mut state, [Lock(Item::Step(1)), Solo("dot".to_owned())]);
    let shown: Vec<_> = state.visible_panes().map(Pane::name).collect();
    assert_eq!(shown, ["dot"]);
    assert_eq!(state.figure_request().models, ["dot"]);
    select(&mut state, [Clear]);
    assert_eq!(state.selection(), &Selection::default());
}

#[test]
fn arrows_walk_the_cells() {
    let mut state = stepped();
    select(&mut state, [Walk(Direction::Left)]);
    let largest = state.panes()[0].data().largest_weight(2).unwrap();
    assert_eq!(state.selection().locked(), Some(&cell(2, largest)));
    select(&mut state, [Walk(Direction::RowStart), Walk(Direction::Up)]);
    assert_eq!(state.selection().locked(), Some(&cell(1, 0)));
    select(
        &mut state,
        [
            Walk(Direction::Left),
            Walk(Direction::Down),
            Walk(Direction::Down),
        ],
    );
    assert_eq!(state.selection().locked(), Some(&cell(2, 0)));
    select(
        &mut state,
        [Walk(Direction::RowEnd), Walk(Direction::Right)],
    );
    assert_eq!(state.selection().locked(), Some(&cell(2, 3)));
}

#[test]
fn a_shorter_sentence_lets_go_of_what_is_gone() {
    let mut state = stepped();
    select(&mut state, [Lock(cell(0, 3))]);
    send(&mut state, [text("le chat")]);
    assert_eq!(state.selection().locked(), None);
    select(&mut state, [Solo("dot".to_owned())]);
    send(&mut state, [choose(&["additive"])]);
    assert_eq!(state.selection().solo(), None);
    assert!(state.undo().undo_name().is_some());
}

#[test]
fn selections_are_copied_as_text() {
    let mut state = stepped();
    let copied = |state: &mut AppState| match &state
        .apply(Command::Export(ExportCommand::CopySelection))[..]
    {
        [Effect::CopyText(text)] => text.clone(),
        other => panic!("{other:?}"),
    };
    let whole = copied(&mut state);
    assert_eq!(whole.lines().count(), 4);
    assert!(whole.starts_with("\tle\tchat\tnoir\tdort\n"), "{whole}");
    select(&mut state, [Lock(cell(1, 2))]);
    let value = state.panes()[0].data().matrix.as_ref().unwrap().values()[(1, 2)];
    assert_eq!(copied(&mut state), value.to_string());
    select(&mut state, [Lock(Item::Column(2))]);
    assert_eq!(copied(&mut state).lines().count(), 3);
    select(&mut state, [Lock(Item::Step(0))]);
    assert!(copied(&mut state).starts_with("le\t"));
}
