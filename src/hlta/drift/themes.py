"""New themes: words that were not there before and occur together, or go together in misfits."""

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

_LEAST_WORDS: Final = 3
_LEAST_DOCUMENTS: Final = 5
_FIRM: Final = 0.25  # of the documents with the rarer word of a pair hold the other one, too
_MOST_WORDS: Final = 2_000  # of which pairs are counted
LEFT_OUT: Final = 2.0
"""How often a word that was left out of the model may have been, relative to its rarest word."""


@dataclass(frozen=True)
class Theme:
    """Words that go together in new documents, as they did not before.

    Attributes
    ----------
    words : tuple of str
        The words, the most frequent first.
    known : bool
        Whether they are words of the model, which go together in documents that fit it badly; or else
        words that are new.
    rows : tuple of int
        The numbers of the documents with two of the words or more, from 0.
    """

    words: tuple[str, ...]
    known: bool
    rows: tuple[int, ...]


def themes_of_new_words(
    documents: Documents, words: Sequence[str], rarest: float, rate: float
) -> list[Theme]:
    """Themes of words that the model lacks and that are too frequent to have been left out of it.

    `rarest` is the share of the documents before that its rarest word is in.
    """
    frequency, count = documents.document_frequency, len(documents)
    most = min(LEFT_OUT * rarest, 1.0)
    by_chance = bdtrc(np.maximum(frequency - 1, 0), count, most)
    by_chance[frequency == 0] = 1.0
    new = discoveries(by_chance, rate / 2.0)[:_MOST_WORDS]
    share = frequency / max(count, 1)
    return _themes(documents, words, np.sort(new), np.arange(count), share, rate / 2.0, known=False)


def themes_of_misfits(
    documents: Documents, words: Sequence[str], misfits: Sequence[int], rate: float
) -> list[Theme]:
    """Themes of words of the model that are over-represented in documents that fit it badly."""
    rows = np.sort(np.array(misfits, dtype=np.intp))
    if len(rows) < _LEAST_DOCUMENTS:
        return []
    share = documents.document_frequency / len(documents)
    inside = documents.take(rows).document_frequency
    by_chance = pdtrc(np.maximum(inside - 1, 0), len(rows) * share)
    by_chance[inside == 0] = 1.0
    frequent = discoveries(by_chance, rate / 2.0)[:_MOST_WORDS]
    return _themes(documents, words, np.sort(frequent), rows, share, rate / 2.0, known=True)


def _themes(
    documents: Documents,
    words: Sequence[str],
    chosen: NDArray[np.intp],
    rows: NDArray[np.intp],
    share: NDArray[np.float64],
    rate: float,
    *,
    known: bool,
) -> list[Theme]:
    """Groups of the chosen words that are linked by pairs which occur together in the rows."""
    present = documents.take(rows).to_csr(np.int32)[:, chosen]
    group = connected_components(_linked(present, share[chosen], rate), directed=False)[1]
    themes = []
    for number in np.flatnonzero(np.bincount(group) >= _LEAST_WORDS).tolist():
        own = np.flatnonzero(group == number)
        held = present[:, own]
        with_two = rows[np.asarray(held.sum(axis=1)) >= 2]
        if len(with_two) >= _LEAST_DOCUMENTS:
            order = own[np.argsort(-np.asarray(held.sum(axis=0)), kind="stable")]
            names = tuple(words[chosen[k]] for k in order.tolist())
            themes.append(Theme(names, known, tuple(with_two.tolist())))
    return sorted(themes, key=lambda theme: (-len(theme.rows), theme.words))


def _linked(present: csr_array, share: NDArray[np.float64], rate: float) -> csr_array:
    """Which pairs of words occur together much more often than by chance."""
    together = triu(present.T @ present, k=1).tocoo()
    frequency = np.asarray(present.sum(axis=0))
    one, other, count = together.row, together.col, together.data
    expected = present.shape[0] * share[one] * share[other]
    n_pairs = max(1, present.shape[1] * (present.shape[1] - 1) // 2)
    firm = count >= np.maximum(2, _FIRM * np.minimum(frequency[one], frequency[other]))
    linked = firm & (pdtrc(count - 1, expected) <= rate / n_pairs)
    shape = (present.shape[1],) * 2
    return csr_array((np.ones(linked.sum()), (one[linked], other[linked])), shape=shape)
