"""Message passing through the tree, document by document: the loops that take most of the time.

For a document d and a latent variable v with parent state j and own state k, write r_v(k) for the
evidence below v in state k relative to state 0, over that of the wordless document. With P(v=k|j),
given that no word below v is present, in `rows`, the message to the parent over that of the wordless
document is

    mu_v(j) = sum over k of rows[v, j, k] r_v(k)

`collect_messages` goes from the words to the root over the active latent variables alone, starting
from r = 1; its callers go back down over the same variables. Latent variables are numbered
breadth-first, so those of one depth are contiguous: depth by depth, children come before parents
without any sorting. The active ones of depth k are listed from `start[k]`. Each list has room for
its depth and one more, because the next slot is written before it is known whether it is needed: a
branch there would often be mispredicted.

`states` is a tuple of K numbers, K being the number of states, so that the compiler knows K. The numbers
of all states are processed at once, see `hlta._kernels.lanes`: K consecutive numbers are a block, and
the blocks of an array are numbered. So block 2 v of `scratch` is r_v, block 2 v + 1 is the message or
the posterior of v, and v has 2 K blocks of `rows`: these are kept in two orders, because sums go over k
on the way up and over j on the way down. States that a variable lacks are padded: their conditional
probabilities are 0. Where K is large, most variables have far fewer states, so sums skip most of
the padding.

Ratios of long documents can leave the range of a double. Where that is possible (`guarded`), r_v is
multiplied by powers of STEP, which `lift` counts (see `scale`); `power` counts those of rows. After each
document, the caller brings its active variables to rest, and sets the end of each list to its start.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import uint32, uintp

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, inlined, kernel_of_states
from hlta._kernels.lanes import are_within, at_most, load, spread, store, with_first
from hlta._kernels.postings import Rows
from hlta._kernels.scale import HIGH, LOG_STEP, LOW, STEP, UNSTEP

# Sums over the states of a variable cover the first few, and go on only if it has more than these.
# The bounds of these loops are constants: the compiler unrolls them and keeps weights in registers.
FEW: Final = 4
MANY: Final = 8


class Tables(NamedTuple):
    """The tree under its parameters, for n words, m latent variables and K states."""

    states: t.States  # of length K
    word_parent: t.Ids  # (n,): the latent variable above each word
    # (n, K): the odds of presence in state k over those in state 0; at 0, the log of the latter
    factor: t.RealTable
    parent: t.Ids  # (m,): the latent variable above each; for the root the empty slot m
    depth: t.Ids  # (m,): edges up to the root
    start: t.Ids  # (depths + 1,): where the list of each depth begins
    own_states: t.Ids  # (m,): the number of states of each, at most K
    # (m, 2 K, K): P(v=k | parent=j, no word below v), as [v, k, j] and [v, K + j, k]
    rows: t.RealCube
    # (m, K): the rows are to be multiplied by STEP**power[v, k]; 0 unless guarded
    power: t.RealTable
    guarded: bool  # whether ratios can leave the range of a double, so that each is checked


class Memory(NamedTuple):
    """Working memory of one thread, at rest between documents.

    A row of `scratch` has two parts of K numbers. The first is r_v; entry 0 is 1, and entry 1 is 0 at
    rest, which marks v as inactive. The second is mu_v(j) on the way up, P(v=k | d) on the way down.
    """

    scratch: t.OutRealTable  # (m + 1, 2 K)
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
def rescale_all(v: t.Id, own_states: int, memory: Memory) -> None:
    """Bring the evidence of a latent variable back within [LOW, HIGH].

    For a state that it lacks, evidence is always 1.
    """
    scratch, lift = memory.scratch, memory.lift
    for k in range(own_states):
        scratch[v, k], lift[v, k] = rescale(scratch[v, k], lift[v, k])


@helper
def balance(v: t.Id, own_states: int, power: t.RealTable, memory: Memory) -> float:
    """Bring the evidence of a latent variable, with its rows' powers, to one power; returns its log.

    Numbers far below the largest become 0, which changes no sum noticeably. `lift` becomes 0.
    """
    scratch, lift = memory.scratch, memory.lift
    top = -np.inf
    for k in range(own_states):
        scratch[v, k], lift[v, k] = rescale(scratch[v, k], lift[v, k] + power[v, k])
        if scratch[v, k] > 0.0:
            top = max(top, lift[v, k])
    for k in range(own_states):
        # Step by step: one step below the largest, a number may still matter, because parameters can be
        # as small as 1e-100.
        while lift[v, k] < top and scratch[v, k] > 0.0:
            scratch[v, k] *= UNSTEP
            lift[v, k] += 1.0
        lift[v, k] = 0.0
    return top * LOG_STEP


@inlined
def weighted_sum(array: Any, first: int, weights: Any, own_states: int, states: t.States) -> Any:
    """The sum of weights[k] times block `first` + k of an array, over a variable's own states."""
    n_states = len(states)
    total = load(array, first, states) * weights[0]
    for k in range(1, min(FEW, n_states)):
        total += load(array, first + k, states) * weights[k]
    if own_states > FEW:
        for k in range(FEW, min(MANY, n_states)):
            total += load(array, first + k, states) * weights[k]
    if own_states > MANY:
        for k in range(MANY, n_states):
            total += load(array, first + k, states) * weights[k]
    return total


