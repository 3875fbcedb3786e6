"""Documents that have mostly the same words as another one."""

from __future__ import annotations

import numpy as np

from hlta._kernels import types as t
from hlta._kernels.compiling import inlined, kernel_on_demand
from hlta._kernels.postings import Rows


@inlined
def likeness(rows: Rows, a: int, b: int, least: float) -> float:
    """The Jaccard index of two documents' words; 0 once it is known to be below `least`."""
    i, j, both, apart = rows.indptr[a], rows.indptr[b], 0, 0
    sizes = rows.indptr[a + 1] - i, rows.indptr[b + 1] - j
    if min(sizes) < least * max(sizes):
        return 0.0
    # The union has (sum of sizes + apart) / 2 words, where `apart` counts words in one document alone.
    # These may be at most (1 - least) of the union; most pairs exceed this after a few words.
    most = (1 - least) / (1 + least) * (sizes[0] + sizes[1]) + 1
    while i < rows.indptr[a + 1] and j < rows.indptr[b + 1]:
        one, other = rows.indices[i], rows.indices[j]
        if one == other:
            both += 1
        else:
            apart += 1
            if apart > most:
                return 0.0
        if one <= other:
            i += 1
        if other <= one:
            j += 1
    return both / max(1, sizes[0] + sizes[1] - both)


@kernel_on_demand
def find_copies(
    rows: Rows, rarest: Rows, same: float, words: int, every: bool, first: t.OutInts
) -> None:
    """Into `first`, for each document, the one that it is a copy of, or itself.

    Documents are copies if their Jaccard index is at least `same`. A document is a copy of an earlier
    one that is not itself a copy; with `every`, of any other one, earlier or later. `rarest` lists so
    many of each document's rarest words that any two copies have one of these in common: the rarest
    first, with ties in the same order in all documents.
    NumPy, for all pairs: `both = X @ X.T; both / (n[:, None] + n - both) >= same`.
    """
    begin = np.zeros(words + 1, np.int64)  # by word: where its documents begin in `holder`
    for word in rarest.indices:
        begin[word + 1] += 1
    begin = np.cumsum(begin)
    end = begin[:-1].copy()
    holder = np.empty(rarest.indices.size, np.int64)
    rank = np.empty(rarest.indices.size, np.int64)  # of the word among the rarest of its holder
    compared = np.full(first.size, -1)  # the last document that each was compared with
    needed = same / (1 + same)  # copies have at least this part of the sum of their sizes in common
    for d in range(first.size):
        first[d] = d
        size = rows.indptr[d + 1] - rows.indptr[d]
        mine = rarest.indices[rarest.indptr[d] : rarest.indptr[d + 1]]
        for k in range(mine.size):
            for place in range(begin[mine[k]], end[mine[k]]):
                other = holder[place]
                if compared[other] == d or (first[d] != d and first[other] != other):
                    continue
                compared[other] = d
                # This is the first word, in the order of `rarest`, that they have in common.
                others = rows.indptr[other + 1] - rows.indptr[other]
                most = min(size - k, others - rank[place])
                if (
                    most >= needed * (size + others) - 1e-6
                    and likeness(rows, other, d, same) >= same
                ):
                    first[d] = other
                    if not every:
                        break
                    first[other] = d
            if first[d] != d and not every:
                break
        if first[d] != d and not every:
            continue
        for k in range(mine.size):
            place = end[mine[k]]
            holder[place], rank[place] = d, k
            end[mine[k]] += 1
