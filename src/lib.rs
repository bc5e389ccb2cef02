//! *regard* looks at attention in sequence-to-sequence models.
//!
//! The library holds everything but the process entry point. Modules stand on floors and import only
//! from lower ones; `ARCHITECTURE.md` has the table and `tests/architecture.rs` enforces it.

pub mod alignment;
pub mod app;
pub mod attribution;
pub mod cli;
pub mod engine;
pub mod figure;
pub mod gui;
pub mod metrics;
pub mod numeric;
pub mod project;
pub mod shipped;
pub mod storage;
pub mod synthetic;
pub mod text;
pub mod training;
