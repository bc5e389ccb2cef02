//! From values to positions on a colour map, and the ticks that say which is which.

use serde::{Deserialize, Serialize};

use crate::alignment::LabelledMatrix;

/// The smallest value that [`Scaling::Log`] tells from 0.
pub const LOG_FLOOR: f32 = 1e-4;

/// How a value finds its position between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// Evenly from the range's minimum to its maximum.
    #[default]
    Linear,
    /// Evenly in the logarithm, from the minimum or [`LOG_FLOOR`], whichever is larger. Brings out small
    /// weights; whatever is below the floor, 0 too, is drawn as the floor.
    Log,
    /// Each row by its own maximum, from 0. Shows where a diffuse row looks, but colours of two rows are no
    /// longer comparable.
    RowMax,
}

impl Scaling {
    /// All scalings.
    pub const ALL: [Self; 3] = [Self::Linear, Self::Log, Self::RowMax];

    /// The name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Log => "log",
            Self::RowMax => "row_max",
        }
    }

    /// The scaling of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scaling| scaling.name() == name)
    }

    /// The position of a value in `[0, 1]`, clamped; NaN for NaN. `row_max` is the largest finite value of the
    /// value's row and counts for [`Scaling::RowMax`] only.
    pub fn position(self, value: f32, row_max: f32, range: ValueRange) -> f32 {
        if value.is_nan() {
            return value;
        }
        let (low, high, value) = match self {
            Self::Linear => (range.min, range.max, value),
            Self::Log => {
                let (low, high) = range.log_ends();
                (low.ln(), high.ln(), value.max(LOG_FLOOR).ln())
            }
            Self::RowMax => (0.0, row_max, value),
        };
        if high > low {
            // Halves, so that the width of the widest ranges does not overflow.
            ((value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)).clamp(0.0, 1.0)
        } else {
            // A range without extent: at it or above it is high.
            f32::from(u8::from(value >= high && value > 0.0))
        }
    }

    /// Round values to write beside a colour bar, from low to high, about `count` of them.
    pub fn ticks(self, range: ValueRange, count: usize) -> Vec<Tick> {
        match self {
            Self::Linear => linear_ticks(range, count),
            Self::Log => log_ticks(range),
            Self::RowMax => linear_ticks(ValueRange::UNIT, count.min(3)),
        }
    }
}

/// The values at the ends of a colour map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueRange {
    /// The value at 0.
    pub min: f32,
    /// The value at 1.
    pub max: f32,
}

impl ValueRange {
    /// From 0 to 1: the range of weights.
    pub const UNIT: Self = Self { min: 0.0, max: 1.0 };

    /// One range for several matrices. Values between 0 and 1 are taken for weights and get
    /// [`ValueRange::UNIT`]; others get their extent, from 0 if nothing is negative. Non-finite values do not
    /// count.
    pub fn shared<'a>(matrices: impl IntoIterator<Item = &'a LabelledMatrix>) -> Self {
        let (low, high) = extent(matrices);
        if low >= 0.0 && high <= 1.0 + 1e-3 {
            return Self::UNIT;
        }
        Self {
            min: low.min(0.0),
            max: if high > low.min(0.0) { high } else { 0.0 },
        }
    }

    /// The range of one matrix alone: from 0, or its smallest value if that is negative, to its largest value.
    pub fn own(matrix: &LabelledMatrix) -> Self {
        let (low, high) = extent([matrix]);
        let min = low.min(0.0);
        let max = if high > min { high } else { min + 1.0 };
        Self { min, max }
    }

    /// One range for signed values: the same distance on both sides of 0, a round number that holds all
    /// finite values.
    pub fn symmetric<'a>(matrices: impl IntoIterator<Item = &'a LabelledMatrix>) -> Self {
        let (low, high) = extent(matrices);
        let largest = low.abs().max(high.abs());
        let end = if largest > 0.0 {
            round_up(largest)
        } else {
            1.0
        };
        Self {
            min: -end,
            max: end,
        }
    }

    fn log_ends(self) -> (f32, f32) {
        let low = self.min.max(LOG_FLOOR);
        (low, self.max.max(low * 10.0))
    }
}

/// The smallest and largest finite values; zeros if there are none.
fn extent<'a>(matrices: impl IntoIterator<Item = &'a LabelledMatrix>) -> (f32, f32) {
    let values = matrices.into_iter().flat_map(LabelledMatrix::values);
    let finite = values.copied().filter(|value| value.is_finite());
    let (low, high) = finite.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low <= high { (low, high) } else { (0.0, 0.0) }
}

