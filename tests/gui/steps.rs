//! The clock: running to the end, starting again, the timeline, sampling, and that nothing moves by itself.

use std::time::Duration;

use eframe::egui::{Key, Modifiers, Pos2, ViewportId, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use regard::engine::DecodePolicy;

use super::desk::{Desk, click, press, says, settle, state, tokens, type_into, window};

#[test]
fn end_runs_to_the_end_and_r_starts_again() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::End);
    let steps = state(&desk).position();
    assert_eq!(steps, state(&desk).timeline_len());
    assert!(steps > 10);
    assert!(says(&desk, "stopped at the step limit"));
    press(&mut desk, Modifiers::NONE, Key::R);
    assert_eq!(state(&desk).position(), 0);
    assert!(says(&desk, "Press Space to take the first step"));
}

#[test]
fn the_buttons_run_to_the_end_and_start_again() {
    let mut desk = window();
    click(&mut desk, "Run to the end");
    let end = state(&desk).position();
    assert!(end > 10);
    click(&mut desk, "Step back");
    assert_eq!(state(&desk).position(), end - 1);
    click(&mut desk, "Before the first step");
    assert_eq!(state(&desk).position(), 0);
    click(&mut desk, "Step");
    click(&mut desk, "Restart");
    assert_eq!(state(&desk).position(), 0);
}

/// Where a step stands in the timeline.
fn place(desk: &Desk, step: usize) -> Pos2 {
    let name = format!("Step {step} ");
    let mut found = desk.get_all_by_role(Role::Button);
    let found = found.find(|node| {
        let label = node.accesskit_node().label();
        label.is_some_and(|label| label.starts_with(&name))
    });
    found.unwrap().rect().center()
}

#[test]
fn the_timeline_is_clicked_and_scrubbed() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::End);
    let (third, fifth) = (place(&desk, 3), place(&desk, 5));
    desk.drag_at(third);
    desk.drop_at(third);
    settle(&mut desk);
    assert_eq!(state(&desk).position(), 3);
    assert_eq!(state(&desk).pane("dot").unwrap().taken(), 3);
    desk.drag_at(third);
    desk.hover_at(fifth);
    settle(&mut desk);
    assert_eq!(state(&desk).position(), 5, "the button is still held");
    desk.drop_at(fifth);
    settle(&mut desk);
    assert_eq!(state(&desk).position(), 5);
}

fn set_seed(desk: &mut Desk, seed: &str) {
    desk.get_by_label_contains("sampling τ").click();
    settle(desk);
    // A click turns the number into a field.
    desk.get_by_role_and_label(Role::SpinButton, "seed").click();
    settle(desk);
    press(desk, Modifiers::COMMAND, Key::A);
    desk.get_by_role_and_label(Role::SpinButton, "seed")
        .type_text(seed);
    press(desk, Modifiers::NONE, Key::Enter);
    press(desk, Modifiers::NONE, Key::Escape);
}

#[test]
fn a_seed_gives_the_same_words_again() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::End);
    let greedy = tokens(&desk, "additive");
    click(&mut desk, "greedy ▾");
    click(&mut desk, "Sampling: by probability");
    desk.get_by_role_and_label(Role::SpinButton, "temperature");
    press(&mut desk, Modifiers::NONE, Key::Escape);
    let sampling = |seed| DecodePolicy::Sample {
        temperature: 1.0,
        seed,
    };
    assert_eq!(state(&desk).document().policy, sampling(1));
    press(&mut desk, Modifiers::NONE, Key::End);
    let first = tokens(&desk, "additive");
    assert_ne!(first, greedy);
    set_seed(&mut desk, "2");
    assert_eq!(state(&desk).document().policy, sampling(2));
    press(&mut desk, Modifiers::NONE, Key::End);
    assert_ne!(tokens(&desk, "additive"), first);
    set_seed(&mut desk, "1");
    press(&mut desk, Modifiers::NONE, Key::End);
    assert_eq!(tokens(&desk, "additive"), first);
    desk.get_by_label_contains("sampling τ").click();
    settle(&mut desk);
    click(&mut desk, "Greedy: the most probable word");
    press(&mut desk, Modifiers::NONE, Key::End);
    assert_eq!(tokens(&desk, "additive"), greedy);
}

/// How long the window would wait for its next frame.
fn patience(desk: &Desk) -> Duration {
    desk.output().viewport_output[&ViewportId::ROOT].repaint_delay
}

#[test]
fn nothing_is_drawn_again_while_nothing_changes() {
    let mut desk = window();
    assert_eq!(patience(&desk), Duration::MAX, "the first view");
    press(&mut desk, Modifiers::NONE, Key::Space);
    assert_eq!(patience(&desk), Duration::MAX, "after a step");
    let word = desk.get_by_label("Word chat").rect().center();
    desk.hover_at(word);
    settle(&mut desk);
    desk.run_steps(60);
    assert_eq!(patience(&desk), Duration::MAX, "with a word hovered");
    press(&mut desk, Modifiers::NONE, Key::F1);
    desk.run_steps(60);
    assert_eq!(patience(&desk), Duration::MAX, "with a dialog open");
    press(&mut desk, Modifiers::NONE, Key::Escape);
    // Unsaved changes wait for their copy, and for nothing else.
    type_into(&mut desk, "Source", "le chien brun");
    press(&mut desk, Modifiers::NONE, Key::Enter);
    desk.run_steps(60);
    assert!(patience(&desk) > Duration::from_secs(1));
}
