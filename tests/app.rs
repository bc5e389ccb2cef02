//! The application without its window: whole stories on tiny random models, and random commands.

#![allow(clippy::unwrap_used, reason = "a panic is the failure report")]

use std::path::PathBuf;
use std::sync::Arc;

use regard::app::*;
use regard::engine::{Intervention, InterventionKind, Model, Scope, ScoreKind};
use regard::project::{Colormap, Scaling, SessionFile};

#[path = "app/random.rs"]
mod random;
mod support;

use support::{SOURCE_WORDS, TARGET_WORDS, insert};

/// The bias of `</s>`: sentences of a few words.
const END_BIAS: f32 = -0.5;

fn model(score: ScoreKind, seed: u64) -> Model {
    support::model(score, seed, END_BIAS)
}

fn five_models(first_seed: u64) -> ModelSet {
    support::five_models(first_seed, END_BIAS)
}

fn state_with(models: ModelSet) -> AppState {
    AppState::new(Setup {
        models,
        state_folder: Some("state".into()),
        ..Setup::default()
    })
}

struct Desk {
    state: AppState,
    services: ScriptedServices,
}

impl Desk {
    fn new() -> Self {
        Self {
            state: state_with(five_models(1)),
            services: ScriptedServices::default(),
        }
    }

    fn send(&mut self, commands: impl IntoIterator<Item = Command>) {
        dispatch(&mut self.state, &mut self.services, commands);
    }

    fn press(&mut self, commands: impl IntoIterator<Item = UiCommand>) {
        for id in commands {
            let info = id.info();
            assert!(info.is_enabled(&self.state), "{} is greyed out", info.name);
            let command = info.command(&self.state);
            self.send([command]);
        }
    }

    fn type_letters(&mut self, sentence: &str) {
        for (end, letter) in sentence.char_indices() {
            let text = sentence[..end + letter.len_utf8()].to_owned();
            self.send([Command::Source(SourceCommand::SetText(text))]);
        }
    }
}

#[test]
fn a_sentence_is_typed_stepped_and_taken_back() {
    let mut desk = Desk::new();
    desk.type_letters("la fenêtre dort");
    desk.press([UiCommand::Step, UiCommand::Step]);
    assert_eq!(desk.state.position(), 3);
    assert_eq!(desk.state.chips().len(), 3);
    desk.press([UiCommand::ToggleDifference, UiCommand::NextColormap]);
    let labels =
        |state: &AppState| [UiCommand::Undo, UiCommand::Redo].map(|id| id.info().label(state));
    assert_eq!(labels(&desk.state), ["Undo the colour map", "Redo"]);
    desk.press([UiCommand::Undo, UiCommand::Undo]);
    assert_eq!(
        labels(&desk.state),
        ["Undo typing", "Redo the difference pane"]
    );
    desk.press([UiCommand::Undo]);
    assert_eq!(desk.state.document().source, DEMO_SENTENCE);
    assert_eq!(desk.state.position(), 3, "the clock is no part of undo");
    assert!(!UiCommand::Undo.info().is_enabled(&desk.state));
    desk.press([UiCommand::Redo, UiCommand::Redo, UiCommand::Redo]);
    assert_eq!(desk.state.view().colormap, Colormap::Magma);
    assert_eq!(desk.state.document().source, "la fenêtre dort");
}

#[test]
fn commands_are_applied_in_order() {
    let mut desk = Desk::new();
    let maps = [Colormap::Grey, Colormap::Cividis, Colormap::Magma];
    desk.send(maps.map(|map| Command::View(ViewCommand::Colormap(map))));
    assert_eq!(desk.state.view().colormap, Colormap::Magma);
    desk.press([UiCommand::Undo]);
    assert_eq!(desk.state.view().colormap, Colormap::Cividis);
    // An answer comes after what was asked for before it.
    desk.services.picks.push_back(Some("a".into()));
    let text = |text: &str| Command::Source(SourceCommand::SetText(text.to_owned()));
    desk.send([text("le"), Command::File(FileCommand::SaveAs), text("la")]);
    assert_eq!(desk.state.document().source, "la");
    assert!(
        desk.services
            .text("a.regard.ron")
            .unwrap()
            .contains("\"la\"")
    );
}

