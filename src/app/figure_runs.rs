//! The decodes and records that a figure shows.

use std::sync::Arc;

use super::difference::NoDifference;
use super::figure_request::{FigureKind, FigureRequest};
use super::first_rows::first_rows;
use super::model_set::ModelSet;
use super::pane::Pane;
use super::pane_data::PaneData;
use super::state::AppState;
use crate::alignment::LabelledMatrix;
use crate::engine::{BeamError, BeamOptions, DecodeSession, ScoreKind, beam_search};
use crate::figure::{BeamRow, DataError, FigureError, RenderError, RunTable};
use crate::project::{CapturedRun, ModelRef, RunConditions};
use crate::text::{DisplayToken, UNKNOWN_TEXT, resolve_unknowns};

/// One model's part of a figure.
#[derive(Debug, Clone)]
pub struct FigureRun {
    /// The model's name.
    pub name: String,
    /// Its score, where it is known.
    pub score: Option<ScoreKind>,
    /// Its numbers.
    pub data: Arc<PaneData>,
    /// How many steps are taken.
    pub taken: usize,
    /// The hypotheses of a beam search, where the figure shows them; best first.
    pub hypotheses: Vec<BeamRow>,
    /// What the model could not do of what was asked for.
    pub problem: Option<String>,
}

/// All that a figure shows; cheap to clone, and independent of the state that it came from.
#[derive(Debug, Clone, Default)]
pub struct FigureRuns {
    /// One for each model, in order.
    pub runs: Vec<FigureRun>,
}

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
pub enum FigureProblem {
    /// No model was named.
    #[error("there is no model to show")]
    NoModel,
    /// A model that is neither there nor recorded.
    #[error("there is no model \"{0}\"")]
    UnknownModel(String),
    /// No word was left of the sentence.
    #[error("the sentence is empty: expected at least one word")]
    EmptySentence,
    /// No step is taken.
    #[error("{name}: {}", .problem.as_deref().unwrap_or("no step is taken"))]
    NoSteps {
        /// The model.
        name: String,
        /// Why.
        problem: Option<String>,
    },
    /// Weights of a model that has none.
    #[error("{0} has no attention: there are no weights to draw")]
    NoAttention(String),
    /// A step that is not there.
    #[error("there is no step {step}: {taken} are taken")]
    NoStep {
        /// The step, from 1.
        step: usize,
        /// How many there are.
        taken: usize,
    },
    /// A beam search of a record.
    #[error("{0} is not there to search: the session has its record only")]
    NoSearch(String),
    /// A beam search that was refused.
    #[error(transparent)]
    Beam(#[from] BeamError),
    /// No difference to see.
    #[error("no difference of {left} and {right}: {}", why(*.reason))]
    Difference {
        /// The first model.
        left: String,
        /// The second model.
        right: String,
        /// Why.
        reason: NoDifference,
    },
    /// A kind of figure that does not grow step by step.
    #[error("hypotheses do not grow step by step: choose another form than GIF")]
    NoFrames,
    /// A size or option that cannot be.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// A picture that cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// Data that cannot be written.
    #[error(transparent)]
    Data(#[from] DataError),
}

const fn why(reason: NoDifference) -> &'static str {
    match reason {
        NoDifference::Missing => "both must be among the models shown, with at least one step",
        NoDifference::NoAttention => "one of them has no attention",
        NoDifference::OtherSource => "they cut the sentence into different words",
    }
}

impl FigureRun {
    fn of(pane: &Pane, request: &FigureRequest) -> Result<Self, FigureProblem> {
        let taken = request
            .steps
            .map_or(pane.taken(), |steps| steps.min(pane.taken()));
        Ok(Self {
            name: pane.name().to_owned(),
            score: pane.score(),
            data: pane.data().clone(),
            taken,
            hypotheses: match request.kind {
                FigureKind::Beam(size) => hypotheses(pane, size)?,
                _ => Vec::new(),
            },
            problem: pane.problem().map(str::to_owned).or_else(|| {
                let cut = pane.loaded().filter(|_| pane.data().source.is_empty());
                cut.map(|model| {
                    format!(
                        "no word is left for the {} tokeniser",
                        model.source_tokeniser
                    )
                })
            }),
        })
    }

    /// The model's name as a title: of a file its name without folder and ending.
    pub fn title(&self) -> &str {
        let file = self.name.strip_suffix(".safetensors");
        file.map_or(self.name.as_str(), |path| {
            path.rsplit(['/', '\\']).next().unwrap_or(path)
        })
    }

    /// The numbers as a table.
    pub fn table(&self) -> RunTable {
        let (data, taken) = (&self.data, self.taken);
        let rows = |matrix: &Arc<LabelledMatrix>| first_rows(matrix, taken);
        let first = |values: &[f64]| values.iter().take(taken).copied().collect::<Vec<f64>>();
        RunTable {
            model: self.title().to_owned(),
            score: self
                .score
                .map(|score| score.name().to_owned())
                .unwrap_or_default(),
            source: data.source.to_vec(),
            target: data
                .tokens
                .iter()
                .take(taken)
                .map(|t| t.text.clone())
                .collect(),
            translation: data.translation(taken),
            weights: data.matrix.as_ref().map(rows),
            scores: self.scores().as_ref().map(rows),
            entropy: first(&data.entropies),
            context_norm: first(&data.context_norms),
            state_norm: first(&data.state_norms),
            log_probability: data.log_probabilities.iter().take(taken).copied().collect(),
        }
    }

