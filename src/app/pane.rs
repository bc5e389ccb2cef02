//! One chosen model with its decode, or the record of one.

use std::sync::Arc;

use super::decoding::{Opened, open};
use super::first_rows::FirstRows;
use super::model_set::LoadedModel;
use super::original::{Changed, Original};
use super::pane_data::PaneData;
use crate::alignment::LabelledMatrix;
use crate::engine::{DecodeCommand, DecodeSession, ScoreKind, Status};
use crate::project::{CapturedRun, ModelRef, RunConditions, RunEnd};
use crate::text::{END, END_TEXT, TokeniserKind};

/// How a pane stands at the clock's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaneStatus {
    /// There is nothing to step: no sentence, or neither model nor record.
    Empty,
    /// There can be more steps.
    Running,
    /// `</s>` was taken; the pane waits for the others.
    Finished,
    /// Stopped at the step limit.
    StepLimit,
    /// The record ends here, though the output did not.
    RecordEnds,
}

/// Where a pane's numbers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaneKind {
    /// The model decodes.
    Live,
    /// The session's record, since the model of this name is another one now.
    ModelChanged,
    /// The session's record, since there is no model of this name.
    ModelMissing,
}

/// A decode with what it runs under.
#[derive(Debug, Clone)]
struct Live {
    model: Arc<LoadedModel>,
    session: DecodeSession,
    source: Arc<[String]>,
}

/// A pane: a model on the common clock.
#[derive(Debug, Clone)]
pub struct Pane {
    model: ModelRef,
    kind: PaneKind,
    conditions: Option<RunConditions>,
    /// The sentence that its own is compared with.
    compared: Option<String>,
    loaded: Option<Arc<LoadedModel>>,
    live: Option<Live>,
    end: RunEnd,
    data: Arc<PaneData>,
    /// The weights of the steps that are taken.
    shown: FirstRows,
    taken: usize,
    translation: String,
    status: PaneStatus,
    problem: Option<String>,
    /// The run without changes of attention or of the sentence, where there are some.
    original: Option<Original>,
}

impl Pane {
    /// An empty pane.
    pub(super) fn new(model: ModelRef) -> Self {
        Self {
            data: Arc::new(PaneData::empty(model.clone())),
            model,
            kind: PaneKind::Live,
            conditions: None,
            compared: None,
            loaded: None,
            live: None,
            end: RunEnd::Open,
            shown: FirstRows::default(),
            taken: 0,
            translation: String::new(),
            status: PaneStatus::Empty,
            problem: None,
            original: None,
        }
    }

    /// The model's name.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// The model.
    pub const fn model(&self) -> &ModelRef {
        &self.model
    }

    /// Where its numbers come from.
    pub const fn kind(&self) -> PaneKind {
        self.kind
    }

    /// Its score, where it is known.
    pub fn score(&self) -> Option<ScoreKind> {
        self.data
            .score
            .or_else(|| self.loaded.as_ref().map(|m| m.score()))
    }

    /// Everything derived from its run.
    pub const fn data(&self) -> &Arc<PaneData> {
        &self.data
    }

    /// How many steps are taken at the clock's position: the rows from here on are known and not taken.
    pub const fn taken(&self) -> usize {
        self.taken
    }

    /// How it stands.
    pub const fn status(&self) -> PaneStatus {
        self.status
    }

    /// What it says so far, as a sentence.
    pub fn translation(&self) -> &str {
        &self.translation
    }

    /// Why it does not do all that was asked for.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Its decode, where the model is there and the source is not empty.
    pub fn session(&self) -> Option<&DecodeSession> {
        self.live.as_ref().map(|live| &live.session)
    }

    /// The run without the changes of its attention, and of the sentence it is compared with; `None` where nothing is
    /// changed.
    pub const fn original(&self) -> Option<&Original> {
        self.original.as_ref()
    }

    /// Its model, where it is there.
    pub const fn loaded(&self) -> Option<&Arc<LoadedModel>> {
        self.loaded.as_ref()
    }

    /// The record of its run.
    pub(super) fn capture(&self) -> Option<CapturedRun> {
        let end = match self.session() {
            None => self.end,
            Some(session) => match session.line_steps().last() {
                Some(step) if step.chosen == END => RunEnd::Finished,
                _ if session.line().len() >= session.step_limit() => RunEnd::StepLimit,
                _ => RunEnd::Open,
            },
        };
        self.data.capture(end)
    }

    /// The words that it says when it runs to its end, wherever the clock stands; without `</s>`.
    pub(super) fn whole_output(&self) -> (Vec<String>, TokeniserKind) {
        let mut data = self.data.clone();
        if let Some(Live {
            model,
            session,
            source,
        }) = &self.live
        {
            // A clone shares all steps and leaves the pane's own line as it is.
            let mut session = session.clone();
            if session.apply(DecodeCommand::RunToEnd).is_ok() {
                let steps = session.line_steps().cloned().collect();
                let conditions = data.conditions.clone();
                let ids = session.source();
                data = Arc::new(PaneData::live(
                    model,
                    conditions,
                    source.clone(),
                    ids,
                    steps,
                ));
            }
        }
        let words = data.tokens.iter().map(|token| token.text.clone());
        let words = words.filter(|word| word != END_TEXT).collect();
        (words, data.target_tokeniser)
    }

