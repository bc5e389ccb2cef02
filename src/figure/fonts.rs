//! The fonts that come with the program, and the collection that the SVG and PNG back ends draw from.

use std::sync::{Arc, LazyLock};

use resvg::usvg::fontdb::{Database, Family, ID, Query, Source, Style, Weight as FontWeight};
use resvg::usvg::{FontResolver, Options};

use super::scene::Scene;
use super::text::missing_characters;

/// Inter, weight 400, with tabular digits. Licence: `assets/fonts/Inter-OFL.txt`.
pub const INTER_REGULAR: &[u8] = include_bytes!("../../assets/fonts/Inter-Regular.otf");
/// Inter, weight 600, with tabular digits.
pub const INTER_SEMI_BOLD: &[u8] = include_bytes!("../../assets/fonts/Inter-SemiBold.otf");
/// Arrows, mathematical and technical signs. Licence: `assets/fonts/DejaVu-licence.txt`.
pub const SYMBOLS: &[u8] = include_bytes!("../../assets/fonts/symbols.ttf");

/// The family of the bundled text fonts.
pub const TEXT_FAMILY: &str = "Inter";
/// The family of the bundled symbols.
pub const SYMBOL_FAMILY: &str = "Regard Symbols";

/// A collection of fonts. Cheap to clone.
#[derive(Clone, Debug)]
pub struct FontDb {
    database: Arc<Database>,
}

impl FontDb {
    /// Only the bundled fonts: a figure comes out the same on every machine.
    pub fn bundled() -> Self {
        static BUNDLED: LazyLock<Arc<Database>> = LazyLock::new(|| {
            let mut database = Database::new();
            for font in [INTER_REGULAR, INTER_SEMI_BOLD, SYMBOLS] {
                database.load_font_source(Source::Binary(Arc::new(font)));
            }
            database.set_sans_serif_family(TEXT_FAMILY);
            Arc::new(database)
        });
        Self {
            database: Arc::clone(&BUNDLED),
        }
    }

    /// The bundled fonts and behind them those of the system, for characters that the bundled ones lack.
    /// Reads the system's font folders, which takes some time; keep the answer.
    pub fn with_system_fonts() -> Self {
        let mut database = Database::clone(&Self::bundled().database);
        database.load_system_fonts();
        // Loading may set generic names to what the system prefers.
        database.set_sans_serif_family(TEXT_FAMILY);
        Self {
            database: Arc::new(database),
        }
    }

    /// The bundled fonts if they have every character of the scene, and otherwise also those of the system.
    pub fn for_scene(scene: &Scene) -> Self {
        static WITH_SYSTEM: LazyLock<FontDb> = LazyLock::new(FontDb::with_system_fonts);
        let lacks = |text: &str| !missing_characters(text).is_empty();
        if scene.texts().any(|item| lacks(&item.text)) {
            WITH_SYSTEM.clone()
        } else {
            Self::bundled()
        }
    }

    /// The characters of a scene that no font of the collection has, each once, in order. Back ends draw a box in
    /// their place, or nothing.
    pub fn missing(&self, scene: &Scene) -> Vec<char> {
        let mut missing = Vec::new();
        for c in scene
            .texts()
            .flat_map(|item| missing_characters(&item.text))
        {
            let has = || {
                self.database
                    .faces()
                    .any(|face| has_character(&self.database, face.id, c))
            };
            if !missing.contains(&c) && !is_invisible(c) && !has() {
                missing.push(c);
            }
        }
        missing
    }

    /// Whether these are the bundled fonts alone.
    pub(super) fn is_bundled(&self) -> bool {
        Arc::ptr_eq(&self.database, &Self::bundled().database)
    }

    /// The number of faces in the collection.
    pub fn face_count(&self) -> usize {
        self.database.len()
    }

    /// Options with which a scene's SVG is read: these fonts, 72 px to the inch so that a point is a pixel.
    pub(super) fn options(&self) -> Options<'static> {
        Options {
            dpi: 72.0,
            font_family: TEXT_FAMILY.to_owned(),
            fontdb: Arc::clone(&self.database),
            font_resolver: FontResolver {
                select_font: FontResolver::default_font_selector(),
                select_fallback: Box::new(|c, used, database| fallback(c, used, database)),
            },
            ..Options::default()
        }
    }
}

impl Default for FontDb {
    fn default() -> Self {
        Self::bundled()
    }
}

/// The face for a character that the fonts used so far lack: the symbols, then an upright face of the
/// system of about the same weight, sans serif first.
fn fallback(c: char, used: &[ID], database: &Database) -> Option<ID> {
    let symbols = Query {
        families: &[Family::Name(SYMBOL_FAMILY)],
        ..Query::default()
    };
    let symbols = database.query(&symbols);
    if let Some(id) = symbols
        && !used.contains(&id)
        && has_character(database, id, c)
    {
        return symbols;
    }
    let wanted = used
        .first()
        .and_then(|&id| database.face(id))
        .map_or(FontWeight::NORMAL, |face| face.weight);
    let candidates = database
        .faces()
        .filter(|face| !used.contains(&face.id) && has_character(database, face.id, c));
    let best = candidates.min_by_key(|face| {
        let family = face.families.first().map_or("", |(name, _)| name.as_str());
        (
            face.style != Style::Normal,
            !family.contains("Sans"),
            face.weight.0.abs_diff(wanted.0),
            family.len(),
        )
    });
    best.map(|face| face.id)
}

/// Joiners, directions and variants change their neighbours and have no shape of their own.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

fn has_character(database: &Database, id: ID, c: char) -> bool {
    let found = database.with_face_data(id, |data, index| {
        rustybuzz::ttf_parser::Face::parse(data, index)
            .is_ok_and(|face| face.glyph_index(c).is_some())
    });
    found.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_collection_has_the_three_faces_by_name() {
        let fonts = FontDb::bundled();
        assert_eq!(fonts.face_count(), 3);
        for (family, weight) in [(TEXT_FAMILY, 400), (TEXT_FAMILY, 600), (SYMBOL_FAMILY, 400)] {
            let query = Query {
                families: &[Family::Name(family)],
                weight: FontWeight(weight),
                ..Query::default()
            };
            let face = fonts
                .database
                .query(&query)
                .and_then(|id| fonts.database.face(id));
            assert_eq!(face.unwrap().weight.0, weight, "{family}");
        }
    }

    #[test]
    fn the_bundle_is_small() {
        assert!(INTER_REGULAR.len() + INTER_SEMI_BOLD.len() + SYMBOLS.len() < 1_200_000);
    }

    #[test]
    fn symbols_come_before_other_fonts() {
        let fonts = FontDb::bundled();
        let id = fallback('▁', &[], &fonts.database).unwrap();
        assert_eq!(
            fonts.database.face(id).unwrap().families[0].0,
            SYMBOL_FAMILY
        );
        assert_eq!(fallback('注', &[], &fonts.database), None);
    }
}
