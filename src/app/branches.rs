//! Branches: going on with another token than the model's own.
//!
//! The document keeps a branch as the tokens that were chosen; everything between them is the model's. The engine's
//! session keeps every step that it ever took, so that going back to a branch computes nothing again.

use std::sync::Arc;

use super::notice::{Level, NoticeDraft, Origin};
use super::pane::Pane;
use super::pane_data::PaneData;
use super::state::AppState;
use crate::engine::{DecodePolicy, is_generated};
use crate::project::{MOST_BRANCHES, ModelBranches, SavedBranch, TokenChoice};
use crate::text::UNKNOWN_TEXT;

/// The longest name of a branch, in bytes.
const LONGEST_NAME: usize = 80;

/// One way through a model's output, as the tree of branches shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchLine {
    /// Its place among the branches; `None` for the model's own way.
    pub branch: Option<usize>,
    /// The name that a person gave it; empty where none did.
    pub name: String,
    /// The words that are known of it, `</s>` included.
    pub words: Vec<String>,
    /// Where it leaves the line above it, from 0; 0 for the model's own way.
    pub leaves_at: usize,
    /// How many choices it has: its depth in the tree.
    pub depth: usize,
    /// Whether it is shown.
    pub is_current: bool,
    /// `ln p` of its known words, in nats.
    pub log_probability: f64,
}

/// The lines of one pane and what they were made from.
#[derive(Debug, Clone)]
pub(super) struct BranchLines {
    data: Arc<PaneData>,
    branches: Option<ModelBranches>,
    pub(super) lines: Vec<BranchLine>,
}

impl BranchLines {
    pub(super) fn new(pane: &Pane, branches: Option<&ModelBranches>) -> Self {
        Self {
            data: pane.data().clone(),
            branches: branches.cloned(),
            lines: lines(pane, branches),
        }
    }

    pub(super) fn is_of(&self, pane: &Pane, branches: Option<&ModelBranches>) -> bool {
        Arc::ptr_eq(&self.data, pane.data()) && self.branches.as_ref() == branches
    }
}

/// The model's own way and below it its branches, children behind their parent.
fn lines(pane: &Pane, branches: Option<&ModelBranches>) -> Vec<BranchLine> {
    let current = branches.and_then(|branches| branches.current);
    let own = line(pane, None, &SavedBranch::default(), current.is_none());
    let mut lines = vec![own];
    let Some(branches) = branches else {
        return lines;
    };
    // Choices in order put a branch right behind the one that it left.
    let mut order: Vec<usize> = (0..branches.list.len()).collect();
    let key = |i: &usize| {
        let choices = branches.list[*i].choices.iter();
        choices
            .map(|choice| (choice.position, choice.token.clone()))
            .collect::<Vec<_>>()
    };
    order.sort_by_key(key);
    for i in order {
        lines.push(line(pane, Some(i), &branches.list[i], current == Some(i)));
    }
    lines
}

fn line(pane: &Pane, branch: Option<usize>, saved: &SavedBranch, is_current: bool) -> BranchLine {
    let mut line = BranchLine {
        branch,
        name: saved.name.clone(),
        words: Vec::new(),
        leaves_at: saved.choices.last().map_or(0, |choice| choice.position),
        depth: saved.choices.len(),
        is_current,
        log_probability: 0.0,
    };
    let (Some(model), Some(session)) = (pane.loaded(), pane.session()) else {
        return line;
    };
    let conditions = &pane.data().conditions;
    let target = conditions.target.as_deref().unwrap_or_default();
    let target = model.target_tokeniser.tokenise(target);
    let first = saved.choices.first().map_or(usize::MAX, |c| c.position);
    let mut forced: Vec<(usize, u32)> = model
        .target_vocabulary
        .encode(&target)
        .into_iter()
        .enumerate()
        .take_while(|(position, _)| *position < first)
        .collect();
    let choices = saved.choices.iter();
    forced.extend(
        choices.filter_map(|choice| {
            Some((choice.position, model.target_vocabulary.id(&choice.token)?))
        }),
    );
    let tree = session.tree();
    let path = tree.known_line(&forced);
    let word = |id: u32| model.target_vocabulary.word(id).unwrap_or(UNKNOWN_TEXT);
    line.words = tree
        .tokens(&path)
        .into_iter()
        .map(|id| word(id).to_owned())
        .collect();
    let last = path.last().and_then(|id| tree.get(*id));
    line.log_probability = last.map_or(0.0, |node| node.step.total_log_probability);
    line
}

