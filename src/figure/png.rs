//! Scene to pixels and PNG files, through its SVG and the bundled fonts.

use png::{BitDepth, ColorType, Encoder, PixelDimensions, Unit};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::Tree;

use super::fonts::FontDb;
use super::scene::Scene;
use super::svg::to_svg;

/// The longest side of a picture, in px.
pub const MAX_SIDE: u32 = 16_384;
/// The most pixels of a picture: 400 MB of memory.
pub const MAX_PIXELS: u64 = 100_000_000;

/// A picture that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The scene has no area.
    #[error("the figure is empty: its size is {width} by {height} points")]
    Empty {
        /// Width in points.
        width: f32,
        /// Height in points.
        height: f32,
    },
    /// The resolution is no positive number.
    #[error("expected a positive resolution, found {0}")]
    Resolution(f32),
    /// Too many pixels.
    #[error(
        "the picture would be {width} by {height} px; at most {MAX_SIDE} px a side and {MAX_PIXELS} in all: lower \
         the resolution, or export SVG"
    )]
    TooLarge {
        /// Width in px.
        width: u64,
        /// Height in px.
        height: u64,
    },
    /// The SVG could not be read back.
    #[error("the figure could not be drawn")]
    Svg(#[from] resvg::usvg::Error),
    /// The PNG could not be written.
    #[error("the picture could not be encoded")]
    Encode(#[from] png::EncodingError),
}

/// How many pixels a point gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolution {
    /// Pixels to the point.
    Scale(f32),
    /// Pixels to the inch: 72 is one to the point.
    Dpi(f32),
}

impl Resolution {
    /// Pixels to the point.
    pub fn scale(self) -> f32 {
        match self {
            Self::Scale(scale) => scale,
            Self::Dpi(dpi) => dpi / 72.0,
        }
    }

    /// Pixels to the inch.
    pub fn dpi(self) -> f32 {
        self.scale() * 72.0
    }

    /// The size in px of a scene at this resolution.
    ///
    /// # Errors
    /// [`RenderError`] for an empty scene, a resolution that is not positive, or too many pixels.
    pub fn pixel_size(self, scene: &Scene) -> Result<(u32, u32), RenderError> {
        let (width, height) = (scene.width, scene.height);
        let has_area = width > 0.0 && height > 0.0 && width.is_finite() && height.is_finite();
        if !has_area {
            return Err(RenderError::Empty { width, height });
        }
        let scale = self.scale();
        if !(scale.is_finite() && scale > 0.0) {
            let given = match self {
                Self::Scale(given) | Self::Dpi(given) => given,
            };
            return Err(RenderError::Resolution(given));
        }
        // A hundredth of a pixel is no reason for a further row.
        let pixels =
            |points: f32| ((f64::from(points) * f64::from(scale) - 0.01).ceil() as u64).max(1);
        let (width, height) = (pixels(width), pixels(height));
        let limit = u64::from(MAX_SIDE);
        if width > limit || height > limit || width * height > MAX_PIXELS {
            return Err(RenderError::TooLarge { width, height });
        }
        Ok((width as u32, height as u32))
    }
}

/// Pixels in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// Width in px.
    pub width: u32,
    /// Height in px.
    pub height: u32,
    /// Red, green, blue, opacity, not premultiplied, row after row from the top.
    pub rgba: Vec<u8>,
}

/// Draws a scene.
///
/// # Errors
/// [`RenderError`], see there.
pub fn to_raster(
    scene: &Scene,
    fonts: &FontDb,
    resolution: Resolution,
) -> Result<Raster, RenderError> {
    let (width, height) = resolution.pixel_size(scene)?;
    let tree = Tree::from_str(&to_svg(scene), &fonts.options())?;
    let too_large = RenderError::TooLarge {
        width: u64::from(width),
        height: u64::from(height),
    };
    let mut pixmap = Pixmap::new(width, height).ok_or(too_large)?;
    let scale = resolution.scale();
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixmap.as_mut(),
    );
    let mut rgba = pixmap.take();
    for pixel in rgba.chunks_exact_mut(4) {
        let alpha = u32::from(pixel[3]);
        if alpha != 0 && alpha != 255 {
            for channel in &mut pixel[..3] {
                *channel = ((u32::from(*channel) * 255 + alpha / 2) / alpha).min(255) as u8;
            }
        }
    }
    Ok(Raster {
        width,
        height,
        rgba,
    })
}

/// Draws a scene into a PNG file that knows its size in print.
///
/// # Errors
/// [`RenderError`], see there.
pub fn to_png(
    scene: &Scene,
    fonts: &FontDb,
    resolution: Resolution,
) -> Result<Vec<u8>, RenderError> {
    let raster = to_raster(scene, fonts, resolution)?;
    Ok(encode_pixels(
        raster.width,
        raster.height,
        &raster.rgba,
        Some(resolution.dpi()),
    )?)
}

