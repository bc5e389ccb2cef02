//! Sentence pairs with their links: source TAB target TAB links, tokens separated by blanks.

use std::io::BufRead;
use std::path::Path;

use crate::text::{
    CorpusError, LineProblem, PairFile, TextPair, TokeniserKind, parse_pairs, read_pairs,
};

use super::Links;

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
    /// One entry per line that could not be read, in the order of the file.
    pub problems: Vec<LineProblem>,
}

/// Reads a file of `source TAB target TAB links` lines with blank-separated tokens; an empty third column
/// means no links.
///
/// # Errors
/// [`CorpusError`] when the file cannot be opened or reading breaks off; a wrong line is only reported in
/// [`AlignedFile::problems`].
pub fn read_aligned_pairs(path: &Path) -> Result<AlignedFile, CorpusError> {
    read_pairs(path).map(|file| with_links(file, path))
}

/// As [`read_aligned_pairs`], from any reader; `name` stands for the file in messages.
///
/// # Errors
/// [`CorpusError::Read`] when reading breaks off.
pub fn parse_aligned_pairs(
    reader: impl BufRead,
    name: impl AsRef<Path>,
) -> Result<AlignedFile, CorpusError> {
    let path = name.as_ref();
    parse_pairs(reader, path).map(|file| with_links(file, path))
}

fn with_links(file: PairFile, path: &Path) -> AlignedFile {
    let mut aligned = AlignedFile {
        pairs: Vec::with_capacity(file.pairs.len()),
        problems: file.problems,
    };
    for pair in file.pairs {
        match align(&pair) {
            Ok(pair) => aligned.pairs.push(pair),
            Err((expected, found)) => {
                let problem = LineProblem {
                    path: path.to_owned(),
                    line: pair.line,
                    expected,
                    found,
                };
                aligned.problems.push(problem);
            }
        }
    }
    aligned.problems.sort_by_key(|problem| problem.line);
    aligned
}

/// The pair with its links, or what was expected and found.
fn align(pair: &TextPair) -> Result<AlignedPair, (String, String)> {
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
    if let Err(error) = links.check(source.len(), target.len()) {
        let expected = format!(
            "links within {} source and {} target words",
            source.len(),
            target.len()
        );
        return Err((expected, error.to_string()));
    }
    Ok(AlignedPair {
        source,
        target,
        links,
    })
}
