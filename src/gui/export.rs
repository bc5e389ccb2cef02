//! The dialog of the export: what to draw and how, a live preview, and the command line of the same figure.

use eframe::egui::{
    self, Align, Button, Checkbox, ComboBox, DragValue, Frame, Grid, Image, Label, Layout,
    RichText, ScrollArea, TextEdit, Ui, Vec2, vec2,
};

use super::dialogs::heading;
use super::preview::{PreviewMemo, Shown};
use super::theme::{GRID, SMALL, Tokens};
use crate::app::{AppState, Command, ExportCommand, FigureRequest, PreferencesCommand, shell_line};
use crate::figure::{Colormap, FigureFormat, FigureTheme, LabelAngle, Length, Scaling};
use crate::project::{ExportChoice, ExportContent, ExportPreset};

/// The widest dialog.
pub(super) const WIDTH: f32 = 1060.0;
/// Width of the options.
const FORM: f32 = 330.0;
/// Below this width the preview stands above the options.
const NARROW: f32 = 640.0;
/// Height of title, command line and buttons.
const AROUND: f32 = 190.0;

/// Shows the dialog; whether it is done.
pub(super) fn export_ui(
    ui: &mut Ui,
    state: &AppState,
    preview: &mut PreviewMemo,
    commands: &mut Vec<Command>,
) -> bool {
    heading(ui, "Export the figure");
    let mut choice = state.preferences().export.clone();
    let before = choice.clone();
    let request = state.figure_request();
    let width = ui.available_width().min(ui.max_rect().width());
    let height = (ui.ctx().content_rect().height() - AROUND).clamp(160.0, 520.0);
    if width < NARROW {
        preview_ui(
            ui,
            state,
            preview,
            &request,
            choice.format,
            vec2(width, height * 0.4),
        );
        form_area(ui, vec2(width, height * 0.6), &mut choice, &request);
    } else {
        ui.horizontal_top(|ui| {
            form_area(ui, vec2(FORM, height), &mut choice, &request);
            ui.add_space(3.0 * GRID);
            let space = vec2(width - FORM - 5.0 * GRID, height);
            preview_ui(ui, state, preview, &request, choice.format, space);
        });
    }
    if choice != before {
        commands.push(Command::Prefer(PreferencesCommand::Export(choice.clone())));
    }
    ui.add_space(2.0 * GRID);
    command_line_ui(ui, &request, choice.format, width, commands);
    ui.add_space(2.0 * GRID);
    buttons_ui(ui, choice.format, commands)
}

fn form_area(ui: &mut Ui, size: Vec2, choice: &mut ExportChoice, request: &FigureRequest) {
    ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
        ui.set_min_size(size);
        ScrollArea::vertical()
            .id_salt("export options")
            .auto_shrink(false)
            .show(ui, |ui| {
                Grid::new("export")
                    .num_columns(2)
                    .spacing([3.0 * GRID, 1.5 * GRID])
                    .show(ui, |ui| {
                        format_ui(ui, choice);
                        content_ui(ui, choice);
                        size_ui(ui, choice);
                        look_ui(ui, choice, request);
                        labels_ui(ui, choice, request);
                    });
            });
    });
}

fn format_ui(ui: &mut Ui, choice: &mut ExportChoice) {
    let rows = [
        ("Picture", &FigureFormat::ALL[..4]),
        ("Numbers", &FigureFormat::ALL[4..]),
    ];
    for (name, formats) in rows {
        ui.label(name);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GRID / 2.0;
            for format in formats {
                let chosen = choice.format == *format;
                if ui.selectable_label(chosen, format.name()).clicked() {
                    choice.format = *format;
                }
            }
        });
        ui.end_row();
    }
}

fn content_ui(ui: &mut Ui, choice: &mut ExportChoice) {
    let names = ExportContent::ALL.map(|content| (content, content.name()));
    combo(ui, "Shows", &mut choice.content, &names);
    ui.label("");
    ui.horizontal(|ui| {
        ui.checkbox(&mut choice.curves, "Curves");
        ui.checkbox(&mut choice.difference, "Difference")
            .on_hover_text("Where the window shows one");
    });
    ui.end_row();
    let label = ui.label("Title");
    ui.add(TextEdit::singleline(&mut choice.options.title).desired_width(f32::INFINITY))
        .labelled_by(label.id);
    ui.end_row();
}

