//! Sessions: saving, reopening, unsaved changes, damaged files, files that are dropped on the window.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eframe::egui::{self, Key, Modifiers, ViewportCommand, ViewportEvent, ViewportId};
use egui_kittest::kittest::Queryable as _;
use regard::engine::{Precision, ScoreKind};
use regard::project::SessionFile;

use super::desk::{
    Desk, Opening, answer_path, asked, click, click_button, names, press, says, settle, state,
    type_into, wait_for, window,
};
use super::support::model;

/// A file that is dropped.
#[derive(Debug)]
pub(crate) struct Dropped(pub(crate) PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

fn drop_on(desk: &mut Desk, path: &Path) {
    let file = Arc::new(Dropped(path.to_owned()));
    desk.input_mut().dropped_files.push(file);
    settle(desk);
}

/// Asks the window to close, as its frame does; whether it will.
fn close(desk: &mut Desk) -> bool {
    let viewport = desk.input_mut().viewports.entry(ViewportId::ROOT);
    viewport.or_default().events.push(ViewportEvent::Close);
    desk.step();
    let will = !asked(desk, &ViewportCommand::CancelClose);
    settle(desk);
    will
}

fn save_as(desk: &mut Desk, path: &Path) {
    press(desk, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    answer_path(desk, path);
    wait_for(desk, "the save", |desk| says(desk, "Saved "));
}

#[test]
fn a_session_is_saved_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("brown-dog.regard.ron");
    let mut desk = window();
    desk.get_by_label("Untitled");
    type_into(&mut desk, "Source", "le chien brun dort");
    press(&mut desk, Modifiers::NONE, Key::Enter);
    click(&mut desk, "Scorer general");
    press(&mut desk, Modifiers::NONE, Key::D);
    desk.get_by_label("Untitled •");
    press(&mut desk, Modifiers::COMMAND, Key::S);
    // The ending of sessions is added.
    answer_path(&mut desk, &folder.path().join("brown-dog"));
    wait_for(&mut desk, "the save", |desk| !state(desk).is_dirty());
    desk.get_by_label("brown-dog");
    let saved = SessionFile::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(saved, state(&desk).session_file());
    assert_eq!(saved.document.source, "le chien brun dort");

    let opening = Opening {
        files: vec![path],
        ..Opening::default()
    };
    let mut again = opening.open();
    wait_for(&mut again, "the session", |desk| {
        state(desk).path().is_some()
    });
    assert_eq!(state(&again).session_file(), saved);
    assert_eq!(names(&again), ["additive", "dot", "general"]);
    assert_eq!(state(&again).position(), 2);
    assert!(state(&again).difference().is_some());
    again.get_by_label("brown-dog");
    again.get_by_label("Word brun");
}

#[test]
fn closing_asks_about_unsaved_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.regard.ron");
    let mut desk = window();
    assert!(close(&mut window()), "nothing to save");
    click(&mut desk, "Scorer general");
    assert!(!close(&mut desk));
    desk.get_by_label("Unsaved changes");
    click(&mut desk, "Cancel");
    assert!(!says(&desk, "Unsaved changes"));
    assert_eq!(names(&desk).len(), 3, "nothing is lost");

    // Saved first, then closed.
    press(&mut desk, Modifiers::COMMAND, Key::Q);
    click_button(&mut desk, "Save");
    answer_path(&mut desk, &path);
    wait_for(&mut desk, "the save", |_| path.exists());
    wait_for(&mut desk, "the answer", |desk| !state(desk).is_dirty());
    let saved = SessionFile::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(saved.document.models.len(), 3);
}

#[test]
fn changes_are_given_up_only_when_a_person_says_so() {
    let mut desk = window();
    click(&mut desk, "Scorer general");
    press(&mut desk, Modifiers::COMMAND, Key::N);
    desk.get_by_label("Unsaved changes");
    press(&mut desk, Modifiers::NONE, Key::Escape);
    assert_eq!(names(&desk).len(), 3);
    press(&mut desk, Modifiers::COMMAND, Key::N);
    click(&mut desk, "Do not save");
    assert_eq!(names(&desk).len(), 2);
    assert_eq!(state(&desk).document().source, "");

    click(&mut desk, "Scorer general");
    press(&mut desk, Modifiers::COMMAND, Key::Q);
    desk.get_by_label("Do not save").click();
    let closes = (0..6).any(|_| {
        desk.step();
        asked(&desk, &ViewportCommand::Close)
    });
    assert!(closes);
}

#[test]
fn a_dropped_session_is_opened_and_a_damaged_one_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let [good, bad] = ["good", "bad"].map(|name| folder.path().join(format!("{name}.regard.ron")));
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::Space);
    save_as(&mut desk, &good);
    let text = std::fs::read_to_string(&good).unwrap();
    let cut = &text[..text.len() / 2];
    std::fs::write(&bad, cut).unwrap();

    let mut desk = window();
    type_into(&mut desk, "Source", "le chien");
    press(&mut desk, Modifiers::NONE, Key::Enter);
    press(&mut desk, Modifiers::COMMAND, Key::Z);
    assert!(!state(&desk).is_dirty());
    let before = state(&desk).snapshot();
    drop_on(&mut desk, &bad);
    wait_for(&mut desk, "the message", |desk| says(desk, "Cannot open"));
    assert!(says(&desk, "bad.regard.ron: line "));
    assert!(says(&desk, "mend this one in a text editor"));
    assert_eq!(state(&desk).snapshot(), before, "nothing is lost");
    assert!(state(&desk).undo().redo_name().is_some());
    assert_eq!(std::fs::read_to_string(&bad).unwrap(), cut);

    drop_on(&mut desk, &good);
    wait_for(&mut desk, "the session", |desk| {
        state(desk).path() == Some(&good)
    });
    assert_eq!(state(&desk).position(), 2);
}

