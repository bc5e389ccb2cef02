//! Heatmaps in words, for those who hear them.

use crate::alignment::LabelledMatrix;

/// How many weights of a row are named.
const NAMED: usize = 3;

/// "cat attends to chat 0.93".
pub fn cell_sentence(matrix: &LabelledMatrix, row: usize, column: usize) -> String {
    let value = matrix.values()[[row, column]];
    format!(
        "{} attends to {} {value:.2}",
        matrix.rows()[row],
        matrix.columns()[column]
    )
}

/// "chat adds +0.93 nats to cat".
pub fn attribution_sentence(matrix: &LabelledMatrix, row: usize, column: usize) -> String {
    let value = matrix.values()[[row, column]];
    format!(
        "{} adds {value:+.2} nats to {}",
        matrix.columns()[column],
        matrix.rows()[row]
    )
}

/// "Row cat: chat 0.93, noir 0.04, le 0.01; entropy 0.31 nats": the largest weights of a row, and the entropy where
/// there is one.
pub fn row_summary(matrix: &LabelledMatrix, row: usize, entropy: Option<f64>) -> String {
    let values = matrix.values();
    let mut columns: Vec<usize> = (0..matrix.columns().len())
        .filter(|column| !values[[row, *column]].is_nan())
        .collect();
    // Differences have signs; the largest are those furthest from 0.
    columns.sort_by(|a, b| {
        let size = |column: &usize| values[[row, *column]].abs();
        size(b).total_cmp(&size(a))
    });
    let named: Vec<String> = columns
        .iter()
        .take(NAMED)
        .map(|column| {
            format!(
                "{} {:.2}",
                matrix.columns()[*column],
                values[[row, *column]]
            )
        })
        .collect();
    let named = if named.is_empty() {
        "no numbers".to_owned()
    } else {
        named.join(", ")
    };
    let entropy = entropy.map_or_else(String::new, |nats| format!("; entropy {nats:.2} nats"));
    format!("Row {}: {named}{entropy}", matrix.rows()[row])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    fn matrix() -> LabelledMatrix {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        let values = array![
            [0.01, 0.93, 0.04, 0.02],
            [-0.5, 0.25, f32::NAN, 0.0],
            [f32::NAN; 4]
        ];
        LabelledMatrix::new(words("cat black x"), words("le chat noir dort"), values).unwrap()
    }

    #[test]
    fn a_cell_is_a_sentence() {
        assert_eq!(cell_sentence(&matrix(), 0, 1), "cat attends to chat 0.93");
        assert_eq!(
            attribution_sentence(&matrix(), 1, 0),
            "le adds -0.50 nats to black"
        );
    }

    #[test]
    fn a_row_names_its_largest_weights() {
        let matrix = matrix();
        assert_eq!(
            row_summary(&matrix, 0, Some(0.311)),
            "Row cat: chat 0.93, noir 0.04, dort 0.02; entropy 0.31 nats"
        );
        assert_eq!(
            row_summary(&matrix, 1, None),
            "Row black: le -0.50, chat 0.25, dort 0.00"
        );
        assert_eq!(row_summary(&matrix, 2, None), "Row x: no numbers");
    }
}
