//! All that is asked about one sentence.

use std::sync::Arc;

use ndarray::Array2;

use super::Arguments;
use crate::attribution::{
    Attribution, Effects, Forced, GradientPaths, Method, Replacement, RowAgreement, Watch,
    attribute, replace, row_agreement,
};
use crate::cli::attend::decoded::{Decoded, Translator};
use crate::engine::ScoreKind;

/// Permutations of a verdict.
const SEEDS: usize = 100;

/// What was measured.
pub(super) struct Sentence {
    /// As it was typed.
    pub(super) text: String,
    /// Source words for people, `[S]`.
    pub(super) source: Vec<String>,
    /// Output words for people, `[T]`.
    pub(super) output: Vec<String>,
    /// The output as a sentence.
    pub(super) translation: String,
    /// Whether the output was given.
    pub(super) given: bool,
    /// `ln p` of each output word, `[T]`.
    pub(super) log_probabilities: Vec<f64>,
    /// `[T, S]`; `None` without attention.
    pub(super) weights: Option<Array2<f32>>,
    /// One for each method.
    pub(super) attributions: Vec<Judged>,
    /// What other weights do; empty without a verdict or without attention.
    pub(super) replacements: Vec<(Replacement, Effects)>,
    /// Norms of gradients, if asked for.
    pub(super) paths: Option<GradientPaths>,
}

/// An attribution, and its agreement with attention in each row `[T]`, if asked for.
pub(super) struct Judged {
    pub(super) attribution: Attribution,
    pub(super) agreement: Option<Vec<RowAgreement>>,
}

impl Sentence {
    pub(super) fn new(
        translator: &Translator,
        text: &str,
        arguments: &Arguments,
    ) -> Result<Self, String> {
        let decoded = translator.decode(text)?;
        let source = translator.source_ids(&decoded.source);
        let output = decoded.rows.iter().map(|row| row.step.chosen).collect();
        let network = translator.network();
        let forced = Forced::new(network, source, output).map_err(|e| e.to_string())?;
        let weights = forced.weights().cloned();
        if let Some(step) = arguments
            .step
            .filter(|step| step.get() > decoded.rows.len())
        {
            return Err(format!("step {step}: there are {}", decoded.rows.len()));
        }
        let mut attributions = Vec::new();
        for method in methods(arguments, network.config().score) {
            let attribution = attribute(&forced, method, arguments.points, Watch::default())
                .map_err(|e| format!("{method}: {e}"))?;
            let agreement = weights
                .as_ref()
                .filter(|_| arguments.verdict)
                .map(|weights| agreements(weights, &attribution.values));
            attributions.push(Judged {
                attribution,
                agreement,
            });
        }
        let replacements = if arguments.verdict && weights.is_some() {
            replacements(translator, &forced, arguments)?
        } else {
            Vec::new()
        };
        let paths = arguments
            .paths
            .then(|| GradientPaths::new(&forced, Watch::default()).map_err(|e| e.to_string()));
        Ok(Self {
            log_probabilities: forced.log_probabilities().to_vec(),
            weights,
            attributions,
            replacements,
            paths: paths.transpose()?,
            ..Self::of(&decoded, arguments.target.is_some())
        })
    }

    /// The words alone.
    fn of(decoded: &Decoded, given: bool) -> Self {
        use crate::cli::attend::decoded::Word;

        Self {
            text: decoded.text.clone(),
            source: decoded.source.iter().map(Word::shown).collect(),
            output: decoded.rows.iter().map(|row| row.shown.clone()).collect(),
            translation: decoded.translation.clone(),
            given,
            log_probabilities: Vec::new(),
            weights: None,
            attributions: Vec::new(),
            replacements: Vec::new(),
            paths: None,
        }
    }
}

/// The methods that were named, or the usual one.
fn methods(arguments: &Arguments, score: ScoreKind) -> Vec<Method> {
    match (&arguments.method[..], arguments.paths, score.attends()) {
        ([], true, _) => Vec::new(),
        ([], false, true) => vec![Method::LeaveOneOut],
        ([], false, false) => vec![Method::Drop],
        (named, _, _) => named.to_vec(),
    }
}

fn agreements(weights: &Array2<f32>, values: &Array2<f32>) -> Vec<RowAgreement> {
    let rows = weights.rows().into_iter().zip(values.rows());
    rows.map(|(weights, values)| row_agreement(&weights.to_vec(), &values.to_vec()))
        .collect()
}

fn replacements(
    translator: &Translator,
    forced: &Forced,
    arguments: &Arguments,
) -> Result<Vec<(Replacement, Effects)>, String> {
    let seeds = arguments.seeds.map_or(SEEDS, usize::from);
    let mut all = vec![
        Replacement::Uniform,
        Replacement::LastPosition,
        Replacement::Permuted { seeds },
    ];
    if let Some(text) = &arguments.frozen {
        let words = translator.read(text)?;
        let (found, expected) = (words.len(), forced.source().len());
        if found != expected {
            return Err(format!(
                "--frozen: expected a sentence of {expected} words as the model cuts them, found {found}"
            ));
        }
        let other = Forced::greedy(translator.network(), translator.source_ids(&words));
        let other = other.map_err(|e| e.to_string())?;
        if let Some(weights) = other.weights() {
            all.push(Replacement::Frozen(Arc::new(weights.clone())));
        }
    }
    let effects = all.into_iter().map(|replacement| {
        let effects = replace(forced, &replacement, Watch::default());
        effects
            .map(|effects| (replacement, effects))
            .map_err(|e| e.to_string())
    });
    effects.collect()
}
