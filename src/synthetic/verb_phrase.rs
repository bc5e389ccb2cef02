//! The verb with everything that clings to it: negation, pronouns, auxiliaries, adverbs.

use super::builder::{Builder, English, Handle, Phrase};
use super::lexicon::Agreement;
use super::lexicon::function_words::Clitic;
use super::lexicon::verbs::{ALLER, AVOIR, Auxiliary, ETRE, Frame, POUVOIR, VOULOIR, Verb};

/// Tense, or the verb in front of an infinitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tense {
    /// *il mange*, `he eats`
    Present,
    /// *il a mangé*, `he ate`
    Perfect,
    /// *il va manger*, `he is going to eat`
    Future,
    /// *il veut manger*, `he wants to eat`
    Want,
    /// *il peut manger*, `he can eat`
    Can,
}

/// Negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polarity {
    /// No negation.
    Positive,
    /// *ne … pas*, `not`
    Not,
    /// *ne … jamais*, `never`
    Never,
    /// *ne … plus*, `no longer`
    NoLonger,
}

/// How the sentence asks, if it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    /// It does not: the subject stands first.
    Statement,
    /// With *est-ce que*: the French order stays, the words given belong to the English operator.
    Asked(Vec<Handle>),
    /// With the pronoun given behind the verb.
    Inverted(Handle),
}

/// What a verb group is made of.
#[derive(Clone, Debug)]
pub(super) struct VerbPlan {
    /// The verb.
    pub(super) verb: &'static Verb,
    /// Its tense.
    pub(super) tense: Tense,
    /// Its negation.
    pub(super) polarity: Polarity,
    /// Its subject.
    pub(super) subject: Agreement,
    /// A pronoun object.
    pub(super) clitic: Option<&'static Clitic>,
    /// A direct object in front of the verb, which the participle agrees with.
    pub(super) preceding: Option<Agreement>,
    /// An adverb of frequency, French and English.
    pub(super) frequency: Option<(&'static str, &'static str)>,
    /// Statement or question.
    pub(super) mood: Mood,
}

/// The words of a verb group and of what follows it.
#[derive(Debug, Default)]
pub(super) struct Predicate {
    /// In French.
    pub(super) french: Vec<Handle>,
    /// The English auxiliary that changes places with the subject in a question.
    pub(super) operator: Option<English>,
    /// The other English words.
    pub(super) english: Vec<English>,
}

impl Predicate {
    /// The predicate with a complement behind it.
    pub(super) fn then(mut self, phrase: Phrase) -> Self {
        self.french.extend(phrase.french);
        self.english.extend(phrase.english);
        self
    }

    /// The predicate behind its subject.
    pub(super) fn after(self, subject: Phrase) -> Phrase {
        let mut phrase = subject;
        phrase.french.extend(self.french);
        phrase.english.extend(self.operator);
        phrase.english.extend(self.english);
        phrase
    }

    /// The predicate around its subject, as English questions want it.
    pub(super) fn asked_of(self, subject: Phrase) -> Phrase {
        let mut french = subject.french;
        french.extend(self.french);
        let mut english: Vec<English> = self.operator.into_iter().collect();
        english.extend(subject.english);
        english.extend(self.english);
        Phrase { french, english }
    }
}

/// The French words of a verb group that English words are linked to.
#[derive(Clone, Copy, Debug)]
struct Parts {
    ne: Option<Handle>,
    closing: Option<Handle>,
    clitic: Option<Handle>,
    finite: Handle,
    nonfinite: Option<Handle>,
    frequency: Option<Handle>,
}

impl VerbPlan {
    /// Writes the words of both sides.
    pub(super) fn write(&self, builder: &mut Builder) -> Predicate {
        let closing = match self.polarity {
            Polarity::Positive => None,
            Polarity::Not => Some("pas"),
            Polarity::Never => Some("jamais"),
            Polarity::NoLonger => Some("plus"),
        };
        let parts = Parts {
            ne: closing.map(|_| builder.french("ne")),
            closing: closing.map(|word| builder.french(word)),
            clitic: self.clitic.map(|clitic| builder.french(clitic.french)),
            finite: builder.french(self.finite()),
            nonfinite: self.nonfinite().map(|form| builder.french(form)),
            frequency: self.frequency.map(|(french, _)| builder.french(french)),
        };
        Predicate {
            french: self.french_order(&parts),
            operator: self.operator(&parts),
            english: self.english(&parts),
        }
    }

