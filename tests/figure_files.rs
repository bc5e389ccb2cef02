//! Golden files of whole figures and of their data, and what their forms promise.
//!
//! `UPDATE_GOLDEN=1 cargo test --test figure_files` writes them again; look at them before committing. With
//! `FIGURE_PNG=folder` each figure is also written there as PNG.

#![allow(
    clippy::unwrap_used,
    reason = "a panic in a test is the failure report"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ndarray::array;
use regard::alignment::LabelledMatrix;
use regard::figure::{
    BarsSpec, BeamRow, BeamSpec, Colormap, CurveSpec, FigureBody, FigureError, FigureOptions,
    FigureSpec, FontDb, HeatmapSpec, LEGIBLE, LabelAngle, Length, LinkItem, LinksSpec, Palette,
    RenderError, Resolution, RunTable, Scaling, Scene, Series, difference, to_csv, to_json,
    to_latex, to_npz, to_pdf, to_png, to_svg, to_tsv,
};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn matrix(scorer: &str) -> Arc<LabelledMatrix> {
    let values = match scorer {
        "additive" => array![
            [0.91, 0.06, 0.02, 0.01],
            [0.04, 0.13, 0.80, 0.03],
            [0.03, 0.84, 0.10, 0.03],
            [0.01, 0.05, 0.06, 0.88],
            [0.002, 0.03, 0.118, 0.85],
        ],
        "dot" => array![
            [0.62, 0.21, 0.11, 0.06],
            [0.14, 0.32, 0.44, 0.10],
            [0.10, 0.51, 0.29, 0.10],
            [0.05, 0.20, 0.18, 0.57],
            [0.16, 0.23, 0.25, 0.36],
        ],
        _ => array![
            [f32::NAN, 0.06, 0.02, 0.01],
            [0.04, f32::INFINITY, 0.80, 0.03],
            [0.03, 0.84, f32::NEG_INFINITY, 0.03],
            [0.01, 0.05, 0.06, 0.88],
            [0.002, 0.03, 0.118, 0.85],
        ],
    };
    let rows = words("the black cat sleeps </s>");
    Arc::new(LabelledMatrix::new(rows, words("le chat noir dort"), values).unwrap())
}

fn panel(scorer: &str) -> HeatmapSpec {
    HeatmapSpec {
        title: scorer.to_owned(),
        subtitle: "the black cat sleeps".to_owned(),
        ..HeatmapSpec::new(matrix(scorer))
    }
}

fn signed() -> HeatmapSpec {
    let found = difference(&matrix("additive"), &matrix("dot")).unwrap();
    HeatmapSpec {
        title: "additive − dot".to_owned(),
        value_name: "additive".to_owned(),
        low_name: "dot".to_owned(),
        ..HeatmapSpec::new(Arc::new(found.matrix))
    }
}

fn curves() -> Vec<CurveSpec> {
    let entropy = |name: &str| -> Vec<f32> {
        let rows = matrix(name);
        let rows = rows.values().rows().into_iter();
        rows.map(|row| -row.iter().map(|w| w * w.ln()).sum::<f32>())
            .collect()
    };
    let line = |name: &str, index, values| Series {
        name: name.to_owned(),
        index,
        values,
    };
    let steps = words("the black cat sleeps </s>");
    let entropies = vec![
        line("additive", 0, entropy("additive")),
        line("dot", 1, entropy("dot")),
    ];
    let norms = vec![
        line("additive", 0, vec![3.91, 4.42, 4.67, 4.18, 3.6]),
        line("dot", 1, vec![3.22, 3.05, 3.51, 3.74, 2.9]),
    ];
    vec![
        CurveSpec::entropy(steps.clone(), entropies, 4),
        CurveSpec::context_norm(steps, norms),
    ]
}

fn heatmaps(options: FigureOptions) -> FigureSpec {
    FigureSpec {
        body: FigureBody::Heatmaps {
            panels: vec![panel("additive"), panel("dot")],
            differences: vec![signed()],
            curves: curves(),
        },
        options,
    }
}

fn links() -> LinksSpec {
    LinksSpec {
        title: "additive".to_owned(),
        ..LinksSpec::new(matrix("additive"))
    }
}