#[test]
fn a_saved_session_comes_back_equal() {
    let mut desk = Desk::new();
    desk.type_letters("le chien brun mange une pomme");
    let list = vec![Intervention::new(
        Scope::From(1),
        InterventionKind::MaskSource(0),
    )];
    let model = "dot".to_owned();
    desk.send([
        Command::Models(ModelsCommand::Toggle("bottleneck".to_owned())),
        Command::Decode(DecodeCommand::SetInterventions { model, list }),
        Command::Decode(DecodeCommand::MoveTo(4)),
        Command::View(ViewCommand::Scaling(Scaling::Log)),
    ]);
    desk.services.picks.push_back(Some("s".into()));
    desk.press([UiCommand::Save]);
    let saved = desk.state.session_file();
    assert_eq!(saved.captured.len(), 3);
    let bytes = desk.services.files[&PathBuf::from("s.regard.ron")].clone();
    assert_eq!(SessionFile::from_bytes(&bytes).unwrap(), saved);
    let mut other = state_with(five_models(1));
    let open = FileCommand::OpenAny(vec!["s.regard.ron".into()]);
    dispatch(&mut other, &mut desk.services, [Command::File(open)]);
    assert_eq!(other.session_file(), saved);
    assert_eq!(other.snapshot(), desk.state.snapshot());
    assert_eq!(other.position(), 4);
    assert!(!other.is_dirty() && other.undo().is_empty());
    assert_eq!(other.notices().open().count(), 0);
}

#[test]
fn an_old_session_shows_its_figure_though_a_model_changed() {
    let mut desk = Desk::new();
    desk.press([UiCommand::RunToEnd]);
    desk.services.picks.push_back(Some("old".into()));
    desk.press([UiCommand::Save]);
    let matrix =
        |state: &AppState, name: &str| state.pane(name).unwrap().data().matrix.as_deref().cloned();
    let before = ["additive", "dot"].map(|name| matrix(&desk.state, name));
    // Additive was trained again, dot is gone.
    let models = ModelSet::default();
    let present = insert(&models, "additive", model(ScoreKind::Additive, 99));
    let mut state = state_with(models);
    let open = Command::File(FileCommand::OpenAny(vec!["old.regard.ron".into()]));
    dispatch(&mut state, &mut desk.services, [open]);
    assert_eq!(["additive", "dot"].map(|name| matrix(&state, name)), before);
    let kinds: Vec<_> = state.panes().iter().map(Pane::kind).collect();
    assert_eq!(kinds, [PaneKind::ModelChanged, PaneKind::ModelMissing]);
    let texts: Vec<_> = state
        .notices()
        .open()
        .map(|n| n.draft.text.clone())
        .collect();
    assert!(texts[0].contains("\"additive\" changed"), "{texts:?}");
    assert!(texts[1].contains("no model \"dot\""), "{texts:?}");
    assert!(!state.is_dirty(), "opening is no change");
    let sentence = state.pane("dot").unwrap().translation().to_owned();
    assert_eq!(sentence, desk.state.pane("dot").unwrap().translation());
    // The records step on the same clock, and are saved again.
    dispatch(
        &mut state,
        &mut desk.services,
        [Command::Decode(DecodeCommand::MoveTo(1))],
    );
    assert_eq!(state.pane("dot").unwrap().taken(), 1);
    assert_eq!(state.session_file().captured.len(), 2);
    // Another sentence has no record; taking it back brings the figure again.
    let text = Command::Source(SourceCommand::SetText("le chien".to_owned()));
    dispatch(&mut state, &mut desk.services, [text]);
    assert!(state.pane("dot").unwrap().problem().is_some());
    dispatch(
        &mut state,
        &mut desk.services,
        [Command::Edit(EditCommand::Undo)],
    );
    assert_eq!(matrix(&state, "dot"), before[1]);
    // The notice offers the present model.
    let id = state.notices().open().next().unwrap().id;
    dispatch(
        &mut state,
        &mut desk.services,
        [Command::Notice(NoticeCommand::Follow(id))],
    );
    assert_eq!(state.document().models[0], present);
    assert_eq!(state.pane("additive").unwrap().kind(), PaneKind::Live);
    assert_ne!(matrix(&state, "additive"), before[0]);
}

#[test]
fn without_any_model_there_is_nothing_to_step() {
    let mut state = state_with(ModelSet::default());
    let _ = state.apply(Command::Decode(DecodeCommand::RunToEnd));
    assert_eq!((state.panes().len(), state.position()), (0, 0));
    assert_eq!(state.chips().len(), 4);
    for info in UiCommand::table() {
        let command = info.command(&state);
        let _ = state.apply(command);
    }
}

#[test]
fn every_example_can_be_stepped() {
    let mut desk = Desk::new();
    for place in 0..examples().len() {
        desk.send([Command::Source(SourceCommand::UseExample(place))]);
        assert_eq!(desk.state.position(), 1);
        assert!(
            desk.state
                .panes()
                .iter()
                .all(|pane| pane.problem().is_none())
        );
    }
}

#[test]
fn a_keystroke_keeps_what_it_does_not_change() {
    let mut desk = Desk::new();
    let data = desk.state.panes()[0].data().clone();
    let text = format!("{DEMO_SENTENCE} ");
    desk.send([Command::View(ViewCommand::ShowValues(false))]);
    assert!(Arc::ptr_eq(&data, desk.state.panes()[0].data()));
    desk.send([Command::Source(SourceCommand::SetText(text))]);
    assert_eq!(data.tokens, desk.state.panes()[0].data().tokens);
}
