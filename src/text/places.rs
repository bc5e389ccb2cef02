//! Where words stand in their list.

use std::hash::{BuildHasher as _, RandomState};

use super::WordList;

/// Marks a slot without a word.
const FREE: u32 = u32::MAX;

/// Finds the place of a word in a [`WordList`]: a hash table with open addressing and linear probing, which holds places
/// and not the words once more.
#[derive(Clone, Debug)]
pub(super) struct Places {
    slots: Box<[u32]>,
    /// Seeded anew for each table, so that no file can be made of words that fall together.
    hasher: RandomState,
}

impl Places {
    /// A table for at most `count` words; half of it stays free, so that a search ends soon.
    pub(super) fn with_room_for(count: usize) -> Self {
        Self {
            slots: vec![FREE; 2 * count + 1].into(),
            hasher: RandomState::new(),
        }
    }

    /// Takes up the word at a place, unless it is there already; then its first place.
    pub(super) fn insert(&mut self, words: &WordList, place: usize) -> Option<usize> {
        let slot = self.slot(words, &words[place]);
        let first = self.slots[slot];
        if first == FREE {
            self.slots[slot] = place as u32;
            return None;
        }
        Some(first as usize)
    }

    /// The place of a word.
    pub(super) fn find(&self, words: &WordList, word: &str) -> Option<usize> {
        let place = self.slots[self.slot(words, word)];
        (place != FREE).then_some(place as usize)
    }

    /// The slot that has the word, or else the free one where it would be.
    fn slot(&self, words: &WordList, word: &str) -> usize {
        let count = self.slots.len();
        let mut slot = (self.hasher.hash_one(word) % count as u64) as usize;
        while self.slots[slot] != FREE && &words[self.slots[slot] as usize] != word {
            slot = (slot + 1) % count;
        }
        slot
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
