//! Draws the window on the processor: no graphics card, no driver, no display, the same picture everywhere.
//!
//! What egui tessellates are triangles with a colour and a place in a texture at each corner. They are filled here
//! as a graphics card does it: pixel centres, the top-left rule, blending of premultiplied colours.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::rc::Rc;

use eframe::egui::{
    self, Color32, ImageData, Rect, TextureFilter, TextureId, TexturesDelta,
    epaint::{Mesh, Primitive, Vertex},
};
use egui_kittest::TestRenderer;

use super::desk::Desk;

/// Fractions of a pixel to which corners are rounded, as graphics cards do.
const SUBPIXELS: f32 = 256.0;

type Colour = [f32; 4];

fn colour(colour: Color32) -> Colour {
    colour.to_array().map(f32::from)
}

struct Texture {
    size: [usize; 2],
    pixels: Vec<Colour>,
    filter: TextureFilter,
}

impl Texture {
    fn texel(&self, x: i64, y: i64) -> Colour {
        let [w, h] = self.size;
        let (x, y) = (x.clamp(0, w as i64 - 1), y.clamp(0, h as i64 - 1));
        self.pixels[y as usize * w + x as usize]
    }

    fn sample(&self, uv: [f32; 2]) -> Colour {
        let (x, y) = (uv[0] * self.size[0] as f32, uv[1] * self.size[1] as f32);
        if self.filter == TextureFilter::Nearest {
            return self.texel(x.floor() as i64, y.floor() as i64);
        }
        let (x, y) = (x - 0.5, y - 0.5);
        let (fx, fy) = (x - x.floor(), y - y.floor());
        let (x, y) = (x.floor() as i64, y.floor() as i64);
        let row = |y| mix(self.texel(x, y), self.texel(x + 1, y), fx);
        mix(row(y), row(y + 1), fy)
    }
}

fn mix(a: Colour, b: Colour, share: f32) -> Colour {
    std::array::from_fn(|k| a[k] + (b[k] - a[k]) * share)
}

/// The textures of a window, and the way to a picture of it.
#[derive(Clone, Default)]
pub(crate) struct Screen(Rc<RefCell<HashMap<TextureId, Texture>>>);

impl Screen {
    /// What the window hands its textures to.
    pub(crate) fn renderer(&self) -> impl TestRenderer + 'static {
        self.clone()
    }

    /// The last frame.
    pub(crate) fn shot(&self, desk: &Desk) -> Picture {
        let scale = desk.ctx.pixels_per_point();
        let size = (desk.ctx.content_rect().size() * scale).round();
        let mut canvas = Canvas {
            size: [size.x as usize, size.y as usize],
            pixels: vec![[0.0, 0.0, 0.0, 255.0]; size.x as usize * size.y as usize],
            scale,
        };
        let textures = self.0.borrow();
        let shapes = desk.output().shapes.clone();
        for part in desk.ctx.tessellate(shapes, scale) {
            // Nothing in this program paints by itself.
            let Primitive::Mesh(mesh) = &part.primitive else {
                continue;
            };
            canvas.mesh(mesh, &textures[&mesh.texture_id], part.clip_rect);
        }
        let bytes = canvas
            .pixels
            .iter()
            .map(|pixel| [pixel[0] as u8, pixel[1] as u8, pixel[2] as u8]);
        Picture {
            size: canvas.size,
            scale,
            pixels: bytes.collect(),
        }
    }
}

impl TestRenderer for Screen {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        let mut textures = self.0.borrow_mut();
        for (id, images) in delta.set.drain() {
            for part in images {
                let ImageData::Color(image) = &part.image;
                let [w, h] = image.size;
                let pixels = image.pixels.iter().map(|pixel| colour(*pixel));
                let Some([left, top]) = part.pos else {
                    let texture = Texture {
                        size: image.size,
                        pixels: pixels.collect(),
                        filter: part.options.magnification,
                    };
                    textures.insert(id, texture);
                    continue;
                };
                let texture = textures.get_mut(&id).unwrap();
                let rows: Vec<Colour> = pixels.collect();
                for y in 0..h {
                    let start = (top + y) * texture.size[0] + left;
                    texture.pixels[start..start + w].copy_from_slice(&rows[y * w..(y + 1) * w]);
                }
            }
        }
        for id in delta.free.drain() {
            textures.remove(&id);
        }
    }
}

