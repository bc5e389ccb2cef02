//! Heatmaps in the window: zoom, pan, what a screen reader finds.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is the failure report of a test"
)]

use eframe::egui::{self, Key, Modifiers, Pos2, Rect, Vec2, accesskit::Role, vec2};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use regard::app::{AppState, ModelSet, Setup, Zoom};
use regard::engine::{CellKind, Model, ModelConfig, ScoreKind, Seq2Seq, Wiring};
use regard::gui::Window;
use regard::project::{ModelRef, fingerprint};
use regard::text::{END, TokeniserKind, Vocabulary};

const SHORT: &str = "le chat noir dort";

/// A tiny random model that never ends its output by itself.
fn model(score: ScoreKind, seed: u64) -> Model {
    let words = |text: &'static str| Vocabulary::build(text.split(' '), 99, 1);
    let source_vocabulary = words("le la chat noir dort chien brun mange une pomme rouge");
    let target_vocabulary = words("the a black cat sleeps dog brown eats red apple");
    let config = ModelConfig {
        source_vocabulary: source_vocabulary.len(),
        target_vocabulary: target_vocabulary.len(),
        embedding: 6,
        encoder: 4,
        decoder: 8,
        attention: 5,
        readout: 6,
        cell: CellKind::Gru,
        score,
        wiring: Wiring::Bahdanau,
        input_feeding: false,
        tied: false,
    };
    let mut network = Seq2Seq::initialised(&config.check().unwrap(), seed);
    for parameter in network.parameters_mut() {
        parameter.values.iter_mut().for_each(|value| *value *= 4.0);
    }
    network.decoder.output.b[END as usize] = -99.0;
    Model {
        network,
        source_vocabulary,
        target_vocabulary,
        source_tokeniser: TokeniserKind::French,
        target_tokeniser: TokeniserKind::English,
        training: serde_json::Value::Null,
        notice: String::new(),
    }
}

/// The window with these scorers, the first two of which are shown.
fn window(scores: &[ScoreKind]) -> Harness<'static, Window> {
    let models = ModelSet::default();
    for (seed, &score) in (1..).zip(scores) {
        let model = model(score, seed);
        models.insert(ModelRef::new(score.name(), fingerprint(&model)), model);
    }
    let setup = Setup {
        models,
        ..Setup::default()
    };
    let mut harness = Harness::builder()
        .with_size([1280.0, 800.0])
        .with_max_steps(20)
        .build_eframe(move |cc| Window::new(cc, setup, Vec::new()));
    harness.run_steps(4);
    harness
}

const BOTH: [ScoreKind; 2] = [ScoreKind::Additive, ScoreKind::Dot];

fn press(harness: &mut Harness<Window>, key: Key) {
    harness.key_press(key);
    harness.run_steps(4);
}

fn state<'a>(harness: &'a Harness<Window>) -> &'a AppState {
    harness.state().state()
}

fn zoom(harness: &Harness<Window>) -> Zoom {
    state(harness).zoom()
}

/// Types a sentence of so many words in place of the present one, leaves the field, and steps.
fn read(harness: &mut Harness<Window>, words: usize, steps: usize) {
    let vocabulary: Vec<&str> = "le chat noir dort la pomme rouge une".split(' ').collect();
    let sentence: Vec<&str> = vocabulary.iter().copied().cycle().take(words).collect();
    harness
        .get_by_role_and_label(Role::TextInput, "Source")
        .focus();
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run_steps(2);
    harness
        .get_by_role_and_label(Role::TextInput, "Source")
        .type_text(&sentence.join(" "));
    harness.run_steps(4);
    // Enter leaves the field and takes a step.
    press(harness, Key::Enter);
    while state(harness).position() < steps {
        press(harness, Key::Space);
    }
    assert_eq!(state(harness).chips().len(), words);
    assert_eq!(state(harness).position(), steps);
}

fn cells(harness: &Harness<Window>) -> Vec<Rect> {
    harness
        .get_all_by_role(Role::Cell)
        .map(|cell| cell.rect())
        .collect()
}

/// The names of the nodes of a role.
fn names(harness: &Harness<Window>, role: Role) -> Vec<String> {
    let nodes = harness.query_all_by_role(role);
    nodes
        .filter_map(|node| node.accesskit_node().label())
        .collect()
}

fn turn_wheel(harness: &mut Harness<Window>, at: Pos2, by: Vec2, modifiers: Modifiers) {
    harness.hover_at(at);
    harness.run_steps(2);
    harness.event_modifiers(
        egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: by,
            source: egui::MouseWheelSource::Wheel,
            phase: egui::TouchPhase::Move,
            modifiers,
        },
        modifiers,
    );
    // A wheel moves smoothly, over some frames.
    harness.run_steps(12);
}

