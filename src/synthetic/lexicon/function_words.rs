//! Pronouns, names, numerals, prepositions, adverbs and fixed expressions.

use super::kinds::{Kinds, PLACE, SURFACE, VEHICLE, WHOLE};
use super::{Agreement, Gender, Number, Person};
use Gender::{Feminine, Masculine};
use Number::{Plural, Singular};
use Person::{First, Second, Third};

/// A subject pronoun.
#[derive(Debug)]
pub(in crate::synthetic) struct Pronoun {
    /// French, not elided.
    pub(in crate::synthetic) french: &'static str,
    /// English.
    pub(in crate::synthetic) english: &'static str,
    /// Its person and number.
    pub(in crate::synthetic) person: Person,
    /// Its number.
    pub(in crate::synthetic) number: Number,
    /// Its gender, where the form shows it.
    pub(in crate::synthetic) gender: Option<Gender>,
}

const fn pronoun(
    french: &'static str,
    english: &'static str,
    person: Person,
    number: Number,
    gender: Option<Gender>,
) -> Pronoun {
    Pronoun {
        french,
        english,
        person,
        number,
        gender,
    }
}

/// The subject pronouns.
pub(in crate::synthetic) static PRONOUNS: &[Pronoun] = &[
    pronoun("je", "i", First, Singular, None),
    pronoun("tu", "you", Second, Singular, None),
    pronoun("il", "he", Third, Singular, Some(Masculine)),
    pronoun("elle", "she", Third, Singular, Some(Feminine)),
    pronoun("nous", "we", First, Plural, None),
    pronoun("vous", "you", Second, Plural, None),
    pronoun("ils", "they", Third, Plural, Some(Masculine)),
    pronoun("elles", "they", Third, Plural, Some(Feminine)),
];

/// A pronoun in front of the verb: *il* **la** *voit*.
#[derive(Debug)]
pub(in crate::synthetic) struct Clitic {
    /// French, not elided.
    pub(in crate::synthetic) french: &'static str,
    /// English.
    pub(in crate::synthetic) english: &'static str,
    /// Person, number and, where the form shows it, gender.
    pub(in crate::synthetic) agreement: Agreement,
}

const fn clitic(
    french: &'static str,
    english: &'static str,
    person: Person,
    number: Number,
    gender: Gender,
) -> Clitic {
    let agreement = Agreement {
        person,
        number,
        gender,
    };
    Clitic {
        french,
        english,
        agreement,
    }
}

/// Direct objects that are people.
pub(in crate::synthetic) static SOMEONE: &[Clitic] = &[
    clitic("le", "him", Third, Singular, Masculine),
    clitic("la", "her", Third, Singular, Feminine),
    clitic("les", "them", Third, Plural, Masculine),
    clitic("me", "me", First, Singular, Masculine),
    clitic("te", "you", Second, Singular, Masculine),
    clitic("nous", "us", First, Plural, Masculine),
    clitic("vous", "you", Second, Plural, Masculine),
];

/// Direct objects that are things.
pub(in crate::synthetic) static SOMETHING: &[Clitic] = &[
    clitic("le", "it", Third, Singular, Masculine),
    clitic("la", "it", Third, Singular, Feminine),
    clitic("les", "them", Third, Plural, Masculine),
];

/// Indirect objects; *lui* is always *him*, so that it has one rendering.
pub(in crate::synthetic) static RECIPIENTS: &[Clitic] = &[
    clitic("me", "me", First, Singular, Masculine),
    clitic("te", "you", Second, Singular, Masculine),
    clitic("lui", "him", Third, Singular, Masculine),
    clitic("nous", "us", First, Plural, Masculine),
    clitic("vous", "you", Second, Plural, Masculine),
    clitic("leur", "them", Third, Plural, Masculine),
];

/// First names.
pub(in crate::synthetic) static NAMES: &[(&str, Gender)] = &[
    ("marie", Feminine),
    ("sophie", Feminine),
    ("julie", Feminine),
    ("anna", Feminine),
    ("paul", Masculine),
    ("pierre", Masculine),
    ("thomas", Masculine),
    ("lucas", Masculine),
];

