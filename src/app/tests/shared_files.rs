//! Two programs that have the same session open: neither overwrites the other unasked.

use std::path::PathBuf;

use super::*;

const SESSION: &str = "a.regard.ron";

fn program(run: &str) -> AppState {
    let mut state = state();
    state.file.run = run.to_owned();
    state
}

fn send(state: &mut AppState, services: &mut ScriptedServices, command: Command) {
    dispatch(state, services, [command]);
}

fn file(state: &mut AppState, services: &mut ScriptedServices, command: FileCommand) {
    send(state, services, Command::File(command));
}

fn open(state: &mut AppState, services: &mut ScriptedServices) {
    let open = FileCommand::Leave(Then::OpenPath(SESSION.into()));
    file(state, services, open);
    assert_eq!(state.path(), Some(std::path::Path::new(SESSION)));
}

fn changed() -> Prompt {
    Prompt::ChangedOnDisk {
        path: SESSION.into(),
    }
}

fn tick() -> Command {
    Command::Clock(ClockCommand::Tick { seconds: 99.0 })
}

/// Two programs with one session, saved by the second with another sentence; the first has changes too.
fn two() -> (AppState, AppState, ScriptedServices) {
    let mut services = ScriptedServices::default();
    let (mut first, mut second) = (program("1"), program("2"));
    services.picks.push_back(Some(SESSION.into()));
    file(&mut first, &mut services, FileCommand::Save);
    open(&mut second, &mut services);
    send(&mut first, &mut services, text("le chat"));
    send(&mut second, &mut services, text("le chien"));
    file(&mut second, &mut services, FileCommand::Save);
    assert!(!second.is_dirty() && second.prompt().is_none());
    (first, second, services)
}

fn saved(services: &ScriptedServices, path: &str) -> String {
    let bytes = &services.files[&PathBuf::from(path)];
    let session = crate::project::SessionFile::from_bytes(bytes).unwrap();
    session.document.source
}

#[test]
fn what_another_program_saved_is_not_replaced_unasked() {
    let (mut first, _, mut services) = two();
    file(&mut first, &mut services, FileCommand::Save);
    assert_eq!(first.prompt(), Some(&changed()));
    assert_eq!(saved(&services, SESSION), "le chien");
    // Cancelled, nothing happens, and the next save asks again.
    file(
        &mut first,
        &mut services,
        FileCommand::Answer(Answer::Cancel),
    );
    assert!(first.is_dirty() && first.prompt().is_none());
    file(&mut first, &mut services, FileCommand::Save);
    file(&mut first, &mut services, FileCommand::Answer(Answer::Yes));
    assert!(!first.is_dirty() && first.prompt().is_none());
    assert_eq!(saved(&services, SESSION), "le chat");
    // What is there now is known again.
    send(&mut first, &mut services, text("la pomme"));
    file(&mut first, &mut services, FileCommand::Save);
    assert!(first.prompt().is_none());
    assert_eq!(saved(&services, SESSION), "la pomme");
}

#[test]
fn the_changed_session_goes_to_another_file() {
    let (mut first, _, mut services) = two();
    file(&mut first, &mut services, FileCommand::Save);
    services.picks.push_back(Some("b".into()));
    file(&mut first, &mut services, FileCommand::Answer(Answer::No));
    assert_eq!(saved(&services, SESSION), "le chien");
    assert_eq!(saved(&services, "b.regard.ron"), "le chat");
    assert_eq!(first.session_name(), "b");
    send(&mut first, &mut services, text("la pomme"));
    file(&mut first, &mut services, FileCommand::Save);
    assert!(first.prompt().is_none() && !first.is_dirty());
}

#[test]
fn saving_under_the_same_name_asks_as_well() {
    let (mut first, _, mut services) = two();
    services.picks.push_back(Some(SESSION.into()));
    file(&mut first, &mut services, FileCommand::SaveAs);
    assert_eq!(first.prompt(), Some(&changed()));
    assert_eq!(saved(&services, SESSION), "le chien");
}

