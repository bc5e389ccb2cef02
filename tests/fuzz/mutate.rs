//! Changes of valid files: what happens to bytes on their way, and what somebody does to them on purpose.

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use regard::numeric::Stream;

/// Numbers at the ends of their types, and what is none.
pub(crate) const NUMBERS: [&str; 22] = [
    "0",
    "-0",
    "-1",
    "1",
    "2",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e39",
    "1e999",
    "-1e999",
    "1e-999",
    "0.00000000000000000000000000000000000000000000001",
    "NaN",
    "inf",
    "0x7fff_ffff",
];

/// Letters that are none of the usual: marks, joiners, directions, halves, ends of the range.
pub(crate) const LETTERS: [&str; 24] = [
    "\0",
    "\u{FEFF}",
    "\u{301}",
    "e\u{301}\u{323}",
    "\u{200D}",
    "👩‍👩‍👧",
    "🇫🇷",
    "\u{202E}",
    "\u{2066}",
    "\u{A0}",
    "\u{202F}",
    "\u{3000}",
    "\u{2028}",
    "\r",
    "\u{85}",
    "ß",
    "İ",
    "ﬁ",
    "ǆ",
    "한",
    "\u{1100}\u{1161}",
    "\u{10FFFF}",
    "\u{E000}",
    "\u{FFFD}",
];

/// Bytes that are no UTF-8.
const BROKEN: [&[u8]; 6] = [
    b"\xFF",
    b"\xC3",
    b"\xC0\x80",
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\x80",
];

/// What opens a level in one of the formats.
const OPENERS: [&str; 8] = ["(", "[", "{", "Some(", "{\"a\":", "[(", "((", "/*"];

/// Lengths that a file may promise.
const LENGTHS: [u64; 9] = [
    0,
    1,
    7,
    1 << 16,
    100_000_000,
    (1 << 31) - 1,
    1 << 32,
    u64::MAX - 7,
    u64::MAX,
];

/// A few changes, one after the other; the result is no longer than `longest`.
pub(crate) fn mutate(
    bytes: &mut Vec<u8>,
    seeds: &[Vec<u8>],
    words: &[String],
    longest: usize,
    rng: &mut Stream,
) {
    for _ in 0..rng.random_range(1..=4) {
        change(bytes, seeds, words, longest, rng);
        bytes.truncate(longest);
    }
}

fn change(
    bytes: &mut Vec<u8>,
    seeds: &[Vec<u8>],
    words: &[String],
    longest: usize,
    rng: &mut Stream,
) {
    let at = rng.random_range(0..=bytes.len());
    match rng.random_range(0..14) {
        0 => flip(bytes, rng),
        1 => bytes.truncate(at),
        2 => drop(bytes.drain(slice(bytes.len(), rng))),
        3 => {
            let piece = bytes[slice(bytes.len(), rng)].to_vec();
            insert(bytes, at, &piece);
        }
        4 => splice(bytes, seeds, rng),
        5 | 6 => swap_number(bytes, rng),
        7 => {
            // A length field: the first eight bytes, or any others.
            let at = if rng.random() { 0 } else { at };
            let length = LENGTHS
                .choose(rng)
                .copied()
                .unwrap_or_default()
                .to_le_bytes();
            let end = (at + 8).min(bytes.len());
            bytes.splice(at..end, length);
        }
        8 => {
            let opener = OPENERS.choose(rng).copied().unwrap_or("(");
            let depth = 1 << rng.random_range(0..14);
            insert(bytes, at, opener.repeat(depth).as_bytes());
        }
        9 => {
            // A huge count of something small.
            let range = slice(bytes.len(), rng);
            let piece = bytes[range.start..range.end.min(range.start + 64)].to_vec();
            let most = longest.saturating_sub(bytes.len()) / piece.len().max(1);
            let times = (1_usize << rng.random_range(0..18)).min(most);
            insert(bytes, at, &piece.repeat(times));
        }
        10 => insert(
            bytes,
            at,
            LETTERS.choose(rng).copied().unwrap_or("").as_bytes(),
        ),
        11 => insert(bytes, at, BROKEN.choose(rng).copied().unwrap_or(b"")),
        12 => insert(
            bytes,
            at,
            words.choose(rng).map_or(&b""[..], |word| word.as_bytes()),
        ),
        _ => swap_word(bytes, words, rng),
    }
}

fn flip(bytes: &mut [u8], rng: &mut Stream) {
    if bytes.is_empty() {
        return;
    }
    for _ in 0..rng.random_range(1..=4) {
        let at = rng.random_range(0..bytes.len());
        bytes[at] ^= 1 << rng.random_range(0..8);
    }
}

/// A random part, mostly a short one.
fn slice(len: usize, rng: &mut Stream) -> std::ops::Range<usize> {
    let start = rng.random_range(0..=len);
    let most = if rng.random_range(0..4) == 0 {
        len - start
    } else {
        (len - start).min(24)
    };
    start..start + rng.random_range(0..=most)
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    let at = at.min(bytes.len());
    bytes.splice(at..at, piece.iter().copied());
}

fn splice(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], rng: &mut Stream) {
    if let Some(other) = seeds.choose(rng) {
        let piece = &other[slice(other.len(), rng)];
        let range = slice(bytes.len(), rng);
        bytes.splice(range, piece.iter().copied());
    }
}

/// The run of bytes of a kind around or behind a random place.
fn run(
    bytes: &[u8],
    is_kind: impl Fn(u8) -> bool,
    rng: &mut Stream,
) -> Option<std::ops::Range<usize>> {
    let from = rng.random_range(0..=bytes.len());
    let start = from + bytes[from..].iter().position(|byte| is_kind(*byte))?;
    let rest = &bytes[start..];
    let length = rest.iter().position(|byte| !is_kind(*byte));
    Some(start..start + length.unwrap_or(rest.len()))
}

fn swap_number(bytes: &mut Vec<u8>, rng: &mut Stream) {
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'.' || byte == b'-';
    if let Some(range) = run(bytes, is_digit, rng) {
        let number = NUMBERS.choose(rng).copied().unwrap_or("0");
        bytes.splice(range, number.bytes());
    }
}

fn swap_word(bytes: &mut Vec<u8>, words: &[String], rng: &mut Stream) {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if let (Some(range), Some(word)) = (run(bytes, is_letter, rng), words.choose(rng)) {
        bytes.splice(range, word.bytes());
    }
}
