"""Progressive EM for the bridges between islands (Section 6.3 of the paper). Compiled."""

from __future__ import annotations

import numpy as np
from numba import uint8

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, kernel
from hlta._kernels.postings import Postings
from hlta._kernels.progressive_em import GAIN, STEPS, estimate, fill_pair_cells
from hlta._kernels.soft_information import IslandTables


@helper
def pem_bridge(cells: t.Reals, above: t.RealTable, below: t.RealTable, edge: t.OutReals) -> None:
    """P(Z | Y) with all else fixed, by EM from `edge`; the log-likelihood is concave in P(Z | Y).

    cells  float64 (16,)   two children of Y in bits 0 and 1, two of Z in bits 2 and 3
    above  float64 (4, 2)  P(Y = y, cell of its two children)
    below  float64 (4, 2)  P(cell of its two children | Z = z)
    edge   float64 (2,)    P(Z = 1 | Y), start and result
    """
    before = -np.inf
    for step in range(STEPS):
        on0 = on1 = of0 = of1 = log_likelihood = 0.0
        for c in range(16):
            n = cells[c]
            if n > 0.0:
                a, b = c & 3, c >> 2
                up0 = above[a, 0] * edge[0] * below[b, 1]
                up1 = above[a, 1] * edge[1] * below[b, 1]
                down0 = above[a, 0] * (1.0 - edge[0]) * below[b, 0]
                down1 = above[a, 1] * (1.0 - edge[1]) * below[b, 0]
                s = up0 + up1 + down0 + down1
                log_likelihood += n * np.log(s)
                on0 += n * up0 / s
                on1 += n * up1 / s
                of0 += n * (up0 + down0) / s
                of1 += n * (up1 + down1) / s
        if log_likelihood - before < GAIN and step > 0:
            break
        before = log_likelihood
        edge[0] = estimate(on0, of0)
        edge[1] = estimate(on1, of1)


@kernel
def fit_bridges(
    islands: IslandTables,
    postings: Postings,
    parent: t.Ints,
    chosen: t.IntTable,
    begin: int,
    end: int,
    seen: t.OutFlags,
    edge: t.OutRealTable,
) -> None:
    """P(Z = 1 | Y) of the latent variables Z of islands `begin` to `end`, given their parents Y.

    Progressive EM uses two members of each of the two islands, and starts with Z independent of Y.
    parent  int64 (m,)      the island above each, -1 for the root
    chosen  int64 (m, 2)    positions in `members` of the two members that represent each island
    seen    uint8 (N,)      working memory, zero before and after
    edge    float64 (m, 2)  filled in, except for the root
    """
    start, where = postings.start, postings.document
    members, probability, prior = islands.members, islands.probability, islands.prior
    cells = np.empty(16)
    above, joint, below = np.empty((4, 2)), np.empty((4, 2)), np.empty((4, 2))
    for i in range(begin, end):
        up = parent[i]
        if up < 0:
            continue
        for c in range(16):
            cells[c] = 0.0
        cells[0] = seen.size
        for k in range(4):
            v = members[chosen[up, k] if k < 2 else chosen[i, k - 2]]
            for p in range(start[v], start[v + 1]):
                d = where[p]
                cells[seen[d]] -= 1.0
                seen[d] |= uint8(1 << k)
                cells[seen[d]] += 1.0
        for k in range(4):
            v = members[chosen[up, k] if k < 2 else chosen[i, k - 2]]
            for p in range(start[v], start[v + 1]):
                seen[where[p]] = 0
        fill_pair_cells(prior[up], probability, chosen[up, 0], chosen[up, 1], above)
        fill_pair_cells(prior[i], probability, chosen[i, 0], chosen[i, 1], joint)
        for c in range(4):
            below[c, 0] = joint[c, 0] / (1.0 - prior[i])
            below[c, 1] = joint[c, 1] / prior[i]
        edge[i, 0] = prior[i]
        edge[i, 1] = prior[i]
        pem_bridge(cells, above, below, edge[i])
