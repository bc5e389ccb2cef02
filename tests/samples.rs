//! The sessions of File, Samples: made from the shipped models, and true to them.
//!
//! `REGARD_UPDATE_SAMPLES=1 cargo test --test samples` writes them anew; that is due whenever a shipped model changed.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is the failure report of a test"
)]

use std::path::PathBuf;
use std::sync::LazyLock;

use regard::app::{
    Answer, AppState, Command, DecodeCommand, Effect, FileCommand, ModelSet, ModelsCommand,
    PickPurpose, Prompt, SAMPLES, Sample, Setup, SourceCommand, Then, ViewCommand,
};
use regard::project::{ModelRef, SessionFile, fingerprint};
use regard::shipped;

/// How to bring the files up to date.
const ADVICE: &str = "run REGARD_UPDATE_SAMPLES=1 cargo test --test samples";
/// How far a number may be from the recomputed one: processors round differently.
const TOLERANCE: f32 = 2e-3;
/// A sample is read by people and lies in the program.
const LARGEST: usize = 16 * 1024;

/// What a sample is made of.
struct Recipe {
    source: &'static str,
    /// A good translation: what the models say for it, of themselves or because they are made to.
    translation: &'static str,
    is_forced: bool,
    models: &'static [&'static str],
    /// Steps taken; the last one where there are fewer.
    steps: usize,
    view: fn() -> Vec<ViewCommand>,
}

/// In the order of [`SAMPLES`].
const RECIPES: [Recipe; 3] = [
    Recipe {
        source: "le chat noir dort",
        translation: "the",
        is_forced: false,
        models: &["additive"],
        steps: 1,
        view: Vec::new,
    },
    // Two words of negation become "does" and "not": here the scorers look at different places. The target is
    // forced, so that their rows can be compared whatever a model would say.
    Recipe {
        source: "elle ne parle pas anglais",
        translation: "she does not speak english",
        is_forced: true,
        models: &["additive", "dot"],
        steps: usize::MAX,
        view: || vec![ViewCommand::ToggleDifference],
    },
    Recipe {
        source: "nous avons vu la voiture rouge hier",
        translation: "we saw the red car yesterday",
        is_forced: false,
        models: &["additive"],
        steps: usize::MAX,
        view: || vec![ViewCommand::ShowCurves(false)],
    },
];

fn models() -> ModelSet {
    static MODELS: LazyLock<ModelSet> = LazyLock::new(|| {
        let models = ModelSet::default();
        for listed in shipped::list() {
            let model = shipped::model(listed.score).unwrap();
            models.insert(
                ModelRef::new(listed.score.name(), fingerprint(&model)),
                model,
            );
        }
        models
    });
    MODELS.clone()
}

/// The state that a person would save as the sample.
fn made(recipe: &Recipe) -> AppState {
    let mut state = AppState::new(Setup {
        models: models(),
        ..Setup::default()
    });
    let names = recipe.models.iter().map(|name| (*name).to_owned());
    let target = recipe.is_forced.then(|| recipe.translation.to_owned());
    let steps = match recipe.steps {
        usize::MAX => DecodeCommand::RunToEnd,
        steps => DecodeCommand::MoveTo(steps),
    };
    let mut commands = vec![
        Command::Source(SourceCommand::SetText(recipe.source.to_owned())),
        Command::Models(ModelsCommand::Choose(names.collect())),
        Command::Decode(DecodeCommand::SetTarget(target)),
        Command::Decode(steps),
    ];
    commands.extend((recipe.view)().into_iter().map(Command::View));
    for command in commands {
        assert!(state.apply(command).is_empty());
    }
    state
}

fn path(sample: &Sample) -> PathBuf {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("samples");
    samples.join(sample.file)
}

/// The sample's file, written anew first if that is asked for.
fn file(sample: &Sample, recipe: &Recipe) -> SessionFile {
    if std::env::var_os("REGARD_UPDATE_SAMPLES").is_some() {
        made(recipe).session_file().save(&path(sample)).unwrap();
    }
    SessionFile::load(&path(sample)).unwrap()
}

fn samples() -> impl Iterator<Item = (&'static Sample, &'static Recipe)> {
    SAMPLES.iter().zip(&RECIPES)
}

