//! Inputs made from a grammar: documents of the right words in the wrong places, containers, lines, sentences.

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use regard::numeric::Stream;
use regard::storage::hex;
use sha2::{Digest as _, Sha256};

use super::mutate::{LETTERS, NUMBERS};

/// The notation of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// As sessions and preferences are written.
    Ron,
    /// As the metadata of model files and the options of the command line are written.
    Json,
}

/// The words of a text: names of fields, values, tokens.
pub(crate) fn words(texts: &[Vec<u8>]) -> Vec<String> {
    let mut words: Vec<String> = texts
        .iter()
        .flat_map(|text| {
            let text = String::from_utf8_lossy(text).into_owned();
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            text.split(|letter| !is_word(letter))
                .filter(|word| word.chars().next().is_some_and(char::is_alphabetic))
                .filter(|word| word.len() < 40)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    words.sort();
    words.dedup();
    words
}

fn word<'a>(words: &'a [String], rng: &mut Stream) -> &'a str {
    words.choose(rng).map_or("a", String::as_str)
}

/// A value of any type, some levels deep.
pub(crate) fn value(
    notation: Notation,
    words: &[String],
    depth: usize,
    rng: &mut Stream,
) -> String {
    let kind = rng.random_range(0..if depth == 0 { 6 } else { 10 });
    let quoted = |text: &str| format!("\"{text}\"");
    match kind {
        0 => NUMBERS.choose(rng).copied().unwrap_or("0").to_owned(),
        1 => rng.random::<f32>().to_string(),
        2 => rng.random_range(0..9).to_string(),
        3 => quoted(word(words, rng)),
        4 => quoted(LETTERS.choose(rng).copied().unwrap_or("")),
        5 => match notation {
            Notation::Ron => word(words, rng).to_owned(),
            Notation::Json => ["null", "true", "false"]
                .choose(rng)
                .copied()
                .unwrap_or("null")
                .to_owned(),
        },
        6 | 7 => {
            let count = rng.random_range(0..5);
            let items: Vec<_> = (0..count)
                .map(|_| value(notation, words, depth - 1, rng))
                .collect();
            format!("[{}]", items.join(","))
        }
        8 if notation == Notation::Ron => {
            let name = if rng.random() {
                "Some"
            } else {
                word(words, rng)
            };
            format!("{name}({})", value(notation, words, depth - 1, rng))
        }
        _ => structure(notation, words, depth - 1, rng),
    }
}

/// A structure with fields of known names.
pub(crate) fn structure(
    notation: Notation,
    words: &[String],
    depth: usize,
    rng: &mut Stream,
) -> String {
    let count = rng.random_range(0..6);
    let field = |rng: &mut Stream| {
        let name = word(words, rng).to_owned();
        let value = value(notation, words, depth, rng);
        match notation {
            Notation::Ron => format!("{name}:{value}"),
            Notation::Json => format!("\"{name}\":{value}"),
        }
    };
    let fields: Vec<_> = (0..count).map(|_| field(rng)).collect();
    match notation {
        Notation::Ron => format!("({})", fields.join(",")),
        Notation::Json => format!("{{{}}}", fields.join(",")),
    }
}

/// A list of `count` equal items in place of a list of the text: a huge count in a small notation.
pub(crate) fn many(text: &str, count: usize, rng: &mut Stream) -> String {
    let starts: Vec<_> = text.match_indices('[').map(|(at, _)| at + 1).collect();
    let Some(&start) = starts.choose(rng) else {
        return text.to_owned();
    };
    // The first item there, or something that many types take.
    let rest = &text[start..];
    let first = rest.split([',', ']']).next().unwrap_or("").trim();
    let small = [
        "\"\"",
        "[]",
        "()",
        "0",
        "None",
        "(name:\"\")",
        "(choices:[])",
    ];
    let item = if first.is_empty() || first.len() > 40 || rng.random() {
        small.choose(rng).copied().unwrap_or("0")
    } else {
        first
    };
    let items = format!("{item},").repeat(count);
    format!("{}{items}{rest}", &text[..start])
}

/// A safetensors file of a header and a block, with the right length in front.
pub(crate) fn container(header: &str, block: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    bytes.extend(block);
    bytes
}

