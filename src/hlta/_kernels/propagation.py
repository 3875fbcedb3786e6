"""Message passing through the tree, document by document: the loops that take most of the time.

For a document d and a node v with parent j, with the evidence below v written lambda_v(k),

    r_v    = lambda_v(1) / lambda_v(0)
    m_v(j) = P(v=0|j) lambda_v(0) + P(v=1|j) lambda_v(1)

`collect_messages` goes from the words to the root over the active latent variables alone, starting
from the ratios of the wordless document; its callers go back down over the same variables.
Latent variables are numbered breadth-first, so those of one depth are contiguous: depth by depth,
children come before parents without any sorting. The active ones of depth k are listed from
`start[k]`. Each list has room for its depth and one more, because the next slot is written before
it is known whether it is needed: a branch there would often be mispredicted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint32

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, inlined, kernel
from hlta._kernels.postings import Rows
from hlta._kernels.scale import HIGH, LOG_STEP, LOW, STEP, UNSTEP
from hlta._kernels.wordless import (
    ABOVE,
    BOTH,
    FACTOR,
    ONLY,
    P00,
    P01,
    P10,
    P11,
    POWER,
    PRESENCE,
    RATIO,
    UNMESSAGE,
    UNSHIFT,
    VISITS,
)

# Columns of a latent variable's scratch row. PRODUCT is 0 at rest, which marks it as inactive. On
# the way down, POSTERIOR overwrites GAIN0.
PRODUCT, LIFT, GAIN0, GAIN1 = range(4)
POSTERIOR = GAIN0


class Tables(NamedTuple):
    """The tree under its parameters, for n words and m latent variables."""

    word_parent: t.Ids  # (n,): the latent variable above each word
    word_rows: t.RealTable  # (n, 2): FACTOR, PRESENCE
    parent: t.Ids  # (m,): the latent variable above each; for the root the empty slot m
    depth: t.Ids  # (m,): edges up to the root
    start: t.Ids  # (depths + 1,): where the list of each depth begins
    rows: t.RealTable  # (m, 8): P00 to UNSHIFT
    log_shift: t.Reals  # (m,): log of m_v(0) without words, with lambda_v(0) = 1
    guarded: bool  # whether ratios can leave the range of a double


class Memory(NamedTuple):
    """Working memory of one thread, at rest between documents."""

    scratch: t.OutRealTable  # (m + 1, 4): PRODUCT to GAIN1; PRODUCT and LIFT are 0 at rest
    active: t.OutIds  # (m + depths,): the lists of active latent variables
    stop: t.OutIds  # (depths + 1,): where each list ends; equal to `start` at rest


class Extreme(NamedTuple):
    """The message of a latent variable whose ratio may leave the range of a double."""

    message: float  # m(1) / m(0)
    gain0: float  # P(v=1 | parent=0, d)
    gain1: float  # P(v=1 | parent=1, d)
    log_shift: float  # log m(0) less that of the wordless document, with lambda(0) = 1


@helper
def rescale(product: float, lift: float) -> tuple[float, float]:
    """Bring `product` > 0 back within [LOW, HIGH], leaving product * STEP**lift unchanged."""
    while product > HIGH:
        product *= UNSTEP
        lift += 1.0
    while product < LOW:
        product *= STEP
        lift -= 1.0
    return product, lift


@helper
def collect_extreme_message(ratio: float, lift: float, row: t.Reals, log_shift: float) -> Extreme:
    """The message of a latent variable whose ratio is `ratio * STEP**lift`.

    The larger of lambda(0) and lambda(1) is factored out, as in a log-sum-exp.
    """
    ratio, lift = rescale(ratio, lift)
    one, zero, base = ratio, 1.0, 0.0
    if lift > 0.0:
        one, zero, base = 1.0, 1.0 / ratio, np.log(ratio) + lift * LOG_STEP
    # Step by step to 0, as one step may still count: parameters can be as small as 1e-100.
    while lift > 0.0 and zero > 0.0:
        zero *= UNSTEP
        lift -= 1.0
    while lift < 0.0 and one > 0.0:
        one *= UNSTEP
        lift += 1.0
    m0 = row[P00] * zero + row[P10] * one
    m1 = row[P01] * zero + row[P11] * one
    gain0, gain1 = row[P10] * one / m0, row[P11] * one / m1
    return Extreme(m1 / m0, gain0, gain1, np.log(m0) + base - log_shift)


@inlined
def collect_messages(words: t.Ids, tables: Tables, memory: Memory) -> tuple[float, t.Id]:
    """From the words of a document to the root. Returns log P(d) - log P(no words), greatest depth.

    Afterwards `active[start[k]:stop[k]]` are the active latent variables of depth k > 0, their
    scratch rows hold P(v=1 | parent=j, d) in GAIN0 and GAIN1, and the root's POSTERIOR is
    P(root=1 | d). The caller must reset `stop` to `start` for depths 1 to the greatest. Unless
    `guarded`, every ratio is within exp(+-LOG_SAFE) in all documents, and none is checked. (One
    function of two phases, words and then depths, so that all of its state stays in registers.)
    """
    word_parent, word_rows, parent = tables.word_parent, tables.word_rows, tables.parent
    depth, start, rows = tables.depth, tables.start, tables.rows
    log_shift, guarded = tables.log_shift, tables.guarded
    scratch, active, stop = memory.scratch, memory.active, memory.stop
    shift = 0.0
    product = 1.0  # of m_v(0) / m_v(0 | no words), so that logarithms are rare
    deepest = uint32(0)
    for i in range(words.size):
        w = words[i]
        p = word_parent[w]
        k = depth[p]
        shift += word_rows[w, PRESENCE]
        factor = word_rows[w, FACTOR]
        x = scratch[p, PRODUCT]
        slot = stop[k]
        fresh = x == 0.0
        active[slot] = p
        stop[k] = slot + uint32(fresh)
        x = factor * (1.0 if fresh else x)
        if guarded and not LOW <= x <= HIGH:
            x, scratch[p, LIFT] = rescale(x, scratch[p, LIFT])
        scratch[p, PRODUCT] = x
        deepest = max(deepest, k)
    for climbed in range(deepest):
        k = deepest - uint32(climbed)
        above = stop[k - uint32(1)]
        for slot in range(start[k], stop[k]):
            v = active[uint32(slot)]
            p = parent[v]
            r = scratch[v, PRODUCT] * rows[v, RATIO]
            lift = scratch[v, LIFT]
            power = rows[v, POWER]
            unmessage = rows[v, UNMESSAGE]
            if not guarded or (lift == 0.0 and power == 0.0 and LOW <= r <= HIGH):
                # Read everything before writing anything: the compiler cannot know that the
                # arrays do not overlap, and would read again after every write.
                on0 = rows[v, P10] * r
                on1 = rows[v, P11] * r
                m0 = rows[v, P00] + on0
                m1 = rows[v, P01] + on1
                unshift = rows[v, UNSHIFT]
                inverse = 1.0 / (m0 * m1)  # one division serves both states
                inverse0 = m1 * inverse
                message = m1 * inverse0
                scratch[v, PRODUCT] = 0.0
                scratch[v, GAIN0] = on0 * inverse0
                scratch[v, GAIN1] = on1 * (m0 * inverse)
                product *= m0 * unshift
                if not LOW <= product <= HIGH:
                    shift += np.log(product)
                    product = 1.0
            else:
                extreme = collect_extreme_message(r, lift + power, rows[v], log_shift[v])
                message = extreme.message
                scratch[v, PRODUCT] = 0.0
                scratch[v, LIFT] = 0.0
                scratch[v, GAIN0] = extreme.gain0
                scratch[v, GAIN1] = extreme.gain1
                shift += extreme.log_shift
            x = scratch[p, PRODUCT]
            fresh = x == 0.0
            active[above] = p
            above += uint32(fresh)
            x = message * unmessage * (1.0 if fresh else x)
            if guarded and not LOW <= x <= HIGH:
                x, scratch[p, LIFT] = rescale(x, scratch[p, LIFT])
            scratch[p, PRODUCT] = x
        stop[k - uint32(1)] = above
    # The root is visited in every document, the wordless one included.
    x = scratch[0, PRODUCT]
    r = (1.0 if x == 0.0 else x) * rows[0, RATIO]
    root = collect_extreme_message(r, scratch[0, LIFT] + rows[0, POWER], rows[0], log_shift[0])
    scratch[0, PRODUCT] = 0.0
    scratch[0, LIFT] = 0.0
    scratch[0, POSTERIOR] = root.gain1
    stop[0] = start[0]
    return shift + np.log(product) + root.log_shift, deepest


@kernel
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


@kernel
def accumulate_counts(
    documents: Rows,
    begin: int,
    end: int,
    tables: Tables,
    memory: Memory,
    latent_counts: t.OutRealTable,
    word_counts: t.OutReals,
) -> float:
    """Add the active counts of documents begin to end; returns sum of log P(d) - log P(no words).

    latent_counts  float64 (m, 4) added to: columns BOTH to VISITS, for the root BOTH alone
    word_counts    float64 (n,)   added to: P(parent=1 | d) of the documents with the word
    """
    indptr, indices = documents.indptr, documents.indices
    word_parent, parent, start = tables.word_parent, tables.parent, tables.start
    scratch, active, stop = memory.scratch, memory.active, memory.stop
    total = 0.0
    for d in range(begin, end):
        words = indices[indptr[d] : indptr[d + 1]]
        log_likelihood, deepest = collect_messages(words, tables, memory)
        total += log_likelihood
        latent_counts[0, BOTH] += scratch[0, POSTERIOR]
        for climbed in range(deepest):
            k = uint32(climbed + 1)
            for slot in range(start[k], stop[k]):
                v = active[uint32(slot)]
                above = scratch[parent[v], POSTERIOR]
                both = above * scratch[v, GAIN1]
                only = (1.0 - above) * scratch[v, GAIN0]
                all_both = latent_counts[v, BOTH] + both
                all_only = latent_counts[v, ONLY] + only
                all_above = latent_counts[v, ABOVE] + above
                visits = latent_counts[v, VISITS] + 1.0
                latent_counts[v, BOTH] = all_both
                latent_counts[v, ONLY] = all_only
                latent_counts[v, ABOVE] = all_above
                latent_counts[v, VISITS] = visits
                scratch[v, POSTERIOR] = min(both + only, 1.0)  # rounding could exceed 1
            stop[k] = start[k]
        for i in range(words.size):
            w = words[i]
            word_counts[w] += scratch[word_parent[w], POSTERIOR]
    return total