fn size_ui(ui: &mut Ui, choice: &mut ExportChoice) {
    let options = &mut choice.options;
    ui.label("Size");
    ui.vertical(|ui| {
        let now = ExportPreset::of(options);
        for pair in ExportPreset::ALL.chunks(2) {
            ui.horizontal(|ui| {
                for preset in pair {
                    let response = ui.selectable_label(now == Some(*preset), preset.name());
                    if response.clicked() {
                        preset.put(options);
                    }
                }
            });
        }
    });
    ui.end_row();
    let dpi = options.resolution().dpi();
    length_ui(ui, "Width", &mut options.width, 85.0, dpi);
    length_ui(ui, "Height", &mut options.height, 60.0, dpi);
    let label = ui.label("Resolution");
    let mut now = dpi as u16;
    let drag = DragValue::new(&mut now).range(72..=1200).suffix(" dpi");
    if ui.add(drag).labelled_by(label.id).changed() {
        options.dpi = Some(now);
    }
    ui.end_row();
    let label = ui.label("Letters");
    let mut size = options.label_size();
    let drag = DragValue::new(&mut size)
        .range(4.0..=72.0)
        .speed(0.1)
        .max_decimals(1)
        .suffix(" pt");
    if ui.add(drag).labelled_by(label.id).changed() {
        options.font_size = Some(size);
    }
    ui.end_row();
}

/// A side: as needed, or a number of millimetres or pixels.
fn length_ui(ui: &mut Ui, name: &str, length: &mut Option<Length>, usual: f32, dpi: f32) {
    let mut is_exact = length.is_some();
    if ui.add(Checkbox::new(&mut is_exact, name)).changed() {
        *length = is_exact.then_some(Length::Mm(usual));
    }
    ui.horizontal(|ui| {
        let Some(length) = length else {
            ui.weak("as needed");
            return;
        };
        let (mut number, is_px) = match *length {
            Length::Mm(number) => (number, false),
            Length::Px(number) => (number, true),
        };
        let most = if is_px { 16_384.0 } else { 2000.0 };
        let drag = DragValue::new(&mut number)
            .range(10.0..=most)
            .max_decimals(1);
        let response = ui.add(drag);
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::accesskit::Role::SpinButton, true, name)
        });
        if response.changed() {
            *length = if is_px {
                Length::Px(number)
            } else {
                Length::Mm(number)
            };
        }
        if ui.selectable_label(!is_px, "mm").clicked() && is_px {
            *length = Length::Mm((number / dpi * 25.4).round().max(10.0));
        }
        if ui.selectable_label(is_px, "px").clicked() && !is_px {
            *length = Length::Px((number / 25.4 * dpi).round());
        }
    });
    ui.end_row();
}

fn look_ui(ui: &mut Ui, choice: &mut ExportChoice, request: &FigureRequest) {
    ui.label("Colours");
    ui.horizontal(|ui| {
        let options = &mut choice.options;
        ui.selectable_value(&mut options.theme, FigureTheme::Light, "Light");
        ui.selectable_value(&mut options.theme, FigureTheme::Dark, "Dark");
        ui.checkbox(&mut options.transparent, "Transparent");
    });
    ui.end_row();
    let mut maps = vec![(None, "As in the window")];
    maps.extend(Colormap::ALL.map(|map| (Some(map), map.name())));
    combo(ui, "Weights", &mut choice.colormap, &maps);
    let mut scalings = vec![(None, "As in the window")];
    scalings.extend(Scaling::ALL.map(|scaling| (Some(scaling), scaling_name(scaling))));
    combo(ui, "Scale", &mut choice.scaling, &scalings);
    ui.label("");
    let mut values = request.options.values;
    if ui.checkbox(&mut values, "Values in cells").changed() {
        choice.values = Some(values);
    }
    ui.end_row();
}

const fn scaling_name(scaling: Scaling) -> &'static str {
    match scaling {
        Scaling::Linear => "linear",
        Scaling::Log => "logarithmic",
        Scaling::RowMax => "by each row's largest",
    }
}

fn labels_ui(ui: &mut Ui, choice: &mut ExportChoice, request: &FigureRequest) {
    let label = ui.label("Lightest");
    let mut threshold = request.options.threshold.unwrap_or(0.0);
    let drag = DragValue::new(&mut threshold)
        .range(0.0..=1.0)
        .speed(0.005)
        .max_decimals(3);
    let response = ui.add(drag).labelled_by(label.id);
    if response
        .on_hover_text("Weights below are left out")
        .changed()
    {
        choice.options.threshold = Some(threshold);
    }
    ui.end_row();
    let angles = LabelAngle::ALL.map(|angle| (angle, angle.name()));
    combo(ui, "Labels", &mut choice.options.label_angle, &angles);
    ui.label("");
    ui.checkbox(&mut choice.options.transposed, "Source words downwards");
    ui.end_row();
}

