"""Near-copies, documents with mostly the same words, listed as one; as on the page, see `copies.ts`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels.near_copies import find_copies
from hlta._kernels.postings import Rows
from hlta._support.arrays import offsets, read_only

if TYPE_CHECKING:
    from hlta._support.arrays import Bools, Ints
    from hlta.documents.matrix import Documents

SAME: Final = 0.8  # two documents are copies if the Jaccard index of their words is at least this
_ENOUGH: Final = (
    10  # words of the model, below which a document is no copy: they may agree by chance
)


@dataclass(frozen=True, eq=False)
class Entries:
    """A list of documents, with the copies that are folded into each.

    Attributes
    ----------
    rows : int64 (entries,)
        The documents that are listed.
    starts : int64 (entries + 1,)
        Where the copies of each begin in `copies`, and where the last ones end.
    copies : int64 (copies,)
        The documents that are folded into others.
    """

    rows: Ints
    starts: Ints
    copies: Ints

    def copies_of(self, row: int) -> Ints:
        """The copies that are folded into a document."""
        at = np.flatnonzero(self.rows == row)
        return self.copies[self.starts[at[0]] : self.starts[at[0] + 1]] if len(at) else at


def apart(rows: Ints) -> Entries:
    """The list of all documents, none of them folded."""
    return Entries(rows, np.zeros(len(rows) + 1, dtype=np.int64), rows[:0])


def fold_copies(rows: Ints, documents: Documents) -> Entries:
    """The list of documents in this order, with copies folded into the first of them."""
    first = _find_firsts(documents.take(rows), every=False)
    own = first == np.arange(len(rows))
    copies = np.flatnonzero(~own)
    copies = copies[np.argsort(first[copies], kind="stable")]
    counts = np.bincount(first[copies], minlength=len(rows))[own]
    return Entries(rows[own], offsets(counts), rows[copies])


def with_any_copy(documents: Documents) -> Bools:
    """Whether each document is a copy of any other one."""
    first = _find_firsts(documents.take(np.arange(len(documents))), every=True)
    return np.not_equal(first, np.arange(len(documents)))


def _find_firsts(documents: Documents, *, every: bool) -> Ints:
    """The document that each is a copy of, or itself; see `find_copies`."""
    words = _without_short(documents.rows)
    # Counted in these documents: a word that is rare in the corpus may be in all of them, as in a search.
    frequency = np.bincount(words.indices, minlength=documents.shape[1])
    first = np.empty(len(documents), dtype=np.int64)
    find_copies(words, _rarest(words, frequency), SAME, len(frequency), every, first)
    return first


def _without_short(words: Rows) -> Rows:
    """The words of documents, none for those with fewer than `_ENOUGH`."""
    starts, indices = words
    sizes = np.diff(starts)
    kept = sizes >= _ENOUGH
    return Rows(read_only(offsets(sizes * kept)), read_only(indices[np.repeat(kept, sizes)]))


def _rarest(words: Rows, frequency: Ints) -> Rows:
    """The rarest words of each document, as many as guarantee that two copies have one in common."""
    starts, indices = words
    sizes = np.diff(starts)
    document = np.repeat(np.arange(len(sizes)), sizes)
    by_rarity = np.argsort(frequency, kind="stable")
    rank = np.empty(len(frequency), dtype=np.int64)
    rank[by_rarity] = np.arange(len(frequency))
    keys = np.sort(document * len(frequency) + rank[indices])
    counts = np.minimum(sizes, sizes - np.ceil(SAME * sizes).astype(np.int64) + 1)
    within = np.arange(len(indices)) - starts[document] < counts[document]
    rarest = by_rarity[keys[within] - document[within] * len(frequency)]
    return Rows(read_only(offsets(counts)), read_only(rarest.astype(indices.dtype)))
