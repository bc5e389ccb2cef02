//! What a figure looks like apart from what it shows: size, resolution, letters, colours.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::colormap::Colormap;
use super::labels::LabelAngle;
use super::palette::Palette;
use super::png::{MAX_SIDE, Resolution};
use super::scale::Scaling;

/// Points in a millimetre.
const POINTS_PER_MM: f32 = 72.0 / 25.4;
/// The longest side in millimetres: what a page of a PDF may have.
pub const MAX_MM: f32 = 5080.0;
/// The resolution of pixels without a size in print: two to the point.
const SCREEN_DPI: u16 = 144;
/// The resolution where a size in print was asked for.
const PRINT_DPI: u16 = 300;
/// Size of labels in points without a size in print, and with one.
const FONT_SIZES: [f32; 2] = [12.0, 8.0];

/// A side of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Length {
    /// Millimetres, in print.
    Mm(f32),
    /// Pixels, at the figure's resolution.
    Px(f32),
}

/// A text that is no length.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a length such as 85mm, 17cm, 6in, 240pt or 1200px, found {0:?}")]
pub struct LengthError(String);

impl FromStr for Length {
    type Err = LengthError;

    fn from_str(text: &str) -> Result<Self, LengthError> {
        let error = || LengthError(text.to_owned());
        let unit_at = text
            .find(|c: char| c.is_ascii_alphabetic())
            .unwrap_or(text.len());
        let (number, unit) = text.split_at(unit_at);
        let number: f32 = number.trim().parse().map_err(|_| error())?;
        match unit {
            "mm" => Ok(Self::Mm(number)),
            "cm" => Ok(Self::Mm(number * 10.0)),
            "in" => Ok(Self::Mm(number * 25.4)),
            "pt" => Ok(Self::Mm(number / POINTS_PER_MM)),
            "px" => Ok(Self::Px(number)),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mm(number) => write!(f, "{number}mm"),
            Self::Px(number) => write!(f, "{number}px"),
        }
    }
}

impl TryFrom<String> for Length {
    type Error = LengthError;

    fn try_from(text: String) -> Result<Self, LengthError> {
        text.parse()
    }
}

impl From<Length> for String {
    fn from(length: Length) -> Self {
        length.to_string()
    }
}

/// The colours of a figure around its cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureTheme {
    /// Dark ink on white, for paper.
    #[default]
    Light,
    /// Light ink on near-black, for slides.
    Dark,
}

impl FigureTheme {
    /// Both themes.
    pub const ALL: [Self; 2] = [Self::Light, Self::Dark];

    /// The name used in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The theme of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }
}

/// What a figure looks like. Everything has a default; [`FigureOptions::check`] says what cannot be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of a figure, set by name"
)]
pub struct FigureOptions {
    /// Above everything; may be empty.
    pub title: String,
    /// The exact width; `None` is as the cells need.
    pub width: Option<Length>,
    /// The exact height; `None` is as the content needs.
    pub height: Option<Length>,
    /// Pixels to the inch, from 72 to 1200; `None` is 300 with a size in millimetres, else 144.
    pub dpi: Option<u16>,
    /// Size of labels in points, from 4 to 72; `None` is 8 with a size in millimetres, else 12. Titles are larger
    /// and numbers smaller by a sixth.
    pub font_size: Option<f32>,
    /// The colours of weights.
    pub colormap: Colormap,
    /// How weights are spread over the colours.
    pub scaling: Scaling,
    /// One colour scale for all heatmaps.
    pub shared_scale: bool,
    /// Numbers in the cells, where they fit.
    pub values: bool,
    /// Weights below are not drawn; `None` is 0 for cells and 0.05 for links.
    pub threshold: Option<f32>,
    /// The colours of everything else.
    pub theme: FigureTheme,
    /// Nothing behind the figure, which stands on a page of the theme.
    pub transparent: bool,
    /// How labels above columns are turned.
    pub label_angle: LabelAngle,
    /// Source tokens from top to bottom and target tokens from left to right.
    pub transposed: bool,
}

impl Default for FigureOptions {
    fn default() -> Self {
        Self {
            title: String::new(),
            width: None,
            height: None,
            dpi: None,
            font_size: None,
            colormap: Colormap::default(),
            scaling: Scaling::default(),
            shared_scale: true,
            values: true,
            threshold: None,
            theme: FigureTheme::default(),
            transparent: false,
            label_angle: LabelAngle::default(),
            transposed: false,
        }
    }
}

/// Options that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OptionsError {
    /// A side of no or too much length.
    #[error("the {side} {found} must be above 0 and at most {MAX_MM}mm or {MAX_SIDE}px")]
    Length {
        /// `width` or `height`.
        side: &'static str,
        /// The length given.
        found: Length,
    },
    /// A resolution out of range.
    #[error("{0} dpi must be from 72 to 1200")]
    Dpi(u16),
    /// A font size out of range.
    #[error("the font size {0} must be from 4 to 72 points")]
    FontSize(f32),
    /// A threshold out of range.
    #[error("the threshold {0} must be from 0 to 1")]
    Threshold(f32),
}

