//! Files that other programs may change meanwhile.

use std::io::Read as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{WriteError, write_atomically};

/// The SHA-256 of a file's contents: what a program remembers of a file that it read or wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The hash of a file, read in pieces.
    fn of_file(path: &Path) -> std::io::Result<Self> {
        let mut file = std::fs::File::open(path)?;
        let mut hasher = Sha256::new();
        let mut piece = vec![0; 1 << 16];
        loop {
            match file.read(&mut piece)? {
                0 => return Ok(Self(hasher.finalize().into())),
                read => hasher.update(&piece[..read]),
            }
        }
    }
}

/// Why [`write_unless_changed`] did not write.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    /// The file has other contents than those that may be replaced.
    #[error("the file was changed by another program")]
    Changed,
    /// It could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Writes as [`write_atomically`], but only where `path` has one of the `known` contents, or where no file is any
/// more. A file that cannot be read counts as changed.
///
/// Between the look and the write another program may still write: a moment, not the hours of a session.
///
/// # Errors
/// [`ReplaceError::Changed`], with nothing written; [`ReplaceError::Write`].
pub fn write_unless_changed(
    path: &Path,
    bytes: &[u8],
    known: &[ContentHash],
) -> Result<(), ReplaceError> {
    // Pipes and devices have no contents to lose, and reading them may wait for ever.
    if std::fs::metadata(path).is_ok_and(|found| found.is_file()) {
        match ContentHash::of_file(path) {
            Ok(found) if known.contains(&found) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Ok(_) | Err(_) => return Err(ReplaceError::Changed),
        }
    }
    Ok(write_atomically(path, bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_contents_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let known = [ContentHash::of(b"one"), ContentHash::of(b"two")];
        // What is not there cannot be lost.
        write_unless_changed(&path, b"one", &[]).unwrap();
        write_unless_changed(&path, b"two", &known).unwrap();
        write_unless_changed(&path, b"three", &known).unwrap();
        let refused = write_unless_changed(&path, b"four", &known).unwrap_err();
        assert!(matches!(refused, ReplaceError::Changed));
        assert_eq!(std::fs::read(&path).unwrap(), b"three");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
