"""New documents in a fitted model: incremental EM from the counts that the model stands for.

A model that knows its number of documents knows their expected counts: the M-step is turned round.
So it learns from a portion of new documents in a time that does not grow with the earlier ones, which
nobody needs to keep.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy.special import xlog1py, xlogy

from hlta.algorithm.em import PSEUDO_COUNT, SHRINKAGE, Prior, maximise, prior_of
from hlta.algorithm.true_sizes import within_parents
from hlta.tree.counts import Workspace, e_step
from hlta.tree.independence import evidence_against
from hlta.tree.inference import Inference
from hlta.tree.parameters import latent_parents

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree
    from hlta.tree.parameters import Parameters

MOST_STEPS: Final = 20
"""Passes over the new documents, at most."""
TOLERANCE: Final = 0.01
"""The passes end when one gains less than this, in nats per new document."""

ASKED: Final = 10_000
"""For how many documents, at most, it is noted how a model sees them."""


CAUTION: Final = 10.0
"""How many documents are added to each state, with each word as often as in all documents: so only the
words of a topic are evidence against a document, and not what few documents said by chance."""


class Seen(NamedTuple):
    """How a tree sees documents.

    shares   float64 (n_latents,): the mean of P(topic | document)
    spreads  float64 (n_latents,): its variance
    most     float: the most evidence against one of them, see `cautious`, beyond what is to be
             expected of so many documents from the tree
    """

    shares: NDArray[np.float64]
    spreads: NDArray[np.float64]
    most: float

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return self._asdict() | {
            "shares": self.shares.tolist(),
            "spreads": self.spreads.tolist(),
        }

    @classmethod
    def read(cls, values: dict[str, Any], n_latents: int) -> Seen:
        """From the header of a file; raises KeyError, ValueError or TypeError if it is damaged."""
        arrays = [np.array(values[name], dtype=np.float64) for name in ("shares", "spreads")]
        for array in arrays:
            if array.shape != (n_latents,) or not ((array >= 0.0) & (array <= 1.0)).all():
                raise ValueError("what is known of topics is not a share per latent variable")
        return cls(arrays[0], arrays[1], float(values["most"]))


class Statistics(NamedTuple):
    """What a model knows of the documents it was learned from, besides its parameters.

    weight           float: how many there are; documents that faded count less
    squares          float: the sum of the squares of their weights
    shrinkage, state_shrinkage, nested
                     how their counts became parameters, see `batch_em`
    seen             Seen: how the model sees them
    """

    weight: float
    squares: float
    shrinkage: float
    state_shrinkage: float
    nested: bool
    seen: Seen

    @property
    def effective(self) -> float:
        """How many documents of equal weight would tell as much."""
        return self.weight**2 / self.squares

    def faded(self, factor: float) -> Statistics:
        """The same with all weights multiplied by a factor."""
        return self._replace(weight=factor * self.weight, squares=factor**2 * self.squares)

    def with_more(self, n_new: int) -> Statistics:
        """The same after as many new documents, which weigh 1 each."""
        return self._replace(weight=self.weight + n_new, squares=self.squares + n_new)

    def of_sample(self, whole: Statistics) -> Statistics:
        """Those of a tree that was learned from a sample and stands for the whole.

        It weighs as much, but tells no more than the sample.
        """
        squares = max(whole.squares, whole.weight**2 / self.effective)
        return self._replace(weight=whole.weight, squares=squares)

    def reshaped(self, before: LatentTree, tree: LatentTree) -> Statistics:
        """Those of a tree that edits or further words made of the tree before.

        How much the share of a topic differs from its size is taken to stay.
        """
        excess = self.seen.shares - before.marginals[before.n_words :]
        size = tree.marginals[tree.n_words :]
        place = {name: k for k, name in enumerate(before.latent_names)}
        own = np.array([place.get(name, -1) for name in tree.latent_names])
        shares = np.clip(size + np.where(own >= 0, excess[own], 0.0), 0.0, 1.0)
        spreads = np.where(own >= 0, self.seen.spreads[own], size * (1.0 - size))
        return self._replace(seen=self.seen._replace(shares=shares, spreads=spreads))

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return self._asdict() | {"seen": self.seen.plain()}

    @classmethod
    def read(cls, values: dict[str, Any], n_latents: int) -> Statistics:
        """From the header of a file; raises KeyError, ValueError or TypeError if it is damaged."""
        numbers = weight, squares, *_ = [float(values[name]) for name in cls._fields[:4]]
        if not all(np.isfinite(number) and number >= 0.0 for number in numbers):
            raise ValueError("statistics must hold numbers of 0 or more")
        if not weight or not squares:
            raise ValueError("statistics must be of one document or more")
        seen = Seen.read(values["seen"], n_latents)
        return cls(weight, squares, numbers[2], numbers[3], bool(values["nested"]), seen)

    def prior(self, states: NDArray[np.int32], share: NDArray[np.float64]) -> Prior:
        """The prior of words that are in such a share of the documents."""
        return prior_of(states, share, PSEUDO_COUNT, self.shrinkage, self.state_shrinkage)


class OldCounts(NamedTuple):
    """Expected counts as in `Counts`, of documents that are no longer there."""

    word: NDArray[np.float64]
    latent: NDArray[np.float64]


class Updated(NamedTuple):
    """The result of an update."""

    tree: LatentTree
    statistics: Statistics


def statistics_of(
    tree: LatentTree,
    documents: Documents,
    *,
    shrinkage: float = SHRINKAGE,
    state_shrinkage: float = 0.0,
    nested: bool = False,
    n_jobs: int | None = None,
) -> Statistics:
    """The statistics of a tree that was learned from these documents, which are in any order."""
    count = float(len(documents))
    nothing = Seen(np.zeros(tree.n_latents), np.zeros(tree.n_latents), 0.0)
    statistics = Statistics(count, count, shrinkage, state_shrinkage, nested, nothing)
    return statistics._replace(seen=seen_by(tree, statistics, documents, n_jobs=n_jobs))


def cautious(tree: LatentTree, statistics: Statistics) -> LatentTree:
    """The tree, with words whose shares in each state are nearer to those in all documents."""
    old, states = old_counts(tree, statistics), tree.parameters.states
    share = np.minimum(old.word[:, :, 1].sum(axis=1) / statistics.weight, 1.0)
    prior = statistics._replace(shrinkage=statistics.shrinkage + CAUTION).prior(states, share)
    return tree.with_probability(maximise(old.word, old.latent, tree.parameters, prior))


def seen_by(
    tree: LatentTree, statistics: Statistics, documents: Documents, *, n_jobs: int | None = None
) -> Seen:
    """How a tree sees documents, or `ASKED` of them at regular distances."""
    step = max(1, len(documents) // ASKED)
    asked = documents if step == 1 else documents.take(np.arange(0, len(documents), step))
    shares, squares = np.zeros(tree.n_latents), np.zeros(tree.n_latents)
    for _, _, on in tree.portions(asked, n_jobs=n_jobs):
        shares += on.sum(axis=0)
        squares += (on**2).sum(axis=0)
    shares /= len(asked)
    evidence = evidence_against(cautious(tree, statistics), asked, n_jobs=n_jobs)
    most = max(0.0, float(evidence.max()) - log(len(asked)))
    spreads = np.maximum(squares / len(asked) - shares**2, 0.0)
    return Seen(np.minimum(shares, 1.0), spreads, most)


def update(
    tree: LatentTree,
    statistics: Statistics,
    documents: Documents,
    *,
    fading: float = 1.0,
    start: Parameters | None = None,
    n_jobs: int | None = None,
) -> Updated:
    """Learn the parameters from the documents so far, whose weight fades by a factor, and new ones.

    The tree tells the expected counts of the former, which stay as they are; those of the latter are
    computed anew in each step, as in batch EM (the incremental EM of Neal and Hinton), which starts
    at the parameters of the tree or at others. Without nesting and state shrinkage, each step
    increases the log-likelihood of the latter plus `_expected` of the former.
    """
    before = seen_by(tree, statistics, documents, n_jobs=n_jobs)
    statistics = statistics.faded(fading)
    old = old_counts(tree, statistics)
    present = old.word[:, :, 1].sum(axis=1) + documents.document_frequency
    total = statistics.weight + len(documents)
    parameters = tree.parameters if start is None else start
    prior = statistics.prior(parameters.states, np.minimum(present / total, 1.0))
    workspace, reached, steps = Workspace(), -np.inf, 0
    while True:
        inference = Inference.under(tree.numbering, parameters)
        counted = e_step(inference, documents, n_jobs=n_jobs, workspace=workspace)
        value = counted.log_likelihood + _expected(tree, parameters, old, prior)
        if steps == MOST_STEPS or value - reached < TOLERANCE * len(documents):
            break
        reached, steps = value, steps + 1
        word, latent = old.word + counted.word, old.latent + counted.latent
        parameters = maximise(word, latent, parameters, prior)
        if statistics.nested:
            parameters = within_parents(parameters, tree)
    tree = tree.with_probability(parameters)
    whole = statistics.with_more(len(documents))
    after = seen_by(tree, whole, documents, n_jobs=n_jobs)
    seen = _seen_together(statistics, before, after, len(documents))
    return Updated(tree, whole._replace(seen=seen))


def _seen_together(statistics: Statistics, before: Seen, after: Seen, n_new: int) -> Seen:
    """How an updated tree sees all documents, from how it sees the new ones `before` and `after`.

    The old documents are not there to be asked: what is seen of them is taken to move as much.
    """
    old, total = statistics.seen, statistics.weight + n_new
    moved = [
        np.clip(was + (now - then), 0.0, 1.0)
        for was, now, then in zip(old[:2], after[:2], before[:2], strict=True)
    ]
    shares, spreads = (
        (statistics.weight * was + n_new * now) / total
        for was, now in zip(moved, after[:2], strict=True)
    )
    return Seen(shares, spreads, max(old.most, after.most))


def old_counts(tree: LatentTree, statistics: Statistics) -> OldCounts:
    """The expected counts from which `maximise` made the parameters, from the root downwards.

    With nested topics, or after edits, they are those of the parameters as they are, none below 0.
    """
    parameters, n_words = tree.parameters, tree.n_words
    weight, has_state = statistics.weight, parameters.has_state
    parent = latent_parents(tree.parent, n_words)
    rows, spread = 2.0 * PSEUDO_COUNT, statistics.state_shrinkage / max(weight, 1.0)
    added = (rows / parameters.states)[:, None]  # to each entry of a row
    row_total = rows + statistics.state_shrinkage
    latent, total = np.zeros_like(parameters.latent), np.zeros(has_state.shape)
    for layer in tree.numbering.layers():
        own = tree.numbering.nodes[layer] - n_words
        if layer.start == 0:
            filled = parameters.latent[own, 0] * (weight + row_total) - added[own]
            total[own] = np.maximum(filled / (1.0 + spread), 0.0) * has_state[own]
            latent[own] = total[own][:, None, :]
            continue
        above = parent[n_words:][own]
        exists = has_state[above][:, :, None] & has_state[own][:, None, :]
        in_rows = total[above][:, :, None] + row_total
        whole = np.where(exists, parameters.latent[own] * in_rows - added[own][:, None], 0.0)
        n_rows = has_state[above].sum(axis=1)[:, None]
        of_state = whole.sum(axis=1) / (1.0 + n_rows * spread)
        counts = np.maximum(whole - spread * of_state[:, None, :], 0.0) * exists
        latent[own], total[own] = counts, counts.sum(axis=1)
    return OldCounts(_old_words(tree, statistics, total, has_state[parent[:n_words]]), latent)


def _old_words(
    tree: LatentTree,
    statistics: Statistics,
    total: NDArray[np.float64],
    exists: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """The same for words, whose prior depends on the share of the documents that they are in."""
    of_parent = total[latent_parents(tree.parent, tree.n_words)[: tree.n_words]]
    in_rows = of_parent + 2.0 * PSEUDO_COUNT + statistics.shrinkage
    whole = np.where(exists, tree.parameters.word * in_rows - PSEUDO_COUNT, 0.0)
    n_rows = exists.sum(axis=1)
    documents = of_parent.sum(axis=1) + n_rows * statistics.shrinkage
    share = whole.sum(axis=1) / np.maximum(documents, 1e-300)
    present = np.clip(whole - statistics.shrinkage * share[:, None], 0.0, of_parent) * exists
    return np.stack((of_parent - present, present), axis=2)


def words_on_topics(tree: LatentTree, statistics: Statistics) -> NDArray[np.float64]:
    """How many documents on the topic above lack each word, and contain it: float64 (n_words, 2).

    They are expected numbers, of as many documents of equal weight as tell as much.
    """
    above = latent_parents(tree.parent, tree.n_words)[: tree.n_words]
    counts = old_counts(tree, statistics).word * tree.parameters.is_on[above][:, :, None]
    return np.asarray(counts.sum(axis=1) * (statistics.effective / statistics.weight))


def _expected(tree: LatentTree, parameters: Parameters, old: OldCounts, prior: Prior) -> float:
    """The log-probability of expected counts, and of the prior, under the parameters."""
    exists = parameters.word > 0.0
    absent, present = (old.word[:, :, k] + prior.word[:, k, None] * exists for k in (0, 1))
    words = xlog1py(absent, -parameters.word) + xlogy(present, parameters.word)
    whole = old.latent + prior.latent[:, None, None] * (parameters.latent > 0.0)
    latents = xlogy(whole, parameters.latent)
    latents[tree.root - tree.n_words, 1:] = 0.0  # the root has one row
    return float(words.sum() + latents.sum())
