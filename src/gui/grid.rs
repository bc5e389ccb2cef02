//! How panes share the middle of the window.

use eframe::egui::Vec2;

/// The narrowest and lowest pane, in points; below that the panes scroll.
pub(super) const NARROWEST: f32 = 150.0;
/// See [`NARROWEST`].
pub(super) const LOWEST: f32 = 220.0;
/// Height of a pane's header, in points.
pub(super) const HEADER: f32 = 84.0;
/// The width of a colour bar with its labels, in points.
pub(super) const BAR: f32 = 64.0;
/// What a pane needs around its cells: labels and colour bar to the sides, header and labels above.
pub(super) const AROUND: Vec2 = Vec2::new(100.0, 120.0);

/// Cells below this side are worth scrolling for, in points.
const SMALL: f32 = 12.0;

/// Panes that are to share a space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crowd {
    /// How many.
    pub(super) count: usize,
    /// Source and target tokens in each.
    pub(super) cells: [usize; 2],
    /// How much wider all together are for their colour bars, in points, where they stand in one row.
    pub(super) bars: f32,
    /// How much higher a header is than usual, in points.
    pub(super) header: f32,
}

impl Crowd {
    /// The number of columns that gives the largest cells. Where these are small although all is seen, rows may be as
    /// high as they need to be and scroll.
    pub(super) fn best_columns(self, space: Vec2) -> usize {
        let (columns, side) = self.largest(space, 0.0);
        if side < SMALL {
            return self.largest(space, LOWEST + self.header).0;
        }
        columns
    }

    /// The columns with the largest cells, and their side, where no row is lower than `lowest`.
    fn largest(self, space: Vec2, lowest: f32) -> (usize, f32) {
        let rows = |columns: usize| self.count.div_ceil(columns);
        let side = |columns: usize| {
            let bars = if rows(columns) == 1 { self.bars } else { 0.0 };
            let width = (space.x - bars) / columns as f32;
            let pane = Vec2::new(width, (space.y / rows(columns) as f32).max(lowest));
            let around = AROUND + Vec2::new(0.0, self.header);
            let cell = (pane - around) / Vec2::new(self.cells[0] as f32, self.cells[1] as f32);
            cell.x.min(cell.y)
        };
        let most = ((space.x / NARROWEST) as usize).clamp(1, self.count.max(1));
        // Fewer rows, then fewer columns win where cells come out alike.
        let all = (1..=most).map(|columns| (columns, side(columns)));
        let best = all.max_by(|(a, of_a), (b, of_b)| {
            let by_side = of_a.total_cmp(of_b);
            by_side.then(rows(*b).cmp(&rows(*a))).then(b.cmp(a))
        });
        best.unwrap_or((1, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best_columns(count: usize, space: Vec2, cells: [usize; 2]) -> usize {
        let crowd = Crowd {
            count,
            cells,
            bars: 0.0,
            header: 0.0,
        };
        crowd.best_columns(space)
    }

    #[test]
    fn cells_that_would_be_specks_scroll() {
        let wide = Vec2::new(880.0, 380.0);
        let crowd = Crowd {
            count: 5,
            cells: [4, 5],
            bars: 3.0 * BAR,
            header: 24.0,
        };
        assert_eq!(crowd.best_columns(wide), 3);
        assert_eq!(crowd.best_columns(Vec2::new(1600.0, 700.0)), 5);
        // A long sentence has small cells either way.
        let long = Crowd {
            count: 2,
            cells: [40, 41],
            bars: BAR,
            header: 0.0,
        };
        assert_eq!(long.best_columns(wide), 2);
    }

    #[test]
    fn panes_stand_where_their_cells_are_largest() {
        let wide = Vec2::new(880.0, 380.0);
        assert_eq!(best_columns(1, wide, [4, 5]), 1);
        assert_eq!(best_columns(2, wide, [4, 5]), 2);
        assert_eq!(best_columns(3, wide, [4, 5]), 3);
        assert_eq!(best_columns(2, Vec2::new(500.0, 1200.0), [40, 40]), 1);
        assert_eq!(best_columns(2, Vec2::new(600.0, 180.0), [4, 5]), 2);
        // All in one row rather than two rows of which the second is hidden.
        assert_eq!(best_columns(5, wide, [4, 5]), 5);
        assert_eq!(best_columns(0, wide, [1, 1]), 1);
        assert_eq!(best_columns(5, wide, [4, 18]), 5);
    }
}
