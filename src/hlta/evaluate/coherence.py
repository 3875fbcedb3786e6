"""Topic coherence: whether the words of a topic occur together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.evaluate.occurrences import occurrences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hlta.evaluate.occurrences import Words


def topic_coherence(
    topics: Iterable[Words], documents: Any, words: Sequence[str], *, n_words: int = 4
) -> NDArray[np.float64]:
    """Coherence of each topic, after Mimno et al. (2011), as in the paper; NaN for too few words.

    The sum over pairs of log((D(first, second) + 1) / D(second)), where D counts documents and
    `second` comes first in the topic. Elsewhere it is known as UMass coherence. The closer to 0 the
    better; it favours frequent words and few topics, so it says little without the number of topics.
    A topic with a word that no document has cannot be scored and has NaN, too.

    Parameters
    ----------
    topics
        Any number of them, such as a `TopicTree`, or word lists.
    documents
        The documents that the topics were learned from: a matrix with a column a word.
    words
        Names of the columns.
    n_words
        How many keywords count (the paper's M).
    """
    found = occurrences(topics, documents, words, n_words)
    later, earlier = np.tril_indices(n_words, -1)
    out = np.full(len(found.counts), np.nan)
    for t, counts in enumerate(found.counts):
        if counts is not None:
            out[t] = np.log((counts[later, earlier] + 1.0) / counts[earlier, earlier]).sum()
    return out


def topic_npmi(
    topics: Iterable[Words], documents: Any, words: Sequence[str], *, n_words: int = 10
) -> NDArray[np.float64]:
    """Mean normalised pointwise mutual information of pairs of words, by document; NaN for too few words.

    From -1, where no two of the words ever occur together, over 0, by chance, to 1, always together.
    Unlike `topic_coherence` it does not favour frequent words. Parameters are those.
    """
    found = occurrences(topics, documents, words, n_words)
    later, earlier = np.tril_indices(n_words, -1)
    out = np.full(len(found.counts), np.nan)
    for t, counts in enumerate(found.counts):
        if counts is not None:
            p = counts / found.documents
            out[t] = _npmi(p[later, earlier], p[later, later], p[earlier, earlier]).mean()
    return out


def _npmi(
    both: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    out = np.full(len(both), -1.0)
    seen = both > 0.0
    always = seen & (both >= 1.0)
    some = seen & ~always
    out[always] = 1.0
    out[some] = np.log(both[some] / (a[some] * b[some])) / -np.log(both[some])
    return out
