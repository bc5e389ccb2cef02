//! Writing pairs with their links.

use std::borrow::Borrow;
use std::io::{self, Write};

use crate::alignment::AlignedPair;

/// Writes one line for each pair: source, target and links, separated by tabs; tokens and links are
/// separated by blanks. [`read_aligned_pairs`](crate::alignment::read_aligned_pairs) reads it.
///
/// # Errors
/// What `writer` fails with.
pub fn write_tsv<P: Borrow<AlignedPair>>(
    pairs: impl IntoIterator<Item = P>,
    writer: &mut impl Write,
) -> io::Result<()> {
    for pair in pairs {
        let AlignedPair {
            source,
            target,
            links,
        } = pair.borrow();
        let (source, target) = (source.join(" "), target.join(" "));
        writeln!(writer, "{source}\t{target}\t{links}")?;
    }
    Ok(())
}
