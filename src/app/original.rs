//! What a changed pane would have said: a second decode under the same conditions, without the changes of attention,
//! of the sentence before it was changed.

use std::sync::{Arc, OnceLock};

use super::decoding::{Opened, open};
use super::first_rows::FirstRows;
use super::model_set::LoadedModel;
use super::pane_data::PaneData;
use crate::alignment::LabelledMatrix;
use crate::attribution::{Forced, StepChange, changes, differing};
use crate::engine::{DecodeCommand, DecodeSession, Intervention};
use crate::project::RunConditions;
use crate::text::{END_TEXT, TokeniserKind};

/// A piece of a sentence; the pieces together are the sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// A word with what stands before it.
    pub text: String,
    /// Whether the other output lacks it.
    pub is_changed: bool,
}

/// What the changed run reads, and the changes of its attention.
#[derive(Debug, Clone, Copy)]
pub(super) struct Changed<'a> {
    /// Its source, as ids.
    pub(super) source: &'a [u32],
    /// Those that fit it.
    pub(super) edits: &'a [Intervention],
}

/// The original run of a pane whose attention or sentence is changed.
#[derive(Debug, Clone)]
pub struct Original {
    model: Arc<LoadedModel>,
    session: DecodeSession,
    /// Those of the pane, without the changes.
    conditions: RunConditions,
    /// What the changed run reads, and its changes.
    changed: (Vec<u32>, Vec<Intervention>),
    data: Arc<PaneData>,
    /// The weights of the steps that are taken.
    shown: FirstRows,
    said: [Vec<Piece>; 2],
    /// Made when they are asked for; taken away when the run grows.
    changes: OnceLock<Vec<StepChange>>,
}

impl Original {
    /// The original of a run under `conditions`, of the sentence that this one is `compared` with, if there is one; out
    /// of the old original where that fits.
    pub(super) fn new(
        old: Option<Self>,
        model: &Arc<LoadedModel>,
        conditions: &RunConditions,
        compared: Option<&str>,
        changed: Changed,
    ) -> Option<Self> {
        let plain = RunConditions {
            source: compared.unwrap_or(&conditions.source).to_owned(),
            interventions: Vec::new(),
            ..conditions.clone()
        };
        let changed = (changed.source.to_vec(), changed.edits.to_vec());
        if let Some(mut old) = old {
            if old.conditions == plain {
                if old.changed != changed {
                    old.changed = changed;
                    old.changes = OnceLock::new();
                }
                return Some(old);
            }
            return Self::opened(Some(old.session), model, plain, changed);
        }
        Self::opened(None, model, plain, changed)
    }

    fn opened(
        old: Option<DecodeSession>,
        model: &Arc<LoadedModel>,
        conditions: RunConditions,
        changed: (Vec<u32>, Vec<Intervention>),
    ) -> Option<Self> {
        let Opened {
            session, source, ..
        } = open(old, model, &conditions);
        let session = session?;
        let data = Arc::new(PaneData::live(
            model,
            conditions.clone(),
            source,
            session.source(),
            Vec::new(),
        ));
        Some(Self {
            model: model.clone(),
            session,
            conditions,
            changed,
            data,
            shown: FirstRows::default(),
            said: [Vec::new(), Vec::new()],
            changes: OnceLock::new(),
        })
    }

    /// Goes to a position of the clock, where the changed run took the first `taken` steps of `changed`.
    pub(super) fn move_to(&mut self, position: usize, changed: &PaneData, taken: usize) {
        // Where it ends before, it stays at its end.
        let _ = self.session.apply(DecodeCommand::MoveTo(position));
        let steps: Vec<_> = self.session.line_steps().cloned().collect();
        if !self.data.is_of(&steps) {
            self.data = Arc::new(PaneData::live(
                &self.model,
                self.conditions.clone(),
                self.data.source.clone(),
                self.session.source(),
                steps,
            ));
            self.changes = OnceLock::new();
        }
        let own_taken = self.session.position();
        self.shown.bring(self.data.matrix.as_ref(), own_taken);
        let words = |data: &PaneData, taken: usize| -> Vec<String> {
            let tokens = data.tokens.iter().take(taken);
            tokens.map(|token| token.text.clone()).collect()
        };
        let (own, other) = (words(&self.data, own_taken), words(changed, taken));
        let [own_marks, other_marks] = differing(&own, &other);
        let kind = self.data.target_tokeniser;
        self.said = [
            pieces(&own, &own_marks, kind),
            pieces(&other, &other_marks, kind),
        ];
    }

    /// Everything derived from the original run.
    pub const fn data(&self) -> &Arc<PaneData> {
        &self.data
    }

    /// The weights of the steps that it took; the same `Arc` as long as these are the same.
    pub const fn shown(&self) -> Option<&Arc<LabelledMatrix>> {
        self.shown.matrix()
    }

    /// The sentence that it reads.
    pub fn source(&self) -> &str {
        &self.conditions.source
    }

    /// What it says so far.
    pub fn sentence(&self) -> &[Piece] {
        &self.said[0]
    }

    /// What the changed run says so far.
    pub fn changed_sentence(&self) -> &[Piece] {
        &self.said[1]
    }

    /// What the changes make of a step of the original output, both runs given its words; `None` where it has no such
    /// step.
    pub fn change(&self, step: usize) -> Option<&StepChange> {
        let all = self.changes.get_or_init(|| {
            let output: Vec<u32> = self.data.steps.iter().map(|step| step.chosen).collect();
            let source = self.session.source();
            let forced = Forced::new(&self.model.network, source.to_vec(), output);
            let (changed, edits) = &self.changed;
            let found = forced.and_then(|forced| changes(&forced, changed, edits));
            // Before the first step there is nothing to compare.
            found.unwrap_or_default()
        });
        all.get(step)
    }
}

/// The words of a sentence for people, without `</s>`, with what stands between them.
fn pieces(words: &[String], marks: &[bool], tokeniser: TokeniserKind) -> Vec<Piece> {
    let kept: Vec<(&str, bool)> = words
        .iter()
        .zip(marks)
        .filter(|(word, _)| *word != END_TEXT)
        .map(|(word, mark)| (word.as_str(), *mark))
        .collect();
    let texts: Vec<&str> = kept.iter().map(|(word, _)| *word).collect();
    let mut pieces = Vec::new();
    let mut sentence = String::new();
    for (i, (word, is_changed)) in kept.iter().enumerate() {
        let longer = tokeniser.detokenise(&texts[..=i]);
        // A word may change how those before it are joined: then it is set apart as it is.
        let text = match longer.strip_prefix(&sentence) {
            Some(rest) => rest.to_owned(),
            None => format!(" {word}"),
        };
        pieces.push(Piece {
            text,
            is_changed: *is_changed,
        });
        sentence = longer;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_are_the_sentence() {
        let words = ["it", "is", "n't", "black", ".", "</s>"].map(str::to_owned);
        let marks = [false, false, true, true, false, true];
        let pieces = pieces(&words, &marks, TokeniserKind::English);
        let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
        let plain: Vec<&str> = words[..5].iter().map(String::as_str).collect();
        assert_eq!(texts.concat(), TokeniserKind::English.detokenise(&plain));
        let changed: Vec<bool> = pieces.iter().map(|piece| piece.is_changed).collect();
        assert_eq!(changed, marks[..5]);
    }
}