struct Canvas {
    size: [usize; 2],
    pixels: Vec<Colour>,
    scale: f32,
}

impl Canvas {
    fn mesh(&mut self, mesh: &Mesh, texture: &Texture, clip: Rect) {
        let edge =
            |points: f32, most: usize| ((points * self.scale).round().max(0.0) as usize).min(most);
        let [w, h] = self.size;
        let clip = [
            [edge(clip.min.x, w), edge(clip.max.x, w)],
            [edge(clip.min.y, h), edge(clip.max.y, h)],
        ];
        for corners in mesh.indices.chunks_exact(3) {
            let corners = [0, 1, 2].map(|i| mesh.vertices[corners[i] as usize]);
            self.triangle(corners, texture, clip);
        }
    }

    fn triangle(&mut self, mut corners: [Vertex; 3], texture: &Texture, clip: [[usize; 2]; 2]) {
        let fixed = |points: f32| (points * self.scale * SUBPIXELS).round() as i64;
        let mut at = corners.map(|corner| [fixed(corner.pos.x), fixed(corner.pos.y)]);
        let mut area = side(at[0], at[1], at[2]);
        if area < 0 {
            at.swap(1, 2);
            corners.swap(1, 2);
            area = -area;
        }
        if area == 0 {
            return;
        }
        let one = SUBPIXELS as i64;
        let span = |axis: usize| {
            let values = at.map(|point| point[axis].div_euclid(one));
            let first = values.iter().min().copied().unwrap_or(0).max(0) as usize;
            let last = (values.iter().max().copied().unwrap_or(0) + 1).max(0) as usize;
            first.max(clip[axis][0])..last.min(clip[axis][1])
        };
        // A pixel on the edge of two triangles belongs to the one on whose left or top it is.
        let owns = [(1, 2), (2, 0), (0, 1)].map(|(a, b)| {
            let [dx, dy] = [at[b][0] - at[a][0], at[b][1] - at[a][1]];
            dy < 0 || (dy == 0 && dx > 0)
        });
        let colours = corners.map(|corner| colour(corner.color));
        let uvs = corners.map(|corner| [corner.uv.x, corner.uv.y]);
        for y in span(1) {
            for x in span(0) {
                let centre = [x as i64 * one + one / 2, y as i64 * one + one / 2];
                let sides = [(1, 2), (2, 0), (0, 1)].map(|(a, b)| side(at[a], at[b], centre));
                if (0..3).any(|i| sides[i] < 0 || (sides[i] == 0 && !owns[i])) {
                    continue;
                }
                let shares = sides.map(|part| part as f32 / area as f32);
                let ink = blend(&colours, shares);
                let texel = texture.sample(blend(&uvs, shares));
                let source: Colour = std::array::from_fn(|k| ink[k] * texel[k] / 255.0);
                let pixel = &mut self.pixels[y * self.size[0] + x];
                let through = 1.0 - source[3] / 255.0;
                *pixel =
                    std::array::from_fn(|k| (source[k] + pixel[k] * through).round().min(255.0));
            }
        }
    }
}

/// Twice the signed area of a triangle: on which side of `a b` the point lies.
fn side(a: [i64; 2], b: [i64; 2], point: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
}

fn blend<const N: usize>(values: &[[f32; N]; 3], shares: [f32; 3]) -> [f32; N] {
    std::array::from_fn(|k| (0..3).map(|i| values[i][k] * shares[i]).sum())
}

