//! Whole sentences: fragments, statements, questions, and their final marks.

use super::builder::{English, Phrase};
use super::clause::Size;
use super::lexicon::function_words::{
    CONJUNCTIONS, HERE_ARE, HERE_IS, IT_IS, PRONOUNS, QUESTION_WORDS, THERE_ARE, THERE_IS, WHERE,
};
use super::lexicon::kinds::{
    ANIMAL, CLOTHES, FIELD, FOOD, Kinds, NEURAL, OBJECT, PERSON, PLACE, TECH, TEXT, VEHICLE,
};
use super::lexicon::verbs::{Aspect, ETRE, TRANSITIVE};
use super::lexicon::{Agreement, Gender, Number, Person};
use super::noun_phrase::NounPhrase;
use super::request::{Request, Role};
use super::verb_phrase::{Mood, Polarity, Tense, VerbPlan};
use super::writer::{Spot, Subject, Writer};

/// Every noun.
const ANYTHING: Kinds = !0;
/// What one points at.
const VISIBLE: Kinds = PERSON | ANIMAL | OBJECT | VEHICLE | TEXT | CLOTHES | FOOD;

/// The forms of a sentence.
#[derive(Clone, Copy, Debug)]
enum Form {
    Fragment,
    Statement,
    Described,
    TwoClauses,
    TimeFirst,
    Presentation,
    Question,
}

