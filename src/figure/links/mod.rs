//! Links: source tokens above, target tokens below, a line for each weight.

mod draw;
mod layout;

use std::sync::Arc;

use crate::alignment::LabelledMatrix;

use super::palette::Palette;
use super::scene::Scene;

pub use layout::{LinkLine, LinkToken, LinksLayout};

/// Something in a figure of links that a person points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkItem {
    /// A source token: a column of the matrix.
    Source(usize),
    /// A target token: a row of the matrix.
    Target(usize),
    /// A line, between this row (target token) and column (source token).
    Line(usize, usize),
}

impl LinkItem {
    /// Whether the line of a row and column belongs to it.
    pub const fn touches(self, row: usize, column: usize) -> bool {
        match self {
            Self::Source(source) => source == column,
            Self::Target(target) => target == row,
            Self::Line(target, source) => target == row && source == column,
        }
    }
}

/// A figure of links as it is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct LinksSpec {
    /// Weights `[T, S]`: rows are target tokens, columns source tokens.
    pub matrix: Arc<LabelledMatrix>,
    /// In semi-bold above the tokens; may be empty.
    pub title: String,
    /// Below the title; may be empty.
    pub subtitle: String,
    /// Weights below have no line.
    pub threshold: f32,
    /// Target tokens from this one on are places to come: neither they nor their lines are drawn. `None` draws all.
    pub visible_rows: Option<usize>,
    /// What is pointed at: other lines are faint.
    pub focus: Option<LinkItem>,
    /// The row (target token) of the current step.
    pub current_row: Option<usize>,
    /// Which of the series' colours the lines have; see [`Palette::series`].
    pub series: usize,
    /// The widest line, of a weight of 1, in points.
    pub widest_line: f32,
    /// From the source tokens to the target tokens, in points.
    pub height: f32,
    /// The width to fit in, in points; tokens that do not fit side by side are turned upright. `None`: about a
    /// page's width.
    pub available: Option<f32>,
    /// Size of labels in points.
    pub font_size: f32,
    /// Colours.
    pub palette: Palette,
}

impl LinksSpec {
    /// The usual threshold.
    pub const THRESHOLD: f32 = 0.05;

    /// Links of weights with the usual settings.
    pub fn new(matrix: Arc<LabelledMatrix>) -> Self {
        Self {
            matrix,
            title: String::new(),
            subtitle: String::new(),
            threshold: Self::THRESHOLD,
            visible_rows: None,
            focus: None,
            current_row: None,
            series: 0,
            widest_line: 5.0,
            height: 120.0,
            available: None,
            font_size: 12.0,
            palette: Palette::default(),
        }
    }

    /// Where everything stands.
    pub fn layout(&self) -> LinksLayout {
        LinksLayout::new(self)
    }

    /// The finished picture.
    pub fn scene(&self) -> Scene {
        self.scene_of(&self.layout())
    }

    /// The picture with a layout of this specification.
    pub fn scene_of(&self, layout: &LinksLayout) -> Scene {
        draw::scene(self, layout)
    }

    fn is_visible(&self, row: usize) -> bool {
        self.visible_rows.is_none_or(|visible| row < visible)
    }
}
