//! The state, its router, and what is derived from it.

use std::path::PathBuf;
use std::sync::Arc;

use super::attributed::{AttributionJob, ShownAttribution};
use super::beam::BeamJob;
use super::branches::{BranchLine, BranchLines};
use super::command::{Command, SelectionCommand};
use super::difference::{Difference, NoDifference};
use super::effect::{Effect, Surface};
use super::examples::DEMO_SENTENCE;
use super::file::FileState;
use super::first_rows::FirstRows;
use super::inspection::Inspection;
use super::model_set::ModelSet;
use super::notice::Notices;
use super::pane::Pane;
use super::pane_data::PaneData;
use super::playback::Playback;
use super::selection::Selection;
use super::source::Chip;
use super::undo::{Snapshot, UndoStack};
use super::zoom::Zoom;
use crate::project::{CapturedRun, Document, Preferences, ViewSettings};

/// What a state begins with.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// The models that are there.
    pub models: ModelSet,
    /// What the person prefers.
    pub preferences: Preferences,
    /// Where unsaved changes of a session without a file are kept.
    pub state_folder: Option<PathBuf>,
    /// The name of this run of the program, which stands in the names of its copies: see
    /// [`Running`](crate::storage::Running). Empty where there is only one.
    pub run: String,
}

/// The application without its window.
#[derive(Debug, Clone)]
pub struct AppState {
    pub(super) document: Document,
    pub(super) view: ViewSettings,
    pub(super) preferences: Preferences,
    pub(super) models: ModelSet,
    pub(super) panes: Vec<Pane>,
    pub(super) chips: Vec<Chip>,
    /// How many steps a person went to: the position, unless the sentence is too short for it now.
    pub(super) reached: usize,
    pub(super) position: usize,
    /// The records of the session that was opened.
    pub(super) records: Vec<CapturedRun>,
    pub(super) selection: Selection,
    pub(super) zoom: Zoom,
    pub(super) undo: UndoStack,
    pub(super) notices: Notices,
    pub(super) file: FileState,
    pub(super) revision: u64,
    /// The document that the panes show; `None` if the models changed.
    synced: Option<Document>,
    difference: Option<Result<Arc<Difference>, NoDifference>>,
    /// The rows of the difference for the steps that are taken.
    pub(super) shown_difference: FirstRows,
    inspected: Vec<Inspected>,
    branch_lines: Vec<BranchLines>,
    pub(super) playback: Playback,
    /// The beam search that was asked for last.
    pub(super) searching: Option<BeamJob>,
    /// Beside the panes.
    pub(super) attributions: Vec<ShownAttribution>,
    /// The attributions that were asked for last.
    pub(super) attributing: Vec<AttributionJob>,
}

/// An inspection and what it was made from.
#[derive(Debug, Clone)]
struct Inspected {
    data: Arc<PaneData>,
    taken: usize,
    step: Option<usize>,
    column: Option<usize>,
    inspection: Option<Arc<Inspection>>,
}

impl AppState {
    /// The first view: the demo sentence, additive beside dot (or the first two models), one step taken.
    pub fn new(setup: Setup) -> Self {
        let Setup {
            models,
            preferences,
            state_folder,
            run,
        } = setup;
        let mut state = Self {
            document: Document::default(),
            view: ViewSettings::default(),
            preferences,
            models,
            panes: Vec::new(),
            chips: Vec::new(),
            reached: 1,
            position: 0,
            records: Vec::new(),
            selection: Selection::default(),
            zoom: Zoom::FIT,
            undo: UndoStack::default(),
            notices: Notices::default(),
            file: FileState::new(state_folder, run),
            revision: 0,
            synced: None,
            difference: None,
            shown_difference: FirstRows::default(),
            inspected: Vec::new(),
            branch_lines: Vec::new(),
            playback: Playback::default(),
            searching: None,
            attributions: Vec::new(),
            attributing: Vec::new(),
        };
        DEMO_SENTENCE.clone_into(&mut state.document.source);
        state.document.models = state.first_models();
        state.file.saved = state.snapshot();
        state.refresh();
        state
    }

