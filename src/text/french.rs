//! French words: elisions in front, clitics behind.

use super::scan::Language;

pub(super) const LANGUAGE: Language = Language {
    abbreviations: &["m", "mm", "mme", "mmes", "mlle", "mlles", "dr", "st", "ste"],
    keeps_leading: |_| false,
    keeps_trailing: |letters| ELISIONS.contains(&letters),
    cuts,
};

/// What may stand before the apostrophe of an elision.
const ELISIONS: [&str; 12] = [
    "l", "d", "j", "c", "m", "t", "s", "n", "qu", "jusqu", "lorsqu", "puisqu",
];

/// Pronouns and particles that are tied to a word by a hyphen.
const CLITICS: [&str; 23] = [
    "je", "tu", "il", "elle", "on", "nous", "vous", "ils", "elles", "ce", "moi", "toi", "le", "la",
    "les", "lui", "leur", "y", "en", "là", "ci", "t'il", "t'elle",
];

/// What follows the linking `-t-`.
const AFTER_T: [&str; 7] = ["il", "elle", "on", "ils", "elles", "en", "y"];

/// Words that only look like a verb with its clitic. A few can be both (`rendez-vous`): the noun is the
/// more frequent by far, and one word has to be one thing.
const LEXICALISED: [&str; 31] = [
    "rendez-vous",
    "garde-à-vous",
    "celui-ci",
    "celui-là",
    "celle-ci",
    "celle-là",
    "ceux-ci",
    "ceux-là",
    "celles-ci",
    "celles-là",
    "là-là",
    "oh-là-là",
    "ô-là-là",
    "oh-la-la",
    "jusque-là",
    "jusques-là",
    "par-ci",
    "par-là",
    "de-ci",
    "de-là",
    "ici-là",
    "halte-là",
    "chez-moi",
    "chez-toi",
    "chez-lui",
    "chez-elle",
    "chez-nous",
    "chez-vous",
    "moi-je",
    "add-on",
    "tu-tu",
];

/// No verb carries more clitics (`donne-le-moi`, `allez-vous-en`).
const MAX_CLITICS: usize = 3;

/// Where a lower-case word falls into tokens.
pub(super) fn cuts(word: &str) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut start = 0;
    while let Some(length) = elision_length(&word[start..]) {
        start += length;
        cuts.push(start);
    }
    let elisions = cuts.len();
    let mut end = word.len();
    for _ in 0..MAX_CLITICS {
        let Some((base, inner)) = split_clitic(&word[start..end]) else {
            break;
        };
        end = start + base;
        cuts.extend(inner.map(|inner| start + inner));
        cuts.push(end);
    }
    // The clitics were found from behind.
    cuts[elisions..].reverse();
    cuts
}

/// The length of the elision that a word starts with, if more of the word follows.
fn elision_length(word: &str) -> Option<usize> {
    let (stem, rest) = word.split_once('\'')?;
    (ELISIONS.contains(&stem) && !rest.is_empty()).then_some(stem.len() + 1)
}

/// Where the last clitic of a word starts, and where it falls in two itself (`-m'en`).
fn split_clitic(word: &str) -> Option<(usize, Option<usize>)> {
    if LEXICALISED.contains(&word) {
        return None;
    }
    let hyphen = word.rfind('-')?;
    let clitic = &word[hyphen + 1..];
    let linked = word[..hyphen]
        .strip_suffix("-t")
        .filter(|_| AFTER_T.contains(&clitic));
    let (base, inner) = match clitic.split_once('\'') {
        _ if linked.is_some() => (hyphen - 2, None),
        Some(("m" | "t" | "l" | "s", "en" | "y")) => (hyphen, Some(hyphen + 3)),
        _ if CLITICS.contains(&clitic) => (hyphen, None),
        _ => return None,
    };
    is_base(&word[..base]).then_some((base, inner))
}

/// Whether a clitic can be tied to this: a word of letters, not an initial (`x-y`) nor a lone `t-il`.
fn is_base(base: &str) -> bool {
    let ends = |letter: Option<char>| letter.is_some_and(char::is_alphabetic);
    ends(base.chars().next())
        && ends(base.chars().next_back())
        && (base == "a" || base.chars().nth(1).is_some())
}

/// Whether a token is a hyphen clitic as this tokeniser cuts them (`-vous`, `-t-il`, `-m'`).
pub(super) fn is_clitic(token: &str) -> bool {
    token.strip_prefix('-').is_some_and(|clitic| {
        let linked = clitic
            .strip_prefix("t-")
            .is_some_and(|clitic| AFTER_T.contains(&clitic));
        linked || CLITICS.contains(&clitic) || matches!(clitic, "m'" | "t'" | "l'" | "s'")
    })
}

