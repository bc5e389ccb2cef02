//! The header of a safetensors file, looked at before its reader makes it into memory.
//!
//! The reader keeps every value of the header in 32 bytes, in lists that grow, before it looks at what they are; a number of
//! two bytes would take 96. Here the header is read over once and nothing is kept.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Values that the header of any file may have. A model of this program has some 200, the state of a training three times
/// as many.
const VALUES: usize = 2048;
/// How many bytes of the file there must be for each value more. A value takes about 200 bytes while the header is read;
/// a real tensor has about ten of them, and data.
const BYTES_A_VALUE: usize = 32;
/// The longest text outside the metadata, in bytes: it can only be the name of a type, and would be in the message.
const LONGEST_TEXT: usize = 1024;
/// Where the metadata stand in the header.
const METADATA: &str = "__metadata__";

/// Checks that the header of a file holds no more than is reasonable for the file's length; what is no header at all is
/// left to the reader, which says why.
///
/// # Errors
/// What there is too much of.
pub(super) fn check_header(file: &[u8]) -> Result<(), String> {
    let length = file.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let header = length
        .and_then(|length| 8_usize.checked_add(usize::try_from(length).ok()?))
        .and_then(|end| file.get(8..end));
    let Some(header) = header else {
        return Ok(());
    };
    let most = VALUES + file.len() / BYTES_A_VALUE;
    let mut limits = Limits::new(most);
    limits.longest_text = LONGEST_TEXT;
    let mut json = serde_json::Deserializer::from_slice(header);
    // Whatever else is wrong with it is said by the reader.
    let _ = json.deserialize_map(Header(&mut limits));
    limits.problem.map_or(Ok(()), |problem| {
        Err(format!("{problem} in a file of {} bytes", file.len()))
    })
}

/// Checks that a text of JSON has at most `most` values: parsed, a value takes many times its text.
///
/// # Errors
/// That it has more.
pub(super) fn check_values(text: &str, most: usize) -> Result<(), String> {
    let mut limits = Limits::new(most);
    let mut json = serde_json::Deserializer::from_str(text);
    let _ = Values::of(&mut limits).deserialize(&mut json);
    limits.problem.map_or(Ok(()), Err)
}

/// What there may be, and what there is too much of.
struct Limits {
    most: usize,
    found: usize,
    longest_text: usize,
    problem: Option<String>,
}

impl Limits {
    const fn new(most: usize) -> Self {
        Self {
            most,
            found: 0,
            longest_text: usize::MAX,
            problem: None,
        }
    }

    /// Counts a value.
    fn count<E: Error>(&mut self) -> Result<(), E> {
        self.found += 1;
        if self.found > self.most {
            return Err(self.refuse(format!("more than {} values", self.most)));
        }
        Ok(())
    }

    fn refuse<E: Error>(&mut self, problem: String) -> E {
        self.problem = Some(problem);
        E::custom("too much")
    }
}

/// The values of the header, with their names.
struct Header<'a>(&'a mut Limits);

impl<'de> Visitor<'de> for Header<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a header")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(is_metadata) = map.next_key_seed(IsMetadata)? {
            map.next_value_seed(Values {
                limits: &mut *self.0,
                text_is_any: false,
                texts_are_any: is_metadata,
            })?;
        }
        Ok(())
    }
}

/// Whether a name is that of the metadata.
struct IsMetadata;

impl<'de> DeserializeSeed<'de> for IsMetadata {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for IsMetadata {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<bool, E> {
        Ok(name == METADATA)
    }
}

/// A value with all that it holds. Of a list of values each is read so again.
struct Values<'a> {
    limits: &'a mut Limits,
    /// Whether it may be a text of any length.
    text_is_any: bool,
    /// Whether what it holds may be.
    texts_are_any: bool,
}

impl<'a> Values<'a> {
    const fn of(limits: &'a mut Limits) -> Self {
        Self {
            limits,
            text_is_any: true,
            texts_are_any: true,
        }
    }

