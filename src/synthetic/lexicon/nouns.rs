//! Nouns and noun compounds.

use super::kinds::{
    ANIMAL, CHILD, CLOTHES, DRINK, DRIVEN, FIELD, FOOD, FRUIT, FUR, GOAL, JOB, KIN, Kinds,
    LANGUAGE, NEURAL, OBJECT, OPENABLE, ORIGIN, PAINTED, PARENT, PART, PERSON, PLACE, PLANT,
    SERVED, SOUND, SURFACE, TASK, TECH, TEXT, TRAINABLE, UNOWNED, VEHICLE, WHOLE,
};
use super::{Gender, Number};

/// A noun, or a compound with a noun as its head.
#[derive(Debug)]
pub(in crate::synthetic) struct Noun {
    /// French singular and plural.
    french: [&'static str; 2],
    /// English singular and plural.
    english: [&'static str; 2],
    /// Gender of the French noun.
    pub(in crate::synthetic) gender: Gender,
    /// Which words it goes with.
    pub(in crate::synthetic) kinds: Kinds,
    /// No plural: *du pain*, *some bread*.
    pub(in crate::synthetic) mass: bool,
    /// Invariable French words after the head of a compound: *voiture* **de police**.
    pub(in crate::synthetic) tail: &'static [(&'static str, Tail)],
    /// English words before the head of a compound: **police** *car*.
    pub(in crate::synthetic) front: &'static [&'static str],
}

/// What a word in the tail of a French compound corresponds to.
#[derive(Clone, Copy, Debug)]
pub(in crate::synthetic) enum Tail {
    /// The English word at this place of the compound's front.
    Front(usize),
    /// Nothing of its own: a possible link to the first English word of the compound.
    Glue,
    /// The head: one English word for both, `potato` for *pomme* and *terre*.
    Fused,
}

use Tail::{Front, Fused, Glue};

impl Noun {
    /// The French form.
    pub(in crate::synthetic) const fn french(&self, number: Number) -> &'static str {
        self.french[number as usize]
    }

    /// The English form.
    pub(in crate::synthetic) const fn english(&self, number: Number) -> &'static str {
        self.english[number as usize]
    }

    /// Whether it is of one of these kinds.
    pub(in crate::synthetic) const fn is(&self, kinds: Kinds) -> bool {
        self.kinds & kinds != 0
    }

    /// The noun as the head of a compound.
    const fn compound(
        mut self,
        tail: &'static [(&'static str, Tail)],
        front: &'static [&'static str],
    ) -> Self {
        self.tail = tail;
        self.front = front;
        self
    }
}

