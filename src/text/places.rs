//! Where words stand in their list.

use std::hash::{BuildHasher as _, RandomState};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::WordList;

/// Finds the place of a word in a [`WordList`]. The table holds places and not the words once more.
#[derive(Clone, Debug)]
pub(super) struct Places {
    places: HashTable<u32>,
    /// Seeded anew for each table, so that no file can be made of words that fall together.
    hasher: RandomState,
}

impl Places {
    /// A table for at most `count` words.
    pub(super) fn with_room_for(count: usize) -> Self {
        Self {
            places: HashTable::with_capacity(count),
            hasher: RandomState::new(),
        }
    }

    /// Takes up the word at a place, unless it is there already; then its first place.
    pub(super) fn insert(&mut self, words: &WordList, place: usize) -> Option<usize> {
        let hash = |place: &u32| self.hasher.hash_one(&words[*place as usize]);
        let is_same = |other: &u32| words[*other as usize] == words[place];
        let place = place as u32;
        match self.places.entry(hash(&place), is_same, hash) {
            Entry::Occupied(first) => Some(*first.get() as usize),
            Entry::Vacant(free) => {
                free.insert(place);
                None
            }
        }
    }

    /// The place of a word.
    pub(super) fn find(&self, words: &WordList, word: &str) -> Option<usize> {
        let is_word = |place: &u32| &words[*place as usize] == word;
        let place = self.places.find(self.hasher.hash_one(word), is_word)?;
        Some(*place as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_at_its_first_place() {
        let words: WordList = (0..500)
            .map(|number: u32| (number % 400).to_string())
            .collect();
        let mut places = Places::with_room_for(words.len());
        for place in 0..words.len() {
            let first = places.insert(&words, place);
            assert_eq!(first, place.checked_sub(400));
        }
        for place in 0..400 {
            assert_eq!(places.find(&words, &words[place]), Some(place));
        }
        assert_eq!(places.find(&words, "400"), None);
        assert_eq!(
            Places::with_room_for(0).find(&WordList::default(), ""),
            None
        );
    }
}
