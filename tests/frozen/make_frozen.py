"""How the files in this folder were made, once, by hlta 0.1.0.dev0. Never run it again.

The files stand for those that users already have: every later version must read them as that
version did, so a change of the program must never change them. A new format gets files of its own,
in a folder of its own.

It ran as `python make_frozen.py FOLDER`, with the public names of that version alone. The documents
are made up here from a few lists of words, and are free for any use.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from hlta import HLTA, Corpus, LatentTree, load

THEMES = (
    ("garden", "soil", "seed", "rose", "hedge", "spade", "compost", "greenhouse"),
    ("harbour", "sail", "anchor", "tide", "mast", "rudder", "lighthouse", "gull"),
    ("oven", "flour", "yeast", "crust", "café", "jalapeño", "dough", "butter"),
    ("telescope", "orbit", "comet", "nebula", "eclipse", "lens", "Jupiter", "observatory"),
)
PHRASES = ("wheelbarrow path", "north wind", "rolling pin", "night sky")
N_DOCUMENTS = 80
N_SHOWN = 8  # documents whose likelihoods and posteriors are kept

AUTHORS_BIF = """// results/small/batch.bif
// Produced by org.latlab at Sat Nov 21 02:45:31 UTC 2026
network "HLCM12879" {
}

variable "Z11" {
\ttype discrete[2] { "s0" "s1" };
}

variable "orbit" {
\ttype discrete[2] { "s0" "s1" };
}

variable "Z12" {
\ttype discrete[2] { "s0" "s1" };
}

variable "comet" {
\ttype discrete[2] { "s0" "s1" };
}

variable "lens" {
\ttype discrete[2] { "s0" "s1" };
}

variable "oven" {
\ttype discrete[2] { "s0" "s1" };
}

variable "flour" {
\ttype discrete[2] { "s0" "s1" };
}

