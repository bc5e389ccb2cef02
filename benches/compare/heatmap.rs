//! Draws the heatmap of `heatmap.py` and says how long it took, for `heatmap.sh`.
//!
//! `heatmap plain|values N [REPETITIONS] [FILE]` writes a PNG of the size of the other program and prints one line of
//! JSON: milliseconds of layout, drawing and encoding together, the file's kilobytes, the process's memory.

use std::sync::Arc;
use std::time::Instant;

use ndarray::Array2;
use regard::alignment::LabelledMatrix;
use regard::figure::{FigureBody, FigureOptions, FigureSpec, FontDb, HeatmapSpec, Length, to_png};

/// The side of the picture of `n` words in px, as `heatmap.py` has it at 100 dpi.
fn side(n: usize) -> f32 {
    let inches = if n <= 200 {
        (n as f32 * 0.25).clamp(4.0, 40.0)
    } else {
        20.0
    };
    inches * 100.0
}

/// Rows that sum to 1, the same in every run.
fn weights(n: usize) -> Array2<f32> {
    let mut state = 0x9e37_79b9_u32;
    let mut values = Array2::from_shape_simple_fn((n, n), || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as f32 / u32::MAX as f32
    });
    for mut row in values.rows_mut() {
        let sum = row.sum();
        row /= sum;
    }
    values
}

/// The most memory that the process had, in MB; 0 where the system does not tell.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kb.unwrap_or(0) / 1024
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo bench` adds an argument of its own.
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let [kind, n, rest @ ..] = &arguments[..] else {
        println!(
            "heatmap plain|values N [REPETITIONS] [FILE]; benches/compare/heatmap.sh compares"
        );
        return Ok(());
    };
    let n: usize = n.parse()?;
    let repetitions: usize = rest.first().map_or(Ok(5), |text| text.parse())?;
    let labels: Vec<String> = (0..n).map(|word| format!("word{word}")).collect();
    let matrix = Arc::new(LabelledMatrix::new(labels.clone(), labels, weights(n))?);
    let side = Length::Px(side(n));
    let options = FigureOptions {
        width: Some(side),
        height: Some(side),
        dpi: Some(100),
        font_size: Some(if kind == "values" { 8.0 } else { 10.0 }),
        values: kind == "values",
        shared_scale: false,
        ..FigureOptions::default()
    };
    let mut times = Vec::new();
    let mut bytes = Vec::new();
    for _ in 0..repetitions {
        let start = Instant::now();
        let figure = FigureSpec {
            body: FigureBody::Heatmaps {
                panels: vec![HeatmapSpec::new(matrix.clone())],
                differences: Vec::new(),
                curves: Vec::new(),
            },
            options: options.clone(),
        };
        let scene = figure.scene()?;
        bytes = to_png(&scene, &FontDb::bundled(), options.resolution())?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    if let Some(path) = rest.get(1) {
        std::fs::write(path, &bytes)?;
    }
    times.sort_by(f64::total_cmp);
    println!(
        "{{\"kind\":\"{kind}\",\"n\":{n},\"total_ms\":{:.2},\"min_ms\":{:.2},\"png_kb\":{},\"rss_mb\":{}}}",
        times[times.len() / 2],
        times[0],
        bytes.len() / 1024,
        peak_mb()
    );
    Ok(())
}
