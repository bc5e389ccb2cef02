//! A program that is killed while it writes, and disks that take nothing: each file is the old or the new one, whole.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "a panic is how a test reports a failure"
)]

#[path = "nothing_lost/disks.rs"]
mod disks;
#[path = "nothing_lost/kills.rs"]
mod kills;
#[path = "nothing_lost/savers.rs"]
mod savers;
#[path = "support/mod.rs"]
mod support;
