"""Posteriors of latent variables, document by document: explicit where words are present."""

from __future__ import annotations

from typing import NamedTuple

from numba import uint32

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel_of_states
from hlta._kernels.lanes import load, store
from hlta._kernels.postings import Rows
from hlta._kernels.propagation import (
    Memory,
    Tables,
    bring_to_rest,
    collect_messages,
    distribute_evidence,
)


class Search(NamedTuple):
    """Which inactive latent variables to visit, and their posteriors there."""

    bounds: t.Ints  # (m + 1,): below v, consider children[bounds[v]:bounds[v + 1]]
    children: t.Ids  # latent variables, ascending by parent
    conditional: t.RealCube  # (m, K, K): P(v=k | parent=j, no word below v), as [v, j, k]
    first: t.Ints  # (m,): v counts as on in the states from this one
    reach: t.RealTable  # (m, K): the most that P(on | parent=j) is at v or below it, inactive
    least: float  # v is visited if the sum of P(parent=j | d) reach[v, j] is above this


# Longer than a screen: it goes down a document's active variables, then on to inactive ones, then lists.
@kernel_of_states
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
    values: t.OutRealTable,
) -> int:
    """P(v=k|d) of the active latent variables and of some inactive ones, document by document.

    least            latent variables with P(on|d) > least are listed
    entries          int64 (end - begin,) out: how many are listed per document
    numbers, values  uint32 (room,), float64 (room, K) out: the latent variables and their posteriors,
                     with room for m more than are listed; returns how many are
    """
    indptr, indices, start = documents.indptr, documents.indices, tables.start
    scratch, active, stop = memory.scratch, memory.active, memory.stop
    bounds, children, reach = search.bounds, search.children, search.reach
    conditional, first, enough = search.conditional, search.first, search.least
    states, n_states = tables.states, len(tables.states)
    filled = 0
    for d in range(begin, end):
        words = indices[indptr[d] : indptr[d + 1]]
        _, deepest = collect_messages(words, tables, memory)
        origin = filled
        numbers[filled] = 0
        store(values, filled, load(scratch, 1, states))
        filled += 1
        for climbed in range(deepest):
            at = uint32(climbed + 1)
            for slot in range(start[at], stop[at]):
                v = active[uint32(slot)]
                distribute_evidence(v, tables, memory)
                scratch[v, 1] = 1.0  # active, for the search below, even if it was as small as 0
                numbers[filled] = v
                store(values, filled, load(scratch, 2 * v + 1, states))
                filled += 1
            stop[at] = start[at]
        reached = filled
        entry = origin
        while entry < filled:  # grows while it is walked
            v = numbers[entry]
            for child in range(bounds[v], bounds[v + uint32(1)]):
                u = children[child]
                if scratch[u, 1] != 0.0:
                    continue
                most = 0.0
                for j in range(n_states):
                    most += values[entry, j] * reach[u, j]
                if most > enough:
                    numbers[filled] = u
                    posterior = load(conditional, u * n_states, states) * values[entry, 0]
                    for j in range(1, n_states):
                        posterior += load(conditional, u * n_states + j, states) * values[entry, j]
                    store(values, filled, posterior)
                    filled += 1
            entry += 1
        for entry in range(origin, reached):
            bring_to_rest(numbers[entry], memory)
        listed = origin
        for entry in range(origin, filled):
            v = numbers[entry]
            numbers[listed] = v
            on = 0.0
            posterior = load(values, entry, states)
            store(values, listed, posterior)
            for k in range(first[v], n_states):
                on += posterior[k]
            listed += on > least
        filled = listed
        entries[d - begin] = filled - origin
    return filled


@kernel_of_states
def fill_posteriors(
    states: t.States,
    indptr: t.Ints,
    latents: t.Ids,
    values: t.RealTable,
    parent: t.Ids,
    columns: t.Ids,
    rule: t.RealCube,
    out: t.OutRealCube,
) -> None:
    """The dense posteriors: explicit values where there are any, the rule for the rest.

    parent, columns  uint32 (m,) by breadth-first number: the parent's number, the column in `out`
    rule             float64 (m, K, K) by column: P(v=k | parent=j, no word below v), as [v, j, k]
    out              float64 (documents, m, K) out: P(v=k | d)
    """
    n_states = len(states)
    for d in range(out.shape[0]):
        for v in range(out.shape[1]):
            out[d, v, 0] = -1.0
        for entry in range(indptr[d], indptr[d + 1]):
            for k in range(n_states):
                out[d, latents[entry], k] = values[entry, k]
        for v in range(1, out.shape[1]):
            column, above = columns[v], columns[parent[v]]
            if out[d, column, 0] < 0.0:
                for k in range(n_states):
                    posterior = 0.0
                    for j in range(n_states):
                        posterior += out[d, above, j] * rule[column, j, k]
                    out[d, column, k] = posterior
