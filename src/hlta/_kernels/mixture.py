"""The E-step of a mixture model, in which each document is about one of several topics."""

from __future__ import annotations

import math
from typing import Final

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel
from hlta._kernels.postings import Rows

_LEAST: Final = 1e-6  # lower probabilities are left out: they would not change any result visibly


@kernel
def count_topics(
    documents: Rows,
    evidence: t.RealTable,
    prior: t.Reals,
    chance: t.OutReals,
    seen: t.OutRealTable,
    documents_of: t.OutReals,
) -> None:
    """Add up P(topic | document) over documents, and over the documents with each word.

    evidence      float64 (n_words, topics): log P(word | topic)
    prior         float64 (topics,): log P(topic)
    chance        float64 (topics,): scratch
    seen          float64 (n_words, topics) out: `X.T @ given` is added
    documents_of  float64 (topics,) out: `given.sum(axis=0)` is added
    NumPy: `given = softmax(X @ evidence + prior, axis=1)`, with probabilities below `_LEAST` set to 0.
    """
    indptr = documents.indptr
    for d in range(indptr.size - 1):
        words = documents.indices[indptr[d] : indptr[d + 1]]
        for k in range(prior.size):
            chance[k] = prior[k]
        for word in words:
            row = evidence[word]
            for k in range(prior.size):
                chance[k] += row[k]
        most, total = chance[0], 0.0
        for k in range(prior.size):
            most = max(most, chance[k])
        for k in range(prior.size):
            chance[k] = math.exp(chance[k] - most)
            total += chance[k]
        for k in range(prior.size):
            given = chance[k] / total
            if given < _LEAST:
                continue
            documents_of[k] += given
            for word in words:
                seen[word, k] += given