impl FigureOptions {
    /// Checks every field.
    ///
    /// # Errors
    /// The first option that cannot be.
    pub fn check(&self) -> Result<(), OptionsError> {
        for (side, length) in [("width", self.width), ("height", self.height)] {
            let (number, most) = match length {
                None => continue,
                Some(Length::Mm(number)) => (number, MAX_MM),
                Some(Length::Px(number)) => (number, MAX_SIDE as f32),
            };
            // Written so that NaN falls outside.
            if let (Some(found), false) = (length, number > 0.0 && number <= most) {
                return Err(OptionsError::Length { side, found });
            }
        }
        match (self.dpi, self.font_size, self.threshold) {
            (Some(dpi), _, _) if !(72..=1200).contains(&dpi) => Err(OptionsError::Dpi(dpi)),
            (_, Some(size), _) if !(4.0..=72.0).contains(&size) => {
                Err(OptionsError::FontSize(size))
            }
            (_, _, Some(threshold)) if !(0.0..=1.0).contains(&threshold) => {
                Err(OptionsError::Threshold(threshold))
            }
            _ => Ok(()),
        }
    }

    /// Whether a side has a length in print.
    fn is_print(&self) -> bool {
        [self.width, self.height]
            .iter()
            .any(|length| matches!(length, Some(Length::Mm(_))))
    }

    /// The resolution of pixels.
    pub fn resolution(&self) -> Resolution {
        let usual = if self.is_print() {
            PRINT_DPI
        } else {
            SCREEN_DPI
        };
        Resolution::Dpi(f32::from(self.dpi.unwrap_or(usual)))
    }

    /// The exact size in points, as far as it was asked for.
    pub fn size(&self) -> [Option<f32>; 2] {
        let points = |length: Length| match length {
            Length::Mm(number) => number * POINTS_PER_MM,
            Length::Px(number) => number / self.resolution().scale(),
        };
        [self.width.map(points), self.height.map(points)]
    }

    /// Size of labels in points.
    pub fn label_size(&self) -> f32 {
        let usual = FONT_SIZES[usize::from(self.is_print())];
        self.font_size.unwrap_or(usual)
    }

    /// The colours around the cells.
    pub fn palette(&self) -> Palette {
        let palette = match self.theme {
            FigureTheme::Light => Palette::light(),
            FigureTheme::Dark => Palette::dark(),
        };
        if self.transparent {
            palette.transparent()
        } else {
            palette
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lengths_have_units() {
        assert_eq!("85mm".parse(), Ok(Length::Mm(85.0)));
        assert_eq!("8.5 cm".parse(), Ok(Length::Mm(85.0)));
        assert_eq!(
            "72pt".parse::<Length>().map(|l| l.to_string()),
            Ok("25.4mm".to_owned())
        );
        assert_eq!("1200px".parse(), Ok(Length::Px(1200.0)));
        for wrong in ["", "mm", "85", "85 furlongs", "e5mm", "px85"] {
            assert!(wrong.parse::<Length>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_column_of_85_mm_at_600_dpi_has_2008_pixels() {
        let options = FigureOptions {
            width: Some(Length::Mm(85.0)),
            dpi: Some(600),
            ..FigureOptions::default()
        };
        let points = options.size()[0].unwrap();
        assert_eq!((points * options.resolution().scale()).ceil(), 2008.0);
        assert_eq!(options.label_size(), 8.0);
    }

    #[test]
    fn what_cannot_be_is_named() {
        let with = |change: &dyn Fn(&mut FigureOptions)| {
            let mut options = FigureOptions::default();
            change(&mut options);
            options.check().map_err(|error| error.to_string())
        };
        assert_eq!(with(&|_| ()), Ok(()));
        let wrong = [
            with(&|o| o.width = Some(Length::Mm(0.0))),
            with(&|o| o.height = Some(Length::Px(100_000.0))),
            with(&|o| o.width = Some(Length::Px(f32::NAN))),
            with(&|o| o.dpi = Some(71)),
            with(&|o| o.font_size = Some(3.0)),
            with(&|o| o.threshold = Some(f32::NAN)),
        ];
        let words = [
            "width 0mm",
            "height 100000px",
            "NaNpx",
            "71 dpi",
            "size 3",
            "NaN",
        ];
        for (wrong, word) in wrong.iter().zip(words) {
            assert!(wrong.as_ref().is_err_and(|m| m.contains(word)), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn lengths_come_back(number in 0.01_f32..5000.0, px: bool) {
            let length = if px { Length::Px(number) } else { Length::Mm(number) };
            prop_assert_eq!(length.to_string().parse::<Length>(), Ok(length));
        }
    }
}
