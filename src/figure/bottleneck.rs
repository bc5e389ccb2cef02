//! A decode without attention: all source tokens go through one vector, and every target token comes out of it.

use super::labels::{Label, LabelStyle, beside_rows};
use super::palette::Palette;
use super::scene::{Anchor, Item, MarkerShape, Point, Scene, Stroke, TextItem, Weight};
use super::text::{cap_height, text_width, visible_label, x_height};

/// Space around the picture.
const MARGIN: f32 = 16.0;
/// Between a word and its line.
const GAP: f32 = 8.0;
/// Space for target words, which are not known yet, and the most for any word, in font sizes.
const USUAL: f32 = 5.5;
/// See [`USUAL`].
const LONGEST: f32 = 11.0;
/// The largest distance of two lines of words, in font sizes.
const AIRY: f32 = 2.0;
/// The most width that lines need between words and vector.
const REACH: f32 = 150.0;
/// And the least.
const SHORTEST: f32 = 24.0;
/// Half the height of the vector's bar, in font sizes.
const BAR: f32 = 1.6;
/// Height of the line for the note.
const NOTE: f32 = 24.0;
/// Opacity of lines that are not stressed.
const FAINT: u8 = 110;
/// Points of a curve.
const BENDS: usize = 16;

/// The picture as it is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct BottleneckSpec {
    /// Source tokens, `[S]`.
    pub sources: Vec<String>,
    /// Target tokens so far, `[T]`.
    pub targets: Vec<String>,
    /// Target tokens to keep place for; fewer than there are count as those there are.
    pub expected: usize,
    /// The target token of the current step.
    pub current: Option<usize>,
    /// The source token to stress.
    pub stressed: Option<usize>,
    /// What stands below the vector, such as its norm.
    pub note: String,
    /// Width and height, in points.
    pub size: [f32; 2],
    /// Size of words in points.
    pub font_size: f32,
    /// Colours.
    pub palette: Palette,
}

/// Where everything stands, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct BottleneckLayout {
    /// The vector's middle.
    pub vector: Point,
    /// Half the height of the vector's bar.
    pub half: f32,
    /// Source words, right-aligned; some are left out where they are dense.
    pub sources: Vec<Label>,
    /// Target words, left-aligned; as above.
    pub targets: Vec<Label>,
    /// Where source words end and target words begin.
    pub edges: [f32; 2],
    /// The heights of all source and target places, also of those without a word.
    pub heights: [Vec<f32>; 2],
}

impl BottleneckSpec {
    /// Where everything stands.
    pub fn layout(&self) -> BottleneckLayout {
        let [width, height] = self.size;
        let places = [self.sources.len(), self.expected.max(self.targets.len())];
        let most = places[0].max(places[1]).max(1) as f32;
        let pitch = ((height - 2.0 * MARGIN - NOTE) / most)
            .min(self.font_size * AIRY)
            .max(1.0);
        let middle_y = MARGIN + most * pitch / 2.0;
        let heights = places.map(|count| {
            let first = middle_y - count as f32 * pitch / 2.0;
            (0..count)
                .map(|index| first + (index as f32 + 0.5) * pitch)
                .collect::<Vec<f32>>()
        });
        let widest = self
            .sources
            .iter()
            .map(|word| text_width(&visible_label(word), self.font_size, Weight::SemiBold))
            .fold(self.font_size * USUAL, f32::max);
        // In a narrow space words are cut before they leave it.
        let half = width / 2.0 - SHORTEST - GAP - 4.0;
        let limit = widest
            .min(self.font_size * LONGEST)
            .min(half.max(2.0 * self.font_size));
        let style = |current| LabelStyle {
            size: (pitch * 0.92).clamp(self.font_size * 0.7, self.font_size),
            fill: self.palette.text,
            muted: self.palette.muted,
            limit,
            current,
        };
        let words = |tokens: &[String], current, heights: &[f32]| {
            beside_rows(tokens, &style(current), pitch, 0.0, |index| heights[index])
        };
        let mut sources = words(&self.sources, self.stressed, &heights[0]);
        let mut targets = words(&self.targets, self.current, &heights[1]);
        // Both sides get the same space, so that the vector stands in the middle and nothing moves as words come.
        let reach = (width / 2.0 - MARGIN - GAP - limit).clamp(SHORTEST, REACH);
        let middle_x = width / 2.0;
        let edges = [middle_x - reach, middle_x + reach];
        for label in &mut sources {
            label.item.position.x = edges[0] - GAP;
        }
        for label in &mut targets {
            label.item.anchor = Anchor::Start;
            label.item.position.x = edges[1] + GAP;
        }
        BottleneckLayout {
            vector: Point::new(middle_x, middle_y),
            half: (self.font_size * BAR).min(most * pitch / 2.0),
            sources,
            targets,
            edges,
            heights,
        }
    }

