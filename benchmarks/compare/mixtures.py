"""Mixtures of topics: LDA from two packages, and nCRP.

As in the paper, the hierarchy has three levels, and LDA is asked for about as many topics as
HLTA finds. Everything else is the default of the package unless stated here.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.compare.learned import Learned, lists, of_topics
from benchmarks.compare.predictors import Paths, Topics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from benchmarks.compare.corpora import Split

_ITERATIONS = 500
_WORKERS = 0  # all processors, although tomotopy is then not reproducible
# nCRP chooses the number of topics: five with its defaults, and with these about as many as HLTA.
_NCRP_GAMMA = {"nips-1k": 300.0, "nips-5k": 1000.0, "news-1k": 5.0, "news-5k": 30.0}
_NCRP_OTHER_GAMMA = 10.0
_NCRP_ETA = 0.1


def lda_sklearn(split: Split, topics: int, seed: int) -> Learned:
    """scikit-learn's LDA, by variational inference."""
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(topics, random_state=seed).fit(split.train)
    phi = model.components_ / model.components_.sum(axis=1, keepdims=True)
    predict = Topics(
        phi, model.exp_dirichlet_component_, np.full(topics, float(model.doc_topic_prior_))
    )
    words_on = (model.components_ - model.topic_word_prior_).sum(axis=1)
    return of_topics(predict, phi, words_on, split.words)


def lda_tomotopy(split: Split, topics: int, seed: int) -> Learned:
    """tomotopy's LDA, by collapsed Gibbs sampling."""
    import tomotopy

    model = tomotopy.LDAModel(k=topics, seed=seed + 1)
    _train(model, split)
    phi = _phi(model, range(topics), split.words)
    predict = Topics(phi, phi, np.asarray(model.alpha, dtype=float))
    words_on = np.asarray(model.get_count_by_topics(), dtype=float)
    return of_topics(predict, phi, words_on, split.words)


def ncrp(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001  (it finds their number)
    """tomotopy's nested Chinese restaurant process (HLDA) with three levels."""
    import tomotopy

    gamma = _NCRP_GAMMA.get(split.name, _NCRP_OTHER_GAMMA)
    model = tomotopy.HLDAModel(depth=3, gamma=gamma, eta=_NCRP_ETA, seed=seed + 1)
    _train(model, split)
    alive = [k for k in range(model.k) if model.is_live_topic(k)]
    phi = _phi(model, alive, split.words)
    place = {k: row for row, k in enumerate(alive)}
    paths, documents = [], []
    for k in alive:
        if model.level(k) == model.depth - 1:
            path = [k]
            while model.level(path[0]):
                path.insert(0, model.parent_topic(path[0]))
            paths.append([place[v] for v in path])
            documents.append(model.num_docs_of_topic(k))
    weight = np.array(documents) + 1e-3
    prior = np.tile(np.asarray(model.alpha, dtype=float), (len(paths), 1))
    predict = Paths(phi, np.array(paths), weight / weight.sum(), prior)
    levels = [model.depth - model.level(k) for k in alive]
    return Learned(predict, lists(phi, split.words, levels))


def _train(model: Any, split: Split) -> None:
    """Give the documents to one of tomotopy's models, and train it."""
    rows = zip(split.train.indptr[:-1], split.train.indptr[1:], strict=True)
    for a, b in rows:
        if b > a:
            model.add_doc([split.words[k] for k in split.train.indices[a:b]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.train(_ITERATIONS, workers=_WORKERS, show_progress=False)


def _phi(model: Any, topics: Sequence[int], words: Sequence[str]) -> NDArray[np.float64]:
    """P(word | topic) of one of tomotopy's models, with columns in the order of `words`."""
    column = {word: k for k, word in enumerate(words)}
    places = [column[word] for word in model.used_vocabs]
    out = np.full((len(topics), len(words)), 1e-12)
    for row, k in enumerate(topics):
        out[row, places] = model.get_topic_word_dist(k)
    found: NDArray[np.float64] = out / out.sum(axis=1, keepdims=True)
    return found
