"""Posteriors of latent variables, document by document: explicit where words are present."""

from __future__ import annotations

from typing import NamedTuple

from numba import uint32

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel, kernel_on_demand
from hlta._kernels.postings import Rows
from hlta._kernels.propagation import (
    GAIN0,
    GAIN1,
    POSTERIOR,
    PRODUCT,
    Memory,
    Tables,
    collect_messages,
)


class Search(NamedTuple):
    """Which inactive latent variables to visit, and their posteriors there."""

    bounds: t.Ints  # (m + 1,): below v, consider children[bounds[v]:bounds[v + 1]]
    children: t.Ids  # latent variables, ascending by parent
    conditional: t.RealTable  # (m, 2): P(v=1 | parent=j, no word below v)
    threshold: t.Reals  # (m,): v is visited if P(parent=1 | d) is at least this


# Longer than a screen: it goes down a document's active variables, then on to inactive ones, then lists.
@kernel
def infer_posteriors(
    documents: Rows,
    begin: int,
    end: int,
    tables: Tables,
    memory: Memory,
    search: Search,
    least: float,
    entries: t.OutInts,
    numbers: t.OutIds,
    values: t.OutReals,
) -> int:
    """P(v=1|d) of the active latent variables and of some inactive ones, document by document.

    least            latent variables with P(v=1|d) > least are listed
    entries          int64 (end - begin,) out: how many are listed per document
    numbers, values  uint32, float64 out: the latent variables and their posteriors, with room for m
                     more than are listed; returns how many are
    """
    indptr, indices = documents.indptr, documents.indices
    parent, start = tables.parent, tables.start
    scratch, active, stop = memory.scratch, memory.active, memory.stop
    bounds, children = search.bounds, search.children
    conditional, threshold = search.conditional, search.threshold
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
        entry = origin
        while entry < filled:  # grows while it is walked
            above = values[entry]
            v = numbers[entry]
            for at in range(bounds[v], bounds[v + uint32(1)]):
                u = children[at]
                if above >= threshold[u] and scratch[u, PRODUCT] == 0.0:
                    numbers[filled] = u
                    values[filled] = above * conditional[u, 1] + (1.0 - above) * conditional[u, 0]
                    filled += 1
            entry += 1
        for entry in range(origin, reached):
            scratch[numbers[entry], PRODUCT] = 0.0
        listed = origin
        for entry in range(origin, filled):
            v = numbers[entry]
            value = values[entry]
            numbers[listed] = v
            values[listed] = value
            listed += value > least
        filled = listed
        entries[d - begin] = filled - origin
    return filled


@kernel_on_demand
def fill_posteriors(
    indptr: t.Ints,
    latents: t.Ids,
    values: t.Reals,
    parent: t.Ids,
    columns: t.Ids,
    rule: t.RealTable,
    out: t.OutRealTable,
) -> None:
    """The dense posteriors: explicit values where there are any, the rule for the rest.

    parent, columns  uint32 (m,) by breadth-first number: the parent's number, the column in `out`
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
