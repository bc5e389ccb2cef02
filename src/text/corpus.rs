//! Reading parallel text: one pair a line, source TAB target, with an optional rest.
//!
//! Real corpora hold broken lines. A broken line is reported with its place and what was expected,
//! and the good lines around it are kept.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::{LineProblem, LineProblems, PairList, TextPair, TokeniserKind};

/// The good lines of a corpus file, and what is wrong with the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairFile {
    /// The good pairs, in the order of the file.
    pub pairs: PairList,
    /// The lines that could not be read.
    pub problems: LineProblems,
}

/// A corpus file that could not be read at all.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Reading broke off.
    #[error("cannot read {} after line {line}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The last line that was read in full.
        line: usize,
        /// What the system says.
        source: io::Error,
    },
}

/// Reads a file of TAB-separated sentence pairs in UTF-8.
///
/// A byte order mark at the start, CRLF line ends and blank lines are tolerated. A line with a missing
/// or blank column, or with invalid UTF-8, becomes a [`LineProblem`].
///
/// # Errors
/// [`CorpusError`] when the file cannot be opened or reading breaks off.
pub fn read_pairs(path: &Path) -> Result<PairFile, CorpusError> {
    parse_pairs(open(path)?, path)
}

/// As [`read_pairs`], from any reader; `name` stands for the file in messages.
///
/// # Errors
/// [`CorpusError::Read`] when reading breaks off.
pub fn parse_pairs(reader: impl BufRead, name: impl AsRef<Path>) -> Result<PairFile, CorpusError> {
    parse_checked_pairs(reader, name.as_ref(), |_| Ok(()))
}

/// What was expected in a line, and what was found.
pub(crate) type Mismatch = (String, String);

pub(crate) fn open(path: &Path) -> Result<BufReader<File>, CorpusError> {
    let file = File::open(path).map_err(|source| CorpusError::Open {
        path: path.to_owned(),
        source,
    })?;
    Ok(BufReader::new(file))
}

/// As [`parse_pairs`]; `check` may refuse a pair as well.
///
/// # Errors
/// [`CorpusError::Read`] when reading breaks off.
pub(crate) fn parse_checked_pairs(
    mut reader: impl BufRead,
    path: &Path,
    check: impl Fn(TextPair) -> Result<(), Mismatch>,
) -> Result<PairFile, CorpusError> {
    let mut pairs = PairList::default();
    let mut problems = LineProblems::default();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let read = reader
            .read_until(b'\n', &mut bytes)
            .map_err(|source| CorpusError::Read {
                path: path.to_owned(),
                line: line - 1,
                source,
            })?;
        if read == 0 {
            break;
        }
        let checked = parse_line(&bytes, line).and_then(|pair| {
            pair.map_or(Ok(()), &check)?;
            Ok(pair)
        });
        match checked {
            Ok(pair) => pair.into_iter().for_each(|pair| pairs.push(pair)),
            Err((expected, found)) => problems.push(LineProblem {
                path: path.to_owned(),
                line,
                expected,
                found,
            }),
        }
    }
    Ok(PairFile { pairs, problems })
}

/// Reads one line with its line end; `None` for a blank line, else what was expected and found.
fn parse_line(bytes: &[u8], line: usize) -> Result<Option<TextPair<'_>>, Mismatch> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let byte = bytes.get(at).copied().unwrap_or_default();
        (
            "UTF-8 text".to_owned(),
            format!("the byte 0x{byte:02X} at position {}", at + 1),
        )
    })?;
    let text = if line == 1 {
        text.strip_prefix('\u{FEFF}').unwrap_or(text)
    } else {
        text
    };
    let text = text.trim_end_matches(['\n', '\r']);
    if text.trim().is_empty() {
        return Ok(None);
    }
    let mut columns = text.splitn(3, '\t');
    let source = columns.next().unwrap_or_default().trim();
    let expected = || "a source and a target separated by a TAB".to_owned();
    let Some(target) = columns.next().map(str::trim) else {
        return Err((expected(), "only one column".to_owned()));
    };
    if source.is_empty() || target.is_empty() {
        let side = if source.is_empty() {
            "source"
        } else {
            "target"
        };
        return Err((expected(), format!("a blank {side}")));
    }
    Ok(Some(TextPair {
        source,
        target,
        rest: columns.next().map(str::trim),
        line,
    }))
}

/// A tokenised sentence pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenPair {
    /// Source tokens, `[S]`.
    pub source: Vec<String>,
    /// Target tokens, `[T]`, without the end mark.
    pub target: Vec<String>,
}

