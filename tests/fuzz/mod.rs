//! Random input for every reader of outside bytes: shared by the short test and the program for long runs.

pub(crate) mod grammar;
pub(crate) mod mutate;
pub(crate) mod readers;
pub(crate) mod run;
pub(crate) mod seeds;
