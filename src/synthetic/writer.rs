//! The writer of one sentence: its dice and its builder, and the subjects and places it adds.

use super::builder::{Builder, English, Phrase};
use super::dice::Dice;
use super::lexicon::function_words::{AND, NAMES, PAST, PREPOSITIONS, PRONOUNS, Pronoun, WITH};
use super::lexicon::function_words::{FUTURE, NOW};
use super::lexicon::kinds::{ANIMAL, DRINK, FOOD, Kinds, OBJECT, PERSON, SURFACE, TEXT, VEHICLE};
use super::lexicon::nouns::Noun;
use super::lexicon::{Agreement, Gender, Number, Person};
use super::noun_phrase::NounPhrase;
use super::request::{Request, Role};
use super::verb_phrase::Tense;

/// Writes one sentence.
#[derive(Debug)]
pub(super) struct Writer<'d> {
    /// The choices.
    pub(super) dice: &'d mut Dice,
    /// The French words so far.
    pub(super) builder: Builder,
}

/// Who or what a clause is about.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// The words.
    pub(super) phrase: Phrase,
    /// What the verb agrees with.
    pub(super) agreement: Agreement,
    /// What kind of thing it is.
    pub(super) kinds: Kinds,
    /// What it consists of, which decides what may refer to it.
    pub(super) form: SubjectForm,
    /// Whether it is something known, of which more can be said.
    pub(super) known: bool,
}

/// Where a thing may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// Everywhere: cats, books.
    Anywhere,
    /// Too big for the table: people, cars.
    Around,
    /// On the table or under it: food.
    OnFurniture,
}

impl Spot {
    /// Where what is of these kinds may be.
    pub(super) const fn of(kinds: Kinds) -> Self {
        if kinds & (FOOD | DRINK) != 0 {
            Self::OnFurniture
        } else if kinds & (ANIMAL | OBJECT | TEXT) != 0 {
            Self::Anywhere
        } else {
            Self::Around
        }
    }
}