fn bars() -> BarsSpec {
    let series = ["additive", "dot"]
        .into_iter()
        .enumerate()
        .map(|(index, name)| Series {
            name: name.to_owned(),
            index,
            values: matrix(name).row(1).to_vec(),
        });
    BarsSpec {
        title: "Step 2 → black".to_owned(),
        ..BarsSpec::new(words("le chat noir dort"), series.collect())
    }
}

fn beam() -> BeamSpec {
    let row = |text: &str, logs: &[f32], score: f64| BeamRow {
        tokens: words(text),
        log_probabilities: logs.to_vec(),
        total: logs.iter().map(|log| f64::from(*log)).sum(),
        score,
    };
    BeamSpec {
        title: "additive".to_owned(),
        ..BeamSpec::new(vec![
            row(
                "the black cat sleeps </s>",
                &[-0.02, -0.06, -0.02, -0.05, -0.03],
                -0.13,
            ),
            row(
                "the black cat is asleep </s>",
                &[-0.02, -0.06, -0.02, -2.4, -0.7, -0.1],
                -2.4,
            ),
            row(
                "a black cat sleeps </s>",
                &[-3.1, -0.1, -0.05, -0.1, -0.02],
                -2.6,
            ),
        ])
    }
}

fn whole(body: FigureBody) -> Scene {
    let options = FigureOptions::default();
    FigureSpec { body, options }.scene().unwrap()
}

/// All figures with their names.
fn figures() -> Vec<(&'static str, Scene)> {
    let column = FigureOptions {
        width: Some(Length::Mm(85.0)),
        dpi: Some(600),
        title: "Where two scores look".to_owned(),
        ..FigureOptions::default()
    };
    let strict = FigureOptions {
        colormap: Colormap::Grey,
        scaling: Scaling::RowMax,
        threshold: Some(0.1),
        label_angle: LabelAngle::Upright,
        transposed: true,
        transparent: true,
        ..FigureOptions::default()
    };
    let own = FigureOptions {
        shared_scale: false,
        ..FigureOptions::default()
    };
    let focused = LinksSpec {
        focus: Some(LinkItem::Target(1)),
        ..links()
    };
    vec![
        ("whole", heatmaps(FigureOptions::default()).scene().unwrap()),
        ("column", heatmaps(column).scene().unwrap()),
        ("strict", heatmaps(strict).scene().unwrap()),
        ("own", heatmaps(own).scene().unwrap()),
        (
            "links",
            whole(FigureBody::Links {
                links: vec![links()],
                curves: curves(),
            }),
        ),
        ("links_focus", focused.scene()),
        ("bars", whole(FigureBody::Bars(bars()))),
        ("beam", whole(FigureBody::Beams(vec![beam()]))),
    ]
}

fn table(model: &str, score: &str) -> RunTable {
    RunTable {
        model: model.to_owned(),
        score: score.to_owned(),
        source: words("le chat noir dort"),
        target: words("the black cat sleeps </s>"),
        translation: "the black cat sleeps".to_owned(),
        weights: Some(matrix(model)),
        scores: Some(matrix("dot")),
        entropy: vec![0.4, f64::NAN, 0.5, 0.6, 0.7],
        context_norm: vec![1.0, 2.0, 3.0, 4.0, f64::INFINITY],
        state_norm: vec![0.5; 5],
        log_probability: vec![-0.1, -0.2, f32::NEG_INFINITY, -0.4, -0.5],
    }
}

fn tables() -> Vec<RunTable> {
    let bottleneck = RunTable {
        weights: None,
        scores: None,
        entropy: Vec::new(),
        target: words("a \"quoted, cat"),
        ..table("bottleneck", "bottleneck")
    };
    vec![table("holes", "additive"), bottleneck]
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/figure")
        .join(name)
}

fn assert_golden(name: &str, found: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(golden(name), found).unwrap();
    }
    let expected = std::fs::read_to_string(golden(name)).unwrap_or_default();
    // Whole files in an assertion would flood the terminal.
    let mut pairs = found.lines().zip(expected.lines());
    let differs = pairs.find(|(found, expected)| found != expected);
    assert!(differs.is_none(), "{name}: {differs:?}");
    let (found, expected) = (found.len(), expected.len());
    assert_eq!(found, expected, "{name}: UPDATE_GOLDEN=1 writes it again");
}

