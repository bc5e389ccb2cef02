//! Changes of attention: a word is masked, a bar is moved, a change is switched off; attributions beside attention.

use eframe::egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::desk::{Desk, click, press, says, settle, state, type_into, wait_for, window};

fn weights(desk: &Desk, pane: &str, step: usize) -> Vec<f32> {
    let matrix = state(desk).pane(pane).unwrap().data().matrix.clone();
    matrix.unwrap().row(step).to_vec()
}

fn changes(desk: &Desk, pane: &str) -> usize {
    state(desk).document().interventions_of(pane).len()
}

#[test]
fn a_chosen_word_is_masked_in_all_scorers_and_comes_back() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::Space);
    press(&mut desk, Modifiers::NONE, Key::ArrowRight);
    let column = state(&desk).selection().column().unwrap();
    let before = weights(&desk, "dot", 1);
    press(&mut desk, Modifiers::NONE, Key::M);
    for pane in ["additive", "dot"] {
        assert_eq!(changes(&desk, pane), 1);
        assert_eq!(weights(&desk, pane, 1)[column], 0.0);
    }
    assert!(says(&desk, "changed") && says(&desk, "without"));
    assert!(says(&desk, "KL from the unchanged run"));
    click(&mut desk, "What if: 1 change");
    let word = state(&desk).chips()[column].text.clone();
    let sentence = format!("mask {word}, all steps");
    desk.get_by_role_and_label(Role::CheckBox, &sentence)
        .click_accesskit();
    settle(&mut desk);
    let additive = state(&desk).pane("additive").unwrap();
    assert!(additive.original().is_none() && changes(&desk, "additive") == 1);
    desk.get_by_role_and_label(Role::Button, &format!("Remove the change {sentence}"))
        .click_accesskit();
    settle(&mut desk);
    assert_eq!(changes(&desk, "additive"), 0);
    for _ in 0..3 {
        press(&mut desk, Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(weights(&desk, "dot", 1), before);
}

#[test]
fn a_bar_is_moved_by_keys_and_by_the_pointer_each_as_one_step_of_undo() {
    let mut desk = window();
    let before = weights(&desk, "additive", 0);
    desk.get_by_role_and_label(Role::Slider, "Weight of noir")
        .focus();
    settle(&mut desk);
    for _ in 0..3 {
        press(&mut desk, Modifiers::NONE, Key::ArrowRight);
    }
    let moved = weights(&desk, "additive", 0);
    assert!((moved[2] - before[2] - 0.03).abs() < 0.006, "{moved:?}");
    assert!((moved.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    // The arrows were the bar's.
    assert_eq!(state(&desk).selection().locked(), None);
    assert_eq!(state(&desk).undo().len(), 1);
    press(&mut desk, Modifiers::COMMAND, Key::Z);
    assert_eq!(weights(&desk, "additive", 0), before);

    let bar = desk.get_by_role_and_label(Role::Slider, "Weight of chat");
    let rect = bar.rect();
    desk.drag_at(rect.left_center() + eframe::egui::vec2(2.0, 0.0));
    settle(&mut desk);
    for share in [0.3, 0.6, 0.9] {
        let to = rect.left() + rect.width() * share;
        desk.hover_at(eframe::egui::pos2(to, rect.center().y));
        settle(&mut desk);
    }
    desk.drop_at(eframe::egui::pos2(
        rect.left() + rect.width() * 0.9,
        rect.center().y,
    ));
    settle(&mut desk);
    assert!((weights(&desk, "additive", 0)[1] - 0.9).abs() < 0.011);
    assert_eq!(changes(&desk, "additive"), 1, "one change");
    press(&mut desk, Modifiers::COMMAND, Key::Z);
    assert_eq!(weights(&desk, "additive", 0), before, "one step of undo");
}

#[test]
fn presets_and_the_menu_change_the_shown_scorer() {
    let mut desk = window();
    click(&mut desk, "What if");
    desk.get_by_label("Uniform everywhere").click_accesskit();
    settle(&mut desk);
    let row = weights(&desk, "additive", 0);
    assert!(row.iter().all(|w| (w - 0.25).abs() < 1e-6));
    assert_eq!(changes(&desk, "dot"), 0);
    desk.get_by_label("Change attention…").click_accesskit();
    settle(&mut desk);
    click(&mut desk, "Permute");
    assert_eq!(changes(&desk, "additive"), 2);
    desk.get_by_label("Undo all changes").click_accesskit();
    settle(&mut desk);
    assert_eq!(changes(&desk, "additive"), 0);
}

#[test]
fn an_attribution_is_computed_beside_attention_and_names_its_cells() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::Space);
    press(&mut desk, Modifiers::COMMAND, Key::K);
    desk.get_by_role_and_label(Role::TextInput, "All commands")
        .type_text("leave-one-out");
    settle(&mut desk);
    press(&mut desk, Modifiers::NONE, Key::Enter);
    wait_for(&mut desk, "the attributions", |desk| {
        ["additive", "dot"].iter().all(|name| {
            let shown = state(desk).attribution(name);
            shown.is_some_and(|shown| matches!(shown.outcome(), Some(Ok(_))))
        })
    });
    settle(&mut desk);
    let matrix = state(&desk)
        .attribution("dot")
        .unwrap()
        .matrix()
        .cloned()
        .unwrap();
    assert_eq!(matrix.values().dim(), (2, 4), "the steps that are taken");
    let cells = desk.query_all_by_role(Role::Cell).filter(|node| {
        let label = node.accesskit_node().label().unwrap_or_default();
        label.contains(" adds ") && label.contains(" nats to ")
    });
    assert_eq!(cells.count(), 16, "two panes of two rows and four columns");
    assert!(says(&desk, "Kendall") && says(&desk, "Same top word"));
    assert!(says(&desk, "Is Attention Interpretable?"));
    click(&mut desk, "Close the attribution of dot");
    assert!(!says(&desk, "Kendall"));
}

#[test]
fn a_word_is_swapped_deleted_and_brought_back_with_both_runs_shown() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::Space);
    desk.get_by_label("Word chat").click_secondary();
    settle(&mut desk);
    click(&mut desk, "Swap with the next word");
    assert_eq!(state(&desk).document().source, "le noir chat dort");
    assert!(says(&desk, "Before") && says(&desk, "before"));
    // Both heatmaps.
    press(&mut desk, Modifiers::NONE, Key::U);
    let heatmaps = || {
        let all = ["Attention weights", "Unchanged attention weights"];
        all.map(|name| desk.query_all_by_role_and_label(Role::Group, name).count())
    };
    assert_eq!(heatmaps(), [2, 2]);
    assert!(says(&desk, "additive, unchanged"));
    click(&mut desk, "Close the unchanged run of dot");
    assert!(!says(&desk, "additive, unchanged"));
    // By the keyboard: the chosen word goes.
    press(&mut desk, Modifiers::NONE, Key::ArrowRight);
    let column = state(&desk).selection().column().unwrap();
    press(&mut desk, Modifiers::NONE, Key::Delete);
    assert_eq!(state(&desk).chips().len(), 3, "word {column} is gone");
    click(&mut desk, "Back to it");
    assert_eq!(state(&desk).document().source, "le chat noir dort");
    assert!(!says(&desk, "Compare no longer"));
}

