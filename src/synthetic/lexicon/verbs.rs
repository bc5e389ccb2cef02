//! Verbs: what they mean and what they go with.

use super::Agreement;
use super::conjugation::Forms;
use super::kinds::{
    ANIMAL, CHILD, CLOTHES, DRINK, DRIVEN, FIELD, FOOD, GOAL, KIN, Kinds, LANGUAGE, OBJECT,
    OPENABLE, PERSON, PLACE, PLANT, SOUND, TASK, TECH, TEXT, TRAINABLE, VEHICLE,
};

/// What stands after a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::synthetic) enum Frame {
    /// Nothing, or a place: *le chat dort dans le jardin*.
    Intransitive,
    /// A direct object of these kinds.
    Transitive(Kinds),
    /// A direct object of these kinds and a recipient: *il donne une pomme à marie*.
    Ditransitive(Kinds),
    /// A person after *à*: *elle parle à paul*.
    Dative,
    /// A bare language: *elle parle anglais*.
    Speech,
    /// A destination after *à*: *il va à l' école*.
    Motion,
    /// A town or a place that one lives in.
    Residence,
    /// A predicate (*être*).
    Copula,
}

/// What the object pronouns *le, la, l'* of a verb stand for in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::synthetic) enum PronounSense {
    /// *him* and *her*, and *me*, *you*, *us* are possible too.
    Someone,
    /// *it*.
    Something,
}

/// What kind of happening a verb tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::synthetic) enum Aspect {
    /// Something one does, and may want to do.
    Action,
    /// Something that happens to one: nobody *veut tomber*.
    Event,
    /// Something that lasts: it takes no adverb of time either.
    State,
}

/// The auxiliary of the passé composé.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::synthetic) enum Auxiliary {
    /// *il a mangé*
    Avoir,
    /// *il est parti*, and the participle agrees with the subject.
    Etre,
}

/// A verb.
#[derive(Debug)]
pub(in crate::synthetic) struct Verb {
    forms: Forms,
    /// The auxiliary of its passé composé.
    pub(in crate::synthetic) auxiliary: Auxiliary,
    /// English base form, third person singular, simple past.
    pub(in crate::synthetic) english: [&'static str; 3],
    /// English particle or preposition: *look* **for**.
    pub(in crate::synthetic) particle: Option<&'static str>,
    /// What stands after it.
    pub(in crate::synthetic) frame: Frame,
    /// Who does it.
    pub(in crate::synthetic) subjects: Kinds,
    /// What its object pronouns mean; `None`: it has no object pronouns.
    pub(in crate::synthetic) pronouns: Option<PronounSense>,
    /// What kind of happening it is.
    pub(in crate::synthetic) aspect: Aspect,
}

impl Verb {
    /// The present.
    pub(in crate::synthetic) fn present(&self, agreement: Agreement) -> String {
        self.forms.present(agreement)
    }

    /// The infinitive.
    pub(in crate::synthetic) fn infinitive(&self) -> String {
        self.forms.infinitive()
    }

    /// The past participle, agreeing with `with` or, without it, in its basic form.
    pub(in crate::synthetic) fn participle(&self, with: Option<Agreement>) -> String {
        self.forms.participle(with)
    }

