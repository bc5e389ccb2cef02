//! The matrix of weights in a terminal: rows are target words, columns source words.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use super::decoded::{Decoded, Row, Word};
use super::label::{labels, left, right};
use crate::metrics::{effective_sources, entropy, euclidean_norm};

/// Widest label of a column, and of a row.
pub(in crate::cli) const COLUMN: usize = 12;
pub(in crate::cli) const ROW: usize = 16;
/// A shade and a number: `▓0.57`.
const CELL: usize = 5;
/// With more blocks than this, each row names its largest weights instead.
const MOST_BLOCKS: usize = 6;
/// How many weights a row names.
const NAMED: usize = 5;

/// A part of the table: as many columns as fit beside the target words.
struct Block {
    heading: String,
    /// Title and cells of each column, all of one width.
    columns: Vec<Vec<String>>,
}

impl Block {
    fn width(&self) -> usize {
        self.columns
            .iter()
            .map(|column| 2 + column[0].width())
            .sum()
    }
}

/// The whole table, at most `width` columns wide where words allow it.
pub(in crate::cli) fn table(decoded: &Decoded, width: usize) -> String {
    let rows = labels(decoded.rows.iter().map(|row| row.shown.as_str()), ROW);
    let margin = rows.iter().map(|label| label.width()).max().unwrap_or(0);
    let words: Vec<String> = decoded.source.iter().map(Word::shown).collect();
    let attends = decoded.rows.iter().all(|row| row.step.weights.is_some());
    let mut blocks = Vec::new();
    if attends {
        let sources = labels(words.iter().map(String::as_str), COLUMN);
        let columns = sources
            .iter()
            .enumerate()
            .map(|(j, label)| weights(&decoded.rows, j, label));
        blocks = split(columns.collect(), width.saturating_sub(margin));
    }
    if blocks.len() > MOST_BLOCKS {
        blocks = vec![Block {
            heading: format!(
                "the {NAMED} largest weights of each word, over {} source words",
                words.len()
            ),
            columns: vec![summaries(&decoded.rows, &words)],
        }];
    }
    write_blocks(blocks, figures(&decoded.rows), &rows, width)
}

/// A table of any columns over `rows`, cut into blocks that fit `width`; `figures` stand on the right. Title and
/// cells of a column have one width.
pub(in crate::cli) fn grid(
    rows: &[String],
    columns: Vec<Vec<String>>,
    figures: Vec<Vec<String>>,
    width: usize,
) -> String {
    let margin = rows.iter().map(|label| label.width()).max().unwrap_or(0);
    let blocks = split(columns, width.saturating_sub(margin));
    write_blocks(blocks, figures, rows, width)
}

/// A column with its title, its cells at the right.
pub(in crate::cli) fn column(title: &str, cells: Vec<String>) -> Vec<String> {
    let widths = cells.iter().map(|cell| cell.width());
    let width = widths.chain([title.width()]).max().unwrap_or(0);
    std::iter::once(title)
        .chain(cells.iter().map(String::as_str))
        .map(|cell| right(cell, width))
        .collect()
}

fn write_blocks(
    mut blocks: Vec<Block>,
    figures: Vec<Vec<String>>,
    rows: &[String],
    width: usize,
) -> String {
    let margin = rows.iter().map(|label| label.width()).max().unwrap_or(0);
    let figures = Block {
        heading: String::new(),
        columns: figures,
    };
    match blocks.last_mut() {
        Some(last) if margin + last.width() + figures.width() <= width => {
            last.columns.extend(figures.columns);
        }
        _ if figures.columns.is_empty() => {}
        _ => blocks.push(figures),
    }
    let mut text = String::new();
    for block in &blocks {
        write_block(&mut text, block, rows, margin);
    }
    text
}