/// Towns, in both languages.
pub(in crate::synthetic) static TOWNS: &[(&str, &str)] = &[
    ("paris", "paris"),
    ("lyon", "lyon"),
    ("rome", "rome"),
    ("londres", "london"),
    ("athènes", "athens"),
];

/// Numerals from two on.
pub(in crate::synthetic) static NUMERALS: &[(&str, &str)] = &[
    ("deux", "two"),
    ("trois", "three"),
    ("quatre", "four"),
    ("cinq", "five"),
    ("six", "six"),
    ("sept", "seven"),
    ("huit", "eight"),
    ("neuf", "nine"),
    ("dix", "ten"),
];

/// A possessive determiner.
#[derive(Debug)]
pub(in crate::synthetic) struct Possessive {
    /// Masculine, feminine, plural; *ma* becomes *mon* before a vowel by rule.
    pub(in crate::synthetic) french: [&'static str; 3],
    /// English.
    pub(in crate::synthetic) english: &'static str,
}

const fn possessive(french: [&'static str; 3], english: &'static str) -> Possessive {
    Possessive { french, english }
}

/// Possessives that stand anywhere.
pub(in crate::synthetic) static POSSESSIVES: &[Possessive] = &[
    possessive(["mon", "ma", "mes"], "my"),
    possessive(["ton", "ta", "tes"], "your"),
    possessive(["notre", "notre", "nos"], "our"),
    possessive(["votre", "votre", "vos"], "your"),
    possessive(["leur", "leur", "leurs"], "their"),
];

/// *son* after the subject *il*: only there is its gender known.
pub(in crate::synthetic) static HIS: Possessive = possessive(["son", "sa", "ses"], "his");

/// *son* after the subject *elle*.
pub(in crate::synthetic) static HER: Possessive = possessive(["son", "sa", "ses"], "her");

/// How certain an English word's link is to a word of a fixed French expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::synthetic) enum To {
    /// Surely to the French word at this place.
    Sure(usize),
    /// Possibly to the French word at this place.
    Possible(usize),
}

use To::{Possible, Sure};

/// A fixed expression with its links: French words, English words, and for each English word its
/// links.
#[derive(Debug)]
pub(in crate::synthetic) struct Expression {
    /// The French words.
    pub(in crate::synthetic) french: &'static [&'static str],
    /// The English words with their links.
    pub(in crate::synthetic) english: &'static [(&'static str, &'static [To])],
}

const fn expression(
    french: &'static [&'static str],
    english: &'static [(&'static str, &'static [To])],
) -> Expression {
    Expression { french, english }
}

/// One word for one word.
macro_rules! word {
    ($french:literal, $english:literal) => {
        expression(&[$french], &[($english, &[Sure(0)])])
    };
}

/// A preposition of place with the kinds of place it goes with.
#[rustfmt::skip]
pub(in crate::synthetic) static PREPOSITIONS: &[(Expression, Kinds)] = &[
    (word!("dans", "in"), PLACE),
    (word!("sur", "on"), SURFACE),
    (word!("sous", "under"), SURFACE),
    (word!("derrière", "behind"), WHOLE | VEHICLE | SURFACE),
    (expression(&["devant"], &[("in", &[Possible(0)]), ("front", &[Sure(0)]), ("of", &[Possible(0)])]), WHOLE | VEHICLE),
    (expression(&["près", "de"], &[("near", &[Sure(0), Sure(1)])]), PLACE | SURFACE),
];

/// *avec*, before a person.
pub(in crate::synthetic) static WITH: Expression = word!("avec", "with");

/// *à*, in front of a destination, a recipient.
pub(in crate::synthetic) static TO: Expression = word!("à", "to");

/// *à*, in front of the town one lives in.
pub(in crate::synthetic) static AT: Expression = word!("à", "in");

/// *en*, in front of a language.
pub(in crate::synthetic) static IN_LANGUAGE: Expression = word!("en", "in");

