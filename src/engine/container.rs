//! The container of model files and training states: a safetensors file that knows its own hashes, and whose
//! content is compared with a configuration before anything is made of it.
//!
//! The metadata stand in the order of their keys, so that equal contents are equal bytes.

use std::collections::{BTreeMap, HashSet};

use half::f16;
use safetensors::SafeTensorError;
use safetensors::tensor::{Dtype, Metadata, SafeTensors, TensorView};
use sha2::{Digest as _, Sha256};

use super::checkpoint::CheckpointError;
use super::config::CheckedConfig;
use super::header::check_header;
use super::layout::parameter_shapes;
use crate::storage::hex;

/// SHA-256 of the tensor block.
pub(super) const SHA256: &str = "regard.sha256";
/// SHA-256 of the other metadata. Optional: other programs, and this one once, write files without it.
const METADATA_SHA256: &str = "regard.metadata_sha256";
/// Metadata of this program begin so; those of others are left alone.
const OURS: &str = "regard.";
/// The longest header that readers accept.
const LONGEST_HEADER: usize = 100_000_000;

/// An open file: its header and the bytes of its tensors.
pub(crate) struct Container<'a> {
    header: Metadata,
    block: &'a [u8],
}

impl<'a> Container<'a> {
    /// Finds the parts of a file; nothing is checked but that they are there, and not too many for its length.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, CheckpointError> {
        check_header(bytes).map_err(CheckpointError::Header)?;
        let (length, header) = SafeTensors::read_metadata(bytes)
            .map_err(|error| CheckpointError::Container(error.to_string()))?;
        Ok(Self {
            header,
            block: &bytes[8 + length..],
        })
    }

    /// All metadata entries.
    fn metadata(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.header.metadata().iter().flatten();
        entries.map(|(key, value)| (&key[..], &value[..]))
    }

    fn find(&self, key: &str) -> Option<&str> {
        let metadata = self.header.metadata().as_ref();
        metadata
            .and_then(|entries| entries.get(key))
            .map(String::as_str)
    }

    /// The metadata entry `key`.
    pub(crate) fn entry(&self, key: &'static str) -> Result<&str, CheckpointError> {
        self.find(key).ok_or(CheckpointError::Missing(key))
    }

    /// Compares the hashes that are given with the content.
    pub(crate) fn check_hashes(&self) -> Result<(), CheckpointError> {
        let found = [
            (SHA256, "weights", sha256(self.block)),
            (
                METADATA_SHA256,
                "metadata",
                metadata_sha256(self.metadata()),
            ),
        ];
        for (key, what, found) in found {
            match self.find(key) {
                Some(expected) if expected != found => {
                    return Err(CheckpointError::Hash {
                        what,
                        expected: expected.chars().take(64).collect(),
                        found,
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks that the tensors are exactly the parameters of `config`, once for each of the `prefixes`. Nothing
    /// of the configuration's size is allocated, so that a small file cannot ask for much memory.
    pub(crate) fn check_tensors(
        &self,
        config: &CheckedConfig,
        prefixes: &[&str],
    ) -> Result<(), CheckpointError> {
        let mut expected = HashSet::new();
        for prefix in prefixes {
            for (name, shape) in parameter_shapes(config) {
                let name = format!("{prefix}{name}");
                let Some(tensor) = self.header.info(&name) else {
                    return Err(CheckpointError::MissingTensor(name));
                };
                if tensor.shape != shape {
                    let found = tensor.shape.clone();
                    return Err(CheckpointError::Shape {
                        name,
                        found,
                        expected: shape,
                    });
                }
                if !matches!(tensor.dtype, Dtype::F16 | Dtype::F32) {
                    let found = format!("{:?}", tensor.dtype);
                    return Err(CheckpointError::Type { name, found });
                }
                expected.insert(name);
            }
        }
        let names = self.header.offset_keys().into_iter();
        match names.filter(|name| !expected.contains(name)).min() {
            Some(name) => Err(CheckpointError::UnexpectedTensor(name)),
            None => Ok(()),
        }
    }

    /// Reads tensor `name`, which was checked to have as many numbers as `values`.
    pub(crate) fn read(&self, name: &str, values: &mut [f32]) -> Result<(), CheckpointError> {
        let Some(tensor) = self.header.info(name) else {
            return Err(CheckpointError::MissingTensor(name.to_owned()));
        };
        // That these are within the block was checked when the header was read.
        let (start, end) = tensor.data_offsets;
        let data = &self.block[start..end];
        if tensor.dtype == Dtype::F16 {
            for (v, b) in values.iter_mut().zip(data.as_chunks().0) {
                *v = f16::from_le_bytes(*b).to_f32();
            }
        } else {
            for (v, b) in values.iter_mut().zip(data.as_chunks().0) {
                *v = f32::from_le_bytes(*b);
            }
        }
        match values.iter().position(|v| !v.is_finite()) {
            Some(index) => Err(CheckpointError::NotFinite {
                name: name.to_owned(),
                index,
                value: values[index],
            }),
            None => Ok(()),
        }
    }
}

/// A file of `views` and `metadata`, to which the hashes are added.
pub(crate) fn serialise(
    views: Vec<(String, TensorView)>,
    mut metadata: BTreeMap<&str, String>,
) -> Result<Vec<u8>, SafeTensorError> {
    let plain = safetensors::serialize(views, None)?;
    let length = plain.first_chunk().map_or(0, |b| u64::from_le_bytes(*b)) as usize;
    let (tensors, block) = plain[8..].split_at(length);
    metadata.insert(SHA256, sha256(block));
    let hash = metadata_sha256(metadata.iter().map(|(k, v)| (*k, &v[..])));
    metadata.insert(METADATA_SHA256, hash);

    let mut header = b"{\"__metadata__\":".to_vec();
    serde_json::to_writer(&mut header, &metadata)?;
    // The header without metadata is `{}` or `{"name":…}`, then blanks.
    let tensors = tensors.trim_ascii_end();
    if tensors.len() > 2 {
        header.push(b',');
    }
    header.extend(&tensors[1..]);
    header.resize(header.len().next_multiple_of(8), b' ');
    if header.len() > LONGEST_HEADER {
        return Err(SafeTensorError::HeaderTooLarge);
    }
    let mut out = Vec::with_capacity(8 + header.len() + block.len());
    out.extend((header.len() as u64).to_le_bytes());
    out.extend(header);
    out.extend(block);
    Ok(out)
}

/// Over the entries of this program in the order of their keys, but for the hash itself: key, line feed, length
/// of the value in bytes, line feed, value, line feed.
fn metadata_sha256<'a>(entries: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let ours: BTreeMap<_, _> = entries
        .filter(|(key, _)| key.starts_with(OURS) && *key != METADATA_SHA256)
        .collect();
    let mut hash = Sha256::new();
    for (key, value) in ours {
        hash.update(format!("{key}\n{}\n", value.len()));
        hash.update(value);
        hash.update("\n");
    }
    hex(&hash.finalize())
}

fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
