//! The section "What if": the changes of a scorer's attention, each to be switched and removed, and new ones.

use eframe::egui::{
    self, Button, CollapsingHeader, Id, PopupCloseBehavior, RichText, ScrollArea, Slider, Ui,
    WidgetInfo,
    accesskit::Role,
    containers::menu::{MenuButton, MenuConfig},
};

use super::icons::{Icon, icon_button};
use super::pane_header::title;
use super::shortcuts::keep_arrows;
use super::theme::{GRID, SMALL, Tokens};
use crate::app::{AppState, Command, EditCommand, Inspection, Pane, WhatIfCommand, edit_sentence};
use crate::engine::{Intervention, InterventionKind, Scope, TEMPERATURES};

/// The highest list of words, in points.
const WORDS: f32 = 300.0;
/// The widest window of words that is offered.
const WIDEST: usize = 3;

/// Which steps and scorers the next change is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Reach {
    steps: Steps,
    is_for_all: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Steps {
    This,
    From,
    #[default]
    All,
}

impl Steps {
    const ALL: [(Self, &'static str); 3] = [
        (Self::This, "this step"),
        (Self::From, "from this step"),
        (Self::All, "all steps"),
    ];

    const fn scope(self, step: usize) -> Scope {
        match self {
            Self::This => Scope::Step(step),
            Self::From => Scope::From(step),
            Self::All => Scope::All,
        }
    }
}

/// Where the next change goes.
struct Adding<'a> {
    state: &'a AppState,
    pane: &'a Pane,
    inspection: &'a Inspection,
    reach: Reach,
    commands: &'a mut Vec<Command>,
}

impl Adding<'_> {
    fn model(&self) -> Option<String> {
        (!self.reach.is_for_all).then(|| self.pane.name().to_owned())
    }

    fn scope(&self) -> Scope {
        self.reach.steps.scope(self.inspection.step)
    }

    fn add(&mut self, ui: &Ui, kind: InterventionKind) {
        let (model, edit) = (self.model(), Intervention::new(self.scope(), kind));
        self.commands
            .push(Command::WhatIf(WhatIfCommand::Add { model, edit }));
        ui.close();
    }
}

/// Shows the section.
pub(super) fn what_if_ui(
    ui: &mut Ui,
    state: &AppState,
    pane: &Pane,
    inspection: &Inspection,
    tokens: &Tokens,
    commands: &mut Vec<Command>,
) {
    let list = state.document().interventions_of(pane.name());
    let name = match list.len() {
        0 => "What if".to_owned(),
        1 => "What if: 1 change".to_owned(),
        count => format!("What if: {count} changes"),
    };
    CollapsingHeader::new(RichText::new(name).size(SMALL))
        .id_salt("what if")
        .show(ui, |ui| {
            if !state.can_change_attention(pane.name()) {
                let text = "A record cannot be decoded anew";
                ui.label(RichText::new(text).size(SMALL).color(tokens.muted));
                return;
            }
            for (place, edit) in list.iter().enumerate() {
                edit_ui(ui, pane, place, edit, tokens, commands);
            }
            add_ui(ui, state, pane, inspection, tokens, commands);
        });
}

/// A change with its switch.
fn edit_ui(
    ui: &mut Ui,
    pane: &Pane,
    place: usize,
    edit: &Intervention,
    tokens: &Tokens,
    commands: &mut Vec<Command>,
) {
    let sentence = edit_sentence(edit, &pane.data().source);
    let model = || pane.name().to_owned();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GRID;
        let space = ui.available_width() - 8.0 * GRID;
        ui.scope(|ui| {
            ui.set_width(space);
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
            let mut on = edit.enabled;
            let ink = if on { tokens.text } else { tokens.muted };
            let text = RichText::new(&sentence).size(SMALL).color(ink);
            if ui
                .checkbox(&mut on, text)
                .on_hover_text(&sentence)
                .changed()
            {
                commands.push(Command::WhatIf(WhatIfCommand::Switch {
                    model: model(),
                    place,
                    on,
                }));
            }
        });
        let name = format!("Remove the change {sentence}");
        if icon_button(ui, Icon::Close, &name, "Remove this change", true, false).clicked() {
            commands.push(Command::WhatIf(WhatIfCommand::Remove {
                model: model(),
                place,
            }));
        }
    });
}

/// The rows to add a change.
fn add_ui(
    ui: &mut Ui,
    state: &AppState,
    pane: &Pane,
    inspection: &Inspection,
    tokens: &Tokens,
    commands: &mut Vec<Command>,
) {
    let id = Id::unique("reach of the next change");
    let mut reach: Reach = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = GRID;
        for (steps, name) in Steps::ALL {
            let text = RichText::new(name).size(SMALL);
            if ui.selectable_label(reach.steps == steps, text).clicked() {
                reach.steps = steps;
            }
        }
        ui.add_space(GRID);
        ui.checkbox(
            &mut reach.is_for_all,
            RichText::new("in all scorers").size(SMALL),
        );
    });
    ui.data_mut(|data| data.insert_temp(id, reach));
    let mut adding = Adding {
        state,
        pane,
        inspection,
        reach,
        commands,
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = GRID;
        // Numbers are set inside: a click there must not close it.
        let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let text = RichText::new("Change attention…").size(SMALL);
        MenuButton::new(text)
            .config(stays)
            .ui(ui, |ui| menu_ui(ui, &mut adding));
        let presets = [
            ("Uniform everywhere", InterventionKind::Uniform),
            ("Last position everywhere", InterventionKind::LastPosition),
        ];
        for (name, kind) in presets {
            if ui.button(RichText::new(name).size(SMALL)).clicked() {
                let (model, edit) = (adding.model(), Intervention::new(Scope::All, kind));
                let add = WhatIfCommand::Add { model, edit };
                adding.commands.push(Command::WhatIf(add));
            }
        }
        let has_some = !state.document().interventions_of(pane.name()).is_empty();
        if has_some || (reach.is_for_all && state.has_changes()) {
            let text = RichText::new("Undo all changes")
                .size(SMALL)
                .color(tokens.text);
            if ui.button(text).clicked() {
                let model = adding.model();
                adding
                    .commands
                    .push(Command::WhatIf(WhatIfCommand::Clear { model }));
            }
        }
    });
}