#[test]
fn keys_enlarge_the_cells_and_fit_them_again() {
    let mut harness = window(&BOTH);
    read(&mut harness, 20, 20);
    let fit = cells(&harness)[0].width();
    press(&mut harness, Key::Plus);
    press(&mut harness, Key::Equals);
    assert!((zoom(&harness).factor() - 2.25).abs() < 1e-3);
    let larger = cells(&harness);
    assert!(larger.iter().any(|cell| cell.width() > 2.0 * fit));
    assert!(larger.len() < 800, "not all are seen");
    press(&mut harness, Key::Minus);
    assert!((zoom(&harness).factor() - 1.5).abs() < 1e-3);
    press(&mut harness, Key::Num0);
    assert!(zoom(&harness).is_fit());
    assert_eq!(cells(&harness).len(), 800);
}

#[test]
fn buttons_do_what_the_keys_do() {
    let mut harness = window(&BOTH);
    for (button, is_fit) in [
        ("Larger cells", false),
        ("Larger cells", false),
        ("Smaller cells", false),
        ("Fit all cells", true),
    ] {
        harness.get_by_label(button).click();
        harness.run_steps(4);
        assert_eq!(zoom(&harness).is_fit(), is_fit, "{button}");
    }
}

#[test]
fn ctrl_and_the_wheel_zoom_about_the_pointer_in_all_panes() {
    let mut harness = window(&BOTH);
    read(&mut harness, 20, 20);
    let aimed = names(&harness, Role::Cell)[5 * 20 + 12].clone();
    let pointer = cells(&harness)[5 * 20 + 12].center();
    turn_wheel(&mut harness, pointer, vec2(0.0, 250.0), Modifiers::COMMAND);
    assert!(zoom(&harness).factor() > 1.5, "{:?}", zoom(&harness));
    // The cell under the pointer is still there.
    let selection = state(&harness).selection();
    assert_eq!((selection.row(), selection.column()), (Some(5), Some(12)));
    // Both panes show as many cells, and the one that was aimed at.
    let names = names(&harness, Role::Cell);
    assert!(names.contains(&aimed));
    assert!(names.len() < 800 && names.len().is_multiple_of(2));
    turn_wheel(&mut harness, pointer, vec2(0.0, -900.0), Modifiers::COMMAND);
    assert!(zoom(&harness).is_fit());
}

#[test]
fn the_wheel_and_dragging_move_what_is_seen_up_to_the_ends() {
    let mut harness = window(&BOTH);
    read(&mut harness, 30, 30);
    for _ in 0..4 {
        press(&mut harness, Key::Plus);
    }
    let middle = Pos2::new(230.0, 450.0);
    let before = zoom(&harness).centre();
    turn_wheel(&mut harness, middle, vec2(0.0, 60.0), Modifiers::NONE);
    let [row, column] = zoom(&harness).centre();
    assert!(row < before[0] && column == before[1], "{row} {column}");
    turn_wheel(&mut harness, middle, vec2(0.0, 60.0), Modifiers::SHIFT);
    let wheeled = zoom(&harness).centre();
    assert!(wheeled[0] == row && wheeled[1] != column, "{wheeled:?}");
    // Dragging takes the cells along.
    harness.drag_at(middle);
    harness.run_steps(2);
    harness.hover_at(middle - vec2(40.0, 20.0));
    harness.run_steps(2);
    harness.drop_at(middle - vec2(40.0, 20.0));
    harness.run_steps(4);
    let dragged = zoom(&harness).centre();
    assert!(
        dragged[0] > wheeled[0] && dragged[1] > wheeled[1],
        "{dragged:?}"
    );
    assert_eq!(
        state(&harness).selection().locked(),
        None,
        "it was no click"
    );
    // The end is the end.
    turn_wheel(&mut harness, middle, vec2(0.0, 9e4), Modifiers::NONE);
    let top = zoom(&harness).centre()[0];
    assert!(names(&harness, Role::Cell).len() > 4);
    turn_wheel(&mut harness, middle, vec2(0.0, 90.0), Modifiers::NONE);
    assert_eq!(zoom(&harness).centre()[0], top);
}

#[test]
fn what_is_not_magnified_does_not_move() {
    let mut harness = window(&BOTH);
    let pointer = cells(&harness)[1].center();
    turn_wheel(&mut harness, pointer, vec2(30.0, 60.0), Modifiers::NONE);
    assert!(zoom(&harness).is_fit());
}

