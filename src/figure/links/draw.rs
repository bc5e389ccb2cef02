//! From a layout of links to its scene.

use super::super::scene::{Item, Rgba, Scene, Stroke};
use super::{LinkLine, LinksLayout, LinksSpec};

/// Opacity of the heaviest and of the lightest line.
const OPACITY: [f32; 2] = [0.95, 0.25];
/// Opacity of lines that are not pointed at while others are.
const ASIDE: f32 = 0.06;
/// Opacity of tokens that are not pointed at while others are.
const ASIDE_TEXT: u8 = 110;

pub(super) fn scene(spec: &LinksSpec, layout: &LinksLayout) -> Scene {
    let parts = [spec.title.as_str(), spec.subtitle.as_str()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let mut scene = Scene {
        title: if parts.is_empty() {
            "Links".to_owned()
        } else {
            parts.join(": ")
        },
        width: layout.width,
        height: layout.height,
        background: spec.palette.background,
        items: Vec::new(),
    };
    let colour = spec.palette.series(spec.series).0;
    for line in &layout.lines {
        scene.items.push(Item::Polyline {
            points: line.points.clone(),
            stroke: Stroke::new(shade(spec, line, colour), line.width),
            dash: None,
        });
    }
    scene
        .items
        .extend(layout.titles.iter().cloned().map(Item::Text));
    for token in &layout.sources {
        let index = token.label.index;
        let linked = layout.lines.iter().any(|line| {
            line.column == index && spec.focus.is_some_and(|f| f.touches(line.row, line.column))
        });
        push_token(&mut scene, token, spec.focus.is_none() || linked);
    }
    let targets = layout.targets.iter();
    for token in targets.filter(|token| spec.is_visible(token.label.index)) {
        let index = token.label.index;
        let linked = layout.lines.iter().any(|line| {
            line.row == index && spec.focus.is_some_and(|f| f.touches(line.row, line.column))
        });
        push_token(&mut scene, token, spec.focus.is_none() || linked);
    }
    scene
}

fn push_token(scene: &mut Scene, token: &super::LinkToken, stressed: bool) {
    let mut item = token.label.item.clone();
    if !stressed {
        item.fill[3] = ASIDE_TEXT;
    }
    scene.items.push(Item::Text(item));
}

fn shade(spec: &LinksSpec, line: &LinkLine, [r, g, b, _]: Rgba) -> Rgba {
    let aside = spec
        .focus
        .is_some_and(|focus| !focus.touches(line.row, line.column));
    let [full, light] = OPACITY;
    let opacity = if aside {
        ASIDE
    } else {
        light + (full - light) * line.weight.clamp(0.0, 1.0)
    };
    [r, g, b, (opacity * 255.0).round() as u8]
}
