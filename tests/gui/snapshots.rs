//! The window as text and as pictures, held against what is stored in `tests/golden/window`.
//!
//! `UPDATE_GOLDEN=1 cargo test --test gui` writes what differs again; look at it before committing. A picture that
//! differs is left beside the stored one as `NAME.new.png`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use eframe::egui::{Key, Modifiers, Rect, Vec2, accesskit::Role, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use regard::project::{Preferences, TextSize, Theme};

use super::desk::{
    Desk, Opening, answer_path, click, click_button, press, says, settle, state, type_into,
    wait_for,
};
use super::picture::{Picture, Screen};

/// By how much of 255 a channel may differ without being seen.
const TOLERANCE: u8 = 12;
/// How many pixels may differ by more. One digit of a number has more.
const STRAY: usize = 20;

/// A sentence of 40 words.
const LONG: &str = "le chat noir dort et le chien brun mange une pomme rouge et le chat noir mange \
    une pomme rouge et le chien brun dort et la fenêtre rouge dort et le chien noir mange une pomme et dort ici";

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/window")
        .join(name)
}

fn updates() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

/// Where dialogs stand.
const MIDDLE: Rect = Rect::from_min_max(pos2(320.0, 120.0), pos2(960.0, 680.0));

/// Where the dialog of the export stands.
const WIDE_MIDDLE: Rect = Rect::from_min_max(pos2(70.0, 40.0), pos2(1210.0, 760.0));

/// Where the menus of the bar open.
const MENU: Rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(480.0, 460.0));
/// Where messages stand.
const MESSAGES: Rect = Rect::from_min_max(pos2(0.0, 580.0), pos2(640.0, 800.0));
/// The sentence with what belongs to it.
const HEAD: Rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(900.0, 360.0));
/// The sentence and the heatmaps.
const PANES: Rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(900.0, 600.0));

struct Camera {
    screen: Screen,
    desk: Desk,
}

impl Camera {
    fn new(opening: Opening) -> Self {
        let screen = Screen::default();
        let mut desk = opening.open_with(screen.renderer());
        // No pointer: nothing is hovered.
        desk.remove_cursor();
        settle(&mut desk);
        Self { screen, desk }
    }

    fn dark() -> Self {
        Self::new(Opening::default())
    }

    fn light() -> Self {
        let mut opening = Opening::default();
        opening.preferences.theme = Theme::Light;
        Self::new(opening)
    }

    /// Compares the window with the stored picture.
    #[track_caller]
    fn snapshot(&mut self, name: &str) {
        self.snapshot_of(name, Rect::EVERYTHING);
    }

    /// Compares a part of the window with the stored picture: pictures stay small.
    #[track_caller]
    fn snapshot_of(&mut self, name: &str, part: Rect) {
        self.desk.remove_cursor();
        settle(&mut self.desk);
        let now = self.screen.shot(&self.desk).cropped(part);
        let (stored, new) = (
            golden(&format!("{name}.png")),
            golden(&format!("{name}.new.png")),
        );
        let differing = Picture::read(&stored).map(|stored| now.differing(&stored, TOLERANCE));
        if differing.as_ref().is_ok_and(|count| *count <= STRAY) {
            let _ = std::fs::remove_file(&new);
            return;
        }
        if updates() {
            now.write(&stored).unwrap();
            let _ = std::fs::remove_file(&new);
            return;
        }
        now.write(&new).unwrap();
        match differing {
            Ok(count) => panic!("{count} pixels differ: compare {} with it", new.display()),
            Err(problem) => panic!("{}: {problem}; see {}", stored.display(), new.display()),
        }
    }
}

fn step(camera: &mut Camera, times: usize) {
    for _ in 0..times {
        press(&mut camera.desk, Modifiers::NONE, Key::Space);
    }
}

/// Roles and names of everything a screen reader finds, in order.
fn nodes(desk: &Desk) -> String {
    let mut text = String::new();
    for node in desk.root().children_recursive() {
        let node = node.accesskit_node();
        let label = node.label().or_else(|| node.value()).unwrap_or_default();
        let role = node.role();
        if label.is_empty() || matches!(role, Role::TextRun | Role::GenericContainer) {
            continue;
        }
        let state = if node.is_disabled() {
            " (greyed out)"
        } else {
            ""
        };
        writeln!(text, "{role:?}: {}{state}", label.replace('\n', " / ")).unwrap();
    }
    text
}