#[test]
fn walking_scrolls_the_cell_into_view() {
    let mut harness = window(&BOTH);
    read(&mut harness, 30, 30);
    press(&mut harness, Key::ArrowLeft);
    for _ in 0..5 {
        press(&mut harness, Key::Plus);
    }
    for _ in 0..30 {
        press(&mut harness, Key::ArrowUp);
        press(&mut harness, Key::ArrowLeft);
    }
    let selection = state(&harness).selection();
    assert_eq!((selection.row(), selection.column()), (Some(0), Some(0)));
    let matrix = state(&harness).panes()[0].data().matrix.clone().unwrap();
    let sentence = |row, column| regard::app::cell_sentence(&matrix, row, column);
    assert_eq!(names(&harness, Role::Cell)[0], sentence(0, 0));
    let before = zoom(&harness).centre();
    for _ in 0..29 {
        press(&mut harness, Key::ArrowRight);
    }
    let after = zoom(&harness).centre();
    assert!(after[1] > before[1] && after[0] == before[0]);
    assert!(names(&harness, Role::Cell).contains(&sentence(0, 29)));
}

#[test]
fn a_step_scrolls_its_row_into_view() {
    let mut harness = window(&BOTH);
    read(&mut harness, 30, 30);
    for _ in 0..5 {
        press(&mut harness, Key::Plus);
    }
    press(&mut harness, Key::Home);
    press(&mut harness, Key::Space);
    let first = zoom(&harness).centre()[0];
    for _ in 0..20 {
        press(&mut harness, Key::Space);
    }
    assert!(zoom(&harness).centre()[0] > first + 5.0);
}

#[test]
fn a_new_sentence_is_seen_as_a_whole_and_undo_is_not_about_zoom() {
    let mut harness = window(&BOTH);
    press(&mut harness, Key::Plus);
    assert!(!zoom(&harness).is_fit());
    assert_eq!(state(&harness).undo().undo_name(), None);
    press(&mut harness, Key::Space);
    assert!(!zoom(&harness).is_fit(), "a step keeps the zoom");
    read(&mut harness, 6, 3);
    assert!(zoom(&harness).is_fit());
    assert_ne!(state(&harness).document().source, SHORT);
}

#[test]
fn plain_keys_of_the_zoom_belong_to_the_source_field_while_it_has_the_keyboard() {
    let mut harness = window(&BOTH);
    harness
        .get_by_role_and_label(Role::TextInput, "Source")
        .focus();
    harness.run_steps(2);
    press(&mut harness, Key::Plus);
    assert!(zoom(&harness).is_fit());
}

#[test]
fn very_many_cells_are_summed_up_by_their_row() {
    let mut harness = window(&[ScoreKind::Additive]);
    read(&mut harness, 60, 60);
    assert_eq!(names(&harness, Role::Cell).len(), 0, "3,600 are seen");
    let pane = &state(&harness).panes()[0];
    let (matrix, entropy) = (
        pane.data().matrix.clone().unwrap(),
        pane.data().entropies[59],
    );
    let summary = regard::app::row_summary(&matrix, 59, Some(entropy));
    assert_eq!(names(&harness, Role::Row), [summary]);
    // The cell that is walked to is a node, and its row the one that is summed up.
    press(&mut harness, Key::ArrowUp);
    press(&mut harness, Key::ArrowUp);
    let selection = state(&harness).selection();
    let (row, column) = (selection.row().unwrap(), selection.column().unwrap());
    assert_eq!(row, 58);
    let sentence = regard::app::cell_sentence(&matrix, row, column);
    assert_eq!(names(&harness, Role::Cell), std::slice::from_ref(&sentence));
    let summary = names(&harness, Role::Row);
    assert!(summary[0].starts_with(&format!("Row {}:", matrix.rows()[58])));
    // Magnified, few enough are seen.
    for _ in 0..4 {
        press(&mut harness, Key::Plus);
    }
    let seen = names(&harness, Role::Cell);
    assert!((10..2_500).contains(&seen.len()), "{}", seen.len());
    assert!(seen.contains(&sentence));
    assert_eq!(names(&harness, Role::Row).len(), 0);
}

#[test]
fn the_translation_grows_beside_the_one_vector() {
    let mut harness = window(&[ScoreKind::Bottleneck]);
    harness.get_by_label_contains("the whole sentence goes through one vector");
    harness.get_by_label_contains("1 words came out");
    press(&mut harness, Key::Space);
    harness.get_by_label_contains("2 words came out");
}
