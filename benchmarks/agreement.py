"""How well flat lists of topics agree with classes that people gave to the documents.

    python -m benchmarks.agreement [--numbers 10 30 100] [--documents 8000]

The training posts of news-1k with their 20 newsgroups, and abstracts of arXiv papers with their
archives (the part of the category before the dot). For each number of topics: normalised mutual
information of the main topic with the classes, and the mean over classes of the best topic's F1, for
`TopicTree.cut` and `HLTA.predict`, for NMF of TF-IDF, and for scikit-learn's LDA, which take the
topic with the largest weight.
"""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.decomposition import NMF, LatentDirichletAllocation
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import f1_score, normalized_mutual_info_score

from benchmarks import prepared
from benchmarks.prepared import DATA
from hlta import HLTA, read_corpus

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LDA_PASSES = 8


def newsgroups() -> tuple[Any, list[str], NDArray[Any]]:
    """Documents, words, and the newsgroup of each post."""
    data = prepared.read("news-1k")
    ids = (DATA / "news-1k" / "train.ids.txt").read_text(encoding="utf-8").split("\n")
    return data.train, data.words, np.array([name.split("/")[-2] for name in ids if name.strip()])


def arxiv(count: int) -> tuple[Any, list[str], NDArray[Any]]:
    """Documents drawn at random, words, and the archive of each abstract."""
    corpus = read_corpus(DATA / "arxiv-50k.tsv.xz", text="abstract", group="primary_cat")
    if corpus.groups is None:
        raise ValueError("the abstracts have no categories")
    archive = np.array([str(group).split(".", maxsplit=1)[0] for group in corpus.groups])
    rows = np.sort(np.random.default_rng(0).choice(len(archive), count, replace=False))
    return corpus.documents.to_csr()[rows], list(corpus.words), archive[rows]


def figures(main: NDArray[np.intp], classes: NDArray[Any]) -> str:
    """Normalised mutual information, and the mean of the best F1 per class."""
    best = [
        max(f1_score(classes == name, main == topic) for topic in np.unique(main))
        for name in np.unique(classes)
    ]
    return f"{normalized_mutual_info_score(classes, main):.2f} / {np.mean(best):.2f}"


def table(name: str, X: Any, words: list[str], classes: NDArray[Any], numbers: list[int]) -> None:
    """Print a line per number of topics."""
    model = HLTA(structure_sample=None).fit(X, words=words)
    weighted = TfidfTransformer().fit_transform(X)
    for number in numbers:
        ours = model.predict(X, topics=model.topics_.cut(number))
        factors = NMF(number, init="nndsvd").fit_transform(weighted)
        mixtures = LatentDirichletAllocation(
            number, max_iter=_LDA_PASSES, learning_method="online", random_state=0
        ).fit_transform(X)
        rivals = (factors.argmax(axis=1), mixtures.argmax(axis=1))
        cells = " | ".join(figures(main, classes) for main in (ours, *rivals))
        print(f"| {name} | {number} | {cells} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--numbers", type=int, nargs="+", default=[10, 30, 100])
    parser.add_argument("--documents", type=int, default=8000, help="abstracts of arXiv papers")
    chosen = parser.parse_args()
    prepared.require()
    warnings.simplefilter("ignore", ConvergenceWarning)
    print("| | topics | hlta | NMF of TF-IDF | LDA, scikit-learn |\n|---|---|---|---|---|")
    table("news-1k", *newsgroups(), chosen.numbers)
    table("arXiv", *arxiv(chosen.documents), chosen.numbers)


if __name__ == "__main__":
    main()
