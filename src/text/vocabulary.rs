//! The numbered list of known words.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::WordList;
use super::nearest::{Folded, nearest_indices};
use super::places::Places;

/// Id of the padding mark.
pub const PAD: u32 = 0;
/// Id of the start mark.
pub const START: u32 = 1;
/// Id of the end mark.
pub const END: u32 = 2;
/// Id that stands for every word outside the list.
pub const UNKNOWN: u32 = 3;

/// Text of [`PAD`].
pub const PAD_TEXT: &str = "<pad>";
/// Text of [`START`].
pub const START_TEXT: &str = "<s>";
/// Text of [`END`].
pub const END_TEXT: &str = "</s>";
/// Text of [`UNKNOWN`].
pub const UNKNOWN_TEXT: &str = "<unk>";
/// The special entries in the order of their ids; every vocabulary starts with them.
pub const SPECIALS: [&str; 4] = [PAD_TEXT, START_TEXT, END_TEXT, UNKNOWN_TEXT];

/// The largest number of entries, specials included.
pub const MAX_WORDS: usize = 1 << 20;

/// A list of words that is not a vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VocabularyError {
    /// One of the first four entries is not the special one that belongs there.
    #[error("vocabulary entry {index}: expected the special entry \"{expected}\", found {}", quoted(found.as_deref()))]
    Special {
        /// The entry's id.
        index: usize,
        /// The special entry that belongs there.
        expected: &'static str,
        /// What stands there; `None` if the list is too short.
        found: Option<String>,
    },
    /// A word occurs twice.
    #[error("vocabulary entry {index}: \"{word}\" stands already at entry {first}")]
    Duplicate {
        /// Id of the second occurrence.
        index: usize,
        /// Id of the first occurrence.
        first: usize,
        /// The word.
        word: String,
    },
    /// An entry holds no text.
    #[error("vocabulary entry {index}: expected a word, found an empty text")]
    Empty {
        /// The entry's id.
        index: usize,
    },
    /// The list is too long.
    #[error("a vocabulary of {found} entries: expected at most {MAX_WORDS}")]
    TooLong {
        /// The number of entries.
        found: usize,
    },
}

fn quoted(text: Option<&str>) -> String {
    text.map_or_else(|| "nothing".to_owned(), |text| format!("\"{text}\""))
}

/// The known words of one language, numbered from 0; the first four are the [`SPECIALS`].
///
/// Serialised as the plain list of words, and checked when read.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    words: WordList,
    /// Where each word stands in the list.
    places: Places,
    /// Accent-folded words for [`Vocabulary::nearest`], made at the first question.
    folded: OnceLock<Vec<Folded>>,
}

impl PartialEq for Vocabulary {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl Eq for Vocabulary {}

impl Serialize for Vocabulary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.words.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Vocabulary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = WordList::read_at_most(deserializer, "entries", MAX_WORDS)?;
        Self::from_words(words).map_err(D::Error::custom)
    }
}

