"""Message passing through the tree, document by document: the loops that take most of the time.

For a document d and a latent variable v with parent state j and own state k, write r_v(k) for the
evidence below v in state k relative to state 0, and rho_v(k) for that of the wordless document. With
P(v=k|j) divided by the wordless message to j, as `rows` hold it, the message to the parent relative
to that of the wordless document is

    mu_v(j) = sum over k of rows[v, j, k] rho_v(k) r_v(k)

`collect_messages` goes from the words to the root over the active latent variables alone, starting
from r = 1; its callers go back down over the same variables. Latent variables are numbered
breadth-first, so those of one depth are contiguous: depth by depth, children come before parents
without any sorting. The active ones of depth k are listed from `start[k]`. Each list has room for
its depth and one more, because the next slot is written before it is known whether it is needed: a
branch there would often be mispredicted.

`states` is a tuple whose length is the number of states K: the compiler knows it, so that all loops
over states are unrolled or vectorised. Variables with fewer states are padded by rows of zeros.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint32, uintp

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, inlined, kernel_of_states
from hlta._kernels.postings import Rows
from hlta._kernels.scale import HIGH, LOG_STEP, LOW, STEP, UNSTEP


class Tables(NamedTuple):
    """The tree under its parameters, for n words, m latent variables and K states."""

    states: t.States  # of length K
    word_parent: t.Ids  # (n,): the latent variable above each word
    presence: t.Reals  # (n,): log P(present | 0) - log P(absent | 0), for state 0 of the parent
    factor: t.RealTable  # (n, K): P(present | k) / P(absent | k), relative to state 0
    parent: t.Ids  # (m,): the latent variable above each; for the root the empty slot m
    depth: t.Ids  # (m,): edges up to the root
    start: t.Ids  # (depths + 1,): where the list of each depth begins
    rows: t.RealCube  # (m, K, K): P(v=k | parent=j) over the wordless message to j, as [v, j, k]
    ratio: t.RealTable  # (m, K): rho, as ratio * STEP**power; at most 1
    power: t.RealTable  # (m, K)
    guarded: bool  # whether ratios can leave the range of a double


class Memory(NamedTuple):
    """Working memory of one thread, at rest between documents.

    A row of `scratch` has three parts of K numbers. The first is r_v, whose entry for state 1 is 0 at
    rest, which marks v as inactive; entry 0 is never used, as r_v(0) = 1. The second is rho_v r_v, and
    the third 1 / mu_v(j) on the way up, P(v=k | d) on the way down.
    """

    scratch: t.OutRealTable  # (m + 1, at least 3 K)
    lift: t.OutRealTable  # (m + 1, K): r_v is the first part * STEP**lift; 0 unless guarded
    active: t.OutIds  # (m + depths,): the lists of active latent variables
    stop: t.OutIds  # (depths + 1,): where each list ends; equal to `start` at rest


@helper
def rescale(product: float, lift: float) -> tuple[float, float]:
    """Bring `product` > 0 back within [LOW, HIGH], leaving product * STEP**lift unchanged."""
    while product > HIGH:
        product *= UNSTEP
        lift += 1.0
    while 0.0 < product < LOW:
        product *= STEP
        lift -= 1.0
    return product, lift


@helper
def balance(evidence: t.OutReals, lift: t.OutReals, power: t.Reals) -> float:
    """Bring numbers evidence * STEP**(lift + power) to one power, which is returned; `lift` rests.

    Those far below the largest become 0: they count for nothing.
    """
    top = -np.inf
    for k in range(lift.size):
        evidence[k], lift[k] = rescale(evidence[k], lift[k] + power[k])
        if evidence[k] > 0.0:
            top = max(top, lift[k])
    for k in range(lift.size):
        # Step by step to 0, as one step may still count: parameters can be as small as 1e-100.
        while lift[k] < top and evidence[k] > 0.0:
            evidence[k] *= UNSTEP
            lift[k] += 1.0
        lift[k] = 0.0
    return top


@inlined
def collect_messages(words: t.Ids, tables: Tables, memory: Memory) -> tuple[float, t.Id]:
    """From the words of a document to the root. Returns log P(d) - log P(no words), greatest depth.

    Afterwards `active[start[k]:stop[k]]` are the active latent variables of depth k > 0, with rho r
    and 1 / mu in their scratch rows, and the root's third part is P(root | d). The caller must reset
    `stop` to `start` for depths 1 to the greatest. Unless `guarded`, every ratio is within
    exp(+-LOG_SAFE) in all documents, and none is checked. (One function of two phases, words and then
    depths, so that all of its state stays in registers.)
    """
    word_parent, presence, factor = tables.word_parent, tables.presence, tables.factor
    parent, depth, start, rows = tables.parent, tables.depth, tables.start, tables.rows
    ratio, power, guarded = tables.ratio, tables.power, tables.guarded
    scratch, lift, active, stop = memory.scratch, memory.lift, memory.active, memory.stop
    n_states = len(tables.states)
    second, third = uintp(n_states), uintp(2 * n_states)
    shift = 0.0
    product = 1.0  # of mu_v(0), so that logarithms are rare
    deepest = uint32(0)
    for i in range(words.size):
        w = words[i]
        p = word_parent[w]
        depth_of_parent = depth[p]
        shift += presence[w]
        slot = stop[depth_of_parent]
        fresh = scratch[p, uintp(1)] == 0.0
        active[slot] = p
        stop[depth_of_parent] = slot + uint32(fresh)
        for state in range(1, n_states):
            k = uintp(state)
            x = scratch[p, k]
            x = factor[w, k] * (1.0 if fresh else x)
            if guarded:
                x, lift[p, k] = rescale(x, lift[p, k])
            scratch[p, k] = x
        deepest = max(deepest, depth_of_parent)
    for climbed in range(deepest):
        at = deepest - uint32(climbed)
        above = stop[at - uint32(1)]
        for slot in range(start[at], stop[at]):
            v = active[uint32(slot)]
            p = parent[v]
            fresh = scratch[p, uintp(1)] == 0.0
            active[above] = p
            above += uint32(fresh)
            scratch[v, second] = ratio[v, uintp(0)]
            for state in range(1, n_states):
                k = uintp(state)
                scratch[v, second + k] = scratch[v, k] * ratio[v, k]
            scratch[v, uintp(1)] = 0.0
            if guarded:
                evidence = scratch[v, second:third]
                shift += LOG_STEP * balance(evidence, lift[v], power[v])
            mu = 0.0
            for state in range(n_states):
                k = uintp(state)
                mu += rows[v, uintp(0), k] * scratch[v, second + k]
            product *= mu
            inverse = 1.0 / mu
            scratch[v, third] = inverse
            if not LOW <= product <= HIGH:
                shift += np.log(product)
                product = 1.0
            for parent_state in range(1, n_states):
                j = uintp(parent_state)
                mu = 0.0
                for state in range(n_states):
                    k = uintp(state)
                    mu += rows[v, j, k] * scratch[v, second + k]
                scratch[v, third + j] = 1.0 / mu
                x = scratch[p, j]
                x = mu * inverse * (1.0 if fresh else x)
                if guarded:
                    x, lift[p, j] = rescale(x, lift[p, j])
                scratch[p, j] = x
        stop[at - uint32(1)] = above
    # The root is visited in every document, the wordless one included.
    fresh = scratch[0, 1] == 0.0
    scratch[0, second] = ratio[0, 0]
    for state in range(1, n_states):
        k = uintp(state)
        x = scratch[0, k]
        scratch[0, second + k] = ratio[0, k] * (1.0 if fresh else x)
    scratch[0, 1] = 0.0
    if guarded:
        evidence = scratch[0, second:third]
        shift += LOG_STEP * balance(evidence, lift[0], power[0])
    mu = 0.0
    for state in range(n_states):
        k = uintp(state)
        mu += rows[0, 0, k] * scratch[0, second + k]
    inverse = 1.0 / mu
    for state in range(n_states):
        k = uintp(state)
        # Rounding could exceed 1.
        scratch[0, third + k] = min(rows[0, 0, k] * scratch[0, second + k] * inverse, 1.0)
    stop[0] = start[0]
    return shift + np.log(product) + np.log(mu), deepest


@inlined
def distribute_evidence(v: t.Id, tables: Tables, memory: Memory) -> None:
    """From the posterior of an active variable's parent to its own.

    Leaves P(parent=j | d) / mu_v(j) in the first part of the scratch row of v, and P(v=k | d) in the
    third.
    """
    n_states = len(tables.states)
    second, third = uintp(n_states), uintp(2 * n_states)
    rows, scratch = tables.rows, memory.scratch
    p = tables.parent[v]
    for parent_state in range(n_states):
        j = uintp(parent_state)
        scratch[v, j] = scratch[p, third + j] * scratch[v, third + j]
    for state in range(n_states):
        k = uintp(state)
        posterior = 0.0
        for parent_state in range(n_states):
            j = uintp(parent_state)
            posterior += scratch[v, j] * rows[v, j, k]
        scratch[v, third + k] = min(posterior * scratch[v, second + k], 1.0)


@kernel_of_states
def score_documents(
    documents: Rows, begin: int, end: int, tables: Tables, memory: Memory, out: t.OutReals
) -> None:
    """out[d - begin] = log P(d) - log P(no words) for documents begin to end."""
    indptr, indices, start, stop = documents.indptr, documents.indices, tables.start, memory.stop
    for d in range(begin, end):
        words = indices[indptr[d] : indptr[d + 1]]
        out[d - begin], deepest = collect_messages(words, tables, memory)
        for k in range(deepest + 1):
            stop[k] = start[k]


@kernel_of_states
def accumulate_counts(
    documents: Rows,
    begin: int,
    end: int,
    tables: Tables,
    memory: Memory,
    latent_counts: t.OutRealCube,
    word_counts: t.OutRealTable,
) -> float:
    """Add the active counts of documents begin to end; returns sum of log P(d) - log P(no words).

    latent_counts  float64 (m, K, K) added to, over the documents in which v is active: the sum of
                   P(parent=j, v=k | d) / rows[v, j, k]; for the root P(root=k | d), in row 0
    word_counts    float64 (n, K) added to: P(parent=k | d) of the documents with the word, k > 0
    """
    indptr, indices = documents.indptr, documents.indices
    word_parent, start = tables.word_parent, tables.start
    scratch, active, stop = memory.scratch, memory.active, memory.stop
    n_states = len(tables.states)
    second, third = uintp(n_states), uintp(2 * n_states)
    total = 0.0
    for d in range(begin, end):
        words = indices[indptr[d] : indptr[d + 1]]
        log_likelihood, deepest = collect_messages(words, tables, memory)
        total += log_likelihood
        for state in range(n_states):
            k = uintp(state)
            latent_counts[0, 0, k] += scratch[0, third + k]
        for climbed in range(deepest):
            at = uint32(climbed + 1)
            for slot in range(start[at], stop[at]):
                v = active[uint32(slot)]
                distribute_evidence(v, tables, memory)
                for parent_state in range(n_states):
                    j = uintp(parent_state)
                    weight = scratch[v, j]
                    for state in range(n_states):
                        k = uintp(state)
                        latent_counts[v, j, k] += weight * scratch[v, second + k]
                scratch[v, uintp(1)] = 0.0
            stop[at] = start[at]
        for i in range(words.size):
            w = words[i]
            p = word_parent[w]
            for state in range(1, n_states):
                k = uintp(state)
                word_counts[w, k] += scratch[p, third + k]
    return total
