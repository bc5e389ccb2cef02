//! Attention and attributions as heatmaps side by side.

use std::sync::Arc;

use ndarray::Array2;

use super::sentence::Sentence;
use crate::alignment::LabelledMatrix;
use crate::figure::{
    FigureBody, FigureFormat, FigureOptions, FigureSpec, FontDb, HeatmapSpec, to_pdf, to_png,
    to_svg,
};

/// The bytes of a figure: attention, then every method on a scale of both signs.
pub(super) fn draw(sentence: &Sentence, format: FigureFormat) -> anyhow::Result<Vec<u8>> {
    let spec = |title: &str, values: &Array2<f32>| -> anyhow::Result<HeatmapSpec> {
        let (rows, columns) = (sentence.output.clone(), sentence.source.clone());
        let matrix = LabelledMatrix::new(rows, columns, values.clone())?;
        Ok(HeatmapSpec {
            title: title.to_owned(),
            ..HeatmapSpec::new(Arc::new(matrix))
        })
    };
    let mut panels = Vec::new();
    if let Some(weights) = &sentence.weights {
        panels.push(spec("attention", weights)?);
    }
    if let Some(paths) = &sentence.paths {
        panels.push(spec("gradient norm", &paths.embedding)?);
    }
    let mut signed = Vec::new();
    for judged in &sentence.attributions {
        let attribution = &judged.attribution;
        signed.push(HeatmapSpec {
            diverging: true,
            value_name: "nats".to_owned(),
            ..spec(attribution.method.name(), &attribution.values)?
        });
    }
    let figure = FigureSpec {
        body: FigureBody::Heatmaps {
            panels,
            differences: signed,
            curves: Vec::new(),
        },
        options: FigureOptions {
            // Weights and norms have nothing in common.
            shared_scale: sentence.paths.is_none(),
            ..FigureOptions::default()
        },
    };
    let scene = figure.scene()?;
    let fonts = FontDb::for_scene(&scene);
    Ok(match format {
        FigureFormat::Png => to_png(&scene, &fonts, figure.options.resolution())?,
        FigureFormat::Pdf => to_pdf(&scene, &fonts)?,
        _ => to_svg(&scene).into_bytes(),
    })
}
