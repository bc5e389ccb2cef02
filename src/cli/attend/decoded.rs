//! Decoding a sentence, and all that is shown of it.

use std::sync::Arc;

use super::label::printable;
use crate::engine::{
    BeamOptions, DecodeCommand, DecodePolicy, DecodeSession, DecodeStep, Hypothesis, Intervention,
    Model, Seq2Seq, Status, beam_search, step_limit,
};
use crate::text::{DisplayToken, END, Token, TokeniserKind, UNKNOWN, Vocabulary, resolve_unknowns};

/// How the words of the translation are chosen.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) enum Method<'a> {
    /// The most probable one each time.
    Greedy,
    /// Drawn.
    Sample {
        /// The temperature.
        temperature: f32,
        /// Names the draw.
        seed: u64,
    },
    /// By beam search of this size.
    Beam(usize),
    /// Given.
    Target(&'a str),
}

/// A sentence and its translation.
pub(in crate::cli) struct Decoded<'a> {
    /// How it was decoded.
    pub(in crate::cli) method: Method<'a>,
    /// The sentence as it was given.
    pub(in crate::cli) text: String,
    /// Its words, `[S]`.
    pub(in crate::cli) source: Vec<Word>,
    /// The steps, `[T]`, that of `</s>` included if it was taken.
    pub(in crate::cli) rows: Vec<Row>,
    /// The translation as a sentence, unknown words marked.
    pub(in crate::cli) translation: String,
    /// Whether it came to `</s>`.
    pub(in crate::cli) ended: bool,
    /// The most steps that it could take.
    pub(in crate::cli) limit: usize,
    /// All hypotheses of a beam search, the one that is shown first.
    pub(in crate::cli) hypotheses: Vec<Found>,
}

/// A source word.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Word {
    /// As the model sees it.
    pub(in crate::cli) text: String,
    /// As it was typed.
    pub(in crate::cli) surface: String,
    /// Whether the model does not know it.
    pub(in crate::cli) unknown: bool,
}

/// A step.
pub(in crate::cli) struct Row {
    /// The word; `<unk>` where the model said so, the given word where it was forced.
    pub(in crate::cli) word: String,
    /// The word for people: an unknown one is `‹copied›` from the source, or from the given translation.
    pub(in crate::cli) shown: String,
    /// Whether the model does not know the word.
    pub(in crate::cli) unknown: bool,
    /// The numbers.
    pub(in crate::cli) step: Arc<DecodeStep>,
}

/// A sentence of a beam search.
pub(in crate::cli) struct Found {
    /// The sentence, unknown words marked.
    pub(in crate::cli) translation: String,
    /// Its words as the model said them.
    pub(in crate::cli) words: Vec<String>,
    /// In nats.
    pub(in crate::cli) log_probability: f64,
    /// The same, normalised for the length.
    pub(in crate::cli) score: f64,
    /// Whether it came to `</s>`.
    pub(in crate::cli) ended: bool,
}

/// A model that decodes sentences in one way.
pub(in crate::cli) struct Translator<'a> {
    network: Arc<Seq2Seq>,
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    source_tokeniser: TokeniserKind,
    target_tokeniser: TokeniserKind,
    method: Method<'a>,
    limit: Option<usize>,
}

impl<'a> Translator<'a> {
    pub(in crate::cli) fn new(model: Model, method: Method<'a>, limit: Option<usize>) -> Self {
        Self {
            network: Arc::new(model.network),
            source_vocabulary: model.source_vocabulary,
            target_vocabulary: model.target_vocabulary,
            source_tokeniser: model.source_tokeniser,
            target_tokeniser: model.target_tokeniser,
            method,
            limit,
        }
    }

    /// The network.
    pub(in crate::cli) const fn network(&self) -> &Arc<Seq2Seq> {
        &self.network
    }

    /// The source ids of words.
    pub(in crate::cli) fn source_ids(&self, words: &[Word]) -> Vec<u32> {
        let texts: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        self.source_vocabulary.encode(&texts)
    }

