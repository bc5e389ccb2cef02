//! Sentence pairs with their links: source TAB target TAB links, tokens separated by blanks.

use std::io::BufRead;
use std::path::Path;

use crate::text::{CorpusError, LineProblems, Mismatch, TextPair, TokeniserKind, each_pair, open};

use super::{LinkError, Links};

/// A tokenised sentence pair with links between its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedPair {
    /// Source tokens, `[S]`.
    pub source: Vec<String>,
    /// Target tokens, `[T]`.
    pub target: Vec<String>,
    /// Links within the two lengths.
    pub links: Links,
}

/// The good lines of a file of aligned pairs, and what is wrong with the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlignedFile {
    /// The good pairs, in the order of the file.
    pub pairs: Vec<AlignedPair>,
    /// The lines that could not be read.
    pub problems: LineProblems,
}

/// Reads a file of `source TAB target TAB links` lines with blank-separated tokens; an empty third column
/// means no links.
///
/// # Errors
/// [`CorpusError`] when the file cannot be opened or reading breaks off; a wrong line is only reported in
/// [`AlignedFile::problems`].
pub fn read_aligned_pairs(path: &Path) -> Result<AlignedFile, CorpusError> {
    parse_aligned_pairs(open(path)?, path)
}

/// As [`read_aligned_pairs`], from any reader; `name` stands for the file in messages.
///
/// # Errors
/// [`CorpusError::Read`] when reading breaks off.
pub fn parse_aligned_pairs(
    reader: impl BufRead,
    name: impl AsRef<Path>,
) -> Result<AlignedFile, CorpusError> {
    let mut pairs = Vec::new();
    let problems = each_pair(reader, name.as_ref(), |pair| {
        pairs.push(align(&pair)?);
        Ok(())
    })?;
    Ok(AlignedFile { pairs, problems })
}

/// The pair with its links, or what was expected and found.
fn align(pair: &TextPair) -> Result<AlignedPair, Mismatch> {
    let Some(text) = &pair.rest else {
        return Err((
            "a third column with links".to_owned(),
            "only two columns".to_owned(),
        ));
    };
    let source = TokeniserKind::Whitespace.tokenise(&pair.source);
    let target = TokeniserKind::Whitespace.tokenise(&pair.target);
    let mut links = Vec::new();
    for piece in text.split_whitespace() {
        let link = piece.parse().map_err(|_| {
            (
                "a link such as 0-0 or 1?2".to_owned(),
                format!("\"{piece}\""),
            )
        })?;
        links.push(link);
    }
    let links: Links = links.into_iter().collect();
    match links.check(source.len(), target.len()) {
        Err(LinkError::OutOfRange {
            link,
            source_len,
            target_len,
        }) => Err((
            format!("links within {source_len} source and {target_len} target words"),
            format!("the link {link}"),
        )),
        Err(other) => Err(("links within the sentences".to_owned(), other.to_string())),
        Ok(()) => Ok(AlignedPair {
            source,
            target,
            links,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_pairs_are_kept_beside_the_problems() {
        let text =
            "le chat\tthe cat\t0-0 1?1\nle\tthe\nle\tthe\t\nseul\nle\tthe\t0:0\nle\tthe\t0-1\n";
        let file = parse_aligned_pairs(text.as_bytes(), "gold.tsv").unwrap();
        assert_eq!(file.pairs.len(), 2);
        assert_eq!(file.pairs[0].source, ["le", "chat"]);
        assert_eq!(file.pairs[0].links.to_string(), "0-0 1?1");
        assert!(file.pairs[1].links.is_empty());
        let problems = file.problems.kept().iter();
        let messages: Vec<String> = problems.map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "gold.tsv:2: expected a third column with links, found only two columns",
                "gold.tsv:4: expected a source and a target separated by a TAB, found only one column",
                "gold.tsv:5: expected a link such as 0-0 or 1?2, found \"0:0\"",
                "gold.tsv:6: expected links within 1 source and 1 target words, found the link 0-1",
            ]
        );
    }

    #[test]
    fn a_missing_file_is_an_error() {
        assert!(read_aligned_pairs(Path::new("no/such/gold.tsv")).is_err());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gold.tsv");
        std::fs::write(&path, "le chat\tthe cat\t0-0\n").unwrap();
        assert_eq!(read_aligned_pairs(&path).unwrap().pairs.len(), 1);
    }
}
