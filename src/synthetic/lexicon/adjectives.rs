//! Adjectives.

use super::kinds::{
    ANIMAL, CHILD, CLOTHES, DRINK, FIELD, FOOD, FRUIT, FUR, JOB, KIN, Kinds, NEURAL, OBJECT,
    ORIGIN, PAINTED, PART, PERSON, PLACE, PLANT, SERVED, SOUND, SURFACE, TASK, TECH, TEXT, VEHICLE,
    WHOLE,
};
use super::nouns::Noun;
use super::{Agreement, Gender, Number};
use crate::synthetic::orthography::french_vowel_sound;

/// Where a French adjective stands; two after the noun come in the order of this enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::synthetic) enum Position {
    /// *un petit chat*
    Before,
    /// Colours and nations, next to the noun: *un chat noir*.
    AfterNear,
    /// Qualities: *un chat noir rapide*.
    AfterFar,
}

/// An adjective.
#[derive(Debug)]
pub(in crate::synthetic) struct Adjective {
    /// Masculine singular, feminine singular, masculine plural, feminine plural.
    french: [&'static str; 4],
    /// Masculine singular before a vowel, when it is another form: *un bel arbre*.
    before_vowel: Option<&'static str>,
    /// The English adjective.
    pub(in crate::synthetic) english: &'static str,
    /// Where it stands in French.
    pub(in crate::synthetic) position: Position,
    /// Nouns that it goes with.
    pub(in crate::synthetic) kinds: Kinds,
}

impl Adjective {
    /// The form that agrees.
    pub(in crate::synthetic) fn french(&self, agreement: Agreement) -> &'static str {
        self.french[agreement.gender as usize + 2 * agreement.number as usize]
    }

    /// The form that agrees, in front of the word `next`.
    pub(in crate::synthetic) fn french_before(
        &self,
        agreement: Agreement,
        next: &str,
    ) -> &'static str {
        match self.before_vowel {
            Some(form)
                if agreement.gender == Gender::Masculine
                    && agreement.number == Number::Singular
                    && french_vowel_sound(next) =>
            {
                form
            }
            _ => self.french(agreement),
        }
    }

    /// Whether both cannot be true of one thing, or say the same.
    pub(in crate::synthetic) fn clashes_with(&self, other: &Self) -> bool {
        let pair = (self.english, other.english);
        let both_near =
            self.position == Position::AfterNear && other.position == Position::AfterNear;
        pair.0 == pair.1
            || both_near
            || OPPOSITES
                .iter()
                .any(|&(one, two)| pair == (one, two) || pair == (two, one))
    }

    /// Whether it can describe a noun.
    ///
    /// Relatives need an adjective that allows them by name: *beau père* and *petit ami* mean
    /// something else.
    pub(in crate::synthetic) const fn suits(&self, noun: &Noun) -> bool {
        let kinds = if noun.is(KIN) { KIN } else { noun.kinds };
        self.kinds & kinds != 0
    }
}

/// Pairs that do not go together, by their English forms.
const OPPOSITES: [(&str, &str); 15] = [
    ("small", "big"),
    ("young", "old"),
    ("new", "old"),
    ("old", "modern"),
    ("good", "bad"),
    ("good", "delicious"),
    ("bad", "delicious"),
    ("pretty", "beautiful"),
    ("fast", "slow"),
    ("happy", "sad"),
    ("clean", "dirty"),
    ("hot", "cold"),
    ("easy", "difficult"),
    ("strong", "sick"),
    ("bad", "useful"),
];

