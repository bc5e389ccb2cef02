//! From a value to a colour: map, scaling and range together.

use serde::{Deserialize, Serialize};

use super::colormap::{Colormap, Diverging};
use super::scale::{Scaling, Tick, ValueRange, step_ticks};
use super::scene::Rgba;

/// How values become colours; the same for all panels that share a colour bar.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColourScale {
    /// The map for values from low to high.
    pub colormap: Colormap,
    /// How values are spread over the map.
    pub scaling: Scaling,
    /// The values at the map's ends.
    pub range: ValueRange,
    /// The map for signed values, drawn instead of `colormap`: 0 is neutral, the scaling is linear, and the
    /// end that is farther from 0 counts on both sides.
    pub diverging: Option<Diverging>,
}

impl ColourScale {
    /// The colour of a value; `None` for NaN, which is hatched. `row_max` as in [`Scaling::position`].
    pub fn colour(&self, value: f32, row_max: f32) -> Option<Rgba> {
        match self.diverging {
            Some(map) => map.rgba(self.signed_position(value)),
            None => self
                .colormap
                .rgba(self.scaling.position(value, row_max, self.range)),
        }
    }

    /// The colour at a place of the colour bar, from 0 (low) to 1 (high).
    pub fn colour_at(&self, position: f32) -> Rgba {
        let colour = match self.diverging {
            Some(map) => map.rgba(2.0 * position - 1.0),
            None => self.colormap.rgba(position),
        };
        colour.unwrap_or([0, 0, 0, 0])
    }

    /// Round values beside the colour bar, about `count` of them.
    pub fn ticks(&self, count: usize) -> Vec<Tick> {
        if self.diverging.is_none() {
            return self.scaling.ticks(self.range, count);
        }
        // Both ends, 0 and the middles between them.
        let end = f64::from(self.end());
        let range = ValueRange {
            min: -end as f32,
            max: end as f32,
        };
        let mut ticks = step_ticks(range, if count < 4 { end } else { end / 2.0 });
        for tick in ticks.iter_mut().filter(|tick| tick.value > 0.0) {
            tick.label.insert(0, '+');
        }
        ticks
    }

    fn end(&self) -> f32 {
        let end = self.range.min.abs().max(self.range.max.abs());
        if end > 0.0 { end } else { 1.0 }
    }

    fn signed_position(&self, value: f32) -> f32 {
        (value / self.end()).clamp(-1.0, 1.0)
    }
}

/// The largest finite value of a row; 0 if there is none.
pub fn row_maximum<'a>(row: impl IntoIterator<Item = &'a f32>) -> f32 {
    let finite = row.into_iter().copied().filter(|value| value.is_finite());
    let largest = finite.fold(f32::NEG_INFINITY, f32::max);
    if largest.is_finite() { largest } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_neutral_whatever_the_range() {
        let scale = ColourScale {
            colormap: Colormap::Viridis,
            scaling: Scaling::Log,
            range: ValueRange {
                min: -0.1,
                max: 0.5,
            },
            diverging: Some(Diverging::Light),
        };
        assert_eq!(scale.colour(0.0, 1.0), Diverging::Light.rgba(0.0));
        assert_eq!(scale.colour(0.5, 1.0), Diverging::Light.rgba(1.0));
        assert_eq!(scale.colour(f32::NAN, 1.0), None);
        let labels: Vec<_> = scale.ticks(2).into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["−0.5", "0.0", "+0.5"]);
    }

    #[test]
    fn a_row_of_nothing_has_no_maximum() {
        assert_eq!(row_maximum(&[f32::NAN, 0.25, f32::INFINITY]), 0.25);
        assert_eq!(row_maximum(&[f32::NAN]), 0.0);
        assert_eq!(row_maximum(&[]), 0.0);
    }
}