    /// Scores before the softmax `[T, S]`, which a record does not have.
    fn scores(&self) -> Option<Arc<LabelledMatrix>> {
        let weights = self.data.matrix.as_ref()?;
        let steps = &self.data.steps;
        let rows: Option<Vec<&[f32]>> = steps.iter().map(|step| step.scores.as_deref()).collect();
        let rows = rows.filter(|rows| !rows.is_empty())?;
        let shape = (rows.len(), weights.columns().len());
        let values = ndarray::Array2::from_shape_vec(shape, rows.concat()).ok()?;
        let labels = weights.rows().to_vec();
        LabelledMatrix::new(labels, weights.columns().to_vec(), values)
            .ok()
            .map(Arc::new)
    }
}

/// A beam search for the pane's sentence, with its interventions.
fn hypotheses(pane: &Pane, size: usize) -> Result<Vec<BeamRow>, FigureProblem> {
    let (Some(session), Some(model)) = (pane.session(), pane.loaded()) else {
        return Err(FigureProblem::NoSearch(pane.name().to_owned()));
    };
    let options = BeamOptions {
        size,
        step_limit: session.step_limit(),
        keep_pruned: false,
        interventions: session.interventions().to_vec(),
        ..BeamOptions::default()
    };
    let found = beam_search(session.network(), session.states(), &options)?;
    let source = &pane.data().source;
    let row = |hypothesis: &crate::engine::Hypothesis| {
        let word = |id: &u32| {
            model
                .target_vocabulary
                .word(*id)
                .unwrap_or(UNKNOWN_TEXT)
                .to_owned()
        };
        let words: Vec<String> = hypothesis.tokens.iter().map(word).collect();
        let weights = (0..words.len()).map(|t| hypothesis.weights.get(t));
        let attended: Vec<Option<usize>> = weights
            .map(|row| row.and_then(|row| super::pane_data::largest(row)))
            .collect();
        let tokens = resolve_unknowns(&words, source, &attended);
        BeamRow {
            tokens: tokens
                .into_iter()
                .map(|DisplayToken { text, .. }| text)
                .collect(),
            log_probabilities: hypothesis.log_probabilities.clone(),
            total: hypothesis.total_log_probability,
            score: hypothesis.score,
        }
    };
    Ok(found.hypotheses.iter().map(row).collect())
}

impl FigureRuns {
    /// Decodes what a request shows. A model of `models` decodes; for one that is missing or another one than
    /// recorded, a record of the very same sentence is taken. `chosen` are the references of a session.
    ///
    /// # Errors
    /// [`FigureProblem`] for a model that is neither there nor recorded, an empty sentence, or a refused search.
    pub fn decode(
        request: &FigureRequest,
        models: &ModelSet,
        chosen: &[ModelRef],
        records: &[CapturedRun],
    ) -> Result<Self, FigureProblem> {
        if request.models.is_empty() {
            return Err(FigureProblem::NoModel);
        }
        if request.source.trim().is_empty() {
            return Err(FigureProblem::EmptySentence);
        }
        let run = |name: &String| {
            let present = models.get(name);
            let chosen = chosen.iter().find(|reference| reference.name == *name);
            let present_reference = present.as_ref().map(|model| &model.reference);
            let reference = chosen.or(present_reference);
            let reference = reference.ok_or_else(|| FigureProblem::UnknownModel(name.clone()))?;
            let mut pane = Pane::new(reference.clone());
            let changes = request.interventions.iter();
            let changes = changes.filter(|entry| entry.model == *name);
            let chosen_tokens = request.choices.iter();
            let chosen_tokens = chosen_tokens.filter(|entry| entry.model == *name);
            let conditions = RunConditions {
                source: request.source.clone(),
                target: request.target.clone(),
                policy: request.policy,
                interventions: changes.flat_map(|entry| entry.list.clone()).collect(),
                choices: chosen_tokens.flat_map(|entry| entry.list.clone()).collect(),
            };
            pane.sync(&conditions, None, present, records);
            pane.move_to(request.steps.unwrap_or(DecodeSession::LARGEST_STEP_LIMIT));
            FigureRun::of(&pane, request)
        };
        let runs = request.models.iter().map(run).collect::<Result<_, _>>()?;
        Ok(Self { runs })
    }

    /// The run of a model.
    pub(super) fn get(&self, name: &str) -> Option<&FigureRun> {
        self.runs.iter().find(|run| run.name == name)
    }

    /// The numbers of all runs.
    pub fn tables(&self) -> Vec<RunTable> {
        self.runs.iter().map(FigureRun::table).collect()
    }
}

impl AppState {
    /// What a request shows, taken from the panes; a search that fails leaves its model without hypotheses.
    pub fn figure_runs(&self, request: &FigureRequest) -> FigureRuns {
        let panes = request.models.iter().filter_map(|name| self.pane(name));
        let run = |pane: &Pane| {
            FigureRun::of(pane, request).unwrap_or_else(|problem| FigureRun {
                name: pane.name().to_owned(),
                score: pane.score(),
                data: pane.data().clone(),
                taken: 0,
                hypotheses: Vec::new(),
                problem: Some(problem.to_string()),
            })
        };
        FigureRuns {
            runs: panes.map(run).collect(),
        }
    }
}
