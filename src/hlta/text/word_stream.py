"""`WordStream`: the words of all documents in the order in which they occur."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hlta._kernels.streams import count_words
from hlta._support.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class WordStream:
    """The words of all documents in order.

    parts               int32 arrays: numbers of words, `GAP` where a phrase is interrupted, `END`
                        after each document; each part holds whole documents
    words               list of str: the words by number
    document_frequency  int64 (words,): in how many documents each word is
    occurrences         int64 (words,): how often each word occurs
    n_documents         int: the number of documents
    """

    parts: Spool
    words: list[str]
    document_frequency: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    n_documents: int


def count_stream(parts: Iterable[NDArray[np.int32]], words: list[str]) -> WordStream:
    """Make a stream of parts in which words are numbered anew, and count the words."""
    document_frequency, occurrences, last = (np.zeros(len(words), dtype=np.int64) for _ in range(3))
    kept = Spool(np.int32)
    next_document = 1
    for part in parts:
        next_document = count_words(part, next_document, document_frequency, occurrences, last)
        kept.write(part)
    return WordStream(kept, words, document_frequency, occurrences, next_document - 1)
