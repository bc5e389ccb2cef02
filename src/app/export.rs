//! Pictures and copies of what is on the screen.

use super::command::ExportCommand;
use super::effect::{Effect, PickPurpose};
use super::figure_request::shell_line;
use super::notice::{Level, NoticeDraft, Origin};
use super::pane::Pane;
use super::selection::Item;
use super::state::AppState;
use crate::figure::FigureFormat;

impl AppState {
    pub(super) fn apply_export(&mut self, command: ExportCommand) -> Vec<Effect> {
        let text = match command {
            ExportCommand::Figure(format) => {
                let name = self.figure_name(format);
                let folder = self.preferences.export.folder.clone();
                return vec![Effect::PickFile {
                    purpose: PickPurpose::SaveFigure {
                        format,
                        request: Box::new(self.figure_request()),
                    },
                    suggested: Some(folder.unwrap_or_default().join(name)),
                }];
            }
            ExportCommand::FigureTo { format, path } => {
                let request = Box::new(self.figure_request());
                return self.export(path, format, request);
            }
            ExportCommand::CopyImage => {
                return vec![Effect::CopyImage(Box::new(self.figure_request()))];
            }
            ExportCommand::Copied => {
                let draft = NoticeDraft::new(Level::Done, Origin::Export, "Copied the picture");
                self.notices.add(draft);
                None
            }
            ExportCommand::Failed { problem } => {
                let text = format!("The picture was not made: {problem}");
                self.notices
                    .add(NoticeDraft::new(Level::Error, Origin::Export, text));
                None
            }
            ExportCommand::CopyValues { model } => self.pane(&model).and_then(values),
            ExportCommand::CopyTranslation { model } => {
                self.pane(&model).map(|pane| pane.translation().to_owned())
            }
            ExportCommand::CopySelection => self.selected_text(),
            ExportCommand::CopyCommandLine => {
                let mut argv = self.figure_request().to_argv();
                argv.extend(["-o".to_owned(), self.figure_name(FigureFormat::Pdf)]);
                Some(shell_line(&argv))
            }
        };
        text.filter(|text| !text.is_empty())
            .map(Effect::CopyText)
            .into_iter()
            .collect()
    }

    /// What is selected, as text: a cell's number, a row or column with its labels; the focused pane's whole
    /// matrix, or its sentence where it has none, if nothing is selected.
    fn selected_text(&self) -> Option<String> {
        let item = self.selection.shown();
        let named = item.and_then(Item::pane).and_then(|name| self.pane(name));
        let pane = named.or_else(|| self.focused_pane())?;
        let Some(matrix) = &pane.data().matrix else {
            return Some(pane.translation().to_owned());
        };
        let cell = |row: usize, column: usize| matrix.values().get((row, column)).copied();
        let lines = |pairs: Vec<(&String, f32)>| {
            let lines: Vec<String> = pairs.iter().map(|(l, v)| format!("{l}\t{v}")).collect();
            lines.join("\n")
        };
        match item.map(|item| (item.row(), item.column())) {
            None | Some((None, None)) => values(pane),
            Some((Some(row), Some(column))) => cell(row, column).map(|value| value.to_string()),
            Some((Some(row), None)) => {
                let labels = matrix.columns().iter().enumerate();
                Some(lines(
                    labels
                        .filter_map(|(j, l)| Some((l, cell(row, j)?)))
                        .collect(),
                ))
            }
            Some((None, Some(column))) => {
                let labels = matrix.rows().iter().enumerate().take(pane.taken());
                Some(lines(
                    labels
                        .filter_map(|(t, l)| Some((l, cell(t, column)?)))
                        .collect(),
                ))
            }
        }
    }
}

/// The taken rows as tab-separated lines, with the tokens as labels.
fn values(pane: &Pane) -> Option<String> {
    let matrix = pane.data().matrix.as_ref()?;
    let mut lines = vec![format!("\t{}", matrix.columns().join("\t"))];
    for (label, row) in matrix
        .rows()
        .iter()
        .zip(matrix.values().rows())
        .take(pane.taken())
    {
        let numbers: Vec<String> = row.iter().map(ToString::to_string).collect();
        lines.push(format!("{label}\t{}", numbers.join("\t")));
    }
    Some(lines.join("\n"))
}
