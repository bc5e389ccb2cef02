//! Matrices with labels on their rows and columns.

use ndarray::{Array2, ArrayView1, Axis};
use serde::{Deserialize, Serialize};

/// How far the sum of an attention row may be from 1 (other toolkits write two to six decimals).
pub const SUM_TOLERANCE: f32 = 1e-3;

/// How far a weight may stick out of `[0, 1]` through rounding.
const ROUNDING: f32 = 1e-6;

/// Labels that do not fit their matrix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatrixError {
    /// The number of rows differs from the number of row labels.
    #[error("expected {expected} rows (one for each row label), found {found}")]
    Rows {
        /// The number of labels.
        expected: usize,
        /// The number of rows.
        found: usize,
    },
    /// The number of columns differs from the number of column labels.
    #[error("row {row}: expected {expected} columns (one for each column label), found {found}")]
    Columns {
        /// The first row at fault.
        row: usize,
        /// The number of labels.
        expected: usize,
        /// The number of columns.
        found: usize,
    },
}

/// Any values with a label for each row (target token) and column (source token), `[T, S]`.
///
/// Values may be non-finite: a matrix read from elsewhere is shown as it is. In files a non-finite value
/// is written as `"nan"`, `"inf"` or `"-inf"`, since not every format has a number for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredMatrix", into = "StoredMatrix")]
pub struct LabelledMatrix {
    rows: Vec<String>,
    columns: Vec<String>,
    values: Array2<f32>,
    has_nan: bool,
}

impl LabelledMatrix {
    /// Puts labels on values `[T, S]`.
    ///
    /// # Errors
    /// [`MatrixError`] when the labels do not fit the shape.
    pub fn new(
        rows: Vec<String>,
        columns: Vec<String>,
        values: Array2<f32>,
    ) -> Result<Self, MatrixError> {
        let (height, width) = values.dim();
        if height != rows.len() {
            return Err(MatrixError::Rows {
                expected: rows.len(),
                found: height,
            });
        }
        if width != columns.len() {
            return Err(MatrixError::Columns {
                row: 0,
                expected: columns.len(),
                found: width,
            });
        }
        // Row after row in memory, whatever the caller's layout.
        let values = if values.is_standard_layout() {
            values
        } else {
            values.as_standard_layout().into_owned()
        };
        Ok(Self {
            rows,
            columns,
            has_nan: values.iter().any(|value| value.is_nan()),
            values,
        })
    }

    /// Whether a value is NaN: looked up once, since drawing asks often.
    pub const fn has_nan(&self) -> bool {
        self.has_nan
    }

    /// The row labels (target tokens), `[T]`.
    pub fn rows(&self) -> &[String] {
        &self.rows
    }

    /// The column labels (source tokens), `[S]`.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The values, `[T, S]`, row after row in memory.
    pub fn values(&self) -> &Array2<f32> {
        &self.values
    }

    /// The row labels, column labels and values.
    pub fn into_parts(self) -> (Vec<String>, Vec<String>, Array2<f32>) {
        (self.rows, self.columns, self.values)
    }

    /// The values of row `t`, `[S]`.
    ///
    /// # Panics
    /// When there is no row `t`.
    pub fn row(&self, t: usize) -> ArrayView1<'_, f32> {
        self.values.row(t)
    }

    /// Rows and columns exchanged, `[S, T]`.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self {
            rows: self.columns.clone(),
            columns: self.rows.clone(),
            values: self.values.t().as_standard_layout().into_owned(),
            has_nan: self.has_nan,
        }
    }

    /// The number of values that are NaN or infinite.
    pub fn non_finite(&self) -> usize {
        self.values
            .iter()
            .filter(|value| !value.is_finite())
            .count()
    }
}

/// The form of a [`LabelledMatrix`] in files.
#[derive(Serialize, Deserialize)]
struct StoredMatrix {
    rows: Vec<String>,
    columns: Vec<String>,
    values: Vec<Vec<StoredValue>>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredValue {
    Finite(f32),
    Other(NonFinite),
}

#[derive(Serialize, Deserialize)]
enum NonFinite {
    #[serde(rename = "nan")]
    Nan,
    #[serde(rename = "inf")]
    Infinite,
    #[serde(rename = "-inf")]
    NegativeInfinite,
}

impl From<f32> for StoredValue {
    fn from(value: f32) -> Self {
        match value {
            value if value.is_finite() => Self::Finite(value),
            value if value.is_nan() => Self::Other(NonFinite::Nan),
            value if value > 0.0 => Self::Other(NonFinite::Infinite),
            _ => Self::Other(NonFinite::NegativeInfinite),
        }
    }
}

impl From<StoredValue> for f32 {
    fn from(value: StoredValue) -> Self {
        match value {
            StoredValue::Finite(value) => value,
            StoredValue::Other(NonFinite::Nan) => Self::NAN,
            StoredValue::Other(NonFinite::Infinite) => Self::INFINITY,
            StoredValue::Other(NonFinite::NegativeInfinite) => Self::NEG_INFINITY,
        }
    }
}

impl From<LabelledMatrix> for StoredMatrix {
    fn from(matrix: LabelledMatrix) -> Self {
        let values = matrix.values.rows().into_iter();
        let values = values
            .map(|row| row.iter().map(|&value| value.into()).collect())
            .collect();
        Self {
            rows: matrix.rows,
            columns: matrix.columns,
            values,
        }
    }
}

impl TryFrom<StoredMatrix> for LabelledMatrix {
    type Error = MatrixError;

