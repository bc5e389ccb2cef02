//! A window without a screen, and the hands that use it.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use eframe::App as _;
use eframe::egui::{self, Event, Key, Modifiers, Pos2, Rect, Vec2, accesskit};
use regard::app::{AppState, ModelSet, PaneData, Setup};
use regard::engine::{CellKind, Model, ModelConfig, ScoreKind, Seq2Seq, Wiring};
use regard::gui::Window;
use regard::project::{Document, ModelRef, SessionFile, ViewSettings, fingerprint};
use regard::text::{END, TokeniserKind, Vocabulary};

/// Frames after which a change has to be on the screen: the one that takes it in, and the next.
const FRAMES: usize = 2;

/// A window without a screen.
pub(crate) struct Stage {
    ctx: egui::Context,
    frame: eframe::Frame,
    window: Window,
    seconds: f64,
}

impl Stage {
    /// A window of the usual size on a session, drawn until nothing changes any more.
    pub(crate) fn new(setup: Setup, session: Option<&SessionFile>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bench.regard.ron");
        if let Some(session) = session {
            std::fs::write(&path, session.to_bytes().unwrap()).unwrap();
        }
        let files = session.map(|_| path).into_iter().collect();
        let ctx = egui::Context::default();
        let creation = eframe::CreationContext::_new_kittest(ctx.clone());
        let mut stage = Self {
            window: Window::new(&creation, setup, files),
            frame: eframe::Frame::_new_kittest(),
            ctx,
            seconds: 0.0,
        };
        // A thread reads the file.
        while session.is_some() && stage.state().path().is_none() {
            stage.draw(Vec::new());
            std::thread::sleep(Duration::from_millis(1));
        }
        (0..10).for_each(|_| stage.draw(Vec::new()));
        stage
    }

    pub(crate) fn state(&self) -> &AppState {
        self.window.state()
    }

    /// One whole frame.
    pub(crate) fn draw(&mut self, events: Vec<Event>) {
        let mut output = self.run(events);
        output.textures_delta.clear();
        let scale = self.ctx.pixels_per_point();
        black_box(self.ctx.tessellate(output.shapes, scale));
    }

    fn run(&mut self, events: Vec<Event>) -> egui::FullOutput {
        self.seconds += 1.0 / 60.0;
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(
                egui::Pos2::ZERO,
                Vec2::new(1280.0, 800.0),
            )),
            time: Some(self.seconds),
            focused: true,
            max_texture_side: Some(16_384),
            events,
            ..egui::RawInput::default()
        };
        let (window, frame) = (&mut self.window, &mut self.frame);
        self.ctx.run_ui(input, |ui| window.ui(ui, frame))
    }

    /// Something that a person does, and the frames until it shows.
    pub(crate) fn act(&mut self, event: Event) {
        self.draw(vec![event]);
        (1..FRAMES).for_each(|_| self.draw(Vec::new()));
    }

    /// What a screen reader is told, of all things whose name holds a text.
    pub(crate) fn named(&mut self, name: &str) -> Vec<(accesskit::NodeId, accesskit::Node)> {
        self.ctx.enable_accesskit();
        let mut update = None;
        for _ in 0..3 {
            let output = self.run(Vec::new());
            update = output.platform_output.accesskit_update.or(update);
        }
        self.ctx.disable_accesskit();
        let mut nodes = update.unwrap().nodes;
        nodes.retain(|(_, node)| node.label().is_some_and(|label| label.contains(name)));
        nodes
    }

    /// The middle of the first thing whose name for screen readers holds a text.
    pub(crate) fn middle(&mut self, name: &str) -> Pos2 {
        let bounds = self.named(name)[0].1.bounds().unwrap();
        egui::pos2(
            f64::midpoint(bounds.x0, bounds.x1) as f32,
            f64::midpoint(bounds.y0, bounds.y1) as f32,
        )
    }

    /// Clicks on the first thing whose name for screen readers holds a text.
    pub(crate) fn click(&mut self, name: &str) {
        let at = self.middle(name);
        self.draw(vec![Event::PointerMoved(at)]);
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
            self.draw(vec![Event::PointerButton {
                pos: at,
                button,
                pressed,
                modifiers,
            }]);
        }
        self.draw(vec![Event::PointerGone]);
    }

    /// Does it by its command in the palette.
    pub(crate) fn command(&mut self, name: &str) {
        self.act(key(Key::K, Modifiers::COMMAND));
        self.act(Event::Text(name.to_owned()));
        self.act(key(Key::Enter, Modifiers::NONE));
    }

    pub(crate) fn data(&self) -> Vec<Arc<PaneData>> {
        let panes = self.state().panes().iter();
        panes.map(|pane| pane.data().clone()).collect()
    }
}

pub(crate) fn key(key: Key, modifiers: Modifiers) -> Event {
    Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers,
    }
}

/// Word `i` of a made-up language: letters only, so that every tokeniser leaves it whole.
fn word(mut i: usize) -> String {
    let mut word = String::new();
    loop {
        word.push((b'a' + (i % 26) as u8) as char);
        i /= 26;
        if i == 0 {
            return format!("m{word}o");
        }
    }
}

pub(crate) fn words(count: usize) -> String {
    let words: Vec<String> = (0..count).map(word).collect();
    words.join(" ")
}

/// The models that are part of the program. No copies of unsaved changes: the next window would ask about them.
pub(crate) fn shipped() -> Setup {
    Setup {
        state_folder: None,
        ..regard::gui::setup().unwrap()
    }
}

/// Random models with as many units and words as these.
pub(crate) struct Size {
    units: usize,
    source_words: usize,
    target_words: usize,
}

pub(crate) const SHIPPED: Size = Size {
    units: 128,
    source_words: 8000,
    target_words: 6000,
};
pub(crate) const SMALL: Size = Size {
    units: 8,
    source_words: 600,
    target_words: 600,
};

fn model(size: &Size, score: ScoreKind) -> Model {
    let vocabulary = |count: usize| Vocabulary::build(words(count - 4).split(' '), count, 1);
    let (source_vocabulary, target_vocabulary) =
        (vocabulary(size.source_words), vocabulary(size.target_words));
    let config = ModelConfig {
        source_vocabulary: source_vocabulary.len(),
        target_vocabulary: target_vocabulary.len(),
        embedding: size.units,
        encoder: size.units,
        decoder: 2 * size.units,
        attention: 2 * size.units,
        readout: size.units,
        cell: CellKind::Gru,
        score,
        wiring: Wiring::Bahdanau,
        input_feeding: false,
        tied: true,
    };
    let mut network = Seq2Seq::initialised(&config.check().unwrap(), 1);
    // No sentence ends before the step that is asked for.
    network.decoder.output.b[END as usize] = -50.0;
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

/// A window with random models of these scores, all chosen, on a document.
pub(crate) fn stage(
    size: &Size,
    scores: &[ScoreKind],
    document: Document,
    view: ViewSettings,
    step: usize,
) -> Stage {
    let models = ModelSet::default();
    for score in scores {
        let model = model(size, *score);
        models.insert(ModelRef::new(score.name(), fingerprint(&model)), model);
    }
    let session = SessionFile {
        document: Document {
            models: models.references(),
            ..document
        },
        view,
        step,
        ..SessionFile::default()
    };
    let setup = Setup {
        models,
        ..Setup::default()
    };
    Stage::new(setup, Some(&session))
}