#[test]
fn whole_figures_are_the_golden_ones_byte_for_byte() {
    for (name, scene) in figures() {
        assert_golden(&format!("{name}.svg"), &to_svg(&scene));
        if let Some(folder) = std::env::var_os("FIGURE_PNG") {
            let png = to_png(&scene, &FontDb::bundled(), Resolution::Scale(2.0)).unwrap();
            std::fs::write(Path::new(&folder).join(format!("{name}.png")), png).unwrap();
        }
    }
}

#[test]
fn data_are_the_golden_ones_byte_for_byte() {
    let tables = tables();
    let csv = String::from_utf8(to_csv(&tables).unwrap()).unwrap();
    assert_golden("data.csv", &csv);
    let json = to_json("le chat noir dort", &tables).unwrap();
    assert_golden("data.json", &json);
    assert_golden("data.tsv", &to_tsv(&tables));
    let mut panels = heatmaps(FigureOptions::default()).heatmaps();
    panels.push(panel("holes"));
    assert_golden("table.tex", &to_latex(&panels));
    assert_eq!(to_npz(&tables).unwrap(), to_npz(&tables).unwrap());
    assert!(json.contains("[null,0.06") && !json.contains("NaN"));
}

#[test]
fn a_paper_column_is_85_mm_wide_and_legible() {
    let options = FigureOptions {
        width: Some(Length::Mm(85.0)),
        ..FigureOptions::default()
    };
    let scene = heatmaps(options).scene().unwrap();
    assert!((scene.width - 85.0 / 25.4 * 72.0).abs() < 1e-3);
    assert!(scene.smallest_text().unwrap() >= LEGIBLE);
    for text in scene.texts() {
        assert!((0.0..=scene.width).contains(&text.position.x), "{text:?}");
        assert!((0.0..=scene.height).contains(&text.position.y), "{text:?}");
    }
}

#[test]
fn every_kind_takes_a_size_or_says_what_it_needs() {
    let bodies = || {
        vec![
            heatmaps(FigureOptions::default()).body,
            FigureBody::Links {
                links: vec![links(), links()],
                curves: Vec::new(),
            },
            FigureBody::Beams(vec![beam()]),
            FigureBody::Bars(bars()),
        ]
    };
    let drawn = |body: FigureBody, width, height| {
        let options = FigureOptions {
            width: Some(Length::Mm(width)),
            height: Some(Length::Mm(height)),
            ..FigureOptions::default()
        };
        FigureSpec { body, options }.scene()
    };
    for body in bodies() {
        let scene = drawn(body, 254.0, 190.5).unwrap();
        assert_eq!((scene.width.round(), scene.height.round()), (720.0, 540.0));
    }
    for body in bodies() {
        let error = drawn(body, 12.0, 9.0).unwrap_err();
        assert!(matches!(error, FigureError::TooSmall { .. }), "{error}");
    }
}

#[test]
fn a_pdf_has_embedded_fonts_and_the_size_of_the_figure() {
    let scene = heatmaps(FigureOptions::default()).scene().unwrap();
    let pdf = to_pdf(&scene, &FontDb::bundled()).unwrap();
    let has = |text: &str| {
        pdf.windows(text.len())
            .any(|window| window == text.as_bytes())
    };
    assert!(pdf.starts_with(b"%PDF-") && has("FontFile"));
    assert!(has(&format!("{}", scene.width)), "media box");
    assert_eq!(pdf, to_pdf(&scene, &FontDb::bundled()).unwrap());
    for (width, height) in [(0.0, 10.0), (f32::NAN, 10.0), (10.0, -1.0)] {
        let scene = Scene {
            width,
            height,
            ..Scene::default()
        };
        let error = to_pdf(&scene, &FontDb::bundled()).unwrap_err();
        assert!(matches!(error, RenderError::Empty { .. }), "{error}");
    }
    let scene = Scene {
        width: 100_000.0,
        height: 10.0,
        ..Scene::default()
    };
    let error = to_pdf(&scene, &FontDb::bundled()).unwrap_err();
    assert!(matches!(error, RenderError::Page { .. }), "{error}");
}

#[test]
fn a_transparent_figure_has_no_page() {
    let options = FigureOptions {
        transparent: true,
        ..FigureOptions::default()
    };
    let scene = heatmaps(options.clone()).scene().unwrap();
    assert_eq!(scene.background, None);
    assert_eq!(options.palette().surface, Palette::light().surface);
}
