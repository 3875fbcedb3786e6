"""The parameters of binary nodes: what `LatentTree` computes from the number of states, two.

Row v of a table of parameters holds P(v = 1 | parent = 0) and P(v = 1 | parent = 1). The root has no
parent: its row holds P(root = 1) twice.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.errors import TreeError
from hlta.tree.validation import MAX_PROBABILITY, MIN_PROBABILITY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from hlta.tree.numbering import Numbering


def as_probabilities(
    values: ArrayLike, parent: NDArray[np.int32], name_of: Callable[[int], str]
) -> NDArray[np.float64]:
    """A copy of the parameters, all within their bounds."""
    probability = np.array(values, dtype=np.float64, order="C")
    if probability.shape != (len(parent), 2):
        raise TreeError(
            f"probability has shape {probability.shape}; it must be ({len(parent)}, 2): "
            "P(node = 1 | parent = 0) and P(node = 1 | parent = 1) of each node"
        )
    odd = np.argwhere(~((probability >= MIN_PROBABILITY) & (probability <= MAX_PROBABILITY)))
    if len(odd):
        node, state = map(int, odd[0])
        raise TreeError(
            f"P({name_of(node)} = 1 | parent = {state}) is {probability[node, state]}; probabilities "
            f"must be strictly between 0 and 1 ({MIN_PROBABILITY:g} to 1 - 1.1e-16)"
        )
    root = int(np.flatnonzero(parent == -1)[0])
    if probability[root, 0] != probability[root, 1]:
        raise TreeError(
            f"the root {name_of(root)!r} has no parent, but two different probabilities "
            f"{probability[root].tolist()}; give P(root = 1) twice"
        )
    return probability


def count_parameters(n_nodes: int) -> int:
    """Free parameters: two per node, one for the root."""
    return 2 * n_nodes - 1


def propagate_marginals(
    probability: NDArray[np.float64], parent: NDArray[np.int32], numbering: Numbering
) -> NDArray[np.float64]:
    """P(node = 1) of every node, from the root downwards."""
    marginal = np.empty(len(parent))
    for layer in numbering.layers():
        nodes = numbering.nodes[layer]
        above = marginal[parent[nodes]] if layer.start else 0.0
        marginal[nodes] = _mixed(probability[nodes], above)
    words = slice(0, len(numbering.word_parent))
    marginal[words] = _mixed(probability[words], marginal[parent[words]])
    marginal.setflags(write=False)
    return marginal


def _mixed(probability: NDArray[np.float64], above: Any) -> NDArray[np.float64]:
    """P(node = 1) from the rows of nodes and P(parent = 1) of their parents."""
    marginal: NDArray[np.float64] = probability[:, 0] * (1.0 - above) + probability[:, 1] * above
    return marginal


def exchange_states(
    probability: NDArray[np.float64],
    parent: NDArray[np.int32],
    latents: Sequence[int] | NDArray[np.integer],
) -> NDArray[np.float64]:
    """Parameters of the same distribution with states 0 and 1 of some latent variables exchanged."""
    exchanged = np.zeros(len(parent) + 1, dtype=bool)  # the last entry stands for no parent
    exchanged[latents] = True
    result, own = probability.copy(), exchanged[:-1]
    # 1 - p may round to 1 or fall below the least parameter that is allowed.
    result[own] = np.clip(1.0 - result[own], MIN_PROBABILITY, MAX_PROBABILITY)
    below = exchanged[parent]
    result[below] = result[below, ::-1]
    return result


def reverse_path(
    probability: NDArray[np.float64], marginals: NDArray[np.float64], path: Sequence[int]
) -> NDArray[np.float64]:
    """Parameters of the same distribution with the first node of a path to the root as the root."""
    result = probability.copy()
    for lower, upper in pairwise(path):
        # Bayes: P(upper = 1 | lower = k), with P(upper) as it was before any edge turned.
        prior = marginals[upper]
        one = prior * probability[lower, 1]
        zero = (1.0 - prior) * probability[lower, 0]
        one_absent = prior * (1.0 - probability[lower, 1])
        zero_absent = (1.0 - prior) * (1.0 - probability[lower, 0])
        result[upper] = (one_absent / (one_absent + zero_absent), one / (one + zero))
    result[path[0]] = marginals[path[0]]
    return np.clip(result, MIN_PROBABILITY, MAX_PROBABILITY)
