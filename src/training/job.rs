//! A whole training: passes, validations, checkpoints, the log; in the caller's thread or in one of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Instant;

use super::data::{Example, TrainingData};
use super::log::{Log, LogRow};
use super::loss::LossSums;
use super::options::{OptionError, TrainingOptions};
use super::resume::{self, Position, ResumeError};
use super::trainer::{Trainer, forced_loss, translate};
use crate::engine::{CheckedConfig, CheckpointError, Model, Precision, Seq2Seq};
use crate::metrics::{BleuCounts, Smoothing};
use crate::storage::WriteError;
use crate::text::{TokeniserKind, Vocabulary};

/// Updates between two rows of the log.
const ROW: u64 = 50;

/// Everything a training needs.
#[derive(Debug, Clone)]
pub struct TrainingPlan {
    /// The options.
    pub options: TrainingOptions,
    /// The model's configuration.
    pub config: CheckedConfig,
    /// Words of the source side.
    pub source_vocabulary: Vocabulary,
    /// Words of the target side.
    pub target_vocabulary: Vocabulary,
    /// How source text became words.
    pub source_tokeniser: TokeniserKind,
    /// How target text became words.
    pub target_tokeniser: TokeniserKind,
    /// The data.
    pub data: TrainingData,
    /// The weights to begin with, of this configuration; `None` for seeded ones.
    pub start: Option<Seq2Seq>,
    /// What is validated on.
    pub valid: Vec<Example>,
    /// The data notice that goes into the model.
    pub notice: String,
    /// Where the best model goes; the state and the log stand beside it.
    pub out: PathBuf,
    /// How its weights are stored.
    pub precision: Precision,
}

/// What happens while a training runs.
#[derive(Debug, Clone, PartialEq)]
pub enum TrainingEvent {
    /// A row of the log was written.
    Progress {
        /// The row.
        row: LogRow,
        /// Seconds left, by the speed so far.
        remaining_secs: f64,
    },
    /// The best model so far was written.
    Saved {
        /// Validation BLEU.
        bleu: f64,
    },
}

/// How a training ended.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingOutcome {
    /// Whether it was cancelled; it can be resumed.
    pub cancelled: bool,
    /// Updates done.
    pub updates: u64,
    /// The best validation BLEU and its update.
    pub best: Option<(f64, u64)>,
    /// Seconds spent, earlier sittings included.
    pub seconds: f64,
}

/// Why a training could not go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// An option is out of range.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// It cannot be resumed.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The model could not be written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// There is nothing to train on or to validate on.
    #[error("no usable pairs to {0}")]
    NoData(&'static str),
    /// The loss or a gradient stopped being a finite number.
    #[error(
        "update {update}: loss {loss}, gradient norm {norm}; a lower --rate or --clip helps, the last state is kept"
    )]
    Diverged {
        /// The update.
        update: u64,
        /// The loss.
        loss: f64,
        /// The gradient's norm.
        norm: f64,
    },
    /// The thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// `MODEL.resume`: where the state of the training of `out` stands.
pub fn resume_path(out: &Path) -> PathBuf {
    beside(out, "resume")
}

/// `MODEL.log.csv`: where the log of the training of `out` stands.
pub fn log_path(out: &Path) -> PathBuf {
    beside(out, "log.csv")
}

