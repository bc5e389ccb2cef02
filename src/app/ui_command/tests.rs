use super::*;

#[test]
fn the_table_has_the_order_of_the_commands_and_of_the_menus() {
    for (place, info) in TABLE.iter().enumerate() {
        assert_eq!(info.id as usize, place, "{:?}", info.id);
        assert_eq!(info.id.info().name, info.name);
    }
    assert!(TABLE.is_sorted_by_key(|info| info.group));
}

#[test]
fn names_and_keys_are_not_twice() {
    for (i, info) in TABLE.iter().enumerate() {
        for other in &TABLE[..i] {
            assert_ne!(info.name, other.name);
            assert!(
                info.shortcuts
                    .iter()
                    .all(|key| !other.shortcuts.contains(key)),
                "{:?} and {:?}",
                info.id,
                other.id
            );
        }
    }
}

#[test]
fn each_sample_has_its_command() {
    let rows = TABLE.iter().filter(|info| info.group == G::Samples);
    let names: Vec<String> = rows.map(|info| info.name.to_lowercase()).collect();
    let titles = SAMPLES.map(|sample| format!("sample: {}", sample.title.to_lowercase()));
    assert_eq!(names, titles);
}

#[test]
fn names_follow_the_rules_of_text() {
    for info in &TABLE {
        assert!(!info.name.ends_with('.') && info.name.chars().count() < 40);
        assert!(info.name.starts_with(char::is_uppercase), "{}", info.name);
    }
}

#[test]
fn a_text_field_keeps_its_keys() {
    let is_plain = |id: UiCommand| id.info().shortcuts[0].is_plain();
    assert!(is_plain(UiCommand::Step) && is_plain(UiCommand::WalkLeft));
    assert!(!is_plain(UiCommand::Save) && !is_plain(UiCommand::Help));
    assert!(!is_plain(UiCommand::ClearSelection));
}