/// What can be changed.
fn menu_ui(ui: &mut Ui, adding: &mut Adding) {
    ui.set_min_width(200.0);
    words_ui(ui, "Mask", adding, InterventionKind::MaskSource);
    words_ui(ui, "All weight on", adding, InterventionKind::OneHot);
    pin_ui(ui, adding);
    if ui.button("Uniform").clicked() {
        adding.add(ui, InterventionKind::Uniform);
    }
    if ui.button("Last position").clicked() {
        adding.add(ui, InterventionKind::LastPosition);
    }
    if ui.button("Permute").clicked() {
        // Each time another draw.
        let draw = adding.state.next_draw(adding.pane.name());
        adding.add(ui, InterventionKind::Permute(draw));
    }
    ui.menu_button("Window", |ui| {
        for width in 0..=WIDEST {
            let text = match width {
                0 => "Only the word in step".to_owned(),
                1 => "1 word on both sides".to_owned(),
                _ => format!("{width} words on both sides"),
            };
            if ui.button(text).clicked() {
                adding.add(ui, InterventionKind::Window(width));
            }
        }
    });
    others_ui(ui, adding);
    ui.separator();
    temperature_ui(ui, adding);
}

/// A menu with the words of the sentence, the chosen one first.
fn words_ui(ui: &mut Ui, name: &str, adding: &mut Adding, kind: fn(usize) -> InterventionKind) {
    let words: Vec<(usize, String)> = adding
        .inspection
        .sources
        .iter()
        .map(|source| source.token.clone())
        .enumerate()
        .collect();
    if let Some((column, word)) = adding
        .state
        .selection()
        .column()
        .and_then(|column| words.get(column))
        && ui.button(format!("{name} “{word}”")).clicked()
    {
        adding.add(ui, kind(*column));
    }
    ui.menu_button(format!("{name} the word…"), |ui| {
        ScrollArea::vertical().max_height(WORDS).show(ui, |ui| {
            for (position, word) in &words {
                let button = ui.button(word);
                let label = format!("{name} {word}, word {}", position + 1);
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
                if button.clicked() {
                    adding.add(ui, kind(*position));
                }
            }
        });
    });
}

/// Keeps the weight of the chosen word, whatever else is changed before.
fn pin_ui(ui: &mut Ui, adding: &mut Adding) {
    let chosen = adding.state.selection().column();
    let Some((position, source)) = chosen
        .and_then(|column| Some((column, adding.inspection.sources.get(column)?)))
        .filter(|(_, source)| source.applied.is_finite())
    else {
        return;
    };
    let weight = source.applied.clamp(0.0, 1.0) as f32;
    let text = format!("Pin “{}” at {weight:.2}", source.token);
    if ui.button(text).clicked() {
        adding.add(ui, InterventionKind::SetWeight { position, weight });
    }
}

/// Weights of the other scorers.
fn others_ui(ui: &mut Ui, adding: &mut Adding) {
    let state = adding.state;
    let others: Vec<String> = state
        .panes()
        .iter()
        .filter(|pane| pane.name() != adding.pane.name() && pane.data().matrix.is_some())
        .map(|pane| pane.name().to_owned())
        .collect();
    ui.add_enabled_ui(!others.is_empty(), |ui| {
        ui.menu_button("The weights of", |ui| {
            for from in others {
                if ui.button(title(&from)).clicked() {
                    let (model, scope) = (adding.model(), adding.scope());
                    adding.commands.push(Command::WhatIf(WhatIfCommand::Borrow {
                        model,
                        from,
                        scope,
                    }));
                    ui.close();
                }
            }
        });
    });
}

/// Sharper or flatter; what the slider shows is the temperature that acts there.
fn temperature_ui(ui: &mut Ui, adding: &mut Adding) {
    let scope = adding.scope();
    let list = adding.state.document().interventions_of(adding.pane.name());
    let now = list.iter().rev().find_map(|edit| match edit.kind {
        InterventionKind::Temperature(t) if edit.enabled && edit.scope == scope => Some(t),
        _ => None,
    });
    let mut temperature = now.unwrap_or(1.0);
    let label = ui.label("Sharpen or flatten");
    let [sharpest, flattest] = TEMPERATURES;
    let slider = Slider::new(&mut temperature, sharpest..=flattest)
        .logarithmic(true)
        .max_decimals(2);
    let response = ui.add(slider).labelled_by(label.id);
    keep_arrows(&response);
    if response.changed() {
        let edit = Intervention::new(scope, InterventionKind::Temperature(temperature));
        let model = adding.model();
        adding
            .commands
            .push(Command::WhatIf(WhatIfCommand::Adjust { model, edit }));
    }
    if response.drag_stopped() || response.lost_focus() {
        adding.commands.push(Command::Edit(EditCommand::Boundary));
    }
    if ui.add(Button::new("Close").small()).clicked() {
        ui.close();
    }
}
