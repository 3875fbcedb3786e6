"""Checks that arrays form a latent tree, and the levels and order that follow from its shape."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._support.checks import check_names
from hlta.errors import TreeError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from hlta._support.arrays import Ints32
    from hlta.tree.parameters import Parameters

MAX_LEVEL: Final = 100
"""The most levels above the words: files and pages nest each topic in the one above it."""
FEWEST_NEIGHBOURS: Final = 3
"""The fewest neighbours of a latent variable in a regular tree, which so has at least as many words."""


class TreeFields(NamedTuple):
    """The arguments of `LatentTree` as a file holds them, not checked yet."""

    words: tuple[str, ...]
    parent: Ints32
    level: Ints32
    probability: Parameters
    latent_names: tuple[str, ...]
    allow_irregular: bool = False


def infer_levels(parent: ArrayLike, n_words: int, names: Sequence[str] | None = None) -> Ints32:
    """The levels that follow from the shape: one above the lowest child, but below no child.

    So the parent of a word is at level 1 unless it has a higher child, and a flat model has a single
    latent level however its latent variables are linked. Error messages call the nodes by `names`.
    """
    up = as_numbers(parent, "parent")
    shown = [f"node {v}" for v in range(len(up))] if names is None else names
    check_parents(up, tuple(shown[:n_words]))
    level = np.zeros(len(up), dtype=np.int32)
    lowest = np.full(len(up), np.iinfo(np.int32).max, dtype=np.int32)
    order = breadth_first(up, n_words, shown.__getitem__)
    np.minimum.at(lowest, up[:n_words], 0)
    for v in order[::-1]:
        level[v] = max(level[v], lowest[v] + 1)
        if up[v] >= 0:
            lowest[up[v]] = min(lowest[up[v]], level[v])
            level[up[v]] = max(level[up[v]], level[v])
    return level


def as_numbers(values: Any, argument: str) -> Ints32:
    """A copy of a vector of integers as int32."""
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TreeError(f"{argument} must be a one-dimensional array of integers")
    if array.size and not -(2**31) <= int(array.min()) <= int(array.max()) < 2**31:
        raise TreeError(f"{argument} holds numbers beyond 32 bits: {array.min()} to {array.max()}")
    return array.astype(np.int32)


def check_shape(
    words: Sequence[str],
    parent: ArrayLike,
    level: ArrayLike,
    latent_names: Sequence[str],
    *,
    allow_irregular: bool,
) -> dict[str, Any]:
    """The fields of a `LatentTree` except its parameters, from its checked arguments."""
    words = check_names("words", words, error=TreeError)
    if not words:
        raise TreeError("words is empty; a tree needs at least one word")
    parent = as_numbers(parent, "parent")
    check_parents(parent, words)
    level = as_numbers(level, "level")
    if len(level) != len(parent):
        raise TreeError(
            f"level has {len(level)} entries, but parent has {len(parent)}; give one per node"
        )
    n_words, n_latents = len(words), len(parent) - len(words)
    latent_names = tuple(latent_names) or _default_names(level[n_words:])
    if len(latent_names) != n_latents:
        raise TreeError(
            f"latent_names has {len(latent_names)} entries for {n_latents} latent variables"
        )
    check_names("latent_names", latent_names, error=TreeError)
    both = set(latent_names) & set(words)
    if both:
        raise TreeError(
            f"latent_names: {min(both)!r} is also the name of a word; rename one of the two"
        )
    name_of = (*words, *latent_names).__getitem__
    order = breadth_first(parent, n_words, name_of)
    _check_levels(level, parent, n_words, name_of)
    if not allow_irregular:
        _check_regular(parent, n_words, name_of)
    return {
        "words": words,
        "parent": parent,
        "level": level,
        "latent_names": latent_names,
        "allow_irregular": allow_irregular,
        "_order": order,
    }


def _default_names(level: Ints32) -> tuple[str, ...]:
    counts: Counter[int] = Counter()
    names = []
    for k in level.tolist():
        counts[k] += 1
        names.append(f"Z{k}-{counts[k]}")
    return tuple(names)


def check_parents(parent: Ints32, words: tuple[str, ...]) -> None:
    """Check that there is one root, and that it and all parents are latent variables."""
    n_words, n_nodes = len(words), len(parent)
    if n_nodes <= n_words:
        raise TreeError(
            f"parent has {n_nodes} entries for {n_words} words; it must hold the words and then "
            "at least one latent variable"
        )
    roots = np.flatnonzero(parent == -1)
    if len(roots) != 1:
        raise TreeError(
            f"parent has {len(roots)} roots (-1) at nodes {roots[:5].tolist()}; exactly one latent "
            "variable must be the root"
            if len(roots)
            else "parent has no root; exactly one latent variable must have the parent -1"
        )
    if roots[0] < n_words:
        raise TreeError(f"the root is the word {words[roots[0]]!r}; it must be a latent variable")
    odd = np.flatnonzero((parent != -1) & ((parent < n_words) | (parent >= n_nodes)))
    if len(odd):
        node, up = int(odd[0]), int(parent[odd[0]])
        label = repr(words[node]) if node < n_words else f"latent node {node}"
        what = (
            f"the word {words[up]!r}" if 0 <= up < n_words else f"node {up}, which does not exist"
        )
        raise TreeError(
            f"the parent of {label} is {what}; it must be a latent variable, "
            f"nodes {n_words} to {n_nodes - 1}"
        )


def breadth_first(parent: Ints32, n_words: int, name_of: Callable[[int], str]) -> Ints32:
    """The latent variables breadth-first, siblings ascending; refuses cycles and latent leaves."""
    latents = np.arange(n_words, len(parent), dtype=np.int32)
    by_parent = latents[np.argsort(parent[n_words:], kind="stable")].tolist()
    bounds = np.searchsorted(parent[by_parent], np.arange(-1, len(parent) + 1)).tolist()
    order = by_parent[bounds[0] : bounds[1]]
    for v in order:  # `order` grows during the loop
        order.extend(by_parent[bounds[v + 1] : bounds[v + 2]])
    if len(order) < len(latents):
        lost = int(np.setdiff1d(latents, order)[0])
        on_cycle = {lost}
        while (lost := int(parent[lost])) not in on_cycle:
            on_cycle.add(lost)
        raise TreeError(
            f"parent has a cycle through {name_of(lost)!r}; following parents must lead to the root"
        )
    childless = np.setdiff1d(latents, parent)
    if len(childless):
        raise TreeError(
            f"latent variable {name_of(int(childless[0]))!r} has no child; every leaf must be a word"
        )
    return np.array(order, dtype=np.int32)


def _check_levels(
    level: Ints32, parent: Ints32, n_words: int, name_of: Callable[[int], str]
) -> None:
    """Check that words are at level 0, latent variables above, and no parent below its child."""
    if level[:n_words].any():
        node = int(np.flatnonzero(level[:n_words])[0])
        raise TreeError(
            f"the level of the word {name_of(node)!r} is {level[node]}; words are at level 0"
        )
    odd = np.flatnonzero((level[n_words:] < 1) | (level[n_words:] > MAX_LEVEL))
    if len(odd):
        node = int(odd[0]) + n_words
        raise TreeError(
            f"the level of latent variable {name_of(node)!r} is {level[node]}; it must be at least 1 "
            f"and at most {MAX_LEVEL}"
        )
    below = np.flatnonzero((parent >= 0) & (level > level[parent]))
    if len(below):
        node = int(below[0])
        raise TreeError(
            f"{name_of(node)!r} at level {level[node]} hangs below {name_of(int(parent[node]))!r} "
            f"at level {level[parent[node]]}; a parent must be at the level of its child or above"
        )


def _check_regular(parent: Ints32, n_words: int, name_of: Callable[[int], str]) -> None:
    """Check that every latent variable has at least three neighbours."""
    neighbours = np.bincount(parent[parent >= 0], minlength=len(parent))[n_words:]
    neighbours = neighbours + (parent[n_words:] >= 0)
    few = np.flatnonzero(neighbours < FEWEST_NEIGHBOURS)
    if len(few):
        node = int(few[0]) + n_words
        raise TreeError(
            f"the tree is not regular: {name_of(node)!r} has {neighbours[few[0]]} neighbours, but a "
            "latent variable needs three; join it with a neighbour, or pass allow_irregular=True"
        )
