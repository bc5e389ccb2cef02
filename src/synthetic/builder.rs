//! Putting a sentence pair together, word by word, with its links.
//!
//! A French word is known by its [`Handle`]; English words carry the handles they are linked to.
//! A [`Phrase`] is a run of words on each side, so each side can be put in its own order.

use std::borrow::Cow;

use crate::alignment::{AlignedPair, Certainty, Link};

use super::lexicon::function_words::{Expression, To};
use super::orthography::{before_vowel, contraction, indefinite_article};

/// A French word of the pair under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handle(usize);

/// An English word and the French words it is linked to.
#[derive(Clone, Debug)]
pub(super) struct English {
    text: Cow<'static, str>,
    links: Vec<(Handle, Certainty)>,
}

impl English {
    /// A word without links yet.
    pub(super) fn new(text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            text: text.into(),
            links: Vec::new(),
        }
    }

    /// Whether it is this word.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// The word with a sure link.
    pub(super) fn sure(mut self, handle: Handle) -> Self {
        self.links.push((handle, Certainty::Sure));
        self
    }

    /// The word with a possible link.
    pub(super) fn possible(mut self, handle: Handle) -> Self {
        self.links.push((handle, Certainty::Possible));
        self
    }

    /// The word with possible links.
    pub(super) fn possibly(self, handles: impl IntoIterator<Item = Handle>) -> Self {
        handles.into_iter().fold(self, Self::possible)
    }
}

/// A run of words on each side that mean the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Phrase {
    /// The French words.
    pub(super) french: Vec<Handle>,
    /// The English words.
    pub(super) english: Vec<English>,
}

impl Phrase {
    /// This phrase with another behind it on both sides.
    pub(super) fn then(mut self, other: Self) -> Self {
        self.french.extend(other.french);
        self.english.extend(other.english);
        self
    }
}

/// The French words of the pair under construction.
#[derive(Debug, Default)]
pub(super) struct Builder {
    words: Vec<Cow<'static, str>>,
}

impl Builder {
    /// A new French word.
    pub(super) fn french(&mut self, text: impl Into<Cow<'static, str>>) -> Handle {
        self.words.push(text.into());
        Handle(self.words.len() - 1)
    }

    /// A French word and the English word that surely means the same.
    pub(super) fn pair(&mut self, french: &'static str, english: &'static str) -> Phrase {
        let handle = self.french(french);
        Phrase {
            french: vec![handle],
            english: vec![English::new(english).sure(handle)],
        }
    }

    /// A fixed expression.
    pub(super) fn expression(&mut self, expression: &Expression) -> Phrase {
        let french: Vec<Handle> = expression.french.iter().map(|&w| self.french(w)).collect();
        let english = expression
            .english
            .iter()
            .map(|&(text, links)| {
                links
                    .iter()
                    .fold(English::new(text), |word, link| match *link {
                        To::Sure(place) => word.sure(french[place]),
                        To::Possible(place) => word.possible(french[place]),
                    })
            })
            .collect();
        Phrase { french, english }
    }

    /// The spelled pair: elisions and contractions made, handles turned into positions.
    pub(super) fn finish(self, phrase: &Phrase) -> AlignedPair {
        let (source, positions) = self.spell_french(&phrase.french);
        let links = phrase
            .english
            .iter()
            .enumerate()
            .flat_map(|(target, word)| {
                let positions = &positions;
                word.links.iter().filter_map(move |&(handle, certainty)| {
                    positions[handle.0].map(|source| Link {
                        source,
                        target,
                        certainty,
                    })
                })
            })
            .collect();
        AlignedPair {
            source,
            target: spell_english(&phrase.english),
            links,
        }
    }

    /// The French tokens, and for each handle the position of its token.
    fn spell_french(&self, order: &[Handle]) -> (Vec<String>, Vec<Option<usize>>) {
        let mut tokens: Vec<String> = Vec::with_capacity(order.len());
        let mut positions = vec![None; self.words.len()];
        for (place, &handle) in order.iter().enumerate() {
            let word = self.words[handle.0].as_ref();
            let next = order
                .get(place + 1)
                .map_or("", |&h| self.words[h.0].as_ref());
            let spelled = before_vowel(word, next).unwrap_or(word);
            // Decided on the article as it is spelled: `de l' eau` does not contract.
            let joined = tokens.last().and_then(|last| contraction(last, spelled));
            if joined.is_some() {
                tokens.pop();
            }
            tokens.push(joined.unwrap_or(spelled).to_owned());
            positions[handle.0] = Some(tokens.len() - 1);
        }
        (tokens, positions)
    }
}

/// The English tokens, with *a* or *an* as the next word asks for.
fn spell_english(words: &[English]) -> Vec<String> {
    words
        .iter()
        .enumerate()
        .map(|(place, word)| match words.get(place + 1) {
            Some(next) if word.text == "a" => indefinite_article(&next.text).to_owned(),
            _ => word.text.clone().into_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contraction_keeps_both_links_on_one_token() {
        let mut builder = Builder::default();
        let (of, the, garden) = (
            builder.french("de"),
            builder.french("le"),
            builder.french("jardin"),
        );
        let english = vec![
            English::new("of").sure(of),
            English::new("the").sure(the),
            English::new("garden").sure(garden),
        ];
        let pair = builder.finish(&Phrase {
            french: vec![of, the, garden],
            english,
        });
        assert_eq!(pair.source, ["du", "jardin"]);
        assert_eq!(
            pair.links,
            [Link::sure(0, 0), Link::sure(0, 1), Link::sure(1, 2)]
                .into_iter()
                .collect()
        );
    }

    #[test]
    fn elision_goes_before_contraction() {
        let mut builder = Builder::default();
        let french: Vec<Handle> = ["à", "le", "hôtel"].map(|w| builder.french(w)).into();
        let pair = builder.finish(&Phrase {
            french,
            english: Vec::new(),
        });
        assert_eq!(pair.source, ["à", "l'", "hôtel"]);
    }

    #[test]
    fn the_english_article_is_spelled_last() {
        let words = ["a", "old", "dog", "a"].map(English::new);
        assert_eq!(spell_english(&words), ["an", "old", "dog", "a"]);
    }
}
