"""Presences by document and by variable: the two orders in which kernels walk a 0/1 matrix."""

from __future__ import annotations

from typing import NamedTuple

from hlta._kernels import types as t


class Rows(NamedTuple):
    """Presences by document."""

    indptr: t.Ints  # (documents + 1,): document d owns indices[indptr[d]:indptr[d + 1]]
    indices: t.Ids  # (presences,): the variables that are present, ascending within a document


class Postings(NamedTuple):
    """The same presences by variable."""

    start: t.Ints  # (variables + 1,): variable v owns the presences start[v] to start[v + 1]
    document: t.Ids  # (presences,): the document of each, ascending within a variable
    place: t.Ids  # (presences,): its position in that document's row


class Weights(NamedTuple):
    """A sparse table of probabilities, row by row."""

    start: t.Ints  # (rows + 1,): row i owns the entries start[i] to start[i + 1]
    column: t.Ids  # (entries,): in no order within a row
    value: t.Singles  # (entries,): those that are not negligible
