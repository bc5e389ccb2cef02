//! Which runs of a program are still there.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How often a sign is made anew that another run disturbed.
const TRIES: usize = 8;

/// A sign that this run of the program is there: a locked file in a folder that all runs share.
///
/// The system lets go of the lock when the process ends, however it ends; a number of a process could belong to
/// another one by then. The file goes with the value; one that a killed process left is removed when it is found.
#[derive(Debug)]
pub struct Running {
    folder: PathBuf,
    id: String,
    lock: Option<File>,
}

impl Running {
    /// Puts the sign up in `folder`, which is made where it is missing. Without a sign, if the folder cannot be
    /// written, the run works as well; others then believe that it ended.
    pub fn begin(folder: &Path) -> Self {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        // Unlike for any other run: one process has a number at a time, and may begin several runs.
        let id = format!("{:x}-{:x}", std::process::id(), since.as_nanos());
        remove_signs_of_the_dead(folder);
        Self {
            lock: lock(folder, &id).ok(),
            folder: folder.to_owned(),
            id,
        }
    }

    /// The name of this run: hexadecimal digits and a hyphen.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether another run of this name is there.
    pub fn is_another(&self, id: &str) -> bool {
        id != self.id && is_locked(&self.folder.join(id))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.lock.take().is_some() {
            // A sign that stays is removed by the next run.
            let _ = std::fs::remove_file(self.folder.join(&self.id));
        }
    }
}

/// Makes the sign `id` and locks it.
fn lock(folder: &Path, id: &str) -> std::io::Result<File> {
    std::fs::create_dir_all(folder)?;
    let sign = folder.join(id);
    for _ in 0..TRIES {
        let file = File::create_new(&sign)?;
        // Before it is locked, another run may look at it, and remove it as that of a dead one.
        if file.try_lock().is_ok() && sign.is_file() {
            return Ok(file);
        }
        let _ = std::fs::remove_file(&sign);
        std::thread::sleep(Duration::from_millis(1));
    }
    Err(std::io::ErrorKind::WouldBlock.into())
}

/// A sign that no run holds, kept so while the file is open. Two that look at the same time do not disturb each other.
fn unheld(sign: &Path) -> Option<File> {
    let file = File::open(sign).ok()?;
    file.try_lock_shared().ok().map(|()| file)
}

fn is_locked(sign: &Path) -> bool {
    let held = |file: File| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    File::open(sign).is_ok_and(held)
}

fn remove_signs_of_the_dead(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for sign in entries.flatten().map(|entry| entry.path()) {
        if let Some(_unheld) = unheld(&sign).filter(|_| sign.is_file()) {
            let _ = std::fs::remove_file(sign);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_there_until_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let signs = folder.path().join("running");
        let first = Running::begin(&signs);
        let second = Running::begin(&signs);
        assert_ne!(first.id(), second.id());
        assert!(first.is_another(second.id()) && second.is_another(first.id()));
        assert!(!first.is_another(first.id()));
        assert!(!first.is_another("1-2"));
        let gone = second.id().to_owned();
        drop(second);
        assert!(!first.is_another(&gone));
        assert_eq!(std::fs::read_dir(&signs).unwrap().count(), 1);
    }

    #[test]
    fn what_a_killed_run_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("12-34"), "").unwrap();
        let run = Running::begin(folder.path());
        assert!(!run.is_another("12-34"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn without_a_folder_a_run_goes_on() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let run = Running::begin(&file.path().join("running"));
        assert!(!run.id().is_empty() && !run.is_another("12-34"));
    }
}