/// The form of a subject.
#[derive(Clone, Copy, Debug)]
pub(super) enum SubjectForm {
    /// A personal pronoun.
    Pronoun(&'static Pronoun),
    /// A first name.
    Name(&'static str),
    /// A noun phrase with this noun.
    Noun(&'static Noun),
    /// Several nouns, a relative or an interrogative pronoun.
    Other,
}

impl Subject {
    /// The gender of *il* and *elle*, after which *son* means *his* and *her*.
    pub(super) const fn holder(&self) -> Option<Gender> {
        match (self.form, self.agreement.number) {
            (SubjectForm::Pronoun(pronoun), Number::Singular) => pronoun.gender,
            _ => None,
        }
    }

    /// Its noun.
    pub(super) const fn noun(&self) -> Option<&'static Noun> {
        match self.form {
            SubjectForm::Noun(noun) => Some(noun),
            _ => None,
        }
    }

    /// Whether an object pronoun of this person would mean the subject itself.
    pub(super) fn is_reflexive_with(&self, person: Person) -> bool {
        person != Person::Third && person == self.agreement.person
    }
}

impl Writer<'_> {
    /// A subject of these kinds.
    pub(super) fn subject(&mut self, kinds: Kinds) -> Subject {
        let choice = if kinds & PERSON == 0 {
            4
        } else {
            self.dice.weighted(&[(38, 1), (11, 2), (4, 3), (47, 4)])
        };
        match choice {
            1 => self.pronoun_subject(),
            2 => self.name_subject(),
            3 => self.coordinated_subject(),
            _ => {
                let acts = kinds & (PERSON | ANIMAL | VEHICLE) == kinds;
                let role = if acts { Role::Plain } else { Role::Described };
                let phrase = NounPhrase::draw(self.dice, Request::new(kinds, role));
                self.noun_subject(&phrase)
            }
        }
    }

    /// A short subject: a pronoun, a name or a noun without adjectives.
    pub(super) fn short_subject(&mut self) -> Subject {
        match self.dice.weighted(&[(55, 1), (20, 2), (25, 3)]) {
            1 => self.pronoun_subject(),
            2 => self.name_subject(),
            _ => {
                let request = Request::new(PERSON | ANIMAL, Role::Plain).short();
                let phrase = NounPhrase::draw(self.dice, request);
                self.noun_subject(&phrase)
            }
        }
    }

    /// A noun phrase as the subject.
    pub(super) fn noun_subject(&mut self, phrase: &NounPhrase) -> Subject {
        Subject {
            phrase: phrase.write(&mut self.builder),
            agreement: phrase.agreement(),
            kinds: phrase.noun.kinds,
            form: SubjectForm::Noun(phrase.noun),
            known: phrase.is_known(),
        }
    }

    fn pronoun_subject(&mut self) -> Subject {
        // Nouns give the third person practice enough; the others have only their pronouns.
        let third = self.dice.chance(42);
        let pronoun = self.dice.pick_where(PRONOUNS, |pronoun| {
            (pronoun.person == Person::Third) == third
        });
        let phrase = self.builder.pair(pronoun.french, pronoun.english);
        self.pronoun_with(pronoun, phrase)
    }

    /// A pronoun whose words stand already.
    pub(super) fn pronoun_with(&mut self, pronoun: &'static Pronoun, phrase: Phrase) -> Subject {
        let gender = pronoun.gender.unwrap_or_else(|| self.gender());
        Subject {
            phrase,
            agreement: Agreement {
                person: pronoun.person,
                number: pronoun.number,
                gender,
            },
            kinds: PERSON,
            form: SubjectForm::Pronoun(pronoun),
            known: true,
        }
    }

    fn name_subject(&mut self) -> Subject {
        let &(name, gender) = self.dice.pick(NAMES);
        Subject {
            phrase: self.builder.pair(name, name),
            agreement: Agreement::third(gender, Number::Singular),
            kinds: PERSON,
            form: SubjectForm::Name(name),
            known: true,
        }
    }

    /// Two people or animals.
    fn coordinated_subject(&mut self) -> Subject {
        let kind = if self.dice.chance(50) { PERSON } else { ANIMAL };
        let first = if kind == PERSON && self.dice.chance(50) {
            self.name_subject()
        } else {
            self.short_noun_subject(kind, None)
        };
        let second = self.short_noun_subject(kind, first.noun());
        // One man among them makes the group masculine.
        let feminine = [first.agreement, second.agreement]
            .iter()
            .all(|agreement| agreement.gender == Gender::Feminine);
        let gender = if feminine {
            Gender::Feminine
        } else {
            Gender::Masculine
        };
        let and = self.builder.expression(&AND);
        Subject {
            phrase: first.phrase.then(and).then(second.phrase),
            agreement: Agreement::third(gender, Number::Plural),
            kinds: kind,
            form: SubjectForm::Other,
            known: true,
        }
    }

    fn short_noun_subject(&mut self, kinds: Kinds, except: Option<&'static Noun>) -> Subject {
        let mut request = Request::new(kinds, Role::Plain).short();
        request.except = except;
        let phrase = NounPhrase::draw(self.dice, request);
        self.noun_subject(&phrase)
    }

    fn gender(&mut self) -> Gender {
        if self.dice.chance(50) {
            Gender::Masculine
        } else {
            Gender::Feminine
        }
    }

    /// A place: *sous la table*.
    pub(super) fn place(&mut self, except: Option<&'static Noun>, spot: Spot) -> Phrase {
        let (preposition, kinds) = self
            .dice
            .pick_where(PREPOSITIONS, |&(_, kinds)| match spot {
                Spot::Anywhere => true,
                Spot::Around => kinds != SURFACE,
                Spot::OnFurniture => kinds == SURFACE,
            });
        let mut request = Request::new(*kinds, Role::Known);
        request.rich = self.dice.chance(25);
        request.except = except;
        let phrase = NounPhrase::draw(self.dice, request);
        let preposition = self.builder.expression(preposition);
        preposition.then(phrase.write(&mut self.builder))
    }

    /// Company: *avec mon frère*.
    pub(super) fn company(&mut self, except: Option<&'static Noun>) -> Phrase {
        let mut request = Request::new(PERSON, Role::Plain).short();
        request.except = except;
        let phrase = NounPhrase::draw(self.dice, request);
        let with = self.builder.expression(&WITH);
        with.then(phrase.write(&mut self.builder))
    }

    /// A time that goes with a tense.
    pub(super) fn time(&mut self, tense: Tense) -> Phrase {
        let times = match tense {
            Tense::Present => NOW,
            Tense::Perfect => PAST,
            Tense::Future | Tense::Want | Tense::Can => FUTURE,
        };
        self.builder.expression(self.dice.pick(times))
    }

    /// The pair of marks that both sides share.
    pub(super) fn mark(&mut self, mark: &'static str) -> Phrase {
        self.builder.pair(mark, mark)
    }

    /// A relative or interrogative *qui*, agreeing with what it stands for.
    pub(super) fn who(
        &mut self,
        english: &'static str,
        agreement: Agreement,
        kinds: Kinds,
    ) -> Subject {
        let handle = self.builder.french("qui");
        Subject {
            phrase: Phrase {
                french: vec![handle],
                english: vec![English::new(english).sure(handle)],
            },
            agreement,
            kinds,
            form: SubjectForm::Other,
            known: true,
        }
    }
}
