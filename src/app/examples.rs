//! Sentences to begin with, grouped by what they show.

use std::sync::LazyLock;

/// A sentence of the examples menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// What it shows.
    pub group: &'static str,
    /// The sentence.
    pub sentence: &'static str,
}

/// The sentence that a new session begins with.
pub const DEMO_SENTENCE: &str = "le chat noir dort";

static EXAMPLES: LazyLock<Vec<Example>> = LazyLock::new(|| {
    include_str!("../../samples/examples.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(group, sentence)| Example { group, sentence })
        .collect()
});

/// All examples; those of a group stand together.
pub fn examples() -> &'static [Example] {
    &EXAMPLES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_grouped_and_not_twice() {
        let all = examples();
        assert!(all.len() >= 20);
        assert!(all.iter().any(|example| example.sentence == DEMO_SENTENCE));
        let mut groups: Vec<&str> = all.iter().map(|example| example.group).collect();
        groups.dedup();
        let mut sorted = groups.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(
            groups.len(),
            sorted.len(),
            "a group is torn apart: {groups:?}"
        );
        for example in all {
            let same = all
                .iter()
                .filter(|other| other.sentence == example.sentence);
            assert_eq!(same.count(), 1, "{}", example.sentence);
            assert_eq!(example.sentence.trim(), example.sentence);
        }
    }
}
