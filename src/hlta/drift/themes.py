"""New themes: words that are far more frequent than before, and go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array, triu
from scipy.sparse.csgraph import connected_components
from scipy.special import bdtrc, pdtrc

from hlta.drift.significance import discoveries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents

_RISE: Final = 2.0  # how much more frequent words of a theme are, surely
_LEAST_WORDS: Final = 3
_LEAST_DOCUMENTS: Final = 5
_FIRM: Final = 0.25  # of the documents with the rarer word of a pair hold the other one, too
_MOST_WORDS: Final = 2_000  # of which pairs are counted


@dataclass(frozen=True)
class Theme:
    """Words that go together in new documents, each more than twice as frequent as before.

    Attributes
    ----------
    words : tuple of str
        The words, the most frequent first; the model may know all of them, some or none.
    rows : tuple of int
        The numbers of the documents with two of the words or more, from 0.
    """

    words: tuple[str, ...]
    rows: tuple[int, ...]


def new_themes(
    documents: Documents, words: Sequence[str], before: NDArray[np.float64], rate: float
) -> list[Theme]:
    """Groups of risen words that are linked by pairs which occur together in new documents.

    `before` is the share of the documents before that each word was in, or may have been in at most.
    """
    frequency, count = documents.document_frequency, len(documents)
    by_chance = bdtrc(np.maximum(frequency - 1, 0), count, np.minimum(_RISE * before, 1.0))
    by_chance[frequency == 0] = 1.0
    risen = np.sort(discoveries(by_chance, rate / 2.0)[:_MOST_WORDS])
    present = documents.to_csr(np.int32)[:, risen]
    group = connected_components(_linked(present, rate / 2.0), directed=False)[1]
    themes = []
    for number in np.flatnonzero(np.bincount(group) >= _LEAST_WORDS).tolist():
        own = np.flatnonzero(group == number)
        held = present[:, own]
        rows = np.flatnonzero(np.asarray(held.sum(axis=1)) >= 2)
        if len(rows) >= _LEAST_DOCUMENTS:
            order = own[np.argsort(-np.asarray(held.sum(axis=0)), kind="stable")]
            names = tuple(words[risen[k]] for k in order.tolist())
            themes.append(Theme(names, tuple(rows.tolist())))
    return sorted(themes, key=lambda theme: (-len(theme.rows), theme.words))


def _linked(present: csr_array, rate: float) -> csr_array:
    """Which pairs of words occur together much more often than by chance."""
    n_documents, n_words = present.shape
    together = triu(present.T @ present, k=1).tocoo()
    frequency = np.asarray(present.sum(axis=0))
    one, other, count = together.row, together.col, together.data
    expected = frequency[one] * frequency[other] / n_documents
    firm = count >= np.maximum(2, _FIRM * np.minimum(frequency[one], frequency[other]))
    n_pairs = max(1, n_words * (n_words - 1) // 2)
    linked = firm & (pdtrc(count - 1, expected) <= rate / n_pairs)
    entries = (np.ones(linked.sum()), (one[linked], other[linked]))
    return csr_array(entries, shape=(n_words, n_words))
