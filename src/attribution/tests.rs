//! Attributions of tiny random networks.

use ndarray::Array2;

use super::forced::log_probability;
use super::*;
use crate::engine::{
    CellKind, Intervention, InterventionKind, ModelConfig, Scope, ScoreKind, Seq2Seq, Wiring,
};
use crate::numeric::fill_uniform;

const SOURCE: [u32; 5] = [4, 9, 6, 9, 7];
const OUTPUT: [u32; 4] = [5, 8, 3, 2];

/// A network with larger parameters than at the start of training, so that words differ visibly.
fn network(score: ScoreKind, cell: CellKind, wiring: Wiring) -> Seq2Seq {
    let config = ModelConfig {
        source_vocabulary: 11,
        target_vocabulary: 9,
        embedding: 4,
        encoder: 3,
        decoder: 6,
        attention: 5,
        readout: 4,
        cell,
        score,
        wiring,
        input_feeding: wiring == Wiring::Luong,
        tied: true,
    };
    let mut network = Seq2Seq::initialised(&config.check().unwrap(), 3);
    for (i, parameter) in network.parameters_mut().into_iter().enumerate() {
        let mut rng = crate::numeric::stream(&[11, i as u64]);
        fill_uniform(parameter.values, 0.8, &mut rng);
    }
    network
}

fn networks() -> Vec<Seq2Seq> {
    let kinds = ScoreKind::ALL.into_iter().flat_map(|score| {
        [
            (score, CellKind::Gru, Wiring::Bahdanau),
            (score, CellKind::Lstm, Wiring::Luong),
        ]
    });
    kinds.map(|(s, c, w)| network(s, c, w)).collect()
}

fn simple(score: ScoreKind) -> Seq2Seq {
    network(score, CellKind::Gru, Wiring::Bahdanau)
}

fn forced(network: &Seq2Seq) -> Forced<'_> {
    Forced::new(network, SOURCE.to_vec(), OUTPUT.to_vec()).unwrap()
}

fn values(forced: &Forced, method: Method) -> Array2<f32> {
    attribute(forced, method, None, Watch::default())
        .unwrap()
        .values
}

#[test]
fn dropping_a_word_is_a_run_on_the_shortened_sentence() {
    for network in networks() {
        let forced = forced(&network);
        let values = values(&forced, Method::Drop);
        assert_eq!(values.dim(), (4, 5));
        for j in 0..5 {
            let mut shortened = SOURCE.to_vec();
            shortened.remove(j);
            let alone = Forced::new(&network, shortened, OUTPUT.to_vec()).unwrap();
            for t in 0..4 {
                let lost = forced.log_probabilities()[t] - alone.log_probabilities()[t];
                let found = f64::from(values[[t, j]]);
                assert!((found - lost).abs() < 1e-5, "{t} {j}: {found} {lost}");
            }
        }
        assert!(values.iter().any(|v| v.abs() > 1e-2));
    }
}

#[test]
fn leaving_one_out_is_the_edit_that_masks_it() {
    for network in networks().iter().filter(|n| n.config().score.attends()) {
        let forced = forced(network);
        let values = values(&forced, Method::LeaveOneOut);
        for j in 0..5 {
            let mask = [Intervention::new(
                Scope::All,
                InterventionKind::MaskSource(j),
            )];
            let changes = changes(&forced, &SOURCE, &mask).unwrap();
            for (t, change) in changes.iter().enumerate() {
                let lost = change.before - change.after;
                assert!((f64::from(values[[t, j]]) - lost).abs() < 1e-5);
            }
        }
        assert!(values.iter().any(|v| v.abs() > 1e-2));
    }
}

#[test]
fn gradient_times_input_is_the_slope_along_the_embedding() {
    for network in networks() {
        let forced = forced(&network);
        let values = values(&forced, Method::GradientInput);
        for j in 0..5 {
            let probabilities = |factor: f32| {
                let mut embedded = forced.trace().embedded.clone();
                embedded.row_mut(j).mapv_inplace(|x| x * factor);
                let inputs = forced.inputs(4, 1);
                let trace = network.forward_embedded(embedded, &inputs, 1).unwrap();
                let of = |t: usize| log_probability(trace.decoder.logits(t), OUTPUT[t]);
                [of(0), of(1), of(2), of(3)]
            };
            let (up, down) = (probabilities(1.01), probabilities(0.99));
            for t in 0..4 {
                let slope = (up[t] - down[t]) / 0.02;
                let found = f64::from(values[[t, j]]);
                assert!(
                    (slope - found).abs() < 2e-4 + 2e-3 * slope.abs(),
                    "{slope} {found}"
                );
            }
        }
    }
}