@inlined
def add_to(array: Any, block: int, lanes: Any, states: t.States) -> None:
    """Add K numbers to a block of an array."""
    store(array, block, load(array, block, states) + lanes)


@inlined
def add_weighted(
    array: Any, first: int, weights: Any, lanes: Any, own_states: int, states: t.States
) -> None:
    """Add weights[j] times K numbers to block `first` + j, for each j of a variable's own states."""
    n_states = len(states)
    for j in range(min(FEW, n_states)):
        add_to(array, first + j, lanes * weights[j], states)
    if own_states > FEW:
        for j in range(FEW, min(MANY, n_states)):
            add_to(array, first + j, lanes * weights[j], states)
    if own_states > MANY:
        for j in range(MANY, n_states):
            add_to(array, first + j, lanes * weights[j], states)


@inlined
def collect_messages(words: t.Ids, tables: Tables, memory: Memory) -> tuple[float, t.Id]:
    """Collect messages from a document's words up to the root.

    Returns log P(d) - log P(no words), and the greatest depth of an active latent variable. Afterwards
    `active[start[k]:stop[k]]` are the active latent variables of depth k > 0, with r and mu in their
    scratch rows; the root, again at rest, has P(root | d) in its second part. The caller must bring the
    active ones to rest, and reset `stop` to `start` for depths 1 to the greatest. Unless `guarded`,
    every ratio is within exp(+-LOG_SAFE) in all documents, and none is checked. The two phases, words
    and then depths, are one function so that all of its state stays in registers.
    """
    word_parent, factor = tables.word_parent, tables.factor
    parent, depth, start, rows = tables.parent, tables.depth, tables.start, tables.rows
    power, guarded, own_states = tables.power, tables.guarded, tables.own_states
    scratch, lift, active, stop = memory.scratch, memory.lift, memory.active, memory.stop
    states, n_states = tables.states, len(tables.states)
    ones = spread(1.0, states)
    shift = 0.0
    product = 1.0  # of mu_v(0), so that logarithms are rare
    deepest = uint32(0)
    for i in range(words.size):
        w = words[i]
        p = word_parent[w]
        depth_of_parent = depth[p]
        factors = load(factor, w, states)
        evidence = load(scratch, 2 * p, states)
        shift += factors[0]
        slot = stop[depth_of_parent]
        fresh = evidence[1] == 0.0
        active[slot] = p
        stop[depth_of_parent] = slot + uint32(fresh)
        # Entry 0 remains 1, exactly.
        evidence = with_first(factors * (ones if fresh else evidence), 1.0)
        store(scratch, 2 * p, evidence)
        if guarded and not are_within(evidence, LOW, HIGH):
            rescale_all(p, own_states[p], memory)
        deepest = max(deepest, depth_of_parent)
    for climbed in range(deepest):
        at = deepest - uint32(climbed)
        above = stop[at - uint32(1)]
        for slot in range(start[at], stop[at]):
            v = active[uint32(slot)]
            evidence = load(scratch, 2 * v, states)
            if guarded:
                powers = load(lift, v, states) + load(power, v, states)
                if are_within(powers, 0.0, 0.0) and are_within(evidence, LOW, HIGH):
                    store(lift, v, powers)  # at rest; there is seldom anything to balance
                else:
                    shift += balance(v, own_states[v], power, memory)
                    evidence = load(scratch, 2 * v, states)
            mu = weighted_sum(rows, v * 2 * n_states, evidence, own_states[v], states)
            store(scratch, 2 * v + 1, mu)
            product *= mu[0]
            if not LOW <= product <= HIGH:
                shift += np.log(product)
                product = 1.0
            p = parent[v]
            evidence = load(scratch, 2 * p, states)
            fresh = evidence[1] == 0.0
            active[above] = p
            above += uint32(fresh)
            evidence = mu / mu[0] * (ones if fresh else evidence)
            store(scratch, 2 * p, evidence)
            if guarded and not are_within(evidence, LOW, HIGH):
                rescale_all(p, own_states[p], memory)
        stop[at - uint32(1)] = above
    # The root is visited in every document, the wordless one included.
    if scratch[0, 1] == 0.0:
        store(scratch, 0, ones)
    if guarded:
        shift += balance(uint32(0), own_states[0], power, memory)
    posterior = load(rows, n_states, states) * load(scratch, 0, states)
    likelihood = 0.0
    for k in range(n_states):
        likelihood += posterior[k]
    store(scratch, 1, at_most(posterior / likelihood, 1.0))
    bring_to_rest(uint32(0), memory)
    stop[0] = start[0]
    return shift + np.log(product) + np.log(likelihood), deepest


