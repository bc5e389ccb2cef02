//! The tree of all steps that a session took. Branches share the steps up to where they part.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::intervention::Intervention;
use super::session::{DecodeStep, StepTrace};

/// Names a node of a session's tree; never given twice in one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u32);

impl std::fmt::Display for NodeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A step in the tree.
#[derive(Debug, Clone)]
pub struct BranchNode {
    /// The step before; `None` at position 0.
    pub parent: Option<NodeId>,
    /// The steps that were taken after it, oldest first.
    pub children: Vec<NodeId>,
    /// The step.
    pub step: Arc<DecodeStep>,
    /// A name that a person gave to the branch here.
    pub name: Option<String>,
    /// The list of interventions last in force while the current line ran through here.
    pub(super) interventions: Arc<[Intervention]>,
    /// The child that the current line took last.
    pub(super) preferred: Option<NodeId>,
}

/// A leaf of the tree and the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// The last step.
    pub leaf: NodeId,
    /// The name nearest to the leaf.
    pub name: Option<String>,
    /// The tokens from the start, `</s>` included where it was taken.
    pub tokens: Vec<u32>,
    /// Their log-probability, in nats.
    pub log_probability: f64,
    /// Whether the session's current line ends here.
    pub current: bool,
}

/// All steps of a session.
#[derive(Debug, Clone, Default)]
pub struct BranchTree {
    nodes: BTreeMap<NodeId, BranchNode>,
    roots: Vec<NodeId>,
    next: u32,
}

impl BranchTree {
    /// The node with this id.
    pub fn get(&self, id: NodeId) -> Option<&BranchNode> {
        self.nodes.get(&id)
    }

    /// All nodes, in the order in which they were made: a parent comes before its children.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &BranchNode)> {
        self.nodes.iter().map(|(id, node)| (*id, node))
    }

    /// The steps taken after `parent`, or at position 0.
    pub fn children(&self, parent: Option<NodeId>) -> &[NodeId] {
        parent.map_or(&self.roots, |id| &self.nodes[&id].children)
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no step was taken.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes from position 0 to `id`, which is in the tree.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(id), |id| self.nodes[id].parent).collect();
        path.reverse();
        path
    }

    /// The tokens of `path`.
    pub fn tokens(&self, path: &[NodeId]) -> Vec<u32> {
        path.iter().map(|id| self.nodes[id].step.chosen).collect()
    }

    /// The name nearest to `id` on the way to position 0.
    pub fn name(&self, id: NodeId) -> Option<&str> {
        std::iter::successors(Some(id), |id| self.nodes[id].parent)
            .find_map(|id| self.nodes[&id].name.as_deref())
    }

    /// The steps known so far of the line that takes `forced` tokens (position, token; ascending) and leaves
    /// all others to the model. It ends where nothing is known.
    pub fn known_line(&self, forced: &[(usize, u32)]) -> Vec<NodeId> {
        let mut line: Vec<NodeId> = Vec::new();
        loop {
            let parent = line.last().copied();
            let wanted = forced.iter().find(|(position, _)| *position == line.len());
            let preferred = parent.and_then(|id| self.nodes[&id].preferred);
            let mut children = self.children(parent).iter().rev().copied().filter(|id| {
                let step = &self.nodes[id].step;
                wanted.map_or(!step.forced, |(_, token)| step.chosen == *token)
            });
            let newest = children.clone().next();
            let next = children.find(|id| Some(*id) == preferred).or(newest);
            match next {
                Some(id) => line.push(id),
                None => return line,
            }
        }
    }

    /// The leaves, oldest first.
    pub fn leaves(&self) -> impl Iterator<Item = NodeId> {
        self.nodes
            .iter()
            .filter(|(_, node)| node.children.is_empty())
            .map(|(id, _)| *id)
    }

    /// The child of `parent` that took `chosen` from `trace`.
    pub(super) fn find(
        &self,
        parent: Option<NodeId>,
        trace: &Arc<StepTrace>,
        chosen: u32,
        forced: bool,
    ) -> Option<NodeId> {
        self.children(parent).iter().copied().find(|id| {
            let step = &self.nodes[id].step;
            Arc::ptr_eq(&step.trace, trace) && step.chosen == chosen && step.forced == forced
        })
    }

    pub(super) fn get_mut(&mut self, id: NodeId) -> Option<&mut BranchNode> {
        self.nodes.get_mut(&id)
    }

    pub(super) fn add(
        &mut self,
        parent: Option<NodeId>,
        step: DecodeStep,
        interventions: Arc<[Intervention]>,
    ) -> NodeId {
        let id = NodeId(self.next);
        self.next += 1;
        let children = Vec::new();
        let step = Arc::new(step);
        self.nodes.insert(
            id,
            BranchNode {
                parent,
                children,
                step,
                name: None,
                interventions,
                preferred: None,
            },
        );
        self.siblings(parent).push(id);
        id
    }

    /// The id that the next node will get; all nodes made from now on are [removed](Self::remove_since) by it.
    pub(super) const fn mark(&self) -> NodeId {
        NodeId(self.next)
    }

    /// Takes back all nodes made since `mark`.
    pub(super) fn remove_since(&mut self, mark: NodeId) {
        for id in self.nodes.split_off(&mark).into_keys() {
            self.roots.retain(|root| *root != id);
        }
        for node in self.nodes.values_mut() {
            node.children.retain(|child| *child < mark);
            node.preferred = node.preferred.filter(|child| *child < mark);
        }
    }

    /// Removes `id` with all that follows it, and the steps before it that led nowhere else, down to the first
    /// one in `keep`.
    pub(super) fn remove(&mut self, id: NodeId, keep: &[NodeId]) {
        let mut top = id;
        while let Some(parent) = self.nodes[&top].parent {
            if self.nodes[&parent].children.len() > 1 || keep.contains(&parent) {
                break;
            }
            top = parent;
        }
        let parent = self.nodes[&top].parent;
        self.siblings(parent).retain(|child| *child != top);
        if let Some(parent) = parent.and_then(|id| self.nodes.get_mut(&id)) {
            parent.preferred = parent.preferred.filter(|child| *child != top);
        }
        let mut doomed = vec![top];
        while let Some(node) = doomed.pop().and_then(|id| self.nodes.remove(&id)) {
            doomed.extend(node.children);
        }
    }

    fn siblings(&mut self, parent: Option<NodeId>) -> &mut Vec<NodeId> {
        match parent.and_then(|id| self.nodes.get_mut(&id)) {
            Some(node) => &mut node.children,
            None => &mut self.roots,
        }
    }
}
