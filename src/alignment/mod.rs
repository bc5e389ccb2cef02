//! alignment
