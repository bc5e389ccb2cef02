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

#[cfg(test)]
mod tests {
    use ndarray::array;
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn labels(text: &str, mark: SubwordMark) -> Vec<String> {
        groups(&words(text), Some(mark))
            .into_iter()
            .map(|(label, _)| label)
            .collect()
    }

    #[test]
    fn pieces_become_words() {
        assert_eq!(
            labels("▁dor mir ▁vite </s>", SubwordMark::SentencePiece),
            ["dormir", "vite", "</s>"]
        );
        assert_eq!(
            labels("dor@@ mi@@ r vite", SubwordMark::At),
            ["dormir", "vite"]
        );
        assert_eq!(
            labels("[CLS] dor ##mi ##r vite [SEP]", SubwordMark::Hash),
            ["[CLS]", "dormir", "vite", "[SEP]"]
        );
        assert_eq!(
            labels("dor ▁ ##x", SubwordMark::SentencePiece),
            ["dor", "##x"]
        );
        assert_eq!(labels("▁", SubwordMark::SentencePiece), ["▁"]);
        assert_eq!(labels("##r @@ a@@", SubwordMark::Hash), ["r", "@@", "a@@"]);
    }

    #[test]
    fn marks_are_detected() {
        assert_eq!(
            SubwordMark::detect(&words("▁le ▁chat")),
            Some(SubwordMark::SentencePiece)
        );
        assert_eq!(
            SubwordMark::detect(&words("le ch@@ at")),
            Some(SubwordMark::At)
        );
        assert_eq!(
            SubwordMark::detect(&words("le ch ##at")),
            Some(SubwordMark::Hash)
        );
        assert_eq!(SubwordMark::detect(&words("le chat # @@")), None);
    }

    #[test]
    fn source_pieces_add_up_and_target_pieces_are_averaged() {
        let weights = array![[0.5, 0.25, 0.25], [0.25, 0.25, 0.5], [0.0, 0.0, 1.0]];
        let matrix =
            AttentionMatrix::new(words("sle@@ eps </s>"), words("▁dor t </s>"), weights).unwrap();
        let merged = merge_subwords(
            &matrix,
            Some(SubwordMark::At),
            Some(SubwordMark::SentencePiece),
        );
        assert_eq!(merged.rows(), ["sleeps", "</s>"]);
        assert_eq!(merged.columns(), ["dort", "</s>"]);
        assert_eq!(*merged.values(), array![[0.625, 0.375], [0.0, 1.0]]);
        assert_eq!(merge_subwords(&matrix, None, None), matrix);
    }

    proptest! {
        #[test]
        fn merged_rows_are_distributions(
            rows in proptest::collection::vec("(▁|##)?[ab]{0,2}(@@)?", 1..6),
            columns in proptest::collection::vec("(▁|##)?[ab]{0,2}(@@)?", 1..6),
            seed in proptest::collection::vec(0.01_f32..1.0, 36),
        ) {
            let mut weights = Array2::from_shape_fn((rows.len(), columns.len()), |(r, c)| seed[r * 6 + c]);
            for mut row in weights.rows_mut() {
                let sum = row.sum();
                row /= sum;
            }
            let matrix = AttentionMatrix::new(rows, columns, weights).unwrap();
            for mark in SubwordMark::ALL {
                let merged = merge_subwords(&matrix, Some(mark), Some(mark)).into_matrix();
                prop_assert!(AttentionMatrix::try_from(merged).is_ok());
            }
        }
    }
}
