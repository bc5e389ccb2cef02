//! Below the sentence: which scorers, the steps, the timeline, how words are chosen.

use eframe::egui::{
    self, PopupCloseBehavior, RichText, Sense, Stroke, Ui, Vec2, WidgetInfo,
    accesskit::Role,
    containers::menu::{MenuButton, MenuConfig},
    pos2,
};

use super::icons::{Icon, icon_button};
use super::paint;
use super::panes::title;
use super::theme::{GRID, RADIUS, SMALL, Tokens, colour};
use crate::app::{
    AppState, Command, DecodeCommand, Item, ModelsCommand, SelectionCommand, UiCommand,
    series_index,
};
use crate::engine::DecodePolicy;
use crate::figure::Point;

/// Shows the row of controls.
pub(super) fn controls_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let tokens = Tokens::of(ui.ctx());
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("Scorers").color(tokens.muted));
        for model in state.models().all() {
            scorer_ui(
                ui,
                state,
                &model.reference.name,
                series_index(Some(model.score())),
                &tokens,
                commands,
            );
        }
        ui.add_space(4.0 * GRID);
        steps_ui(ui, state, commands);
        ui.add_space(2.0 * GRID);
        policy_ui(ui, state, commands);
    });
    timeline_ui(ui, state, &tokens, commands);
}

/// A toggle with the scorer's mark.
fn scorer_ui(
    ui: &mut Ui,
    state: &AppState,
    name: &str,
    series: usize,
    tokens: &Tokens,
    commands: &mut Vec<Command>,
) {
    let chosen = state.pane(name).is_some();
    let (fill, mark) = tokens.palette.series(series);
    let text = title(name);
    let font = super::theme::regular(14.0);
    let galley = ui.painter().layout_no_wrap(
        text.clone(),
        font,
        if chosen { tokens.text } else { tokens.muted },
    );
    let size = Vec2::new(galley.size().x + 9.0 * GRID, 7.0 * GRID);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(Role::CheckBox, true, chosen, format!("Scorer {text}"))
    });
    let back = match (chosen, response.hovered()) {
        (true, false) => tokens.chosen,
        (true | false, true) => tokens.hovered,
        (false, false) => tokens.panel,
    };
    ui.painter().rect_filled(rect, RADIUS, back);
    let line = if response.has_focus() {
        Stroke::new(2.0, tokens.text)
    } else {
        Stroke::new(1.0, tokens.line)
    };
    ui.painter()
        .rect_stroke(rect, RADIUS, line, egui::StrokeKind::Inside);
    let dot = pos2(rect.left() + 3.5 * GRID, rect.center().y);
    let ink = if chosen {
        colour(fill)
    } else {
        colour(fill).gamma_multiply(0.35)
    };
    paint::marker(ui.painter(), dot, Point::default(), mark, 8.0, ink);
    let at = pos2(
        rect.left() + 6.0 * GRID,
        rect.center().y - galley.size().y / 2.0,
    );
    ui.painter().galley(at, galley, tokens.text);
    if response
        .on_hover_text(if chosen {
            "Hide this scorer"
        } else {
            "Show this scorer"
        })
        .clicked()
    {
        commands.push(Command::Models(ModelsCommand::Toggle(name.to_owned())));
    }
}

fn steps_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let buttons = [
        (Icon::First, UiCommand::First, "Home", false),
        (Icon::Back, UiCommand::StepBack, "Ctrl+←", false),
        (Icon::Forward, UiCommand::Step, "Space", true),
        (Icon::Last, UiCommand::RunToEnd, "End", false),
        (Icon::Restart, UiCommand::Restart, "R", false),
    ];
    for (icon, id, key, primary) in buttons {
        let info = id.info();
        let enabled = info.is_enabled(state);
        let tip = format!("{} ({key})", info.name);
        if icon_button(ui, icon, info.name, &tip, enabled, primary).clicked() {
            commands.push(info.command(state));
        }
    }
}

fn policy_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let now = state.document().policy;
    let set = |policy| Command::Decode(DecodeCommand::SetPolicy(policy));
    let name = match now {
        DecodePolicy::Greedy => "greedy ▾".to_owned(),
        DecodePolicy::Sample { temperature, seed } => {
            format!("sampling τ {temperature:.2}, seed {seed} ▾")
        }
    };
    // Numbers are set inside: a click there must not close it.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let button = MenuButton::new(name).config(stays);
    button.ui(ui, |ui| {
        if ui
            .selectable_label(
                now == DecodePolicy::Greedy,
                "Greedy: the most probable word",
            )
            .clicked()
        {
            commands.push(set(DecodePolicy::Greedy));
            ui.close();
        }
        let (mut temperature, mut seed) = match now {
            DecodePolicy::Sample { temperature, seed } => (temperature, seed),
            DecodePolicy::Greedy => (1.0, 1),
        };
        let is_sampling = now != DecodePolicy::Greedy;
        if ui
            .selectable_label(is_sampling, "Sampling: by probability")
            .clicked()
            && !is_sampling
        {
            commands.push(set(DecodePolicy::Sample { temperature, seed }));
        }
        if is_sampling {
            let slider = egui::Slider::new(&mut temperature, 0.05..=3.0)
                .text("temperature")
                .logarithmic(true);
            let moved = ui.add(slider).changed();
            let label = ui.label("seed");
            let turned = ui
                .add(egui::DragValue::new(&mut seed))
                .labelled_by(label.id)
                .changed();
            if moved || turned {
                commands.push(set(DecodePolicy::Sample { temperature, seed }));
            }
        }
    });
}

/// The words of the longest output as places that can be clicked and scrubbed.
fn timeline_ui(ui: &mut Ui, state: &AppState, tokens: &Tokens, commands: &mut Vec<Command>) {
    let longest = state.visible_panes().max_by_key(|pane| pane.data().len());
    let Some(pane) = longest.filter(|pane| !pane.data().is_empty()) else {
        return;
    };
    let words: Vec<String> = pane
        .data()
        .tokens
        .iter()
        .map(|token| token.text.clone())
        .collect();
    egui::ScrollArea::horizontal()
        .id_salt("timeline")
        .max_height(9.0 * GRID)
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 0.5 * GRID;
                ui.label(RichText::new("Steps").color(tokens.muted));
                ui.add_space(3.0 * GRID);
                for (step, word) in words.iter().enumerate() {
                    if paint::leaves_room(ui, word) {
                        continue;
                    }
                    let taken = step < state.position();
                    let current = state.inspected_step() == Some(step);
                    let ink = if taken { tokens.text } else { tokens.muted };
                    let fill = if current {
                        tokens.chosen
                    } else if taken {
                        tokens.button
                    } else {
                        tokens.panel
                    };
                    let button = egui::Button::new(RichText::new(word).size(SMALL).color(ink))
                        .fill(fill)
                        .stroke(Stroke::new(
                            1.0,
                            if current { tokens.accent } else { tokens.line },
                        ))
                        .sense(Sense::click_and_drag())
                        .small();
                    let response = ui.add(button);
                    let name = format!("Step {} {word}", step + 1);
                    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
                    if response.hovered() && taken {
                        commands.push(Command::Select(SelectionCommand::Hover(Item::Step(step))));
                    }
                    let scrubbed = ui.input(|input| {
                        input.pointer.primary_down()
                            && input
                                .pointer
                                .hover_pos()
                                .is_some_and(|pos| response.rect.contains(pos))
                    });
                    if (response.clicked() || scrubbed) && state.position() != step + 1 {
                        commands.push(Command::Decode(DecodeCommand::MoveTo(step + 1)));
                    }
                }
            });
        });
}
