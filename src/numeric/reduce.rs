//! Reductions over long rows, in lanes so that they vectorise and always add in the same order.

use super::kernel::wide;

const LANES: usize = 16;

/// The first largest value and its place; not-a-number never wins, and an empty row gives place 0.
pub fn argmax(row: &[f32]) -> (usize, f32) {
    let max = wide(|| {
        let mut lanes = [f32::NEG_INFINITY; LANES];
        let chunks = row.chunks_exact(LANES);
        let rest = chunks.remainder();
        for chunk in chunks {
            lanes
                .iter_mut()
                .zip(chunk)
                .for_each(|(l, x)| *l = if *x > *l { *x } else { *l });
        }
        lanes
            .iter()
            .chain(rest)
            .copied()
            .fold(f32::NEG_INFINITY, f32::max)
    });
    (row.iter().position(|x| *x == max).unwrap_or(0), max)
}

/// `Σ x`.
pub fn sum(row: &[f32]) -> f32 {
    wide(|| fold(row, |l, x| *l += x))
}

/// `Σ x²`, blocks of 1024 added in double precision.
pub fn sum_of_squares(values: &[f32]) -> f64 {
    wide(|| {
        values
            .chunks(1024)
            .map(|block| f64::from(fold(block, |l, x| *l += x * x)))
            .sum()
    })
}

#[inline(always)]
fn fold(row: &[f32], add: impl Fn(&mut f32, f32)) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(l, x)| add(l, *x));
    }
    lanes.iter_mut().zip(rest).for_each(|(l, x)| add(l, *x));
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn argmax_takes_the_first_of_equals_and_skips_what_is_not_a_number() {
        assert_eq!(argmax(&[1.0, 3.0, 3.0, f32::NAN]), (1, 3.0));
        let mut long = vec![0.0; 40];
        long[33] = 1.0;
        long[37] = 1.0;
        assert_eq!(argmax(&long), (33, 1.0));
        assert_eq!(argmax(&[]).0, 0);
    }

    #[test]
    fn sums_equal_plain_sums() {
        let v: Vec<f32> = (0..3001).map(|i| (i % 7) as f32).collect();
        assert!((sum(&v) - v.iter().sum::<f32>()).abs() < 1e-2);
        let squares: f64 = v.iter().map(|x| f64::from(x * x)).sum();
        assert!((sum_of_squares(&v) - squares).abs() < 1e-6 * squares);
        assert!(sum(&[f32::NAN]).is_nan());
    }
}
