//! What figures are made of: sentences or a session, and the models that read them.

use std::path::Path;

use super::{Arguments, session, usage};
use crate::app::{FigureProblem, FigureRequest, FigureRuns, ModelSet};
use crate::cli::{input, models};
use crate::engine::ScoreKind;
use crate::project::{ModelRef, SESSION_ENDING, SessionFile, fingerprint, is_session};
use crate::shipped;

/// The model where none is named.
const USUAL: ScoreKind = ScoreKind::Additive;

/// One figure to draw.
pub(super) struct Source {
    /// Its number, from 1: of the argument or of the line.
    pub(super) number: usize,
    /// What is drawn.
    pub(super) request: FigureRequest,
}

/// All figures to draw, and their models.
pub(super) struct Sources {
    /// In order.
    pub(super) all: Vec<Source>,
    models: ModelSet,
    session: Option<SessionFile>,
}

impl Sources {
    /// Reads arguments and files, and opens the models.
    pub(super) fn read(arguments: &Arguments) -> anyhow::Result<Self> {
        if let [path] = &arguments.inputs[..]
            && Path::new(path)
                .extension()
                .is_some_and(|ending| ending == "ron")
        {
            return Self::of_session(arguments, Path::new(path));
        }
        if let Some(path) = arguments
            .inputs
            .iter()
            .find(|input| is_session(Path::new(input)))
        {
            return usage(format!(
                "{path} is a session: draw it alone (*.{SESSION_ENDING})"
            ));
        }
        let mut all = Vec::new();
        for (number, sentence) in sentences(arguments)? {
            let base = FigureRequest {
                source: sentence,
                models: vec![USUAL.name().to_owned()],
                ..FigureRequest::default()
            };
            match arguments.over(base) {
                Ok(request) => all.push(Source { number, request }),
                Err(problem) => return usage(problem),
            }
        }
        let Some(first) = all.first() else {
            return usage(
                "there is no sentence: write one in quotation marks, or name a file with --file",
            );
        };
        let models = ModelSet::default();
        for name in &first.request.models {
            // Its hash is not asked for: no record is compared with it.
            models.insert(
                ModelRef::new(name, ""),
                models::open_named(Path::new(name))?,
            );
        }
        Ok(Self {
            all,
            models,
            session: None,
        })
    }

    fn of_session(arguments: &Arguments, path: &Path) -> anyhow::Result<Self> {
        let session = session(path)?;
        let request = match arguments.over(FigureRequest::of_session(&session)) {
            Ok(request) => request,
            Err(problem) => return usage(problem),
        };
        let models = ModelSet::default();
        for name in &request.models {
            let recorded = session.document.place_of(name).is_some();
            let score = ScoreKind::from_name(name);
            let is_there = score.is_some_and(|score| shipped::model(score).is_ok());
            // The session's own models may be gone: then their records are drawn.
            if recorded && !is_there && !Path::new(name).is_file() {
                continue;
            }
            let model = models::open_named(Path::new(name))?;
            models.insert(ModelRef::new(name, fingerprint(&model)), model);
        }
        Ok(Self {
            all: vec![Source { number: 1, request }],
            models,
            session: Some(session),
        })
    }

    /// Decodes what a figure shows.
    pub(super) fn runs(&self, source: &Source) -> Result<FigureRuns, FigureProblem> {
        let (chosen, records) = match &self.session {
            Some(session) => (&session.document.models[..], &session.captured[..]),
            None => (&[][..], &[][..]),
        };
        FigureRuns::decode(&source.request, &self.models, chosen, records)
    }
}

/// Sentences with their numbers; blank lines of a file are passed over.
fn sentences(arguments: &Arguments) -> anyhow::Result<Vec<(usize, String)>> {
    let Some(file) = &arguments.file else {
        let given = arguments.inputs.iter().chain(&arguments.source).cloned();
        return Ok((1..).zip(given).collect());
    };
    let path = Some(file.as_path()).filter(|path| !super::is_standard(path));
    let mut found = Vec::new();
    let mut number = 0;
    input::sentences(path, |line| {
        number += 1;
        let line = line.map_err(anyhow::Error::msg)?;
        if !line.trim().is_empty() {
            found.push((number, line.to_owned()));
        }
        Ok(())
    })?;
    Ok(found)
}
