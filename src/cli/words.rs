//! Naming source words and steps on the command line.

use super::attend::decoded::Word;
use crate::engine::Scope;

/// A value with the steps that it is meant for: `noir`, `2:noir` (step 2), `2+:noir` (from step 2 on).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scoped<T> {
    /// Where it acts; steps count from 0 here.
    pub(super) scope: Scope,
    /// What stands behind the steps.
    pub(super) value: T,
}

/// Splits off the steps; a text without them is meant for all.
pub(super) fn scoped(text: &str) -> Result<Scoped<String>, String> {
    let split = text.split_once(':').filter(|(steps, value)| {
        let digits = steps.strip_suffix('+').unwrap_or(steps);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && !value.is_empty()
    });
    let (scope, value) = match split {
        Some((steps, value)) => (scope(steps)?, value),
        None => (Scope::All, text),
    };
    if value.is_empty() {
        return Err("expected a value".to_owned());
    }
    Ok(Scoped {
        scope,
        value: value.to_owned(),
    })
}

/// `all`, `2` or `2+`; steps count from 1 here.
pub(super) fn scope(text: &str) -> Result<Scope, String> {
    if text == "all" {
        return Ok(Scope::All);
    }
    let (digits, from) = match text.strip_suffix('+') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let step = digits.parse().ok().and_then(|n: usize| n.checked_sub(1));
    match (step, from) {
        (Some(step), true) => Ok(Scope::From(step)),
        (Some(step), false) => Ok(Scope::Step(step)),
        (None, _) => Err(
            "expected a step from 1 on, such as 2, or 2+ for step 2 and all later ones".to_owned(),
        ),
    }
}

/// The position of the source word that `name` means: as it was typed or as the model sees it, in letters of
/// either case; `le#2` is the second `le`; `3` or `#3` the third word.
pub(super) fn position(words: &[Word], name: &str) -> Result<usize, String> {
    let found = named(words, name);
    match found[..] {
        [only] => return Ok(only),
        [] => {}
        _ => {
            let ways: Vec<String> = (1..=found.len()).map(|n| format!("{name}#{n}")).collect();
            return Err(format!(
                "{name:?} is there {} times: write {}",
                found.len(),
                ways.join(" or ")
            ));
        }
    }
    if let Some((base, number)) = name.rsplit_once('#')
        && let Ok(number) = number.parse::<usize>()
    {
        let places = if base.is_empty() {
            (0..words.len()).collect()
        } else {
            named(words, base)
        };
        if let Some(place) = number.checked_sub(1).and_then(|i| places.get(i)) {
            return Ok(*place);
        }
    }
    let index = name.parse().ok().and_then(|n: usize| n.checked_sub(1));
    match index.filter(|index| *index < words.len()) {
        Some(index) => Ok(index),
        None => Err(format!(
            "no source word is {name:?}: there are {}",
            listed(words)
        )),
    }
}

/// Positions of words that are written like this, else of those that differ in case only.
fn named(words: &[Word], name: &str) -> Vec<usize> {
    let places = |same: &dyn Fn(&Word) -> bool| -> Vec<usize> {
        (0..words.len()).filter(|j| same(&words[*j])).collect()
    };
    let exact = places(&|word| word.surface == name || word.text == name);
    if exact.is_empty() {
        let lower = name.to_lowercase();
        places(&|word| word.surface.to_lowercase() == lower)
    } else {
        exact
    }
}

fn listed(words: &[Word]) -> String {
    let numbered = words.iter().enumerate();
    let numbered: Vec<String> = numbered
        .map(|(j, word)| {
            format!(
                "{} {}",
                j + 1,
                super::attend::label::printable(&word.surface)
            )
        })
        .collect();
    numbered.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Word> {
        let word = |surface: &str| Word {
            text: surface.to_lowercase(),
            surface: surface.to_owned(),
            unknown: false,
        };
        text.split(' ').map(word).collect()
    }

    #[test]
    fn words_have_names_and_numbers() {
        let words = words("Le chat voit le chien 4 fois");
        let find = |name| position(&words, name);
        assert_eq!(find("chat"), Ok(1));
        assert_eq!(find("CHAT"), Ok(1));
        assert_eq!(find("Le#1"), Ok(0));
        assert_eq!(find("le#2"), Ok(3));
        // The word "4" is the sixth; a number that is no word counts.
        assert_eq!(find("4"), Ok(5));
        assert_eq!(find("#4"), Ok(3));
        assert_eq!(find("3"), Ok(2));
        let several = find("le").unwrap_err();
        assert_eq!(several, "\"le\" is there 2 times: write le#1 or le#2");
        let unknown = find("noir").unwrap_err();
        assert_eq!(
            unknown,
            "no source word is \"noir\": there are 1 Le, 2 chat, 3 voit, 4 le, 5 chien, 6 4, 7 fois"
        );
        for wrong in ["", "0", "8", "le#3", "le#0", "#0", "chat#x"] {
            assert!(find(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn steps_stand_before_a_colon() {
        let split = |text| scoped(text).map(|s| (s.scope, s.value));
        assert_eq!(split("noir"), Ok((Scope::All, "noir".to_owned())));
        assert_eq!(split("2:noir"), Ok((Scope::Step(1), "noir".to_owned())));
        assert_eq!(split("2+:noir"), Ok((Scope::From(1), "noir".to_owned())));
        assert_eq!(split("a:b"), Ok((Scope::All, "a:b".to_owned())));
        assert_eq!(split(":"), Ok((Scope::All, ":".to_owned())));
        assert_eq!(split("1::"), Ok((Scope::Step(0), ":".to_owned())));
        assert!(split("0:noir").is_err());
        assert!(split("").is_err());
        assert!(split("99999999999999999999:noir").is_err());
        assert_eq!(scope("all"), Ok(Scope::All));
        assert!(scope("+").is_err() && scope("").is_err());
    }
}