#[test]
fn integrated_gradients_add_up() {
    for network in networks() {
        let forced = forced(&network);
        for method in [Method::IntegratedGradients, Method::IntegratedStates] {
            let found = attribute(&forced, method, None, Watch::default()).unwrap();
            let integration = found.integration.unwrap();
            assert_eq!(integration.complete, [true; 4]);
            for (t, row) in found.values.rows().into_iter().enumerate() {
                let sum: f64 = row.iter().map(|v| f64::from(*v)).sum();
                let difference = forced.log_probabilities()[t] - integration.baseline[t];
                let tolerance = (0.01 * difference.abs()).max(1e-3);
                assert!(
                    (sum - difference).abs() <= tolerance,
                    "{method} {sum} {difference}"
                );
            }
            // One point is too few for this, and says so.
            let coarse = attribute(&forced, method, Some(1), Watch::default()).unwrap();
            let coarse = coarse.integration.unwrap();
            assert_eq!(coarse.points, [1; 4]);
            for t in 0..4 {
                let difference = forced.log_probabilities()[t] - coarse.baseline[t];
                let good = coarse.gap[t].abs() <= (0.01 * difference.abs()).max(1e-3);
                assert_eq!(coarse.complete[t], good);
            }
        }
    }
}

#[test]
fn the_baseline_is_a_sentence_of_zeros() {
    let network = simple(ScoreKind::General);
    let forced = forced(&network);
    let zeros = network
        .forward_embedded(Array2::zeros((5, 4)), &forced.inputs(4, 1), 1)
        .unwrap();
    let found = attribute(&forced, Method::IntegratedGradients, None, Watch::default()).unwrap();
    for (t, baseline) in found.integration.unwrap().baseline.iter().enumerate() {
        let expected = log_probability(zeros.decoder.logits(t), OUTPUT[t]);
        assert!((baseline - expected).abs() < 1e-6);
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let network = simple(ScoreKind::Bottleneck);
    let ask = |forced: &Forced, method| attribute(forced, method, None, Watch::default());
    let full = forced(&network);
    assert_eq!(
        ask(&full, Method::LeaveOneOut).unwrap_err(),
        AttributionError::NoAttention
    );
    assert_eq!(
        replace(&full, &Replacement::Uniform, Watch::default()).unwrap_err(),
        AttributionError::NoAttention
    );
    let one = Forced::new(&network, vec![5], OUTPUT.to_vec()).unwrap();
    assert_eq!(
        ask(&one, Method::Drop).unwrap_err(),
        AttributionError::OneWord
    );
    assert!(ask(&one, Method::GradientInput).is_ok());
    let new = |source: &[u32], output: &[u32]| {
        Forced::new(&network, source.to_vec(), output.to_vec()).unwrap_err()
    };
    assert_eq!(new(&[], &[4]), AttributionError::EmptySource);
    assert_eq!(new(&[4], &[]), AttributionError::EmptyOutput);
    assert!(matches!(
        new(&[11], &[4]),
        AttributionError::Token { side: "source", .. }
    ));
    assert!(matches!(
        new(&[4], &[9]),
        AttributionError::Token { side: "output", .. }
    ));
    assert!(matches!(
        attribute(&full, Method::IntegratedStates, Some(0), Watch::default()),
        Err(AttributionError::Points { .. })
    ));
}

#[test]
fn everything_can_be_cancelled_and_tells_how_far_it_is() {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    let network = simple(ScoreKind::Additive);
    let forced = forced(&network);
    let cancel = AtomicBool::new(true);
    let watch = Watch {
        cancel: Some(&cancel),
        progress: None,
    };
    for method in Method::ALL {
        assert_eq!(
            attribute(&forced, method, None, watch).unwrap_err(),
            AttributionError::Cancelled
        );
    }
    let most = AtomicUsize::new(0);
    let progress = |done: usize, total: usize| {
        assert!(done <= total);
        most.fetch_max(done, Ordering::Relaxed);
    };
    let watch = Watch {
        cancel: None,
        progress: Some(&progress),
    };
    replace(&forced, &Replacement::Permuted { seeds: 20 }, watch).unwrap();
    assert_eq!(most.load(Ordering::Relaxed), 3);
}

#[test]
fn edits_that_change_nothing_have_no_effect() {
    for network in networks().iter().filter(|n| n.config().score.attends()) {
        let forced = forced(network);
        let own: Vec<Intervention> = forced
            .weights()
            .unwrap()
            .rows()
            .into_iter()
            .enumerate()
            .map(|(t, row)| {
                Intervention::new(Scope::Step(t), InterventionKind::SetWeights(row.to_vec()))
            })
            .collect();
        for edits in [&own[..], &[]] {
            for change in changes(&forced, &SOURCE, edits).unwrap() {
                assert_eq!((change.divergence, change.before), (0.0, change.after));
            }
        }
        // Frozen weights of the sentence itself are its own.
        let frozen = Replacement::Frozen(forced.weights().unwrap().clone().into());
        let effects = replace(&forced, &frozen, Watch::default()).unwrap();
        for effect in &effects.runs[0] {
            assert_eq!((effect.variation, effect.divergence), (0.0, 0.0));
            assert!(effect.change.abs() < 1e-6);
        }
    }
}

#[test]
fn replacements_are_the_edits_of_their_names() {
    let network = simple(ScoreKind::Dot);
    let forced = forced(&network);
    let run = |replacement: &Replacement| replace(&forced, replacement, Watch::default()).unwrap();
    let edit = |kind: InterventionKind| {
        changes(&forced, &SOURCE, &[Intervention::new(Scope::All, kind)]).unwrap()
    };
    let permuted = run(&Replacement::Permuted { seeds: 11 });
    assert_eq!(permuted.runs.len(), 11);
    let cases = [
        (
            run(&Replacement::Uniform).runs[0].clone(),
            InterventionKind::Uniform,
        ),
        (
            run(&Replacement::LastPosition).runs[0].clone(),
            InterventionKind::LastPosition,
        ),
        (permuted.runs[9].clone(), InterventionKind::Permute(10)),
    ];
    for (effects, kind) in cases {
        for (effect, change) in effects.iter().zip(edit(kind)) {
            assert!((effect.change - (change.after - change.before)).abs() < 1e-5);
            assert!(effect.variation > 0.0 && effect.divergence > 0.0);
        }
    }
    let spread = permuted.whole(|effect| effect.variation).unwrap();
    assert!(spread.least < spread.median && spread.median < spread.most);
    let other = Replacement::Frozen(Array2::zeros((4, 3)).into());
    assert_eq!(
        replace(&forced, &other, Watch::default()).unwrap_err(),
        AttributionError::OtherLength {
            found: 3,
            expected: 5
        }
    );
}

#[test]
fn quartiles_by_hand() {
    let quartiles = Quartiles::of(vec![4.0, 1.0, 3.0, 2.0]).unwrap();
    assert_eq!(
        (
            quartiles.least,
            quartiles.lower,
            quartiles.median,
            quartiles.upper,
            quartiles.most
        ),
        (1.0, 1.75, 2.5, 3.25, 4.0)
    );
    assert_eq!(Quartiles::of(vec![]), None);
    assert!(Quartiles::of(vec![1.0, f64::NAN]).unwrap().median.is_nan());
    assert_eq!(
        Quartiles::of(vec![f64::INFINITY; 3]).unwrap().lower,
        f64::INFINITY
    );
}

#[test]
fn paths_are_norms_of_whole_derivatives() {
    for network in networks() {
        let forced = forced(&network);
        let paths = GradientPaths::new(&forced, Watch::default()).unwrap();
        let attends = network.config().score.attends();
        // Cauchy and Schwarz: no gradient × input is larger than the product of the norms.
        let products = values(&forced, Method::GradientInput);
        for t in 0..4 {
            for j in 0..5 {
                let norm = forced
                    .trace()
                    .embedded
                    .row(j)
                    .dot(&forced.trace().embedded.row(j))
                    .sqrt();
                assert!(products[[t, j]].abs() <= paths.embedding[[t, j]] * norm * 1.001 + 1e-6);
                assert!(paths.forward[[t, j]] > 0.0 && paths.backward[[t, j]] > 0.0);
            }
        }
        let mut sums = PathSums::default();
        sums.add(&paths);
        let by_distance = sums.by_distance();
        assert_eq!(by_distance.len(), 5);
        // The nearest states to the decoder are read by it directly, also without attention.
        let near = by_distance[0].1.forward.unwrap()[0];
        let mean: f32 = paths.forward.column(4).mean().unwrap();
        assert!((near - f64::from(mean)).abs() < 1e-6);
        assert_eq!(by_distance[3].1.embedding, None);
        assert_eq!(sums.near_by_length()[0].1.forward.unwrap()[0], near);
        let far = sums.far_by_length()[0].1.forward.unwrap();
        assert_eq!(far, by_distance[4].1.forward.unwrap());
        assert!(attends || far[0] < near);
    }
}

#[test]
fn numbers_that_are_not_finite_are_shown() {
    let mut network = simple(ScoreKind::Additive);
    network.source_embedding[[9, 0]] = f32::NAN;
    let forced = forced(&network);
    for method in Method::ALL {
        let found = attribute(&forced, method, None, Watch::default()).unwrap();
        assert!(found.values.iter().any(|v| v.is_nan()), "{method}");
    }
    let paths = GradientPaths::new(&forced, Watch::default()).unwrap();
    let mut sums = PathSums::default();
    sums.add(&paths);
    assert_eq!(sums, PathSums::default());
}

#[test]
fn the_greedy_output_is_forced_with_its_end() {
    let mut network = simple(ScoreKind::Dot);
    network.decoder.output.b[2] = 9.0;
    let ended = Forced::greedy(&network, SOURCE.to_vec()).unwrap();
    assert_eq!(ended.output().last(), Some(&2));
    network.decoder.output.b[2] = -9.0;
    let cut = Forced::greedy(&network, SOURCE.to_vec()).unwrap();
    assert_eq!(cut.output().len(), crate::engine::step_limit(5));
    assert!(!cut.output().contains(&2));
    assert!(Forced::greedy(&network, vec![]).is_err());
}
