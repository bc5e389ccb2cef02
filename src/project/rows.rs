//! Rows of numbers in little memory.

use std::fmt;

use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::storage::make_room;

/// Rows of weights, all in one list; each may have a length of its own, as in a damaged file.
///
/// A row of one number has four bytes in a file, and a `Vec` takes 24 and memory of its own. Here a row takes four bytes
/// beside its numbers. In files it is a list of lists, as `Vec<Vec<f32>>` is.
#[derive(Clone, Default, PartialEq)]
pub struct Rows {
    values: Vec<f32>,
    /// Where each row ends in the list; it begins where the one before ends.
    ends: Vec<u32>,
}

impl Rows {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        let end = |index: usize| self.ends[index] as usize;
        (0..self.len()).map(move |index| {
            let start = index.checked_sub(1).map_or(0, end);
            &self.values[start..end(index)]
        })
    }

    /// All numbers, row after row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Ends a row behind the last number.
    fn end_row(&mut self) {
        make_room(&mut self.ends, 1);
        let end = u32::try_from(self.values.len()).expect("fewer numbers than a session may have");
        self.ends.push(end);
    }
}

impl<R: AsRef<[f32]>> FromIterator<R> for Rows {
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Self {
        let mut all = Self::default();
        for row in rows {
            all.values.extend_from_slice(row.as_ref());
            all.end_row();
        }
        all
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Rows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for row in self.iter() {
            list.serialize_element(row)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(AllRows)
    }
}

struct AllRows;

impl<'de> Visitor<'de> for AllRows {
    type Value = Rows;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of rows of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Rows, A::Error> {
        let mut rows = Rows::default();
        while seq.next_element_seed(Append(&mut rows))?.is_some() {}
        rows.values.shrink_to_fit();
        rows.ends.shrink_to_fit();
        Ok(rows)
    }
}

/// Appends one row of a file.
struct Append<'a>(&'a mut Rows);

impl<'de> DeserializeSeed<'de> for Append<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Append<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a row of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(value) = seq.next_element()? {
            make_room(&mut self.0.values, 1);
            self.0.values.push(value);
        }
        self.0.end_row();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_and_read_as_lists_of_lists() {
        let lists = vec![vec![0.1_f32, 1e-30], vec![], vec![f32::INFINITY]];
        let rows: Rows = lists.iter().collect();
        assert_eq!((rows.len(), rows.is_empty()), (3, false));
        assert_eq!(rows.values(), [0.1, 1e-30, f32::INFINITY]);
        assert!(rows.iter().eq(lists.iter().map(Vec::as_slice)));
        let text = ron::to_string(&lists).unwrap();
        assert_eq!(ron::to_string(&rows).unwrap(), text);
        assert_eq!(ron::from_str::<Rows>(&text).unwrap(), rows);
        assert!(ron::from_str::<Rows>("[[1], 2]").is_err());
        assert_eq!(format!("{rows:?}"), format!("{lists:?}"));
    }

    #[test]
    fn rows_take_little_memory() {
        let text = format!("[{}]", "[0],".repeat(1000));
        let rows: Rows = ron::from_str(&text).unwrap();
        assert_eq!((rows.values.capacity(), rows.ends.capacity()), (1000, 1000));
    }
}
