//! Sentence pairs with their links: source TAB target TAB links, tokens separated by blanks.

use std::io::BufRead;
use std::path::Path;

use crate::text::{
    CorpusError, LineProblems, Mismatch, PairFile, PairList, TextPair, TokeniserKind, open,
    parse_checked_pairs,
};

use super::{Link, LinkError, Links};

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
    pub pairs: AlignedList,
    /// The lines that could not be read.
    pub problems: LineProblems,
}

/// Aligned pairs in their order, kept as their lines: as words and links they would take many times the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlignedList(PairList);

impl AlignedList {
    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no pair.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pair at a place.
    pub fn get(&self, index: usize) -> Option<AlignedPair> {
        self.0.get(index).map(aligned)
    }

    /// All pairs in their order, each made of its line when it is asked for.
    pub fn iter(&self) -> impl Iterator<Item = AlignedPair> {
        self.0.iter().map(aligned)
    }
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
    let PairFile { pairs, problems } = parse_checked_pairs(reader, name.as_ref(), check)?;
    Ok(AlignedFile {
        pairs: AlignedList(pairs),
        problems,
    })
}

/// What was expected and found, unless the third column has links within the sentences. Nothing is kept, however many
/// words and links there are.
fn check(pair: TextPair) -> Result<(), Mismatch> {
    let Some(text) = pair.rest else {
        return Err((
            "a third column with links".to_owned(),
            "only two columns".to_owned(),
        ));
    };
    let words = |text: &str| text.split_whitespace().count();
    let (sources, targets) = (words(pair.source), words(pair.target));
    let mut outside: Option<Link> = None;
    for piece in text.split_whitespace() {
        let link: Link = piece.parse().map_err(|_: LinkError| {
            (
                "a link such as 0-0 or 1?2".to_owned(),
                format!("\"{piece}\""),
            )
        })?;
        if link.source >= sources || link.target >= targets {
            // The first in the order of links.
            outside = Some(outside.map_or(link, |first| first.min(link)));
        }
    }
    outside.map_or(Ok(()), |link| {
        Err((
            format!("links within {sources} source and {targets} target words"),
            format!("the link {link}"),
        ))
    })
}

/// The words and links of a pair that was checked.
fn aligned(pair: TextPair) -> AlignedPair {
    let links = pair.rest.unwrap_or_default().split_whitespace();
    AlignedPair {
        source: TokeniserKind::Whitespace.tokenise(pair.source),
        target: TokeniserKind::Whitespace.tokenise(pair.target),
        links: links
            .filter_map(|piece| piece.parse::<Link>().ok())
            .collect(),
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
        let pair = file.pairs.get(0).unwrap();
        assert_eq!(pair.source, ["le", "chat"]);
        assert_eq!(pair.target, ["the", "cat"]);
        assert_eq!(pair.links.to_string(), "0-0 1?1");
        assert!(file.pairs.get(1).unwrap().links.is_empty());
        assert_eq!(file.pairs.iter().next(), Some(pair));
        assert_eq!(file.pairs.get(2), None);
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
    fn the_first_link_outside_is_named_wherever_it_stands() {
        let text = "a b\tc\t1-5 0-0 0?3 0-3 2-0\n";
        let file = parse_aligned_pairs(text.as_bytes(), "gold.tsv").unwrap();
        assert!(file.pairs.is_empty());
        assert_eq!(
            file.problems.kept()[0].to_string(),
            "gold.tsv:1: expected links within 2 source and 1 target words, found the link 0-3"
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
