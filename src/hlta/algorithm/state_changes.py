"""Adding states to all latent variables of a tree, and merging those that documents do not tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import xlogy

from hlta.algorithm.em import PSEUDO_COUNT, maximise, prior_counts
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


def add_states(tree: LatentTree, states: int, seed: np.random.SeedSequence) -> LatentTree:
    """The tree with `states` states per latent variable: copies of those it has, made different.

    All variables of `tree` have the same number of states. State 0, the background, is not copied;
    the others take turns. Copies are tied along the tree: under the first copy of a state are mostly
    the first copies, under the second the second.
    """
    rng = np.random.default_rng(seed)
    word, latent = tree.parameters.word, tree.parameters.latent
    before = word.shape[1]
    added = np.arange(states - before)
    source = np.concatenate((np.arange(before), 1 + added % (before - 1)))  # the state copied
    copy = np.concatenate((np.zeros(before, dtype=int), 1 + added // (before - 1)))
    alike = source[:, None] == source
    copied = alike.sum(axis=1) > 1
    odds = word[:, source] / (1.0 - word[:, source])
    odds[:, copied] *= np.exp(rng.normal(0.0, _NOISE, (len(word), np.count_nonzero(copied))))

    weight = np.exp(rng.normal(0.0, _NOISE, (len(latent), states, states)))
    share = weight / (weight @ alike)  # of each state among the copies of the same
    twins = (copy[:, None] == copy) & copied[:, None] & copied
    tied = (1.0 - _TIE) * share + _TIE * twins
    root = tree.root - tree.n_words
    same = share[root, 0]
    share = np.where(twins @ alike, tied, share)
    share[root] = same
    rows = np.maximum(latent[:, source][:, :, source] * share, MIN_PROBABILITY)
    return tree.with_probability(
        Parameters(
            np.full(len(latent), states, dtype=np.int32),
            np.clip(odds / (1.0 + odds), MIN_PROBABILITY, MAX_PROBABILITY),
            rows / rows.sum(axis=2, keepdims=True),
        )
    )


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
    exists = np.arange(word.shape[1]) < states[:, None]
    of_parent = exists[of_latents]
    of_parent[root] = True  # it has none; all its rows are the same
    pattern = Parameters(
        states,
        np.where(exists[of_words], 0.5, 0.0),
        np.where(of_parent[:, :, None] & exists[:, None, :], 0.5, 0.0),
    )
    prior = prior_counts(states, documents, PSEUDO_COUNT, shrinkage, state_shrinkage)
    return tree.with_probability(maximise(word, latent, pattern, prior))


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
