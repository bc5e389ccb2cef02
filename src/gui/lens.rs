//! The zoom of the heatmaps in points of the screen: what all panes show of their cells.

use eframe::egui::{Vec2, vec2};

use crate::app::Zoom;
use crate::figure::Viewport;

/// The largest side of a magnified cell, in points.
const LARGEST: f32 = 120.0;
/// How much of the neighbours is seen of a cell that was scrolled into view, in cells.
const BESIDE: f32 = 0.5;

/// What the pointer did with the cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gesture {
    /// By how much they shall become larger.
    pub(super) zoom: f32,
    /// How far they shall move, in points.
    pub(super) pan: Vec2,
    /// The column and row under the pointer, between cells too.
    pub(super) cell: Vec2,
    /// Where the pointer is: from the middle of what is seen to the right, from its top down.
    pub(super) offset: Vec2,
}

/// The cells of all panes, magnified. Vectors are columns and rows, or points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lens {
    /// The distance of two cells where all fit.
    fit: f32,
    /// The distance of two cells.
    pitch: f32,
    /// How many there are.
    cells: Vec2,
    /// Space for them, in points.
    room: Vec2,
    /// The zoom, as far as the space allows it.
    zoom: Zoom,
}

/// The distance of two cells under a zoom: whole points are sharp.
pub(super) fn pitch(fit: f32, zoom: Zoom) -> f32 {
    let wanted = (fit * zoom.factor()).min(LARGEST.max(fit));
    let whole = if wanted >= 4.0 {
        wanted.round()
    } else {
        (wanted * 4.0).round() / 4.0
    };
    whole.max(fit)
}

impl Lens {
    /// A zoom on `cells` that are `fit` apart where all are seen, with this space for them.
    pub(super) fn new(zoom: Zoom, fit: f32, cells: Vec2, room: Vec2) -> Self {
        let zoom = Zoom::new(zoom.factor().min(LARGEST.max(fit) / fit), zoom.centre());
        let mut lens = Self {
            fit,
            pitch: pitch(fit, zoom),
            cells,
            room,
            zoom,
        };
        let [row, column] = zoom.centre();
        lens.look_at(vec2(column, row));
        lens
    }

    /// The zoom with a centre that has cells on all sides.
    pub(super) const fn zoom(&self) -> Zoom {
        self.zoom
    }

    /// What a heatmap shows; `None` where it shows everything.
    pub(super) fn viewport(&self) -> Option<Viewport> {
        if self.zoom.is_fit() {
            return None;
        }
        let seen = self.seen();
        let first = self.centre() - seen / self.pitch / 2.0;
        Some(Viewport {
            pitch: self.pitch,
            size: seen.into(),
            first: [first.x.max(0.0), first.y.max(0.0)],
        })
    }

    /// Columns and rows in the middle.
    fn centre(&self) -> Vec2 {
        let [row, column] = self.zoom.centre();
        vec2(column, row)
    }

    /// How much of the cells is seen, in points.
    fn seen(&self) -> Vec2 {
        self.room.min(self.cells * self.pitch)
    }

    fn look_at(&mut self, centre: Vec2) {
        let half = self.seen() / self.pitch / 2.0;
        let centre = centre.max(half).min((self.cells - half).max(half));
        self.zoom = Zoom::new(self.zoom.factor(), [centre.y, centre.x]);
    }

    /// Scrolls as little as needed to see a row and a column.
    pub(super) fn reveal(&mut self, row: Option<usize>, column: Option<usize>) {
        let half = self.seen() / self.pitch / 2.0;
        let near = |centre: f32, half: f32, cell: Option<usize>| {
            let Some(cell) = cell else {
                return centre;
            };
            let (first, end) = (cell as f32 - BESIDE, cell as f32 + 1.0 + BESIDE);
            // A cell that is larger than the space shows its beginning.
            centre.max(end - half).min(first + half)
        };
        let centre = self.centre();
        self.look_at(vec2(
            near(centre.x, half.x, column),
            near(centre.y, half.y, row),
        ));
    }

