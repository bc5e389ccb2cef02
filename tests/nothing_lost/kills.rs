//! Fifty kills at seeded moments.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use rand::RngExt as _;
use regard::engine::{Model, Precision, ScoreKind};
use regard::numeric::{Stream, stream};
use regard::project::SessionFile;
use regard::storage::Running;
use regard::training::{load_state, log_path, resume_path};

use super::savers::{Disk, SENTENCES, child, session, state};
use super::support::model;

/// How often each kind of program is killed. With [`EXPORTS`] programs that export, 50 kills.
const SAVES: u64 = 12;
const COPIES: u64 = 8;
const TRAININGS: u64 = 10;
const EXPORTS: u64 = 20;

/// How long a program may take on a busy machine.
const LONGEST_WAIT: Duration = Duration::from_mins(2);

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Temporary files that lie in a folder.
pub(crate) fn parts(folder: &Path) -> Vec<PathBuf> {
    let is_part = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "part");
    files(folder).into_iter().filter(is_part).collect()
}

/// Removes them, so that one that is there is that of a running program.
fn clear(folder: &Path) {
    for part in parts(folder) {
        std::fs::remove_file(part).unwrap();
    }
}

/// Waits until something is there; `false` if the child ended before.
fn wait(child: &mut Child, is_there: impl Fn() -> bool) -> bool {
    let began = Instant::now();
    while !is_there() {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        assert!(began.elapsed() < LONGEST_WAIT, "nothing was written");
        std::thread::yield_now();
    }
    true
}

/// Kills a child as soon as it has begun to write, or somewhat later. Whether it was still there.
fn kill(child: &mut Child, folder: &Path, rng: &mut Stream) -> bool {
    wait(child, || !parts(folder).is_empty());
    // From in the midst of the first write to behind several.
    let microseconds = match rng.random_range(0..3) {
        0 => 0,
        1 => rng.random_range(0..1_000),
        _ => rng.random_range(0..20_000),
    };
    std::thread::sleep(Duration::from_micros(microseconds));
    child.kill().unwrap();
    let status = child.wait().unwrap();
    status.code().is_none()
}

#[test]
fn a_killed_save_leaves_the_old_session_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.regard.ron");
    let whole = SENTENCES.map(|sentence| session(sentence).to_bytes().unwrap());
    std::fs::write(&path, &whole[0]).unwrap();
    let mut rng = stream(&[15, 1]);
    let mut left = 0;
    for _ in 0..SAVES {
        clear(folder.path());
        let mut child = child("savers::saves_for_ever", folder.path());
        let mut child = child.stderr(Stdio::null()).spawn().unwrap();
        assert!(kill(&mut child, folder.path(), &mut rng));
        assert!(whole.contains(&std::fs::read(&path).unwrap()));
        SessionFile::load(&path).unwrap();
        let now = parts(folder.path()).len();
        assert!(now <= 1, "{now} temporary files");
        left += now;
    }
    println!("{left} of {SAVES} kills fell into a write");
    assert!(left > 0, "no kill fell into a write");
    // Whoever writes next removes what the last kill left.
    session(SENTENCES[0]).save(&path).unwrap();
    assert_eq!(parts(folder.path()), [] as [PathBuf; 0]);
}

#[test]
fn killed_programs_leave_one_whole_copy_that_the_next_one_takes_over() {
    let folder = tempfile::tempdir().unwrap();
    let unsaved = folder.path().join("unsaved");
    std::fs::create_dir(&unsaved).unwrap();
    let mut rng = stream(&[15, 2]);
    for round in 0..COPIES {
        clear(&unsaved);
        let mut child = child("savers::keeps_copies_for_ever", folder.path());
        let mut child = child.stderr(Stdio::null()).spawn().unwrap();
        if round == 0 {
            let is_copy = || files(&unsaved).len() > parts(&unsaved).len();
            assert!(wait(&mut child, is_copy));
        }
        assert!(kill(&mut child, &unsaved, &mut rng), "round {round}");
        let mut copies = files(&unsaved);
        copies.retain(|path| !parts(&unsaved).contains(path));
        // Each takes over the copy of its predecessor.
        assert_eq!(copies.len(), 1, "{copies:?}");
        for copy in copies {
            let source = SessionFile::load(&copy).unwrap().document.source;
            assert!(SENTENCES.iter().any(|of| source == format!("{of} la")));
        }
        let signs = std::fs::read_dir(folder.path().join("running"));
        assert_eq!(signs.unwrap().count(), 1, "signs of dead programs pile up");
    }
    // And a person finds it.
    let running = Running::begin(&folder.path().join("running"));
    let mut state = state(running.id().to_owned(), Some(unsaved));
    let mut disk = Disk {
        running: Some(running),
        ..Disk::default()
    };
    regard::app::begin(&mut state, &mut disk);
    assert!(state.prompt().is_some());
}

