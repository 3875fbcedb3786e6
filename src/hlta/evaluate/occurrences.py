"""Words of topics, and the number of documents in which pairs of them occur."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

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


def first_words(topic: Words, n_words: int) -> list[str]:
    """The first distinct words of a topic."""
    return list(dict.fromkeys(topic.words))[:n_words]


def pair_scores(
    topics: Iterable[Words],
    documents: Any,
    words: Sequence[str],
    n_words: int,
    score: Callable[[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], int], Any],
) -> NDArray[np.float64]:
    """The score of each topic, from counts of documents with pairs of its first words.

    `score` is given, of every pair, the number of documents with both words, with the later and with
    the earlier one; and the number of all documents.
    """
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
    later, earlier = np.tril_indices(n_words, -1)
    scores = np.full(len(chosen), np.nan)
    for k, numbers in enumerate(chosen):
        places = np.searchsorted(used, numbers)
        count = together[places][:, places].toarray()
        alone = count.diagonal()
        if len(numbers) == n_words and alone.all():
            scores[k] = score(count[later, earlier], alone[later], alone[earlier], len(checked))
    return scores
