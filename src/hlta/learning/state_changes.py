"""Adding states to the latent variables of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta.tree.parameters import MAX_PROBABILITY, MIN_PROBABILITY, Parameters, latent_parents

if TYPE_CHECKING:
    from hlta._support.arrays import Bools, Floats, Indices, Ints32
    from hlta.tree.latent_tree import LatentTree

_NOISE: Final = 0.5  # standard deviation of the noise in log odds and log weights
_TIE: Final = 0.9  # share of P(copies of k' | parent = copy c of k) that goes to copy c itself


def add_states(tree: LatentTree, states: int | Ints32, seed: np.random.SeedSequence) -> LatentTree:
    """The tree with more states: copies of the existing ones, which noise makes different.

    `states` is how many each latent variable gets, int32 (n_latents,), or the same number for all.
    State 0, the background, is not copied; the others are copied in turn. Copies are tied along the
    tree: given the c-th copy of a parent's state, a variable is mostly in c-th copies.
    """
    rng = np.random.default_rng(seed)
    _, word, latent, _ = tree.parameters
    after = np.broadcast_to(np.asarray(states, dtype=np.int32), len(latent)).copy()
    most = int(after.max())
    new = _Copies.of(tree.parameters.states, after)
    above = latent_parents(tree.parent, tree.n_words)
    of_words, of_latents = above[: tree.n_words], above[tree.n_words :]
    root = tree.root - tree.n_words
    exists = np.arange(most) < after[:, None]
    of_parent = exists[of_latents]
    of_parent[root] = True  # it has none; all its rows are the same

    word = np.take_along_axis(word, new.source[of_words], axis=1)
    odds = word / (1.0 - word)
    varied = new.is_copied[of_words]
    odds[varied] *= np.exp(rng.normal(0.0, _NOISE, np.count_nonzero(varied)))
    word = np.clip(odds / (1.0 + odds), MIN_PROBABILITY, MAX_PROBABILITY)

    weight = np.exp(rng.normal(0.0, _NOISE, (len(latent), most, most)))
    rows = np.take_along_axis(latent, new.source[of_latents][:, :, None], axis=1)
    rows = np.take_along_axis(rows, new.source[:, None, :], axis=2)
    rows = np.maximum(rows * new.shares(of_latents, root, weight), MIN_PROBABILITY)
    rows *= of_parent[:, :, None] & exists[:, None, :]
    sums = rows.sum(axis=2, keepdims=True)
    rows /= np.where(sums > 0.0, sums, 1.0)
    return tree.with_probability(Parameters(after, np.where(exists[of_words], word, 0.0), rows))


class _Copies(NamedTuple):
    """Which states are copies of which, after variables got more states."""

    source: Indices  # (n_latents, K): the state copied; 0 where there is no state
    copy: Indices  # (n_latents, K): the number of the copy, 0 for the state itself
    alike: Floats  # (n_latents, K, K): 1 for copies of the same state
    is_copied: Bools  # (n_latents, K): whether its state has several copies

    @classmethod
    def of(cls, before: Ints32, after: Ints32) -> _Copies:
        number, before = np.arange(int(after.max())), before[:, None]
        exists, is_new = number < after[:, None], number >= before
        copy, place = np.divmod(number - before, before - 1)
        source = np.where(is_new, 1 + place, number) * exists
        alike = source[:, :, None] == source[:, None, :]
        alike &= exists[:, :, None] & exists[:, None, :]
        is_copied = alike.sum(axis=2) > 1
        return cls(source, np.where(is_new, copy + 1, 0), alike.astype(np.float64), is_copied)

    def shares(self, above: Ints32, root: int, weight: Floats) -> Floats:
        """The share of the probability of its state that each copy gets, per state of the parent."""
        share = weight / np.maximum(weight @ self.alike, MIN_PROBABILITY)
        share[root] = share[root, 0]
        twins = self.copy[above][:, :, None] == self.copy[:, None, :]
        twins &= self.is_copied[above][:, :, None] & self.is_copied[:, None, :]
        twins[root] = False
        tied = (1.0 - _TIE) * share + _TIE * twins
        return np.where(twins @ self.alike > 0.0, tied, share)
