use super::*;

fn spec(sources: usize, targets: usize) -> BottleneckSpec {
    let words = |count: usize| (0..count).map(|n| format!("word{n}")).collect();
    BottleneckSpec {
        sources: words(sources),
        targets: words(targets),
        expected: 6,
        current: targets.checked_sub(1),
        stressed: None,
        note: "norm 3.20".to_owned(),
        size: [500.0, 300.0],
        font_size: 13.0,
        palette: Palette::light(),
    }
}

fn lines(scene: &Scene) -> Vec<&Vec<Point>> {
    let lines = scene.items.iter().filter_map(|item| match item {
        Item::Polyline { points, .. } if points.len() > 2 => Some(points),
        _ => None,
    });
    lines.collect()
}

#[test]
fn every_word_has_a_line_to_the_one_vector() {
    let spec = spec(5, 3);
    let layout = spec.layout();
    let scene = spec.scene_of(&layout);
    // The current word's line is drawn again on top.
    assert_eq!(lines(&scene).len(), 5 + 3 + 1);
    for line in lines(&scene) {
        assert_eq!(line.last(), Some(&layout.vector));
        assert!(layout.edges.contains(&line[0].x));
    }
    assert!(scene.texts().any(|text| text.text == "norm 3.20"));
}

#[test]
fn words_to_come_do_not_move_the_others() {
    let (early, late) = (spec(5, 2).layout(), spec(5, 5).layout());
    assert_eq!(early.heights, late.heights);
    assert_eq!(early.vector, late.vector);
    assert_eq!(
        early.targets[0].item.position,
        late.targets[0].item.position
    );
}

#[test]
fn long_sentences_stay_inside_and_leave_words_out() {
    let spec = spec(120, 60);
    let layout = spec.layout();
    assert!(layout.sources.len() < 120);
    for label in layout.sources.iter().chain(&layout.targets) {
        let [left, top, right, bottom] = label.extent();
        assert!(left >= 0.0 && top >= 0.0, "{label:?}");
        assert!(right <= 500.0 && bottom <= 300.0, "{label:?}");
    }
}

#[test]
fn words_are_found_beside_their_lines() {
    let layout = spec(5, 3).layout();
    let at = |side: usize, index: usize, x: f32| {
        layout.word_at(Point::new(x, layout.heights[side][index] + 2.0))
    };
    assert_eq!(at(0, 4, 20.0), Some(Ok(4)));
    assert_eq!(at(1, 2, 480.0), Some(Err(2)));
    assert_eq!(at(0, 1, layout.vector.x), None);
    assert_eq!(layout.word_at(Point::new(20.0, -40.0)), None);
}