fn write_block(text: &mut String, block: &Block, rows: &[String], margin: usize) {
    if !text.is_empty() {
        text.push('\n');
    }
    if !block.heading.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", block.heading);
    }
    let titles = std::iter::once("").chain(rows.iter().map(String::as_str));
    for (i, title) in titles.enumerate() {
        let cells = block
            .columns
            .iter()
            .map(|column| format!("  {}", column[i]));
        let line = left(title, margin) + &cells.collect::<String>();
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// Cuts the columns into blocks that fit `width`; several blocks say which columns they have.
fn split(columns: Vec<Vec<String>>, width: usize) -> Vec<Block> {
    let total = columns.len();
    let mut blocks: Vec<(usize, Block)> = Vec::new();
    for (j, column) in columns.into_iter().enumerate() {
        match blocks.last_mut() {
            Some((_, block)) if block.width() + 2 + column[0].width() <= width => {
                block.columns.push(column);
            }
            _ => blocks.push((
                j,
                Block {
                    heading: String::new(),
                    columns: vec![column],
                },
            )),
        }
    }
    let several = blocks.len() > 1;
    let name = |(first, mut block): (usize, Block)| {
        if several {
            let last = first + block.columns.len();
            block.heading = format!("source words {}–{last} of {total}", first + 1);
        }
        block
    };
    blocks.into_iter().map(name).collect()
}

/// The column of source word `j`.
fn weights(rows: &[Row], j: usize, label: &str) -> Vec<String> {
    let width = label.width().max(CELL);
    let cell = |row: &Row| {
        let weight = row
            .step
            .weights
            .as_ref()
            .map_or(f32::NAN, |weights| weights[j]);
        left(&format!("{}{weight:.2}", shade(weight)), width)
    };
    std::iter::once(left(label, width))
        .chain(rows.iter().map(cell))
        .collect()
}

/// A block that is the darker the larger the weight is.
fn shade(weight: f32) -> char {
    match weight {
        w if w.is_nan() => '?',
        w if w < 0.05 => ' ',
        w if w < 0.25 => '░',
        w if w < 0.5 => '▒',
        w if w < 0.75 => '▓',
        _ => '█',
    }
}

/// The column that names the largest weights of each row.
fn summaries(rows: &[Row], words: &[String]) -> Vec<String> {
    let labels = labels(words.iter().map(String::as_str), COLUMN);
    let row = |row: &Row| {
        let weights = row.step.weights.as_deref().unwrap_or_default();
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
        let named = order.iter().take(NAMED).map(|&j| {
            format!(
                "{}{:.2} {} {}",
                shade(weights[j]),
                weights[j],
                j + 1,
                labels[j]
            )
        });
        named.collect::<Vec<_>>().join("  ")
    };
    let cells: Vec<String> = rows.iter().map(row).collect();
    let width = cells.iter().map(|cell| cell.width()).max().unwrap_or(0);
    std::iter::once(left("", width))
        .chain(cells.iter().map(|cell| left(cell, width)))
        .collect()
}

/// Entropy, effective sources, norm of the context and probability of the word, of each row.
fn figures(rows: &[Row]) -> Vec<Vec<String>> {
    let column = |title: &str, width, value: &dyn Fn(&Row) -> Option<String>| {
        let cell = |row: &Row| right(&value(row).unwrap_or_else(|| "–".to_owned()), width);
        std::iter::once(right(title, width))
            .chain(rows.iter().map(cell))
            .collect::<Vec<_>>()
    };
    let nats = |row: &Row| {
        row.step
            .weights
            .as_ref()
            .map(|weights| entropy(weights.iter()))
    };
    let mut columns = Vec::new();
    if rows.iter().any(|row| row.step.weights.is_some()) {
        columns.push(column("H", 5, &|row| nats(row).map(|h| format!("{h:.2}"))));
        columns.push(column("exp H", 6, &|row| {
            nats(row).map(|h| format!("{:.2}", effective_sources(h)))
        }));
    }
    columns.push(column("‖c‖", 5, &|row| {
        Some(format!("{:.2}", euclidean_norm(&row.step.context)))
    }));
    columns.push(column("p", 5, &|row| {
        Some(format!("{:.3}", row.step.log_probability.exp()))
    }));
    columns
}
