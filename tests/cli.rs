//! The real program, run in a folder of its own on small models.

#![allow(
    clippy::unwrap_used,
    reason = "a panic in a test is the failure report"
)]

#[path = "cli/attend.rs"]
mod attend;
#[path = "cli/attend_input.rs"]
mod attend_input;
#[path = "cli/attribute.rs"]
mod attribute;
#[path = "cli/evaluate.rs"]
mod evaluate;
#[path = "cli/figure.rs"]
mod figure;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/support.rs"]
mod support;
#[path = "cli/train.rs"]
mod train;
#[path = "cli/whatif.rs"]
mod whatif;
