//! Explanations, branches, the beam, playing, costs.

use eframe::egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use regard::project::PaneLayout;

use super::desk::{click, press, says, settle, state, wait_for, window};

#[test]
fn a_candidate_explains_itself_and_is_gone_on_with() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::Space);
    let inspection = state(&desk).inspection("additive").unwrap().clone();
    let other = inspection
        .candidates
        .iter()
        .find(|c| !c.chosen && !c.text.starts_with('<'))
        .unwrap()
        .text
        .clone();
    // It may stand below what is seen of the numbers.
    desk.get_by_label(&format!("Candidate {other}"))
        .click_accesskit();
    settle(&mut desk);
    assert!(says(&desk, "sum = logit"));
    desk.get_by_label(&format!("Go on with “{other}”"))
        .click_accesskit();
    settle(&mut desk);
    let words: Vec<_> = state(&desk).pane("additive").unwrap().data().tokens.clone();
    assert_eq!((words.len(), words[1].text.as_str()), (2, other.as_str()));
    // Both ways stand in the tree; the model's own is one click away.
    assert_eq!(state(&desk).branch_lines("additive").len(), 2);
    let own = desk
        .query_all_by_label_contains("Branch Model’s own")
        .next()
        .unwrap();
    own.click_accesskit();
    settle(&mut desk);
    let data = state(&desk).pane("additive").unwrap().data().clone();
    assert_ne!(data.tokens[1].text, other);
    press(&mut desk, Modifiers::COMMAND, Key::Z);
    assert_eq!(
        state(&desk).pane("additive").unwrap().data().tokens[1].text,
        other
    );
}

#[test]
fn a_weight_is_explained_where_it_is_asked_for() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::ArrowRight);
    let title = desk
        .query_all_by_label_contains("How the weight of")
        .next()
        .unwrap();
    title.click();
    settle(&mut desk);
    assert!(says(&desk, "sum = score e") && says(&desk, "2. Softmax"));
    assert!(says(&desk, "3. Context"));
}

#[test]
fn the_beam_is_searched_beside_the_window_and_walked_by_keys() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::B);
    assert_eq!(state(&desk).view().layout, PaneLayout::Beam);
    wait_for(&mut desk, "the beam", |desk| {
        matches!(state(desk).beam(), Some(Ok(_)))
    });
    settle(&mut desk);
    assert!(says(&desk, "Beam of additive") && says(&desk, "Greedy decoding"));
    let beam = state(&desk).beam().unwrap().unwrap();
    let first = format!("Step 1 {}", beam.words[beam.step(0).next().unwrap()]);
    let node = desk.query_all_by_label_contains(&first).next().unwrap();
    node.click();
    settle(&mut desk);
    // An arrow key belongs to the tree and not to the heatmaps.
    press(&mut desk, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(state(&desk).selection().locked(), None);
    press(&mut desk, Modifiers::NONE, Key::Num1);
    assert_eq!(state(&desk).view().layout, PaneLayout::Heatmap);
}

#[test]
fn links_are_an_alternative_with_the_same_lock_and_a_threshold() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::Space);
    press(&mut desk, Modifiers::NONE, Key::Num2);
    assert_eq!(state(&desk).view().layout, PaneLayout::Links);
    let count = |desk: &super::desk::Desk| {
        desk.query_all_by_role(Role::Cell)
            .filter(|node| {
                let label = node.accesskit_node().label().unwrap_or_default();
                label.contains(" attends to ")
            })
            .count()
    };
    assert!(count(&desk) > 4, "{} lines", count(&desk));
    // The arrow keys walk as in a heatmap.
    press(&mut desk, Modifiers::NONE, Key::ArrowRight);
    assert!(state(&desk).selection().locked().is_some());
    let percent = |desk: &super::desk::Desk| state(desk).view().link_percent;
    assert_eq!(percent(&desk), 5);
    desk.get_by_role_and_label(Role::Slider, "from").focus();
    settle(&mut desk);
    let before = count(&desk);
    for _ in 0..40 {
        press(&mut desk, Modifiers::NONE, Key::ArrowRight);
    }
    assert!(percent(&desk) > 20, "{} %", percent(&desk));
    assert!(count(&desk) < before);
    press(&mut desk, Modifiers::COMMAND, Key::Z);
    assert_eq!(percent(&desk), 5, "one step of undo");
}

#[test]
fn playing_stops_at_the_end_and_pauses() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::P);
    assert!(state(&desk).is_playing());
    click(&mut desk, "Pause");
    assert!(!state(&desk).is_playing());
    let reached = state(&desk).position();
    desk.run_steps(40);
    assert_eq!(state(&desk).position(), reached);
}

#[test]
fn the_cost_of_a_sentence_has_its_formulae() {
    let mut desk = window();
    press(&mut desk, Modifiers::COMMAND, Key::K);
    let field = desk.query_all_by_label_contains("All commands").next();
    assert!(field.is_some());
    for letter in "costs".chars() {
        desk.event(eframe::egui::Event::Text(letter.to_string()));
    }
    settle(&mut desk);
    press(&mut desk, Modifiers::NONE, Key::Enter);
    assert!(says(&desk, "T · (D · A + 2 · S · A)"));
    assert!(says(&desk, "Attention’s share"));
    click(&mut desk, "Close");
}
