//! Pictures: a real file of the right size, or none.

use eframe::egui::{Key, Modifiers, OutputCommand, accesskit::Role};
use egui_kittest::kittest::Queryable as _;

use super::desk::{answer_path, click, press, says, state, wait_for, window};
use super::picture::Picture;

#[test]
fn ctrl_e_and_enter_write_a_png_of_the_figure() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::End);
    press(&mut desk, Modifiers::COMMAND, Key::E);
    press(&mut desk, Modifiers::NONE, Key::Enter);
    // The ending is added.
    answer_path(&mut desk, &folder.path().join("demo"));
    wait_for(&mut desk, "the picture", |desk| {
        says(desk, "Wrote the figure to")
    });
    let picture = Picture::read(&folder.path().join("demo.png")).unwrap();
    let request = state(&desk).figure_request();
    let scene = request.scene(&state(&desk).figure_runs(&request)).unwrap();
    let (width, height) = request.options.resolution().pixel_size(&scene).unwrap();
    assert_eq!(picture.size, [width as usize, height as usize]);
    assert!(picture.size[0] > 500 && picture.size[1] > 500);
    assert!(
        picture.colours() > 100,
        "labels, cells and a colour bar are drawn"
    );
}

#[test]
fn svg_is_written_too_and_nothing_where_the_question_is_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = window();
    press(&mut desk, Modifiers::COMMAND, Key::E);
    click(&mut desk, "SVG");
    click(&mut desk, "Save SVG…");
    wait_for(&mut desk, "the question for a path", |desk| {
        desk.query_by_role_and_label(Role::TextInput, "Path")
            .is_some()
    });
    click(&mut desk, "Cancel");
    assert!(
        desk.query_by_role_and_label(Role::TextInput, "Path")
            .is_none()
    );
    press(&mut desk, Modifiers::COMMAND, Key::E);
    click(&mut desk, "Save SVG…");
    answer_path(&mut desk, &folder.path().join("demo.svg"));
    wait_for(&mut desk, "the figure", |desk| {
        says(desk, "Wrote the figure to")
    });
    let text = std::fs::read_to_string(folder.path().join("demo.svg")).unwrap();
    assert!(text.contains(">chat<"), "{text}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_that_is_there_is_replaced_only_when_asked_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (there, other) = (folder.path().join("a.svg"), folder.path().join("b.svg"));
    for path in [&there, &other] {
        std::fs::write(path, "precious").unwrap();
    }
    let mut desk = window();
    press(&mut desk, Modifiers::COMMAND, Key::E);
    click(&mut desk, "SVG");
    click(&mut desk, "Save SVG…");
    answer_path(&mut desk, &there);
    assert!(says(&desk, "would be replaced"));
    // Another path is another question.
    answer_path(&mut desk, &other);
    assert!(says(&desk, "would be replaced"));
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "precious");
    click(&mut desk, "Replace");
    wait_for(&mut desk, "the figure", |desk| {
        says(desk, "Wrote the figure to")
    });
    assert!(std::fs::read_to_string(&other).unwrap().contains("<svg"));
    assert_eq!(std::fs::read_to_string(&there).unwrap(), "precious");
}

#[test]
fn the_dialog_previews_what_it_will_write_and_says_its_command_line() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::End);
    press(&mut desk, Modifiers::COMMAND, Key::E);
    wait_for(&mut desk, "the preview", |desk| says(desk, "px at 144 dpi"));
    click(&mut desk, "Column 85 mm");
    wait_for(&mut desk, "the preview of a column", |desk| {
        says(desk, "85.0 × ") && says(desk, "2008 × ")
    });
    assert!(says(&desk, "--width=85mm --dpi=600"));
    click(&mut desk, "Curves");
    click(&mut desk, "CSV");
    assert!(says(&desk, "--curves") && says(&desk, "-o figure.csv"));
    wait_for(&mut desk, "the numbers", |desk| says(desk, "target"));
    click(&mut desk, "Copy the command line");
    let export = &state(&desk).preferences().export;
    assert!(export.curves && export.options.dpi == Some(600));
    // What cannot be drawn is said in the picture's place.
    click(&mut desk, "PNG");
    click(&mut desk, "Height");
    let mut choice = state(&desk).preferences().export.clone();
    choice.options.height = Some(regard::figure::Length::Mm(10.0));
    assert_eq!(choice.clone().repaired(), choice);
    press(&mut desk, Modifiers::NONE, Key::Escape);
    assert!(!says(&desk, "Export the figure"));
}

#[test]
fn a_place_that_cannot_be_written_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = window();
    press(&mut desk, Modifiers::COMMAND, Key::E);
    click(&mut desk, "Save PNG…");
    answer_path(&mut desk, &folder.path().join("no/folder/demo.png"));
    wait_for(&mut desk, "the message", |desk| says(desk, "Cannot write"));
    assert!(says(&desk, "choose another place"));
}

#[test]
fn the_button_of_a_pane_copies_its_sentence() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::Space);
    let sentence = state(&desk).pane("dot").unwrap().translation().to_owned();
    assert!(!sentence.is_empty());
    desk.get_by_label("Copy what dot says").click();
    let copied = (0..6).any(|_| {
        desk.step();
        let commands = &desk.output().platform_output.commands;
        commands
            .iter()
            .any(|command| matches!(command, OutputCommand::CopyText(text) if *text == sentence))
    });
    assert!(copied, "{sentence}");
}
