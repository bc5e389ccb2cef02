//! From a request and its runs to a figure, its file, or the pictures of an animation.

use std::sync::Arc;

use ndarray::Array2;

use super::difference::{NoDifference, agreement};
use super::drawing::series_index;
use super::figure_request::{FigureKind, FigureRequest};
use super::figure_runs::{FigureProblem, FigureRun, FigureRuns};
use super::first_rows::first_rows;
use crate::alignment::LabelledMatrix;
use crate::figure::{
    BarsSpec, BeamSpec, CurveSpec, FigureBody, FigureFormat, FigureSpec, FontDb, HeatmapSpec,
    LEGIBLE, LinksSpec, Point, Raster, Scene, Series, ValueRange, to_csv, to_gif, to_json,
    to_latex, to_npz, to_pdf, to_png, to_raster, to_svg, to_tsv,
};
use crate::project::DifferencePair;

/// A figure's file, and what its reader should know.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureFile {
    /// What stands in it.
    pub bytes: Vec<u8>,
    /// What is not as it should be, each a sentence without a full stop.
    pub warnings: Vec<String>,
}

/// Letters that are too small or missing, each a sentence without a full stop.
pub fn figure_warnings(scene: &Scene, fonts: &FontDb) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(size) = scene.smallest_text().filter(|size| *size < LEGIBLE - 0.01) {
        warnings.push(format!(
            "the smallest letters have {size:.1} points, and journals ask for {LEGIBLE} or more"
        ));
    }
    let missing = fonts.missing(scene);
    if !missing.is_empty() {
        let names = missing
            .iter()
            .map(|c| format!("{c} (U+{:04X})", u32::from(*c)));
        let names = names.collect::<Vec<_>>().join(", ");
        warnings.push(format!("no font of this system has {names}"));
    }
    warnings
}

impl FigureRequest {
    /// The figure of these runs.
    ///
    /// # Errors
    /// [`FigureProblem`] where there is nothing to draw.
    pub fn spec(&self, runs: &FigureRuns) -> Result<FigureSpec, FigureProblem> {
        if runs.runs.is_empty() {
            return Err(FigureProblem::NoModel);
        }
        if !matches!(self.kind, FigureKind::Beam(_))
            && let Some(run) = runs.runs.iter().find(|run| run.taken == 0)
        {
            return Err(FigureProblem::NoSteps {
                name: run.title().to_owned(),
                problem: run.problem.clone(),
            });
        }
        let body = match self.kind {
            FigureKind::Heatmaps => self.heatmaps(runs)?,
            FigureKind::Links => self.links(runs)?,
            FigureKind::Beam(_) => beams(runs)?,
            FigureKind::Step(step) => FigureBody::Bars(bars(runs, step)?),
        };
        Ok(FigureSpec {
            body,
            options: self.options.clone(),
        })
    }

    /// The finished picture.
    ///
    /// # Errors
    /// [`FigureProblem`] where there is nothing to draw, or not in this size.
    pub fn scene(&self, runs: &FigureRuns) -> Result<Scene, FigureProblem> {
        Ok(self.spec(runs)?.scene()?)
    }

    /// The picture as pixels.
    ///
    /// # Errors
    /// As [`FigureRequest::scene`], and for too many pixels.
    pub fn raster(&self, runs: &FigureRuns) -> Result<Raster, FigureProblem> {
        let scene = self.scene(runs)?;
        let fonts = FontDb::for_scene(&scene);
        Ok(to_raster(&scene, &fonts, self.options.resolution())?)
    }

    /// The figure's file.
    ///
    /// # Errors
    /// [`FigureProblem`], see there.
    pub fn file(
        &self,
        runs: &FigureRuns,
        format: FigureFormat,
    ) -> Result<FigureFile, FigureProblem> {
        let resolution = self.options.resolution();
        let scenes = match format {
            FigureFormat::Gif => self.frames(runs)?,
            FigureFormat::Svg | FigureFormat::Png | FigureFormat::Pdf => vec![self.scene(runs)?],
            _ => Vec::new(),
        };
        let last = scenes.last();
        let fonts = last.map_or_else(FontDb::bundled, FontDb::for_scene);
        let bytes = match (format, last) {
            (FigureFormat::Svg, Some(scene)) => to_svg(scene).into_bytes(),
            (FigureFormat::Png, Some(scene)) => to_png(scene, &fonts, resolution)?,
            (FigureFormat::Pdf, Some(scene)) => to_pdf(scene, &fonts)?,
            (FigureFormat::Gif, _) => to_gif(&scenes, &fonts, resolution)?,
            _ => self.data(runs, format)?,
        };
        let warnings = last.map_or_else(Vec::new, |scene| figure_warnings(scene, &fonts));
        Ok(FigureFile { bytes, warnings })
    }

