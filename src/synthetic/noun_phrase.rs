//! Noun phrases: a determiner, adjectives on both sides, a noun or compound, an owner.

use super::builder::{Builder, English, Handle, Phrase};
use super::determiner::Determiner;
use super::dice::Dice;
use super::lexicon::adjectives::{ADJECTIVES, Adjective, Position};
use super::lexicon::function_words::{HER, HIS, NAMES, NUMERALS, POSSESSIVES, Possessive};
use super::lexicon::kinds::{
    ANIMAL, CLOTHES, FIELD, GOAL, KIN, Kinds, LANGUAGE, OBJECT, PARENT, PART, PERSON, TEXT,
    UNOWNED, VEHICLE, WHOLE,
};
use super::lexicon::nouns::{NOUNS, Noun, Tail};
use super::lexicon::{Agreement, Gender, Number};

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

/// What follows *de* behind the head.
#[derive(Debug)]
enum Complement {
    /// *le livre de marie*, `marie 's book`.
    Name(&'static str),
    /// *la voiture du voisin*, `the neighbour 's car`.
    Owner(Box<NounPhrase>),
    /// *la porte de la maison*, `the door of the house`.
    Whole(Box<NounPhrase>),
}

/// A noun phrase that is decided but not yet written.
#[derive(Debug)]
pub(super) struct NounPhrase {
    /// The noun.
    pub(super) noun: &'static Noun,
    number: Number,
    determiner: Determiner,
    before: Option<&'static Adjective>,
    after: Vec<&'static Adjective>,
    complement: Option<Complement>,
}

impl NounPhrase {
    /// Decides on a noun phrase.
    ///
    /// # Panics
    /// If no noun is of the kinds asked for, which is a mistake in the lexicon.
    pub(super) fn draw(dice: &mut Dice, request: Request) -> Self {
        let wanted = |noun: &Noun| {
            noun.is(request.kinds) && request.except.is_none_or(|used| !std::ptr::eq(used, noun))
        };
        let noun = dice.pick_where(NOUNS, wanted);
        let (determiner, number) = draw_determiner(dice, noun, request);
        let mut phrase = Self {
            noun,
            number,
            determiner,
            before: None,
            after: Vec::new(),
            complement: None,
        };
        if request.rich {
            phrase.draw_adjectives(dice);
            phrase.draw_complement(dice);
        }
        phrase
    }

    /// What verbs and adjectives agree with.
    pub(super) const fn agreement(&self) -> Agreement {
        Agreement::third(self.noun.gender, self.number)
    }

    /// Whether it is something known, of which a quality can be told.
    pub(super) const fn is_known(&self) -> bool {
        self.determiner.is_known()
    }

    /// Whether a relative clause behind it would clearly belong to its noun.
    pub(super) const fn takes_relative(&self) -> bool {
        self.complement.is_none()
    }

    fn draw_adjectives(&mut self, dice: &mut Dice) {
        let noun = self.noun;
        if noun.is(LANGUAGE) {
            return;
        }
        // The adjectives of a field name a kind of it; others would need a context.
        let at = |position| {
            move |adjective: &Adjective| {
                adjective.position == position
                    && adjective.suits(noun)
                    && (!noun.is(FIELD) || position == Position::AfterNear)
            }
        };
        let mut draw = |position| dice.try_pick_where(ADJECTIVES, at(position));
        let (before, near, mut far) = (
            draw(Position::Before),
            draw(Position::AfterNear),
            draw(Position::AfterFar),
        );
        if let (Some(first), Some(last)) = (before, far)
            && first.clashes_with(last)
        {
            far = None;
        }
        let after = near.into_iter().chain(far).collect::<Vec<_>>();
        match dice.weighted(&[(32, 0), (18, 1), (28, 2), (12, 3), (10, 4)]) {
            1 => self.before = before,
            2 if !after.is_empty() => self.after = vec![*dice.pick(&after)],
            3 => {
                self.before = before;
                self.after.extend(after.first());
            }
            4 => self.after = after,
            _ => {}
        }
    }

    fn draw_complement(&mut self, dice: &mut Dice) {
        if !matches!(self.determiner, Determiner::Definite) {
            return;
        }
        let noun = self.noun;
        let home = noun.is(WHOLE) && !noun.is(GOAL);
        if noun.is(PART) && dice.chance(35) {
            let request = Request::new(WHOLE, Role::Known).short();
            self.complement = Some(Complement::Whole(Box::new(Self::draw(dice, request))));
        } else if (noun.is(OBJECT | CLOTHES | VEHICLE | KIN | ANIMAL | TEXT) || home)
            && dice.chance(22)
        {
            self.complement = Some(if dice.chance(45) {
                Complement::Name(dice.pick(NAMES).0)
            } else {
                let mut request = Request::new(PERSON, Role::Known).short();
                request.except = Some(noun);
                Complement::Owner(Box::new(Self::draw(dice, request)))
            });
        }
    }