    fn try_from(stored: StoredMatrix) -> Result<Self, MatrixError> {
        let StoredMatrix {
            rows,
            columns,
            values,
        } = stored;
        if values.len() != rows.len() {
            return Err(MatrixError::Rows {
                expected: rows.len(),
                found: values.len(),
            });
        }
        let wrong = values
            .iter()
            .enumerate()
            .find(|(_, row)| row.len() != columns.len());
        if let Some((row, found)) = wrong {
            return Err(MatrixError::Columns {
                row,
                expected: columns.len(),
                found: found.len(),
            });
        }
        let shape = (rows.len(), columns.len());
        let mut flat = values.into_iter().flatten().map(f32::from);
        // The lengths were checked above, so the fallback is never taken.
        let values = Array2::from_shape_simple_fn(shape, || flat.next().unwrap_or(f32::NAN));
        Self::new(rows, columns, values)
    }
}

/// A matrix that is not attention weights.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AttentionError {
    /// The labels do not fit the shape.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// A weight is not a finite number in `[0, 1]`.
    #[error(
        "row {row} (\"{label}\"), column {column}: expected a weight between 0 and 1, found {found}"
    )]
    Weight {
        /// The row.
        row: usize,
        /// The row's label.
        label: String,
        /// The column.
        column: usize,
        /// The value found.
        found: f32,
    },
    /// The weights of a row do not sum to 1.
    #[error("row {row} (\"{label}\"): expected weights that sum to 1, found a sum of {sum}")]
    RowSum {
        /// The row.
        row: usize,
        /// The row's label.
        label: String,
        /// The sum found.
        sum: f32,
    },
}

/// Attention weights `[T, S]`: each row (target token) is a probability distribution over the columns
/// (source tokens). Every weight is finite and in `[0, 1]`, and every row sums to 1 within
/// [`SUM_TOLERANCE`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "LabelledMatrix", into = "LabelledMatrix")]
pub struct AttentionMatrix(LabelledMatrix);

impl AttentionMatrix {
    /// Puts labels on weights `[T, S]` and checks them.
    ///
    /// # Errors
    /// [`AttentionError`] naming the first row that is no distribution, or the labels that do not fit.
    pub fn new(
        targets: Vec<String>,
        sources: Vec<String>,
        weights: Array2<f32>,
    ) -> Result<Self, AttentionError> {
        Self::try_from(LabelledMatrix::new(targets, sources, weights)?)
    }

    /// Wraps a matrix made from checked rows by steps that keep their sums.
    pub(super) fn trusted(matrix: LabelledMatrix) -> Self {
        Self(matrix)
    }

    /// The same values as a plain matrix.
    pub fn as_matrix(&self) -> &LabelledMatrix {
        &self.0
    }

    /// Gives up the guarantee.
    pub fn into_matrix(self) -> LabelledMatrix {
        self.0
    }

    /// The column with the largest weight in each row, `[T]`; the first of equal ones.
    pub fn row_argmax(&self) -> Vec<usize> {
        let first_maximum = |row: ArrayView1<'_, f32>| {
            let start = (0, f32::NEG_INFINITY);
            let best = row
                .iter()
                .enumerate()
                .fold(start, |best, (column, &weight)| {
                    if weight > best.1 {
                        (column, weight)
                    } else {
                        best
                    }
                });
            best.0
        };
        self.values()
            .axis_iter(Axis(0))
            .map(first_maximum)
            .collect()
    }
}

impl std::ops::Deref for AttentionMatrix {
    type Target = LabelledMatrix;

    fn deref(&self) -> &LabelledMatrix {
        &self.0
    }
}

impl From<AttentionMatrix> for LabelledMatrix {
    fn from(matrix: AttentionMatrix) -> Self {
        matrix.0
    }
}

impl TryFrom<LabelledMatrix> for AttentionMatrix {
    type Error = AttentionError;

    fn try_from(matrix: LabelledMatrix) -> Result<Self, AttentionError> {
        for (row, weights) in matrix.values.rows().into_iter().enumerate() {
            let label = || matrix.rows[row].clone();
            // Written so that NaN falls outside.
            let wrong = weights
                .iter()
                .position(|weight| !(-ROUNDING..=1.0 + ROUNDING).contains(weight));
            if let Some(column) = wrong {
                return Err(AttentionError::Weight {
                    row,
                    label: label(),
                    column,
                    found: weights[column],
                });
            }
            let sum = weights.iter().map(|&weight| f64::from(weight)).sum::<f64>() as f32;
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(AttentionError::RowSum {
                    row,
                    label: label(),
                    sum,
                });
            }
        }
        Ok(Self(matrix))
    }
}

#[cfg(test)]
#[path = "matrix_tests.rs"]
mod tests;
