"""`Phrases`: which documents contain which frequent phrases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._support.arrays import Ints
    from hlta.documents.matrix import Documents


@dataclass(frozen=True, eq=False, repr=False)
class Phrases:
    """Frequent phrases of a corpus, and which of its documents contain them.

    Attributes
    ----------
    names : tuple of str
        The phrases, such as "state of the art".
    rows : int64 (documents searched,)
        The numbers of the documents that were searched for phrases, ascending: all, or a sample.
    documents : Documents
        The matrix of these documents by phrases.
    """

    names: tuple[str, ...]
    rows: Ints
    documents: Documents

    def __repr__(self) -> str:
        return f"Phrases({len(self.names):,} phrases in {len(self.rows):,} documents)"

    def take(self, chosen: NDArray[np.integer]) -> Phrases:
        """The phrases for a corpus of these documents, in this order.

        Parameters
        ----------
        chosen
            Numbers of documents of the whole corpus.

        Returns
        -------
        Phrases
        """
        place = np.minimum(np.searchsorted(self.rows, chosen), max(0, len(self.rows) - 1))
        seen = np.flatnonzero(self.rows[place] == chosen) if len(self.rows) else place[:0]
        return Phrases(self.names, seen.astype(np.int64), self.documents.take(place[seen]))
