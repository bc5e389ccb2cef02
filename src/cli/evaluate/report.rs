//! The figures of an evaluation, as JSON and as text. Shares are from 0 to 1; what there is not is `null`.

use std::fmt;

use serde::Serialize;

use super::concatenate::Concatenation;
use crate::engine::ScoreKind;
use crate::metrics::AlignmentCounts;

/// All that was measured.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) model: ModelReport,
    pub(super) concatenation: Option<Concatenation>,
    pub(super) pairs: Option<PairsReport>,
    pub(super) links: Option<LinksReport>,
}

/// What was measured.
#[derive(Debug, Serialize)]
pub(super) struct ModelReport {
    pub(super) name: String,
    pub(super) score: ScoreKind,
    pub(super) parameters: usize,
}

/// Figures of translations.
#[derive(Debug, Serialize)]
pub(super) struct PairsReport {
    pub(super) file: String,
    pub(super) sentences: usize,
    /// Pairs with an empty or an absurdly long side.
    pub(super) left_out: usize,
    pub(super) source_tokens: usize,
    /// Without `</s>`.
    pub(super) target_tokens: usize,
    pub(super) source_unknown: f64,
    pub(super) target_unknown: f64,
    pub(super) bleu: BleuReport,
    pub(super) bleu_by_length: Vec<Bucket>,
    /// BLEU where `<unk>` matches an unknown word of the reference, as during training.
    pub(super) bleu_of_ids: f64,
    pub(super) accuracy: f64,
    pub(super) perplexity: f64,
    pub(super) mean_entropy: Option<f64>,
    pub(super) mean_effective_sources: Option<f64>,
    /// Of the greedy translation.
    pub(super) seconds: f64,
    pub(super) threads: usize,
    pub(super) sentences_per_second: f64,
    /// Words produced a second, `</s>` included.
    pub(super) tokens_per_second: f64,
}

/// BLEU, 0 to 100, and its parts.
#[derive(Debug, Serialize)]
pub(super) struct BleuReport {
    pub(super) score: f64,
    pub(super) precisions: [f64; 4],
    pub(super) brevity_penalty: f64,
    pub(super) hypothesis_tokens: u64,
    pub(super) reference_tokens: u64,
}

/// BLEU of the sentences of some source lengths.
#[derive(Debug, Serialize)]
pub(super) struct Bucket {
    pub(super) source_words: String,
    pub(super) sentences: u64,
    pub(super) bleu: Option<f64>,
}

/// Figures of alignment.
#[derive(Debug, Serialize)]
pub(super) struct LinksReport {
    pub(super) file: String,
    pub(super) sentences: usize,
    /// Pairs with an empty or an absurdly long side.
    pub(super) left_out: usize,
    pub(super) source_words: usize,
    pub(super) target_words: usize,
    /// Words of the file that are not one word to the model.
    pub(super) recut_words: usize,
    pub(super) source_unknown: f64,
    pub(super) target_unknown: f64,
    pub(super) sure_links: usize,
    /// Sure ones included.
    pub(super) possible_links: usize,
    /// `null` for the bottleneck, which has no attention.
    pub(super) attention: Option<AlignmentReport>,
    pub(super) diagonal: AlignmentReport,
}

/// Rates of predicted links.
#[derive(Debug, Serialize)]
pub(super) struct AlignmentReport {
    pub(super) aer: Option<f64>,
    pub(super) precision: Option<f64>,
    pub(super) recall: Option<f64>,
    pub(super) predicted_links: u64,
}

