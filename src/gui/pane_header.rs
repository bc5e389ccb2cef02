//! What stands above a pane's picture, and its context menu.

use eframe::egui::{
    self, Button, Color32, Label, Response, RichText, Stroke, TextFormat, Ui, Vec2, WidgetInfo,
    accesskit::Role, text::LayoutJob,
};

use super::icons::{Icon, icon_button};
use super::paint;
use super::theme::{GRID, SMALL, TITLE, Tokens, colour, regular, semi_bold};
use crate::app::{
    AppState, Command, DecodeCommand, ExportCommand, ModelsCommand, Pane, PaneKind, PaneStatus,
    Piece, SelectionCommand, ViewCommand, series_index,
};
use crate::figure::Point;
use crate::project::PaneLayout;

/// Height of the line with the output of an unchanged run, in points.
pub(super) const ORIGINAL: f32 = 6.0 * GRID;

/// The scorer's name in its colour, its sentence, how it stands.
pub(super) fn header_ui(
    ui: &mut Ui,
    pane: &Pane,
    state: &AppState,
    tokens: &Tokens,
    commands: &mut Vec<Command>,
) {
    let (fill, mark) = tokens.palette.series(series_index(pane.score()));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0 * GRID;
        let (dot, _) = ui.allocate_exact_size(Vec2::splat(12.0), egui::Sense::hover());
        paint::marker(
            ui.painter(),
            dot.center(),
            Point::default(),
            mark,
            9.0,
            colour(fill),
        );
        ui.label(RichText::new(title(pane.name())).font(semi_bold(14.0)));
        if pane.original().is_some() {
            let tip = "Its attention or its sentence is changed; below is what it says without";
            note_ui(ui, "changed", tokens.warning).on_hover_text(tip);
        }
        let status = match pane.status() {
            PaneStatus::Finished => Some("ended"),
            PaneStatus::StepLimit => Some("stopped at the step limit"),
            PaneStatus::RecordEnds => Some("the record ends here"),
            PaneStatus::Empty | PaneStatus::Running => None,
        };
        if let Some(status) = status {
            note_ui(ui, status, tokens.muted);
        }
        match pane.kind() {
            PaneKind::Live => {}
            PaneKind::ModelChanged => {
                ui.label(
                    RichText::new("recorded with another model")
                        .size(SMALL)
                        .color(tokens.warning),
                );
                if ui.small_button("Use the present one").clicked() {
                    commands.push(Command::Models(ModelsCommand::UsePresent(
                        pane.name().to_owned(),
                    )));
                }
            }
            PaneKind::ModelMissing => {
                ui.label(
                    RichText::new("its model is not here")
                        .size(SMALL)
                        .color(tokens.warning),
                );
            }
        }
    });
    sentence_ui(ui, pane, tokens, commands);
    if let Some(original) = pane.original() {
        original_row(ui, |ui| {
            let (name, tip) = match state.compared() {
                None => (
                    "without",
                    "What it says without the changes of its attention",
                ),
                Some(compared) => ("before", compared),
            };
            let is_shown = state.view().show_unchanged;
            let button = Button::selectable(is_shown, RichText::new(name).size(SMALL)).small();
            let response = ui.add(button);
            response.widget_info(|| {
                let label = format!("{name}: the unchanged heatmap of {}", pane.name());
                WidgetInfo::selected(Role::Button, true, is_shown, label)
            });
            if response
                .on_hover_text(format!("{tip}\nClick to see its heatmap beside"))
                .clicked()
            {
                let show = ViewCommand::ShowUnchanged(!is_shown);
                commands.push(Command::View(show));
                if state.view().layout != PaneLayout::Heatmap {
                    let heatmaps = ViewCommand::Layout(PaneLayout::Heatmap);
                    commands.push(Command::View(heatmaps));
                }
            }
            let job = marked(original.sentence(), SMALL, tokens.muted, tokens);
            ui.add(Label::new(job).truncate());
        });
    }
    if let Some(problem) = pane.problem() {
        ui.label(RichText::new(problem).size(SMALL).color(tokens.error));
    }
    ui.add_space(GRID);
}

/// The row of the unchanged run's sentence, or its room.
pub(super) fn original_row(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_height(ORIGINAL - GRID);
        content(ui);
    });
}

/// A small note beside the name, where there is room for it.
fn note_ui(ui: &mut Ui, text: &str, ink: Color32) -> Response {
    let font = regular(SMALL);
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, ink);
    if galley.size().x > ui.available_width() {
        return ui.allocate_response(Vec2::ZERO, egui::Sense::hover());
    }
    ui.label(RichText::new(text).size(SMALL).color(ink))
}

/// What the pane says.
fn sentence_ui(ui: &mut Ui, pane: &Pane, tokens: &Tokens, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let sentence = pane.translation();
        let shown = if sentence.is_empty() { "…" } else { sentence };
        let space = ui.available_width() - 10.0 * GRID;
        ui.scope(|ui| {
            ui.set_max_width(space);
            let label = match pane.original().filter(|_| !sentence.is_empty()) {
                Some(original) => {
                    let said = original.changed_sentence();
                    Label::new(marked(said, TITLE, tokens.text, tokens))
                }
                None => Label::new(RichText::new(shown).size(TITLE)),
            };
            ui.add(label.truncate()).on_hover_text(shown);
        });
        if !sentence.is_empty()
            && icon_button(
                ui,
                Icon::Copy,
                &format!("Copy what {} says", pane.name()),
                "Copy",
                true,
                false,
            )
            .clicked()
        {
            commands.push(Command::Export(ExportCommand::CopyTranslation {
                model: pane.name().to_owned(),
            }));
        }
    });
}

/// A sentence whose changed words are coloured and underlined.
pub(super) fn marked(pieces: &[Piece], size: f32, ink: Color32, tokens: &Tokens) -> LayoutJob {
    let mut job = LayoutJob::default();
    for piece in pieces {
        let mut format = TextFormat::simple(regular(size), ink);
        let word = piece.text.trim_start();
        let space = &piece.text[..piece.text.len() - word.len()];
        job.append(space, 0.0, format.clone());
        if piece.is_changed {
            format.color = tokens.warning;
            format.underline = Stroke::new(1.5, tokens.warning);
        }
        job.append(word, 0.0, format);
    }
    if pieces.is_empty() {
        job.append("…", 0.0, TextFormat::simple(regular(size), ink));
    }
    job
}

/// "scaled dot" for `scaled_dot`.
pub(super) fn title(name: &str) -> String {
    match name {
        "bottleneck" => "no attention".to_owned(),
        other => other.replace('_', " "),
    }
}

/// What a pane offers on a right click.
pub(super) fn pane_menu(ui: &mut Ui, pane: &Pane, commands: &mut Vec<Command>) {
    let model = || pane.name().to_owned();
    if ui.button("Copy values").clicked() {
        commands.push(Command::Export(ExportCommand::CopyValues {
            model: model(),
        }));
        ui.close();
    }
    if ui.button("Copy translation").clicked() {
        commands.push(Command::Export(ExportCommand::CopyTranslation {
            model: model(),
        }));
        ui.close();
    }
    if ui.button("Copy the picture").clicked() {
        commands.push(Command::Export(ExportCommand::CopyImage));
        ui.close();
    }
    ui.separator();
    if ui.button("Force this output on all").clicked() {
        commands.push(Command::Decode(DecodeCommand::ForceOutputOf {
            model: model(),
        }));
        ui.close();
    }
    if ui.button("Show alone").clicked() {
        commands.push(Command::Select(SelectionCommand::Solo(model())));
        ui.close();
    }
}
