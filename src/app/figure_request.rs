//! What a figure shows, as data, and the command line that draws the same one.

use serde::{Deserialize, Serialize};

use super::shown_figure::options_of;
use crate::engine::DecodePolicy;
use crate::figure::FigureOptions;
use crate::project::{DifferencePair, ModelChoices, ModelInterventions, PaneLayout, SessionFile};

/// The kind of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureKind {
    /// A heatmap for each model.
    #[default]
    Heatmaps,
    /// Lines between source and target tokens, for each model.
    Links,
    /// The hypotheses of a beam search with so many, for each model.
    Beam(usize),
    /// The weights of the step with this number, from 0, as bars.
    Step(usize),
}

/// A figure. Rows are the first `steps` target tokens.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FigureRequest {
    /// The source sentence.
    pub source: String,
    /// The forced target.
    pub target: Option<String>,
    /// How tokens are chosen.
    pub policy: DecodePolicy,
    /// Changes of the attention, of the models shown.
    pub interventions: Vec<ModelInterventions>,
    /// Tokens that a person chose, of the models shown.
    pub choices: Vec<ModelChoices>,
    /// One pane for each of these models, in order.
    pub models: Vec<String>,
    /// How many steps are taken; `None` is all.
    pub steps: Option<usize>,
    /// What is drawn.
    pub kind: FigureKind,
    /// The difference pane.
    pub difference: Option<DifferencePair>,
    /// The curves below the panes.
    pub curves: bool,
    /// What it looks like.
    pub options: FigureOptions,
}

/// Names in one argument: a comma between two, and a backslash before a comma or backslash of a name.
pub fn join_names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let escaped = names
        .into_iter()
        .map(|name| name.replace('\\', r"\\").replace(',', r"\,"));
    escaped.collect::<Vec<_>>().join(",")
}

/// What [`join_names`] joined.
pub fn split_names(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let last = names.len() - 1;
        match c {
            ',' => names.push(String::new()),
            '\\' => names[last].extend(chars.next()),
            c => names[last].push(c),
        }
    }
    names
}

/// Whether a sentence can stand among the arguments as it is.
fn is_plain_sentence(sentence: &str) -> bool {
    let ending = std::path::Path::new(sentence).extension();
    let is_file = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
    !sentence.is_empty() && !sentence.starts_with('-') && !is_file
}

impl FigureRequest {
    /// The figure of a session, as it is shown.
    pub fn of_session(session: &SessionFile) -> Self {
        let (document, view) = (&session.document, &session.view);
        let kind = match view.layout {
            PaneLayout::Heatmap => FigureKind::Heatmaps,
            PaneLayout::Links => FigureKind::Links,
            PaneLayout::Beam => FigureKind::Beam(view.beam_size),
        };
        let difference = view.difference.clone();
        Self {
            source: document.source.clone(),
            target: document.target.clone(),
            policy: document.policy,
            interventions: document.interventions.clone(),
            choices: document.current_choices(),
            models: document.models.iter().map(|m| m.name.clone()).collect(),
            steps: Some(session.step).filter(|steps| *steps > 0),
            kind,
            difference: difference.filter(|_| kind == FigureKind::Heatmaps),
            curves: view.show_curves && !matches!(kind, FigureKind::Beam(_)),
            options: options_of(view, kind),
        }
    }

    /// The command line that draws this figure, without the file to write. Settings that have their default are
    /// left out. Values stand behind `=`, so that they may begin with a dash.
    pub fn to_argv(&self) -> Vec<String> {
        let mut argv = vec!["regard".to_owned(), "figure".to_owned()];
        if is_plain_sentence(&self.source) {
            argv.push(self.source.clone());
        } else {
            argv.push(format!("--source={}", self.source));
        }
        let mut add = |name: &str, value: &str| argv.push(format!("--{name}={value}"));
        if !self.models.is_empty() {
            add(
                "scorers",
                &join_names(self.models.iter().map(String::as_str)),
            );
        }
        if let Some(steps) = self.steps {
            add("steps", &steps.to_string());
        }
        if let Some(target) = &self.target {
            add("target", target);
        }
        if let DecodePolicy::Sample { temperature, seed } = self.policy {
            add("sample", &temperature.to_string());
            add("seed", &seed.to_string());
        }
        for entry in &self.interventions {
            // Plain numbers and names: there is nothing that JSON could not write.
            let list = serde_json::to_string(&entry.list).unwrap_or_default();
            add("interventions", &format!("{}:{list}", entry.model));
        }
        for entry in &self.choices {
            let list = serde_json::to_string(&entry.list).unwrap_or_default();
            add("choices", &format!("{}:{list}", entry.model));
        }
        match self.kind {
            FigureKind::Heatmaps | FigureKind::Links => {}
            FigureKind::Beam(size) => add("beam", &size.to_string()),
            FigureKind::Step(step) => add("step", &(step + 1).to_string()),
        }
        if let Some(pair) = &self.difference {
            add(
                "difference",
                &join_names([pair.left.as_str(), pair.right.as_str()]),
            );
        }
        let options = &self.options;
        add_options(options, &mut add);
        let flags = [
            (self.kind == FigureKind::Links, "--links"),
            (self.curves, "--curves"),
            (!options.values, "--no-values"),
            (!options.shared_scale, "--own-scales"),
            (options.transparent, "--transparent"),
            (options.transposed, "--transposed"),
        ];
        let set = flags.iter().filter(|(is_set, _)| *is_set);
        argv.extend(set.map(|(_, flag)| (*flag).to_owned()));
        argv
    }
}

