//! The generators as iterators.

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::alignment::AlignedPair;

use super::builder::Builder;
use super::dice::Dice;
use super::sequences::sequence;
use super::writer::Writer;

/// French sentences, without their final marks, that the grammar never writes.
///
/// They are the sentences a person is shown first. Kept out of training, they test whether a model has
/// learned the grammar rather than the sentence; all their words occur in others.
pub const DEMO_SENTENCES: [&str; 7] = [
    "le chat noir dort",
    "la maison blanche est grande",
    "je suis étudiant",
    "le chien brun mange une pomme rouge",
    "elle ne parle pas anglais",
    "nous avons vu la voiture rouge hier",
    "traduction automatique neuronale",
];

/// The kinds of generators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GeneratorKind {
    /// French–English sentences.
    Grammar,
    /// Random words and the same words in reverse.
    Reversal,
    /// Random words and the same words again.
    Copy,
}

/// A name that is no generator's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown generator \"{name}\": expected one of {}", GeneratorKind::ALL.map(GeneratorKind::name).join(", "))]
pub struct UnknownGenerator {
    /// The name that was asked for.
    pub name: String,
}

impl GeneratorKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Grammar, Self::Reversal, Self::Copy];

    /// The name used in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grammar => "grammar",
            Self::Reversal => "reversal",
            Self::Copy => "copy",
        }
    }

    /// The kind of a name.
    ///
    /// # Errors
    /// [`UnknownGenerator`], whose message lists the known names.
    pub fn from_name(name: &str) -> Result<Self, UnknownGenerator> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownGenerator {
                name: name.to_owned(),
            })
    }
}

impl fmt::Display for GeneratorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What can be chosen about a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratorOptions {
    /// Tokens of a random sequence.
    pub sequence_lengths: RangeInclusive<usize>,
    /// Words of the random sequences.
    pub words: Vec<String>,
    /// The most tokens of a sentence of the grammar, on either side.
    pub max_tokens: usize,
}

/// The lowest limit that leaves the grammar enough to say.
const MIN_LIMIT: usize = 8;

impl Default for GeneratorOptions {
    /// Sequences of 3 to 12 letters, sentences of at most 16 tokens.
    fn default() -> Self {
        Self {
            sequence_lengths: 3..=12,
            words: ('a'..='z').map(String::from).collect(),
            max_tokens: 16,
        }
    }
}

/// An option that is not usable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// No length to choose from.
    #[error("sequences need a length of at least 1, found {shortest} to {longest}")]
    Lengths {
        /// The shortest length asked for.
        shortest: usize,
        /// The longest length asked for.
        longest: usize,
    },
    /// No word to choose from.
    #[error("sequences need at least one word")]
    NoWords,
    /// Hardly any sentence would pass.
    #[error("sentences need a limit of at least {MIN_LIMIT} tokens, found {max_tokens}")]
    Limit {
        /// The limit asked for.
        max_tokens: usize,
    },
}

impl GeneratorOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// One variant of [`OptionsError`] for each option.
    pub fn check(&self) -> Result<(), OptionsError> {
        let (shortest, longest) = (*self.sequence_lengths.start(), *self.sequence_lengths.end());
        if shortest == 0 || longest < shortest {
            return Err(OptionsError::Lengths { shortest, longest });
        }
        if self.words.is_empty() {
            return Err(OptionsError::NoWords);
        }
        if self.max_tokens < MIN_LIMIT {
            return Err(OptionsError::Limit {
                max_tokens: self.max_tokens,
            });
        }
        Ok(())
    }
}

/// An endless source of pairs, determined by kind, options and seed.
///
/// Pairs may repeat: short sentences do, now and then.
#[derive(Clone, Debug)]
pub struct Generator {
    kind: GeneratorKind,
    options: GeneratorOptions,
    dice: Dice,
}

impl Generator {
    /// A generator.
    ///
    /// # Errors
    /// [`OptionsError`] if the options are not usable.
    pub fn new(
        kind: GeneratorKind,
        options: GeneratorOptions,
        seed: u64,
    ) -> Result<Self, OptionsError> {
        options.check()?;
        Ok(Self {
            kind,
            options,
            dice: Dice::new(seed),
        })
    }

    fn draw(&mut self) -> AlignedPair {
        let reversed = match self.kind {
            GeneratorKind::Grammar => return self.sentence(),
            GeneratorKind::Reversal => true,
            GeneratorKind::Copy => false,
        };
        let options = &self.options;
        sequence(
            &mut self.dice,
            &options.words,
            &options.sequence_lengths,
            reversed,
        )
    }

    /// A sentence within the limits that is not a demo sentence.
    fn sentence(&mut self) -> AlignedPair {
        loop {
            let mut writer = Writer {
                dice: &mut self.dice,
                builder: Builder::default(),
            };
            let phrase = writer.sentence();
            let pair = writer.builder.finish(&phrase);
            let lengths = 2..=self.options.max_tokens;
            if lengths.contains(&pair.source.len())
                && lengths.contains(&pair.target.len())
                && !is_demo_sentence(&pair.source)
            {
                return pair;
            }
        }
    }
}

impl Iterator for Generator {
    type Item = AlignedPair;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.draw())
    }
}

/// So many pairs with the default options.
pub fn generate(kind: GeneratorKind, pairs: usize, seed: u64) -> impl Iterator<Item = AlignedPair> {
    let generator = Generator {
        kind,
        options: GeneratorOptions::default(),
        dice: Dice::new(seed),
    };
    generator.take(pairs)
}

/// Whether French tokens are a demo sentence, with or without its final mark.
pub fn is_demo_sentence(tokens: &[String]) -> bool {
    let words = match tokens.split_last() {
        Some((mark, words)) if matches!(mark.as_str(), "." | "!" | "?") => words,
        _ => tokens,
    };
    DEMO_SENTENCES
        .iter()
        .any(|demo| demo.split(' ').eq(words.iter().map(String::as_str)))
}
