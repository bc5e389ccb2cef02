//! A window on tiny random models, and the hands that use it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use eframe::egui::{Key, Modifiers, Vec2, ViewportCommand, ViewportId, accesskit::Role};
use egui_kittest::{Harness, HarnessBuilder, TestRenderer, kittest::Queryable as _};
use regard::app::{AppState, Setup};
use regard::gui::Window;
use regard::project::Preferences;

use super::support::five_models;

/// A window without a screen.
pub(crate) type Desk = Harness<'static, Window>;

/// The bias of `</s>`: no sentence ends at once, so that there are steps to take.
const END_BIAS: f32 = -9.0;
/// How long a thread beside the window may take on a busy machine.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// What a window is opened with.
pub(crate) struct Opening {
    /// In pixels.
    pub(crate) size: [f32; 2],
    pub(crate) preferences: Preferences,
    pub(crate) files: Vec<PathBuf>,
    /// Where unsaved changes are kept.
    pub(crate) state_folder: Option<PathBuf>,
}

impl Default for Opening {
    fn default() -> Self {
        Self {
            size: [1280.0, 800.0],
            preferences: Preferences::default(),
            files: Vec::new(),
            state_folder: None,
        }
    }
}

impl Opening {
    /// Opens the window; nothing is drawn.
    pub(crate) fn open(self) -> Desk {
        self.build(Harness::builder())
    }

    /// Opens the window with something that draws it.
    pub(crate) fn open_with(self, renderer: impl TestRenderer + 'static) -> Desk {
        self.build(Harness::builder().renderer(renderer))
    }

    fn build(self, builder: HarnessBuilder<Window>) -> Desk {
        let zoom = self.preferences.text_size.factor();
        let setup = Setup {
            models: five_models(1, END_BIAS),
            preferences: self.preferences,
            state_folder: self.state_folder,
            ..Setup::default()
        };
        let files = self.files;
        let mut desk = builder
            .with_size(self.size)
            .with_max_steps(20)
            .with_step_dt(1.0 / 60.0)
            .build_eframe(move |cc| Window::new(cc, setup, files).with_own_dialogs());
        settle(&mut desk);
        // Larger text leaves room for fewer points.
        desk.set_size(Vec2::from(self.size) / zoom);
        settle(&mut desk);
        desk
    }
}

/// The first view.
pub(crate) fn window() -> Desk {
    Opening::default().open()
}

/// Draws until nothing changes any more. Fails if that does not happen, or if a control has no name.
#[track_caller]
pub(crate) fn settle(desk: &mut Desk) {
    desk.run();
}

#[track_caller]
pub(crate) fn press(desk: &mut Desk, modifiers: Modifiers, key: Key) {
    desk.key_press_modifiers(modifiers, key);
    settle(desk);
}

/// Clicks what has this name.
#[track_caller]
pub(crate) fn click(desk: &mut Desk, label: &str) {
    desk.get_by_label(label).click();
    settle(desk);
}

/// Clicks the button of this name, where other things have it too.
#[track_caller]
pub(crate) fn click_button(desk: &mut Desk, label: &str) {
    desk.get_by_role_and_label(Role::Button, label).click();
    settle(desk);
}

/// Replaces the text of a field.
#[track_caller]
pub(crate) fn type_into(desk: &mut Desk, field: &str, text: &str) {
    desk.get_by_role_and_label(Role::TextInput, field).focus();
    settle(desk);
    press(desk, Modifiers::COMMAND, Key::A);
    if text.is_empty() {
        press(desk, Modifiers::NONE, Key::Backspace);
    } else {
        desk.get_by_role_and_label(Role::TextInput, field)
            .type_text(text);
    }
    settle(desk);
}

/// Answers the question for a path.
#[track_caller]
pub(crate) fn answer_path(desk: &mut Desk, path: &std::path::Path) {
    wait_for(desk, "the question for a path", |desk| {
        desk.query_by_role_and_label(Role::TextInput, "Path")
            .is_some()
    });
    type_into(desk, "Path", path.to_str().unwrap());
    press(desk, Modifiers::NONE, Key::Enter);
}

/// Draws until threads beside the window have done something.
#[track_caller]
pub(crate) fn wait_for(desk: &mut Desk, what: &str, is_there: impl Fn(&Desk) -> bool) {
    let began = Instant::now();
    while !is_there(desk) {
        assert!(began.elapsed() < LONGEST_WAIT, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(2));
        settle(desk);
    }
}

/// Whether some text on the screen contains this.
pub(crate) fn says(desk: &Desk, text: &str) -> bool {
    desk.query_all_by_label_contains(text).next().is_some()
}

/// What the window asked of the system in the last frame.
pub(crate) fn asked(desk: &Desk, command: &ViewportCommand) -> bool {
    desk.output().viewport_output[&ViewportId::ROOT]
        .commands
        .contains(command)
}

pub(crate) fn state(desk: &Desk) -> &AppState {
    desk.state().state()
}

/// The chosen scorers.
pub(crate) fn names(desk: &Desk) -> Vec<String> {
    let panes = state(desk).panes().iter();
    panes.map(|pane| pane.name().to_owned()).collect()
}

/// The words of a pane's run, taken or not.
pub(crate) fn tokens(desk: &Desk, pane: &str) -> Vec<String> {
    let tokens = &state(desk).pane(pane).unwrap().data().tokens;
    tokens.iter().map(|token| token.text.clone()).collect()
}
