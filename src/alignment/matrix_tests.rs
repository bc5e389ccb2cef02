use ndarray::array;
use proptest::prelude::*;

use super::*;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn attention() -> AttentionMatrix {
    let weights = array![[0.5, 0.25, 0.25], [0.1, 0.45, 0.45]];
    AttentionMatrix::new(words("the cat"), words("le chat noir"), weights).unwrap()
}

#[test]
fn labels_must_fit_the_shape() {
    let message = |rows: &str, columns: &str| {
        LabelledMatrix::new(words(rows), words(columns), Array2::zeros((2, 3)))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        message("a", "x y z"),
        "expected 1 rows (one for each row label), found 2"
    );
    assert_eq!(
        message("a b", "x"),
        "row 0: expected 1 columns (one for each column label), found 3"
    );
}

#[test]
fn a_matrix_turns_and_counts() {
    let values = array![[1.0, f32::NAN, 3.0], [4.0, f32::INFINITY, 6.0]];
    let matrix = LabelledMatrix::new(words("a b"), words("x y z"), values).unwrap();
    assert_eq!(matrix.non_finite(), 2);
    let turned = matrix.transposed();
    assert_eq!(
        (turned.rows(), turned.columns()),
        (matrix.columns(), matrix.rows())
    );
    assert_eq!(turned.row(2).to_vec(), [3.0, 6.0]);
    assert!(turned.values().is_standard_layout());
    let columns_first = LabelledMatrix::new(
        words("x y"),
        words("a b"),
        array![[1.0, 2.0], [3.0, 4.0]].reversed_axes(),
    );
    assert_eq!(
        columns_first.unwrap().values().as_slice(),
        Some(&[1.0, 3.0, 2.0, 4.0][..])
    );
}

#[test]
fn non_finite_values_survive_storage() {
    let values = array![[0.1, f32::NAN], [f32::INFINITY, f32::NEG_INFINITY]];
    let matrix = LabelledMatrix::new(words("a b"), words("x y"), values).unwrap();
    let json = serde_json::to_string(&matrix).unwrap();
    assert_eq!(
        json,
        r#"{"rows":["a","b"],"columns":["x","y"],"values":[[0.1,"nan"],["inf","-inf"]]}"#
    );
    let back: LabelledMatrix = serde_json::from_str(&json).unwrap();
    assert!(back.values()[[0, 1]].is_nan());
    assert_eq!(back.row(1).to_vec(), [f32::INFINITY, f32::NEG_INFINITY]);
}

#[test]
fn stored_matrices_are_checked() {
    let read = |json: &str| {
        serde_json::from_str::<LabelledMatrix>(json).map_err(|error| error.to_string())
    };
    assert!(read(r#"{"rows":[],"columns":[],"values":[]}"#).is_ok());
    let ragged = read(r#"{"rows":["a","b"],"columns":["x"],"values":[[1],[1,2]]}"#).unwrap_err();
    assert!(ragged.contains("row 1: expected 1 columns"), "{ragged}");
    let short = read(r#"{"rows":["a","b"],"columns":["x"],"values":[[1]]}"#).unwrap_err();
    assert!(short.contains("expected 2 rows"), "{short}");
    let json = serde_json::to_string(&attention()).unwrap();
    assert_eq!(
        serde_json::from_str::<AttentionMatrix>(&json).unwrap(),
        attention()
    );
    assert!(serde_json::from_str::<AttentionMatrix>(&json.replace("0.5", "0.6")).is_err());
}

#[test]
fn attention_rows_must_be_distributions() {
    let message = |weights: [f32; 2]| {
        let weights = array![[0.5, 0.5], weights];
        AttentionMatrix::new(words("the cat"), words("le chat"), weights)
            .unwrap_err()
            .to_string()
    };
    let place = "row 1 (\"cat\")";
    assert_eq!(
        message([0.25, 0.5]),
        format!("{place}: expected weights that sum to 1, found a sum of 0.75")
    );
    let weight = |column: usize, found: &str| {
        format!("{place}, column {column}: expected a weight between 0 and 1, found {found}")
    };
    assert_eq!(message([-0.5, 1.5]), weight(0, "-0.5"));
    assert_eq!(message([0.5, f32::NAN]), weight(1, "NaN"));
    assert_eq!(message([f32::INFINITY, 0.0]), weight(0, "inf"));
    assert!(AttentionMatrix::new(words("a"), vec![], Array2::zeros((1, 0))).is_err());
    assert!(AttentionMatrix::new(vec![], words("x"), Array2::zeros((0, 1))).is_ok());
    assert!(AttentionMatrix::new(words("a"), words("x y"), array![[0.4, 0.6005]]).is_ok());
}

#[test]
fn the_first_of_equal_maxima_counts() {
    assert_eq!(attention().row_argmax(), [0, 1]);
    assert_eq!(attention().as_matrix().rows(), ["the", "cat"]);
}

proptest! {
    #[test]
    fn any_values_are_checked_and_stored(values in proptest::collection::vec(any::<f32>(), 6)) {
        let values = Array2::from_shape_vec((2, 3), values).unwrap();
        let matrix = LabelledMatrix::new(words("a b"), words("x y z"), values).unwrap();
        let back: LabelledMatrix = serde_json::from_str(&serde_json::to_string(&matrix).unwrap()).unwrap();
        for (old, new) in matrix.values().iter().zip(back.values()) {
            prop_assert!(old.total_cmp(new).is_eq() || (old.is_nan() && new.is_nan()), "{} {}", old, new);
        }
        let _ = AttentionMatrix::try_from(matrix);
    }
}
