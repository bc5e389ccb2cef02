//! Opening, saving, leaving, copies of unsaved changes.

use std::path::{Path, PathBuf};

use super::*;
use crate::figure::FigureFormat;
use crate::project::Theme;

fn run(state: &mut AppState, services: &mut ScriptedServices, command: Command) {
    dispatch(state, services, [command]);
}

fn file(command: FileCommand) -> Command {
    Command::File(command)
}

fn pick(services: &mut ScriptedServices, path: &str) {
    services.picks.push_back(Some(path.into()));
}

fn tick(seconds: f64) -> Command {
    Command::Clock(ClockCommand::Tick { seconds })
}

const COPY: &str = "state/untitled.regard.ron~";

#[test]
fn saving_asks_for_a_name_once() {
    let (mut state, mut services) = (state(), ScriptedServices::default());
    run(&mut state, &mut services, text("le chien"));
    assert!(state.is_dirty());
    pick(&mut services, "a/b.regard");
    run(&mut state, &mut services, file(FileCommand::Save));
    assert_eq!(state.path(), Some(Path::new("a/b.regard.ron")));
    assert_eq!(state.session_name(), "b");
    assert!(!state.is_dirty());
    assert!(
        services
            .text("a/b.regard.ron")
            .unwrap()
            .contains("le chien")
    );
    assert_eq!(
        state.preferences().recent.paths(),
        [PathBuf::from("a/b.regard.ron")]
    );
    run(&mut state, &mut services, text("le chat"));
    run(&mut state, &mut services, file(FileCommand::Save));
    assert!(services.text("a/b.regard.ron").unwrap().contains("le chat"));
    assert!(!state.is_dirty());
}

#[test]
fn leaving_asks_about_unsaved_changes() {
    let (mut state, mut services) = (state(), ScriptedServices::default());
    run(&mut state, &mut services, text("le chien"));
    run(
        &mut state,
        &mut services,
        file(FileCommand::Leave(Then::Quit)),
    );
    assert_eq!(
        state.prompt(),
        Some(&Prompt::UnsavedChanges { then: Then::Quit })
    );
    run(
        &mut state,
        &mut services,
        file(FileCommand::Answer(Answer::Cancel)),
    );
    assert!(state.prompt().is_none() && !services.has_quit);
    // Whoever cancels the dialog stays.
    run(
        &mut state,
        &mut services,
        file(FileCommand::Leave(Then::Quit)),
    );
    run(
        &mut state,
        &mut services,
        file(FileCommand::Answer(Answer::Yes)),
    );
    assert!(!services.has_quit && state.is_dirty());
    services.read_only.push("x.regard.ron".into());
    for (name, quits) in [("x", false), ("y", true)] {
        pick(&mut services, name);
        run(
            &mut state,
            &mut services,
            file(FileCommand::Leave(Then::Quit)),
        );
        run(
            &mut state,
            &mut services,
            file(FileCommand::Answer(Answer::Yes)),
        );
        assert_eq!(services.has_quit, quits);
    }
    assert!(services.text("y.regard.ron").is_some());
    assert!(
        state.notices().history()[0]
            .draft
            .text
            .contains("Cannot write x.regard.ron")
    );
}

#[test]
fn a_new_session_is_empty_and_clean() {
    let (mut state, mut services) = (state(), ScriptedServices::default());
    run(&mut state, &mut services, text("le chien"));
    run(
        &mut state,
        &mut services,
        file(FileCommand::Leave(Then::New)),
    );
    run(
        &mut state,
        &mut services,
        file(FileCommand::Answer(Answer::No)),
    );
    assert_eq!(state.document().source, "");
    assert!(!state.is_dirty() && state.undo().is_empty());
    assert_eq!(names(&state), ["additive", "dot"]);
}

#[test]
fn damaged_and_strange_files_are_named() {
    let (mut state, mut services) = (state(), ScriptedServices::default());
    services.files.insert(
        "bad.regard.ron".into(),
        b"(version: 1,\n document: 7)".to_vec(),
    );
    let paths = [
        "bad.regard.ron",
        "gone.regard.ron",
        "x.png",
        "m.safetensors",
    ];
    for path in paths {
        run(
            &mut state,
            &mut services,
            file(FileCommand::OpenAny(vec![path.into()])),
        );
    }
    let texts: Vec<_> = state
        .notices()
        .open()
        .map(|n| n.draft.text.as_str())
        .collect();
    assert!(
        texts[0].starts_with("Cannot open bad.regard.ron: line 2, column "),
        "{texts:?}"
    );
    assert_eq!(texts[1], "Cannot read gone.regard.ron: no such file");
    assert_eq!(texts[2], "Cannot open x.png");
    assert!(texts[3].starts_with("Cannot open the model m.safetensors"));
    assert!(state.notices().open().all(|n| n.draft.advice.is_some()));
    assert_eq!(state.document().source, DEMO_SENTENCE);
}