fn beside(out: &Path, ending: &str) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Trains until the passes are done or `cancel` is set; with `resume` from where an earlier sitting left it,
/// if it left anything. What is computed does not depend on interruptions.
///
/// # Errors
/// See [`TrainingError`]; whatever was written before stands.
pub fn train(
    plan: &TrainingPlan,
    resume: bool,
    cancel: &AtomicBool,
    events: &mut dyn FnMut(TrainingEvent),
) -> Result<TrainingOutcome, TrainingError> {
    plan.options.check()?;
    if plan.data.is_empty() {
        return Err(TrainingError::NoData("train on"));
    }
    if plan.valid.is_empty() {
        return Err(TrainingError::NoData("validate on"));
    }
    let fingerprint = plan.data.fingerprint();
    let state = resume_path(&plan.out);
    let (position, trainer) = if resume && state.exists() {
        let (position, trainer) = resume::load(&state)?;
        position.check(&plan.config, &plan.options, &fingerprint)?;
        (position, trainer)
    } else {
        let position = Position {
            config: (*plan.config).clone(),
            options: plan.options.clone(),
            data: fingerprint,
            pass: 0,
            batch: 0,
            updates: 0,
            tokens: 0,
            seconds: 0.0,
            interval: LossSums::default(),
            best: None,
        };
        let seeded = || Seq2Seq::initialised(&plan.config, plan.options.seed);
        let network = plan.start.clone().unwrap_or_else(seeded);
        (position, Trainer::new(network))
    };
    let log = Log::open(&log_path(&plan.out), position.updates)?;
    let mut run = Run {
        plan,
        position,
        trainer,
        log,
        began: Instant::now(),
        earlier: 0.0,
        row_at: Instant::now(),
    };
    run.earlier = run.position.seconds;
    run.passes(cancel, events)
}

/// A training while it runs.
struct Run<'a> {
    plan: &'a TrainingPlan,
    position: Position,
    trainer: Trainer,
    log: Log,
    began: Instant,
    /// Seconds of earlier sittings.
    earlier: f64,
    row_at: Instant,
}

impl Run<'_> {
    fn passes(
        &mut self,
        cancel: &AtomicBool,
        events: &mut dyn FnMut(TrainingEvent),
    ) -> Result<TrainingOutcome, TrainingError> {
        let options = &self.plan.options;
        while self.position.pass < options.passes {
            let batches = self.plan.data.pass(self.position.pass, options);
            while self.position.batch < batches.len() {
                if cancel.load(Ordering::Relaxed) {
                    self.save_state()?;
                    return Ok(self.outcome(true));
                }
                let passed =
                    self.position.pass as f64 + self.position.batch as f64 / batches.len() as f64;
                let rate = options.rate_at(self.position.updates, passed);
                let report = self
                    .trainer
                    .step(&batches[self.position.batch], options, rate);
                if !report.gradient_norm.is_finite() || !report.sums.loss.is_finite() {
                    let (update, loss) = (self.position.updates, report.sums.mean());
                    return Err(TrainingError::Diverged {
                        update,
                        loss,
                        norm: report.gradient_norm,
                    });
                }
                self.position.batch += 1;
                self.position.updates += 1;
                self.position.tokens += report.sums.tokens as u64;
                self.position.interval += report.sums;
                let passed =
                    self.position.pass as f64 + self.position.batch as f64 / batches.len() as f64;
                let mut row = None;
                if is_validation(self.position.batch, batches.len(), options.validations) {
                    row = Some(self.validate(events)?);
                } else if self.position.updates.is_multiple_of(ROW) {
                    row = Some((None, None, None));
                }
                if let Some(valid) = row {
                    self.write_row(passed, rate, report.gradient_norm, valid, events)?;
                    if valid.0.is_some() {
                        self.save_state()?;
                    }
                }
            }
            self.position.pass += 1;
            self.position.batch = 0;
        }
        self.save_state()?;
        Ok(self.outcome(false))
    }

    /// Validates, and writes the model if it is the best so far.
    fn validate(&mut self, events: &mut dyn FnMut(TrainingEvent)) -> Result<Valid, TrainingError> {
        let threads = self.plan.options.threads;
        let network = &self.trainer.network;
        let sums = forced_loss(network, &self.plan.valid, threads);
        let sources: Vec<&[u32]> = self.plan.valid.iter().map(|e| &e.source[..]).collect();
        let mut counts = BleuCounts::default();
        for (translation, example) in translate(network, &sources, threads)
            .iter()
            .zip(&self.plan.valid)
        {
            counts.add(&translation[..], &example.target[..]);
        }
        let bleu = counts.score(Smoothing::None).score;
        let loss = sums.negative_log_likelihood / sums.tokens as f64;
        if self.position.best.is_none_or(|(best, _)| bleu >= best) {
            self.position.best = Some((bleu, self.position.updates));
            self.model(&sums, bleu)
                .save(&self.plan.out, self.plan.precision)?;
            events(TrainingEvent::Saved { bleu });
        }
        Ok((Some(loss), Some(sums.accuracy()), Some(bleu)))
    }

    fn model(&self, valid: &LossSums, bleu: f64) -> Model {
        let plan = self.plan;
        let training = serde_json::json!({
            "options": plan.options,
            "updates": self.position.updates,
            "target_tokens": self.position.tokens,
            "valid_loss": valid.negative_log_likelihood / valid.tokens as f64,
            "valid_perplexity": valid.perplexity(),
            "valid_accuracy": valid.accuracy(),
            "valid_bleu": bleu,
            "data": self.position.data,
        });
        Model {
            network: self.trainer.network.clone(),
            source_vocabulary: plan.source_vocabulary.clone(),
            target_vocabulary: plan.target_vocabulary.clone(),
            source_tokeniser: plan.source_tokeniser,
            target_tokeniser: plan.target_tokeniser,
            training,
            notice: plan.notice.clone(),
        }
    }

    fn write_row(
        &mut self,
        passed: f64,
        rate: f32,
        gradient_norm: f64,
        (valid_loss, valid_accuracy, valid_bleu): Valid,
        events: &mut dyn FnMut(TrainingEvent),
    ) -> Result<(), TrainingError> {
        let sums = std::mem::take(&mut self.position.interval);
        let row = LogRow {
            update: self.position.updates,
            passed,
            rate,
            loss: sums.mean(),
            accuracy: sums.accuracy(),
            gradient_norm,
            valid_loss,
            valid_accuracy,
            valid_bleu,
            tokens_per_second: sums.tokens as f64 / self.row_at.elapsed().as_secs_f64(),
        };
        self.row_at = Instant::now();
        self.log.append(&row)?;
        let per_pass = self.seconds() / passed;
        let remaining_secs = per_pass * (self.plan.options.passes as f64 - passed);
        events(TrainingEvent::Progress {
            row,
            remaining_secs,
        });
        Ok(())
    }

    fn seconds(&self) -> f64 {
        self.earlier + self.began.elapsed().as_secs_f64()
    }

    fn save_state(&mut self) -> Result<(), TrainingError> {
        self.position.seconds = self.seconds();
        Ok(resume::save(
            &resume_path(&self.plan.out),
            &self.position,
            &self.trainer,
        )?)
    }

    fn outcome(&self, cancelled: bool) -> TrainingOutcome {
        let Position { updates, best, .. } = self.position;
        TrainingOutcome {
            cancelled,
            updates,
            best,
            seconds: self.seconds(),
        }
    }
}

