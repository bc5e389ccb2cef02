//! Seeded random numbers, the same on every machine.
//!
//! A [`Stream`] is named by numbers (a seed, an update, a shard …) instead of being carried along. What was
//! drawn for update 1,000 can be drawn again without the 999 before it, so that a resumed training needs no
//! generator state.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator behind everything random in this program: xoshiro256++.
pub type Stream = Xoshiro256PlusPlus;

/// The stream that belongs to `path`, a list of numbers such as `[seed, purpose, update, shard]`.
///
/// Different paths give unrelated streams; the mixing is the finaliser of `SplitMix64`
/// (Steele, Lea and Flood 2014).
pub fn stream(path: &[u64]) -> Stream {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for &p in path {
        state = state.wrapping_add(p).wrapping_add(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^= state >> 31;
    }
    Stream::seed_from_u64(state)
}

/// Fills with numbers uniform in `[-bound, bound)`.
pub fn fill_uniform(values: &mut [f32], bound: f32, rng: &mut Stream) {
    for v in values {
        *v = (rng.random::<f32>() * 2.0 - 1.0) * bound;
    }
}

/// Fills with normal numbers of mean 0 and the given standard deviation (Box and Muller 1958).
pub fn fill_normal(values: &mut [f32], deviation: f32, rng: &mut Stream) {
    for pair in values.chunks_mut(2) {
        // 1 - u lies in (0, 1], so that the logarithm is finite.
        let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
        let angle = std::f64::consts::TAU * rng.random::<f64>();
        pair[0] = (radius * angle.cos()) as f32 * deviation;
        if let Some(second) = pair.get_mut(1) {
            *second = (radius * angle.sin()) as f32 * deviation;
        }
    }
}

/// The bound of the uniform initialisation of Glorot and Bengio (2010) for a weight `[fan_in, fan_out]`.
pub fn glorot_bound(fan_in: usize, fan_out: usize) -> f32 {
    (6.0 / (fan_in + fan_out) as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;

    use super::*;

    #[test]
    fn streams_are_pinned_and_distinct() {
        let first = |path: &[u64]| stream(path).next_u64();
        assert_eq!(first(&[1, 2, 3]), first(&[1, 2, 3]));
        let mut seen: Vec<u64> = (0..50)
            .flat_map(|a| (0..50).map(move |b| (a, b)))
            .map(|(a, b)| first(&[a, b]))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 2500);
        assert_ne!(first(&[0]), first(&[0, 0]));
    }

    #[test]
    fn normal_numbers_have_their_moments() {
        let mut v = vec![0.0; 20_001];
        fill_normal(&mut v, 0.5, &mut stream(&[7]));
        let mean = v.iter().sum::<f32>() / v.len() as f32;
        let variance = v.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / v.len() as f32;
        assert!(
            mean.abs() < 0.02 && (variance - 0.25).abs() < 0.02,
            "{mean} {variance}"
        );
    }
}
