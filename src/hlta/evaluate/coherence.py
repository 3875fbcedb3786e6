"""Topic coherence: do the words of a topic occur together? After Mimno et al. (2011)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.corpus.documents import as_documents
from hlta.options import check_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hlta.topics.tree import Topic


def topic_coherence(
    topics: Iterable[Topic], documents: Any, words: Sequence[str], *, n_words: int = 4
) -> NDArray[np.float64]:
    """The coherence of each topic; NaN for topics with fewer than `n_words` keywords.

    The sum over pairs of its first `n_words` keywords, the second of higher rank, of
    log((D(first, second) + 1) / D(second)), where D counts documents. The closer to 0 the better;
    it favours frequent words and few topics, so it says little without the number of topics.

    Parameters
    ----------
    topics
        Any number of them, such as a `TopicTree`.
    documents
        The documents that the topics were learned from: a matrix with a column a word.
    words
        Names of the columns.
    n_words
        How many keywords count (the paper's M).
    """
    from scipy.sparse import csr_array

    check_whole("n_words", n_words, least=2)
    checked = as_documents(documents, len(words))
    column = {word: number for number, word in enumerate(words)}
    chosen = [[column[word] for word in topic.words[:n_words]] for topic in topics]
    used = np.unique([number for numbers in chosen for number in numbers]).astype(np.int64)
    present = csr_array(
        (np.ones(len(checked.indices)), checked.indices.astype(np.int64), checked.indptr),
        shape=checked.shape,
    )[:, used]
    together = (present.T @ present).tocsr()
    place = {int(number): k for k, number in enumerate(used)}
    out = np.full(len(chosen), np.nan)
    for t, numbers in enumerate(chosen):
        if len(numbers) < n_words:
            continue
        places = [place[number] for number in numbers]
        counts = together[places][:, places].toarray()
        later, earlier = np.tril_indices(n_words, -1)
        out[t] = np.log(
            (counts[later, earlier] + 1.0) / np.maximum(counts[earlier, earlier], 1.0)
        ).sum()
    return out
