//! Where sessions and their unsaved copies lie. Nothing here looks at the disk.

use std::path::{Path, PathBuf};

/// The ending of session files.
pub const SESSION_ENDING: &str = ".regard.ron";

/// The name of the unsaved copy of a session without a file.
const UNTITLED: &str = "untitled";

/// Whether a file name is that of a session.
pub fn is_session(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().ends_with(SESSION_ENDING))
}

/// The path with the ending of sessions, added where it is missing.
pub fn with_ending(path: PathBuf) -> PathBuf {
    if is_session(&path) {
        return path;
    }
    let Some(name) = path.file_name() else {
        return path;
    };
    let mut name = name.to_owned();
    // "a.regard" is meant as "a.regard.ron".
    name.push(if name.to_string_lossy().ends_with(".regard") {
        ".ron"
    } else {
        SESSION_ENDING
    });
    path.with_file_name(name)
}

/// Where the unsaved changes of a session are kept: `NAME.regard.ron~` beside its file; in `state_folder` for a
/// session that has no file. `None` where there is no such folder.
pub fn autosave_path(session: Option<&Path>, state_folder: Option<&Path>) -> Option<PathBuf> {
    let beside = |path: &Path| {
        let mut name = path.file_name()?.to_owned();
        name.push("~");
        Some(path.with_file_name(name))
    };
    match session {
        Some(path) => beside(path),
        None => state_folder.map(|folder| folder.join(format!("{UNTITLED}{SESSION_ENDING}~"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_lie_beside_their_file_or_in_the_state_folder() {
        let at = |session: Option<&str>, folder: Option<&str>| {
            autosave_path(session.map(Path::new), folder.map(Path::new))
                .map(|path| path.to_string_lossy().replace('\\', "/"))
        };
        assert_eq!(
            at(Some("a/x.regard.ron"), Some("s")).as_deref(),
            Some("a/x.regard.ron~")
        );
        assert_eq!(
            at(None, Some("s")).as_deref(),
            Some("s/untitled.regard.ron~")
        );
        assert_eq!(at(None, None), None);
        assert_eq!(at(Some("/"), None), None);
    }

    #[test]
    fn the_ending_is_added_once() {
        for (given, expected) in [
            ("a/x", "a/x.regard.ron"),
            ("x.regard", "x.regard.ron"),
            ("x.regard.ron", "x.regard.ron"),
            ("x.txt", "x.txt.regard.ron"),
        ] {
            let found = with_ending(PathBuf::from(given));
            assert_eq!(found, PathBuf::from(expected));
            assert!(is_session(&found));
        }
        assert!(!is_session(Path::new("x.regard.ron~")));
    }
}