/// A value written beside a colour bar or an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The value.
    pub value: f32,
    /// Where it stands between the range's ends, in `[0, 1]`.
    pub position: f32,
    /// How it is written.
    pub label: String,
}

/// The step of 1, 2, 2.5 or 5 times a power of ten that cuts `extent` into about `count` parts.
pub(super) fn round_step(extent: f64, count: usize) -> f64 {
    let rough = extent / count.max(1) as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0];
    let near = |step: &&f64| rough <= **step * power * 1.001;
    steps.iter().find(near).unwrap_or(&10.0) * power
}

/// The next number of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is no smaller.
fn round_up(value: f32) -> f32 {
    let value = f64::from(value);
    let power = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let holds = |step: &&f64| value <= **step * power * (1.0 + 1e-6);
    (steps.iter().find(holds).unwrap_or(&10.0) * power).min(f64::from(f32::MAX)) as f32
}

/// Round values in a range with even steps, about `count` steps.
pub fn linear_ticks(range: ValueRange, count: usize) -> Vec<Tick> {
    let extent = f64::from(range.max) - f64::from(range.min);
    if extent.is_finite() && extent > 0.0 {
        step_ticks(range, round_step(extent, count))
    } else {
        Vec::new()
    }
}

/// The multiples of a positive step in a range with an extent.
pub(super) fn step_ticks(range: ValueRange, step: f64) -> Vec<Tick> {
    let (low, high) = (f64::from(range.min), f64::from(range.max));
    let first = (low / step - 1e-6).ceil();
    let last = (high / step + 1e-6).floor();
    let steps = (last - first).clamp(0.0, 100.0) as usize;
    (0..=steps)
        .map(|index| {
            let value = (first + index as f64) * step;
            Tick {
                value: value as f32,
                position: ((value - low) / (high - low)).clamp(0.0, 1.0) as f32,
                label: format_step(value, step),
            }
        })
        .collect()
}

/// Powers of ten, with 2 and 5 between them when there are few.
fn log_ticks(range: ValueRange) -> Vec<Tick> {
    let (low, high) = range.log_ends();
    let decades = (high / low).log10();
    let factors: &[f64] = if decades < 1.7 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0]
    };
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let mut ticks = Vec::new();
    for exponent in first..=last {
        for factor in factors {
            let value = factor * 10_f64.powi(exponent);
            let position = ((value as f32).ln() - low.ln()) / (high.ln() - low.ln());
            if (-1e-4..=1.0001).contains(&position) {
                // The lowest colour stands for everything below, too.
                let below = position < 1e-4 && range.min < low;
                let sign = if below { "≤ " } else { "" };
                ticks.push(Tick {
                    value: value as f32,
                    position: position.clamp(0.0, 1.0),
                    label: format!("{sign}{}", format_step(value, 10_f64.powi(exponent))),
                });
            }
        }
    }
    ticks
}

/// A number with as many decimals as its step needs and a real minus sign; exponents for the very large
/// and small.
fn format_step(value: f64, step: f64) -> String {
    let value = if value.abs() < step * 1e-6 {
        0.0
    } else {
        value
    };
    if value.abs() >= 1e6 || step < 1e-6 {
        return format!("{value:.1e}").replace('-', "−");
    }
    let decimals = (0_i32..=7)
        .find(|&decimals| {
            let scaled = step * 10_f64.powi(decimals);
            (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1.0)
        })
        .unwrap_or(7);
    format!("{value:.0$}", decimals as usize).replace('-', "−")
}

/// A cell's value for reading: two decimals for weights, fewer digits for larger numbers, a real minus.
pub fn format_value(value: f32) -> String {
    let text = match value.abs() {
        size if size < 9.995 => format!("{value:.2}"),
        size if size < 99.95 => format!("{value:.1}"),
        size if size < 99_999.5 => format!("{value:.0}"),
        _ if value.is_finite() => format!("{value:.0e}"),
        _ if value.is_nan() => return "NaN".to_owned(),
        _ => return if value > 0.0 { "∞" } else { "−∞" }.to_owned(),
    };
    if text.trim_matches(['-', '0', '.']).is_empty() {
        return text.trim_start_matches('-').to_owned();
    }
    text.replace('-', "−")
}

#[cfg(test)]
#[path = "scale_tests.rs"]
mod tests;
