//! Lists that are read from files, in not much more memory than they need.
//!
//! A `Vec` that grows asks for twice its size, and while it moves the old memory is there beside the new: three times
//! what it holds. Many small values of a file would then take many times the file. These lists grow by a quarter.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Makes room for `more` values behind those of a list, a quarter of its length at least.
pub fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 4).max(4));
    }
}

/// Reads a list of numbers, or of other values that are all kept.
///
/// # Errors
/// Those of its values.
pub fn read_all<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    read_at_most(deserializer, "values", usize::MAX)
}

/// Reads a list of at most `most` values, which the message calls `name`; of a longer one no more than that is in
/// memory.
///
/// # Errors
/// Those of its values, and how many there are where these are too many.
pub fn read_at_most<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    name: &'static str,
    most: usize,
) -> Result<Vec<T>, D::Error> {
    deserializer.deserialize_seq(AtMost {
        name,
        most,
        value: PhantomData,
    })
}

struct AtMost<T> {
    name: &'static str,
    most: usize,
    value: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for AtMost<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a list of {}", self.name)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while list.len() < self.most {
            let Some(value) = seq.next_element()? else {
                list.shrink_to_fit();
                return Ok(list);
            };
            make_room(&mut list, 1);
            list.push(value);
        }
        refuse_more(&mut seq, self.name, self.most)?;
        list.shrink_to_fit();
        Ok(list)
    }
}

/// Refuses what follows the `most` values that were read, saying how many there are.
///
/// # Errors
/// If anything follows.
pub fn refuse_more<'de, A: SeqAccess<'de>>(
    seq: &mut A,
    name: &str,
    most: usize,
) -> Result<(), A::Error> {
    let mut found = most;
    while seq.next_element::<IgnoredAny>()?.is_some() {
        found += 1;
    }
    if found > most {
        let message = format!("{found} {name}; at most {most} are read");
        return Err(A::Error::custom(message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Numbers {
        #[serde(default, deserialize_with = "read_all")]
        all: Vec<f64>,
        #[serde(default, deserialize_with = "three")]
        few: Vec<u8>,
    }

    fn three<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        read_at_most(deserializer, "small numbers", 3)
    }

    #[test]
    fn a_list_has_no_more_memory_than_values() {
        let text = format!("{{\"all\":[{}0]}}", "1.5,".repeat(1000));
        let read: Numbers = serde_json::from_str(&text).unwrap();
        assert_eq!((read.all.len(), read.all.capacity()), (1001, 1001));
        assert_eq!((read.all[999], read.all[1000]), (1.5, 0.0));
        let mut list = vec![0_u8; 1000];
        make_room(&mut list, 1);
        assert!((1250..1300).contains(&list.capacity()));
        make_room(&mut list, 900);
        assert!((1900..2000).contains(&list.capacity()));
    }

    #[test]
    fn a_list_that_is_too_long_is_counted_and_refused() {
        let read = |text: &str| serde_json::from_str::<Numbers>(text);
        assert_eq!(read("{\"few\":[1,2,3]}").unwrap().few, [1, 2, 3]);
        let message = read("{\"few\":[1,2,3,4,{}]}").unwrap_err().to_string();
        assert!(
            message.starts_with("5 small numbers; at most 3 are read"),
            "{message}"
        );
        let message = read("{\"few\":[1,2,300]}").unwrap_err().to_string();
        assert!(message.contains("300"), "{message}");
        let message = read("{\"few\":7}").unwrap_err().to_string();
        assert!(
            message.contains("expected a list of small numbers"),
            "{message}"
        );
    }
}
