//! `regard train`: train a model on pairs.

mod options;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use options::Options;

use super::input;
use super::values::{self, named};
use crate::engine::{CellKind, Model, ModelConfig, Precision, ScoreKind, Wiring};
use crate::text::{TokenPair, TokeniserKind, Vocabulary, drop_final_mark, tokenise_pairs};
use crate::training::{
    Ingredient, TrainingData, TrainingEvent, TrainingJob, TrainingPlan, log_path, resume_path,
};

/// Train a model on sentence pairs, with a progress bar; Ctrl+C ends it cleanly and --resume goes on
///
/// Beside MODEL stand MODEL.resume, the exact state, and MODEL.log.csv, the log. The best model by validation
/// BLEU is kept in MODEL.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Files of pairs (source TAB target), each with an optional share of every pass, such as grammar.tsv:0.08
    #[arg(long, required = true, num_args = 1.., value_name = "FILE[:SHARE]")]
    pairs: Vec<String>,
    /// Pairs to validate on
    #[arg(long, value_name = "FILE")]
    valid: PathBuf,
    /// Files whose first column lists sentences that are kept out of the training data
    #[arg(long, num_args = 1.., value_name = "FILE")]
    exclude: Vec<PathBuf>,
    /// The score: additive, dot, general, scaled_dot or bottleneck
    #[arg(long, value_parser = values::score)]
    scorer: ScoreKind,
    /// Where the model goes
    #[arg(long, value_name = "MODEL")]
    out: PathBuf,
    /// Go on where an earlier training of MODEL stopped
    #[arg(long)]
    resume: bool,
    /// Begin with the weights, sizes, vocabularies and notice of this model, and train it further
    #[arg(
        long,
        value_name = "MODEL",
        conflicts_with_all = [
            "cell", "wiring", "no_input_feeding", "untied", "embedding", "encoder", "decoder",
            "attention", "readout", "source_vocabulary", "target_vocabulary", "min_count",
            "source_tokeniser", "target_tokeniser",
        ]
    )]
    from: Option<PathBuf>,
    /// The cell: gru or lstm
    #[arg(long, default_value = "gru", value_parser = named(values::cell, "gru or lstm"))]
    cell: CellKind,
    /// Where attention stands: bahdanau or luong
    #[arg(long, default_value = "bahdanau", value_parser = named(values::wiring, "bahdanau or luong"))]
    wiring: Wiring,
    /// Luong wiring: do not feed the previous readout into the cell
    #[arg(long)]
    no_input_feeding: bool,
    /// Output weights of their own instead of the target embedding
    #[arg(long)]
    untied: bool,
    /// Embedding size E
    #[arg(long, default_value_t = 128)]
    embedding: usize,
    /// Encoder size H per direction
    #[arg(long, default_value_t = 128)]
    encoder: usize,
    /// Decoder size D [default: twice the encoder]
    #[arg(long)]
    decoder: Option<usize>,
    /// Attention size A [default: the decoder size]
    #[arg(long)]
    attention: Option<usize>,
    /// Readout size R [default: the embedding size]
    #[arg(long)]
    readout: Option<usize>,
    /// Largest source vocabulary
    #[arg(long, default_value_t = 8000)]
    source_vocabulary: usize,
    /// Largest target vocabulary
    #[arg(long, default_value_t = 6000)]
    target_vocabulary: usize,
    /// A word must be seen this often to enter a vocabulary
    #[arg(long, default_value_t = 1)]
    min_count: usize,
    /// How source text becomes words: french, english or whitespace
    #[arg(long, default_value = "french", value_parser = values::tokeniser)]
    source_tokeniser: TokeniserKind,
    /// How target text becomes words: french, english or whitespace
    #[arg(long, default_value = "english", value_parser = values::tokeniser)]
    target_tokeniser: TokeniserKind,
    /// Whose the data is; stands in the model
    #[arg(long, default_value = "")]
    notice: String,
    /// Store weights as f16 or f32
    #[arg(long, default_value = "f32", value_parser = named(values::precision, "f16 or f32"))]
    precision: Precision,
    #[command(flatten)]
    options: Options,
}

