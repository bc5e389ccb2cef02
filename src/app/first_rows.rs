//! The part of a matrix that is shown while a translation grows, or was stepped back.

use std::sync::Arc;

use ndarray::s;

use crate::alignment::LabelledMatrix;

/// The first rows of a matrix, cut once: what is drawn from them is kept by the identity of the `Arc`.
#[derive(Debug, Clone, Default)]
pub(super) struct FirstRows {
    of: Option<Arc<LabelledMatrix>>,
    rows: usize,
    cut: Option<Arc<LabelledMatrix>>,
}

impl FirstRows {
    /// The rows, if there is a matrix.
    pub(super) const fn matrix(&self) -> Option<&Arc<LabelledMatrix>> {
        self.cut.as_ref()
    }

    /// Takes the first `rows` rows of a matrix; does nothing where it has these.
    pub(super) fn bring(&mut self, matrix: Option<&Arc<LabelledMatrix>>, rows: usize) {
        let is_known = match (&self.of, matrix) {
            (Some(known), Some(matrix)) => Arc::ptr_eq(known, matrix) && self.rows == rows,
            (None, None) => true,
            _ => false,
        };
        if !is_known {
            self.of = matrix.cloned();
            self.rows = rows;
            self.cut = matrix.map(|matrix| first_rows(matrix, rows));
        }
    }
}

/// The first `rows` rows of a matrix; the same `Arc` where that is all of it.
pub(super) fn first_rows(matrix: &Arc<LabelledMatrix>, rows: usize) -> Arc<LabelledMatrix> {
    let rows = rows.min(matrix.rows().len());
    if rows == matrix.rows().len() {
        return matrix.clone();
    }
    let values = matrix.values().slice(s![..rows, ..]).to_owned();
    let labels = matrix.rows()[..rows].to_vec();
    // Fewer labels go with fewer rows, so that this cannot fail; the whole matrix is right too.
    LabelledMatrix::new(labels, matrix.columns().to_vec(), values)
        .map_or_else(|_| matrix.clone(), Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    fn matrix() -> Arc<LabelledMatrix> {
        let words = |n: usize| (0..n).map(|i| format!("w{i}")).collect();
        let values = Array2::from_shape_fn((3, 2), |(t, s)| (t * 2 + s) as f32);
        Arc::new(LabelledMatrix::new(words(3), words(2), values).unwrap())
    }

    #[test]
    fn rows_are_cut_and_a_whole_matrix_stays_the_same_one() {
        let matrix = matrix();
        assert!(Arc::ptr_eq(&first_rows(&matrix, 7), &matrix));
        let cut = first_rows(&matrix, 2);
        assert_eq!(cut.rows(), ["w0", "w1"]);
        assert_eq!(cut.values()[[1, 1]], 3.0);
    }

    #[test]
    fn the_same_rows_are_cut_once() {
        let (one, other) = (matrix(), matrix());
        let mut rows = FirstRows::default();
        let mut cut = |matrix: &Arc<LabelledMatrix>, count: usize| {
            rows.bring(Some(matrix), count);
            rows.matrix().cloned().unwrap()
        };
        let first = cut(&one, 2);
        assert!(Arc::ptr_eq(&cut(&one, 2), &first));
        assert_eq!(cut(&one, 1).rows().len(), 1);
        assert!(!Arc::ptr_eq(&cut(&other, 2), &first));
        rows.bring(None, 2);
        assert!(rows.matrix().is_none());
    }

    #[test]
    fn what_is_drawn_stays_the_same_until_it_changes() {
        let matrix = matrix();
        let mut shown = FirstRows::default();
        let mut bring = |matrix: Option<&Arc<LabelledMatrix>>, rows: usize| {
            shown.bring(matrix, rows);
            shown.matrix().cloned()
        };
        let first = bring(Some(&matrix), 2).unwrap();
        assert!(Arc::ptr_eq(&bring(Some(&matrix), 2).unwrap(), &first));
        let more = bring(Some(&matrix), 3).unwrap();
        assert!(!Arc::ptr_eq(&more, &first) && Arc::ptr_eq(&more, &matrix));
        let other = Arc::new((*matrix).clone());
        assert!(Arc::ptr_eq(&bring(Some(&other), 3).unwrap(), &other));
        assert!(bring(None, 3).is_none());
    }
}
