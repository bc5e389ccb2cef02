//! Hovering and locking: one cell lights up in every panel.

use eframe::egui::{Key, Modifiers, Pos2, Rect, accesskit::Role, pos2};
use egui_kittest::kittest::Queryable as _;

use super::desk::{Desk, Opening, click, press, settle, state, tokens, window};
use super::picture::{Picture, Screen};

/// Nothing reacts to the pointer here.
const NOWHERE: Pos2 = pos2(640.0, 3.0);

/// The cells of the first pane and then those of the others, row by row.
fn cells(desk: &Desk) -> Vec<Rect> {
    desk.get_all_by_role(Role::Cell)
        .map(|cell| cell.rect())
        .collect()
}

fn step_to(desk: &mut Desk, steps: usize) {
    while state(desk).position() < steps {
        press(desk, Modifiers::NONE, Key::Space);
    }
}

#[test]
fn a_hovered_cell_lights_up_in_every_panel() {
    let screen = Screen::default();
    let mut desk = Opening::default().open_with(screen.renderer());
    step_to(&mut desk, 3);
    desk.hover_at(NOWHERE);
    settle(&mut desk);
    let before = screen.shot(&desk);
    let (row, column) = (1, 2);
    let all = cells(&desk);
    assert_eq!(
        all.len(),
        2 * 3 * 4,
        "two panes of three rows and four columns"
    );
    let place = row * 4 + column;
    desk.hover_at(all[place].center());
    settle(&mut desk);
    let after = screen.shot(&desk);
    let selection = state(&desk).selection();
    assert_eq!((selection.row(), selection.column()), (Some(1), Some(2)));
    let [said, longest] = ["additive", "dot"].map(|pane| tokens(&desk, pane)[row].clone());

    let source = desk.get_by_label("Word noir").rect();
    let step = desk.get_by_label(&format!("Step 2 {longest}")).rect();
    let other_pane = all[3 * 4 + place].expand(4.0);
    let mut panels = vec![
        ("the word", source),
        ("the timeline", step),
        ("the other pane", other_pane),
    ];
    // The inspector is about the hovered row, and marks the hovered column.
    let headline = desk.get_by_label(&format!("Step 2 → “{said}”")).rect();
    panels.push(("the inspector", headline));
    for figure in desk.get_all_by_role(Role::Figure) {
        panels.push(("a curve", figure.rect()));
    }
    assert_eq!(panels.len(), 6);
    for (name, rect) in panels {
        assert!(changed(&before, &after, rect), "{name} shows nothing");
    }
    desk.hover_at(NOWHERE);
    settle(&mut desk);
    assert!(
        !changed(&before, &screen.shot(&desk), desk.ctx.content_rect()),
        "it goes with the pointer"
    );
}

fn changed(before: &Picture, after: &Picture, rect: Rect) -> bool {
    before.cropped(rect) != after.cropped(rect)
}

#[test]
fn a_word_a_step_and_a_number_light_up_cells_too() {
    let mut desk = window();
    step_to(&mut desk, 2);
    click(&mut desk, "Word noir");
    desk.hover_at(NOWHERE);
    settle(&mut desk);
    assert_eq!(state(&desk).selection().column(), Some(2));
    press(&mut desk, Modifiers::NONE, Key::Escape);
    // The timeline has the words of the last of the longest outputs.
    let word = tokens(&desk, "dot")[0].clone();
    let step = desk.get_by_label(&format!("Step 1 {word}")).rect().center();
    desk.hover_at(step);
    settle(&mut desk);
    assert_eq!(state(&desk).selection().row(), Some(0));
    assert_eq!(state(&desk).selection().column(), None);
}

#[test]
fn a_clicked_cell_stays_and_hover_wins_over_it() {
    let mut desk = window();
    step_to(&mut desk, 2);
    let all = cells(&desk);
    let at = |desk: &Desk| {
        let selection = state(desk).selection();
        (selection.row(), selection.column())
    };
    let [locked, other] = [all[1].center(), all[6].center()];
    click_at(&mut desk, locked);
    desk.hover_at(NOWHERE);
    settle(&mut desk);
    assert_eq!(at(&desk), (Some(0), Some(1)), "the pointer is gone");
    desk.hover_at(other);
    settle(&mut desk);
    assert_eq!(at(&desk), (Some(1), Some(2)));
    desk.hover_at(NOWHERE);
    settle(&mut desk);
    assert_eq!(at(&desk), (Some(0), Some(1)));
    // The same cell again lets it go.
    click_at(&mut desk, locked);
    desk.hover_at(NOWHERE);
    settle(&mut desk);
    assert_eq!(at(&desk), (None, None));
}

fn click_at(desk: &mut Desk, at: Pos2) {
    desk.hover_at(at);
    desk.drag_at(at);
    desk.drop_at(at);
    settle(desk);
    // Two clicks that come soon are a double click, which shows a pane alone.
    desk.run_steps(60);
}

#[test]
fn a_double_click_shows_a_pane_alone() {
    let mut desk = window();
    let cell = cells(&desk)[0].center();
    let clicks = |desk: &mut Desk| {
        desk.hover_at(cell);
        for _ in 0..2 {
            desk.drag_at(cell);
            desk.event(eframe::egui::Event::PointerButton {
                pos: cell,
                button: eframe::egui::PointerButton::Primary,
                pressed: false,
                modifiers: Modifiers::NONE,
            });
        }
        settle(desk);
    };
    clicks(&mut desk);
    assert_eq!(state(&desk).selection().solo(), Some("additive"));
    assert_eq!(cells(&desk).len(), 4);
    press(&mut desk, Modifiers::NONE, Key::Escape);
    assert_eq!(cells(&desk).len(), 8);
}