#[track_caller]
fn text_snapshot(name: &str, text: &str) {
    let path = golden(name);
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    if stored == text {
        return;
    }
    if updates() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let changed = stored.lines().zip(text.lines()).find(|(a, b)| a != b);
    panic!(
        "{} differs, first in {changed:?}; now it is\n{text}",
        path.display()
    );
}

#[test]
fn the_first_view_as_text() {
    text_snapshot("first_view.txt", &nodes(&Opening::default().open()));
}

#[test]
fn the_difference_as_text() {
    let mut desk = Opening::default().open();
    press(&mut desk, Modifiers::NONE, Key::Space);
    press(&mut desk, Modifiers::NONE, Key::D);
    text_snapshot("difference.txt", &nodes(&desk));
}

#[test]
fn the_first_view() {
    Camera::dark().snapshot("first_view_dark");
    Camera::light().snapshot("first_view_light");
}

#[test]
fn additive_beside_dot_with_their_difference() {
    let mut camera = Camera::dark();
    step(&mut camera, 3);
    press(&mut camera.desk, Modifiers::NONE, Key::D);
    camera.snapshot_of("parting", PANES);
    // With the same words in both there are numbers to subtract.
    click(&mut camera.desk, "Force dot on both");
    press(&mut camera.desk, Modifiers::NONE, Key::End);
    for _ in 0..13 {
        press(&mut camera.desk, Modifiers::COMMAND, Key::ArrowLeft);
    }
    camera.snapshot("difference");
}

#[test]
fn five_scorers() {
    let mut camera = Camera::light();
    for scorer in ["general", "scaled dot", "no attention"] {
        click(&mut camera.desk, &format!("Scorer {scorer}"));
    }
    step(&mut camera, 3);
    camera.snapshot("five_scorers");
}

#[test]
fn a_sentence_of_forty_words() {
    let mut camera = Camera::light();
    assert_eq!(LONG.split_whitespace().count(), 40);
    type_into(&mut camera.desk, "Source", LONG);
    press(&mut camera.desk, Modifiers::NONE, Key::Enter);
    press(&mut camera.desk, Modifiers::NONE, Key::End);
    camera.snapshot("forty_words");
}

#[test]
fn a_small_window() {
    let opening = Opening {
        size: [900.0, 600.0],
        ..Opening::default()
    };
    let mut camera = Camera::new(opening);
    step(&mut camera, 2);
    camera.snapshot("small");
    click(&mut camera.desk, "Numbers");
    camera.snapshot("small_with_numbers");
}

#[test]
fn large_text() {
    let opening = Opening {
        preferences: Preferences {
            text_size: TextSize::from(150),
            ..Preferences::default()
        },
        ..Opening::default()
    };
    let mut camera = Camera::new(opening);
    step(&mut camera, 2);
    camera.snapshot("large_text");
}

#[test]
fn an_empty_field() {
    let mut camera = Camera::dark();
    type_into(&mut camera.desk, "Source", "");
    camera.snapshot("empty");
}

#[test]
fn an_unknown_word_with_its_neighbours() {
    let mut camera = Camera::light();
    type_into(&mut camera.desk, "Source", "le chatt noir dort");
    press(&mut camera.desk, Modifiers::NONE, Key::Enter);
    click(&mut camera.desk, "Unknown word chatt");
    camera.snapshot_of("unknown_word", HEAD);
}

#[test]
fn a_locked_cell() {
    let mut camera = Camera::dark();
    step(&mut camera, 3);
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowRight] {
        press(&mut camera.desk, Modifiers::NONE, key);
    }
    camera.snapshot("locked_cell");
}

#[test]
fn the_beam_of_a_model() {
    let mut camera = Camera::light();
    press(&mut camera.desk, Modifiers::NONE, Key::B);
    wait_for(&mut camera.desk, "the beam", |desk| {
        matches!(state(desk).beam(), Some(Ok(_)))
    });
    settle(&mut camera.desk);
    camera.snapshot("beam");
}