#[test]
fn unsaved_changes_get_a_copy_and_come_back_after_a_crash() {
    let (mut before, mut services) = (state(), ScriptedServices::default());
    run(&mut before, &mut services, tick(99.0));
    assert!(services.files.is_empty(), "nothing to keep");
    run(&mut before, &mut services, text("le chien"));
    run(&mut before, &mut services, tick(1.0));
    assert!(services.text(COPY).unwrap().contains("le chien"));
    services.log.clear();
    run(&mut before, &mut services, tick(99.0));
    assert!(services.log.is_empty(), "nothing new to keep");

    let mut after = state();
    begin(&mut after, &mut services);
    assert_eq!(after.prompt(), Some(&Prompt::Restore { file: None }));
    let mut later = after.clone();
    run(
        &mut after,
        &mut services,
        file(FileCommand::Answer(Answer::Yes)),
    );
    assert_eq!(after.document().source, "le chien");
    assert!(after.is_dirty() && services.text(COPY).is_some());
    // Whoever decides later keeps the copy, whatever happens until then.
    run(
        &mut later,
        &mut services,
        file(FileCommand::Answer(Answer::Cancel)),
    );
    run(&mut later, &mut services, text("le chat"));
    run(&mut later, &mut services, tick(99.0));
    assert!(services.text(COPY).unwrap().contains("le chien"));
    pick(&mut services, "a");
    run(&mut after, &mut services, file(FileCommand::Save));
    assert_eq!(services.text(COPY), None);
}

#[test]
fn a_copy_beside_a_file_is_offered_when_it_is_opened() {
    let (mut state, mut services) = (state(), ScriptedServices::default());
    pick(&mut services, "a");
    run(&mut state, &mut services, file(FileCommand::SaveAs));
    run(&mut state, &mut services, text("le chien"));
    run(&mut state, &mut services, tick(99.0));
    assert!(services.text("a.regard.ron~").is_some());
    let mut other = super::state();
    let open = FileCommand::Leave(Then::OpenPath("a.regard.ron".into()));
    run(&mut other, &mut services, file(open.clone()));
    let file_name = Some(PathBuf::from("a.regard.ron"));
    assert_eq!(other.prompt(), Some(&Prompt::Restore { file: file_name }));
    assert_eq!(other.document().source, DEMO_SENTENCE);
    run(
        &mut other,
        &mut services,
        file(FileCommand::Answer(Answer::No)),
    );
    assert_eq!(services.text("a.regard.ron~"), None);
    run(&mut other, &mut services, file(open));
    assert!(other.prompt().is_none());
}

#[test]
fn figures_are_written_as_they_stood_when_asked_for() {
    let (mut state, mut services) = (state(), ScriptedServices::default());
    pick(&mut services, "out/fig");
    let command = Command::Export(ExportCommand::Figure(FigureFormat::Png));
    run(&mut state, &mut services, command);
    let line = services.text("out/fig.png").unwrap();
    assert!(line.contains("--steps=1"), "{line}");
    assert_eq!(
        state.preferences().export.folder.as_deref(),
        Some(Path::new("out"))
    );
    let Effect::PickFile { suggested, .. } = &services.log[0] else {
        panic!()
    };
    assert_eq!(
        suggested.as_deref(),
        Some(Path::new("le-chat-noir-dort.png"))
    );
    run(
        &mut state,
        &mut services,
        Command::Export(ExportCommand::CopyCommandLine),
    );
    let line = shell_line(&state.figure_request().to_argv());
    let expected = format!("{line} -o le-chat-noir-dort.pdf");
    assert_eq!(services.clipboard, Some(expected));
    assert!(!state.is_dirty(), "pictures are no change");
}

#[test]
fn preferences_are_stored_and_no_change_of_the_session() {
    let (mut state, mut services) = (state(), ScriptedServices::default());
    run(
        &mut state,
        &mut services,
        Command::Prefer(PreferencesCommand::Theme(Theme::Dark)),
    );
    let stored = Effect::StorePreferences(Box::new(state.preferences().clone()));
    assert_eq!(services.log, [stored]);
    assert!(!state.is_dirty() && state.undo().is_empty());
}
