//! Below the sentence: which scorers, the steps, the timeline, how words are chosen.

use eframe::egui::{
    self, PopupCloseBehavior, RichText, Sense, Stroke, Ui, Vec2, WidgetInfo,
    accesskit::Role,
    containers::menu::{MenuButton, MenuConfig},
    pos2,
};

use super::icons::{Icon, icon_button};
use super::links::threshold_ui;
use super::paint;
use super::pane_header::title;
use super::shortcuts;
use super::source::{row_label, tag_spacing};
use super::theme::{GRID, RADIUS, SMALL, Tokens, colour};
use crate::app::{
    AppState, Command, DecodeCommand, Item, ModelsCommand, PreferencesCommand, SPEEDS,
    SelectionCommand, UiCommand, series_index,
};
use crate::engine::DecodePolicy;
use crate::figure::Point;
use crate::project::{PaneLayout, PlaySpeed};

/// Shows the row of controls.
pub(super) fn controls_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let tokens = Tokens::of(ui.ctx());
    ui.horizontal_wrapped(|ui| {
        row_label(ui, "Scorers", 7.0 * GRID);
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
        ui.add_space(2.0 * GRID);
        layout_ui(ui, state, commands);
        match state.view().layout {
            PaneLayout::Heatmap => {
                ui.add_space(2.0 * GRID);
                zoom_ui(ui, state, commands);
            }
            PaneLayout::Links => {
                ui.add_space(2.0 * GRID);
                threshold_ui(ui, state, commands);
            }
            PaneLayout::Beam => {}
        }
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
    play_ui(ui, state, commands);
}

/// Play and pause; the menu behind it has the speeds.
fn play_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let info = UiCommand::Play.info();
    let (name, icon) = if state.is_playing() {
        ("Pause", Icon::Pause)
    } else {
        (info.name, Icon::Play)
    };
    let enabled = info.is_enabled(state);
    let tip = format!("{name} (P); right-click for the speed");
    let response = icon_button(ui, icon, name, &tip, enabled, false);
    if response.clicked() {
        commands.push(info.command(state));
    }
    response.context_menu(|ui| {
        for steps in SPEEDS {
            let speed = PlaySpeed::from_steps(steps);
            let now = state.preferences().speed == speed;
            let text = format!("{steps} steps a second");
            if ui.selectable_label(now, text).clicked() {
                commands.push(Command::Prefer(PreferencesCommand::Speed(speed)));
                ui.close();
            }
        }
    });
}

/// What the panes show.
fn layout_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    for (id, layout) in [
        (UiCommand::HeatmapView, PaneLayout::Heatmap),
        (UiCommand::LinksView, PaneLayout::Links),
        (UiCommand::BeamView, PaneLayout::Beam),
    ] {
        let info = id.info();
        let chosen = state.view().layout == layout;
        let keys = info.shortcuts.first().map(shortcuts::text);
        let tip = format!("{} ({})", info.name, keys.unwrap_or_default());
        let response = ui.selectable_label(chosen, layout.name());
        if response.on_hover_text(tip).clicked() && !chosen {
            commands.push(info.command(state));
        }
    }
}

/// The size of the cells in all heatmaps.
fn zoom_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let buttons = [
        (Icon::Smaller, UiCommand::ZoomOut, "Ctrl+wheel"),
        (Icon::Larger, UiCommand::ZoomIn, "Ctrl+wheel"),
        (Icon::Fit, UiCommand::ZoomToFit, ""),
    ];
    for (icon, id, other) in buttons {
        let info = id.info();
        let keys = info.shortcuts.first().map(shortcuts::text);
        let mut keys: Vec<String> = keys.into_iter().collect();
        keys.extend(Some(other.to_owned()).filter(|other| !other.is_empty()));
        let tip = format!("{} ({})", info.name, keys.join(", "));
        if icon_button(ui, icon, info.name, &tip, info.is_enabled(state), false).clicked() {
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
            let response = ui.add(slider);
            shortcuts::keep_arrows(&response);
            let moved = response.changed();
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

/// Whether the clock stands elsewhere than in the last frame.
fn has_moved(ui: &Ui, position: usize) -> bool {
    let id = egui::Id::unique("position of the timeline");
    ui.data_mut(|data| {
        let known = data.get_temp_mut_or_insert_with(id, || 0);
        std::mem::replace(known, position) != position
    })
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
    // A step that was just taken comes into sight; otherwise the row stays where it was scrolled to.
    let position = state.position();
    let has_moved = has_moved(ui, position);
    egui::ScrollArea::horizontal()
        .id_salt("timeline")
        .max_height(9.0 * GRID)
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                row_label(ui, "Steps", 7.0 * GRID);
                tag_spacing(ui, 0.5 * GRID);
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
                        .sense(Sense::click_and_drag());
                    let response = ui.add(button);
                    if has_moved && step + 1 == position {
                        response.scroll_to_me(None);
                    }
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
