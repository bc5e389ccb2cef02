//! Every colour, size and space of the window, as light and dark tokens.

use std::sync::Arc;

use eframe::egui::{
    self, Color32, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, Stroke,
    TextStyle, Vec2, Visuals, style::WidgetVisuals,
};

use crate::figure::{INTER_REGULAR, INTER_SEMI_BOLD, Palette, Rgba, SYMBOLS};

/// The grid on which everything stands, in points.
pub(super) const GRID: f32 = 4.0;
/// Corner radius of everything that has corners.
pub(super) const RADIUS: u8 = 4;
/// Text sizes: small, body, title.
pub(super) const SMALL: f32 = 12.0;
/// Body text.
pub(super) const BODY: f32 = 14.0;
/// Titles and the source sentence.
pub(super) const TITLE: f32 = 18.0;

/// Width of the labels in front of the rows at the top, so that what follows them stands in one column.
pub(super) const LABEL: f32 = 14.0 * GRID;

/// The semi-bold family.
pub(super) fn semi_bold(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name("semibold".into()))
}

/// The regular family.
pub(super) fn regular(size: f32) -> FontId {
    FontId::proportional(size)
}

/// A figure's colour as the window's.
pub(super) fn colour([r, g, b, a]: Rgba) -> Color32 {
    Color32::from_rgba_unmultiplied(r, g, b, a)
}

/// The colours of the present theme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tokens {
    /// The colours of figures, which heatmaps and curves have in the window too.
    pub(super) palette: Palette,
    /// Behind panels.
    pub(super) panel: Color32,
    /// Behind the heatmaps.
    pub(super) canvas: Color32,
    /// Text.
    pub(super) text: Color32,
    /// Less important text.
    pub(super) muted: Color32,
    /// Hairlines.
    pub(super) line: Color32,
    /// Buttons at rest.
    pub(super) button: Color32,
    /// Buttons under the pointer.
    pub(super) hovered: Color32,
    /// The one accent.
    pub(super) accent: Color32,
    /// Text on the accent.
    pub(super) on_accent: Color32,
    /// A tint of the accent behind what is chosen.
    pub(super) chosen: Color32,
    /// Something is wrong.
    pub(super) error: Color32,
    /// Something deserves attention.
    pub(super) warning: Color32,
}

impl Tokens {
    /// The light ones.
    pub(super) fn light() -> Self {
        let palette = Palette::light();
        Self {
            palette,
            panel: Color32::from_rgb(0xf7, 0xf8, 0xf9),
            canvas: Color32::WHITE,
            text: colour(palette.text),
            muted: colour(palette.muted),
            line: colour(palette.hairline),
            button: Color32::from_rgb(0xeb, 0xed, 0xf0),
            hovered: Color32::from_rgb(0xdf, 0xe3, 0xe8),
            accent: Color32::from_rgb(0x1c, 0x66, 0xb8),
            on_accent: Color32::WHITE,
            chosen: Color32::from_rgb(0xdc, 0xe9, 0xf7),
            error: Color32::from_rgb(0xb4, 0x23, 0x18),
            warning: Color32::from_rgb(0x9a, 0x5b, 0x00),
        }
    }

    /// The dark ones.
    pub(super) fn dark() -> Self {
        let palette = Palette::dark();
        Self {
            palette,
            panel: Color32::from_rgb(0x1b, 0x1f, 0x25),
            canvas: colour(palette.surface),
            text: colour(palette.text),
            muted: colour(palette.muted),
            line: colour(palette.hairline),
            button: Color32::from_rgb(0x2a, 0x30, 0x39),
            hovered: Color32::from_rgb(0x37, 0x3f, 0x4a),
            accent: Color32::from_rgb(0x4d, 0x9d, 0xe8),
            on_accent: Color32::from_rgb(0x0c, 0x10, 0x16),
            chosen: Color32::from_rgb(0x22, 0x38, 0x50),
            error: Color32::from_rgb(0xff, 0x8a, 0x80),
            warning: Color32::from_rgb(0xf0, 0xb4, 0x56),
        }
    }

