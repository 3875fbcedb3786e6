"""All of learning on real texts: it predicts, reads and comes back no worse than it did.

Each floor lies below what was measured by about what other samples of the documents change; the
paper's search alone does not predict as well.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from hlta import HLTA, Corpus, LatentTree, read_corpus
from hlta.evaluate import topic_npmi
from tests.conftest import DEMO

NIPS = Path(__file__).parents[2] / "shared" / "data" / "nips-1k"


def abstracts() -> Corpus:
    return read_corpus(DEMO, text="abstract")


def papers() -> Corpus:
    if not NIPS.is_dir():
        pytest.skip("the benchmark corpora are not here")
    parts = [sparse.load_npz(NIPS / f"{part}.npz") for part in ("train", "test")]
    return Corpus(sparse.vstack(parts), (NIPS / "vocab.txt").read_text(encoding="utf-8").split())


def topics_of_words(tree: LatentTree, level: int) -> NDArray[np.intp]:
    """The topic of each word at a level: its lowest ancestor that is not below it."""
    above = tree.parent[: tree.n_words].astype(np.intp)
    while (low := tree.level[above] < level).any():
        above[low] = tree.parent[above[low]]
    return above


@pytest.mark.slow
@pytest.mark.parametrize(
    ("read", "log_likelihood", "coherence", "agreement"),
    [(abstracts, -108.5, 0.03, 0.04), (papers, -432.0, 0.21, 0.22)],
)
def test_what_is_learned_from_halves_of_the_documents(
    read: Callable[[], Corpus], log_likelihood: float, coherence: float, agreement: float
) -> None:
    corpus = read()
    order = np.random.default_rng(1).permutation(len(corpus))
    held_out, *halves = (
        np.sort(part) for part in np.split(order, [len(order) // 5, len(order) * 3 // 5])
    )
    one, other = (HLTA(samples=200).fit(corpus.take(half)) for half in halves)
    scores = [float(model.score(corpus.take(held_out))) for model in (one, other)]
    npmi = [np.nanmean(topic_npmi(m.topics_, corpus.documents, corpus.words)) for m in (one, other)]
    agreed = [
        float(adjusted_rand_score(*(topics_of_words(model.tree_, level) for model in (one, other))))
        for level in (1, 2)
    ]
    assert min(scores) > log_likelihood
    assert min(npmi) > coherence
    assert min(agreed) > agreement
