"""Messages of the wordless document, from which inference in every other document starts.

A subtree without a present word sends its parent the same message in every document. These kernels
compute those messages once per set of parameters, in the log domain, because with tens of thousands
of words they leave the range of a double.
"""

from __future__ import annotations

import numpy as np

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel
from hlta._kernels.scale import LOG_STEP

# Columns of a word's row: the factor of its parent's ratio if it is present, and
# log P(present | parent=0) - log P(absent | parent=0).
FACTOR, PRESENCE = range(2)

# Columns of a latent variable's row, one cache line: Pkj = P(v=k | parent=j); and of the wordless
# document the ratio, RATIO * STEP**POWER, and m(0) / m(1) and 1 / m(0).
P00, P10, P01, P11, RATIO, POWER, UNMESSAGE, UNSHIFT = range(8)

# Columns of a latent variable's active counts, over the documents d in which it is active: sums of
# P(parent=1, v=1 | d), P(parent=0, v=1 | d) and P(parent=1 | d), and the number of documents.
BOTH, ONLY, ABOVE, VISITS = range(4)


@kernel
def collect_wordless_messages(
    parent: t.Ids,
    log_ratio: t.OutReals,
    log_shift: t.OutReals,
    rows: t.OutRealTable,
    conditional: t.OutRealTable,
) -> None:
    """Messages of the wordless document, from the leaves to the root, in place.

    Latent variables are numbered breadth-first; `parent[0]` is m, an unused slot.

    parent       uint32 (m,)    the parent of each latent variable
    log_ratio    float64 (m+1,) in: sum over child words of log P(absent|1)/P(absent|0);
                                out: log of lambda(1)/lambda(0), latent children included
    log_shift    float64 (m,)   out: log of P(v=0|parent=0) + P(v=1|parent=0) * ratio
    rows         float64 (m, 8) in: P00, P10, P01, P11 (P01 = P(v=0|parent=1)); out: the rest
    conditional  float64 (m, 2) out: P(v=1 | parent=j, no word below v)

    With L the log ratio and p(k|j) the conditional distribution, the message to the parent is
        log m(j) = logaddexp(log p(0|j), log p(1|j) + L)
    """
    for step in range(parent.size):
        v = np.uintp(parent.size - 1 - step)
        ratio = log_ratio[v]
        # Factor out the likelier state, as in a log-sum-exp.
        if ratio <= 0.0:
            one, zero, base = np.exp(ratio), 1.0, 0.0
        else:
            one, zero, base = 1.0, np.exp(-ratio), ratio
        message0 = rows[v, P00] * zero + rows[v, P10] * one
        message1 = rows[v, P01] * zero + rows[v, P11] * one
        conditional[v, 0] = rows[v, P10] * one / message0
        conditional[v, 1] = rows[v, P11] * one / message1
        log_ratio[parent[v]] += np.log(message1 / message0)
        log_shift[v] = np.log(message0) + base
        rows[v, UNMESSAGE] = message0 / message1
        # Ratios of ordinary models are near 1: power 0 and the ratio itself.
        power = np.rint(ratio / LOG_STEP)
        rows[v, RATIO] = np.exp(ratio - power * LOG_STEP)
        rows[v, POWER] = power
        # With another power, `collect_extreme_message` subtracts log_shift instead.
        rows[v, UNSHIFT] = np.exp(-log_shift[v]) if power == 0.0 else 1.0


@kernel
def distribute_totals(
    parent: t.Ids,
    conditional: t.RealTable,
    active: t.RealTable,
    documents: float,
    table: t.OutRealCube,
    total: t.OutRealTable,
) -> None:
    """Expected counts of all documents from those of the active visits, from the root downwards.

    Where v is inactive it follows its parent by `conditional`, so for parent state j
        table[v, j, 1] = active part + (total[parent, j] - parent's active mass) * conditional[v, j]

    parent       uint32 (m,)       the parent of each latent variable
    conditional  float64 (m, 2)    P(v=1 | parent=j, no word below v)
    active       float64 (m, 4)    columns BOTH to VISITS, for the root BOTH alone
    documents    float64           the number of documents
    table        float64 (m, 2, 2) out: [v, j, k]; the root's two rows are the same
    total        float64 (m, 2)    out: expected number of documents with v = k
    """
    total[0, 1] = min(active[0, BOTH], documents)
    total[0, 0] = documents - total[0, 1]
    for j in range(2):
        table[0, j, 0] = total[0, 0]
        table[0, j, 1] = total[0, 1]
    for step in range(1, parent.size):
        v = np.uintp(step)
        p = parent[v]
        total[v, 0] = 0.0
        total[v, 1] = 0.0
        for j in range(2):
            mass = active[v, ABOVE] if j == 1 else active[v, VISITS] - active[v, ABOVE]
            active_on = active[v, BOTH] if j == 1 else active[v, ONLY]
            # If v is active in all documents, nothing is left over, not even a rounding error.
            idle = max(total[p, j] - mass, 0.0) if active[v, VISITS] < documents else 0.0
            on = active_on + idle * conditional[v, j]
            table[v, j, 1] = on
            table[v, j, 0] = max(mass - active_on, 0.0) + idle * (1.0 - conditional[v, j])
            total[v, 0] += table[v, j, 0]
            total[v, 1] += on
