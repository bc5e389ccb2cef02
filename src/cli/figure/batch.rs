//! Many figures into a folder, on all cores.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::sources::{Source, Sources};
use super::{Arguments, usage};
use crate::cli::values::threads;
use crate::figure::FigureFormat;
use crate::numeric::alone;
use crate::storage::write_atomically;

/// Names in the folder where nothing else is asked for.
const USUAL_NAME: &str = "{number}-{sentence}";

/// The longest part of a name that comes from a sentence, in letters.
const LONGEST: usize = 40;

pub(super) fn run(
    arguments: &Arguments,
    sources: &Sources,
    folder: &Path,
) -> anyhow::Result<ExitCode> {
    let format = arguments.format.unwrap_or(FigureFormat::Png);
    let paths = paths(arguments, sources, folder, format)?;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let bar = ProgressBar::new(paths.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} figures, {eta} left") {
        bar.set_style(style);
    }
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        while let Some(source) = sources.all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let path = &paths[&source.number];
            let say = |message: &str| {
                bar.suspend(|| eprintln!("regard: sentence {}: {message}", source.number))
            };
            // The other cores have figures of their own.
            match alone(|| draw(sources, source, path, format)) {
                Ok(warnings) => warnings.iter().for_each(|warning| say(warning)),
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    say(&crate::cli::message(&error));
                }
            }
            bar.inc(1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads(arguments.threads).min(paths.len()) {
            scope.spawn(work);
        }
        work();
    });
    bar.finish_and_clear();
    Ok(if failed.into_inner() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn draw(
    sources: &Sources,
    source: &Source,
    path: &Path,
    format: FigureFormat,
) -> anyhow::Result<Vec<String>> {
    let file = source.request.file(&sources.runs(source)?, format)?;
    write_atomically(path, &file.bytes)?;
    Ok(file.warnings)
}

/// Where each sentence's file goes, by its number. Two that would be one file are an error before anything is
/// written.
fn paths(
    arguments: &Arguments,
    sources: &Sources,
    folder: &Path,
    format: FigureFormat,
) -> anyhow::Result<HashMap<usize, PathBuf>> {
    let template = arguments.name_template.as_deref().unwrap_or(USUAL_NAME);
    let last = sources.all.last().map_or(1, |source| source.number);
    let digits = last.to_string().len();
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut paths = HashMap::new();
    for source in &sources.all {
        let name = match name(template, source, digits) {
            Ok(name) => format!("{name}.{}", format.ending()),
            Err(problem) => return usage(problem),
        };
        // Some systems do not tell small from capital letters.
        if let Some(other) = names.insert(name.to_lowercase(), source.number) {
            bail!(
                "sentences {other} and {} would both be {name}: add {{number}} to --name-template",
                source.number
            );
        }
        paths.insert(source.number, folder.join(name));
    }
    Ok(paths)
}

/// The template with its fields filled in.
fn name(template: &str, source: &Source, digits: usize) -> Result<String, String> {
    let mut name = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        name.push_str(&rest[..open]);
        let field = &rest[open + 1..];
        let close = field
            .find('}')
            .ok_or_else(|| format!("a brace of the name template {template:?} is not closed"))?;
        match &field[..close] {
            // Writing to a string cannot fail.
            "number" => drop(write!(name, "{:0digits$}", source.number)),
            "sentence" => name.push_str(&slug(&source.request.source)),
            "scorers" => name.push_str(&slug(&source.request.models.join(" "))),
            other => {
                return Err(format!(
                    "the name template has the field {{{other}}}: expected {{number}}, {{sentence}} or {{scorers}}"
                ));
            }
        }
        rest = &field[close + 1..];
    }
    name.push_str(rest);
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\', '\0']) {
        return Err(format!(
            "the name template {template:?} makes no name of a file in the folder"
        ));
    }
    Ok(name)
}

/// Letters and digits of a text, in small letters with dashes between words.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    for word in text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        let longer = slug.chars().count() + word.chars().count() + 1;
        if longer > LONGEST && !slug.is_empty() {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.extend(word.to_lowercase().chars().take(LONGEST));
    }
    if slug.is_empty() {
        "sentence".to_owned()
    } else {
        slug
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::FigureRequest;

    #[test]
    fn names_are_made_from_the_template() {
        let source = Source {
            number: 7,
            request: FigureRequest {
                source: "L’élève dort-il ? ".to_owned() + &"très ".repeat(40),
                models: vec!["additive".to_owned(), "dot".to_owned()],
                ..FigureRequest::default()
            },
        };
        let named = |template: &str| name(template, &source, 3);
        assert_eq!(
            named("{number}-{sentence}").unwrap(),
            "007-l-élève-dort-il-très-très-très-très-très"
        );
        assert_eq!(named("a {scorers}").unwrap(), "a additive-dot");
        for wrong in ["", "{what}", "{number", "a/b", ".hidden", "..{number}"] {
            assert!(named(wrong).is_err(), "{wrong}");
        }
        assert_eq!(slug("?!"), "sentence");
    }
}
