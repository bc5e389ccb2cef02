//! The bar of one weight, which can be dragged and moved by the arrow keys.

use eframe::egui::{
    self, Color32, CursorIcon, EventFilter, Key, Sense, Stroke, Ui, Vec2, WidgetInfo, accesskit,
    pos2,
};

use super::shortcuts::keep_arrows;
use super::theme::{GRID, RADIUS, Tokens};
use crate::app::{Command, EditCommand, InspectedSource, WhatIfCommand};
use crate::engine::{Intervention, InterventionKind, Scope};

/// By how much an arrow key moves a weight, and with Shift.
const STEPS: [f64; 2] = [0.01, 0.1];

/// A weight of a step.
pub(super) struct WeightBar<'a> {
    /// The model's name.
    pub(super) model: &'a str,
    /// The step, from 0.
    pub(super) step: usize,
    /// The source position.
    pub(super) position: usize,
    /// Its numbers.
    pub(super) source: &'a InspectedSource,
    /// Whether the weight can be set: its model decodes, and the position is not closed.
    pub(super) is_open: bool,
    /// In points.
    pub(super) width: f32,
    /// The colour of what is filled.
    pub(super) ink: Color32,
}

impl WeightBar<'_> {
    /// Shows the bar; setting its weight becomes a command, and the end of that a boundary of undo.
    pub(super) fn show(self, ui: &mut Ui, tokens: &Tokens, commands: &mut Vec<Command>) {
        let now = if self.source.applied.is_finite() {
            self.source.applied.clamp(0.0, 1.0)
        } else {
            0.0
        };
        let sense = if self.is_open {
            Sense::click_and_drag()
        } else {
            Sense::hover()
        };
        let size = Vec2::new(self.width, 2.5 * GRID);
        let (rect, response) = ui.allocate_exact_size(size, sense);
        let mut wanted = None;
        if self.is_open {
            let name = format!("Weight of {}", self.source.token);
            response.widget_info(|| WidgetInfo::slider(true, now, &name));
            if response.is_pointer_button_down_on()
                && let Some(pointer) = response.interact_pointer_pos()
            {
                let share = (pointer.x - rect.left()) / rect.width().max(1.0);
                wanted = Some(f64::from(share));
            }
            wanted = wanted.or_else(|| by_keys(ui, &response, now));
            if response.hovered() || response.dragged() {
                ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
            }
        }
        ui.painter().rect_filled(rect, RADIUS, tokens.button);
        let mut filled = rect;
        filled.set_width((rect.width() * now as f32).max(1.0));
        ui.painter().rect_filled(filled, RADIUS, self.ink);
        // Where the model's own weight ends.
        if let Some(own) = self.source.weight
            && (own - self.source.applied).abs() > 1e-6
        {
            let x = rect.left() + rect.width() * own.clamp(0.0, 1.0) as f32;
            let line = [pos2(x, rect.top() - 1.0), pos2(x, rect.bottom() + 1.0)];
            ui.painter()
                .line_segment(line, Stroke::new(2.0, tokens.warning));
        }
        if response.has_focus() {
            let line = Stroke::new(2.0, tokens.text);
            ui.painter()
                .rect_stroke(rect.expand(1.0), RADIUS, line, egui::StrokeKind::Outside);
        }
        // Two digits: what the list of changes says is what is set.
        let wanted = wanted.map(|weight| (weight.clamp(0.0, 1.0) * 100.0).round() / 100.0);
        if let Some(weight) = wanted.filter(|weight| (weight - now).abs() > 1e-6) {
            let edit = Intervention::new(
                Scope::Step(self.step),
                InterventionKind::SetWeight {
                    position: self.position,
                    weight: weight as f32,
                },
            );
            commands.push(Command::WhatIf(WhatIfCommand::Adjust {
                model: Some(self.model.to_owned()),
                edit,
            }));
        }
        if response.drag_stopped() || response.clicked() || response.lost_focus() {
            commands.push(Command::Edit(EditCommand::Boundary));
        }
        if self.is_open {
            response.on_hover_text(
                "Drag, or use the arrow keys, to set this weight; the others keep their proportions",
            );
        }
    }
}

/// What the arrow keys, or a reader of the screen, make of a weight.
fn by_keys(ui: &Ui, response: &egui::Response, now: f64) -> Option<f64> {
    let id = response.id;
    ui.ctx().accesskit_node_builder(id, |node| {
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(1.0);
        node.set_numeric_value_step(STEPS[0]);
        node.add_action(accesskit::Action::Increment);
        node.add_action(accesskit::Action::Decrement);
    });
    let asked = |action| ui.input(|input| input.num_accesskit_action_requests(id, action)) as f64;
    let mut steps = asked(accesskit::Action::Increment) - asked(accesskit::Action::Decrement);
    let mut size = STEPS[0];
    keep_arrows(response);
    if response.has_focus() {
        let arrows = EventFilter {
            horizontal_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
        ui.input(|input| {
            let presses = |key| input.num_presses(key) as f64;
            steps += presses(Key::ArrowRight) - presses(Key::ArrowLeft);
            if input.modifiers.shift {
                size = STEPS[1];
            }
        });
    }
    (steps != 0.0).then_some(now + steps * size)
}