    /// Those of the theme that is on.
    pub(super) fn of(ctx: &egui::Context) -> Self {
        if ctx.theme() == egui::Theme::Dark {
            Self::dark()
        } else {
            Self::light()
        }
    }

    fn visuals(&self, dark: bool) -> Visuals {
        let mut v = if dark {
            Visuals::dark()
        } else {
            Visuals::light()
        };
        let radius = CornerRadius::same(RADIUS);
        let widget = |fill: Color32, text: Color32, line: Color32| WidgetVisuals {
            bg_fill: fill,
            weak_bg_fill: fill,
            bg_stroke: Stroke::new(1.0, line),
            corner_radius: radius,
            fg_stroke: Stroke::new(1.0, text),
            expansion: 0.0,
        };
        v.widgets.noninteractive = widget(self.panel, self.text, self.line);
        v.widgets.inactive = widget(self.button, self.text, Color32::TRANSPARENT);
        // Check boxes and slider rails must be seen on the panel.
        v.widgets.inactive.bg_fill = self.line.lerp_to_gamma(self.muted, 0.3);
        v.widgets.hovered = widget(self.hovered, self.text, Color32::TRANSPARENT);
        v.widgets.active = widget(self.hovered, self.text, self.accent);
        v.widgets.open = widget(self.hovered, self.text, Color32::TRANSPARENT);
        v.selection.bg_fill = self.chosen;
        v.selection.stroke = Stroke::new(1.5, self.accent);
        v.hyperlink_color = self.accent;
        v.panel_fill = self.panel;
        v.window_fill = self.panel;
        v.window_stroke = Stroke::new(1.0, self.line);
        v.extreme_bg_color = self.canvas;
        v.text_edit_bg_color = Some(self.canvas);
        v.faint_bg_color = self.button;
        v.weak_text_color = Some(self.muted);
        v.warn_fg_color = self.warning;
        v.error_fg_color = self.error;
        v.window_corner_radius = CornerRadius::same(2 * RADIUS);
        v.menu_corner_radius = CornerRadius::same(RADIUS);
        v.slider_trailing_fill = true;
        v
    }
}

/// Installs fonts and both themes.
pub(super) fn install(ctx: &egui::Context) {
    // The text size is a preference and has its own keys.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    ctx.set_fonts(fonts());
    // Text size is a preference with commands of its own.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    for (theme, tokens) in [
        (egui::Theme::Light, Tokens::light()),
        (egui::Theme::Dark, Tokens::dark()),
    ] {
        let mut style = (*ctx.style_of(theme)).clone();
        style.visuals = tokens.visuals(theme == egui::Theme::Dark);
        style.text_styles = [
            (TextStyle::Small, regular(SMALL)),
            (TextStyle::Body, regular(BODY)),
            (TextStyle::Button, regular(BODY)),
            (TextStyle::Heading, semi_bold(TITLE)),
            (TextStyle::Monospace, FontId::monospace(BODY)),
        ]
        .into();
        style.spacing.item_spacing = Vec2::new(2.0 * GRID, 2.0 * GRID);
        style.spacing.button_padding = Vec2::new(2.5 * GRID, 1.0 * GRID);
        style.spacing.interact_size.y = 7.0 * GRID;
        style.spacing.menu_margin = Margin::same(6);
        style.spacing.window_margin = Margin::same(16);
        style.interaction.selectable_labels = false;
        ctx.set_style_of(theme, style);
    }
}

fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in [
        ("inter", INTER_REGULAR),
        ("inter-semibold", INTER_SEMI_BOLD),
        ("symbols", SYMBOLS),
    ] {
        fonts
            .font_data
            .insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let list = |first: &str| vec![first.to_owned(), "symbols".to_owned()];
    fonts
        .families
        .insert(FontFamily::Proportional, list("inter"));
    // Inter's digits are tabular here, so that numbers line up without a typewriter's face.
    fonts.families.insert(FontFamily::Monospace, list("inter"));
    fonts
        .families
        .insert(FontFamily::Name("semibold".into()), list("inter-semibold"));
    fonts
}