    /// Writes the words of both sides.
    pub(super) fn write(&self, builder: &mut Builder) -> Phrase {
        let agreement = self.agreement();
        let determiner = self
            .determiner
            .words(builder, agreement, self.before.is_some());
        let before = self.before.map(|adjective| {
            let next = self.noun.french(self.number);
            let form = adjective.french_before(agreement, next);
            builder.pair(form, adjective.english)
        });
        let (mut french, mut english) = (determiner.french, Vec::new());
        let mut loose = determiner.loose;
        let before = before.unwrap_or_default();
        french.extend(before.french);
        let (head_french, head_english) = self.write_head(builder);
        french.extend(head_french);

        let owned = matches!(
            self.complement,
            Some(Complement::Name(_) | Complement::Owner(_))
        );
        let complement = self.complement.as_ref().map(|c| c.write(builder));
        let complement = complement.unwrap_or_default();
        french.extend(complement.french);
        // `marie 's book`: the owner takes the place of the article, which is left without a partner.
        if owned {
            loose.extend(french.first().copied());
            english.extend(complement.english.iter().cloned());
        } else {
            english.extend(determiner.english);
        }
        english.extend(before.english);
        english.extend(head_english);
        if let Some(noun) = english.pop() {
            english.push(noun.possibly(loose));
        }
        if !owned {
            english.extend(complement.english);
        }
        Phrase { french, english }
    }

    /// Noun, tail of the compound and adjectives behind it; English has all of them in front.
    fn write_head(&self, builder: &mut Builder) -> (Vec<Handle>, Vec<English>) {
        let head = builder.french(self.noun.french(self.number));
        let mut noun = English::new(self.noun.english(self.number)).sure(head);
        let mut front: Vec<English> = self.noun.front.iter().map(|&w| English::new(w)).collect();
        let mut french = vec![head];
        for &(text, partner) in self.noun.tail {
            let word = builder.french(text);
            french.push(word);
            match (partner, front.first_mut()) {
                (Tail::Front(place), _) => front[place] = front[place].clone().sure(word),
                (Tail::Glue, Some(first)) => *first = first.clone().possible(word),
                (Tail::Glue, None) => noun = noun.possible(word),
                (Tail::Fused, _) => noun = noun.sure(word),
            }
        }
        let agreement = self.agreement();
        let mut english = Vec::new();
        for adjective in &self.after {
            let phrase = builder.pair(adjective.french(agreement), adjective.english);
            french.extend(phrase.french);
            english.splice(0..0, phrase.english);
        }
        english.extend(front);
        english.push(noun);
        (french, english)
    }
}

impl Complement {
    /// *de* and what follows; in English `of` and what follows, or the owner and `'s`.
    fn write(&self, builder: &mut Builder) -> Phrase {
        let of = builder.french("de");
        let inner = match self {
            Self::Name(name) => builder.pair(name, name),
            Self::Owner(phrase) | Self::Whole(phrase) => phrase.write(builder),
        };
        let mut french = vec![of];
        french.extend(inner.french);
        let mut english = inner.english;
        if matches!(self, Self::Whole(_)) {
            english.insert(0, English::new("of").sure(of));
        } else {
            english.push(English::new("'s").sure(of));
        }
        Phrase { french, english }
    }
}

fn draw_possessive(dice: &mut Dice, holder: Option<Gender>) -> Determiner {
    let possessive: &'static Possessive = match holder {
        Some(Gender::Masculine) if dice.chance(60) => &HIS,
        Some(Gender::Feminine) if dice.chance(60) => &HER,
        _ => &POSSESSIVES[dice.below(POSSESSIVES.len())],
    };
    Determiner::Possessive(possessive)
}

/// A determiner and the number that it asks for.
fn draw_determiner(dice: &mut Dice, noun: &Noun, request: Request) -> (Determiner, Number) {
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
    // Quantities do not go well with a negation.
    let quantity = usize::from(request.role != Role::NegatedObject);
    let numeral = &NUMERALS[dice.below(NUMERALS.len())];
    dice.weighted(&[
        (34, (Determiner::Definite, Singular)),
        (12, (Determiner::Definite, Plural)),
        (18, (Determiner::Indefinite, Singular)),
        (6, (Determiner::Indefinite, Plural)),
        (11, (possessive, Singular)),
        (4, (possessive, Plural)),
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
