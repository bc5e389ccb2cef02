//! Tests of whole corpora.

use std::collections::{HashMap, HashSet};
use std::io::BufReader;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::alignment::{AlignedPair, parse_aligned_pairs};
use crate::text::TokeniserKind;

static CORPUS: LazyLock<Vec<AlignedPair>> =
    LazyLock::new(|| generate(GeneratorKind::Grammar, 20_000, 11).collect());

fn counts(side: fn(&AlignedPair) -> &Vec<String>) -> HashMap<&'static str, usize> {
    let mut counts = HashMap::new();
    for token in CORPUS.iter().flat_map(side) {
        *counts.entry(token.as_str()).or_insert(0) += 1;
    }
    counts
}

/// What must hold of every pair of every generator.
fn check_pair(pair: &AlignedPair) {
    let text = format!(
        "{} | {} | {}",
        pair.source.join(" "),
        pair.target.join(" "),
        pair.links
    );
    pair.links
        .check(pair.source.len(), pair.target.len())
        .unwrap();
    let sources: HashSet<usize> = pair.links.iter().map(|link| link.source).collect();
    let targets: HashSet<usize> = pair.links.iter().map(|link| link.target).collect();
    assert_eq!(sources.len(), pair.source.len(), "{text}");
    assert_eq!(targets.len(), pair.target.len(), "{text}");
}

/// What must hold of every French sentence and its translation.
fn check_spelling(pair: &AlignedPair) {
    let text = pair.source.join(" ");
    let elided = [
        "je", "ne", "me", "te", "le", "la", "de", "que", "ma", "ta", "sa",
    ];
    let aspirated = ["haricot", "haricots", "hibou", "hiboux", "huit"];
    for two in pair.source.windows(2) {
        let (word, next) = (two[0].as_str(), two[1].as_str());
        let vowel =
            next.starts_with(|c| "aàâeéèêiîoôuùûœh".contains(c)) && !aspirated.contains(&next);
        assert!(!(elided.contains(&word) && vowel), "{text}");
        assert!(!word.ends_with('\'') || vowel, "{text}");
        assert!(
            !(matches!(word, "de" | "à") && matches!(next, "le" | "les")),
            "{text}"
        );
        let liaison = matches!(word, "nouvel" | "vieil" | "bel" | "cet");
        assert!(!liaison || vowel, "{text}");
    }
    for two in pair.target.windows(2) {
        let vowel = two[1].starts_with(['a', 'e', 'i', 'o', 'u'])
            && !matches!(two[1].as_str(), "university" | "universities" | "useful");
        assert!(two[0] != "a" || !vowel, "{}", pair.target.join(" "));
        assert!(two[0] != "an" || vowel, "{}", pair.target.join(" "));
    }
    assert!(!is_demo_sentence(&pair.source), "{text}");
    assert!((2..=16).contains(&pair.source.len()), "{text}");
    assert!((2..=16).contains(&pair.target.len()), "{text}");
}

#[test]
fn every_pair_is_well_formed() {
    for pair in CORPUS.iter() {
        check_pair(pair);
        check_spelling(pair);
    }
}

#[test]
fn a_sentence_has_one_rendering() {
    let mut renderings: HashMap<&[String], &AlignedPair> = HashMap::new();
    for pair in CORPUS.iter() {
        let first = renderings.entry(&pair.source).or_insert(pair);
        assert_eq!(*first, pair);
    }
    let share = renderings.len() as f64 / CORPUS.len() as f64;
    assert!(share > 0.9, "{share}");
}

#[test]
fn both_vocabularies_are_used() {
    let (french, english) = (counts(|pair| &pair.source), counts(|pair| &pair.target));
    assert!(french.len() > 900, "{}", french.len());
    assert!(english.len() > 500, "{}", english.len());
    // Every English word is seen often enough to be learned.
    let rare: Vec<_> = english.iter().filter(|&(_, &count)| count < 5).collect();
    assert!(rare.is_empty(), "{rare:?}");
}

#[test]
fn the_words_of_the_demo_sentences_are_common() {
    let french = counts(|pair| &pair.source);
    let demos = DEMO_SENTENCES.iter().flat_map(|demo| demo.split(' '));
    for word in demos.chain(["brune", "noire", "blanc"]) {
        assert!(french.get(word).is_some_and(|&count| count >= 40), "{word}");
    }
}

#[test]
fn adjectives_often_change_the_article() {
    // `a red apple`, `an old car`: the article does not go with the noun.
    let vowel = |word: &str| word.starts_with(['a', 'e', 'i', 'o', 'u']);
    let changed = |pair: &&AlignedPair| {
        pair.target.windows(3).any(|three| {
            matches!(three[0].as_str(), "a" | "an") && vowel(&three[1]) != vowel(&three[2])
        })
    };
    let pairs = CORPUS.iter().filter(changed).count();
    assert!(pairs * 100 > CORPUS.len() * 3, "{pairs}");
}

