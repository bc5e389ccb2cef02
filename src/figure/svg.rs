//! Scene to SVG: text stays text, cells stay rectangles, and the same scene gives the same bytes.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::fonts::{SYMBOL_FAMILY, TEXT_FAMILY};
use super::png::encode_pixels;
use super::scene::{
    Anchor, ImageItem, Item, MarkerShape, Point, Rect, Rgba, Scene, Stroke, TextItem, Weight,
    hatch_lines,
};

/// The scene as an SVG document in points, one item a line.
pub fn to_svg(scene: &Scene) -> String {
    let mut out = String::with_capacity(1024 + scene.items.len() * 96);
    let (width, height) = (number(scene.width.max(0.0)), number(scene.height.max(0.0)));
    put(
        &mut out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}pt\" height=\"{height}pt\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{TEXT_FAMILY}, '{SYMBOL_FAMILY}', \
             sans-serif\" style=\"font-feature-settings:'tnum','calt' 0,'liga' 0\">\n"
        ),
    );
    if !scene.title.is_empty() {
        put(
            &mut out,
            format_args!("<title>{}</title>\n", escaped(&scene.title)),
        );
    }
    if let Some(background) = scene.background {
        let page = Rect::new(0.0, 0.0, scene.width, scene.height);
        put(
            &mut out,
            format_args!("<rect {}{}/>\n", rect_attributes(page), fill(background)),
        );
    }
    write_items(&mut out, &scene.items);
    out.push_str("</svg>\n");
    out
}

/// Writing to a string cannot fail.
fn put(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    let written = out.write_fmt(arguments);
    debug_assert!(written.is_ok());
}

/// Rectangles that follow each other share one group.
fn write_items(out: &mut String, items: &[Item]) {
    let mut in_group = false;
    for item in items {
        let is_rect = matches!(item, Item::Rect { .. });
        if is_rect != in_group {
            let tag = if is_rect {
                "<g shape-rendering=\"crispEdges\">\n"
            } else {
                "</g>\n"
            };
            out.push_str(tag);
            in_group = is_rect;
        }
        write_item(out, item);
    }
    if in_group {
        out.push_str("</g>\n");
    }
}

fn write_item(out: &mut String, item: &Item) {
    match item {
        Item::Rect {
            rect,
            fill: inside,
            stroke: edge,
        } => {
            let inside = inside.map_or_else(|| " fill=\"none\"".to_owned(), fill);
            let edge = edge.map(stroke).unwrap_or_default();
            put(
                out,
                format_args!("<rect {}{inside}{edge}/>\n", rect_attributes(*rect)),
            );
        }
        Item::Image(image) => write_image(out, image),
        Item::Polyline {
            points,
            stroke: line,
            dash,
        } => write_polyline(out, points, *line, *dash),
        Item::Marker {
            centre,
            shape,
            size,
            fill: inside,
        } => write_marker(out, *centre, *shape, *size, *inside),
        Item::Text(text) => write_text(out, text),
        Item::Hatch { rect, stroke: line } => {
            let mut path = String::new();
            for [from, to] in hatch_lines(*rect) {
                put(&mut path, format_args!("M{} L{} ", pair(from), pair(to)));
            }
            put(
                out,
                format_args!(
                    "<path d=\"{}\" fill=\"none\"{}/>\n",
                    path.trim_end(),
                    stroke(*line)
                ),
            );
        }
        Item::Clipped { area, items } => write_clipped(out, *area, items),
    }
}

fn write_clipped(out: &mut String, area: Rect, items: &[Item]) {
    // The document only grows, so that its length is a name that no other area has.
    let name = out.len();
    put(
        out,
        format_args!(
            "<clipPath id=\"clip{name}\"><rect {}/></clipPath>\n<g clip-path=\"url(#clip{name})\">\n",
            rect_attributes(area)
        ),
    );
    write_items(out, items);
    out.push_str("</g>\n");
}

