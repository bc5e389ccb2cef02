//! Model files.

use rand::RngExt as _;
use regard::engine::{CheckpointError, Model, ModelConfig, Precision};
use safetensors::tensor::Dtype;

use super::fixtures::{Parts, cuts, header_end, model, rng};

fn file() -> Vec<u8> {
    model().to_bytes(Precision::F32).unwrap()
}

/// The error of the file after a change.
fn error(change: impl FnOnce(&mut Parts)) -> String {
    let mut parts = Parts::of(&file());
    change(&mut parts);
    Model::from_bytes(&parts.bytes()).unwrap_err().to_string()
}

#[track_caller]
fn assert_says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
}

#[test]
fn a_file_cut_anywhere_is_not_whole() {
    let bytes = file();
    assert!(bytes.len() > 8 * 4096);
    for at in cuts(bytes.len()) {
        let message = Model::from_bytes(&bytes[..at]).unwrap_err().to_string();
        assert_says(&message, &["not a whole safetensors file"]);
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_says(
        &Model::from_bytes(&longer).unwrap_err().to_string(),
        &["not a whole"],
    );
}

#[test]
fn a_flipped_byte_never_makes_another_model() {
    let (bytes, whole) = (file(), model());
    let header = header_end(&bytes);
    let mut rng = rng(1);
    let mut harmless = 0;
    for round in 0..600 {
        let in_header = round < 400;
        let at = if in_header {
            rng.random_range(0..header)
        } else {
            rng.random_range(header..bytes.len())
        };
        let mut damaged = bytes.clone();
        damaged[at] ^= rng.random_range(1..=255_u8);
        match Model::from_bytes(&damaged) {
            Err(CheckpointError::Hash { what, .. }) if !in_header => assert_eq!(what, "weights"),
            Err(e) if in_header => assert!(e.to_string().len() > 10, "{e}"),
            // A blank for another, or the name of the optional hash.
            Ok(read) if in_header && read == whole => harmless += 1,
            other => panic!("byte {at}: {other:?}"),
        }
    }
    assert!(harmless <= 10, "{harmless}");
}

#[test]
fn every_byte_of_the_metadata_counts() {
    let (bytes, whole) = (file(), model());
    for word in ["chat", "black", "french", "31.25", "nobody", "additive"] {
        let found = bytes.windows(word.len()).position(|w| w == word.as_bytes());
        let at = found.unwrap();
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        let read = Model::from_bytes(&damaged);
        assert!(
            read.as_ref().is_err_and(|e| matches!(
                e,
                CheckpointError::Hash {
                    what: "metadata",
                    ..
                }
            )),
            "{word}: {read:?}"
        );
    }
    let foreign = Parts::of(&bytes).bytes();
    assert_eq!(
        Model::from_bytes(&foreign).unwrap(),
        whole,
        "the hash is optional"
    );
}

#[test]
fn weights_must_be_finite_numbers() {
    for (value, shown) in [(f32::NAN, "NaN"), (f32::NEG_INFINITY, "-inf")] {
        let message = error(|parts| {
            parts.tensor("decoder.attention.v_a").3[20..24].copy_from_slice(&value.to_le_bytes());
        });
        assert_says(
            &message,
            &["decoder.attention.v_a", shown, "index 5", "finite"],
        );
    }
    let mut broken = model();
    broken.network.source_embedding[[1, 2]] = f32::NAN;
    let message = broken.to_bytes(Precision::F32).unwrap_err().to_string();
    assert_says(&message, &["source_embedding", "NaN", "index 18"]);
}

#[test]
fn tensors_must_be_those_of_the_configuration() {
    let message = error(|parts| parts.tensor("decoder.attention.u_a").2 = vec![16, 32]);
    assert_says(&message, &["decoder.attention.u_a", "[16, 32]", "[32, 16]"]);
    let message = error(|parts| parts.tensor("decoder.init.b").2 = vec![32, 1]);
    assert_says(&message, &["decoder.init.b", "[32, 1]", "[32]"]);
    let message = error(|parts| parts.tensors.retain(|t| t.0 != "encoder.backward.w_h"));
    assert_says(&message, &["encoder.backward.w_h", "missing"]);
    let message = error(|parts| {
        parts
            .tensors
            .push(("decoder.extra".to_owned(), Dtype::F32, vec![1], vec![0; 4]));
    });
    assert_says(&message, &["unexpected tensor decoder.extra"]);
    let message = error(|parts| parts.tensor("decoder.init.b").1 = Dtype::I32);
    assert_says(&message, &["decoder.init.b", "I32", "F16 or F32"]);
    let message = error(|parts| {
        parts.tensor("decoder.init.b").2 = vec![0, usize::MAX];
        parts.tensor("decoder.init.b").3.clear();
    });
    assert_says(&message, &["decoder.init.b", "[0, "]);
}

#[test]
fn a_small_file_that_promises_a_huge_model_is_refused_by_its_shapes() {
    let message = error(|parts| {
        parts.edit("regard.config", |config| {
            for side in ["source_vocabulary", "target_vocabulary"] {
                config[side] = ModelConfig::LARGEST_VOCABULARY.into();
            }
            for size in ["embedding", "encoder", "decoder", "attention", "readout"] {
                config[size] = ModelConfig::LARGEST_LAYER.into();
            }
        });
    });
    assert_says(
        &message,
        &["source_embedding", "[12, 16]", "[1048576, 8192]"],
    );
    let message = error(|parts| parts.edit("regard.config", |c| c["decoder"] = u64::MAX.into()));
    assert_says(&message, &["decoder is 18446744073709551615", "8192"]);
    let message = error(|parts| parts.edit("regard.config", |c| c["decoder"] = (-1).into()));
    assert_says(&message, &["regard.config", "-1"]);
    let message = error(|parts| parts.edit("regard.config", |c| c["more"] = 1.into()));
    assert_says(&message, &["regard.config", "more"]);
}

#[test]
fn a_header_length_beyond_the_file_is_refused() {
    for length in [u64::MAX, u64::MAX - 7, 1 << 40, 99_999_999, 0] {
        let mut bytes = file();
        bytes[..8].copy_from_slice(&length.to_le_bytes());
        let message = Model::from_bytes(&bytes).unwrap_err().to_string();
        assert_says(&message, &["not a whole safetensors file"]);
    }
}

#[test]
fn a_header_with_far_too_much_in_it_is_refused() {
    let numbers = "0,".repeat(1 << 17);
    let header =
        format!("{{\"a\":{{\"dtype\":\"F32\",\"shape\":[{numbers}0],\"data_offsets\":[0,0]}}}}");
    let bytes = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
    let message = Model::from_bytes(&bytes).unwrap_err().to_string();
    assert_says(
        &message,
        &[
            "not a model of this program: the header has more than",
            "values in a file of 262",
        ],
    );
}

#[test]
fn a_vocabulary_that_is_too_much_is_refused() {
    let specials = "\"<pad>\",\"<s>\",\"</s>\",\"<unk>\"";
    let list = |word: &str, n: usize| format!("[{specials}{}]", format!(",\"{word}\"").repeat(n));
    let message = error(|parts| parts.set("regard.source_vocabulary", list("le", 1_000_000)));
    assert_says(
        &message,
        &[
            "regard.source_vocabulary",
            "\"le\" stands already at entry 4",
        ],
    );
    let message = error(|parts| parts.set("regard.target_vocabulary", list("", 1_100_000)));
    assert_says(
        &message,
        &[
            "regard.target_vocabulary",
            "1100004 entries",
            "at most 1048576",
        ],
    );
    let message = error(|parts| parts.set("regard.target_vocabulary", list("x", 1)));
    assert_says(
        &message,
        &["regard.target_vocabulary", "5 words", "says 11"],
    );
    let message = error(|parts| parts.set("regard.target_vocabulary", "\"\u{7F}\""));
    assert_says(
        &message,
        &["regard.target_vocabulary", "list of words, found a text"],
    );
}

#[test]
fn deep_and_long_metadata_are_refused() {
    let deep = "[".repeat(200_000);
    for key in [
        "config",
        "source_vocabulary",
        "target_vocabulary",
        "training",
    ] {
        let key = format!("regard.{key}");
        assert_says(&error(|parts| parts.set(&key, &deep[..])), &[&key]);
    }
    let long = format!("[{}0]", "0,".repeat(1 << 20));
    let message = error(|parts| parts.set("regard.training", long));
    assert_says(&message, &["regard.training", "bytes", "at most"]);
    let many = format!("[{}0]", "0,".repeat(1000));
    let message = error(|parts| parts.set("regard.training", many));
    assert_says(&message, &["regard.training", "more than 1000 values"]);
    let long = format!("{{\"embedding\":\"{}\"}}", "\u{7F}".repeat(1 << 14));
    let message = error(|parts| parts.set("regard.config", long));
    assert_says(&message, &["regard.config", "16400 bytes", "at most 16384"]);
    for header in [format!("{{\"__metadata__\":{deep}"), deep] {
        let bytes = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
        let message = Model::from_bytes(&bytes).unwrap_err().to_string();
        assert_says(&message, &["not a whole safetensors file"]);
    }
}

#[test]
fn a_missing_or_unknown_entry_is_named() {
    let keys = [
        "format",
        "config",
        "source_vocabulary",
        "target_vocabulary",
        "source_tokeniser",
        "target_tokeniser",
        "training",
        "notice",
    ];
    for key in keys {
        let key = format!("regard.{key}");
        let message = error(|parts| drop(parts.metadata.remove(&key)));
        assert_says(&message, &[&key, "not a model of this program"]);
    }
    let message = error(|parts| parts.set("regard.source_tokeniser", "klingon"));
    assert_says(&message, &["regard.source_tokeniser", "klingon", "french"]);
    let message = error(|parts| parts.set("regard.format", "2"));
    assert_says(
        &message,
        &[
            "model format 2 is newer than this program",
            "a newer version of regard opens it",
        ],
    );
    let message = error(|parts| parts.set("regard.format", "9".repeat(100_000)));
    assert!(message.len() < 300, "{message}");
}

#[test]
fn both_precisions_come_back() {
    let whole = model();
    let bytes = file();
    assert_eq!(Model::from_bytes(&bytes).unwrap(), whole);
    assert_eq!(bytes, file(), "equal models are equal bytes");
    let half = whole.to_bytes(Precision::F16).unwrap();
    assert!(half.len() < bytes.len() * 6 / 10);
    let read = Model::from_bytes(&half).unwrap();
    for (a, b) in whole
        .network
        .parameters()
        .iter()
        .zip(read.network.parameters())
    {
        for (a, b) in a.values.iter().zip(b.values) {
            assert!((a - b).abs() <= a.abs() / 2048.0 + 3e-8, "{a} {b}");
        }
    }
    assert_eq!(read.to_bytes(Precision::F16).unwrap(), half);
    let mut large = whole;
    large.network.decoder.output.b[3] = 1e6;
    let message = large.to_bytes(Precision::F16).unwrap_err().to_string();
    assert_says(
        &message,
        &["decoder.output.b", "1000000", "index 3", "16 bits"],
    );
}

#[test]
fn the_file_is_named_where_it_has_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    assert_says(
        &Model::load(&path).unwrap_err().to_string(),
        &["cannot read", "model.safetensors"],
    );
    std::fs::write(&path, b"\x02\0\0\0\0\0\0\0{}").unwrap();
    let message = Model::load(&path).unwrap_err().to_string();
    assert_says(
        &message,
        &[
            "model.safetensors",
            "not a model of this program",
            "regard.format",
        ],
    );
    assert!(Model::load(folder.path()).is_err());
}
