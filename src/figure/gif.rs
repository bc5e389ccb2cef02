//! Scenes of one size to an animated GIF.
//!
//! All pictures share one palette of their most frequent colours: pages, cells and letters of a figure are flat,
//! so that these are nearly all there are, and nothing flickers. A picture holds the rectangle that changed.

use std::collections::HashMap;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::fonts::FontDb;
use super::png::{Raster, RenderError, Resolution, to_raster};
use super::scene::Scene;

/// Colours of the palette besides transparency.
const COLOURS: usize = 255;
/// The palette's place of transparency.
const TRANSPARENT: u8 = 255;
/// Hundredths of a second that a picture stands.
const DELAY: u16 = 70;
/// Hundredths of a second that the last picture stands.
const LAST_DELAY: u16 = 250;

type Rgb = [u8; 3];

/// Draws pictures one after the other, in a loop.
///
/// # Errors
/// [`RenderError`], see there; [`RenderError::Animation`] without pictures or if their sizes differ.
pub fn to_gif(
    scenes: &[Scene],
    fonts: &FontDb,
    resolution: Resolution,
) -> Result<Vec<u8>, RenderError> {
    let animation = |problem: &str| RenderError::Animation(problem.to_owned());
    let Some(last) = scenes.last() else {
        return Err(animation("there is no picture to show"));
    };
    let last = to_raster(last, fonts, resolution)?;
    let palette = Palette::new(&last);
    let side = |pixels: u32| u16::try_from(pixels).map_err(|_| animation("it is too large"));
    let (width, height) = (side(last.width)?, side(last.height)?);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette.bytes())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut matcher = Matcher::new(palette);
    let mut shown: Option<Vec<u8>> = None;
    for (index, scene) in scenes.iter().enumerate() {
        let is_last = index + 1 == scenes.len();
        let raster = if is_last {
            last.clone()
        } else {
            to_raster(scene, fonts, resolution)?
        };
        if (raster.width, raster.height) != (last.width, last.height) {
            return Err(animation("its pictures differ in size"));
        }
        let pixels = matcher.indices(&raster);
        let delay = if is_last { LAST_DELAY } else { DELAY };
        let frame = changed(shown.as_deref(), &pixels, usize::from(width), delay);
        encoder.write_frame(&frame)?;
        shown = Some(pixels);
    }
    drop(encoder);
    Ok(bytes)
}

/// The colours that most pixels have.
struct Palette(Vec<Rgb>);

impl Palette {
    fn new(raster: &Raster) -> Self {
        let mut counts: HashMap<Rgb, usize> = HashMap::new();
        for pixel in raster.rgba.chunks_exact(4) {
            if pixel[3] >= 128 {
                *counts.entry([pixel[0], pixel[1], pixel[2]]).or_default() += 1;
            }
        }
        let mut colours: Vec<(Rgb, usize)> = counts.into_iter().collect();
        // Equal counts by colour, so that the order is the same in every run.
        colours.sort_unstable_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
        colours.truncate(COLOURS);
        Self(colours.into_iter().map(|(colour, _)| colour).collect())
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.0.concat();
        bytes.resize(3 * (COLOURS + 1), 0);
        bytes
    }
}

/// Finds the nearest colour of the palette, each colour once.
struct Matcher {
    palette: Palette,
    known: HashMap<Rgb, u8>,
}

impl Matcher {
    fn new(palette: Palette) -> Self {
        let exact = palette.0.iter().enumerate();
        let known = exact
            .map(|(index, colour)| (*colour, index as u8))
            .collect();
        Self { palette, known }
    }

    fn indices(&mut self, raster: &Raster) -> Vec<u8> {
        let pixels = raster.rgba.chunks_exact(4);
        pixels
            .map(|pixel| {
                if pixel[3] < 128 {
                    return TRANSPARENT;
                }
                self.index([pixel[0], pixel[1], pixel[2]])
            })
            .collect()
    }

    fn index(&mut self, colour: Rgb) -> u8 {
        let palette = &self.palette.0;
        *self.known.entry(colour).or_insert_with(|| {
            let distance = |other: &Rgb| -> u32 {
                let channels = colour.iter().zip(other);
                channels
                    .map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2))
                    .sum()
            };
            let nearest = palette
                .iter()
                .enumerate()
                .min_by_key(|(_, other)| distance(other));
            nearest.map_or(TRANSPARENT, |(index, _)| index as u8)
        })
    }
}

/// The smallest rectangle that holds every changed pixel; one pixel if nothing changed.
fn changed<'a>(before: Option<&[u8]>, pixels: &[u8], width: usize, delay: u16) -> Frame<'a> {
    let height = pixels.len() / width;
    let (mut left, mut top, mut right, mut bottom) = (width, height, 0, 0);
    match before {
        None => (left, top, right, bottom) = (0, 0, width, height),
        Some(before) => {
            for (at, _) in pixels
                .iter()
                .zip(before)
                .enumerate()
                .filter(|(_, (new, old))| new != old)
            {
                let (x, y) = (at % width, at / width);
                (left, right) = (left.min(x), right.max(x + 1));
                (top, bottom) = (top.min(y), bottom.max(y + 1));
            }
        }
    }
    if left >= right {
        (left, top, right, bottom) = (0, 0, 1, 1);
    }
    let rows = (top..bottom).flat_map(|y| &pixels[y * width + left..y * width + right]);
    Frame {
        delay,
        dispose: DisposalMethod::Keep,
        transparent: Some(TRANSPARENT),
        left: left as u16,
        top: top as u16,
        width: (right - left) as u16,
        height: (bottom - top) as u16,
        buffer: rows.copied().collect(),
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Item, Rect};
    use super::*;

    fn squares(count: usize) -> Scene {
        let square = |n: usize| {
            let rect = Rect::new(10.0 * n as f32, 10.0, 8.0, 8.0);
            Item::filled(rect, [40 * n as u8, 90, 200, 255])
        };
        Scene {
            width: 50.0,
            height: 30.0,
            background: Some([255; 4]),
            items: (0..count).map(square).collect(),
            ..Scene::default()
        }
    }

    #[test]
    fn later_pictures_hold_only_what_changed_and_colours_are_exact() {
        let scenes: Vec<Scene> = (1..4).map(squares).collect();
        let resolution = Resolution::Scale(1.0);
        let bytes = to_gif(&scenes, &FontDb::bundled(), resolution).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        let mut sizes = Vec::new();
        let mut colours = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            sizes.push((frame.left, frame.top, frame.width, frame.height));
            let middle = usize::from(frame.width) * 4 * usize::from(frame.height / 2);
            colours.push(frame.buffer[middle + 8..middle + 12].to_vec());
        }
        assert_eq!(sizes, [(0, 0, 50, 30), (10, 10, 8, 8), (20, 10, 8, 8)]);
        assert_eq!(colours[1], [40, 90, 200, 255]);
        assert_eq!(colours[2], [80, 90, 200, 255]);
    }

    #[test]
    fn no_pictures_and_unequal_ones_are_errors() {
        let draw = |scenes: &[Scene]| to_gif(scenes, &FontDb::bundled(), Resolution::Scale(1.0));
        assert!(matches!(draw(&[]), Err(RenderError::Animation(_))));
        let mut wide = squares(1);
        wide.width = 60.0;
        let found = draw(&[wide, squares(1)]);
        assert!(matches!(found, Err(RenderError::Animation(_))));
    }
}