const fn noun(
    gender: Gender,
    french: [&'static str; 2],
    english: [&'static str; 2],
    kinds: Kinds,
    mass: bool,
) -> Noun {
    Noun {
        french,
        english,
        gender,
        kinds,
        mass,
        tail: &[],
        front: &[],
    }
}

/// A masculine noun: French singular and plural, English singular and plural.
const fn m(
    one: &'static str,
    many: &'static str,
    en: &'static str,
    ens: &'static str,
    kinds: Kinds,
) -> Noun {
    noun(Gender::Masculine, [one, many], [en, ens], kinds, false)
}

/// A feminine noun.
const fn f(
    one: &'static str,
    many: &'static str,
    en: &'static str,
    ens: &'static str,
    kinds: Kinds,
) -> Noun {
    noun(Gender::Feminine, [one, many], [en, ens], kinds, false)
}

/// A masculine mass noun.
const fn mm(fr: &'static str, en: &'static str, kinds: Kinds) -> Noun {
    noun(Gender::Masculine, [fr, fr], [en, en], kinds, true)
}

/// A feminine mass noun.
const fn ff(fr: &'static str, en: &'static str, kinds: Kinds) -> Noun {
    noun(Gender::Feminine, [fr, fr], [en, en], kinds, true)
}

const ADULT: Kinds = PERSON | UNOWNED;
const YOUTH: Kinds = PERSON | UNOWNED | CHILD;
const FAMILY: Kinds = PERSON | KIN;
const WORKER: Kinds = PERSON | JOB | ORIGIN;
const BEAST: Kinds = ANIMAL | FUR;
const THING: Kinds = OBJECT | PAINTED;
const BUILDING: Kinds = PLACE | GOAL | WHOLE;
const DRESS: Kinds = CLOTHES | PAINTED;
const CAR: Kinds = VEHICLE | PAINTED | DRIVEN | ORIGIN;
const FURNITURE: Kinds = SURFACE | PAINTED;

/// Every noun of the grammar.
#[rustfmt::skip]
pub(in crate::synthetic) static NOUNS: &[Noun] = &[
    // People
    m("homme", "hommes", "man", "men", ADULT),
    f("femme", "femmes", "woman", "women", ADULT),
    m("garçon", "garçons", "boy", "boys", YOUTH),
    f("fille", "filles", "girl", "girls", YOUTH),
    m("enfant", "enfants", "child", "children", YOUTH),
    m("bébé", "bébés", "baby", "babies", YOUTH),
    m("ami", "amis", "friend", "friends", FAMILY),
    f("amie", "amies", "friend", "friends", FAMILY),
    m("voisin", "voisins", "neighbour", "neighbours", FAMILY),
    f("voisine", "voisines", "neighbour", "neighbours", FAMILY),
    m("frère", "frères", "brother", "brothers", FAMILY),
    f("sœur", "sœurs", "sister", "sisters", FAMILY),
    m("père", "pères", "father", "fathers", FAMILY | PARENT),
    f("mère", "mères", "mother", "mothers", FAMILY | PARENT),
    m("oncle", "oncles", "uncle", "uncles", FAMILY),
    f("tante", "tantes", "aunt", "aunts", FAMILY),
    m("étudiant", "étudiants", "student", "students", WORKER),
    f("étudiante", "étudiantes", "student", "students", WORKER),
    m("professeur", "professeurs", "teacher", "teachers", WORKER),
    m("médecin", "médecins", "doctor", "doctors", WORKER),
    f("infirmière", "infirmières", "nurse", "nurses", WORKER),
    m("ingénieur", "ingénieurs", "engineer", "engineers", WORKER),
    m("chanteur", "chanteurs", "singer", "singers", WORKER),
    f("chanteuse", "chanteuses", "singer", "singers", WORKER),
    m("boulanger", "boulangers", "baker", "bakers", WORKER),
    f("avocate", "avocates", "lawyer", "lawyers", WORKER),
    m("chercheur", "chercheurs", "researcher", "researchers", WORKER),
    f("chercheuse", "chercheuses", "researcher", "researchers", WORKER),
    // Animals
    m("chat", "chats", "cat", "cats", BEAST),
    m("chien", "chiens", "dog", "dogs", BEAST),
    m("cheval", "chevaux", "horse", "horses", BEAST),
    m("oiseau", "oiseaux", "bird", "birds", BEAST),
    f("souris", "souris", "mouse", "mice", BEAST),
    f("vache", "vaches", "cow", "cows", BEAST),
    m("lapin", "lapins", "rabbit", "rabbits", BEAST),
    m("hibou", "hiboux", "owl", "owls", BEAST),
    m("mouton", "moutons", "sheep", "sheep", BEAST),
    m("âne", "ânes", "donkey", "donkeys", BEAST),
    m("loup", "loups", "wolf", "wolves", BEAST),
    m("ours", "ours", "bear", "bears", BEAST),
    f("chèvre", "chèvres", "goat", "goats", BEAST),
    // Food and drink
    f("pomme", "pommes", "apple", "apples", FOOD | FRUIT),
    f("poire", "poires", "pear", "pears", FOOD | FRUIT),
    f("cerise", "cerises", "cherry", "cherries", FOOD | FRUIT),
    f("tomate", "tomates", "tomato", "tomatoes", FOOD | FRUIT),
    f("orange", "oranges", "orange", "oranges", FOOD),
    f("carotte", "carottes", "carrot", "carrots", FOOD),
    m("haricot", "haricots", "bean", "beans", FOOD),
    m("œuf", "œufs", "egg", "eggs", FOOD),
    m("gâteau", "gâteaux", "cake", "cakes", FOOD),
    mm("pain", "bread", FOOD),
    mm("fromage", "cheese", FOOD | ORIGIN),
    mm("riz", "rice", FOOD | SERVED),
    ff("soupe", "soup", FOOD | SERVED),
    mm("chocolat", "chocolate", FOOD | ORIGIN),
    f("pomme", "pommes", "potato", "potatoes", FOOD)
        .compound(&[("de", Glue), ("terre", Fused)], &[]),
    m("gâteau", "gâteaux", "cake", "cakes", FOOD)
        .compound(&[("au", Glue), ("chocolat", Front(0))], &["chocolate"]),
    ff("eau", "water", DRINK | SERVED),
    mm("lait", "milk", DRINK | SERVED),
    mm("café", "coffee", DRINK | SERVED),
    mm("thé", "tea", DRINK | SERVED),
    mm("vin", "wine", DRINK | ORIGIN),
    mm("jus", "juice", DRINK).compound(&[("de", Glue), ("orange", Front(0))], &["orange"]),
    // Texts and sounds
    m("livre", "livres", "book", "books", TEXT | ORIGIN | PAINTED),
    f("lettre", "lettres", "letter", "letters", TEXT | OPENABLE),
    m("journal", "journaux", "newspaper", "newspapers", TEXT | ORIGIN),
    f("histoire", "histoires", "story", "stories", TEXT | SOUND),
    m("article", "articles", "article", "articles", TEXT | TASK),
    f("phrase", "phrases", "sentence", "sentences", TEXT | TASK | ORIGIN),
    f("chanson", "chansons", "song", "songs", SOUND | ORIGIN),
    ff("musique", "music", SOUND | ORIGIN),
    // Things
    f("clé", "clés", "key", "keys", OBJECT),
    m("stylo", "stylos", "pen", "pens", THING),
    m("sac", "sacs", "bag", "bags", THING | OPENABLE),
    m("téléphone", "téléphones", "phone", "phones", THING),
    m("ordinateur", "ordinateurs", "computer", "computers", THING),
    f("montre", "montres", "watch", "watches", OBJECT | ORIGIN),
    f("boîte", "boîtes", "box", "boxes", THING | OPENABLE),
    m("couteau", "couteaux", "knife", "knives", OBJECT),
    m("verre", "verres", "glass", "glasses", OBJECT),
    f("assiette", "assiettes", "plate", "plates", THING),
    f("lampe", "lampes", "lamp", "lamps", THING),
    m("parapluie", "parapluies", "umbrella", "umbrellas", THING),
    f("horloge", "horloges", "clock", "clocks", THING),
    f("valise", "valises", "suitcase", "suitcases", THING | OPENABLE),
    f("carte", "cartes", "card", "cards", OBJECT)
        .compound(&[("de", Glue), ("crédit", Front(0))], &["credit"]),
    f("brosse", "brosses", "toothbrush", "toothbrushes", THING)
        .compound(&[("à", Glue), ("dents", Fused)], &[]),
    // Transport
    f("voiture", "voitures", "car", "cars", CAR),
    f("voiture", "voitures", "car", "cars", VEHICLE | PAINTED | DRIVEN)
        .compound(&[("de", Glue), ("police", Front(0))], &["police"]),
    m("camion", "camions", "truck", "trucks", CAR),
    m("vélo", "vélos", "bike", "bikes", VEHICLE | PAINTED),
    m("train", "trains", "train", "trains", VEHICLE | PAINTED),
    m("bus", "bus", "bus", "buses", VEHICLE | PAINTED | DRIVEN),
    m("avion", "avions", "plane", "planes", VEHICLE | PAINTED),
    m("bateau", "bateaux", "boat", "boats", VEHICLE | PAINTED),
    // Places, furniture, clothes, plants
    f("maison", "maisons", "house", "houses", PLACE | WHOLE | PAINTED),
    f("école", "écoles", "school", "schools", BUILDING),
    m("jardin", "jardins", "garden", "gardens", PLACE),
    f("rue", "rues", "street", "streets", PLACE),
    f("ville", "villes", "city", "cities", PLACE),
    m("parc", "parcs", "park", "parks", PLACE | GOAL),
    f("forêt", "forêts", "forest", "forests", PLACE),
    f("cuisine", "cuisines", "kitchen", "kitchens", PLACE | WHOLE),
    m("bureau", "bureaux", "office", "offices", BUILDING),
    m("musée", "musées", "museum", "museums", BUILDING),
    f("gare", "gares", "station", "stations", BUILDING),
    m("hôtel", "hôtels", "hotel", "hotels", BUILDING),
    m("restaurant", "restaurants", "restaurant", "restaurants", BUILDING),
    f("université", "universités", "university", "universities", BUILDING),
    f("salle", "salles", "classroom", "classrooms", PLACE | WHOLE)
        .compound(&[("de", Glue), ("classe", Fused)], &[]),
    f("salle", "salles", "bathroom", "bathrooms", PLACE | WHOLE)
        .compound(&[("de", Glue), ("bain", Fused)], &[]),
    f("porte", "portes", "door", "doors", PART | PAINTED | OPENABLE),
    f("fenêtre", "fenêtres", "window", "windows", PART | OPENABLE),
    m("toit", "toits", "roof", "roofs", PART | PAINTED),
    m("mur", "murs", "wall", "walls", PART | PAINTED),
    f("table", "tables", "table", "tables", FURNITURE),
    f("chaise", "chaises", "chair", "chairs", FURNITURE),
    m("lit", "lits", "bed", "beds", FURNITURE),
    m("tapis", "tapis", "rug", "rugs", FURNITURE),
    f("robe", "robes", "dress", "dresses", DRESS),
    m("chapeau", "chapeaux", "hat", "hats", DRESS),
    f("chemise", "chemises", "shirt", "shirts", DRESS),
    m("manteau", "manteaux", "coat", "coats", DRESS),
    f("chaussure", "chaussures", "shoe", "shoes", DRESS),
    f("écharpe", "écharpes", "scarf", "scarves", DRESS),
    m("arbre", "arbres", "tree", "trees", PLANT),
    f("fleur", "fleurs", "flower", "flowers", PLANT | PAINTED),
    // Language, learning and machines
    ff("traduction", "translation", FIELD | NEURAL),
    ff("traduction", "translation", FIELD | NEURAL)
        .compound(&[("automatique", Front(0))], &["machine"]),
    mm("apprentissage", "learning", FIELD | NEURAL)
        .compound(&[("automatique", Front(0))], &["machine"]),
    mm("apprentissage", "learning", FIELD).compound(&[("profond", Front(0))], &["deep"]),
    ff("intelligence", "intelligence", FIELD)
        .compound(&[("artificielle", Front(0))], &["artificial"]),
    m("réseau", "réseaux", "network", "networks", TECH | TRAINABLE)
        .compound(&[("de", Glue), ("neurones", Front(0))], &["neural"]),
    m("modèle", "modèles", "model", "models", TECH | TRAINABLE | NEURAL),
    m("modèle", "modèles", "model", "models", TECH | TRAINABLE | NEURAL)
        .compound(&[("de", Glue), ("langue", Front(0))], &["language"]),
    m("mécanisme", "mécanismes", "mechanism", "mechanisms", TECH)
        .compound(&[("de", Glue), ("attention", Front(0))], &["attention"]),
    m("système", "systèmes", "system", "systems", TECH | TRAINABLE | NEURAL),
    f("méthode", "méthodes", "method", "methods", TECH | TASK),
    f("question", "questions", "question", "questions", TASK),
    m("problème", "problèmes", "problem", "problems", TASK),
    f("leçon", "leçons", "lesson", "lessons", TASK | ORIGIN),
    m("exercice", "exercices", "exercise", "exercises", TASK),
    mm("anglais", "english", FIELD | LANGUAGE),
    mm("français", "french", FIELD | LANGUAGE),
    mm("allemand", "german", FIELD | LANGUAGE),
    mm("espagnol", "spanish", FIELD | LANGUAGE),
    mm("italien", "italian", FIELD | LANGUAGE),
];

/// An occupation as a predicate: *il est médecin*, *elle est étudiante*.
#[derive(Debug)]
pub(in crate::synthetic) struct Job {
    /// Masculine and feminine, singular; both take `-s` in the plural.
    pub(in crate::synthetic) french: [&'static str; 2],
    /// English singular; it takes `-s`.
    pub(in crate::synthetic) english: &'static str,
}

/// Occupations in predicates.
#[rustfmt::skip]
pub(in crate::synthetic) static JOBS: &[Job] = &[
    Job { french: ["étudiant", "étudiante"], english: "student" },
    Job { french: ["professeur", "professeure"], english: "teacher" },
    Job { french: ["médecin", "médecin"], english: "doctor" },
    Job { french: ["infirmier", "infirmière"], english: "nurse" },
    Job { french: ["ingénieur", "ingénieure"], english: "engineer" },
    Job { french: ["chanteur", "chanteuse"], english: "singer" },
    Job { french: ["boulanger", "boulangère"], english: "baker" },
    Job { french: ["avocat", "avocate"], english: "lawyer" },
    Job { french: ["chercheur", "chercheuse"], english: "researcher" },
];
