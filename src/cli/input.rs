//! What the subcommands read. A broken line of a file is an error that names it.

use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::alignment::{AlignedList, read_aligned_pairs};
use crate::text::{LineProblems, PairList, read_pairs};

/// The pairs of a file: source TAB target.
pub(super) fn pairs(path: &Path) -> anyhow::Result<PairList> {
    let file = read_pairs(path)?;
    refuse(&file.problems)?;
    Ok(file.pairs)
}

/// The pairs of a file with their links: source TAB target TAB links.
pub(super) fn aligned_pairs(path: &Path) -> anyhow::Result<AlignedList> {
    let file = read_aligned_pairs(path)?;
    refuse(&file.problems)?;
    Ok(file.pairs)
}

fn refuse(problems: &LineProblems) -> anyhow::Result<()> {
    let Some(problem) = problems.kept().first() else {
        return Ok(());
    };
    match problems.len() - 1 {
        0 => bail!("{problem}"),
        more => bail!("{problem} (and {more} more such lines)"),
    }
}

/// Calls `each` with the sentences of a file, one a line, or of standard input without a file; blank lines
/// count. A line that is not UTF-8 is passed on as an error with its place.
pub(super) fn sentences(
    path: Option<&Path>,
    mut each: impl FnMut(Result<&str, String>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (mut reader, name): (Box<dyn BufRead>, String) = match path {
        Some(path) => {
            let name = path.display().to_string();
            let file = std::fs::File::open(path).with_context(|| format!("cannot open {name}"))?;
            (Box::new(BufReader::new(file)), name)
        }
        None => (
            Box::new(std::io::stdin().lock()),
            "standard input".to_owned(),
        ),
    };
    let mut bytes = Vec::new();
    for line in 1_usize.. {
        bytes.clear();
        let read = reader.read_until(b'\n', &mut bytes);
        if read.with_context(|| format!("cannot read {name} after line {}", line - 1))? == 0 {
            break;
        }
        each(sentence(&bytes, line).map_err(|problem| format!("{name}:{line}: {problem}")))?;
    }
    Ok(())
}

/// A line without its end, and without a byte order mark at the start of the file.
fn sentence(bytes: &[u8], line: usize) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let byte = bytes.get(at).copied().unwrap_or_default();
        format!(
            "expected UTF-8 text, found the byte 0x{byte:02X} at position {}",
            at + 1
        )
    })?;
    let text = text.trim_end_matches(['\n', '\r']);
    Ok(if line == 1 {
        text.trim_start_matches('\u{FEFF}')
    } else {
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_their_ends_and_the_byte_order_mark() {
        assert_eq!(sentence("\u{FEFF}le chat\r\n".as_bytes(), 1), Ok("le chat"));
        assert_eq!(sentence(b"\n", 2), Ok(""));
        let message = sentence(b"caf\xE9\n", 1).unwrap_err();
        assert_eq!(
            message,
            "expected UTF-8 text, found the byte 0xE9 at position 4"
        );
    }
}
