//! The window: draws every panel from the state, collects their commands, applies them, runs the effects.

use std::collections::VecDeque;
use std::path::PathBuf;

use eframe::egui::{
    self, Align, CentralPanel, Frame, Id, Label, Layout, Margin, Panel, RichText, Ui,
    ViewportCommand,
};

use super::beam::{BeamMemo, beam_ui};
use super::curves::{CurvesMemo, curves_ui};
use super::dialogs::{Dialogs, dialogs_ui, notices_ui};
use super::explain::ExplainMemo;
use super::files::sign_folder;
use super::kept::Kept;
use super::links::{LinksMemo, links_ui};
use super::menus::menus_ui;
use super::paint::Textures;
use super::panes::{PanesMemo, panes_ui};
use super::services::{Ask, NativeServices, Reply};
use super::source::{SourcePanel, source_ui};
use super::theme::{self, GRID, SMALL, Tokens};
use super::{controls, inspector, shortcuts};
use crate::app::{
    AppState, ClockCommand, Command, Effect, FileCommand, NoticeCommand, SelectionCommand, Setup,
    Surface, Then, UiCommand,
};
use crate::project::{PaneLayout, Theme};
use crate::storage::Running;

/// Below this width the inspector is a drawer.
const WIDE: f32 = 1100.0;
/// Below this width the bar has shorter words.
const NARROW: f32 = 720.0;
/// Below this height the words of the sentence stand only over the heatmaps, unless one is unknown.
const LOW: f32 = 480.0;
/// Below this height the heatmaps get the space of the curves.
const HIGH: f32 = 640.0;
/// What is left for everything else when the curves are at their tallest.
const ABOVE_CURVES: f32 = 500.0;
/// How large text is in a presentation.
const PRESENTATION: f32 = 1.4;

/// The program's window.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what is open does not exclude each other"
)]
pub struct Window {
    state: AppState,
    services: NativeServices,
    source: SourcePanel,
    dialogs: Dialogs,
    panes: PanesMemo,
    links: LinksMemo,
    curves: CurvesMemo,
    explain: ExplainMemo,
    beam: BeamMemo,
    textures: Textures,
    kept: Kept,
    /// Whether the numbers stand over the heatmaps of a narrow window.
    inspector_open: bool,
    /// Whether the numbers of a wide window are folded away.
    is_folded: bool,
    /// How often the panels were reset.
    panels: u64,
    is_presenting: bool,
    may_close: bool,
    clock: f64,
}

impl Window {
    /// A window on `setup`, with `files` opened.
    pub fn new(cc: &eframe::CreationContext, mut setup: Setup, files: Vec<PathBuf>) -> Self {
        theme::install(&cc.egui_ctx);
        let (preferences, kept) = Kept::load(cc.storage);
        if let Some(preferences) = preferences {
            setup.preferences = preferences;
        }
        let running = setup.state_folder.as_deref().map(sign_folder);
        let running = running.map(|folder| Running::begin(&folder));
        if let Some(running) = &running {
            running.id().clone_into(&mut setup.run);
        }
        let services = NativeServices::new(cc.egui_ctx.clone(), setup.models.clone(), running);
        let state = AppState::new(setup);
        let mut window = Self {
            state,
            services,
            source: SourcePanel::default(),
            dialogs: Dialogs::default(),
            panes: PanesMemo::default(),
            links: LinksMemo::default(),
            curves: CurvesMemo::default(),
            explain: ExplainMemo::default(),
            beam: BeamMemo::default(),
            textures: Textures::default(),
            kept,
            inspector_open: false,
            is_folded: false,
            panels: 0,
            is_presenting: false,
            may_close: false,
            clock: 0.0,
        };
        let start = window.state.start();
        start
            .into_iter()
            .for_each(|effect| window.run(&cc.egui_ctx, effect));
        if let Some(notice) = window.kept.notice() {
            let command = Command::Notice(NoticeCommand::Add(notice));
            window.apply(&cc.egui_ctx, vec![command]);
        }
        if !files.is_empty() {
            window.apply(
                &cc.egui_ctx,
                vec![Command::File(FileCommand::OpenAny(files))],
            );
        }
        window
    }

    /// Asks for paths in the window, and never by a dialog of the system.
    #[must_use]
    pub fn with_own_dialogs(mut self) -> Self {
        self.services.asks_in_window = true;
        self
    }

    /// The application's state, for tests.
    pub const fn state(&self) -> &AppState {
        &self.state
    }