    /// The picture with a layout of this specification.
    pub fn scene_of(&self, layout: &BottleneckLayout) -> Scene {
        let palette = &self.palette;
        let mut scene = Scene {
            title: "No attention".to_owned(),
            width: self.size[0],
            height: self.size[1],
            background: palette.background,
            items: Vec::new(),
        };
        let faint = |role: usize| {
            let mut colour = palette.roles[role];
            colour[3] = FAINT;
            Stroke::new(colour, 1.25)
        };
        let stressed = Stroke::new(palette.accent, 1.75);
        let mut line = |side: usize, index: usize, stroke: Stroke| {
            let height = layout.heights[side][index];
            scene.items.push(layout.curve(side, height, stroke));
        };
        // Stressed lines lie above the others.
        (0..self.sources.len()).for_each(|index| line(0, index, faint(0)));
        (0..self.targets.len()).for_each(|index| line(1, index, faint(1)));
        if let Some(index) = self.stressed.filter(|index| *index < self.sources.len()) {
            line(0, index, stressed);
        }
        if let Some(index) = self.current.filter(|index| *index < self.targets.len()) {
            line(1, index, stressed);
        }
        self.draw_places(&mut scene, layout);
        let bar = [-layout.half, layout.half]
            .map(|away| Point::new(layout.vector.x, layout.vector.y + away));
        scene.items.push(Item::Polyline {
            points: bar.to_vec(),
            stroke: Stroke::new(palette.roles[2], 6.0),
            dash: None,
        });
        let words = layout.sources.iter().chain(&layout.targets);
        scene
            .items
            .extend(words.map(|label| Item::Text(label.item.clone())));
        self.draw_pointer(&mut scene, layout);
        self.draw_note(&mut scene, layout);
        scene
    }

    /// Dots where target words are still to come.
    fn draw_places(&self, scene: &mut Scene, layout: &BottleneckLayout) {
        let dots = layout.heights[1].iter().skip(self.targets.len());
        scene.items.extend(dots.map(|height| Item::Marker {
            centre: Point::new(layout.edges[1] + GAP + 2.0, *height),
            shape: MarkerShape::Circle,
            size: 3.0,
            fill: self.palette.muted,
        }));
    }

    /// A pointer behind the current word, as before the current row of a heatmap.
    fn draw_pointer(&self, scene: &mut Scene, layout: &BottleneckLayout) {
        let current = layout
            .targets
            .iter()
            .find(|label| Some(label.index) == self.current);
        if let Some(label) = current {
            let size = label.item.size;
            let rise = (cap_height(size) + x_height(size)) / 4.0;
            scene.items.push(Item::Marker {
                centre: Point::new(layout.edges[1], label.item.position.y - rise),
                shape: MarkerShape::Pointer,
                size: size * 0.55,
                fill: self.palette.accent,
            });
        }
    }

    /// The note stands below all words, in the middle.
    fn draw_note(&self, scene: &mut Scene, layout: &BottleneckLayout) {
        let size = self.font_size * 5.0 / 6.0;
        let lowest = layout.heights.iter().filter_map(|heights| heights.last());
        let below = lowest.fold(layout.vector.y, |a, b| a.max(*b));
        scene.items.push(Item::Text(TextItem {
            position: Point::new(layout.vector.x, below + NOTE + cap_height(size)),
            text: self.note.clone(),
            size,
            weight: Weight::Regular,
            anchor: Anchor::Middle,
            angle_degrees: 0.0,
            fill: self.palette.roles[2],
        }));
    }
}

impl BottleneckLayout {
    /// A line from a word to the vector: level at both ends.
    fn curve(&self, side: usize, height: f32, stroke: Stroke) -> Item {
        let from = Point::new(self.edges[side], height);
        let to = self.vector;
        let points = (0..=BENDS).map(|step| {
            let t = step as f32 / BENDS as f32;
            let eased = t * t * (3.0 - 2.0 * t);
            Point::new(
                from.x + (to.x - from.x) * t,
                from.y + (to.y - from.y) * eased,
            )
        });
        Item::Polyline {
            points: points.collect(),
            stroke,
            dash: None,
        }
    }

    /// The source token (`Ok`) or target place (`Err`) beside whose line a point is.
    pub fn word_at(&self, point: Point) -> Option<Result<usize, usize>> {
        let side = usize::from(point.x > self.vector.x);
        let is_beside = point.x < self.edges[0] || point.x > self.edges[1];
        let heights = &self.heights[side];
        let (first, last) = (heights.first()?, heights.last()?);
        let pitch = (last - first) / (heights.len().max(2) - 1) as f32;
        let pitch = if pitch > 0.0 { pitch } else { 2.0 * self.half };
        let index = ((point.y - first) / pitch + 0.5).floor();
        let is_one = is_beside && index >= 0.0 && (index as usize) < heights.len();
        let index = index as usize;
        is_one.then_some(if side == 0 { Ok(index) } else { Err(index) })
    }
}

#[cfg(test)]
#[path = "bottleneck_tests.rs"]
mod tests;
