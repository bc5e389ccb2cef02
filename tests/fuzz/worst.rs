//! The inputs with the most to keep for their length: as many as possible of the smallest things that a file may hold.
//! Lists have just grown.

use regard::engine::{CellKind, Model, ModelConfig, Precision, ScoreKind, Seq2Seq, Wiring};
use regard::text::{TokeniserKind, Vocabulary};
use serde_json::Value;

use crate::fuzz::grammar;
use crate::fuzz::readers::Reader;
use crate::fuzz::seeds::seeds;

/// How many small things there are, one more than a list has room for that doubles.
const MANY: usize = (1 << 18) + 1;
/// What a session may have of something.
const MODELS: usize = 16;
const STEPS: usize = 4096;

/// An input.
pub(crate) struct Worst {
    pub(crate) reader: Reader,
    /// What it has many of.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// Whether it is taken. The others are refused when all was read.
    pub(crate) is_valid: bool,
}

/// All of them.
pub(crate) fn all() -> Vec<Worst> {
    let mut all = pairs();
    all.extend(sessions());
    all.extend(headers());
    all.extend(full_headers());
    all.extend(entries());
    all.push(many_words());
    all
}

fn list(item: &str) -> String {
    item.repeat(MANY)
}

/// What `item` makes of the numbers from 0.
fn numbered(count: usize, item: impl Fn(usize) -> String) -> String {
    let items: Vec<String> = (0..count).map(item).collect();
    items.concat()
}

fn pairs() -> Vec<Worst> {
    let inputs = [
        ("", "x\n", false),
        ("", "\u{FFFF}\n", false),
        ("", "a\tb\n", false),
        ("", "a\tb\t\n", true),
        ("", "a\tb\t0\n", false),
        ("", "a\tb\t0-0\n", true),
        ("", "a\tb\t0-1\n", false),
        ("b\t", "a ", false),
        ("a\tb\t", "0-0 ", true),
        ("a\tb\t", "0-0\t", true),
    ];
    inputs
        .map(|(once, repeated, is_valid)| Worst {
            reader: Reader::Pairs,
            name: format!("{once:?} {repeated:?}"),
            bytes: format!("{once}{}", list(repeated)).into_bytes(),
            is_valid,
        })
        .into()
}

/// A recorded run with more fields.
fn run(fields: &str) -> String {
    format!("(model:(name:\"\"),score:dot,conditions:(),target_tokeniser:french,{fields}),")
}

/// Runs, as many as a session may have, with lists of one entry a step.
fn steps(names: &[&str], item: &str) -> String {
    let (target, list) = ("\"\",".repeat(STEPS), item.repeat(STEPS));
    let lists: String = names
        .iter()
        .flat_map(|name| [",", name, ":[", &list, "]"])
        .collect();
    let run = run(&format!("source:[],target:[{target}]{lists}"));
    format!("captured:[{}]", run.repeat(MODELS))
}