#[test]
fn dropping_asks_before_it_replaces_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.regard.ron");
    save_as(&mut window(), &path);
    let mut desk = window();
    click(&mut desk, "Scorer general");
    drop_on(&mut desk, &path);
    desk.get_by_label("Unsaved changes");
    click(&mut desk, "Do not save");
    wait_for(&mut desk, "the session", |desk| {
        state(desk).path().is_some()
    });
    assert_eq!(names(&desk), ["additive", "dot"]);
}

#[test]
fn a_dropped_model_can_be_chosen_and_other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.safetensors");
    model(ScoreKind::Dot, 77, 0.0)
        .save(&path, Precision::F32)
        .unwrap();
    let mut desk = window();
    drop_on(&mut desk, &path);
    wait_for(&mut desk, "the model", |desk| says(desk, "Scorer mine"));
    if !names(&desk).contains(&"mine".to_owned()) {
        click(&mut desk, "Scorer mine");
    }
    assert!(state(&desk).pane("mine").unwrap().taken() > 0);

    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "no session").unwrap();
    drop_on(&mut desk, &text);
    assert!(says(&desk, "notes.txt"));
    assert!(says(&desk, "Choose a session"));
}

#[test]
fn what_a_crash_left_behind_is_brought_back() {
    let folder = tempfile::tempdir().unwrap();
    let opening = || Opening {
        state_folder: Some(folder.path().join("unsaved")),
        ..Opening::default()
    };
    let mut desk = opening().open();
    click(&mut desk, "Scorer general");
    let copies = || std::fs::read_dir(folder.path().join("unsaved")).map_or(0, Iterator::count);
    // More than the time between two copies passes.
    desk.run_steps(60 * 25);
    wait_for(&mut desk, "the copy", |_| copies() == 1);
    drop(desk);
    let mut again = opening().open();
    wait_for(&mut again, "the question", |desk| {
        says(desk, "Bring back the changes")
    });
    click_button(&mut again, "Bring back");
    assert_eq!(names(&again), ["additive", "dot", "general"]);
    assert!(state(&again).is_dirty());
}

#[test]
fn two_windows_do_not_save_over_each_other_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.regard.ron");
    save_as(&mut window(), &path);
    let opening = || Opening {
        files: vec![path.clone()],
        ..Opening::default()
    };
    let [mut first, mut second] = [opening().open(), opening().open()];
    for desk in [&mut first, &mut second] {
        wait_for(desk, "the session", |desk| state(desk).path().is_some());
    }
    let saved = || SessionFile::load(&path).unwrap().document.models.len();
    click(&mut first, "Scorer general");
    press(&mut first, Modifiers::COMMAND, Key::S);
    wait_for(&mut first, "the save", |desk| !state(desk).is_dirty());
    assert_eq!(saved(), 3);

    press(&mut second, Modifiers::NONE, Key::D);
    press(&mut second, Modifiers::COMMAND, Key::S);
    wait_for(&mut second, "the question", |desk| {
        says(desk, "was changed by another program since it was opened")
    });
    click_button(&mut second, "Cancel");
    assert!(state(&second).is_dirty() && saved() == 3);
    press(&mut second, Modifiers::COMMAND, Key::S);
    wait_for(&mut second, "the question", |desk| {
        says(desk, "Save anyway")
    });
    click_button(&mut second, "Save anyway");
    wait_for(&mut second, "the save", |desk| !state(desk).is_dirty());
    assert_eq!(saved(), 2);
}

#[test]
fn a_running_window_keeps_its_copy_to_itself() {
    let folder = tempfile::tempdir().unwrap();
    let opening = || Opening {
        state_folder: Some(folder.path().join("unsaved")),
        ..Opening::default()
    };
    let copies = || std::fs::read_dir(folder.path().join("unsaved")).map_or(0, Iterator::count);
    let mut first = opening().open();
    let mut second = opening().open();
    for (desk, count) in [(&mut first, 1), (&mut second, 2)] {
        click(desk, "Scorer general");
        desk.run_steps(60 * 25);
        wait_for(desk, "the copy", |_| copies() == count);
    }
    // Of the two, the first ends with its copy; the second has given its own up.
    press(&mut second, Modifiers::COMMAND, Key::N);
    click(&mut second, "Do not save");
    drop(second);
    assert_eq!(copies(), 1, "what was asked for is done before the end");
    let mut third = opening().open();
    third.run_steps(10);
    std::thread::sleep(std::time::Duration::from_millis(100));
    settle(&mut third);
    assert!(!says(&third, "Bring back the changes"), "it is in use");
    drop(first);
    let mut fourth = opening().open();
    wait_for(&mut fourth, "the question", |desk| {
        says(desk, "Bring back the changes")
    });
    click_button(&mut fourth, "Bring back");
    wait_for(&mut fourth, "the move", |_| copies() == 1);
}
