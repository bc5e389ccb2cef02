//! Predicates around *être* and *avoir*, and verbs with a recipient or a destination.

use super::builder::{English, Phrase};
use super::clause::Size;
use super::lexicon::Number;
use super::lexicon::adjectives::{ADJECTIVES, Adjective, Position};
use super::lexicon::function_words::{
    AT, DEGREES, HERE, IN_LANGUAGE, NAMES, NUMERALS, RECIPIENTS, STATES, TO, TOWNS,
};
use super::lexicon::kinds::{GOAL, KIN, LANGUAGE, PERSON};
use super::lexicon::nouns::{JOBS, NOUNS};
use super::lexicon::verbs::{ALLER, AVOIR, AVOIR_STATE, ETRE, Frame, OTHERS};
use super::noun_phrase::NounPhrase;
use super::request::{Request, Role};
use super::verb_phrase::{Mood, Polarity, Predicate};
use super::writer::{Spot, Subject, SubjectForm, Writer};

impl Writer<'_> {
    /// *la maison blanche est grande*
    pub(super) fn quality(&mut self, subject: &Subject, mood: Mood) -> Predicate {
        let adjective = self.predicate_adjective(subject);
        let plan = self.present_plan(&ETRE, subject, mood);
        let mut predicate = plan.write(&mut self.builder);
        let gradable = adjective.position != Position::AfterNear;
        if gradable && self.dice.chance(20) {
            let degree = self.builder.expression(self.dice.pick(DEGREES));
            predicate = predicate.then(degree);
        }
        let form = adjective.french(subject.agreement);
        predicate.then(self.builder.pair(form, adjective.english))
    }

    /// An adjective that the subject does not have yet.
    fn predicate_adjective(&mut self, subject: &Subject) -> &'static Adjective {
        let words = &subject.phrase.english;
        let used = |adjective: &Adjective| {
            let clashes = |other: &&Adjective| {
                adjective.clashes_with(other) && words.iter().any(|word| word.is(other.english))
            };
            ADJECTIVES.iter().any(|other| clashes(&other))
        };
        let person = |adjective: &Adjective| {
            adjective.kinds & PERSON != 0 && adjective.position != Position::Before
        };
        let suits = |adjective: &Adjective| match subject.noun() {
            Some(noun) => adjective.suits(noun),
            None if subject.kinds & PERSON != 0 => person(adjective),
            None => adjective.kinds & subject.kinds != 0,
        };
        let fresh = |adjective: &Adjective| suits(adjective) && !used(adjective);
        self.dice
            .try_pick_where(ADJECTIVES, fresh)
            .unwrap_or_else(|| self.dice.pick_where(ADJECTIVES, suits))
    }

    /// *je suis étudiant*: English adds an article that only the noun can answer for.
    pub(super) fn occupation(&mut self, subject: &Subject, mood: Mood) -> Predicate {
        if subject.noun().is_some_and(|noun| !noun.is(KIN)) {
            return self.quality(subject, mood);
        }
        let plan = self.present_plan(&ETRE, subject, mood);
        let mut predicate = plan.write(&mut self.builder);
        let job = self.dice.pick(JOBS);
        let form = job.french[subject.agreement.gender as usize];
        let plural = subject.agreement.number == Number::Plural;
        let suffix = if plural { "s" } else { "" };
        let noun = self.builder.french(format!("{form}{suffix}"));
        predicate.french.push(noun);
        if !plural {
            predicate.english.push(English::new("a").possible(noun));
        }
        let english = English::new(format!("{}{suffix}", job.english)).sure(noun);
        predicate.english.push(english);
        predicate
    }

    /// *j' ai faim*, `i am hungry`
    pub(super) fn state(&mut self, subject: &Subject, mood: Mood) -> Predicate {
        let plan = self.present_plan(&AVOIR_STATE, subject, mood);
        let predicate = plan.write(&mut self.builder);
        let &(french, english) = self.dice.pick(STATES);
        predicate.then(self.builder.pair(french, english))
    }

    /// *il a dix ans*, `he is ten years old`
    pub(super) fn age(&mut self, subject: &Subject, mood: Mood) -> Predicate {
        let plan = self.present_plan(&AVOIR_STATE, subject, mood);
        let predicate = plan.write(&mut self.builder);
        let &(french, english) = self.dice.pick(NUMERALS);
        let number = self.builder.pair(french, english);
        let years = self.builder.french("ans");
        predicate.then(number).then(Phrase {
            french: vec![years],
            english: vec![
                English::new("years").sure(years),
                English::new("old").possible(years),
            ],
        })
    }

    /// *elle parle à paul*, *elle lui donne une pomme*
    pub(super) fn recipient(&mut self, subject: &Subject, mood: Mood) -> Predicate {
        let verb = self.dice.pick_where(OTHERS, |verb| {
            matches!(verb.frame, Frame::Dative | Frame::Ditransitive(_))
        });
        let mut plan = self.plan(verb, subject, mood);
        let clitic = self.dice.pick(RECIPIENTS);
        if self.dice.chance(50) && !subject.is_reflexive_with(clitic.agreement.person) {
            plan.clitic = Some(clitic);
        }
        let mut predicate = plan.write(&mut self.builder);
        let object = self.object(verb, subject, plan.polarity, Size::Small);
        predicate = predicate.then(object);
        if plan.clitic.is_none() {
            let person = self.someone_else(subject);
            let to = self.builder.expression(&TO);
            predicate = predicate.then(to).then(person);
        }
        self.with_time(predicate, &plan, Size::Full)
    }

    /// A person who is not the subject.
    fn someone_else(&mut self, subject: &Subject) -> Phrase {
        let &(name, _) = self.dice.pick_where(
            NAMES,
            |&(name, _)| !matches!(subject.form, SubjectForm::Name(used) if used == name),
        );
        if self.dice.chance(40) {
            return self.builder.pair(name, name);
        }
        let mut request = Request::new(PERSON, Role::Plain).short();
        request.except = subject.noun();
        NounPhrase::draw(self.dice, request).write(&mut self.builder)
    }

    /// *elle parle anglais*, *elle répond en anglais*
    pub(super) fn speech(&mut self, subject: &Subject, mood: Mood) -> Predicate {
        let frame = self
            .dice
            .weighted(&[(75, Frame::Speech), (25, Frame::Dative)]);
        let verb = self.dice.pick_where(OTHERS, |verb| verb.frame == frame);
        let plan = self.plan(verb, subject, mood);
        let mut predicate = plan.write(&mut self.builder);
        if frame == Frame::Dative {
            predicate = predicate.then(self.builder.expression(&IN_LANGUAGE));
        }
        let language = self.dice.pick_where(NOUNS, |noun| noun.is(LANGUAGE));
        let (french, english) = (
            language.french(Number::Singular),
            language.english(Number::Singular),
        );
        let predicate = predicate.then(self.builder.pair(french, english));
        self.with_time(predicate, &plan, Size::Full)
    }

    /// *il va à l' école*
    pub(super) fn motion(&mut self, subject: &Subject, mood: Mood, size: Size) -> Predicate {
        let plan = self.plan(&ALLER, subject, mood);
        let predicate = plan.write(&mut self.builder);
        let predicate = predicate.then(self.builder.expression(&TO));
        let goal = if self.dice.chance(40) {
            self.town()
        } else {
            let request = Request::new(GOAL, Role::Known).short();
            NounPhrase::draw(self.dice, request).write(&mut self.builder)
        };
        self.with_time(predicate.then(goal), &plan, size)
    }

    fn town(&mut self) -> Phrase {
        let &(french, english) = self.dice.pick(TOWNS);
        self.builder.pair(french, english)
    }

    /// *elle habite à lyon*
    pub(super) fn residence(&mut self, subject: &Subject, mood: Mood) -> Predicate {
        let verb = self
            .dice
            .pick_where(OTHERS, |verb| verb.frame == Frame::Residence);
        let plan = self.plan(verb, subject, mood);
        let predicate = plan.write(&mut self.builder);
        if self.dice.chance(20) {
            return predicate.then(self.builder.expression(&HERE));
        }
        let predicate = predicate.then(self.builder.expression(&AT));
        predicate.then(self.town())
    }

    /// *le livre est sur la table*
    pub(super) fn location(&mut self, subject: &Subject, mood: Mood) -> Predicate {
        let plan = self.present_plan(&ETRE, subject, mood);
        let predicate = plan.write(&mut self.builder);
        predicate.then(self.place(subject.noun(), Spot::of(subject.kinds)))
    }

    /// *il a un chat*, *il n' a pas de chat*
    pub(super) fn possession(&mut self, subject: &Subject, mood: Mood) -> Predicate {
        let plan = self.present_plan(&AVOIR, subject, mood);
        let predicate = plan.write(&mut self.builder);
        let Frame::Transitive(kinds) = AVOIR.frame else {
            return predicate;
        };
        let role = if plan.polarity == Polarity::Positive {
            Role::Introduced
        } else {
            Role::NegatedObject
        };
        let mut request = Request::new(kinds, role);
        request.except = subject.noun();
        let object = NounPhrase::draw(self.dice, request);
        predicate.then(object.write(&mut self.builder))
    }
}
