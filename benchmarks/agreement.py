"""How well flat lists of topics agree with classes that people gave to the documents.

    python -m benchmarks.agreement [--numbers 10 30 100] [--seeds 1] [--documents 8000]
                                   [--only NAME ...] [--alone]

The training posts of news-1k with their 20 newsgroups, and with the 7 families of these (the part of
the name before the first dot); texts of training posts drawn at random, as `Corpus.from_texts` reads
them; abstracts of arXiv papers, those of the demo and others drawn at random, with their primary
categories and with the archives of these (the part before the dot); and abstracts on artificial
intelligence drawn at random, with the conferences that they were presented at.
For each number of topics: normalised mutual information of the main topic with the classes, and the
mean over classes of the best topic's F1, for `TopicTree.cut` and `HLTA.predict`, and for NMF of TF-IDF,
scikit-learn's LDA and tomotopy's LDA (left out if it is not installed), which take the topic with the
largest weight. All learn from the documents that they are judged on, without their classes. With
several seeds, figures are means over them, with the standard deviations; NMF has none. With `--alone`,
the other methods are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import tarfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.decomposition import NMF, LatentDirichletAllocation
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

import hlta
from benchmarks import prepared
from benchmarks.prepared import DATA
from hlta import HLTA, Corpus, read_corpus

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    _Method = Callable[[Any, int, int], NDArray[np.intp]]
    """The main topic of each document, from the documents, the number of topics and a seed."""

CORPORA = ("news-1k", "posts", "arXiv", "demo", "ai-abstracts")
DEMO = Path(hlta.__file__).parent / "data" / "arxiv.tsv.xz"
_LDA_PASSES = 8
_GIBBS_STEPS = 300


class Labelled(NamedTuple):
    """Documents and, by name, one or more ways to class them."""

    X: csr_array
    words: list[str]
    classes: dict[str, NDArray[Any]]


def newsgroups() -> Labelled:
    """The prepared posts."""
    data = prepared.read("news-1k")
    ids = (DATA / "news-1k" / "train.ids.txt").read_text(encoding="utf-8").split("\n")
    return Labelled(data.train, data.words, _groups([name.split("/")[-2] for name in ids if name]))


def posts(count: int) -> Labelled:
    """The subjects and bodies of training posts drawn at random."""
    texts, groups = [], []
    with tarfile.open(DATA / "20newsgroups.tar.xz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None and "/20news-bydate-train/" in member.name:
                head, _, body = file.read().decode("latin-1").partition("\n\n")
                lines = head.split("\n")
                subject = [line[8:] for line in lines if line.lower().startswith("subject:")]
                texts.append("\n".join([*subject, body]))
                groups.append(member.name.split("/")[-2])
    rows = _drawn(len(texts), count)
    corpus = Corpus.from_texts([texts[k] for k in rows])
    matrix = corpus.documents.to_csr()
    return Labelled(matrix, list(corpus.words), _groups([groups[k] for k in rows]))


def arxiv(count: int) -> Labelled:
    """Abstracts drawn at random."""
    corpus = read_corpus(DATA / "arxiv-50k.tsv.xz", text="abstract", group="primary_cat")
    return _with_categories(corpus, _drawn(len(corpus), count))


def demo() -> Labelled:
    """The abstracts of `hlta demo`."""
    corpus = read_corpus(DEMO, text="abstract", group="category")
    return _with_categories(corpus, np.arange(len(corpus)))


def ai_abstracts(count: int) -> Labelled:
    """Abstracts on artificial intelligence, drawn at random."""
    corpus = read_corpus(DATA / "ai-abstracts.jsonl.xz", text="abstract", group="venue")
    rows = _drawn(len(corpus), count)
    return _labelled(corpus, rows, {"conferences": _own_groups(corpus, rows)})


def _with_categories(corpus: Corpus, rows: NDArray[np.int64]) -> Labelled:
    categories = _own_groups(corpus, rows)
    archives = np.array([category.split(".", maxsplit=1)[0] for category in categories])
    return _labelled(corpus, rows, {"categories": categories, "archives": archives})


def _own_groups(corpus: Corpus, rows: NDArray[np.int64]) -> NDArray[Any]:
    if corpus.groups is None:
        raise ValueError("the documents have no groups")
    return np.array([str(corpus.groups[row]) for row in rows])


def _labelled(
    corpus: Corpus, rows: NDArray[np.int64], classes: dict[str, NDArray[Any]]
) -> Labelled:
    return Labelled(corpus.documents.to_csr()[rows], list(corpus.words), classes)


def _drawn(size: int, count: int) -> NDArray[np.int64]:
    return np.sort(np.random.default_rng(0).choice(size, count, replace=False))


def _groups(names: list[str]) -> dict[str, NDArray[Any]]:
    families = [name.split(".", maxsplit=1)[0] for name in names]
    return {"groups": np.array(names), "families": np.array(families)}


def nmf(X: Any, number: int, seed: int) -> NDArray[np.intp]:  # noqa: ARG001  (it draws nothing)
    """The largest factor of each document."""
    weighted = TfidfTransformer().fit_transform(X)
    factors = NMF(number, init="nndsvd").fit_transform(weighted)
    return np.asarray(factors.argmax(axis=1))


def lda_sklearn(X: Any, number: int, seed: int) -> NDArray[np.intp]:
    """The largest share of each document, by variational inference."""
    model = LatentDirichletAllocation(
        number, max_iter=_LDA_PASSES, learning_method="online", random_state=seed
    )
    return np.asarray(model.fit_transform(X).argmax(axis=1))


def lda_tomotopy(X: Any, number: int, seed: int) -> NDArray[np.intp]:
    """The largest share of each document, by collapsed Gibbs sampling."""
    import tomotopy

    model = tomotopy.LDAModel(k=number, seed=seed + 1)
    for words in np.split(X.indices, X.indptr[1:-1]):
        model.add_doc([str(word) for word in words] or ["none"])  # it refuses empty documents
    model.train(_GIBBS_STEPS, workers=1)
    return np.array([np.argmax(document.get_topic_dist()) for document in model.docs])


def agreement(main: NDArray[np.intp], classes: NDArray[Any]) -> tuple[float, float]:
    """Normalised mutual information, and the mean of the best F1 per class."""
    both = contingency_matrix(classes, main)
    f1 = 2.0 * both / (both.sum(axis=1, keepdims=True) + both.sum(axis=0))
    best = f1[:, np.unique(main) >= 0].max(axis=1)
    return float(normalized_mutual_info_score(classes, main)), float(best.mean())


def table(
    name: str, documents: Labelled, numbers: list[int], seeds: int, others: dict[str, _Method]
) -> None:
    """Print a line per kind of class and number of topics."""
    X, words, kinds = documents
    models = [
        HLTA(structure_sample=None, random_state=seed).fit(X, words=words) for seed in range(seeds)
    ]

    def of_tree(X: Any, number: int, seed: int) -> NDArray[np.intp]:
        return models[seed].predict(X, topics=models[seed].topics_.cut(number))

    methods: dict[str, _Method] = {"hlta": of_tree, **others}
    for number in numbers:
        mains = {
            method: [of(X, number, seed) for seed in range(1 if of is nmf else seeds)]
            for method, of in methods.items()
        }
        for kind, classes in kinds.items():
            cells = [
                _cell(np.array([agreement(main, classes) for main in found]))
                for found in mains.values()
            ]
            print(f"| {name}, {kind} | {number} | {' | '.join(cells)} |", flush=True)


def _cell(scores: NDArray[np.float64]) -> str:
    """Both measures, a row per seed: their means, and the standard deviations if there are any."""
    means, deviations = scores.mean(axis=0), scores.std(axis=0, ddof=len(scores) > 1)
    spread = [f" ± {deviation:.2f}" if len(scores) > 1 else "" for deviation in deviations]
    return f"{means[0]:.2f}{spread[0]} / {means[1]:.2f}{spread[1]}"


def rivals() -> dict[str, _Method]:
    """The other methods, by name, of those that are installed."""
    found: dict[str, _Method] = {"NMF of TF-IDF": nmf, "LDA, scikit-learn": lda_sklearn}
    if importlib.util.find_spec("tomotopy") is not None:
        found["LDA, tomotopy"] = lda_tomotopy
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--numbers", type=int, nargs="+", default=[10, 30, 100])
    parser.add_argument("--seeds", type=int, default=1, help="of learning; figures are means")
    parser.add_argument("--documents", type=int, default=8000, help="drawn of posts and abstracts")
    parser.add_argument("--only", choices=CORPORA, nargs="+", default=CORPORA, help="these alone")
    parser.add_argument("--alone", action="store_true", help="without the other methods")
    chosen = parser.parse_args()
    prepared.require()
    warnings.simplefilter("ignore", ConvergenceWarning)
    corpora: dict[str, Callable[[], Labelled]] = {
        "news-1k": newsgroups,
        "posts": lambda: posts(chosen.documents),
        "arXiv": lambda: arxiv(chosen.documents),
        "demo": demo,
        "ai-abstracts": lambda: ai_abstracts(chosen.documents),
    }
    others = {} if chosen.alone else rivals()
    heads = ["", "topics", "hlta", *others]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for name, read in corpora.items():
        if name in chosen.only:
            table(name, read(), chosen.numbers, chosen.seeds, others)


if __name__ == "__main__":
    main()
