"""In how many documents the words of topics occur, alone and in pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from hlta._support.checks import check_whole
from hlta.documents.matrix import as_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray


class Words(Protocol):
    """Anything that has words, best first, such as a `Topic` or a `WordList`."""

    @property
    def words(self) -> list[str]:
        """The words."""


class Occurrences(NamedTuple):
    """Counts of the first words of topics.

    Attributes
    ----------
    counts : list of float64 (n_words, n_words)
        Per topic, the number of documents with both words, with the one word on the diagonal. None
        for topics with fewer words, or with a word that is in no document.
    documents : int
        The number of all documents.
    """

    counts: list[NDArray[np.float64] | None]
    documents: int

    def scores(self, score: Callable[[NDArray[np.float64]], float]) -> NDArray[np.float64]:
        """The score of the counts of each topic; NaN for topics without counts."""
        return np.array([np.nan if count is None else score(count) for count in self.counts])


def first_words(topic: Words, n_words: int) -> list[str]:
    """The first distinct words of a topic."""
    return list(dict.fromkeys(topic.words))[:n_words]


def occurrences(
    topics: Iterable[Words], documents: Any, words: Sequence[str], n_words: int
) -> Occurrences:
    """Count the first `n_words` words of each topic; `words` are the columns of the documents."""
    check_whole("n_words", n_words, least=2)
    checked = as_documents(documents, len(words))
    column = {word: number for number, word in enumerate(words)}
    unknown = len(words)  # an empty column after the last one
    chosen = [
        [column.get(word, unknown) for word in first_words(topic, n_words)] for topic in topics
    ]
    used = np.unique([unknown, *(number for numbers in chosen for number in numbers)])
    present = replace(checked, n_words=unknown + 1).to_csr(np.float64)[:, used]
    together = (present.T @ present).tocsr()
    counts: list[NDArray[np.float64] | None] = []
    for numbers in chosen:
        places = np.searchsorted(used, numbers)
        count = together[places][:, places].toarray()
        counts.append(count if len(numbers) == n_words and count.diagonal().all() else None)
    return Occurrences(counts, len(checked))
