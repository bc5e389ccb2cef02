//! Entry point of `regard`.

fn main() {}