/// Header and block of a container, if it is one.
pub(crate) fn parts(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let length = usize::try_from(u64::from_le_bytes(*bytes.first_chunk()?)).ok()?;
    let header = bytes.get(8..8_usize.checked_add(length)?)?;
    Some((std::str::from_utf8(header).ok()?, &bytes[8 + length..]))
}

/// Puts the hash of the block where the header has one, so that what stands behind that check is reached.
pub(crate) fn mend_hash(header: &str, block: &[u8]) -> String {
    const KEY: &str = "\"regard.sha256\":\"";
    let Some(at) = header.find(KEY).map(|at| at + KEY.len()) else {
        return header.to_owned();
    };
    let Some(end) = header[at..].find('"') else {
        return header.to_owned();
    };
    let hash = hex(&Sha256::digest(block));
    format!("{}{hash}{}", &header[..at], &header[at + end..])
}

/// Text of a few words, with odd letters, apostrophes, marks and blanks between them.
pub(crate) fn sentence(words: &[String], longest: usize, rng: &mut Stream) -> String {
    const MARKS: [&str; 20] = [
        " ",
        " ",
        " ",
        "'",
        "’",
        "l'",
        "qu'",
        "-",
        "-t-il",
        "n't",
        "'s",
        ".",
        ",",
        "…",
        "«\u{A0}",
        "?!",
        "3,14",
        "1.000",
        "http://a.b/c?d=e",
        "@x",
    ];
    let mut text = String::new();
    for _ in 0..rng.random_range(0..24) {
        match rng.random_range(0..8) {
            0 => text.push_str(LETTERS.choose(rng).copied().unwrap_or("")),
            1 => text.extend(char::from_u32(rng.random_range(0..0x11_0000))),
            2..4 => text.push_str(word(words, rng)),
            _ => text.push_str(MARKS.choose(rng).copied().unwrap_or(" ")),
        }
    }
    if rng.random_range(0..200) == 0 && !text.is_empty() {
        text = text.repeat((longest / text.len()).min(1 << rng.random_range(0..12)));
    }
    text
}

/// Lines of a pair file: columns of tokens, the third one of links.
pub(crate) fn pairs(words: &[String], longest: usize, rng: &mut Stream) -> String {
    let mut text = String::new();
    for _ in 0..rng.random_range(0..6) {
        for column in 0..rng.random_range(1..4) {
            if column > 0 {
                text.push_str(if rng.random_range(0..9) == 0 {
                    " "
                } else {
                    "\t"
                });
            }
            if column < 2 {
                text.push_str(&sentence(words, longest / 16, rng));
                continue;
            }
            for _ in 0..rng.random_range(0..6) {
                let mut number = || match rng.random_range(0..8) {
                    0 => NUMBERS.choose(rng).copied().unwrap_or("0").to_owned(),
                    _ => rng.random_range(0..6).to_string(),
                };
                let (left, right) = (number(), number());
                let sign = ["-", "?", ":", "--", ""]
                    .choose(rng)
                    .copied()
                    .unwrap_or("-");
                text.extend([left.as_str(), sign, right.as_str(), " "]);
            }
        }
        text.push_str(if rng.random_range(0..5) == 0 {
            "\r\n"
        } else {
            "\n"
        });
    }
    text
}

/// Arguments of the command line, with NUL between them.
pub(crate) fn arguments(words: &[String], rng: &mut Stream) -> Vec<u8> {
    let mut arguments = Vec::new();
    for _ in 0..rng.random_range(0..8) {
        let argument = match rng.random_range(0..7) {
            0 => NUMBERS.choose(rng).copied().unwrap_or("0").to_owned(),
            1 => sentence(words, 512, rng).replace('\0', ""),
            2 => format!("dot:[{}]", value(Notation::Json, words, 3, rng)),
            3 => format!(
                "{}={}",
                word(words, rng),
                value(Notation::Json, words, 1, rng)
            ),
            4 => format!("-{}", word(words, rng)),
            _ => word(words, rng).to_owned(),
        };
        arguments.push(argument.into_bytes());
    }
    arguments.join(&0)
}
