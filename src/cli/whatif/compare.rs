//! The original and the edited output side by side.

use super::Arguments;
use super::edits::{changed, described, interventions};
use crate::attribution::{Forced, StepChange, changes, differing};
use crate::cli::attend::decoded::{Decoded, Translator, Word};
use crate::engine::{Intervention, Scope};

/// Both outputs, and what lies between them.
pub(super) struct Comparison<'a> {
    /// Without changes.
    pub(super) original: Decoded<'a>,
    /// With them.
    pub(super) edited: Decoded<'a>,
    /// The changes of the weights.
    pub(super) edits: Vec<Intervention>,
    /// Whether the sentence was changed too.
    pub(super) other_source: bool,
    /// At each step of the original.
    pub(super) steps: Vec<StepChange>,
    /// Of each step of the original and of the edited output: whether the other lacks the word.
    pub(super) marks: [Vec<bool>; 2],
}

impl<'a> Comparison<'a> {
    pub(super) fn new(translator: &Translator<'a>, arguments: &Arguments) -> Result<Self, String> {
        let text = &arguments.sentence;
        let words = translator.read(text)?;
        let ids = translator.source_ids(&words);
        let source_changes = arguments.source_changes();
        let source = changed(words.clone(), &source_changes)?;
        let edits = interventions(arguments, &source, text)?;
        let original = translator.decode_words(text, words, &[])?;
        let source_ids = translator.source_ids(&source);
        let typed: Vec<&str> = source.iter().map(|word| word.surface.as_str()).collect();
        let edited_text = if source_changes.is_empty() {
            text.clone()
        } else {
            typed.join(" ")
        };
        let edited = translator.decode_words(&edited_text, source, &edits)?;
        let output = original.rows.iter().map(|row| row.step.chosen).collect();
        let forced = Forced::new(translator.network(), ids, output).map_err(|e| e.to_string())?;
        let steps = changes(&forced, &source_ids, &edits).map_err(|e| e.to_string())?;
        Ok(Self {
            marks: marks(&original, &edited),
            original,
            edited,
            edits,
            other_source: !source_changes.is_empty(),
            steps,
        })
    }

    /// Edits that no step saw.
    pub(super) fn warnings(&self) -> Vec<String> {
        let (longest, words) = (
            self.edited.rows.len().max(self.original.rows.len()),
            &self.edited.source,
        );
        let late = self.edits.iter().filter(|edit| match edit.scope {
            Scope::All => false,
            Scope::From(step) | Scope::Step(step) => step >= longest,
        });
        late.map(|edit| {
            format!(
                "no effect: {} (there are {longest} steps)",
                described(edit, words)
            )
        })
        .collect()
    }

    /// The edits in words.
    pub(super) fn descriptions(&self) -> Vec<String> {
        let of = |edit| described(edit, &self.edited.source);
        self.edits.iter().map(of).collect()
    }
}

/// Words of each output that a longest common subsequence of both leaves out.
fn marks(original: &Decoded, edited: &Decoded) -> [Vec<bool>; 2] {
    let words = |decoded: &Decoded| -> Vec<u32> {
        decoded.rows.iter().map(|row| row.step.chosen).collect()
    };
    differing(&words(original), &words(edited))
}

/// The words of a side, for a report.
pub(super) fn texts(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}
