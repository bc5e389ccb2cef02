//! Decoding many sentences at once.

use std::collections::BTreeMap;

use super::attention::Intervene;
use super::intervention::{
    Intervention, InterventionError, active_at, check_interventions, intervene,
};
use super::network::Seq2Seq;
use crate::numeric::argmax;
use crate::text::{END, PAD, START};

/// Sentences decoded together.
const BATCH: usize = 64;

/// The step limit of a source of `len` tokens.
pub const fn step_limit(len: usize) -> usize {
    2 * len + 10
}

/// The most probable next word that may be generated: neither padding nor the start mark.
pub fn best_word(logits: &[f32]) -> u32 {
    let first = END as usize;
    debug_assert!((PAD as usize) < first && (START as usize) < first);
    (argmax(&logits[first..]).0 + first) as u32
}

impl Seq2Seq {
    /// Greedy translations of `sources`, without `</s>`, each at most [`step_limit`] words; empty sources give
    /// empty translations.
    pub fn translate(&self, sources: &[&[u32]]) -> Vec<Vec<u32>> {
        self.translate_all(sources, &[])
    }

    /// As [`translate`](Self::translate), with the same interventions in every sentence.
    ///
    /// # Errors
    /// What does not fit one of the sentences, or a model without attention.
    pub fn translate_intervened(
        &self,
        sources: &[&[u32]],
        interventions: &[Intervention],
    ) -> Result<Vec<Vec<u32>>, InterventionError> {
        for source in sources.iter().filter(|source| !source.is_empty()) {
            check_interventions(interventions, source.len(), self.config().score.attends())?;
        }
        Ok(self.translate_all(sources, interventions))
    }

    fn translate_all(&self, sources: &[&[u32]], interventions: &[Intervention]) -> Vec<Vec<u32>> {
        let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (i, source) in sources.iter().enumerate() {
            by_length.entry(source.len()).or_default().push(i);
        }
        by_length.remove(&0);
        let mut out = vec![Vec::new(); sources.len()];
        for (len, members) in by_length {
            for members in members.chunks(BATCH) {
                let batch: Vec<&[u32]> = members.iter().map(|&i| sources[i]).collect();
                for (&i, translation) in
                    members
                        .iter()
                        .zip(self.translate_batch(&batch, len, interventions))
                {
                    out[i] = translation;
                }
            }
        }
        out
    }

    fn translate_batch(
        &self,
        sources: &[&[u32]],
        len: usize,
        interventions: &[Intervention],
    ) -> Vec<Vec<u32>> {
        let batch = sources.len();
        let positions: Vec<u32> = (0..len)
            .flat_map(|j| sources.iter().map(move |s| s[j]))
            .collect();
        let states = self.encode(&positions, batch);
        let mut state = self.start(&states);
        let mut words = vec![START; batch];
        let mut out = vec![Vec::new(); batch];
        let mut running = vec![true; batch];
        for step in 0..step_limit(len) {
            let active = active_at(interventions, step);
            let change = |_: usize, _: usize, scores: &[f32], weights: &mut [f32]| {
                intervene(&active, step, None, scores, weights)
            };
            let intervene: Option<Intervene> = (!active.is_empty()).then_some(&change);
            // Nothing masks here and the list was checked, so that there is always something to attend to.
            let Ok(trace) = self.decode(&words, state, &states, intervene) else {
                break;
            };
            for b in 0..batch {
                words[b] = best_word(trace.logits(b));
                running[b] &= words[b] != END;
                if running[b] {
                    out[b].push(words[b]);
                }
            }
            if !running.contains(&true) {
                break;
            }
            state = trace.state_after(0);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::config::tests::tiny;
    use crate::engine::{InterventionKind, Scope, ScoreKind};

    #[test]
    fn intervened_translations_are_those_of_sessions() {
        use crate::engine::{DecodeCommand, DecodeSession};

        let mut network = Seq2Seq::initialised(&tiny(ScoreKind::Dot).check().unwrap(), 2);
        for parameter in network.parameters_mut() {
            parameter.values.iter_mut().for_each(|v| *v *= 4.0);
        }
        let sources: [&[u32]; 4] = [&[5, 9, 6], &[], &[4], &[7, 7, 10]];
        let edits = [
            Intervention::new(Scope::From(1), InterventionKind::Permute(3)),
            Intervention::new(Scope::All, InterventionKind::Temperature(0.4)),
        ];
        let plain = network.translate(&sources);
        assert_eq!(network.translate_intervened(&sources, &[]), Ok(plain));
        let edited = network.translate_intervened(&sources, &edits).unwrap();
        let shared = std::sync::Arc::new(network.clone());
        for (source, found) in sources.iter().zip(edited) {
            if source.is_empty() {
                assert!(found.is_empty());
                continue;
            }
            let mut session =
                DecodeSession::new(shared.clone(), source.to_vec(), step_limit(source.len()))
                    .unwrap();
            for edit in edits.clone() {
                session.apply(DecodeCommand::AddIntervention(edit)).unwrap();
            }
            session.apply(DecodeCommand::RunToEnd).unwrap();
            let mut tokens = session.tokens();
            tokens.retain(|token| *token != END);
            assert_eq!(found, tokens);
        }
        let mask = [Intervention::new(
            Scope::All,
            InterventionKind::MaskSource(0),
        )];
        assert_eq!(
            network.translate_intervened(&sources, &mask),
            Err(InterventionError::OnlyToken)
        );
    }
}
