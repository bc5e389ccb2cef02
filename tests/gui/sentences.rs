//! What is typed: a forced target, an unknown word, nothing at all; and how it is taken back.

use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use super::desk::{
    click, click_button, names, press, says, settle, state, tokens, type_into, window,
};

#[test]
fn a_target_is_forced_on_all_scorers() {
    let mut desk = window();
    let free = tokens(&desk, "additive");
    click(&mut desk, "Target…");
    type_into(&mut desk, "Target", "the black cat");
    assert_eq!(
        state(&desk).document().target.as_deref(),
        Some("the black cat")
    );
    press(&mut desk, Modifiers::NONE, Key::Escape);
    press(&mut desk, Modifiers::NONE, Key::End);
    for scorer in ["additive", "dot"] {
        assert_eq!(tokens(&desk, scorer), ["the", "black", "cat", "</s>"]);
    }
    desk.get_by_label("forced");
    // The same words: the difference has all rows.
    press(&mut desk, Modifiers::NONE, Key::D);
    let difference = state(&desk).difference().unwrap().unwrap();
    assert!(difference.parting.is_none());
    click(&mut desk, "No target");
    assert_eq!(state(&desk).document().target, None);
    assert_eq!(tokens(&desk, "additive")[0], free[0]);
    assert!(desk.query_by_label("forced").is_none());
}

#[test]
fn a_word_near_an_unknown_one_takes_its_place() {
    let mut desk = window();
    type_into(&mut desk, "Source", "le chatt noir");
    assert!(desk.query_by_label("Word chatt").is_none());
    click(&mut desk, "Unknown word chatt");
    click_button(&mut desk, "chat");
    assert_eq!(state(&desk).document().source, "le chat noir");
    desk.get_by_label("Word chat");
    assert!(!says(&desk, "Unknown word"));
    // The field has the new text too.
    press(&mut desk, Modifiers::COMMAND, Key::L);
    press(&mut desk, Modifiers::NONE, Key::Enter);
    assert_eq!(state(&desk).document().source, "le chat noir");
}

#[test]
fn without_words_nothing_steps_and_nothing_breaks() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::D);
    type_into(&mut desk, "Source", "");
    press(&mut desk, Modifiers::NONE, Key::Enter);
    for key in [Key::Space, Key::End, Key::Home, Key::R, Key::ArrowDown] {
        press(&mut desk, Modifiers::NONE, key);
        assert_eq!(state(&desk).position(), 0, "{key:?}");
    }
    assert!(says(&desk, "Type a French sentence above"));
    assert!(says(&desk, "One of the two has nothing to show"));
    type_into(&mut desk, "Source", "le chien dort");
    desk.get_by_label("Word chien");
    assert_eq!(state(&desk).position(), 1, "the step that was reached");
}

#[test]
fn the_edit_menu_says_what_undo_takes_back() {
    let mut desk = window();
    click(&mut desk, "Scorer general");
    press(&mut desk, Modifiers::NONE, Key::D);
    let menu = |desk: &mut _| {
        press(desk, Modifiers::NONE, Key::Escape);
        click_button(desk, "Edit");
    };
    menu(&mut desk);
    click(&mut desk, "Undo the difference pane Ctrl+Z");
    assert!(state(&desk).view().difference.is_none());
    menu(&mut desk);
    desk.get_by_label("Redo the difference pane Ctrl+Shift+Z");
    click(&mut desk, "Undo choosing scorers Ctrl+Z");
    assert_eq!(names(&desk), ["additive", "dot"]);
    menu(&mut desk);
    click(&mut desk, "Redo choosing scorers Ctrl+Shift+Z");
    assert_eq!(names(&desk), ["additive", "dot", "general"]);
    menu(&mut desk);
    click(&mut desk, "Redo the difference pane Ctrl+Shift+Z");
    assert!(state(&desk).view().difference.is_some());
    // A sentence is one step, however many letters it has.
    type_into(&mut desk, "Source", "le chien");
    press(&mut desk, Modifiers::NONE, Key::Enter);
    settle(&mut desk);
    press(&mut desk, Modifiers::COMMAND, Key::Z);
    assert_eq!(state(&desk).document().source, "le chat noir dort");
}
