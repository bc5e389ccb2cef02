//! What a person prefers, apart from any document.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::export_choice::ExportChoice;

/// The colours of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Dark on white.
    Light,
    /// Light on black.
    Dark,
    /// As the system says.
    #[default]
    System,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::System];

    /// The name in menus.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "Light",
            Self::Dark => "Dark",
            Self::System => "System",
        }
    }
}

/// Size of all text in percent, within [`TextSize::SMALLEST`] and [`TextSize::LARGEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "u16", into = "u16")]
pub struct TextSize(u16);

impl TextSize {
    /// The smallest size, in percent.
    pub const SMALLEST: u16 = 75;
    /// The largest size, in percent.
    pub const LARGEST: u16 = 250;
    /// One notch, in percent.
    pub const NOTCH: u16 = 10;

    /// In percent.
    pub const fn percent(self) -> u16 {
        self.0
    }

    /// As a factor, 1 for 100 percent.
    pub fn factor(self) -> f32 {
        f32::from(self.0) / 100.0
    }

    /// One notch larger.
    #[must_use]
    pub fn larger(self) -> Self {
        Self::from(self.0 + Self::NOTCH)
    }

    /// One notch smaller.
    #[must_use]
    pub fn smaller(self) -> Self {
        Self::from(self.0 - Self::NOTCH)
    }
}

impl From<u16> for TextSize {
    /// The nearest size that is allowed.
    fn from(percent: u16) -> Self {
        Self(percent.clamp(Self::SMALLEST, Self::LARGEST))
    }
}

impl From<TextSize> for u16 {
    fn from(size: TextSize) -> Self {
        size.0
    }
}

impl Default for TextSize {
    fn default() -> Self {
        Self(100)
    }
}

/// How fast the clock steps by itself, in quarters of a step a second, within [`PlaySpeed::SLOWEST`] and
/// [`PlaySpeed::FASTEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "u8", into = "u8")]
pub struct PlaySpeed(u8);

impl PlaySpeed {
    /// One step in four seconds.
    pub const SLOWEST: u8 = 1;
    /// Twenty steps a second.
    pub const FASTEST: u8 = 80;

    /// Steps a second.
    pub fn steps_a_second(self) -> f32 {
        f32::from(self.0) / 4.0
    }

    /// The nearest speed to this many steps a second.
    pub fn from_steps(steps_a_second: f32) -> Self {
        Self::from((steps_a_second * 4.0).round() as u8)
    }
}

impl From<u8> for PlaySpeed {
    /// The nearest speed that is allowed.
    fn from(quarters: u8) -> Self {
        Self(quarters.clamp(Self::SLOWEST, Self::FASTEST))
    }
}

impl From<PlaySpeed> for u8 {
    fn from(speed: PlaySpeed) -> Self {
        speed.0
    }
}

impl Default for PlaySpeed {
    /// Two steps a second.
    fn default() -> Self {
        Self(8)
    }
}

/// Files that were opened or saved, the last one first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct RecentFiles(Vec<PathBuf>);

impl<'de> Deserialize<'de> for RecentFiles {
    /// The first ones, as many as are kept; the others are read over and take no memory.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FirstOnes;
        impl<'de> Visitor<'de> for FirstOnes {
            type Value = Vec<PathBuf>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list of files")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut paths = Vec::new();
                while paths.len() < RecentFiles::MOST {
                    match list.next_element()? {
                        Some(path) => paths.push(path),
                        None => return Ok(paths),
                    }
                }
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(paths)
            }
        }
        deserializer.deserialize_seq(FirstOnes).map(Self)
    }
}

impl RecentFiles {
    /// How many are kept.
    pub const MOST: usize = 10;

    /// The files, the last one first.
    pub fn paths(&self) -> &[PathBuf] {
        &self.0
    }

    /// Puts a file in front.
    pub fn add(&mut self, path: &Path) {
        self.remove(path);
        self.0.insert(0, path.to_owned());
        self.0.truncate(Self::MOST);
    }

    /// Takes a file out, for one that is gone.
    pub fn remove(&mut self, path: &Path) {
        self.0.retain(|known| known != path);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// What a person prefers. Fields that a stored form lacks have their defaults.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// Colours of the window.
    pub theme: Theme,
    /// Size of all text.
    pub text_size: TextSize,
    /// Recent files.
    pub recent: RecentFiles,
    /// The last export.
    pub export: ExportChoice,
    /// How fast the clock steps by itself.
    pub speed: PlaySpeed,
}

/// The version of stored preferences that this program writes.
pub const PREFERENCES_VERSION: u32 = 1;

/// The longest stored preferences that are read, in bytes.
const LONGEST_STORED: usize = 1 << 20;

/// Why stored preferences were not taken.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PreferencesError {
    /// Stored by a later program.
    #[error(
        "the preferences have version {found} and this program reads up to {PREFERENCES_VERSION}: a newer version of \
         regard stored them"
    )]
    Newer {
        /// The version found.
        found: u32,
    },
    /// No program stored this version.
    #[error("version {found} was never stored; preferences begin with version 1")]
    NoVersion {
        /// The version found.
        found: u32,
    },
    /// More bytes than preferences have.
    #[error("the preferences have {found} bytes; at most {LONGEST_STORED} are read")]
    TooLarge {
        /// The bytes found.
        found: usize,
    },
    /// Not what preferences look like.
    #[error("preferences, line {line}, column {column}: {problem}")]
    Syntax {
        /// From 1.
        line: usize,
        /// From 1, in letters.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
}

