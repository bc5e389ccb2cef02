//! Floor 0: files that are written whole or not at all, and that several programs may have open; lists read from files.

mod content;
mod lists;
mod part;
mod running;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub use content::{ContentHash, ReplaceError, write_unless_changed};
pub use lists::{make_room, read_all, read_at_most, refuse_more};
pub use running::Running;

/// A file could not be written; what stood there before still stands there.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// What the system said.
    pub source: std::io::Error,
}

/// Writes `bytes` to `path` so that a crash at any moment leaves either the old file or the new one, whole:
/// a temporary file in the same folder, flushed to the disk, then renamed.
///
/// A program that is killed leaves its temporary file, `.regard-….part`. The next one that writes in the folder removes
/// it, and leaves alone what another program is writing.
///
/// What is there and is no file, such as a pipe or a device, is written to and not replaced.
///
/// # Errors
/// [`WriteError`] if the folder does not exist, is read-only, or the disk is full.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let write = || -> std::io::Result<()> {
        let is_special = |found: std::fs::Metadata| !found.is_file() && !found.is_dir();
        if std::fs::metadata(path).is_ok_and(is_special) {
            let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
            return file.write_all(bytes);
        }
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        part::remove_left(folder);
        let mut file = part::create(folder)?;
        // Not through the temporary file, whose errors would name it.
        file.as_file_mut().write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|e| e.error)?;
        // The rename itself lives in the folder; not every system lets a folder be flushed.
        if let Ok(folder) = std::fs::File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    };
    write().map_err(|source| WriteError {
        path: path.to_owned(),
        source,
    })
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
            // Writing to a string cannot fail.
            let _ = write!(out, "{byte:02x}");
            out
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_whole_files_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_says_so_and_stays_a_device() {
        let error = write_atomically(Path::new("/dev/full"), b"x").unwrap_err();
        assert_eq!(error.source.kind(), std::io::ErrorKind::StorageFull);
        assert!(!Path::new("/dev/full").is_file());
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = write_atomically(Path::new("/no/such/folder/a.txt"), b"x").unwrap_err();
        let expected = "cannot write /no/such/folder/a.txt: No such file or directory (os error 2)";
        #[cfg(unix)]
        assert_eq!(error.to_string(), expected);
        assert!(error.to_string().starts_with(&expected[..34]), "{error}");
    }
}
