//! States of trainings.

use rand::RngExt as _;
use regard::engine::{ModelConfig, Seq2Seq};
use regard::training::{
    Adam, LossSums, Position, ResumeError, Trainer, TrainingOptions, load_state, save_state,
};

use super::fixtures::{Parts, config, cuts, header_end, rng};

fn state() -> (Position, Trainer) {
    let network = Seq2Seq::initialised(&config().check().unwrap(), 3);
    let mut adam = Adam::new(&network);
    let mut rng = rng(2);
    for moments in adam.first.iter_mut().chain(&mut adam.second) {
        moments.fill_with(|| rng.random());
    }
    adam.updates = 321;
    let position = Position {
        config: config(),
        options: TrainingOptions::default(),
        data: "0123abcd".to_owned(),
        pass: 1,
        batch: 17,
        updates: 321,
        tokens: 12_345,
        seconds: 0.1 + 0.2,
        interval: LossSums {
            loss: 243.619_313_696_483_94,
            negative_log_likelihood: 1.0 / 3.0,
            tokens: 99,
            correct: 33,
        },
        best: Some((100.0 / 7.0, 300)),
    };
    (position, Trainer::resumed(network, adam))
}

struct File {
    folder: tempfile::TempDir,
    bytes: Vec<u8>,
}

impl File {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.resume");
        let (position, trainer) = state();
        save_state(&path, &position, &trainer).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        Self { folder, bytes }
    }

    fn load(&self, bytes: &[u8]) -> Result<(Position, Trainer), ResumeError> {
        let path = self.folder.path().join("model.resume");
        std::fs::write(&path, bytes).unwrap();
        load_state(&path)
    }

    #[track_caller]
    fn assert_refused(&self, bytes: &[u8], parts: &[&str]) {
        let message = self.load(bytes).map(drop).unwrap_err().to_string();
        for part in [&["model.resume is not the state of a training"], parts].concat() {
            assert!(message.contains(part), "{part:?} is not in {message:?}");
        }
    }
}

fn same(a: &(Position, Trainer), b: &(Position, Trainer)) -> bool {
    a.0 == b.0 && a.1.network == b.1.network && a.1.adam == b.1.adam
}

#[test]
fn a_state_comes_back_to_the_last_bit() {
    let file = File::new();
    assert!(same(&file.load(&file.bytes).unwrap(), &state()));
    let foreign = Parts::of(&file.bytes).bytes();
    assert!(same(&file.load(&foreign).unwrap(), &state()));
}

#[test]
fn a_state_cut_anywhere_is_refused() {
    let file = File::new();
    for at in cuts(file.bytes.len()) {
        file.assert_refused(&file.bytes[..at], &["not a whole safetensors file"]);
    }
}

#[test]
fn a_flipped_byte_never_makes_another_state() {
    let file = File::new();
    let whole = state();
    let header = header_end(&file.bytes);
    let mut rng = rng(3);
    let mut harmless = 0;
    for round in 0..400 {
        let range = if round < 300 {
            0..header
        } else {
            header..file.bytes.len()
        };
        let at = rng.random_range(range);
        let mut damaged = file.bytes.clone();
        damaged[at] ^= rng.random_range(1..=255_u8);
        match file.load(&damaged) {
            Err(e) => assert!(e.to_string().contains("model.resume"), "{e}"),
            Ok(read) if at < header && same(&read, &whole) => harmless += 1,
            Ok(_) => panic!("byte {at} changed the state unseen"),
        }
    }
    assert!(harmless <= 10, "{harmless}");
}

#[test]
fn a_state_that_promises_a_huge_model_is_refused_by_its_shapes() {
    let file = File::new();
    let mut parts = Parts::of(&file.bytes);
    parts.edit("regard.resume", |position| {
        for side in ["source_vocabulary", "target_vocabulary"] {
            position["config"][side] = ModelConfig::LARGEST_VOCABULARY.into();
        }
        for size in ["embedding", "encoder", "decoder", "attention", "readout"] {
            position["config"][size] = ModelConfig::LARGEST_LAYER.into();
        }
    });
    file.assert_refused(
        &parts.bytes(),
        &["weights/source_embedding", "[1048576, 8192]"],
    );
}

#[test]
fn the_parts_of_a_state_are_checked() {
    let file = File::new();
    let changed = |change: &dyn Fn(&mut Parts)| {
        let mut parts = Parts::of(&file.bytes);
        change(&mut parts);
        parts.bytes()
    };
    let bytes = changed(&|parts| parts.tensors.retain(|t| t.0 != "second/decoder.init.w"));
    file.assert_refused(&bytes, &["second/decoder.init.w", "missing"]);
    let bytes = changed(&|parts| {
        parts.tensor("first/decoder.init.w").3[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    });
    file.assert_refused(&bytes, &["first/decoder.init.w", "NaN"]);
    let bytes = changed(&|parts| parts.tensor("weights/decoder.init.w").2.reverse());
    file.assert_refused(&bytes, &["weights/decoder.init.w", "[32, 16]", "[16, 32]"]);
    let bytes = changed(&|parts| parts.set("regard.resume", "{"));
    file.assert_refused(&bytes, &["EOF"]);
    let bytes =
        changed(&|parts| parts.edit("regard.resume", |p| p["config"]["decoder"] = 0.into()));
    file.assert_refused(&bytes, &["decoder is 0"]);
    file.assert_refused(b"PK\x03\x04", &[]);
    let model = super::fixtures::model()
        .to_bytes(regard::engine::Precision::F32)
        .unwrap();
    file.assert_refused(&model, &["regard.resume"]);
}