impl Writer<'_> {
    /// A whole sentence with its final mark, if it has one.
    pub(super) fn sentence(&mut self) -> Phrase {
        let form = self.dice.weighted(&[
            (17, Form::Fragment),
            (47, Form::Statement),
            (6, Form::Described),
            (6, Form::TwoClauses),
            (4, Form::TimeFirst),
            (6, Form::Presentation),
            (14, Form::Question),
        ]);
        let (phrase, marked) = match form {
            Form::Fragment => (self.fragment(), 25),
            Form::Statement => (self.statement(Size::Full), 60),
            Form::Described => (self.described(), 60),
            Form::TwoClauses => (self.two_clauses(), 60),
            Form::TimeFirst => (self.time_first(), 60),
            Form::Presentation => (self.presentation(), 60),
            Form::Question => {
                let question = self.question();
                return question.then(self.mark("?"));
            }
        };
        if self.dice.chance(marked) {
            phrase.then(self.mark("."))
        } else {
            phrase
        }
    }

    /// A noun phrase alone: *traduction automatique neuronale*, *le chat noir*.
    fn fragment(&mut self) -> Phrase {
        let kinds = self
            .dice
            .weighted(&[(52, ANYTHING), (8, FIELD), (28, NEURAL), (12, TECH)]);
        let phrase = NounPhrase::draw(self.dice, Request::new(kinds, Role::Fragment));
        let words = phrase.write(&mut self.builder);
        if !phrase.takes_relative() || phrase.noun.is(FIELD) {
            return words;
        }
        match self.dice.weighted(&[(76, 0), (14, 1), (10, 2)]) {
            1 => {
                let clause = self.relative_clause(&phrase);
                words.then(clause)
            }
            2 if phrase.noun.is(OBJECT | TEXT | ANIMAL) => {
                words.then(self.place(Some(phrase.noun), Spot::of(phrase.noun.kinds)))
            }
            _ => words,
        }
    }

    /// *le chat qui dort est noir*
    fn described(&mut self) -> Phrase {
        let kinds = self.dice.weighted(&[(60, PERSON | ANIMAL), (40, VISIBLE)]);
        let request = Request::new(kinds, Role::Plain).short();
        let head = NounPhrase::draw(self.dice, request);
        let mut subject = self.noun_subject(&head);
        let clause = self.relative_clause(&head);
        subject.phrase = subject.phrase.then(clause);
        let predicate = self.quality(&subject, Mood::Statement);
        predicate.after(subject.phrase)
    }

    /// *le chat dort et marie lit un livre*
    fn two_clauses(&mut self) -> Phrase {
        let first = self.statement(Size::Small);
        let and = self.builder.expression(self.dice.pick(CONJUNCTIONS));
        let second = self.statement(Size::Small);
        first.then(and).then(second)
    }

    /// *hier , le chat a dormi*
    fn time_first(&mut self) -> Phrase {
        let tense = self
            .dice
            .weighted(&[(55, Tense::Perfect), (45, Tense::Future)]);
        let time = self.time(tense);
        let comma = self.mark(",");
        let subject = self.short_subject();
        let predicate = self.told_at(&subject, tense);
        time.then(comma).then(predicate)
    }

    /// A transitive clause in a given tense.
    fn told_at(&mut self, subject: &Subject, tense: Tense) -> Phrase {
        let verb = self.dice.pick_where(TRANSITIVE, |verb| {
            verb.subjects & subject.kinds != 0 && verb.aspect != Aspect::State
        });
        let plan = VerbPlan {
            verb,
            tense,
            polarity: Polarity::Positive,
            subject: subject.agreement,
            clitic: None,
            preceding: None,
            frequency: None,
            mood: Mood::Statement,
        };
        let predicate = plan.write(&mut self.builder);
        let object = self.object(verb, subject, Polarity::Positive, Size::Small);
        predicate.then(object).after(subject.phrase.clone())
    }

    /// *voici le chat*, *il y a un chat dans le jardin*, *c' est mon chat*
    fn presentation(&mut self) -> Phrase {
        match self.dice.below(3) {
            0 => {
                let shown = NounPhrase::draw(self.dice, Request::new(VISIBLE, Role::Described));
                let opening = self.by_number(&shown, [&HERE_IS, &HERE_ARE]);
                opening.then(shown.write(&mut self.builder))
            }
            1 => {
                let kinds = VISIBLE & !CLOTHES;
                let new = NounPhrase::draw(self.dice, Request::new(kinds, Role::Introduced));
                let opening = self.by_number(&new, [&THERE_IS, &THERE_ARE]);
                let words = new.write(&mut self.builder);
                let spot = Spot::of(new.noun.kinds);
                opening.then(words).then(self.place(Some(new.noun), spot))
            }
            _ => loop {
                let role = self
                    .dice
                    .weighted(&[(60, Role::Described), (40, Role::Introduced)]);
                let request = Request::new(VISIBLE & !FOOD | PLACE, role);
                let one = NounPhrase::draw(self.dice, request);
                if one.agreement().number == Number::Singular {
                    let opening = self.builder.expression(&IT_IS);
                    break opening.then(one.write(&mut self.builder));
                }
            },
        }
    }

    /// The singular or the plural of an opening.
    fn by_number(
        &mut self,
        phrase: &NounPhrase,
        openings: [&super::lexicon::function_words::Expression; 2],
    ) -> Phrase {
        let plural = phrase.agreement().number == Number::Plural;
        self.builder.expression(openings[usize::from(plural)])
    }

    /// A question without its mark.
    fn question(&mut self) -> Phrase {
        match self
            .dice
            .weighted(&[(34, 0), (20, 1), (14, 2), (12, 3), (12, 4), (8, 5)])
        {
            0 => self.yes_or_no(),
            1 => self.inversion(),
            2 => self.open_question(),
            3 => self.where_is(),
            4 => self.who_does(),
            _ => self.what_question(),
        }
    }

    /// *est-ce que le chat dort*
    fn yes_or_no(&mut self) -> Phrase {
        let words = ["est", "-ce", "que"].map(|word| self.builder.french(word));
        let subject = self.any_subject(Size::Full);
        let predicate = self.predicate(&subject, Mood::Asked(words.to_vec()), Size::Full);
        let mut phrase = predicate.asked_of(subject.phrase);
        phrase.french.splice(0..0, words);
        phrase
    }

    /// *parlez-vous anglais*
    fn inversion(&mut self) -> Phrase {
        let polite = self.dice.chance(60);
        let french = if polite { "-vous" } else { "-tu" };
        let handle = self.builder.french(french);
        let phrase = Phrase {
            french: Vec::new(),
            english: vec![English::new("you").sure(handle)],
        };
        let number = if polite {
            Number::Plural
        } else {
            Number::Singular
        };
        let pronoun = self.dice.pick_where(PRONOUNS, |pronoun| {
            pronoun.person == Person::Second && pronoun.number == number
        });
        let subject = self.pronoun_with(pronoun, phrase);
        let predicate = self.predicate(&subject, Mood::Inverted(handle), Size::Full);
        predicate.asked_of(subject.phrase)
    }

    /// *pourquoi est-ce que le chat dort*
    fn open_question(&mut self) -> Phrase {
        let word = self.builder.expression(self.dice.pick(QUESTION_WORDS));
        let words = ["est", "-ce", "que"].map(|word| self.builder.french(word));
        let subject = self.short_subject();
        let mood = Mood::Asked(words.to_vec());
        let predicate = if self.dice.chance(50) {
            self.action(&subject, mood, Size::Small)
        } else {
            self.object_clause(&subject, mood, Size::Small)
        };
        let mut rest = predicate.asked_of(subject.phrase);
        rest.french.splice(0..0, words);
        word.then(rest)
    }

    /// *où est le chat*
    fn where_is(&mut self) -> Phrase {
        let word = self.builder.expression(&WHERE);
        let mut request = Request::new(VISIBLE & !FOOD | PLACE, Role::Known);
        request.rich = self.dice.chance(60);
        let thing = NounPhrase::draw(self.dice, request);
        let be = self.builder.french(ETRE.present(thing.agreement()));
        let is = Phrase {
            french: vec![be],
            english: vec![English::new(thing.agreement().be()).sure(be)],
        };
        word.then(is).then(thing.write(&mut self.builder))
    }

    /// *qui mange la pomme*
    fn who_does(&mut self) -> Phrase {
        let agreement = Agreement::third(Gender::Masculine, Number::Singular);
        let who = self.who("who", agreement, PERSON);
        let predicate = self.predicate(&who, Mood::Statement, Size::Full);
        predicate.after(who.phrase)
    }

    /// *qu' est-ce que le chat mange*
    fn what_question(&mut self) -> Phrase {
        let words = ["que", "est", "-ce", "que"].map(|word| self.builder.french(word));
        let what = English::new("what")
            .sure(words[0])
            .possibly(words[1..].iter().copied());
        let subject = self.short_subject();
        let verb = self
            .dice
            .pick_where(TRANSITIVE, |verb| verb.subjects & subject.kinds != 0);
        let mut plan = self.plan(verb, &subject, Mood::Asked(Vec::new()));
        plan.frequency = None;
        let predicate = plan.write(&mut self.builder);
        let rest = predicate.asked_of(subject.phrase);
        let mut phrase = Phrase {
            french: words.to_vec(),
            english: vec![what],
        };
        phrase = phrase.then(rest);
        phrase
    }
}
