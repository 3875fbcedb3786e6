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
    place: t.Ids  # (presences,): its position in that document's row


class WeightedRows(NamedTuple):
    """P(variable = 1 | d) where it is not negligible, by document, in no order within one."""

    rows: Rows  # the variables of each document
    weight: t.Singles  # (entries,): their probabilities
    sums: t.Reals  # (variables,): the expected number of documents in which each is on


class WeightedPostings(NamedTuple):
    """The same probabilities by variable."""

    postings: Postings  # the documents of each variable
    weight: t.Singles  # (entries,): its probability in each of them


@kernel
def list_postings(rows: Rows, following: t.OutInts, document: t.OutIds, place: t.OutIds) -> None:
    """Transpose presences; `following[v]` is the start of variable v's list, and becomes its end.

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
