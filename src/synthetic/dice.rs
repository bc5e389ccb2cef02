//! Seeded choices, the same on every machine.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A source of random choices.
///
/// Everything is drawn as a `u32`, whose width does not depend on the machine, so a seed gives one
/// sequence of choices everywhere.
#[derive(Clone, Debug)]
pub(super) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// Dice that a seed determines.
    pub(super) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number in `0..bound`.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound as u32) as usize
    }

    /// True in `percent` of 100 throws.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One item of a list.
    ///
    /// # Panics
    /// If the list is empty.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of the items that pass the filter, if any does.
    pub(super) fn try_pick_where<T>(
        &mut self,
        items: &'static [T],
        keep: impl Fn(&T) -> bool,
    ) -> Option<&'static T> {
        let kept: Vec<&'static T> = items.iter().filter(|item| keep(item)).collect();
        if kept.is_empty() {
            None
        } else {
            Some(kept[self.below(kept.len())])
        }
    }

    /// One of the items that pass the filter.
    ///
    /// # Panics
    /// If none does; the lexicon and the grammar are made to fit.
    pub(super) fn pick_where<T>(
        &mut self,
        items: &'static [T],
        keep: impl Fn(&T) -> bool,
    ) -> &'static T {
        let kept: Vec<&'static T> = items.iter().filter(|item| keep(item)).collect();
        kept[self.below(kept.len())]
    }

    /// One of the choices, each as often as its weight says.
    ///
    /// # Panics
    /// If the weights sum to 0.
    pub(super) fn weighted<T: Copy>(&mut self, choices: &[(usize, T)]) -> T {
        let total = choices.iter().map(|&(weight, _)| weight).sum();
        let mut left = self.below(total);
        for &(weight, choice) in choices {
            if left < weight {
                return choice;
            }
            left -= weight;
        }
        unreachable!("the draw is below the sum of the weights")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_choices() {
        let (mut left, mut right) = (Dice::new(7), Dice::new(7));
        for bound in 1..50 {
            assert_eq!(left.below(bound), right.below(bound));
        }
    }

    #[test]
    fn weights_are_respected() {
        let mut dice = Dice::new(3);
        let heads = (0..10_000)
            .filter(|_| dice.weighted(&[(3, true), (1, false), (0, false)]))
            .count();
        assert!((7_200..7_800).contains(&heads), "{heads}");
    }

    #[test]
    fn a_filter_that_keeps_nothing_gives_nothing() {
        static ITEMS: [u8; 3] = [1, 2, 3];
        assert_eq!(Dice::new(0).try_pick_where(&ITEMS, |&item| item > 3), None);
        assert_eq!(Dice::new(0).pick_where(&ITEMS, |&item| item == 2), &2);
    }
}
