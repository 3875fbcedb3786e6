"""Documents through the tree: the loops that everything else waits for.

For a document d and a node v with parent j, with the evidence below v written lambda_v(k),

    r_v    = lambda_v(1) / lambda_v(0)
    m_v(j) = P(v=0|j) lambda_v(0) + P(v=1|j) lambda_v(1)

`collect_messages` goes from the words to the root over the active latents alone, starting from the
ratios of the document without words; `distribute_posteriors` returns over the same latents.
Latents are numbered breadth-start, so those of one depth are contiguous: depth by depth, children
come before parents without sorting anything. The active ones of depth k are listed from `start[k]`;
each list has room for its depth and one more, because the next slot is written before it is known
whether it is needed (a branch there would be mispredicted half of the time).
"""

from __future__ import annotations

import numpy as np
from numba import boolean, float64, int64, uint32, void
from numba.core.types import Array, Tuple

from hlta._kernels.compiling import helper, inlined, kernel
from hlta._kernels.scale import HIGH, LOG_STEP, LOW, STEP, UNSTEP
from hlta._kernels.wordless import (
    FACTOR,
    P00,
    P01,
    P10,
    P11,
    POWER,
    PRESENCE,
    RATIO,
    UNMESSAGE,
    UNSHIFT,
)

# Columns of a latent's scratch row. PRODUCT is 0 at rest, which is what marks a latent inactive.
PRODUCT, LIFT, GAIN0, GAIN1 = range(4)
POSTERIOR = GAIN0

# Columns of a latent's active counts.
BOTH, ONLY, ABOVE, VISITS = range(4)

_ids = Array(uint32, 1, "C", readonly=True)
_pointers = Array(int64, 1, "C", readonly=True)
_row = Array(float64, 1, "C", readonly=True)
_rows = Array(float64, 2, "C", readonly=True)
_out_ids = Array(uint32, 1, "C")
_out_pointers = Array(int64, 1, "C")
_out_row = Array(float64, 1, "C")
_out_rows = Array(float64, 2, "C")

# indptr, indices: int64 (documents + 1,), uint32 (presences,); then the range of documents to visit.
_documents = (_pointers, _ids, int64, int64)
# The tree under its parameters, read only; n words, m latents:
#   word_parent  uint32 (n,)        the latent above each word
#   word_rows    float64 (n, 2)     FACTOR, PRESENCE
#   parent       uint32 (m,)        the latent above each latent; for the root the empty slot m
#   depth        uint32 (m,)
#   start        uint32 (depths+1,) where the list of each depth begins
#   rows         float64 (m, 8)     P00 to UNSHIFT
#   log_shift    float64 (m,)       log of m_v(0) without words, with lambda_v(0) = 1
#   guarded      bool               whether ratios can leave the range of a double
_tables = Tuple((_ids, _rows, _ids, _ids, _ids, _rows, _row, boolean))
# Working memory of one thread, left as it was found:
#   scratch      float64 (m+1, 4)   PRODUCT to GAIN1, all PRODUCT and LIFT 0
#   active       uint32 (m+depths,) the lists of active latents
#   stop         uint32 (depths+1,) where each list ends, equal to start
_memory = Tuple((_out_rows, _out_ids, _out_ids))


@helper()
def rescale(product, lift):
    """Bring a positive product back within [LOW, HIGH]: returns x, n with x * STEP**n the same."""
    while product > HIGH:
        product *= UNSTEP
        lift += 1.0
    while product < LOW:
        product *= STEP
        lift -= 1.0
    return product, lift