    /// Brings the pane to these conditions, before the first step, beside the run of the sentence that it is `compared`
    /// with. Where nothing changed, nothing is done.
    pub(super) fn sync(
        &mut self,
        conditions: &RunConditions,
        compared: Option<&str>,
        present: Option<Arc<LoadedModel>>,
        records: &[CapturedRun],
    ) {
        let kind = match &present {
            Some(loaded) if loaded.reference == self.model => PaneKind::Live,
            Some(_) => PaneKind::ModelChanged,
            None => PaneKind::ModelMissing,
        };
        let loaded = present.filter(|_| kind == PaneKind::Live);
        let same_model = match (&self.loaded, &loaded) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => self.kind == kind,
            _ => false,
        };
        let same_words = self.compared.as_deref() == compared;
        if same_model && same_words && self.conditions.as_ref() == Some(conditions) {
            return;
        }
        self.compared = compared.map(str::to_owned);
        if !same_model {
            (self.live, self.original) = (None, None);
        }
        self.kind = kind;
        self.loaded = loaded;
        self.conditions = Some(conditions.clone());
        self.problem = None;
        match self.loaded.clone() {
            Some(model) => self.sync_live(&model, conditions),
            None => self.sync_record(conditions, records),
        }
    }

    fn sync_live(&mut self, model: &Arc<LoadedModel>, conditions: &RunConditions) {
        let old = self.live.take().map(|live| live.session);
        let Opened {
            session,
            source,
            problems,
        } = open(old, model, conditions);
        self.problem = (!problems.is_empty()).then(|| problems.join("; "));
        let original = self.original.take();
        let Some(session) = session else {
            self.data = Arc::new(PaneData {
                score: Some(model.score()),
                ..PaneData::empty(self.model.clone())
            });
            return;
        };
        // What does not fit the sentence is not among the session's.
        let edits = session.interventions();
        if self.compared.is_some() || edits.iter().any(|edit| edit.enabled) {
            let changed = Changed {
                source: session.source(),
                edits,
            };
            let compared = self.compared.as_deref();
            self.original = Original::new(original, model, conditions, compared, changed);
        }
        self.live = Some(Live {
            model: model.clone(),
            session,
            source,
        });
        self.read_line(true);
    }

    fn sync_record(&mut self, conditions: &RunConditions, records: &[CapturedRun]) {
        let record = records.iter().find(|run| run.model == self.model);
        if let Some(run) = record.filter(|run| run.conditions == *conditions) {
            self.data = Arc::new(PaneData::recorded(run));
            self.end = run.end;
            return;
        }
        self.data = Arc::new(PaneData {
            score: record.map(|run| run.score),
            ..PaneData::empty(self.model.clone())
        });
        let problem = match self.kind {
            PaneKind::ModelMissing => {
                "this model is not there, and the session has no record of this sentence"
            }
            _ => "the model changed, and the session has no record of this sentence",
        };
        self.problem = Some(problem.to_owned());
    }

    /// Goes to a position of the clock, or to the end of the output where that comes before.
    pub(super) fn move_to(&mut self, position: usize) {
        if let Some(live) = &mut self.live {
            if let Err(error) = live.session.apply(DecodeCommand::MoveTo(position)) {
                self.problem = Some(error.to_string());
            }
            self.taken = live.session.position();
            self.status = match live.session.status() {
                Status::Running => PaneStatus::Running,
                Status::Finished => PaneStatus::Finished,
                Status::StepLimit => PaneStatus::StepLimit,
            };
            self.read_line(false);
            if let Some(original) = &mut self.original {
                original.move_to(position, &self.data, self.taken);
            }
        } else {
            self.taken = position.min(self.data.len());
            self.status = match self.end {
                _ if self.data.is_empty() => PaneStatus::Empty,
                _ if self.taken < self.data.len() => PaneStatus::Running,
                RunEnd::Open => PaneStatus::RecordEnds,
                RunEnd::Finished => PaneStatus::Finished,
                RunEnd::StepLimit => PaneStatus::StepLimit,
            };
        }
        self.translation = self.data.translation(self.taken);
        self.shown.bring(self.data.matrix.as_ref(), self.taken);
    }

    /// The weights of the steps that are taken; the same `Arc` as long as these are the same.
    pub const fn shown(&self) -> Option<&Arc<LabelledMatrix>> {
        self.shown.matrix()
    }

    /// Forgets the decoded line, unless it was forced; the next move decodes anew.
    pub(super) fn restart(&mut self) {
        if let Some(live) = &mut self.live
            && !live.session.line_steps().any(|step| step.forced)
        {
            // Restarting cannot fail.
            let _ = live.session.apply(DecodeCommand::Restart);
        }
    }

    /// Derives the data of the session's line, unless they are those already.
    fn read_line(&mut self, conditions_changed: bool) {
        let (Some(live), Some(conditions)) = (&self.live, &self.conditions) else {
            return;
        };
        let steps: Vec<_> = live.session.line_steps().cloned().collect();
        if conditions_changed || !self.data.is_of(&steps) {
            self.data = Arc::new(PaneData::live(
                &live.model,
                conditions.clone(),
                live.source.clone(),
                live.session.source(),
                steps,
            ));
        }
    }
}
