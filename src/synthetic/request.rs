//! What noun phrase is wanted where, and the determiner that fits there.

use super::determiner::Determiner;
use super::dice::Dice;
use super::lexicon::function_words::{HER, HIS, NUMERALS, POSSESSIVES, Possessive};
use super::lexicon::kinds::{FIELD, KIN, Kinds, PARENT, UNOWNED};
use super::lexicon::nouns::Noun;
use super::lexicon::{Gender, Number};

/// Where a noun phrase stands, which decides its determiners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// In front of the verb, or after a preposition.
    Plain,
    /// In front of *être*, which tells something of what is known.
    Described,
    /// A direct object.
    Object,
    /// A direct object after *ne … pas*.
    NegatedObject,
    /// A whole sentence without a verb.
    Fragment,
    /// Something new, after *il y a*.
    Introduced,
    /// One known thing, after *où est* or *de*.
    Known,
}

/// What noun phrase is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    /// The noun is of one of these kinds.
    pub(super) kinds: Kinds,
    /// Where it stands.
    pub(super) role: Role,
    /// Whether adjectives and owners may be added.
    pub(super) rich: bool,
    /// The noun that the clause has already used.
    pub(super) except: Option<&'static Noun>,
    /// The gender of a pronoun subject in the third person singular, whose *son* is known.
    pub(super) holder: Option<Gender>,
}

impl Request {
    /// A rich noun phrase.
    pub(super) const fn new(kinds: Kinds, role: Role) -> Self {
        Self {
            kinds,
            role,
            rich: true,
            except: None,
            holder: None,
        }
    }

    /// The request without adjectives and owners.
    pub(super) const fn short(mut self) -> Self {
        self.rich = false;
        self
    }
}

fn draw_possessive(dice: &mut Dice, holder: Option<Gender>) -> Determiner {
    let possessive: &'static Possessive = match holder {
        Some(Gender::Masculine) if dice.chance(85) => &HIS,
        Some(Gender::Feminine) if dice.chance(85) => &HER,
        _ => &POSSESSIVES[dice.below(POSSESSIVES.len())],
    };
    Determiner::Possessive(possessive)
}

/// A determiner and the number that it asks for.
pub(super) fn draw_determiner(
    dice: &mut Dice,
    noun: &Noun,
    request: Request,
) -> (Determiner, Number) {
    let role = request.role;
    if noun.is(FIELD) {
        let bare = role == Role::Fragment && dice.chance(60);
        let determiner = if bare {
            Determiner::Bare
        } else {
            Determiner::ZeroDefinite
        };
        return (determiner, Number::Singular);
    }
    let (determiner, number) = match role {
        Role::Known if noun.is(KIN) => (draw_possessive(dice, request.holder), Number::Singular),
        Role::Known => (Determiner::Definite, Number::Singular),
        Role::Introduced => draw_new(dice, noun),
        _ => draw_any(dice, noun, request),
    };
    let number = if noun.mass { Number::Singular } else { number };
    let owned = matches!(determiner, Determiner::Possessive(_));
    match role {
        Role::NegatedObject if determiner.is_indefinite() && noun.mass => {
            (Determiner::Negated, number)
        }
        Role::NegatedObject if determiner.is_indefinite() => (Determiner::Negated, Number::Plural),
        Role::Described if !determiner.is_known() => (Determiner::Definite, number),
        // *ma femme* and *ma fille* are not the woman and the girl.
        _ if owned && noun.is(UNOWNED) => (Determiner::Definite, number),
        _ if owned && noun.is(PARENT) => (determiner, Number::Singular),
        _ => (determiner, number),
    }
}

/// A determiner for something new: indefinite or a quantity.
fn draw_new(dice: &mut Dice, noun: &Noun) -> (Determiner, Number) {
    use Number::{Plural, Singular};
    if noun.mass {
        return (Determiner::Partitive, Singular);
    }
    let numeral = &NUMERALS[dice.below(NUMERALS.len())];
    dice.weighted(&[
        (40, (Determiner::Indefinite, Singular)),
        (20, (Determiner::Indefinite, Plural)),
        (20, (Determiner::Numeral(numeral), Plural)),
        (7, (Determiner::Several, Plural)),
        (6, (Determiner::Few, Plural)),
        (7, (Determiner::Many, Plural)),
    ])
}

/// A determiner for a subject, an object or a fragment.
fn draw_any(dice: &mut Dice, noun: &Noun, request: Request) -> (Determiner, Number) {
    use Number::{Plural, Singular};
    let possessive = draw_possessive(dice, request.holder);
    if noun.is(KIN) && dice.chance(55) {
        let several = !noun.is(PARENT) && dice.chance(20);
        let number = if several { Plural } else { Singular };
        return (possessive, number);
    }
    let object = matches!(request.role, Role::Object | Role::NegatedObject);
    if noun.mass {
        let some = if object { 45 } else { 0 };
        let determiner = dice.weighted(&[
            (some, Determiner::Partitive),
            (35, Determiner::Definite),
            (12, possessive),
            (8, Determiner::Demonstrative),
        ]);
        return (determiner, Singular);
    }
    // *son* needs its practice in the few places where it may stand.
    let owned = if request.holder.is_some() { 3 } else { 1 };
    // Quantities do not go well with a negation.
    let quantity = usize::from(request.role != Role::NegatedObject);
    let numeral = &NUMERALS[dice.below(NUMERALS.len())];
    dice.weighted(&[
        (34, (Determiner::Definite, Singular)),
        (12, (Determiner::Definite, Plural)),
        (24, (Determiner::Indefinite, Singular)),
        (6, (Determiner::Indefinite, Plural)),
        (11 * owned, (possessive, Singular)),
        (4 * owned, (possessive, Plural)),
        (7, (Determiner::Demonstrative, Singular)),
        (3, (Determiner::Demonstrative, Plural)),
        (5 * quantity, (Determiner::Numeral(numeral), Plural)),
        (2, (Determiner::DefiniteNumeral(numeral), Plural)),
        (2 * quantity, (Determiner::Several, Plural)),
        (2 * quantity, (Determiner::Few, Plural)),
        (2 * quantity, (Determiner::All, Plural)),
        (2 * quantity, (Determiner::Many, Plural)),
        (2 * quantity, (Determiner::Each, Singular)),
    ])
}