    /// Does what the pointer asks for. The cell under the pointer stays there while it grows: heatmaps stand in the
    /// middle of their panes and hang from the top.
    pub(super) fn follow(&mut self, gesture: &Gesture) {
        if gesture.zoom != 1.0 {
            let factor = self.zoom.factor() * gesture.zoom;
            *self = Self::new(Zoom::new(factor, [0.0; 2]), self.fit, self.cells, self.room);
            let half = self.seen().y / 2.0;
            let away = vec2(gesture.offset.x, gesture.offset.y - half);
            self.look_at(gesture.cell - away / self.pitch);
        }
        if gesture.pan != Vec2::ZERO && !self.zoom.is_fit() {
            self.look_at(self.centre() - gesture.pan / self.pitch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: Vec2 = Vec2::new(40.0, 30.0);
    const ROOM: Vec2 = Vec2::new(200.0, 100.0);

    fn lens(factor: f32, row: f32, column: f32) -> Lens {
        Lens::new(Zoom::new(factor, [row, column]), 5.0, CELLS, ROOM)
    }

    #[test]
    fn the_fit_shows_everything() {
        assert_eq!(lens(1.0, 0.0, 0.0).viewport(), None);
    }

    #[test]
    fn the_ends_of_the_cells_stay_at_the_ends_of_the_space() {
        // 20 points a cell: 10 columns and 5 rows are seen.
        let first = |row, column| lens(4.0, row, column).viewport().unwrap().first;
        assert_eq!(first(0.0, 0.0), [0.0, 0.0]);
        assert_eq!(first(99.0, 99.0), [30.0, 25.0]);
        assert_eq!(first(15.0, 20.0), [15.0, 12.5]);
        let corrected = lens(4.0, 99.0, 99.0).zoom();
        assert_eq!(corrected.centre(), [27.5, 35.0]);
        assert_eq!(Lens::new(corrected, 5.0, CELLS, ROOM).zoom(), corrected);
    }

    #[test]
    fn cells_grow_to_a_limit_and_are_whole_points() {
        assert_eq!(lens(1e9, 1.0, 1.0).viewport().unwrap().pitch, LARGEST);
        assert_eq!(lens(1e9, 1.0, 1.0).zoom().factor(), LARGEST / 5.0);
        assert_eq!(lens(1.5, 1.0, 1.0).viewport().unwrap().pitch, 8.0);
    }

    #[test]
    fn a_cell_is_revealed_by_the_shortest_way() {
        let mut lens = lens(4.0, 2.5, 5.0);
        lens.reveal(Some(2), Some(3));
        assert_eq!(lens.zoom().centre(), [2.5, 5.0], "it is seen already");
        lens.reveal(Some(7), Some(10));
        assert_eq!(lens.viewport().unwrap().first, [1.5, 3.5]);
        lens.reveal(Some(0), None);
        assert_eq!(lens.viewport().unwrap().first, [1.5, 0.0]);
    }

    #[test]
    fn the_cell_under_the_pointer_stays_there() {
        let mut lens = lens(4.0, 15.0, 20.0);
        let gesture = Gesture {
            zoom: 1.5,
            pan: Vec2::ZERO,
            cell: vec2(22.0, 14.0),
            offset: vec2(40.0, 30.0),
        };
        let place = |lens: &Lens| {
            let viewport = lens.viewport().unwrap();
            let first = vec2(viewport.first[0], viewport.first[1]);
            (gesture.cell - first) * viewport.pitch
        };
        assert_eq!(place(&lens), vec2(140.0, 30.0));
        lens.follow(&gesture);
        let moved = place(&lens) - vec2(140.0, 30.0);
        assert!(moved.length() < 1e-3, "{moved:?}");
        assert_eq!(lens.viewport().unwrap().pitch, 30.0);
        lens.follow(&Gesture {
            zoom: 0.1,
            ..gesture
        });
        assert_eq!(lens.viewport(), None);
    }

    #[test]
    fn dragging_takes_the_cells_along() {
        let mut lens = lens(4.0, 15.0, 20.0);
        lens.follow(&Gesture {
            zoom: 1.0,
            pan: vec2(40.0, -20.0),
            cell: Vec2::ZERO,
            offset: Vec2::ZERO,
        });
        assert_eq!(lens.zoom().centre(), [16.0, 18.0]);
    }
}