#[derive(Deserialize)]
struct Header {
    /// Before there were versions, there was the first.
    #[serde(default = "first_version")]
    version: u32,
}

const fn first_version() -> u32 {
    1
}

/// The stored form: the version stands in front.
#[derive(Serialize)]
struct Versioned<'a> {
    version: u32,
    theme: Theme,
    text_size: TextSize,
    recent: &'a RecentFiles,
    export: &'a ExportChoice,
    speed: PlaySpeed,
}

impl Preferences {
    /// Reads the stored form.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn from_text(text: &str) -> Result<Self, PreferencesError> {
        let syntax = |error: ron::error::SpannedError| PreferencesError::Syntax {
            line: error.span.start.line,
            column: error.span.start.col,
            problem: error.code.to_string(),
        };
        if text.len() > LONGEST_STORED {
            return Err(PreferencesError::TooLarge { found: text.len() });
        }
        let header: Header = ron::from_str(text).map_err(syntax)?;
        match header.version {
            0 => Err(PreferencesError::NoVersion { found: 0 }),
            PREFERENCES_VERSION => ron::from_str(text).map_err(syntax),
            found => Err(PreferencesError::Newer { found }),
        }
    }

    /// The stored form. `None` for what RON has no form for, which is not expected.
    pub fn to_text(&self) -> Option<String> {
        ron::to_string(&Versioned {
            version: PREFERENCES_VERSION,
            theme: self.theme,
            text_size: self.text_size,
            recent: &self.recent,
            export: &self.export,
            speed: self.speed,
        })
        .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_files_are_few_and_not_twice() {
        let mut recent = RecentFiles::default();
        for i in 0..20 {
            recent.add(Path::new(&format!("{i}.regard.ron")));
        }
        recent.add(Path::new("15.regard.ron"));
        assert_eq!(recent.paths().len(), RecentFiles::MOST);
        assert_eq!(recent.paths()[0], Path::new("15.regard.ron"));
        assert_eq!(recent.paths()[1], Path::new("19.regard.ron"));
        recent.remove(Path::new("19.regard.ron"));
        assert_eq!(recent.paths().len(), RecentFiles::MOST - 1);
    }

    #[test]
    fn text_sizes_stay_readable() {
        assert_eq!(TextSize::from(0).percent(), TextSize::SMALLEST);
        assert_eq!(TextSize::from(u16::MAX).percent(), TextSize::LARGEST);
        assert_eq!(TextSize::default().larger().smaller(), TextSize::default());
        assert_eq!(TextSize::from(9999).larger(), TextSize::from(9999));
    }

    #[test]
    fn stored_preferences_may_lack_fields() {
        let read = Preferences::from_text("(theme: dark, text_size: 9000, new: 4)").unwrap();
        assert_eq!(read.theme, Theme::Dark);
        assert_eq!(read.text_size.percent(), TextSize::LARGEST);
        let text = read.to_text().unwrap();
        assert!(text.starts_with("(version:1,"), "{text}");
        assert_eq!(Preferences::from_text(&text).unwrap(), read);
        let changed = Preferences {
            speed: PlaySpeed::from(3),
            text_size: TextSize::from(120),
            recent: RecentFiles(vec!["a".into()]),
            ..read
        };
        let text = changed.to_text().unwrap();
        assert_eq!(Preferences::from_text(&text).unwrap(), changed);
    }

    #[test]
    fn of_many_recent_files_only_a_few_are_taken() {
        let many: Vec<_> = (0..5000).map(|i| format!("\"{i}\"")).collect();
        let read = Preferences::from_text(&format!("(recent:[{}])", many.join(","))).unwrap();
        assert_eq!(read.recent.paths().len(), RecentFiles::MOST);
        assert_eq!(read.recent.paths()[9], Path::new("9"));
        assert!(Preferences::from_text("(recent:7)").is_err());
    }

    #[test]
    fn preferences_that_cannot_be_read_say_why() {
        let error = |text: &str| Preferences::from_text(text).unwrap_err().to_string();
        assert!(error("(version: 0)").contains("begin with version 1"));
        assert!(error("(theme: dark").starts_with("preferences, line 1, column "));
        let long = "a".repeat(LONGEST_STORED + 1);
        assert!(error(&long).contains("1048577 bytes"));
    }
}
