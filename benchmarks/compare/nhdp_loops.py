"""The loops of nHDP over one document: selecting its subtree, and assigning its words to nodes.

A document draws, below each node, sticks for its children in the order in which they were selected:
the first takes Beta(1, beta) of what arrives, the next as much of what is left, and so on. At a
node with children, Beta(stop) of the words stop. Helpers are inlined, so that splitting the loops
costs next to no time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CONVERGED = 1e-3  # the share of a document's words that still moves from node to node


class Shape(NamedTuple):
    """A tree of topics: parents come first, siblings are consecutive, the root is not a node.

    Attributes
    ----------
    parent
        int64 (nodes,): -1 below the root.
    level
        int64 (nodes,): 1 below the root.
    first
        int64 (nodes,): the first child.
    width
        int64 (nodes,): the number of children.
    """

    parent: NDArray[np.int64]
    level: NDArray[np.int64]
    first: NDArray[np.int64]
    width: NDArray[np.int64]


@njit(cache=True)
def digamma(x: float) -> float:
    """For x > 0, by its recurrence and an asymptotic series."""
    found = 0.0
    while x < 8.0:
        found -= 1.0 / x
        x += 1.0
    y = 1.0 / (x * x)
    series = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y / 132))))
    return float(found + np.log(x) - 0.5 / x - series)


@njit(cache=True)
def subtree(
    likely: NDArray[np.float64],
    times: NDArray[np.float64],
    log_choice: NDArray[np.float64],
    tree: Shape,
    beta: float,
    stop: tuple[float, float],
    most_nodes: int,
    least_gain: float,
) -> NDArray[np.int64]:
    """Select nodes for a document one by one: each time the one that raises the bound most.

    A node can be selected once its parent is. The document's own distributions are at their priors,
    so each selected sibling leaves less for the next. `log_choice`, the tree's own probability of a
    node, counts once. The gain of a node only falls while others are selected, so an old gain that
    is too low need not be computed again.

    Parameters
    ----------
    likely
        (nodes, words of the document): E log P(word | node).
    times
        (words of the document,): how often each occurs.
    log_choice
        (nodes,): E log of the tree's probability of each node among its siblings.
    beta, stop, most_nodes, least_gain
        As in `Settings`.
    """
    # One loop, long because all of its steps share its state.
    take, leave = digamma(1.0) - digamma(1.0 + beta), digamma(beta) - digamma(1.0 + beta)
    both = digamma(stop[0] + stop[1])
    halt, on = digamma(stop[0]) - both, digamma(stop[1]) - both
    nodes_all, n_words = likely.shape
    reach = np.full(nodes_all, -np.inf)  # E log P(getting to a node), whether it stops or not
    gain = np.full(nodes_all, -np.inf)  # -inf: not yet a candidate, inf: not yet computed
    n_top = (tree.parent < 0).sum()
    reach[:n_top] = take
    gain[:n_top] = np.inf
    total = np.zeros(n_words)  # P(word | selected nodes), in units of exp(unit)
    unit = np.full(n_words, -np.inf)
    fresh = np.zeros(nodes_all, dtype=np.bool_)
    chosen = np.zeros(nodes_all, dtype=np.bool_)
    nodes = np.empty(most_nodes, dtype=np.int64)
    count = 0
    bound = 0.0
    while count < most_nodes:
        found = _best_candidate(gain, log_choice, chosen)
        if found < 0:
            break
        prior = reach[found] + (halt if tree.width[found] else 0.0)
        if not fresh[found]:
            gain[found] = _gain(likely[found], times, prior, total, unit, count == 0)
            fresh[found] = True
            continue
        if count and gain[found] < least_gain * abs(bound):
            break
        bound += gain[found]
        chosen[found] = True
        nodes[count] = found
        count += 1
        for w in range(n_words):
            if count == 1:
                unit[w] = likely[found, w] + prior
            total[w] += np.exp(likely[found, w] + prior - unit[w])
        fresh[:] = False
        up = tree.parent[found]
        begin, end = (0, n_top) if up < 0 else (tree.first[up], tree.first[up] + tree.width[up])
        for v in range(begin, end):
            if not chosen[v]:
                reach[v] += leave
        for v in range(tree.first[found], tree.first[found] + tree.width[found]):
            reach[v] = reach[found] + on + take
            gain[v] = np.inf
        if count == 1:  # gains so far were not gains beyond another node
            gain[gain > -np.inf] = np.inf
    return nodes[:count]


@njit(cache=True, forceinline=True)
def _best_candidate(
    gain: NDArray[np.float64], log_choice: NDArray[np.float64], chosen: NDArray[np.bool_]
) -> int:
    """The candidate with the highest gain; -1 if there is no candidate."""
    found = -1
    for v in range(len(gain)):
        if (
            not chosen[v]
            and gain[v] > -np.inf
            and (found < 0 or gain[v] + log_choice[v] > gain[found] + log_choice[found])
        ):
            found = v
    return found


@njit(cache=True, forceinline=True)
def _gain(
    likely: NDArray[np.float64],
    times: NDArray[np.float64],
    prior: float,
    total: NDArray[np.float64],
    unit: NDArray[np.float64],
    first: bool,
) -> float:
    """What a node adds to the bound; for the first node, the bound itself."""
    found = 0.0
    if first:
        for w in range(len(times)):
            found += times[w] * likely[w]
        return float(found + times.sum() * prior)
    for w in range(len(times)):
        more = np.exp(likely[w] + prior - unit[w])
        found += times[w] * np.log1p(more / total[w])
    return found


@njit(cache=True)
def shared_out(
    likely: NDArray[np.float64],
    times: NDArray[np.float64],
    nodes: NDArray[np.int64],
    tree: Shape,
    beta: float,
    stop: tuple[float, float],
    most_steps: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Assign the words of a document to the nodes of its subtree.

    The document's choices among siblings, and where it stops, are learned together with the
    assignment. `likely` has the rows of `nodes`, which come in the order of their selection.

    Returns
    -------
    shared
        (nodes, words of the document): P(node | word).
    share
        (nodes,): the expected proportions of the document.
    """
    count = len(nodes)
    up = np.full(count, -1)
    for k in range(count):
        for j in range(k):
            if nodes[j] == tree.parent[nodes[k]]:
                up[k] = j
    inner = tree.width[nodes] > 0
    log = np.zeros(count)  # E log P(getting to a node and stopping there)
    share = np.ones(count)
    shared = np.empty_like(likely)
    own, before = np.zeros(count), np.zeros(count)
    for step in range(most_steps):
        _assign_words(likely, times, log, shared, own)
        _set_proportions(own, up, inner, beta, stop, log, share)
        moved = np.abs(own - before).sum()
        if step and moved < _CONVERGED * times.sum():
            break
        before[:] = own
    return shared, share