/// Pairs of letters and how they are trained, at once with a state at the end of each of many short passes.
fn training(folder: &Path) -> Command {
    let mut command = Command::new(cargo_bin!("regard"));
    command.current_dir(folder).args(
        "train --scorer additive --embedding 8 --encoder 8 --batch 4 --validations 1 --warm-up 20 --threads 1 \
         --passes 400 --dropout 0 --source-tokeniser whitespace --target-tokeniser whitespace --pairs train.tsv \
         --valid valid.tsv --out model --resume"
            .split_whitespace(),
    );
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn a_killed_training_leaves_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model");
    for (name, skip, pairs) in [("train.tsv", "0", "40"), ("valid.tsv", "40", "5")] {
        let status = Command::new(cargo_bin!("regard"))
            .current_dir(folder.path())
            .args(["generate", "reversal", "--seed", "4", "--skip", skip])
            .args(["--pairs", pairs, "-o", name])
            .status();
        assert!(status.unwrap().success());
    }
    let mut rng = stream(&[15, 3]);
    let mut updates = 0;
    for round in 0..TRAININGS {
        clear(folder.path());
        let mut child = training(folder.path()).spawn().unwrap();
        // The first write of a run is the log; the states follow.
        std::thread::sleep(Duration::from_millis(rng.random_range(0..150)));
        assert!(kill(&mut child, folder.path(), &mut rng), "round {round}");
        let now = parts(folder.path()).len();
        assert!(now <= 1, "{now} temporary files");
        if model.exists() {
            Model::load(&model).unwrap();
        }
        if resume_path(&model).exists() {
            let (position, _) = load_state(&resume_path(&model)).unwrap();
            assert!(position.updates >= updates, "a state went back");
            updates = position.updates;
        }
        // Rows are appended: the last one may be cut short, and is written again when the training goes on.
        let log = std::fs::read_to_string(log_path(&model)).unwrap_or_default();
        let whole = log.lines().count().saturating_sub(1);
        let columns = |line: &str| line.split(',').count();
        let mut lines = log.lines().take(whole).map(columns);
        assert!(lines.next().is_none_or(|head| lines.all(|row| row == head)));
    }
    assert!(model.exists() && updates > 0);
}

#[test]
fn a_killed_export_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("m.safetensors");
    model(ScoreKind::Additive, 1, -9.0)
        .save(&weights, Precision::F32)
        .unwrap();
    let mut rng = stream(&[15, 4]);
    let exports = [
        "figure --scorers m.safetensors -o a.pdf",
        "figure --scorers m.safetensors -o a.svg",
        "figure --scorers m.safetensors --dpi 300 -o a.png",
        "attend --model m.safetensors --format json -o a.json",
    ];
    let mut kills = 0;
    let mut left = 0;
    for export in exports {
        let run = |sentence| {
            let mut command = Command::new(cargo_bin!("regard"));
            command.current_dir(folder.path()).args(export.split(' '));
            command.arg(sentence);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let name = export
            .split(' ')
            .find(|word| word.starts_with("a."))
            .unwrap();
        let path = folder.path().join(name);
        let whole = [1, 0].map(|place: usize| {
            assert!(run(SENTENCES[place]).status().unwrap().success());
            std::fs::read(&path).unwrap()
        });
        assert_ne!(whole[0], whole[1]);
        assert_eq!(
            parts(folder.path()),
            [] as [PathBuf; 0],
            "it removes what was left"
        );
        let before = kills;
        for place in (0..2).cycle() {
            clear(folder.path());
            let mut child = run(SENTENCES[place]).spawn().unwrap();
            // One that was faster than its killer is no kill.
            kills += u64::from(kill(&mut child, folder.path(), &mut rng));
            assert!(whole.contains(&std::fs::read(&path).unwrap()), "{export}");
            left += parts(folder.path()).len();
            if kills - before == EXPORTS / exports.len() as u64 {
                break;
            }
        }
    }
    println!("{left} of {kills} kills fell into a write");
    assert!(left > 0, "no kill fell into a write");
}
