"""Posteriors of latent variables, document by document; for inactive ones, from their parents'."""

from __future__ import annotations

from typing import NamedTuple

from numba import uint32

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel, kernel_of_states
from hlta._kernels.lanes import load, store
from hlta._kernels.postings import Rows
from hlta._kernels.propagation import (
    Memory,
    Tables,
    bring_to_rest,
    collect_messages,
    distribute_evidence,
    weighted_sum,
)


class Search(NamedTuple):
    """Which inactive latent variables to visit, and what their posteriors follow from."""

    bounds: t.Ints  # (m + 1,): below v, consider children[bounds[v]:bounds[v + 1]]
    children: t.Ids  # latent variables, ascending by parent
    conditional: t.RealCube  # (m, K, K): P(v=k | parent=j, no word below v), as [v, j, k]
    first: t.Ints  # (m,): v counts as on in states first[v] and above
    reach: t.RealTable  # (m, K): the largest P(on | parent of v=j) at v or below it, if inactive
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
    on: t.OutReals,
) -> int:
    """P(v=k|d) of the active latent variables and of some inactive ones, document by document.

    least            latent variables with P(on|d) > least are listed
    entries          int64 (end - begin,) out: how many are listed per document
    numbers, values  uint32 (room,), float64 (room, K) out: the latent variables and their posteriors,
                     with room for m more than are listed; returns how many are listed
    on               float64 (room,) out: P(on|d) of each
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
                scratch[v, 1] = 1.0  # marks v as active for the search below: r_v(1) may be 0
                numbers[filled] = v
                store(values, filled, load(scratch, 2 * v + 1, states))
                filled += 1
            stop[at] = start[at]
        reached = filled
        entry = origin
        while entry < filled:  # the list grows meanwhile
            v = numbers[entry]
            own_states, weights = tables.own_states[v], load(values, entry, states)
            for child in range(bounds[v], bounds[v + uint32(1)]):
                u = children[child]
                if scratch[u, 1] != 0.0:
                    continue
                most = 0.0
                for j in range(own_states):
                    most += values[entry, j] * reach[u, j]
                if most > enough:
                    numbers[filled] = u
                    posterior = weighted_sum(conditional, u * n_states, weights, own_states, states)
                    store(values, filled, posterior)
                    filled += 1
            entry += 1
        for entry in range(origin, reached):
            bring_to_rest(numbers[entry], memory)
        listed = origin
        for entry in range(origin, filled):
            v = numbers[entry]
            numbers[listed] = v
            store(values, listed, load(values, entry, states))
            total = 0.0
            for k in range(first[v], tables.own_states[v]):
                total += values[listed, k]
            on[listed] = min(total, 1.0)
            listed += total > least
        filled = listed
        entries[d - begin] = filled - origin
    return filled


class Active(NamedTuple):
    """The posteriors of the active latent variables of each document."""

    indptr: t.Ints  # (documents + 1,): document d owns the entries indptr[d] to indptr[d + 1]
    latents: t.Ids  # (entries,)
    values: t.RealTable  # (entries, K): P(v=k | d)


class Completion(NamedTuple):
    """How the posteriors of all latent variables follow from those of the active ones."""

    parent: t.Ids  # (m,) by breadth-first number: the number of the parent
    column: t.Ids  # (m,) by breadth-first number: the column in the output, which indexes the rest
    states: t.Ints  # (m,): the number of states of each
    first: t.Ints  # (m,): v counts as on in states first[v] and above
    rule: t.RealCube  # (m, K, K): P(v=k | parent=j, no word below v), as [v, j, k]


@kernel
def complete(d: int, active: Active, completion: Completion, out: t.OutRealTable) -> None:
    """P(v=k|d) of all latent variables in document d, into `out` float64 (m, K)."""
    parent, column, rule = completion.parent, completion.column, completion.rule
    out[:] = 0.0
    out[:, 0] = -1.0
    for entry in range(active.indptr[d], active.indptr[d + 1]):
        out[active.latents[entry]] = active.values[entry]
    for v in range(1, len(out)):
        own, above = column[v], column[parent[v]]
        if out[own, 0] < 0.0:
            for k in range(completion.states[own]):
                posterior = 0.0
                for j in range(completion.states[above]):
                    posterior += out[above, j] * rule[own, j, k]
                out[own, k] = posterior


@kernel
def fill_on(
    active: Active, completion: Completion, states: t.OutRealTable, out: t.OutRealTable
) -> None:
    """P(v is on | d) of all latent variables and documents.

    states  float64 (m, K), working memory
    out     float64 (documents, m) out
    """
    first = completion.first
    for d in range(len(out)):
        complete(d, active, completion, states)
        for v in range(out.shape[1]):
            on = 0.0
            for k in range(first[v], completion.states[v]):
                on += states[v, k]
            out[d, v] = min(on, 1.0)
