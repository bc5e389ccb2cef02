//! Full disks and folders that take no files, in ways that hold for an administrator too: a limit to the size of
//! files, a device without space, a folder that is none.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use regard::engine::{Precision, ScoreKind};

use super::kills::parts;
use super::savers::{SENTENCES, child, session};
use super::support::model;

/// A folder with a model, pairs and old results.
struct Folder(tempfile::TempDir);

const RESULTS: [&str; 4] = ["a.svg", "a.json", "new.safetensors", "a.regard.ron"];

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        let weights = folder.path().join("m.safetensors");
        model(ScoreKind::Additive, 1, -9.0)
            .save(&weights, Precision::F32)
            .unwrap();
        let pairs = "le chat noir dort\tthe black cat sleeps\n".repeat(20);
        std::fs::write(folder.path().join("pairs.tsv"), pairs).unwrap();
        for name in RESULTS {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// What writes each of the results to `place`.
    fn writers(&self, place: &Path) -> Vec<(PathBuf, Command)> {
        let lines = [
            "figure -o {} --scorers m.safetensors --format svg",
            "attend -o {} --model m.safetensors --format json",
            "train --scorer additive --pairs pairs.tsv --valid pairs.tsv --embedding 8 --encoder 8 --passes 1 \
             --threads 1 --out {}",
        ];
        let writer = |(line, name): (&str, &str)| {
            let path = place.join(name);
            let mut command = Command::new(cargo_bin!("regard"));
            command.current_dir(self.path());
            for word in line.split_whitespace() {
                command.arg(word.replace("{}", path.to_str().unwrap()));
            }
            if !line.starts_with("train") {
                command.arg(SENTENCES[1]);
            }
            (path, command)
        };
        let mut writers: Vec<_> = lines.into_iter().zip(RESULTS).map(writer).collect();
        writers.push((place.join(RESULTS[3]), child("savers::saves_once", place)));
        writers
    }
}

/// The same run where no file may grow beyond 1024 bytes: what comes after is refused in the midst of the write.
fn limited(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    // The signal would end the program before it could say anything.
    shell.args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$@\"", "sh"]);
    shell.arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        shell.env(name, value.unwrap());
    }
    shell
}

#[track_caller]
fn assert_refused(output: &Output, path: &Path, reason: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{message}");
    for expected in ["cannot write", path.to_str().unwrap(), reason] {
        assert!(message.contains(expected), "{expected} is not in {message}");
    }
}

#[test]
fn a_disk_that_fills_up_in_the_midst_of_a_write_costs_nothing() {
    let folder = Folder::new();
    assert!(session(SENTENCES[1]).to_bytes().unwrap().len() > 1024);
    for (path, command) in folder.writers(folder.path()) {
        let output = limited(&command).output().unwrap();
        assert_refused(&output, &path, "File too large");
    }
    for name in RESULTS {
        assert_eq!(
            std::fs::read_to_string(folder.path().join(name)).unwrap(),
            name
        );
    }
    assert_eq!(parts(folder.path()), [] as [PathBuf; 0]);
    // With space, the same runs write.
    for (path, mut command) in folder.writers(folder.path()) {
        if path.ends_with("new.safetensors") {
            // What is there belongs to no training that could be gone on with.
            std::fs::remove_file(&path).unwrap();
        }
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(std::fs::metadata(&path).unwrap().len() > 1024);
    }
}

#[test]
fn a_folder_that_takes_no_files_is_named() {
    let folder = Folder::new();
    let file = folder.path().join("pairs.tsv");
    for (path, mut command) in folder.writers(&file) {
        assert_refused(&command.output().unwrap(), &path, "Not a directory");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_of_the_kernel_takes_no_files() {
    let folder = Folder::new();
    let place = Path::new("/proc/self/fdinfo");
    for (path, mut command) in folder.writers(place) {
        // Which of its reasons the kernel gives depends on the user.
        assert_refused(&command.output().unwrap(), &path, "os error");
    }
}