@njit(cache=True, forceinline=True)
def _assign_words(
    likely: NDArray[np.float64],
    times: NDArray[np.float64],
    log: NDArray[np.float64],
    shared: NDArray[np.float64],
    own: NDArray[np.float64],
) -> None:
    """Set `shared` to P(node | word), and `own` to the expected number of words at each node."""
    count, n_words = likely.shape
    own[:] = 0.0
    for w in range(n_words):
        most = -np.inf
        for k in range(count):
            shared[k, w] = likely[k, w] + log[k]
            most = max(most, shared[k, w])
        norm = 0.0
        for k in range(count):
            shared[k, w] = np.exp(shared[k, w] - most)
            norm += shared[k, w]
        for k in range(count):
            shared[k, w] /= norm
            own[k] += shared[k, w] * times[w]


@njit(cache=True, forceinline=True)
def _set_proportions(
    own: NDArray[np.float64],
    up: NDArray[np.int64],
    inner: NDArray[np.bool_],
    beta: float,
    stop: tuple[float, float],
    log: NDArray[np.float64],
    share: NDArray[np.float64],
) -> None:
    """Set `log` and `share` by the numbers of words at each node.

    `up` is the parent's place among the nodes; all words stop at nodes that are not `inner`.
    """
    count = len(own)
    leave, left = np.empty(count), np.empty(count)
    reach, arrived = np.empty(count), np.empty(count)
    onward, passed = np.empty(count), np.empty(count)
    through = own.copy()  # words that stop at a node or below
    for k in range(count - 1, -1, -1):
        if up[k] >= 0:
            through[up[k]] += through[k]
    for k in range(count):
        later = beta
        for j in range(k + 1, count):
            if up[j] == up[k]:
                later += through[j]
        a = 1.0 + through[k]
        both = digamma(a + later)
        leave[k], left[k] = digamma(later) - both, later / (a + later)
        reach[k], arrived[k] = digamma(a) - both, a / (a + later)
        for j in range(k):
            if up[j] == up[k]:
                reach[k] += leave[j]
                arrived[k] *= left[j]
        if up[k] >= 0:
            reach[k] += onward[up[k]]
            arrived[k] *= passed[up[k]]
        log[k], share[k] = reach[k], arrived[k]
        if inner[k]:
            c, d = stop[0] + own[k], stop[1] + through[k] - own[k]
            both = digamma(c + d)
            log[k] += digamma(c) - both
            share[k] *= c / (c + d)
            onward[k] = reach[k] + digamma(d) - both
            passed[k] = arrived[k] * d / (c + d)
