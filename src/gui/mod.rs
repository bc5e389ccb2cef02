//! Floor 6: the window. The only place that knows egui.
//!
//! Panels read the [`AppState`](crate::app::AppState) and push commands; [`Window`] applies these after drawing.
//! Heatmaps and curves are painted from the scenes that the export writes.

mod attribution;
mod beam;
mod beside;
mod bottleneck;
mod branches;
mod cell_drag;
mod cells;
mod controls;
mod cost;
mod curves;
mod cut;
mod dialogs;
mod difference;
mod explain;
mod export;
mod files;
mod grid;
mod heatmap;
mod icons;
mod information;
mod inspector;
mod kept;
mod lens;
mod links;
mod marks;
mod menus;
mod paint;
mod pane_header;
mod panes;
mod preview;
mod services;
mod shortcuts;
mod source;
mod theme;
mod trial;
mod trial_charts;
mod unchanged;
mod weight_bar;
mod what_if;
mod window;

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui;

pub use window::Window;

use crate::app::{ModelSet, Setup};
use crate::numeric::for_each_parallel;
use crate::project::{ModelRef, fingerprint};
use crate::shipped;

/// The picture in the window's frame and in the list of windows, made from `assets/icon/regard.svg`.
const ICON: &[u8] = include_bytes!("../../assets/icon/regard-128.png");

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// A shipped model cannot be read.
    #[error(transparent)]
    Shipped(#[from] shipped::ShippedError),
    /// The system gives no window.
    #[error("cannot open a window: {0}; the command line works without one, see regard --help")]
    System(String),
}

/// The shipped models and where unsaved changes are kept.
///
/// # Errors
/// [`WindowError::Shipped`] if the program is damaged.
pub fn setup() -> Result<Setup, WindowError> {
    let mut loaded: Vec<_> = shipped::list().iter().map(|of| (of.score, None)).collect();
    // Reading and hashing megabytes of weights is what a start waits for.
    for_each_parallel(&mut loaded, |(score, read)| {
        *read = Some(shipped::model(*score).map(|model| (fingerprint(&model), model)));
    });
    let models = ModelSet::default();
    for (score, read) in loaded {
        if let Some(read) = read {
            let (fingerprint, model) = read?;
            models.insert(ModelRef::new(score.name(), fingerprint), model);
        }
    }
    let state_folder = eframe::storage_dir("regard").map(|folder| folder.join("unsaved"));
    Ok(Setup {
        models,
        state_folder,
        ..Setup::default()
    })
}

/// Opens the window with `files` in it and returns when it is closed.
///
/// # Errors
/// [`WindowError`].
pub fn run(files: Vec<PathBuf>) -> Result<(), WindowError> {
    // The window is made meanwhile.
    let loading = std::thread::spawn(setup);
    let mut viewport = egui::ViewportBuilder::default()
        .with_title("regard")
        .with_app_id("regard")
        .with_inner_size([1280.0, 800.0])
        .with_min_inner_size([700.0, 480.0])
        .with_drag_and_drop(true);
    // A window without its icon is better than none.
    if let Ok(icon) = eframe::icon_data::from_png_bytes(ICON) {
        viewport = viewport.with_icon(Arc::new(icon));
    }
    let options = eframe::NativeOptions {
        viewport,
        ..Default::default()
    };
    eframe::run_native(
        "regard",
        options,
        Box::new(|cc| {
            let setup = loading
                .join()
                .map_err(|_| "the models could not be read")??;
            Ok(Box::new(Window::new(cc, setup, files)))
        }),
    )
    .map_err(|error| WindowError::System(error.to_string()))
}
