//! The real program, run in a folder of its own on small models.

#[path = "cli/attend.rs"]
mod attend;
#[path = "cli/evaluate.rs"]
mod evaluate;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/support.rs"]
mod support;
