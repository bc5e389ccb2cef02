//! Names and shapes of all parameters, from a configuration alone.
//!
//! What a file claims is checked against them before anything of the claimed size is allocated.

use super::config::{ModelConfig, ScoreKind, Wiring};

/// Every parameter of a network of `config` with its shape, in the order of
/// [`Seq2Seq::parameters`](super::Seq2Seq::parameters).
pub(crate) fn parameter_shapes(config: &ModelConfig) -> Vec<(String, Vec<usize>)> {
    let (e, h, k, d) = (
        config.embedding,
        config.encoder,
        config.keys(),
        config.decoder,
    );
    let (a, r, v) = (config.attention, config.readout, config.target_vocabulary);
    let gates = config.cell.gates();
    let mut out = vec![
        named("source_embedding", &[config.source_vocabulary, e]),
        named("target_embedding", &[v, e]),
    ];
    out.extend(cell("encoder.forward", gates, e, h));
    out.extend(cell("encoder.backward", gates, e, h));
    out.extend([
        named("decoder.init.w", &[h, d]),
        named("decoder.init.b", &[d]),
    ]);
    out.extend(cell("decoder.cell", gates, e + config.feed(), d));
    match config.score {
        ScoreKind::Additive => out.extend([
            named("decoder.attention.w_a", &[d, a]),
            named("decoder.attention.u_a", &[k, a]),
            named("decoder.attention.v_a", &[a]),
        ]),
        ScoreKind::General => out.push(named("decoder.attention.w_a", &[k, d])),
        ScoreKind::Dot | ScoreKind::ScaledDot | ScoreKind::Bottleneck => {}
    }
    match config.wiring {
        Wiring::Bahdanau => out.extend([
            named("decoder.readout.w", &[d + k + e, r]),
            named("decoder.readout.b", &[r]),
        ]),
        Wiring::Luong => out.push(named("decoder.readout.w", &[k + d, r])),
    }
    if !config.tied {
        out.push(named("decoder.output.w", &[v, r]));
    }
    out.push(named("decoder.output.b", &[v]));
    out
}

fn named(name: &str, shape: &[usize]) -> (String, Vec<usize>) {
    (name.to_owned(), shape.to_vec())
}

fn cell(name: &str, gates: usize, inputs: usize, size: usize) -> [(String, Vec<usize>); 4] {
    let wide = gates * size;
    [
        (format!("{name}.w_x"), vec![inputs, wide]),
        (format!("{name}.w_h"), vec![size, wide]),
        (format!("{name}.b_x"), vec![wide]),
        (format!("{name}.b_h"), vec![wide]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::config::tests::tiny;
    use crate::engine::{CellKind, Seq2Seq};

    #[test]
    fn is_what_every_network_has() {
        for score in ScoreKind::ALL {
            for cell in CellKind::ALL {
                for (wiring, input_feeding) in [
                    (Wiring::Bahdanau, false),
                    (Wiring::Luong, false),
                    (Wiring::Luong, true),
                ] {
                    for tied in [true, false] {
                        let config = ModelConfig {
                            cell,
                            wiring,
                            input_feeding,
                            tied,
                            ..tiny(score)
                        };
                        let network = Seq2Seq::zeros(&config.clone().check().unwrap());
                        let found: Vec<_> = network
                            .parameters()
                            .into_iter()
                            .map(|p| (p.name, p.shape))
                            .collect();
                        assert_eq!(parameter_shapes(&config), found, "{config:?}");
                    }
                }
            }
        }
    }
}
