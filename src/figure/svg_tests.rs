use super::*;
use crate::figure::{FontDb, text_width};
use proptest::prelude::*;
use resvg::usvg::{Node, Tree};

const INK: Rgba = [10, 20, 30, 255];

fn label(text: &str) -> Scene {
    Scene {
        title: text.to_owned(),
        width: 200.0,
        height: 40.0,
        background: Some([255; 4]),
        items: vec![Item::Text(TextItem {
            position: Point::new(10.0, 20.0),
            text: text.to_owned(),
            size: 12.0,
            weight: Weight::SemiBold,
            anchor: Anchor::Middle,
            angle_degrees: -45.0,
            fill: INK,
        })],
    }
}

fn parsed(scene: &Scene) -> Tree {
    Tree::from_str(&to_svg(scene), &FontDb::bundled().options()).unwrap()
}

#[test]
fn numbers_are_short_and_stable() {
    let cases = [
        (1.0, "1"),
        (-0.001, "0"),
        (0.125, "0.12"),
        (10.10, "10.1"),
        (100.0, "100"),
        (f32::NAN, "0"),
        (f32::INFINITY, "0"),
    ];
    for (value, expected) in cases {
        assert_eq!(number(value), expected);
    }
}

#[test]
fn a_point_is_a_pixel_when_read_back() {
    let size = parsed(&label("chat")).size();
    assert_eq!((size.width(), size.height()), (200.0, 40.0));
}

#[test]
fn text_stays_text_with_the_bundled_font() {
    let svg = to_svg(&label("l’élève & <s>"));
    assert!(svg.contains(">l’élève &amp; &lt;s&gt;</text>"));
    assert!(svg.contains("font-weight=\"600\" text-anchor=\"middle\""));
    assert!(svg.contains("rotate(-45 10 20)"));
}

#[test]
fn measured_and_drawn_widths_agree() {
    for text in [
        "le chat noir dort",
        "AVATAR To 0.17 → ▁Ġ",
        "e\u{301}le\u{300}ve",
    ] {
        let mut scene = label(text);
        if let Item::Text(item) = &mut scene.items[0] {
            item.angle_degrees = 0.0;
        }
        let tree = parsed(&scene);
        let drawn = tree.root().children().iter().find_map(|node| match node {
            Node::Text(text) => Some(text.bounding_box().width()),
            _ => None,
        });
        let measured = text_width(text, 12.0, Weight::SemiBold);
        assert!(
            (drawn.unwrap() - measured).abs() < 0.1,
            "{text}: {drawn:?} {measured}"
        );
    }
}

#[test]
fn images_are_crisp_and_rectangles_share_a_group() {
    let scene = Scene {
        width: 10.0,
        height: 10.0,
        items: vec![
            Item::filled(Rect::new(0.0, 0.0, 5.0, 5.0), INK),
            Item::filled(Rect::new(5.0, 0.0, 5.0, 5.0), [1, 2, 3, 128]),
            Item::Image(ImageItem {
                rect: Rect::new(0.0, 5.0, 10.0, 5.0),
                width: 2,
                height: 1,
                rgba: vec![255; 8].into(),
            }),
        ],
        ..Scene::default()
    };
    let svg = to_svg(&scene);
    assert_eq!(svg.matches("<g ").count(), 1);
    assert!(svg.contains("fill-opacity=\"0.5\""));
    assert!(
        svg.contains("image-rendering:pixelated") && svg.contains("href=\"data:image/png;base64,")
    );
    parsed(&scene);
}

proptest! {
    #[test]
    fn any_label_makes_well_formed_svg(text in any::<String>()) {
        let scene = label(&text);
        prop_assert_eq!(to_svg(&scene), to_svg(&scene));
        let tree = Tree::from_str(&to_svg(&scene), &FontDb::bundled().options());
        prop_assert!(tree.is_ok(), "{:?}", tree.err());
    }

    #[test]
    fn any_place_makes_well_formed_svg(x in prop::num::f32::ANY, size in prop::num::f32::ANY) {
        let mut scene = label("chat");
        scene.items.push(Item::filled(Rect::new(x, size, x, size), INK));
        if let Item::Text(item) = &mut scene.items[0] {
            (item.position.x, item.size) = (x, size);
        }
        let tree = Tree::from_str(&to_svg(&scene), &FontDb::bundled().options());
        prop_assert!(tree.is_ok(), "{:?}", tree.err());
    }
}
