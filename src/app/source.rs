//! The source sentence: typing, chips, examples.

use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::examples::examples;
use super::notice::{Level, NoticeDraft, Origin};
use super::state::AppState;
use super::words::{WordChange, change_word};
use crate::project::{LONGEST_TEXT, clip_text};
use crate::text::UNKNOWN;

/// About the source sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceCommand {
    /// The whole text, at each keystroke.
    SetText(String),
    /// The end of typing: the next keystroke is another step of undo.
    Commit,
    /// Another word for the token at this place.
    ReplaceWord {
        /// Its place among the tokens.
        index: usize,
        /// The word.
        word: String,
    },
    /// One of the [`examples`](super::examples()), by its place in the list.
    UseExample(usize),
    /// The sentence with one word changed, beside what it was: that becomes the one to compare with, unless there is
    /// one.
    ChangeWord {
        /// The word's place among the tokens.
        index: usize,
        /// What happens to it.
        change: WordChange,
    },
    /// Keeps the present sentence to compare later ones with, or keeps none any longer.
    Compare(bool),
    /// The sentence that the present one is compared with comes back.
    BackToCompared,
    /// No text.
    Clear,
}

/// A token of the source sentence, as it is shown below the field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chip {
    /// The token as the model sees it.
    pub text: String,
    /// The token as it was typed.
    pub surface: String,
    /// Byte offset of its first byte in the sentence.
    pub start: usize,
    /// Byte offset after its last byte.
    pub end: usize,
    /// Whether the first chosen model knows it.
    pub known: bool,
}

impl AppState {
    pub(super) fn apply_source(&mut self, command: SourceCommand) -> Vec<Effect> {
        match command {
            SourceCommand::SetText(text) => {
                let (text, was_cut) = clip_text(text);
                if was_cut {
                    let problem = format!("The sentence was cut after {LONGEST_TEXT} bytes");
                    let draft = NoticeDraft::new(Level::Warning, Origin::Source, problem);
                    self.notices.add(draft.advice("Look at it in parts"));
                }
                self.document.source = text;
                self.document.branches.clear();
            }
            SourceCommand::Commit => self.undo.boundary(),
            SourceCommand::ReplaceWord { index, word } => {
                if let Some(chip) = self.chips.get(index) {
                    let (start, end) = (chip.start, chip.end);
                    self.document.source.replace_range(start..end, &word);
                    self.document.branches.clear();
                    (self.document.source, _) =
                        clip_text(std::mem::take(&mut self.document.source));
                }
            }
            SourceCommand::UseExample(place) => {
                if let Some(example) = examples().get(place) {
                    example.sentence.clone_into(&mut self.document.source);
                    // Target and branches belong to their sentence.
                    self.document.target = None;
                    self.document.compared = None;
                    self.document.branches.clear();
                }
            }
            SourceCommand::Clear => {
                self.document.source.clear();
                self.document.branches.clear();
            }
            SourceCommand::ChangeWord { index, change } => self.change_word(index, change),
            SourceCommand::Compare(on) => {
                self.document.compared = on.then(|| self.document.source.clone());
            }
            SourceCommand::BackToCompared => {
                if let Some(compared) = self.document.compared.take() {
                    self.document.source = compared;
                    self.document.branches.clear();
                }
            }
        }
        Vec::new()
    }

    fn change_word(&mut self, index: usize, change: WordChange) {
        let Some(changed) = change_word(&self.document.source, &self.chips, index, change) else {
            return;
        };
        let (changed, was_cut) = clip_text(changed);
        if was_cut {
            let problem =
                format!("The sentence stays: it would be longer than {LONGEST_TEXT} bytes");
            let draft = NoticeDraft::new(Level::Warning, Origin::Source, problem);
            self.notices.add(draft);
            return;
        }
        let before = std::mem::replace(&mut self.document.source, changed);
        self.document.compared.get_or_insert(before);
        self.document.branches.clear();
    }

    /// The sentence that the present one is compared with, where it is another one.
    pub fn compared(&self) -> Option<&str> {
        let compared = self.document.compared.as_deref();
        compared.filter(|compared| *compared != self.document.source)
    }

    /// The known words that look most like a chip's, nearest first; none for a known one. It takes about a
    /// millisecond, so it is asked for when a chip is opened.
    pub fn suggestions(&self, chip: usize, most: usize) -> Vec<String> {
        let model = self.document.models.first();
        let model = model.and_then(|model| self.models.get(&model.name));
        let (Some(model), Some(chip)) = (model, self.chips.get(chip)) else {
            return Vec::new();
        };
        if chip.known {
            return Vec::new();
        }
        let nearest = model.source_vocabulary.nearest(&chip.text, most);
        nearest.into_iter().map(str::to_owned).collect()
    }

    /// Cuts the sentence by the first chosen model that is there; by blanks where none is.
    pub(super) fn sync_chips(&mut self) {
        let mut chosen = self.document.models.iter();
        let model = chosen.find_map(|model| self.models.get(&model.name));
        let kind = model
            .as_ref()
            .map_or(crate::text::TokeniserKind::Whitespace, |m| {
                m.source_tokeniser
            });
        let tokens = kind.tokenise_spans(&self.document.source);
        let is_known = |text: &str| {
            model.as_ref().is_none_or(|model| {
                let vocabulary = &model.source_vocabulary;
                vocabulary.id(text).is_some_and(|id| id > UNKNOWN)
            })
        };
        self.chips = tokens
            .into_iter()
            .map(|token| Chip {
                known: is_known(&token.text),
                text: token.text,
                surface: token.surface,
                start: token.start,
                end: token.end,
            })
            .collect();
    }
}
