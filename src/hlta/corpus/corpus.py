"""`Corpus`: documents together with the names of their words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.corpus.documents import Documents, as_documents
from hlta.errors import DocumentsError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hlta.options import TextOptions


@dataclass(frozen=True, eq=False)
class Corpus:
    """Which words each document contains.

    Parameters
    ----------
    documents
        A matrix of documents by words, sparse or dense, 0/1 or counts.
    words
        The distinct names of its columns.
    text
        How text was turned into these words, if it was: the same is done with new texts.
    """

    documents: Documents
    words: tuple[str, ...]
    text: TextOptions | None

    def __init__(
        self, documents: Any, words: Sequence[str], *, text: TextOptions | None = None
    ) -> None:
        checked = as_documents(documents)
        names = tuple(words)
        check_words(names, checked.n_words)
        object.__setattr__(self, "documents", checked)
        object.__setattr__(self, "words", names)
        object.__setattr__(self, "text", text)

    @classmethod
    def from_texts(
        cls, texts: Iterable[str], *, n_jobs: int | None = None, **options: Any
    ) -> Corpus:
        """Read texts, one document each, and choose the words to keep.

        Words are runs of letters, in any alphabet, in lower case. The words kept are those with the
        highest average TF-IDF, as in the paper, stop words left out. Options are those of
        `hlta.TextOptions`, among them `n_words`, `min_df`, `max_df`, `stop_words` and `ngrams`.
        """
        from hlta.corpus.vocabulary import build_vocabulary

        chosen = _text_options(options)
        documents, words = build_vocabulary(_texts(texts), chosen, n_jobs=n_jobs)
        return cls(documents, words, text=chosen)

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


def _text_options(options: dict[str, Any]) -> TextOptions:
    from hlta.options import TextOptions

    odd = set(options) - set(TextOptions.__dataclass_fields__)
    if odd:
        known = ", ".join(TextOptions.__dataclass_fields__)
        raise OptionError(f"{min(odd)!r} is no option of texts; there are {known}")
    return TextOptions(**options)


def _texts(texts: Iterable[str]) -> Iterable[str]:
    if isinstance(texts, str):
        raise DocumentsError("texts is a single string; give a list of texts, one a document")
    return texts