#[test]
fn leaving_waits_for_the_answer() {
    for (answer, quits) in [(Answer::Yes, true), (Answer::Cancel, false)] {
        let (mut first, _, mut services) = two();
        file(&mut first, &mut services, FileCommand::Leave(Then::Quit));
        file(&mut first, &mut services, FileCommand::Answer(Answer::Yes));
        assert_eq!(first.prompt(), Some(&changed()));
        assert!(!services.has_quit);
        file(&mut first, &mut services, FileCommand::Answer(answer));
        assert_eq!(services.has_quit, quits);
        // What was cancelled does not go on with a later save.
        file(&mut first, &mut services, FileCommand::Save);
        file(&mut first, &mut services, FileCommand::Answer(Answer::Yes));
        assert_eq!(services.has_quit, quits);
    }
}

#[test]
fn a_file_that_is_gone_or_saved_alike_is_no_conflict() {
    let (mut first, second, mut services) = two();
    services.files.remove(&PathBuf::from(SESSION));
    file(&mut first, &mut services, FileCommand::Save);
    assert!(first.prompt().is_none());
    assert_eq!(saved(&services, SESSION), "le chat");
    // The same contents again, whoever wrote them.
    services
        .files
        .insert(SESSION.into(), first.session_file().to_bytes().unwrap());
    send(&mut first, &mut services, text("la pomme"));
    file(&mut first, &mut services, FileCommand::Save);
    assert!(first.prompt().is_none());
    drop(second);
}

#[test]
fn two_saves_in_a_row_know_each_other() {
    let mut services = ScriptedServices::default();
    let mut state = program("1");
    services.picks.push_back(Some(SESSION.into()));
    file(&mut state, &mut services, FileCommand::Save);
    // The second is asked for before the first is answered.
    let save = || Command::File(FileCommand::Save);
    dispatch(
        &mut state,
        &mut services,
        [text("le chat"), save(), text("la"), save()],
    );
    assert!(state.prompt().is_none() && !state.is_dirty());
    assert_eq!(saved(&services, SESSION), "la");
}

#[test]
fn each_program_has_its_own_copy_and_offers_only_those_of_the_dead() {
    let (mut first, mut second, mut services) = two();
    send(&mut second, &mut services, text("la pomme"));
    send(&mut first, &mut services, tick());
    send(&mut second, &mut services, tick());
    assert_eq!(saved(&services, "a.regard.ron.1~"), "le chat");
    assert_eq!(saved(&services, "a.regard.ron.2~"), "la pomme");
    // Both run: nothing is offered.
    services.running = vec!["1".to_owned(), "2".to_owned()];
    let mut third = program("3");
    open(&mut third, &mut services);
    assert_eq!(third.prompt(), None);
    // The first was killed.
    services.running.remove(0);
    open(&mut third, &mut services);
    let file_name = Some(PathBuf::from(SESSION));
    assert_eq!(third.prompt(), Some(&Prompt::Restore { file: file_name }));
    file(&mut third, &mut services, FileCommand::Answer(Answer::Yes));
    assert_eq!(third.document().source, "le chat");
    // It belongs to the third now, and goes when that saves; that of the second stays.
    assert_eq!(saved(&services, "a.regard.ron.3~"), "le chat");
    assert_eq!(services.text("a.regard.ron.1~"), None);
    file(&mut third, &mut services, FileCommand::Save);
    assert_eq!(services.text("a.regard.ron.3~"), None);
    assert_eq!(saved(&services, "a.regard.ron.2~"), "la pomme");
}

#[test]
fn several_copies_are_offered_one_after_the_other() {
    let mut services = ScriptedServices::default();
    for (run, words) in [("1", "le chat"), ("2", "le chien"), ("3", "la pomme")] {
        let mut state = program(run);
        send(&mut state, &mut services, text(words));
        send(&mut state, &mut services, tick());
    }
    let mut state = program("4");
    begin(&mut state, &mut services);
    assert!(state.prompt().is_some());
    file(&mut state, &mut services, FileCommand::Answer(Answer::No));
    assert_eq!(services.text("state/untitled.regard.ron.1~"), None);
    file(&mut state, &mut services, FileCommand::Answer(Answer::Yes));
    assert_eq!(state.document().source, "le chien");
    assert_eq!(state.prompt(), None, "one was chosen");
    // The last one waits for the next start.
    let mut next = program("5");
    services.running = vec!["4".to_owned()];
    begin(&mut next, &mut services);
    file(&mut next, &mut services, FileCommand::Answer(Answer::Yes));
    assert_eq!(next.document().source, "la pomme");
}
