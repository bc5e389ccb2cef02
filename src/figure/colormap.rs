//! Colour maps: from a position in `[0, 1]` to a colour.
//!
//! A table of 1024 colours is made once for each map, so that colouring a million cells is a million
//! look-ups. Values that are no number have no colour; they are hatched, and never drawn as 0.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::colormap_points::{CIVIDIS, Control, MAGMA, VIRIDIS};
use super::scene::Rgba;

/// Colours in a table.
pub const TABLE_LEN: usize = 1024;

type Table = [Rgba; TABLE_LEN];

/// A colour map for values from low to high, perceptually uniform: equal steps of the value are equal
/// steps of lightness, also for colour-blind eyes and in grey print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colormap {
    /// Violet to yellow.
    #[default]
    Viridis,
    /// Black over red to cream.
    Magma,
    /// Blue to yellow, made for colour-blind eyes.
    Cividis,
    /// Ink on paper: white for low, black for high.
    Grey,
}

impl Colormap {
    /// All maps.
    pub const ALL: [Self; 4] = [Self::Viridis, Self::Magma, Self::Cividis, Self::Grey];

    /// The name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viridis => "viridis",
            Self::Magma => "magma",
            Self::Cividis => "cividis",
            Self::Grey => "grey",
        }
    }

    /// The map of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|map| map.name() == name)
    }

    /// The colour at `t`; below 0 is 0 and above 1 is 1, and NaN is `None`.
    pub fn rgba(self, t: f32) -> Option<Rgba> {
        look_up(self.table(), t)
    }

    /// The colours at `0, 1/1023, …, 1`.
    pub fn table(self) -> &'static [Rgba; TABLE_LEN] {
        static TABLES: LazyLock<[Table; 3]> =
            LazyLock::new(|| [&VIRIDIS, &MAGMA, &CIVIDIS].map(|points| spline_table(points)));
        static GREY: LazyLock<Table> = LazyLock::new(grey_table);
        match self {
            Self::Viridis => &TABLES[0],
            Self::Magma => &TABLES[1],
            Self::Cividis => &TABLES[2],
            Self::Grey => &GREY,
        }
    }
}

/// A colour map for signed values: blue below 0, orange above, neutral at 0. The two arms have the same
/// lightness at the same distance from 0, and stay apart for colour-blind eyes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Diverging {
    /// Near-white at 0, for light pages.
    #[default]
    Light,
    /// Near-black at 0, for dark pages.
    Dark,
}

impl Diverging {
    /// Both maps.
    pub const ALL: [Self; 2] = [Self::Light, Self::Dark];

    /// The colour at `t` in `[-1, 1]`; values outside clamp, and NaN is `None`.
    pub fn rgba(self, t: f32) -> Option<Rgba> {
        look_up(self.table(), t * 0.5 + 0.5)
    }

    /// The colours from −1 to 1.
    pub fn table(self) -> &'static [Rgba; TABLE_LEN] {
        static TABLES: LazyLock<[Table; 2]> = LazyLock::new(|| Diverging::ALL.map(diverging_table));
        match self {
            Self::Light => &TABLES[0],
            Self::Dark => &TABLES[1],
        }
    }
}

fn look_up(table: &Table, t: f32) -> Option<Rgba> {
    if t.is_nan() {
        return None;
    }
    let index = (t.clamp(0.0, 1.0) * (TABLE_LEN - 1) as f32).round();
    Some(table[index as usize])
}

fn table_from(colour: impl Fn(f32) -> [f32; 3]) -> Table {
    std::array::from_fn(|index| {
        let [r, g, b] = colour(index as f32 / (TABLE_LEN - 1) as f32);
        let byte = |value: f32| value.round().clamp(0.0, 255.0) as u8;
        [byte(r), byte(g), byte(b), 255]
    })
}

/// Catmull-Rom through equally spaced control points.
fn spline_table(points: &[Control]) -> Table {
    let last = points.len() - 1;
    table_from(|t| {
        let place = t * last as f32;
        let left = (place.floor() as usize).min(last - 1);
        let f = place - left as f32;
        std::array::from_fn(|channel| {
            let at = |index: usize| f32::from(points[index][channel]);
            let (p1, p2) = (at(left), at(left + 1));
            // The ends continue in a straight line.
            let p0 = if left == 0 {
                2.0 * p1 - p2
            } else {
                at(left - 1)
            };
            let p3 = if left + 2 > last {
                2.0 * p2 - p1
            } else {
                at(left + 2)
            };
            let square = 2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3;
            let cube = -p0 + 3.0 * p1 - 3.0 * p2 + p3;
            0.5 * (2.0 * p1 + f * (p2 - p0 + f * (square + f * cube)))
        })
    })
}

/// Equal steps of lightness from white to near-black.
fn grey_table() -> Table {
    table_from(|t| oklch_to_srgb(1.0 - 0.86 * t, 0.0, 0.0))
}

fn diverging_table(theme: Diverging) -> Table {
    // Lightness at 0 and at the ends, chroma at the ends, hue of blue and orange in degrees.
    let (neutral, end, chroma, hues) = match theme {
        Diverging::Light => (0.975, 0.52, 0.150, [255.0, 45.0]),
        Diverging::Dark => (0.25, 0.78, 0.125, [245.0, 62.0]),
    };
    table_from(|t| {
        let signed = 2.0 * t - 1.0;
        let distance = signed.abs();
        let hue = hues[usize::from(signed > 0.0)];
        let lightness = neutral + (end - neutral) * distance;
        // Colour comes earlier than darkness, so that small differences already have a sign.
        oklch_to_srgb(lightness, chroma * distance.powf(0.8), hue)
    })
}

