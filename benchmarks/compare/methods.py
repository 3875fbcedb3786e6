"""HLTA and its rivals, each with the paper's settings: three levels, about as many topics as HLTA finds.

All else is the default of the package. A method returns its topics, and what its likelihood can be
computed from: a latent tree, or a mixture of topics.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.compare.completion import Mixture
from hlta.evaluate.lists import WordList

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.compare.corpora import Split
    from hlta import LatentTree

_WORDS = 10
_NHDP_EPOCHS, _NHDP_DOCUMENTS = 10, 20_000  # whichever is less
HLTA_TOPICS = {"nips-1k": 130, "nips-5k": 420, "news-1k": 130, "news-5k": 470, "arxiv-10k": 430}


@dataclass
class Learned:
    topics: list[WordList] = field(default_factory=list)
    tree: LatentTree | None = None
    mixture: Mixture | None = None


@dataclass(frozen=True)
class Method:
    """How to run it, and what it needs.

    label     as in the tables
    package   what must be installed, besides hlta
    least     documents below which it is not run, as in the paper
    bow       whether it learns from counts
    """

    run: Callable[[Split, int, int], Learned]
    label: str
    package: str | None = None
    least: int = 0
    bow: bool = False


# ---- latent trees --------------------------------------------------------------------------------


def _hlta(split: Split, seed: int, **options: object) -> Learned:
    from hlta import HLTA, Corpus

    model = HLTA(random_state=seed, **options).fit(Corpus(split.train, split.words))
    topics = [WordList(topic.words, topic.level) for topic in model.topics_]
    return Learned(topics, tree=model.tree_)


def hlta_default(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001
    return _hlta(split, seed)


def hlta_batch(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001
    return _hlta(split, seed, em="batch", structure_sample=None, refine=False)


def hlta_step(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001
    return _hlta(split, seed, em="stepwise", refine=False)


def corex(split: Split, topics: int, seed: int) -> Learned:
    """Layers in the ratio 20 : 4 : 1; topics from all layers, their words from the words below."""
    from corextopic import corextopic

    from benchmarks.compare.corex import Layer, as_tree
    from hlta import TopicTree
    from hlta.topics.states import order_states

    top = max(2, round(topics / 25))
    states = split.train.astype(float)
    layers = []
    for size in (20 * top, 4 * top, top):
        model = corextopic.Corex(n_hidden=size, seed=seed)
        model.fit(states if not layers else np.asarray(states))
        parent = model.clusters if model.clusters.ndim == 1 else model.alpha.argmax(axis=0)
        dense = states.toarray() if not layers else np.asarray(states)
        layers.append(Layer(dense.astype(float), np.asarray(model.p_y_given_x), parent))
        states = model.labels.astype(float)
    tree = order_states(as_tree(split.words, layers))
    found = TopicTree.from_tree(tree, lowest_level=1)
    lists = [WordList(topic.words, topic.level) for topic in found if len(topic.words) > 1]
    return Learned(lists, tree=tree)


# ---- mixtures ------------------------------------------------------------------------------------


def lda_sklearn(split: Split, topics: int, seed: int) -> Learned:
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(topics, random_state=seed).fit(split.train)
    phi = model.components_ / model.components_.sum(axis=1, keepdims=True)
    prior = np.full(topics, model.doc_topic_prior_)
    return Learned(_lists(phi, split.words, [1] * topics), mixture=Mixture(phi, prior))


def lda_tomotopy(split: Split, topics: int, seed: int) -> Learned:
    import tomotopy

    model = tomotopy.LDAModel(k=topics, seed=seed + 1)
    _train(model, split, 1000)
    phi = _phi(model, range(topics), split.words)
    return Learned(_lists(phi, split.words, [1] * topics), mixture=Mixture(phi, model.alpha))


def hpam(split: Split, topics: int, seed: int) -> Learned:
    import tomotopy

    upper = max(2, round(topics / 12))
    model = tomotopy.HPAModel(k1=upper, k2=topics - upper - 1, seed=seed + 1)
    _train(model, split, 1000)
    numbers = range(1 + model.k1 + model.k2)
    phi = _phi(model, numbers, split.words)
    levels = [3] + [2] * model.k1 + [1] * model.k2
    use = sum(np.asarray(doc.get_topic_dist()) for doc in model.docs) / len(model.docs)
    prior = 0.1 * len(phi) * use + 1e-4
    return Learned(_lists(phi, split.words, levels), mixture=Mixture(phi, prior))


def ncrp(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001  (it finds their number)
    import tomotopy

    model = tomotopy.HLDAModel(depth=3, seed=seed + 1)
    _train(model, split, 1000)
    live = [k for k in range(model.k) if model.is_live_topic(k)]
    phi = _phi(model, live, split.words)
    place = {k: row for row, k in enumerate(live)}
    paths, weight = [], []
    for k in live:
        if model.level(k) == model.depth - 1:
            path = [k]
            while model.level(path[0]):
                path.insert(0, model.parent_topic(path[0]))
            paths.append([place[v] for v in path])
            weight.append(model.num_docs_of_topic(k) + 1e-3)
    prior = np.asarray(model.alpha)[[model.level(k) for k in live]]
    levels = [model.depth - model.level(k) for k in live]
    share = np.array(weight) / sum(weight)
    return Learned(
        _lists(phi, split.words, levels), mixture=Mixture(phi, prior, (np.array(paths), share))
    )


def nhdp(split: Split, topics: int, seed: int) -> Learned:
    from benchmarks.compare.nhdp import NestedHDP, Settings

    branching = (max(2, round(topics / 25)), 4, 5)
    epochs = max(1, min(_NHDP_EPOCHS, round(_NHDP_DOCUMENTS / split.train.shape[0])))
    settings = Settings(branching=branching, epochs=epochs)
    model = NestedHDP(settings, seed=seed).fit(split.train)
    levels = (1 + model.tree.level.max() - model.tree.level).tolist()
    prior = 20.0 * model._weights() + 1e-4
    return Learned(_lists(model.phi, split.words, levels), mixture=Mixture(model.phi, prior))


def _train(model: object, split: Split, iterations: int) -> None:
    """tomotopy's model, on all processors; with several workers it is not reproducible."""
    rows = zip(split.train.indptr[:-1], split.train.indptr[1:], strict=True)
    for a, b in rows:
        if b > a:
            times = split.train.data[a:b].astype(int)
            words = np.repeat(split.train.indices[a:b], times)
            model.add_doc([split.words[k] for k in words])  # type: ignore[attr-defined]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.train(iterations, workers=0, show_progress=False)  # type: ignore[attr-defined]


