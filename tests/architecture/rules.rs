//! The floor table and the rules over sources, the manifest and `ARCHITECTURE.md`.

use crate::paths::{FoundPath, find_paths};

/// One row of the floor table: a module may import from lower floors and from the siblings named here.
struct Module {
    name: &'static str,
    floor: u8,
    siblings: &'static [&'static str],
}

const fn module(name: &'static str, floor: u8) -> Module {
    Module {
        name,
        floor,
        siblings: &[],
    }
}

/// The floor table. `main` stands for `main.rs` and `lib.rs`, which see everything.
const MODULES: [Module; 17] = [
    module("numeric", 0),
    module("storage", 0),
    module("text", 1),
    Module {
        name: "alignment",
        floor: 1,
        siblings: &["text"],
    },
    module("engine", 2),
    module("synthetic", 2),
    module("metrics", 2),
    module("figure", 2),
    module("training", 3),
    module("attribution", 3),
    module("formats", 3),
    module("shipped", 3),
    module("project", 4),
    module("app", 5),
    module("gui", 6),
    module("cli", 6),
    module("main", 7),
];

/// Crates that know windows and widgets; all crates named `egui_…` belong to them.
const WINDOW_CRATES: [&str; 3] = ["egui", "eframe", "rfd"];
/// Crates of the command line: the library reports typed errors and draws no progress bars.
const COMMAND_LINE_CRATES: [&str; 3] = ["anyhow", "clap", "indicatif"];
/// What the application state reaches through its services only.
const OUTSIDE_OF_APP: [&str; 4] = ["fs", "thread", "time", "*"];
/// Files should stay below 400 lines; the rest is room for a last change before a file is split.
pub(crate) const LINE_LIMIT: usize = 450;

// The rules for sources

/// `src/text/vocabulary.rs` is `["text", "vocabulary"]`; the roots `main.rs` and `lib.rs` are `[]`.
fn module_path(file: &str) -> Vec<String> {
    let inner = file.trim_start_matches("src/").trim_end_matches(".rs");
    let parts = inner
        .split('/')
        .filter(|part| !matches!(*part, "mod" | "main" | "lib"));
    parts.map(str::to_owned).collect()
}

fn find_module(name: &str) -> Option<&'static Module> {
    MODULES.iter().find(|module| module.name == name)
}

/// What is wrong with a path that stands in a module.
fn violation(module: &Module, path: &FoundPath) -> Option<String> {
    let name = module.name;
    if name == "main" {
        return None;
    }
    if let Some(absolute) = path.in_this_crate() {
        let target = absolute.first().map_or("crate", String::as_str);
        let Some(imported) = find_module(target) else {
            return Some(format!(
                "`{name}` names `{target}` of the crate's root, which is no module of the floor table"
            ));
        };
        let allowed =
            target == name || imported.floor < module.floor || module.siblings.contains(&target);
        return (!allowed).then(|| {
            format!(
                "`{name}` (floor {}) must not import `{target}` (floor {})",
                module.floor, imported.floor
            )
        });
    }
    let (krate, item) = (
        path.segments[0].as_str(),
        path.segments.get(1).map_or("", String::as_str),
    );
    if (WINDOW_CRATES.contains(&krate) || krate.starts_with("egui_")) && name != "gui" {
        return Some(format!("`{krate}` belongs to `gui`, not to `{name}`"));
    }
    if COMMAND_LINE_CRATES.contains(&krate) && name != "cli" {
        return Some(format!("`{krate}` belongs to `cli`, not to `{name}`"));
    }
    (name == "app" && krate == "std" && OUTSIDE_OF_APP.contains(&item))
        .then(|| format!("`app` reaches `std::{item}` through its services only"))
}

/// All violations in one file, each with its place.
pub(crate) fn violations(file: &str, source: &str) -> Vec<String> {
    let path = module_path(file);
    let name = path.first().map_or("main", String::as_str);
    let Some(module) = find_module(name) else {
        return vec![format!(
            "{file}: `{name}` has no floor: add it to ARCHITECTURE.md and to this test"
        )];
    };
    let found = find_paths(source, &path);
    let wrong = found
        .iter()
        .filter_map(|path| Some((path.line, violation(module, path)?)));
    wrong
        .map(|(line, message)| format!("{file}:{line}: {message}"))
        .collect()
}

/// A file over the limit.
pub(crate) fn too_long(file: &str, source: &str) -> Option<String> {
    let lines = source.lines().count();
    (lines > LINE_LIMIT)
        .then(|| format!("{file}: {lines} lines, more than {LINE_LIMIT}: split it by topic"))
}

// The rules for the manifest and the document

/// The names of all direct dependencies in a manifest, of every kind.
pub(crate) fn dependencies(manifest: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_dependencies = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.split(']').next().unwrap_or_default();
            let last = section.rsplit('.').next().unwrap_or_default();
            in_dependencies = last.ends_with("dependencies");
            // `[dependencies.name]`, one dependency as a section.
            if !in_dependencies && section.contains("dependencies.") {
                found.push(last.to_owned());
            }
        } else if in_dependencies && !line.is_empty() && !line.starts_with('#') {
            let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
            found.push(name.trim_matches('"').to_owned());
        }
    }
    found
}

/// The cells of the document's table rows, without the outer bars.
fn table_rows(document: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = document
        .lines()
        .filter_map(|line| line.trim().strip_prefix('|')?.strip_suffix('|'));
    rows.map(|row| row.split('|').map(str::trim).collect())
}

/// Dependencies that no table row explains: the name in backticks in the first cell, a reason in the last.
pub(crate) fn unexplained_dependencies(manifest: &str, document: &str) -> Vec<String> {
    let explained = |name: &String| {
        table_rows(document).any(|cells| {
            cells.len() > 1
                && cells[0].contains(&format!("`{name}`"))
                && cells.last().is_some_and(|cell| !cell.is_empty())
        })
    };
    dependencies(manifest)
        .into_iter()
        .filter(|name| !explained(name))
        .collect()
}

/// Modules whose floor in the document's table is missing or another than in this test.
pub(crate) fn misplaced_modules(document: &str) -> Vec<&'static str> {
    let is_placed = |module: &&Module| {
        let (floor, name) = (module.floor.to_string(), format!("`{}`", module.name));
        table_rows(document)
            .any(|cells| cells.len() > 1 && cells[0] == floor && cells[1].starts_with(&name))
    };
    MODULES
        .iter()
        .filter(|module| !is_placed(module))
        .map(|module| module.name)
        .collect()
}
