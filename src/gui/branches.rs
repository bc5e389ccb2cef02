//! The branches of an output: a small tree whose lines can be gone back to, named and removed.

use eframe::egui::{Button, RichText, TextEdit, Ui, Vec2, WidgetInfo, accesskit::Role};

use super::icons::{Icon, icon_button};
use super::theme::{GRID, SMALL, Tokens};
use crate::app::{AppState, BranchLine, Command, DecodeCommand};

/// The most words of a line that are written out.
const WORDS: usize = 12;

/// The section about a model's branches; nothing while there is none.
pub(super) fn branches_ui(
    ui: &mut Ui,
    state: &AppState,
    model: &str,
    tokens: &Tokens,
    commands: &mut Vec<Command>,
) {
    for line in state.branch_lines(model) {
        line_ui(ui, model, line, tokens, commands);
    }
}

fn line_ui(
    ui: &mut Ui,
    model: &str,
    line: &BranchLine,
    tokens: &Tokens,
    commands: &mut Vec<Command>,
) {
    let text = words(line);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GRID;
        ui.add_space(3.0 * GRID * line.depth as f32);
        let space = ui.available_width() - if line.branch.is_some() { 32.0 } else { 0.0 };
        let ink = if line.is_current {
            tokens.text
        } else {
            tokens.muted
        };
        let button =
            Button::selectable(line.is_current, RichText::new(&text).size(SMALL).color(ink))
                .truncate()
                .min_size(Vec2::new(space, 0.0));
        let response = ui.add_sized(Vec2::new(space, 6.0 * GRID), button);
        let name = format!("Branch {text}");
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, line.is_current, &name));
        let tip = format!("ln p {:.2} nats", line.log_probability);
        if response.on_hover_text(tip).clicked() && !line.is_current {
            commands.push(Command::Decode(DecodeCommand::SelectBranch {
                model: model.to_owned(),
                branch: line.branch,
            }));
        }
        if let Some(branch) = line.branch
            && icon_button(
                ui,
                Icon::Close,
                &format!("Remove the branch {text}"),
                "Remove this branch",
                true,
                false,
            )
            .clicked()
        {
            commands.push(Command::Decode(DecodeCommand::RemoveBranch {
                model: model.to_owned(),
                branch,
            }));
        }
    });
    if let Some(branch) = line.branch.filter(|_| line.is_current) {
        name_ui(ui, model, branch, line, tokens, commands);
    }
}

fn name_ui(
    ui: &mut Ui,
    model: &str,
    branch: usize,
    line: &BranchLine,
    tokens: &Tokens,
    commands: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        ui.add_space(3.0 * GRID * line.depth as f32);
        let label = ui.label(RichText::new("Name").size(SMALL).color(tokens.muted));
        let mut name = line.name.clone();
        let field = TextEdit::singleline(&mut name)
            .desired_width(f32::INFINITY)
            .hint_text("none");
        if ui.add(field).labelled_by(label.id).changed() {
            commands.push(Command::Decode(DecodeCommand::NameBranch {
                model: model.to_owned(),
                branch,
                name,
            }));
        }
    });
}

/// What stands on the line: its name, or its words from where it leaves.
fn words(line: &BranchLine) -> String {
    if line.branch.is_none() {
        return format!("Model’s own: {}", cut(&line.words));
    }
    let rest = line.words.get(line.leaves_at..).unwrap_or_default();
    let step = line.leaves_at + 1;
    if line.name.is_empty() {
        format!("From step {step}: {}", cut(rest))
    } else {
        format!("{}: {}", line.name, cut(rest))
    }
}

fn cut(words: &[String]) -> String {
    let text = words
        .iter()
        .take(WORDS)
        .cloned()
        .collect::<Vec<_>>()
        .join(" ");
    if words.len() > WORDS {
        format!("{text} …")
    } else {
        text
    }
}
