"""Presences by document and by variable: the two orders in which kernels walk a 0/1 matrix."""

from __future__ import annotations

from typing import NamedTuple

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel


class Rows(NamedTuple):
    """Presences by document."""

    indptr: t.Ints  # (documents + 1,): document d owns indices[indptr[d]:indptr[d + 1]]
    indices: t.Ids  # (presences,): the variables that are present, ascending within a document


class Postings(NamedTuple):
    """The same presences by variable."""

    start: t.Ints  # (variables + 1,): variable v owns the presences start[v] to start[v + 1]
    document: t.Ids  # (presences,): the document of each, ascending within a variable
    place: t.Ids  # (presences,): where the presence stands in that document's row


class WeightedRows(NamedTuple):
    """Variables that are on to a degree, by document, in no order; `sums` are the totals."""

    rows: Rows  # the variables of each document
    weight: t.Singles  # (entries,): how much each of them is on
    sums: t.Reals  # (variables,): in how many documents each variable is on, in expectation


class WeightedPostings(NamedTuple):
    """The same by variable."""

    postings: Postings  # the documents of each variable
    weight: t.Singles  # (entries,): how much the variable is on in each of them


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