impl Vocabulary {
    /// Takes the most frequent tokens, at most `max_size` entries with the four specials, each seen at
    /// least `min_count` times.
    ///
    /// Equally frequent words are ordered by their text, so the result depends only on the counts. Empty
    /// tokens and tokens that spell a special entry are left out. A `max_size` below 4 gives the specials
    /// alone; one above [`MAX_WORDS`] counts as [`MAX_WORDS`].
    pub fn build<'a>(
        tokens: impl Iterator<Item = &'a str>,
        max_size: usize,
        min_count: usize,
    ) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for token in tokens.filter(|token| !token.is_empty() && !SPECIALS.contains(token)) {
            *counts.entry(token).or_default() += 1;
        }
        let mut ranked: Vec<(&str, usize)> = counts
            .into_iter()
            .filter(|&(_, count)| count >= min_count)
            .collect();
        ranked.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let room = max_size.min(MAX_WORDS).saturating_sub(SPECIALS.len());
        let words = SPECIALS
            .into_iter()
            .chain(ranked.into_iter().take(room).map(|(word, _)| word));
        let words: WordList = words.collect();
        let mut places = Places::with_room_for(words.len());
        for place in 0..words.len() {
            places.insert(&words, place);
        }
        Self {
            words,
            places,
            folded: OnceLock::new(),
        }
    }

    /// Takes a finished list whose ids are the positions.
    ///
    /// # Errors
    /// [`VocabularyError`] naming the entry when the [`SPECIALS`] do not come first, a word is empty or
    /// occurs twice, or there are more than [`MAX_WORDS`] entries.
    pub fn from_words(words: WordList) -> Result<Self, VocabularyError> {
        if words.len() > MAX_WORDS {
            return Err(VocabularyError::TooLong { found: words.len() });
        }
        for (index, expected) in SPECIALS.into_iter().enumerate() {
            let found = words.get(index);
            if found != Some(expected) {
                return Err(VocabularyError::Special {
                    index,
                    expected,
                    found: found.map(str::to_owned),
                });
            }
        }
        let mut places = Places::with_room_for(words.len());
        for (index, word) in words.iter().enumerate() {
            if word.is_empty() {
                return Err(VocabularyError::Empty { index });
            }
            if let Some(first) = places.insert(&words, index) {
                return Err(VocabularyError::Duplicate {
                    index,
                    first,
                    word: word.to_owned(),
                });
            }
        }
        Ok(Self {
            words,
            places,
            folded: OnceLock::new(),
        })
    }

    /// The number of entries, specials included; at least 4.
    #[allow(
        clippy::len_without_is_empty,
        reason = "never empty: the specials are always there"
    )]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The id of a word, specials included.
    pub fn id(&self, word: &str) -> Option<u32> {
        self.places
            .find(&self.words, word)
            .map(|place| place as u32)
    }

    /// The id of a word, or [`UNKNOWN`].
    pub fn id_or_unknown(&self, word: &str) -> u32 {
        self.id(word).unwrap_or(UNKNOWN)
    }

    /// The word of an id.
    pub fn word(&self, id: u32) -> Option<&str> {
        self.words.get(id as usize)
    }

    /// All entries in the order of their ids, `[V]`.
    pub const fn words(&self) -> &WordList {
        &self.words
    }

    /// The ids of the tokens of a text, same length.
    ///
    /// A token that spells a special entry is text and not the mark: someone who types `</s>` gets
    /// [`UNKNOWN`]. The marks are added by their constants.
    pub fn encode(&self, tokens: &[String]) -> Vec<u32> {
        tokens
            .iter()
            .map(|token| self.id_or_unknown(token).max(UNKNOWN))
            .collect()
    }

    /// The at most `n` known words that look most like `word`, nearest first; specials are left out.
    ///
    /// Nearness is the number of insertions, deletions, replacements and swaps of neighbours between the
    /// words without their accents; then accents count, then frequency (the order of the ids). Words that
    /// differ in more than half of their letters are not offered.
    pub fn nearest(&self, word: &str, n: usize) -> Vec<&str> {
        let folded = self.folded.get_or_init(|| {
            self.words
                .iter()
                .skip(SPECIALS.len())
                .map(Folded::new)
                .collect()
        });
        let known = |index| &self.words[SPECIALS.len() + index];
        nearest_indices(word, known, folded, n)
            .into_iter()
            .map(known)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample() -> Vocabulary {
        let text = "le chat noir dort le chat le garçon été étés forêt œuvre mère maire";
        Vocabulary::build(text.split(' '), 100, 1)
    }

    #[test]
    fn the_most_frequent_words_come_first_and_ties_by_text() {
        let vocabulary = Vocabulary::build("b a c b c d <unk>".split(' '), 100, 1);
        assert_eq!(
            vocabulary.words().to_vec(),
            ["<pad>", "<s>", "</s>", "<unk>", "b", "c", "a", "d"]
        );
        assert_eq!(Vocabulary::build("b a c b c d".split(' '), 6, 1).len(), 6);
        assert_eq!(
            Vocabulary::build("b a c b c d".split(' '), 100, 2)
                .words()
                .to_vec()[4..],
            ["b", "c"]
        );
        assert_eq!(
            Vocabulary::build("a".split(' '), 0, 1).words().to_vec(),
            SPECIALS
        );
    }

    #[test]
    fn specials_have_their_ids() {
        let vocabulary = sample();
        assert_eq!(vocabulary.id(PAD_TEXT), Some(PAD));
        assert_eq!(vocabulary.id(START_TEXT), Some(START));
        assert_eq!(vocabulary.id(END_TEXT), Some(END));
        assert_eq!(vocabulary.word(UNKNOWN), Some(UNKNOWN_TEXT));
        assert_eq!(vocabulary.word(u32::MAX), None);
    }

    #[test]
    fn encodes_unknown_words_and_typed_marks_as_unknown() {
        let vocabulary = sample();
        let tokens: Vec<String> = ["le", "narval", "</s>"].map(str::to_owned).to_vec();
        assert_eq!(vocabulary.encode(&tokens), [4, UNKNOWN, UNKNOWN]);
    }

    #[test]
    fn a_bad_list_is_refused_by_the_name_of_its_entry() {
        let list = |text: &str| text.split(' ').collect::<WordList>();
        let message = |text: &str| Vocabulary::from_words(list(text)).unwrap_err().to_string();
        assert_eq!(
            message("<pad> <s> le"),
            "vocabulary entry 2: expected the special entry \"</s>\", found \"le\""
        );
        assert_eq!(
            message("<pad>"),
            "vocabulary entry 1: expected the special entry \"<s>\", found nothing"
        );
        assert_eq!(
            message("<pad> <s> </s> <unk> le la le"),
            "vocabulary entry 6: \"le\" stands already at entry 4"
        );
        assert_eq!(
            message("<pad> <s> </s> <unk> le "),
            "vocabulary entry 5: expected a word, found an empty text"
        );
        let long: WordList = (0..=MAX_WORDS).map(|index| index.to_string()).collect();
        assert_eq!(
            Vocabulary::from_words(long),
            Err(VocabularyError::TooLong {
                found: MAX_WORDS + 1
            })
        );
    }

    #[test]
    fn is_stored_as_its_list() {
        let vocabulary = sample();
        let json = serde_json::to_string(&vocabulary).unwrap();
        assert!(json.starts_with("[\"<pad>\",\"<s>\","), "{json}");
        assert_eq!(
            serde_json::from_str::<Vocabulary>(&json).unwrap(),
            vocabulary
        );
        assert!(serde_json::from_str::<Vocabulary>("[\"le\"]").is_err());
    }

    #[test]
    fn offers_words_that_look_alike() {
        let vocabulary = sample();
        assert_eq!(vocabulary.nearest("garcon", 1), ["garçon"]);
        assert_eq!(vocabulary.nearest("foret", 1), ["forêt"]);
        assert_eq!(vocabulary.nearest("oeuvre", 1), ["œuvre"]);
        assert_eq!(vocabulary.nearest("caht", 1), ["chat"]);
        assert_eq!(vocabulary.nearest("été", 2), ["été", "étés"]);
        assert_eq!(vocabulary.nearest("xyzxyzxyz", 3), Vec::<&str>::new());
        assert_eq!(vocabulary.nearest("chat", 0), Vec::<&str>::new());
    }

    proptest! {
        #[test]
        fn any_word_has_an_answer(word in any::<String>(), n in 0_usize..20) {
            let vocabulary = sample();
            prop_assert!(vocabulary.nearest(&word, n).len() <= n);
        }

        #[test]
        fn every_built_word_finds_its_id(words in proptest::collection::vec("[a-f]{1,3}", 0..60)) {
            let vocabulary = Vocabulary::build(words.iter().map(String::as_str), 40, 1);
            prop_assert!(vocabulary.len() <= 40);
            for (id, word) in (0_u32..).zip(vocabulary.words().iter()) {
                prop_assert_eq!(vocabulary.id(word), Some(id));
            }
            prop_assert_eq!(Vocabulary::from_words(vocabulary.words().clone()), Ok(vocabulary));
        }
    }
}
