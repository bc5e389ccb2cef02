//! A matrix as a LaTeX table whose cells are shaded as in the heatmap.

use std::fmt::Write as _;

use super::Weight;
use super::colormap::text_on;
use super::colour_scale::row_maximum;
use super::heatmap::HeatmapSpec;
use super::scale::format_value;
use super::scene::Rgba;
use super::text::{text_width, visible_label};

/// Column heads longer than this, in font sizes, are turned.
const LEVEL_HEAD: f32 = 3.5;

/// The heatmap as a `tabular` for a document with `\usepackage[table]{xcolor}` and `\usepackage{graphicx}`; cells
/// have the colours of the heatmap and, if it shows values, its numbers.
pub fn to_latex(panels: &[HeatmapSpec]) -> String {
    let mut out = String::from(
        "% \\usepackage[table]{xcolor}\n% \\usepackage{graphicx}\n% XeLaTeX or LuaLaTeX for letters beyond Latin\n",
    );
    for spec in panels {
        table(&mut out, spec);
    }
    out
}

fn table(out: &mut String, spec: &HeatmapSpec) {
    let matrix = if spec.transposed {
        spec.matrix.transposed()
    } else {
        spec.matrix.as_ref().clone()
    };
    let scale = spec.colour_scale();
    // Rows of the matrix, whichever way it is turned.
    let largest: Vec<f32> = spec
        .matrix
        .values()
        .rows()
        .into_iter()
        .map(row_maximum)
        .collect();
    if !spec.title.is_empty() {
        put(
            out,
            format_args!("% {}\n", spec.title.replace(['\n', '\r'], " ")),
        );
    }
    put(
        out,
        format_args!(
            "\\begin{{tabular}}{{r{}}}\n",
            "c".repeat(matrix.columns().len())
        ),
    );
    let widest = matrix
        .columns()
        .iter()
        .map(|token| text_width(token, 1.0, Weight::Regular));
    let turned = widest.fold(0.0, f32::max) > LEVEL_HEAD;
    for token in matrix.columns() {
        let token = escaped(&visible_label(token));
        if turned {
            put(out, format_args!(" & \\rotatebox{{90}}{{{token}}}"));
        } else {
            put(out, format_args!(" & {token}"));
        }
    }
    out.push_str(" \\\\\n");
    for (row, (label, values)) in matrix.rows().iter().zip(matrix.values().rows()).enumerate() {
        out.push_str(&escaped(&visible_label(label)));
        for (column, &value) in values.iter().enumerate() {
            let row_max = largest[if spec.transposed { column } else { row }];
            out.push_str(" & ");
            out.push_str(&cell(spec, value, scale.colour(value, row_max)));
        }
        out.push_str(" \\\\\n");
    }
    out.push_str("\\end{tabular}\n");
}

fn cell(spec: &HeatmapSpec, value: f32, colour: Option<Rgba>) -> String {
    let Some(colour) = colour else {
        return "--".to_owned();
    };
    if spec.is_hidden(value) {
        return String::new();
    }
    let [r, g, b, _] = colour;
    let shade = format!("\\cellcolor[HTML]{{{r:02X}{g:02X}{b:02X}}}");
    if !spec.show_values {
        return shade;
    }
    let mut text = format_value(value)
        .replace('∞', "$\\infty$")
        .replace('−', "$-$");
    if spec.diverging && value >= 0.005 {
        text.insert(0, '+');
    }
    let white = text_on(colour)[0] == 255;
    let ink = if white { "\\color{white}" } else { "" };
    format!("{shade}{ink}{text}")
}

/// Writing to a string cannot fail.
fn put(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    let written = out.write_fmt(arguments);
    debug_assert!(written.is_ok());
}

/// Text that LaTeX sets as it stands.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            // A bracket behind `\\` would be read as its option.
            '[' | ']' => {
                out.push('{');
                out.push(c);
                out.push('}');
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_latex_reads_as_commands_is_escaped() {
        assert_eq!(
            escaped("</s> 50% a_b \\x{}[1]~^"),
            "\\textless{}/s\\textgreater{} 50\\% a\\_b \\textbackslash{}x\\{\\}{[}1{]}\\textasciitilde{}\\textasciicircum{}"
        );
    }
}
