use proptest::prelude::*;

use super::*;

const STYLE: LabelStyle = LabelStyle {
    size: 12.0,
    fill: [0, 0, 0, 255],
    muted: [90, 90, 90, 255],
    limit: 160.0,
    current: None,
};

fn tokens(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn above(words: &[String], angle: LabelAngle, pitch: f32, style: &LabelStyle) -> Vec<Label> {
    let centre = |index: usize| (index as f32 + 0.5) * pitch;
    along_columns(words, style, angle, pitch, Side::Top, 100.0, centre)
}

/// Whether two turned boxes meet (separating axes).
fn meet(a: &[Point; 4], b: &[Point; 4]) -> bool {
    let axes = [a, b]
        .into_iter()
        .flat_map(|q| [(q[0], q[1]), (q[1], q[2])])
        .map(|(p, q)| (q.x - p.x, q.y - p.y));
    let span = |corners: &[Point; 4], (x, y): (f32, f32)| {
        let along = corners.map(|point| point.x * x + point.y * y);
        (
            along.iter().copied().fold(f32::MAX, f32::min),
            along.iter().copied().fold(f32::MIN, f32::max),
        )
    };
    axes.into_iter().all(|axis| {
        let length = axis.0.hypot(axis.1).max(1e-6);
        let axis = (axis.0 / length, axis.1 / length);
        let (a, b) = (span(a, axis), span(b, axis));
        a.0 < b.1 - 1e-2 && b.0 < a.1 - 1e-2
    })
}

fn assert_apart(labels: &[Label]) -> Result<(), TestCaseError> {
    for (index, a) in labels.iter().enumerate() {
        for b in labels[index + 1..].iter().take(3) {
            prop_assert!(
                !meet(&a.corners(), &b.corners()),
                "{:?} on {:?}",
                a.item,
                b.item
            );
        }
    }
    Ok(())
}

#[test]
fn short_words_stay_level_and_long_ones_slant() {
    let words = tokens(&["le", "chat", "noir", "dort"]);
    let level = above(&words, LabelAngle::Auto, 40.0, &STYLE);
    assert!(level.iter().all(|label| label.item.angle_degrees == 0.0));
    let slanted = above(&words, LabelAngle::Auto, 24.0, &STYLE);
    assert!(
        slanted
            .iter()
            .all(|label| label.item.angle_degrees == -45.0)
    );
    assert_eq!(slanted.len(), 4);
    let upright = above(&words, LabelAngle::Auto, 14.0, &STYLE);
    assert!(
        upright
            .iter()
            .all(|label| label.item.angle_degrees == -90.0)
    );
    assert_eq!(upright.len(), 4);
}

#[test]
fn dense_labels_are_thinned_and_the_current_one_stays() {
    let words: Vec<String> = (0..30).map(|n| format!("w{n}")).collect();
    let labels = above(&words, LabelAngle::Auto, 5.0, &STYLE);
    assert_eq!(labels[1].index, 3);
    let style = LabelStyle {
        current: Some(4),
        ..STYLE
    };
    let labels = above(&words, LabelAngle::Auto, 5.0, &style);
    let indices: Vec<_> = labels.iter().map(|label| label.index).collect();
    assert_eq!(indices[..3], [0, 4, 9]);
}

#[test]
fn only_very_long_labels_are_cut() {
    let long = "x".repeat(60);
    let labels = above(
        &[long, "ordinary".to_owned()],
        LabelAngle::Slanted,
        40.0,
        &STYLE,
    );
    assert!(labels[0].item.text.ends_with('…') && labels[0].width <= STYLE.limit);
    assert_eq!(labels[1].item.text, "ordinary");
}

#[test]
fn the_end_mark_is_muted() {
    let rows = beside_rows(&tokens(&["cat", "</s>"]), &STYLE, 24.0, 50.0, |index| {
        index as f32 * 24.0
    });
    assert_eq!(rows[0].item.fill, STYLE.fill);
    assert_eq!(rows[1].item.fill, STYLE.muted);
}

proptest! {
    #[test]
    fn labels_never_overlap(
        words in prop::collection::vec("\\PC{0,16}", 1..40),
        pitch in 1.0_f32..60.0,
        size in 7.0_f32..20.0,
        current in prop::option::of(0_usize..40),
    ) {
        let style = LabelStyle { size, current, ..STYLE };
        for angle in [LabelAngle::Auto, LabelAngle::Level, LabelAngle::Slanted, LabelAngle::Upright] {
            assert_apart(&above(&words, angle, pitch, &style))?;
        }
        let rows = beside_rows(&words, &style, pitch, 0.0, |index| index as f32 * pitch);
        assert_apart(&rows)?;
    }
}
