//! The limits of a session and the check of what a file says.

use super::document::ModelBranches;
use super::session_file::{SessionError, SessionFile};
use super::view::DifferencePair;
use crate::engine::{
    BeamOptions, DecodeSession, Intervention, InterventionError, InterventionKind,
};

/// The largest session file read or written, in bytes.
pub const LARGEST_FILE: u64 = 64 << 20;
/// The longest source or target text, in bytes.
pub const LONGEST_TEXT: usize = 32 << 10;
/// The most models of a session.
pub const MOST_MODELS: usize = 16;
/// The most interventions of a model.
pub const MOST_INTERVENTIONS: usize = 1000;
/// The most branches of a model.
pub const MOST_BRANCHES: usize = 200;
/// The most recorded numbers of a session.
pub const MOST_NUMBERS: usize = 8 << 20;

/// Longest name of a model, in bytes.
const LONGEST_NAME: usize = 256;

/// The text up to [`LONGEST_TEXT`], cut between two letters; says whether anything was cut.
pub fn clip_text(mut text: String) -> (String, bool) {
    if text.len() <= LONGEST_TEXT {
        return (text, false);
    }
    text.truncate(text.floor_char_boundary(LONGEST_TEXT));
    (text, true)
}

/// Checks the numbers of interventions for a source of any length: what does not fit the present sentence is kept,
/// and left out when decoding.
///
/// # Errors
/// The first one that no source could take.
pub fn check_interventions(list: &[Intervention]) -> Result<(), InterventionError> {
    list.iter().try_for_each(|intervention| {
        intervention.check(match &intervention.kind {
            InterventionKind::SetWeights(row) => row.len(),
            _ => usize::MAX,
        })
    })
}

/// Everything that a well-formed file can still get wrong.
pub(super) fn check(session: &SessionFile) -> Result<(), SessionError> {
    let invalid = |what: String| Err(SessionError::Invalid(what));
    let document = &session.document;
    if let Some(problem) = long_text(session) {
        return invalid(problem);
    }
    let counts = [
        ("models", document.models.len()),
        ("recorded runs", session.captured.len()),
        ("lists of interventions", document.interventions.len()),
        ("lists of branches", document.branches.len()),
    ];
    for (name, count) in counts {
        if count > MOST_MODELS {
            return invalid(format!("{count} {name}; at most {MOST_MODELS} are read"));
        }
    }
    for (i, model) in document.models.iter().enumerate() {
        if model.name.is_empty() || model.name.len() > LONGEST_NAME {
            return invalid(format!(
                "model {} has a name of {} bytes; expected 1 to {LONGEST_NAME}",
                i + 1,
                model.name.len()
            ));
        }
        if document.place_of(&model.name) != Some(i) {
            return invalid(format!("model \"{}\" is chosen twice", model.name));
        }
    }
    for entry in &document.interventions {
        if entry.list.len() > MOST_INTERVENTIONS {
            return invalid(format!(
                "{} interventions of \"{}\"; at most {MOST_INTERVENTIONS} are read",
                entry.list.len(),
                entry.model
            ));
        }
    }
    for entry in &document.interventions {
        if let Err(error) = check_interventions(&entry.list) {
            return invalid(format!("interventions of \"{}\": {error}", entry.model));
        }
    }
    if !(1..=BeamOptions::LARGEST_SIZE).contains(&session.view.beam_size) {
        return invalid(format!(
            "a beam of {}; expected 1 to {}",
            session.view.beam_size,
            BeamOptions::LARGEST_SIZE
        ));
    }
    if session.view.link_percent > 100 {
        return invalid(format!(
            "links from {} percent; expected 0 to 100",
            session.view.link_percent
        ));
    }
    if let Some(problem) = document.branches.iter().find_map(branch_problem) {
        return invalid(problem);
    }
    if let Err(error) = document.policy.check() {
        return invalid(error.to_string());
    }
    check_runs(session)
}