/// Loss, accuracy and BLEU of a validation, or nothing.
type Valid = (Option<f64>, Option<f64>, Option<f64>);

/// Whether a validation follows batch `done` of `total`: `count` of them, evenly, the last at the end.
fn is_validation(done: usize, total: usize, count: usize) -> bool {
    done * count / total > (done - 1) * count / total
}

/// A training in a thread of its own.
#[derive(Debug)]
pub struct TrainingJob {
    /// What happens; ends when the training does.
    pub events: Receiver<TrainingEvent>,
    cancel: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<Result<TrainingOutcome, TrainingError>>,
}

impl TrainingJob {
    /// Starts a training.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn start(plan: TrainingPlan, resume: bool) -> Result<Self, TrainingError> {
        // Nobody needs more than the last events; a full channel slows nothing, the event is dropped.
        let (sender, events) = sync_channel(256);
        let cancel = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancel);
        let thread = std::thread::Builder::new()
            .name("training".to_owned())
            .spawn(move || {
                train(&plan, resume, &flag, &mut |event| {
                    drop(sender.try_send(event))
                })
            })
            .map_err(TrainingError::Thread)?;
        Ok(Self {
            events,
            cancel,
            thread,
        })
    }

    /// The flag that ends the training after its present update, with its state saved.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// Waits for the end.
    ///
    /// # Errors
    /// What [`train`] returned.
    ///
    /// # Panics
    /// If the training panicked.
    pub fn join(self) -> Result<TrainingOutcome, TrainingError> {
        self.thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
