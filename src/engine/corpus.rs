//! Decoding many sentences at once.

use std::collections::BTreeMap;

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
        let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (i, source) in sources.iter().enumerate() {
            by_length.entry(source.len()).or_default().push(i);
        }
        by_length.remove(&0);
        let mut out = vec![Vec::new(); sources.len()];
        for (len, members) in by_length {
            for members in members.chunks(BATCH) {
                let batch: Vec<&[u32]> = members.iter().map(|&i| sources[i]).collect();
                for (&i, translation) in members.iter().zip(self.translate_batch(&batch, len)) {
                    out[i] = translation;
                }
            }
        }
        out
    }

    fn translate_batch(&self, sources: &[&[u32]], len: usize) -> Vec<Vec<u32>> {
        let batch = sources.len();
        let positions: Vec<u32> = (0..len)
            .flat_map(|j| sources.iter().map(move |s| s[j]))
            .collect();
        let states = self.encode(&positions, batch);
        let mut state = self.start(&states);
        let mut words = vec![START; batch];
        let mut out = vec![Vec::new(); batch];
        let mut running = vec![true; batch];
        for _ in 0..step_limit(len) {
            // Nothing masks here, so that there is always something to attend to.
            let Ok(trace) = self.decode(&words, state, &states, None) else {
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