    fn data(&self, runs: &FigureRuns, format: FigureFormat) -> Result<Vec<u8>, FigureProblem> {
        let runs = Self::checked(runs)?;
        Ok(match format {
            FigureFormat::Csv => to_csv(&runs.tables())?,
            FigureFormat::Tsv => to_tsv(&runs.tables()).into_bytes(),
            FigureFormat::Json => to_json(&self.source, &runs.tables())?.into_bytes(),
            FigureFormat::Npz => to_npz(&runs.tables())?,
            _ => self.latex(runs)?.into_bytes(),
        })
    }

    /// Data of a figure that could be drawn.
    fn checked(runs: &FigureRuns) -> Result<&FigureRuns, FigureProblem> {
        match runs.runs.iter().find(|run| run.taken == 0) {
            None if !runs.runs.is_empty() => Ok(runs),
            None => Err(FigureProblem::NoModel),
            Some(run) => Err(FigureProblem::NoSteps {
                name: run.title().to_owned(),
                problem: run.problem.clone(),
            }),
        }
    }

    /// The heatmaps as tables.
    fn latex(&self, runs: &FigureRuns) -> Result<String, FigureProblem> {
        let figure = FigureSpec {
            body: self.heatmaps(runs)?,
            options: self.options.clone(),
        };
        Ok(to_latex(&figure.heatmaps()))
    }

    /// The figure after one step, two steps and so on, all of one size.
    ///
    /// # Errors
    /// As [`FigureRequest::scene`], and [`FigureProblem::NoFrames`] for hypotheses.
    pub fn frames(&self, runs: &FigureRuns) -> Result<Vec<Scene>, FigureProblem> {
        let steps = runs.runs.iter().map(|run| run.taken).max().unwrap_or(0);
        let last = match self.kind {
            FigureKind::Beam(_) => return Err(FigureProblem::NoFrames),
            FigureKind::Step(step) => step.min(steps.saturating_sub(1)),
            FigureKind::Heatmaps | FigureKind::Links => steps.saturating_sub(1),
        };
        let whole = self.spec(runs)?;
        let frame = |step: usize| -> Result<Scene, FigureProblem> {
            let mut figure = whole.clone();
            match self.kind {
                FigureKind::Step(_) => figure.body = FigureBody::Bars(bars(runs, step)?),
                _ => grow(&mut figure.body, step + 1),
            }
            Ok(figure.scene()?)
        };
        let frames = (0..=last).map(frame).collect::<Result<Vec<Scene>, _>>()?;
        let width = frames.iter().map(|frame| frame.width).fold(0.0, f32::max);
        let height = frames.iter().map(|frame| frame.height).fold(0.0, f32::max);
        let page = |frame: Scene| frame.on_page(width, height, Point::default());
        Ok(frames.into_iter().map(page).collect())
    }

    fn heatmaps(&self, runs: &FigureRuns) -> Result<FigureBody, FigureProblem> {
        if runs.runs.iter().all(|run| run.data.matrix.is_none()) {
            return Err(no_attention(runs));
        }
        let differences = match &self.difference {
            Some(pair) => vec![difference(runs, pair)?],
            None => Vec::new(),
        };
        Ok(FigureBody::Heatmaps {
            panels: runs.runs.iter().filter_map(panel).collect(),
            differences,
            curves: self.curves(runs),
        })
    }

    fn links(&self, runs: &FigureRuns) -> Result<FigureBody, FigureProblem> {
        let link = |run: &FigureRun| {
            let matrix = run.data.matrix.as_ref()?;
            Some(LinksSpec {
                title: run.title().to_owned(),
                series: series_index(run.score),
                ..LinksSpec::new(first_rows(matrix, run.taken))
            })
        };
        let links: Vec<LinksSpec> = runs.runs.iter().filter_map(link).collect();
        if links.is_empty() {
            return Err(no_attention(runs));
        }
        let curves = self.curves(runs);
        Ok(FigureBody::Links { links, curves })
    }

    /// Entropy and context norm, one line a run.
    fn curves(&self, runs: &FigureRuns) -> Vec<CurveSpec> {
        if !self.curves {
            return Vec::new();
        }
        let line = |run: &FigureRun, values: &[f64]| Series {
            name: run.title().to_owned(),
            index: series_index(run.score),
            values: values.iter().take(run.taken).map(|v| *v as f32).collect(),
        };
        let entropies = runs.runs.iter().map(|run| line(run, &run.data.entropies));
        let entropies = entropies.filter(|line| !line.values.is_empty()).collect();
        let norms = runs
            .runs
            .iter()
            .map(|run| line(run, &run.data.context_norms));
        let norms = norms.filter(|line| !line.values.is_empty()).collect();
        let longest = runs.runs.iter().max_by_key(|run| run.taken);
        let steps: Vec<String> = longest.map_or_else(Vec::new, |run| {
            run.data
                .tokens
                .iter()
                .take(run.taken)
                .map(|t| t.text.clone())
                .collect()
        });
        let sources = runs.runs.first().map_or(0, |run| run.data.source.len());
        vec![
            CurveSpec::entropy(steps.clone(), entropies, sources),
            CurveSpec::context_norm(steps, norms),
        ]
    }
}

