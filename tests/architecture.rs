//! Enforces what `ARCHITECTURE.md` promises: the floors of the modules, the third-party crates that are kept
//! to one place, the explained dependencies and the length of files.
//!
//! Made-up sources and manifests at the end show that each rule can fail. What clippy checks (`unwrap`, long
//! functions, missing documentation) is left to clippy.

use std::fs;
use std::path::{Path, PathBuf};

use rules::{
    LINE_LIMIT, dependencies, misplaced_modules, too_long, unexplained_dependencies, violations,
};

#[path = "architecture/paths.rs"]
mod paths;
#[path = "architecture/rules.rs"]
mod rules;

// The checks of this package

fn read(file: impl AsRef<Path>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All Rust files below `src`, as `src/…` with forward slashes, and their contents.
fn sources() -> Vec<(String, String)> {
    let mut folders = vec![PathBuf::from("src")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let listing = Path::new(env!("CARGO_MANIFEST_DIR")).join(&folder);
        for entry in fs::read_dir(listing).expect("src can be listed") {
            let entry = entry.expect("src can be listed");
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.to_string_lossy().replace('\\', "/");
                found.push((name, read(&path)));
            }
        }
    }
    found
}

#[test]
fn modules_import_only_from_lower_floors() {
    let sources = sources();
    assert!(
        sources.iter().any(|(file, _)| file == "src/lib.rs"),
        "src was not found"
    );
    let wrong: Vec<String> = sources
        .iter()
        .flat_map(|(file, source)| violations(file, source))
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn source_files_stay_short() {
    let wrong: Vec<String> = sources()
        .iter()
        .filter_map(|(file, source)| too_long(file, source))
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn the_document_explains_every_dependency() {
    let missing = unexplained_dependencies(&read("Cargo.toml"), &read("ARCHITECTURE.md"));
    assert!(
        missing.is_empty(),
        "no reason in the dependency table of ARCHITECTURE.md: {missing:?}"
    );
}

#[test]
fn the_document_shows_the_floors_of_this_test() {
    let missing = misplaced_modules(&read("ARCHITECTURE.md"));
    assert!(
        missing.is_empty(),
        "not on the same floor in ARCHITECTURE.md: {missing:?}"
    );
}

// Every rule can fail, and lets pass what it should

#[track_caller]
fn assert_rejected(file: &str, source: &str, line: usize, reason: &str) {
    let wrong = violations(file, source);
    let place = format!("{file}:{line}: ");
    assert!(
        wrong.len() == 1 && wrong[0].starts_with(&place) && wrong[0].contains(reason),
        "{wrong:?}"
    );
}

#[track_caller]
fn assert_accepted(file: &str, source: &str) {
    assert_eq!(violations(file, source), Vec::<String>::new());
}

#[test]
fn an_upward_import_is_found() {
    assert_rejected(
        "src/numeric/mod.rs",
        "use std::fmt;\nuse crate::engine::Linear;",
        2,
        "import `engine` (floor 2)",
    );
    assert_rejected(
        "src/text/vocabulary.rs",
        "fn f() { let x = crate::training::LIMIT; }",
        1,
        "`training`",
    );
    assert_rejected(
        "src/engine/gru.rs",
        "use crate::{numeric::softmax, training};",
        1,
        "`training`",
    );
    assert_rejected(
        "src/engine/gru.rs",
        "use crate::{\n text::{Token, self as t},\n cli::{run as r},\n};",
        3,
        "`cli`",
    );
    assert_rejected(
        "src/metrics/mod.rs",
        "pub use regard::app::State;",
        1,
        "`app`",
    );
    assert_rejected(
        "src/metrics/mod.rs",
        "fn f(x: Vec<crate::formats::Csv>) {}",
        1,
        "`formats`",
    );
    assert_rejected(
        "src/text/mod.rs",
        "#[cfg(test)]\nmod tests {\n use crate::engine::X;\n}",
        3,
        "`engine`",
    );
    assert_rejected(
        "src/text/mod.rs",
        "macro_rules! m { () => { $crate::engine::f() } }",
        1,
        "`engine`",
    );
}

#[test]
fn a_sideways_import_is_found_unless_the_table_has_it() {
    assert_accepted("src/alignment/links.rs", "use crate::text::Token;");
    assert_rejected(
        "src/text/mod.rs",
        "use crate::alignment::Links;",
        1,
        "`alignment` (floor 1)",
    );
    assert_rejected("src/metrics/aer.rs", "use crate::engine::X;", 1, "`engine`");
    assert_rejected("src/cli/mod.rs", "use crate::gui::Window;", 1, "`gui`");
    assert_rejected("src/gui/mod.rs", "use crate::cli::run;", 1, "`cli`");
}

#[test]
fn a_way_around_through_super_or_a_glob_is_found() {
    assert_rejected(
        "src/numeric/mod.rs",
        "use super::engine::Linear;",
        1,
        "`engine`",
    );
    assert_rejected(
        "src/numeric/kernels.rs",
        "use super::super::engine::Linear;",
        1,
        "`engine`",
    );
    assert_rejected(
        "src/numeric/mod.rs",
        "mod a {} mod b { use super::super::engine; }",
        1,
        "`engine`",
    );
    assert_rejected(
        "src/numeric/mod.rs",
        "use crate::*;",
        1,
        "no module of the floor table",
    );
    assert_rejected(
        "src/numeric/mod.rs",
        "use crate::{self as root};",
        1,
        "no module of the floor table",
    );
    assert_accepted(
        "src/numeric/kernels.rs",
        "use super::softmax;\nmod tests { use super::*; use super::super::x; }",
    );
}

#[test]
fn crates_kept_to_one_place_are_found_elsewhere() {
    for source in [
        "use egui::Ui;",
        "use ::eframe::App;",
        "fn f(ui: &mut egui::Ui) {}",
        "use {rfd, std::fmt};",
    ] {
        assert_rejected("src/app/mod.rs", source, 1, "belongs to `gui`");
        assert_rejected("src/cli/mod.rs", source, 1, "belongs to `gui`");
        assert_accepted("src/gui/panels/heatmap.rs", source);
        assert_accepted("src/main.rs", source);
    }
    assert_rejected(
        "src/figure/mod.rs",
        "extern crate egui_plot;",
        1,
        "belongs to `gui`",
    );
    assert_rejected(
        "src/text/mod.rs",
        "fn f() -> anyhow::Result<()> {}",
        1,
        "belongs to `cli`",
    );
    assert_accepted(
        "src/cli/mod.rs",
        "use clap::Parser;\nfn f() -> anyhow::Result<()> {}",
    );
}

#[test]
fn input_and_output_in_app_are_found() {
    assert_rejected("src/app/mod.rs", "use std::fs::File;", 1, "`std::fs`");
    assert_rejected(
        "src/app/undo.rs",
        "use std::{fmt, thread, sync::Arc};",
        1,
        "`std::thread`",
    );
    assert_rejected(
        "src/app/undo.rs",
        "fn f() { let now = std::time::Instant::now(); }",
        1,
        "`std::time`",
    );
    assert_accepted("src/app/undo.rs", "use std::{fmt, sync::Arc};");
    assert_accepted("src/training/job.rs", "use std::{thread, time::Instant};");
}

#[test]
fn comments_literals_and_look_alikes_are_no_imports() {
    assert_accepted(
        "src/numeric/mod.rs",
        r##"
//! See [`crate::engine::Linear`] and `egui::Ui`.
/* crate::engine /* nested: use crate::cli; */ use crate::app; */
const A: &str = "use crate::engine; \" crate::cli::run";
const B: &str = r#"a "quoted" crate::engine::X"#;
const C: (char, u8) = ('"', b'\'');
fn f<'a>(x: &'a str) -> impl Iterator<Item = char> + use<'a> { x.chars() }
pub(crate) fn g(my: my::egui::Ui, crate_engine: usize) { self::h::<f32>(crate_engine.max(1)) }
"##,
    );
    assert_rejected(
        "src/numeric/mod.rs",
        "const C: char = '\"';\nuse crate::engine;\n// \"",
        2,
        "`engine`",
    );
}

#[test]
fn unknown_modules_and_long_files_are_found() {
    assert!(violations("src/helpers/mod.rs", "")[0].contains("`helpers` has no floor"));
    assert!(violations("src/helpers.rs", "")[0].contains("`helpers` has no floor"));
    assert_rejected("src/cli/mod.rs", "use crate::helpers::X;", 1, "`helpers`");
    assert_accepted("src/main.rs", "fn main() { regard::cli::run(); }");
    assert!(too_long("src/a.rs", &"\n".repeat(LINE_LIMIT)).is_none());
    assert!(too_long("src/a.rs", &"\n".repeat(LINE_LIMIT + 1)).is_some());
}

#[test]
fn unexplained_dependencies_and_misplaced_modules_are_found() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\n# maths\nndarray = \"0.17\"\nserde.workspace = true\n\
        [dev-dependencies]\napprox = { version = \"1\" }\n[target.'cfg(unix)'.dependencies]\nlibc = \"1\"\n\
        [dependencies.half]\nversion = \"2\"\n[profile.dev]\ndebug = false\n";
    assert_eq!(
        dependencies(manifest),
        ["ndarray", "serde", "approx", "libc", "half"]
    );
    let document = "`half` in a sentence\n| `ndarray` | arrays |\n| `serde`, `approx` | files; tests |\n| `libc` | |\n";
    assert_eq!(
        unexplained_dependencies(manifest, document),
        ["libc", "half"]
    );
    let misplaced = misplaced_modules("| 0 | `numeric` | maths |\n| 3 | `text` | words |\n");
    assert!(
        !misplaced.contains(&"numeric")
            && misplaced.contains(&"text")
            && misplaced.contains(&"cli")
    );
}
