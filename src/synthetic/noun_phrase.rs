//! Noun phrases: a determiner, adjectives on both sides, a noun or compound, an owner.

use super::builder::{Builder, English, Handle, Phrase};
use super::determiner::Determiner;
use super::dice::Dice;
use super::lexicon::adjectives::{ADJECTIVES, Adjective, Position};
use super::lexicon::function_words::NAMES;
use super::lexicon::kinds::{
    ANIMAL, CLOTHES, FIELD, GOAL, KIN, LANGUAGE, OBJECT, PART, PERSON, TEXT, VEHICLE, WHOLE,
};
use super::lexicon::nouns::{NOUNS, Noun, Tail};
use super::lexicon::{Agreement, Number};
use super::orthography::english_vowel_sound;
use super::request::{Request, Role, draw_determiner};

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
        // A pair such as *une pomme*, `an apple` and *une pomme rouge*, `a red apple` is rare by chance.
        let vowel_first = request.rich && dice.chance(25);
        let noun = vowel_first
            .then(|| dice.try_pick_where(NOUNS, |noun| wanted(noun) && takes_an(noun)))
            .flatten()
            .unwrap_or_else(|| dice.pick_where(NOUNS, wanted));
        let (mut determiner, mut number) = draw_determiner(dice, noun, request);
        let free = matches!(
            request.role,
            Role::Object | Role::Introduced | Role::Fragment
        );
        if vowel_first && free && takes_an(noun) && !noun.mass && dice.chance(60) {
            (determiner, number) = (Determiner::Indefinite, Number::Singular);
        }
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
        let article =
            matches!(self.determiner, Determiner::Indefinite) && self.number == Number::Singular;
        let vowel_first = article && dice.chance(20);
        // The adjectives of a field name a kind of it; others would need a context.
        let at = |position| {
            move |adjective: &Adjective| {
                adjective.position == position
                    && adjective.suits(noun)
                    && (!vowel_first || english_vowel_sound(adjective.english))
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
        // The English article agrees with the word next to it, which an adjective may change.
        let plain = if article && takes_an(noun) { 10 } else { 32 };
        match dice.weighted(&[(plain, 0), (18, 1), (28, 2), (12, 3), (10, 4)]) {
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

/// Whether English has `an` in front of the noun when no adjective stands between.
fn takes_an(noun: &Noun) -> bool {
    let first = noun.front.first().copied();
    !noun.is(FIELD) && english_vowel_sound(first.unwrap_or(noun.english(Number::Singular)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::lexicon::Gender;

    fn noun(french: &str, tail: usize, gender: Gender) -> &'static Noun {
        let fits = |noun: &&Noun| {
            noun.french(Number::Singular) == french
                && noun.tail.len() == tail
                && noun.gender == gender
        };
        NOUNS.iter().find(fits).unwrap()
    }

    fn adjective(english: &str) -> &'static Adjective {
        let fits = |adjective: &&Adjective| adjective.english == english;
        ADJECTIVES.iter().find(fits).unwrap()
    }

    fn plain(noun: &'static Noun, number: Number, determiner: Determiner) -> NounPhrase {
        NounPhrase {
            noun,
            number,
            determiner,
            before: None,
            after: Vec::new(),
            complement: None,
        }
    }

    fn written(phrase: &NounPhrase) -> [String; 3] {
        let mut builder = Builder::default();
        let words = phrase.write(&mut builder);
        let pair = builder.finish(&words);
        let (source, target) = (pair.source.join(" "), pair.target.join(" "));
        [source, target, pair.links.to_string()]
    }

    #[test]
    fn adjectives_stand_on_both_sides_of_the_french_noun() {
        let house = noun("maison", 0, Gender::Feminine);
        let mut phrase = plain(house, Number::Singular, Determiner::Definite);
        phrase.before = Some(adjective("big"));
        phrase.after = vec![adjective("white"), adjective("clean")];
        assert_eq!(
            written(&phrase),
            [
                "la grande maison blanche propre",
                "the big clean white house",
                "0-0 1-1 2-4 3-3 4-2",
            ]
        );
    }

    #[test]
    fn compounds_turn_around() {
        let translation = noun("traduction", 1, Gender::Feminine);
        let mut phrase = plain(translation, Number::Singular, Determiner::Bare);
        phrase.after = vec![adjective("neural")];
        assert_eq!(
            written(&phrase),
            [
                "traduction automatique neuronale",
                "neural machine translation",
                "0-2 1-1 2-0",
            ]
        );
        let potato = noun("pomme", 2, Gender::Feminine);
        let phrase = plain(potato, Number::Plural, Determiner::Indefinite);
        assert_eq!(
            written(&phrase),
            ["des pommes de terre", "some potatoes", "0-0 1-1 2?1 3-1"]
        );
    }

    #[test]
    fn owners_go_in_front_in_english() {
        let book = noun("livre", 0, Gender::Masculine);
        let mut phrase = plain(book, Number::Singular, Determiner::Definite);
        phrase.after = vec![adjective("red")];
        phrase.complement = Some(Complement::Name("marie"));
        assert_eq!(
            written(&phrase),
            [
                "le livre rouge de marie",
                "marie 's red book",
                "0?3 1-3 2-2 3-1 4-0",
            ]
        );
        let friend = noun("ami", 0, Gender::Masculine);
        let owner = plain(friend, Number::Singular, Determiner::Definite);
        phrase.complement = Some(Complement::Owner(Box::new(owner)));
        phrase.after.clear();
        assert_eq!(
            written(&phrase),
            [
                "le livre de l' ami",
                "the friend 's book",
                "0?3 1-3 2-2 3-0 4-1"
            ]
        );
    }

    #[test]
    fn liaison_forms_stand_before_a_vowel() {
        let tree = noun("arbre", 0, Gender::Masculine);
        let mut phrase = plain(tree, Number::Singular, Determiner::Demonstrative);
        phrase.before = Some(adjective("beautiful"));
        assert_eq!(written(&phrase)[0], "ce bel arbre");
        phrase.number = Number::Plural;
        phrase.determiner = Determiner::Indefinite;
        let [french, english, _] = written(&phrase);
        assert_eq!(french, "de beaux arbres");
        assert_eq!(english, "some beautiful trees");
    }
}
