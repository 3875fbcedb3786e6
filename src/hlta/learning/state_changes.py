"""Adding states to all latent variables of a tree, and merging those that documents do not tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.special import xlogy

from hlta.learning.em import PSEUDO_COUNT, maximise, prior_counts
from hlta.tree.counts import e_step
from hlta.tree.parameters import (
    MAX_PROBABILITY,
    MIN_PROBABILITY,
    Parameters,
    latent_parents,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

_NOISE: Final = 0.5  # standard deviation of the logarithm of odds and of weights
_TIE: Final = 0.9  # share of P(copies of k' | parent = copy c of k) that goes to copy c itself


def add_states(
    tree: LatentTree, states: int | NDArray[np.int32], seed: np.random.SeedSequence
) -> LatentTree:
    """The tree with more states: copies of those that it has, made different.

    `states` is how many each latent variable gets, int32 (n_latents,), or the same number for all.
    State 0, the background, is not copied; the others take turns. Copies are tied along the tree:
    under the first copy of a state are mostly the first copies, under the second the second.
    """
    rng = np.random.default_rng(seed)
    _, word, latent, _ = tree.parameters
    after = np.broadcast_to(np.asarray(states, dtype=np.int32), len(latent)).copy()
    new = _Copies.of(tree.parameters.states, after)
    above = latent_parents(tree.parent, tree.n_words)
    of_words, of_latents = above[: tree.n_words], above[tree.n_words :]
    root = tree.root - tree.n_words
    pattern = _pattern(after, of_words, of_latents, root)

    word = np.take_along_axis(word, new.source[of_words], axis=1)
    odds = word / (1.0 - word)
    varied = new.is_copied[of_words]
    odds[varied] *= np.exp(rng.normal(0.0, _NOISE, np.count_nonzero(varied)))
    word = np.clip(odds / (1.0 + odds), MIN_PROBABILITY, MAX_PROBABILITY)

    weight = np.exp(rng.normal(0.0, _NOISE, (len(latent), new.most, new.most)))
    rows = np.take_along_axis(latent, new.source[of_latents][:, :, None], axis=1)
    rows = np.take_along_axis(rows, new.source[:, None, :], axis=2)
    rows = np.maximum(rows * new.shares(of_latents, root, weight), MIN_PROBABILITY)
    rows[pattern.latent == 0.0] = 0.0
    sums = rows.sum(axis=2, keepdims=True)
    return tree.with_probability(
        pattern._replace(
            word=np.where(pattern.word > 0.0, word, 0.0),
            latent=rows / np.where(sums > 0.0, sums, 1.0),
        )
    )


class _Copies(NamedTuple):
    """Which states are copies of which, when variables get more of them."""

    source: NDArray[np.intp]  # (n_latents, K): the state copied; 0 where there is no state
    copy: NDArray[np.intp]  # (n_latents, K): the number of the copy, from 0, the state itself
    alike: NDArray[np.float64]  # (n_latents, K, K): 1 for copies of the same state
    is_copied: NDArray[np.bool_]  # (n_latents, K): whether there are several

    @classmethod
    def of(cls, before: NDArray[np.int32], after: NDArray[np.int32]) -> _Copies:
        number, before = np.arange(int(after.max())), before[:, None]
        exists, is_new = number < after[:, None], number >= before
        copy, place = np.divmod(number - before, before - 1)
        source = np.where(is_new, 1 + place, number) * exists
        alike = source[:, :, None] == source[:, None, :]
        alike &= exists[:, :, None] & exists[:, None, :]
        is_copied = alike.sum(axis=2) > 1
        return cls(source, np.where(is_new, copy + 1, 0), alike.astype(np.float64), is_copied)

    @property
    def most(self) -> int:
        """K."""
        return int(self.source.shape[1])

    def shares(
        self, above: NDArray[np.int32], root: int, weight: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """What each copy gets of the probability of its state, per state of the parent."""
        share = weight / np.maximum(weight @ self.alike, MIN_PROBABILITY)
        share[root] = share[root, 0]
        twins = self.copy[above][:, :, None] == self.copy[:, None, :]
        twins &= self.is_copied[above][:, :, None] & self.is_copied[:, None, :]
        twins[root] = False
        tied = (1.0 - _TIE) * share + _TIE * twins
        return np.where(twins @ self.alike > 0.0, tied, share)


def merge_states(
    tree: LatentTree,
    documents: Documents,
    price: float,
    *,
    shrinkage: float,
    state_shrinkage: float,
    n_jobs: int | None = None,
) -> LatentTree:
    """Merge states of each latent variable while that costs at most `price` nats per parameter saved.

    The cost is the expected log-likelihood that is lost when the variable's children depend on the
    merged state; P(variable | parent) loses nothing, as the probabilities add up. At least two states
    remain.
    """
    counts = e_step(tree.inference(), documents, n_jobs=n_jobs)
    word, latent = counts.word.copy(), counts.latent.copy()
    states = tree.parameters.states.copy()
    above = latent_parents(tree.parent, tree.n_words)
    of_words, of_latents = above[: tree.n_words], above[tree.n_words :].copy()
    root = tree.root - tree.n_words
    of_latents[root] = -1
    for v in (tree.numbering.nodes - tree.n_words).tolist():  # parents first: theirs are settled
        words, latents = np.flatnonzero(of_words == v), np.flatnonzero(of_latents == v)
        table = np.concatenate([*word[words], *latent[latents]], axis=1)[: states[v]]
        saved = len(words) + (states[latents] - 1).sum()  # parameters per state
        saved += 1 if v == root else states[of_latents[v]]
        group = _groups(table, len(words) + len(latents), price * saved)
        states[v] = group.max() + 1
        merging = np.zeros((word.shape[1], word.shape[1]))
        merging[np.arange(len(group)), group] = 1.0
        word[words] = merging.T @ word[words]
        latent[latents] = merging.T @ latent[latents]
        latent[v] = latent[v] @ merging
    pattern = _pattern(states, of_words, of_latents, root)
    most = pattern.most_states
    word, latent = word[:, :most], latent[:, :most, :most]
    prior = prior_counts(states, documents, PSEUDO_COUNT, shrinkage, state_shrinkage)
    return tree.with_probability(maximise(word, latent, pattern, prior))


def _pattern(
    states: NDArray[np.int32], of_words: NDArray[np.int32], of_latents: NDArray[np.int32], root: int
) -> Parameters:
    """Parameters that are 0.5 where states exist, and 0 elsewhere."""
    exists = np.arange(int(states.max())) < states[:, None]
    of_parent = exists[of_latents]
    of_parent[root] = True  # it has none; all its rows are the same
    return Parameters(
        states,
        np.where(exists[of_words], 0.5, 0.0),
        np.where(of_parent[:, :, None] & exists[:, None, :], 0.5, 0.0),
    )


def _groups(table: NDArray[np.float64], n_children: int, price: float) -> NDArray[np.intp]:
    """Which states to merge: a group for each, numbered by their first states.

    `table` holds the expected counts of all children's states, float64 (states, entries).
    """
    table, group = table.copy(), np.arange(len(table))

    def fit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The log-likelihood of the children, given each row's own shares of their states."""
        total = rows.sum(axis=-1) / n_children  # a child is in some state in every document
        return np.asarray(xlogy(rows, rows).sum(axis=-1) - n_children * xlogy(total, total))

    own = fit(table)
    loss = np.add.outer(own, own) - fit(table[:, None] + table)
    np.fill_diagonal(loss, np.inf)
    for _ in range(len(table) - 2):
        kept, merged = sorted(divmod(int(loss.argmin()), len(table)))
        if loss[kept, merged] > price:
            break
        group[group == merged] = kept
        table[kept] += table[merged]
        own[kept] += own[merged] - loss[kept, merged]
        loss[merged] = loss[:, merged] = np.inf
        new = own + own[kept] - fit(table + table[kept])
        loss[kept] = loss[:, kept] = np.where(np.isinf(loss[kept]), np.inf, new)
    return np.asarray(np.unique(group, return_inverse=True)[1])
