//! Where panes stand.

use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use super::desk::{Desk, click, press, window};

fn edge_of_the_difference(desk: &Desk) -> f32 {
    desk.get_by_label("Close the difference").rect().right()
}

#[test]
fn panes_that_scroll_leave_room_for_their_bar() {
    let mut desk = window();
    press(&mut desk, Modifiers::NONE, Key::Space);
    press(&mut desk, Modifiers::NONE, Key::D);
    let alone = edge_of_the_difference(&desk);
    for scorer in ["general", "scaled dot", "no attention"] {
        click(&mut desk, &format!("Scorer {scorer}"));
    }
    // Six panes do not fit in two rows; the difference stands last in its row, as before.
    let beside_the_bar = edge_of_the_difference(&desk);
    assert!(alone - beside_the_bar > 8.0, "{alone} {beside_the_bar}");
}
