//! The window's speed on the processor: a frame in which nothing happens, a keystroke, a step, cells that are moved. No
//! graphics card takes part: what is measured is the program, egui and the tessellation of what it draws.
//!
//! `cargo bench --bench frame -- keystroke` runs a part. The bars: an idle frame of the demo within 2 ms, with a
//! matrix of 500 × 500 within 4 ms; a keystroke at ten words with four scorers shows its new matrices within 16 ms.
//!
//! `cargo bench --bench frame -- hour` measures no time but memory: see `frame/hour.rs`.

#![allow(
    clippy::unwrap_used,
    reason = "a panic here is the report of a broken benchmark"
)]

use criterion::{Criterion, criterion_group};
use eframe::egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, TouchPhase, Vec2};
use regard::attribution::Method;
use regard::engine::ScoreKind;
use regard::project::{Chart, DifferencePair, Document, SessionFile, ViewSettings};
use stage::{SHIPPED, SMALL, Stage, key, shipped, stage, words};

#[path = "frame/hour.rs"]
mod hour;
#[path = "frame/person.rs"]
mod person;
#[path = "frame/stage.rs"]
mod stage;

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The demo with the shipped models, run to its end.
fn demo() -> Stage {
    let mut stage = Stage::new(shipped(), None);
    stage.act(key(Key::End, Modifiers::NONE));
    assert!(stage.state().position() > 3);
    stage
}

/// Five scorers at the end of the demo with their difference, every chart, and the weight of a cell explained.
fn everything() -> Stage {
    let setup = shipped();
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
}

/// A window on a matrix of this size.
fn large(columns: usize, rows: usize) -> Stage {
    let document = Document {
        source: words(columns),
        target: Some(words(rows - 1)),
        ..Document::default()
    };
    let view = ViewSettings::default();
    let stage = stage(&SMALL, &[ScoreKind::Additive], document, view, rows);
    let matrix = stage.data()[0].matrix.clone().unwrap();
    assert_eq!(matrix.values().dim(), (rows, columns));
    stage
}

/// Matrices of many columns: nothing happens; magnified cells are moved by the wheel; cells become larger and smaller
/// again, the frame that takes it in and the one that shows it.
fn columns(c: &mut Criterion) {
    for (columns, rows) in [(50, 50), (500, 500), (4096, 500)] {
        let size = format!("{columns}x{rows}");
        let mut stage = large(columns, rows);
        c.bench_function(&format!("columns/{size}/idle"), |b| {
            b.iter(|| stage.draw(Vec::new()));
        });
        let at = stage.middle("Attention weights");
        stage.act(Event::PointerMoved(at));
        let mut is_larger = false;
        c.bench_function(&format!("columns/{size}/zoom"), |b| {
            b.iter(|| {
                is_larger = !is_larger;
                let which = if is_larger { Key::Plus } else { Key::Minus };
                stage.act(key(which, Modifiers::NONE));
            });
        });
        (0..12).for_each(|_| stage.act(key(Key::Plus, Modifiers::NONE)));
        let before = stage.state().zoom();
        (0..8).for_each(|_| stage.draw(vec![wheel(-40.0)]));
        assert_ne!(stage.state().zoom(), before, "the wheel moves nothing");
        let mut frames = 0;
        c.bench_function(&format!("columns/{size}/scroll"), |b| {
            b.iter(|| {
                frames += 1;
                let way = if frames % 32 < 16 { -40.0 } else { 40.0 };
                stage.draw(vec![wheel(way)]);
            });
        });
    }
}

fn wheel(way: f32) -> Event {
    Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: Vec2::splat(way),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    }
}

/// What can stand beside attention: an attribution, and the run without changes.
fn beside(c: &mut Criterion) {
    let mut stage = demo();
    stage.command("Attribution: leave-one-out");
    assert_eq!(stage.state().view().attribution, Some(Method::LeaveOneOut));
    let is_there = |stage: &Stage| {
        let mut panes = stage.state().panes().iter();
        panes.all(|pane| {
            let shown = stage.state().attribution(pane.name());
            shown.is_some_and(|shown| shown.outcome().is_some_and(|outcome| outcome.is_ok()))
        })
    };
    // Threads beside the window compute it.
    while !is_there(&stage) {
        stage.draw(Vec::new());
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    (0..30).for_each(|_| stage.draw(Vec::new()));
    c.bench_function("idle/attribution", |b| b.iter(|| stage.draw(Vec::new())));
    stage.command("Attribution: off");
    stage.command("Uniform attention everywhere");
    assert!(
        stage
            .state()
            .panes()
            .iter()
            .all(|pane| pane.original().is_some())
    );
    if !stage.state().view().show_unchanged {
        stage.act(key(Key::U, Modifiers::NONE));
    }
    assert!(stage.state().view().show_unchanged);
    (0..30).for_each(|_| stage.draw(Vec::new()));
    c.bench_function("idle/unchanged", |b| b.iter(|| stage.draw(Vec::new())));
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
    let view = ViewSettings::default();
    let mut stage = stage(&SHIPPED, &scores, document, view, 11);
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

criterion_group!(benches, idle, columns, beside, keystroke, stepping);

fn main() {
    if std::env::args().any(|argument| argument == "hour") {
        hour::run();
        return;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
