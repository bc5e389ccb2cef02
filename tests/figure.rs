//! Golden figures: each specification gives the same SVG, byte for byte.
//!
//! `UPDATE_GOLDEN=1 cargo test --test figure` writes them again; look at them before committing. With
//! `FIGURE_PNG=folder` each figure is also written there as PNG, in light and dark.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ndarray::{Array2, array};
use regard::alignment::LabelledMatrix;
use regard::figure::{
    Colormap, CompareSpec, CurveSpec, FontDb, HeatmapSpec, Palette, Resolution, Scene, Series,
    difference, missing_characters, stack, to_png, to_svg,
};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn demo(scorer: &str) -> Arc<LabelledMatrix> {
    let values = match scorer {
        "additive" => array![
            [0.91, 0.06, 0.02, 0.01],
            [0.04, 0.13, 0.80, 0.03],
            [0.03, 0.84, 0.10, 0.03],
            [0.01, 0.05, 0.06, 0.88],
            [0.002, 0.03, 0.118, 0.85],
        ],
        _ => array![
            [0.62, 0.21, 0.11, 0.06],
            [0.14, 0.32, 0.44, 0.10],
            [0.10, 0.51, 0.29, 0.10],
            [0.05, 0.20, 0.18, 0.57],
            [0.16, 0.23, 0.25, 0.36],
        ],
    };
    let matrix = LabelledMatrix::new(
        words("the black cat sleeps </s>"),
        words("le chat noir dort"),
        values,
    );
    Arc::new(matrix.expect("labels fit"))
}

fn heatmap(scorer: &str, palette: Palette) -> HeatmapSpec {
    HeatmapSpec {
        title: scorer.to_owned(),
        subtitle: "the black cat sleeps".to_owned(),
        show_values: true,
        palette,
        ..HeatmapSpec::new(demo(scorer))
    }
}

fn entropy(palette: Palette) -> CurveSpec {
    let line = |name: &str, index| Series {
        name: name.to_owned(),
        index,
        values: demo(name)
            .values()
            .rows()
            .into_iter()
            .map(|row| -row.iter().map(|w| w * w.ln()).sum::<f32>())
            .collect(),
    };
    let steps = words("the black cat sleeps </s>");
    CurveSpec {
        palette,
        ..CurveSpec::entropy(steps, vec![line("additive", 0), line("dot", 1)], 4)
    }
}

fn norms(palette: Palette) -> CurveSpec {
    let line = |name: &str, index, values: [f32; 5]| Series {
        name: name.to_owned(),
        index,
        values: values.to_vec(),
    };
    let series = vec![
        line("additive", 0, [3.91, 4.42, 4.67, 4.18, 3.6]),
        line("dot", 1, [3.22, 3.05, 3.51, 3.74, 2.9]),
        line("general", 2, [3.5, 3.8, 3.9, 4.0, 3.3]),
        line("scaled dot", 3, [2.8, 3.3, 3.1, 3.35, 2.6]),
        line("no attention", 4, [2.2, 2.2, 2.2, 2.2, 2.2]),
    ];
    CurveSpec {
        palette,
        ..CurveSpec::context_norm(words("the black cat sleeps </s>"), series)
    }
}

fn growing(palette: Palette) -> Scene {
    let (_, columns, values) = LabelledMatrix::clone(&demo("additive")).into_parts();
    let mut values = values
        .slice_move(ndarray::s![..3, ..])
        .as_standard_layout()
        .into_owned();
    values[[1, 3]] = f32::NAN;
    let matrix = LabelledMatrix::new(words("the black cat"), columns, values).expect("labels fit");
    let spec = HeatmapSpec {
        current_row: Some(2),
        expected_rows: 6,
        ..heatmap("additive", palette)
    };
    HeatmapSpec {
        matrix: Arc::new(matrix),
        ..spec
    }
    .scene()
}

fn long(palette: Palette) -> Scene {
    let lexicon = words(
        "le petit chat noir dort sur la vieille chaise pendant que les anciens gouvernements discutent ,",
    );
    let targets =
        words("the small black cat sleeps on the old chair while ancient governments debate ,");
    let pick = |list: &[String], count: usize| {
        (0..count)
            .map(|n| list[n % list.len()].clone())
            .collect::<Vec<_>>()
    };
    let mut values = Array2::from_shape_fn((50, 60), |(t, s)| {
        let centre = t as f32 * 1.18 + 2.5 * (t as f32 * 0.9).sin();
        let width = 1.2 + (t % 7) as f32 * 0.35;
        (-((s as f32 - centre) / width).powi(2)).exp() + 0.004
    });
    for mut row in values.rows_mut() {
        let sum = row.sum();
        row /= sum;
    }
    let mut targets = pick(&targets, 49);
    targets.push("</s>".to_owned());
    let matrix = LabelledMatrix::new(targets, pick(&lexicon, 60), values).expect("labels fit");
    HeatmapSpec {
        title: "additive".to_owned(),
        subtitle: "60 source and 50 target tokens".to_owned(),
        palette,
        ..HeatmapSpec::new(Arc::new(matrix))
    }
    .scene()
}

