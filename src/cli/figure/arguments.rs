//! The options of `regard figure`, and how they become a request.

use std::path::PathBuf;

use serde::de::DeserializeOwned;

use super::named_format;
use crate::app::{FigureKind, FigureRequest, split_names};
use crate::cli::values::named;
use crate::engine::{BeamOptions, DecodePolicy, DecodeSession};
use crate::figure::{Colormap, FigureFormat, FigureTheme, LabelAngle, Length, Scaling};
use crate::project::{DifferencePair, ModelChoices, ModelInterventions};

/// Draw figures of sentences or a session, without a window
///
/// Writes pictures (png, svg, pdf, gif: the decode growing step by step) and numbers (csv, tsv, json, npz, tex). The
/// form is that of the file's ending. Options override what a session says.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// A sentence in quotation marks, or a session (.ron); several make several files in --out-dir
    #[arg(value_name = "SENTENCE", conflicts_with_all = ["file", "source"])]
    pub(super) inputs: Vec<String>,
    /// A sentence that begins with a dash or looks like a session's name
    #[arg(long, value_name = "SENTENCE", conflicts_with = "file")]
    pub(super) source: Option<String>,
    /// Sentences to read, one a line; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// The file to write; - is standard output
    #[arg(short, long, value_name = "FILE", conflicts_with = "out_dir")]
    pub(super) output: Option<PathBuf>,
    /// A folder to write into, one file a sentence
    #[arg(long, value_name = "FOLDER")]
    pub(super) out_dir: Option<PathBuf>,
    /// Names in the folder, from {number}, {sentence} and {scorers} [default: {number}-{sentence}]
    #[arg(long, value_name = "TEMPLATE")]
    pub(super) name_template: Option<String>,
    /// The form: png, svg, pdf, gif, csv, tsv, json, npz, tex [default: the file's ending; png in a folder]
    #[arg(long, value_name = "FORM", value_parser = named_format)]
    pub(super) format: Option<FigureFormat>,
    /// Files that are drawn at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads, requires = "out_dir")]
    pub(super) threads: Option<usize>,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    look: Look,
}

/// What is drawn.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "What is drawn")]
struct Content {
    /// Models side by side: names of shipped ones, or files; with commas between them [default: additive]
    #[arg(long, value_name = "NAMES", value_parser = names)]
    scorers: Option<Names>,
    /// Force this translation instead of the models' own
    #[arg(long, value_name = "SENTENCE")]
    target: Option<String>,
    /// Draw the words; the temperature T is above 0, and 1 is the model's own distribution
    #[arg(long, value_name = "T", value_parser = temperature)]
    sample: Option<f32>,
    /// Names the draw [default: 1]
    #[arg(long, requires = "sample")]
    seed: Option<u64>,
    /// Only so many steps [default: all]
    #[arg(long, value_name = "N", value_parser = steps)]
    steps: Option<usize>,
    /// Changes of a model's attention, as the window writes them: NAME:[…] in JSON
    #[arg(long, value_name = "CHANGES", value_parser = interventions)]
    interventions: Vec<ModelInterventions>,
    /// Words that a person chose in a model's output, as the window writes them: NAME:[…] in JSON
    #[arg(long, value_name = "CHOICES", value_parser = choices)]
    choices: Vec<ModelChoices>,
    /// Lines between source and target words instead of heatmaps
    #[arg(long, conflicts_with_all = ["beam", "step", "difference"])]
    links: bool,
    /// The hypotheses of a beam search of this size, at most 16
    #[arg(long, value_name = "N", value_parser = beam, conflicts_with_all = ["step", "difference", "curves"])]
    beam: Option<usize>,
    /// The weights of one step as bars
    #[arg(long, value_name = "N", value_parser = steps, conflicts_with_all = ["difference", "curves"])]
    step: Option<usize>,
    /// The weights of A minus those of B [default: of the first two models]
    #[arg(
        long,
        value_name = "A,B",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = pair
    )]
    difference: Option<Pair>,
    /// Entropy and context norm below
    #[arg(long, overrides_with = "no_curves")]
    curves: bool,
    /// No curves, although the session has them
    #[arg(long, overrides_with = "curves")]
    no_curves: bool,
}

