"""HLTA and the methods that it is compared with, and what each needs.

As in the paper, hierarchies have three levels, and other methods are asked for about as many topics as
HLTA finds. Everything else is the default of the package unless stated here.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.compare.predictors import Independent, Paths, Topics, Tree
from hlta.evaluate.word_lists import WordList

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from benchmarks.compare.corpora import Split
    from benchmarks.compare.predictors import Predictor

HLTA_TOPICS = {"nips-1k": 130, "nips-5k": 420, "news-1k": 130, "news-5k": 470, "arxiv-10k": 430}
"""About as many topics as HLTA finds: the number that other methods are asked for."""

_WORDS = 10
_LIVE = 0.1  # times an equal share of the words
_PSEUDO_COUNT = 0.1  # documents added that have a word, and as many that lack it
_ITERATIONS = 500
_WORKERS = 0  # all processors, although tomotopy is then not reproducible
# nCRP chooses the number of topics: five with its defaults, and with these about as many as HLTA.
_NCRP_GAMMA = {"nips-1k": 300.0, "nips-5k": 1000.0, "news-1k": 5.0, "news-5k": 30.0}
_NCRP_OTHER_GAMMA = 10.0
_NCRP_ETA = 0.1


@dataclass
class Learned:
    """A predictor and topics.

    Attributes
    ----------
    predict
        Predicts the words of a document of which half are given.
    topics
        The live topics.
    dead
        The number of topics to which hardly any word is assigned; they are not in `topics`.
    """

    predict: Predictor
    topics: list[WordList] = field(default_factory=list)
    dead: int = 0


@dataclass(frozen=True)
class Method:
    """How to run a method, and what it needs.

    Attributes
    ----------
    run
        Takes the documents, the number of topics to find, and a seed.
    label
        Its name in the tables.
    package
        The package that must be installed.
    least
        Below this number of documents it is not run, as in the paper.
    asked
        Whether it is told how many topics to find.
    """

    run: Callable[[Split, int, int], Learned]
    label: str
    package: str = "hlta"
    least: int = 0
    asked: bool = True


# ---- latent trees --------------------------------------------------------------------------------


def _independent(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001
    """Independent words: the baseline that every model must beat."""
    documents = split.train.shape[0]
    count = np.asarray(split.train.sum(axis=0), dtype=float).ravel()
    return Learned(Independent((count + _PSEUDO_COUNT) / (documents + 2 * _PSEUDO_COUNT)))


def _hlta(**options: Any) -> Callable[[Split, int, int], Learned]:
    """HLTA with some options; it finds the number of topics."""

    def run(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001
        from hlta import HLTA, Corpus

        model = HLTA(random_state=seed, **options).fit(Corpus(split.train, split.words))
        found = [WordList(topic.words, topic.level) for topic in model.topics_]
        return Learned(Tree(model.tree_), found)

    return run


def _corex(split: Split, topics: int, seed: int) -> Learned:
    """CorEx with layers in the ratio 20 : 4 : 1.

    All layers give topics; the words of a topic are among the words below it.
    """
    from corextopic import corextopic

    from benchmarks.compare.corex import Layer, as_tree
    from hlta import TopicTree
    from hlta.tree.state_order import order_states

    top = max(2, round(topics / 25))
    states = split.train.astype(float)
    dense = states.toarray()
    layers = []
    for size in (20 * top, 4 * top, top):
        model = corextopic.Corex(n_hidden=size, seed=seed)
        model.fit(states)
        parent = model.clusters if model.clusters.ndim == 1 else model.alpha.argmax(axis=0)
        layers.append(Layer(dense, np.asarray(model.p_y_given_x), parent))
        states = dense = np.asarray(model.labels, dtype=float)
    tree = order_states(as_tree(split.words, layers))
    found = TopicTree.from_tree(tree, lowest_level=1)
    return Learned(Tree(tree), [WordList(topic.words, topic.level) for topic in found])


# ---- mixtures of topics --------------------------------------------------------------------------


def _lda_sklearn(split: Split, topics: int, seed: int) -> Learned:
    """scikit-learn's LDA, by variational inference."""
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(topics, random_state=seed).fit(split.train)
    phi = model.components_ / model.components_.sum(axis=1, keepdims=True)
    predict = Topics(
        phi, model.exp_dirichlet_component_, np.full(topics, float(model.doc_topic_prior_))
    )
    words_on = (model.components_ - model.topic_word_prior_).sum(axis=1)
    return _live(predict, words_on, split.words)


def _lda_tomotopy(split: Split, topics: int, seed: int) -> Learned:
    """tomotopy's LDA, by collapsed Gibbs sampling."""
    import tomotopy

    model = tomotopy.LDAModel(k=topics, seed=seed + 1)
    _train(model, split)
    phi = _phi(model, range(topics), split.words)
    predict = Topics(phi, phi, np.asarray(model.alpha, dtype=float))
    words_on = np.asarray(model.get_count_by_topics(), dtype=float)
    return _live(predict, words_on, split.words)


def _ncrp(split: Split, topics: int, seed: int) -> Learned:  # noqa: ARG001  (it finds their number)
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
    return Learned(predict, _lists(phi, split.words, [model.depth - model.level(k) for k in alive]))


def _live(predict: Topics, words_on: NDArray[np.float64], words: Sequence[str]) -> Learned:
    """Keep the topics that have at least a tenth of an equal share of the words.

    The others are still at their starting point or at the prior. A reader of topics would not be
    shown them, so a method should not be judged by them.
    """
    alive = words_on >= _LIVE * words_on.sum() / len(words_on)
    kept = _lists(predict.phi[alive], words, [1] * int(alive.sum()))
    return Learned(predict, kept, dead=int((~alive).sum()))


def _lists(phi: NDArray[np.float64], words: Sequence[str], levels: Sequence[int]) -> list[WordList]:
    """The most probable words of each topic."""
    best = np.argsort(-phi, axis=1, kind="stable")[:, :_WORDS]
    return [
        WordList([words[k] for k in row], level) for row, level in zip(best, levels, strict=True)
    ]


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


_PAPER: dict[str, Any] = {"refine": False, "states": 2}

METHODS = {
    "hlta": Method(_hlta(samples=1), "hlta, `samples=1`", asked=False),
    "hlta-default": Method(_hlta(), "hlta", asked=False),
    "hlta-states": Method(_hlta(states="auto"), 'hlta, `states="auto"`', asked=False),
    "hlta-batch": Method(
        _hlta(em="batch", structure_sample=None, **_PAPER), "HLTA-batch", asked=False
    ),
    "hlta-step": Method(_hlta(em="stepwise", **_PAPER), "HLTA-step", least=10_001, asked=False),
    "ncrp-bin": Method(_ncrp, "nCRP-bin", "tomotopy", asked=False),
    "corex": Method(_corex, "CorEx", "corextopic"),
    "lda-sklearn-bin": Method(_lda_sklearn, "LDA, scikit-learn"),
    "lda-tomotopy-bin": Method(_lda_tomotopy, "LDA, tomotopy", "tomotopy"),
    "independent": Method(_independent, "independent words", asked=False),
}
