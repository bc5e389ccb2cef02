//! What a figure shows, as data, and the command line that draws the same one.

use serde::{Deserialize, Serialize};

use super::effect::FigureFormat;
use super::state::AppState;
use crate::engine::DecodePolicy;
use crate::project::{Colormap, DifferencePair, FigureTheme, ModelInterventions, Scaling};

/// A figure. Rows are the first `steps` target tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FigureRequest {
    /// The source sentence.
    pub source: String,
    /// The forced target.
    pub target: Option<String>,
    /// How tokens are chosen.
    pub policy: DecodePolicy,
    /// Changes of the attention, of the models shown.
    pub interventions: Vec<ModelInterventions>,
    /// One pane for each of these models, in order.
    pub models: Vec<String>,
    /// How many steps are taken.
    pub steps: usize,
    /// The difference pane.
    pub difference: Option<DifferencePair>,
    /// The curves below the panes.
    pub curves: bool,
    /// Numbers in the cells, where they fit.
    pub values: bool,
    /// The colours of weights.
    pub colormap: Colormap,
    /// How weights are scaled.
    pub scaling: Scaling,
    /// One colour scale for all panes.
    pub shared_scale: bool,
    /// The colours of everything else.
    pub theme: FigureTheme,
    /// Pixels a point.
    pub scale: u8,
}

impl AppState {
    /// The figure of what is on the screen: the panes as shown, in the form of the last export.
    pub fn figure_request(&self) -> FigureRequest {
        let models: Vec<String> = self
            .visible_panes()
            .map(|pane| pane.name().to_owned())
            .collect();
        let interventions = self.document.interventions.iter();
        let is_alone = self.selection.solo().is_some();
        FigureRequest {
            source: self.document.source.clone(),
            target: self.document.target.clone(),
            policy: self.document.policy,
            interventions: interventions
                .filter(|entry| models.contains(&entry.model))
                .cloned()
                .collect(),
            models,
            steps: self.position,
            difference: self.view.difference.clone().filter(|_| !is_alone),
            curves: self.preferences.export.curves,
            values: self.view.show_values,
            colormap: self.view.colormap,
            scaling: self.view.scaling,
            shared_scale: self.view.shared_scale,
            theme: self.preferences.export.theme,
            scale: self.preferences.export.scale,
        }
    }

    /// A file name for the figure, from the first words of the sentence.
    pub(super) fn figure_name(&self, format: FigureFormat) -> String {
        format!("{}.{}", self.short_name(), format.ending())
    }
}

impl FigureRequest {
    /// The command line that draws this figure, without the file to write. Settings that have their default are
    /// left out. Values stand behind `=`, so that a sentence may begin with a dash.
    pub fn to_argv(&self) -> Vec<String> {
        let mut argv = vec!["regard".to_owned(), "figure".to_owned()];
        let mut add = |name: &str, value: &str| argv.push(format!("--{name}={value}"));
        add("source", &self.source);
        for model in &self.models {
            add("model", model);
        }
        add("steps", &self.steps.to_string());
        if let Some(target) = &self.target {
            add("target", target);
        }
        if let DecodePolicy::Sample { temperature, seed } = self.policy {
            add("temperature", &temperature.to_string());
            add("seed", &seed.to_string());
        }
        for entry in &self.interventions {
            // Plain numbers and names: there is nothing that JSON could not write.
            let list = serde_json::to_string(&entry.list).unwrap_or_default();
            add("interventions", &format!("{}:{list}", entry.model));
        }
        if let Some(pair) = &self.difference {
            add("difference-left", &pair.left);
            add("difference-right", &pair.right);
        }
        if self.colormap != Colormap::default() {
            add("colormap", self.colormap.name());
        }
        if self.scaling != Scaling::default() {
            add("scaling", self.scaling.name());
        }
        if self.theme != FigureTheme::default() {
            add("theme", self.theme.name());
        }
        add("scale", &self.scale.to_string());
        let flags = [
            (self.curves, "--curves"),
            (!self.values, "--no-values"),
            (!self.shared_scale, "--own-scales"),
        ];
        let set = flags.iter().filter(|(is_set, _)| *is_set);
        argv.extend(set.map(|(_, flag)| (*flag).to_owned()));
        argv
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

    fn plain() -> FigureRequest {
        FigureRequest {
            source: "l'eau dort".to_owned(),
            target: None,
            policy: DecodePolicy::Greedy,
            interventions: Vec::new(),
            models: vec!["additive".to_owned(), "dot".to_owned()],
            steps: 3,
            difference: None,
            curves: false,
            values: true,
            colormap: Colormap::Viridis,
            scaling: Scaling::Linear,
            shared_scale: true,
            theme: FigureTheme::Light,
            scale: 2,
        }
    }

    #[test]
    fn defaults_are_left_out() {
        assert_eq!(
            shell_line(&plain().to_argv()),
            r"regard figure '--source=l'\''eau dort' --model=additive --model=dot --steps=3 --scale=2"
        );
    }

    #[test]
    fn everything_else_is_said() {
        let request = FigureRequest {
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
            difference: Some(DifferencePair {
                left: "additive".to_owned(),
                right: "dot".to_owned(),
            }),
            curves: true,
            values: false,
            colormap: Colormap::Grey,
            scaling: Scaling::RowMax,
            shared_scale: false,
            theme: FigureTheme::Dark,
            ..plain()
        };
        assert_eq!(
            request.to_argv()[6..],
            [
                "--target=-the",
                "--temperature=0.5",
                "--seed=7",
                r#"--interventions=dot:[{"scope":"all","kind":{"mask_source":1},"enabled":true}]"#,
                "--difference-left=additive",
                "--difference-right=dot",
                "--colormap=grey",
                "--scaling=row_max",
                "--theme=dark",
                "--scale=2",
                "--curves",
                "--no-values",
                "--own-scales",
            ]
        );
        let json = serde_json::to_string(&request).unwrap();
        assert_eq!(
            serde_json::from_str::<FigureRequest>(&json).unwrap(),
            request
        );
    }
}
