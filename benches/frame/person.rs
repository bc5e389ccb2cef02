//! A person who tries one sentence after another and uses everything that the window offers, always in the same way.

use eframe::egui::{Event, Key, Modifiers, Vec2, accesskit};
use regard::project::PaneLayout;

use super::stage::{Stage, key};

/// Words that all models know.
const WORDS: [&str; 12] = [
    "le", "chat", "noir", "dort", "la", "pomme", "rouge", "un", "chien", "brun", "mange", "une",
];

/// What was done so far.
#[derive(Default)]
pub(crate) struct Person {
    /// Keys, texts and clicks.
    pub(crate) actions: usize,
    /// Steps of the clock, forward.
    pub(crate) steps: usize,
    /// Words chosen instead of the model's.
    pub(crate) choices: usize,
    /// The most that could be undone at the end of a sentence.
    pub(crate) undoable: usize,
    sentences: usize,
}

impl Person {
    /// Another sentence: it is typed, stepped through, changed, looked at in every way, and left.
    pub(crate) fn sentence(&mut self, stage: &mut Stage) {
        let number = self.sentences;
        self.sentences += 1;
        self.write(stage, number);
        self.step(stage, 6);
        for _ in 0..3 {
            self.press(stage, Key::ArrowLeft, Modifiers::COMMAND);
        }
        self.step(stage, 3);
        self.select(stage, number);
        match number % 6 {
            0 => self.choose(stage),
            1 => self.change(stage),
            2 => self.look(stage),
            3 => {
                self.command(stage, "Attribution: gradient × input");
                self.step(stage, 2);
                self.command(stage, "Attribution: off");
            }
            4 => self.beam(stage),
            _ => self.undo(stage),
        }
        self.press(stage, Key::R, Modifiers::NONE);
        self.step(stage, 4);
        self.press(stage, Key::Escape, Modifiers::NONE);
        self.undoable = self.undoable.max(stage.state().undo().len());
    }

    fn press(&mut self, stage: &mut Stage, which: Key, modifiers: Modifiers) {
        self.actions += 1;
        stage.act(key(which, modifiers));
    }

    fn step(&mut self, stage: &mut Stage, count: usize) {
        for _ in 0..count {
            let before = stage.state().position();
            self.press(stage, Key::Space, Modifiers::NONE);
            self.steps += usize::from(stage.state().position() > before);
        }
    }

    fn command(&mut self, stage: &mut Stage, name: &str) {
        self.actions += 1;
        stage.command(name);
    }

    /// Three to nine words, and hardly ever the same.
    fn write(&mut self, stage: &mut Stage, number: usize) {
        let length = 3 + number % 7;
        let word = |place| WORDS[(number * (place + 1) + number / 12 + place) % 12];
        let text = (0..length).map(word).collect::<Vec<_>>().join(" ");
        self.press(stage, Key::L, Modifiers::COMMAND);
        self.press(stage, Key::A, Modifiers::COMMAND);
        self.actions += 1;
        stage.act(Event::Text(text.clone()));
        // Leaves the field and steps.
        self.press(stage, Key::Enter, Modifiers::NONE);
        assert_eq!(stage.state().document().source, text);
    }

    /// Walks and points at cells.
    fn select(&mut self, stage: &mut Stage, number: usize) {
        for way in [Key::ArrowRight, Key::ArrowDown, Key::ArrowRight] {
            self.press(stage, way, Modifiers::NONE);
        }
        if number.is_multiple_of(8) {
            let at = stage.middle("Attention weights");
            for place in 0..8 {
                let at = at + Vec2::splat(10.0 * place as f32);
                stage.act(Event::PointerMoved(at));
            }
            stage.act(Event::PointerGone);
        }
    }

    /// Goes on with another word than the model's.
    fn choose(&mut self, stage: &mut Stage) {
        let request = |target_node| {
            Event::AccessKitActionRequest(accesskit::ActionRequest {
                action: accesskit::Action::Click,
                target_tree: accesskit::TreeId::ROOT,
                target_node,
                data: None,
            })
        };
        let before = stage.state().document().branches.clone();
        // The model's own word is among them, and marks may be.
        for (candidate, _) in stage.named("Candidate ") {
            stage.act(request(candidate));
            for (button, _) in stage.named("Go on with") {
                stage.act(request(button));
            }
            self.actions += 2;
            if stage.state().document().branches != before {
                self.choices += 1;
                break;
            }
        }
        self.step(stage, 3);
    }

    fn change(&mut self, stage: &mut Stage) {
        self.press(stage, Key::M, Modifiers::NONE);
        self.press(stage, Key::U, Modifiers::NONE);
        self.command(stage, "Uniform attention everywhere");
        self.step(stage, 2);
        self.press(stage, Key::U, Modifiers::NONE);
        self.command(stage, "Undo all changes of attention");
        self.press(stage, Key::Delete, Modifiers::NONE);
    }

    fn look(&mut self, stage: &mut Stage) {
        self.press(stage, Key::D, Modifiers::NONE);
        for which in [Key::Plus, Key::Plus, Key::Plus, Key::Num0] {
            self.press(stage, which, Modifiers::NONE);
        }
        self.press(stage, Key::D, Modifiers::NONE);
        self.command(stage, "Next colour map");
        self.press(stage, Key::Num2, Modifiers::NONE);
        self.step(stage, 1);
        self.press(stage, Key::Num1, Modifiers::NONE);
    }

    fn beam(&mut self, stage: &mut Stage) {
        self.press(stage, Key::Num3, Modifiers::NONE);
        assert_eq!(stage.state().view().layout, PaneLayout::Beam);
        self.step(stage, 1);
        self.press(stage, Key::Num1, Modifiers::NONE);
    }

    fn undo(&mut self, stage: &mut Stage) {
        for _ in 0..4 {
            self.press(stage, Key::Z, Modifiers::COMMAND);
        }
        for _ in 0..3 {
            self.press(stage, Key::Z, Modifiers::COMMAND | Modifiers::SHIFT);
        }
    }
}
