//! French conjugation: the present, the infinitive and the past participle.

use super::{Agreement, Gender, Number};

/// The French forms of a verb.
#[derive(Debug)]
pub(super) enum Forms {
    /// First group: stem, and the stem in front of a silent ending (*achet-*, *achèt-*).
    Er(&'static str, &'static str),
    /// Second group (*choisir*): the stem.
    Ir(&'static str),
    /// Third group in *-re* (*vendre*): the stem.
    Re(&'static str),
    /// Infinitive, present and participle.
    Table(&'static str, [&'static str; 6], &'static str),
}

/// Endings of the first group, in the order of [`Agreement::row`].
const ER: [&str; 6] = ["e", "es", "e", "ons", "ez", "ent"];
const IR: [&str; 6] = ["is", "is", "it", "issons", "issez", "issent"];
const RE: [&str; 6] = ["s", "s", "", "ons", "ez", "ent"];

impl Forms {
    /// The present.
    pub(super) fn present(&self, agreement: Agreement) -> String {
        let row = agreement.row();
        match *self {
            Forms::Er(stem, tonic) => {
                let ending = ER[row];
                match ending {
                    // The consonant keeps its sound: *mangeons*, *commençons*.
                    "ons" if stem.ends_with('g') => format!("{stem}eons"),
                    "ons" | "ez" => format!("{stem}{ending}"),
                    _ => format!("{tonic}{ending}"),
                }
            }
            Forms::Ir(stem) => format!("{stem}{}", IR[row]),
            Forms::Re(stem) => format!("{stem}{}", RE[row]),
            Forms::Table(_, present, _) => present[row].to_owned(),
        }
    }

    /// The infinitive.
    pub(super) fn infinitive(&self) -> String {
        match *self {
            Forms::Er(stem, _) => format!("{stem}er"),
            Forms::Ir(stem) => format!("{stem}ir"),
            Forms::Re(stem) => format!("{stem}re"),
            Forms::Table(infinitive, ..) => infinitive.to_owned(),
        }
    }

    /// The past participle, agreeing with `with` or, without it, in its basic form.
    pub(super) fn participle(&self, with: Option<Agreement>) -> String {
        let mut form = match *self {
            Forms::Er(stem, _) => format!("{stem}é"),
            Forms::Ir(stem) => format!("{stem}i"),
            Forms::Re(stem) => format!("{stem}u"),
            Forms::Table(_, _, participle) => participle.to_owned(),
        };
        if let Some(agreement) = with {
            if agreement.gender == Gender::Feminine {
                form.push('e');
            }
            if agreement.number == Number::Plural && !form.ends_with('s') {
                form.push('s');
            }
        }
        form
    }
}

#[cfg(test)]
mod tests {
    use super::super::Person;
    use super::super::verbs::{INTRANSITIVE, OTHERS, TRANSITIVE, Verb};
    use super::*;

    const fn agreement(person: Person, number: Number, gender: Gender) -> Agreement {
        Agreement {
            person,
            number,
            gender,
        }
    }

    fn verb(infinitive: &str) -> &'static Verb {
        let all = INTRANSITIVE.iter().chain(TRANSITIVE).chain(OTHERS);
        all.into_iter()
            .find(|verb| verb.infinitive() == infinitive)
            .unwrap()
    }

    #[test]
    fn the_present_follows_the_spelling_rules() {
        let we = agreement(Person::First, Number::Plural, Gender::Masculine);
        let they = agreement(Person::Third, Number::Plural, Gender::Masculine);
        assert_eq!(verb("manger").present(we), "mangeons");
        assert_eq!(verb("crier").present(we), "crions");
        assert_eq!(verb("acheter").present(we), "achetons");
        assert_eq!(verb("acheter").present(they), "achètent");
        assert_eq!(verb("envoyer").present(they), "envoient");
        assert_eq!(verb("choisir").present(we), "choisissons");
        assert_eq!(verb("vendre").present(they), "vendent");
    }

    #[test]
    fn participles_agree() {
        let she = agreement(Person::Third, Number::Singular, Gender::Feminine);
        let they = agreement(Person::Third, Number::Plural, Gender::Masculine);
        assert_eq!(verb("prendre").participle(Some(she)), "prise");
        assert_eq!(verb("prendre").participle(Some(they)), "pris");
        assert_eq!(verb("écrire").participle(Some(she)), "écrite");
        assert_eq!(verb("partir").participle(Some(they)), "partis");
        assert_eq!(verb("voir").participle(None), "vu");
    }
}