fn slanted(palette: Palette) -> Scene {
    let rows = words("the old governments have often understood the question </s>");
    let columns = words(
        "les anciens gouvernements n’ont pas toujours compris la question anticonstitutionnellement",
    );
    let values = Array2::from_shape_fn((9, 10), |(t, s)| {
        let distance = (t as f32 - s as f32 * 0.85).abs();
        (-distance * 1.4).exp() * 0.7
    });
    HeatmapSpec {
        title: "general".to_owned(),
        subtitle: "the old governments have often understood the question".to_owned(),
        colormap: Colormap::Magma,
        show_values: true,
        max_cell: 32.0,
        palette,
        ..HeatmapSpec::new(Arc::new(
            LabelledMatrix::new(rows, columns, values).expect("labels fit"),
        ))
    }
    .scene()
}

fn difference_scene(palette: Palette) -> Scene {
    let (mut rows, columns, values) = LabelledMatrix::clone(&demo("dot")).into_parts();
    "dog".clone_into(&mut rows[2]);
    let other = LabelledMatrix::new(rows, columns, values).expect("labels fit");
    let found = difference(&demo("additive"), &other).expect("one source");
    HeatmapSpec {
        title: "additive − dot".to_owned(),
        subtitle: String::new(),
        diverging: true,
        value_name: "additive looks more".to_owned(),
        low_name: "dot looks more".to_owned(),
        matrix: Arc::new(found.matrix),
        ..heatmap("", palette)
    }
    .scene()
}

fn transposed(palette: Palette) -> Scene {
    let spec = HeatmapSpec {
        transposed: true,
        colormap: Colormap::Cividis,
        ..heatmap("additive", palette)
    };
    stack(&CompareSpec::new(vec![spec]), &[entropy(palette)])
}

fn pair(palette: Palette) -> CompareSpec {
    CompareSpec::new(vec![heatmap("additive", palette), heatmap("dot", palette)])
}

/// All figures with their names.
fn figures(palette: Palette) -> Vec<(&'static str, Scene)> {
    vec![
        ("demo", heatmap("additive", palette).scene()),
        ("growing", growing(palette)),
        ("compare", pair(palette).scene()),
        ("difference", difference_scene(palette)),
        ("entropy", entropy(palette).scene()),
        ("norms", norms(palette).scene()),
        (
            "stacked",
            stack(&pair(palette), &[entropy(palette), norms(palette)]),
        ),
        ("transposed", transposed(palette)),
        ("slanted", slanted(palette)),
        ("long", long(palette)),
    ]
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/figure/{name}.svg"))
}

#[test]
fn figures_are_the_golden_ones_byte_for_byte() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    for (name, scene) in figures(Palette::light()) {
        let svg = to_svg(&scene);
        if update {
            std::fs::write(golden(name), &svg).unwrap();
        }
        let expected = std::fs::read_to_string(golden(name)).unwrap_or_default();
        // Whole files in an assertion would flood the terminal.
        let differs = svg
            .lines()
            .zip(expected.lines())
            .find(|(found, expected)| found != expected);
        assert!(differs.is_none(), "{name}: {differs:?}");
        assert_eq!(
            svg.len(),
            expected.len(),
            "{name}: UPDATE_GOLDEN=1 writes it again"
        );
    }
}

#[test]
fn figures_can_be_drawn_with_the_bundled_fonts_alone() {
    let folder = std::env::var_os("FIGURE_PNG").map(PathBuf::from);
    for (theme, palette) in [("light", Palette::light()), ("dark", Palette::dark())] {
        for (name, scene) in figures(palette) {
            let missing: Vec<char> = scene
                .texts()
                .flat_map(|item| missing_characters(&item.text))
                .collect();
            assert!(missing.is_empty(), "{name}: {missing:?}");
            let start = std::time::Instant::now();
            let bytes = to_svg(&scene).len();
            let to_svg = start.elapsed();
            let start = std::time::Instant::now();
            let png = to_png(&scene, &FontDb::bundled(), Resolution::Scale(2.0)).unwrap();
            println!(
                "{theme} {name}: {:.0} x {:.0} points, SVG {bytes} bytes {to_svg:.1?}, PNG at 2 px a point {:.1?}",
                scene.width,
                scene.height,
                start.elapsed()
            );
            if let Some(folder) = &folder {
                std::fs::write(folder.join(format!("{name}-{theme}.png")), png).unwrap();
            }
        }
    }
}
