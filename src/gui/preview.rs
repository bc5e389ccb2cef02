//! The preview of an export: drawn on a thread beside the window, by what will write the file.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use eframe::egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions, Vec2};

use super::theme::colour;
use crate::app::{AppState, FigureProblem, FigureRequest, FigureRuns};
use crate::figure::{FigureFormat, FontDb, LEGIBLE, Resolution, to_raster};

/// Lines of a text that are shown.
const LINES: usize = 60;
/// Letters of a text that are shown.
const LETTERS: usize = 8000;
/// The most pixels to the point: a small figure is not blown up.
const LARGEST_SCALE: f32 = 3.0;
const MM_PER_POINT: f32 = 25.4 / 72.0;

/// What a preview is of.
#[derive(Clone, PartialEq)]
struct Subject {
    request: FigureRequest,
    format: FigureFormat,
    /// The space in px.
    space: [u32; 2],
    /// The state's: models and sentences may change behind the dialog.
    revision: u64,
}

/// What a thread drew.
enum Drawn {
    Picture {
        pixels: ColorImage,
        page: Color32,
        facts: String,
        warnings: Vec<String>,
    },
    Text(String),
}

/// What is shown.
pub(super) enum Shown {
    /// A picture.
    Picture {
        /// Its pixels.
        texture: TextureHandle,
        /// What lies behind it.
        page: Color32,
        /// Its size and resolution.
        facts: String,
        /// What is not as it should be.
        warnings: Vec<String>,
    },
    /// The beginning of a file of numbers.
    Text(String),
    /// Why there is none.
    Problem(String),
}

type Answer = (Subject, Result<Drawn, String>);

/// The preview that is shown, and the one that is being drawn.
#[derive(Default)]
pub(super) struct PreviewMemo {
    of: Option<Subject>,
    shown: Option<Shown>,
    answer: Option<Receiver<Answer>>,
}

impl PreviewMemo {
    /// The preview of a figure in a space in px; the one before it as long as it is being drawn.
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        state: &AppState,
        request: &FigureRequest,
        format: FigureFormat,
        space: Vec2,
    ) -> Option<&Shown> {
        self.take(ctx);
        let subject = Subject {
            request: request.clone(),
            format,
            space: [space.x.max(1.0) as u32, space.y.max(1.0) as u32],
            revision: state.revision(),
        };
        if self.answer.is_none() && self.of.as_ref() != Some(&subject) {
            let runs = state.figure_runs(request);
            let (sender, receiver) = channel();
            let ctx = ctx.clone();
            super::services::spawn("preview", move || {
                let drawn = draw(&subject, &runs).map_err(|problem| problem.to_string());
                // The dialog may be closed: then nobody waits for it.
                let _ = sender.send((subject, drawn));
                ctx.request_repaint();
            });
            self.answer = Some(receiver);
        }
        self.shown.as_ref()
    }

    /// Takes what a thread has finished.
    fn take(&mut self, ctx: &Context) {
        let Some(receiver) = &self.answer else { return };
        let (subject, drawn) = match receiver.try_recv() {
            Ok(answer) => answer,
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => {
                self.answer = None;
                return;
            }
        };
        self.answer = None;
        self.of = Some(subject);
        self.shown = Some(match drawn {
            Ok(Drawn::Picture {
                pixels,
                page,
                facts,
                warnings,
            }) => Shown::Picture {
                texture: ctx.load_texture("preview", pixels, TextureOptions::LINEAR),
                page,
                facts,
                warnings,
            },
            Ok(Drawn::Text(text)) => Shown::Text(text),
            Err(problem) => Shown::Problem(problem),
        });
    }
}

fn draw(subject: &Subject, runs: &FigureRuns) -> Result<Drawn, FigureProblem> {
    let (request, format) = (&subject.request, subject.format);
    if !format.is_picture() {
        let file = request.file(runs, format)?;
        return Ok(Drawn::Text(beginning(&file.bytes)));
    }
    let scene = request.scene(runs)?;
    let fonts = FontDb::for_scene(&scene);
    let resolution = request.options.resolution();
    let [width, height] = subject.space.map(|side| side as f32);
    let scale = (width / scene.width)
        .min(height / scene.height)
        .min(LARGEST_SCALE);
    let raster = to_raster(&scene, &fonts, Resolution::Scale(scale))?;
    let size = [raster.width as usize, raster.height as usize];
    let [width, height] = [scene.width, scene.height].map(|side| side * MM_PER_POINT);
    let mut facts = vec![format!("{width:.1} × {height:.1} mm")];
    if matches!(format, FigureFormat::Png | FigureFormat::Gif) {
        let (width, height) = resolution.pixel_size(&scene)?;
        let dpi = resolution.dpi();
        facts.push(format!("{width} × {height} px at {dpi:.0} dpi"));
    }
    if format == FigureFormat::Gif {
        facts.push("growing step by step".to_owned());
    }
    let smallest = scene.smallest_text().unwrap_or(LEGIBLE);
    facts.push(format!("letters from {smallest:.1} pt"));
    Ok(Drawn::Picture {
        pixels: ColorImage::from_rgba_unmultiplied(size, &raster.rgba),
        page: colour(request.options.palette().surface),
        facts: facts.join(", "),
        warnings: crate::app::figure_warnings(&scene, &fonts),
    })
}

/// The first lines of a text; of an archive its size.
fn beginning(bytes: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return format!(
            "An archive of {} bytes for numpy.load: tokens, weights, scores, entropy, norms",
            bytes.len()
        );
    };
    let mut shown: String = text.lines().take(LINES).flat_map(|l| [l, "\n"]).collect();
    if let Some((end, _)) = shown.char_indices().nth(LETTERS) {
        shown.truncate(end);
    }
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