fn write_image(out: &mut String, image: &ImageItem) {
    let Ok(bytes) = encode_pixels(image.width, image.height, &image.rgba, None) else {
        // An image without pixels shows nothing.
        return;
    };
    put(
        out,
        format_args!(
            "<image {} preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" \
             style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
            rect_attributes(image.rect),
            STANDARD.encode(bytes)
        ),
    );
}

fn write_polyline(out: &mut String, points: &[Point], line: Stroke, dash: Option<[f32; 2]>) {
    let upright = points.len() == 2 && (points[0].x == points[1].x || points[0].y == points[1].y);
    let crisp = if upright {
        " shape-rendering=\"crispEdges\""
    } else {
        ""
    };
    let places: Vec<String> = points.iter().map(|&point| pair(point)).collect();
    let dash = dash.map_or_else(String::new, |[on, off]| {
        format!(" stroke-dasharray=\"{} {}\"", number(on), number(off))
    });
    put(
        out,
        format_args!(
            "<polyline points=\"{}\" fill=\"none\"{}{dash} stroke-linejoin=\"round\"{crisp}/>\n",
            places.join(" "),
            stroke(line)
        ),
    );
}

fn write_marker(out: &mut String, centre: Point, shape: MarkerShape, size: f32, inside: Rgba) {
    if shape == MarkerShape::Circle {
        put(
            out,
            format_args!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n",
                number(centre.x),
                number(centre.y),
                number(size / 2.0),
                fill(inside)
            ),
        );
        return;
    }
    let corners: Vec<String> = shape.outline(centre, size).into_iter().map(pair).collect();
    put(
        out,
        format_args!(
            "<polygon points=\"{}\"{}/>\n",
            corners.join(" "),
            fill(inside)
        ),
    );
}

fn write_text(out: &mut String, item: &TextItem) {
    if item.text.is_empty() {
        return;
    }
    let (x, y) = (number(item.position.x), number(item.position.y));
    let anchor = match item.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let weight = match item.weight {
        Weight::Regular => "",
        Weight::SemiBold => " font-weight=\"600\"",
    };
    let turn = if item.angle_degrees == 0.0 {
        String::new()
    } else {
        format!(
            " transform=\"rotate({} {x} {y})\"",
            number(item.angle_degrees)
        )
    };
    let spaces = item.text.starts_with(' ') || item.text.ends_with(' ') || item.text.contains("  ");
    let space = if spaces {
        " xml:space=\"preserve\""
    } else {
        ""
    };
    put(
        out,
        format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\"{weight}{anchor}{}{turn}{space}>{}</text>\n",
            number(item.size),
            fill(item.fill),
            escaped(&item.text)
        ),
    );
}

fn rect_attributes(rect: Rect) -> String {
    format!(
        "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
        number(rect.x),
        number(rect.y),
        number(rect.width.max(0.0)),
        number(rect.height.max(0.0))
    )
}

fn fill(colour: Rgba) -> String {
    format!(" fill=\"{}\"{}", hex(colour), opacity("fill", colour))
}

fn stroke(stroke: Stroke) -> String {
    format!(
        " stroke=\"{}\" stroke-width=\"{}\"{}",
        hex(stroke.colour),
        number(stroke.width),
        opacity("stroke", stroke.colour)
    )
}

fn hex([r, g, b, _]: Rgba) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn opacity(kind: &str, colour: Rgba) -> String {
    if colour[3] == 255 {
        return String::new();
    }
    format!(
        " {kind}-opacity=\"{}\"",
        number(f32::from(colour[3]) / 255.0)
    )
}

fn pair(point: Point) -> String {
    format!("{},{}", number(point.x), number(point.y))
}

/// At most two decimals and no negative zero; 0 for what is no number.
fn number(value: f32) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let mut text = format!("{value:.2}");
    let kept = text.trim_end_matches('0').trim_end_matches('.').len();
    text.truncate(kept);
    if text == "-0" { "0".to_owned() } else { text }
}

/// Text for XML 1.0, which has no place for control characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
#[path = "svg_tests.rs"]
mod tests;
