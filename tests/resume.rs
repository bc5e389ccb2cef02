//! A training that is killed, stopped and resumed is the training that was left alone, to the last bit.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "a panic is how a test reports a failure"
)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use rand::RngExt as _;
use regard::numeric::stream;
use regard::training::{load_state, log_path, resume_path};

/// Passes of the trainings that are interrupted. Each has about 105 updates; states are saved at its end, and
/// rows logged at updates 50, 100, …, so that a killed training may have logged more than it remembers.
const PASSES: usize = 5;

/// A folder with generated pairs, and how many passes are made over them.
struct Folder(tempfile::TempDir, usize);

impl Folder {
    fn new(passes: usize) -> Self {
        let folder = Self(tempfile::tempdir().unwrap(), passes);
        for (name, skip, pairs) in [("train.tsv", "0", "400"), ("valid.tsv", "400", "40")] {
            let status = Command::new(assert_cmd::cargo::cargo_bin!("regard"))
                .args(["generate", "reversal", "--seed", "4", "--skip", skip])
                .args(["--pairs", pairs, "-o"])
                .arg(folder.path(name))
                .status();
            assert!(status.unwrap().success());
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `regard train` of the model `name`, with more arguments.
    fn train(&self, name: &str, more: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("regard"));
        command
            .args(["train", "--scorer", "additive", "--embedding", "8"])
            .args(["--encoder", "8", "--batch", "4", "--validations", "1"])
            .args(["--warm-up", "20", "--threads", "2", "--passes"])
            .arg(self.1.to_string())
            .args(["--dropout", "0.1", "--source-tokeniser", "whitespace"])
            .args(["--target-tokeniser", "whitespace"])
            .arg("--pairs")
            .arg(self.path("train.tsv"))
            .arg("--valid")
            .arg(self.path("valid.tsv"))
            .arg("--out")
            .arg(self.path(name))
            .args(more)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }

    /// A training that nobody interrupts.
    fn whole(&self) -> PathBuf {
        let output = self.train("whole", &[]).output().unwrap();
        assert!(output.status.success(), "{}", errors(&output));
        self.path("whole")
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The rows of the log without the speed, the only column that may differ.
fn log_rows(model: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(log_path(model)).unwrap_or_default();
    let without_speed = |line: &str| line.rsplit_once(',').map(|(row, _)| row.to_owned());
    text.lines().filter_map(without_speed).skip(1).collect()
}

/// Waits until the log has more than `rows` rows or the training ends.
fn wait_for_rows(child: &mut Child, model: &Path, rows: usize) -> Option<ExitStatus> {
    let began = Instant::now();
    while log_rows(model).len() <= rows {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        assert!(
            began.elapsed() < Duration::from_mins(5),
            "the training stands still"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    None
}

fn assert_same_training(a: &Path, b: &Path) {
    assert_eq!(log_rows(a), log_rows(b));
    assert_eq!(
        std::fs::read(a).unwrap(),
        std::fs::read(b).unwrap(),
        "the best models"
    );
    let (mut position, trainer) = load_state(&resume_path(a)).unwrap();
    let (other_position, other) = load_state(&resume_path(b)).unwrap();
    position.seconds = other_position.seconds;
    assert_eq!(position, other_position);
    assert!(trainer.network == other.network, "weights");
    assert!(trainer.adam == other.adam, "moments");
}

#[test]
fn a_killed_training_goes_on_as_if_it_had_never_stopped() {
    let folder = Folder::new(PASSES);
    let whole = folder.whole();
    assert!(log_rows(&whole).len() > 2 * PASSES);
    let killed = folder.path("killed");
    let mut rng = stream(&[9, 1]);
    let mut kills = 0;
    let finished = loop {
        let mut child = folder
            .train("killed", &["--resume"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Once or twice at the start, then behind some row of the log.
        let rows = log_rows(&killed).len() + rng.random_range(0..4);
        let status = if kills < 2 {
            None
        } else {
            wait_for_rows(&mut child, &killed, rows)
        };
        let pause = if rng.random() { 60 } else { 5 };
        std::thread::sleep(Duration::from_millis(rng.random_range(0..pause)));
        if let Some(status) = status {
            break status;
        }
        child.kill().unwrap();
        kills += usize::from(!child.wait().unwrap().success());
        assert!(kills < 100, "no progress");
    };
    assert!(finished.success() && kills >= 4, "{finished} after {kills}");
    assert_same_training(&whole, &killed);
}

#[test]
fn an_interrupted_training_ends_cleanly_and_goes_on_exactly() {
    let folder = Folder::new(PASSES);
    let whole = folder.whole();
    let stopped = folder.path("stopped");
    // Behind updates 50 and 150, far from the validations that save a state anyway.
    for rows in [0, 3] {
        let mut child = folder.train("stopped", &["--resume"]).spawn().unwrap();
        assert_eq!(wait_for_rows(&mut child, &stopped, rows), None);
        // Somewhere between two rows, where losses are summed up for the next one.
        std::thread::sleep(Duration::from_millis(7));
        let kill = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", errors(&output));
        assert!(
            errors(&output).contains("--resume goes on"),
            "{}",
            errors(&output)
        );
        let (position, _) = load_state(&resume_path(&stopped)).unwrap();
        assert!(position.pass < PASSES);
    }
    let output = folder.train("stopped", &["--resume"]).output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    assert_same_training(&whole, &stopped);
}

#[test]
fn a_state_is_neither_overwritten_nor_taken_for_another_training() {
    let folder = Folder::new(1);
    let whole = folder.whole();
    let files = || {
        [whole.clone(), resume_path(&whole), log_path(&whole)].map(|p| std::fs::read(p).unwrap())
    };
    let before = files();
    let refused = |more: &[&str], expected: &[&str]| {
        let output = folder.train("whole", more).output().unwrap();
        let message = errors(&output);
        assert_eq!(output.status.code(), Some(1), "{more:?}: {message}");
        for part in expected {
            assert!(message.contains(part), "{more:?}: {message}");
        }
        assert!(files() == before, "{more:?} changed a file");
    };
    refused(
        &[],
        &["whole.resume", "earlier training", "--resume", "remove it"],
    );
    let options = ["other options", "then: rate 0.002\n", "now:  rate 0.01\n"];
    refused(&["--resume", "--rate", "0.01"], &options);
    refused(&["--resume", "--seed", "2"], &["other options", "seed"]);
    refused(
        &["--resume", "--decoder", "20"],
        &["other model sizes", "decoder 16", "decoder 20"],
    );
    refused(
        &["--resume", "--longest", "200"],
        &["other options", "longest"],
    );
    let pairs = std::fs::read_to_string(folder.path("train.tsv")).unwrap();
    let fewer: Vec<&str> = pairs.lines().skip(1).collect();
    std::fs::write(folder.path("train.tsv"), fewer.join("\n")).unwrap();
    refused(&["--resume"], &["other data"]);
}

#[test]
fn a_damaged_state_is_refused_and_kept() {
    let folder = Folder::new(1);
    let whole = folder.whole();
    let state = resume_path(&whole);
    let mut bytes = std::fs::read(&state).unwrap();
    bytes.truncate(bytes.len() / 2);
    std::fs::write(&state, &bytes).unwrap();
    let output = folder.train("whole", &["--resume"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = errors(&output);
    assert!(
        message.contains("whole.resume is not the state of a training"),
        "{message}"
    );
    assert_eq!(std::fs::read(&state).unwrap(), bytes);
}