/// A row with a list to choose from.
fn combo<T: Copy + PartialEq>(ui: &mut Ui, name: &str, value: &mut T, list: &[(T, &str)]) {
    let label = ui.label(name);
    let now = list.iter().find(|(one, _)| one == value);
    let response = ComboBox::from_id_salt(name)
        .selected_text(now.map_or("", |(_, name)| name))
        .width(190.0)
        .show_ui(ui, |ui| {
            for (one, name) in list {
                ui.selectable_value(value, *one, *name);
            }
        });
    response.response.labelled_by(label.id);
    ui.end_row();
}

fn preview_ui(
    ui: &mut Ui,
    state: &AppState,
    preview: &mut PreviewMemo,
    request: &FigureRequest,
    format: FigureFormat,
    size: Vec2,
) {
    let tokens = Tokens::of(ui.ctx());
    ui.allocate_ui_with_layout(size, Layout::top_down(Align::Center), |ui| {
        ui.set_min_size(size);
        let lines = 9.0 * GRID;
        let margin = 3.0 * GRID;
        let space = size - vec2(2.0 * margin, 2.0 * margin + lines);
        let pixels = space * ui.ctx().pixels_per_point();
        let shown = preview.show(ui.ctx(), state, request, format, pixels);
        let frame = Frame::new().fill(tokens.button).inner_margin(margin);
        let is_picture = matches!(shown, Some(Shown::Picture { .. }));
        frame.corner_radius(4.0).show(ui, |ui| {
            ui.set_min_size(space);
            ui.set_max_size(space);
            match shown {
                None => drop(ui.weak("Drawing …")),
                Some(Shown::Problem(problem)) => {
                    ui.label(RichText::new(problem).color(tokens.error));
                }
                Some(Shown::Text(text)) => text_ui(ui, text),
                Some(Shown::Picture { texture, page, .. }) => {
                    let size = texture.size_vec2() / ui.ctx().pixels_per_point();
                    ui.centered_and_justified(|ui| {
                        let picture = Image::new((texture.id(), size))
                            .fit_to_exact_size(size)
                            .bg_fill(*page)
                            .alt_text("Preview of the figure");
                        ui.add(picture);
                    });
                }
            }
        });
        if let Some(Shown::Picture {
            facts, warnings, ..
        }) = shown.filter(|_| is_picture)
        {
            ui.label(RichText::new(facts).size(SMALL).color(tokens.muted));
            for warning in warnings {
                ui.label(RichText::new(warning).size(SMALL).color(tokens.warning));
            }
        }
    });
}

fn text_ui(ui: &mut Ui, text: &str) {
    ScrollArea::both()
        .id_salt("preview of numbers")
        .auto_shrink(false)
        .show(ui, |ui| {
            let text = RichText::new(text).monospace().size(SMALL);
            ui.add(Label::new(text).extend());
        });
}

fn command_line_ui(
    ui: &mut Ui,
    request: &FigureRequest,
    format: FigureFormat,
    width: f32,
    commands: &mut Vec<Command>,
) {
    let mut argv = request.to_argv();
    argv.extend(["-o".to_owned(), format!("figure.{}", format.ending())]);
    let line = shell_line(&argv);
    ui.allocate_ui_with_layout(
        vec2(width, 7.0 * GRID),
        Layout::right_to_left(Align::Center),
        |ui| {
            let copy = ui.button("Copy").on_hover_text("Copy the command line");
            copy.widget_info(|| {
                let name = "Copy the command line";
                egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, name)
            });
            if copy.clicked() {
                commands.push(Command::Export(ExportCommand::CopyCommandLine));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(&line).monospace().size(SMALL);
                ui.add(Label::new(text).truncate().selectable(true))
                    .on_hover_text(&line);
            });
        },
    );
}

fn buttons_ui(ui: &mut Ui, format: FigureFormat, commands: &mut Vec<Command>) -> bool {
    let mut done = false;
    ui.horizontal(|ui| {
        let save = ui.add(Button::new(format!("Save {}…", format.name())));
        // Enter saves at once.
        if ui.memory(|memory| memory.focused().is_none()) {
            save.request_focus();
        }
        if save.clicked() {
            commands.push(Command::Export(ExportCommand::Figure(format)));
            done = true;
        }
        if ui.button("Copy the picture").clicked() {
            commands.push(Command::Export(ExportCommand::CopyImage));
            done = true;
        }
        done |= ui.button("Close").clicked();
    });
    done
}
