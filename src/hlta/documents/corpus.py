"""`Corpus`: documents together with the names of their words, and what else is known of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.checks import check_real
from hlta.documents.matrix import Documents, as_documents
from hlta.documents.strings import Strings
from hlta.errors import DocumentsError, OptionError
from hlta.options import TextOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

ABOUT: Final = ("ids", "titles", "dates", "groups", "texts")
"""What can be known of each document besides its words."""


@dataclass(frozen=True, eq=False, repr=False)
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
    ids, titles, dates, groups, texts
        A string a document each, or None. `texts` are their beginnings, to show them by.
    """

    documents: Documents
    words: tuple[str, ...]
    text: TextOptions | None
    ids: Strings | None
    titles: Strings | None
    dates: Strings | None
    groups: Strings | None
    texts: Strings | None

    def __init__(
        self,
        documents: Any,
        words: Sequence[str],
        *,
        text: TextOptions | None = None,
        ids: Iterable[str] | None = None,
        titles: Iterable[str] | None = None,
        dates: Iterable[str] | None = None,
        groups: Iterable[str] | None = None,
        texts: Iterable[str] | None = None,
    ) -> None:
        checked = as_documents(documents)
        names = tuple(words)
        check_words(names, checked.n_words)
        object.__setattr__(self, "documents", checked)
        object.__setattr__(self, "words", names)
        object.__setattr__(self, "text", text)
        about = {"ids": ids, "titles": titles, "dates": dates, "groups": groups, "texts": texts}
        for name, values in about.items():
            object.__setattr__(self, name, _strings(name, values, len(checked)))

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        *,
        ids: Iterable[str] | None = None,
        titles: Iterable[str] | None = None,
        dates: Iterable[str] | None = None,
        groups: Iterable[str] | None = None,
        n_jobs: int | None = None,
        **options: Any,
    ) -> Corpus:
        """Read texts, one document each, and choose the words to keep.

        Words are runs of letters, in any alphabet, in lower case. The words kept are those with the
        highest average TF-IDF, as in the paper, stop words left out. Options are those of
        `hlta.TextOptions`, among them `n_words`, `min_df`, `max_df`, `stop_words` and `ngrams`.
        """
        from hlta.text.vocabulary import build_vocabulary

        chosen = text_options(options)
        documents, words = build_vocabulary(_texts(texts), chosen, n_jobs=n_jobs)
        return cls(
            documents, words, text=chosen, ids=ids, titles=titles, dates=dates, groups=groups
        )

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return f"Corpus({len(self):,} documents, {len(self.words):,} words)"

    @property
    def about(self) -> dict[str, Strings]:
        """What is known of each document besides its words."""
        return {name: getattr(self, name) for name in ABOUT if getattr(self, name) is not None}

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

    def take(self, rows: Any) -> Corpus:
        """The given documents, in the given order, with all that is known of them."""
        chosen = np.asarray(rows)
        if chosen.dtype == bool:
            chosen = np.flatnonzero(chosen)
        about: dict[str, Any] = {name: values.take(chosen) for name, values in self.about.items()}
        return Corpus(self.documents.take(chosen), self.words, text=self.text, **about)

    def split(self, test: float = 0.2, *, random_state: int = 0) -> tuple[Corpus, Corpus]:
        """A part to learn from and one to test with, drawn at random; each in its old order.

        The words are those of the whole corpus.
        """
        check_real("test", test, least=0.0, most=1.0)
        n_test = round(test * len(self))
        if not 0 < n_test < len(self):
            raise OptionError(
                f"test={test!r} of {len(self):,} documents leaves one part without any"
            )
        drawn = np.random.default_rng(random_state).permutation(len(self))
        return self.take(np.sort(drawn[n_test:])), self.take(np.sort(drawn[:n_test]))

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write a folder from which `hlta.load` maps the corpus into memory."""
        from hlta.documents.corpus_folder import save_corpus

        save_corpus(self, path, overwrite=overwrite)


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


def text_options(options: dict[str, Any]) -> TextOptions:
    """The options of texts among which there is no other."""
    odd = set(options) - {field.name for field in fields(TextOptions)}
    if odd:
        known = ", ".join(field.name for field in fields(TextOptions))
        raise OptionError(f"{min(odd)!r} is no option of texts; there are {known}")
    return TextOptions(**options)


def _strings(name: str, values: Iterable[str] | None, n_documents: int) -> Strings | None:
    if values is None:
        return None
    if isinstance(values, str):
        raise DocumentsError(f"{name} is a single string; give one a document")
    strings = values if isinstance(values, Strings) else Strings.of(_checked(name, values))
    if len(strings) != n_documents:
        raise DocumentsError(
            f"{name} has {len(strings):,} entries for {n_documents:,} documents; give one each"
        )
    return strings


def _checked(name: str, values: Iterable[Any]) -> Iterable[str]:
    for number, value in enumerate(values):
        if not isinstance(value, str):
            raise DocumentsError(
                f"entry {number:,} of {name} is {value!r:.80}, of type {type(value).__name__}; "
                "every one must be a string"
            )
        yield value


def _texts(texts: Iterable[str]) -> Iterable[str]:
    if isinstance(texts, str):
        raise DocumentsError("texts is a single string; give a list of texts, one a document")
    return texts
