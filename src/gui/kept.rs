//! Preferences in the window's storage.

use crate::app::{Level, NoticeDraft, Origin};
use crate::project::{Preferences, PreferencesError};

/// The key of the preferences in the window's storage.
const KEY: &str = "preferences";

/// What was stored, and what is to be stored at the end.
#[derive(Default)]
pub(super) struct Kept {
    /// Preferences that changed.
    pub(super) changed: Option<Box<Preferences>>,
    /// Why the stored ones were not taken.
    problem: Option<PreferencesError>,
}

impl Kept {
    /// What a storage holds, and what is wrong with it.
    pub(super) fn load(storage: Option<&dyn eframe::Storage>) -> (Option<Preferences>, Self) {
        let text = storage.and_then(|storage| storage.get_string(KEY));
        match text.map(|text| Preferences::from_text(&text)) {
            None => (None, Self::default()),
            Some(Ok(preferences)) => (Some(preferences), Self::default()),
            Some(Err(problem)) => {
                let kept = Self {
                    problem: Some(problem),
                    ..Self::default()
                };
                (None, kept)
            }
        }
    }

    /// What to tell about stored preferences that were not taken.
    pub(super) fn notice(&self) -> Option<NoticeDraft> {
        let problem = self.problem.as_ref()?;
        let advice = if self.is_newer() {
            "The usual ones hold for now; those that are stored stay as they are"
        } else {
            "The usual ones hold until others are chosen"
        };
        let draft = NoticeDraft::new(Level::Warning, Origin::File, problem.to_string());
        Some(draft.advice(advice))
    }

    fn is_newer(&self) -> bool {
        matches!(self.problem, Some(PreferencesError::Newer { .. }))
    }

    /// Stores what changed. What a newer version stored is not overwritten.
    pub(super) fn save(&self, storage: &mut dyn eframe::Storage) {
        let text = self.changed.as_ref().and_then(|of| of.to_text());
        if let Some(text) = text.filter(|_| !self.is_newer()) {
            storage.set_string(KEY, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::project::Theme;

    #[derive(Default)]
    struct Memory(HashMap<String, String>);

    impl eframe::Storage for Memory {
        fn get_string(&self, key: &str) -> Option<String> {
            self.0.get(key).cloned()
        }

        fn set_string(&mut self, key: &str, value: String) {
            self.0.insert(key.to_owned(), value);
        }

        fn remove_string(&mut self, key: &str) {
            self.0.remove(key);
        }

        fn flush(&mut self) {}
    }

    fn dark() -> Box<Preferences> {
        Box::new(Preferences {
            theme: Theme::Dark,
            ..Preferences::default()
        })
    }

    #[test]
    fn preferences_come_back() {
        let mut memory = Memory::default();
        let (none, mut kept) = Kept::load(Some(&memory));
        assert!(none.is_none() && kept.notice().is_none());
        kept.save(&mut memory);
        assert!(memory.0.is_empty(), "nothing changed");
        kept.changed = Some(dark());
        kept.save(&mut memory);
        let (read, _) = Kept::load(Some(&memory));
        assert_eq!(read.map(|of| of.theme), Some(Theme::Dark));
    }

    #[test]
    fn those_of_a_newer_version_are_left_alone_and_damaged_ones_replaced() {
        for (text, stays) in [("(version:99,theme:light)", true), ("(theme:", false)] {
            let mut memory = Memory::default();
            memory.0.insert(KEY.to_owned(), text.to_owned());
            let (read, mut kept) = Kept::load(Some(&memory));
            assert!(read.is_none());
            let notice = kept.notice().unwrap();
            assert_eq!(notice.text.contains("version 99"), stays, "{}", notice.text);
            kept.changed = Some(dark());
            kept.save(&mut memory);
            assert_eq!(memory.0[KEY] == text, stays);
        }
    }
}
