"""New documents in a fitted model: incremental EM from the counts that the model stands for.

A model that knows its number of documents knows their expected counts: the M-step is turned round.
So it learns from a portion of new documents in a time that does not hang on those before, which
nobody needs to keep.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy.special import xlog1py, xlogy

from hlta.algorithm.em import PSEUDO_COUNT, SHRINKAGE, Prior, maximise, prior_of
from hlta.algorithm.nesting import within_parents
from hlta.tree.counts import Counts, Workspace, e_step
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


_NOT_NUMBERS: Final = ("nested", "shares")  # fields of `Statistics`


class Statistics(NamedTuple):
    """What a model knows of the documents it was learned from, besides its parameters.

    weight           float: how many there are; documents that faded count less
    squares          float: the sum of the squares of their weights
    shrinkage, state_shrinkage, nested
                     how their counts became parameters, see `batch_em`
    shares           float64 (n_latents,): the mean of P(topic | document) over them
    evidence         float: the most evidence against one of them, see `hlta.tree.independence`, beyond
                     what is to be expected of so many documents from the tree
    """

    weight: float
    squares: float
    shrinkage: float
    state_shrinkage: float
    nested: bool
    shares: NDArray[np.float64]
    evidence: float

    @property
    def effective(self) -> float:
        """How many documents of equal weight would tell as much."""
        return self.weight**2 / self.squares

    def faded(self, factor: float) -> Statistics:
        """The same with all weights multiplied by a factor."""
        return self._replace(weight=factor * self.weight, squares=factor**2 * self.squares)

    def after_edits(self, before: LatentTree, tree: LatentTree) -> Statistics:
        """Those of a tree that edits made of the tree before.

        How much the share of a topic differs from its size is taken to stay.
        """
        excess = self.shares - before.marginals[before.n_words :]
        of_topic = dict(zip(before.latent_names, excess.tolist(), strict=True))
        moved = [of_topic.get(name, 0.0) for name in tree.latent_names]
        return self._replace(shares=np.clip(tree.marginals[tree.n_words :] + moved, 0.0, 1.0))

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return self._asdict() | {"shares": self.shares.tolist()}

    @classmethod
    def read(cls, values: dict[str, Any], n_latents: int) -> Statistics:
        """From the header of a file; raises KeyError, ValueError or TypeError if it is damaged."""
        numbers = {name: float(values[name]) for name in cls._fields if name not in _NOT_NUMBERS}
        shares = np.array(values["shares"], dtype=np.float64)
        if shares.shape != (n_latents,) or not ((shares >= 0.0) & (shares <= 1.0)).all():
            raise ValueError("statistics: shares is not a share per latent variable")
        if not all(np.isfinite(value) and value >= 0.0 for value in numbers.values()):
            raise ValueError("statistics holds a number below 0, or none")
        if not numbers["weight"] or not numbers["squares"]:
            raise ValueError("statistics is of no documents")
        return cls(nested=bool(values["nested"]), shares=shares, **numbers)

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
    """The statistics of a tree that was learned from these documents."""
    shares = topic_shares(tree, e_step(tree.inference(), documents, n_jobs=n_jobs))
    count = float(len(documents))
    evidence = _most_evidence(tree, documents, n_jobs)
    return Statistics(count, count, shrinkage, state_shrinkage, nested, shares, evidence)


def _most_evidence(tree: LatentTree, documents: Documents, n_jobs: int | None) -> float:
    most = float(evidence_against(tree, documents, n_jobs=n_jobs).max())
    return max(0.0, most - log(len(documents)))


def topic_shares(tree: LatentTree, counts: Counts) -> NDArray[np.float64]:
    """The mean of P(topic | document), float64 (n_latents,), from the expected counts."""
    of_state = counts.latent.sum(axis=1)
    root = tree.root - tree.n_words
    of_state[root] = counts.latent[root, 0]
    on = np.where(tree.parameters.is_on, of_state, 0.0).sum(axis=1)
    return np.asarray(on / counts.n_documents)


def update(
    tree: LatentTree,
    statistics: Statistics,
    documents: Documents,
    *,
    fading: float = 1.0,
    n_jobs: int | None = None,
) -> Updated:
    """Learn the parameters from the documents so far, whose weight fades by a factor, and new ones.

    The expected counts of the former stay as they are; those of the latter are computed anew in each
    step, as in batch EM (the incremental EM of Neal and Hinton). Without nesting and state shrinkage,
    each step increases the log-likelihood of the latter plus `_expected` of the former.
    """
    counted = e_step(tree.inference(), documents, n_jobs=n_jobs)
    shift = -topic_shares(tree, counted)
    statistics = statistics.faded(fading)
    old = old_counts(tree, statistics)
    present = old.word[:, :, 1].sum(axis=1) + documents.document_frequency
    total = statistics.weight + len(documents)
    parameters = tree.parameters
    prior = statistics.prior(parameters.states, np.minimum(present / total, 1.0))
    workspace, reached, steps = Workspace(), -np.inf, 0
    while True:
        value = counted.log_likelihood + _expected(tree, parameters, old, prior)
        if steps == MOST_STEPS or value - reached < TOLERANCE * len(documents):
            break
        reached, steps = value, steps + 1
        word, latent = old.word + counted.word, old.latent + counted.latent
        parameters = maximise(word, latent, parameters, prior)
        if statistics.nested:
            parameters = within_parents(parameters, tree)
        inference = Inference.under(tree.numbering, parameters)
        counted = e_step(inference, documents, n_jobs=n_jobs, workspace=workspace)
    new = topic_shares(tree, counted)
    # The old documents are not there to be asked: their shares are taken to move as the new ones' do.
    moved = np.clip(statistics.shares + shift + new, 0.0, 1.0)
    shares = (statistics.weight * moved + len(documents) * new) / total
    tree = tree.with_probability(parameters)
    statistics = statistics._replace(
        weight=total,
        squares=statistics.squares + len(documents),
        shares=shares,
        evidence=max(statistics.evidence, _most_evidence(tree, documents, n_jobs)),
    )
    return Updated(tree, statistics)


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
    """The same for words, whose prior hangs on the share of the documents that they are in."""
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