@inlined
def bring_to_rest(v: t.Id, memory: Memory) -> None:
    """Mark a latent variable as inactive."""
    memory.scratch[v, uintp(0)] = 1.0
    memory.scratch[v, uintp(1)] = 0.0


@inlined
def distribute_evidence(v: t.Id, tables: Tables, memory: Memory) -> Any:
    """The posterior of an active variable from its parent's, into the second part of its row.

    Returns P(parent=j | d) / mu_v(j).
    """
    states, n_states = tables.states, len(tables.states)
    rows, scratch = tables.rows, memory.scratch
    p = tables.parent[v]
    weights = load(scratch, 2 * p + 1, states) / load(scratch, 2 * v + 1, states)
    own_states = tables.own_states[p]
    posterior = weighted_sum(rows, (2 * v + 1) * n_states, weights, own_states, states)
    store(scratch, 2 * v + 1, at_most(posterior * load(scratch, 2 * v, states), 1.0))
    return weights


@kernel_of_states
def score_documents(
    documents: Rows, begin: int, end: int, tables: Tables, memory: Memory, out: t.OutReals
) -> None:
    """out[d - begin] = log P(d) - log P(no words) for documents begin to end."""
    indptr, indices, start = documents.indptr, documents.indices, tables.start
    active, stop = memory.active, memory.stop
    for d in range(begin, end):
        words = indices[indptr[d] : indptr[d + 1]]
        out[d - begin], deepest = collect_messages(words, tables, memory)
        for climbed in range(deepest):
            at = uint32(climbed + 1)
            for slot in range(start[at], stop[at]):
                bring_to_rest(active[uint32(slot)], memory)
            stop[at] = start[at]


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
    """Add the counts of active variables in documents begin to end.

    Returns the sum of log P(d) - log P(no words).

    latent_counts  float64 (m, K, K) added to: the sum, over the documents in which v is active, of
                   P(parent=j, v=k | d) / rows[v, K + j, k]; for the root P(root=k | d), in row 0
    word_counts    float64 (n, K) added to: the sum, over documents with the word, of P(parent=k | d)
    """
    indptr, indices = documents.indptr, documents.indices
    word_parent, start = tables.word_parent, tables.start
    parent, own_states = tables.parent, tables.own_states
    scratch, active, stop = memory.scratch, memory.active, memory.stop
    states, n_states = tables.states, len(tables.states)
    total = 0.0
    for d in range(begin, end):
        words = indices[indptr[d] : indptr[d + 1]]
        log_likelihood, deepest = collect_messages(words, tables, memory)
        total += log_likelihood
        add_to(latent_counts, 0, load(scratch, 1, states), states)
        for climbed in range(deepest):
            at = uint32(climbed + 1)
            for slot in range(start[at], stop[at]):
                v = active[uint32(slot)]
                weights = distribute_evidence(v, tables, memory)
                evidence = load(scratch, 2 * v, states)
                of_parent = own_states[parent[v]]
                add_weighted(latent_counts, v * n_states, weights, evidence, of_parent, states)
                bring_to_rest(v, memory)
            stop[at] = start[at]
        for i in range(words.size):
            w = words[i]
            add_to(word_counts, w, load(scratch, 2 * word_parent[w] + 1, states), states)
    return total
