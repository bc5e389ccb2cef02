//! Sizes of vectors.

/// Euclidean norm `‖x‖ = √(Σ_i x_i²)`. NaN stays NaN.
///
/// The squares are summed in double precision, so that no finite vector overflows.
pub fn euclidean_norm<'a>(vector: impl IntoIterator<Item = &'a f32>) -> f64 {
    let squares = vector.into_iter().map(|&value| f64::from(value).powi(2));
    // From 0, since the sum of no number at all is −0.
    squares.fold(0.0, |sum, square| sum + square).sqrt()
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use ndarray::{Array1, array};
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn norms_of_known_vectors() {
        assert_relative_eq!(euclidean_norm(&[3.0, -4.0]), 5.0);
        assert_relative_eq!(euclidean_norm(array![1.0_f32, 1.0, 1.0, 1.0].view()), 2.0);
        assert_eq!(euclidean_norm(&[]).to_bits(), 0);
        assert!(euclidean_norm(&[1.0, f32::NAN]).is_nan());
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let norm = euclidean_norm(&Array1::from_elem(4, f32::MAX));
        assert_relative_eq!(norm, 2.0 * f64::from(f32::MAX));
    }

    proptest! {
        #[test]
        fn a_norm_grows_with_its_vector(vector in vec(-9.0_f32..9.0, 0..20), scale in 0u8..8) {
            let scale = f32::from(scale);
            let scaled: Vec<f32> = vector.iter().map(|value| scale * value).collect();
            let expected = f64::from(scale) * euclidean_norm(&vector);
            assert_relative_eq!(euclidean_norm(&scaled), expected, max_relative = 1e-6, epsilon = 1e-9);
        }
    }
}
