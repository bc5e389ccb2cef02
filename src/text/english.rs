//! English words: contractions behind.

use super::scan::Language;

pub(super) const LANGUAGE: Language = Language {
    abbreviations: &[
        "mr", "mrs", "ms", "dr", "mt", "st", "prof", "jr", "sr", "vs",
    ],
    keeps_leading: |letters| LEADING.contains(&letters),
    keeps_trailing: |_| false,
    cuts,
};

/// Contractions that are tokens of their own.
const CLITICS: [&str; 7] = ["n't", "'s", "'m", "'re", "'ve", "'ll", "'d"];

/// What may follow an apostrophe that starts a word and is no quotation mark.
const LEADING: [&str; 17] = [
    "s", "m", "re", "ve", "ll", "d", "em", "cause", "cos", "til", "till", "tis", "twas", "n",
    "bout", "round", "er",
];

/// No word carries more (`couldn't've`, and room for one).
const MAX_CLITICS: usize = 3;

/// Where a lower-case word falls into tokens.
pub(super) fn cuts(word: &str) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut rest = word;
    for _ in 0..MAX_CLITICS {
        let shorter = CLITICS.iter().find_map(|clitic| rest.strip_suffix(clitic));
        let Some(shorter) = shorter.filter(|shorter| !shorter.is_empty()) else {
            break;
        };
        rest = shorter;
        cuts.push(rest.len());
    }
    cuts.reverse();
    cuts
}

/// Whether a token is a contraction as this tokeniser cuts them.
pub(super) fn is_clitic(token: &str) -> bool {
    CLITICS.contains(&token)
}

#[cfg(test)]
mod tests {
    use crate::text::TokeniserKind;

    fn check(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            assert_eq!(
                TokeniserKind::English.tokenise(text).join("|"),
                *expected,
                "{text}"
            );
        }
    }

    #[test]
    fn contractions_are_tokens() {
        check(&[
            ("I don't know", "i|do|n't|know"),
            ("Can’t he? Won't they?", "ca|n't|he|?|wo|n't|they|?"),
            (
                "I'm sure they've said we'll see",
                "i|'m|sure|they|'ve|said|we|'ll|see",
            ),
            (
                "He's Tom's; you're, she'd",
                "he|'s|tom|'s|;|you|'re|,|she|'d",
            ),
            ("couldn't've", "could|n't|'ve"),
            ("It's nine o'clock, ma'am", "it|'s|nine|o'clock|,|ma'am"),
            ("the 1980's mother-in-law's", "the|1980|'s|mother-in-law|'s"),
            ("n't 's", "n't|'s"),
        ]);
    }

    #[test]
    fn marks_are_tokens_but_not_in_numbers_and_abbreviations() {
        check(&[
            ("\"Yes,\" he said...", "\"|yes|,|\"|he|said|..."),
            ("3.5 or 1,000; 2:30 p.m.", "3.5|or|1,000|;|2:30|p.m."),
            ("Mr. Smith (a Dr.)", "mr.|smith|(|a|dr|.|)"),
            ("The U.S. army.", "the|u.s.|army|."),
            ("$5, 50%", "$5|,|50%"),
        ]);
    }

    #[test]
    fn apostrophes_may_quote() {
        check(&[
            ("the dogs' bowl", "the|dogs'|bowl"),
            ("He said 'hello' twice", "he|said|'|hello|'|twice"),
            ("He said ‘hello.’", "he|said|‘|hello|.|'"),
            ("get 'em, 'cause", "get|'em|,|'cause"),
            ("“Why?”", "“|why|?|”"),
        ]);
    }
}