probability ( "Z11" ) {
\ttable 0.8172349128341264 0.18276508716587358;
}
probability ( "orbit" | "Z11" ) {
\ttable 0.9831538975271745 0.138594978634965735 0.01684610247282551 0.8614050213650343;
}
probability ( "Z12" | "Z11" ) {
\ttable 0.634418122650314 0.91816718673009193 0.36558187734968584 0.0818328132699081;
}
probability ( "comet" | "Z11" ) {
\ttable 0.9941132567184053 0.5207645446117718 0.00588674328159461 0.4792354553882282;
}
probability ( "lens" | "Z11" ) {
\ttable 1.0 0.5499159596143913 0.0 0.4500840403856088;
}
probability ( "oven" | "Z12" ) {
\ttable 0.9408399520659479 0.2971588312970926 0.05916004793405207 0.7028411687029074;
}
probability ( "flour" | "Z12" ) {
\ttable 7.976085878561958E-1 1.155618505863919E-1 2.023914121438042E-1 8.844381494136081E-1;
}
"""


def documents(n: int, seed: int) -> list[str]:
    """Texts of one or two themes each."""
    rng = np.random.default_rng(seed)
    texts = []
    for _ in range(n):
        words: list[str] = []
        for theme in rng.choice(len(THEMES), size=int(rng.integers(1, 3)), replace=False):
            words += rng.choice(THEMES[theme], size=5, replace=False).tolist()
            words += [PHRASES[theme]] if rng.random() < 0.7 else []
        rng.shuffle(words)
        texts.append(f"The {', '.join(words)} and no. 7.")
    return texts


def irregular_tree() -> LatentTree:
    """A tree whose words and latent variables have names that a format could stumble over."""
    return LatentTree(
        words=("naïve", 'quo"te', "機械", "a b", "new\nline"),
        parent=[6, 6, 7, 7, 7, -1, 5, 5],
        level=[0, 0, 0, 0, 0, 2, 1, 1],
        probability=[
            [0.1, 0.7],
            [1e-15, 0.25],
            [1 / 3, 2 / 3],
            [0.05, 1 - 2.0**-53],
            [0.2, 0.9],
            [0.125, 0.125],
            [0.3, 0.01],
            [0.6, 0.4],
        ],
        latent_names=("top", "left side", "Z\\right"),
        allow_irregular=True,
    )


def presences(matrix: Any) -> list[list[int]]:
    """The word numbers of each row."""
    return [np.flatnonzero(row).tolist() for row in np.asarray(matrix)]


def described(tree: LatentTree, X: Any) -> dict[str, Any]:
    """All of a tree, and what it says of some documents."""
    return {
        "words": tree.words,
        "latent_names": tree.latent_names,
        "parent": tree.parent.tolist(),
        "level": tree.level.tolist(),
        "probability": tree.probability.tolist(),
        "documents": presences(X),
        "log_likelihood": tree.log_likelihood(X).tolist(),
        "posteriors": tree.posteriors(X).dense().tolist(),
    }


def dense(corpus: Corpus) -> Any:
    """A corpus as rows of zeros and ones."""
    rows = np.zeros(corpus.documents.shape, dtype=np.int8)
    for row, words in enumerate(np.split(corpus.documents.indices, corpus.documents.indptr[1:-1])):
        rows[row, words] = 1
    return rows


def make(folder: Path) -> None:
    """Write the files, and beside them what they hold."""
    texts, unseen = documents(N_DOCUMENTS, 0), documents(N_SHOWN, 1)
    corpus = Corpus.from_texts(
        texts,
        ids=[f"d{number}" for number in range(N_DOCUMENTS)],
        titles=[f"Überschrift {number}" if number % 3 else "" for number in range(N_DOCUMENTS)],
        dates=[f"{2001 + number % 4}-0{1 + number % 9}" for number in range(N_DOCUMENTS)],
        groups=[("Ärzte", "b, c", "d")[number % 3] for number in range(N_DOCUMENTS)],
        ngrams=2,
        stop_words=("the", "and"),
        min_df=2,
        max_df=0.9,
        include=("comet",),
        exclude=("gull",),
    )
    few = corpus.take(range(12))
    few = Corpus(few.documents, few.words, text=few.text, texts=texts[:12], **few.about)
    few.save(folder / "corpus")
    model = HLTA(max_top_topics=3, em_steps=10, random_state=3, lowest_level=1).fit(corpus)
    model.save(folder / "model.hlta")
    model.topics_.to_json(folder / "topics.json")
    X = dense(corpus)[:N_SHOWN]
    model.tree_.to_bif(folder / "tree.bif")
    model.tree_.save(folder / "tree.hlta")
    irregular = irregular_tree()
    irregular.save(folder / "irregular.hlta")
    irregular.to_bif(folder / "irregular.bif")
    (folder / "authors.bif").write_text(AUTHORS_BIF, encoding="utf-8")

    # Counts, a word that is in no document, and names of the format's own kind.
    counts = np.array([[2, 0, 1, 0, 0], [0, 1, 0, 0, 0], [1, 1, 11, 0, 3]])
    words = ("naïve", "b", "機械", "never", "e-mail")
    entries = [f"{d + 1} {w + 1} {counts[d, w]}" for d, w in np.argwhere(counts)]
    uci = folder / "docword.counts.txt"
    uci.write_text("\n".join((*map(str, (*counts.shape, len(entries))), *entries)) + "\n")
    (folder / "vocab.counts.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    for name in ("counts.ldac", "counts.sparse.txt", "counts.npz", "market.mtx"):
        command = [sys.executable, "-m", "hlta", "convert", "--quiet", uci, folder / name]
        subprocess.run(command, check=True)

    X_small = np.array([[0] * 5, [1] * 5, [1, 0, 1, 0, 0]])
    authors_tree = load_authors(folder)
    expected = {
        "tree": described(model.tree_, X),
        "irregular": described(irregular, X_small),
        "authors": described(authors_tree, X_small),
        "model": {
            "parameters": {k: v for k, v in model.get_params().items() if k != "progress"},
            "em": model.em_,
            "log_likelihoods": model.log_likelihoods_.tolist(),
            "text_options": model.text_options_.plain(),
            "topics": [topic.id for topic in model.topics_],
            "texts": unseen,
            "transform": model.transform(unseen).tolist(),
            "score_samples": model.score_samples(unseen).tolist(),
        },
        "corpus": {
            "words": few.words,
            "documents": presences(dense(few)),
            "text_options": few.text.plain(),
            **{name: list(values) for name, values in few.about.items()},
        },
        "counts": {"words": words, "matrix": counts.tolist()},
    }
    text = json.dumps(expected, ensure_ascii=False, separators=(",", ":"))
    (folder / "expected.json").write_text(text.replace(',"', ',\n"') + "\n", encoding="utf-8")
    assert load(folder / "tree.hlta") == model.tree_


def load_authors(folder: Path) -> LatentTree:
    """The authors' file, in which a probability of 0 is clipped."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return LatentTree.from_bif(folder / "authors.bif")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
