//! What is to be changed: from the command line to interventions and another sentence.

use std::path::Path;

use super::Arguments;
use crate::cli::attend::decoded::{Method, Translator, Word};
use crate::cli::models::open_named;
use crate::cli::words::{Scoped, position, scoped};
use crate::engine::{Intervention, InterventionKind as Kind, Scope, TEMPERATURES};

/// A word and its weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NamedWeight {
    word: String,
    weight: f32,
}

/// A change of the sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum SourceChange {
    /// Without a word.
    Drop(String),
    /// Two words exchanged.
    Swap(String, String),
    /// A word twice.
    Repeat(String),
}

/// A value with its steps, made of the text behind them.
fn parsed<T>(
    text: &str,
    parse: impl FnOnce(&str) -> Option<T>,
    expected: &str,
) -> Result<Scoped<T>, String> {
    let Scoped { scope, value } = scoped(text)?;
    match parse(&value) {
        Some(value) => Ok(Scoped { scope, value }),
        None => Err(format!("expected {expected}")),
    }
}

pub(super) fn window(text: &str) -> Result<Scoped<usize>, String> {
    parsed(text, |value| value.parse().ok(), "a whole number of words")
}

pub(super) fn seed(text: &str) -> Result<Scoped<u64>, String> {
    parsed(text, |value| value.parse().ok(), "a whole number")
}

pub(super) fn temperature(text: &str) -> Result<Scoped<f32>, String> {
    let [sharpest, flattest] = TEMPERATURES;
    let within = |value: &str| {
        let number = value.parse().ok();
        number.filter(|t| (sharpest..=flattest).contains(t))
    };
    parsed(text, within, "a number from 0.05 to 20")
}

pub(super) fn row(text: &str) -> Result<Scoped<Vec<f32>>, String> {
    let numbers = |value: &str| value.split(',').map(|w| w.trim().parse().ok()).collect();
    parsed(text, numbers, "numbers with commas between them")
}

pub(super) fn weight(text: &str) -> Result<Scoped<NamedWeight>, String> {
    let named = |value: &str| {
        let (word, weight) = value.rsplit_once('=')?;
        let weight = weight.parse().ok()?;
        let good = !word.is_empty() && (0.0..=1.0).contains(&weight);
        good.then(|| NamedWeight {
            word: word.to_owned(),
            weight,
        })
    };
    parsed(
        text,
        named,
        "a word and its weight from 0 to 1, such as noir=0.9",
    )
}

pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    // The comma may be a word itself, as in "," and "chat": then its number names it.
    let pair = text.split_once(',');
    let pair = pair.filter(|(a, b)| !a.is_empty() && !b.is_empty());
    pair.map(|(a, b)| (a.to_owned(), b.to_owned()))
        .ok_or_else(|| "expected two words, such as chat,noir".to_owned())
}

/// The sentence after all changes.
pub(super) fn changed(mut words: Vec<Word>, changes: &[SourceChange]) -> Result<Vec<Word>, String> {
    for change in changes {
        match change {
            SourceChange::Drop(name) => {
                let at = position(&words, name)?;
                if words.len() == 1 {
                    return Err(format!(
                        "{name:?} is the only word: without it nothing is left"
                    ));
                }
                words.remove(at);
            }
            SourceChange::Swap(a, b) => {
                let (a, b) = (position(&words, a)?, position(&words, b)?);
                words.swap(a, b);
            }
            SourceChange::Repeat(name) => {
                let at = position(&words, name)?;
                words.insert(at, words[at].clone());
            }
        }
    }
    Ok(words)
}

/// The changes of the weights, in the order in which they act.
pub(super) fn interventions(
    arguments: &Arguments,
    words: &[Word],
    text: &str,
) -> Result<Vec<Intervention>, String> {
    let mut list = Vec::new();
    let mut add = |scope: Scope, kind: Kind| list.push(Intervention::new(scope, kind));
    for Scoped { scope, value } in &arguments.mask {
        add(*scope, Kind::MaskSource(position(words, value)?));
    }
    for Scoped { scope, value } in &arguments.window {
        add(*scope, Kind::Window(*value));
    }
    for Scoped { scope, value } in &arguments.temperature {
        add(*scope, Kind::Temperature(*value));
    }
    for scope in &arguments.uniform {
        add(*scope, Kind::Uniform);
    }
    for scope in &arguments.last {
        add(*scope, Kind::LastPosition);
    }
    for Scoped { scope, value } in &arguments.one_hot {
        add(*scope, Kind::OneHot(position(words, value)?));
    }
    if let Some(name) = &arguments.weights_of {
        for (t, row) in weights_of(name, words, text)?.into_iter().enumerate() {
            add(Scope::Step(t), Kind::SetWeights(row));
        }
    }
    for Scoped { scope, value } in &arguments.row {
        add(*scope, Kind::SetWeights(value.clone()));
    }
    for Scoped { scope, value } in &arguments.permute {
        add(*scope, Kind::Permute(*value));
    }
    for Scoped { scope, value } in &arguments.set {
        let position = position(words, &value.word)?;
        let weight = value.weight;
        add(*scope, Kind::SetWeight { position, weight });
    }
    Ok(list)
}

/// The rows of another model's own decode of the same words.
fn weights_of(name: &Path, words: &[Word], text: &str) -> Result<Vec<Vec<f32>>, String> {
    let model = open_named(name).map_err(|error| format!("{error:#}"))?;
    let other = Translator::new(model, Method::Greedy, None);
    let decoded = other.decode_words(text, words.to_vec(), &[])?;
    let rows = decoded.rows.iter().map(|row| {
        let weights = row.step.weights.as_ref();
        weights.map(|weights| weights.to_vec())
    });
    let rows: Option<Vec<Vec<f32>>> = rows.collect();
    rows.ok_or_else(|| {
        format!(
            "{} has no attention whose weights could be taken",
            name.display()
        )
    })
}

/// An edit in words.
pub(super) fn described(edit: &Intervention, words: &[Word]) -> String {
    let word = |position: usize| words.get(position).map_or_else(String::new, Word::shown);
    let what = match &edit.kind {
        Kind::MaskSource(position) => format!("{} masked", word(*position)),
        Kind::SetWeights(row) => {
            let numbers: Vec<String> = row.iter().map(|w| format!("{w:.3}")).collect();
            format!("weights {}", numbers.join(", "))
        }
        Kind::SetWeight { position, weight } => format!("{} set to {weight}", word(*position)),
        Kind::Temperature(temperature) => format!("temperature {temperature}"),
        Kind::Uniform => "uniform weights".to_owned(),
        Kind::LastPosition => "all weight on the last word".to_owned(),
        Kind::OneHot(position) => format!("all weight on {}", word(*position)),
        Kind::Window(width) => format!("window of {width} on both sides"),
        Kind::Permute(seed) => format!("weights permuted, seed {seed}"),
    };
    match edit.scope {
        Scope::All => format!("{what}, at all steps"),
        Scope::From(step) => format!("{what}, from step {} on", step + 1),
        Scope::Step(step) => format!("{what}, at step {}", step + 1),
    }
}
