"""New themes: words that are more frequent than before, and go together as they did not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array, triu
from scipy.sparse.csgraph import connected_components
from scipy.special import ndtr, pdtrc

from hlta.drift.changes import difference, discoveries
from hlta.tree.reshaping import joint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Floats, Indices
    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

_LEAST_WORDS: Final = 3
_LEAST_DOCUMENTS: Final = 5
_FIRM: Final = 0.25  # of the documents with the rarer word of a pair hold the other one, too
_MOST_WORDS: Final = 300  # of which pairs are counted


@dataclass(frozen=True)
class Theme:
    """Words that go together more than the model says, each surely more frequent than before.

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
    tree: LatentTree,
    documents: Documents,
    words: Sequence[str],
    more_frequent: Indices,
    rate: float,
) -> list[Theme]:
    """Groups of words that are linked by pairs which occur together in new documents.

    The columns of `documents` are the words of the tree, and then others. The words are among those
    that are `more_frequent` than before, as `risen` gives them.
    """
    chosen = np.sort(more_frequent[:_MOST_WORDS])
    present = documents.to_csr(np.int32)[:, chosen]
    linked = _linked(tree, chosen, present, rate / 2.0)
    group = connected_components(linked, directed=False)[1]
    themes = []
    for number in np.flatnonzero(np.bincount(group) >= _LEAST_WORDS).tolist():
        own = np.flatnonzero(group == number)
        held = present[:, own]
        rows = np.flatnonzero(np.asarray(held.sum(axis=1)) >= 2)
        if len(rows) >= _LEAST_DOCUMENTS:
            order = own[np.argsort(-np.asarray(held.sum(axis=0)), kind="stable")]
            names = tuple(words[chosen[k]] for k in order.tolist())
            themes.append(Theme(names, tuple(rows.tolist())))
    return sorted(themes, key=lambda theme: (-len(theme.rows), theme.words))


def risen(documents: Documents, before: Floats, n_before: Floats | float, rate: float) -> Indices:
    """The words that are surely more frequent than before, the surest first.

    `before` is the share of the `n_before` earlier documents that each word was in, or may have been
    in at most; a bound counts as the share of infinitely many.
    """
    share = documents.document_frequency / len(documents)
    z = difference(before, share, n_before, len(documents))
    return discoveries(ndtr(-z), rate / 2.0)


def _linked(tree: LatentTree, chosen: Indices, present: csr_array, rate: float) -> csr_array:
    """Which pairs of words occur together much more often than by chance, and than in the tree."""
    n_documents, n_words = present.shape
    together = triu(present.T @ present, k=1).tocoo()
    frequency = np.asarray(present.sum(axis=0))
    one, other, count = together.row, together.col, together.data
    firm = count >= np.maximum(2, _FIRM * np.minimum(frequency[one], frequency[other]))
    one, other, count = one[firm], other[firm], count[firm]
    lift = [_lift(tree, *pair) for pair in zip(chosen[one], chosen[other], strict=True)]
    expected = np.array(lift) * frequency[one] * frequency[other] / n_documents
    n_pairs = max(1, n_words * (n_words - 1) // 2)
    linked = pdtrc(count - 1, expected) <= rate / n_pairs
    entries = (np.ones(linked.sum()), (one[linked], other[linked]))
    return csr_array(entries, shape=(n_words, n_words))


def _lift(tree: LatentTree, one: int, other: int) -> float:
    """How much more often than by chance two words occur together in the tree; at least 1."""
    if max(one, other) >= tree.n_words:
        return 1.0
    by_chance = tree.marginals[one] * tree.marginals[other]
    return max(1.0, float(joint(tree, one, other)[1, 1] / by_chance))