fn no_attention(runs: &FigureRuns) -> FigureProblem {
    let names: Vec<&str> = runs.runs.iter().map(FigureRun::title).collect();
    FigureProblem::NoAttention(names.join(", "))
}

/// The heatmap of a run; for a model without attention the words that it said, and that it has none.
fn panel(run: &FigureRun) -> Option<HeatmapSpec> {
    let translation = run.data.translation(run.taken);
    let (matrix, subtitle) = if let Some(matrix) = &run.data.matrix {
        (first_rows(matrix, run.taken), translation)
    } else {
        let words = run.data.tokens.iter().take(run.taken);
        let rows: Vec<String> = words.map(|token| token.text.clone()).collect();
        let values = Array2::zeros((rows.len(), 0));
        let matrix = LabelledMatrix::new(rows, Vec::new(), values).ok()?;
        (Arc::new(matrix), "no attention".to_owned())
    };
    let mut spec = HeatmapSpec::new(matrix);
    run.title().clone_into(&mut spec.title);
    spec.subtitle = subtitle;
    Some(spec)
}

fn difference(runs: &FigureRuns, pair: &DifferencePair) -> Result<HeatmapSpec, FigureProblem> {
    let problem = |reason| FigureProblem::Difference {
        left: pair.left.clone(),
        right: pair.right.clone(),
        reason,
    };
    let (Some(left), Some(right)) = (runs.get(&pair.left), runs.get(&pair.right)) else {
        return Err(problem(NoDifference::Missing));
    };
    let matrix = agreement(&left.data, &right.data).map_err(problem)?;
    let agreed = matrix.rows().len();
    let rows = left.taken.min(right.taken);
    let mut spec = HeatmapSpec::new(first_rows(&Arc::new(matrix), rows));
    spec.title = format!("{} − {}", left.title(), right.title());
    if agreed < rows {
        let word = |run: &FigureRun| {
            run.data
                .tokens
                .get(agreed)
                .map(|t| t.text.clone())
                .unwrap_or_default()
        };
        spec.subtitle = format!("until “{}” and “{}”", word(left), word(right));
    }
    left.title().clone_into(&mut spec.value_name);
    right.title().clone_into(&mut spec.low_name);
    spec.range = Some(ValueRange {
        min: -1.0,
        max: 1.0,
    });
    Ok(spec)
}

fn beams(runs: &FigureRuns) -> Result<FigureBody, FigureProblem> {
    let mut beams = Vec::new();
    for run in &runs.runs {
        if run.hypotheses.is_empty() {
            return Err(FigureProblem::NoSteps {
                name: run.title().to_owned(),
                problem: run.problem.clone(),
            });
        }
        let mut spec = BeamSpec::new(run.hypotheses.clone());
        run.title().clone_into(&mut spec.title);
        "hypotheses of the beam search; colours are probabilities".clone_into(&mut spec.subtitle);
        beams.push(spec);
    }
    Ok(FigureBody::Beams(beams))
}

/// The weights of a step, one series a run.
fn bars(runs: &FigureRuns, step: usize) -> Result<BarsSpec, FigureProblem> {
    let attending = || runs.runs.iter().filter(|run| run.data.matrix.is_some());
    let Some(first) = attending().next() else {
        return Err(no_attention(runs));
    };
    let taken = attending().map(|run| run.taken).max().unwrap_or(0);
    let mut words: Vec<&str> = Vec::new();
    let mut series = Vec::new();
    for run in attending().filter(|run| run.data.source == first.data.source) {
        let Some(matrix) = run.data.matrix.as_ref().filter(|_| step < run.taken) else {
            continue;
        };
        series.push(Series {
            name: run.title().to_owned(),
            index: series_index(run.score),
            values: matrix.row(step).to_vec(),
        });
        let word = matrix.rows()[step].as_str();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    if series.is_empty() {
        return Err(FigureProblem::NoStep {
            step: step + 1,
            taken,
        });
    }
    let mut spec = BarsSpec::new(first.data.source.to_vec(), series);
    spec.title = format!("Step {} → {}", step + 1, words.join(" / "));
    if let [only] = &spec.series[..] {
        spec.subtitle.clone_from(&only.name);
    }
    Ok(spec)
}

/// Leaves out what comes behind the first steps.
fn grow(body: &mut FigureBody, steps: usize) {
    let grow_curves = |curves: &mut Vec<CurveSpec>| {
        for spec in curves {
            spec.visible_steps = Some(steps);
        }
    };
    match body {
        FigureBody::Heatmaps {
            panels,
            differences,
            curves,
        } => {
            for spec in panels.iter_mut().chain(differences) {
                spec.visible_rows = Some(steps);
                // The whole sentence would be said before it is.
                spec.subtitle.clear();
            }
            grow_curves(curves);
        }
        FigureBody::Links { links, curves } => {
            for spec in links {
                spec.visible_rows = Some(steps);
            }
            grow_curves(curves);
        }
        FigureBody::Beams(_) | FigureBody::Bars(_) => {}
    }
}
