"""`Corpus`: documents together with the names of their words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.corpus.documents import Documents, as_documents
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, eq=False)
class Corpus:
    """Which words each document contains.

    Parameters
    ----------
    documents
        A matrix of documents by words, sparse or dense, 0/1 or counts.
    words
        The distinct names of its columns.
    """

    documents: Documents
    words: tuple[str, ...]

    def __init__(self, documents: Any, words: Sequence[str]) -> None:
        checked = as_documents(documents)
        names = tuple(words)
        check_words(names, checked.n_words)
        object.__setattr__(self, "documents", checked)
        object.__setattr__(self, "words", names)

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return f"Corpus({len(self):,} documents, {len(self.words):,} words)"

    def aligned(self, words: Sequence[str]) -> Documents:
        """The documents with exactly `words` for columns, in that order; other words are left out."""
        names = tuple(words)
        if names == self.words:
            return self.documents
        column = {word: number for number, word in enumerate(names)}
        to = np.array([column.get(word, -1) for word in self.words], dtype=np.int64)
        found = to[self.documents.indices]
        kept = found >= 0
        document = np.repeat(np.arange(len(self)), np.diff(self.documents.indptr))[kept]
        found = found[kept]
        order = np.lexsort((found, document))
        indptr = np.searchsorted(document, np.arange(len(self) + 1)).astype(np.int64)
        return Documents(indptr, found[order].astype(np.uint32), len(names))


def check_words(words: tuple[Any, ...], n_columns: int) -> None:
    """Words are distinct strings, one a column."""
    if len(words) != n_columns:
        raise DocumentsError(
            f"words has {len(words):,} entries for {n_columns:,} columns; give one a column"
        )
    odd = next((word for word in words if not isinstance(word, str) or not word), None)
    if odd is not None:
        raise DocumentsError(f"words holds {odd!r}; every word must be a non-empty string")
    if len(set(words)) < len(words):
        twice, times = Counter(words).most_common(1)[0]
        raise DocumentsError(f"words holds {twice!r} {times} times; every word must be distinct")
