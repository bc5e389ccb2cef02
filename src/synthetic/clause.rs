//! Clauses: a subject and what is said of it.

use super::builder::Phrase;
use super::lexicon::function_words::{Clitic, FREQUENCY, HERE, SOMEONE, SOMETHING};
use super::lexicon::kinds::{
    ANIMAL, CLOTHES, DRINK, FIELD, FOOD, Kinds, OBJECT, PART, PERSON, PLACE, PLANT, SURFACE, TASK,
    TECH, TEXT, VEHICLE,
};
use super::lexicon::verbs::{Aspect, Frame, INTRANSITIVE, PronounSense, TRANSITIVE, Verb};
use super::noun_phrase::NounPhrase;
use super::orthography::french_vowel_sound;
use super::request::{Request, Role};
use super::verb_phrase::{Mood, Polarity, Predicate, Tense, VerbPlan};
use super::writer::{Spot, Subject, Writer};

/// What is described but does not act.
const THINGS: Kinds = FOOD
    | DRINK
    | TEXT
    | OBJECT
    | VEHICLE
    | PLACE
    | SURFACE
    | CLOTHES
    | PLANT
    | TECH
    | FIELD
    | PART
    | TASK;

/// What is said of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Topic {
    Action,
    Object,
    Quality,
    Occupation,
    State,
    Age,
    Recipient,
    Speech,
    Motion,
    Residence,
    Location,
    Possession,
}

/// Topics with their weights for a person.
const OF_PEOPLE: [(usize, Topic); 12] = [
    (14, Topic::Action),
    (36, Topic::Object),
    (9, Topic::Quality),
    (6, Topic::Occupation),
    (3, Topic::State),
    (2, Topic::Age),
    (11, Topic::Recipient),
    (6, Topic::Speech),
    (4, Topic::Motion),
    (2, Topic::Residence),
    (2, Topic::Location),
    (5, Topic::Possession),
];

/// Topics with their weights for an animal.
const OF_ANIMALS: [(usize, Topic); 5] = [
    (32, Topic::Action),
    (34, Topic::Object),
    (22, Topic::Quality),
    (4, Topic::State),
    (8, Topic::Location),
];

/// How much a clause may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// No adverbs, no places, objects without adjectives.
    Small,
    /// Anything.
    Full,
}