def _phi(model: object, topics: object, words: list[str]) -> np.ndarray:
    column = {word: k for k, word in enumerate(words)}
    places = [column[word] for word in model.used_vocabs]  # type: ignore[attr-defined]
    out = np.full((len(topics), len(words)), 1e-12)  # type: ignore[arg-type]
    for row, k in enumerate(topics):  # type: ignore[call-overload]
        out[row, places] = model.get_topic_word_dist(k)  # type: ignore[attr-defined]
    return np.asarray(out / out.sum(axis=1, keepdims=True))


def _lists(phi: np.ndarray, words: list[str], levels: list[int]) -> list[WordList]:
    best = np.argsort(-phi, axis=1, kind="stable")[:, :_WORDS]
    return [
        WordList([words[k] for k in row], level) for row, level in zip(best, levels, strict=True)
    ]


METHODS = {
    "hlta": Method(hlta_default, "hlta, its defaults"),
    "hlta-batch": Method(hlta_batch, "HLTA-batch"),
    "hlta-step": Method(hlta_step, "HLTA-step", least=10_001),
    "ncrp-bin": Method(ncrp, "nCRP-bin", "tomotopy"),
    "nhdp-bin": Method(nhdp, "nHDP-bin"),
    "hpam-bin": Method(hpam, "hPAM-bin", "tomotopy"),
    "corex": Method(corex, "CorEx", "corextopic"),
    "lda-sklearn-bin": Method(lda_sklearn, "LDA, scikit-learn"),
    "ncrp-bow": Method(ncrp, "nCRP-bow", "tomotopy", bow=True),
    "nhdp-bow": Method(nhdp, "nHDP-bow", bow=True),
    "hpam-bow": Method(hpam, "hPAM-bow", "tomotopy", bow=True),
    "lda-sklearn-bow": Method(lda_sklearn, "LDA, scikit-learn, bow", bow=True),
    "lda-tomotopy-bin": Method(lda_tomotopy, "LDA, tomotopy", "tomotopy"),
}
