"""In how many documents the words of topics occur, alone and in pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from scipy.sparse import csr_array

from hlta._support.checks import check_whole
from hlta.documents.matrix import as_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray


class Words(Protocol):
    """Whatever has words, best first, such as a `Topic` or a `WordList`."""

    @property
    def words(self) -> list[str]:
        """The words."""


class Occurrences(NamedTuple):
    """Counts of the first words of topics.

    counts     a topic each: float64 (n_words, n_words), documents with both words, with one on the
               diagonal; None for topics with fewer words, or with one that no document has
    documents  how many documents there are
    """

    counts: list[NDArray[np.float64] | None]
    documents: int


def first_words(topic: Words, n_words: int) -> list[str]:
    """Its first words, each once."""
    return list(dict.fromkeys(topic.words))[:n_words]


def occurrences(
    topics: Iterable[Words], documents: Any, words: Sequence[str], n_words: int
) -> Occurrences:
    """Count the first `n_words` words of each topic; `words` are the columns of the documents."""
    check_whole("n_words", n_words, least=2)
    checked = as_documents(documents, len(words))
    column = {word: number for number, word in enumerate(words)}
    unknown = len(words)
    chosen = [
        [column.get(word, unknown) for word in first_words(topic, n_words)] for topic in topics
    ]
    used = np.unique([unknown, *(number for numbers in chosen for number in numbers)])
    present = csr_array(
        (np.ones(len(checked.indices)), checked.indices.astype(np.int64), checked.indptr),
        shape=(len(checked), unknown + 1),
    )[:, used]
    together = (present.T @ present).tocsr()
    counts: list[NDArray[np.float64] | None] = []
    for numbers in chosen:
        places = np.searchsorted(used, numbers)
        found = together[places][:, places].toarray()
        counts.append(found if len(numbers) == n_words and found.diagonal().all() else None)
    return Occurrences(counts, len(checked))
