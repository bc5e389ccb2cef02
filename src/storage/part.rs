//! The temporary files of [`write_atomically`](super::write_atomically), and those that killed programs left.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

const PREFIX: &str = ".regard-";
const SUFFIX: &str = ".part";

/// How often a temporary file is made anew that another program took for one that was left.
const TRIES: usize = 8;

/// The folders where this process looked for files that were left; once each, since a folder may be large.
static LOOKED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Makes a temporary file in a folder. It is locked as long as it is open, which tells it from one that was left.
pub(super) fn create(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    for _ in 0..TRIES {
        let file = builder.make_in(folder, ordinary)?;
        match file.as_file().try_lock() {
            // Removed before it was locked, or about to be.
            Ok(()) if !file.path().exists() => {}
            Err(TryLockError::WouldBlock) => {}
            // Where nothing can be locked, nothing is taken for left either.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
    builder.make_in(folder, ordinary)
}

/// Makes an ordinary file, which a private one of the library's own would not become; nor do errors name it, for which
/// nobody asked.
fn ordinary(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o644);
    options.open(path)
}

/// Removes what killed programs left in a folder, the first time that this process writes there.
pub(super) fn remove_left(folder: &Path) {
    let mut looked = LOOKED.lock().unwrap_or_else(PoisonError::into_inner);
    if !looked.insert(folder.to_owned()) {
        return;
    }
    drop(looked);
    remove_unlocked(folder);
}

fn remove_unlocked(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if !(name.starts_with(PREFIX) && name.ends_with(SUFFIX)) {
            continue;
        }
        // The lock is held while the file is removed: nobody begins to write to it meanwhile.
        if let Ok(file) = File::open(entry.path())
            && file.try_lock_shared().is_ok()
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_is_removed_and_what_is_written_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let names = || {
            let mut names: Vec<_> = std::fs::read_dir(folder.path())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        for name in [".regard-left.part", ".regard-mine.txt", "a.part"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let written = create(folder.path()).unwrap();
        let name = written.path().file_name().unwrap().to_str().unwrap();
        remove_unlocked(folder.path());
        let mut expected = vec![name.to_owned()];
        expected.extend([".regard-mine.txt", "a.part"].map(str::to_owned));
        expected.sort();
        assert_eq!(names(), expected);
    }
}
