use proptest::prelude::*;

use super::*;

fn links(text: &str) -> Links {
    text.parse().unwrap()
}

#[test]
fn links_are_read_and_written() {
    let links = links("2p0 0-0\t1?2  0-0");
    assert_eq!(links.to_string(), "0-0 1?2 2?0");
    assert_eq!(links.len(), 3);
    assert!(links.contains(1, 2) && !links.contains(2, 1));
    assert_eq!(links.sure().collect::<Vec<_>>(), [Link::sure(0, 0)]);
    assert_eq!(links.possible().count(), 3);
    assert!(Links::default().is_empty());
}

#[test]
fn a_sure_link_stands_over_a_possible_one() {
    assert_eq!(links("0?0 0-0").certainty(0, 0), Some(Certainty::Sure));
    assert_eq!(links("0-0 0?0").len(), 1);
}

#[test]
fn a_wrong_piece_is_named() {
    for piece in [
        "0",
        "-",
        "0-",
        "-0",
        "0-0-0",
        "+1-0",
        "a-b",
        "1?-2",
        "é-0",
        "99999999999999999999-0",
    ] {
        let error = format!("0-0 {piece}").parse::<Links>().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("expected a link such as 0-0 or 1?2, found \"{piece}\"")
        );
    }
}

#[test]
fn range_and_shift_are_checked() {
    let links = links("1-1 2?4");
    assert_eq!(links.check(3, 5), Ok(()));
    let error = links.check(3, 4).unwrap_err();
    assert_eq!(
        error.to_string(),
        "link 2?4: expected a source below 3 and a target below 4"
    );
    assert_eq!(links.shifted(-1, -1).unwrap().to_string(), "0-0 1?3");
    let error = links.shifted(0, -2).unwrap_err();
    assert_eq!(error.to_string(), "link 1-1 cannot be moved by 0 and -2");
    assert!(links.shifted(isize::MIN, isize::MAX).is_err());
}

#[test]
fn links_are_stored_as_text() {
    let json = serde_json::to_string(&links("0-0 1?2")).unwrap();
    assert_eq!(json, "\"0-0 1?2\"");
    assert_eq!(
        serde_json::from_str::<Links>(&json).unwrap(),
        links("0-0 1?2")
    );
    assert!(serde_json::from_str::<Links>("\"0:0\"").is_err());
}

#[test]
fn crossings_are_counted() {
    assert_eq!(links("").crossings(), 0);
    assert_eq!(links("0-0 1-1 2-2").crossings(), 0);
    assert_eq!(links("0-0 1-2 2-1").crossings(), 1);
    assert_eq!(links("0-2 1-1 2-0").crossings(), 3);
    // Links that share a word do not cross.
    assert_eq!(links("0-0 0-1 1-0").crossings(), 1);
    assert_eq!(links("0-1 1-1").crossings(), 0);
}

fn any_links() -> impl Strategy<Value = Links> {
    let link = (0_usize..12, 0_usize..12, any::<bool>());
    let link = link.prop_map(|(s, t, sure)| {
        if sure {
            Link::sure(s, t)
        } else {
            Link::possible(s, t)
        }
    });
    proptest::collection::vec(link, 0..40).prop_map(Links::from_iter)
}

proptest! {
    #[test]
    fn text_goes_there_and_back(links in any_links()) {
        prop_assert_eq!(links.to_string().parse(), Ok(links));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-?p0-9 é]{0,20}") {
        let _ = text.parse::<Links>();
    }

    #[test]
    fn crossings_agree_with_their_definition(links in any_links()) {
        let crosses = |a: &Link, b: &Link| a.source < b.source && a.target > b.target;
        let expected: usize = links.iter().map(|a| links.iter().filter(|b| crosses(a, b)).count()).sum();
        prop_assert_eq!(links.crossings(), expected);
    }

    #[test]
    fn every_link_is_found(links in any_links()) {
        for link in &links {
            prop_assert_eq!(links.certainty(link.source, link.target), Some(link.certainty));
        }
    }
}
