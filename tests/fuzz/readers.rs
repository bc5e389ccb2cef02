//! The readers of outside bytes, and the inputs that they get.

use std::ffi::OsString;

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use regard::alignment::parse_aligned_pairs;
use regard::cli::understand;
use regard::engine::Model;
use regard::numeric::Stream;
use regard::project::{LONGEST_TEXT, Preferences, SessionFile};
use regard::text::{TokeniserKind, parse_pairs};
use regard::training::state_from_bytes;

use super::grammar::{self, Notation};
use super::mutate::mutate;
use super::seeds::seeds;

/// The longest input of most rounds, in bytes.
const LONGEST: usize = 16 << 10;
/// The longest input of the few rounds with very long ones.
const LONGEST_OF_ALL: usize = 256 << 10;
/// How many rounds are there for one with a very long input.
const ROUNDS_A_LONG_ONE: u32 = 2000;

/// A reader of outside bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Session files.
    Session,
    /// Model files.
    Model,
    /// States of trainings, the checkpoints that one goes on from.
    State,
    /// Pair files, with and without links.
    Pairs,
    /// Stored preferences.
    Preferences,
    /// Choices and interventions, as the command line takes them.
    Choices,
    /// Whole command lines.
    CommandLine,
    /// Sentences, for all tokenisers.
    Sentence,
}

impl Reader {
    pub(crate) const ALL: [Self; 8] = [
        Self::Session,
        Self::Model,
        Self::State,
        Self::Pairs,
        Self::Preferences,
        Self::Choices,
        Self::CommandLine,
        Self::Sentence,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Model => "model",
            Self::State => "state",
            Self::Pairs => "pairs",
            Self::Preferences => "preferences",
            Self::Choices => "choices",
            Self::CommandLine => "command-line",
            Self::Sentence => "sentence",
        }
    }

    /// Memory that a reader may use however short its input is, in bytes.
    pub(crate) const fn constant(self) -> usize {
        match self {
            // The definitions of all subcommands and options are made for each.
            Self::Choices | Self::CommandLine => 2 << 20,
            // A letter that is a token takes some 260 bytes while the sentence is cut; a sentence is not long.
            Self::Sentence => 10 << 20,
            _ => 1 << 20,
        }
    }

    /// Memory that every reader may use for each byte of its input, beside the constant.
    pub(crate) const TIMES: usize = 10;

    /// The longest input, in bytes; for a few rounds, and for all others.
    const fn longest(self) -> [usize; 2] {
        match self {
            // What the window takes.
            Self::Sentence => [LONGEST_TEXT, LONGEST],
            // More than a system allows is not tried.
            Self::Choices | Self::CommandLine => [64 << 10, 2 << 10],
            _ => [LONGEST_OF_ALL, LONGEST],
        }
    }

    /// Reads, and says whether the input was taken. What is taken is used as the program would.
    pub(crate) fn read(self, bytes: &[u8]) -> bool {
        match self {
            Self::Session => match SessionFile::from_bytes(bytes) {
                // What was read can be written, and is the same then.
                Ok(session) => {
                    let written = session
                        .to_bytes()
                        .expect("a session that was read is written");
                    assert!(SessionFile::from_bytes(&written).is_ok());
                    true
                }
                Err(error) => said(&error),
            },
            Self::Model => Model::from_bytes(bytes).map_or_else(|error| said(&error), |_| true),
            Self::State => state_from_bytes(bytes).map_or_else(|error| said(&error), |_| true),
            Self::Pairs => read_pairs(bytes),
            Self::Preferences => {
                let text = String::from_utf8_lossy(bytes);
                match Preferences::from_text(&text) {
                    Ok(preferences) => preferences.to_text().is_some(),
                    Err(error) => said(&error),
                }
            }
            Self::Choices => {
                let is_choice = bytes.windows(8).any(|part| part == b"position");
                let option = if is_choice {
                    "--choices"
                } else {
                    "--interventions"
                };
                let value = argument(bytes);
                let line =
                    ["regard", "figure", "le chat", "-o", "a.svg", option].map(OsString::from);
                understand(line.into_iter().chain([value])).is_ok()
            }
            Self::CommandLine => {
                let arguments = bytes.split(|byte| *byte == 0).map(argument);
                understand([OsString::from("regard")].into_iter().chain(arguments)).is_ok()
            }
            Self::Sentence => read_sentence(bytes),
        }
    }
}

/// Makes the message of an error, as whoever shows it would.
fn said(error: &impl std::fmt::Display) -> bool {
    assert!(!error.to_string().is_empty(), "an error without words");
    false
}