#[test]
fn many_pairs_cross_and_half_have_a_mark() {
    let share = |keep: &dyn Fn(&AlignedPair) -> bool| {
        CORPUS.iter().filter(|pair| keep(pair)).count() as f64 / CORPUS.len() as f64
    };
    let crossing = share(&|pair| {
        let sure: crate::alignment::Links = pair.links.sure().collect();
        sure.crossings() > 0
    });
    assert!(crossing > 0.4, "{crossing}");
    let last = |pair: &AlignedPair, mark: &str| pair.source.last().is_some_and(|word| word == mark);
    let marked = share(&|pair| last(pair, ".") || last(pair, "?"));
    assert!((0.45..0.68).contains(&marked), "{marked}");
    for pair in CORPUS.iter() {
        assert_eq!(
            last(pair, "?"),
            pair.target.last().is_some_and(|word| word == "?")
        );
    }
}

#[test]
fn the_tokenisers_give_the_same_tokens() {
    for pair in CORPUS.iter() {
        let french = TokeniserKind::French.tokenise(&pair.source.join(" "));
        assert_eq!(french, pair.source);
        let english = TokeniserKind::English.tokenise(&pair.target.join(" "));
        assert_eq!(english, pair.target);
    }
}

#[test]
fn demo_sentences_are_recognised() {
    for demo in DEMO_SENTENCES {
        for text in [demo.to_owned(), format!("{demo} .")] {
            assert!(is_demo_sentence(&TokeniserKind::French.tokenise(&text)));
        }
        assert!(!is_demo_sentence(
            &TokeniserKind::French.tokenise(&format!("{demo} ici"))
        ));
    }
}

#[test]
fn seed_1_gives_these_pairs() {
    let pairs: Vec<AlignedPair> = generate(GeneratorKind::Grammar, 8, 1).collect();
    let mut text = Vec::new();
    write_tsv(&pairs, &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), include_str!("golden.tsv"));
}

#[test]
fn written_pairs_are_read_again() {
    let pairs = &CORPUS[..200];
    let mut text = Vec::new();
    write_tsv(pairs, &mut text).unwrap();
    let file = parse_aligned_pairs(BufReader::new(text.as_slice()), "written").unwrap();
    assert!(file.problems.is_empty());
    assert_eq!(file.pairs.iter().collect::<Vec<_>>(), pairs);
}

#[test]
fn names_go_there_and_back() {
    for kind in GeneratorKind::ALL {
        assert_eq!(GeneratorKind::from_name(kind.name()), Ok(kind));
    }
    assert_eq!(
        GeneratorKind::from_name("shuffle").unwrap_err().to_string(),
        "unknown generator \"shuffle\": expected one of grammar, reversal, copy"
    );
}

#[test]
fn unusable_options_are_refused() {
    let refused = |change: fn(&mut GeneratorOptions)| {
        let mut options = GeneratorOptions::default();
        change(&mut options);
        Generator::new(GeneratorKind::Copy, options, 0).unwrap_err()
    };
    let lengths = refused(|options| options.sequence_lengths = 0..=3);
    assert_eq!(
        lengths,
        OptionsError::Lengths {
            shortest: 0,
            longest: 3
        }
    );
    assert_eq!(
        refused(|options| options.words.clear()),
        OptionsError::NoWords
    );
    assert_eq!(
        refused(|options| options.max_tokens = 2),
        OptionsError::Limit { max_tokens: 2 }
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_seed_gives_good_pairs_twice(seed: u64) {
        let pairs: Vec<_> = generate(GeneratorKind::Grammar, 20, seed).collect();
        for pair in &pairs {
            check_pair(pair);
            check_spelling(pair);
        }
        let again: Vec<_> = generate(GeneratorKind::Grammar, 20, seed).collect();
        prop_assert_eq!(pairs, again);
    }

    #[test]
    fn sequences_are_reversed_or_copied(seed: u64, shortest in 1_usize..5, more in 0_usize..9) {
        for kind in [GeneratorKind::Reversal, GeneratorKind::Copy] {
            let options = GeneratorOptions {
                sequence_lengths: shortest..=shortest + more,
                ..GeneratorOptions::default()
            };
            let lengths = options.sequence_lengths.clone();
            for pair in Generator::new(kind, options, seed).unwrap().take(5) {
                check_pair(&pair);
                prop_assert!(lengths.contains(&pair.source.len()));
                prop_assert_eq!(pair.links.len(), pair.source.len());
                for link in &pair.links {
                    prop_assert_eq!(&pair.source[link.source], &pair.target[link.target]);
                    let partner = match kind {
                        GeneratorKind::Reversal => pair.source.len() - 1 - link.source,
                        _ => link.source,
                    };
                    prop_assert_eq!(link.target, partner);
                }
            }
        }
    }
}
