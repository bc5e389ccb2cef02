//! Reading and writing for the window's services, as commands that say how it went.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::SystemTime;

use crate::app::{FileCommand, ReadPurpose, WritePurpose};
use crate::project::copy_owner;
use crate::storage::{
    ContentHash, ReplaceError, Running, WriteError, write_atomically, write_unless_changed,
};

/// The most copies of one session that are offered at once.
const MOST_COPIES: usize = 16;

/// The folder where runs of the program show that they are there; beside that of their copies.
pub(super) fn sign_folder(state_folder: &Path) -> PathBuf {
    state_folder.with_file_name("running")
}

type Job = Box<dyn FnOnce() + Send>;

/// A thread that does writes, removals and moves in the order in which they were asked for. The end of the window
/// waits for them: a figure that is being drawn is still written, and a copy that was given up is removed.
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start() -> Self {
        let (sender, jobs) = channel::<Job>();
        let thread = std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || jobs.into_iter().for_each(|job| job()));
        Self {
            jobs: Some(sender),
            thread: thread
                .inspect_err(|error| eprintln!("regard: cannot start a thread: {error}"))
                .ok(),
        }
    }

    pub(super) fn send(&self, job: impl FnOnce() + Send + 'static) {
        if let Some(jobs) = &self.jobs {
            // The thread is there until the last sender is gone.
            let _ = jobs.send(Box::new(job));
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic of a job was reported when it happened.
            let _ = thread.join();
        }
    }
}

/// Reads a file of at most `limit` bytes.
pub(super) fn read(path: PathBuf, purpose: ReadPurpose, limit: u64) -> FileCommand {
    match read_bytes(&path, limit) {
        Ok(bytes) => FileCommand::Read {
            path,
            purpose,
            bytes,
        },
        Err(problem) => FileCommand::ReadFailed {
            path,
            purpose,
            problem,
        },
    }
}

fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    use std::io::Read as _;
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > limit {
        return Err(format!("longer than {limit} bytes"));
    }
    Ok(bytes)
}

/// Writes what could be made, over the known contents or over anything.
pub(super) fn write(
    path: PathBuf,
    purpose: WritePurpose,
    known: Option<&[ContentHash]>,
    bytes: Result<Vec<u8>, String>,
) -> FileCommand {
    let put = |bytes: &[u8]| match known {
        Some(known) => write_unless_changed(&path, bytes, known),
        None => write_atomically(&path, bytes).map_err(ReplaceError::from),
    };
    let problem = match bytes.map(|bytes| put(&bytes)) {
        Ok(Ok(())) => return FileCommand::Written { path, purpose },
        Ok(Err(ReplaceError::Changed)) => return FileCommand::ChangedOnDisk { path, purpose },
        Ok(Err(ReplaceError::Write(WriteError { source, .. }))) => source.to_string(),
        Err(problem) => problem,
    };
    FileCommand::WriteFailed {
        path,
        purpose,
        problem,
    }
}

/// The copies of a session that no other run writes, the newest first; `nameless` is that of a run without a name.
pub(super) fn find_copies(nameless: &Path, running: Option<&Running>) -> Vec<PathBuf> {
    let folder = match nameless.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let is_free = |path: &PathBuf| {
        let is_written = |owner: String| running.is_some_and(|run| run.is_another(&owner));
        copy_owner(path, nameless).is_some_and(|owner| !is_written(owner))
    };
    let written = |path: &PathBuf| {
        let metadata = std::fs::metadata(path);
        metadata
            .and_then(|of| of.modified())
            .unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let paths = entries
        .flatten()
        // Named as the session is, with or without a folder.
        .map(|entry| nameless.with_file_name(entry.file_name()));
    let mut copies: Vec<_> = paths.filter(is_free).collect();
    copies.sort_by_cached_key(|path| std::cmp::Reverse(written(path)));
    copies.truncate(MOST_COPIES);
    copies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_other_runs_are_found_once_these_ended() {
        let folder = tempfile::tempdir().unwrap();
        let nameless = folder.path().join("a.regard.ron~");
        let signs = folder.path().join("running");
        let [own, other] = [Running::begin(&signs), Running::begin(&signs)];
        let [mine, theirs] =
            [&own, &other].map(|run| folder.path().join(format!("a.regard.ron.{}~", run.id())));
        for path in [&mine, &theirs, &folder.path().join("b.regard.ron~")] {
            std::fs::write(path, "copy").unwrap();
        }
        assert_eq!(
            find_copies(&nameless, Some(&own)),
            std::slice::from_ref(&mine)
        );
        drop(other);
        let mut found = find_copies(&nameless, Some(&own));
        found.sort();
        let mut expected = vec![mine, theirs];
        expected.sort();
        assert_eq!(found, expected);
    }
}
