//! The geometry of cells.

use super::super::scene::{Point, Rect};

/// A regular grid of square cells. Rows and columns are those of the matrix; a transposed grid draws rows
/// from left to right and columns from top to bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The top left corner, in points.
    pub origin: Point,
    /// From one cell to the next, in points.
    pub pitch: f32,
    /// Space between the filled parts of two cells, in points.
    pub gap: f32,
    /// Rows of the matrix (target tokens) that are there.
    pub rows: usize,
    /// Rows that have a place, at least `rows`.
    pub expected_rows: usize,
    /// Columns of the matrix (source tokens).
    pub columns: usize,
    /// Whether rows are drawn from left to right.
    pub transposed: bool,
}

impl Grid {
    /// Cells side by side and one below the other, as drawn.
    pub fn drawn_size(&self) -> (usize, usize) {
        if self.transposed {
            (self.expected_rows, self.columns)
        } else {
            (self.columns, self.expected_rows)
        }
    }

    /// The area of all cells, also of those to come, in points.
    pub fn area(&self) -> Rect {
        let (across, down) = self.drawn_size();
        let extent = |cells: usize| (cells as f32 * self.pitch - self.gap).max(0.0);
        Rect::new(self.origin.x, self.origin.y, extent(across), extent(down))
    }

    /// The area of the rows that are there.
    pub fn filled_area(&self) -> Rect {
        let mut grid = *self;
        grid.expected_rows = self.rows;
        grid.area()
    }

    /// The filled part of a cell, in points.
    pub fn cell_rect(&self, row: usize, column: usize) -> Rect {
        let (across, down) = if self.transposed {
            (row, column)
        } else {
            (column, row)
        };
        let side = self.pitch - self.gap;
        Rect::new(
            self.origin.x + across as f32 * self.pitch,
            self.origin.y + down as f32 * self.pitch,
            side,
            side,
        )
    }

    /// The filled part of a whole row of the matrix.
    pub fn row_rect(&self, row: usize) -> Rect {
        let first = self.cell_rect(row, 0);
        let last = self.cell_rect(row, self.columns.saturating_sub(1));
        Rect::new(
            first.x,
            first.y,
            last.right() - first.x,
            last.bottom() - first.y,
        )
    }

    /// The row and column of the matrix under a point, by division; gaps belong to the cell before them. Rows
    /// to come have no cells.
    pub fn cell_at(&self, point: Point) -> Option<(usize, usize)> {
        let index = |offset: f32| {
            let cells = offset / self.pitch;
            (cells >= 0.0 && cells.is_finite()).then_some(cells as usize)
        };
        let (across, down) = (
            index(point.x - self.origin.x)?,
            index(point.y - self.origin.y)?,
        );
        let (row, column) = if self.transposed {
            (across, down)
        } else {
            (down, across)
        };
        (row < self.rows && column < self.columns).then_some((row, column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_cells_middle_is_in_the_cell(
            rows in 1_usize..80, columns in 1_usize..80, coming in 0_usize..9,
            pitch in 0.5_f32..60.0, x in -90.0_f32..90.0, y in -90.0_f32..90.0, transposed: bool, pick: u16,
        ) {
            let gap = if pitch > 12.0 { 1.0 } else { 0.0 };
            let origin = Point::new(x, y);
            let expected_rows = rows + coming;
            let grid = Grid { origin, pitch, gap, rows, expected_rows, columns, transposed };
            let (row, column) = (usize::from(pick) % expected_rows, usize::from(pick) / 7 % columns);
            let rect = grid.cell_rect(row, column);
            let found = grid.cell_at(rect.centre());
            prop_assert_eq!(found, (row < rows).then_some((row, column)));
            prop_assert!(grid.area().expanded(0.05).contains(rect.centre()));
            prop_assert!(grid.row_rect(row).expanded(0.05).contains(rect.centre()));
            prop_assert_eq!(grid.cell_at(Point::new(x - 0.1, y + 0.1)), None);
        }
    }

    #[test]
    fn no_point_at_infinity_is_a_cell() {
        let grid = Grid {
            origin: Point::default(),
            pitch: 10.0,
            gap: 0.0,
            rows: 2,
            expected_rows: 2,
            columns: 2,
            transposed: false,
        };
        for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(grid.cell_at(Point::new(x, 1.0)), None);
        }
    }
}
