"""Predicting the other half of a document: a measure on the same footing for all models.

Half of the words of each held-out document are given, drawn at random. Each model then says how
likely every other word is to be among those held back, and is scored by the mean logarithm over
them, the scores of all words not given being scaled to sum to one. How each kind of model answers
is in `predictors`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from benchmarks.compare.predictors import Predictor

MOST_DOCUMENTS = 1000
_AT_ONCE = 250


class Completed(NamedTuple):
    """Mean log P of a word held back, and of all words of a document at that rate."""

    word: float
    document: float


def complete(test: csr_array, predict: Predictor, seed: int = 0) -> Completed:
    """Give half of each document's words and score the others; of 1,000 documents at most."""
    rng = np.random.default_rng(seed)
    rows = [r for r in range(test.shape[0]) if test.indptr[r + 1] - test.indptr[r] >= 2]
    if len(rows) > MOST_DOCUMENTS:
        rows = sorted(rng.choice(rows, MOST_DOCUMENTS, replace=False).tolist())
    given, hidden = [], []
    for row in rows:
        words = rng.permutation(test.indices[test.indptr[row] : test.indptr[row + 1]])
        given.append(np.sort(words[: len(words) // 2]))
        hidden.append(np.sort(words[len(words) // 2 :]))
    means, lengths = [], []
    for begin in range(0, len(rows), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        p = predict(given[part])
        for row, known, unknown in zip(p, given[part], hidden[part], strict=True):
            row[known] = 0.0
            means.append(float(np.log(row[unknown] / row.sum()).mean()))
            lengths.append(len(known) + len(unknown))
    whole = np.array(means) * np.array(lengths)
    return Completed(float(np.mean(means)), float(whole.mean()))
