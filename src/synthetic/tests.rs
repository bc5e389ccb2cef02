#[test]
fn show() {
    use super::*;
    for p in generate(GeneratorKind::Grammar, 90, 2) {
        println!("{}\t{}", p.source.join(" "), p.target.join(" "));
    }
    let pairs: Vec<_> = generate(GeneratorKind::Grammar, 20000, 3).collect();
    let mut f = std::fs::File::create("/tmp/synth_sample.tsv").unwrap();
    write_tsv(&pairs, &mut f).unwrap();
}