impl Arguments {
    fn config(&self, source_vocabulary: usize, target_vocabulary: usize) -> ModelConfig {
        let decoder = self.decoder.unwrap_or(2 * self.encoder);
        ModelConfig {
            source_vocabulary,
            target_vocabulary,
            embedding: self.embedding,
            encoder: self.encoder,
            decoder,
            attention: self.attention.unwrap_or(decoder),
            readout: self.readout.unwrap_or(self.embedding),
            cell: self.cell,
            score: self.scorer,
            wiring: self.wiring,
            input_feeding: self.wiring == Wiring::Luong && !self.no_input_feeding,
            tied: !self.untied,
        }
    }

    /// The model to begin with.
    fn first(&self) -> anyhow::Result<Option<Model>> {
        let Some(path) = &self.from else {
            return Ok(None);
        };
        let model = Model::load(path)?;
        let score = model.network.config().score;
        if score != self.scorer {
            bail!(
                "{} has the score {score}, not {}",
                path.display(),
                self.scorer
            );
        }
        Ok(Some(model))
    }

    /// The sentences to keep out, without their final marks.
    fn excluded(&self, source: TokeniserKind) -> anyhow::Result<HashSet<Vec<String>>> {
        let mut out = HashSet::new();
        for path in &self.exclude {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            for line in text.lines() {
                let sentence = line.split('\t').next().unwrap_or_default();
                out.insert(bare(&source.tokenise(sentence)));
            }
        }
        Ok(out)
    }

    fn ingredients(&self, tokenisers: Tokenisers) -> anyhow::Result<Vec<Ingredient>> {
        let excluded = self.excluded(tokenisers.0)?;
        let mut out = Vec::new();
        for argument in &self.pairs {
            let (path, share) = split_share(argument)?;
            let mut pairs = read(&path, tokenisers)?;
            let before = pairs.len();
            if before == 0 {
                bail!("{}: no pairs in it", path.display());
            }
            pairs.retain(|pair| !excluded.contains(&bare(&pair.source)));
            let kept_out = before - pairs.len();
            eprintln!(
                "{}: {} pairs, {kept_out} kept out",
                path.display(),
                pairs.len()
            );
            out.push(Ingredient { pairs, share });
        }
        Ok(out)
    }

    fn plan(&self) -> anyhow::Result<TrainingPlan> {
        let options = self.options.training();
        options.check()?;
        let first = self.first()?;
        let tokenisers = first
            .as_ref()
            .map_or((self.source_tokeniser, self.target_tokeniser), |model| {
                (model.source_tokeniser, model.target_tokeniser)
            });
        let ingredients = self.ingredients(tokenisers)?;
        let pairs = || ingredients.iter().flat_map(|i| &i.pairs);
        let sources = pairs().flat_map(|p| &p.source).map(String::as_str);
        let targets = pairs().flat_map(|p| &p.target).map(String::as_str);
        let (source_vocabulary, target_vocabulary, config) = if let Some(model) = &first {
            (
                model.source_vocabulary.clone(),
                model.target_vocabulary.clone(),
                model.network.checked_config().clone(),
            )
        } else {
            let source = Vocabulary::build(sources, self.source_vocabulary, self.min_count);
            let target = Vocabulary::build(targets, self.target_vocabulary, self.min_count);
            let config = self.config(source.len(), target.len()).check()?;
            (source, target, config)
        };
        let data = TrainingData::new(
            &ingredients,
            &source_vocabulary,
            &target_vocabulary,
            options.longest,
        );
        let mut valid = TrainingData::examples(
            &read(&self.valid, tokenisers)?,
            &source_vocabulary,
            &target_vocabulary,
        );
        valid.retain(|e| !e.source.is_empty());
        Ok(TrainingPlan {
            options,
            config,
            source_vocabulary,
            target_vocabulary,
            source_tokeniser: tokenisers.0,
            target_tokeniser: tokenisers.1,
            data,
            valid,
            notice: match &first {
                Some(model) if self.notice.is_empty() => model.notice.clone(),
                _ => self.notice.clone(),
            },
            start: first.map(|model| model.network),
            out: self.out.clone(),
            precision: self.precision,
        })
    }
}

