"""The parameters of a tree: P(state of a node | state of its parent).

A word is present or absent; a latent variable has two states or more. Arrays are padded to K, the
largest number of states in the tree: entries for states that a variable lacks are 0.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta.errors import TreeError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from hlta._support.arrays import Bools, Floats, Ints32
    from hlta.tree.numbering import Numbering

MAX_STATES: Final = 64
"""The most states of a latent variable."""

ROUNDING: Final = 1e-14
"""The rounding error of a sum of 64 probabilities; rows whose sum is further from 1 are corrected."""

_SUM_TOLERANCE: Final = 1e-9  # rows whose sum is further than this from 1 are refused

MIN_PROBABILITY: Final = 1e-100
MAX_PROBABILITY: Final = 1.0 - 2.0**-53
"""Bounds of parameters: 0 and 1 would make some documents impossible and likelihood ratios infinite."""

FLOOR: Final = 1e-12
"""Estimates stay within [FLOOR, 1 - FLOOR]: a word never seen with a topic is rare, not impossible."""


def bound_estimate(estimate: Any) -> Floats:
    """Estimated probabilities, kept within [FLOOR, 1 - FLOOR]."""
    bounded: Floats = np.clip(estimate, FLOOR, 1.0 - FLOOR)
    return bounded


ONE_EACH: Final = np.ones((), dtype=np.int32)
"""The default of `Parameters.background`: one background state per latent variable."""
ONE_EACH.setflags(write=False)


class Parameters(NamedTuple):
    """P(node | parent) for every node of a tree.

    Attributes
    ----------
    states : int32 (n_latents,)
        The number of states of each latent variable, from 2 to 64; K is the largest.
    word : float64 (n_words, K)
        P(word present | parent in state j), strictly between 0 and 1.
    latent : float64 (n_latents, K, K)
        P(latent variable in state k | parent in state j), as [variable, j, k]; every row sums to 1.
        The root has no parent: each of its rows holds P(root in state k).
    background : int32 (n_latents,)
        The number of background states of each latent variable, which are its first states; in the
        others, its topic is on. By default one.

    Examples
    --------
    A root with three states, above three words:

    >>> from hlta import LatentTree, Parameters
    >>> parameters = Parameters(
    ...     states=[3],
    ...     word=[[0.1, 0.6, 0.1], [0.1, 0.6, 0.3], [0.1, 0.1, 0.8]],
    ...     latent=[[[0.6, 0.3, 0.1]] * 3],
    ... )
    >>> tree = LatentTree(("nasa", "orbit", "game"), [3, 3, 3, -1], [0, 0, 0, 1], parameters)
    >>> tree.state_marginals
    array([[0.6, 0.3, 0.1]])
    """

    states: NDArray[np.int32]
    word: NDArray[np.float64]
    latent: NDArray[np.float64]
    background: NDArray[np.int32] = ONE_EACH

    @property
    def is_binary(self) -> bool:
        """Whether every latent variable has two states."""
        return self.most_states == 2

    @property
    def most_states(self) -> int:
        """K, the largest number of states of a latent variable."""
        return int(self.word.shape[1])

    @property
    def has_state(self) -> NDArray[np.bool_]:
        """Whether latent variable v has a state k, bool (n_latents, K)."""
        return np.arange(self.most_states) < self.states[:, None]

    @property
    def is_on(self) -> NDArray[np.bool_]:
        """Whether the topic of latent variable v is on in state k, bool (n_latents, K)."""
        return self.has_state & (np.arange(self.most_states) >= self.background[..., None])


def as_parameters(
    values: ArrayLike | Parameters, parent: Ints32, n_words: int, name_of: Callable[[int], str]
) -> Parameters:
    """A checked copy of the parameters; `values` is the argument `probability` of `LatentTree`."""
    if not isinstance(values, Parameters):
        values = binary_parameters(_binary_table(values, len(parent)), n_words)
    states = _check_states(values.states, len(parent) - n_words, n_words, name_of)
    most = int(states.max())
    word, latent = _check_arrays(values, most, n_words, len(states))
    has_state = np.arange(word.shape[1]) < states[:, None]
    above = latent_parents(parent, n_words)
    _check_entries(word, has_state[above[:n_words]], (MIN_PROBABILITY, MAX_PROBABILITY), 0, name_of)
    exists = has_state[above[n_words:]][:, :, None] & has_state[:, None, :]
    root = int(np.flatnonzero(parent[n_words:] == -1)[0])
    exists[root] = has_state[root]
    _check_entries(latent, exists, (MIN_PROBABILITY, 1.0), n_words, name_of)
    sums = latent.sum(axis=2)
    error = np.where(exists.any(axis=2), np.abs(sums - 1.0), 0.0)
    odd = np.argwhere(error > _SUM_TOLERANCE)
    if len(odd):
        v, j = map(int, odd[0])
        raise TreeError(
            f"P({name_of(v + n_words)} | parent = {j}) sums to {sums[v, j]:.9g}; the "
            "probabilities of all states must sum to 1"
        )
    if (latent[root] != latent[root, 0]).any():
        raise TreeError(
            f"the root {name_of(root + n_words)!r} has no parent, but its rows differ; give "
            "P(root = k) in each of them"
        )
    inexact = error > np.where(states == 2, 0.0, ROUNDING)[:, None]
    latent[inexact] = _complete(latent[inexact])
    latent = np.ascontiguousarray(latent[:, :most, :most])
    background = _check_background(values.background, states, n_words, name_of)
    return Parameters(states, np.ascontiguousarray(word[:, :most]), latent, background)


def _as_numbers(name: str, values: ArrayLike) -> Floats:
    """A copy as float64."""
    try:
        if np.iscomplexobj(values):
            raise TypeError("it holds complex ones")
        return np.array(values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise TreeError(f"{name} must be an array of numbers: {error}") from None


def _binary_table(values: ArrayLike, n_nodes: int) -> Floats:
    probability = _as_numbers("probability", values)
    if probability.shape != (n_nodes, 2):
        raise TreeError(
            f"probability has shape {probability.shape}; it must be ({n_nodes}, 2): "
            "P(node = 1 | parent = 0) and P(node = 1 | parent = 1) of each node"
        )
    return probability


def _check_states(
    values: ArrayLike, n_latents: int, n_words: int, name_of: Callable[[int], str]
) -> Ints32:
    states = _one_per_latent("states", values, n_latents)
    odd = np.flatnonzero((states < 2) | (states > MAX_STATES))
    if len(odd):
        v = int(odd[0])
        raise TreeError(
            f"latent variable {name_of(v + n_words)!r} has {states[v]} state"
            f"{'' if states[v] == 1 else 's'}; it must have 2 to {MAX_STATES}"
        )
    return states.astype(np.int32)


def _one_per_latent(name: str, values: ArrayLike, n_latents: int) -> NDArray[Any]:
    numbers = np.asarray(values)
    if numbers.shape != (n_latents,) or numbers.dtype.kind not in "iu":
        raise TreeError(
            f"{name} must be one whole number per latent variable, {n_latents} in all; "
            f"it has shape {numbers.shape} and type {numbers.dtype}"
        )
    return numbers


def _check_background(
    values: ArrayLike, states: Ints32, n_words: int, name_of: Callable[[int], str]
) -> Ints32:
    if np.ndim(values) == 0:
        values = np.full(states.shape, values)
    background = _one_per_latent("background", values, len(states))
    odd = np.flatnonzero((background < 1) | (background >= states))
    if len(odd):
        v = int(odd[0])
        raise TreeError(
            f"the background of latent variable {name_of(v + n_words)!r} is {background[v]} of its "
            f"{states[v]} states; it must be 1 to {states[v] - 1}"
        )
    return background.astype(np.int32)


def _check_arrays(
    values: Parameters, most: int, n_words: int, n_latents: int
) -> tuple[Floats, Floats]:
    """Copies of `word` and `latent`; both may be padded beyond the largest number of states."""
    word, latent = _as_numbers("word", values.word), _as_numbers("latent", values.latent)
    padded = max(word.shape[1], most) if word.ndim == 2 else most
    shapes = {"word": (n_words, padded), "latent": (n_latents, padded, padded)}
    for (name, shape), array in zip(shapes.items(), (word, latent), strict=True):
        if array.shape != shape:
            raise TreeError(
                f"{name} has shape {array.shape}; it must be {shape} for latent variables with up "
                f"to {padded} states"
            )
    return word, latent


def _complete(rows: Floats) -> Floats:
    """The rows with 1 minus the other entries as their largest; two states then sum to exactly 1."""
    at = np.arange(len(rows)), rows.argmax(axis=1)
    rows[at] = 0.0
    rows[at] = 1.0 - rows.sum(axis=1)
    return rows


def _check_entries(
    values: Floats,
    exists: Bools,
    bounds: tuple[float, float],
    first: int,
    name_of: Callable[[int], str],
) -> None:
    """Refuse probabilities out of bounds, or not 0 for a state that the node or its parent lacks."""
    low, high = bounds
    odd = np.argwhere(exists & ~((values >= low) & (values <= high)))
    if len(odd):
        at = tuple(map(int, odd[0]))
        state = at[2] if len(at) == 3 else 1
        raise TreeError(
            f"P({name_of(at[0] + first)} = {state} | parent = {at[1]}) is {values[at]}; probabilities "
            f"must be strictly between 0 and 1 ({MIN_PROBABILITY:g} to 1 - 1.1e-16)"
        )
    stray = np.argwhere(~exists & (values != 0.0))
    if len(stray):
        at = tuple(map(int, stray[0]))
        raise TreeError(
            f"the parameters of {name_of(at[0] + first)!r} hold {values[at]} at {list(at[1:])}, for a "
            "state that it or its parent does not have; that must be 0"
        )


def binary_parameters(probability: Floats, n_words: int) -> Parameters:
    """Parameters for two states everywhere, from P(node = 1 | parent = j), float64 (n_nodes, 2)."""
    one = probability[n_words:]
    states = np.full(len(one), 2, dtype=np.int32)
    latent = np.stack((1.0 - one, one), axis=2)
    return Parameters(states, probability[:n_words].copy(), latent, np.ones_like(states))


def binary_table(parameters: Parameters) -> Floats:
    """P(node = 1 | parent = j), float64 (n_nodes, 2); refuses more than two states."""
    if not parameters.is_binary:
        raise TreeError(
            f"a latent variable has {parameters.most_states} states, so its tree has no table of "
            "P(node = 1 | parent); use tree.parameters"
        )
    return np.concatenate((parameters.word, parameters.latent[:, :, 1]))


def latent_parents(parent: Ints32, n_words: int) -> Ints32:
    """The parent of each node, latent variables counted from 0; the root is its own parent."""
    above = parent - np.int32(n_words)
    root = int(np.flatnonzero(parent == -1)[0])
    above[root] = root - n_words
    return above


def count_parameters(states: Ints32, parent: Ints32) -> int:
    """The number of free parameters.

    For each state of its parent, a word has one, and a latent variable one less than it has states.
    """
    n_words = len(parent) - len(states)
    of_parent = np.where(parent >= 0, states[latent_parents(parent, n_words)], 1)
    return int(of_parent[:n_words].sum() + (of_parent[n_words:] * (states - 1)).sum())


def state_marginals(parameters: Parameters, numbering: Numbering) -> Floats:
    """P(latent variable in state k), float64 (n_latents, K), from the root downwards."""
    n_words = len(parameters.word)
    marginal = np.empty(parameters.latent.shape[:2])
    for layer in numbering.layers():
        own = numbering.nodes[layer] - n_words
        if layer.start == 0:
            marginal[own] = parameters.latent[own, 0]
            continue
        above = numbering.nodes[numbering.parent[layer]] - n_words
        marginal[own] = np.einsum("vj,vjk->vk", marginal[above], parameters.latent[own])
    marginal.setflags(write=False)
    return marginal


def reorder_states(
    parameters: Parameters, parent: Ints32, order: NDArray[np.integer]
) -> Parameters:
    """The same distribution after state order[v, k] of each latent variable v became state k.

    `background` does not change.
    """
    n_words = len(parameters.word)
    of_parent = order[latent_parents(parent, n_words)]
    word = np.take_along_axis(parameters.word, of_parent[:n_words], axis=1)
    latent = np.take_along_axis(parameters.latent, of_parent[n_words:, :, None], axis=1)
    latent = np.take_along_axis(latent, order[:, None, :], axis=2)
    return parameters._replace(word=word, latent=latent)


def reverse_path(parameters: Parameters, marginals: Floats, path: Sequence[int]) -> Parameters:
    """The same distribution, rooted at the first latent variable of a path to the root.

    `path` counts latent variables from 0; `marginals` are the `state_marginals`.
    """
    latent = parameters.latent.copy()
    has_state = parameters.has_state
    for lower, upper in pairwise(path):
        # Bayes: P(upper = j | lower = k), from the marginal of `upper`, which does not change.
        joint = marginals[upper][:, None] * parameters.latent[lower]  # [j, k]
        total = joint.sum(axis=0)
        turned = np.divide(joint, total, out=np.zeros_like(joint), where=total > 0.0).T
        latent[upper] = bound_rows(turned, has_state[lower][:, None] & has_state[upper])
    prior = bound_rows(marginals[path[0]][None], has_state[path[0]][None])
    latent[path[0]] = prior
    return parameters._replace(latent=latent)


def bound_rows(rows: Floats, exists: Bools) -> Floats:
    """Rows of probabilities, clipped to [MIN_PROBABILITY, 1] for states that exist, else 0."""
    bounded: Any = np.where(exists, np.clip(rows, MIN_PROBABILITY, 1.0), 0.0)
    return np.asarray(bounded)