/// What it looks like.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "What it looks like")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of a command line"
)]
struct Look {
    /// Above everything
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The exact width, such as 85mm, 17cm, 6in, 240pt or 1200px
    #[arg(long, value_name = "LENGTH")]
    width: Option<Length>,
    /// The exact height
    #[arg(long, value_name = "LENGTH")]
    height: Option<Length>,
    /// Pixels to the inch, 72 to 1200 [default: 300 with a size in print, else 144]
    #[arg(long, value_name = "N")]
    dpi: Option<u16>,
    /// Size of labels in points, 4 to 72 [default: 8 with a size in print, else 12]
    #[arg(long, value_name = "POINTS")]
    font_size: Option<f32>,
    /// Colours of weights: viridis, magma, cividis or grey
    #[arg(long, value_name = "NAME", value_parser = named(Colormap::from_name, "viridis, magma, cividis or grey"))]
    colormap: Option<Colormap>,
    /// Spread of weights over the colours: linear, log, or row_max, by each row's largest
    #[arg(long, value_name = "NAME", value_parser = named(Scaling::from_name, "linear, log or row_max"))]
    scaling: Option<Scaling>,
    /// A colour scale for each heatmap, up to its largest weight
    #[arg(long)]
    own_scales: bool,
    /// Numbers in the cells, although the session has none
    #[arg(long, overrides_with = "no_values")]
    values: bool,
    /// No numbers in the cells
    #[arg(long, overrides_with = "values")]
    no_values: bool,
    /// Leave out weights below, 0 to 1 [default: 0.05 for links, else 0]
    #[arg(long, value_name = "WEIGHT")]
    threshold: Option<f32>,
    /// Colours of everything else: light or dark
    #[arg(long, value_name = "NAME", value_parser = named(FigureTheme::from_name, "light or dark"))]
    theme: Option<FigureTheme>,
    /// Nothing behind the figure
    #[arg(long)]
    transparent: bool,
    /// Labels above columns: auto, level, slanted or upright
    #[arg(long, value_name = "NAME", value_parser = named(LabelAngle::from_name, "auto, level, slanted or upright"))]
    label_angle: Option<LabelAngle>,
    /// Source words from top to bottom and target words from left to right
    #[arg(long)]
    transposed: bool,
}

/// Names of models.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Names(Vec<String>);

/// Two models, or the first two.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Pair {
    First,
    Named(DifferencePair),
}

fn names(text: &str) -> Result<Names, String> {
    let names = split_names(text);
    if names.iter().any(String::is_empty) {
        return Err("expected names with commas between them, such as additive,dot".to_owned());
    }
    let twice = names
        .iter()
        .enumerate()
        .find(|(i, name)| names[..*i].contains(name));
    match twice {
        Some((_, name)) => Err(format!("{name:?} is named twice")),
        None => Ok(Names(names)),
    }
}

fn pair(text: &str) -> Result<Pair, String> {
    if text.is_empty() {
        return Ok(Pair::First);
    }
    match &split_names(text)[..] {
        [left, right] if !left.is_empty() && !right.is_empty() => Ok(Pair::Named(DifferencePair {
            left: left.clone(),
            right: right.clone(),
        })),
        _ => Err("expected two names with a comma between them, such as additive,dot".to_owned()),
    }
}

/// A model's name, a colon and a list in JSON.
fn of_model<T: DeserializeOwned>(text: &str) -> Result<(String, Vec<T>), String> {
    let at = text
        .find(":[")
        .ok_or_else(|| "expected a model's name, a colon and a list, such as dot:[…]".to_owned())?;
    let list = serde_json::from_str(&text[at + 1..]).map_err(|e| e.to_string())?;
    Ok((text[..at].to_owned(), list))
}

