//! The window without a screen: what a person does, and what the state says then.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is the failure report of a test"
)]

use eframe::egui::{self, Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::Queryable as _;

#[path = "gui/depth.rs"]
mod depth;
#[path = "gui/desk.rs"]
mod desk;
#[path = "gui/export.rs"]
mod export;
#[path = "gui/files.rs"]
mod files;
#[path = "gui/linked.rs"]
mod linked;
#[path = "gui/panes.rs"]
mod panes;
#[path = "gui/picture.rs"]
mod picture;
#[path = "gui/sentences.rs"]
mod sentences;
#[path = "gui/snapshots.rs"]
mod snapshots;
#[path = "gui/steps.rs"]
mod steps;
mod support;
#[path = "gui/whatif.rs"]
mod whatif;

use desk::{names, press, state, window};

#[test]
fn the_first_view_has_the_demo_with_one_step_taken_in_two_panes() {
    let harness = window();
    assert_eq!(state(&harness).document().source, "le chat noir dort");
    assert_eq!(state(&harness).position(), 1);
    assert_eq!(names(&harness), ["additive", "dot"]);
    harness.get_by_label("Word chat");
    harness.get_by_label("Step");
}

#[test]
fn space_steps_and_ctrl_left_goes_back() {
    let mut harness = window();
    press(&mut harness, Modifiers::NONE, Key::Space);
    press(&mut harness, Modifiers::NONE, Key::Space);
    assert_eq!(state(&harness).position(), 3);
    press(&mut harness, Modifiers::COMMAND, Key::ArrowLeft);
    assert_eq!(state(&harness).position(), 2);
    press(&mut harness, Modifiers::NONE, Key::Home);
    assert_eq!(state(&harness).position(), 0);
}

#[test]
fn the_step_button_steps() {
    let mut harness = window();
    harness.get_by_label("Step").click();
    harness.run_steps(4);
    assert_eq!(state(&harness).position(), 2);
}

#[test]
fn typing_changes_the_words_and_marks_the_unknown_one() {
    let mut harness = window();
    let field = harness.get_by_role_and_label(Role::TextInput, "Source");
    field.focus();
    harness.run_steps(2);
    press(&mut harness, Modifiers::COMMAND, Key::A);
    harness
        .get_by_role_and_label(Role::TextInput, "Source")
        .type_text("le zèbre noir");
    harness.run_steps(4);
    assert_eq!(state(&harness).document().source, "le zèbre noir");
    harness.get_by_label("Unknown word zèbre");
    // A plain key belongs to the field while it has the keyboard.
    let before = state(&harness).position();
    press(&mut harness, Modifiers::NONE, Key::Home);
    assert_eq!(state(&harness).position(), before);
    // Enter leaves the field and steps.
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(state(&harness).position(), before + 1);
}

#[test]
fn an_empty_field_is_no_problem() {
    let mut harness = window();
    harness
        .get_by_role_and_label(Role::TextInput, "Source")
        .focus();
    harness.run_steps(2);
    press(&mut harness, Modifiers::COMMAND, Key::A);
    press(&mut harness, Modifiers::NONE, Key::Backspace);
    assert_eq!(state(&harness).document().source, "");
    harness.get_by_label("No words yet");
}

#[test]
fn scorers_are_chosen_and_the_difference_opens() {
    let mut harness = window();
    harness.get_by_label("Scorer general").click();
    harness.run_steps(4);
    assert_eq!(names(&harness), ["additive", "dot", "general"]);
    harness.get_by_label("Scorer dot").click();
    harness.run_steps(4);
    assert_eq!(names(&harness), ["additive", "general"]);
    press(&mut harness, Modifiers::NONE, Key::D);
    assert!(state(&harness).difference().unwrap().is_ok());
    harness.get_by_label("Close the difference").click();
    harness.run_steps(4);
    assert!(state(&harness).difference().is_none());
}

#[test]
fn undo_takes_a_choice_back_and_redo_brings_it_again() {
    let mut harness = window();
    harness.get_by_label("Scorer general").click();
    harness.run_steps(4);
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(names(&harness), ["additive", "dot"]);
    press(&mut harness, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(names(&harness), ["additive", "dot", "general"]);
}

#[test]
fn a_cell_is_a_node_and_hovering_it_shows_everywhere() {
    let mut harness = window();
    let cells: Vec<egui::Rect> = harness
        .get_all_by_role(Role::Cell)
        .map(|cell| cell.rect())
        .collect();
    assert_eq!(cells.len(), 8, "two panes of one row and four columns");
    harness.hover_at(cells[1].center());
    harness.run_steps(4);
    assert_eq!(state(&harness).selection().row(), Some(0));
    assert_eq!(state(&harness).selection().column(), Some(1));
}

#[test]
fn arrows_walk_the_cells() {
    let mut harness = window();
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    let column = state(&harness).selection().column().unwrap();
    press(&mut harness, Modifiers::NONE, Key::ArrowLeft);
    assert_eq!(
        state(&harness).selection().column(),
        Some(column.saturating_sub(1))
    );
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(state(&harness).selection().column(), None);
}

#[test]
fn the_palette_finds_commands_by_words() {
    let mut harness = window();
    press(&mut harness, Modifiers::COMMAND, Key::K);
    harness
        .get_by_role_and_label(Role::TextInput, "All commands")
        .type_text("run end");
    harness.run_steps(4);
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert!(state(&harness).position() > 1);
}

#[test]
fn the_bottleneck_says_that_it_has_no_attention() {
    let mut harness = window();
    harness.get_by_label("Scorer no attention").click();
    harness.run_steps(4);
    assert!(
        harness
            .query_by_label_contains("No attention: the whole sentence")
            .is_some()
    );
}