/// What is wrong with the first text that is longer than texts of its kind are.
fn long_text(session: &SessionFile) -> Option<String> {
    let document = &session.document;
    let mut texts = vec![
        ("source", Some(&document.source)),
        ("target", document.target.as_ref()),
        ("compared source", document.compared.as_ref()),
    ];
    let mut names = Vec::new();
    names.extend(document.models.iter().map(|model| &model.sha256));
    names.extend(document.interventions.iter().map(|entry| &entry.model));
    names.extend(document.branches.iter().map(|entry| &entry.model));
    if let Some(DifferencePair { left, right }) = &session.view.difference {
        names.extend([left, right]);
    }
    for run in &session.captured {
        names.extend([&run.model.name, &run.model.sha256]);
        texts.push(("source of a recorded run", Some(&run.conditions.source)));
        texts.push(("target of a recorded run", run.conditions.target.as_ref()));
    }
    let lengths = texts
        .into_iter()
        .map(|(name, text)| (name, text.map_or(0, String::len), LONGEST_TEXT));
    let names = names
        .into_iter()
        .map(|name| ("name or hash of a model", name.len(), LONGEST_NAME));
    let runs = &session.captured;
    let choices = runs
        .iter()
        .flat_map(|run| &run.conditions.choices)
        .map(|choice| ("choice of a recorded run", choice.token.len(), LONGEST_NAME));
    let words = runs
        .iter()
        .flat_map(|run| run.source.iter().chain(run.target.iter()))
        .map(|word| ("word of a recorded run", word.len(), LONGEST_TEXT));
    lengths
        .chain(names)
        .chain(choices)
        .chain(words)
        .find(|(_, length, most)| length > most)
        .map(|(name, length, most)| {
            format!("the {name} has {length} bytes; at most {most} are read")
        })
}

/// What is wrong with the branches of a model.
fn branch_problem(entry: &ModelBranches) -> Option<String> {
    let ModelBranches {
        model,
        list,
        current,
    } = entry;
    if list.len() > MOST_BRANCHES {
        let found = list.len();
        return Some(format!(
            "{found} branches of \"{model}\"; at most {MOST_BRANCHES} are read"
        ));
    }
    if current.is_some_and(|current| current >= list.len()) {
        let found = list.len();
        return Some(format!(
            "the current branch of \"{model}\" is not among its {found} branches"
        ));
    }
    list.iter().enumerate().find_map(|(i, branch)| {
        let choices = &branch.choices;
        let ascending = choices.is_sorted_by(|a, b| a.position < b.position);
        let short = |text: &String| text.len() <= LONGEST_NAME;
        let fits = !choices.is_empty()
            && choices.len() <= DecodeSession::LARGEST_STEP_LIMIT
            && ascending
            && short(&branch.name)
            && choices.iter().all(|choice| short(&choice.token));
        (!fits).then(|| {
            format!(
                "branch {} of \"{model}\": expected tokens at ascending positions, no text over {LONGEST_NAME} bytes",
                i + 1
            )
        })
    })
}

fn check_runs(session: &SessionFile) -> Result<(), SessionError> {
    let mut numbers = 0_usize;
    for run in &session.captured {
        if let Some((list, found, expected)) = run.misfit() {
            return Err(SessionError::Invalid(format!(
                "recorded run of \"{}\": {list} has {found} entries; expected {expected}",
                run.model.name
            )));
        }
        numbers += run.numbers();
    }
    if numbers > MOST_NUMBERS {
        return Err(SessionError::Invalid(format!(
            "{numbers} recorded numbers; at most {MOST_NUMBERS} are read"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_letters() {
        assert_eq!(clip_text("été".to_owned()), ("été".to_owned(), false));
        let (cut, was_cut) = clip_text("é".repeat(LONGEST_TEXT));
        assert!(was_cut && cut.len() == LONGEST_TEXT);
        let (cut, was_cut) = clip_text(format!("a{}", "é".repeat(LONGEST_TEXT)));
        assert!(was_cut && cut.len() == LONGEST_TEXT - 1);
    }
}
