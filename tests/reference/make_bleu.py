"""Corpus BLEU from sacrebleu for small invented corpora, written to bleu.json.

    python tests/reference/make_bleu.py

Run by hand, never in CI. Lines are tokens separated by single spaces; sacrebleu runs with tokenize="none" and no
lower-casing, with one reference for each hypothesis, so it splits at spaces and nothing more.

The rules as sacrebleu has them (c, r: hypothesis and reference tokens of the whole corpus; m_n, t_n: clipped
n-gram matches and hypothesis n-grams, summed over the corpus before dividing):

    bp    = 1 if c >= r, exp(1 - r / c) if 0 < c < r, 0 if c = 0
    p_n   = 100 m_n / t_n
    score = bp * exp(mean over n = 1..4 of ln p_n)        (0 to 100)

    No match of any order (all m_n = 0): the score and all four precisions are 0, whatever the smoothing.
    t_n = 0 (every hypothesis is shorter than n): p_n stays 0 and so does the score, smoothed or not.
    m_n = 0 < t_n:  none: p_n = 0 and the score is 0.
                    exp:  p_n = 100 / (2^k t_n) for the k-th such n, counted from the shortest n-gram.
"""

import json
from pathlib import Path

import sacrebleu
from sacrebleu.metrics import BLEU

CORPORA = {
    "perfect": [
        ("the black cat sleeps on the warm stone", "the black cat sleeps on the warm stone"),
        ("we saw two boats near the bridge", "we saw two boats near the bridge"),
    ],
    "ordinary": [
        ("the small boat crossed the wide river slowly", "the small boat crossed the river very slowly"),
        ("she reads an old letter by the window", "she reads the old letter at the window"),
        ("nobody heard the bell ring this morning", "nobody heard the bell this morning"),
    ],
    "brevity_penalty": [
        ("the gardener cut the roses", "the gardener cut the roses before the rain came"),
        ("a red bicycle leans on the wall", "a red bicycle leans on the wall of the bakery"),
    ],
    "longer_than_reference": [
        ("my brother paints the wooden door in a bright shade of green", "my brother paints the wooden door green"),
        ("it snows a lot in the hills", "it snows in the hills"),
    ],
    "one_short_line_lengths_summed": [
        # Brevity is a matter of the corpus: the long second line makes up for the short first one.
        ("he left", "he left the house at noon"),
        ("the train to the coast was late again because of the heavy snow", "the train to the coast was late again"),
    ],
    "clipped_counts": [
        ("the the the the the the the", "the cat sat near the open door"),
        ("very very good very good soup", "very good soup and very good bread"),
    ],
    "no_four_gram_match": [
        ("the tall man opens the blue gate", "the tall man closed the old gate"),
        ("children play in that park", "children play in the park"),
    ],
    "no_trigram_match": [
        ("green apples fall from old trees", "green apples lie under old trees"),
        ("a dog barks at night", "the dog barks all night"),
    ],
    "only_unigram_matches": [
        ("river the crosses boat", "the boat slowly crosses this river"),
        ("sleeps cat black", "black and small , the cat sleeps"),
    ],
    "no_match_at_all": [("quiet winter mornings always return", "they bought seven yellow lamps")],
    "empty_hypothesis_among_others": [
        ("", "somebody knocks at the door"),
        ("the baker sells fresh bread every day", "the baker sells fresh bread each day"),
    ],
    "only_empty_hypotheses": [("", "a lamp burns"), ("", "the well is dry")],
    "too_short_for_four_grams": [("good morning", "good morning"), ("thank you all", "thank you all")],
    "one_word": [("yes", "yes")],
    "case_and_punctuation_are_tokens": [
        ("The cat sleeps , and the dog watches .", "the cat sleeps and the dog watches ."),
        ("don 't wake it !", "don 't wake it !"),
    ],
    "letters_beyond_ascii": [
        ("l' été à Évian finit déjà bien tôt", "l' été à Évian finit déjà trop tôt"),
        ("où est la clé du garçon ?", "où est la clé du garçon ?"),
    ],
}


def main():
    corpora = []
    for name, pairs in CORPORA.items():
        hypotheses, references = [h for h, _ in pairs], [r for _, r in pairs]
        entry = {"name": name, "hypotheses": hypotheses, "references": references}
        for method in ("exp", "none"):
            # `force` only silences a warning about text that looks tokenised.
            bleu = BLEU(tokenize="none", smooth_method=method, force=True)
            result = bleu.corpus_score(hypotheses, [references])
            entry[f"score_{method}"] = result.score
            entry[f"precisions_{method}"] = result.precisions
        entry["brevity_penalty"] = result.bp
        entry["matches"], entry["totals"] = result.counts, result.totals
        entry["hypothesis_length"], entry["reference_length"] = result.sys_len, result.ref_len
        corpora.append(entry)
        print(f"{name:32} exp {entry['score_exp']:7.3f}  none {entry['score_none']:7.3f}  bp {result.bp:.4f}  {result.counts} / {result.totals}")
    lines = ",\n".join("  " + json.dumps(c, ensure_ascii=False) for c in corpora)
    text = f'{{"sacrebleu": "{sacrebleu.__version__}", "corpora": [\n{lines}\n]}}\n'
    (Path(__file__).parent / "bleu.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