    /// Applies commands in order, each with its effects.
    fn apply(&mut self, ctx: &egui::Context, commands: Vec<Command>) {
        let before = self.state.revision();
        let mut queue: VecDeque<Command> = commands.into();
        while let Some(command) = queue.pop_front() {
            for effect in self.state.apply(command) {
                self.run(ctx, effect);
            }
        }
        // What changed is seen in the next frame.
        if self.state.revision() != before {
            ctx.request_repaint();
        }
    }

    fn run(&mut self, ctx: &egui::Context, effect: Effect) {
        let state = &self.state;
        match self
            .services
            .run(effect, |request| state.figure_runs(request))
        {
            None => {}
            Some(Ask::CopyText(text)) => ctx.copy_text(text),
            Some(Ask::Store(preferences)) => self.kept.changed = Some(preferences),
            Some(Ask::Quit) => {
                self.may_close = true;
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
            Some(Ask::Show(Surface::SourceField)) => self.source.wants_focus = true,
            Some(Ask::Show(Surface::Presentation)) => self.is_presenting = !self.is_presenting,
            Some(Ask::Show(Surface::Inspector)) => {
                let wide = ctx.content_rect().width() >= WIDE;
                let folded = if wide {
                    &mut self.is_folded
                } else {
                    &mut self.inspector_open
                };
                *folded = !*folded;
            }
            Some(Ask::Show(Surface::Panels)) => {
                // Panels of another name begin with their first sizes.
                self.panels += 1;
                (self.is_folded, self.inspector_open) = (false, false);
            }
            Some(Ask::Show(surface)) => self.dialogs.open = Some(surface),
        }
    }

    /// What came from outside since the last frame: answers of services, dropped files, the wish to close.
    fn outside(&mut self, ctx: &egui::Context, commands: &mut Vec<Command>) {
        while let Some(reply) = self.services.next_reply() {
            match reply {
                Reply::Command(command) => commands.push(*command),
                Reply::Picture(picture) => ctx.copy_image(picture),
                Reply::AskInWindow(purpose, suggested) => {
                    let text =
                        suggested.map_or_else(String::new, |path| path.display().to_string());
                    self.dialogs.path = Some((purpose, text));
                }
            }
        }
        let dropped: Vec<PathBuf> = ctx.input(|input| {
            input
                .raw
                .dropped_files
                .iter()
                .map(|file| file.path().to_path_buf())
                .collect()
        });
        if !dropped.is_empty() {
            commands.push(Command::File(FileCommand::OpenAny(dropped)));
        }
        if ctx.input(|input| input.viewport().close_requested())
            && !self.may_close
            && self.state.is_dirty()
        {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            commands.push(Command::File(FileCommand::Leave(Then::Quit)));
        }
    }

    fn look(&self, ctx: &egui::Context) {
        let preferences = self.state.preferences();
        ctx.set_theme(match preferences.theme {
            Theme::Light => egui::ThemePreference::Light,
            Theme::Dark => egui::ThemePreference::Dark,
            Theme::System => egui::ThemePreference::System,
        });
        let presented = if self.is_presenting {
            PRESENTATION
        } else {
            1.0
        };
        ctx.set_zoom_factor(preferences.text_size.factor() * presented);
    }

    fn draw(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let tokens = Tokens::of(ui.ctx());
        let width = ui.available_width();
        let height = ui.available_height();
        let bar = Frame::new()
            .fill(tokens.panel)
            .inner_margin(Margin::symmetric(16, 4));
        Panel::top("bar")
            .frame(bar)
            .show(ui, |ui| self.bar_ui(ui, width, commands));
        let head = Frame::new()
            .fill(tokens.panel)
            .inner_margin(Margin::symmetric(16, 8));
        Panel::top("head").frame(head).show(ui, |ui| {
            source_ui(ui, &self.state, &mut self.source, height < LOW, commands);
            controls::controls_ui(ui, &self.state, commands);
        });
        let has_side = if width >= WIDE {
            !self.is_folded
        } else {
            self.inspector_open
        };
        if has_side {
            let side = Frame::new()
                .fill(tokens.panel)
                .inner_margin(Margin::same(16));
            Panel::right(Id::unique(("inspector", self.panels)))
                .frame(side)
                .default_size(380.0)
                .size_range(320.0..=560.0)
                .show(ui, |ui| {
                    inspector::inspector_ui(ui, &self.state, &mut self.explain, commands);
                });
        }
        let canvas = Frame::new()
            .fill(tokens.canvas)
            .inner_margin(Margin::symmetric(16, 8));
        let is_beam = self.state.view().layout == PaneLayout::Beam;
        if self.state.view().show_curves && height >= HIGH && !is_beam {
            // However tall they were made once: the heatmaps keep most of a window that became lower.
            let most = (height - ABOVE_CURVES).clamp(110.0, 420.0);
            let size = (height * 0.26).clamp(110.0, most.min(260.0));
            Panel::bottom(Id::unique(("curves", self.panels)))
                .frame(canvas)
                .default_size(size)
                .size_range(110.0..=most)
                .resizable(true)
                .show(ui, |ui| {
                    curves_ui(
                        ui,
                        &self.state,
                        &mut self.curves,
                        &mut self.textures,
                        commands,
                    );
                });
        }
        CentralPanel::default()
            .frame(canvas.inner_margin(Margin::symmetric(16, 12)))
            .show(ui, |ui| {
                if self.state.panes().is_empty() {
                    ui.centered_and_justified(|ui| {
                        let text = if self.state.models().all().is_empty() {
                            "No model is there. Open one with File, Open a model…"
                        } else {
                            "Choose a scorer above"
                        };
                        ui.label(RichText::new(text).color(tokens.muted));
                    });
                    return;
                }
                let (state, textures) = (&self.state, &mut self.textures);
                match state.view().layout {
                    PaneLayout::Heatmap => {
                        panes_ui(ui, state, &mut self.panes, textures, commands);
                    }
                    PaneLayout::Links => {
                        links_ui(ui, state, &mut self.links, textures, commands);
                    }
                    PaneLayout::Beam => beam_ui(ui, state, &mut self.beam, textures, commands),
                }
            });
    }

    fn bar_ui(&mut self, ui: &mut Ui, width: f32, commands: &mut Vec<Command>) {
        let tokens = Tokens::of(ui.ctx());
        egui::MenuBar::new().ui(ui, |ui| {
            ui.label(
                RichText::new("regard")
                    .font(theme::semi_bold(15.0))
                    .color(tokens.accent),
            );
            ui.add_space(2.0 * GRID);
            menus_ui(ui, &self.state, commands);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let info = UiCommand::Palette.info();
                let text = if width < NARROW {
                    "Commands"
                } else {
                    "All commands  Ctrl+K"
                };
                if ui.button(text).clicked() {
                    commands.push(info.command(&self.state));
                }
                if width < WIDE || self.is_folded {
                    let info = UiCommand::ToggleInspector.info();
                    let text = if width < WIDE && self.inspector_open {
                        "Hide numbers"
                    } else {
                        "Numbers"
                    };
                    let button = ui.button(text).on_hover_text("Numbers at the side (N)");
                    if button.clicked() {
                        commands.push(info.command(&self.state));
                    }
                }
                let mark = if self.state.is_dirty() { " •" } else { "" };
                let name = format!("{}{mark}", self.state.session_name());
                // The name takes what the menus leave.
                if ui.available_width() > 12.0 * GRID {
                    let name = RichText::new(name).size(SMALL).color(tokens.muted);
                    ui.add(Label::new(name).truncate());
                }
            });
        });
    }
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.look(&ctx);
        let mut commands = Vec::new();
        self.outside(&ctx, &mut commands);
        commands.extend(shortcuts::pressed(
            &ctx,
            &self.state,
            self.dialogs.is_modal(&self.state),
        ));
        self.draw(ui, &mut commands);
        notices_ui(&ctx, &self.state, &mut self.dialogs, &mut commands);
        let textures = &mut self.textures;
        dialogs_ui(
            &ctx,
            &self.state,
            &mut self.dialogs,
            textures,
            &mut commands,
        );
        self.textures.end_frame();
        commands.push(Command::Select(SelectionCommand::EndFrame));
        let now = ctx.input(|input| input.time);
        if self.state.is_dirty() || self.state.is_playing() {
            let seconds = now - self.clock;
            commands.push(Command::Clock(ClockCommand::Tick { seconds }));
        }
        if self.state.is_dirty() {
            // Unsaved changes get their copy even if nothing else happens.
            ctx.request_repaint_after_secs(crate::app::AUTOSAVE_SECONDS as f32);
        }
        self.clock = now;
        self.apply(&ctx, commands);
        if let Some(seconds) = self.state.next_step_in() {
            ctx.request_repaint_after_secs(seconds as f32);
        }
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        self.kept.save(storage);
    }
}
