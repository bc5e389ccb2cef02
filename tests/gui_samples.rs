//! The samples in the window, and the window with large and with small text.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is the failure report of a test"
)]

use eframe::egui::{self, Key, Modifiers, Rect, Vec2, accesskit::Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use regard::app::{AppState, Prompt, SAMPLES, Setup};
use regard::gui::{Window, setup};

/// The window of the program with its own models, as large as `pixels` at a text size in percent: text of 150 % leaves
/// it two thirds of the points in each direction.
fn window(pixels: Vec2, percent: u16) -> Harness<'static, Window> {
    let setup = Setup {
        // Unsaved changes of the person who runs the test are none of its business.
        state_folder: None,
        ..setup().unwrap()
    };
    let mut harness = Harness::builder()
        .with_size(pixels * 100.0 / f32::from(percent))
        .with_max_steps(20)
        .build_eframe(move |cc| Window::new(cc, setup, Vec::new()));
    harness.run_steps(4);
    harness
}

fn state<'a>(harness: &'a Harness<Window>) -> &'a AppState {
    harness.state().state()
}

fn press(harness: &mut Harness<Window>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(4);
}

fn click(harness: &mut Harness<Window>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(4);
}

/// Chooses a command by its words, with keys only.
fn command(harness: &mut Harness<Window>, words: &str) {
    press(harness, Modifiers::COMMAND, Key::K);
    harness
        .get_by_role_and_label(Role::TextInput, "All commands")
        .type_text(words);
    harness.run_steps(4);
    press(harness, Modifiers::NONE, Key::Enter);
}

const NORMAL: Vec2 = Vec2::new(1280.0, 800.0);
const SMALL: Vec2 = Vec2::new(900.0, 600.0);

#[test]
fn samples_open_from_the_menu_of_files() {
    for sample in &SAMPLES {
        let mut harness = window(NORMAL, 100);
        click(&mut harness, "File");
        harness.get_by_label_contains("Samples").click();
        harness.run_steps(4);
        click(&mut harness, sample.title);
        assert_eq!(state(&harness).session_name(), sample.title);
        assert_eq!(state(&harness).path(), None);
        assert!(!state(&harness).is_dirty());
        assert!(state(&harness).notices().open().next().is_none());
        harness.get_by_label(sample.title);
    }
}

#[test]
fn samples_open_by_keys_after_a_question_about_unsaved_changes() {
    let mut harness = window(NORMAL, 100);
    command(&mut harness, "sample compare");
    assert!(state(&harness).difference().unwrap().is_ok());
    harness.get_by_label("Close the difference").click();
    harness.run_steps(4);
    assert!(state(&harness).is_dirty());
    command(&mut harness, "sample figure");
    assert!(matches!(
        state(&harness).prompt(),
        Some(Prompt::UnsavedChanges { .. })
    ));
    click(&mut harness, "Do not save");
    assert_eq!(state(&harness).session_name(), SAMPLES[2].title);
    // Ready to export: nothing has to be done first.
    press(&mut harness, Modifiers::COMMAND, Key::E);
    harness.get_by_label("Save PNG…");
}

/// What can be pressed or typed into, with its place; cells of heatmaps scroll and are left out.
fn controls(harness: &Harness<Window>) -> Vec<(String, Rect)> {
    let mut found = Vec::new();
    for role in [Role::Button, Role::CheckBox, Role::TextInput] {
        for node in harness.query_all_by_role(role) {
            let name = node.accesskit_node().label().unwrap_or_default();
            found.push((name, node.rect()));
        }
    }
    found
}

#[test]
fn no_control_at_the_top_is_cut_or_covered_at_any_text_size() {
    for pixels in [NORMAL, SMALL] {
        for percent in [80, 100, 150] {
            let harness = window(pixels, percent);
            let size = pixels * 100.0 / f32::from(percent);
            let screen = Rect::from_min_size(egui::Pos2::ZERO, size);
            // The panes below scroll, so that they may be cut.
            let head = harness.get_by_label("Step 1 the").rect().bottom();
            let mut controls = controls(&harness);
            controls.retain(|(_, rect)| rect.top() < head);
            assert!(controls.len() >= 17, "{controls:?}");
            for (i, (name, rect)) in controls.iter().enumerate() {
                let what = format!("{name} at {percent} % of {pixels:?}");
                assert!(screen.contains_rect(*rect), "{what}: {rect:?}");
                for (other, place) in &controls[..i] {
                    let common = rect.shrink(0.5).intersect(place.shrink(0.5));
                    assert!(
                        !common.is_positive(),
                        "{what} {rect:?} and {other} {place:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn dialogs_fit_into_a_small_window_with_large_text() {
    let mut harness = window(SMALL, 150);
    let screen = Rect::from_min_size(egui::Pos2::ZERO, SMALL / 1.5);
    press(&mut harness, Modifiers::NONE, Key::F1);
    assert!(screen.contains_rect(harness.get_by_label("Close").rect()));
    assert!(
        screen.contains_rect(
            harness
                .get_by_label_contains("Type a French sentence, press")
                .rect()
        )
    );
    click(&mut harness, "Close");
    command(&mut harness, "about regard");
    assert!(screen.contains_rect(harness.get_by_label("Close").rect()));
    click(&mut harness, "Close");
    press(&mut harness, Modifiers::COMMAND, Key::K);
    let field = harness.get_by_role_and_label(Role::TextInput, "All commands");
    assert!(screen.contains_rect(field.rect()));
}

#[test]
fn about_has_models_data_figures_and_limits() {
    let mut harness = window(NORMAL, 100);
    command(&mut harness, "about regard");
    let models = state(&harness).models().all();
    for model in &models {
        let name = model.reference.name.replace('_', " ");
        let name = name.replace("bottleneck", "no attention");
        assert!(harness.query_all_by_label(&name).next().is_some(), "{name}");
        assert!(harness.query_all_by_label(&model.notice).next().is_some());
    }
    let figures = harness.query_all_by_label_contains("On held-out sentences: BLEU");
    assert_eq!(figures.count(), models.len());
    harness.get_by_label("Limits");
}

#[test]
fn keys_change_the_size_of_text_and_bring_it_back() {
    let mut harness = window(NORMAL, 100);
    let percent = |harness: &Harness<Window>| state(harness).preferences().text_size.percent();
    press(&mut harness, Modifiers::COMMAND, Key::Plus);
    // The same key where `+` needs Shift.
    press(&mut harness, Modifiers::COMMAND, Key::Equals);
    assert_eq!(percent(&harness), 120);
    assert!((harness.ctx.zoom_factor() - 1.2).abs() < 1e-6);
    press(&mut harness, Modifiers::COMMAND, Key::Minus);
    assert_eq!(percent(&harness), 110);
    press(&mut harness, Modifiers::COMMAND, Key::Num0);
    assert_eq!(percent(&harness), 100);
}
