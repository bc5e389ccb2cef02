//! Joining the pieces of subword models into words.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::{AttentionMatrix, LabelledMatrix};

/// How a subword model marks the pieces of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubwordMark {
    /// `▁` starts a word (`SentencePiece`): `▁dor` `mir`.
    SentencePiece,
    /// `@@` at the end of a piece means that the word goes on (subword-nmt): `dor@@` `mir`.
    At,
    /// `##` at the start of a piece continues the word (`WordPiece`): `dor` `##mir`.
    Hash,
}

/// Merges the pieces of words in an attention matrix `[T, S]`.
///
/// The weights of a source word's pieces are added up, those of a target word's pieces averaged: the rows
/// of the result again sum to 1.
pub fn merge_subwords(
    matrix: &AttentionMatrix,
    targets: Option<SubwordMark>,
    sources: Option<SubwordMark>,
) -> AttentionMatrix {
    let rows = groups(matrix.rows(), targets);
    let columns = groups(matrix.columns(), sources);
    let mut values = Array2::<f32>::zeros((rows.len(), columns.len()));
    for ((r, c), value) in values.indexed_iter_mut() {
        let (row, column) = (&rows[r].1, &columns[c].1);
        let block = matrix
            .values()
            .slice(ndarray::s![row.clone(), column.clone()]);
        let total: f64 = block.iter().map(|&weight| f64::from(weight)).sum();
        // Rounding in the sum of a word's pieces must not lift its weight above 1.
        *value = (total / row.len() as f64).clamp(0.0, 1.0) as f32;
    }
    let labels = |groups: Vec<Group>| groups.into_iter().map(|(label, _)| label).collect();
    merged(labels(rows), labels(columns), values).unwrap_or_else(|| matrix.clone())
}

type Group = (String, std::ops::Range<usize>);

fn merged(rows: Vec<String>, columns: Vec<String>, values: Array2<f32>) -> Option<AttentionMatrix> {
    LabelledMatrix::new(rows, columns, values)
        .ok()
        .map(AttentionMatrix::trusted)
}

fn groups(pieces: &[String], mark: Option<SubwordMark>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let continues =
            mark.is_some_and(|mark| index > 0 && mark.continues(&pieces[index - 1], piece));
        match groups.last_mut() {
            Some((_, range)) if continues => range.end = index + 1,
            _ => groups.push((String::new(), index..index + 1)),
        }
    }
    for (label, range) in &mut groups {
        *label = match mark {
            Some(mark) => mark.join(&pieces[range.clone()]),
            None => pieces[range.start].clone(),
        };
    }
    groups
}

impl SubwordMark {
    /// Every mark.
    pub const ALL: [Self; 3] = [Self::SentencePiece, Self::At, Self::Hash];

    /// The mark that these pieces carry, if any does.
    pub fn detect(pieces: &[String]) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|mark| pieces.iter().any(|piece| mark.marks(piece)))
    }

    fn marks(self, piece: &str) -> bool {
        match self {
            Self::SentencePiece => piece.starts_with('▁'),
            Self::At => piece.len() > 2 && piece.ends_with("@@"),
            Self::Hash => piece.len() > 2 && piece.starts_with("##"),
        }
    }

    /// Whether `piece` belongs to the same word as the piece before it.
    fn continues(self, before: &str, piece: &str) -> bool {
        if is_control(before) || is_control(piece) {
            return false;
        }
        match self {
            Self::SentencePiece => !self.marks(piece),
            Self::At => self.marks(before),
            Self::Hash => self.marks(piece),
        }
    }

    /// The word of some pieces; a word that would be empty keeps its marks.
    fn join(self, pieces: &[String]) -> String {
        let bare = |piece: &String| match self {
            Self::SentencePiece => piece.trim_start_matches('▁').to_owned(),
            Self::At if self.marks(piece) => piece[..piece.len() - 2].to_owned(),
            Self::Hash if self.marks(piece) => piece[2..].to_owned(),
            Self::At | Self::Hash => piece.clone(),
        };
        let word: String = pieces.iter().map(bare).collect();
        if word.is_empty() {
            pieces.concat()
        } else {
            word
        }
    }
}

/// Whether a piece is a mark such as `</s>` or `[SEP]`, which is never part of a word.
fn is_control(piece: &str) -> bool {
    let framed = |open, close| piece.len() > 2 && piece.starts_with(open) && piece.ends_with(close);
    framed('<', '>') || framed('[', ']')
}
