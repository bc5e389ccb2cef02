//! The bilingual lexicon of the grammar: one English rendering for each French word and use.

pub(super) mod adjectives;
mod conjugation;
pub(super) mod function_words;
pub(super) mod kinds;
pub(super) mod nouns;
pub(super) mod verbs;

/// Grammatical gender of French.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gender {
    /// *le chat*
    Masculine,
    /// *la maison*
    Feminine,
}

/// Grammatical number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// *le chat*
    Singular,
    /// *les chats*
    Plural,
}

/// Grammatical person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Person {
    /// *je, nous*
    First,
    /// *tu, vous*
    Second,
    /// *il, elle, ils, elles* and every noun
    Third,
}

/// What a verb, an adjective or a participle agrees with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Agreement {
    /// The person, for verbs.
    pub(super) person: Person,
    /// The number, for both.
    pub(super) number: Number,
    /// The gender, for adjectives and participles.
    pub(super) gender: Gender,
}

impl Agreement {
    /// Agreement with a noun.
    pub(super) const fn third(gender: Gender, number: Number) -> Self {
        Self {
            person: Person::Third,
            number,
            gender,
        }
    }

    /// Place in a conjugation table `[je, tu, il, nous, vous, ils]`.
    pub(super) const fn row(self) -> usize {
        self.person as usize + 3 * self.number as usize
    }

    /// Whether an English verb takes its `-s`.
    pub(super) fn is_third_singular(self) -> bool {
        self.person == Person::Third && self.number == Number::Singular
    }

    /// The form of *to be* in the present.
    pub(super) fn be(self) -> &'static str {
        match (self.person, self.number) {
            (Person::First, Number::Singular) => "am",
            (Person::Third, Number::Singular) => "is",
            _ => "are",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::adjectives::ADJECTIVES;
    use super::nouns::NOUNS;
    use super::verbs::{Frame, INTRANSITIVE, OTHERS, TRANSITIVE};
    use super::*;

    #[test]
    fn every_noun_has_adjectives() {
        for noun in NOUNS {
            let suited = ADJECTIVES.iter().filter(|adjective| adjective.suits(noun));
            assert!(suited.count() >= 2, "{noun:?}");
        }
    }

    #[test]
    fn every_verb_has_objects_and_subjects() {
        for verb in INTRANSITIVE.iter().chain(TRANSITIVE).chain(OTHERS) {
            let nouns = |kinds| NOUNS.iter().filter(move |noun| noun.is(kinds)).count();
            assert!(nouns(verb.subjects) >= 2, "{verb:?}");
            if let Frame::Transitive(kinds) | Frame::Ditransitive(kinds) = verb.frame {
                assert!(nouns(kinds) >= 2, "{verb:?}");
            }
        }
    }

    #[test]
    fn french_nouns_have_one_english_noun() {
        let mut known = HashMap::new();
        for noun in NOUNS {
            let tail: Vec<_> = noun.tail.iter().map(|&(word, _)| word).collect();
            let french = (noun.french(Number::Singular), tail);
            let english = (noun.english(Number::Singular), noun.front);
            assert!(known.insert(french, english).is_none(), "{noun:?}");
        }
    }
}
