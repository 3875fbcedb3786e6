"""Presences by document and by variable: the two orders in which kernels walk a 0/1 matrix."""

from __future__ import annotations

from typing import NamedTuple

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel


class Rows(NamedTuple):
    """Presences by document.

    Attributes
    ----------
    indptr
        int64 (documents + 1,): document d owns indices[indptr[d]:indptr[d + 1]].
    indices
        uint32 (presences,): the variables that are present, ascending within a document.
    """

    indptr: t.Ints
    indices: t.Ids


class Postings(NamedTuple):
    """The same presences by variable.

    Attributes
    ----------
    start
        int64 (variables + 1,): variable v owns the presences start[v] to start[v + 1].
    document
        uint32 (presences,): the document of each, ascending within a variable.
    place
        uint32 (presences,): where the presence stands in that document's row.
    """

    start: t.Ints
    document: t.Ids
    place: t.Ids


class WeightedRows(NamedTuple):
    """Variables that are on to a degree, by document, in no order; `sums` are the totals.

    Attributes
    ----------
    rows
        The variables of each document.
    weight
        float32 (entries,): how much each of them is on.
    sums
        float64 (variables,): in how many documents each variable is on, in expectation.
    """

    rows: Rows
    weight: t.Singles
    sums: t.Reals


class WeightedPostings(NamedTuple):
    """The same by variable.

    Attributes
    ----------
    postings
        The documents of each variable.
    weight
        float32 (entries,): how much the variable is on in each of them.
    """

    postings: Postings
    weight: t.Singles


@kernel
def list_postings(rows: Rows, following: t.OutInts, document: t.OutIds, place: t.OutIds) -> None:
    """Transpose presences: `following[v]` is where variable v's list begins, and moves to its end.

    NumPy: `order = np.argsort(indices, kind="stable")`; `document` is then the document of each,
    and `place` its number in the row.
    """
    indptr, indices = rows.indptr, rows.indices
    for d in range(indptr.size - 1):
        begin = indptr[d]
        for p in range(begin, indptr[d + 1]):
            v = indices[p]
            slot = following[v]
            document[slot] = d
            place[slot] = p - begin
            following[v] = slot + 1
