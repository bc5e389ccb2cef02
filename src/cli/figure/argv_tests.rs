//! The command line that a request writes is read as the same request, by the very parser.

use clap::Parser as _;
use proptest::prelude::*;

use crate::app::{FigureKind, FigureRequest};
use crate::cli::{Arguments, Command};
use crate::engine::{DecodePolicy, Intervention, InterventionKind, Scope};
use crate::figure::{Colormap, FigureOptions, FigureTheme, LabelAngle, Length, Scaling};
use crate::project::{DifferencePair, ModelChoices, ModelInterventions, TokenChoice};

fn read(argv: &[String]) -> Result<FigureRequest, String> {
    let arguments = Arguments::try_parse_from(argv).map_err(|error| error.to_string())?;
    let Command::Figure(arguments) = arguments.command else {
        return Err("another subcommand".to_owned());
    };
    let source = arguments.inputs.iter().chain(&arguments.source).next();
    let base = FigureRequest {
        source: source.cloned().unwrap_or_default(),
        ..FigureRequest::default()
    };
    arguments.over(base)
}

fn text() -> impl Strategy<Value = String> {
    // No NUL: an argument ends there.
    prop_oneof![
        "[^\0]{0,30}",
        "-{1,2}[a-z]{1,8}",
        "[a-z]{1,5}\\.ron",
        Just(String::new())
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("additive".to_owned()),
        "[a-z]{1,8}",
        "[a-zé/,\\\\ .-]{1,12}",
    ]
}

fn length() -> impl Strategy<Value = Option<Length>> {
    let mm = (0.1_f32..5000.0).prop_map(Length::Mm);
    let px = (1.0_f32..16_000.0).prop_map(Length::Px);
    prop::option::of(prop_oneof![mm, px])
}

fn options() -> impl Strategy<Value = FigureOptions> {
    let numbers = (
        length(),
        length(),
        prop::option::of(72_u16..=1200),
        prop::option::of(4.0_f32..72.0),
        prop::option::of(0.0_f32..1.0),
    );
    let choices = (
        prop::sample::select(&Colormap::ALL[..]),
        prop::sample::select(&Scaling::ALL[..]),
        prop::sample::select(&FigureTheme::ALL[..]),
        prop::sample::select(&LabelAngle::ALL[..]),
    );
    (text(), numbers, choices, any::<[bool; 4]>()).prop_map(|(title, numbers, choices, flags)| {
        let (width, height, dpi, font_size, threshold) = numbers;
        let (colormap, scaling, theme, label_angle) = choices;
        let [shared_scale, values, transparent, transposed] = flags;
        FigureOptions {
            title,
            width,
            height,
            dpi,
            font_size,
            colormap,
            scaling,
            shared_scale,
            values,
            threshold,
            theme,
            transparent,
            label_angle,
            transposed,
        }
    })
}

fn policy() -> impl Strategy<Value = DecodePolicy> {
    let sample = (0.01_f32..9.0, any::<u64>());
    prop_oneof![
        Just(DecodePolicy::Greedy),
        sample.prop_map(|(temperature, seed)| DecodePolicy::Sample { temperature, seed }),
    ]
}

/// The kind with what goes with it: a difference and curves.
fn kind() -> impl Strategy<Value = (FigureKind, bool, bool)> {
    let with = |kind: FigureKind, difference: bool, curves: bool| (kind, difference, curves);
    prop_oneof![
        any::<(bool, bool)>().prop_map(move |(d, c)| with(FigureKind::Heatmaps, d, c)),
        any::<bool>().prop_map(move |c| with(FigureKind::Links, false, c)),
        (1_usize..=16).prop_map(move |size| with(FigureKind::Beam(size), false, false)),
        (0_usize..40).prop_map(move |step| with(FigureKind::Step(step), false, false)),
    ]
}

prop_compose! {
    fn request()(
        source in text(), target in prop::option::of(text()), policy in policy(),
        models in prop::collection::hash_set(name(), 2..5), steps in prop::option::of(1_usize..4000),
        masked in prop::option::of(0_usize..9), chosen in prop::option::of((0_usize..9, text())), (kind, difference, curves) in kind(), options in options(),
    ) -> FigureRequest {
        let models: Vec<String> = models.into_iter().collect();
        let interventions = masked.into_iter().map(|word| ModelInterventions {
            model: models[0].clone(),
            list: vec![Intervention::new(Scope::All, InterventionKind::MaskSource(word))],
        });
        let choices = chosen.into_iter().map(|(position, token)| ModelChoices {
            model: models[1].clone(),
            list: vec![TokenChoice { position, token }],
        });
        let difference = difference.then(|| DifferencePair { left: models[1].clone(), right: models[0].clone() });
        FigureRequest {
            interventions: interventions.collect(),
            choices: choices.collect(),
            source, target, policy, models, steps, kind, difference, curves, options,
        }
    }
}

proptest! {
    #[test]
    fn every_request_comes_back_from_its_command_line(request in request()) {
        let argv = request.to_argv();
        prop_assert_eq!(read(&argv), Ok(request), "{:?}", argv);
    }
}

#[test]
fn the_first_two_models_are_compared_if_none_are_named() {
    let argv = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let request = read(&argv(
        "regard figure --difference chat --scorers dot,additive",
    ))
    .unwrap();
    let pair = request.difference.unwrap();
    assert_eq!(
        (pair.left.as_str(), pair.right.as_str()),
        ("dot", "additive")
    );
    let problem = read(&argv("regard figure chat --scorers dot --difference")).unwrap_err();
    assert!(problem.contains("two models"), "{problem}");
}

#[test]
fn what_cannot_be_is_refused() {
    let wrong = [
        "--width=0mm",
        "--width=100000px",
        "--width=wide",
        "--dpi=50",
        "--font-size=NaN",
        "--threshold=2",
        "--scorers=",
        "--scorers=dot,dot",
        "--difference=dot",
        "--beam=17",
        "--step=0",
        "--steps=0",
        "--sample=-1",
        "--interventions=dot",
        "--interventions=dot:[7]",
        "--choices=dot:[7]",
        "--theme=blue",
        "--seed=1",
    ];
    for option in wrong {
        let argv = ["regard", "figure", "chat", option].map(str::to_owned);
        assert!(read(&argv).is_err(), "{option}");
    }
}