/// How source and target text become words.
type Tokenisers = (TokeniserKind, TokeniserKind);

/// The pairs of a file as tokens.
fn read(path: &Path, (source, target): Tokenisers) -> anyhow::Result<Vec<TokenPair>> {
    Ok(tokenise_pairs(&input::pairs(path)?, source, target))
}

/// Tokens without a final mark.
fn bare(tokens: &[String]) -> Vec<String> {
    let mut pair = TokenPair {
        source: tokens.to_vec(),
        target: tokens.to_vec(),
    };
    drop_final_mark(&mut pair);
    pair.source
}

/// `FILE` or `FILE:SHARE`.
fn split_share(argument: &str) -> anyhow::Result<(PathBuf, Option<f32>)> {
    if let Some((path, share)) = argument.rsplit_once(':')
        && let Ok(share) = share.parse::<f32>()
    {
        if share > 0.0 && share < 1.0 {
            return Ok((path.into(), Some(share)));
        }
        bail!("share {share} of {path}: expected more than 0 and less than 1");
    }
    Ok((argument.into(), None))
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let state = resume_path(&arguments.out);
    if state.exists() && !arguments.resume {
        bail!(
            "{} is the state of an earlier training: go on with --resume, or remove it",
            state.display()
        );
    }
    let plan = arguments.plan()?;
    let (passes, left_out) = (plan.options.passes, plan.data.left_out);
    if left_out > 0 {
        eprintln!(
            "{left_out} pairs left out: empty or longer than {} tokens",
            plan.options.longest
        );
    }
    eprintln!(
        "{} with {} source and {} target words; log in {}",
        plan.config.score,
        plan.source_vocabulary.len(),
        plan.target_vocabulary.len(),
        log_path(&plan.out).display()
    );
    let job = TrainingJob::start(plan, arguments.resume)?;
    let cancel = job.cancel_flag();
    ctrlc::set_handler(move || cancel.store(true, Ordering::Relaxed))
        .context("cannot watch for Ctrl+C")?;
    let bar = ProgressBar::new(passes as u64 * 1000);
    let style = "{elapsed_precise} {wide_bar} {msg}";
    bar.set_style(
        ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    for event in &job.events {
        show(&bar, &event);
    }
    bar.finish_and_clear();
    let outcome = job.join()?;
    let best = outcome.best.map_or_else(
        || "none yet".to_owned(),
        |(b, u)| format!("BLEU {b:.2} at update {u}"),
    );
    if outcome.cancelled {
        eprintln!(
            "stopped at update {}; --resume goes on. Best: {best}",
            outcome.updates
        );
        return Ok(ExitCode::from(130));
    }
    println!(
        "{}: {} updates in {:.0} s, best {best}",
        arguments.out.display(),
        outcome.updates,
        outcome.seconds
    );
    Ok(ExitCode::SUCCESS)
}

fn show(bar: &ProgressBar, event: &TrainingEvent) {
    match event {
        TrainingEvent::Progress {
            row,
            remaining_secs,
        } => {
            bar.set_position((row.passed * 1000.0) as u64);
            let left = std::time::Duration::from_secs(remaining_secs.max(0.0) as u64);
            bar.set_message(format!(
                "pass {:.2}  loss {:.3}  {:.0} tokens/s  {} left",
                row.passed,
                row.loss,
                row.tokens_per_second,
                indicatif::HumanDuration(left)
            ));
            if let (Some(loss), Some(accuracy), Some(bleu)) =
                (row.valid_loss, row.valid_accuracy, row.valid_bleu)
            {
                bar.suspend(|| {
                    eprintln!(
                        "pass {:.2}, update {}: validation loss {loss:.3}, accuracy {:.1} %, BLEU {bleu:.2}",
                        row.passed,
                        row.update,
                        accuracy * 100.0
                    );
                });
            }
        }
        TrainingEvent::Saved { bleu } => {
            bar.suspend(|| eprintln!("best so far, saved: BLEU {bleu:.2}"));
        }
    }
}
