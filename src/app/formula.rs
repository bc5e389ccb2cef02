//! The score's formula with the numbers of one step and one source position.

use crate::engine::{DecodeSession, DecodeStep, Score, ScoreKind};
use crate::metrics::euclidean_norm;

/// How many numbers of a vector are kept for display.
const HEAD: usize = 4;

/// Whose a number is; each role has one colour everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The encoder's: keys and values.
    Source,
    /// The decoder's: query and state.
    Target,
    /// The context's.
    Context,
    /// Learned parameters of the score.
    Parameter,
    /// Results: scores and weights.
    Plain,
}

/// A piece of a formula, in reading order.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// Letters and signs.
    Sign(String),
    /// A number.
    Number {
        /// Its value.
        value: f64,
        /// Whose it is.
        role: Role,
    },
    /// A vector: its symbol, length and size, and the first of its numbers.
    Vector {
        /// Its symbol.
        symbol: String,
        /// How many numbers it has.
        len: usize,
        /// Its Euclidean norm.
        norm: f64,
        /// The first few.
        head: Vec<f32>,
        /// Whose it is.
        role: Role,
    },
}

/// From the vectors to a score, from the scores to a weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// Which score.
    pub kind: ScoreKind,
    /// The source position that it is about, from 0.
    pub column: usize,
    /// The score in letters.
    pub definition: &'static str,
    /// The score in numbers.
    pub score: Vec<Term>,
    /// The weight in numbers.
    pub weight: Vec<Term>,
    /// The score as the vectors shown here give it, which is the one that the model computed up to rounding.
    pub recomputed: f64,
}

/// The score in letters; `None` for a model without attention.
pub const fn definition(kind: ScoreKind) -> Option<&'static str> {
    match kind {
        ScoreKind::Additive => Some("e_j = v_a · tanh(W_a q + U_a k_j)"),
        ScoreKind::Dot => Some("e_j = q · k_j"),
        ScoreKind::General => Some("e_j = q · (W_a k_j)"),
        ScoreKind::ScaledDot => Some("e_j = q · k_j / √K"),
        ScoreKind::Bottleneck => None,
    }
}

impl Formula {
    /// The formula of a step at a source position; `None` without attention.
    pub(super) fn new(session: &DecodeSession, step: &DecodeStep, column: usize) -> Option<Self> {
        let network = session.network();
        let kind = network.config().score;
        let definition = definition(kind)?;
        let score = f64::from(*step.scores.as_ref()?.get(column)?);
        let states = session.states();
        let key = states.keys(0).row(column);
        let j = column + 1;
        let (mut terms, recomputed) = score_terms(&network.decoder.attention, step, key, j)?;
        terms.insert(0, sign(&format!("e_{j} =")));
        terms.extend([sign("="), number(score, Role::Plain)]);
        Some(Self {
            kind,
            column,
            definition,
            score: terms,
            weight: weight_terms(step, column)?,
            recomputed,
        })
    }

    /// The formula as lines of plain text, for copying.
    pub fn text(&self) -> String {
        let line = |terms: &[Term]| {
            let words: Vec<String> = terms.iter().map(Term::text).collect();
            words.join(" ")
        };
        [
            self.definition.to_owned(),
            line(&self.score),
            line(&self.weight),
        ]
        .join("\n")
    }
}

impl Term {
    /// As plain text; a vector is its symbol with its norm.
    pub fn text(&self) -> String {
        match self {
            Self::Sign(text) => text.clone(),
            Self::Number { value, .. } => format!("{value:.4}"),
            Self::Vector { symbol, norm, .. } => format!("{symbol} (‖·‖ {norm:.3})"),
        }
    }
}

/// The right side of the score in vectors, and what they give.
fn score_terms(
    attention: &Score,
    step: &DecodeStep,
    key: &[f32],
    j: usize,
) -> Option<(Vec<Term>, f64)> {
    let query = vector("q".to_owned(), &step.query, Role::Target);
    let key_term = |symbol: String| vector(symbol, key, Role::Source);
    let product = dot(&step.query, key);
    Some(match attention {
        Score::Additive { v_a, .. } => {
            let sum = step.projected_query.iter().zip(key);
            let hidden: Vec<f32> = sum.map(|(q, k)| (q + k).tanh()).collect();
            let v_a = v_a.to_vec();
            let terms = vec![
                vector("v_a".to_owned(), &v_a, Role::Parameter),
                sign("· tanh("),
                vector("W_a q".to_owned(), &step.projected_query, Role::Target),
                sign("+"),
                key_term(format!("U_a k_{j}")),
                sign(")"),
            ];
            (terms, dot(&v_a, &hidden))
        }
        Score::General { .. } => (
            vec![query, sign("·"), key_term(format!("W_a k_{j}"))],
            product,
        ),
        Score::Dot => (vec![query, sign("·"), key_term(format!("k_{j}"))], product),
        Score::ScaledDot => {
            let root = (key.len() as f64).sqrt();
            let key = key_term(format!("k_{j}"));
            let terms = vec![query, sign("·"), key, sign("/"), number(root, Role::Plain)];
            (terms, product / root)
        }
        Score::Bottleneck => return None,
    })
}

/// `α_j = exp(e_j − max e) / Σ exp(e_i − max e) = …`, as the model computed it, before any intervention.
fn weight_terms(step: &DecodeStep, column: usize) -> Option<Vec<Term>> {
    let scores = step.scores.as_ref()?;
    let weight = f64::from(*step.weights.as_ref()?.get(column)?);
    let max = scores
        .iter()
        .fold(f64::NEG_INFINITY, |m, e| m.max(f64::from(*e)));
    let exp = |e: f32| (f64::from(e) - max).exp();
    let sum: f64 = scores.iter().map(|e| exp(*e)).sum();
    let j = column + 1;
    Some(vec![
        sign(&format!(
            "α_{j} = exp(e_{j} − max e) / Σ exp(e_i − max e) ="
        )),
        number(exp(scores[column]), Role::Plain),
        sign("/"),
        number(sum, Role::Plain),
        sign("="),
        number(weight, Role::Plain),
    ])
}

fn sign(text: &str) -> Term {
    Term::Sign(text.to_owned())
}

const fn number(value: f64, role: Role) -> Term {
    Term::Number { value, role }
}

fn vector(symbol: String, values: &[f32], role: Role) -> Term {
    Term::Vector {
        symbol,
        len: values.len(),
        norm: euclidean_norm(values),
        head: values.iter().take(HEAD).copied().collect(),
        role,
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| f64::from(*a) * f64::from(*b))
        .sum()
}
