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

/// The number of columns that gives the largest cells to `count` panes in a space, with `cells` source and target
/// tokens in each.
pub(super) fn best_columns(count: usize, space: Vec2, cells: [usize; 2]) -> usize {
    let side = |columns: usize| {
        let rows = count.div_ceil(columns);
        // Rows that would have to scroll count as low as they would have to be to fit.
        let pane = Vec2::new(space.x / columns as f32, space.y / rows as f32);
        let cell = (pane - AROUND) / Vec2::new(cells[0] as f32, cells[1] as f32);
        cell.x.min(cell.y)
    };
    let most = ((space.x / NARROWEST) as usize).clamp(1, count.max(1));
    // Fewer rows, then fewer columns win where cells come out alike.
    let rows = |columns: usize| count.div_ceil(columns);
    (1..=most)
        .max_by(|a, b| {
            let by_side = side(*a).total_cmp(&side(*b));
            by_side.then(rows(*b).cmp(&rows(*a))).then(b.cmp(a))
        })
        .unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

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
