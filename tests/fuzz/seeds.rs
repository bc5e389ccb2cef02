//! Valid inputs for every reader, to begin from.

use regard::engine::{CellKind, Model, ModelConfig, Precision, ScoreKind, Seq2Seq, Wiring};
use regard::project::Preferences;
use regard::text::{TokeniserKind, UNKNOWN, Vocabulary};
use regard::training::{Adam, LossSums, Position, Trainer, TrainingOptions, save_state};

use super::grammar;
use super::readers::Reader;

fn config(score: ScoreKind, cell: CellKind) -> ModelConfig {
    ModelConfig {
        source_vocabulary: 6,
        target_vocabulary: 6,
        embedding: 2,
        encoder: 1,
        decoder: 2,
        attention: 2,
        readout: 2,
        cell,
        score,
        wiring: Wiring::Bahdanau,
        input_feeding: false,
        tied: true,
    }
}

fn network(score: ScoreKind, cell: CellKind) -> Seq2Seq {
    Seq2Seq::initialised(&config(score, cell).check().expect("a configuration"), 7)
}

/// The valid inputs of a reader.
pub(crate) fn seeds(reader: Reader) -> Vec<Vec<u8>> {
    let texts = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    match reader {
        Reader::Session => texts(&[
            include_str!("seeds/short.regard.ron"),
            include_str!("../../src/project/golden/session-1.regard.ron"),
        ]),
        Reader::Model => {
            let kinds = [
                (ScoreKind::Dot, CellKind::Gru, Precision::F16),
                (ScoreKind::Additive, CellKind::Lstm, Precision::F32),
            ];
            kinds
                .map(|(score, cell, precision)| model(score, cell, precision))
                .to_vec()
        }
        Reader::State => vec![state()],
        Reader::Pairs => texts(&[
            "le chat noir\tthe black cat\t0-0 1-2 2-1\nil dort\the sleeps\t0-0 1?1\n",
            "\u{FEFF}l'été\tsummer\t0-0\r\n\r\n",
        ]),
        Reader::Preferences => {
            let preferences = Preferences::default().to_text().expect("preferences");
            vec![preferences.into_bytes(), b"(theme: dark)".to_vec()]
        }
        Reader::Choices => texts(&[
            r#"dot:[{"position":1,"token":"black"},{"position":2,"token":"cat"}]"#,
            r#"additive:[{"scope":{"from":1},"kind":{"mask_source":0},"enabled":true}]"#,
            r#"dot:[{"scope":"all","kind":{"set_weights":[0.5,0.25,0.25]},"enabled":false},{"scope":{"step":2},"kind":{"temperature":2.0},"enabled":true}]"#,
        ]),
        Reader::CommandLine => [
            "attend|le chat noir dort|--beam|4",
            "whatif|le chat|--mask|noir|--set|2:noir=0.1|--uniform=2",
            "figure|le chat|--scorers|additive,dot|--width|85mm|-o|a.pdf",
            "train|--pairs|a.tsv|b.tsv:0.08|--valid|v.tsv|--scorer|dot|--out|m",
            "attribute|le chat|--method|leave-one-out,drop|--verdict",
            "evaluate|m.safetensors|--pairs|v.tsv|--concatenate|25-50",
            "generate|grammar|--pairs|20|--seed|1",
        ]
        // Arguments have NUL between them, as no argument can have it.
        .map(|line| line.replace('|', "\0").into_bytes())
        .to_vec(),
        Reader::Sentence => texts(&[
            "L'été, qu'a-t-il vu ? « Rien », dit-elle.",
            "The cat isn't here; it's 3.14 o'clock, e.g. at http://a.b/c.",
            "aujourd'hui le chat noir dort",
        ]),
    }
}

fn model(score: ScoreKind, cell: CellKind, precision: Precision) -> Vec<u8> {
    let words = |text: &'static str| Vocabulary::build(text.split(' '), 9, 1);
    let model = Model {
        network: network(score, cell),
        source_vocabulary: words("le chat"),
        target_vocabulary: words("the cat"),
        source_tokeniser: TokeniserKind::French,
        target_tokeniser: TokeniserKind::English,
        training: serde_json::json!({ "bleu": 1.5 }),
        notice: "n".to_owned(),
    };
    assert_eq!(model.source_vocabulary.id_or_unknown("chien"), UNKNOWN);
    let bytes = model.to_bytes(precision).expect("a model");
    // The hash of the metadata is optional; with it, nothing but this hash would be tried.
    let (header, block) = grammar::parts(&bytes).expect("a container");
    let at = header.find("\"regard.metadata_sha256\"").expect("a hash");
    let end = at + header[at..].find(',').expect("more entries") + 1;
    let bytes = grammar::container(&format!("{}{}", &header[..at], &header[end..]), block);
    Model::from_bytes(&bytes).expect("a model without that hash");
    bytes
}

fn state() -> Vec<u8> {
    let (score, cell) = (ScoreKind::Dot, CellKind::Gru);
    let network = network(score, cell);
    let adam = Adam::new(&network);
    let position = Position {
        config: config(score, cell),
        options: TrainingOptions::default(),
        data: "0123".to_owned(),
        pass: 1,
        batch: 2,
        updates: 3,
        tokens: 4,
        seconds: 0.5,
        interval: LossSums::default(),
        best: Some((12.5, 3)),
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.resume");
    save_state(&path, &position, &Trainer::resumed(network, adam)).expect("a state");
    let bytes = std::fs::read(path).expect("a state");
    let (header, block) = grammar::parts(&bytes).expect("a container");
    let at = header.find("\"regard.metadata_sha256\"").expect("a hash");
    let end = at + header[at..].find(',').expect("more entries") + 1;
    grammar::container(&format!("{}{}", &header[..at], &header[end..]), block)
}
