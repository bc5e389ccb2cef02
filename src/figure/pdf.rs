//! Scene to PDF: text stays text in embedded subsets of its fonts, cells stay rectangles or one image.

use krilla::SerializeSettings;
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt as _, SvgSettings};
use resvg::usvg::Tree;

use super::fonts::FontDb;
use super::png::RenderError;
use super::scene::Scene;
use super::svg::to_svg;

/// The longest side of a page, in points.
pub const MAX_PAGE: f32 = 14_400.0;

/// Draws a scene on one page of its size.
///
/// # Errors
/// [`RenderError`] for an empty scene, one larger than a page may be, or a font that cannot be embedded.
pub fn to_pdf(scene: &Scene, fonts: &FontDb) -> Result<Vec<u8>, RenderError> {
    let (width, height) = (scene.width, scene.height);
    if width > MAX_PAGE || height > MAX_PAGE {
        return Err(RenderError::Page { width, height });
    }
    let size = Size::from_wh(width, height).ok_or(RenderError::Empty { width, height })?;
    let page_size =
        PageSettings::from_wh(width, height).ok_or(RenderError::Empty { width, height })?;
    let tree = Tree::from_str(&to_svg(scene), &fonts.options())?;
    let mut document = krilla::Document::new_with(SerializeSettings::default());
    document.set_metadata(
        Metadata::new()
            .title(scene.title.clone())
            .creator("regard".to_owned()),
    );
    let mut page = document.start_page_with(page_size);
    let mut surface = page.surface();
    let drawn = surface.draw_svg(&tree, size, SvgSettings::default());
    surface.finish();
    page.finish();
    drawn.ok_or_else(|| RenderError::Pdf("the page could not be drawn".to_owned()))?;
    document
        .finish()
        .map_err(|error| RenderError::Pdf(format!("{error:?}")))
}