#[test]
fn a_weight_explained() {
    let mut camera = Camera::light();
    step(&mut camera, 2);
    press(&mut camera.desk, Modifiers::NONE, Key::ArrowRight);
    let title = "How the weight of";
    let title = camera.desk.query_all_by_label_contains(title).next();
    title.unwrap().click();
    settle(&mut camera.desk);
    camera.snapshot("explained");
}

#[test]
fn a_forced_target() {
    let mut camera = Camera::light();
    click(&mut camera.desk, "Target…");
    type_into(&mut camera.desk, "Target", "the black cat sleeps");
    press(&mut camera.desk, Modifiers::NONE, Key::Escape);
    press(&mut camera.desk, Modifiers::NONE, Key::End);
    camera.snapshot_of("forced_target", PANES);
}

#[test]
fn what_stands_in_front() {
    let mut camera = Camera::dark();
    for (modifiers, key, name) in [
        (Modifiers::COMMAND, Key::K, "palette"),
        (Modifiers::COMMAND, Key::E, "export"),
        (Modifiers::NONE, Key::F1, "help"),
    ] {
        press(&mut camera.desk, modifiers, key);
        let mut part = MIDDLE;
        if name == "export" {
            wait_for(&mut camera.desk, "the preview", |desk| says(desk, " dpi, "));
            part = WIDE_MIDDLE;
        }
        camera.snapshot_of(name, part);
        press(&mut camera.desk, Modifiers::NONE, Key::Escape);
    }
    click(&mut camera.desk, "Scorer general");
    press(&mut camera.desk, Modifiers::COMMAND, Key::Q);
    camera.snapshot_of("unsaved_changes", MIDDLE);
}

#[test]
fn a_session_that_another_program_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chat.regard.ron");
    let mut camera = Camera::new(Opening::default());
    press(&mut camera.desk, Modifiers::COMMAND, Key::S);
    answer_path(&mut camera.desk, &path);
    wait_for(&mut camera.desk, "the save", |desk| says(desk, "Saved "));
    click_button(&mut camera.desk, "Dismiss");
    click(&mut camera.desk, "Scorer general");
    std::fs::write(&path, "other contents").unwrap();
    press(&mut camera.desk, Modifiers::COMMAND, Key::S);
    wait_for(&mut camera.desk, "the question", |desk| {
        says(desk, "The file was changed")
    });
    camera.snapshot_of("changed_on_disk", MIDDLE);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "other contents");
}

#[test]
fn links() {
    let mut camera = Camera::light();
    press(&mut camera.desk, Modifiers::NONE, Key::Num2);
    step(&mut camera, 3);
    press(&mut camera.desk, Modifiers::NONE, Key::ArrowDown);
    camera.snapshot_of("links", PANES);
}

#[test]
fn a_menu_and_a_message() {
    let mut camera = Camera::light();
    let desk = &mut camera.desk;
    desk.get_by_role_and_label(Role::Button, "File").click();
    settle(desk);
    camera.snapshot_of("file_menu", MENU);
    press(&mut camera.desk, Modifiers::NONE, Key::Escape);
    let text = "Cannot open notes.txt";
    let add = |desk: &mut Desk| {
        let file = std::sync::Arc::new(super::files::Dropped("notes.txt".into()));
        desk.input_mut().dropped_files.push(file);
        settle(desk);
    };
    add(&mut camera.desk);
    camera.desk.get_by_label(text);
    camera.snapshot_of("message", MESSAGES);
}

#[test]
fn a_picture_that_changed_is_seen() {
    let mut camera = Camera::dark();
    let before = camera.screen.shot(&camera.desk);
    assert_eq!(before.size, [1280, 800]);
    assert!(before.colours() > 200, "text, cells and a colour bar");
    // One digit of one number is the smallest change that counts.
    let number = camera.desk.get_all_by_role(Role::Label);
    let number = number
        .filter(|node| node.rect().size() != Vec2::ZERO)
        .count();
    assert!(number > 20);
    press(&mut camera.desk, Modifiers::NONE, Key::ArrowRight);
    let after = camera.screen.shot(&camera.desk);
    assert!(before.differing(&after, TOLERANCE) > STRAY);
}