    /// The words of a sentence, at least one.
    pub(in crate::cli) fn read(&self, text: &str) -> Result<Vec<Word>, String> {
        let tokens = self.source_tokeniser.tokenise_spans(text);
        if tokens.is_empty() {
            return Err(if text.trim().is_empty() {
                "it is empty: expected at least one word".to_owned()
            } else {
                format!(
                    "no word is left of {text:?} for the {} tokeniser",
                    self.source_tokeniser
                )
            });
        }
        Ok(tokens.into_iter().map(|token| self.word(token)).collect())
    }

    /// Decodes a sentence, or says why it cannot be decoded.
    pub(in crate::cli) fn decode(&self, text: &str) -> Result<Decoded<'a>, String> {
        self.decode_words(text, self.read(text)?, &[])
    }

    /// Decodes words under changes of their weights; `text` is what they are called.
    pub(in crate::cli) fn decode_words(
        &self,
        text: &str,
        source: Vec<Word>,
        edits: &[Intervention],
    ) -> Result<Decoded<'a>, String> {
        let ids = self.source_ids(&source);
        let given: Option<Vec<String>> = match self.method {
            Method::Target(target) => Some(self.target_tokeniser.tokenise(target)),
            _ => None,
        };
        let needed = given.as_ref().map_or(1, |given| given.len() + 1);
        let usual = step_limit(source.len()).max(needed);
        let limit = self
            .limit
            .unwrap_or(usual.min(DecodeSession::LARGEST_STEP_LIMIT));
        let mut session =
            DecodeSession::new(self.network.clone(), ids, limit).map_err(|e| e.to_string())?;
        for edit in edits {
            session
                .apply(DecodeCommand::AddIntervention(edit.clone()))
                .map_err(|e| e.to_string())?;
        }
        let found = self.run(&mut session, given.as_deref(), limit)?;
        let steps: Vec<Arc<DecodeStep>> = session.steps().cloned().collect();
        let rows = self.rows(&steps, given.as_deref(), &source);
        let hypotheses = found
            .iter()
            .map(|hypothesis| self.found(hypothesis, &source))
            .collect();
        Ok(Decoded {
            method: self.method,
            text: text.to_owned(),
            translation: self
                .sentence(rows.iter().map(|row| (row.step.chosen, row.shown.as_str()))),
            ended: session.status() == Status::Finished,
            source,
            rows,
            limit,
            hypotheses,
        })
    }

    fn word(&self, token: Token) -> Word {
        let unknown = self
            .source_vocabulary
            .encode(std::slice::from_ref(&token.text))
            == [UNKNOWN];
        Word {
            text: token.text,
            surface: token.surface,
            unknown,
        }
    }

    /// Takes the steps; returns the hypotheses of a beam search, best first.
    fn run(
        &self,
        session: &mut DecodeSession,
        given: Option<&[String]>,
        limit: usize,
    ) -> Result<Vec<Hypothesis>, String> {
        if let Some(given) = given {
            let ids = self.target_vocabulary.encode(given);
            session
                .apply(DecodeCommand::TeacherForce(ids))
                .map_err(|e| e.to_string())?;
            return Ok(Vec::new());
        }
        if let Method::Beam(size) = self.method {
            let options = BeamOptions {
                size,
                step_limit: limit,
                keep_pruned: false,
                ..BeamOptions::default()
            };
            let result = beam_search(&self.network, session.states(), &options);
            let hypotheses = result.map_err(|e| e.to_string())?.hypotheses;
            for token in hypotheses.first().map_or(&[][..], |best| &best.tokens) {
                session
                    .apply(DecodeCommand::ForceNext(*token))
                    .map_err(|e| e.to_string())?;
            }
            return Ok(hypotheses);
        }
        if let Method::Sample { temperature, seed } = self.method {
            let policy = DecodePolicy::Sample { temperature, seed };
            session
                .apply(DecodeCommand::SetPolicy(policy))
                .map_err(|e| e.to_string())?;
        }
        session
            .apply(DecodeCommand::RunToEnd)
            .map_err(|e| e.to_string())?;
        Ok(Vec::new())
    }

    fn rows(
        &self,
        steps: &[Arc<DecodeStep>],
        given: Option<&[String]>,
        source: &[Word],
    ) -> Vec<Row> {
        let tokens: Vec<u32> = steps.iter().map(|step| step.chosen).collect();
        let weights: Vec<Option<&[f32]>> = steps
            .iter()
            .map(|step| step.applied_weights.as_deref())
            .collect();
        let resolved = self.resolved(&tokens, &weights, source);
        let row = |(t, (step, resolved)): (usize, (&Arc<DecodeStep>, DisplayToken))| {
            let unknown = step.chosen == UNKNOWN;
            let said = given.and_then(|given| given.get(t));
            let word = said
                .cloned()
                .unwrap_or_else(|| self.target_word(step.chosen));
            let shown = match said {
                Some(said) if unknown => marked(said),
                _ => shown(&resolved),
            };
            Row {
                word,
                shown,
                unknown,
                step: step.clone(),
            }
        };
        steps.iter().zip(resolved).enumerate().map(row).collect()
    }

    fn found(&self, hypothesis: &Hypothesis, source: &[Word]) -> Found {
        let tokens = &hypothesis.tokens;
        let weights: Vec<Option<&[f32]>> = (0..tokens.len())
            .map(|t| hypothesis.weights.get(t).map(|row| &row[..]))
            .collect();
        let words: Vec<String> = self
            .resolved(tokens, &weights, source)
            .iter()
            .map(shown)
            .collect();
        Found {
            translation: self
                .sentence(tokens.iter().copied().zip(words.iter().map(String::as_str))),
            words: tokens
                .iter()
                .map(|token| self.target_word(*token))
                .collect(),
            log_probability: hypothesis.total_log_probability,
            score: hypothesis.score,
            ended: hypothesis.finished,
        }
    }

    /// The words of `tokens`, unknown ones copied from the source.
    fn resolved(
        &self,
        tokens: &[u32],
        weights: &[Option<&[f32]>],
        source: &[Word],
    ) -> Vec<DisplayToken> {
        let words: Vec<String> = tokens
            .iter()
            .map(|token| self.target_word(*token))
            .collect();
        let surfaces: Vec<String> = source.iter().map(|word| word.surface.clone()).collect();
        let attended: Vec<Option<usize>> =
            weights.iter().map(|row| row.and_then(largest)).collect();
        resolve_unknowns(&words, &surfaces, &attended)
    }

    /// The word of a target id.
    pub(in crate::cli) fn word_of(&self, token: u32) -> &str {
        self.target_vocabulary.word(token).unwrap_or_default()
    }

    fn target_word(&self, token: u32) -> String {
        self.word_of(token).to_owned()
    }

    /// Words as a sentence, without `</s>`.
    fn sentence<'w>(&self, words: impl Iterator<Item = (u32, &'w str)>) -> String {
        let words: Vec<&str> = words
            .filter(|(token, _)| *token != END)
            .map(|(_, word)| word)
            .collect();
        self.target_tokeniser.detokenise(&words)
    }
}

impl Word {
    /// The word for people: as it was typed, an unknown one marked.
    pub(in crate::cli) fn shown(&self) -> String {
        if self.unknown {
            marked(&self.surface)
        } else {
            self.surface.clone()
        }
    }
}

impl Decoded<'_> {
    /// `ln p` of the whole translation.
    pub(in crate::cli) fn log_probability(&self) -> f64 {
        self.rows
            .last()
            .map_or(0.0, |row| row.step.total_log_probability)
    }
}

/// The position of the largest weight; `None` without a number.
fn largest(weights: &[f32]) -> Option<usize> {
    let numbers = weights
        .iter()
        .enumerate()
        .filter(|(_, weight)| !weight.is_nan());
    // The first of equal ones.
    numbers
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
        .map(|(j, _)| j)
}

fn shown(token: &DisplayToken) -> String {
    match token.copied_from {
        Some(_) => marked(&token.text),
        None => token.text.clone(),
    }
}

/// How an unknown word is written.
pub(in crate::cli) fn marked(word: &str) -> String {
    format!("‹{}›", printable(word))
}
