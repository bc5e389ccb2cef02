use super::*;

fn row(text: &str, score: f64) -> BeamRow {
    let tokens: Vec<String> = text.split(' ').map(str::to_owned).collect();
    BeamRow {
        log_probabilities: vec![-0.5; tokens.len()],
        tokens,
        total: 2.0 * score,
        score,
    }
}

fn beam() -> BeamSpec {
    BeamSpec::new(vec![
        row("the black cat sleeps </s>", -0.4),
        row("the black cat is asleep </s>", -0.6),
        row("the black dog sleeps </s>", -0.9),
        row("a black cat sleeps </s>", -1.3),
    ])
}

#[test]
fn a_shared_beginning_is_drawn_once_and_branches_where_it_ends() {
    let layout = beam().layout();
    let steps_of = |row| {
        let own = layout.boxes.iter().filter(|bead| bead.row == row);
        own.map(|bead| (bead.step, bead.parent_row))
            .collect::<Vec<_>>()
    };
    assert_eq!(steps_of(0).len(), 5);
    assert_eq!(steps_of(1), [(3, Some(0)), (4, Some(1)), (5, Some(1))]);
    assert_eq!(steps_of(2), [(2, Some(0)), (3, Some(2)), (4, Some(2))]);
    assert_eq!(steps_of(3)[0], (0, None));
    for bead in &layout.boxes {
        assert_eq!(
            layout.token_at(bead.rect.centre()),
            Some((bead.row, bead.step))
        );
        let connected = layout.connection(bead).is_some();
        assert_eq!(connected, bead.step > 0);
    }
}

#[test]
fn tokens_are_cut_to_the_room_and_nothing_overlaps() {
    let mut spec = beam();
    let natural = spec.layout().width;
    spec.available = Some(natural - 40.0);
    let layout = spec.layout();
    assert!(
        layout.width <= natural - 40.0,
        "{} of {natural}",
        layout.width
    );
    for (index, a) in layout.boxes.iter().enumerate() {
        for b in &layout.boxes[index + 1..] {
            assert!(!a.rect.overlaps(&b.rect), "{a:?} {b:?}");
        }
    }
    assert!(BeamSpec::new(Vec::new()).layout().height > 0.0);
}
