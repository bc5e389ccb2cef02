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

/// Where a run of the program keeps the unsaved changes of a session: `NAME.regard.ron.RUN~` beside its file; in
/// `state_folder` for a session that has no file. `None` where there is no such folder. A run without a name writes
/// `NAME.regard.ron~`.
pub fn autosave_path(
    session: Option<&Path>,
    state_folder: Option<&Path>,
    run: &str,
) -> Option<PathBuf> {
    let untitled = || Some(state_folder?.join(format!("{UNTITLED}{SESSION_ENDING}")));
    let path = session.map(Path::to_owned).or_else(untitled)?;
    let mut name = path.file_name()?.to_owned();
    if !run.is_empty() {
        name.push(".");
        name.push(run);
    }
    name.push("~");
    Some(path.with_file_name(name))
}

/// The run that wrote a copy, if it is a copy of the session whose copy without a run is `nameless`.
pub fn copy_owner(copy: &Path, nameless: &Path) -> Option<String> {
    let name = |path: &Path| Some(path.file_name()?.to_str()?.strip_suffix('~')?.to_owned());
    let (copy, session) = (name(copy)?, name(nameless)?);
    let rest = copy.strip_prefix(&session)?;
    if rest.is_empty() {
        return Some(String::new());
    }
    let run = rest.strip_prefix('.')?;
    // The copy of `a.regard.ron.b.regard.ron` is none of `a.regard.ron`.
    let is_run = |letter: char| letter.is_ascii_hexdigit() || letter == '-';
    (!run.is_empty() && run.chars().all(is_run)).then(|| run.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_lie_beside_their_file_or_in_the_state_folder() {
        let of = |session: Option<&str>, folder: Option<&str>, run: &str| {
            autosave_path(session.map(Path::new), folder.map(Path::new), run)
                .map(|path| path.to_string_lossy().replace('\\', "/"))
        };
        let at = |session, folder| of(session, folder, "");
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
        assert_eq!(
            of(Some("a/x.regard.ron"), None, "1f-2").as_deref(),
            Some("a/x.regard.ron.1f-2~")
        );
        assert_eq!(
            of(None, Some("s"), "1f-2").as_deref(),
            Some("s/untitled.regard.ron.1f-2~")
        );
    }

    #[test]
    fn a_copy_tells_whose_it_is() {
        let owner = |copy: &str| copy_owner(Path::new(copy), Path::new("a/x.regard.ron~"));
        assert_eq!(owner("a/x.regard.ron~").as_deref(), Some(""));
        assert_eq!(owner("a/x.regard.ron.1f-2~").as_deref(), Some("1f-2"));
        for other in [
            "a/x.regard.ron",
            "a/x.regard.ron.~",
            "a/x.regard.ron.1f-2",
            "a/x.regard.ron.b.regard.ron~",
            "a/y.regard.ron~",
            "a/..",
        ] {
            assert_eq!(owner(other), None, "{other}");
        }
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