@helper()
def collect_extreme_message(ratio, lift, row, log_shift):
    """The message of a latent whose ratio is `ratio * STEP**lift`, whatever its size.

    Returns m(1)/m(0), P(v=1|parent=0,d), P(v=1|parent=1,d) and log m(0) less `log_shift`, with
    lambda(0) = 1. The larger of lambda(0) and lambda(1) is factored out, as in a log-sum-exp.
    """
    ratio, lift = rescale(ratio, lift)
    one, zero, base = ratio, 1.0, 0.0
    if lift > 0.0:
        one, zero, base = 1.0, 1.0 / ratio, np.log(ratio) + lift * LOG_STEP
    # Down to nothing in a few steps, but not too soon: parameters too can be as small as 1e-100.
    while lift > 0.0 and zero > 0.0:
        zero *= UNSTEP
        lift -= 1.0
    while lift < 0.0 and one > 0.0:
        one *= UNSTEP
        lift += 1.0
    m0 = row[P00] * zero + row[P10] * one
    m1 = row[P01] * zero + row[P11] * one
    return m1 / m0, row[P10] * one / m0, row[P11] * one / m1, np.log(m0) + base - log_shift


@inlined()
def collect_messages(words, tables, memory):
    """From the words of a document to the root. Returns log P(d) - log P(no words), deepest depth.

    Afterwards `active[start[k]:stop[k]]` are the active latents of depth k > 0, their scratch rows
    hold P(v=1|parent=j,d) in GAIN0 and GAIN1, and the root's POSTERIOR is P(root=1|d). Without
    `guarded` no ratio can leave [LOW, HIGH], whatever the document, and none is looked at.
    """
    word_parent, word_rows, parent, depth, start, rows, log_shift, guarded = tables
    scratch, active, stop = memory
    shift = 0.0
    product = 1.0  # running product of m_v(0) / m_v(0 | no words): a log only now and then
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
                # Everything is read before anything is written: the compiler cannot know that
                # the arrays do not overlap, and would read again after every write.
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
                message, gain0, gain1, more = collect_extreme_message(
                    r, lift + power, rows[v], log_shift[v]
                )
                scratch[v, PRODUCT] = 0.0
                scratch[v, LIFT] = 0.0
                scratch[v, GAIN0] = gain0
                scratch[v, GAIN1] = gain1
                shift += more
            x = scratch[p, PRODUCT]
            fresh = x == 0.0
            active[above] = p
            above += uint32(fresh)
            x = message * unmessage * (1.0 if fresh else x)
            if guarded and not LOW <= x <= HIGH:
                x, scratch[p, LIFT] = rescale(x, scratch[p, LIFT])
            scratch[p, PRODUCT] = x
        stop[k - uint32(1)] = above
    # The root is visited in every document, also in one without words.
    x = scratch[0, PRODUCT]
    r = (1.0 if x == 0.0 else x) * rows[0, RATIO]
    _, _, gain1, more = collect_extreme_message(
        r, scratch[0, LIFT] + rows[0, POWER], rows[0], log_shift[0]
    )
    scratch[0, PRODUCT] = 0.0
    scratch[0, LIFT] = 0.0
    scratch[0, POSTERIOR] = gain1
    stop[0] = start[0]
    return shift + np.log(product) + more, deepest


@kernel(void(*_documents, _tables, _memory, _out_row))
def score_documents(
    indptr,
    indices,
    begin,
    end,
    tables,
    memory,
    out,
):
    """out[d] = log P(d) - log P(no words) for documents begin to end."""
    start, stop = tables[4], memory[2]
    for d in range(begin, end):
        words = indices[indptr[d] : indptr[d + 1]]
        out[d], deepest = collect_messages(words, tables, memory)
        for k in range(deepest + 1):
            stop[k] = start[k]


@kernel(float64(*_documents, _tables, _memory, _out_rows, _out_row))
def accumulate_counts(
    indptr,
    indices,
    begin,
    end,
    tables,
    memory,
    latent_counts,
    word_counts,
):
    """Add the active counts of documents begin to end; returns sum of log P(d) - log P(no words).

    latent_counts  float64 (m, 4) added to: P(parent=1, v=1), P(parent=0, v=1), P(parent=1), visits
    word_counts    float64 (n,)   added to: P(parent=1) where the word is present
    """
    word_parent, _, parent, _, start, _, _, _ = tables
    scratch, active, stop = memory
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
                scratch[v, POSTERIOR] = min(both + only, 1.0)  # not 1 and a rounding
            stop[k] = start[k]
        for i in range(words.size):
            w = words[i]
            word_counts[w] += scratch[word_parent[w], POSTERIOR]
    return total