    /// Does what `command` asks, and says what the outside world has to do for it.
    #[must_use]
    pub fn apply(&mut self, command: Command) -> Vec<Effect> {
        let is_frame = matches!(
            command,
            Command::Select(SelectionCommand::Hover(_) | SelectionCommand::EndFrame)
                | Command::Clock(_)
        );
        let edit = command
            .undo_name()
            .map(|name| (name, command.gesture(), self.snapshot()));
        let hover = self.selection.hover().cloned();
        if edit.is_none() && !is_frame {
            self.undo.boundary();
        }
        let mut effects = self.route(command);
        if let Some((name, gesture, before)) = edit {
            let after = self.snapshot();
            if before != after {
                self.undo.record(name, gesture, before, &after);
            }
        }
        self.refresh();
        effects.extend(self.missing_beam());
        effects.extend(self.missing_attributions());
        // Effects of the passing frame and of time change nothing on the screen by themselves.
        if !is_frame || !effects.is_empty() || hover.as_ref() != self.selection.hover() {
            self.revision += 1;
        }
        effects
    }

    fn route(&mut self, command: Command) -> Vec<Effect> {
        match command {
            Command::Source(command) => self.apply_source(command),
            Command::Decode(command) => self.apply_decode(command),
            Command::WhatIf(command) => self.apply_what_if(command),
            Command::Models(command) => self.apply_models(command),
            Command::View(command) => self.apply_view(command),
            Command::Select(command) => self.apply_selection(command),
            Command::Zoom(command) => self.apply_zoom(command),
            Command::File(command) => self.apply_file(command),
            Command::Edit(command) => self.apply_edit(command),
            Command::Export(command) => self.apply_export(command),
            Command::Notice(command) => self.apply_notice(command),
            Command::Prefer(command) => self.apply_preferences(command),
            Command::Clock(command) => self.apply_clock(command),
            Command::Show(surface) => {
                if surface == Surface::ExportDialog {
                    // A title belongs to one figure.
                    self.preferences.export.options.title.clear();
                }
                vec![Effect::Show(surface)]
            }
        }
    }

    /// What the person chose.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// How it is shown.
    pub const fn view(&self) -> &ViewSettings {
        &self.view
    }

    /// What the person prefers.
    pub const fn preferences(&self) -> &Preferences {
        &self.preferences
    }

    /// The models that are there.
    pub const fn models(&self) -> &ModelSet {
        &self.models
    }

    /// One pane for each chosen model, in their order.
    pub fn panes(&self) -> &[Pane] {
        &self.panes
    }

    /// The panes that are shown: all, or the one that is alone.
    pub fn visible_panes(&self) -> impl Iterator<Item = &Pane> {
        let solo = self.selection.solo();
        self.panes
            .iter()
            .filter(move |pane| solo.is_none_or(|name| pane.name() == name))
    }

    /// The pane of a model.
    pub fn pane(&self, model: &str) -> Option<&Pane> {
        self.panes.iter().find(|pane| pane.name() == model)
    }

    /// The tokens of the source sentence as the first model's tokeniser cuts them.
    pub fn chips(&self) -> &[Chip] {
        &self.chips
    }

    /// How many steps are taken: the clock of all panes.
    pub const fn position(&self) -> usize {
        self.position
    }

    /// How many steps are known: those of the longest run.
    pub fn timeline_len(&self) -> usize {
        self.panes
            .iter()
            .map(|pane| pane.data().len())
            .max()
            .unwrap_or(0)
    }

    /// What is selected.
    pub const fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The steps that can be taken back.
    pub const fn undo(&self) -> &UndoStack {
        &self.undo
    }

    /// The messages.
    pub const fn notices(&self) -> &Notices {
        &self.notices
    }

    /// Raised by every command that may change what is on the screen.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The difference that the view asks for, or why there is none; `None` if it asks for none.
    pub fn difference(&self) -> Option<Result<&Arc<Difference>, NoDifference>> {
        self.difference
            .as_ref()
            .map(|found| found.as_ref().map_err(|why| *why))
    }

    /// The step that the inspector is about, from 0: the highlighted one if it is taken, else the last one taken.
    pub fn inspected_step(&self) -> Option<usize> {
        let highlighted = self.selection.row().filter(|row| *row < self.position);
        highlighted.or_else(|| self.position.checked_sub(1))
    }