/// Fields of a session with what they have many of, and whether they are valid.
type Fields = (&'static str, String, bool);

/// Recorded runs with many of something.
fn recorded() -> Vec<Fields> {
    let captured = |fields: String| format!("captured:[{}]", run(&fields));
    let words = |item: &str| captured(format!("source:[{}],target:[]", list(item)));
    let rows = |item: &str| {
        let rows = list(item);
        captured(format!("source:[],target:[],weights:Some([{rows}])"))
    };
    // A row that is as long as the source, so that the file is valid and written again.
    let row = |item: &str| {
        let (source, row) = (list("\"\","), list(item));
        captured(format!(
            "source:[{source}],target:[\"\"],weights:Some([[{row}]])"
        ))
    };
    let entropies = captured(format!("source:[],target:[],entropies:[{}]", list("0,")));
    let runs = run("source:[],target:[]").repeat(MANY / 16);
    let lists = [
        "context_norms",
        "state_norms",
        "log_probabilities",
        "copied_from",
    ];
    vec![
        ("words", words("\"\","), true),
        ("words of a letter", words("\"é\","), true),
        ("words written with six", words("\"\u{7F}\","), true),
        ("words read from two", words("\"\\n\","), true),
        ("rows", rows("[],"), false),
        ("rows of a number", rows("[0],"), false),
        ("numbers of a row", row("0,"), true),
        ("numbers written with many digits", row("9e15,"), true),
        ("steps", entropies, false),
        ("norms", steps(&lists[..1], "0,"), true),
        ("places", steps(&lists[3..], "None,"), true),
        // With the extension that lets a number stand for `Some` of it.
        ("places of two bytes", steps(&lists[3..], "0,"), true),
        ("lists of all kinds", steps(&lists, "0,"), true),
        ("runs", format!("captured:[{runs}]"), false),
    ]
}

/// Documents and views with many of something.
fn documents() -> Vec<Fields> {
    let document = |fields: String| format!("document:({fields})");
    let models = format!("models:[{}]", list("(name:\"\"),"));
    let edit = "(scope:all,kind:uniform,enabled:true),".repeat(1000);
    let edits = format!("(model:\"\",list:[{edit}]),").repeat(MODELS);
    let weights = format!("kind:set_weights([{}])", list("0,"));
    let weights = format!("(model:\"\",list:[(scope:all,{weights},enabled:true)])");
    let branch = "(choices:[(position:0,token:\"\")]),".repeat(200);
    let branches = format!("(model:\"\",list:[{branch}]),").repeat(MODELS);
    let choices = numbered(STEPS, |at| format!("(position:{at},token:\"\"),"));
    let choices = format!("(choices:[{choices}]),").repeat(4);
    let choices = format!("(model:\"\",list:[{choices}]),").repeat(4);
    let charts = format!("view:(charts:[{}])", list("entropy,"));
    let letters = format!("view:(colormap:{})", list("a"));
    vec![
        ("models", document(models), false),
        (
            "interventions",
            document(format!("interventions:[{edits}]")),
            true,
        ),
        (
            "weights that are set",
            document(format!("interventions:[{weights}]")),
            false,
        ),
        ("branches", document(format!("branches:[{branches}]")), true),
        ("choices", document(format!("branches:[{choices}]")), true),
        ("charts", charts, true),
        ("letters of a name", letters, false),
        ("unknown values", format!("x:[{}]", list("(),")), true),
    ]
}

fn sessions() -> Vec<Worst> {
    let fields = recorded().into_iter().chain(documents());
    fields
        .map(|(name, fields, is_valid)| Worst {
            reader: Reader::Session,
            name: name.to_owned(),
            bytes: format!("#![enable(implicit_some)](version:1,{fields})").into_bytes(),
            is_valid,
        })
        .collect()
}

/// Model files whose headers have many of something.
fn headers() -> Vec<Worst> {
    let tensor = |fields: &str| format!("\"\":{{\"dtype\":\"U8\",{fields}\"data_offsets\":[0,0]}}");
    let shape = tensor(&format!("\"shape\":[{}0],", list("0,")));
    let unknown = |item: &str| tensor(&format!("\"shape\":[0],\"x\":[{}0],", list(item)));
    let tensors = list(&format!("{},", tensor("\"shape\":[0],")));
    let names = numbered(MANY, |n| format!("\"{n:x}\":\"\","));
    let inputs = [
        ("numbers of a shape", shape),
        ("lists of a field", unknown("[0],")),
        ("objects of a field", unknown("{\"\":0},")),
        ("tensors", format!("{tensors}\"a\":0")),
        (
            "values in place of tensors",
            format!("{}\"a\":0", list("\"\":0,")),
        ),
        ("entries", format!("\"__metadata__\":{{{names}\"\":\"\"}}")),
        (
            "letters of a type",
            format!("\"a\":{{\"dtype\":\"{}\"}}", list("\u{7F}")),
        ),
        (
            "letters of a tensor",
            format!("\"a\":\"{}\"", list("\u{7F}")),
        ),
        (
            "letters of metadata",
            format!("\"__metadata__\":\"{}\"", list("\u{7F}")),
        ),
        ("letters of a name", format!("\"{}\":0", list("\\u007F"))),
        (
            "letters of an entry",
            format!("\"__metadata__\":{{\"\":\"{}\"}}", list("\\n")),
        ),
    ];
    inputs
        .into_iter()
        .map(|(name, header)| Worst {
            reader: Reader::Model,
            name: format!("{name} in a header"),
            bytes: grammar::container(&format!("{{{header}}}"), b""),
            is_valid: false,
        })
        .collect()
}

/// Model files whose headers have as many values as a file of their length may.
fn full_headers() -> Vec<Worst> {
    let tensor = "{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,0]}";
    let mut all = Vec::new();
    for length in [16 << 10, 2 << 20] {
        let values = 2048 + length / 32 - 20;
        let field = |items: String| format!("\"\":{{\"x\":[{items}0]}}");
        let headers = [
            ("lists", field("[0],".repeat(values / 2))),
            ("objects", field("{\"\":0},".repeat(values / 2))),
            ("numbers", field("0,".repeat(values))),
            ("values", format!("{}\"\":0", "\"\":0,".repeat(values))),
            (
                "tensors",
                format!(
                    "{}\"\":{tensor}",
                    numbered(values / 6, |n| format!("\"{n:x}\":{tensor},"))
                ),
            ),
            (
                "entries",
                format!(
                    "\"__metadata__\":{{{}\"\":\"\"}}",
                    numbered(values, |n| format!("\"{n:x}\":\"\","))
                ),
            ),
        ];
        for (name, header) in headers {
            let mut header = format!("{{{header}}}");
            header += &" ".repeat(length.saturating_sub(header.len() + 8));
            all.push(Worst {
                reader: Reader::Model,
                name: format!("as many {name} as a header may have"),
                bytes: grammar::container(&header, b""),
                is_valid: false,
            });
        }
    }
    all
}

/// Files that are valid but for one metadata entry, which has much in it.
fn entries() -> Vec<Worst> {
    let specials = "\"<pad>\",\"<s>\",\"</s>\",\"<unk>\"";
    let distinct = numbered(MANY, |n| format!(",\"{n:x}\""));
    let letters = list("\u{7F}");
    let field = format!("{{\"embedding\":\"{letters}\"}}");
    let position = format!("{{\"config\":{field}}}");
    let inputs = [
        (
            Reader::Model,
            "regard.source_vocabulary",
            format!("[{}\"\"]", list("\"\",")),
        ),
        (
            Reader::Model,
            "regard.target_vocabulary",
            format!("[{specials}{distinct}]"),
        ),
        (
            Reader::Model,
            "regard.source_vocabulary",
            format!("\"{letters}\""),
        ),
        (Reader::Model, "regard.source_tokeniser", letters),
        (Reader::Model, "regard.notice", list("\n")),
        (Reader::Model, "regard.config", field),
        (
            Reader::Model,
            "regard.training",
            format!("[{}0]", list("0,")),
        ),
        (
            Reader::Model,
            "regard.training",
            format!("[{}0]", "{\"\":{\"\":{\"\":0}}},".repeat(MANY / 8)),
        ),
        (
            Reader::Model,
            "regard.training",
            format!("[{}0]", "{\"\":{\"\":{\"\":0}}},".repeat(249)),
        ),
        (Reader::State, "regard.resume", position),
        (Reader::State, "regard.resume", format!("[{}0]", list("0,"))),
    ];
    inputs
        .into_iter()
        .map(|(reader, key, value)| {
            let seed = &seeds(reader)[0];
            let (header, block) = grammar::parts(seed).expect("a container");
            let mut header: Value = serde_json::from_str(header).expect("a header");
            let is_valid =
                key == "regard.notice" || (key == "regard.training" && value.len() < 5000);
            header["__metadata__"][key] = value.into();
            Worst {
                reader,
                name: key.to_owned(),
                bytes: grammar::container(&header.to_string(), block),
                is_valid,
            }
        })
        .collect()
}

/// A model with as many words as its smallest embeddings have rows.
fn many_words() -> Worst {
    let words: Vec<String> = (0..(1 << 17) - 4).map(|n| format!("{n:x}")).collect();
    let vocabulary = Vocabulary::build(words.iter().map(String::as_str), 1 << 20, 1);
    let config = ModelConfig {
        source_vocabulary: vocabulary.len(),
        target_vocabulary: vocabulary.len(),
        embedding: 1,
        encoder: 1,
        decoder: 2,
        attention: 1,
        readout: 1,
        cell: CellKind::Gru,
        score: ScoreKind::Dot,
        wiring: Wiring::Bahdanau,
        input_feeding: false,
        tied: true,
    };
    let model = Model {
        network: Seq2Seq::initialised(&config.check().expect("a configuration"), 7),
        source_vocabulary: vocabulary.clone(),
        target_vocabulary: vocabulary,
        source_tokeniser: TokeniserKind::Whitespace,
        target_tokeniser: TokeniserKind::Whitespace,
        training: Value::Null,
        notice: String::new(),
    };
    Worst {
        reader: Reader::Model,
        name: "words".to_owned(),
        bytes: model.to_bytes(Precision::F16).expect("a model"),
        is_valid: true,
    }
}