@kernel(
    int64(
        *_documents,
        _tables,
        _memory,
        _pointers,
        _ids,
        _rows,
        _row,
        float64,
        _out_pointers,
        _out_ids,
        _out_row,
    )
)
def infer_posteriors(
    indptr,
    indices,
    begin,
    end,
    tables,
    memory,
    bounds,
    children,
    conditional,
    need,
    least,
    entries,
    numbers,
    values,
):
    """P(v=1|d) of the active latents and of some inactive ones, one document after the other.

    bounds, children  the children of latent v to look at when inactive:
                      children[bounds[v]:bounds[v + 1]]
    conditional       float64 (m, 2)  P(v=1 | parent=j, no word below v)
    need              float64 (m,)  inactive, v is looked at if P(parent=1|d) is that high
    least             latents are listed where P(v=1|d) is more
    entries           int64 (documents,)  out: how many latents are listed
    numbers, values   out: the latents and their posteriors; returns how many in all. There must be
                      room for m more than are listed.
    """
    parent, start = tables[2], tables[4]
    scratch, active, stop = memory
    filled = 0
    for d in range(begin, end):
        words = indices[indptr[d] : indptr[d + 1]]
        _, deepest = collect_messages(words, tables, memory)
        origin = filled
        numbers[filled] = 0
        values[filled] = scratch[0, POSTERIOR]
        filled += 1
        for climbed in range(deepest):
            k = uint32(climbed + 1)
            for slot in range(start[k], stop[k]):
                v = active[uint32(slot)]
                above = scratch[parent[v], POSTERIOR]
                both = above * scratch[v, GAIN1]
                posterior = min(both + (1.0 - above) * scratch[v, GAIN0], 1.0)
                scratch[v, POSTERIOR] = posterior
                scratch[v, PRODUCT] = 1.0  # active, for the search below
                numbers[filled] = v
                values[filled] = posterior
                filled += 1
            stop[k] = start[k]
        reached = filled
        t = origin
        while t < filled:  # grows while it is walked
            above = values[t]
            v = numbers[t]
            for at in range(bounds[v], bounds[v + uint32(1)]):
                u = children[at]
                if above >= need[u] and scratch[u, PRODUCT] == 0.0:
                    numbers[filled] = u
                    values[filled] = above * conditional[u, 1] + (1.0 - above) * conditional[u, 0]
                    filled += 1
            t += 1
        for t in range(origin, reached):
            scratch[numbers[t], PRODUCT] = 0.0
        listed = origin
        for t in range(origin, filled):
            v = numbers[t]
            value = values[t]
            numbers[listed] = v
            values[listed] = value
            listed += value > least
        filled = listed
        entries[d - begin] = filled - origin
    return filled


@kernel()
def fill_posteriors(indptr, latents, values, parent, columns, rule, out):
    """The dense posteriors: explicit values where there are, the rule for the rest.

    Compiled when first used: learning does not need it.

    parent, columns  by number, breadth-start: the number of the parent, the column in `out`
    rule             float64 (m, 2)  by column: P(v=1 | parent=j, no word below v)
    out              float64 (documents, m)  out
    """
    for d in range(out.shape[0]):
        for v in range(out.shape[1]):
            out[d, v] = -1.0
        for at in range(indptr[d], indptr[d + 1]):
            out[d, latents[at]] = values[at]
        for v in range(1, out.shape[1]):
            column = columns[v]
            if out[d, column] < 0.0:
                above = out[d, columns[parent[v]]]
                out[d, column] = above * rule[column, 1] + (1.0 - above) * rule[column, 0]
