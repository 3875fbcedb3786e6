"""The corpora of the comparison, split into documents to learn from and held-out documents.

There are prepared corpora, if they are available; the demo that comes with `hlta`; and any file or
folder that `hlta fit` reads.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

from benchmarks import prepared
from benchmarks.prepared import ARXIV, DATA, MATRICES, read

PREPARED = (*MATRICES, ARXIV)
DEMO = "demo"
_HELD_OUT = 5  # one document in five
_QUICK_TRAIN, _QUICK_TEST = 400, 100


class Split(NamedTuple):
    """0/1 matrices of documents by words."""

    name: str
    train: sparse.csr_array
    test: sparse.csr_array
    words: list[str]


def why_not(name: str) -> str | None:
    """The reason why a corpus cannot be used; None if it can."""
    if name in PREPARED:
        known = (DATA / name / "vocab.txt").exists()
        return None if known else f"{name}: the prepared corpus is not in {DATA}"
    if name == DEMO or Path(name).exists():
        return None
    return f"{name}: there is neither such a corpus nor such a file"


def split(name: str, seed: int, *, quick: bool = False) -> Split:
    """Split a corpus into four fifths and one fifth, drawn by the seed.

    For prepared corpora, seed 0 gives the split of their files.
    """
    data = Split(name, *read(name)) if name in PREPARED else _own(name)
    if seed or name not in PREPARED:
        pooled = sparse.csr_array(sparse.vstack([data.train, data.test]))
        order = np.random.default_rng(seed).permutation(pooled.shape[0])
        held = data.test.shape[0] or max(1, pooled.shape[0] // _HELD_OUT)
        data = data._replace(
            train=pooled[np.sort(order[held:])], test=pooled[np.sort(order[:held])]
        )
    if quick:
        data = data._replace(train=data.train[:_QUICK_TRAIN], test=data.test[:_QUICK_TEST])
    train, test = sparse.csr_array(data.train), sparse.csr_array(data.test)
    if quick or name not in PREPARED:
        # Words that only held-out documents have can be neither learned nor scored.
        there = np.flatnonzero(train.max(axis=0).toarray())
        train, test = sparse.csr_array(train[:, there]), sparse.csr_array(test[:, there])
        data = data._replace(words=[data.words[k] for k in there])
    return data._replace(train=train, test=test)


def vectors() -> str | None:
    """The file of the Google News vectors, if it is available."""
    path = DATA / "googlenews-26k.bin.xz"
    return str(path) if path.exists() else None


@cache
def _own(name: str) -> Split:
    """A corpus that is still to be split: all documents are in `train`."""
    import hlta
    from hlta.reading.matrices.matrix_files import format_of, read_matrix

    path = prepared.DEMO if name == DEMO else Path(name)
    if format_of(path) is not None:
        matrix = read_matrix(path)
        counts, words = sparse.csr_array(matrix.counts), list(matrix.words)
    else:
        corpus = hlta.read_corpus(path)
        counts, words = corpus.documents.to_csr(np.int64), list(corpus.words)
    counts.data = np.ones_like(counts.data)
    return Split(name, counts, counts[:0], words)
