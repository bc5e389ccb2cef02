use super::*;
use crate::figure::scene::{
    Anchor, ImageItem, Item, MarkerShape, Point, Rect, Stroke, TextItem, Weight,
};
use proptest::prelude::*;

fn square(width: f32, height: f32) -> Scene {
    Scene {
        width,
        height,
        items: vec![Item::filled(
            Rect::new(1.0, 1.0, 2.0, 2.0),
            [200, 100, 50, 255],
        )],
        ..Scene::default()
    }
}

fn pixel(raster: &Raster, x: u32, y: u32) -> [u8; 4] {
    let at = ((y * raster.width + x) * 4) as usize;
    raster.rgba[at..at + 4].try_into().unwrap()
}

#[test]
fn cells_have_their_exact_colours() {
    let raster = to_raster(
        &square(4.0, 4.0),
        &FontDb::bundled(),
        Resolution::Scale(2.0),
    )
    .unwrap();
    assert_eq!((raster.width, raster.height), (8, 8));
    assert_eq!(pixel(&raster, 2, 2), [200, 100, 50, 255]);
    assert_eq!(pixel(&raster, 5, 5), [200, 100, 50, 255]);
    assert_eq!(
        pixel(&raster, 6, 6),
        [0, 0, 0, 0],
        "no page, no edge that bleeds"
    );
}

#[test]
fn image_cells_are_not_blurred() {
    let colours = [
        [255, 0, 0, 255],
        [0, 255, 0, 255],
        [0, 0, 255, 255],
        [9, 8, 7, 255],
    ];
    let scene = Scene {
        width: 20.0,
        height: 20.0,
        items: vec![Item::Image(ImageItem {
            rect: Rect::new(0.0, 0.0, 20.0, 20.0),
            width: 2,
            height: 2,
            rgba: colours.concat().into(),
        })],
        ..Scene::default()
    };
    let raster = to_raster(&scene, &FontDb::bundled(), Resolution::Scale(1.0)).unwrap();
    assert_eq!(pixel(&raster, 9, 9), colours[0]);
    assert_eq!(pixel(&raster, 10, 9), colours[1]);
    assert_eq!(pixel(&raster, 9, 10), colours[2]);
    assert_eq!(pixel(&raster, 10, 10), colours[3]);
}

#[test]
fn the_short_way_and_the_way_through_svg_agree() {
    let label = |text: &str, angle: f32| {
        Item::Text(TextItem {
            position: Point::new(40.0, 50.0),
            text: text.to_owned(),
            size: 12.0,
            weight: Weight::SemiBold,
            anchor: Anchor::End,
            angle_degrees: angle,
            fill: [20, 30, 40, 255],
        })
    };
    let stroke = Stroke::new([200, 60, 20, 140], 2.5);
    let mut scene = square(120.0, 90.0);
    scene.background = Some([255, 255, 255, 255]);
    scene.items.extend([
        label("l’élève → ▁0.91", 0.0),
        label("AVATAR", -45.0),
        Item::Polyline {
            points: vec![
                Point::new(60.0, 10.0),
                Point::new(110.0, 80.0),
                Point::new(70.0, 60.0),
            ],
            stroke,
            dash: Some([6.0, 3.0]),
        },
        Item::Hatch {
            rect: Rect::new(80.0, 5.0, 30.0, 20.0),
            stroke: Stroke::new([0, 0, 0, 255], 0.75),
        },
    ]);
    for shape in [
        MarkerShape::Circle,
        MarkerShape::Cross,
        MarkerShape::Pointer,
    ] {
        scene.items.push(Item::Marker {
            centre: Point::new(20.0, 75.0),
            shape,
            size: 14.0,
            fill: [0, 90, 160, 200],
        });
    }
    let scale = 2.0;
    let short = to_raster(&scene, &FontDb::bundled(), Resolution::Scale(scale)).unwrap();
    let tree = Tree::from_str(&to_svg(&scene), &FontDb::bundled().options()).unwrap();
    let mut long = Pixmap::new(short.width, short.height).unwrap();
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut long.as_mut(),
    );
    let pairs = short.rgba.iter().zip(long.data());
    let far = pairs.filter(|(a, b)| a.abs_diff(**b) > 24).count();
    assert!(
        far * 500 < short.rgba.len(),
        "{far} of {} bytes differ",
        short.rgba.len()
    );
}

#[test]
fn the_file_knows_its_resolution() {
    let bytes = to_png(
        &square(4.0, 4.0),
        &FontDb::bundled(),
        Resolution::Dpi(300.0),
    )
    .unwrap();
    let reader = png::Decoder::new(std::io::Cursor::new(&bytes))
        .read_info()
        .unwrap();
    let dims = reader.info().pixel_dims.unwrap();
    assert_eq!((dims.xppu, dims.yppu), (11_811, 11_811));
    assert_eq!(reader.info().width, 17);
}

#[test]
fn impossible_sizes_are_errors() {
    let size = |scene: &Scene, resolution: Resolution| resolution.pixel_size(scene);
    let one = Resolution::Scale(1.0);
    assert!(matches!(
        size(&square(0.0, 5.0), one),
        Err(RenderError::Empty { .. })
    ));
    assert!(matches!(
        size(&square(f32::NAN, 5.0), one),
        Err(RenderError::Empty { .. })
    ));
    let large = size(&square(9000.0, 5.0), Resolution::Scale(2.0)).unwrap_err();
    assert!(large.to_string().contains("18000 by 10 px"), "{large}");
    assert!(matches!(
        size(&square(1e4, 1.1e4), one),
        Err(RenderError::TooLarge { .. })
    ));
    for wrong in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let found = size(&square(5.0, 5.0), Resolution::Dpi(wrong));
        assert!(matches!(found, Err(RenderError::Resolution(_))));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn no_size_panics(width in prop::num::f32::ANY, height in 0.0_f32..60.0, scale in prop::num::f32::ANY) {
        let result = to_raster(&square(width, height), &FontDb::bundled(), Resolution::Scale(scale));
        if let Ok(raster) = result {
            prop_assert_eq!(raster.rgba.len(), (raster.width * raster.height * 4) as usize);
        }
    }
}
