//! The signed difference of two panes, as far as their outputs agree.
//!
//! A row compares the weights of one step. It means something as long as both models looked from behind the same
//! words: from the first step on at which they say different words, the rows are about different things. That
//! step is shown with both words and has no numbers.

use std::sync::Arc;

use ndarray::{Array2, s};

use super::pane::Pane;
use super::pane_data::PaneData;
use crate::alignment::LabelledMatrix;
use crate::project::DifferencePair;

/// Why there is no difference to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoDifference {
    /// One of the two is not chosen, or has nothing to show.
    Missing,
    /// One of the two has no attention.
    NoAttention,
    /// Their tokenisers cut the source differently.
    OtherSource,
}

/// Where two outputs part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parting {
    /// The first step with different tokens.
    pub step: usize,
    /// What the left model says there.
    pub left: String,
    /// What the right model says there.
    pub right: String,
}

/// A difference.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The two models.
    pub pair: DifferencePair,
    /// Weights of the left model minus those of the right one, from −1 to 1, for the steps whose tokens agree.
    pub matrix: Arc<LabelledMatrix>,
    /// Where their outputs part, if they do: forcing one's output on the other makes all rows comparable.
    pub parting: Option<Parting>,
    left: Arc<PaneData>,
    right: Arc<PaneData>,
}

impl Difference {
    /// The difference of two panes.
    pub(super) fn new(
        pair: &DifferencePair,
        left: Option<&Pane>,
        right: Option<&Pane>,
    ) -> Result<Self, NoDifference> {
        let (Some(left), Some(right)) = (left, right) else {
            return Err(NoDifference::Missing);
        };
        let (left, right) = (left.data(), right.data());
        let matrix = agreement(left, right)?;
        let agreed = matrix.rows().len();
        Ok(Self {
            pair: pair.clone(),
            matrix: Arc::new(matrix),
            parting: parting(left, right, agreed),
            left: left.clone(),
            right: right.clone(),
        })
    }

    /// How many steps agree.
    pub fn agreed(&self) -> usize {
        self.matrix.rows().len()
    }

    /// Whether it was made from these.
    pub(super) fn is_of(&self, pair: &DifferencePair, left: &Pane, right: &Pane) -> bool {
        self.pair == *pair
            && Arc::ptr_eq(&self.left, left.data())
            && Arc::ptr_eq(&self.right, right.data())
    }
}

/// The difference of the weights of two runs, for the steps whose tokens agree.
pub(super) fn agreement(left: &PaneData, right: &PaneData) -> Result<LabelledMatrix, NoDifference> {
    if left.source.is_empty() || right.source.is_empty() {
        return Err(NoDifference::Missing);
    }
    let (Some(a), Some(b)) = (&left.matrix, &right.matrix) else {
        return Err(NoDifference::NoAttention);
    };
    if left.source != right.source {
        return Err(NoDifference::OtherSource);
    }
    let agreed = left
        .tokens
        .iter()
        .zip(&right.tokens)
        .take_while(|(l, r)| l.text == r.text)
        .count();
    let rows = |m: &LabelledMatrix| m.values().slice(s![..agreed, ..]).to_owned();
    let values: Array2<f32> = rows(a) - rows(b);
    let labels = a.rows()[..agreed].to_vec();
    LabelledMatrix::new(labels, a.columns().to_vec(), values).map_err(|_| NoDifference::OtherSource)
}

/// The step after `agreed` ones; `None` where one of the runs was merely not taken so far.
fn parting(left: &PaneData, right: &PaneData, agreed: usize) -> Option<Parting> {
    let text = |data: &PaneData| data.tokens.get(agreed).map(|token| token.text.clone());
    Some(Parting {
        step: agreed,
        left: text(left)?,
        right: text(right)?,
    })
}
