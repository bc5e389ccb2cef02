//! What a sentence costs: multiply–adds and memory of encoding, scoring and decoding, counted from the sizes.
//!
//! ```text
//! g = 3 (GRU), 4 (LSTM)                                            multiply–adds
//! encode    two directions, S steps      2 S g H (E + H)
//! project   U_a k, W_a k                 S K A (additive), S K D (general), 0
//! score     a step: additive             D A + 2 S A               (the sum and the product with v_a)
//!                   dot, scaled dot      S K
//!                   general              S D
//! mix       a step: Σ α h                S K
//! cell      a step                       g D (E + F + D)           F = K, R or 0: what is fed beside the word
//! predict   a step                       R (readout inputs) + V R
//! ```
//! A hyperbolic tangent or exponential counts as one operation and is listed apart, since it costs more than a
//! product. The bottleneck scores and mixes nothing: its cost a step does not depend on `S`.

use super::config::{CellKind, ModelConfig, ScoreKind, Wiring};

/// Multiply–adds of one sentence, by part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operations {
    /// Both directions of the encoder.
    pub encode: u64,
    /// The keys, projected once.
    pub project: u64,
    /// All scores of all steps.
    pub score: u64,
    /// All contexts.
    pub mix: u64,
    /// All steps of the cell.
    pub cell: u64,
    /// All readouts and logits.
    pub predict: u64,
    /// Hyperbolic tangents and exponentials of scores and softmax.
    pub functions: u64,
}

/// Numbers kept while a sentence is decoded, by part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    /// What the decoder keeps of the source: all states, or the one vector of the bottleneck.
    pub source: u64,
    /// Projected keys.
    pub keys: u64,
    /// Scores and weights of all steps, as a view of them needs.
    pub weights: u64,
}

/// Part and formula, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CostFormula {
    /// The part, a field of [`Operations`] or [`Memory`].
    pub part: &'static str,
    /// In the letters of this program.
    pub formula: &'static str,
}

impl Operations {
    /// Of a sentence of `source` words and `target` steps.
    pub const fn new(config: &ModelConfig, source: usize, target: usize) -> Self {
        let (s, t) = (source as u64, target as u64);
        let (e, h, k) = (
            config.embedding as u64,
            config.encoder as u64,
            config.keys() as u64,
        );
        let (d, a, r) = (
            config.decoder as u64,
            config.attention as u64,
            config.readout as u64,
        );
        let g = match config.cell {
            CellKind::Gru => 3,
            CellKind::Lstm => 4,
        };
        let (project, score, functions) = match config.score {
            ScoreKind::Additive => (s * k * a, t * (d * a + 2 * s * a), t * s * (a + 1)),
            ScoreKind::Dot | ScoreKind::ScaledDot => (0, t * s * k, t * s),
            ScoreKind::General => (s * k * d, t * s * d, t * s),
            ScoreKind::Bottleneck => (0, 0, 0),
        };
        let inputs = match config.wiring {
            Wiring::Bahdanau => d + k + e,
            Wiring::Luong => k + d,
        };
        Self {
            encode: 2 * s * g * h * (e + h),
            project,
            score,
            mix: if config.score.attends() { t * s * k } else { 0 },
            cell: t * g * d * (e + config.feed() as u64 + d),
            predict: t * (r * inputs + config.target_vocabulary as u64 * r),
            functions,
        }
    }

    /// Multiply–adds of all parts.
    pub const fn total(&self) -> u64 {
        self.encode + self.project + self.score + self.mix + self.cell + self.predict
    }

    /// What attention adds to a model without it.
    pub const fn attention(&self) -> u64 {
        self.project + self.score + self.mix
    }

    /// The formulae behind [`Operations::new`], in the order of the fields.
    pub fn formulae(config: &ModelConfig) -> Vec<CostFormula> {
        let (project, score) = match config.score {
            ScoreKind::Additive => ("S · K · A", "T · (D · A + 2 · S · A)"),
            ScoreKind::Dot | ScoreKind::ScaledDot => ("0", "T · S · K"),
            ScoreKind::General => ("S · K · D", "T · S · D"),
            ScoreKind::Bottleneck => ("0", "0"),
        };
        let mix = if config.score.attends() {
            "T · S · K"
        } else {
            "0"
        };
        let encode = match config.cell {
            CellKind::Gru => "2 · S · 3 · H · (E + H)",
            CellKind::Lstm => "2 · S · 4 · H · (E + H)",
        };
        let cell = match (config.cell, config.wiring, config.input_feeding) {
            (CellKind::Gru, Wiring::Bahdanau, _) => "T · 3 · D · (E + K + D)",
            (CellKind::Lstm, Wiring::Bahdanau, _) => "T · 4 · D · (E + K + D)",
            (CellKind::Gru, Wiring::Luong, true) => "T · 3 · D · (E + R + D)",
            (CellKind::Lstm, Wiring::Luong, true) => "T · 4 · D · (E + R + D)",
            (CellKind::Gru, Wiring::Luong, false) => "T · 3 · D · (E + D)",
            (CellKind::Lstm, Wiring::Luong, false) => "T · 4 · D · (E + D)",
        };
        let predict = match config.wiring {
            Wiring::Bahdanau => "T · R · (D + K + E + V)",
            Wiring::Luong => "T · R · (K + D + V)",
        };
        let parts = ["encode", "project", "score", "mix", "cell", "predict"];
        let formulae = [encode, project, score, mix, cell, predict];
        let pairs = parts.into_iter().zip(formulae);
        pairs
            .map(|(part, formula)| CostFormula { part, formula })
            .collect()
    }
}

