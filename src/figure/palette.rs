//! Themes of figures: paper, ink and the constant colours of roles and series.

use serde::{Deserialize, Serialize};

use super::colormap::Diverging;
use super::scene::{MarkerShape, Rgba};

/// The marks of the series, in their order.
const MARKS: [MarkerShape; 5] = [
    MarkerShape::Circle,
    MarkerShape::Square,
    MarkerShape::Triangle,
    MarkerShape::Diamond,
    MarkerShape::Cross,
];

/// The number of series that differ in colour and mark.
pub const SERIES_COUNT: usize = 5;

/// Who a token or vector belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The encoder's side.
    Source,
    /// The decoder's side.
    Target,
    /// The context vector between them.
    Context,
}

/// The colours of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Palette {
    /// The page; `None` is transparent, for a page of about [`Palette::surface`]'s colour.
    pub background: Option<Rgba>,
    /// The page's colour, or the one it is thought to have if the background is transparent.
    pub surface: Rgba,
    /// Titles and labels.
    pub text: Rgba,
    /// Subtitles, ticks, `</s>`.
    pub muted: Rgba,
    /// Axes and grid lines.
    pub hairline: Rgba,
    /// Cells of rows that are still to come.
    pub placeholder: Rgba,
    /// The current row.
    pub accent: Rgba,
    /// Source, target, context, in the order of [`Role`].
    pub roles: [Rgba; 3],
    /// Lines and marks of the series.
    pub series: [Rgba; SERIES_COUNT],
    /// The map for signed values.
    pub diverging: Diverging,
}

const fn rgb(hex: u32) -> Rgba {
    let [_, r, g, b] = hex.to_be_bytes();
    [r, g, b, 255]
}

impl Palette {
    /// Dark ink on white.
    pub const fn light() -> Self {
        Self {
            background: Some(rgb(0x00ff_ffff)),
            surface: rgb(0x00ff_ffff),
            text: rgb(0x001d_2129),
            muted: rgb(0x0062_6a76),
            hairline: rgb(0x00dd_e0e5),
            placeholder: rgb(0x00f2_f3f5),
            accent: rgb(0x00d9_480f),
            roles: [rgb(0x001c_66b8), rgb(0x0000_7f5f), rgb(0x00a0_3a86)],
            series: [
                rgb(0x0000_6bb3),
                rgb(0x00c2_5100),
                rgb(0x0000_8a6a),
                rgb(0x00a8_4c8c),
                rgb(0x006b_5c1e),
            ],
            diverging: Diverging::Light,
        }
    }

    /// Light ink on near-black.
    pub const fn dark() -> Self {
        Self {
            background: Some(rgb(0x0015_181d)),
            surface: rgb(0x0015_181d),
            text: rgb(0x00e8_eaee),
            muted: rgb(0x0098_a1ae),
            hairline: rgb(0x0031_363f),
            placeholder: rgb(0x001e_2229),
            accent: rgb(0x00ff_9a5c),
            roles: [rgb(0x006c_b2f5), rgb(0x0043_c7a0), rgb(0x00e5_8fcb)],
            series: [
                rgb(0x0056_b4e9),
                rgb(0x00f0_8c3a),
                rgb(0x002f_c49a),
                rgb(0x00d9_8abf),
                rgb(0x00e8_d44d),
            ],
            diverging: Diverging::Dark,
        }
    }

    /// The same colours without a page behind them.
    #[must_use]
    pub const fn transparent(mut self) -> Self {
        self.background = None;
        self
    }

    /// The colour of a role, the same in every panel.
    pub const fn role(&self, role: Role) -> Rgba {
        self.roles[role as usize]
    }

    /// The colour and mark of the series with a stable index (a scorer keeps its index whichever others
    /// are shown); they repeat after [`SERIES_COUNT`].
    pub const fn series(&self, index: usize) -> (Rgba, MarkerShape) {
        let index = index % SERIES_COUNT;
        (self.series[index], MARKS[index])
    }
}

impl Default for Palette {
    fn default() -> Self {
        Self::light()
    }
}

#[cfg(test)]
mod tests {
    use super::super::colormap::contrast;
    use super::*;

    #[test]
    fn text_and_lines_stand_out_from_the_page() {
        for palette in [Palette::light(), Palette::dark()] {
            let page = palette.surface;
            for text in [palette.text, palette.muted] {
                assert!(contrast(text, page) >= 4.5, "{text:?} on {page:?}");
            }
            let lines = palette.series.iter().chain(&palette.roles);
            for &line in lines.chain([&palette.accent]) {
                assert!(contrast(line, page) >= 3.0, "{line:?} on {page:?}");
            }
            assert!(
                contrast(palette.hairline, page) < 2.0,
                "hairlines are quiet"
            );
        }
    }

    /// Colours as dichromats see them, in linear light (Viénot, Brettel and Mollon 1999).
    fn without_green([r, g, b, _]: Rgba) -> [f32; 3] {
        let linear = |byte: u8| (f32::from(byte) / 255.0).powf(2.2);
        let (r, g, b) = (linear(r), linear(g), linear(b));
        let yellow = 0.292_75 * r + 0.707_25 * g;
        [yellow, yellow, -0.022_34 * r + 0.022_34 * g + b].map(|v| v.max(0.0).powf(1.0 / 2.2))
    }

    #[test]
    fn series_differ_for_eyes_without_green() {
        for palette in [Palette::light(), Palette::dark()] {
            for (index, &a) in palette.series.iter().enumerate() {
                for &b in &palette.series[index + 1..] {
                    let (a, b) = (without_green(a), without_green(b));
                    let square: f32 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
                    assert!(square.sqrt() > 0.09, "{a:?} and {b:?} look alike");
                }
            }
        }
    }

    #[test]
    fn series_keep_their_marks() {
        let palette = Palette::light();
        assert_eq!(palette.series(0).1, MarkerShape::Circle);
        assert_eq!(palette.series(4).1, MarkerShape::Cross);
        assert_eq!(palette.series(5), palette.series(0));
        assert_eq!(palette.transparent().background, None);
    }
}
