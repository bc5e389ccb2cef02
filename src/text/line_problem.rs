//! What is wrong with lines of a file: the first in full, the others counted.

use std::fmt;
use std::path::PathBuf;

/// A line that could not be read: where it is, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineProblem {
    /// The file.
    pub path: PathBuf,
    /// The line's number in its file, from 1.
    pub line: usize,
    /// What should stand there.
    pub expected: String,
    /// What stands there instead.
    pub found: String,
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            line,
            expected,
            found,
        } = self;
        write!(
            f,
            "{}:{line}: expected {expected}, found {found}",
            path.display()
        )
    }
}

/// The lines of a file that could not be read, in their order.
///
/// A large file of something else has a problem in each line, and a message takes many times the memory of a short
/// line. So only the first [`LineProblems::KEPT`] are kept in full.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineProblems {
    kept: Vec<LineProblem>,
    not_kept: usize,
}

impl LineProblems {
    /// How many are kept in full.
    pub const KEPT: usize = 100;

    /// Notes one more; it is kept while there is room, else counted.
    pub fn push(&mut self, problem: LineProblem) {
        if self.kept.len() < Self::KEPT {
            self.kept.push(problem);
        } else {
            self.not_kept += 1;
        }
    }

    /// The first ones, in full.
    pub fn kept(&self) -> &[LineProblem] {
        &self.kept
    }

    /// How many lines could not be read, those that are only counted among them.
    pub fn len(&self) -> usize {
        self.kept.len() + self.not_kept
    }

    /// Whether all lines could be read.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_are_kept_and_the_others_counted() {
        let mut problems = LineProblems::default();
        assert!(problems.is_empty());
        for line in 1..=LineProblems::KEPT + 7 {
            problems.push(LineProblem {
                path: PathBuf::from("a.tsv"),
                line,
                expected: "this".to_owned(),
                found: "that".to_owned(),
            });
        }
        assert!(!problems.is_empty());
        assert_eq!(problems.len(), LineProblems::KEPT + 7);
        let lines: Vec<usize> = problems.kept().iter().map(|p| p.line).collect();
        assert_eq!(lines, (1..=LineProblems::KEPT).collect::<Vec<_>>());
    }
}
