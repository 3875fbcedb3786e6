"""The loops of the nHDP over one document: its subtree, and who its words come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SETTLED = 1e-3  # of a document's words that still move from node to node


@njit(cache=True)
def digamma(x: float) -> float:
    """For x > 0, by its recurrence and an asymptotic series."""
    found = 0.0
    while x < 8.0:
        found -= 1.0 / x
        x += 1.0
    y = 1.0 / (x * x)
    series = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y / 132))))
    return found + np.log(x) - 0.5 / x - series


@njit(cache=True)
def subtree(
    likely: NDArray[np.float64],
    times: NDArray[np.float64],
    log_choice: NDArray[np.float64],
    parent: NDArray[np.int64],
    first: NDArray[np.int64],
    width: NDArray[np.int64],
    top: int,
    beta: float,
    stop: tuple[float, float],
    most_nodes: int,
    least_gain: float,
) -> NDArray[np.int64]:
    """Nodes for a document, one by one: the one that raises the bound most, if the one above is in.

    The document's own distributions are at their priors: of siblings, each that is taken leaves
    less for the next. What the tree thinks of a node counts once. The gain of a node only falls
    while others are taken, so that an old one that is too low need not be computed again.
    """
    take, leave = digamma(1.0) - digamma(1.0 + beta), digamma(beta) - digamma(1.0 + beta)
    both = digamma(stop[0] + stop[1])
    halt, on = digamma(stop[0]) - both, digamma(stop[1]) - both
    nodes_all, n_words = likely.shape
    words_all = times.sum()
    reach = np.full(nodes_all, -np.inf)  # E log of getting to a node, before it stops or not
    reach[:top] = take
    gain = np.full(nodes_all, -np.inf)
    gain[:top] = np.inf
    total = np.zeros(n_words)  # in units of exp(unit)
    unit = np.full(n_words, -np.inf)
    fresh = np.zeros(nodes_all, dtype=np.bool_)
    chosen = np.zeros(nodes_all, dtype=np.bool_)
    nodes = np.empty(most_nodes, dtype=np.int64)
    count = 0
    bound = 0.0
    while count < most_nodes:
        found = -1
        for v in range(nodes_all):
            if (
                not chosen[v]
                and gain[v] > -np.inf
                and (found < 0 or gain[v] + log_choice[v] > gain[found] + log_choice[found])
            ):
                found = v
        if found < 0:
            break
        prior = reach[found] + (halt if width[found] else 0.0)
        if not fresh[found]:
            sum_ = 0.0
            if count == 0:
                for w in range(n_words):
                    sum_ += times[w] * likely[found, w]
                sum_ += words_all * prior
            else:
                for w in range(n_words):
                    more = np.exp(likely[found, w] + prior - unit[w])
                    sum_ += times[w] * np.log1p(more / total[w])
            gain[found] = sum_
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
        up = parent[found]
        begin, end = (0, top) if up < 0 else (first[up], first[up] + width[up])
        for v in range(begin, end):
            if not chosen[v]:
                reach[v] += leave
        for v in range(first[found], first[found] + width[found]):
            reach[v] = reach[found] + on + take
            gain[v] = np.inf
        if count == 1:  # what was computed so far was no gain beyond others
            for v in range(nodes_all):
                if gain[v] > -np.inf:
                    gain[v] = np.inf
    return nodes[:count]


@njit(cache=True)
def shared_out(
    likely: NDArray[np.float64],
    times: NDArray[np.float64],
    nodes: NDArray[np.int64],
    parent: NDArray[np.int64],
    width: NDArray[np.int64],
    beta: float,
    stop: tuple[float, float],
    most_steps: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """P(node | word) in a document, and its expected proportions.

    Its choices and where it stops are learned together with them. Nodes come in the order in which
    they were taken, which is that of the sticks; at nodes without children all words stop.
    """
    count, n_words = likely.shape
    up = np.full(count, -1)
    for k in range(count):
        for j in range(k):
            if nodes[j] == parent[nodes[k]]:
                up[k] = j
    log = np.zeros(count)  # E log of a word's getting to a node and stopping there
    share = np.ones(count)
    leave, left = np.empty(count), np.empty(count)
    reach, arrived = np.empty(count), np.empty(count)
    onward, passed = np.empty(count), np.empty(count)
    shared = np.empty_like(likely)
    own, before = np.zeros(count), np.zeros(count)
    for step in range(most_steps):
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
            if width[nodes[k]]:
                c, d = stop[0] + own[k], stop[1] + through[k] - own[k]
                both = digamma(c + d)
                log[k] += digamma(c) - both
                share[k] *= c / (c + d)
                onward[k] = reach[k] + digamma(d) - both
                passed[k] = arrived[k] * d / (c + d)
        moved = np.abs(own - before).sum()
        if step and moved < _SETTLED * times.sum():
            break
        before[:] = own
    return shared, share
