//! What stands above a pane's picture, and its context menu.

use eframe::egui::{self, RichText, Ui, Vec2};

use super::icons::{Icon, icon_button};
use super::paint;
use super::theme::{GRID, SMALL, TITLE, Tokens, colour, semi_bold};
use crate::app::{
    Command, DecodeCommand, ExportCommand, ModelsCommand, Pane, PaneKind, PaneStatus,
    SelectionCommand, series_index,
};
use crate::figure::Point;

/// The scorer's name in its colour, its sentence, how it stands.
pub(super) fn header_ui(ui: &mut Ui, pane: &Pane, tokens: &Tokens, commands: &mut Vec<Command>) {
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
        let status = match pane.status() {
            PaneStatus::Finished => Some("ended"),
            PaneStatus::StepLimit => Some("stopped at the step limit"),
            PaneStatus::RecordEnds => Some("the record ends here"),
            PaneStatus::Empty | PaneStatus::Running => None,
        };
        if let Some(status) = status {
            ui.label(RichText::new(status).size(SMALL).color(tokens.muted));
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
    ui.horizontal(|ui| {
        let sentence = pane.translation();
        let shown = if sentence.is_empty() { "…" } else { sentence };
        let space = ui.available_width() - 10.0 * GRID;
        ui.scope(|ui| {
            ui.set_max_width(space);
            let label = egui::Label::new(RichText::new(shown).size(TITLE)).truncate();
            ui.add(label).on_hover_text(shown);
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
    if let Some(problem) = pane.problem() {
        ui.label(RichText::new(problem).size(SMALL).color(tokens.error));
    }
    ui.add_space(GRID);
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
