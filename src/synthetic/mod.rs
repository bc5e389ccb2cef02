//! Generators of parallel text whose word links are known exactly.
//!
//! [`GeneratorKind::Grammar`] writes French–English sentences from a small bilingual grammar;
//! [`GeneratorKind::Reversal`] and [`GeneratorKind::Copy`] write random sequences whose attention
//! should lie on the anti-diagonal and on the diagonal. All of them are determined by a seed.
//!
//! # The grammar
//!
//! Every French sentence has exactly one English rendering, which the sentence alone decides, so that
//! a model can learn the whole of it: the *présent* is the simple present, the *passé composé* the
//! simple past; *lui* is always `him`; *le*, *la*, *les* in front of a verb are `him`, `her`, `them`
//! for verbs whose objects are people and `it`, `them` for the others; *son* stands only in objects of
//! *il* (`his`) and *elle* (`her`); *qui* is `who` for people and in questions, and `that` otherwise.
//! Tokens are those of [`TokeniserKind::French`](crate::text::TokeniserKind) and
//! [`TokeniserKind::English`](crate::text::TokeniserKind).
//!
//! # Links
//!
//! Every token of both sides has at least one link. A sure link is a clear counterpart; a word without
//! one has possible links to the words that call for it.
//!
//! | case | example | links |
//! |---|---|---|
//! | content word, pronoun, preposition, determiner | *chat*, *elle*, *sous*, *mon* | sure, to its translation |
//! | elided or contracted word | *l'*, *du* | as the words it is made of: *du* to `of` and `the` |
//! | article that English leaves out | *l' anglais*, *la* **traduction**, *la semaine dernière* | possible, to the noun |
//! | article that French leaves out | *je suis étudiant*: `a student` | possible, `a` to the noun |
//! | partitive, plural and negated article | *du*, *des*, *de*: `some`, `any` | sure, the article *le*, *la* in it possible |
//! | *quelques*, *tous les* | `a few`, `all the` | sure, word by word; both words of `a few` |
//! | quantity with *de* | *beaucoup de*: `many` | *beaucoup* sure, *de* possible |
//! | owner after *de* | *le livre de marie*: `marie 's book` | *de* sure to `'s`; *le* possible to `book` |
//! | compound | *voiture de police*: `police car` | nouns and adjectives sure, *de* possible to the modifier |
//! | compound of one English word | *pomme de terre*: `potato` | nouns sure, *de* possible |
//! | `not`, `never` | *ne … pas*, *ne … jamais* | both words sure |
//! | `no longer` | *ne … plus* | *ne* sure to `no`, *plus* sure to `longer` |
//! | `do`, `does`, `did` | | possible, to the verb or its auxiliary, and to *ne* with *pas* |
//! | *est-ce que* | | possible, to the English operator in front (`do`, `is`, `can`), or to `what` |
//! | auxiliary and participle | *a mangé*: `ate` | participle sure, auxiliary possible |
//! | *aller* with infinitive | *va manger*: `is going to eat` | `going` sure, `is` possible to *va*; `to` possible to the infinitive |
//! | *vouloir* with infinitive | *veut manger*: `wants to eat` | verbs sure, `to` possible to the infinitive |
//! | verb with a particle | *cherche*: `looks for` | verb sure, particle possible |
//! | pronoun with a preposition | *lui parle*: `speaks to him` | pronoun sure, `to` possible to it |
//! | *devant*, *près de* | `in front of`, `near` | `front` sure, `in` and `of` possible; *près* and *de* sure |
//! | *le matin*, *ce soir* | `in the morning`, `tonight` | words sure, `in` possible; both words sure |
//! | *avoir faim*, *avoir dix ans* | `be hungry`, `be ten years old` | word by word sure, `old` possible to *ans* |
//! | *il y a* | `there is` | *a* sure to `is`; *il*, *y* possible to `there` |
//! | *voici*, *parce que* | `here is`, `because` | sure, one word to both |
//! | marks | | sure |

mod builder;
mod clause;
mod determiner;
mod dice;
mod generator;
mod lexicon;
mod noun_phrase;
mod orthography;
mod predicates;
mod request;
mod sentence;
mod sequences;
mod tsv;
mod verb_phrase;
mod writer;

#[cfg(test)]
mod tests;

pub use generator::{
    DEMO_SENTENCES, Generator, GeneratorKind, GeneratorOptions, OptionsError, UnknownGenerator,
    generate, is_demo_sentence,
};
pub use tsv::write_tsv;