impl AppState {
    /// Whether a person can choose tokens of this pane: its model is there and decodes.
    pub fn can_branch(&self, model: &str) -> bool {
        self.pane(model)
            .is_some_and(|pane| pane.session().is_some())
    }

    pub(super) fn choose_token(&mut self, model: &str, position: usize, token: &str) {
        let Some((choices, is_word)) = self.choices_with(model, position, token) else {
            return;
        };
        if !is_word {
            let text = format!("{model} does not know the word \"{token}\"");
            self.notices
                .add(NoticeDraft::new(Level::Error, Origin::Decode, text));
            return;
        }
        if self.set_branch(model, choices) {
            self.reached = position + 1;
        }
    }

    /// The choices of the current branch before `position`, with `token` behind them unless it is what the model
    /// takes anyway; and whether the model knows the token. `None` if that position cannot be reached.
    fn choices_with(
        &self,
        model: &str,
        position: usize,
        token: &str,
    ) -> Option<(Vec<TokenChoice>, bool)> {
        let pane = self.pane(model)?;
        let (session, loaded) = (pane.session()?, pane.loaded()?);
        let step = session.step_at(position)?;
        let id = loaded.target_vocabulary.id(token);
        let is_word = id.is_some_and(is_generated);
        let kept = self.document.choices_of(model).iter();
        let mut choices: Vec<TokenChoice> = kept
            .filter(|choice| choice.position < position)
            .cloned()
            .collect();
        // Sampling may take any token, and a forced target none of the model's.
        let is_greedy = self.document.policy == DecodePolicy::Greedy;
        let own = step.top(8).into_iter().find(|c| is_generated(c.token));
        let is_own = is_greedy
            && own.is_some_and(|own| Some(own.token) == id)
            && (self.document.target.is_none() || !choices.is_empty());
        if !is_own {
            choices.push(TokenChoice {
                position,
                token: token.to_owned(),
            });
        }
        Some((choices, is_word))
    }

    /// Goes to the branch with these choices, which is made if it is not there. Says whether it could.
    fn set_branch(&mut self, model: &str, choices: Vec<TokenChoice>) -> bool {
        let all = &mut self.document.branches;
        let place = all.iter().position(|entry| entry.model == model);
        if choices.is_empty() {
            if let Some(place) = place {
                all[place].current = None;
            }
            return true;
        }
        let place = place.unwrap_or_else(|| {
            all.push(ModelBranches {
                model: model.to_owned(),
                list: Vec::new(),
                current: None,
            });
            all.len() - 1
        });
        let entry = &mut all[place];
        let known = entry.list.iter().position(|b| b.choices == choices);
        if known.is_none() && entry.list.len() >= MOST_BRANCHES {
            let text = format!("{model} has {MOST_BRANCHES} branches already");
            let draft = NoticeDraft::new(Level::Warning, Origin::Decode, text);
            self.notices.add(draft.advice("Remove one of them first"));
            return false;
        }
        entry.current = Some(known.unwrap_or_else(|| {
            entry.list.push(SavedBranch {
                name: String::new(),
                choices,
            });
            entry.list.len() - 1
        }));
        true
    }

    fn branches_mut(&mut self, model: &str) -> Option<&mut ModelBranches> {
        let mut all = self.document.branches.iter_mut();
        all.find(|entry| entry.model == model)
    }

    pub(super) fn select_branch(&mut self, model: &str, branch: Option<usize>) {
        if let Some(entry) = self.branches_mut(model)
            && branch.is_none_or(|branch| branch < entry.list.len())
        {
            entry.current = branch;
        }
    }

    pub(super) fn name_branch(&mut self, model: &str, branch: usize, name: &str) {
        let end = name.floor_char_boundary(LONGEST_NAME);
        if let Some(entry) = self.branches_mut(model)
            && let Some(branch) = entry.list.get_mut(branch)
        {
            name[..end].clone_into(&mut branch.name);
        }
    }

    pub(super) fn remove_branch(&mut self, model: &str, branch: usize) {
        let Some(entry) = self.branches_mut(model) else {
            return;
        };
        if branch >= entry.list.len() {
            return;
        }
        entry.list.remove(branch);
        entry.current = match entry.current {
            Some(current) if current == branch => None,
            Some(current) if current > branch => Some(current - 1),
            other => other,
        };
        if entry.list.is_empty() {
            self.document.branches.retain(|entry| entry.model != model);
        }
    }
}
