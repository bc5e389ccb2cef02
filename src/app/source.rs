//! The source sentence: typing, chips, examples.

use super::command::SourceCommand;
use super::effect::Effect;
use super::examples::examples;
use super::notice::{Level, NoticeDraft, Origin};
use super::state::AppState;
use crate::project::{LONGEST_TEXT, clip_text};
use crate::text::UNKNOWN;

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
                    self.document.branches.clear();
                }
            }
            SourceCommand::Clear => {
                self.document.source.clear();
                self.document.branches.clear();
            }
        }
        Vec::new()
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