    const fn with(forms: Forms, english: [&'static str; 3], frame: Frame, subjects: Kinds) -> Self {
        Self {
            forms,
            auxiliary: Auxiliary::Avoir,
            english,
            particle: None,
            frame,
            subjects,
            pronouns: None,
            aspect: Aspect::Action,
        }
    }

    const fn particle(mut self, particle: &'static str) -> Self {
        self.particle = Some(particle);
        self
    }

    const fn etre(mut self) -> Self {
        self.auxiliary = Auxiliary::Etre;
        self
    }

    const fn someone(mut self) -> Self {
        self.pronouns = Some(PronounSense::Someone);
        self
    }

    const fn state(mut self) -> Self {
        self.aspect = Aspect::State;
        self
    }

    const fn event(mut self) -> Self {
        self.aspect = Aspect::Event;
        self
    }

    const fn something(mut self) -> Self {
        self.pronouns = Some(PronounSense::Something);
        self
    }
}

/// A verb of the first group.
const fn er(stem: &'static str, english: [&'static str; 3], frame: Frame, subjects: Kinds) -> Verb {
    Verb::with(Forms::Er(stem, stem), english, frame, subjects)
}

/// A verb of the first group with a second stem.
const fn er2(
    stems: [&'static str; 2],
    english: [&'static str; 3],
    frame: Frame,
    subjects: Kinds,
) -> Verb {
    Verb::with(Forms::Er(stems[0], stems[1]), english, frame, subjects)
}

/// A regular verb in *-re*.
const fn re(stem: &'static str, english: [&'static str; 3], frame: Frame, subjects: Kinds) -> Verb {
    Verb::with(Forms::Re(stem), english, frame, subjects)
}

/// An irregular verb.
const fn irregular(
    infinitive: &'static str,
    present: [&'static str; 6],
    participle: &'static str,
    english: [&'static str; 3],
    frame: Frame,
    subjects: Kinds,
) -> Verb {
    let forms = Forms::Table(infinitive, present, participle);
    Verb::with(forms, english, frame, subjects)
}

use Frame::{Copula, Dative, Ditransitive, Intransitive, Motion, Residence, Speech, Transitive};

const LIVING: Kinds = PERSON | ANIMAL;
const MOVER: Kinds = PERSON | VEHICLE;
const GOODS: Kinds = OBJECT | CLOTHES | VEHICLE;
const STUDY: Kinds = LANGUAGE | TASK;

const AVOIR_PRESENT: [&str; 6] = ["ai", "as", "a", "avons", "avez", "ont"];

/// *être*, the copula and an auxiliary.
pub(in crate::synthetic) static ETRE: Verb = irregular(
    "être",
    ["suis", "es", "est", "sommes", "êtes", "sont"],
    "été",
    ["be", "is", "was"],
    Copula,
    !0,
);

/// *avoir*, the auxiliary and *to have*.
pub(in crate::synthetic) static AVOIR: Verb = irregular(
    "avoir",
    AVOIR_PRESENT,
    "eu",
    ["have", "has", "had"],
    Transitive(OBJECT | VEHICLE | ANIMAL | CLOTHES | KIN),
    PERSON,
)
.state();

/// *avoir* where English has *to be*: *j' ai faim*, *il a dix ans*.
pub(in crate::synthetic) static AVOIR_STATE: Verb = irregular(
    "avoir",
    AVOIR_PRESENT,
    "eu",
    ["be", "is", "was"],
    Copula,
    !0,
);

/// *aller*, the auxiliary of the near future and *to go*.
pub(in crate::synthetic) static ALLER: Verb = irregular(
    "aller",
    ["vais", "vas", "va", "allons", "allez", "vont"],
    "allé",
    ["go", "goes", "went"],
    Motion,
    LIVING,
)
.etre();

/// *vouloir* before an infinitive.
pub(in crate::synthetic) static VOULOIR: Verb = irregular(
    "vouloir",
    ["veux", "veux", "veut", "voulons", "voulez", "veulent"],
    "voulu",
    ["want", "wants", "wanted"],
    Intransitive,
    LIVING,
);

/// *pouvoir* before an infinitive.
pub(in crate::synthetic) static POUVOIR: Verb = irregular(
    "pouvoir",
    ["peux", "peux", "peut", "pouvons", "pouvez", "peuvent"],
    "pu",
    ["can", "can", "could"],
    Intransitive,
    LIVING,
);

/// Verbs without a direct object.
#[rustfmt::skip]
pub(in crate::synthetic) static INTRANSITIVE: &[Verb] = &[
    irregular("dormir", ["dors", "dors", "dort", "dormons", "dormez", "dorment"], "dormi", ["sleep", "sleeps", "slept"], Intransitive, LIVING),
    irregular("courir", ["cours", "cours", "court", "courons", "courez", "courent"], "couru", ["run", "runs", "ran"], Intransitive, LIVING),
    er("march", ["walk", "walks", "walked"], Intransitive, LIVING),
    er("jou", ["play", "plays", "played"], Intransitive, LIVING),
    er("cri", ["shout", "shouts", "shouted"], Intransitive, PERSON),
    er("saut", ["jump", "jumps", "jumped"], Intransitive, LIVING),
    er("chant", ["sing", "sings", "sang"], Intransitive, PERSON),
    er("dans", ["dance", "dances", "danced"], Intransitive, PERSON),
    er("travaill", ["work", "works", "worked"], Intransitive, PERSON),
    er("pleur", ["cry", "cries", "cried"], Intransitive, PERSON).event(),
    er("tomb", ["fall", "falls", "fell"], Intransitive, LIVING).etre().event(),
    er("arriv", ["arrive", "arrives", "arrived"], Intransitive, MOVER).etre(),
    er("rest", ["stay", "stays", "stayed"], Intransitive, LIVING).etre(),
    irregular("partir", ["pars", "pars", "part", "partons", "partez", "partent"], "parti", ["leave", "leaves", "left"], Intransitive, MOVER).etre(),
];

/// Verbs with a direct object.
#[rustfmt::skip]
pub(in crate::synthetic) static TRANSITIVE: &[Verb] = &[
    er("mang", ["eat", "eats", "ate"], Transitive(FOOD), LIVING).something(),
    er("prépar", ["prepare", "prepares", "prepared"], Transitive(FOOD | DRINK), PERSON).something(),
    irregular("boire", ["bois", "bois", "boit", "buvons", "buvez", "boivent"], "bu", ["drink", "drinks", "drank"], Transitive(DRINK), LIVING).something(),
    er2(["achet", "achèt"], ["buy", "buys", "bought"], Transitive(FOOD | GOODS | DRINK | TEXT), PERSON).something(),
    re("vend", ["sell", "sells", "sold"], Transitive(FOOD | GOODS | DRINK), PERSON).something(),
    irregular("lire", ["lis", "lis", "lit", "lisons", "lisez", "lisent"], "lu", ["read", "reads", "read"], Transitive(TEXT), PERSON).something(),
    irregular("écrire", ["écris", "écris", "écrit", "écrivons", "écrivez", "écrivent"], "écrit", ["write", "writes", "wrote"], Transitive(TEXT), PERSON).something(),
    irregular("voir", ["vois", "vois", "voit", "voyons", "voyez", "voient"], "vu", ["see", "sees", "saw"], Transitive(LIVING | VEHICLE | PLACE | PLANT), LIVING).someone(),
    er("regard", ["watch", "watches", "watched"], Transitive(LIVING | VEHICLE), LIVING).someone(),
    er("cherch", ["look", "looks", "looked"], Transitive(LIVING | OBJECT | CLOTHES | TEXT), LIVING).particle("for").someone(),
    er("trouv", ["find", "finds", "found"], Transitive(OBJECT | ANIMAL | CLOTHES | TEXT), LIVING).something(),
    er("aim", ["love", "loves", "loved"], Transitive(LIVING | PLACE | SOUND | FIELD), PERSON).someone().state(),
    irregular("prendre", ["prends", "prends", "prend", "prenons", "prenez", "prennent"], "pris", ["take", "takes", "took"], Transitive(OBJECT | VEHICLE | CLOTHES), PERSON).something(),
    er("port", ["wear", "wears", "wore"], Transitive(CLOTHES), PERSON).something(),
    irregular("ouvrir", ["ouvre", "ouvres", "ouvre", "ouvrons", "ouvrez", "ouvrent"], "ouvert", ["open", "opens", "opened"], Transitive(OPENABLE), PERSON).something(),
    er("ferm", ["close", "closes", "closed"], Transitive(OPENABLE), PERSON).something(),
    er("lav", ["wash", "washes", "washed"], Transitive(CLOTHES | VEHICLE), PERSON).something(),
    irregular("conduire", ["conduis", "conduis", "conduit", "conduisons", "conduisez", "conduisent"], "conduit", ["drive", "drives", "drove"], Transitive(DRIVEN), PERSON).something(),
    er("répar", ["repair", "repairs", "repaired"], Transitive(VEHICLE), PERSON).something(),
    re("perd", ["lose", "loses", "lost"], Transitive(OBJECT | CLOTHES), PERSON).something().event(),
    irregular("connaître", ["connais", "connais", "connaît", "connaissons", "connaissez", "connaissent"], "connu", ["know", "knows", "knew"], Transitive(PERSON), PERSON).someone().state(),
    er("aid", ["help", "helps", "helped"], Transitive(PERSON), PERSON).someone(),
    re("attend", ["wait", "waits", "waited"], Transitive(PERSON | VEHICLE), LIVING).particle("for").someone(),
    er("écout", ["listen", "listens", "listened"], Transitive(SOUND), LIVING).particle("to").something(),
    er("visit", ["visit", "visits", "visited"], Transitive(GOAL), PERSON).something(),
    irregular("apprendre", ["apprends", "apprends", "apprend", "apprenons", "apprenez", "apprennent"], "appris", ["learn", "learns", "learned"], Transitive(LANGUAGE | SOUND), PERSON).something(),
    irregular("comprendre", ["comprends", "comprends", "comprend", "comprenons", "comprenez", "comprennent"], "compris", ["understand", "understands", "understood"], Transitive(STUDY | TECH), PERSON).something().state(),
    er("étudi", ["study", "studies", "studied"], Transitive(STUDY | TECH | FIELD), PERSON).something(),
    er("utilis", ["use", "uses", "used"], Transitive(TECH | OBJECT), PERSON).something(),
    er("entraîn", ["train", "trains", "trained"], Transitive(TRAINABLE), PERSON).something(),
    er("expliqu", ["explain", "explains", "explained"], Transitive(TASK | TECH), PERSON).something(),
    er("dessin", ["draw", "draws", "drew"], Transitive(ANIMAL | PLANT | PLACE | VEHICLE | CHILD), PERSON).something(),
    Verb::with(Forms::Ir("chois"), ["choose", "chooses", "chose"], Transitive(FOOD | GOODS), PERSON).something(),
];

/// Verbs with a recipient or a bare complement.
#[rustfmt::skip]
pub(in crate::synthetic) static OTHERS: &[Verb] = &[
    er("donn", ["give", "gives", "gave"], Ditransitive(FOOD | OBJECT | TEXT), PERSON),
    er("montr", ["show", "shows", "showed"], Ditransitive(OBJECT | TEXT | CLOTHES | VEHICLE), PERSON),
    er2(["envoy", "envoi"], ["send", "sends", "sent"], Ditransitive(TEXT | OBJECT), PERSON),
    er("parl", ["speak", "speaks", "spoke"], Dative, PERSON),
    re("répond", ["reply", "replies", "replied"], Dative, PERSON),
    er("parl", ["speak", "speaks", "spoke"], Speech, PERSON),
    er("habit", ["live", "lives", "lived"], Residence, PERSON),
];