impl Writer<'_> {
    /// A statement with a subject of any kind.
    pub(super) fn statement(&mut self, size: Size) -> Phrase {
        let subject = self.any_subject(size);
        let predicate = self.predicate(&subject, Mood::Statement, size);
        predicate.after(subject.phrase)
    }

    /// A subject: people and animals act, things are described.
    pub(super) fn any_subject(&mut self, size: Size) -> Subject {
        if size == Size::Small {
            return self.short_subject();
        }
        let kinds = self
            .dice
            .weighted(&[(56, PERSON), (20, ANIMAL), (3, VEHICLE), (21, THINGS)]);
        self.subject(kinds)
    }

    /// What is said of a subject.
    pub(super) fn predicate(&mut self, subject: &Subject, mood: Mood, size: Size) -> Predicate {
        let topic = if subject.kinds & PERSON != 0 {
            self.dice.weighted(&OF_PEOPLE)
        } else if subject.kinds & ANIMAL != 0 {
            self.dice.weighted(&OF_ANIMALS)
        } else if subject.kinds & VEHICLE != 0 && self.dice.chance(30) {
            Topic::Action
        } else if subject.kinds & (OBJECT | TEXT | VEHICLE) != 0 && self.dice.chance(25) {
            Topic::Location
        } else {
            Topic::Quality
        };
        let topic = match topic {
            // *un chat est noir* says little: what is new acts.
            Topic::Quality | Topic::Location | Topic::Occupation if !subject.known => Topic::Action,
            topic => topic,
        };
        match topic {
            Topic::Action => self.action(subject, mood, size),
            Topic::Object => self.object_clause(subject, mood, size),
            Topic::Quality => self.quality(subject, mood),
            Topic::Occupation => self.occupation(subject, mood),
            Topic::State => self.state(subject, mood),
            Topic::Age => self.age(subject, mood),
            Topic::Recipient => self.recipient(subject, mood),
            Topic::Speech => self.speech(subject, mood),
            Topic::Motion => self.motion(subject, mood, size),
            Topic::Residence => self.residence(subject, mood),
            Topic::Location => self.location(subject, mood),
            Topic::Possession => self.possession(subject, mood),
        }
    }

    /// A plan with a drawn tense and negation.
    pub(super) fn plan(&mut self, verb: &'static Verb, subject: &Subject, mood: Mood) -> VerbPlan {
        let willing =
            usize::from(subject.kinds & (PERSON | ANIMAL) != 0 && verb.aspect == Aspect::Action);
        let tense = self.dice.weighted(&[
            (56, Tense::Present),
            (27, Tense::Perfect),
            (8, Tense::Future),
            (5 * willing, Tense::Want),
            (4 * willing, Tense::Can),
        ]);
        let mut plan = self.present_plan(verb, subject, mood);
        plan.tense = tense;
        match tense {
            Tense::Present => {
                let actual = plan.polarity == Polarity::Positive && verb.aspect != Aspect::State;
                if actual && self.dice.chance(14) {
                    plan.frequency = Some(*self.dice.pick(FREQUENCY));
                }
            }
            Tense::Perfect if plan.polarity == Polarity::NoLonger => plan.polarity = Polarity::Not,
            Tense::Perfect => {}
            _ if plan.polarity == Polarity::Positive => {}
            _ => plan.polarity = Polarity::Not,
        }
        plan
    }

    /// A plan in the present with a drawn negation.
    pub(super) fn present_plan(
        &mut self,
        verb: &'static Verb,
        subject: &Subject,
        mood: Mood,
    ) -> VerbPlan {
        let polarity = if mood == Mood::Statement {
            self.dice.weighted(&[
                (72, Polarity::Positive),
                (20, Polarity::Not),
                (4, Polarity::Never),
                (4, Polarity::NoLonger),
            ])
        } else {
            Polarity::Positive
        };
        VerbPlan {
            verb,
            tense: Tense::Present,
            polarity,
            subject: subject.agreement,
            clitic: None,
            preceding: None,
            frequency: None,
            mood,
        }
    }

    /// A time behind the predicate, now and then.
    pub(super) fn with_time(
        &mut self,
        predicate: Predicate,
        plan: &VerbPlan,
        size: Size,
    ) -> Predicate {
        let timeless = plan.frequency.is_some()
            || plan.verb.aspect == Aspect::State
            || matches!(plan.polarity, Polarity::Never | Polarity::NoLonger);
        if timeless || size == Size::Small || !self.dice.chance(28) {
            return predicate;
        }
        let time = self.time(plan.tense);
        predicate.then(time)
    }

    /// *le chat dort dans le jardin*
    pub(super) fn action(&mut self, subject: &Subject, mood: Mood, size: Size) -> Predicate {
        let verb = self
            .dice
            .pick_where(INTRANSITIVE, |verb| verb.subjects & subject.kinds != 0);
        let plan = self.plan(verb, subject, mood);
        let mut predicate = plan.write(&mut self.builder);
        if size == Size::Full && subject.kinds & (PERSON | ANIMAL) != 0 {
            let extra = match self.dice.weighted(&[(55, 0), (30, 1), (8, 2), (7, 3)]) {
                1 => self.place(subject.noun(), Spot::of(subject.kinds)),
                2 if subject.kinds & PERSON != 0 => self.company(subject.noun()),
                3 => self.builder.expression(&HERE),
                _ => Phrase::default(),
            };
            predicate = predicate.then(extra);
        }
        self.with_time(predicate, &plan, size)
    }

    /// *le chien mange une pomme*, *il la mange*
    pub(super) fn object_clause(&mut self, subject: &Subject, mood: Mood, size: Size) -> Predicate {
        let verb = self
            .dice
            .pick_where(TRANSITIVE, |verb| verb.subjects & subject.kinds != 0);
        let mut plan = self.plan(verb, subject, mood);
        if self.dice.chance(28) {
            plan.clitic = self.object_pronoun(&plan, subject);
        }
        if let Some(clitic) = plan.clitic {
            plan.preceding = Some(clitic.agreement);
            let predicate = plan.write(&mut self.builder);
            return self.with_time(predicate, &plan, size);
        }
        let predicate = plan.write(&mut self.builder);
        let object = self.object(verb, subject, plan.polarity, size);
        self.with_time(predicate.then(object), &plan, size)
    }

    /// A pronoun object whose English rendering the French sentence decides.
    fn object_pronoun(&mut self, plan: &VerbPlan, subject: &Subject) -> Option<&'static Clitic> {
        let clitic = match plan.verb.pronouns? {
            PronounSense::Someone => self.dice.pick(SOMEONE),
            PronounSense::Something => self.dice.pick(SOMETHING),
        };
        // *il l' aime* may be him or her; with a participle (*il l' a aimée*) the ending tells.
        let host = match plan.tense {
            Tense::Present => plan.verb.present(plan.subject),
            Tense::Perfect => "x".to_owned(),
            Tense::Future | Tense::Want | Tense::Can => plan.verb.infinitive(),
        };
        let hidden = matches!(clitic.french, "le" | "la")
            && plan.verb.pronouns == Some(PronounSense::Someone)
            && french_vowel_sound(&host);
        let reflexive = subject.is_reflexive_with(clitic.agreement.person);
        (!hidden && !reflexive).then_some(clitic)
    }

    /// A direct object, as the verb and the negation want it.
    pub(super) fn object(
        &mut self,
        verb: &Verb,
        subject: &Subject,
        polarity: Polarity,
        size: Size,
    ) -> Phrase {
        let (Frame::Transitive(kinds) | Frame::Ditransitive(kinds)) = verb.frame else {
            return Phrase::default();
        };
        let role = match (verb.aspect, polarity) {
            // One loves *la musique* and does not love *la musique*, never *de la musique*.
            (Aspect::State, _) => Role::Described,
            (_, Polarity::Positive) => Role::Object,
            _ => Role::NegatedObject,
        };
        let mut request = Request::new(kinds, role);
        request.rich = size == Size::Full;
        request.except = subject.noun();
        request.holder = subject.holder();
        let phrase = NounPhrase::draw(self.dice, request);
        let words = phrase.write(&mut self.builder);
        let relative = size == Size::Full
            && polarity == Polarity::Positive
            && phrase.takes_relative()
            && phrase.noun.is(PERSON | ANIMAL)
            && self.dice.chance(12);
        if relative {
            let clause = self.relative_clause(&phrase);
            return words.then(clause);
        }
        words
    }

    /// A relative clause that describes a noun phrase.
    pub(super) fn relative_clause(&mut self, head: &NounPhrase) -> Phrase {
        let alive = head.noun.is(PERSON | ANIMAL);
        if alive && self.dice.chance(60) {
            let english = if head.noun.is(PERSON) { "who" } else { "that" };
            let who = self.who(english, head.agreement(), head.noun.kinds);
            let predicate = if self.dice.chance(50) {
                self.action(&who, Mood::Statement, Size::Small)
            } else {
                self.object_clause(&who, Mood::Statement, Size::Small)
            };
            return predicate.after(who.phrase);
        }
        let fits =
            |verb: &Verb| matches!(verb.frame, Frame::Transitive(kinds) if head.noun.is(kinds));
        let Some(verb) = self.dice.try_pick_where(TRANSITIVE, fits) else {
            let who = self.who("that", head.agreement(), head.noun.kinds);
            return self.quality(&who, Mood::Statement).after(who.phrase);
        };
        let that = self.builder.pair("que", "that");
        let subject = loop {
            let subject = self.short_subject();
            if subject.kinds & verb.subjects != 0 {
                break subject;
            }
        };
        let mut plan = self.plan(verb, &subject, Mood::Statement);
        plan.preceding = Some(head.agreement());
        let predicate = plan.write(&mut self.builder);
        that.then(predicate.after(subject.phrase))
    }
}