/// A picture without transparency.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Picture {
    /// Width and height in pixels.
    pub(crate) size: [usize; 2],
    scale: f32,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// The part in a rectangle of the window, in points.
    pub(crate) fn cropped(&self, rect: Rect) -> Self {
        let [w, h] = self.size;
        let bound =
            |points: f32, most: usize| ((points * self.scale).round().max(0.0) as usize).min(most);
        let columns = bound(rect.min.x, w)..bound(rect.max.x, w);
        let rows = bound(rect.min.y, h)..bound(rect.max.y, h);
        let size = [columns.len(), rows.len()];
        let pixels = rows.flat_map(|y| &self.pixels[y * w..][columns.clone()]);
        Self {
            size,
            scale: self.scale,
            pixels: pixels.copied().collect(),
        }
    }

    /// How many different colours it has.
    pub(crate) fn colours(&self) -> usize {
        self.pixels.iter().collect::<BTreeSet<_>>().len()
    }

    /// How many pixels differ by more than `tolerance` of 255 in a channel; all where the size differs.
    pub(crate) fn differing(&self, other: &Self, tolerance: u8) -> usize {
        if self.size != other.size {
            return self.pixels.len().max(other.pixels.len());
        }
        let differs =
            |(a, b): &(&[u8; 3], &[u8; 3])| (0..3).any(|k| a[k].abs_diff(b[k]) > tolerance);
        self.pixels
            .iter()
            .zip(&other.pixels)
            .filter(differs)
            .count()
    }

    /// Reads a PNG file with 8 bits a channel; transparency is left out.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let mut decoder = png::Decoder::new(BufReader::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
        let mut bytes = vec![0; reader.output_buffer_size().ok_or("too large")?];
        let frame = reader
            .next_frame(&mut bytes)
            .map_err(|error| error.to_string())?;
        let samples = frame.color_type.samples();
        if frame.bit_depth != png::BitDepth::Eight || samples < 3 {
            return Err("not a picture in true colours".to_owned());
        }
        let pixels = bytes[..frame.buffer_size()].chunks_exact(samples);
        Ok(Self {
            size: [frame.width as usize, frame.height as usize],
            scale: 1.0,
            pixels: pixels.map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect(),
        })
    }

    /// Writes a small PNG file: 32 levels a channel, which is within what may differ.
    pub(crate) fn write(&self, path: &Path) -> Result<(), String> {
        let levels = |channel: u8| channel & 0xf8 | channel >> 5;
        let coarse: Vec<[u8; 3]> = self.pixels.iter().map(|p| p.map(levels)).collect();
        let file = File::create(path).map_err(|error| error.to_string())?;
        let [width, height] = self.size.map(|side| side as u32);
        let mut encoder = png::Encoder::new(BufWriter::new(file), width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        let write = |encoder: png::Encoder<_>| {
            let mut writer = encoder.write_header()?;
            writer.write_image_data(coarse.as_flattened())?;
            writer.finish()
        };
        write(encoder).map_err(|error: png::EncodingError| error.to_string())
    }
}

#[test]
fn neighbouring_triangles_share_no_pixel_and_leave_no_gap() {
    let white = Texture {
        size: [1, 1],
        pixels: vec![[255.0; 4]],
        filter: TextureFilter::Linear,
    };
    let mut mesh = Mesh::default();
    let half = Color32::from_rgba_premultiplied(64, 64, 64, 128);
    mesh.add_colored_rect(
        Rect::from_min_max(egui::pos2(1.0, 1.0), egui::pos2(7.0, 5.0)),
        half,
    );
    let mut canvas = Canvas {
        size: [9, 7],
        pixels: vec![[0.0, 0.0, 0.0, 255.0]; 63],
        scale: 1.0,
    };
    canvas.mesh(&mesh, &white, Rect::EVERYTHING);
    let covered: Vec<usize> = (0..63).filter(|i| canvas.pixels[*i][0] == 64.0).collect();
    let expected = (0..63).filter(|i| (1..7).contains(&(i % 9)) && (1..5).contains(&(i / 9)));
    assert_eq!(covered, expected.collect::<Vec<_>>());
    assert!(
        canvas
            .pixels
            .iter()
            .all(|pixel| [0.0, 64.0].contains(&pixel[0]))
    );
}