impl From<&AlignmentCounts> for AlignmentReport {
    fn from(counts: &AlignmentCounts) -> Self {
        Self {
            aer: counts.aer(),
            precision: counts.precision(),
            recall: counts.recall(),
            predicted_links: counts.predicted,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ModelReport {
            name,
            score,
            parameters,
        } = &self.model;
        writeln!(f, "{name}: {score}, {parameters} parameters")?;
        if let Some(Concatenation {
            pairs, words, seed, ..
        }) = &self.concatenation
        {
            writeln!(
                f,
                "examples of {} to {} joined pairs with {} to {} source words, seed {seed}",
                pairs.0, pairs.1, words.0, words.1
            )?;
        }
        if let Some(pairs) = &self.pairs {
            write!(f, "\n{pairs}")?;
        }
        if let Some(links) = &self.links {
            write!(f, "\n{links}")?;
        }
        Ok(())
    }
}

impl fmt::Display for PairsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.file)?;
        counted(f, "sentences", self.sentences, self.left_out)?;
        for (name, words, unknown) in [
            ("source words", self.source_tokens, self.source_unknown),
            ("target words", self.target_tokens, self.target_unknown),
        ] {
            writeln!(f, "  {name:<16} {words:>9}   {} unknown", percent(unknown))?;
        }
        let BleuReport {
            score,
            precisions: p,
            brevity_penalty,
            hypothesis_tokens,
            reference_tokens,
        } = &self.bleu;
        writeln!(
            f,
            "  BLEU             {score:>9.2}   precisions {:.1} {:.1} {:.1} {:.1}, brevity {brevity_penalty:.3} ({hypothesis_tokens} words for {reference_tokens})",
            p[0], p[1], p[2], p[3]
        )?;
        writeln!(
            f,
            "    where <unk> matches unknown words {:.2}",
            self.bleu_of_ids
        )?;
        for Bucket {
            source_words,
            sentences,
            bleu,
        } in self.bleu_by_length.iter().filter(|b| b.sentences > 0)
        {
            writeln!(
                f,
                "    {source_words:<12} {}   {sentences} sentences",
                optional(*bleu, 9, 2)
            )?;
        }
        writeln!(f, "  token accuracy   {:>9}", percent(self.accuracy))?;
        writeln!(f, "  perplexity       {:>9.3}", self.perplexity)?;
        match (self.mean_entropy, self.mean_effective_sources) {
            (Some(nats), Some(sources)) => {
                writeln!(
                    f,
                    "  mean entropy     {nats:>9.3}   nats; {sources:.2} effective sources"
                )?;
            }
            _ => writeln!(f, "  mean entropy             –   no attention")?,
        }
        writeln!(
            f,
            "  translation      {:>9.1}   sentences/s, {:.0} words/s on {} threads",
            self.sentences_per_second, self.tokens_per_second, self.threads
        )
    }
}

impl fmt::Display for LinksReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.file)?;
        counted(f, "sentences", self.sentences, self.left_out)?;
        writeln!(
            f,
            "  words            {:>9}   source ({} unknown), {} target ({} unknown); {} are cut differently by the model",
            self.source_words,
            percent(self.source_unknown),
            self.target_words,
            percent(self.target_unknown),
            self.recut_words
        )?;
        writeln!(
            f,
            "  links            {:>9}   of which {} sure",
            self.possible_links, self.sure_links
        )?;
        writeln!(f, "                         AER  precision     recall")?;
        match &self.attention {
            Some(attention) => writeln!(f, "  attention        {attention}")?,
            None => writeln!(f, "  attention        no attention")?,
        }
        writeln!(f, "  diagonal         {}", self.diagonal)
    }
}

impl fmt::Display for AlignmentReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [aer, precision, recall] =
            [self.aer, self.precision, self.recall].map(|rate| optional(rate, 11, 4));
        write!(f, "{}{precision}{recall}", &aer)
    }
}

fn counted(f: &mut fmt::Formatter<'_>, name: &str, count: usize, left_out: usize) -> fmt::Result {
    write!(f, "  {name:<16} {count:>9}")?;
    if left_out > 0 {
        write!(f, "   {left_out} left out, empty or too long")?;
    }
    writeln!(f)
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

/// A number, or a dash where there is none.
fn optional(value: Option<f64>, width: usize, decimals: usize) -> String {
    value.map_or_else(
        || format!("{:>width$}", "–"),
        |v| format!("{v:>width$.decimals$}"),
    )
}