    /// A value that it holds.
    const fn inner(&mut self) -> Values<'_> {
        Values {
            limits: &mut *self.limits,
            text_is_any: self.texts_are_any,
            texts_are_any: self.texts_are_any,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Values<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Values<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.limits.count()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.limits.count()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.limits.count()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.limits.count()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.limits.count()
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let (length, most) = (text.len(), self.limits.longest_text);
        if length > most && !self.text_is_any {
            let problem =
                format!("a text of {length} bytes outside the metadata, expected at most {most},");
            return Err(self.limits.refuse(problem));
        }
        self.limits.count()
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        self.limits.count()?;
        while list.next_element_seed(self.inner())?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        self.limits.count()?;
        while map.next_key_seed(IsMetadata)?.is_some() {
            map.next_value_seed(self.inner())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, block: usize) -> Vec<u8> {
        let length = (header.len() as u64).to_le_bytes();
        [&length[..], header.as_bytes(), &vec![0; block]].concat()
    }

    #[test]
    fn a_header_may_have_so_many_values_for_its_file() {
        let tensor = "\"a\":{\"dtype\":\"U8\",\"shape\":[2,3],\"data_offsets\":[0,6]},";
        let header = |count: usize| format!("{{{}\"b\":0}}", tensor.repeat(count));
        // A tensor has eight values, and data in all real files.
        assert_eq!(check_header(&file(&header(255), 0)), Ok(()));
        assert_eq!(check_header(&file(&header(5000), 5000 * 256)), Ok(()));
        let bytes = file(&header(400), 0);
        let message = check_header(&bytes).unwrap_err();
        let most = 2048 + bytes.len() / 32;
        assert_eq!(
            message,
            format!("more than {most} values in a file of {} bytes", bytes.len())
        );
    }

    #[test]
    fn what_is_deep_or_in_fields_that_nobody_knows_counts_as_well() {
        let refused = |value: &str| check_header(&file(&format!("{{\"a\":{value}}}"), 0)).is_err();
        assert!(refused(&format!("[{}0]", "[0],".repeat(2000))));
        assert!(refused(&format!(
            "{{\"x\":[{}0]}}",
            "{\"\":null},".repeat(2000)
        )));
        assert!(refused(&format!("[{}true]", "-1,1.5,".repeat(2000))));
        assert!(!refused(&format!("[{}0]", "[0],".repeat(1000))));
    }

    #[test]
    fn only_metadata_have_long_texts() {
        let long = "x".repeat(LONGEST_TEXT + 1);
        let checked = |header: String| check_header(&file(&header, 0));
        let metadata = format!("{{\"__metadata__\":{{\"a\":\"{long}\"}}}}");
        assert_eq!(checked(metadata), Ok(()));
        let message = checked(format!("{{\"a\":{{\"dtype\":\"{long}\"}}}}")).unwrap_err();
        assert!(
            message.starts_with("a text of 1025 bytes outside the metadata, expected at most 1024"),
            "{message}"
        );
        assert!(checked(format!("{{\"__metadata__\":\"{long}\"}}")).is_err());
        assert!(checked(format!("{{\"a\":\"{long}\"}}")).is_err());
        assert_eq!(checked(format!("{{\"{long}\":0}}")), Ok(()));
    }

    #[test]
    fn what_is_no_header_is_left_to_the_reader() {
        for bytes in [&b""[..], b"short", &[255; 20], b"\x05\0\0\0\0\0\0\0hello"] {
            assert_eq!(check_header(bytes), Ok(()));
        }
    }

    #[test]
    fn values_are_counted() {
        assert_eq!(check_values("{\"a\":[1,2,\"b\"],\"c\":null}", 6), Ok(()));
        assert_eq!(
            check_values("{\"a\":[1,2,\"b\"],\"c\":null}", 5),
            Err("more than 5 values".to_owned())
        );
        assert_eq!(check_values("{\"a\":", 5), Ok(()));
    }
}