impl Memory {
    /// Of a sentence of `source` words and `target` steps.
    pub const fn new(config: &ModelConfig, source: usize, target: usize) -> Self {
        let (s, t, k) = (source as u64, target as u64, config.keys() as u64);
        let keys = match config.score {
            ScoreKind::Additive => s * config.attention as u64,
            ScoreKind::General => s * config.decoder as u64,
            _ => 0,
        };
        let attends = config.score.attends();
        Self {
            source: if attends { s * k } else { k },
            keys,
            weights: if attends { 2 * t * s } else { 0 },
        }
    }

    /// Numbers in all.
    pub const fn total(&self) -> u64 {
        self.source + self.keys + self.weights
    }

    /// Bytes in all: every number is an `f32`.
    pub const fn bytes(&self) -> u64 {
        4 * self.total()
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::tests::tiny;
    use super::*;

    fn config(score: ScoreKind) -> ModelConfig {
        ModelConfig {
            source_vocabulary: 8_000,
            target_vocabulary: 6_000,
            embedding: 128,
            encoder: 128,
            decoder: 256,
            attention: 256,
            readout: 128,
            ..tiny(score)
        }
    }

    #[test]
    fn the_demo_sentence_by_hand() {
        let cost = Operations::new(&config(ScoreKind::Additive), 4, 5);
        assert_eq!(cost.encode, 2 * 4 * 3 * 128 * 256);
        assert_eq!(cost.project, 4 * 256 * 256);
        assert_eq!(cost.score, 5 * (256 * 256 + 2 * 4 * 256));
        assert_eq!(cost.mix, 5 * 4 * 256);
        assert_eq!(cost.cell, 5 * 3 * 256 * (128 + 256 + 256));
        assert_eq!(cost.predict, 5 * (128 * (256 + 256 + 128) + 6_000 * 128));
        assert_eq!(cost.functions, 5 * 4 * 257);
        assert_eq!(
            Memory::new(&config(ScoreKind::Dot), 4, 5).bytes(),
            4 * (4 * 256 + 40)
        );
    }

    #[test]
    fn only_attention_depends_on_the_source_in_a_step() {
        let grows = |score| {
            let config = config(score);
            let at = |s| {
                let cost = Operations::new(&config, s, 10);
                cost.score + cost.mix + cost.cell + cost.predict
            };
            at(1_000) - at(10)
        };
        assert_eq!(grows(ScoreKind::Bottleneck), 0);
        assert!(grows(ScoreKind::Dot) > 0);
        assert!(grows(ScoreKind::Additive) > grows(ScoreKind::Dot));
        let bottleneck = config(ScoreKind::Bottleneck);
        assert_eq!(Operations::new(&bottleneck, 9, 9).attention(), 0);
        assert_eq!(
            Memory::new(&bottleneck, 9, 9),
            Memory::new(&bottleneck, 99, 9)
        );
    }

    /// Evaluates a formula of products and sums over letters and numbers.
    fn value(text: &str, letter: &dyn Fn(char) -> u64) -> u64 {
        let mut depth = 0;
        let cut = |sign: char| {
            let mut parts = vec![String::new()];
            for c in text.chars() {
                depth += match c {
                    '(' => 1,
                    ')' => -1,
                    _ => 0,
                };
                if c == sign && depth == 0 {
                    parts.push(String::new());
                } else {
                    parts.last_mut().unwrap().push(c);
                }
            }
            parts
        };
        let mut cut = cut;
        let sums = cut('+');
        if sums.len() > 1 {
            return sums.iter().map(|part| value(part.trim(), letter)).sum();
        }
        let products = cut('·');
        if products.len() > 1 {
            return products
                .iter()
                .map(|part| value(part.trim(), letter))
                .product();
        }
        let text = text.trim();
        if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            return value(inner, letter);
        }
        text.parse()
            .unwrap_or_else(|_| letter(text.chars().next().unwrap()))
    }

    #[test]
    fn the_formulae_give_the_numbers() {
        for score in ScoreKind::ALL {
            for cell in CellKind::ALL {
                for (wiring, input_feeding) in [
                    (Wiring::Bahdanau, false),
                    (Wiring::Luong, true),
                    (Wiring::Luong, false),
                ] {
                    let config = ModelConfig {
                        cell,
                        wiring,
                        input_feeding,
                        ..config(score)
                    };
                    let letter = |c| match c {
                        'S' => 7,
                        'T' => 11,
                        'E' => config.embedding as u64,
                        'H' => config.encoder as u64,
                        'K' => config.keys() as u64,
                        'D' => config.decoder as u64,
                        'A' => config.attention as u64,
                        'R' => config.readout as u64,
                        'V' => config.target_vocabulary as u64,
                        _ => panic!("{c}"),
                    };
                    let cost = Operations::new(&config, 7, 11);
                    let numbers = [
                        cost.encode,
                        cost.project,
                        cost.score,
                        cost.mix,
                        cost.cell,
                        cost.predict,
                    ];
                    for (formula, number) in Operations::formulae(&config).iter().zip(numbers) {
                        assert_eq!(value(formula.formula, &letter), number, "{formula:?}");
                    }
                }
            }
        }
    }
}
