"""Documents that have mostly the same words as one before them."""

from __future__ import annotations

import numpy as np

from hlta._kernels import types as t
from hlta._kernels.compiling import inlined, kernel_on_demand
from hlta._kernels.postings import Rows


@inlined
def likeness(rows: Rows, a: int, b: int, least: float) -> float:
    """The share of the words in either of two documents that are in both; 0 if it is surely less."""
    i, j, both, apart = rows.indptr[a], rows.indptr[b], 0, 0
    sizes = rows.indptr[a + 1] - i, rows.indptr[b + 1] - j
    if min(sizes) < least * max(sizes):
        return 0.0
    # Words in either are half of all and of those in one alone, which are at most (1 - least) of
    # them; most pairs have more of these after a few words.
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

    It is a copy of an earlier one that is no copy itself, of which this share of the words in either
    is in both; with `every`, of any other, earlier or later. `rarest` has so many of a document's rarest
    words that any copy has one of them among its own, the rarest first, and of equally rare ones the
    same first in all documents.
    NumPy, for all pairs: `both = X @ X.T; both / (n[:, None] + n - both) >= same`.
    """
    begin = np.zeros(words + 1, np.int64)  # by word: where the documents that have it begin
    for word in rarest.indices:
        begin[word + 1] += 1
    begin = np.cumsum(begin)
    end = begin[:-1].copy()
    holder = np.empty(rarest.indices.size, np.int64)
    rank = np.empty(rarest.indices.size, np.int64)  # of the word among the rarest of its holder
    compared = np.full(first.size, -1)  # the last document that each was compared with
    needed = same / (1 + same)  # of the words of two documents, so many are in both at least
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
                # What they have in common begins with this word.
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