/// Whether a token is an elision (`l'`, `qu'`, or `-m'` behind a verb).
pub(super) fn is_elision(token: &str) -> bool {
    token
        .strip_suffix('\'')
        .is_some_and(|stem| ELISIONS.contains(&stem.strip_prefix('-').unwrap_or(stem)))
}

#[cfg(test)]
mod tests {
    use crate::text::TokeniserKind;

    /// Each line is a text and its tokens, separated by bars.
    fn check(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            assert_eq!(
                TokeniserKind::French.tokenise(text).join("|"),
                *expected,
                "{text}"
            );
        }
    }

    #[test]
    fn elisions_are_tokens_at_the_start_of_a_word() {
        check(&[
            ("L'eau", "l'|eau"),
            ("l’eau d\u{2BC}été", "l'|eau|d'|été"),
            (
                "jusqu'ici lorsqu'elle puisqu'on qu'il",
                "jusqu'|ici|lorsqu'|elle|puisqu'|on|qu'|il",
            ),
            ("j't'aime, n'est-il pas ?", "j'|t'|aime|,|n'|est|-il|pas|?"),
            (
                "Aujourd'hui quelqu'un, quelqu’une, quelques-uns",
                "aujourd'hui|quelqu'un|,|quelqu'une|,|quelques-uns",
            ),
            (
                "d'aujourd'hui (l'ours) l'«ours»",
                "d'|aujourd'hui|(|l'|ours|)|l'|«|ours|»",
            ),
            (
                "un chef-d'œuvre, presqu'île, grand'mère",
                "un|chef-d'œuvre|,|presqu'île|,|grand'mère",
            ),
            ("l' eau j‘aime", "l'|eau|j'|aime"),
            ("'bonjour' dit-il", "'|bonjour|'|dit|-il"),
        ]);
    }

    #[test]
    fn clitics_behind_a_verb_are_tokens() {
        check(&[
            ("Parlez-vous français ?", "parlez|-vous|français|?"),
            ("Y a-t-il du lait", "y|a|-t-il|du|lait"),
            ("Qu'est-ce que c'est ?", "qu'|est|-ce|que|c'|est|?"),
            ("donne-le-moi", "donne|-le|-moi"),
            ("allez-vous-en", "allez|-vous|-en"),
            (
                "Va-t'en ! Donnez-m’en. va-t-en",
                "va|-t'|en|!|donnez|-m'|en|.|va|-t-en",
            ),
            ("l'as-tu vu ce jour-là", "l'|as|-tu|vu|ce|jour|-là"),
            ("allons-y puis-je", "allons|-y|puis|-je"),
        ]);
    }

    #[test]
    fn lexicalised_words_stay_whole() {
        let words = "peut-être rendez-vous grand-mère arc-en-ciel vis-à-vis celui-ci ceux-là là-bas après-midi \
                     moi-même week-end au-delà x-y t-il -vous porte-monnaie garde-à-vous oh-là-là";
        for word in words
            .split_whitespace()
            .filter(|word| !word.starts_with("c'"))
        {
            check(&[(word, word)]);
        }
        check(&[
            ("c'est-à-dire", "c'|est-à-dire"),
            ("ce rendez-vous-là", "ce|rendez-vous|-là"),
        ]);
    }

    #[test]
    fn marks_are_tokens_but_not_in_numbers_and_abbreviations() {
        check(&[
            ("« Non ! », dit-elle…", "«|non|!|»|,|dit|-elle|..."),
            ("Attends... quoi ?!", "attends|...|quoi|?|!"),
            ("3,5 kg à 8:30, pas 1.000.", "3,5|kg|à|8:30|,|pas|1.000|."),
            ("M. Dupont et Mme Petit", "m.|dupont|et|mme|petit"),
            (
                "Il court le 100 m. Puis il dort.",
                "il|court|le|100|m|.|puis|il|dort|.",
            ),
            ("C'est le m.", "c'|est|le|m|."),
            ("la S.N.C.F. et l'O.N.U.", "la|s.n.c.f.|et|l'|o.n.u."),
            ("10\u{202F}000\u{A0}€\u{A0}: 50%", "10|000|€|:|50%"),
            ("[a]—b – c", "[|a|]|—|b|–|c"),
        ]);
    }
}