/// The options that have a value and are not what they usually are.
fn add_options(options: &FigureOptions, add: &mut impl FnMut(&str, &str)) {
    let usual = FigureOptions::default();
    if !options.title.is_empty() {
        add("title", &options.title);
    }
    for (name, length) in [("width", options.width), ("height", options.height)] {
        if let Some(length) = length {
            add(name, &length.to_string());
        }
    }
    if let Some(dpi) = options.dpi {
        add("dpi", &dpi.to_string());
    }
    for (name, number) in [
        ("font-size", options.font_size),
        ("threshold", options.threshold),
    ] {
        if let Some(number) = number {
            add(name, &number.to_string());
        }
    }
    let names = [
        ("colormap", options.colormap.name(), usual.colormap.name()),
        ("scaling", options.scaling.name(), usual.scaling.name()),
        ("theme", options.theme.name(), usual.theme.name()),
        (
            "label-angle",
            options.label_angle.name(),
            usual.label_angle.name(),
        ),
    ];
    for (option, name, usual) in names {
        if name != usual {
            add(option, name);
        }
    }
}

/// Arguments as one line that a POSIX shell reads as these arguments.
pub fn shell_line(argv: &[String]) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%".contains(c);
    let quoted = argv.iter().map(|argument| {
        if !argument.is_empty() && argument.chars().all(is_plain) {
            argument.clone()
        } else {
            format!("'{}'", argument.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Intervention, InterventionKind, Scope};
    use crate::figure::{Colormap, FigureTheme, LabelAngle, Length, Scaling};
    use crate::project::TokenChoice;

    fn plain() -> FigureRequest {
        FigureRequest {
            source: "l'eau dort".to_owned(),
            models: vec!["additive".to_owned(), "dot".to_owned()],
            steps: Some(3),
            ..FigureRequest::default()
        }
    }

    #[test]
    fn defaults_are_left_out() {
        assert_eq!(
            shell_line(&plain().to_argv()),
            r"regard figure 'l'\''eau dort' --scorers=additive,dot --steps=3"
        );
    }

    #[test]
    fn everything_else_is_said() {
        let request = FigureRequest {
            source: "-l'eau".to_owned(),
            target: Some("-the".to_owned()),
            policy: DecodePolicy::Sample {
                temperature: 0.5,
                seed: 7,
            },
            interventions: vec![ModelInterventions {
                model: "dot".to_owned(),
                list: vec![Intervention::new(
                    Scope::All,
                    InterventionKind::MaskSource(1),
                )],
            }],
            choices: vec![ModelChoices {
                model: "dot".to_owned(),
                list: vec![TokenChoice {
                    position: 1,
                    token: "cat".to_owned(),
                }],
            }],
            kind: FigureKind::Links,
            difference: Some(DifferencePair {
                left: "additive".to_owned(),
                right: "a,b".to_owned(),
            }),
            curves: true,
            options: FigureOptions {
                title: "Links".to_owned(),
                width: Some(Length::Mm(85.0)),
                height: None,
                dpi: Some(600),
                font_size: Some(7.5),
                colormap: Colormap::Grey,
                scaling: Scaling::RowMax,
                shared_scale: false,
                values: false,
                threshold: Some(0.1),
                theme: FigureTheme::Dark,
                transparent: true,
                label_angle: LabelAngle::Upright,
                transposed: true,
            },
            ..plain()
        };
        assert_eq!(
            request.to_argv()[2..],
            [
                "--source=-l'eau",
                "--scorers=additive,dot",
                "--steps=3",
                "--target=-the",
                "--sample=0.5",
                "--seed=7",
                r#"--interventions=dot:[{"scope":"all","kind":{"mask_source":1},"enabled":true}]"#,
                r#"--choices=dot:[{"position":1,"token":"cat"}]"#,
                r"--difference=additive,a\,b",
                "--title=Links",
                "--width=85mm",
                "--dpi=600",
                "--font-size=7.5",
                "--threshold=0.1",
                "--colormap=grey",
                "--scaling=row_max",
                "--theme=dark",
                "--label-angle=upright",
                "--links",
                "--curves",
                "--no-values",
                "--own-scales",
                "--transparent",
                "--transposed",
            ]
        );
        let json = serde_json::to_string(&request).unwrap();
        assert_eq!(
            serde_json::from_str::<FigureRequest>(&json).unwrap(),
            request
        );
    }

    #[test]
    fn names_with_commas_stay_whole() {
        let names = ["additive", "a,b", r"c\d,", ""];
        assert_eq!(split_names(&join_names(names)), names);
    }
}
