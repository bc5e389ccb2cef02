//! Tokens, vocabularies, tokenisers and corpora: everything that stands between a person's sentence
//! and the numbers of the engine.
//!
//! - [`TokeniserKind`] cuts a sentence into tokens (with their places in what was typed) and glues
//!   tokens together again for display.
//! - [`Vocabulary`] numbers the known words; the four special entries come first.
//! - [`WordList`] keeps very many words in little memory.
//! - [`read_pairs`] reads a parallel corpus and keeps the good lines, in a [`PairList`], beside a report of the bad ones.
//! - [`resolve_unknowns`] shows an unknown output word as the source word that it attends to.

mod corpus;
mod detokenise;
mod english;
mod french;
mod line_problem;
mod nearest;
mod pair_list;
mod places;
mod scan;
mod surface;
mod tokenise;
mod units;
mod vocabulary;
mod word_list;

pub use corpus::{
    CorpusError, PairFile, TokenPair, drop_final_mark, parse_pairs, read_pairs, tokenise_pairs,
};
pub(crate) use corpus::{Mismatch, open, parse_checked_pairs};
pub use line_problem::{LineProblem, LineProblems};
pub use pair_list::{PairList, TextPair};
pub use surface::{DisplayToken, resolve_unknowns};
pub use tokenise::{Token, TokeniserKind, UnknownTokeniser};
pub use vocabulary::{
    END, END_TEXT, MAX_WORDS, PAD, PAD_TEXT, SPECIALS, START, START_TEXT, UNKNOWN, UNKNOWN_TEXT,
    Vocabulary, VocabularyError,
};
pub use word_list::WordList;
