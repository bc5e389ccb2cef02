//! Arrays for numpy: `.npy` arrays in an uncompressed ZIP archive, as `numpy.savez` writes them.
//!
//! Formats: NEP 1 (version 1.0 of `.npy`) and PKWARE's APPNOTE, without ZIP64. Dates are those of the format's
//! beginning, so that the same numbers give the same bytes.

use std::sync::Arc;

use super::run_table::{DataError, RunTable};
use crate::alignment::LabelledMatrix;

/// 1 January 1980 in the form of MS-DOS.
const DATE: u16 = 0x21;

/// An array in a file: its name and the bytes of its `.npy`.
struct Entry {
    name: String,
    bytes: Vec<u8>,
}

/// The head and the numbers of an array in row-major order; `data` has the numbers as bytes.
fn npy(descr: &str, shape: &[usize], data: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let mut sides: Vec<String> = shape.iter().map(ToString::to_string).collect();
    if sides.len() == 1 {
        sides[0].push(',');
    }
    let mut head = format!(
        "{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}), }}",
        sides.join(", ")
    );
    // Magic, version and length take 10 bytes; the numbers begin at a multiple of 64.
    while (10 + head.len() + 1) % 64 != 0 {
        head.push(' ');
    }
    head.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((head.len() as u16).to_le_bytes());
    bytes.extend(head.bytes());
    bytes.extend(data);
    bytes
}

fn matrix(values: &Arc<LabelledMatrix>) -> Vec<u8> {
    let values = values.values();
    let data = values.iter().flat_map(|value| value.to_le_bytes());
    npy("<f4", &[values.nrows(), values.ncols()], data)
}

fn doubles(values: &[f64]) -> Vec<u8> {
    let data = values.iter().flat_map(|value| value.to_le_bytes());
    npy("<f8", &[values.len()], data)
}

/// Text as numpy's fixed number of UTF-32 characters. A text that ends with NUL loses it, as it would in numpy.
fn texts(values: &[String]) -> Vec<u8> {
    let longest = values.iter().map(|text| text.chars().count()).max();
    let longest = longest.unwrap_or(0).max(1);
    let padded = values.iter().flat_map(|text| {
        let chars = text.chars().map(u32::from);
        chars.chain(std::iter::repeat(0)).take(longest)
    });
    let data = padded.flat_map(u32::to_le_bytes);
    npy(&format!("<U{longest}"), &[values.len()], data)
}

/// The arrays of all runs: `source`, `target`, `weights`, `scores`, `entropy`, `context_norm`, `state_norm` and
/// `log_probability` for one run; for several, each name has the model's before it, as in `additive_weights`, and
/// `models` lists them. A model without attention has no `weights`, `scores` and `entropy`.
///
/// # Errors
/// [`DataError::TooLarge`] for 4 GB and more.
pub fn to_npz(runs: &[RunTable]) -> Result<Vec<u8>, DataError> {
    let mut entries = Vec::new();
    let mut models: Vec<String> = Vec::new();
    for run in runs {
        let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let mut model: String = run.model.chars().map(plain).collect();
        while models.contains(&model) {
            model.push('_');
        }
        let mut add = |name: &str, bytes: Vec<u8>| {
            let name = match runs {
                [_] => format!("{name}.npy"),
                _ => format!("{model}_{name}.npy"),
            };
            entries.push(Entry { name, bytes });
        };
        add("source", texts(&run.source));
        add("target", texts(&run.target));
        if let Some(weights) = &run.weights {
            add("weights", matrix(weights));
        }
        if let Some(scores) = &run.scores {
            add("scores", matrix(scores));
        }
        if run.weights.is_some() {
            add("entropy", doubles(&run.entropy));
        }
        add("context_norm", doubles(&run.context_norm));
        add("state_norm", doubles(&run.state_norm));
        let logs: Vec<f64> = run.log_probability.iter().map(|v| f64::from(*v)).collect();
        add("log_probability", doubles(&logs));
        models.push(model);
    }
    let name = "models.npy".to_owned();
    let bytes = texts(&models);
    entries.push(Entry { name, bytes });
    archive(&entries)
}

/// A ZIP archive of stored files.
fn archive(entries: &[Entry]) -> Result<Vec<u8>, DataError> {
    let whole: u64 = entries
        .iter()
        .map(|entry| (entry.bytes.len() + 2 * entry.name.len() + 100) as u64)
        .sum();
    if whole > u64::from(u32::MAX) {
        return Err(DataError::TooLarge(whole));
    }
    let mut out = Vec::with_capacity(whole as usize);
    let mut directory = Vec::new();
    for Entry { name, bytes } in entries {
        let offset = out.len() as u32;
        let head = common_head(name, bytes);
        out.extend(b"PK\x03\x04");
        out.extend(&head);
        out.extend(name.bytes());
        out.extend(bytes);
        directory.extend(b"PK\x01\x02");
        directory.extend(20_u16.to_le_bytes());
        directory.extend(&head);
        // Comment, disk and attributes are empty.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.bytes());
    }
    let count = (entries.len() as u16).to_le_bytes();
    let (start, length) = (out.len() as u32, directory.len() as u32);
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count);
    out.extend(count);
    out.extend(length.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    Ok(out)
}

/// What a file's own head and its entry in the directory share: version to the lengths of name and extra field.
fn common_head(name: &str, bytes: &[u8]) -> Vec<u8> {
    /// Names are UTF-8.
    const FLAGS: u16 = 1 << 11;
    let (size, crc) = (bytes.len() as u32, crc32fast::hash(bytes));
    let mut head = Vec::with_capacity(26);
    for number in [20_u16, FLAGS, 0, 0, DATE] {
        head.extend(number.to_le_bytes());
    }
    for number in [crc, size, size] {
        head.extend(number.to_le_bytes());
    }
    head.extend((name.len() as u16).to_le_bytes());
    head.extend([0; 2]);
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_says_its_type_and_shape_and_is_aligned() {
        let bytes = texts(&["chat".to_owned(), "é".to_owned()]);
        let head = String::from_utf8_lossy(&bytes[10..128]);
        assert!(head.starts_with("{'descr': '<U4', 'fortran_order': False, 'shape': (2,), }"));
        assert_eq!(bytes.len(), 128 + 2 * 4 * 4);
        assert_eq!(bytes[128 + 16..128 + 20], u32::from('é').to_le_bytes());
        assert_eq!(doubles(&[]).len() % 64, 0);
    }

    #[test]
    fn an_archive_has_a_directory_at_its_end() {
        let entry = |name: &str| Entry {
            name: name.to_owned(),
            bytes: doubles(&[1.5]),
        };
        let bytes = archive(&[entry("a.npy"), entry("b.npy")]).unwrap();
        let end = &bytes[bytes.len() - 22..];
        assert_eq!(&end[..4], b"PK\x05\x06");
        let start = u32::from_le_bytes(end[16..20].try_into().unwrap()) as usize;
        assert_eq!(&bytes[start..start + 4], b"PK\x01\x02");
        assert_eq!(bytes, archive(&[entry("a.npy"), entry("b.npy")]).unwrap());
    }
}
