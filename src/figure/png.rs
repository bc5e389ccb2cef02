//! Scene to pixels and PNG files.

use png::{BitDepth, ColorType, Compression, Encoder, PixelDimensions, Unit};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::Tree;

use super::fonts::FontDb;
use super::raster;
use super::scene::Scene;
use super::svg::to_svg;
use super::text::missing_characters;

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
    /// Larger than a page of a PDF may be.
    #[error(
        "the page would be {width:.0} by {height:.0} points; a PDF has at most 14400 a side: lower the size, or export SVG"
    )]
    Page {
        /// Width in points.
        width: f32,
        /// Height in points.
        height: f32,
    },
    /// The PDF could not be written.
    #[error("the PDF could not be written: {0}")]
    Pdf(String),
    /// The pictures of an animation do not fit together.
    #[error("the animation could not be made: {0}")]
    Animation(String),
    /// The GIF could not be written.
    #[error("the animation could not be encoded")]
    Gif(#[from] gif::EncodingError),
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
    let too_large = RenderError::TooLarge {
        width: u64::from(width),
        height: u64::from(height),
    };
    let mut pixmap = Pixmap::new(width, height).ok_or(too_large)?;
    let scale = resolution.scale();
    let has_letters = fonts.is_bundled()
        || scene
            .texts()
            .all(|item| missing_characters(&item.text).is_empty());
    if has_letters && raster::can_draw(scene) {
        raster::draw(scene, scale, pixmap.as_mut());
    } else {
        let tree = Tree::from_str(&to_svg(scene), &fonts.options())?;
        let transform = Transform::from_scale(scale, scale);
        resvg::render(&tree, transform, &mut pixmap.as_mut());
    }
    let is_opaque = scene.background.is_some_and(|colour| colour[3] == 255);
    let mut rgba = pixmap.take();
    if is_opaque {
        return Ok(Raster {
            width,
            height,
            rgba,
        });
    }
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
    let is_opaque = rgba.chunks_exact(4).all(|pixel| pixel[3] == 255);
    encoder.set_color(if is_opaque {
        ColorType::Rgb
    } else {
        ColorType::Rgba
    });
    encoder.set_depth(BitDepth::Eight);
    // Flat pictures are small in every setting, and this one is many times as fast as the usual one.
    encoder.set_compression(Compression::Fast);
    if let Some(dpi) = dpi {
        let per_metre = (f64::from(dpi) / 0.0254).round() as u32;
        encoder.set_pixel_dims(Some(PixelDimensions {
            xppu: per_metre,
            yppu: per_metre,
            unit: Unit::Meter,
        }));
    }
    let mut writer = encoder.write_header()?;
    if is_opaque {
        let pixels = rgba.chunks_exact(4);
        let rgb: Vec<u8> = pixels
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect();
        writer.write_image_data(&rgb)?;
    } else {
        writer.write_image_data(rgba)?;
    }
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
#[path = "png_tests.rs"]
mod tests;
