//! Determiners: articles, possessives, demonstratives, numerals and quantities.

use super::builder::{Builder, English, Handle};
use super::lexicon::function_words::Possessive;
use super::lexicon::{Agreement, Gender, Number};

/// What stands in front of a noun.
#[derive(Clone, Copy, Debug)]
pub(super) enum Determiner {
    /// Nothing: *traduction automatique*.
    Bare,
    /// *le chat*, `the cat`.
    Definite,
    /// A French article that English leaves out: *l' anglais*, `english`.
    ZeroDefinite,
    /// *un chat*, `a cat`; *des chats*, `some cats`.
    Indefinite,
    /// *du pain*, `some bread`.
    Partitive,
    /// After a negation: *de pain*, `any bread`.
    Negated,
    /// *mon chat*, `my cat`.
    Possessive(&'static Possessive),
    /// *ce chat*, `this cat`; *ces chats*, `these cats`.
    Demonstrative,
    /// *deux chats*, `two cats`.
    Numeral(&'static (&'static str, &'static str)),
    /// *les deux chats*, `the two cats`.
    DefiniteNumeral(&'static (&'static str, &'static str)),
    /// *plusieurs chats*, `several cats`.
    Several,
    /// *quelques chats*, `a few cats`.
    Few,
    /// *tous les chats*, `all the cats`.
    All,
    /// *beaucoup de chats*, `many cats`.
    Many,
    /// *chaque chat*, `each cat`.
    Each,
}

/// The words of a determiner.
#[derive(Debug, Default)]
pub(super) struct DeterminerWords {
    /// In French.
    pub(super) french: Vec<Handle>,
    /// In English, with links.
    pub(super) english: Vec<English>,
    /// French words without an English counterpart; they belong to the noun.
    pub(super) loose: Vec<Handle>,
}

/// The definite article, not elided.
pub(super) const fn article(agreement: Agreement) -> &'static str {
    match (agreement.number, agreement.gender) {
        (Number::Plural, _) => "les",
        (_, Gender::Masculine) => "le",
        (_, Gender::Feminine) => "la",
    }
}

/// The form of three (masculine, feminine, plural) that agrees.
const fn of_three(forms: [&'static str; 3], agreement: Agreement) -> &'static str {
    match (agreement.number, agreement.gender) {
        (Number::Plural, _) => forms[2],
        (_, Gender::Masculine) => forms[0],
        (_, Gender::Feminine) => forms[1],
    }
}

impl Determiner {
    /// Its words, agreeing with the noun; `adjective_next` says that an adjective stands before the
    /// noun, which turns *des* into *de*.
    pub(super) fn words(
        self,
        builder: &mut Builder,
        agreement: Agreement,
        adjective_next: bool,
    ) -> DeterminerWords {
        let plural = agreement.number == Number::Plural;
        let mut one = |french: &'static str, english: &'static str| {
            let phrase = builder.pair(french, english);
            DeterminerWords {
                french: phrase.french,
                english: phrase.english,
                loose: Vec::new(),
            }
        };
        match self {
            Self::Bare => DeterminerWords::default(),
            Self::Definite => one(article(agreement), "the"),
            Self::Indefinite if plural && adjective_next => one("de", "some"),
            Self::Indefinite if plural => one("des", "some"),
            Self::Indefinite => one(of_three(["un", "une", "des"], agreement), "a"),
            Self::Negated => one("de", "any"),
            Self::Possessive(words) => one(of_three(words.french, agreement), words.english),
            Self::Demonstrative => {
                let english = if plural { "these" } else { "this" };
                one(of_three(["ce", "cette", "ces"], agreement), english)
            }
            Self::Numeral((french, english)) => one(french, english),
            Self::Several => one("plusieurs", "several"),
            Self::Each => one("chaque", "each"),
            Self::ZeroDefinite
            | Self::Partitive
            | Self::DefiniteNumeral(_)
            | Self::Few
            | Self::All
            | Self::Many => self.uneven_words(builder, agreement),
        }
    }

    /// The words of the determiners that are not one word for one word.
    fn uneven_words(self, builder: &mut Builder, agreement: Agreement) -> DeterminerWords {
        let mut words = DeterminerWords::default();
        match self {
            Self::ZeroDefinite => {
                let the = builder.french(article(agreement));
                words.french.push(the);
                words.loose.push(the);
            }
            Self::Partitive => {
                let (of, the) = (builder.french("de"), builder.french(article(agreement)));
                words.french.extend([of, the]);
                words
                    .english
                    .push(English::new("some").sure(of).possible(the));
            }
            Self::DefiniteNumeral((french, english)) => {
                let (the, number) = (builder.french("les"), builder.french(*french));
                words.french.extend([the, number]);
                words.english.push(English::new("the").sure(the));
                words.english.push(English::new(*english).sure(number));
            }
            Self::Few => {
                let few = builder.french("quelques");
                words.french.push(few);
                words.english.push(English::new("a").sure(few));
                words.english.push(English::new("few").sure(few));
            }
            Self::All => {
                let form = of_three(
                    ["tous", "toutes", ""],
                    Agreement::third(agreement.gender, Number::Singular),
                );
                let (all, the) = (builder.french(form), builder.french("les"));
                words.french.extend([all, the]);
                words.english.push(English::new("all").sure(all));
                words.english.push(English::new("the").sure(the));
            }
            _ => {
                let (many, of) = (builder.french("beaucoup"), builder.french("de"));
                words.french.extend([many, of]);
                words
                    .english
                    .push(English::new("many").sure(many).possible(of));
            }
        }
        words
    }

    /// Whether it stands for something known.
    pub(super) const fn is_known(self) -> bool {
        matches!(
            self,
            Self::Definite
                | Self::ZeroDefinite
                | Self::Possessive(_)
                | Self::Demonstrative
                | Self::DefiniteNumeral(_)
                | Self::All
        )
    }

    /// Whether another determiner has to replace it in a negated object (*ne … pas de pain*).
    pub(super) const fn is_indefinite(self) -> bool {
        matches!(self, Self::Indefinite | Self::Partitive)
    }
}
