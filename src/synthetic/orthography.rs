//! Spelling that depends on the neighbouring word: elision, contraction, *a* or *an*.
//!
//! The grammar writes `le ami`, `de le voisin` and `a apple`; the rules here turn them into
//! `l' ami`, `du voisin` and `an apple`, so no rule of the grammar has to know its neighbours.

/// French words of the lexicon whose `h` is aspirated: nothing elides before them.
const ASPIRATED: [&str; 5] = ["haricot", "haricots", "hibou", "hiboux", "huit"];

/// English words that start with a vowel letter and a consonant sound.
const CONSONANT_SOUND: [&str; 2] = ["university", "useful"];

/// Whether a French word starts with a vowel sound (a vowel or a mute `h`).
pub(super) fn french_vowel_sound(word: &str) -> bool {
    match word.chars().next() {
        Some('h') => !ASPIRATED.contains(&word),
        Some(first) => "aàâeéèêiîïoôuùûœ".contains(first),
        None => false,
    }
}

/// Whether an English word starts with a vowel sound.
pub(super) fn english_vowel_sound(word: &str) -> bool {
    word.starts_with(['a', 'e', 'i', 'o', 'u']) && !CONSONANT_SOUND.contains(&word)
}

/// The form that a French word takes before `next`, when it differs from the word itself.
///
/// Covers elision (`le ami` → `l' ami`), the possessives that take their masculine form before a
/// vowel (`ma amie` → `mon amie`) and the demonstrative (`ce arbre` → `cet arbre`, `ce est` →
/// `c' est`).
pub(super) fn before_vowel(word: &str, next: &str) -> Option<&'static str> {
    if !french_vowel_sound(next) {
        return None;
    }
    Some(match word {
        "je" => "j'",
        "ne" => "n'",
        "me" => "m'",
        "te" => "t'",
        "le" | "la" => "l'",
        "de" => "d'",
        "que" => "qu'",
        "ma" => "mon",
        "ta" => "ton",
        "sa" => "son",
        "ce" if next == "est" => "c'",
        "ce" => "cet",
        _ => return None,
    })
}

/// The one word that a preposition and an article contract to: `de le` → `du`, `à les` → `aux`.
pub(super) fn contraction(preposition: &str, article: &str) -> Option<&'static str> {
    match (preposition, article) {
        ("de", "le") => Some("du"),
        ("de", "les") => Some("des"),
        ("à", "le") => Some("au"),
        ("à", "les") => Some("aux"),
        _ => None,
    }
}

/// The English indefinite article before `next`.
pub(super) fn indefinite_article(next: &str) -> &'static str {
    if english_vowel_sound(next) { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elision_needs_a_vowel_sound() {
        assert_eq!(before_vowel("le", "arbre"), Some("l'"));
        assert_eq!(before_vowel("la", "histoire"), Some("l'"));
        assert_eq!(before_vowel("le", "œuf"), Some("l'"));
        assert_eq!(before_vowel("le", "hibou"), None);
        assert_eq!(before_vowel("que", "huit"), None);
        assert_eq!(before_vowel("le", "chat"), None);
        assert_eq!(before_vowel("les", "arbres"), None);
    }

    #[test]
    fn determiners_change_before_a_vowel() {
        assert_eq!(before_vowel("ma", "école"), Some("mon"));
        assert_eq!(before_vowel("ce", "oiseau"), Some("cet"));
        assert_eq!(before_vowel("ce", "est"), Some("c'"));
    }

    #[test]
    fn prepositions_contract_with_masculine_and_plural_articles() {
        assert_eq!(contraction("de", "le"), Some("du"));
        assert_eq!(contraction("à", "les"), Some("aux"));
        assert_eq!(contraction("de", "la"), None);
        assert_eq!(contraction("à", "l'"), None);
    }

    #[test]
    fn the_english_article_follows_the_sound() {
        assert_eq!(indefinite_article("apple"), "an");
        assert_eq!(indefinite_article("university"), "a");
        assert_eq!(indefinite_article("umbrella"), "an");
        assert_eq!(indefinite_article("dog"), "a");
    }
}
