//! Damaged, hostile and odd input: always an error that names the problem, never a panic.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is how a test reports a failure"
)]

#[path = "robustness/files.rs"]
mod files;
#[path = "robustness/fixtures.rs"]
mod fixtures;
#[path = "robustness/states.rs"]
mod states;
#[path = "robustness/text.rs"]
mod text;
