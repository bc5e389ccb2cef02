//! Many words in little memory.

use std::fmt;
use std::ops::Index;

use serde::de::{DeserializeSeed, Error, SeqAccess, Visitor};
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::storage::{make_room, refuse_more};

/// Words in their order, all in one text.
///
/// A `String` takes 24 bytes and memory of its own; in a file a word may have three bytes, and a file may have millions of
/// them. Here a word takes its letters and four bytes. In files it is a list of words, as `Vec<String>` is.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct WordList {
    text: String,
    /// Where each word ends in the text; it begins where the one before ends.
    ends: Vec<u32>,
}

impl WordList {
    /// Appends a word.
    ///
    /// # Panics
    /// When the words have more than 4 GiB together; the files with lists of words are smaller.
    pub fn push(&mut self, word: &str) {
        if self.text.capacity() - self.text.len() < word.len() {
            // By a quarter, as `make_room` does.
            self.text.reserve_exact(word.len().max(self.text.len() / 4));
        }
        self.text.push_str(word);
        make_room(&mut self.ends, 1);
        let end = u32::try_from(self.text.len()).expect("words of less than 4 GiB");
        self.ends.push(end);
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The word at a place.
    pub fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)? as usize;
        let start = index.checked_sub(1).map_or(0, |i| self.ends[i] as usize);
        Some(&self.text[start..end])
    }

    /// All words in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(|index| &self[index])
    }

    /// All words, each in memory of its own.
    pub fn to_vec(&self) -> Vec<String> {
        self.iter().map(str::to_owned).collect()
    }

    /// Reads a list of at most `most` words, which the message calls `name`.
    ///
    /// # Errors
    /// What is not a list of words, and how many there are where these are too many.
    pub fn read_at_most<'de, D: Deserializer<'de>>(
        deserializer: D,
        name: &'static str,
        most: usize,
    ) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Words { name, most })
    }
}

struct Words {
    name: &'static str,
    most: usize,
}

impl<'de> Visitor<'de> for Words {
    type Value = WordList;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a list of {}", self.name)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<WordList, A::Error> {
        let mut list = WordList::default();
        while list.len() < self.most {
            if seq.next_element_seed(Append(&mut list))?.is_none() {
                list.text.shrink_to_fit();
                list.ends.shrink_to_fit();
                return Ok(list);
            }
        }
        refuse_more(&mut seq, self.name, self.most)?;
        Ok(list)
    }
}

/// Appends one word of a file to the list; it is never in memory by itself.
struct Append<'a>(&'a mut WordList);

impl<'de> DeserializeSeed<'de> for Append<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Append<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a word")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<(), E> {
        self.0.push(word);
        Ok(())
    }
}

impl<'de> Deserialize<'de> for WordList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read_at_most(deserializer, "words", usize::MAX)
    }
}

impl Serialize for WordList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for word in self.iter() {
            list.serialize_element(word)?;
        }
        list.end()
    }
}

impl<W: AsRef<str>> FromIterator<W> for WordList {
    fn from_iter<I: IntoIterator<Item = W>>(words: I) -> Self {
        let mut list = Self::default();
        for word in words {
            list.push(word.as_ref());
        }
        list
    }
}

impl Index<usize> for WordList {
    type Output = str;

    fn index(&self, index: usize) -> &str {
        self.get(index)
            .unwrap_or_else(|| panic!("word {index} of {}", self.len()))
    }
}

impl fmt::Debug for WordList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_take_little_memory() {
        let text = format!("[{}\"été\"]", "\"\",".repeat(1000));
        let list: WordList = serde_json::from_str(&text).unwrap();
        assert_eq!((list.len(), &list[999], &list[1000]), (1001, "", "été"));
        assert_eq!((list.text.capacity(), list.ends.capacity()), (5, 1001));
        let mut list = WordList::default();
        for _ in 0..1000 {
            list.push("ab");
        }
        assert!(list.text.capacity() < 2600 && list.ends.capacity() < 1300);
    }

    #[test]
    fn what_is_no_list_of_words_is_refused() {
        let message = |text: &str| {
            let error = serde_json::from_str::<WordList>(text).unwrap_err();
            error.to_string()
        };
        assert!(message("[\"a\",7]").contains("expected a word"));
        assert!(message("7").contains("expected a list of words"));
        let mut text = serde_json::Deserializer::from_str("[\"a\",\"b\",\"c\"]");
        let error = WordList::read_at_most(&mut text, "names", 2).unwrap_err();
        assert!(error.to_string().starts_with("3 names; at most 2 are read"));
    }

    proptest! {
        #[test]
        fn a_list_of_words_is_one_of_strings(words: Vec<String>) {
            let list: WordList = words.iter().collect();
            prop_assert_eq!(list.to_vec(), words.clone());
            prop_assert_eq!(list.is_empty(), words.is_empty());
            prop_assert_eq!(list.get(words.len()), None);
            let json = serde_json::to_string(&words).unwrap();
            prop_assert_eq!(serde_json::to_string(&list).unwrap(), json.clone());
            prop_assert_eq!(serde_json::from_str::<WordList>(&json).unwrap(), list.clone());
            let ron = ron::to_string(&words).unwrap();
            prop_assert_eq!(ron::to_string(&list).unwrap(), ron.clone());
            prop_assert_eq!(ron::from_str::<WordList>(&ron).unwrap(), list);
        }
    }
}
