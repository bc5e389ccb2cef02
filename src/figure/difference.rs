//! The difference of two matrices.

use ndarray::Array2;

use crate::alignment::{LabelledMatrix, MatrixError};

/// Two matrices that cannot be subtracted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DifferenceError {
    /// The source sentences differ in length.
    #[error("expected two matrices of the same source, found {first} and {second} source tokens")]
    SourceLength {
        /// Columns of the first.
        first: usize,
        /// Columns of the second.
        second: usize,
    },
    /// The source sentences differ in a token.
    #[error(
        "expected two matrices of the same source, found \"{first}\" and \"{second}\" at position {position}"
    )]
    SourceToken {
        /// The first column that differs, from 0.
        position: usize,
        /// The first matrix's token.
        first: String,
        /// The second matrix's token.
        second: String,
    },
    /// The labels do not fit.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
}

/// The difference of two matrices.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// `a − b` on the rows that both have, `[min(T_a, T_b), S]`. A row whose tokens differ is labelled with
    /// both, "cat / dog".
    pub matrix: LabelledMatrix,
    /// The rows before the first one whose tokens differ. Rows behind it compare decoders that have said
    /// different things.
    pub agreeing_rows: usize,
}

/// What `a` gives more (positive) or less (negative) than `b`, both over the same source.
///
/// # Errors
/// [`DifferenceError`] when the columns are not the same tokens.
pub fn difference(a: &LabelledMatrix, b: &LabelledMatrix) -> Result<Difference, DifferenceError> {
    let (columns, others) = (a.columns(), b.columns());
    if columns.len() != others.len() {
        return Err(DifferenceError::SourceLength {
            first: columns.len(),
            second: others.len(),
        });
    }
    let differs = columns
        .iter()
        .zip(others)
        .position(|(first, second)| first != second);
    if let Some(position) = differs {
        return Err(DifferenceError::SourceToken {
            position,
            first: columns[position].clone(),
            second: others[position].clone(),
        });
    }
    let pairs = || a.rows().iter().zip(b.rows());
    let label = |(first, second): (&String, &String)| {
        if first == second {
            first.clone()
        } else {
            format!("{first} / {second}")
        }
    };
    let rows: Vec<String> = pairs().map(label).collect();
    let agreeing_rows = pairs()
        .take_while(|(first, second)| first == second)
        .count();
    let shape = (rows.len(), columns.len());
    let values = Array2::from_shape_fn(shape, |at| a.values()[at] - b.values()[at]);
    Ok(Difference {
        matrix: LabelledMatrix::new(rows, columns.to_vec(), values)?,
        agreeing_rows,
    })
}
