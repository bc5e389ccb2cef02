//! Messages: what happened and what to do. They can be dismissed and read again.

use serde::{Deserialize, Serialize};

use super::command::{Command, NoticeCommand};
use super::effect::Effect;
use super::state::AppState;

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// A result, such as a file that was written.
    Done,
    /// Worth knowing.
    Info,
    /// Something is not as expected; work goes on.
    Warning,
    /// Something that was asked for was not done.
    Error,
}

/// Where a message comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The source sentence.
    Source,
    /// Decoding.
    Decode,
    /// Models.
    Models,
    /// Files.
    File,
    /// Pictures and copies.
    Export,
    /// The window and its services.
    Window,
}

/// Something that a message offers to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoticeAction {
    /// The text of the button.
    pub label: String,
    /// What it does.
    pub command: Box<Command>,
}

/// A message before it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoticeDraft {
    /// How much it matters.
    pub level: Level,
    /// Where it comes from.
    pub origin: Origin,
    /// What happened.
    pub text: String,
    /// What to do, where there is something to do.
    pub advice: Option<String>,
    /// A button.
    pub action: Option<NoticeAction>,
}

impl NoticeDraft {
    /// A message without advice.
    pub fn new(level: Level, origin: Origin, text: impl Into<String>) -> Self {
        Self {
            level,
            origin,
            text: text.into(),
            advice: None,
            action: None,
        }
    }

    /// With what to do.
    #[must_use]
    pub fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// With a button.
    #[must_use]
    pub fn action(mut self, label: impl Into<String>, command: Command) -> Self {
        self.action = Some(NoticeAction {
            label: label.into(),
            command: Box::new(command),
        });
        self
    }
}

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// Names it; never given twice.
    pub id: u64,
    /// What it says.
    pub draft: NoticeDraft,
    /// How often it came in a row.
    pub count: u32,
    /// Whether it was taken off the screen.
    pub dismissed: bool,
}

/// All messages, the oldest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Notices {
    list: Vec<Notice>,
    next: u64,
}

impl Notices {
    /// How many are kept.
    pub const MOST: usize = 200;

    /// Those on the screen, the oldest first.
    pub fn open(&self) -> impl Iterator<Item = &Notice> {
        self.list.iter().filter(|notice| !notice.dismissed)
    }

    /// All that are kept, the oldest first.
    pub fn history(&self) -> &[Notice] {
        &self.list
    }

    /// Shows a message. The same one as the last is counted and not listed again.
    pub fn add(&mut self, draft: NoticeDraft) {
        if let Some(last) = self.list.last_mut().filter(|last| last.draft == draft) {
            last.count = last.count.saturating_add(1);
            last.dismissed = false;
            return;
        }
        self.list.push(Notice {
            id: self.next,
            draft,
            count: 1,
            dismissed: false,
        });
        self.next += 1;
        let surplus = self.list.len().saturating_sub(Self::MOST);
        self.list.drain(..surplus);
    }

    fn dismiss(&mut self, id: u64) {
        for notice in self.list.iter_mut().filter(|notice| notice.id == id) {
            notice.dismissed = true;
        }
    }
}

impl AppState {
    pub(super) fn apply_notice(&mut self, command: NoticeCommand) -> Vec<Effect> {
        match command {
            NoticeCommand::Add(draft) => self.notices.add(draft),
            NoticeCommand::Dismiss(id) => self.notices.dismiss(id),
            NoticeCommand::DismissAll => {
                for notice in &mut self.notices.list {
                    notice.dismissed = true;
                }
            }
            NoticeCommand::ClearHistory => self.notices.list.clear(),
            NoticeCommand::Follow(id) => {
                let found = self.notices.list.iter().find(|notice| notice.id == id);
                let action = found.and_then(|notice| notice.draft.action.clone());
                self.notices.dismiss(id);
                // A message cannot offer to follow a message: that could go round in circles.
                if let Some(action) = action
                    && !matches!(*action.command, Command::Notice(_))
                {
                    return self.apply(*action.command);
                }
            }
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(text: &str) -> NoticeDraft {
        NoticeDraft::new(Level::Info, Origin::File, text)
    }

    #[test]
    fn repeated_messages_are_counted() {
        let mut notices = Notices::default();
        notices.add(draft("a"));
        notices.dismiss(0);
        notices.add(draft("a"));
        notices.add(draft("b"));
        let open: Vec<_> = notices
            .open()
            .map(|n| (n.draft.text.as_str(), n.count))
            .collect();
        assert_eq!(open, [("a", 2), ("b", 1)]);
    }

    #[test]
    fn dismissed_messages_stay_readable_and_old_ones_go() {
        let mut notices = Notices::default();
        for i in 0..300 {
            notices.add(draft(&i.to_string()));
        }
        notices.dismiss(299);
        assert_eq!(notices.open().count(), Notices::MOST - 1);
        assert_eq!(notices.history().len(), Notices::MOST);
        assert_eq!(notices.history()[0].draft.text, "100");
    }
}
