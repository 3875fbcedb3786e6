"""How much of a tree stays the same when a tenth of the documents changes.

    python -m benchmarks.stability [CORPUS ...] [--pairs 10] [--samples 1 auto]

Two models are learned from two random samples of 90% of the documents, or of the training documents
where a corpus has them, with structure from all of these. Level by level, the adjusted Rand index
compares which words share a topic: 1 if the same do, 0 if as many do as by chance. A row is a number
of `samples` that vote on the structure: the index at each level, means over the pairs; then, for one
model of each pair, log-likelihood per test document, coherence and number of topics, and seconds of
the fit. Where there are no test documents, the documents left out of the sample take their place.
"""

from __future__ import annotations

import argparse
import time
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from sklearn.metrics import adjusted_rand_score

import hlta
from benchmarks import prepared
from benchmarks.prepared import DATA, MATRICES, Matrices
from hlta import HLTA, read_corpus
from hlta.evaluate import topic_coherence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta import LatentTree

TEXTS: Final = {
    "demo": Path(hlta.__file__).parent / "data" / "arxiv.tsv.xz",
    "ai-abstracts": DATA / "ai-abstracts.jsonl.xz",
    "arxiv-50k": DATA / "arxiv-50k.tsv.xz",
}
DEFAULT: Final = ("demo", "nips-1k", "news-1k", "ai-abstracts")
SHARE: Final = 0.9


def topic_of_words(tree: LatentTree, level: int) -> NDArray[np.intp]:
    """The topic of each word at a level: its lowest ancestor that is not below it."""
    above = tree.parent[: tree.n_words].astype(np.intp)
    while (low := tree.level[above] < level).any():
        above[low] = tree.parent[above[low]]
    return above


def agreement(one: LatentTree, other: LatentTree) -> list[float]:
    """The adjusted Rand index at each level that both trees have; the last is that of the tops."""
    tops = int(one.level.max()), int(other.level.max())
    levels = [(k, k) for k in range(1, min(tops))] + [tops]
    return [
        float(adjusted_rand_score(topic_of_words(one, a), topic_of_words(other, b)))
        for a, b in levels
    ]


class Row(NamedTuple):
    """What one pair of models shows."""

    agreement: list[float]
    log_likelihood: float
    coherence: float
    topics: int
    seconds: float


def compare(data: Matrices, seed: int, samples: int | str) -> Row:
    """Learn two models from two samples, and compare them."""
    rng = np.random.default_rng(seed)
    count = data.train.shape[0]
    models, seconds, left_out = [], [], []
    for _ in range(2):
        rows = np.sort(rng.choice(count, round(SHARE * count), replace=False))
        start = time.perf_counter()
        model = HLTA(structure_sample=None, samples=samples).fit(data.train[rows], words=data.words)
        seconds.append(time.perf_counter() - start)
        models.append(model)
        left_out.append(np.setdiff1d(np.arange(count), rows))
    first = models[0]
    coherence = topic_coherence(first.topics_, data.train, first.tree_.words)
    return Row(
        agreement(first.tree_, models[1].tree_),
        first.score(data.test if data.test.shape[0] else data.train[left_out[0]]),
        float(np.nanmean(coherence)),
        len(first.topics_),
        float(np.mean(seconds)),
    )


def read(name: str) -> Matrices:
    """A prepared corpus; or texts, without test documents."""
    if name in MATRICES:
        return prepared.read(name)
    corpus = read_corpus(TEXTS[name])
    matrix = corpus.documents.to_csr()
    return Matrices(matrix, matrix[:0], list(corpus.words))


def show(name: str, samples: int | str, rows: list[Row]) -> None:
    """Print a line with the means over the pairs."""
    tops = [row.agreement[-1] for row in rows]
    below = zip_longest(*(row.agreement[:-1] for row in rows), fillvalue=np.nan)
    levels = [float(np.nanmean(values)) for values in below]
    _, *others = zip(*rows, strict=True)
    log_likelihood, coherence, topics, seconds = (float(np.mean(values)) for values in others)
    print(
        f"| {name} | {samples} | {' / '.join(f'{value:.2f}' for value in levels)} "
        f"| {np.mean(tops):.2f} | {log_likelihood:.2f} | {coherence:.2f} | {topics:.0f} "
        f"| {seconds:.1f} |",
        flush=True,
    )


def _number_or_auto(value: str) -> int | str:
    return value if value == "auto" else int(value)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    known = [*TEXTS, *MATRICES]
    parser.add_argument("corpora", nargs="*", default=DEFAULT, metavar="CORPUS", help=str(known))
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--samples", type=_number_or_auto, nargs="+", default=(1, "auto"))
    chosen = parser.parse_args()
    prepared.require()
    HLTA(samples=2).fit(np.eye(30, dtype=int))  # compiles what is missing
    print("| corpus | samples | levels from 1 up | top | log-likelihood | coherence | topics | s |")
    print("|---|---|---|---|---|---|---|---|")
    for name in chosen.corpora:
        data = read(name)
        for samples in chosen.samples:
            show(name, samples, [compare(data, seed, samples) for seed in range(chosen.pairs)])


if __name__ == "__main__":
    main()
