//! The other subcommands: `generate`, `models`, and help.

use crate::support::{folder, output, run};

#[test]
fn generated_pairs_follow_from_the_seed() {
    let folder = folder();
    let generate =
        |more: &[&str]| output(folder.path(), &[&["generate", "grammar"], more].concat());
    let twenty = generate(&["--pairs", "20", "--seed", "4"]);
    assert_eq!(twenty.lines().count(), 20);
    assert!(twenty.lines().all(|line| line.split('\t').count() == 3));
    assert_eq!(generate(&["--pairs", "20", "--seed", "4"]), twenty);
    assert_ne!(generate(&["--pairs", "20", "--seed", "5"]), twenty);
    let last: Vec<&str> = twenty.lines().skip(15).collect();
    let skipped = generate(&["--pairs", "5", "--seed", "4", "--skip", "15"]);
    assert_eq!(skipped.lines().collect::<Vec<_>>(), last);
    generate(&["--pairs", "20", "--seed", "4", "-o", "pairs.tsv"]);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("pairs.tsv")).unwrap(),
        twenty
    );
    let (code, _, problems) = run(folder.path(), &["generate", "poetry"]);
    assert_eq!(code, 2);
    assert!(
        problems.contains("expected one of grammar, reversal, copy"),
        "{problems}"
    );
}

#[test]
fn model_files_are_described() {
    let folder = folder();
    let text = output(
        folder.path(),
        &["models", "additive.safetensors", "bottleneck.safetensors"],
    );
    for expected in [
        "additive (additive.safetensors)",
        "bottleneck (",
        "BLEU 12.50",
        "made for a test",
        "french",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    let (code, shown, problems) = run(
        folder.path(),
        &["models", "no.safetensors", "additive.safetensors"],
    );
    assert_eq!(code, 1);
    assert!(
        shown.contains("additive") && problems.contains("cannot read no.safetensors"),
        "{problems}"
    );
    assert!(
        !problems.contains("(os error 2): No such"),
        "a cause is told once: {problems}"
    );
}

#[test]
fn shipped_models_are_listed() {
    let folder = folder();
    let text = output(folder.path(), &["models"]);
    for shipped in regard::shipped::list() {
        assert!(
            text.contains(&format!("{} (shipped)", shipped.score)),
            "{text}"
        );
    }
    assert_eq!(
        text.contains("No models are shipped"),
        regard::shipped::list().is_empty()
    );
}

#[test]
fn every_subcommand_has_help() {
    let folder = folder();
    let help = output(folder.path(), &["--help"]);
    for subcommand in [
        "attend", "convert", "evaluate", "generate", "models", "train",
    ] {
        assert!(help.contains(subcommand), "{help}");
        assert!(output(folder.path(), &[subcommand, "--help"]).contains("Usage: regard"));
    }
    // Without a word the window would open.
    let (code, _, _) = run(folder.path(), &["nothing"]);
    assert_eq!(code, 2);
}
