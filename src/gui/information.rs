//! Dialogs that are only read: keys and first steps, about, messages.

use eframe::egui::{Grid, RichText, ScrollArea, Ui};

use super::dialogs::{heading, list_height};
use super::pane_header::title;
use super::shortcuts;
use super::theme::{BODY, GRID, SMALL, Tokens, semi_bold};
use crate::app::{AppState, Level, LoadedModel, Notice, UiCommand};

/// What a dialog has besides its list, in points: frame, heading, a few lines of text, a button.
const AROUND: f32 = 190.0;

/// Shows how to begin and all keys; true once it is closed.
pub(super) fn help_ui(ui: &mut Ui) -> bool {
    heading(ui, "Keys and first steps");
    ui.label("Type a French sentence, press Enter, then Space for each further step. Choose two scorers and press D to see where they differ. Ctrl and the wheel enlarge the cells, dragging moves them. Ctrl+E saves the picture.");
    ui.add_space(2.0 * GRID);
    let height = list_height(ui, 360.0, AROUND);
    let half = (ui.available_width() - 6.0 * GRID) / 2.0;
    ScrollArea::vertical().max_height(height).show(ui, |ui| {
        Grid::new("keys")
            .num_columns(2)
            .min_col_width(half.max(0.0))
            .spacing([2.0 * GRID, GRID])
            .striped(true)
            .show(ui, |ui| {
                for info in UiCommand::table() {
                    if !info.shortcuts.is_empty() {
                        ui.label(info.name);
                        let keys: Vec<String> =
                            info.shortcuts.iter().map(shortcuts::text).collect();
                        ui.label(keys.join(" or "));
                        ui.end_row();
                    }
                }
            });
    });
    close_ui(ui)
}

/// Shows what the program is, its models and their limits; true once it is closed.
pub(super) fn about_ui(ui: &mut Ui, state: &AppState) -> bool {
    heading(ui, concat!("regard ", env!("CARGO_PKG_VERSION")));
    ui.label("Looks at attention in sequence-to-sequence models. Attention shows where a decoder looks; it does not prove why it says a word.");
    ui.add_space(2.0 * GRID);
    let height = list_height(ui, 360.0, AROUND);
    ScrollArea::vertical().max_height(height).show(ui, |ui| {
        let models = state.models().all();
        for model in &models {
            model_ui(ui, model);
        }
        part_ui(ui, "Data");
        let mut notices: Vec<&str> = models.iter().map(|model| model.notice.as_str()).collect();
        notices.retain(|notice| !notice.is_empty());
        notices.sort_unstable();
        notices.dedup();
        for notice in notices {
            small(ui, notice);
        }
        part_ui(ui, "Limits");
        for limit in [
            "Short everyday sentences, French to English, all in small letters.",
            "Words outside the vocabularies are unknown; the translation copies them.",
            "Long sentences lose words, and the figures above are of short ones.",
        ] {
            small(ui, limit);
        }
        part_ui(ui, "Licence");
        small(ui, "MIT or Apache-2.0, as you choose. Text is set in Inter (SIL Open Font Licence), signs in a part of DejaVu Sans.");
    });
    close_ui(ui)
}

fn part_ui(ui: &mut Ui, name: &str) {
    ui.add_space(2.0 * GRID);
    ui.label(RichText::new(name).font(semi_bold(BODY)));
}

fn small(ui: &mut Ui, text: &str) {
    let muted = Tokens::of(ui.ctx()).muted;
    ui.label(RichText::new(text).size(SMALL).color(muted));
}

/// A model: its size, and how good it was on sentences that it was not trained on.
fn model_ui(ui: &mut Ui, model: &LoadedModel) {
    let config = model.network.config();
    let parameters = model.network.parameters();
    let numbers: usize = parameters.iter().map(|part| part.values.len()).sum();
    let millions = numbers as f64 / 1e6;
    ui.add_space(GRID);
    ui.label(RichText::new(title(&model.reference.name)).font(semi_bold(BODY)));
    small(
        ui,
        &format!(
            "{millions:.1} million parameters, encoder 2 × {}, decoder {}, {} source and {} target words",
            config.encoder, config.decoder, config.source_vocabulary, config.target_vocabulary
        ),
    );
    let figure = |key: &str| model.training.get(key).and_then(serde_json::Value::as_f64);
    let figures: Vec<String> = [
        figure("valid_bleu").map(|bleu| format!("BLEU {bleu:.1}")),
        figure("valid_accuracy").map(|share| format!("accuracy {:.1} %", share * 100.0)),
        figure("valid_perplexity").map(|value| format!("perplexity {value:.2}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !figures.is_empty() {
        small(
            ui,
            &format!("On held-out sentences: {}", figures.join(", ")),
        );
    }
}

/// Shows all messages, the newest first; true once it is closed.
pub(super) fn history_ui(ui: &mut Ui, state: &AppState) -> bool {
    heading(ui, "Messages");
    let height = list_height(ui, 360.0, AROUND);
    ScrollArea::vertical().max_height(height).show(ui, |ui| {
        for notice in state.notices().history().iter().rev() {
            notice_text(ui, notice);
            ui.separator();
        }
    });
    close_ui(ui)
}

pub(super) fn close_ui(ui: &mut Ui) -> bool {
    ui.add_space(2.0 * GRID);
    ui.button("Close").clicked()
}

/// What happened and what to do.
pub(super) fn notice_text(ui: &mut Ui, notice: &Notice) {
    let tokens = Tokens::of(ui.ctx());
    let ink = match notice.draft.level {
        Level::Done | Level::Info => tokens.text,
        Level::Warning => tokens.warning,
        Level::Error => tokens.error,
    };
    let times = if notice.count > 1 {
        format!(" ({} times)", notice.count)
    } else {
        String::new()
    };
    ui.label(RichText::new(format!("{}{times}", notice.draft.text)).color(ink));
    if let Some(advice) = &notice.draft.advice {
        ui.label(RichText::new(advice).size(SMALL).color(tokens.muted));
    }
}