/// Tokenises every pair; the result has the length and order of `pairs`.
pub fn tokenise_pairs(
    pairs: &PairList,
    source: TokeniserKind,
    target: TokeniserKind,
) -> Vec<TokenPair> {
    let mut tokens = Vec::with_capacity(pairs.len());
    tokens.extend(pairs.iter().map(|pair| TokenPair {
        source: source.tokenise(pair.source),
        target: target.tokenise(pair.target),
    }));
    tokens
}

/// Drops the final mark (`.` `!` `?` `...` `…`) of both sides, if both end in one and hold more than one
/// token, and says whether it did.
///
/// Corpus lines nearly always end in a mark and typed sentences rarely do: training drops it in part of
/// the pairs, so that a model knows both.
pub fn drop_final_mark(pair: &mut TokenPair) -> bool {
    let droppable = |tokens: &[String]| {
        tokens.len() > 1 && tokens.last().is_some_and(|last| is_final_mark(last))
    };
    let both = droppable(&pair.source) && droppable(&pair.target);
    if both {
        pair.source.pop();
        pair.target.pop();
    }
    both
}

fn is_final_mark(token: &str) -> bool {
    matches!(token, "." | "!" | "?" | "..." | "…")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(bytes: &[u8]) -> PairFile {
        parse_pairs(bytes, "corpus.tsv").unwrap()
    }

    #[test]
    fn reads_pairs_with_and_without_a_rest() {
        let file = parse("Bonjour.\tHello.\nOui\tYes\tcredit\tmore\n".as_bytes());
        assert!(file.problems.is_empty());
        assert_eq!(file.pairs.len(), 2);
        assert_eq!(file.pairs.get(0).unwrap().rest, None);
        let pair = file.pairs.get(1).unwrap();
        assert_eq!(pair.rest, Some("credit\tmore"));
        assert_eq!((pair.source, pair.line), ("Oui", 2));
    }

    #[test]
    fn tolerates_a_byte_order_mark_crlf_and_blank_lines() {
        let file = parse("\u{FEFF}Non\tNo\r\n\r\n  \t \r\nOui\tYes".as_bytes());
        assert!(file.problems.is_empty());
        let pair = file.pairs.get(0).unwrap();
        assert_eq!((pair.source, pair.target), ("Non", "No"));
        assert_eq!(file.pairs.get(1).unwrap().line, 4);
    }

    #[test]
    fn a_broken_line_is_named_and_the_others_are_kept() {
        let file = parse(b"a\tb\nlonely\nc\t \nd\xE9\te\nf\tg\n");
        assert_eq!(file.pairs.len(), 2);
        let problems = file.problems.kept().iter();
        let messages: Vec<String> = problems.map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "corpus.tsv:2: expected a source and a target separated by a TAB, found only one column",
                "corpus.tsv:3: expected a source and a target separated by a TAB, found a blank target",
                "corpus.tsv:4: expected UTF-8 text, found the byte 0xE9 at position 2",
            ]
        );
    }

    #[test]
    fn many_broken_lines_are_counted() {
        let file = parse(format!("{}a\tb\n", "x\n".repeat(1_000)).as_bytes());
        assert_eq!(file.pairs.len(), 1);
        assert_eq!(file.problems.len(), 1_000);
        assert_eq!(file.problems.kept().len(), LineProblems::KEPT);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read_pairs(Path::new("no/such/corpus.tsv")).unwrap_err();
        assert!(error.to_string().contains("no/such/corpus.tsv"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        assert!(read_pairs(folder.path()).is_err());
    }

    #[test]
    fn reads_from_disk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.tsv");
        std::fs::write(&path, "le chat\tthe cat\n").unwrap();
        let pairs = tokenise_pairs(
            &read_pairs(&path).unwrap().pairs,
            TokeniserKind::French,
            TokeniserKind::English,
        );
        assert_eq!(pairs[0].source, ["le", "chat"]);
        assert_eq!(pairs[0].target, ["the", "cat"]);
    }

    #[test]
    fn the_final_mark_goes_only_from_both_sides() {
        let pair = |source: &str, target: &str| TokenPair {
            source: TokeniserKind::Whitespace.tokenise(source),
            target: TokeniserKind::Whitespace.tokenise(target),
        };
        let mut both = pair("il dort .", "he sleeps !");
        assert!(drop_final_mark(&mut both));
        assert_eq!(both, pair("il dort", "he sleeps"));
        for (source, target) in [("il dort .", "he sleeps"), (".", "he sleeps ."), ("", "")] {
            let mut kept = pair(source, target);
            assert!(!drop_final_mark(&mut kept));
            assert_eq!(kept, pair(source, target));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let file = parse(&bytes);
            let lines = bytes.split(|&byte| byte == b'\n').count();
            prop_assert!(file.pairs.len() + file.problems.len() <= lines);
        }
    }
}