type Forms = [&'static str; 4];

const fn adjective(
    french: Forms,
    english: &'static str,
    position: Position,
    kinds: Kinds,
) -> Adjective {
    Adjective {
        french,
        before_vowel: None,
        english,
        position,
        kinds,
    }
}

/// An adjective before the noun.
const fn before(french: Forms, english: &'static str, kinds: Kinds) -> Adjective {
    adjective(french, english, Position::Before, kinds)
}

/// An adjective before the noun with another masculine form before a vowel.
const fn liaison(
    french: Forms,
    vowel: &'static str,
    english: &'static str,
    kinds: Kinds,
) -> Adjective {
    let mut adjective = before(french, english, kinds);
    adjective.before_vowel = Some(vowel);
    adjective
}

/// A colour or a nation, next to the noun.
const fn near(french: Forms, english: &'static str, kinds: Kinds) -> Adjective {
    adjective(french, english, Position::AfterNear, kinds)
}

/// A quality, after the noun and its colour.
const fn far(french: Forms, english: &'static str, kinds: Kinds) -> Adjective {
    adjective(french, english, Position::AfterFar, kinds)
}

const GOODS: Kinds = OBJECT | VEHICLE | CLOTHES | SURFACE;
const HUMAN: Kinds = PERSON | KIN;

/// Every adjective of the grammar.
#[rustfmt::skip]
pub(in crate::synthetic) static ADJECTIVES: &[Adjective] = &[
    before(["petit", "petite", "petits", "petites"], "small", CHILD | ANIMAL | FOOD_PIECE | GOODS | PLACE | PLANT | PART),
    before(["grand", "grande", "grands", "grandes"], "big", CHILD | ANIMAL | GOODS | PLACE | PLANT | PART),
    before(["gros", "grosse", "gros", "grosses"], "fat", ANIMAL),
    before(["jeune", "jeune", "jeunes", "jeunes"], "young", PERSON | ANIMAL),
    before(["bon", "bonne", "bons", "bonnes"], "good", FOOD | DRINK | TEXT | JOB | TECH),
    before(["mauvais", "mauvaise", "mauvais", "mauvaises"], "bad", FOOD | DRINK | TEXT | JOB | TECH),
    before(["joli", "jolie", "jolis", "jolies"], "pretty", CLOTHES | PLANT | PLACE | OBJECT),
    before(["gentil", "gentille", "gentils", "gentilles"], "kind", HUMAN),
    liaison(["nouveau", "nouvelle", "nouveaux", "nouvelles"], "nouvel", "new", GOODS | TEXT | TECH | JOB),
    liaison(["vieux", "vieille", "vieux", "vieilles"], "vieil", "old", GOODS | PLACE | PLANT | ANIMAL | JOB | TEXT),
    liaison(["beau", "belle", "beaux", "belles"], "bel", "beautiful", SOUND | PLACE | PLANT | CLOTHES | ANIMAL | VEHICLE),
    near(["noir", "noire", "noirs", "noires"], "black", PAINTED | FUR),
    near(["blanc", "blanche", "blancs", "blanches"], "white", PAINTED | FUR),
    near(["gris", "grise", "gris", "grises"], "grey", PAINTED | FUR),
    near(["brun", "brune", "bruns", "brunes"], "brown", PAINTED | FUR),
    near(["rouge", "rouge", "rouges", "rouges"], "red", PAINTED | FRUIT),
    near(["vert", "verte", "verts", "vertes"], "green", PAINTED | FRUIT),
    near(["jaune", "jaune", "jaunes", "jaunes"], "yellow", PAINTED | FRUIT),
    near(["bleu", "bleue", "bleus", "bleues"], "blue", PAINTED),
    near(["français", "française", "français", "françaises"], "french", ORIGIN),
    near(["anglais", "anglaise", "anglais", "anglaises"], "english", ORIGIN),
    near(["italien", "italienne", "italiens", "italiennes"], "italian", ORIGIN),
    near(["neuronal", "neuronale", "neuronaux", "neuronales"], "neural", NEURAL),
    near(["statistique", "statistique", "statistiques", "statistiques"], "statistical", NEURAL),
    far(["rapide", "rapide", "rapides", "rapides"], "fast", VEHICLE | ANIMAL | TECH),
    far(["lent", "lente", "lents", "lentes"], "slow", VEHICLE | ANIMAL | TECH),
    far(["intelligent", "intelligente", "intelligents", "intelligentes"], "clever", HUMAN | ANIMAL),
    far(["heureux", "heureuse", "heureux", "heureuses"], "happy", HUMAN),
    far(["triste", "triste", "tristes", "tristes"], "sad", HUMAN | TEXT | SOUND),
    far(["fatigué", "fatiguée", "fatigués", "fatiguées"], "tired", HUMAN | ANIMAL),
    far(["malade", "malade", "malades", "malades"], "sick", HUMAN | ANIMAL),
    far(["fort", "forte", "forts", "fortes"], "strong", PERSON | ANIMAL),
    far(["célèbre", "célèbre", "célèbres", "célèbres"], "famous", JOB | TEXT),
    far(["cher", "chère", "chers", "chères"], "expensive", GOODS | FOOD | DRINK),
    far(["lourd", "lourde", "lourds", "lourdes"], "heavy", OBJECT | SURFACE),
    far(["propre", "propre", "propres", "propres"], "clean", GOODS | PLACE | PART),
    far(["sale", "sale", "sales", "sales"], "dirty", GOODS | PLACE | PART),
    far(["chaud", "chaude", "chauds", "chaudes"], "hot", SERVED),
    far(["froid", "froide", "froids", "froides"], "cold", SERVED),
    far(["délicieux", "délicieuse", "délicieux", "délicieuses"], "delicious", FOOD | DRINK),
    far(["mûr", "mûre", "mûrs", "mûres"], "ripe", FRUIT),
    far(["calme", "calme", "calmes", "calmes"], "quiet", PLACE | PERSON | ANIMAL),
    far(["moderne", "moderne", "modernes", "modernes"], "modern", WHOLE | TECH | FIELD | VEHICLE),
    far(["utile", "utile", "utiles", "utiles"], "useful", TECH | FIELD | OBJECT | TASK),
    far(["important", "importante", "importants", "importantes"], "important", TECH | TASK | FIELD | TEXT),
    far(["difficile", "difficile", "difficiles", "difficiles"], "difficult", TASK | FIELD),
    far(["facile", "facile", "faciles", "faciles"], "easy", TASK),
    far(["puissant", "puissante", "puissants", "puissantes"], "powerful", TECH | VEHICLE),
];

/// Food that comes in pieces of a size.
const FOOD_PIECE: Kinds = FRUIT;
