//! Why dot products are scaled, as a table.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Arguments, Format, wrapped};
use crate::attribution::{SCALING_SIZES, ScalingRow, scaling, scaling_note};
use crate::cli::attend::table::{column, grid};

#[derive(Serialize)]
struct Object {
    seed: u64,
    rows: Vec<ScalingRow>,
    note: &'static str,
}

/// The table in the form that was asked for.
pub(super) fn report(arguments: &Arguments) -> anyhow::Result<String> {
    let rows = scaling(&SCALING_SIZES, arguments.seed);
    Ok(match arguments.format {
        Format::Text => text(&rows, arguments),
        Format::Json => {
            let object = Object {
                seed: arguments.seed,
                rows,
                note: scaling_note(),
            };
            serde_json::to_string(&object)? + "\n"
        }
        Format::Csv => {
            let mut text = "size,score,variance,entropy,gradient\n".to_owned();
            for row in &rows {
                for (name, spread) in [("dot", row.dot), ("scaled_dot", row.scaled_dot)] {
                    // Writing to a string cannot fail.
                    let _ = writeln!(
                        text,
                        "{},{name},{},{},{}",
                        row.size, spread.variance, spread.entropy, spread.gradient
                    );
                }
            }
            text
        }
    })
}

fn text(rows: &[ScalingRow], arguments: &Arguments) -> String {
    let cells = |digits: usize, of: &dyn Fn(&ScalingRow) -> f64| -> Vec<String> {
        rows.iter()
            .map(|row| format!("{:.digits$}", of(row)))
            .collect()
    };
    let sizes: Vec<String> = rows.iter().map(|row| row.size.to_string()).collect();
    let columns = vec![
        column("variance q·k", cells(1, &|row| row.dot.variance)),
        column("q·k/√d", cells(3, &|row| row.scaled_dot.variance)),
        column("entropy q·k", cells(3, &|row| row.dot.entropy)),
        column("q·k/√d", cells(3, &|row| row.scaled_dot.entropy)),
        column("gradient q·k", cells(4, &|row| row.dot.gradient)),
        column("q·k/√d", cells(4, &|row| row.scaled_dot.gradient)),
    ];
    format!(
        "random queries and keys of size d, components of variance 1: 128 queries of 32 keys each, seed {}\n\n{}\n\
         variance: of the scores; entropy: of their softmax, in nats, at most ln 32 = 3.466;\n\
         gradient: Frobenius norm of the softmax's Jacobian\n{}",
        arguments.seed,
        grid(&sizes, columns, Vec::new(), arguments.width),
        wrapped(scaling_note(), arguments.width)
    )
}