    fn finite(&self) -> String {
        let verb = match self.tense {
            Tense::Present => self.verb,
            Tense::Perfect if self.verb.auxiliary == Auxiliary::Etre => &ETRE,
            Tense::Perfect => &AVOIR,
            Tense::Future => &ALLER,
            Tense::Want => &VOULOIR,
            Tense::Can => &POUVOIR,
        };
        verb.present(self.subject)
    }

    fn nonfinite(&self) -> Option<String> {
        match self.tense {
            Tense::Present => None,
            Tense::Perfect if self.verb.auxiliary == Auxiliary::Etre => {
                Some(self.verb.participle(Some(self.subject)))
            }
            Tense::Perfect => Some(self.verb.participle(self.preceding)),
            Tense::Future | Tense::Want | Tense::Can => Some(self.verb.infinitive()),
        }
    }

    fn french_order(&self, parts: &Parts) -> Vec<Handle> {
        // The pronoun goes with the verb whose object it is: *il la voit*, *il va la voir*.
        let with_infinitive = !matches!(self.tense, Tense::Present | Tense::Perfect);
        let (early, late) = if with_infinitive {
            (None, parts.clitic)
        } else {
            (parts.clitic, None)
        };
        let inverted = match self.mood {
            Mood::Inverted(pronoun) => Some(pronoun),
            Mood::Statement | Mood::Asked(_) => None,
        };
        let finite = Some(parts.finite);
        [
            parts.ne,
            early,
            finite,
            inverted,
            parts.closing,
            parts.frequency,
            late,
            parts.nonfinite,
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn is_copula(&self) -> bool {
        self.verb.frame == Frame::Copula
    }

    /// Whether English needs *do*.
    fn needs_do(&self) -> bool {
        let asks = self.mood != Mood::Statement;
        !self.is_copula()
            && !matches!(self.tense, Tense::Future | Tense::Can)
            && (asks || self.polarity == Polarity::Not)
    }

    fn operator(&self, parts: &Parts) -> Option<English> {
        let asked = match &self.mood {
            Mood::Asked(words) => words.as_slice(),
            Mood::Statement | Mood::Inverted(_) => &[],
        };
        let word = if self.is_copula() {
            English::new(self.subject.be()).sure(parts.finite)
        } else if self.tense == Tense::Future {
            English::new(self.subject.be()).possible(parts.finite)
        } else if self.tense == Tense::Can {
            English::new("can").sure(parts.finite)
        } else if self.needs_do() {
            let text = match self.tense {
                Tense::Perfect => "did",
                _ if self.subject.is_third_singular() => "does",
                _ => "do",
            };
            English::new(text)
                .possible(parts.finite)
                .possibly(parts.ne)
                .possibly(parts.closing)
        } else {
            return None;
        };
        Some(word.possibly(asked.iter().copied()))
    }

    fn english(&self, parts: &Parts) -> Vec<English> {
        let mut words = self.negation(parts);
        if let (Some((_, text)), Some(handle)) = (self.frequency, parts.frequency) {
            words.push(English::new(text).sure(handle));
        }
        if self.is_copula() {
            return words;
        }
        let [base, _, past] = self.verb.english;
        match (self.tense, parts.nonfinite) {
            (Tense::Perfect, Some(participle)) if self.needs_do() => {
                words.push(English::new(base).sure(participle));
            }
            (Tense::Perfect, Some(participle)) => {
                words.push(English::new(past).sure(participle).possible(parts.finite));
            }
            (Tense::Future, Some(infinitive)) => {
                words.push(English::new("going").sure(parts.finite));
                words.push(English::new("to").possible(infinitive));
                words.push(English::new(base).sure(infinitive));
            }
            (Tense::Want, Some(infinitive)) => {
                words.push(English::new(self.inflected(&VOULOIR)).sure(parts.finite));
                words.push(English::new("to").possible(infinitive));
                words.push(English::new(base).sure(infinitive));
            }
            (Tense::Can, Some(infinitive)) => words.push(English::new(base).sure(infinitive)),
            _ => words.push(English::new(self.inflected(self.verb)).sure(parts.finite)),
        }
        self.add_pronoun(&mut words, parts);
        words
    }

    fn inflected(&self, verb: &'static Verb) -> &'static str {
        let third = self.subject.is_third_singular() && !self.needs_do();
        verb.english[usize::from(third)]
    }

    /// The particle of the verb and the pronoun object, behind the verb.
    fn add_pronoun(&self, words: &mut Vec<English>, parts: &Parts) {
        if let Some(particle) = self.verb.particle {
            let verb = parts.nonfinite.unwrap_or(parts.finite);
            words.push(English::new(particle).possible(verb));
        }
        if let (Some(clitic), Some(handle)) = (self.clitic, parts.clitic) {
            if self.verb.frame == Frame::Dative {
                words.push(English::new("to").possible(handle));
            }
            words.push(English::new(clitic.english).sure(handle));
        }
    }

    fn negation(&self, parts: &Parts) -> Vec<English> {
        let (Some(ne), Some(closing)) = (parts.ne, parts.closing) else {
            return Vec::new();
        };
        match self.polarity {
            Polarity::Positive => Vec::new(),
            Polarity::Not => vec![English::new("not").sure(ne).sure(closing)],
            Polarity::Never => vec![English::new("never").sure(ne).sure(closing)],
            Polarity::NoLonger => vec![
                English::new("no").sure(ne),
                English::new("longer").sure(closing),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::function_words::{RECIPIENTS, SOMEONE};
    use super::super::lexicon::verbs::{OTHERS, TRANSITIVE};
    use super::super::lexicon::{Gender, Number};
    use super::*;

    fn plan(infinitive: &str, tense: Tense, polarity: Polarity) -> VerbPlan {
        let verb = TRANSITIVE
            .iter()
            .chain(OTHERS)
            .find(|verb| verb.infinitive() == infinitive)
            .unwrap();
        VerbPlan {
            verb,
            tense,
            polarity,
            subject: Agreement::third(Gender::Feminine, Number::Singular),
            clitic: None,
            preceding: None,
            frequency: None,
            mood: Mood::Statement,
        }
    }

    fn written(plan: &VerbPlan) -> [String; 3] {
        let mut builder = Builder::default();
        let subject = builder.pair("elle", "she");
        let predicate = plan.write(&mut builder);
        let pair = builder.finish(&predicate.after(subject));
        let (source, target) = (pair.source.join(" "), pair.target.join(" "));
        [source, target, pair.links.to_string()]
    }

    #[test]
    fn a_negated_present_needs_do() {
        assert_eq!(
            written(&plan("lire", Tense::Present, Polarity::Not)),
            [
                "elle ne lit pas",
                "she does not read",
                "0-0 1?1 1-2 2?1 2-3 3?1 3-2",
            ]
        );
    }

    #[test]
    fn a_pronoun_makes_the_participle_agree() {
        let mut plan = plan("chercher", Tense::Perfect, Polarity::Never);
        plan.clitic = SOMEONE.iter().find(|clitic| clitic.english == "her");
        plan.preceding = plan.clitic.map(|clitic| clitic.agreement);
        assert_eq!(
            written(&plan),
            [
                "elle ne l' a jamais cherchée",
                "she never looked for her",
                "0-0 1-1 2-4 3?2 4-1 5-2 5?3",
            ]
        );
    }

    #[test]
    fn a_pronoun_goes_with_its_infinitive() {
        let mut plan = plan("parler", Tense::Future, Polarity::Positive);
        plan.clitic = RECIPIENTS.iter().find(|clitic| clitic.french == "lui");
        assert_eq!(
            written(&plan),
            [
                "elle va lui parler",
                "she is going to speak to him",
                "0-0 1?1 1-2 2?5 2-6 3?3 3-4",
            ]
        );
    }

    #[test]
    fn questions_put_the_operator_first() {
        let mut builder = Builder::default();
        let pronoun = builder.french("-vous");
        let subject = Phrase {
            french: Vec::new(),
            english: vec![English::new("you").sure(pronoun)],
        };
        let mut plan = plan("voir", Tense::Perfect, Polarity::Positive);
        plan.subject.person = super::super::lexicon::Person::Second;
        plan.subject.number = Number::Plural;
        plan.mood = Mood::Inverted(pronoun);
        let phrase = plan.write(&mut builder).asked_of(subject);
        let pair = builder.finish(&phrase);
        assert_eq!(pair.source, ["avez", "-vous", "vu"]);
        assert_eq!(pair.target, ["did", "you", "see"]);
        assert_eq!(pair.links.to_string(), "0?0 1-1 2-2");
    }
}
