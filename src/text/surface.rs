//! What the reader sees of a decoded sentence.

use super::vocabulary::UNKNOWN_TEXT;

/// A token as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayToken {
    /// The shown text.
    pub text: String,
    /// The source position that the text was copied from, if the model itself said `<unk>`.
    pub copied_from: Option<usize>,
}

/// Shows each `<unk>` of `output` as the source word that its step attends to most, and marks it.
///
/// `attended[t]` is the source position with the largest weight at step `t`, `None` where there are no
/// weights. An `<unk>` without a usable position stays `<unk>`. Missing entries of `attended` count as
/// `None`. The replacement follows Luong et al., "Addressing the Rare Word Problem in Neural Machine
/// Translation" (2015), with attention in place of their pointers.
pub fn resolve_unknowns(
    output: &[String],
    source: &[String],
    attended: &[Option<usize>],
) -> Vec<DisplayToken> {
    output
        .iter()
        .enumerate()
        .map(|(step, token)| {
            let position = attended
                .get(step)
                .copied()
                .flatten()
                .filter(|_| token == UNKNOWN_TEXT);
            match position.and_then(|position| source.get(position)) {
                Some(word) => DisplayToken {
                    text: word.clone(),
                    copied_from: position,
                },
                None => DisplayToken {
                    text: token.clone(),
                    copied_from: None,
                },
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn an_unknown_word_is_copied_from_where_it_looks() {
        let shown = resolve_unknowns(
            &words("<unk> sees the <unk> <unk> <unk>"),
            &words("ondine voit le narval"),
            &[Some(0), Some(1), Some(2), Some(3), None, Some(9)],
        );
        let texts: Vec<&str> = shown.iter().map(|token| token.text.as_str()).collect();
        assert_eq!(texts, ["ondine", "sees", "the", "narval", "<unk>", "<unk>"]);
        let copied: Vec<Option<usize>> = shown.iter().map(|token| token.copied_from).collect();
        assert_eq!(copied, [Some(0), None, None, Some(3), None, None]);
    }

    #[test]
    fn missing_attention_leaves_the_mark() {
        let shown = resolve_unknowns(&words("<unk>"), &[], &[]);
        assert_eq!(
            shown,
            [DisplayToken {
                text: "<unk>".to_owned(),
                copied_from: None
            }]
        );
    }
}