#[cfg(unix)]
fn argument(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn argument(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

fn read_pairs(bytes: &[u8]) -> bool {
    let Ok(file) = parse_pairs(bytes, "a.tsv") else {
        return false;
    };
    file.problems.kept().iter().for_each(|problem| {
        said(problem);
    });
    let is_good = file.problems.is_empty();
    // The program never holds both.
    drop(file);
    let aligned = parse_aligned_pairs(bytes, "a.tsv");
    is_good && aligned.is_ok_and(|file| file.problems.is_empty())
}

fn read_sentence(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    for kind in TokeniserKind::ALL {
        let tokens = kind.tokenise_spans(&text);
        let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        for token in &tokens {
            // Its place in what was typed, which the window marks.
            assert!(text.get(token.start..token.end).is_some(), "{token:?}");
        }
        kind.detokenise(&words);
    }
    !text.trim().is_empty()
}

/// A reader's inputs: valid ones, their changes, and those of a grammar.
pub(crate) struct Inputs {
    reader: Reader,
    seeds: Vec<Vec<u8>>,
    words: Vec<String>,
}

impl Inputs {
    pub(crate) fn new(reader: Reader) -> Self {
        let seeds = seeds(reader);
        let mut words = grammar::words(&seeds);
        if matches!(reader, Reader::CommandLine) {
            words.extend(options());
        }
        Self {
            reader,
            seeds,
            words,
        }
    }

    /// The first valid input that the reader refuses, which would make a run worth little.
    pub(crate) fn refused_seed(&self) -> Option<String> {
        let refused = self.seeds.iter().find(|seed| !self.reader.read(seed));
        refused.map(|seed| String::from_utf8_lossy(seed).into_owned())
    }

    /// The input that belongs to these random numbers.
    pub(crate) fn input(&self, rng: &mut Stream) -> Vec<u8> {
        let is_long = rng.random_range(0..ROUNDS_A_LONG_ONE) == 0;
        let longest = self.reader.longest()[usize::from(!is_long)];
        let mut bytes = self.seeds.choose(rng).cloned().unwrap_or_default();
        if is_long {
            bytes = self.many(&bytes, longest, rng);
        } else {
            match rng.random_range(0..8) {
                0 | 1 => bytes = self.made(&bytes, longest, rng),
                2 => {
                    bytes = self.made(&bytes, longest, rng);
                    mutate(&mut bytes, &self.seeds, &self.words, longest, rng);
                }
                _ => mutate(&mut bytes, &self.seeds, &self.words, longest, rng),
            }
        }
        if self.is_container() && rng.random_range(0..4) > 0 {
            // Else nothing but the hashes would be tried.
            if let Some((header, block)) = grammar::parts(&bytes) {
                bytes = grammar::container(&grammar::mend_hash(header, block), block);
            }
        }
        bytes.truncate(longest);
        bytes
    }

    const fn is_container(&self) -> bool {
        matches!(self.reader, Reader::Model | Reader::State)
    }

    /// An input of a grammar.
    fn made(&self, seed: &[u8], longest: usize, rng: &mut Stream) -> Vec<u8> {
        let words = &self.words;
        match self.reader {
            Reader::Session | Reader::Preferences => {
                let structure = grammar::structure(Notation::Ron, words, 4, rng);
                format!("(version:1,{}", &structure[1..]).into_bytes()
            }
            Reader::Model | Reader::State => {
                let Some((header, block)) = grammar::parts(seed) else {
                    return seed.to_vec();
                };
                // A value of the header for another.
                let starts: Vec<_> = header.match_indices(':').map(|(at, _)| at + 1).collect();
                let start = starts.choose(rng).copied().unwrap_or_default();
                let end = header[start..]
                    .find([',', '}'])
                    .map_or(header.len(), |at| start + at);
                let value = grammar::value(Notation::Json, words, 3, rng);
                let header = format!("{}{value}{}", &header[..start], &header[end..]);
                grammar::container(&header, block)
            }
            Reader::Pairs => grammar::pairs(words, longest, rng).into_bytes(),
            Reader::Choices => {
                let value = grammar::value(Notation::Json, words, 4, rng);
                format!("dot:[{value}]").into_bytes()
            }
            Reader::CommandLine => grammar::arguments(words, rng),
            Reader::Sentence => grammar::sentence(words, longest, rng).into_bytes(),
        }
    }

    /// A very long input.
    fn many(&self, seed: &[u8], longest: usize, rng: &mut Stream) -> Vec<u8> {
        let count = rng.random_range(1..longest / 4);
        let many = |text: &str, rng: &mut Stream| grammar::many(text, count, rng);
        match (self.reader, grammar::parts(seed)) {
            (Reader::Model | Reader::State, Some((header, block))) => {
                // Lists stand in strings of the header, where quotation marks are escaped.
                let header = header.replace("\\\"", "\u{1}");
                let header = many(&header, rng).replace("\"\",", "\u{1}\u{1},");
                grammar::container(&header.replace('\u{1}', "\\\""), block)
            }
            (Reader::Pairs | Reader::Sentence, _) => {
                let piece = self.made(seed, 64, rng);
                let mut bytes = piece.repeat(longest / piece.len().max(1));
                if piece.len() > 1 && rng.random() {
                    // Few bytes over and over.
                    bytes = piece[..2].repeat(longest / 2);
                }
                bytes
            }
            (Reader::CommandLine, _) => [seed, b"\0"].concat().repeat(longest / (seed.len() + 1)),
            _ => many(&String::from_utf8_lossy(seed), rng).into_bytes(),
        }
    }
}

/// Names of options and values that no seed has.
fn options() -> Vec<String> {
    let text = "--model --scorer --scorers --mask --window --temperature --uniform --last --one-hot --weights-of --row \
        --permute --set --drop --swap --repeat --limit --format --width --beam --sample --seed --steps --difference \
        --curves --links --dpi --theme --choices --interventions --pairs --valid --passes --batch --rate --exclude \
        --concatenate --method --points --verdict --out --out-dir --file --source --target -o - -- json csv svg \
        85mm 3-6 2:noir=0.1 1+ additive,dot";
    text.split_whitespace().map(str::to_owned).collect()
}