/// Time of a present.
#[rustfmt::skip]
pub(in crate::synthetic) static NOW: &[Expression] = &[
    word!("aujourd'hui", "today"),
    word!("maintenant", "now"),
    expression(&["le", "matin"], &[("in", &[Possible(1)]), ("the", &[Sure(0)]), ("morning", &[Sure(1)])]),
    expression(&["tous", "les", "jours"], &[("every", &[Sure(0), Possible(1)]), ("day", &[Sure(2)])]),
];

/// *ici*, behind a verb without an object.
pub(in crate::synthetic) static HERE: Expression = word!("ici", "here");

/// Time of a past.
#[rustfmt::skip]
pub(in crate::synthetic) static PAST: &[Expression] = &[
    word!("hier", "yesterday"),
    word!("hier", "yesterday"),
    word!("aujourd'hui", "today"),
    expression(&["la", "semaine", "dernière"], &[("last", &[Sure(2)]), ("week", &[Possible(0), Sure(1)])]),
];

/// Time of a future.
#[rustfmt::skip]
pub(in crate::synthetic) static FUTURE: &[Expression] = &[
    word!("demain", "tomorrow"),
    word!("demain", "tomorrow"),
    expression(&["ce", "soir"], &[("tonight", &[Sure(0), Sure(1)])]),
    expression(&["la", "semaine", "prochaine"], &[("next", &[Sure(2)]), ("week", &[Possible(0), Sure(1)])]),
];

/// Adverbs behind the French verb and in front of the English one.
pub(in crate::synthetic) static FREQUENCY: &[(&str, &str)] = &[
    ("souvent", "often"),
    ("toujours", "always"),
    ("parfois", "sometimes"),
];

/// Degrees in front of a predicate adjective.
pub(in crate::synthetic) static DEGREES: &[Expression] =
    &[word!("très", "very"), word!("trop", "too")];

/// Between two clauses.
#[rustfmt::skip]
pub(in crate::synthetic) static CONJUNCTIONS: &[Expression] = &[
    word!("et", "and"),
    word!("mais", "but"),
    expression(&["parce", "que"], &[("because", &[Sure(0), Sure(1)])]),
];

/// *et* between noun phrases.
pub(in crate::synthetic) static AND: Expression = word!("et", "and");

/// *avoir* with a bare noun for *to be* with an adjective.
pub(in crate::synthetic) static STATES: &[(&str, &str)] =
    &[("faim", "hungry"), ("soif", "thirsty"), ("peur", "afraid")];

/// In front of a noun phrase: *voici le chat*.
#[rustfmt::skip]
pub(in crate::synthetic) static HERE_IS: Expression =
    expression(&["voici"], &[("here", &[Sure(0)]), ("is", &[Sure(0)])]);

/// In front of a plural noun phrase.
#[rustfmt::skip]
pub(in crate::synthetic) static HERE_ARE: Expression =
    expression(&["voici"], &[("here", &[Sure(0)]), ("are", &[Sure(0)])]);

/// In front of an indefinite noun phrase.
#[rustfmt::skip]
pub(in crate::synthetic) static THERE_IS: Expression = expression(
    &["il", "y", "a"], &[("there", &[Possible(0), Possible(1)]), ("is", &[Sure(2)])],
);

/// In front of an indefinite plural noun phrase.
#[rustfmt::skip]
pub(in crate::synthetic) static THERE_ARE: Expression = expression(
    &["il", "y", "a"], &[("there", &[Possible(0), Possible(1)]), ("are", &[Sure(2)])],
);

/// In front of a singular noun phrase: *c' est une maison*.
pub(in crate::synthetic) static IT_IS: Expression =
    expression(&["ce", "est"], &[("it", &[Sure(0)]), ("is", &[Sure(1)])]);

/// *où* before *être* and before *est-ce que*.
pub(in crate::synthetic) static WHERE: Expression = word!("où", "where");

/// *pourquoi* and *quand* before *est-ce que*.
pub(in crate::synthetic) static QUESTION_WORDS: &[Expression] = &[
    word!("pourquoi", "why"),
    word!("quand", "when"),
    word!("où", "where"),
];