/// OKLCH (Ottosson 2020, "A perceptual color space for image processing") to sRGB in `[0, 255]`.
fn oklch_to_srgb(lightness: f32, chroma: f32, hue_degrees: f32) -> [f32; 3] {
    let (sin, cos) = hue_degrees.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let linear = [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ];
    linear.map(|value| {
        let value = value.clamp(0.0, 1.0);
        255.0
            * if value <= 0.003_130_8 {
                12.92 * value
            } else {
                1.055 * value.powf(1.0 / 2.4) - 0.055
            }
    })
}

/// Relative luminance in `[0, 1]` of an opaque colour (WCAG 2).
pub fn luminance(colour: Rgba) -> f32 {
    let linear = |byte: u8| {
        let value = f32::from(byte) / 255.0;
        if value <= 0.040_45 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2])
}

/// The contrast of two opaque colours, from 1 to 21 (WCAG 2).
pub fn contrast(a: Rgba, b: Rgba) -> f32 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Black or white, whichever stands out more from a cell's colour.
pub fn text_on(cell: Rgba) -> Rgba {
    const BLACK: Rgba = [0, 0, 0, 255];
    const WHITE: Rgba = [255, 255, 255, 255];
    if contrast(cell, WHITE) >= contrast(cell, BLACK) {
        WHITE
    } else {
        BLACK
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lightness_grows_or_falls_along_every_map() {
        for map in Colormap::ALL {
            let table = map.table();
            let rises = luminance(table[TABLE_LEN - 1]) > luminance(table[0]);
            // Rounding to bytes moves luminance by less than 0.004.
            for pair in table.windows(2) {
                let step = luminance(pair[1]) - luminance(pair[0]);
                let forward = if rises { step } else { -step };
                assert!(forward > -0.004, "{} turns at {pair:?}", map.name());
            }
            for pair in table.iter().step_by(64).collect::<Vec<_>>().windows(2) {
                let step = luminance(*pair[1]) - luminance(*pair[0]);
                assert!((step > 0.0) == rises, "{} turns at {pair:?}", map.name());
            }
        }
    }

    #[test]
    fn maps_meet_their_published_colours() {
        let published = [
            (Colormap::Viridis, 64, [59, 82, 139]),
            (Colormap::Viridis, 128, [33, 145, 140]),
            (Colormap::Viridis, 192, [94, 201, 98]),
            (Colormap::Magma, 64, [81, 18, 124]),
            (Colormap::Magma, 128, [183, 55, 121]),
            (Colormap::Magma, 192, [252, 137, 97]),
            (Colormap::Cividis, 64, [67, 78, 108]),
            (Colormap::Cividis, 128, [125, 124, 120]),
            (Colormap::Cividis, 192, [188, 174, 108]),
        ];
        for (map, index, expected) in published {
            let found = map.rgba(index as f32 / 255.0).unwrap();
            for (channel, &value) in expected.iter().enumerate() {
                let off = i32::from(found[channel]) - value;
                assert!(off.abs() <= 2, "{} at {index}: {found:?}", map.name());
            }
        }
    }

    #[test]
    fn diverging_maps_are_neutral_at_zero_and_balanced() {
        for map in Diverging::ALL {
            let [r, g, b, _] = map.rgba(0.0).unwrap();
            assert!(r.abs_diff(g) <= 4 && g.abs_diff(b) <= 4, "{map:?}");
            let (low, high) = (map.rgba(-1.0).unwrap(), map.rgba(1.0).unwrap());
            assert!(low[2] > low[0] && high[0] > high[2]);
            assert!(contrast(low, high) < 1.4, "{map:?}: one arm is stronger");
            assert!(contrast(low, map.rgba(0.0).unwrap()) > 4.0);
        }
    }

    #[test]
    fn names_come_back() {
        for map in Colormap::ALL {
            assert_eq!(Colormap::from_name(map.name()), Some(map));
            let json = serde_json::to_string(&map).unwrap();
            assert_eq!(json, format!("\"{}\"", map.name()));
        }
        assert_eq!(Colormap::from_name("jet"), None);
    }

    #[test]
    fn values_outside_clamp_and_nan_has_no_colour() {
        for map in Colormap::ALL {
            assert_eq!(map.rgba(f32::INFINITY), map.rgba(1.0));
            assert_eq!(map.rgba(f32::NEG_INFINITY), map.rgba(0.0));
            assert_eq!(map.rgba(f32::NAN), None);
        }
        for map in Diverging::ALL {
            assert_eq!(map.rgba(f32::INFINITY), map.rgba(1.0));
            assert_eq!(map.rgba(f32::NEG_INFINITY), map.rgba(-1.0));
            assert_eq!(map.rgba(f32::NAN), None);
        }
    }

    proptest! {
        #[test]
        fn every_number_has_an_opaque_colour_that_text_can_stand_on(t in proptest::num::f32::ANY) {
            for map in Colormap::ALL {
                match map.rgba(t) {
                    None => prop_assert!(t.is_nan()),
                    Some(colour) => {
                        prop_assert_eq!(colour[3], 255);
                        prop_assert!(contrast(colour, text_on(colour)) >= 4.5);
                    }
                }
            }
            for map in Diverging::ALL {
                prop_assert_eq!(map.rgba(t).is_none(), t.is_nan());
            }
        }
    }
}
