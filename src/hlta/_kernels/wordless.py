"""The wordless document's messages, and the tables of a tree that passes over documents need.

Arrays are padded to K states; loops cover the states that a variable has. Latent variables are numbered
breadth-first, so parents come before their children.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, kernel
from hlta._kernels.scale import LOG_SAFE, LOG_STEP


class Shape(NamedTuple):
    """A tree of n words and m latent variables without its probabilities."""

    word_parent: t.Ids  # (n,): the latent variable above each word
    parent: t.Ids  # (m,): the latent variable above each; m for the root, which has none
    states: t.Ids  # (m + 1,): the number of states of each; 1 at m


class Filled(NamedTuple):
    """The arrays that `fill_tables` fills in; all are 0 before. `Tables` is that of `propagation`."""

    log_wordless: t.OutRealTable  # (m, K): log P(no word below v | v=k)
    factor: t.OutRealTable  # (n, K): see `Tables`
    conditional: t.OutRealCube  # (m, K, K): P(v=k | parent=j, no word below v), as [v, j, k]
    rows: t.OutRealCube  # (m, 2 K, K): see `Tables`
    power: t.OutRealTable  # (m, K): see `Tables`


@helper
def send_messages(shape: Shape, word: t.RealTable, latent: t.RealCube, filled: Filled) -> float:
    """Messages of the wordless document, from the leaves to the root, as logarithms.

    Fills `log_wordless`, and `conditional` with P(v=k | parent=j) / P(no word below v | parent=j), up
    to a factor of v alone. Returns log P(no word).
    """
    parent, states = shape.parent, shape.states
    evidence, ratio = filled.log_wordless, filled.conditional
    most, log_message = evidence.shape[1], 0.0
    weight = np.empty(most)
    for w in range(len(word)):
        above = shape.word_parent[w]
        for j in range(states[above]):
            evidence[above, j] += np.log1p(-word[w, j])
    for v in range(len(latent) - 1, -1, -1):
        above, own = parent[v], states[v]
        top = evidence[v, 0]
        for k in range(1, own):
            top = max(top, evidence[v, k])
        for k in range(own):
            weight[k] = np.exp(evidence[v, k] - top)
        for k in range(own, most):
            evidence[v, k] = -np.inf
        for j in range(states[above]):
            message = 0.0
            for k in range(own):
                message += latent[v, j, k] * weight[k]
            for k in range(own):
                ratio[v, j, k] = latent[v, j, k] / message
            log_message = np.log(message) + top
            if v > 0:
                evidence[above, j] += log_message
        # A state that the parent lacks has no weight; copies of state 0 stay within a double's range.
        for j in range(states[above], most):
            for k in range(own):
                ratio[v, j, k] = ratio[v, 0, k]
    return log_message


@helper
def fill_factors(shape: Shape, word: t.RealTable, factor: t.OutRealTable) -> None:
    """The likelihood ratios of words; 1 for a state that the parent lacks."""
    for w in range(len(word)):
        odds = word[w, 0] / (1.0 - word[w, 0])
        factor[w, 0] = np.log(odds)
        own = shape.states[shape.word_parent[w]]
        for k in range(1, own):
            factor[w, k] = word[w, k] / (1.0 - word[w, k]) / odds
        for k in range(own, factor.shape[1]):
            factor[w, k] = 1.0


@helper
def needs_guard(shape: Shape, factor: t.OutRealTable, ratio: t.OutRealCube) -> bool:
    """Whether some document could take a likelihood ratio beyond exp(+-LOG_SAFE).

    The evidence for a state, relative to state 0, is multiplied by at most one factor per child. A
    word's factor is fixed; a latent child's lies between the messages that it would send if its
    state were known.
    """
    parent, states = shape.parent, shape.states
    m, most = ratio.shape[0], ratio.shape[1]
    up, down = np.zeros((m, most)), np.zeros((m, most))
    for w in range(len(factor)):
        above = shape.word_parent[w]
        for j in range(1, states[above]):
            evidence = np.log(factor[w, j])
            up[above, j] += max(evidence, 0.0)
            down[above, j] += max(-evidence, 0.0)
    for v in range(1, m):
        above = parent[v]
        for j in range(1, states[above]):
            highest, lowest = 0.0, np.inf
            for k in range(states[v]):
                message = ratio[v, j, k] / ratio[v, 0, k]
                highest, lowest = max(highest, message), min(lowest, message)
            up[above, j] += max(np.log(highest), 0.0)
            down[above, j] += max(-np.log(lowest), 0.0)
    for v in range(m):
        for j in range(1, states[v]):
            if up[v, j] > LOG_SAFE or down[v, j] > LOG_SAFE:
                return True
    return False


@helper
def fill_rows(shape: Shape, filled: Filled) -> bool:
    """Fill `conditional`, `rows` and `power`; returns whether any power is not 0."""
    evidence, conditional, rows = filled.log_wordless, filled.conditional, filled.rows
    has_power, most = False, evidence.shape[1]
    for v in range(len(evidence)):
        top = evidence[v, 0]
        for k in range(1, shape.states[v]):
            top = max(top, evidence[v, k])
        for k in range(shape.states[v]):
            power = np.rint((evidence[v, k] - top) / LOG_STEP)
            has_power |= power != 0.0
            filled.power[v, k] = power
            weight = np.exp(evidence[v, k] - top)
            kept = np.exp(evidence[v, k] - top - power * LOG_STEP) if power != 0.0 else weight
            for j in range(most):
                rows[v, k, j] = rows[v, most + j, k] = conditional[v, j, k] * kept
                conditional[v, j, k] *= weight
    return has_power


@kernel
def fill_tables(
    shape: Shape, word: t.RealTable, latent: t.RealCube, filled: Filled
) -> tuple[float, bool]:
    """Fill the tables of a tree; returns log P(no word), and whether passes must guard ratios.

    word    float64 (n, K)     P(word present | parent=j)
    latent  float64 (m, K, K)  P(v=k | parent=j), as [v, j, k]
    """
    log_likelihood = send_messages(shape, word, latent, filled)
    fill_factors(shape, word, filled.factor)
    guarded = needs_guard(shape, filled.factor, filled.conditional)
    guarded |= fill_rows(shape, filled)
    return log_likelihood, guarded
