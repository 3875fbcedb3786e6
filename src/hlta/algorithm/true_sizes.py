"""Sizes of topics that a reader can trust: of documents with its words, and within the topic above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.tree.marginals import some_present, word_marginals
from hlta.tree.parameters import FLOOR, MIN_PROBABILITY, latent_parents

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree
    from hlta.tree.parameters import Parameters

LEAST_SHARES: Final = {3: 0.5, 10: 0.7}
"""By the number of first keywords: the share of its documents that must be expected to contain one."""

LEAST_DOCUMENTS: Final = 10.0
"""No step shrinks a topic to fewer documents: it would vanish."""

SHRINKING: Final = 0.9
"""The share of the steps of EM, from the first on, in which all hollow topics shrink; later on, only
root topics do."""

SETTLING: Final = 0.04
"""The share of the steps of EM, at the end, in which only the tables of root topics are estimated."""

_LEAST_SETTLING: Final = 2  # steps, if there are more

_ROOT_POWER: Final = 3.0  # at least, for root topics: EM gives back much of what they lose
_LEAST_FACTOR: Final = 1e-6  # EM can raise what is small, but not what is 0


def with_true_sizes(
    before: Parameters, after: Parameters, tree: LatentTree, n_documents: int, step: int, steps: int
) -> Parameters:
    """The parameters after a step of EM, of so many, with topics of sizes that are true.

    At the end, all but the root topics stay as they are, and the sizes of these become about the mean
    of P(topic | document).
    """
    if steps - step < min(steps - 1, max(_LEAST_SETTLING, int(SETTLING * steps))):
        parameters = _only_roots_changed(before, after, tree)
    else:
        parameters = less_hollow(after, tree, n_documents, only_roots=step > SHRINKING * steps)
    return within_parents(parameters, tree)


def less_hollow(
    parameters: Parameters, tree: LatentTree, n_documents: int, *, only_roots: bool = False
) -> Parameters:
    """The parameters in which hollow topics have shrunk, all of them or only root topics.

    A topic above level 1 is hollow if fewer of the documents on it than `LEAST_SHARES` says are
    expected to contain one of its first keywords: the others are on it because its parent is on.
    P(on | parent) shrinks in proportion, whatever the parent's state, so that the next step of EM
    estimates the words from documents that contain some of them. That of a root topic shrinks by a
    power of the proportion, as the many words below it make it grow again; the hollower the topic,
    the higher the power.
    """
    tree = tree.with_probability(parameters)
    size, level, is_root = tree.marginals[tree.n_words :], tree.level[tree.n_words :], _roots(tree)
    shrinks = (level > 1) & (is_root | (not only_roots))
    fullness = np.clip(_fullness(tree), FLOOR, 1.0)
    shrunk = fullness ** np.where(is_root, _ROOT_POWER / fullness**2, 1.0)
    least = LEAST_DOCUMENTS / np.maximum(size * n_documents, LEAST_DOCUMENTS)
    factor = np.where(shrinks, np.maximum(shrunk, least), 1.0)[:, None]
    latent = _scaled(parameters.latent, parameters.is_on, factor)
    return parameters._replace(latent=latent)


def within_parents(parameters: Parameters, tree: LatentTree) -> Parameters:
    """The parameters in which no topic of a lower level is larger than its parent.

    From the root downwards, P(on | parent off) shrinks where a topic would be too large: a child then
    is on mainly where its parent is. Nothing else changes.
    """
    n_words = tree.n_words
    parent = latent_parents(tree.parent, n_words)[n_words:]
    level = tree.level[n_words:]
    latent = parameters.latent.copy()
    is_on = parameters.is_on
    marginal = np.zeros(latent.shape[:2])
    for layer in tree.numbering.layers():
        own = tree.numbering.nodes[layer] - n_words
        if layer.start == 0:
            marginal[own] = latent[own, 0]
            continue
        above = parent[own]
        below = own[level[own] < level[above]]
        over = parent[below]
        latent[below] = _within(latent[below], is_on[below], marginal[over], is_on[over])
        marginal[own] = np.einsum("vj,vjk->vk", marginal[above], latent[own])
    return parameters._replace(latent=latent)


def _roots(tree: LatentTree) -> NDArray[np.bool_]:
    """Which latent variables are root topics: those of the highest level."""
    level = tree.level[tree.n_words :]
    return np.asarray(level == level.max())


def _only_roots_changed(before: Parameters, after: Parameters, tree: LatentTree) -> Parameters:
    is_root = _roots(tree)[:, None, None]
    return before._replace(latent=np.where(is_root, after.latent, before.latent))


def _fullness(tree: LatentTree) -> NDArray[np.float64]:
    """P(one of its keywords is present | on), divided by what it must be: 1 or more if not hollow.

    It is infinite for a latent variable that no word speaks for.
    """
    marginals, fullness = word_marginals(tree), np.full(tree.n_latents, np.inf)
    for count, least in LEAST_SHARES.items():
        first = marginals.first(count)
        first = first[~marginals.avoids[first]]
        latent = np.searchsorted(marginals.start, first, side="right") - 1
        share = np.nan_to_num(some_present(tree, latent, marginals.word[first]), nan=np.inf)
        fullness = np.minimum(fullness, share / least)
    return fullness


def _within(
    rows: NDArray[np.float64],
    is_on: NDArray[np.bool_],
    share: NDArray[np.float64],
    above_on: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """P(own | above), with P(on | above off) as small as the size of what is above demands."""
    both = share * np.where(is_on[:, None], rows, 0.0).sum(axis=2)  # P(own on, above = j)
    within, outside = (np.where(above, both, 0.0).sum(axis=1) for above in (above_on, ~above_on))
    room = (share * above_on).sum(axis=1) - within
    factor = np.clip(room / np.maximum(outside, FLOOR), _LEAST_FACTOR, 1.0)
    return _scaled(rows, is_on, np.where(above_on, 1.0, factor[:, None]))


def _scaled(
    rows: NDArray[np.float64], is_on: NDArray[np.bool_], factor: NDArray[np.float64]
) -> NDArray[np.float64]:
    """P(own | above) with P(on | above = j) times the factor of j; the background has the rest."""
    on = np.where(is_on[:, None], rows, 0.0)
    total = on.sum(axis=2)  # P(own on | above = j)
    off = rows - on
    gain = (1.0 - factor * total) / np.maximum(off.sum(axis=2), MIN_PROBABILITY)
    scaled = factor[..., None] * on + gain[..., None] * off
    scaled = np.maximum(scaled, FLOOR * (rows > 0.0))
    scaled /= np.maximum(scaled.sum(axis=2, keepdims=True), MIN_PROBABILITY)
    changes = (factor < 1.0) & (total > 0.0)
    return np.where(changes[..., None], scaled, rows)
