//! Runs the effects of the application: dialogs, files, models and pictures, each on a thread beside the window.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use eframe::egui::{self, ColorImage};

use super::files::{self, Writer};
use crate::app::{
    Command, Effect, ExportCommand, FigureRequest, FigureRuns, FileCommand, ModelSet,
    ModelsCommand, PickPurpose, ReadPurpose, Surface, WritePurpose,
};
use crate::engine::Model;
use crate::project::{ModelRef, Preferences, fingerprint};
use crate::storage::{ContentHash, Running};

/// A system dialog that answers faster than a person can was none.
const FASTEST_PERSON_SECS: f32 = 0.3;

/// What a thread sends back to the window.
pub(super) enum Reply {
    /// A command to apply.
    Command(Box<Command>),
    /// There is no system dialog: ask in the window.
    AskInWindow(PickPurpose, Option<PathBuf>),
    /// A picture for the clipboard.
    Picture(ColorImage),
}

/// What the window does itself.
pub(super) enum Ask {
    /// Show a surface.
    Show(Surface),
    /// Text for the clipboard.
    CopyText(String),
    /// Keep the preferences.
    Store(Box<Preferences>),
    /// Close.
    Quit,
}

/// The services of the window.
pub(super) struct NativeServices {
    ctx: egui::Context,
    models: ModelSet,
    sender: Sender<Reply>,
    replies: Receiver<Reply>,
    /// Writes and removals, done in order by one thread.
    writer: Writer,
    /// Says to other runs of the program that this one is there.
    running: Option<Arc<Running>>,
    /// Whether paths are asked for in the window, though the system may have a dialog.
    pub(super) asks_in_window: bool,
}

impl NativeServices {
    /// Services that wake `ctx` when they have an answer.
    pub(super) fn new(ctx: egui::Context, models: ModelSet, running: Option<Running>) -> Self {
        let (sender, replies) = channel();
        Self {
            ctx,
            models,
            sender,
            replies,
            writer: Writer::start(),
            running: running.map(Arc::new),
            asks_in_window: false,
        }
    }

    /// An answer that has come.
    pub(super) fn next_reply(&self) -> Option<Reply> {
        self.replies.try_recv().ok()
    }

