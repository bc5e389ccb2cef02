//! The window's speed on the processor: a frame in which nothing happens, a keystroke, a step. No graphics card
//! takes part: what is measured is the program, egui and the tessellation of what it draws.
//!
//! `cargo bench --bench frame -- keystroke` runs a part. The bars: an idle frame of the demo within 2 ms, with a
//! matrix of 500 × 500 within 4 ms; a keystroke at ten words with four scorers shows its new matrices within 16 ms.

#![allow(
    clippy::unwrap_used,
    reason = "a panic here is the report of a broken benchmark"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use eframe::App as _;
use eframe::egui::{self, Event, Key, Modifiers, Rect, Vec2};
use regard::app::{AppState, ModelSet, PaneData, Setup};
use regard::engine::{CellKind, Model, ModelConfig, ScoreKind, Seq2Seq, Wiring};
use regard::gui::Window;
use regard::project::{
    Chart, DifferencePair, Document, ModelRef, SessionFile, ViewSettings, fingerprint,
};
use regard::text::{END, TokeniserKind, Vocabulary};

/// Frames after which a change has to be on the screen: the one that takes it in, and the next.
const FRAMES: usize = 2;

/// A window without a screen.
struct Stage {
    ctx: egui::Context,
    frame: eframe::Frame,
    window: Window,
    seconds: f64,
}

impl Stage {
    /// A window of the usual size on a session, drawn until nothing changes any more.
    fn new(setup: Setup, session: Option<&SessionFile>) -> Self {
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

    fn state(&self) -> &AppState {
        self.window.state()
    }

    /// One whole frame.
    fn draw(&mut self, events: Vec<Event>) {
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
    fn act(&mut self, event: Event) {
        self.draw(vec![event]);
        (1..FRAMES).for_each(|_| self.draw(Vec::new()));
    }

    /// Clicks on the first thing whose name for screen readers holds a text.
    fn click(&mut self, name: &str) {
        self.ctx.enable_accesskit();
        let mut update = None;
        for _ in 0..3 {
            let output = self.run(Vec::new());
            update = output.platform_output.accesskit_update.or(update);
        }
        self.ctx.disable_accesskit();
        let nodes = update.unwrap().nodes;
        let named = |node: &egui::accesskit::Node| node.label().is_some_and(|l| l.contains(name));
        let found = nodes.iter().find(|(_, node)| named(node)).unwrap();
        let bounds = found.1.bounds().unwrap();
        let at = egui::pos2(
            f64::midpoint(bounds.x0, bounds.x1) as f32,
            f64::midpoint(bounds.y0, bounds.y1) as f32,
        );
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

    fn data(&self) -> Vec<Arc<PaneData>> {
        let panes = self.state().panes().iter();
        panes.map(|pane| pane.data().clone()).collect()
    }
}

fn key(key: Key, modifiers: Modifiers) -> Event {
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

fn words(count: usize) -> String {
    let words: Vec<String> = (0..count).map(word).collect();
    words.join(" ")
}

/// Random models with as many units and words as these.
struct Size {
    units: usize,
    source_words: usize,
    target_words: usize,
}

const SHIPPED: Size = Size {
    units: 128,
    source_words: 8000,
    target_words: 6000,
};
const SMALL: Size = Size {
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
fn stage(size: &Size, scores: &[ScoreKind], document: Document, step: usize) -> Stage {
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
        step,
        ..SessionFile::default()
    };
    let setup = Setup {
        models,
        ..Setup::default()
    };
    Stage::new(setup, Some(&session))
}

/// The demo with the shipped models, run to its end.
fn demo() -> Stage {
    let mut stage = Stage::new(regard::gui::setup().unwrap(), None);
    stage.act(key(Key::End, Modifiers::NONE));
    assert!(stage.state().position() > 3);
    stage
}

/// Five scorers at the end of the demo with their difference, every chart, and the weight of a cell explained.
fn everything() -> Stage {
    let setup = regard::gui::setup().unwrap();
    let session = SessionFile {
        document: Document {
            source: "le chat noir dort".to_owned(),
            models: setup.models.references(),
            ..Document::default()
        },
        view: ViewSettings {
            charts: Chart::ALL.to_vec(),
            difference: Some(DifferencePair {
                left: "additive".to_owned(),
                right: "dot".to_owned(),
            }),
            ..ViewSettings::default()
        },
        step: 9,
        ..SessionFile::default()
    };
    let mut stage = Stage::new(setup, Some(&session));
    stage.act(key(Key::ArrowRight, Modifiers::NONE));
    stage.click("How the weight of");
    (0..30).for_each(|_| stage.draw(Vec::new()));
    stage
}

fn idle(c: &mut Criterion) {
    let mut small = demo();
    c.bench_function("idle/demo", |b| b.iter(|| small.draw(Vec::new())));
    // Some of the rows that are known are not taken.
    small.act(key(Key::ArrowLeft, Modifiers::COMMAND));
    c.bench_function("idle/demo-stepped-back", |b| {
        b.iter(|| small.draw(Vec::new()));
    });
    let mut full = everything();
    assert_eq!(full.data().len(), 5);
    assert!(full.state().selection().locked().is_some());
    c.bench_function("idle/everything-open", |b| b.iter(|| full.draw(Vec::new())));
    let document = Document {
        source: words(500),
        target: Some(words(499)),
        ..Document::default()
    };
    let mut large = stage(&SMALL, &[ScoreKind::Additive], document, 500);
    let matrix = large.data()[0].matrix.clone().unwrap();
    assert_eq!(matrix.values().dim(), (500, 500));
    c.bench_function("idle/500x500", |b| b.iter(|| large.draw(Vec::new())));
}

/// A letter is typed behind the last word, or taken away again; the frame with the new matrices is the last one.
fn keystroke(c: &mut Criterion) {
    let scores = [
        ScoreKind::Additive,
        ScoreKind::Dot,
        ScoreKind::General,
        ScoreKind::ScaledDot,
    ];
    let document = Document {
        source: words(10),
        ..Document::default()
    };
    let mut stage = stage(&SHIPPED, &scores, document, 11);
    assert_eq!(stage.data().len(), 4);
    stage.act(key(Key::L, Modifiers::COMMAND));
    stage.act(key(Key::End, Modifiers::NONE));
    let mut has_letter = false;
    let mut press = |stage: &mut Stage| {
        has_letter = !has_letter;
        stage.act(if has_letter {
            Event::Text("s".to_owned())
        } else {
            key(Key::Backspace, Modifiers::NONE)
        });
    };
    for _ in 0..4 {
        let before = stage.data();
        press(&mut stage);
        let after = stage.data();
        assert_eq!(stage.state().position(), 11);
        for (before, after) in before.iter().zip(&after) {
            assert_ne!(before.matrix, after.matrix, "a keystroke changes nothing");
        }
    }
    c.bench_function("keystroke/10-words-4-scorers", |b| {
        b.iter(|| press(&mut stage));
    });
}

/// A step forward, or the same one back.
fn stepping(c: &mut Criterion) {
    let mut stage = demo();
    let end = stage.state().position();
    let mut forward = true;
    c.bench_function("step/demo", |b| {
        b.iter(|| {
            forward = !forward;
            stage.act(if forward {
                key(Key::Space, Modifiers::NONE)
            } else {
                key(Key::ArrowLeft, Modifiers::COMMAND)
            });
        });
    });
    assert!(end - stage.state().position() <= 1);
}

criterion_group!(benches, idle, keystroke, stepping);
criterion_main!(benches);