/// Pixels (`width × height × 4` bytes) as a PNG file, with its resolution in dpi if it has one.
pub(super) fn encode_pixels(
    width: u32,
    height: u32,
    rgba: &[u8],
    dpi: Option<f32>,
) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    if let Some(dpi) = dpi {
        let per_metre = (f64::from(dpi) / 0.0254).round() as u32;
        encoder.set_pixel_dims(Some(PixelDimensions {
            xppu: per_metre,
            yppu: per_metre,
            unit: Unit::Meter,
        }));
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(rgba)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::scene::{ImageItem, Item, Rect};
    use super::*;
    use proptest::prelude::*;

    fn square(width: f32, height: f32) -> Scene {
        Scene {
            width,
            height,
            items: vec![Item::filled(
                Rect::new(1.0, 1.0, 2.0, 2.0),
                [200, 100, 50, 255],
            )],
            ..Scene::default()
        }
    }

    fn pixel(raster: &Raster, x: u32, y: u32) -> [u8; 4] {
        let at = ((y * raster.width + x) * 4) as usize;
        raster.rgba[at..at + 4].try_into().unwrap()
    }

    #[test]
    fn cells_have_their_exact_colours() {
        let raster = to_raster(
            &square(4.0, 4.0),
            &FontDb::bundled(),
            Resolution::Scale(2.0),
        )
        .unwrap();
        assert_eq!((raster.width, raster.height), (8, 8));
        assert_eq!(pixel(&raster, 2, 2), [200, 100, 50, 255]);
        assert_eq!(pixel(&raster, 5, 5), [200, 100, 50, 255]);
        assert_eq!(
            pixel(&raster, 6, 6),
            [0, 0, 0, 0],
            "no page, no edge that bleeds"
        );
    }

    #[test]
    fn image_cells_are_not_blurred() {
        let colours = [
            [255, 0, 0, 255],
            [0, 255, 0, 255],
            [0, 0, 255, 255],
            [9, 8, 7, 255],
        ];
        let scene = Scene {
            width: 20.0,
            height: 20.0,
            items: vec![Item::Image(ImageItem {
                rect: Rect::new(0.0, 0.0, 20.0, 20.0),
                width: 2,
                height: 2,
                rgba: colours.concat().into(),
            })],
            ..Scene::default()
        };
        let raster = to_raster(&scene, &FontDb::bundled(), Resolution::Scale(1.0)).unwrap();
        assert_eq!(pixel(&raster, 9, 9), colours[0]);
        assert_eq!(pixel(&raster, 10, 9), colours[1]);
        assert_eq!(pixel(&raster, 9, 10), colours[2]);
        assert_eq!(pixel(&raster, 10, 10), colours[3]);
    }

    #[test]
    fn the_file_knows_its_resolution() {
        let bytes = to_png(
            &square(4.0, 4.0),
            &FontDb::bundled(),
            Resolution::Dpi(300.0),
        )
        .unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(&bytes))
            .read_info()
            .unwrap();
        let dims = reader.info().pixel_dims.unwrap();
        assert_eq!((dims.xppu, dims.yppu), (11_811, 11_811));
        assert_eq!(reader.info().width, 17);
    }

    #[test]
    fn impossible_sizes_are_errors() {
        let size = |scene: &Scene, resolution: Resolution| resolution.pixel_size(scene);
        let one = Resolution::Scale(1.0);
        assert!(matches!(
            size(&square(0.0, 5.0), one),
            Err(RenderError::Empty { .. })
        ));
        assert!(matches!(
            size(&square(f32::NAN, 5.0), one),
            Err(RenderError::Empty { .. })
        ));
        let large = size(&square(9000.0, 5.0), Resolution::Scale(2.0)).unwrap_err();
        assert!(large.to_string().contains("18000 by 10 px"), "{large}");
        assert!(matches!(
            size(&square(1e4, 1.1e4), one),
            Err(RenderError::TooLarge { .. })
        ));
        for wrong in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let found = size(&square(5.0, 5.0), Resolution::Dpi(wrong));
            assert!(matches!(found, Err(RenderError::Resolution(_))));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn no_size_panics(width in prop::num::f32::ANY, height in 0.0_f32..60.0, scale in prop::num::f32::ANY) {
            let result = to_raster(&square(width, height), &FontDb::bundled(), Resolution::Scale(scale));
            if let Ok(raster) = result {
                prop_assert_eq!(raster.rgba.len(), (raster.width * raster.height * 4) as usize);
            }
        }
    }
}