#[test]
fn a_cell_is_dragged_to_another_weight_as_one_step_of_undo() {
    let mut desk = window();
    let before = weights(&desk, "additive", 0);
    let label = |desk: &Desk| {
        let cells = desk.query_all_by_role(Role::Cell);
        let labels = cells.map(|cell| cell.accesskit_node().label().unwrap_or_default());
        labels.collect::<Vec<String>>()
    };
    assert!(!label(&desk).is_empty());
    let cell = desk.query_all_by_role(Role::Cell).nth(2).unwrap();
    let from = cell.rect().center();
    desk.drag_at(from);
    settle(&mut desk);
    for up in [20.0, 40.0, 60.0] {
        desk.hover_at(from - eframe::egui::vec2(0.0, up));
        settle(&mut desk);
    }
    desk.drop_at(from - eframe::egui::vec2(0.0, 60.0));
    settle(&mut desk);
    let moved = weights(&desk, "additive", 0);
    assert!(
        (moved[2] - before[2] - 0.5).abs() < 0.011,
        "{before:?} {moved:?}"
    );
    assert!((moved.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    assert_eq!(changes(&desk, "additive"), 1, "one change");
    press(&mut desk, Modifiers::COMMAND, Key::Z);
    assert_eq!(weights(&desk, "additive", 0), before, "one step of undo");
}

#[test]
fn attention_is_put_on_trial_with_every_scorer_shown() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::T);
    wait_for(&mut desk, "the tests", |desk| {
        says(desk, "Permuted weights")
    });
    for text in [
        "Uniform weights",
        "last position",
        "frozen",
        "Δ ln p, step 1",
    ] {
        assert!(says(&desk, text), "{text}");
    }
    // The median and the middle half are spoken.
    let strips = desk.query_all_by_role(Role::Meter);
    let labels = strips.map(|strip| strip.accesskit_node().label().unwrap_or_default());
    assert!(
        labels
            .filter(|label| label.contains("half of the draws"))
            .count()
            >= 2
    );
    type_into(&mut desk, "Frozen from", "le chat");
    wait_for(&mut desk, "the other sentence", |desk| {
        says(desk, "expected a sentence of 4 words, found 2")
    });
    for (tab, text) in [
        ("Agreement", "Kendall"),
        ("Gradient paths", "derivative of ln p"),
        ("Why 1/√d", "variance 1 and size d"),
    ] {
        click(&mut desk, tab);
        wait_for(&mut desk, tab, |desk| {
            says(desk, text) && !says(desk, "Computing")
        });
    }
    let figures = desk.query_all_by_role(Role::Figure);
    let labels: Vec<String> = figures
        .map(|figure| figure.accesskit_node().label().unwrap_or_default())
        .collect();
    assert!(
        labels.iter().any(|label| label == "Entropy of the softmax"),
        "{labels:?}"
    );
    press(&mut desk, Modifiers::NONE, Key::Escape);
    assert!(!says(&desk, "Attention on trial"));
}