    fn answer(&self) -> impl Fn(Reply) + Send + 'static {
        let (sender, ctx) = (self.sender.clone(), self.ctx.clone());
        move |reply| {
            // The window may be gone: then nobody waits for the answer.
            let _ = sender.send(reply);
            ctx.request_repaint();
        }
    }

    /// Starts an effect; gives back what the window has to do itself. `runs` are what a figure request shows.
    pub(super) fn run(
        &self,
        effect: Effect,
        runs: impl Fn(&FigureRequest) -> FigureRuns,
    ) -> Option<Ask> {
        let answer = self.answer();
        let command = |command: Command| Reply::Command(Box::new(command));
        match effect {
            Effect::PickFile { purpose, suggested } => self.pick(purpose, suggested),
            Effect::ReadFile {
                path,
                purpose,
                limit,
            } => spawn("reader", move || {
                answer(command(Command::File(files::read(path, purpose, limit))));
            }),
            Effect::WriteFile {
                path,
                purpose,
                bytes,
                known,
            } => self.write(path, purpose, known, move || Ok(bytes)),
            Effect::FindCopies { nameless, limit } => {
                let running = self.running.clone();
                spawn("copies", move || {
                    for path in files::find_copies(&nameless, running.as_deref()) {
                        let read = files::read(path, ReadPurpose::Restore, limit);
                        answer(command(Command::File(read)));
                    }
                });
            }
            Effect::MoveFile { from, to } => {
                self.writer.send(move || drop(std::fs::rename(from, to)));
            }
            Effect::RemoveFile { path } => {
                self.writer.send(move || drop(std::fs::remove_file(path)));
            }
            Effect::ExportFigure {
                path,
                format,
                request,
            } => {
                let runs = runs(&request);
                self.write(path, WritePurpose::Figure, None, move || {
                    let file = request.file(&runs, format);
                    file.map(|file| file.bytes)
                        .map_err(|error| error.to_string())
                });
            }
            Effect::CopyImage(request) => {
                let runs = runs(&request);
                spawn("picture", move || match request.raster(&runs) {
                    Ok(r) => {
                        let size = [r.width as usize, r.height as usize];
                        answer(Reply::Picture(ColorImage::from_rgba_unmultiplied(
                            size, &r.rgba,
                        )));
                        answer(command(Command::Export(ExportCommand::Copied)));
                    }
                    Err(error) => {
                        let problem = error.to_string();
                        answer(command(Command::Export(ExportCommand::Failed { problem })));
                    }
                });
            }
            Effect::LoadModel { path } => {
                let models = self.models.clone();
                spawn("model", move || {
                    answer(command(Command::Models(load(&models, path))))
                });
            }
            Effect::SearchBeam(job) => {
                let models = self.models.clone();
                spawn("beam", move || {
                    models.search(*job);
                    answer(command(Command::Models(ModelsCommand::BeamFound)));
                });
            }
            Effect::Attribute(jobs) => {
                let models = self.models.clone();
                spawn("attribution", move || {
                    for job in jobs {
                        models.attribute(&job);
                        answer(command(Command::Models(ModelsCommand::Attributed)));
                    }
                });
            }
            Effect::CopyText(text) => return Some(Ask::CopyText(text)),
            Effect::StorePreferences(preferences) => return Some(Ask::Store(preferences)),
            Effect::Show(surface) => return Some(Ask::Show(surface)),
            Effect::Quit => return Some(Ask::Quit),
        }
        None
    }

    fn write(
        &self,
        path: PathBuf,
        purpose: WritePurpose,
        known: Option<Vec<ContentHash>>,
        bytes: impl FnOnce() -> Result<Vec<u8>, String> + Send + 'static,
    ) {
        let answer = self.answer();
        let job = move || {
            if let Some(folder) = path.parent().filter(|_| purpose == WritePurpose::Autosave) {
                // The folder of copies is the program's own; it may not be there yet.
                let _ = std::fs::create_dir_all(folder);
            }
            let done = files::write(path, purpose, known.as_deref(), bytes());
            answer(Reply::Command(Box::new(Command::File(done))));
        };
        self.writer.send(job);
    }

    fn pick(&self, purpose: PickPurpose, suggested: Option<PathBuf>) {
        let answer = self.answer();
        if self.asks_in_window {
            answer(Reply::AskInWindow(purpose, suggested));
            return;
        }
        let mut dialog = rfd::AsyncFileDialog::new();
        let (title, name, endings): (&str, &str, Vec<String>) = match &purpose {
            PickPurpose::OpenSession => ("Open a session", "Sessions", vec!["ron".to_owned()]),
            PickPurpose::SaveSession => ("Save the session", "Sessions", vec!["ron".to_owned()]),
            PickPurpose::OpenModel => ("Open a model", "Models", vec!["safetensors".to_owned()]),
            PickPurpose::SaveFigure { format, .. } => (
                "Export the figure",
                "Figures",
                vec![format.ending().to_owned()],
            ),
        };
        dialog = dialog.set_title(title).add_filter(name, &endings);
        if let Some(path) = &suggested {
            if let Some(folder) = path.parent().filter(|folder| folder.is_dir()) {
                dialog = dialog.set_directory(folder);
            }
            if let Some(name) = path.file_name() {
                dialog = dialog.set_file_name(name.to_string_lossy());
            }
        }
        let saves = matches!(
            purpose,
            PickPurpose::SaveSession | PickPurpose::SaveFigure { .. }
        );
        // The dialog is made here, where some systems want it, and waited for elsewhere.
        let future: std::pin::Pin<Box<dyn Future<Output = Option<rfd::FileHandle>> + Send>> =
            if saves {
                Box::pin(dialog.save_file())
            } else {
                Box::pin(dialog.pick_file())
            };
        spawn("dialog", move || {
            let began = Instant::now();
            let path = block_on(future).map(|file| file.path().to_path_buf());
            if path.is_none() && began.elapsed().as_secs_f32() < FASTEST_PERSON_SECS {
                answer(Reply::AskInWindow(purpose, suggested));
            } else {
                let picked = FileCommand::Picked { purpose, path };
                answer(Reply::Command(Box::new(Command::File(picked))));
            }
        });
    }
}

pub(super) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) {
    let spawned = std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(work);
    if let Err(error) = spawned {
        eprintln!("regard: cannot start a thread: {error}");
    }
}

fn block_on<F: Future + ?Sized>(mut future: std::pin::Pin<Box<F>>) -> F::Output {
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = std::sync::Arc::new(Unpark(std::thread::current())).into();
    let mut context = std::task::Context::from_waker(&waker);
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        std::thread::park();
    }
}

fn load(models: &ModelSet, path: PathBuf) -> ModelsCommand {
    match Model::load(&path) {
        Ok(model) => {
            let name = path
                .file_stem()
                .map_or_else(|| "model".to_owned(), |s| s.to_string_lossy().into_owned());
            let reference = ModelRef::new(&name, fingerprint(&model));
            models.insert(reference.clone(), model);
            ModelsCommand::Loaded(reference)
        }
        Err(error) => ModelsCommand::LoadFailed {
            path,
            problem: error.to_string(),
        },
    }
}
