//! The icon's pictures are what its drawing says. `REGARD_UPDATE_ICON=1 cargo test --test icon` makes them anew.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is the failure report of a test"
)]

use std::path::PathBuf;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Sides in pixels: those that desktops ask for.
const SIDES: [u32; 7] = [16, 32, 48, 64, 128, 256, 512];
/// How far a colour may be from the drawing's, of 255: rounding differs between processors.
const TOLERANCE: u8 = 2;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/icon")
}

fn drawn(side: u32) -> Pixmap {
    let svg = std::fs::read(folder().join("regard.svg")).unwrap();
    let tree = Tree::from_data(&svg, &Options::default()).unwrap();
    let scale = side as f32 / tree.size().width();
    assert_eq!(tree.size().width(), tree.size().height());
    let mut pixels = Pixmap::new(side, side).unwrap();
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    pixels
}

#[test]
fn the_pictures_are_the_drawing_in_every_size() {
    let is_update = std::env::var_os("REGARD_UPDATE_ICON").is_some();
    for side in SIDES {
        let path = folder().join(format!("regard-{side}.png"));
        let wanted = drawn(side);
        if is_update {
            std::fs::write(&path, wanted.encode_png().unwrap()).unwrap();
        }
        let found = Pixmap::load_png(&path).unwrap();
        assert_eq!((found.width(), found.height()), (side, side));
        let far = wanted
            .data()
            .iter()
            .zip(found.data())
            .filter(|(a, b)| a.abs_diff(**b) > TOLERANCE)
            .count();
        assert_eq!(
            far,
            0,
            "{}: run REGARD_UPDATE_ICON=1 cargo test --test icon",
            path.display()
        );
    }
}

#[test]
fn there_is_no_picture_without_a_size_in_the_list() {
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = SIDES
            .iter()
            .any(|side| name == format!("regard-{side}.png"));
        assert!(known || name == "regard.svg", "{name}");
    }
}