fn interventions(text: &str) -> Result<ModelInterventions, String> {
    of_model(text).map(|(model, list)| ModelInterventions { model, list })
}

fn choices(text: &str) -> Result<ModelChoices, String> {
    of_model(text).map(|(model, list)| ModelChoices { model, list })
}

/// A whole number of a range.
fn number(text: &str, last: usize) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (1..=last).contains(n));
    number.ok_or_else(|| format!("expected a whole number from 1 to {last}"))
}

fn steps(text: &str) -> Result<usize, String> {
    number(text, DecodeSession::LARGEST_STEP_LIMIT)
}

fn beam(text: &str) -> Result<usize, String> {
    number(text, BeamOptions::LARGEST_SIZE)
}

fn threads(text: &str) -> Result<usize, String> {
    number(text, 1024)
}

fn temperature(text: &str) -> Result<f32, String> {
    let temperature = text
        .parse()
        .ok()
        .filter(|t: &f32| t.is_finite() && *t > 0.0);
    temperature.ok_or_else(|| "expected a number above 0".to_owned())
}

impl Arguments {
    /// What `base` asks for, with the options that were given written over it.
    pub(super) fn over(&self, mut base: FigureRequest) -> Result<FigureRequest, String> {
        let content = &self.content;
        if let Some(Names(names)) = &content.scorers {
            base.models.clone_from(names);
            // A difference of models that are no longer shown.
            let shown = |name: &String| names.contains(name);
            base.difference = base
                .difference
                .filter(|p| shown(&p.left) && shown(&p.right));
        }
        if content.target.is_some() {
            base.target.clone_from(&content.target);
        }
        if let Some(temperature) = content.sample {
            base.policy = DecodePolicy::Sample {
                temperature,
                seed: content.seed.unwrap_or(1),
            };
        }
        base.steps = content.steps.or(base.steps);
        if !content.interventions.is_empty() {
            base.interventions.clone_from(&content.interventions);
        }
        if !content.choices.is_empty() {
            base.choices.clone_from(&content.choices);
        }
        base.kind = match (content.links, content.beam, content.step) {
            (true, _, _) => FigureKind::Links,
            (_, Some(size), _) => FigureKind::Beam(size),
            (_, _, Some(step)) => FigureKind::Step(step - 1),
            _ => base.kind,
        };
        if base.kind != FigureKind::Heatmaps {
            base.difference = None;
        }
        match (&content.difference, &base.models[..]) {
            (None, _) => {}
            (Some(Pair::Named(pair)), _) => base.difference = Some(pair.clone()),
            (Some(Pair::First), [left, right, ..]) => {
                let (left, right) = (left.clone(), right.clone());
                base.difference = Some(DifferencePair { left, right });
            }
            (Some(Pair::First), _) => {
                return Err("--difference needs two models: name them with --scorers".to_owned());
            }
        }
        base.curves = (base.curves || content.curves) && !content.no_curves;
        self.look.over(&mut base);
        base.options.check().map_err(|error| error.to_string())?;
        Ok(base)
    }
}

impl Look {
    fn over(&self, base: &mut FigureRequest) {
        let options = &mut base.options;
        if let Some(title) = &self.title {
            options.title.clone_from(title);
        }
        options.width = self.width.or(options.width);
        options.height = self.height.or(options.height);
        options.dpi = self.dpi.or(options.dpi);
        options.font_size = self.font_size.or(options.font_size);
        options.threshold = self.threshold.or(options.threshold);
        options.colormap = self.colormap.unwrap_or(options.colormap);
        options.scaling = self.scaling.unwrap_or(options.scaling);
        options.theme = self.theme.unwrap_or(options.theme);
        options.label_angle = self.label_angle.unwrap_or(options.label_angle);
        options.shared_scale &= !self.own_scales;
        options.values = (options.values || self.values) && !self.no_values;
        options.transparent |= self.transparent;
        options.transposed |= self.transposed;
    }
}