    /// The numbers behind the inspected step of a model; `None` where it took no such step.
    pub fn inspection(&self, model: &str) -> Option<&Arc<Inspection>> {
        let place = self.panes.iter().position(|pane| pane.name() == model)?;
        self.inspected.get(place)?.inspection.as_ref()
    }

    /// The ways that a model's output went, its own first; empty for a model that is not chosen.
    pub fn branch_lines(&self, model: &str) -> &[BranchLine] {
        let place = self.panes.iter().position(|pane| pane.name() == model);
        let kept = place.and_then(|place| self.branch_lines.get(place));
        kept.map_or(&[], |kept| &kept.lines)
    }

    /// Marks the panes as out of date, though the document did not change.
    pub(super) fn models_changed(&mut self) {
        self.synced = None;
    }

    /// Puts another document and view in place, with its records; no part of undo.
    pub(super) fn replace(
        &mut self,
        snapshot: Snapshot,
        reached: usize,
        records: Vec<CapturedRun>,
    ) {
        let Snapshot { document, view } = snapshot;
        (self.document, self.view) = (document, view);
        (self.reached, self.records) = (reached, records);
        self.panes.clear();
        self.undo.clear();
        self.selection = Selection::default();
        self.zoom = Zoom::FIT;
        self.models_changed();
    }

    /// Brings everything derived up to date; what did not change stays the same `Arc`.
    fn refresh(&mut self) {
        if self.synced.as_ref() != Some(&self.document) {
            let known = self.synced.as_ref();
            if known.is_some_and(|known| known.source != self.document.source) {
                self.zoom = Zoom::FIT;
            }
            self.synced = Some(self.document.clone());
            self.sync_panes();
            self.sync_chips();
        }
        let columns = self.panes.iter().map(|pane| pane.data().source.len());
        let columns = columns.max().unwrap_or(0).max(self.chips.len());
        let rows = self.timeline_len();
        let panes = &self.panes;
        let is_pane = |name: &str| panes.iter().any(|pane| pane.name() == name);
        self.selection.retain(is_pane, rows, columns);
        self.refresh_difference();
        let difference = self
            .difference
            .as_ref()
            .and_then(|found| found.as_ref().ok());
        let matrix = difference.map(|difference| &difference.matrix);
        self.shown_difference.bring(matrix, self.position);
        self.refresh_inspections();
        self.refresh_branch_lines();
        self.refresh_attributions();
    }

    fn refresh_branch_lines(&mut self) {
        let mut old = std::mem::take(&mut self.branch_lines);
        let made = self.panes.iter().map(|pane| {
            let branches = self.document.branches_of(pane.name());
            let known = old.iter().position(|known| known.is_of(pane, branches));
            match known {
                Some(place) => old.swap_remove(place),
                None => BranchLines::new(pane, branches),
            }
        });
        self.branch_lines = made.collect();
    }

    fn refresh_difference(&mut self) {
        let Some(pair) = &self.view.difference else {
            self.difference = None;
            return;
        };
        let (left, right) = (self.pane(&pair.left), self.pane(&pair.right));
        let is_current = match (&self.difference, left, right) {
            (Some(Ok(known)), Some(left), Some(right)) => known.is_of(pair, left, right),
            _ => false,
        };
        if !is_current {
            self.difference = Some(Difference::new(pair, left, right).map(Arc::new));
        }
    }

    fn refresh_inspections(&mut self) {
        let (step, column) = (self.inspected_step(), self.selection.column());
        let mut old = std::mem::take(&mut self.inspected);
        let made = self.panes.iter().map(|pane| {
            let known = old.iter().position(|known| {
                Arc::ptr_eq(&known.data, pane.data())
                    && (known.taken, known.step, known.column) == (pane.taken(), step, column)
            });
            match known {
                Some(place) => old.swap_remove(place),
                None => Inspected {
                    data: pane.data().clone(),
                    taken: pane.taken(),
                    step,
                    column,
                    inspection: step
                        .and_then(|step| Inspection::new(pane, step, column))
                        .map(Arc::new),
                },
            }
        });
        self.inspected = made.collect();
    }
}