#[test]
fn samples_name_the_models_that_are_shipped() {
    for (sample, recipe) in samples() {
        let file = file(sample, recipe);
        let names: Vec<&str> = file.document.models.iter().map(|m| &*m.name).collect();
        assert_eq!(names, recipe.models, "{}: {ADVICE}", sample.file);
        let recorded = file.captured.iter().map(|run| &run.model);
        for named in file.document.models.iter().chain(recorded) {
            let present = models().get(&named.name).unwrap().reference.clone();
            assert_eq!(
                named.sha256, present.sha256,
                "{} was made with another model \"{}\" than the one that is shipped now: {ADVICE}",
                sample.file, named.name
            );
        }
    }
}

#[test]
fn samples_hold_what_the_shipped_models_compute() {
    for (sample, recipe) in samples() {
        let (file, made) = (file(sample, recipe), made(recipe).session_file());
        let name = sample.file;
        assert_eq!(file.document, made.document, "{name}: {ADVICE}");
        assert_eq!(file.view, made.view, "{name}: {ADVICE}");
        assert_eq!(file.step, made.step, "{name}: {ADVICE}");
        assert_eq!(file.captured.len(), made.captured.len());
        for (kept, new) in file.captured.iter().zip(&made.captured) {
            assert_eq!(kept.target, new.target, "{name}: {ADVICE}");
            let flat = |run: &regard::project::CapturedRun| {
                run.weights.as_ref().unwrap().values().to_vec()
            };
            for (a, b) in flat(kept).into_iter().zip(flat(new)) {
                assert!((a - b).abs() <= TOLERANCE, "{name}: {a} and {b}: {ADVICE}");
            }
        }
    }
}

#[test]
fn every_sample_shows_a_good_translation() {
    for (sample, recipe) in samples() {
        for pane in made(recipe).panes() {
            assert_eq!(
                pane.translation(),
                recipe.translation,
                "{}: \"{}\" is no sentence for this sample any more; choose another one",
                sample.file,
                recipe.source
            );
        }
    }
}

#[test]
fn the_scorers_of_the_comparison_look_at_different_places() {
    let state = made(&RECIPES[1]);
    let difference = state.difference().unwrap().unwrap();
    assert!(difference.parting.is_none());
    let captured = state.session_file().captured;
    let weights = |place: usize| captured[place].weights.as_ref().unwrap().values().to_vec();
    let (left, right) = (weights(0), weights(1));
    let largest = left
        .iter()
        .zip(&right)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f32::max);
    assert!(largest > 0.2, "the largest difference is {largest}");
}

#[test]
fn an_opened_sample_is_an_untitled_copy() {
    for (sample, recipe) in samples() {
        let mut state = made(recipe);
        let choose = ModelsCommand::Choose(vec!["dot".to_owned()]);
        let _ = state.apply(Command::Models(choose));
        // What is on the screen is not thrown away without a question.
        let _ = state.apply(sample.open());
        assert!(matches!(
            state.prompt(),
            Some(Prompt::UnsavedChanges {
                then: Then::OpenSample { .. }
            })
        ));
        let _ = state.apply(Command::File(FileCommand::Answer(Answer::No)));
        assert_eq!(state.session_name(), sample.title);
        assert_eq!(state.document().source, recipe.source);
        assert_eq!((state.path(), state.is_dirty()), (None, false));
        let effects = state.apply(Command::File(FileCommand::Save));
        assert!(matches!(
            effects[..],
            [Effect::PickFile {
                purpose: PickPurpose::SaveSession,
                ..
            }]
        ));
    }
}

#[test]
fn the_program_has_the_files_of_the_folder() {
    for (sample, recipe) in samples() {
        // A run that writes them is built before them.
        if std::env::var_os("REGARD_UPDATE_SAMPLES").is_none() {
            let file = std::fs::read(path(sample)).unwrap();
            assert_eq!(file, sample.bytes, "{}", sample.file);
        }
        let size = file(sample, recipe).to_bytes().unwrap().len();
        assert!(size < LARGEST, "{}: {size} bytes", sample.file);
    }
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("samples");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let listed = SAMPLES.iter().any(|sample| sample.file == name);
        assert!(
            listed || !name.ends_with(".regard.ron"),
            "{name} has no title"
        );
    }
}
