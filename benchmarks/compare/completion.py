"""Completion: predicting the other half of a document, which compares all models on equal terms.

A random half of the words of each held-out document is given. A model then gives every other word
of the vocabulary a probability of being held back; these are scaled to sum to 1, and the score is
the mean logarithm over the words that are held back. `predictors` has the predictions of each kind
of model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from benchmarks.compare.predictors import Predictor

MOST_DOCUMENTS = 1000
_CHUNK = 250


def complete(test: csr_array, predict: Predictor, seed: int = 0) -> float:
    """Give half of each document's words and score the others; for at most 1,000 documents."""
    rng = np.random.default_rng(seed)
    rows = [r for r in range(test.shape[0]) if test.indptr[r + 1] - test.indptr[r] >= 2]
    if len(rows) > MOST_DOCUMENTS:
        rows = sorted(rng.choice(rows, MOST_DOCUMENTS, replace=False).tolist())
    given, hidden = [], []
    for row in rows:
        words = rng.permutation(test.indices[test.indptr[row] : test.indptr[row + 1]])
        given.append(np.sort(words[: len(words) // 2]))
        hidden.append(np.sort(words[len(words) // 2 :]))
    means = []
    for begin in range(0, len(rows), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        p = predict(given[part])
        for row, known, unknown in zip(p, given[part], hidden[part], strict=True):
            row[known] = 0.0
            means.append(float(np.log(row[unknown] / row.sum()).mean()))
    return float(np.mean(means))
