"""Contrast: how much the documents with a word differ from documents at large.

Documents with "neutrino" share other words that most documents lack, so the word belongs to a subject.
Documents with "based" are about anything. So filler words have little contrast, however frequent
they are, and whatever topic they form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse

from hlta._support.arrays import TINY, ranges
from hlta.documents.sampling import SUFFICIENT, few_of
from hlta.text.fillers import PRIOR_DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Floats
    from hlta.documents.matrix import Documents

_LEAST: Final = 1e-3  # least weight, so that mutual information ranks words without contrast
_DIGITS: Final = 6  # digits of contrast; further ones depend on the order of documents


def word_contrast(documents: Documents, words: Sequence[str]) -> Floats:
    """The contrast of every word, from 0 for words that fit any document to 1: float64 (n_words,).

    A document is a vector of length 1, in which a word weighs log(1 / its share of the documents).
    The contrast of a word is 1 - cos², where cos is the cosine between the mean of the documents with
    the word and the mean of all documents, the word itself left out. The length of the first mean is
    computed from pairs of different documents, because a document always resembles itself; and as a
    few documents are little evidence, `PRIOR_DOCUMENTS` documents like the mean of all are added.
    """
    if len(documents) > SUFFICIENT:
        documents = few_of(documents, words, SUFFICIENT)
    present, vectors = documents.to_csr(np.float64).T.tocsr(), _vectors(documents)
    squares = vectors.multiply(vectors).tocsr()
    lengths, mean = squares.sum(axis=1), vectors.mean(axis=0)
    own_squares = squares.sum(axis=0)  # only documents with a word have it in their vectors
    usual = mean @ mean - mean**2
    out = np.empty(documents.n_words)
    for begin, end in ranges(len(out)):
        rows = present[begin:end]
        total = (rows @ vectors).tocsr()
        own = total[np.arange(end - begin), np.arange(begin, end)]
        along = total @ mean - own * mean[begin:end]
        pairs = total.multiply(total).sum(axis=1) - own**2
        pairs -= rows @ lengths - own_squares[begin:end]
        # The added documents are the mean of all.
        pairs += 2.0 * PRIOR_DOCUMENTS * along + PRIOR_DOCUMENTS**2 * usual[begin:end]
        along += PRIOR_DOCUMENTS * usual[begin:end]
        out[begin:end] = 1.0 - along**2 / np.maximum(pairs * usual[begin:end], TINY)
    return np.asarray(np.round(np.clip(out, 0.0, 1.0), _DIGITS), dtype=np.float64)


def title_weights(contrast: Floats) -> Floats:
    """The weights of words in titles: at least 0.001, below 1, and a quarter at the median contrast."""
    share = contrast / (contrast + max(float(np.median(contrast)), _LEAST))
    weights: Floats = np.maximum(share**2, _LEAST)
    return weights


def _vectors(documents: Documents) -> sparse.csr_array:
    """Documents as vectors of length 1, or 0 if all documents have all of their words."""
    weight = np.log(max(1, len(documents)) / np.maximum(documents.document_frequency, 1))
    vectors = documents.to_csr(np.float64) @ sparse.diags_array(weight)
    length = np.sqrt(vectors.multiply(vectors).sum(axis=1))
    scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0.0)
    return (sparse.diags_array(scale) @ vectors).tocsr()
